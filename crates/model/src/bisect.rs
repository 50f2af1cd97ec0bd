//! A search for the differences between two targets that make one of them faster.

use serde::{Deserialize, Serialize};

use crate::place::Place;
use crate::target::{Member, Role, SandboxSpec, ServerKind, Target};

/// A search for the differences between two targets that make one of them faster: combinations of both are measured.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BisectSearch {
    /// Equivalence margin: ratios within this distance of 1 are equivalent.
    pub margin: f64,
    /// Trials of a combination at most, before a group of differences is decided by its estimate.
    pub trials_max: u32,
    /// Groups of differences without an effect are searched, too: two effects may cancel out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub both_ways: bool,
    /// Time budget, seconds, after which no new block begins; none: no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_s: Option<f64>,
    /// The targets are in order, as builds are: the first one is searched on which the metric has changed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_order: bool,
    /// By what targets in order are compared, such as `p99`; none: throughput.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// Differences between the targets, the largest expected effect first. Empty until the plan is made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<TargetDifference>,
    /// Combinations of both targets that were added, in the order in which they were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub combinations: Vec<TargetCombination>,
}

/// An exchangeable difference between two targets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetDifference {
    /// Name of the difference: a variable, `build`, `placement`.
    pub name: String,
    /// Its value in the first target; none: the server's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// Its value in the second target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
    /// Parts that are exchanged together: more than one where variables must agree.
    pub parts: Vec<DifferencePart>,
    /// Expected effect, relative to the other differences.
    pub weight: f64,
}

/// A part of a target that can be exchanged for that of another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DifferencePart {
    /// A line of my.cnf, on every server.
    Setting(String),
    /// The program.
    Build,
    /// CPUs, memory nodes and limits.
    Placement,
    /// Encryption of the clients' connections.
    Encryption,
    /// TCP or the Unix socket.
    Transport,
    /// The kind of topology with its number of servers, and the arrangement between them.
    Topology,
}

/// A combination of two targets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetCombination {
    /// Label of the target that it is.
    pub target: String,
    /// The differences that it takes from the second target, by their numbers from 0; the others are as in the first.
    pub taken: Vec<u32>,
}

/// The first target with some parts of the second. Both are sandboxes.
pub fn combined(label: &str, base: &Target, other: &Target, parts: &[&DifferencePart]) -> Target {
    let structure = if parts.contains(&&DifferencePart::Topology) { other } else { base };
    let members = structure.members.iter().map(|member| {
        let spec = sandbox(base, member.role).zip(sandbox(other, member.role));
        let kind = match spec {
            Some((own, others)) => ServerKind::Sandbox(exchanged(own, others, parts)),
            None => member.kind.clone(),
        };
        Member { role: member.role, kind }
    });
    Target {
        label: label.to_owned(),
        topology: structure.topology,
        arrangement: structure.arrangement,
        members: members.collect(),
    }
}

/// The sandbox specification of a target's servers with this role, or the primary's if it has no server of that role.
pub fn sandbox(target: &Target, role: Role) -> Option<&SandboxSpec> {
    let member = target.members.iter().find(|member| member.role == role).or(target.members.first())?;
    match &member.kind {
        ServerKind::Sandbox(spec) => Some(spec),
        ServerKind::External(_) | ServerKind::Imported { .. } => None,
    }
}

fn exchanged(own: &SandboxSpec, others: &SandboxSpec, parts: &[&DifferencePart]) -> SandboxSpec {
    let mut spec = own.clone();
    for part in parts {
        match part {
            DifferencePart::Setting(name) => match others.settings.get(name) {
                Some(value) => _ = spec.settings.insert(name.clone(), value.clone()),
                None => _ = spec.settings.remove(name),
            },
            DifferencePart::Build => spec.basedir.clone_from(&others.basedir),
            DifferencePart::Placement => spec.place = Place::clone(&others.place),
            DifferencePart::Encryption => spec.tls.clone_from(&others.tls),
            DifferencePart::Transport => spec.tcp = others.tcp,
            DifferencePart::Topology => {}
        }
    }
    spec
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Flavour, Topology};

    fn target(label: &str, settings: &[(&str, &str)]) -> Target {
        let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let spec = SandboxSpec::new(Flavour::Mysql, settings.collect());
        Target::single(label, ServerKind::Sandbox(spec))
    }

    #[test]
    fn a_combination_takes_what_it_is_told_and_nothing_else() {
        let a = target("a", &[("sync_binlog", "1"), ("max_connections", "200")]);
        let b = target("b", &[("sync_binlog", "0"), ("innodb_io_capacity", "500")]);
        let setting = |name: &str| DifferencePart::Setting(name.to_owned());
        let (sync, io, connections) =
            (setting("sync_binlog"), setting("innodb_io_capacity"), setting("max_connections"));
        assert_eq!(combined("a", &a, &b, &[]), a);
        assert_eq!(combined("b", &a, &b, &[&sync, &io, &connections]), b);
        let some = combined("a+1", &a, &b, &[&io, &connections]);
        assert_eq!(some, target("a+1", &[("sync_binlog", "1"), ("innodb_io_capacity", "500")]));
    }

    #[test]
    fn the_servers_of_a_topology_are_taken_with_it() {
        let (a, mut b) = (target("a", &[("sync_binlog", "1")]), target("b", &[("sync_binlog", "0")]));
        b.topology = Topology::Async;
        let replica = Member { role: Role::Replica, kind: b.members[0].kind.clone() };
        b.members.push(replica);
        let replicated = combined("a+1", &a, &b, &[&DifferencePart::Topology]);
        assert_eq!((replicated.topology, replicated.members.len()), (Topology::Async, 2));
        let of = |at: usize| match &replicated.members[at].kind {
            ServerKind::Sandbox(spec) => spec.settings["sync_binlog"].clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!((of(0), of(1)), ("1".to_owned(), "1".to_owned()));
    }
}
