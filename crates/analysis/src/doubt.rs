//! What would change an answer: which points are open and what they would take, which differences hang on the margin, which
//! caveats stand, and what was never asked.
//!
//! An answer is true of what was measured. Whoever decides on it has to know how near it is to another one, and what it does
//! not speak of.

use model::About;
use serde::{Deserialize, Serialize};

use crate::Words;
use crate::caveat::Severity;
use crate::compare::{Comparison, MARGIN, Verdict, compare};
use crate::metric::THROUGHPUT;
use crate::summary::CellSummary;
use crate::text::{clients, count, list, percent};
use crate::validity::Validity;

/// Points that miss the margin by no more than this many times it.
const MISS_MAX: f64 = 2.0;

/// Something that would change the answer.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    /// Of which kind: stable, for files and filters.
    pub kind: Kind,
    /// The sentence.
    pub text: Words,
}

/// Kinds of doubt, in the order in which they are told.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Points that the runs do not decide.
    Inconclusive,
    /// Single runs.
    SingleRuns,
    /// Points that another margin would decide otherwise.
    Margin,
    /// What is wrong with the figures.
    Caveats,
    /// The size of minutes was run.
    Quick,
    /// What this machine can show of the question.
    Limits,
    /// Every figure is from one machine.
    OneMachine,
}

/// What is known of how an experiment was run.
#[derive(Debug, Clone, Copy)]
pub struct Circumstances<'a> {
    /// The experiment.
    pub about: &'a About,
    /// The first arm, which the others are compared with.
    pub base: &'a str,
    /// CPUs of the only machine that offered the load; none if there were several.
    pub only_machine_cpus: Option<u32>,
    /// Whether the servers ran on that machine too.
    pub servers_are_here: bool,
}

/// Everything that would change the answer, in the order of [`Kind`].
pub fn doubts(cells: &[CellSummary], validity: &Validity, of: &Circumstances<'_>) -> Vec<Doubt> {
    let compared = comparisons(cells, of.base);
    let mut found = Vec::new();
    let mut add = |kind: Kind, text: Words| found.push(Doubt { kind, text });
    inconclusive(&compared).into_iter().for_each(|text| add(Kind::Inconclusive, text));
    single_runs(cells).into_iter().for_each(|text| add(Kind::SingleRuns, text));
    margins(&compared).into_iter().for_each(|text| add(Kind::Margin, text));
    caveats(validity).into_iter().for_each(|text| add(Kind::Caveats, text));
    quick(of).into_iter().for_each(|text| add(Kind::Quick, text));
    if let Some(shows) = &of.about.shows {
        // As the experiment has it; in the language of its author where it was not translated.
        let zh = of.about.shows_zh.as_ref().unwrap_or(shows);
        add(Kind::Limits, Words::new(with_stop(shows), with_stop(zh)));
    }
    one_machine(of).into_iter().for_each(|text| add(Kind::OneMachine, text));
    found
}

fn with_stop(text: &str) -> String {
    if text.ends_with(['.', '。', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

/// Every other target against the base, in the order in which they stand.
fn comparisons(cells: &[CellSummary], base: &str) -> Vec<Comparison> {
    let mut others: Vec<&str> = Vec::new();
    for cell in cells.iter().filter(|cell| cell.target != base) {
        if !others.contains(&cell.target.as_str()) {
            others.push(&cell.target);
        }
    }
    others.into_iter().flat_map(|other| compare(cells, &THROUGHPUT, base, other)).collect()
}

/// Points of one arm and workload.
struct Points<'a> {
    /// `2/1000 against 1/1`, with the workload where there are several.
    who: Words,
    points: Vec<&'a Comparison>,
}

fn grouped<'a>(compared: &'a [Comparison], is: impl Fn(&Comparison) -> bool) -> Vec<Points<'a>> {
    let several = compared.iter().any(|c| c.workload != compared[0].workload);
    let mut groups: Vec<Points<'a>> = Vec::new();
    for one in compared.iter().filter(|c| is(c)) {
        let same = |group: &&mut Points<'a>| {
            group.points[0].other == one.other && group.points[0].workload == one.workload
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.points.push(one),
            None => {
                let (place, place_zh) = if several {
                    (format!("with {}, ", one.workload), format!("{}：", one.workload))
                } else {
                    Default::default()
                };
                groups.push(Points {
                    who: Words::new(
                        format!("{place}{} against {}", one.other, one.base),
                        format!("{place_zh}{} 对比 {}", one.other, one.base),
                    ),
                    points: vec![one],
                });
            }
        }
    }
    groups
}

