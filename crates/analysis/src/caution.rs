//! What makes targets do unequal work: said before the first second of load, and beside every comparison.

use std::collections::BTreeSet;

use knowledge::doctor::durability::Class;
use model::{Address, Plan, ServerFacts, Target, TargetKind};
use serde::{Deserialize, Serialize};

use crate::Words;
use crate::caveat::Severity;
use crate::text::{bytes, list};
use crate::unequal::{self, ComparedServer, Work};

/// A difference between targets that a comparison has to own up to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparabilityWarning {
    /// Which difference: stable, for files and filters.
    pub id: String,
    /// `Warn` where it changes the work that is measured, `Note` where it does not.
    pub severity: Severity,
    /// The sentence, with what to do about it.
    pub text: Words,
}

/// A target of the plan with what its server said of itself.
type Known<'a> = (&'a Target, &'a ServerFacts);

/// Finds one difference, or nothing.
type Rule = fn(&[Known<'_>]) -> Option<Found>;

/// A difference, and what would make the targets equal.
struct Found {
    fact: Words,
    remedy: Words,
    /// The variable that differs, if it is one.
    of: Option<&'static str>,
}

impl Found {
    fn new(en: String, zh: String) -> Self {
        Self { fact: Words::new(en, zh), remedy: Words::new("", ""), of: None }
    }

    fn with(self, en: String, zh: String) -> Self {
        Self { remedy: Words::new(en, zh), ..self }
    }
}

/// Every way in which the servers that answered differ, the weightiest first. `servers` are labels with facts; nothing
/// is said about fewer than two.
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
        let Found { fact, remedy, of } = found;
        let whole = Words::new(format!("{}{}", fact.en, remedy.en), format!("{}{}", fact.zh, remedy.zh));
        // What was set in order to differ is stated; nobody is told to undo it.
        let is_asked = are_arms || of.is_some_and(|variable| purpose.contains(variable));
        // What an experiment asks about is to differ, and that it does is worth knowing all the same.
        let severity = if are_arms { Severity::Note } else { severity };
        ComparabilityWarning { id: id.to_owned(), severity, text: if is_asked { fact } else { whole } }
    };
    let others = rules.into_iter().filter_map(|(id, severity, rule)| Some((id, severity, rule(&known)?)));
    commits(plan, &known, &purpose).into_iter().chain(others).map(caution).collect()
}

fn server<'a>((target, facts): &Known<'a>, class: &'a Class) -> ComparedServer<'a> {
    ComparedServer {
        label: &target.label,
        target: &target.label,
        is_sandbox: matches!(target.kind, TargetKind::Sandbox(_)),
        class,
        binlog: facts.binlog,
    }
}

/// What makes a commit do unequal work, in the words of `diff`.
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
        let text = &warning.text;
        let found =
            Found::new(text.en.trim_end_matches('.').to_owned(), text.zh.trim_end_matches('。').to_owned());
        let steps = unequal::steps(warning.remedies);
        let found = match steps.en.is_empty() {
            true => found,
            false => {
                found.with(format!(". Make it equal: {}", steps.en), format!("。使其相等：{}", steps.zh))
            }
        };
        (warning.id, severity, found)
    };
    unequal::warnings(&servers, work, on_purpose).into_iter().map(found).collect()
}

/// Those for which `is` holds and the others; none if all are alike.
fn divided<'a>(known: &[Known<'a>], is: impl Fn(&Known<'a>) -> bool) -> Option<[Vec<Known<'a>>; 2]> {
    let (yes, no): (Vec<_>, Vec<_>) = known.iter().copied().partition(is);
    (!yes.is_empty() && !no.is_empty()).then_some([yes, no])
}

