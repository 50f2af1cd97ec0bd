//! Threats to the validity of a cell's figures: one list of rules.
//!
//! A caveat is shown beside the figure it concerns. `Note` informs, `Warn` makes the cell valid with caveats, `Invalid`
//! means that the figure does not describe the server.

mod generator;
mod imported;
pub(crate) mod interruptions;
pub(crate) mod kind;
mod limits;
pub mod listed;
mod rule;
mod runs;
mod server;
mod surroundings;
mod topology;
mod tpcc;
mod window;

pub(crate) use generator::WORKER_BUSY_MAX;
pub use kind::{
    Caveat, DAMAGED_FILE, Evidence, GENERATOR_BOTTLENECK, IMPORTED, INCONSISTENT, InTrials, RUNS_MIN,
    SET_ASIDE, Severity, WorstTrial,
};
pub(crate) use kind::{DRIFT, is_worse};
pub(crate) use limits::IDLE_MIN;
pub(crate) use rule::Context;
use rule::{Find, Rule, Scope};

const fn trial(id: &'static str, find: Find) -> Rule {
    Rule { id, scope: Scope::Trial, find }
}

const fn cell(id: &'static str, find: Find) -> Rule {
    Rule { id, scope: Scope::Cell, find }
}

/// Every rule.
///
/// That the generator was the bottleneck concerns the cell: the fastest trials reach its ceiling first, and setting those
/// aside would leave a mean of the slower ones. A database that came out of any trial damaged concerns the cell too.
const RULES: &[Rule] = &[
    trial("windows_differ", interruptions::windows_differ),
    trial("generator_paused", interruptions::generator_paused),
    trial("no_transactions", window::no_transactions),
    trial("event_failed", runs::event_failed),
    cell(IMPORTED, imported::imported),
    cell(INCONSISTENT, tpcc::inconsistent),
    cell("servers_differ", topology::servers_differ),
    trial("topology_degraded", topology::topology_degraded),
    trial("replicas_behind", topology::replicas_behind),
    trial("flow_control", topology::flow_control),
    trial("network_late", topology::network_late),
    trial("equality_unknown", topology::equality_unknown),
    cell("check_missing", tpcc::check_missing),
    cell("tpcc_limits", tpcc::tpcc_limits),
    cell("tpcc_mix", tpcc::tpcc_mix),
    cell(GENERATOR_BOTTLENECK, generator::generator_bottleneck),
    cell("overload", generator::overload),
    trial("late_timers", generator::late_timers),
    trial("littles_law", generator::littles_law),
    trial("cpu_contention", generator::cpu_contention),
    trial("other_clients", server::other_clients),
    trial("variables_changed", server::variables_changed),
    trial("other_processes", surroundings::other_processes),
    trial("steal", surroundings::steal),
    trial("swap", surroundings::swap),
    trial("clock_steps", surroundings::clock_steps),
    trial("saturated_thread", limits::saturated_thread),
    trial("saturated_router", limits::saturated_router),
    cell("connections_lost", runs::connections_lost),
    cell("saturated_histogram", generator::saturated_histogram),
    cell(SET_ASIDE, runs::set_aside),
    cell("interrupted", runs::interrupted),
    cell("some_runs_failed", runs::some_runs_failed),
    cell("errors", runs::errors),
    trial("warmup_not_over", window::warmup_not_over),
    trial("change_point", window::change_point),
    trial("stall", interruptions::stall),
    trial("trend", window::trend),
    trial(DAMAGED_FILE, runs::damaged_file),
    cell("short_window", window::short_window),
    cell("few_transactions", window::few_transactions),
    cell("few_runs", runs::few_runs),
    cell(DRIFT, runs::drift),
    cell("data_not_restored", runs::data_not_restored),
    cell("histograms_lost", runs::histograms_lost),
];

/// The caveats of one completed trial by itself. The context's cell holds this trial alone.
pub(crate) fn of_trial(context: &Context<'_>) -> Vec<Caveat> {
    found(context, Scope::Trial)
}

