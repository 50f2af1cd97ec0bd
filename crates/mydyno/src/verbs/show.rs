//! `mydyno show RECORDING`: one recorded run on one screen.

use std::collections::BTreeMap;

use model::{
    EventKind, LoadShape, OperationKind, Outcome as End, PlannedEvent, PlannedTrial, ServerFacts, ServerKind,
    Topology, TrialResult,
};
use store::{Recording, Results};

use super::table::{Align, printable, table};
use super::unrestored;
use crate::cli::ShowArgs;
use crate::display::phrase::{bytes, thousands};
use crate::error::Outcome;
use crate::exit::Exit;
use crate::output;

/// Prints what a run was, and what came of each of its trials.
pub fn show(args: &ShowArgs) -> Outcome<Exit> {
    let path = Results::open(&args.results.results).find(&args.run)?;
    output::print(&card(&Recording::read(&path)?))?;
    if let Some(left) = store::unrestored(&path) {
        let changed = left.originals.values().map(unrestored::values).collect::<Vec<_>>().join("; ");
        output::print(&format!("! it changed variables and did not restore them: {changed}"))?;
        output::print(&unrestored::restore(&left, &args.results.results))?;
    }
    Ok(Exit::Ok)
}

fn card(run: &Recording) -> String {
    let plan = &run.plan;
    let mut text = format!("{}   {}\n", run.id, run.path.display());
    let mut line = |name: &str, value: String| text.push_str(&format!("{name:<10}{}\n", printable(&value)));
    line("started", run.events.first().map(|event| event.at.clone()).unwrap_or_default());
    run.note.iter().for_each(|note| line("note", note.clone()));
    if let Some(from) = &plan.imported {
        line("imported", format!("measured with {}: {}", from.tool_and_version(), from.files.join(", ")));
        from.notes.iter().for_each(|note| line("note", note.clone()));
    } else {
        let host = &run.host;
        line(
            "host",
            format!("{}, {} CPUs, {}, {}", host.hostname, host.cpus, bytes(host.memory_bytes), host.os),
        );
        let load = &plan.spec.load;
        let events =
            if load.events == 0 { String::new() } else { format!(", up to {} transactions", load.events) };
        line(
            "cell",
            format!(
                "warm-up {} s, measured {} s{events}, seed {}",
                load.warmup_s, load.time_s, plan.spec.seed
            ),
        );
        on_purpose(load).into_iter().for_each(|(name, text)| line(name, text));
    }
    let facts = servers(run);
    for target in &plan.spec.targets {
        let instance: String =
            target.instance.iter().map(|(key, value)| format!(", {key} {value}")).collect();
        for (name, member) in target.target.named() {
            let server = facts.get(name.as_str());
            let server = server.map_or("nothing is known of it".to_owned(), |facts| describe(facts));
            let place = match &member.kind {
                ServerKind::Sandbox(sandbox) if !sandbox.place.is_default() => format!(", {}", sandbox.place),
                _ => String::new(),
            };
            let role = match target.target.topology {
                Topology::Single => String::new(),
                topology => format!("{} ({}), ", member.role.name(), topology.name()),
            };
            line("target", format!("{name}: {role}{server}{place}{instance}"));
        }
    }
    if let Some(cut) = &run.truncated {
        line("cut", cut.clone());
    }
    if let Some(failure) = run.failure() {
        text.push_str("\n! the run could not go on\n");
        for line in failure.message.lines().chain(failure.hint.iter().flat_map(|hint| hint.lines())) {
            text.push_str(&format!("  {}\n", printable(line)));
        }
    }
    text.push('\n');
    text.push_str(&trials(run));
    for trial in &run.trials {
        if let Some(TrialResult { outcome: End::Failed(failure), .. }) = &trial.result {
            text.push_str(&printable(&format!("! {}: {}", trial.planned.cell, failure.message)));
            text.push('\n');
            for hint in failure.hint.iter().flat_map(|hint| hint.lines()) {
                text.push_str(&format!("  {}\n", printable(hint)));
            }
        }
    }
    text
}

