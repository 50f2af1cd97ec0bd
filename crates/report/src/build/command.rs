//! The command that repeats a run, written back from its plan.

use std::collections::BTreeSet;

use model::{
    Address, KeyDistribution, Plan, PsMode, SpecTarget, SysbenchOptions, TargetKind, TlsMode, WorkloadSpec,
};

/// One line that repeats a plan. Passwords are not part of it.
pub fn repeat(plan: &Plan) -> String {
    let mut words = vec!["mydyno".to_owned(), "sweep".to_owned()];
    let names: Vec<&str> = plan.workloads.iter().map(WorkloadSpec::name).collect();
    words.push(names.join(","));
    for target in &plan.targets {
        words.push("--target".to_owned());
        words.push(quote(&target_word(target)));
    }
    let threads: BTreeSet<u32> = plan.trials.iter().map(|t| t.cell.threads).collect();
    let threads: Vec<String> = threads.iter().map(u32::to_string).collect();
    words.push(format!("--threads {}", threads.join(",")));
    words.push(format!("--time {}", plan.load.time_s));
    words.push(format!("--warmup-time {}", plan.load.warmup_s));
    let repeats = plan.trials.iter().map(|t| t.cell.repeat).max().unwrap_or(1);
    words.push(format!("--repeats {repeats}"));
    if plan.load.events > 0 {
        words.push(format!("--events {}", plan.load.events));
    }
    if let Some(rate) = plan.load.rate_per_s {
        words.push(format!("--rate {rate}"));
    }
    words.push(format!("--rand-seed {}", plan.seed));
    if let Some(WorkloadSpec::Sysbench(first)) = plan.workloads.first() {
        let defaults = options(&SysbenchOptions::default());
        let changed = options(first).into_iter().filter(|option| !defaults.contains(option));
        words.extend(changed.map(|(name, value)| format!("--{name}={}", quote(&value))));
    }
    words.join(" ")
}

/// A target in the grammar of `--target`.
fn target_word(spec: &SpecTarget) -> String {
    let (word, default_label) = match &spec.target.kind {
        TargetKind::Sandbox(s) => {
            let base = s.basedir.as_ref().map(|d| format!("@{}", d.display())).unwrap_or_default();
            let mut settings: Vec<String> = s
                .settings
                .iter()
                .map(|(name, value)| if value.is_empty() { name.clone() } else { format!("{name}={value}") })
                .collect();
            if s.tls != TlsMode::Disabled {
                settings.push(format!("ssl-mode={}", s.tls.name()));
            }
            let query = if settings.is_empty() { String::new() } else { format!("?{}", settings.join("&")) };
            (format!("sandbox:{}{base}{query}", s.flavour.name()), s.flavour.name().to_owned())
        }
        TargetKind::Server(e) => {
            let (place, host) = match &e.address {
                Address::Tcp { host, .. } => (e.address.to_string(), host.clone()),
                Address::Socket(path) => (format!("({})", path.display()), "localhost".to_owned()),
            };
            (format!("mysql://{}@{place}/{}?ssl-mode={}", e.user, e.database, e.tls.mode.name()), host)
        }
    };
    if spec.target.label == default_label { word } else { format!("{}={word}", spec.target.label) }
}

/// Every option of a workload by sysbench's name, in the order of sysbench's help.
pub fn options(o: &SysbenchOptions) -> Vec<(String, String)> {
    let on_off = |on: bool| if on { "on" } else { "off" }.to_owned();
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
    let retry: Vec<String> = o.errors.retry.iter().map(u16::to_string).collect();
    let ignored = if o.errors.retry_all { "all".to_owned() } else { retry.join(",") };
    list.push(("mysql-ignore-errors", ignored));
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
