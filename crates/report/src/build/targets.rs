//! Targets, workloads and runs of a view: who was measured, with what, when.

use analysis::Words;
use model::{Address, Durability, Event, EventKind, Flavour, ServerFacts, SpecTarget, TargetKind, TlsMode};

use super::input::RunInput;
use crate::format;
use crate::view::{Run, RunWarning, TargetView, TransportView};

/// The header of a run.
pub fn run(input: &RunInput) -> Run {
    let plan = &input.plan;
    Run {
        id: input.id.clone(),
        name: plan.spec.name.clone(),
        started_at: input.events.first().map(|e| e.at.clone()),
        plan_hash: plan.hash.clone(),
        seed: plan.spec.seed,
        warmup_s: plan.spec.load.warmup_s,
        time_s: plan.spec.load.time_s,
        events: plan.spec.load.events,
        rate_per_s: plan.spec.load.rate.as_ref().map(|rate| rate.mean_per_s(plan.spec.load.time_s)),
        in_flight: plan.spec.load.in_flight,
        think_s: plan.spec.load.think_s,
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
fn cautions(events: &[Event]) -> Vec<RunWarning> {
    let mut found: Vec<RunWarning> = Vec::new();
    for event in events {
        if let EventKind::Caution { target, text } = &event.kind {
            let caution = RunWarning { target: target.clone(), text: text.clone() };
            if !found.contains(&caution) {
                found.push(caution);
            }
        }
    }
    found
}

/// A target of a plan, with what its server said of itself.
pub fn target(spec: &SpecTarget, server: Option<ServerFacts>) -> TargetView {
    let (sandbox, transport, tls) = match &spec.target.kind {
        TargetKind::Sandbox(s) => {
            (true, if s.tcp { TransportView::Tcp } else { TransportView::Socket }, s.tls.mode)
        }
        TargetKind::Server(e) => match e.address {
            Address::Tcp { .. } => (false, TransportView::Tcp, e.tls.mode),
            Address::Socket(_) => (false, TransportView::Socket, e.tls.mode),
        },
        TargetKind::Imported { source } => return imported(spec, source),
    };
    let place = match &spec.target.kind {
        TargetKind::Sandbox(s) if !s.place.is_default() => Some(s.place.to_string()),
        _ => None,
    };
    TargetView {
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
fn imported(spec: &SpecTarget, source: &str) -> TargetView {
    TargetView {
        label: spec.target.label.clone(),
        server: None,
        sandbox: false,
        place: None,
        transport: TransportView::Unknown,
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
    transport: TransportView,
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
            TransportView::Socket => "Unix socket",
            TransportView::Tcp => "TCP",
            TransportView::Unknown => "unknown transport",
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
            TransportView::Socket => "Unix 套接字",
            TransportView::Tcp => "TCP",
            TransportView::Unknown => "传输方式未知",
        }
        .to_owned(),
    ];
    en.extend(place.map(|place| format!("placed {place}")));
    zh.extend(place.map(|place| format!("限定于 {place}")));
    en.extend(round_trip.iter().map(|ms| format!("round trip {ms} ms")));
    zh.extend(round_trip.iter().map(|ms| format!("往返 {ms} 毫秒")));
    Words::new(en.join(", "), zh.join("，"))
}
