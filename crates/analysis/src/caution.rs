//! What makes targets do unequal work: said before the first second of load, and beside every comparison.

use model::{Address, Durability, Plan, ServerFacts, Target, TargetKind, WorkloadSpec};
use serde::{Deserialize, Serialize};

use crate::Words;
use crate::caveat::Severity;
use crate::text::{bytes, list};

/// A difference between targets that a comparison has to own up to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caution {
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
}

impl Found {
    fn new(en: String, zh: String) -> Self {
        Self { fact: Words::new(en, zh), remedy: Words::new("", "") }
    }

    fn with(self, en: String, zh: String) -> Self {
        Self { remedy: Words::new(en, zh), ..self }
    }
}

/// Every way in which the servers that answered differ, the weightiest first. `servers` are labels with facts; nothing
/// is said about fewer than two.
pub fn cautions(plan: &Plan, servers: &[(&str, &ServerFacts)]) -> Vec<Caution> {
    let known: Vec<Known<'_>> = servers
        .iter()
        .filter_map(|(label, facts)| {
            Some((&plan.targets.iter().find(|t| t.target.label == *label)?.target, *facts))
        })
        .collect();
    let writes = plan.workloads.iter().any(WorkloadSpec::writes);
    // What a commit costs does not matter to those who never commit a change.
    let commit = if writes { Severity::Warn } else { Severity::Note };
    let rules: [(&str, Severity, Rule); 7] = [
        ("binary_log", commit, binary_log),
        ("durability", commit, durability),
        ("tls", Severity::Warn, tls),
        ("transport", Severity::Warn, transport),
        ("buffer_pool", Severity::Warn, buffer_pool),
        ("placement", Severity::Warn, placement),
        ("place", Severity::Note, place),
    ];
    let on_purpose = plan.about.as_ref().is_some_and(|about| about.arms);
    let caution = |(id, severity, rule): (&str, Severity, Rule)| {
        let Found { fact, remedy } = rule(&known)?;
        let whole = Words::new(format!("{}{}", fact.en, remedy.en), format!("{}{}", fact.zh, remedy.zh));
        // What an experiment asks about is to differ, and that it does is worth knowing all the same.
        let (severity, text) = if on_purpose { (Severity::Note, fact) } else { (severity, whole) };
        Some(Caution { id: id.to_owned(), severity, text })
    };
    rules.into_iter().filter_map(caution).collect()
}

/// Those for which `is` holds and the others; none if all are alike.
fn divided<'a>(known: &[Known<'a>], is: impl Fn(&Known<'a>) -> bool) -> Option<[Vec<Known<'a>>; 2]> {
    let (yes, no): (Vec<_>, Vec<_>) = known.iter().copied().partition(is);
    (!yes.is_empty() && !no.is_empty()).then_some([yes, no])
}

fn labels(known: &[Known<'_>]) -> Words {
    list(&known.iter().map(|(t, _)| t.label.clone()).collect::<Vec<_>>())
}

/// How to change settings: flags for servers that are ours, words for the others.
fn set(changes: &[(&Target, Vec<&str>)]) -> Words {
    let ours = |t: &Target| matches!(t.kind, TargetKind::Sandbox(_));
    let flags = changes.iter().filter(|(t, _)| ours(t)).flat_map(|(target, settings)| {
        settings.iter().map(|setting| format!("--set {}:{setting}", target.label))
    });
    let flags = flags.collect::<Vec<_>>().join(" ");
    let mut parts = Vec::new();
    if !flags.is_empty() {
        parts.push(Words::new(flags.clone(), flags));
    }
    for (target, settings) in changes.iter().filter(|(t, _)| !ours(t)) {
        let (label, settings) = (&target.label, settings.join(" "));
        parts.push(Words::new(
            format!("{settings} in the my.cnf of {label}"),
            format!("在 {label} 的 my.cnf 中设置 {settings}"),
        ));
    }
    Words::join(&parts, " and ", " 并")
}

/// As [`set`], the same for all of them.
fn set_all(known: &[Known<'_>], setting: &str) -> Words {
    set(&known.iter().map(|(t, _)| (*t, vec![setting])).collect::<Vec<_>>())
}

fn binary_log(known: &[Known<'_>]) -> Option<Found> {
    let [on, off] = divided(known, |(_, facts)| facts.binlog)?;
    let (names, leave, take) = (labels(&on), set_all(&on, "skip_log_bin=1"), set_all(&off, "log_bin=1"));
    let found = Found::new(
        format!("the binary log is on in {} only: the curves compare unequal work", names.en),
        format!("只有 {} 开启了二进制日志：曲线比较的工作量不相等", names.zh),
    );
    Some(found.with(
        format!(". Make it equal: {} or {}", leave.en, take.en),
        format!("。使其相等：{} 或 {}", leave.zh, take.zh),
    ))
}

fn durability(known: &[Known<'_>]) -> Option<Found> {
    let first = known.first()?.1.durability;
    if known.iter().all(|(_, facts)| facts.durability == first) {
        return None;
    }
    let each = |class: fn(Durability) -> &'static str| {
        known.iter().map(|(t, f)| format!("{} {}", t.label, class(f.durability))).collect::<Vec<_>>()
    };
    let (en, zh) = (each(Durability::describe).join(", "), each(durability_zh).join("，"));
    let strictest = |facts: &ServerFacts| {
        let redo = vec!["innodb_flush_log_at_trx_commit=1"];
        if facts.binlog { [redo, vec!["sync_binlog=1"]].concat() } else { redo }
    };
    let weaker = known.iter().filter(|(_, f)| f.durability != Durability::Durable);
    let settings = set(&weaker.map(|(t, f)| (*t, strictest(f))).collect::<Vec<_>>());
    let found = Found::new(
        format!("durability differs ({en}): the curves compare unequal work"),
        format!("持久性不同（{zh}）：曲线比较的工作量不相等"),
    );
    Some(found.with(format!(". Make it equal: {}", settings.en), format!("。使其相等：{}", settings.zh)))
}

/// As a report in Simplified Chinese says it.
pub fn durability_zh(durability: Durability) -> &'static str {
    match durability {
        Durability::Durable => "持久",
        Durability::LosesOnOsCrash => "断电或操作系统崩溃时丢失提交",
        Durability::LosesOnProcessCrash => "进程崩溃时丢失提交",
    }
}

fn tls(known: &[Known<'_>]) -> Option<Found> {
    let [on, off] = divided(known, |(_, facts)| facts.tls_cipher.is_some())?;
    let (on, off) = (labels(&on), labels(&off));
    let found = Found::new(
        format!("connections to {} are encrypted, those to {} are not", on.en, off.en),
        format!("到 {} 的连接已加密，到 {} 的未加密", on.zh, off.zh),
    );
    Some(found.with(
        ": use the same --ssl-mode for all".to_owned(),
        "：请对所有目标使用相同的 --ssl-mode".to_owned(),
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
    Some(found.with(format!(". Make them equal: {}", settings.en), format!("。使其相等：{}", settings.zh)))
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
