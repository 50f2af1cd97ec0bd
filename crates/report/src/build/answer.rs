//! The answer in one sentence: who is faster, where, by how much; or how fast the only target is.

use crate::format::{figure, plus_minus};
use crate::view::{Cell, Comparison, Target, Workload};
use crate::words::Words;

/// One sentence per workload, joined.
pub fn answer(
    targets: &[Target],
    workloads: &[Workload],
    cells: &[Cell],
    comparisons: &[Comparison],
) -> Words {
    let several = workloads.len() > 1;
    let mut sentences = Vec::new();
    for (index, workload) in workloads.iter().enumerate() {
        let of_workload: Vec<&Cell> = cells.iter().filter(|c| c.workload == index).collect();
        let compared: Vec<&Comparison> = comparisons.iter().filter(|c| c.workload == index).collect();
        let sentence = match targets {
            _ if of_workload.iter().all(|c| c.throughput_per_s.is_none()) => nothing(),
            [a, b] if !compared.is_empty() => two(a, b, &compared),
            [only] => one(only, &of_workload),
            _ => ranking(targets, &of_workload),
        };
        sentences.push(if several {
            let label = &workload.label;
            Words::new(format!("{label}: {}", sentence.en), format!("{label}：{}", sentence.zh))
        } else {
            sentence
        });
    }
    let join =
        |pick: fn(&Words) -> &str, space: &str| sentences.iter().map(pick).collect::<Vec<_>>().join(space);
    Words::new(join(|w| &w.en, " "), join(|w| &w.zh, ""))
}

fn nothing() -> Words {
    Words::new("No trial completed, so there is no answer.", "没有任何一次运行完成，无法给出答案。")
}

/// The cell with the highest throughput.
fn peak<'a>(cells: &[&'a Cell], target: usize) -> Option<&'a Cell> {
    let throughput = |c: &Cell| c.throughput_per_s.map_or(0.0, |e| e.mean);
    let of_target = cells.iter().copied().filter(|c| c.target == target && c.throughput_per_s.is_some());
    of_target.max_by(|a, b| throughput(a).total_cmp(&throughput(b)))
}

/// `904/s ±2 %`, with the same words in both languages.
fn rate(cell: &Cell) -> String {
    let Some(estimate) = cell.throughput_per_s else {
        return "-".to_owned();
    };
    let interval = plus_minus(&estimate);
    let space = if interval.is_empty() { "" } else { " " };
    format!("{}{space}{interval}", figure(estimate.mean))
}

fn clients(threads: u32) -> String {
    if threads == 1 { "1 client".to_owned() } else { format!("{threads} clients") }
}

fn one(target: &Target, cells: &[&Cell]) -> Words {
    let Some(best) = peak(cells, 0) else {
        return nothing();
    };
    let label = &target.label;
    let p95 = best.response_p95_ms.map_or_else(|| "-".to_owned(), |e| figure(e.mean));
    let (at_en, at_zh) = (clients(best.threads), best.threads);
    if cells.len() == 1 {
        return Words::new(
            format!("{label} does {} transactions/s with {at_en}; p95 is {p95} ms.", rate(best)),
            format!("{label} 在 {at_zh} 个客户端下每秒 {} 个事务，p95 为 {p95} ms。", rate(best)),
        );
    }
    Words::new(
        format!("{label} peaks at {} transactions/s with {at_en}; p95 there is {p95} ms.", rate(best)),
        format!("{label} 在 {at_zh} 个客户端时达到峰值，每秒 {} 个事务，此时 p95 为 {p95} ms。", rate(best)),
    )
}

fn ranking(targets: &[Target], cells: &[&Cell]) -> Words {
    let mut peaks: Vec<(&Target, &Cell, f64)> = targets
        .iter()
        .enumerate()
        .filter_map(|(i, t)| {
            let best = peak(cells, i)?;
            Some((t, best, best.throughput_per_s?.mean))
        })
        .collect();
    peaks.sort_by(|a, b| b.2.total_cmp(&a.2));
    let Some(((first, best, most), rest)) = peaks.split_first() else {
        return nothing();
    };
    let others = |joint: &str, colon: &str| {
        let each = rest.iter().map(|(t, _, mean)| format!("{}{colon}{:.2}x", t.label, mean / most));
        each.collect::<Vec<_>>().join(joint)
    };
    let (at, rate) = (best.threads, rate(best));
    if rest.is_empty() {
        return Words::new(
            format!(
                "{} peaks at {rate} transactions/s with {}; the others gave nothing.",
                first.label,
                clients(at)
            ),
            format!("{} 在 {at} 个客户端时达到峰值，每秒 {rate} 个事务；其他目标没有结果。", first.label),
        );
    }
    Words::new(
        format!(
            "{} reaches most: {rate} transactions/s with {}. Peaks against it: {}.",
            first.label,
            clients(at),
            others(", ", " ")
        ),
        format!(
            "{} 最高：{at} 个客户端时每秒 {rate} 个事务。其他目标的峰值与之相比：{}。",
            first.label,
            others("，", " ")
        ),
    )
}

/// Neighbouring numbers of clients with the same leader.
struct Stretch<'a> {
    /// 0: base, 1: other; none: no difference shown.
    leader: Option<usize>,
    points: Vec<&'a Comparison>,
}

