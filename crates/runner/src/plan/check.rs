//! The checks of a specification before it is planned.

use std::collections::BTreeSet;

use analysis::condition::SloCondition;
use model::{
    EventAction, Flavour, Member, Reads, Restore, ServerKind, Spec, SpecTarget, Target, Topology, Via,
    WorkloadSpec,
};

use super::error::PlanError;

/// More trials than this are a typing mistake.
const TRIALS_MAX: usize = 100_000;

/// Checks that a Spec can be planned.
pub fn check(spec: &Spec) -> Result<(), PlanError> {
    let missing = [
        (spec.targets.is_empty(), "target"),
        (spec.workloads.is_empty(), "workload"),
        (spec.threads.iter().all(|&n| n == 0), "client"),
        (spec.repeats == 0, "repeat"),
    ];
    if let Some((_, what)) = missing.into_iter().find(|(absent, _)| *absent) {
        return Err(PlanError::Nothing { what });
    }
    let imported = spec
        .targets
        .iter()
        .filter(|one| matches!(one.target.entry(), ServerKind::Imported { .. }))
        .map(|one| one.target.label.as_str())
        .chain(spec.workloads.iter().filter(|workload| !workload.can_run()).map(|workload| workload.label()))
        .next();
    if let Some(label) = imported {
        return Err(PlanError::Imported { label: label.to_owned() });
    }
    if spec.load.time_s <= 0.0 && spec.load.events == 0 {
        return Err(PlanError::Endless);
    }
    let mut labels = BTreeSet::new();
    for target in &spec.targets {
        if !labels.insert(&target.target.label) {
            return Err(PlanError::SameLabel { label: target.target.label.clone() });
        }
    }
    check_workloads(spec)?;
    check_reads(spec)?;
    check_cuts(spec)?;
    check_crashes(spec)?;
    check_failovers(spec)?;
    check_events(spec)?;
    check_search(spec)?;
    check_bisect(spec)?;
    check_profiles(spec)?;
    if spec.design.until_sure.is_some() && spec.targets.len() < 2 {
        return Err(PlanError::NothingToTellApart);
    }
    let server = spec.targets.iter().find(|one| matches!(one.target.entry(), ServerKind::External(_)));
    if let (Restore::Reload, false, Some(one)) = (spec.design.restore, spec.prepare, server) {
        return Err(PlanError::ReloadUnasked { label: one.target.label.clone() });
    }
    let trials = spec.targets.len() * spec.workloads.len() * spec.threads.len() * spec.repeats as usize;
    if trials > TRIALS_MAX {
        return Err(PlanError::TooMany { trials, limit: TRIALS_MAX });
    }
    Ok(())
}

/// Refuses a search for a capacity that cannot be found.
fn check_search(spec: &Spec) -> Result<(), PlanError> {
    let Some(search) = &spec.design.capacity else { return Ok(()) };
    let others = [
        (spec.design.until_sure.is_some(), "a sequential test"),
        (spec.design.refine, "added client counts"),
        (spec.loads().iter().any(|load| load.is_eventful()), "events during the load"),
    ];
    if let Some((_, with)) = others.into_iter().find(|(is_set, _)| *is_set) {
        return Err(PlanError::SearchesAlone { with });
    }
    for text in &search.slo {
        let refuse = |why: String| PlanError::Condition { text: text.clone(), why };
        let condition = SloCondition::parse(text).map_err(refuse)?;
        let without =
            spec.targets.iter().find(|one| !one.target.is_sandbox() || one.target.members.len() < 2);
        match (condition.metric.id, without) {
            ("lag", _) if spec.observe.is_off() => {
                return Err(refuse("the lag is not observed while observation is off".to_owned()));
            }
            ("lag", Some(target)) => {
                let label = &target.target.label;
                return Err(refuse(format!(
                    "'{label}' has no replica whose lag mydyno can measure; sandboxes of a topology have: \
                     sandbox:mysql?topology=async"
                )));
            }
            ("tpmc", _)
                if !spec.workloads.iter().all(|workload| matches!(workload, WorkloadSpec::Tpcc(_))) =>
            {
                return Err(refuse("only TPC-C has a tpmC".to_owned()));
            }
            _ => {}
        }
    }
    Ok(())
}

