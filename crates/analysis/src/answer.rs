//! The answer in one sentence: who is faster, where, by how much, and how sure that is.

use model::Calibration;

use crate::Words;
use crate::compare::{self, Comparison, MARGIN, Verdict};
use crate::metric::THROUGHPUT;
use crate::summary::{CellSummary, Measure};
use crate::text::{clients, count, figure, list, percent, ratio};
use crate::tpcc::TpccSummary;

/// Answers the question of a run or a sweep from its cells. One clause per workload; failed cells are named.
pub fn answer(cells: &[CellSummary]) -> Words {
    let mut workloads: Vec<&str> = Vec::new();
    for cell in cells {
        if !workloads.contains(&cell.workload.as_str()) {
            workloads.push(&cell.workload);
        }
    }
    let clauses: Vec<Words> = workloads
        .iter()
        .map(|workload| {
            let own: Vec<&CellSummary> = cells.iter().filter(|c| c.workload == *workload).collect();
            let clause = workload_answer(&own);
            if workloads.len() == 1 {
                return clause;
            }
            Words::new(format!("{workload}: {}", clause.en), format!("{workload}：{}", clause.zh))
        })
        .collect();
    let joined = Words::join(&clauses, ". ", "。");
    let begins_with_name = workloads.len() > 1 || cells.iter().any(|c| joined.en.starts_with(&c.target));
    let en = if begins_with_name { joined.en } else { capitalised(&joined.en) };
    Words::new(format!("{en}."), format!("{}。", joined.zh))
}

