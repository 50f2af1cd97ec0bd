//! Targets, workloads and runs of a view: who was measured, with what, when.

use analysis::Words;
use analysis::unequal::{Work, durability_class};
use messages::message;
use model::{
    Address, Arrangement, Event, EventKind, Flavour, Member, ServerFacts, ServerKind, SpecTarget, TlsMode,
    Variables,
};

use super::input::RunInput;
use crate::view::{MemberDifference, MemberView, Run, RunWarning, TargetView, TransportView, Variable};

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

/// The command line that repeats it, without passwords.
fn repeat(input: &RunInput) -> String {
    match &input.plan.imported {
        Some(imported) => {
            let files = imported.files.iter().map(|file| quote(file)).collect::<Vec<_>>();
            format!("mydyno import {}", files.join(" "))
        }
        None => format!("mydyno run {}", quote(&input.path.join("spec.toml").display().to_string())),
    }
}

/// The command that searches a recording for the differences that matter.
pub fn search(input: &RunInput) -> String {
    format!("mydyno bisect {}", quote(&input.path.display().to_string()))
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

/// A target of a plan, with the facts and variables reported by its servers.
pub fn target(spec: &SpecTarget, servers: &[(Option<ServerFacts>, Option<&Variables>)]) -> TargetView {
    let target = &spec.target;
    if let ServerKind::Imported { source } = target.entry() {
        return imported(spec, source);
    }
    let server = servers.first().and_then(|(facts, _)| facts.clone());
    let (transport, tls) = reached(&target.arrangement, target.entry());
    let place = match target.entry() {
        ServerKind::Sandbox(s) if !s.place.is_default() => Some(s.place.to_string()),
        _ => None,
    };
    TargetView {
        durability: server.as_ref().map(|s| durability_class(s.durability)),
        summary: summary(
            server.as_ref(),
            reached(&target.arrangement, target.entry()),
            target.is_sandbox(),
            place.as_deref(),
        ),
        place,
        label: target.label.clone(),
        topology: target.topology,
        members: if target.members.len() > 1 { members(spec, servers) } else { Vec::new() },
        server,
        sandbox: target.is_sandbox(),
        transport,
        ssl_mode: tls.name().to_owned(),
        instance: spec.instance.clone(),
    }
}

/// The way clients reach a server.
fn reached(arrangement: &Arrangement, kind: &ServerKind) -> (TransportView, TlsMode) {
    match kind {
        ServerKind::Sandbox(s) => (
            if s.tcp || arrangement.has_distant_clients() {
                TransportView::Tcp
            } else {
                TransportView::Socket
            },
            s.tls.mode,
        ),
        ServerKind::External(e) => match e.address {
            Address::Tcp { .. } => (TransportView::Tcp, e.tls.mode),
            Address::Socket(_) => (TransportView::Socket, e.tls.mode),
        },
        ServerKind::Imported { .. } => (TransportView::Unknown, TlsMode::Disabled),
    }
}

fn members(spec: &SpecTarget, servers: &[(Option<ServerFacts>, Option<&Variables>)]) -> Vec<MemberView> {
    let entry = servers.first().and_then(|(_, variables)| *variables);
    let view = |((name, member), (facts, variables)): ((String, &Member), &(Option<ServerFacts>, _))| {
        let differs = differing(entry, *variables);
        let words = |one: &MemberDifference| {
            message!(
                "member-difference",
                name = Text(&one.name),
                value = Text(&one.value),
                of_entry = Text(&one.of_entry)
            )
        };
        let summary = message!(
            "member-line",
            role = Word(member.role.name()),
            topology = Word(spec.target.topology.name()),
            summary = Message(summary(
                facts.as_ref(),
                reached(&spec.target.arrangement, &member.kind),
                spec.target.is_sandbox(),
                None
            )),
            count = Count(differs.len() as u64),
            differs = Parts(differs.iter().map(words).collect::<Vec<_>>()),
        );
        MemberView { name, role: member.role, summary, differs }
    };
    spec.target.named().zip(servers).map(view).collect()
}

/// Variables of a server that are not as those of the entry point and matter to a load.
fn differing(entry: Option<&Variables>, own: Option<&Variables>) -> Vec<MemberDifference> {
    let (Some(entry), Some(own)) = (entry, own) else { return Vec::new() };
    let settings = super::variables::matrix(&[Some(entry), Some(own)], Work::Writes);
    let shown = |variable: &Variable, at: usize| {
        let all = if variable.shown.is_empty() { &variable.values } else { &variable.shown };
        all.get(at).cloned().flatten().unwrap_or_default()
    };
    let matters = settings.iter().filter(|variable| variable.matters);
    matters
        .map(|variable| MemberDifference {
            name: variable.name.clone(),
            value: shown(variable, 1),
            of_entry: shown(variable, 0),
        })
        .collect()
}

/// A target measured by another tool: only its label and the user's facts about it are known.
fn imported(spec: &SpecTarget, source: &str) -> TargetView {
    TargetView {
        label: spec.target.label.clone(),
        topology: spec.target.topology,
        members: Vec::new(),
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

/// Facts that a server reported at start-up, for targets of which no trial got that far.
pub fn ready_facts(events: &[Event], name: &str) -> Option<ServerFacts> {
    events.iter().rev().find_map(|e| match &e.kind {
        EventKind::ServerReady { target, facts, .. } if target == name => Some(facts.clone()),
        _ => None,
    })
}

fn summary(
    server: Option<&ServerFacts>,
    (transport, tls): (TransportView, TlsMode),
    sandbox: bool,
    place: Option<&str>,
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