fn servers(run: &Recording) -> BTreeMap<&str, &ServerFacts> {
    let ready = run.events.iter().filter_map(|event| match &event.kind {
        EventKind::ServerReady { target, facts, .. } => Some((target.as_str(), facts)),
        _ => None,
    });
    ready.collect()
}

fn describe(facts: &ServerFacts) -> String {
    let binlog = if facts.binlog { "on" } else { "off" };
    format!(
        "{} {}, buffer pool {}, {} (binary log {binlog})",
        facts.flavour.name(),
        facts.version,
        bytes(facts.buffer_pool_bytes),
        facts.durability.describe()
    )
}

fn trials(run: &Recording) -> String {
    let mut columns = vec![
        ("TRIAL", Align::Right),
        ("TARGET", Align::Left),
        ("WORKLOAD", Align::Left),
        ("CLIENTS", Align::Right),
        ("REPEAT", Align::Right),
        ("OUTCOME", Align::Left),
        ("TPS", Align::Right),
        ("P95 MS", Align::Right),
        ("P99 MS", Align::Right),
        ("ERRORS", Align::Right),
    ];
    let has_tpmc = |trial: &store::RecordedTrial| {
        trial.result.as_ref().is_some_and(|result| result.stated.as_ref().is_some_and(|s| s.tpmc.is_some()))
    };
    if run.trials.iter().any(has_tpmc) {
        columns.push(("TPMC", Align::Right));
    }
    let rows: Vec<_> = run
        .plan
        .trials
        .iter()
        .map(|planned| row(planned, run.trial(planned.index).and_then(|trial| trial.result.as_ref())))
        .collect();
    table(&columns, &rows)
}

fn row(planned: &PlannedTrial, result: Option<&TrialResult>) -> Vec<String> {
    let cell = &planned.cell;
    let mut row = vec![
        (planned.index + 1).to_string(),
        cell.target.clone(),
        cell.workload.clone(),
        thousands(u64::from(cell.threads)),
        cell.repeat.to_string(),
    ];
    let Some(result) = result else {
        row.push("not run".to_owned());
        return row;
    };
    row.push(match &result.outcome {
        End::Completed => "completed".to_owned(),
        End::Failed(_) => "failed".to_owned(),
        End::Interrupted => "interrupted".to_owned(),
    });
    if let Some(stated) = &result.stated {
        // What the tool did not report stays unknown.
        let known = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let ms = |ns: Option<f64>| known(ns.map(|ns| format!("{:.2}", ns / 1e6)));
        row.push(known(stated.throughput_per_s.map(|per_s| format!("{per_s:.1}"))));
        row.extend([ms(stated.response.p95_ns), ms(stated.response.p99_ns)]);
        row.push(known(stated.errors.map(thousands)));
        row.extend(stated.tpmc.map(|tpmc| thousands(tpmc.round() as u64)));
        return row;
    }
    let transaction = result.measured.operations.iter().find(|one| one.kind == OperationKind::Transaction);
    if let Some(latency) = transaction.map(|one| one.response).filter(|_| result.measured.measured_s > 0.0) {
        let ms = |ns: u64| format!("{:.2}", ns as f64 / 1e6);
        row.push(format!("{:.1}", result.measured.transactions as f64 / result.measured.measured_s));
        row.extend([ms(latency.p95_ns), ms(latency.p99_ns)]);
        row.push(thousands(result.measured.errors.iter().map(|error| error.count).sum()));
    }
    row
}

/// Crashes, failovers and events that were planned.
fn on_purpose(load: &LoadShape) -> Vec<(&'static str, String)> {
    let crash = load.crash.map(|kind| ("crash", kind.name().to_owned()));
    let failover =
        load.failover.map(|one| ("failover", format!("{} at {} s of the window", one.loss.name(), one.at_s)));
    let events: Vec<String> = load.planned_events.iter().map(PlannedEvent::describe).collect();
    let events = (!events.is_empty()).then(|| ("events", events.join("; ")));
    crash.into_iter().chain(failover).chain(events).collect()
}