fn capitalised(sentence: &str) -> String {
    let mut chars = sentence.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// How much of its machine the generator used at most, and how near it came to its ceiling where that is known; none if
/// nothing completed.
pub fn generator_share(cells: &[CellSummary], calibration: Option<&Calibration>) -> Option<Words> {
    let share = cells.iter().filter_map(|c| c.generator).map(|g| g.host_share).reduce(f64::max)?;
    let share = percent(share);
    let of_ceiling =
        calibration.map(Calibration::ceiling_per_cpu).filter(|ceiling| *ceiling > 0.0).and_then(|ceiling| {
            let used = |c: &CellSummary| {
                let workers = f64::from(c.generator?.workers.max(1));
                Some(c.queries_per_s?.mean / (workers * ceiling))
            };
            Some((cells.iter().filter_map(used).reduce(f64::max)?, ceiling))
        });
    Some(match of_ceiling {
        None => Words::new(
            format!("The generator used at most {share} of its machine."),
            format!("发压端最多占用其机器的 {share}。"),
        ),
        Some((used, ceiling)) => {
            let (used, ceiling) = (percent(used), figure(ceiling));
            Words::new(
                format!(
                    "The generator used at most {share} of its machine, and ran at up to {used} of its ceiling ({ceiling} \
                     queries/s per CPU, calibrated)."
                ),
                format!(
                    "发压端最多占用其机器的 {share}，最高达到其上限的 {used}（每 CPU {ceiling} 查询/秒，经校准）。"
                ),
            )
        }
    })
}

/// Of one workload.
fn workload_answer(cells: &[&CellSummary]) -> Words {
    let mut targets: Vec<&str> = Vec::new();
    for cell in cells.iter().filter(|c| c.completed() > 0) {
        if !targets.contains(&cell.target.as_str()) {
            targets.push(&cell.target);
        }
    }
    let mut clauses = match targets.as_slice() {
        [] => vec![Words::new("nothing completed", "没有任何单元完成")],
        [one] => vec![single_target(cells, one)],
        several => between_targets(cells, several.len()),
    };
    clauses.extend(failures(cells));
    Words::join(&clauses, "; ", "；")
}

/// Peak and knee of the only target.
fn single_target(cells: &[&CellSummary], target: &str) -> Words {
    /// From this share of the peak on, more clients bring little.
    const KNEE: f64 = 0.9;
    let mut curve: Vec<(&CellSummary, Measure)> =
        cells.iter().filter_map(|c| Some((*c, c.throughput_per_s?))).collect();
    curve.sort_by_key(|(cell, _)| cell.threads);
    let Some((peak, height)) = curve.iter().max_by(|a, b| a.1.mean.total_cmp(&b.1.mean)) else {
        return Words::new("nothing was measured", "没有测得数据");
    };
    let (value, at, spread) = (figure(height.mean), clients(peak.threads), spread(height));
    let threads = count(peak.threads.into());
    if let (1, Some(tpcc)) = (curve.len(), &peak.tpcc) {
        return single_tpcc(target, peak, tpcc);
    }
    if curve.len() == 1 {
        let p95 = peak.transaction().map(|t| figure(t.response.p95_ns as f64 / 1e6)).unwrap_or_default();
        if let Some(open) = &peak.open_loop {
            let rate = figure(open.rate_per_s);
            return Words::new(
                format!(
                    "{target}: {value} transactions/s {} of {rate} offered, p95 {p95} ms from when they were due",
                    spread.en
                ),
                format!(
                    "{target}：提供 {rate} 事务/秒，完成 {value}{}，从应开始时计 p95 {p95} 毫秒",
                    spread.zh
                ),
            );
        }
        return Words::new(
            format!("{target}: {value} transactions/s {}, p95 {p95} ms, at {at}", spread.en),
            format!("{target}：{threads} 个客户端时 {value} 事务/秒{}，p95 {p95} 毫秒", spread.zh),
        );
    }
    let mut parts = vec![Words::new(
        format!("{target} peaks at {value} transactions/s {} with {at}", spread.en),
        format!("{target} 在 {threads} 个客户端时达到峰值 {value} 事务/秒{}", spread.zh),
    )];
    let knee = curve.iter().find(|(_, m)| m.mean >= KNEE * height.mean);
    if let Some((knee, reached)) = knee.filter(|(c, _)| c.threads < peak.threads) {
        let (share, threads) = (percent(reached.mean / height.mean), count(knee.threads.into()));
        parts.push(Words::new(
            format!("{} reach {share} of it", clients(knee.threads))
                .replace("1 client reach", "1 client reaches"),
            format!("{threads} 个客户端即达其 {share}"),
        ));
    }
    let last = curve.last().filter(|(c, m)| c.threads > peak.threads && m.mean < KNEE * height.mean);
    if let Some((last, fallen)) = last {
        let (value, threads) = (figure(fallen.mean), count(last.threads.into()));
        parts.push(Words::new(
            format!("at {} it is down to {value}", clients(last.threads)),
            format!("{threads} 个客户端时降到 {value}"),
        ));
    }
    Words::join(&parts, ", ", "，")
}

/// One cell of TPC-C: its own measure, and the response time that the standard limits.
fn single_tpcc(target: &str, cell: &CellSummary, tpcc: &TpccSummary) -> Words {
    let (value, spread) =
        tpcc.tpmc.map_or((String::new(), Words::new("", "")), |m| (figure(m.mean), spread(&m)));
    let p90 = tpcc.types.first().map(|t| figure(t.response.p90_ms)).unwrap_or_default();
    let (terminals, plural) = (count(cell.threads.into()), if cell.threads == 1 { "" } else { "s" });
    Words::new(
        format!(
            "{target}: {value} tpmC {}, New-Order p90 {p90} ms, at {terminals} terminal{plural}",
            spread.en
        ),
        format!("{target}：{terminals} 个终端时 {value} tpmC{}，New-Order p90 {p90} 毫秒", spread.zh),
    )
}

/// `[880, 928]`, or that there is no interval.
fn spread(measure: &Measure) -> Words {
    match (measure.low, measure.high) {
        (Some(low), Some(high)) => {
            let interval = format!("[{}, {}]", figure(low.max(0.0)), figure(high));
            Words::new(interval.clone(), format!(" {interval}"))
        }
        _ => Words::new("(a single run, no interval)", "（单次运行，无置信区间）"),
    }
}

/// What may be said at one number of clients about the fastest target and the next.
#[derive(Debug, Clone, PartialEq)]
enum Standing {
    Faster(String),
    Measured(String),
    MeasuredEqual,
    Same,
    Inconclusive,
    Withheld,
}

/// Neighbouring numbers of clients with the same standing.
struct Stretch {
    standing: Standing,
    threads: Vec<u32>,
    /// The fastest over the next.
    comparisons: Vec<Comparison>,
}

fn between_targets(cells: &[&CellSummary], targets: usize) -> Vec<Words> {
    let mut threads: Vec<u32> = cells.iter().map(|c| c.threads).collect();
    threads.sort_unstable();
    threads.dedup();
    let compared: Vec<Comparison> = threads.iter().filter_map(|&n| best_and_next(cells, n)).collect();
    if compared.is_empty() {
        let en = "no number of clients completed on two targets";
        return vec![Words::new(en, "没有任何并发数在两个目标上都完成")];
    }
    let mut stretches = stretches(&compared);
    let scattered = stretches.len() > 4;
    if scattered {
        stretches = gathered(stretches);
    }
    let last = stretches.len() - 1;
    let (mut winners, mut others) = (Vec::new(), Vec::new());
    for (position, stretch) in stretches.iter().enumerate() {
        let place = match (scattered, position) {
            (true, _) => Place::Scattered,
            (false, _) if stretch.threads.len() == 1 => Place::Point,
            (false, 0) if last == 0 => Place::Whole,
            (false, 0) => Place::First,
            (false, p) if p == last => Place::Last,
            (false, _) => Place::Middle,
        };
        let clause = clause(stretch, &place.words(&stretch.threads), targets, !winners.is_empty());
        match stretch.standing {
            Standing::Faster(_) | Standing::Measured(_) => winners.push(clause),
            _ => others.push(clause),
        }
    }
    // What is decided comes first.
    let mut clauses = Vec::new();
    if !winners.is_empty() {
        clauses.push(Words::join(&winners, ", ", "，"));
    }
    clauses.append(&mut others);
    if compared.iter().any(|c| c.verdict == Verdict::SingleRun) {
        let first = &clauses[0];
        clauses[0] = Words::new(
            format!("single runs, so no interval is possible: {}", first.en),
            format!("单次运行，无法给出置信区间：{}", first.zh),
        );
    }
    clauses
}

/// The fastest target over the next one; none unless two completed.
fn best_and_next(cells: &[&CellSummary], threads: u32) -> Option<Comparison> {
    let mut own: Vec<(&CellSummary, f64)> = cells
        .iter()
        .filter(|c| c.threads == threads)
        .filter_map(|c| Some((*c, c.throughput_per_s?.mean)))
        .collect();
    own.sort_by(|a, b| b.1.total_cmp(&a.1));
    match own.as_slice() {
        [(best, _), (next, _), ..] => compare::compare_cells(next, best, &THROUGHPUT),
        _ => None,
    }
}

fn stretches(compared: &[Comparison]) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    for comparison in compared {
        let standing = match comparison.verdict {
            Verdict::Better => Standing::Faster(comparison.other.clone()),
            // Repeats whose geometric and arithmetic means disagree on the order: too close to call either way.
            Verdict::Worse | Verdict::Inconclusive => Standing::Inconclusive,
            Verdict::Same => Standing::Same,
            Verdict::Withheld => Standing::Withheld,
            Verdict::SingleRun if comparison.ratio <= 1.0 + MARGIN => Standing::MeasuredEqual,
            Verdict::SingleRun => Standing::Measured(comparison.other.clone()),
        };
        match stretches.last_mut().filter(|s| s.standing == standing) {
            Some(same) => {
                same.threads.push(comparison.threads);
                same.comparisons.push(comparison.clone());
            }
            None => stretches.push(Stretch {
                standing,
                threads: vec![comparison.threads],
                comparisons: vec![comparison.clone()],
            }),
        }
    }
    stretches
}