/// A search for differences takes two targets, and asks one question of them.
fn check_bisect(spec: &Spec) -> Result<(), PlanError> {
    if spec.design.bisect.is_none() {
        return Ok(());
    }
    let refuse = |why| Err(PlanError::Bisect { why });
    let in_order = spec.design.bisect.as_ref().is_some_and(|search| search.in_order);
    let clients: BTreeSet<u32> = spec.threads.iter().copied().collect();
    match () {
        () if in_order && spec.targets.len() < 2 => refuse("a search among builds takes two or more"),
        () if in_order && !spec.targets.iter().all(|one| one.target.is_sandbox()) => {
            refuse("a search among builds takes sandboxes, which it starts and stops")
        }
        () if !in_order && spec.targets.len() != 2 => refuse("a search for differences takes two targets"),
        () if spec.workloads.len() != 1 => refuse("a search for differences takes one workload"),
        () if clients.len() != 1 => refuse("a search for differences takes one number of clients"),
        () if spec.design.until_sure.is_some() || spec.design.refine => refuse(
            "a search for differences chooses its trials itself: it takes no sequential test and adds no client counts",
        ),
        () if spec.load.is_eventful() => refuse("a search for differences takes a load without events"),
        () => Ok(()),
    }
}

/// A trial in which servers are sampled repeats a cell: one that a search chose, or that ends servers, is none to repeat.
fn check_profiles(spec: &Spec) -> Result<(), PlanError> {
    let refuse = |why| Err(PlanError::Profile { why });
    match () {
        () if !spec.design.perf => Ok(()),
        () if spec.design.is_search() => {
            refuse("a search chooses its trials itself: it adds none in which servers are sampled")
        }
        () if spec.loads().iter().any(|load| load.is_eventful() || load.crash.is_some()) => {
            refuse("servers are sampled in a load without events, crashes and failovers")
        }
        () => Ok(()),
    }
}

/// Reads on replicas of a workload without any would be a comparison of nothing.
fn check_reads(spec: &Spec) -> Result<(), PlanError> {
    let target = spec.targets.iter().find(|one| one.target.arrangement.reads_on_replicas);
    let workload = spec.workloads.iter().find(|workload| workload.reads() == Reads::None);
    match (target, workload) {
        (Some(one), Some(workload)) => Err(PlanError::NothingToRead {
            target: one.target.label.clone(),
            workload: workload.label().to_owned(),
        }),
        _ => Ok(()),
    }
}

/// A cut after the load's end would be one in name only.
fn check_cuts(spec: &Spec) -> Result<(), PlanError> {
    // Without a time, a number of transactions ends the load.
    let loads = spec.loads().into_iter().filter(|load| load.time_s > 0.0);
    let ends_s = loads.map(|load| load.warmup_s + load.time_s).fold(f64::INFINITY, f64::min);
    let late = spec.targets.iter().find_map(|one| {
        let from_s = one.target.arrangement.link_cut?.from_ms as f64 / 1e3;
        (from_s >= ends_s).then(|| PlanError::CutTooLate { target: one.target.label.clone(), from_s })
    });
    late.map_or(Ok(()), Err)
}

/// An external server is never made to crash, and of a topology the primary is where mydyno can start it again and ask its replicas.
fn check_crashes(spec: &Spec) -> Result<(), PlanError> {
    if !spec.loads().iter().any(|load| load.crash.is_some()) {
        return Ok(());
    }
    let refuse = |one: &Target, what| PlanError::CannotCrash { target: one.label.clone(), what };
    for SpecTarget { target, .. } in &spec.targets {
        match (target.is_sandbox(), target.topology, target.arrangement.has_network(), target.arrangement.via)
        {
            (false, ..) => return Err(refuse(target, "an external server")),
            (true, Topology::Single, false, Via::Direct) => {}
            (true, Topology::Single, ..) => {
                return Err(refuse(target, "behind a router or a simulated network"));
            }
            (true, Topology::Async | Topology::Semisync, false, Via::Direct)
                if target.members.iter().all(is_mysql) => {}
            (true, Topology::Async | Topology::Semisync, false, Via::Direct) => {
                return Err(refuse(target, "a topology of MariaDB"));
            }
            (true, Topology::Async | Topology::Semisync, ..) => {
                return Err(refuse(target, "behind a router or a simulated network"));
            }
            (true, ..) => return Err(refuse(target, "a group, a cluster or several servers of their own")),
        }
    }
    Ok(())
}