/// `at 8 and 32 clients`.
fn at(points: &[&Comparison]) -> Words {
    if let [one] = points {
        return Words::new(
            format!("at {}", clients(one.threads)),
            format!("{} 个客户端时", count(one.threads.into())),
        );
    }
    let all = list(&points.iter().map(|c| count(c.threads.into())).collect::<Vec<_>>());
    Words::new(format!("at {} clients", all.en), format!("{} 个客户端时", all.zh))
}

/// Which points are open, and about how many repeats would settle them.
fn inconclusive(compared: &[Comparison]) -> Vec<Words> {
    let sentence = |group: Points<'_>| {
        let at = at(&group.points);
        let corrected = group.points.iter().filter(|c| c.excludes_one()).count();
        let settled: Vec<u32> = group.points.iter().filter_map(|c| c.runs_needed).collect();
        let all = settled.len() == group.points.len();
        let (cost, cost_zh) = match settled.iter().max() {
            _ if corrected == group.points.len() => {
                let n = group.points[0].family_size;
                (
                    format!(
                        "not significant after correction for {n} comparisons; more repeats would settle it"
                    ),
                    format!("对 {n} 项比较校正后不显著，增加重复次数可以判定"),
                )
            }
            Some(runs) if all => (
                format!("about {runs} repeats of each cell might settle it"),
                format!("约需每个单元 {runs} 次重复"),
            ),
            Some(runs) => (
                format!(
                    "about {runs} repeats of each cell might settle some of it, 100 would not settle the rest"
                ),
                format!("其中一部分约需每个单元 {runs} 次重复，其余即使 100 次也无法定论"),
            ),
            None => (
                "100 repeats would not settle it: find the source of the variation first".to_owned(),
                "100 次重复也无法定论：须先找出波动的来源".to_owned(),
            ),
        };
        Words::new(
            format!("{} is inconclusive {}: {cost}.", capitalised(&group.who.en), at.en),
            format!("{}，{}无法定论：{cost_zh}。", group.who.zh, at.zh),
        )
    };
    grouped(compared, |c| c.verdict == Verdict::Inconclusive).into_iter().map(sentence).collect()
}

fn capitalised(sentence: &str) -> String {
    // Names of targets are not changed; only the word that may stand before them.
    sentence.strip_prefix("with ").map_or_else(|| sentence.to_owned(), |rest| format!("With {rest}"))
}

fn single_runs(cells: &[CellSummary]) -> Option<Words> {
    let single = cells.iter().any(|cell| cell.completed() == 1);
    single.then(|| {
        Words::new(
            "Some cells have a single trial, so their variation is unknown: three repeats or more would give intervals.",
            "有些单元只有一次试验，波动未知：重复三次以上才有区间。",
        )
    })
}

/// Differences that another margin would call otherwise: a little more, and they would be the same; or no more than the
/// margin, which is little to decide on.
fn margins(compared: &[Comparison]) -> Vec<Words> {
    let margin = percent(compared.first().map_or(MARGIN, |c| c.margin));
    let mut said = Vec::new();
    for group in grouped(compared, |c| wider(c).is_some()) {
        let widest = group.points.iter().filter_map(|c| wider(c)).fold(0.0, f64::max);
        let (at, widest) = (at(&group.points), format!("{:.1} %", widest * 100.0));
        said.push(Words::new(
            format!(
                "{} {}: with an equivalence margin of {widest} instead of {margin} it would be equivalent.",
                capitalised(&group.who.en),
                at.en
            ),
            format!("{}，{}：若等效界限为 {widest} 而不是 {margin}，则两者相当。", group.who.zh, at.zh),
        ));
    }
    for group in grouped(compared, is_small) {
        let at = at(&group.points);
        said.push(Words::new(
            format!(
                "{} {}: the difference is significant, but may be smaller than the equivalence margin of {margin}.",
                capitalised(&group.who.en),
                at.en
            ),
            format!("{}，{}：差异显著，但可能小于等效界限 {margin}。", group.who.zh, at.zh),
        ));
    }
    said
}

