//! Differences between targets that make them do unequal work: reported before the load begins, and beside every comparison.

use std::collections::BTreeSet;

use knowledge::doctor::durability::Class;
use messages::message;
use model::{Address, Plan, ServerFacts, ServerKind, Target};
use serde::{Deserialize, Serialize};

use crate::Words;
use crate::caveat::Severity;
use crate::unequal::{self, ComparedServer, Work};
use messages::number::bytes;

/// A difference between targets that a comparison has to own up to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparabilityWarning {
    /// Id of the kind of difference: stable, for files and filters.
    pub id: String,
    /// `Warn` where it changes the work that is measured, `Note` where it does not.
    pub severity: Severity,
    /// The difference alone.
    pub fact: Words,
    /// The sentence, with what to do about it.
    pub text: Words,
}

/// A target of the plan with the facts reported by its server.
type Known<'a> = (&'a Target, &'a ServerFacts);

/// Finds one difference, or nothing.
type Rule = fn(&[Known<'_>]) -> Option<Found>;

/// A difference, and what would make the targets equal.
struct Found {
    fact: Words,
    /// The fact with what to do about it, where something can be done.
    with_remedy: Option<Words>,
    /// The variable that differs, if it is one.
    of: Option<&'static str>,
}

impl Found {
    fn new(fact: Words) -> Self {
        Self { fact, with_remedy: None, of: None }
    }
}

/// Every difference between the servers that answered, the most important first. `servers` are labels with facts; with
/// fewer than two, the result is empty.
pub fn cautions(plan: &Plan, servers: &[(&str, &ServerFacts)]) -> Vec<ComparabilityWarning> {
    let known: Vec<Known<'_>> = servers
        .iter()
        .filter_map(|(label, facts)| {
            Some((&plan.spec.targets.iter().find(|t| t.target.label == *label)?.target, *facts))
        })
        .collect();
    if known.len() < 2 {
        return Vec::new();
    }
    let rules: [(&str, Severity, Rule); 5] = [
        ("tls", Severity::Warn, tls),
        ("transport", Severity::Warn, transport),
        ("buffer_pool", Severity::Warn, buffer_pool),
        ("placement", Severity::Warn, placement),
        ("place", Severity::Note, place),
    ];
    let purpose = unequal::on_purpose(&plan.spec.targets);
    let are_arms = plan.spec.about.as_ref().is_some_and(|about| about.arms);
    let caution = |(id, severity, found): (&str, Severity, Found)| {
        let Found { fact, with_remedy, of } = found;
        // What was set in order to differ is stated; nobody is told to undo it.
        let is_asked = are_arms || of.is_some_and(|variable| purpose.contains(variable));
        // What an experiment asks about is to differ, and that it does is worth knowing all the same.
        let severity = if are_arms { Severity::Note } else { severity };
        ComparabilityWarning {
            id: id.to_owned(),
            severity,
            text: with_remedy.filter(|_| !is_asked).unwrap_or_else(|| fact.clone()),
            fact,
        }
    };
    let others = rules.into_iter().filter_map(|(id, severity, rule)| Some((id, severity, rule(&known)?)));
    commits(plan, &known, &purpose).into_iter().chain(others).map(caution).collect()
}

fn server<'a>((target, facts): &Known<'a>, class: &'a Class) -> ComparedServer<'a> {
    ComparedServer {
        label: &target.label,
        target: &target.label,
        is_sandbox: target.is_sandbox(),
        class,
        binlog: facts.binlog,
    }
}

/// Differences that make a commit do unequal work, in the words of `diff`.
fn commits(
    plan: &Plan,
    known: &[Known<'_>],
    on_purpose: &BTreeSet<String>,
) -> Vec<(&'static str, Severity, Found)> {
    let class =
        |facts: &ServerFacts| Class { class: facts.durability, because: facts.durability_because.clone() };
    let classes: Vec<Class> = known.iter().map(|(_, facts)| class(facts)).collect();
    let servers: Vec<ComparedServer<'_>> =
        known.iter().zip(&classes).map(|(known, class)| server(known, class)).collect();
    // What a commit costs does not matter to those who never commit a change.
    let (work, severity) = match plan.spec.workloads.iter().any(|workload| workload.writes()) {
        true => (Work::Writes, Severity::Warn),
        false => (Work::Reads, Severity::Note),
    };
    let found = |warning: unequal::Warning| {
        let unequal::Warning { clause, remedies, .. } = warning;
        let with_remedy = (!remedies.is_empty()).then(|| {
            message!("make-equal", fact = Message(clause.clone()), what = Word("it"), steps = Steps(remedies))
        });
        let found = Found { with_remedy, ..Found::new(clause) };
        (warning.id, severity, found)
    };
    unequal::warnings(&servers, work, on_purpose).into_iter().map(found).collect()
}

/// Splits the servers into those for which `is` holds and the others; none if they are all alike.
fn divided<'a>(known: &[Known<'a>], is: impl Fn(&Known<'a>) -> bool) -> Option<[Vec<Known<'a>>; 2]> {
    let (yes, no): (Vec<_>, Vec<_>) = known.iter().copied().partition(is);
    (!yes.is_empty() && !no.is_empty()).then_some([yes, no])
}

fn labels(known: &[Known<'_>]) -> Vec<String> {
    known.iter().map(|(target, _)| target.label.clone()).collect()
}

/// Steps that give all of them a setting.
fn set_all(known: &[Known<'_>], setting: &str) -> Vec<Words> {
    let is_ours = |target: &Target| target.is_sandbox();
    known.iter().map(|(target, _)| unequal::set(&target.label, is_ours(target), &[setting])).collect()
}

fn tls(known: &[Known<'_>]) -> Option<Found> {
    let [on, off] = divided(known, |(_, facts)| facts.tls_cipher.is_some())?;
    let (on, off) = (labels(&on), labels(&off));
    let fact = message!("tls-differs", on = List(on.clone()), off = List(off.clone()));
    let with_remedy = Some(message!("tls-differs-use-one", on = List(on), off = List(off)));
    Some(Found { with_remedy, ..Found::new(fact) })
}

fn transport(known: &[Known<'_>]) -> Option<Found> {
    let over_socket = |(target, _): &Known<'_>| match target.entry() {
        ServerKind::External(endpoint) => matches!(endpoint.address, Address::Socket(_)),
        ServerKind::Sandbox(sandbox) => !sandbox.tcp,
        ServerKind::Imported { .. } => false,
    };
    let [socket, tcp] = divided(known, over_socket)?;
    Some(Found::new(message!("transport-differs", socket = List(labels(&socket)), tcp = List(labels(&tcp)))))
}

fn buffer_pool(known: &[Known<'_>]) -> Option<Found> {
    /// Tolerance for servers that round a value up to whole chunks.
    const ALIKE: f64 = 0.02;
    let sizes = || known.iter().map(|(_, facts)| facts.buffer_pool_bytes);
    let (least, most) = (sizes().min()?, sizes().max()?);
    if most as f64 <= least as f64 * (1.0 + ALIKE) {
        return None;
    }
    let each = known.iter().map(|(t, f)| format!("{} {}", t.label, bytes(f.buffer_pool_bytes)).into());
    let each: Vec<Words> = each.collect();
    let smaller: Vec<Known<'_>> = known.iter().filter(|(_, f)| f.buffer_pool_bytes < most).copied().collect();
    let steps = set_all(&smaller, &format!("innodb_buffer_pool_size={most}"));
    let fact = message!("buffer-pools-differ", each = Parts(each));
    let with_remedy =
        message!("make-equal", fact = Message(fact.clone()), what = Word("them"), steps = Steps(steps));
    Some(Found { fact, with_remedy: Some(with_remedy), of: Some("innodb_buffer_pool_size") })
}

/// Sandboxes that were given other CPUs, nodes or limits.
fn placement(known: &[Known<'_>]) -> Option<Found> {
    let ours = known.iter().filter_map(|(target, _)| match target.entry() {
        ServerKind::Sandbox(sandbox) => Some((target.label.as_str(), &sandbox.place)),
        ServerKind::External(_) | ServerKind::Imported { .. } => None,
    });
    let ours: Vec<_> = ours.collect();
    let (_, first) = ours.first()?;
    if ours.iter().all(|(_, place)| place == first) {
        return None;
    }
    let each = ours.iter().map(|(label, place)| match place.is_default() {
        true => message!("uses-whole-machine", target = Text(*label)),
        false => format!("{label} {place}").into(),
    });
    let each: Vec<Words> = each.collect();
    let with_remedy = Some(message!("placement-differs-make-equal", each = Parts(each.clone())));
    Some(Found { with_remedy, ..Found::new(message!("placement-differs", each = Parts(each))) })
}

fn place(known: &[Known<'_>]) -> Option<Found> {
    let [here, elsewhere] = divided(known, |(target, _)| target.is_sandbox())?;
    let (here, elsewhere) = (labels(&here), labels(&elsewhere));
    Some(Found::new(message!("machines-differ", here = List(here), elsewhere = List(elsewhere))))
}
