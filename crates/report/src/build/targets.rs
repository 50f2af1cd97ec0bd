//! Targets, workloads and runs of a view: who was measured, with what, when.

use analysis::Words;
use model::{
    Address, Durability, Event, EventKind, Flavour, KeyDistribution, PsMode, ServerFacts, SpecTarget,
    SysbenchOptions, TargetKind, TlsMode, TpccOptions, WorkloadSpec,
};

use super::input::RunInput;
use crate::format;
use crate::view::{Caution, Fact, Run, Target, Transport, Workload};

/// The header of a run.
pub fn run(input: &RunInput) -> Run {
    let plan = &input.plan;
    Run {
        id: input.id.clone(),
        name: plan.name.clone(),
        started_at: input.events.first().map(|e| e.at.clone()),
        plan_hash: plan.hash.clone(),
        seed: plan.seed,
        warmup_s: plan.load.warmup_s,
        time_s: plan.load.time_s,
        events: plan.load.events,
        rate_per_s: plan.load.rate.as_ref().map(|rate| rate.mean_per_s(plan.load.time_s)),
        in_flight: plan.load.in_flight,
        think_s: plan.load.think_s,
        repeats: plan.blocks(),
        command: repeat(input),
        spec: input.spec_toml.clone(),
        host: input.host.clone(),
        trials_planned: plan.trials.len() as u32,
        trials_done: input.trials.iter().filter(|t| t.result.is_some()).count() as u32,
        truncated: input.truncated.clone(),
        failure: store::failure(&input.events).cloned(),
        note: input.note.clone(),
        imported: plan.imported.clone(),
        cautions: cautions(&input.events),
    }
}

