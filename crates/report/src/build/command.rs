//! The command that repeats a run, written back from its plan.

use std::collections::BTreeSet;
use std::path::PathBuf;

use model::{
    About, Address, Arrivals, Endpoint, ErrorPolicy, KeyDistribution, Plan, PsMode, Restore, SandboxSpec,
    SpecTarget, SysbenchOptions, TargetKind, TlsMode, TlsSpec, TpccOptions, WorkloadSpec,
};

/// Seconds for a connection where nothing is said.
const CONNECT_TIMEOUT_S: u32 = 10;

/// One line that repeats a plan. Passwords are not part of it.
pub fn repeat(plan: &Plan) -> String {
    if let Some(about) = &plan.about {
        return experiment(about, plan);
    }
    if let Some(imported) = &plan.imported {
        let files = imported.files.iter().map(|file| quote(file)).collect::<Vec<_>>();
        return format!("mydyno import {}", files.join(" "));
    }
    let mut words = vec!["mydyno".to_owned(), "sweep".to_owned()];
    let names: Vec<&str> = plan.workloads.iter().map(WorkloadSpec::name).collect();
    words.push(names.join(","));
    for target in &plan.targets {
        words.push("--target".to_owned());
        words.push(quote(&target_word(target)));
        for (key, value) in &target.instance {
            words.push("--instance".to_owned());
            words.push(quote(&format!("{}:{key}={value}", target.target.label)));
        }
    }
    words.extend(size(plan));
    words.extend(design(plan));
    if plan.load.events > 0 {
        words.push(format!("--events {}", plan.load.events));
    }
    if let Some(rate) = &plan.load.rate {
        words.push(format!("--rate {}", rate.describe()));
        if rate.arrivals == Arrivals::Constant {
            words.push("--arrivals constant".to_owned());
        }
    }
    words.extend(plan.load.in_flight.map(|in_flight| format!("--in-flight {in_flight}")));
    if plan.load.think_s > 0.0 {
        words.push(format!("--think-time {}", plan.load.think_s));
    }
    words.push(format!("--seed {}", plan.seed));
    words.extend(plan.prepare.then(|| "--prepare".to_owned()));
    words.extend(plan.allow_failing_cells.then(|| "--allow-failing-cells".to_owned()));
    if let Some(workers) = plan.load.workers {
        words.push(format!("--workers {workers}"));
    }
    if let Some(first) = plan.workloads.first() {
        let defaults = options(&match first {
            WorkloadSpec::Sysbench(_) => WorkloadSpec::Sysbench(SysbenchOptions::default()),
            WorkloadSpec::Tpcc(_) => WorkloadSpec::Tpcc(TpccOptions::default()),
            WorkloadSpec::Imported(_) => first.clone(),
        });
        // The model has one warehouse where nothing is said, the command line ten.
        let is_said = |option: &(String, String)| !defaults.contains(option);
        let changed = options(first).into_iter().filter(is_said);
        words.extend(changed.map(|(name, value)| format!("--{name}={}", quote(&value))));
    }
    words.join(" ")
}

/// How many clients, how long, how often, as it was asked for.
fn size(plan: &Plan) -> Vec<String> {
    let asked = || plan.trials.iter().filter(|trial| trial.why.is_asked_for());
    let threads: BTreeSet<u32> = asked().map(|t| t.cell.threads).collect();
    let threads: Vec<String> = threads.iter().map(u32::to_string).collect();
    let repeats = asked().map(|t| t.cell.repeat).max().unwrap_or(1);
    vec![
        format!("--threads {}", threads.join(",")),
        format!("--time {}", plan.load.time_s),
        format!("--warmup-time {}", plan.load.warmup_s),
        format!("--repeats {repeats}"),
    ]
}

/// How the trials were arranged, where that is not the rule.
fn design(plan: &Plan) -> Vec<String> {
    let design = &plan.design;
    let mut words = Vec::new();
    if let Some(until) = design.until_sure {
        let budget = until.budget_s.map(|seconds| format!("={seconds}")).unwrap_or_default();
        words.push(format!("--until-sure{budget} --max-repeats {}", until.blocks_max));
        words.push(format!("--margin {}", until.margin * 100.0));
    }
    let rest_s = design.cool_down_s;
    words.extend((rest_s > 0.0).then(|| format!("--cool-down-time {rest_s}")));
    words.extend(design.refine.then(|| "--refine".to_owned()));
    words.extend((design.bookend && plan.about.is_none()).then(|| "--bookend".to_owned()));
    match design.restore {
        Restore::Written => {}
        Restore::Reload => words.push("--restore reload".to_owned()),
        // A single run has nothing to put back.
        Restore::Changed if plan.trials.len() > 1 => words.push("--restore changed".to_owned()),
        Restore::Changed => {}
    }
    words
}

