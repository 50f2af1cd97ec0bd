//! Other changes from one recording to the next: a change point says when, these may say why.

use knowledge::variables::Group;
use messages::message;
use model::{HostFacts, ServerFacts, Variables};
use serde::{Deserialize, Serialize};

use crate::Words;
use crate::differences::side_by_side;

/// The circumstances of a recording: machine, versions and servers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Circumstances {
    /// The machine of the generator; of sandboxes the server's too.
    pub host: HostFacts,
    /// Its targets.
    pub targets: Vec<Seen>,
}

/// Known facts about a target's server.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Seen {
    /// Label of the target.
    pub label: String,
    /// Its address, or its build.
    pub origin: String,
    /// CPUs and memory that it is bound to, if it is.
    pub place: String,
    /// The facts it reported.
    pub server: Option<ServerFacts>,
    /// Its variables.
    pub variables: Option<Variables>,
}

/// Something that is not as it was in the recording before.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CircumstanceChange {
    /// Which kind: `kernel`, `server_version`, `variable`, ...; stable, for files and filters.
    pub id: String,
    /// Label of the target it concerns; none: the machine or mydyno.
    pub target: Option<String>,
    /// What changed, in words.
    pub name: Words,
    /// What it was.
    pub from: String,
    /// What it is.
    pub to: String,
}

impl CircumstanceChange {
    /// `mysql: version 9.7.3 -> 9.7.4`.
    pub fn says(&self) -> Words {
        let Self { target, name, from, to, .. } = self;
        message!(
            "circumstance-changed",
            target = Text?(target.as_ref()),
            name = Message(name.clone()),
            from = Text(from),
            to = Text(to),
        )
    }
}

/// All changes, those of the servers first: their version, then variables by importance, then the machine.
pub fn changes(before: &Circumstances, after: &Circumstances) -> Vec<CircumstanceChange> {
    let mut found = Vec::new();
    for now in &after.targets {
        if let Some(then) = before.targets.iter().find(|then| then.label == now.label) {
            of_target(then, now, &mut found);
        }
    }
    of_host(&before.host, &after.host, &mut found);
    found
}

/// Adds a change whose name is in the catalogues.
fn push(found: &mut Vec<CircumstanceChange>, id: &str, target: Option<&str>, values: [String; 2]) {
    push_named(found, id, target, || message!("circumstance", what = Word(id)), values);
}

fn push_named(
    found: &mut Vec<CircumstanceChange>,
    id: &str,
    target: Option<&str>,
    name: impl Fn() -> Words,
    [from, to]: [String; 2],
) {
    if from != to {
        let (id, target) = (id.to_owned(), target.map(str::to_owned));
        let said = |value: String| if value.is_empty() { "-".to_owned() } else { value };
        found.push(CircumstanceChange { id, target, name: name(), from: said(from), to: said(to) });
    }
}

fn of_target(then: &Seen, now: &Seen, found: &mut Vec<CircumstanceChange>) {
    let label = Some(now.label.as_str());
    if let (Some(a), Some(b)) = (&then.server, &now.server) {
        push(found, "server_version", label, [&a.version, &b.version].map(Clone::clone));
        let comments = [&a.version_comment, &b.version_comment].map(Clone::clone);
        push(found, "server_build", label, comments);
    }
    push(found, "origin", label, [&then.origin, &now.origin].map(Clone::clone));
    push(found, "place", label, [&then.place, &now.place].map(Clone::clone));
    let (Some(a), Some(b)) = (&then.variables, &now.variables) else { return };
    if a == b {
        return;
    }
    for setting in side_by_side(&[Some(a), Some(b)]) {
        // The version stands above already, and says the same.
        if !setting.differs || setting.decides_little() || setting.group == Group::Version {
            continue;
        }
        let value = |at: usize| setting.values[at].as_ref().map_or_else(String::new, |v| v.shown.clone());
        let name = || setting.name.as_str().into();
        push_named(found, "variable", label, name, [value(0), value(1)]);
    }
}

fn of_host(a: &HostFacts, b: &HostFacts, found: &mut Vec<CircumstanceChange>) {
    let mut both = |id: &str, of: &dyn Fn(&HostFacts) -> String| {
        push(found, id, None, [of(a), of(b)]);
    };
    both("mydyno_version", &|h| h.mydyno_version.clone());
    both("hostname", &|h| h.hostname.clone());
    both("os", &|h| h.os.clone());
    both("kernel", &|h| h.kernel.clone());
    both("cpu_model", &|h| h.cpu_model.clone());
    both("cpus", &|h| h.cpus.to_string());
    both("cgroup_cpus", &|h| h.cgroup_cpus.map_or_else(String::new, messages::number::figure));
    both("memory", &|h| messages::number::bytes(h.memory_bytes));
    both("governor", &|h| h.governor.clone().unwrap_or_default());
    // A calibration is kept until it is made anew; the moment tells them apart, the ceiling is what it is about.
    both("calibration", &|h| {
        h.calibration.as_ref().map_or_else(String::new, |c| {
            format!(
                "{} ({})",
                messages::number::thousands(c.ceiling_per_cpu() as u64),
                c.at.get(..10).unwrap_or(&c.at)
            )
        })
    });
}