fn labels(known: &[Known<'_>]) -> Words {
    list(&known.iter().map(|(t, _)| t.label.clone()).collect::<Vec<_>>())
}

/// How to change settings: at once for servers that are ours, in a file for the others.
fn set(changes: &[(&Target, Vec<&str>)]) -> Words {
    let one = |(target, settings): &(&Target, Vec<&str>)| match target.kind {
        TargetKind::Sandbox(_) => unequal::set(&target.label, settings),
        _ => {
            let (label, settings) = (&target.label, settings.join(" "));
            Words::new(
                format!("{settings} in the my.cnf of {label}"),
                format!("在 {label} 的 my.cnf 中设置 {settings}"),
            )
        }
    };
    unequal::steps(changes.iter().map(one).collect())
}

/// As [`set`], the same for all of them.
fn set_all(known: &[Known<'_>], setting: &str) -> Words {
    set(&known.iter().map(|(t, _)| (*t, vec![setting])).collect::<Vec<_>>())
}

fn tls(known: &[Known<'_>]) -> Option<Found> {
    let [on, off] = divided(known, |(_, facts)| facts.tls_cipher.is_some())?;
    let (on, off) = (labels(&on), labels(&off));
    let found = Found::new(
        format!("connections to {} are encrypted, those to {} are not", on.en, off.en),
        format!("到 {} 的连接已加密，到 {} 的未加密", on.zh, off.zh),
    );
    Some(found.with(
        ": use TLS for all of them, or for none".to_owned(),
        "：请对所有目标统一使用或不使用 TLS".to_owned(),
    ))
}

fn transport(known: &[Known<'_>]) -> Option<Found> {
    let over_socket = |(target, _): &Known<'_>| match &target.kind {
        TargetKind::Server(endpoint) => matches!(endpoint.address, Address::Socket(_)),
        TargetKind::Sandbox(sandbox) => !sandbox.tcp,
        TargetKind::Imported { .. } => false,
    };
    let [socket, tcp] = divided(known, over_socket)?;
    let (socket, tcp) = (labels(&socket), labels(&tcp));
    let over_tcp = "over TCP, which costs more per query";
    Some(Found::new(
        format!("connections differ: {} over a Unix socket, {} {over_tcp}", socket.en, tcp.en),
        format!("连接方式不同：{} 通过 Unix 套接字，{} 通过 TCP，后者每次查询开销更大", socket.zh, tcp.zh),
    ))
}

fn buffer_pool(known: &[Known<'_>]) -> Option<Found> {
    /// Servers round what they are given up to whole chunks.
    const ALIKE: f64 = 0.02;
    let sizes = || known.iter().map(|(_, facts)| facts.buffer_pool_bytes);
    let (least, most) = (sizes().min()?, sizes().max()?);
    if most as f64 <= least as f64 * (1.0 + ALIKE) {
        return None;
    }
    let each = known.iter().map(|(t, f)| format!("{} {}", t.label, bytes(f.buffer_pool_bytes)));
    let each = each.collect::<Vec<_>>();
    let smaller: Vec<Known<'_>> = known.iter().filter(|(_, f)| f.buffer_pool_bytes < most).copied().collect();
    let settings = set_all(&smaller, &format!("innodb_buffer_pool_size={most}"));
    let found = Found::new(
        format!("buffer pools differ ({})", each.join(", ")),
        format!("缓冲池大小不同（{}）", each.join("，")),
    );
    let found =
        found.with(format!(". Make them equal: {}", settings.en), format!("。使其相等：{}", settings.zh));
    Some(Found { of: Some("innodb_buffer_pool_size"), ..found })
}

/// Sandboxes that were given other CPUs, nodes or limits.
fn placement(known: &[Known<'_>]) -> Option<Found> {
    let ours = known.iter().filter_map(|(target, _)| match &target.kind {
        TargetKind::Sandbox(sandbox) => Some((target.label.as_str(), &sandbox.place)),
        TargetKind::Server(_) | TargetKind::Imported { .. } => None,
    });
    let ours: Vec<_> = ours.collect();
    let (_, first) = ours.first()?;
    if ours.iter().all(|(_, place)| place == first) {
        return None;
    }
    let each = |nothing: &str| {
        let said = ours.iter().map(|(label, place)| match place.is_default() {
            true => format!("{label} {nothing}"),
            false => format!("{label} {place}"),
        });
        said.collect::<Vec<_>>()
    };
    let found = Found::new(
        format!("servers may use different parts of the machine ({})", each("all of it").join(", ")),
        format!("各服务器可用的机器资源不同（{}）", each("全部").join("，")),
    );
    Some(found.with(
        ". Make them equal: give every target the same cpus, nodes, quota and memory-max".to_owned(),
        "。使其相等：为每个目标指定相同的 cpus、节点、quota 与 memory-max".to_owned(),
    ))
}

fn place(known: &[Known<'_>]) -> Option<Found> {
    let [here, elsewhere] = divided(known, |(target, _)| matches!(target.kind, TargetKind::Sandbox(_)))?;
    let (here, elsewhere) = (labels(&here), labels(&elsewhere));
    Some(Found::new(
        format!("on this machine, beside the generator: {}; elsewhere: {}", here.en, elsewhere.en),
        format!("与发压端同在本机：{}；在别处：{}", here.zh, elsewhere.zh),
    ))
}