/// Of an experiment its name and size are enough, unless it was made on a server of the user's.
fn experiment(about: &About, plan: &Plan) -> String {
    let mut words = vec!["mydyno experiment run".to_owned(), quote(&about.experiment)];
    words.extend(about.quick.then(|| "--quick".to_owned()));
    // Where the load varies, it is not said by one number.
    if plan.loads().len() == 1 && plan.design.only.is_empty() {
        words.extend(size(plan));
    }
    words.extend(design(plan));
    words.push(format!("--seed {}", plan.seed));
    let server = plan.targets.iter().find_map(|target| match &target.target.kind {
        TargetKind::Server(server) => Some(server),
        TargetKind::Sandbox(_) | TargetKind::Imported { .. } => None,
    });
    // What the arms add comes by itself.
    words.extend(server.map(|server| format!("--target {}", quote(&server_word(server).0))));
    words.join(" ")
}

/// A target in the grammar of `--target`, always with its label.
fn target_word(spec: &SpecTarget) -> String {
    let (place, query) = place_and_query(spec);
    let pair = |(key, value): &(String, String)| {
        if value.is_empty() { key.clone() } else { format!("{key}={}", percent_encoded(value)) }
    };
    let query: Vec<String> = query.iter().map(pair).collect();
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{}={place}{mark}{}", spec.target.label, query.join("&"))
}

/// Where a target is and what is set there, a word each, as a reader writes them.
pub fn parts(spec: &SpecTarget) -> Vec<String> {
    let (place, query) = place_and_query(spec);
    let pair = |(key, value): (String, String)| if value.is_empty() { key } else { format!("{key}={value}") };
    std::iter::once(place).chain(query.into_iter().map(pair)).collect()
}

fn place_and_query(spec: &SpecTarget) -> (String, Query) {
    match &spec.target.kind {
        TargetKind::Sandbox(s) => sandbox_word(s),
        TargetKind::Server(e) => server_word(e),
        TargetKind::Imported { source } => (source.clone(), Query::new()),
    }
}

type Query = Vec<(String, String)>;

fn sandbox_word(sandbox: &SandboxSpec) -> (String, Query) {
    let base = sandbox.basedir.as_ref().map(|d| format!("@{}", d.display())).unwrap_or_default();
    let mut query: Query = sandbox.settings.clone().into_iter().collect();
    if sandbox.tcp {
        query.push(("protocol".to_owned(), "tcp".to_owned()));
    }
    if sandbox.tls.mode != TlsMode::Disabled {
        query.extend(tls_words(&sandbox.tls));
    }
    query.extend(sandbox.place.words().into_iter().map(|(key, value)| (key.to_owned(), value)));
    (format!("sandbox:{}{base}", sandbox.flavour.name()), query)
}

fn server_word(server: &Endpoint) -> (String, Query) {
    let mut query: Query = Vec::new();
    let mut put = |key: &str, value: Option<String>| query.extend(value.map(|v| (key.to_owned(), v)));
    let place = match &server.address {
        Address::Tcp { .. } => server.address.to_string(),
        Address::Socket(path) => {
            put("socket", Some(path.display().to_string()));
            String::new()
        }
    };
    query.extend(tls_words(&server.tls));
    let mut put = |key: &str, value: Option<String>| query.extend(value.map(|v| (key.to_owned(), v)));
    put("get-server-public-key", server.get_server_public_key.then(String::new));
    let timeout_s = server.connect_timeout_s;
    put("connect-timeout", (timeout_s != CONNECT_TIMEOUT_S).then(|| timeout_s.to_string()));
    put("init-command", server.init_commands.first().cloned());
    query.extend(server.globals.iter().map(|(name, value)| (format!("set.{name}"), value.clone())));
    let (user, database) = (percent_encoded(&server.user), percent_encoded(&server.database));
    (format!("mysql://{user}@{place}/{database}"), query)
}

fn tls_words(tls: &TlsSpec) -> Query {
    let file = |path: &Option<PathBuf>| path.as_ref().map(|p| p.display().to_string());
    let versions: Vec<&str> = tls.versions.iter().map(|version| version.name()).collect();
    let words = [
        ("ssl-mode", Some(tls.mode.name().to_owned())),
        ("ssl-ca", file(&tls.ca)),
        ("ssl-cert", file(&tls.cert)),
        ("ssl-key", file(&tls.key)),
        ("tls-version", Some(versions.join(",")).filter(|versions| !versions.is_empty())),
        ("ssl-resumption", tls.resumption.then(|| "on".to_owned())),
    ];
    words.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
}

/// Letters that would end a part of a URL, escaped.
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for c in text.chars() {
        if "%&?#@:+ ".contains(c) {
            encoded.push_str(&format!("%{:02X}", u32::from(c)));
        } else {
            encoded.push(c);
        }
    }
    encoded
}

/// Every option of a workload by its name on the command line.
pub fn options(workload: &WorkloadSpec) -> Vec<(String, String)> {
    match workload {
        WorkloadSpec::Sysbench(options) => sysbench_options(options),
        WorkloadSpec::Tpcc(options) => tpcc_options(options),
        WorkloadSpec::Imported(_) => Vec::new(),
    }
}

fn on_off(on: bool) -> String {
    if on { "on" } else { "off" }.to_owned()
}