/// Stretches of the same standing put together, wherever they lie.
fn gathered(stretches: Vec<Stretch>) -> Vec<Stretch> {
    let mut gathered: Vec<Stretch> = Vec::new();
    for stretch in stretches {
        match gathered.iter_mut().find(|s| s.standing == stretch.standing) {
            Some(same) => {
                same.threads.extend(stretch.threads);
                same.comparisons.extend(stretch.comparisons);
            }
            None => gathered.push(stretch),
        }
    }
    gathered
}

/// Where on the axis of clients a stretch lies.
enum Place {
    Whole,
    Point,
    First,
    Middle,
    Last,
    Scattered,
}

impl Place {
    fn words(&self, threads: &[u32]) -> Words {
        let text = |n: Option<&u32>| count(n.copied().unwrap_or_default().into());
        let (low, high) = (text(threads.first()), text(threads.last()));
        match self {
            Self::Whole | Self::Middle => {
                Words::new(format!("from {low} to {high} clients"), format!("{low} 到 {high} 个客户端时"))
            }
            Self::Point => {
                let at = clients(threads.first().copied().unwrap_or_default());
                Words::new(format!("at {at}"), format!("{low} 个客户端时"))
            }
            Self::First => Words::new(format!("up to {high} clients"), format!("不超过 {high} 个客户端时")),
            Self::Last => Words::new(format!("from {low} clients on"), format!("{low} 个客户端及以上时")),
            Self::Scattered => {
                let all = list(&threads.iter().map(|&n| count(n.into())).collect::<Vec<_>>());
                Words::new(format!("at {} clients", all.en), format!("{} 个客户端时", all.zh))
            }
        }
    }
}