/// A failover needs sandboxes that can take over, and a load that sees it.
fn check_failovers(spec: &Spec) -> Result<(), PlanError> {
    for load in spec.loads() {
        let Some(failover) = load.failover else { continue };
        if load.time_s > 0.0 && failover.at_s >= load.time_s {
            return Err(PlanError::FailoverTooLate { at_s: failover.at_s, time_s: load.time_s });
        }
        for SpecTarget { target, .. } in &spec.targets {
            if let Some(what) = stands_against_failover(target) {
                return Err(PlanError::CannotFailOver { target: target.label.clone(), what });
            }
        }
    }
    Ok(())
}

fn is_mysql(member: &Member) -> bool {
    matches!(&member.kind, ServerKind::Sandbox(spec) if spec.flavour == Flavour::Mysql)
}

fn stands_against_failover(target: &Target) -> Option<&'static str> {
    let arrangement = target.arrangement;
    match target.topology {
        _ if !target.is_sandbox() => Some("an external server"),
        Topology::Single => Some("a single server"),
        Topology::Independent => Some("several servers of their own"),
        _ if arrangement.multi_primary => Some("a topology that takes writes on every member"),
        _ if arrangement.via == Via::Router => Some("behind a router, which fails over by itself"),
        _ if arrangement.reads_on_replicas => Some("read from on its replicas"),
        _ if arrangement.link_cut.is_some() => Some("cut off by link_cut as well"),
        _ => None,
    }
}

/// An event needs a server that is there and may be treated so, and a load that sees it.
fn check_events(spec: &Spec) -> Result<(), PlanError> {
    for load in spec.loads() {
        for event in &load.planned_events {
            let refuse = |why: String| PlanError::Event { event: event.describe(), why };
            if load.time_s > 0.0 && event.at_s >= load.time_s {
                return Err(refuse(format!("the measured window ends after {} s", load.time_s)));
            }
            if load.failover.is_some() || load.crash.is_some() {
                return Err(refuse(
                    "a crash or a failover is asked for as well; run them one after the other".to_owned(),
                ));
            }
            for SpecTarget { target, .. } in &spec.targets {
                if let Some(what) = stands_against_event(target, &event.action) {
                    return Err(refuse(format!("'{}' {what}", target.label)));
                }
            }
        }
    }
    Ok(())
}

fn stands_against_event(target: &Target, action: &EventAction) -> Option<String> {
    let servers = target.members.len() as u32;
    let (server, from) = action.servers();
    let highest = server.max(from.unwrap_or_default());
    match action {
        _ if highest > servers => Some(match servers {
            1 => "has one server".to_owned(),
            _ => format!("has {servers} servers"),
        }),
        EventAction::Set { .. } | EventAction::Sql { .. } => None,
        _ if !target.is_sandbox() => {
            Some("is an external server, for which only set and sql are allowed".to_owned())
        }
        EventAction::Cut { .. } if servers < 2 || target.topology == Topology::Independent => {
            Some("has no connection between servers that could be cut".to_owned())
        }
        _ => None,
    }
}

fn check_workloads(spec: &Spec) -> Result<(), PlanError> {
    let workloads = &spec.workloads;
    let all_sandboxes = spec.targets.iter().all(|one| one.target.is_sandbox());
    for (index, workload) in workloads.iter().enumerate() {
        for earlier in &workloads[..index] {
            if earlier.label() == workload.label() {
                return Err(PlanError::SameWorkload { label: workload.label().to_owned() });
            }
            // A sandbox is started on a copy of the data that a trial needs.
            if !all_sandboxes && earlier.data_set(1) != workload.data_set(1) {
                return Err(PlanError::DifferentTables {
                    first: earlier.name().to_owned(),
                    second: workload.name().to_owned(),
                });
            }
        }
    }
    Ok(())
}
