//! Targets, workloads and runs of a view: who was measured, with what, when.

use analysis::Words;
use analysis::unequal::durability_class;
use messages::message;
use model::{Address, Event, EventKind, Flavour, ServerFacts, SpecTarget, TargetKind, TlsMode};

use super::input::RunInput;
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
        durability: server.as_ref().map(|s| durability_class(s.durability)),
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
        summary: message!("target-imported", source = Text(source)),
    }
}

/// What a server said when it came up, for targets of which no trial got that far.
pub fn ready_facts(events: &[Event], name: &str) -> Option<ServerFacts> {
    events.iter().rev().find_map(|e| match &e.kind {
        EventKind::ServerReady { target, facts, .. } if target == name => Some(facts.clone()),
        _ => None,
    })
}

fn summary(
    server: Option<&ServerFacts>,
    sandbox: bool,
    place: Option<&str>,
    transport: TransportView,
    tls: TlsMode,
) -> Words {
    let Some(server) = server else {
        return message!("target-unknown");
    };
    let tls_on = server.tls_cipher.is_some() && tls != TlsMode::Disabled;
    let family = if server.flavour == Flavour::Mariadb { "MariaDB" } else { "MySQL" };
    let version = server.version.split("-MariaDB").next().unwrap_or(&server.version);
    message!(
        "target-summary",
        version = Text(format!("{family} {version}")),
        kind = Word(if sandbox { "sandbox" } else { "server" }),
        pool = Bytes(server.buffer_pool_bytes),
        durability = Message(durability_class(server.durability)),
        binlog = Word(if server.binlog { "on" } else { "off" }),
        tls = Word(if tls_on { "on" } else { "off" }),
        transport = Word(match transport {
            TransportView::Socket => "socket",
            TransportView::Tcp => "tcp",
            TransportView::Unknown => "unknown",
        }),
        place = Text?(place),
        ms = Figure?(server.round_trip_ms),
    )
}