fn clause(stretch: &Stretch, place: &Words, targets: usize, said_faster: bool) -> Words {
    let (en, zh) = (&place.en, &place.zh);
    match &stretch.standing {
        Standing::Faster(winner) | Standing::Measured(winner) => {
            let measured = matches!(stretch.standing, Standing::Measured(_));
            let verb = match (said_faster, measured, targets > 2) {
                (true, ..) => "",
                (false, false, false) => "is faster ",
                (false, false, true) => "is fastest ",
                (false, true, false) => "measured faster ",
                (false, true, true) => "measured fastest ",
            };
            let verb_zh = match (measured, targets > 2) {
                (false, false) => "更快",
                (false, true) => "最快",
                (true, false) => "测得更快",
                (true, true) => "测得最快",
            };
            let by = how_much(&stretch.comparisons, targets);
            Words::new(
                format!("{winner} {verb}{en} ({})", by.en),
                format!("{zh} {winner} {verb_zh}（{}）", by.zh),
            )
        }
        Standing::MeasuredEqual => {
            let margin = percent(MARGIN);
            Words::new(format!("within {margin} of each other {en}"), format!("{zh}相差不超过 {margin}"))
        }
        Standing::Same => {
            let margin = percent(MARGIN);
            Words::new(format!("the same within ±{margin} {en}"), format!("{zh}相同（±{margin} 以内）"))
        }
        Standing::Inconclusive => {
            let by = how_much(&stretch.comparisons, targets);
            let runs = stretch.comparisons.iter().filter_map(|c| c.runs_needed).max();
            let more = runs
                .map(|n| Words::new(format!(", about {n} runs might decide"), format!("，约需 {n} 次运行")));
            let more = more.unwrap_or_else(|| Words::new("", ""));
            Words::new(
                format!("inconclusive {en} ({}{})", by.en, more.en),
                format!("{zh}无法定论（{}{}）", by.zh, more.zh),
            )
        }
        Standing::Withheld => Words::new(
            format!("no verdict {en} because the generator was the bottleneck"),
            format!("{zh}不作判断，因为瓶颈在发压端"),
        ),
    }
}

/// `1.07x to 1.41x [1.33, 1.50] at 64`: the range, and the interval of the largest.
fn how_much(comparisons: &[Comparison], targets: usize) -> Words {
    let mut sorted: Vec<&Comparison> = comparisons.iter().collect();
    sorted.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
    let (Some(least), Some(most)) = (sorted.first(), sorted.last()) else { return Words::new("", "") };
    let interval = match (most.low, most.high) {
        (Some(low), Some(high)) => format!(" [{}, {}]", ratio(low), ratio(high)),
        _ => String::new(),
    };
    let (low, high, at) = (ratio(least.ratio), ratio(most.ratio), count(most.threads.into()));
    let range = if comparisons.len() == 1 {
        Words::new(format!("{high}x{interval}"), format!("{high} 倍{interval}"))
    } else if low == high {
        Words::new(format!("{high}x{interval} at {at}"), format!("{high} 倍{interval}，{at} 个客户端"))
    } else {
        Words::new(
            format!("{low}x to {high}x{interval} at {at}"),
            format!("{low} 到 {high} 倍{interval}，后者为 {at} 个客户端"),
        )
    };
    if targets > 2 && comparisons.len() == 1 {
        let next = &most.base;
        return Words::new(format!("{} the next, {next}", range.en), format!("{}，其次为 {next}", range.zh));
    }
    if targets > 2 {
        return Words::new(format!("{} over the next", range.en), format!("{}，与其次者相比", range.zh));
    }
    range
}

/// One clause per target with cells of which every run failed.
fn failures(cells: &[&CellSummary]) -> Vec<Words> {
    let mut targets: Vec<(&str, Vec<u32>, &str)> = Vec::new();
    for cell in cells.iter().filter(|c| c.completed() == 0) {
        let Some(first) = cell.failures.first() else { continue };
        match targets.iter_mut().find(|(target, ..)| *target == cell.target) {
            Some((_, threads, _)) => threads.push(cell.threads),
            None => targets.push((&cell.target, vec![cell.threads], &first.failure.message)),
        }
    }
    let clause = |(target, threads, why): (&str, Vec<u32>, &str)| {
        let place = match threads.as_slice() {
            [_] => Place::Point.words(&threads),
            _ => Place::Scattered.words(&threads),
        };
        Words::new(
            format!("{target} failed {} ({why})", place.en),
            format!("{target} 在 {}失败（{why}）", place.zh),
        )
    };
    targets.into_iter().map(clause).collect()
}