/// The margin at which an open point would be the same, if it is not far from the one that holds.
fn wider(c: &Comparison) -> Option<f64> {
    if c.verdict != Verdict::Inconclusive {
        return None;
    }
    let needed = (c.high? - 1.0).max(1.0 / c.low? - 1.0);
    // Rounded up to what is shown, so that it holds as it is said.
    let needed = (needed * 1e3).ceil() / 1e3;
    (needed <= MISS_MAX * c.margin).then_some(needed)
}

/// A difference whose interval reaches into the margin.
fn is_small(c: &Comparison) -> bool {
    let (Some(low), Some(high)) = (c.low, c.high) else { return false };
    matches!(c.verdict, Verdict::Better | Verdict::Worse)
        && low < 1.0 + c.margin
        && high > 1.0 / (1.0 + c.margin)
}

/// What would lift caveats, by their rules. What they say stands in the line on trust.
const REMEDIES: [(&[&str], &str, &str); 8] = [
    (&["few_runs"], "three repeats or more", "重复三次以上"),
    (&["short_window", "few_transactions"], "longer windows", "更长的测量窗口"),
    (&["warmup_not_over", "trend"], "a longer warm-up", "更长的预热"),
    (
        &["change_point", "stall"],
        "finding what changed or stalled the server within a trial",
        "找出试验中导致水平变化或停顿的原因",
    ),
    (
        &["generator_bottleneck", "cpu_contention", "late_timers"],
        "a generator with CPUs of its own",
        "为发压端提供独立的 CPU",
    ),
    (
        &["other_processes", "steal", "swap", "clock_steps", "set_aside"],
        "a machine on which nothing else runs",
        "没有其他负载的主机",
    ),
    (&["data_not_restored"], "restoring the data before each trial", "每次试验前恢复数据"),
    (
        &["errors", "connections_lost", "some_runs_failed", "interrupted", "cells_missing", "overload"],
        "trials that complete without errors",
        "没有错误、全部完成的试验",
    ),
];

fn caveats(validity: &Validity) -> Option<Words> {
    let standing: Vec<&str> =
        validity.reasons.iter().filter(|r| r.severity > Severity::Note).map(|r| r.id.as_str()).collect();
    let lifted: Vec<Words> = REMEDIES
        .iter()
        .filter(|(ids, ..)| standing.iter().any(|id| ids.contains(id)))
        .map(|(_, en, zh)| Words::new(*en, *zh))
        .collect();
    let n = standing.len();
    let (stands, what) = if n == 1 { ("caveat applies", "it") } else { ("caveats apply", "them") };
    let by = Words::join(&lifted, "; ", "；");
    let (cure, cure_zh) = if lifted.is_empty() {
        (String::new(), String::new())
    } else {
        (format!("; to remove {what}: {}", by.en), format!("；消除办法：{}", by.zh))
    };
    (n > 0).then(|| Words::new(format!("{n} {stands}{cure}."), format!("有 {n} 项保留意见{cure_zh}。")))
}

fn quick(of: &Circumstances<'_>) -> Option<Words> {
    let name = &of.about.experiment;
    of.about.quick.then(|| {
        Words::new(
            format!(
                "Quick run: fewer clients, less data, shorter windows. Full run: mydyno experiment run {name}."
            ),
            format!("快速运行：客户端更少，数据更少，窗口更短。完整运行：mydyno experiment run {name}。"),
        )
    })
}

fn one_machine(of: &Circumstances<'_>) -> Option<Words> {
    let cpus = of.only_machine_cpus?;
    let size = if cpus == 1 { "1 CPU".to_owned() } else { format!("{cpus} CPUs") };
    Some(if of.servers_are_here {
        Words::new(
            format!(
                "All figures come from one machine ({size}), shared by servers and generator; results may differ elsewhere."
            ),
            format!("所有数据来自同一台主机（{cpus} 个 CPU），服务器与发压端共用；换一台主机结果可能不同。"),
        )
    } else {
        Words::new(
            format!(
                "All figures come from one generator ({size}) and these servers; results may differ elsewhere."
            ),
            format!("所有数据来自同一发压端（{cpus} 个 CPU）和这些服务器；换用其他主机结果可能不同。"),
        )
    })
}