fn ignored(errors: &ErrorPolicy) -> String {
    let retry: Vec<String> = errors.retry.iter().map(u16::to_string).collect();
    if errors.retry_all { "all".to_owned() } else { retry.join(",") }
}

fn tpcc_options(o: &TpccOptions) -> Vec<(String, String)> {
    /// As it is written in a recording, which is how the command line takes it.
    fn name<T: serde::Serialize>(value: T) -> String {
        let json = serde_json::to_string(&value).expect("a plain value");
        json.trim_matches('"').replace('_', "-")
    }
    let d = o.deck;
    let deck = [d.new_order, d.payment, d.order_status, d.delivery, d.stock_level].map(|n| n.to_string());
    let list = [
        ("warehouses", o.data.warehouses.to_string()),
        ("deck", deck.join(",")),
        ("home", name(o.home)),
        ("think", o.think.to_string()),
        ("remote-lines", o.remote_lines_pct.to_string()),
        ("remote-payments", o.remote_payments_pct.to_string()),
        ("rollbacks", o.rollback_pct.to_string()),
        ("stock-level", name(o.stock_level)),
        ("style", name(o.style)),
        ("isolation", o.isolation.map_or("server".to_owned(), name)),
        ("foreign-keys", on_off(o.data.foreign_keys)),
        ("order-index", on_off(o.data.order_index)),
        ("partitions", o.data.partitions.to_string()),
        ("age", o.data.age.to_string()),
        ("mysql-storage-engine", o.data.engine.clone()),
        ("check", on_off(o.check)),
        ("reconnect", o.reconnect.to_string()),
        ("mysql-ignore-errors", ignored(&o.errors)),
    ];
    list.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// In the order of sysbench's help.
fn sysbench_options(o: &SysbenchOptions) -> Vec<(String, String)> {
    let mut list = vec![
        ("tables", o.tables.to_string()),
        ("table-size", o.table_size.to_string()),
        ("range-size", o.range_size.to_string()),
        ("range-selects", on_off(o.range_selects)),
        ("point-selects", o.point_selects.to_string()),
        ("simple-ranges", o.simple_ranges.to_string()),
        ("sum-ranges", o.sum_ranges.to_string()),
        ("order-ranges", o.order_ranges.to_string()),
        ("distinct-ranges", o.distinct_ranges.to_string()),
        ("index-updates", o.index_updates.to_string()),
        ("non-index-updates", o.non_index_updates.to_string()),
        ("delete-inserts", o.delete_inserts.to_string()),
        ("skip-trx", on_off(o.skip_trx)),
        ("auto-inc", on_off(o.auto_inc)),
        ("secondary", on_off(o.secondary)),
        ("create-secondary", on_off(o.create_secondary)),
        ("mysql-storage-engine", o.mysql_storage_engine.clone()),
        ("create-table-options", o.create_table_options.clone()),
        ("random-points", o.random_points.to_string()),
        ("number-of-ranges", o.number_of_ranges.to_string()),
        ("delta", o.delta.to_string()),
        ("rand-type", o.rand.name().to_owned()),
    ];
    match o.rand {
        KeyDistribution::Uniform => {}
        KeyDistribution::Gaussian { iter } => list.push(("rand-spec-iter", iter.to_string())),
        KeyDistribution::Special(s) => {
            list.push(("rand-spec-iter", s.iter.to_string()));
            list.push(("rand-spec-pct", s.pct.to_string()));
            list.push(("rand-spec-res", s.res.to_string()));
        }
        KeyDistribution::Pareto { h } => list.push(("rand-pareto-h", h.to_string())),
        KeyDistribution::Zipfian { exponent } => list.push(("rand-zipfian-exp", exponent.to_string())),
    }
    let ps = if o.db_ps_mode == PsMode::Auto { "auto" } else { "disable" };
    list.push(("db-ps-mode", ps.to_owned()));
    list.push(("reconnect", o.reconnect.to_string()));
    list.push(("mysql-ignore-errors", ignored(&o.errors)));
    list.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// A word as a POSIX shell needs it.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.,:/=@+%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Flavour, Place, Target};

    #[test]
    fn a_sandbox_is_named_with_its_place() {
        let place = Place {
            cpu_nodes: "0".parse().ok(),
            memory_nodes: "0-1".parse().ok(),
            cpu_quota: "1.5".parse().ok(),
            memory_max_bytes: Some(2 << 30),
            ..Place::default()
        };
        let sandbox = SandboxSpec {
            flavour: Flavour::Mysql,
            basedir: Some("/opt/a".into()),
            settings: [("sync_binlog".to_owned(), "0".to_owned())].into(),
            tcp: true,
            tls: TlsMode::Disabled.into(),
            place,
        };
        let target = Target { label: "bound".to_owned(), kind: TargetKind::Sandbox(sandbox) };
        assert_eq!(
            target_word(&SpecTarget { target, instance: Default::default(), levels: Default::default() }),
            "bound=sandbox:mysql@/opt/a?sync_binlog=0&protocol=tcp&cpu-nodes=0&memory-nodes=0-1&cpu-quota=1.5&memory-max=2G"
        );
    }
}