fn two(base: &Target, other: &Target, compared: &[&Comparison]) -> Words {
    let mut points = compared.to_vec();
    points.sort_by_key(|c| c.threads);
    let mut stretches: Vec<Stretch> = Vec::new();
    for point in points {
        let leader = leader(point);
        match stretches.last_mut() {
            Some(last) if last.leader == leader => last.points.push(point),
            _ => stretches.push(Stretch { leader, points: vec![point] }),
        }
    }
    let labels = [base.label.as_str(), other.label.as_str()];
    let alone = stretches.len() == 1;
    if stretches.len() > 4 {
        return strongest(labels, compared);
    }
    let last = stretches.len() - 1;
    let parts: Vec<Words> = stretches
        .iter()
        .enumerate()
        .map(|(i, s)| {
            let place = match () {
                () if alone => Place::Everywhere,
                () if i == 0 => Place::UpTo,
                () if i == last => Place::From,
                () => Place::Between,
            };
            let first_lead = !stretches[..i].iter().any(|earlier| earlier.leader.is_some());
            stretch(labels, s, place, if first_lead { " is faster" } else { "" })
        })
        .collect();
    let en = parts.iter().map(|w| w.en.as_str()).collect::<Vec<_>>().join(", ");
    let zh = parts.iter().map(|w| w.zh.as_str()).collect::<Vec<_>>().join("；");
    Words::new(format!("{en}."), format!("{zh}。"))
}

/// Who leads at a point: by the interval where there is one, else by the figure.
fn leader(point: &Comparison) -> Option<usize> {
    match (point.low, point.high) {
        (Some(low), _) if low > 1.0 => Some(1),
        (_, Some(high)) if high < 1.0 => Some(0),
        (Some(_), Some(_)) => None,
        _ if point.throughput_ratio > 1.0 => Some(1),
        _ if point.throughput_ratio < 1.0 => Some(0),
        _ => None,
    }
}

#[derive(Clone, Copy)]
enum Place {
    Everywhere,
    UpTo,
    Between,
    From,
}

impl Place {
    fn words(self, points: &[&Comparison]) -> Words {
        let first = points.first().map_or(0, |p| p.threads);
        let last = points.last().map_or(0, |p| p.threads);
        let exact = Words::new(format!("with {}", clients(last)), format!("{last} 个客户端时"));
        match self {
            Self::Everywhere if first == last => exact,
            Self::Everywhere => Words::new(
                format!("at every concurrency from {first} to {last} clients"),
                format!("在 {first} 到 {last} 个客户端的每一点上"),
            ),
            Self::UpTo if first == last => exact,
            Self::UpTo => Words::new(format!("up to {}", clients(last)), format!("{last} 个客户端及以下")),
            Self::Between if first == last => exact,
            Self::Between => {
                Words::new(format!("from {first} to {last} clients"), format!("{first} 到 {last} 个客户端"))
            }
            Self::From if first == last => exact,
            Self::From => Words::new(format!("from {first} on"), format!("{first} 个客户端及以上")),
        }
    }
}

/// How many times as fast the leader is, with its interval.
struct Lead {
    times: f64,
    interval: Option<(f64, f64)>,
    threads: u32,
}

fn lead(point: &Comparison, leader: usize) -> Lead {
    let interval = point.low.zip(point.high);
    if leader == 1 {
        Lead { times: point.throughput_ratio, interval, threads: point.threads }
    } else {
        let times = 1.0 / point.throughput_ratio;
        Lead { times, interval: interval.map(|(l, h)| (1.0 / h, 1.0 / l)), threads: point.threads }
    }
}

/// `1.41x [1.36, 1.46]`.
fn times(lead: &Lead) -> String {
    match lead.interval {
        Some((low, high)) => format!("{:.2}x [{low:.2}, {high:.2}]", lead.times),
        None => format!("{:.2}x", lead.times),
    }
}

/// One stretch as a clause: who leads, where, by how much at most. `verb` is left out where an earlier clause has it.
fn stretch(labels: [&str; 2], stretch: &Stretch, place: Place, verb: &str) -> Words {
    let at = place.words(&stretch.points);
    let Some(leader) = stretch.leader else {
        let [a, b] = labels;
        return Words::new(
            format!("no difference between {a} and {b} shows {}", at.en),
            format!("{}，{a} 与 {b} 未见差异", at.zh),
        );
    };
    let (label, follower) = (labels[leader], labels[1 - leader]);
    let leads: Vec<Lead> = stretch.points.iter().map(|p| lead(p, leader)).collect();
    let Some(most) = leads.iter().max_by(|a, b| a.times.total_cmp(&b.times)) else {
        return nothing();
    };
    let (by, threads) = (times(most), most.threads);
    match (place, leads.len()) {
        (Place::Everywhere, 1) => Words::new(
            format!("{label} is {by} as fast as {follower} {}", at.en),
            format!("{}，{label} 的吞吐量是 {follower} 的 {by}", at.zh),
        ),
        (_, 1) => {
            Words::new(format!("{label}{verb} {} ({by})", at.en), format!("{}，{label} 更快（{by}）", at.zh))
        }
        _ => Words::new(
            format!("{label}{verb} {} (up to {by} at {threads})", at.en),
            format!("{}，{label} 更快（{threads} 个客户端时差距最大，为 {by}）", at.zh),
        ),
    }
}

/// When the lead changes too often for a sentence: how often, and the greatest difference.
fn strongest(labels: [&str; 2], compared: &[&Comparison]) -> Words {
    let greatest = compared.iter().filter_map(|c| leader(c).map(|l| (l, lead(c, l))));
    let Some((leader, lead)) = greatest.max_by(|a, b| a.1.times.total_cmp(&b.1.times)) else {
        return nothing();
    };
    Words::new(
        format!(
            "The lead changes back and forth; the greatest difference is {} for {} at {}.",
            times(&lead),
            labels[leader],
            clients(lead.threads)
        ),
        format!(
            "双方互有领先；最大差距为 {} 个客户端时 {} 的 {}。",
            lead.threads,
            labels[leader],
            times(&lead)
        ),
    )
}