/// The caveat that makes a completed trial invalid, by all rules; rules about cells are applied to the trial alone. The
/// context's cell holds this trial alone.
pub(crate) fn invalid(context: &Context<'_>) -> Option<Caveat> {
    let all = found(context, Scope::Trial).into_iter().chain(found(context, Scope::Cell));
    all.into_iter().find(|caveat| caveat.severity == Severity::Invalid)
}

/// Every caveat of a cell, worst first: those of the cell, and those of its trials. A cell without a completed trial has
/// none: it has failures.
pub(crate) fn of_cell(context: &Context<'_>, trials: &[(u32, &[Caveat])]) -> Vec<Caveat> {
    if context.completed.is_empty() {
        return Vec::new();
    }
    let mut caveats = merged(trials);
    caveats.extend(found(context, Scope::Cell));
    let place = |id: &str| RULES.iter().position(|rule| rule.id == id);
    caveats.sort_by_key(|c| (std::cmp::Reverse(c.severity), place(&c.id)));
    caveats
}

fn found(context: &Context<'_>, scope: Scope) -> Vec<Caveat> {
    let load = context.load();
    let (has_failover, is_eventful, ends_a_server) =
        (load.failover.is_some(), load.is_eventful(), load.ends_a_server());
    let caveat = |rule: &Rule| {
        let found = (rule.find)(context)?;
        let evidence =
            found.evidence.into_iter().map(|(name, value)| Evidence { name: name.to_owned(), value });
        let (id, evidence) = (rule.id.to_owned(), evidence.collect());
        let is_asked = is_eventful && TOLD_OF_EVENTS.contains(&rule.id);
        let severity = if is_asked { Severity::Note } else { found.severity };
        Some(Caveat { id, severity, text: found.text, evidence, trials: None, worst: None })
    };
    let is_asked = |rule: &&Rule| {
        rule.scope == scope
            && !(context.plan.spec.design.capacity.is_some() && OF_A_SEARCH.contains(&rule.id))
            && !(is_eventful && OF_EVENTS.contains(&rule.id))
            && !(has_failover && rule.id == "other_clients")
            // What the server used before its end is taken for that of others.
            && !(ends_a_server && rule.id == "other_processes")
    };
    RULES.iter().filter(is_asked).filter_map(caveat).collect()
}

/// A search for a rate tries many of them once, and some that are too much: that is its result, not a fault of it.
const OF_A_SEARCH: [&str; 3] = ["overload", "few_runs", "replicas_behind"];

/// Effects of events and failovers are results, not faults: throughput changes, and so do variables and roles of servers.
/// In a failover, clients of the journal run beside the load.
const OF_EVENTS: [&str; 5] = ["variables_changed", "warmup_not_over", "change_point", "trend", "littles_law"];
/// Caveats that become notes when events are planned.
const TOLD_OF_EVENTS: [&str; 3] = ["connections_lost", "errors", "stall"];

/// One caveat per rule: the sentence of the worst trial, and the number of trials that have it. Trials come with their repeat.
fn merged(trials: &[(u32, &[Caveat])]) -> Vec<Caveat> {
    let of = trials.len() as u32;
    let mut found: Vec<Vec<(u32, &Caveat)>> = Vec::new();
    for (repeat, caveat) in trials.iter().flat_map(|(repeat, own)| own.iter().map(move |c| (*repeat, c))) {
        match found.iter_mut().find(|own| own[0].1.id == caveat.id) {
            Some(own) => own.push((repeat, caveat)),
            None => found.push(vec![(repeat, caveat)]),
        }
    }
    let one = |own: Vec<(u32, &Caveat)>| {
        let first = own[0];
        let worst = own.iter().fold(first, |worst, one| if is_worse(one.1, worst.1) { *one } else { worst });
        let alike = own.iter().all(|(_, caveat)| caveat.text == first.1.text);
        let (repeat, having) = ((!alike || own.len() == 1).then_some(worst.0), own.len() as u32);
        let (trials, text) = (InTrials { having, of }, worst.1.text.clone());
        let worst_trial = (of > 1).then(|| WorstTrial { text: text.clone(), repeat });
        Caveat {
            text: worst_trial.as_ref().map_or(text, |worst| kind::in_trials(worst, trials, None)),
            trials: Some(trials),
            worst: worst_trial,
            ..worst.1.clone()
        }
    };
    found.into_iter().map(one).collect()
}
