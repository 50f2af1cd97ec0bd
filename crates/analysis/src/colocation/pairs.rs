//! The targets of a plan that are instances alone, instances side by side, and controls of both.

use std::collections::BTreeSet;

use model::{Plan, SandboxSpec, ServerKind, Target, Topology};

use super::found::SuspectedCause;

/// One instance alone, and several of them side by side.
#[derive(Debug, Clone, Copy)]
pub(super) struct InstancePair<'a> {
    /// Label of the target of one.
    pub alone: &'a str,
    /// Label of the target of several.
    pub together: &'a str,
    /// Number of instances side by side.
    pub instances: u32,
}

/// The instance pairs of a plan.
pub(super) struct Arms<'a> {
    /// The first pair: what S is about.
    pub pair: InstancePair<'a>,
    /// Instances side by side with smaller buffer pools.
    pub less_memory: Option<&'a str>,
    /// Pairs that differ from the first one in one respect.
    pub controls: Vec<(SuspectedCause, InstancePair<'a>)>,
}

impl<'a> Arms<'a> {
    /// Finds the pairs of a plan; none if no target is one of the servers that another target has side by side.
    pub fn of(plan: &'a Plan) -> Option<Self> {
        let targets = || plan.spec.targets.iter().map(|one| &one.target);
        let alone = |wanted: &SandboxSpec| {
            targets().find(|one| one.topology == Topology::Single && each(one) == Some(wanted))
        };
        let together = || targets().filter(|one| one.topology == Topology::Independent);
        let pairs: Vec<(InstancePair<'_>, &SandboxSpec)> = together()
            .filter_map(|target| {
                let spec = each(target)?;
                let (alone, together) = (alone(spec)?.label.as_str(), target.label.as_str());
                Some((InstancePair { alone, together, instances: target.members.len() as u32 }, spec))
            })
            .collect();
        let ((pair, spec), further) = pairs.split_first()?;
        let is_smaller = |one: &&Target| {
            one.members.len() as u32 == pair.instances
                && each(one).is_some_and(|other| cause(spec, other) == Some(SuspectedCause::Memory))
        };
        let controls = further.iter().filter(|(other, _)| other.instances == pair.instances);
        let controls = controls.filter_map(|(other, own)| Some((cause(spec, own)?, *other)));
        Some(Self {
            pair: *pair,
            less_memory: together().find(is_smaller).map(|one| one.label.as_str()),
            controls: controls.filter(|(cause, _)| *cause != SuspectedCause::Memory).collect(),
        })
    }

    /// The pair without that cause.
    pub fn control(&self, cause: SuspectedCause) -> Option<&InstancePair<'a>> {
        self.controls.iter().find(|(own, _)| *own == cause).map(|(_, pair)| pair)
    }
}

/// The common specification of a target's servers; none if they differ, or are not sandboxes.
fn each(target: &Target) -> Option<&SandboxSpec> {
    let mut all = target.members.iter().map(|member| match &member.kind {
        ServerKind::Sandbox(sandbox) => Some(sandbox),
        ServerKind::External(_) | ServerKind::Imported { .. } => None,
    });
    let first = all.next()??;
    all.all(|other| other == Some(first)).then_some(first)
}

/// The cause that a comparison of servers that differ in nothing else can test.
fn cause(base: &SandboxSpec, other: &SandboxSpec) -> Option<SuspectedCause> {
    let placed = SandboxSpec { place: other.place.clone(), ..base.clone() };
    let set = SandboxSpec { settings: other.settings.clone(), ..base.clone() };
    if base == other {
        return None;
    }
    if placed == *other {
        return Some(SuspectedCause::Cpus);
    }
    let names: BTreeSet<&str> =
        base.settings.keys().chain(other.settings.keys()).map(String::as_str).collect();
    let differ: Vec<&str> =
        names.into_iter().filter(|name| base.settings.get(*name) != other.settings.get(*name)).collect();
    let among = |known: &[&str]| set == *other && differ.iter().all(|name| known.contains(name));
    if among(&["innodb_buffer_pool_size"]) {
        Some(SuspectedCause::Memory)
    } else if among(&["transaction_isolation", "tx_isolation"]) {
        Some(SuspectedCause::ReadViews)
    } else if among(&["innodb_flush_log_at_trx_commit", "sync_binlog"]) {
        Some(SuspectedCause::Commit)
    } else {
        None
    }
}
