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

/// Every way in which the servers that answered differ, the weightiest first. `servers` are labels with facts; nothing
/// is said about fewer than two.
pub fn cautions(plan: &Plan, servers: &[(&str, &ServerFacts)]) -> Vec<Caution> {
    let known: Vec<Known<'_>> = servers
        .iter()
        .filter_map(|(label, facts)| {
            Some((&plan.targets.iter().find(|t| t.target.label == *label)?.target, *facts))
        })
        .collect();
    let writes = plan.workloads.iter().any(|w| match w {
        WorkloadSpec::Sysbench(options) => options.workload.writes(),
    });
    // What a commit costs does not matter to those who never commit a change.
    let commit = if writes { Severity::Warn } else { Severity::Note };
    let rules: [(&str, Severity, fn(&[Known<'_>]) -> Option<Words>); 6] = [
        ("binary_log", commit, binary_log),
        ("durability", commit, durability),
        ("tls", Severity::Warn, tls),
        ("transport", Severity::Warn, transport),
        ("buffer_pool", Severity::Warn, buffer_pool),
        ("place", Severity::Note, place),
    ];
    let caution = |(id, severity, rule): (&str, Severity, fn(&[Known<'_>]) -> Option<Words>)| {
        Some(Caution { id: id.to_owned(), severity, text: rule(&known)? })
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

/// How to change a setting: a flag for servers that are ours, words for the others.
fn set(known: &[Known<'_>], setting: &str) -> String {
    let each = |(target, _): &Known<'_>| match target.kind {
        TargetKind::Sandbox(_) => format!("--set {}:{setting}", target.label),
        TargetKind::Server(_) => format!("{setting} in the my.cnf of {}", target.label),
    };
    known.iter().map(each).collect::<Vec<_>>().join(" ")
}

fn binary_log(known: &[Known<'_>]) -> Option<Words> {
    let [on, off] = divided(known, |(_, facts)| facts.binlog)?;
    let (names, leave, take) = (labels(&on), set(&on, "skip_log_bin=1"), set(&off, "log_bin=1"));
    Some(Words::new(
        format!(
            "the binary log is on in {} only: the curves compare unequal work. Make it equal: {leave} or {take}",
            names.en
        ),
        format!("只有 {} 开启了二进制日志：曲线比较的工作量不相等。使其相等：{leave} 或 {take}", names.zh),
    ))
}

fn durability(known: &[Known<'_>]) -> Option<Words> {
    let (durable, weaker): (Vec<_>, Vec<_>) =
        known.iter().partition(|(_, facts)| facts.durability == Durability::Durable);
    let first = known.first()?.1.durability;
    if known.iter().all(|(_, facts)| facts.durability == first) {
        return None;
    }
    let each = |zh: bool| {
        let class = |d: Durability| if zh { durability_zh(d) } else { d.describe() };
        known.iter().map(|(t, f)| format!("{} {}", t.label, class(f.durability))).collect::<Vec<_>>()
    };
    let settings = weaker
        .iter()
        .map(|one| {
            let mut wanted = set(&[*one], "innodb_flush_log_at_trx_commit=1");
            if one.1.binlog {
                wanted = format!("{wanted} {}", set(&[*one], "sync_binlog=1"));
            }
            wanted
        })
        .collect::<Vec<_>>()
        .join(" ");
    let none_durable = durable.is_empty();
    let (en, zh) = (each(false).join(", "), each(true).join("，"));
    let goal = if none_durable { ("all durable", "全部持久") } else { ("equal", "相等") };
    Some(Words::new(
        format!("durability differs ({en}): the curves compare unequal work. Make it {}: {settings}", goal.0),
        format!("持久性不同（{zh}）：曲线比较的工作量不相等。使其{}：{settings}", goal.1),
    ))
}

/// As a report in Simplified Chinese says it.
pub fn durability_zh(durability: Durability) -> &'static str {
    match durability {
        Durability::Durable => "持久",
        Durability::LosesOnOsCrash => "断电或操作系统崩溃时丢失提交",
        Durability::LosesOnProcessCrash => "进程崩溃时丢失提交",
    }
}

fn tls(known: &[Known<'_>]) -> Option<Words> {
    let [on, off] = divided(known, |(_, facts)| facts.tls_cipher.is_some())?;
    let (on, off) = (labels(&on), labels(&off));
    Some(Words::new(
        format!(
            "connections to {} are encrypted, those to {} are not: use the same --ssl-mode for all",
            on.en, off.en
        ),
        format!("到 {} 的连接已加密，到 {} 的未加密：请对所有目标使用相同的 --ssl-mode", on.zh, off.zh),
    ))
}

fn transport(known: &[Known<'_>]) -> Option<Words> {
    let over_socket = |(target, _): &Known<'_>| match &target.kind {
        TargetKind::Server(endpoint) => matches!(endpoint.address, Address::Socket(_)),
        TargetKind::Sandbox(sandbox) => !sandbox.tcp,
    };
    let [socket, tcp] = divided(known, over_socket)?;
    let (socket, tcp) = (labels(&socket), labels(&tcp));
    Some(Words::new(
        format!(
            "{} is reached over a Unix socket, {} over TCP, which costs more per query",
            socket.en, tcp.en
        ),
        format!("{} 通过 Unix 套接字连接，{} 通过 TCP 连接，后者每次查询开销更大", socket.zh, tcp.zh),
    ))
}

fn buffer_pool(known: &[Known<'_>]) -> Option<Words> {
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
    let settings = set(&smaller, &format!("innodb_buffer_pool_size={most}"));
    Some(Words::new(
        format!("buffer pools differ ({}). Make them equal: {settings}", each.join(", ")),
        format!("缓冲池大小不同（{}）。使其相等：{settings}", each.join("，")),
    ))
}

fn place(known: &[Known<'_>]) -> Option<Words> {
    let [here, elsewhere] = divided(known, |(target, _)| matches!(target.kind, TargetKind::Sandbox(_)))?;
    let (here, elsewhere) = (labels(&here), labels(&elsewhere));
    Some(Words::new(
        format!("{} shares this machine with the generator, {} may have its own", here.en, elsewhere.en),
        format!("{} 与发压端共用本机，{} 可能使用单独的机器", here.zh, elsewhere.zh),
    ))
}