/// One line that repeats it. Passwords are not part of it.
fn repeat(input: &RunInput) -> String {
    match &input.plan.imported {
        Some(imported) => {
            let files = imported.files.iter().map(|file| quote(file)).collect::<Vec<_>>();
            format!("mydyno import {}", files.join(" "))
        }
        None => format!("mydyno run {}", quote(&input.path.join("spec.toml").display().to_string())),
    }
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

/// Cautions raised during the run, each once.
fn cautions(events: &[Event]) -> Vec<Caution> {
    let mut found: Vec<Caution> = Vec::new();
    for event in events {
        if let EventKind::Caution { target, text } = &event.kind {
            let caution = Caution { target: target.clone(), text: text.clone() };
            if !found.contains(&caution) {
                found.push(caution);
            }
        }
    }
    found
}

/// A target of a plan, with what its server said of itself.
pub fn target(spec: &SpecTarget, server: Option<ServerFacts>) -> Target {
    let (sandbox, transport, tls) = match &spec.target.kind {
        TargetKind::Sandbox(s) => (true, if s.tcp { Transport::Tcp } else { Transport::Socket }, s.tls.mode),
        TargetKind::Server(e) => match e.address {
            Address::Tcp { .. } => (false, Transport::Tcp, e.tls.mode),
            Address::Socket(_) => (false, Transport::Socket, e.tls.mode),
        },
        TargetKind::Imported { source } => return imported(spec, source),
    };
    let place = match &spec.target.kind {
        TargetKind::Sandbox(s) if !s.place.is_default() => Some(s.place.to_string()),
        _ => None,
    };
    Target {
        durability: server.as_ref().map(|s| durability(s.durability)),
        summary: summary(server.as_ref(), sandbox, place.as_deref(), transport, tls),
        place,
        label: spec.target.label.clone(),
        server,
        sandbox,
        transport,
        ssl_mode: tls.name().to_owned(),
        instance: spec.instance.clone(),
    }
}

/// A target that another tool measured: only its label and what the user said of it are known.
fn imported(spec: &SpecTarget, source: &str) -> Target {
    Target {
        label: spec.target.label.clone(),
        server: None,
        sandbox: false,
        place: None,
        transport: Transport::Unknown,
        ssl_mode: String::new(),
        durability: None,
        instance: spec.instance.clone(),
        summary: Words::new(
            format!("imported: measured with {source}; nothing is known of the server"),
            format!("导入的数据：由 {source} 测得；服务器情况未知"),
        ),
    }
}

/// What a server said when it came up, for targets of which no trial got that far.
pub fn ready_facts(events: &[Event], name: &str) -> Option<ServerFacts> {
    events.iter().rev().find_map(|e| match &e.kind {
        EventKind::ServerReady { target, facts, .. } if target == name => Some(facts.clone()),
        _ => None,
    })
}

/// What a crash can lose.
fn durability(class: Durability) -> Words {
    Words::new(class.describe(), analysis::unequal::durability_zh(class))
}

fn summary(
    server: Option<&ServerFacts>,
    sandbox: bool,
    place: Option<&str>,
    transport: Transport,
    tls: TlsMode,
) -> Words {
    let Some(server) = server else {
        return Words::new("nothing is known of the server", "服务器情况未知");
    };
    let tls_on = server.tls_cipher.is_some() && tls != TlsMode::Disabled;
    let pool = format::bytes(server.buffer_pool_bytes);
    let durable = durability(server.durability);
    let family = if server.flavour == Flavour::Mariadb { "MariaDB" } else { "MySQL" };
    let version = server.version.split("-MariaDB").next().unwrap_or(&server.version);
    let round_trip = server.round_trip_ms.map(format::figure);
    let mut en = vec![
        format!("{family} {version}"),
        if sandbox { "sandbox" } else { "server" }.to_owned(),
        format!("buffer pool {pool}"),
        format!("{}, binary log {}", durable.en, if server.binlog { "on" } else { "off" }),
        format!("TLS {}", if tls_on { "on" } else { "off" }),
        match transport {
            Transport::Socket => "Unix socket",
            Transport::Tcp => "TCP",
            Transport::Unknown => "unknown transport",
        }
        .to_owned(),
    ];
    let mut zh = vec![
        format!("{family} {version}"),
        if sandbox { "沙箱" } else { "服务器" }.to_owned(),
        format!("缓冲池 {pool}"),
        format!("{}，二进制日志{}", durable.zh, if server.binlog { "开" } else { "关" }),
        format!("TLS {}", if tls_on { "开" } else { "关" }),
        match transport {
            Transport::Socket => "Unix 套接字",
            Transport::Tcp => "TCP",
            Transport::Unknown => "传输方式未知",
        }
        .to_owned(),
    ];
    en.extend(place.map(|place| format!("placed {place}")));
    zh.extend(place.map(|place| format!("限定于 {place}")));
    en.extend(round_trip.iter().map(|ms| format!("round trip {ms} ms")));
    zh.extend(round_trip.iter().map(|ms| format!("往返 {ms} 毫秒")));
    Words::new(en.join(", "), zh.join("，"))
}

/// A workload under the label it has in the view.
pub fn workload(spec: &WorkloadSpec, label: String) -> Workload {
    let (summary, facts) = match spec {
        WorkloadSpec::Sysbench(options) => {
            let workload = options.workload;
            (Words::new(workload.summary(), workload.summary_zh()), sysbench_facts(options))
        }
        WorkloadSpec::Tpcc(options) => {
            (Words::new("the five transactions of TPC-C", "TPC-C 的五种事务"), tpcc_facts(options))
        }
        WorkloadSpec::Imported(_) => {
            (Words::new("imported; only its name is known", "导入的数据；只知道名称"), Vec::new())
        }
    };
    Workload {
        label,
        name: spec.name().to_owned(),
        summary: summary.en,
        summary_zh: summary.zh,
        facts,
        options: options(spec),
    }
}

/// Every option by its flag.
fn options(workload: &WorkloadSpec) -> std::collections::BTreeMap<String, String> {
    spec::options_of(workload).into_iter().map(|edit| (edit.row.flag(), edit.text)).collect()
}

fn fact(name: (&str, &str), value: Words) -> Fact {
    Fact { name: Words::new(name.0, name.1), value }
}

fn sysbench_facts(options: &SysbenchOptions) -> Vec<Fact> {
    let (tables, rows) = (format::thousands(options.tables.into()), format::thousands(options.table_size));
    let keys = key_distribution(options);
    let statements = match (options.db_ps_mode, options.skip_trx) {
        (PsMode::Auto, false) => {
            Words::new("server-side prepared, in transactions", "服务器端预处理，在事务中")
        }
        (PsMode::Auto, true) => {
            Words::new("server-side prepared, each in its own transaction", "服务器端预处理，逐条自动提交")
        }
        (PsMode::Disable, false) => Words::new("text protocol, in transactions", "文本协议，在事务中"),
        (PsMode::Disable, true) => {
            Words::new("text protocol, each in its own transaction", "文本协议，逐条自动提交")
        }
    };
    vec![
        fact(
            ("Tables", "表"),
            Words::new(format!("{tables} × {rows} rows"), format!("{tables} × {rows} 行")),
        ),
        fact(("Row ids drawn", "行 ID 分布"), Words::new(keys.clone(), keys)),
        fact(("Statements", "语句方式"), statements),
    ]
}

fn tpcc_facts(options: &TpccOptions) -> Vec<Fact> {
    let data = &options.data;
    let warehouses = format::thousands(data.warehouses.into());
    let mut shape = vec![Words::new(
        format!("{warehouses} {}", if data.warehouses == 1 { "warehouse" } else { "warehouses" }),
        format!("{warehouses} 个仓库"),
    )];
    let mut add = |is: bool, en: String, zh: String| {
        if is {
            shape.push(Words::new(en, zh));
        }
    };
    add(data.foreign_keys, "foreign keys".to_owned(), "外键".to_owned());
    add(!data.order_index, "no index for Order-Status".to_owned(), "无 Order-Status 索引".to_owned());
    let partitions = data.partitions;
    add(partitions > 0, format!("{partitions} partitions"), format!("{partitions} 个分区"));
    let age = data.age;
    add(age > 0, format!("aged by {age} times the initial orders"), format!("历史订单为初始的 {age} 倍"));
    let isolation = options
        .isolation
        .map_or(Words::new("the server's", "服务器默认"), |level| Words::new(level.sql(), level.sql()));
    vec![
        fact(("Data", "数据"), Words::join(&shape, ", ", "，")),
        fact(
            ("Differs from the standard", "与标准的差异"),
            Words::join(&analysis::tpcc::deviations(options), ", ", "，"),
        ),
        fact(("Isolation", "隔离级别"), isolation),
    ]
}

fn key_distribution(options: &SysbenchOptions) -> String {
    let name = options.rand.name();
    match options.rand {
        KeyDistribution::Uniform => name.to_owned(),
        KeyDistribution::Gaussian { iter } => format!("{name} (iter {iter})"),
        KeyDistribution::Special(s) => format!("{name} (iter {}, pct {}, res {})", s.iter, s.pct, s.res),
        KeyDistribution::Pareto { h } => format!("{name} (h {h})"),
        KeyDistribution::Zipfian { exponent } => format!("{name} (exponent {exponent})"),
    }
}
