//! In what two targets differ that can be exchanged, and how much is expected of each difference.

use knowledge::together;
use knowledge::variables::{Touches, entries, same};
use model::{DifferencePart, Role, SandboxSpec, Target, TargetDifference, sandbox};

/// Expected of what is not a variable: a build, a placement, a topology.
const OF_A_WHOLE: f64 = 4.0;
/// Expected of a variable that touches what the load does, and of the first one on its page as much again.
const OF_A_RELEVANT: f64 = 2.0;
/// Expected of a variable that nothing is known of.
const OF_AN_UNKNOWN: f64 = 0.5;
/// Expected of a variable that is known not to touch what the load does.
const OF_AN_IRRELEVANT: f64 = 0.2;

/// Why two targets cannot be searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotExchangeable {
    /// One of them is not a sandbox.
    NotASandbox,
    /// They are of different flavours.
    Flavours,
    /// They do not differ in anything that can be exchanged.
    Alike,
}

/// In what `other` differs from `base`, that of which most is expected first.
///
/// # Errors
/// They cannot be exchanged part by part.
pub fn differences(
    base: &Target,
    other: &Target,
    writes: bool,
) -> Result<Vec<TargetDifference>, NotExchangeable> {
    let specs = |role| sandbox(base, role).zip(sandbox(other, role));
    let Some((own, others)) = specs(Role::Primary) else { return Err(NotExchangeable::NotASandbox) };
    if own.flavour != others.flavour {
        return Err(NotExchangeable::Flavours);
    }
    let roles: Vec<(&SandboxSpec, &SandboxSpec)> =
        [Role::Primary, Role::Replica].into_iter().filter_map(specs).collect();
    let mut found = wholes(base, other, own, others);
    found.extend(variables(&roles, writes));
    found.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    if found.is_empty() { Err(NotExchangeable::Alike) } else { Ok(found) }
}

/// What differs besides variables.
fn wholes(base: &Target, other: &Target, own: &SandboxSpec, others: &SandboxSpec) -> Vec<TargetDifference> {
    let whole = |name: &str, part, of: &dyn Fn(&Target, &SandboxSpec) -> Option<String>| TargetDifference {
        name: name.to_owned(),
        base: of(base, own),
        other: of(other, others),
        parts: vec![part],
        weight: OF_A_WHOLE,
    };
    let structure = |target: &Target| {
        (target.topology, target.arrangement, target.members.iter().map(|m| m.role).collect::<Vec<_>>())
    };
    let mut found = Vec::new();
    if structure(base) != structure(other) {
        let words = |target: &Target, _: &SandboxSpec| {
            Some(format!("{} ({})", target.topology.name(), target.members.len()))
        };
        found.push(whole("topology", DifferencePart::Topology, &words));
    }
    if own.basedir != others.basedir {
        let words =
            |_: &Target, spec: &SandboxSpec| spec.basedir.as_ref().map(|path| path.display().to_string());
        found.push(whole("build", DifferencePart::Build, &words));
    }
    if own.place != others.place {
        let words =
            |_: &Target, spec: &SandboxSpec| (!spec.place.is_default()).then(|| spec.place.to_string());
        found.push(whole("placement", DifferencePart::Placement, &words));
    }
    if own.tls != others.tls {
        let words = |_: &Target, spec: &SandboxSpec| Some(spec.tls.mode.name().to_owned());
        found.push(whole("encryption", DifferencePart::Encryption, &words));
    }
    if own.tcp != others.tcp {
        let words = |_: &Target, spec: &SandboxSpec| Some(if spec.tcp { "TCP" } else { "socket" }.to_owned());
        found.push(whole("transport", DifferencePart::Transport, &words));
    }
    found
}

/// Variables of which any server of a role has another value; those that must agree are one difference.
fn variables(roles: &[(&SandboxSpec, &SandboxSpec)], writes: bool) -> Vec<TargetDifference> {
    let mut names: Vec<&String> =
        roles.iter().flat_map(|(own, others)| own.settings.keys().chain(others.settings.keys())).collect();
    names.sort();
    names.dedup();
    names.retain(|name| {
        roles.iter().any(|(own, others)| own.settings.get(*name) != others.settings.get(*name))
    });
    let mut groups: Vec<Vec<&str>> = Vec::new();
    for name in names {
        let together = together::group_of(name);
        let own =
            groups.iter_mut().find(|group| together.is_some() && together::group_of(group[0]) == together);
        match own {
            Some(group) => group.push(name),
            None => groups.push(vec![name]),
        }
    }
    let one = |group: Vec<&str>| {
        let differing = |(own, others): &&(&SandboxSpec, &SandboxSpec)| {
            group.iter().any(|name| own.settings.get(*name) != others.settings.get(*name))
        };
        let pair = roles.iter().find(differing).or(roles.first());
        let values = |spec: &SandboxSpec| {
            let all: Vec<&str> =
                group.iter().filter_map(|name| spec.settings.get(*name).map(String::as_str)).collect();
            (!all.is_empty()).then(|| all.join(", "))
        };
        TargetDifference {
            name: group.join(", "),
            base: pair.and_then(|(own, _)| values(own)),
            other: pair.and_then(|(_, others)| values(others)),
            weight: group.iter().map(|name| expected(name, writes)).fold(0.0, f64::max),
            parts: group.iter().map(|name| DifferencePart::Setting((*name).to_owned())).collect(),
        }
    };
    groups.into_iter().map(one).collect()
}

/// What is expected of a variable, from what is known of it.
fn expected(name: &str, writes: bool) -> f64 {
    let plain = same::name(name);
    let mut group = None;
    let mut place = 0;
    for (of, entry) in entries() {
        place = if group == Some(of) { place + 1 } else { 0 };
        group = Some(of);
        if entry.name != plain {
            continue;
        }
        let relevant = match entry.touches {
            Touches::Writes => writes,
            Touches::Reads | Touches::Clients | Touches::All => true,
            Touches::Replicas | Touches::Restart | Touches::Nothing => false,
        };
        // A page begins with what decides most.
        return if relevant {
            OF_A_RELEVANT + OF_A_RELEVANT / f64::from(1 + place)
        } else {
            OF_AN_IRRELEVANT
        };
    }
    OF_AN_UNKNOWN
}
