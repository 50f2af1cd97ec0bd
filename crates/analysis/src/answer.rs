//! The answer in one sentence: who is faster, where, by how much, and how sure that is.

mod clause;
mod lead;
mod open;

use model::Calibration;

use crate::Words;
use crate::compare::{self, Comparison, MARGIN, Verdict};
use crate::input::Measure;
use crate::metric::{Metric, RESPONSE_P95, THROUGHPUT};
use crate::summary::CellSummary;
use crate::text::{clients, count, figure, list, percent};
use crate::tpcc::TpccSummary;

/// Answers the question of a run or a sweep from its cells. One clause per workload; failed cells are named.
pub fn answer(cells: &[CellSummary]) -> Words {
    answer_against(cells, None)
}

/// The same of an experiment, whose first arm is what every other one is compared with.
pub fn answer_against(cells: &[CellSummary], base: Option<&str>) -> Words {
    let judge = Judge { cells };
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
            let clause = workload_answer(&judge, &own, base);
            if workloads.len() == 1 {
                return clause;
            }
            Words::new(format!("{workload}: {}", clause.en), format!("{workload}：{}", clause.zh))
        })
        .collect();
    let joined = Words::join(&clauses, ". ", "。");
    if let Some(lead) = base.and_then(|base| lead::lead(cells, base)) {
        return Words::new(
            format!("{}; {}.", capitalised(&lead.en), joined.en),
            format!("{}；{}。", lead.zh, joined.zh),
        );
    }
    let begins_with_name = workloads.len() > 1 || cells.iter().any(|c| joined.en.starts_with(&c.target));
    let en = if begins_with_name { joined.en } else { capitalised(&joined.en) };
    Words::new(format!("{en}."), format!("{}。", joined.zh))
}

fn capitalised(sentence: &str) -> String {
    let mut chars = sentence.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// What every clause judges by: verdicts of two targets are those of all cells of the report, as in its tables.
struct Judge<'a> {
    cells: &'a [CellSummary],
}

impl Judge<'_> {
    /// Two targets in one cell. What is decided stands as winner over loser, single trials as the better over the other,
    /// everything else as the later target over the earlier one.
    fn between(&self, next: &CellSummary, best: &CellSummary, metric: &Metric) -> Option<Comparison> {
        let place = |label: &str| self.cells.iter().position(|cell| cell.target == label);
        let in_order = place(&next.target) <= place(&best.target);
        let (base, other) = if in_order { (next, best) } else { (best, next) };
        let all = compare::compare(self.cells, metric, &base.target, &other.target);
        let own = |c: &Comparison| c.workload == best.workload && c.threads == best.threads;
        let found = all.into_iter().find(own)?;
        let flip = match found.verdict {
            Verdict::Worse => true,
            Verdict::SingleRun => found.other != best.target,
            Verdict::Better | Verdict::Same | Verdict::Inconclusive | Verdict::Withheld => false,
        };
        Some(if flip { found.flipped() } else { found })
    }
}

/// Cells that are valid, if there are so many; otherwise all.
fn valid_or_all<'a>(cells: &[&'a CellSummary], least: usize) -> Vec<&'a CellSummary> {
    let valid: Vec<&CellSummary> = cells.iter().copied().filter(|cell| cell.is_valid()).collect();
    if valid.iter().filter(|cell| cell.completed() > 0).count() >= least { valid } else { cells.to_vec() }
}

/// How much of its machine the generator used at most, and how near it came to its ceiling where that is known; none if
/// nothing completed. Each cell comes with the calibration of the machine it was recorded on.
pub fn generator_share(cells: &[(&CellSummary, Option<&Calibration>)]) -> Option<Words> {
    let share = cells.iter().filter_map(|(c, _)| c.generator).map(|g| g.host_share).reduce(f64::max)?;
    let share = percent(share);
    let used = |(c, calibration): &(&CellSummary, Option<&Calibration>)| {
        let calibration = calibration.filter(|calibration| calibration.ceiling_per_cpu() > 0.0)?;
        let ceiling = calibration.ceiling_per_cpu();
        // More workers than CPUs take turns.
        let cpus = c.generator?.workers.min(calibration.cpus).max(1);
        Some((c.queries_per_s?.mean / (f64::from(cpus) * ceiling), ceiling))
    };
    let of_ceiling = cells.iter().filter_map(used).max_by(|a, b| a.0.total_cmp(&b.0));
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
fn workload_answer(judge: &Judge<'_>, cells: &[&CellSummary], base: Option<&str>) -> Words {
    let mut targets: Vec<&str> = Vec::new();
    for cell in cells.iter().filter(|c| c.completed() > 0) {
        if !targets.contains(&cell.target.as_str()) {
            targets.push(&cell.target);
        }
    }
    let mut clauses = match targets.as_slice() {
        [] => vec![Words::new("nothing completed", "没有任何单元完成")],
        [one] => vec![single_target(&valid_or_all(cells, 1), one)],
        [_, _] => between_targets(judge, cells, 2),
        several => match base.filter(|base| several.contains(base)) {
            Some(base) => against(judge, cells, base, several),
            None => between_targets(judge, cells, several.len()),
        },
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
    if height.mean == 0.0 {
        return Words::new(
            format!("{target} completed no transaction"),
            format!("{target} 没有完成任何事务"),
        );
    }
    let (value, at, spread) = (figure(height.mean), clients(peak.threads), spread(height));
    let threads = count(peak.threads.into());
    if let (1, Some(tpcc)) = (curve.len(), &peak.tpcc) {
        return single_tpcc(target, peak, tpcc);
    }
    if curve.len() == 1 {
        if peak.open_loop.is_some() {
            return open::single_cell(target, peak, height);
        }
        let own = peak.transaction().map(|t| t.response.p95_ns as f64);
        let p95 = own.or_else(|| Some(peak.measure(&RESPONSE_P95)?.mean)).map(|ns| figure(ns / 1e6));
        let (p95, p95_zh) =
            p95.map_or_else(Default::default, |ms| (format!(", p95 {ms} ms"), format!("，p95 {ms} 毫秒")));
        return Words::new(
            format!("{target}: {value} transactions/s {}{p95}, at {at}", spread.en),
            format!("{target}：{threads} 个客户端时 {value} 事务/秒{}{p95_zh}", spread.zh),
        );
    }
    if open::is_open(cells) {
        return open::single_target(target, &curve);
    }
    let mut parts = vec![Words::new(
        format!("{target} peaks at {value} transactions/s {} with {at}", spread.en),
        format!("{target} 在 {threads} 个客户端时达到峰值 {value} 事务/秒{}", spread.zh),
    )];
    let knee = curve.iter().find(|(_, m)| m.mean >= KNEE * height.mean);
    if let Some((knee, reached)) = knee.filter(|(c, _)| c.threads < peak.threads) {
        let (share, threads) = (percent(reached.mean / height.mean), count(knee.threads.into()));
        let reach = if knee.threads == 1 { "reaches" } else { "reach" };
        parts.push(Words::new(
            format!("{} {reach} {share} of it", clients(knee.threads)),
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
        tpcc.tpmc.map_or(("0".to_owned(), Words::new("", "")), |m| (figure(m.mean), spread(&m)));
    let p90 = tpcc.new_order().map_or_else(
        || Words::new("no New-Order completed", "没有 New-Order 完成"),
        |t| {
            let p90 = figure(t.response.p90_ms);
            Words::new(format!("New-Order p90 {p90} ms"), format!("New-Order p90 {p90} 毫秒"))
        },
    );
    let (terminals, plural) = (count(cell.threads.into()), if cell.threads == 1 { "" } else { "s" });
    Words::new(
        format!("{target}: {value} tpmC {}, {}, at {terminals} terminal{plural}", spread.en, p90.en),
        format!("{target}：{terminals} 个终端时 {value} tpmC{}，{}", spread.zh, p90.zh),
    )
}

/// `[880, 928]`, or why there is no interval.
fn spread(measure: &Measure) -> Words {
    match (measure.low, measure.high) {
        (Some(low), Some(high)) if low >= 0.0 => {
            let interval = format!("[{}, {}]", figure(low), figure(high));
            Words::new(interval.clone(), format!(" {interval}"))
        }
        (Some(_), Some(_)) => {
            Words::new("(too few trials for an interval)", "（试验次数太少，无法给出置信区间）")
        }
        _ => Words::new("(a single trial, no interval)", "（单次试验，无置信区间）"),
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
    /// Of an open loop: who kept up with what was offered, and who did not.
    KeepsUp {
        kept: Vec<String>,
        behind: Vec<String>,
        rate: String,
    },
}

/// Neighbouring numbers of clients with the same standing.
struct Stretch {
    standing: Standing,
    threads: Vec<u32>,
    /// As [`Judge::between`] gives them.
    comparisons: Vec<Comparison>,
}

impl Stretch {
    /// What counted as the same.
    fn margin(&self) -> f64 {
        self.comparisons.first().map_or(MARGIN, |c| c.margin)
    }

    /// Of a single number of clients.
    fn of(comparison: Comparison) -> Self {
        let standing = match comparison.verdict {
            Verdict::Better => Standing::Faster(comparison.other.clone()),
            Verdict::Worse => Standing::Faster(comparison.base.clone()),
            Verdict::Inconclusive => Standing::Inconclusive,
            Verdict::Same => Standing::Same,
            Verdict::Withheld => Standing::Withheld,
            Verdict::SingleRun if comparison.ratio.max(1.0 / comparison.ratio) <= 1.0 + MARGIN => {
                Standing::MeasuredEqual
            }
            Verdict::SingleRun => Standing::Measured(comparison.other.clone()),
        };
        Self { standing, threads: vec![comparison.threads], comparisons: vec![comparison] }
    }

    /// Whether two stretches say the same, by the same metric and for the same reason.
    fn is_like(&self, other: &Self) -> bool {
        let said =
            |stretch: &Self| stretch.comparisons.first().map(|c| (c.metric.clone(), c.withheld.clone()));
        self.standing == other.standing && said(self) == said(other)
    }

    fn append(&mut self, more: Self) {
        self.threads.extend(more.threads);
        self.comparisons.extend(more.comparisons);
    }

    /// Response times are compared, not throughput.
    fn by_response(&self) -> bool {
        self.comparisons.first().is_some_and(|c| c.metric == RESPONSE_P95.id)
    }
}

/// Every other target against the base.
fn against(judge: &Judge<'_>, cells: &[&CellSummary], base: &str, targets: &[&str]) -> Vec<Words> {
    let others = targets.iter().filter(|target| **target != base);
    let clause = |other: &&str| {
        let pair: Vec<&CellSummary> =
            cells.iter().copied().filter(|c| c.target == base || c.target == **other).collect();
        let said = Words::join(&between_targets(judge, &pair, 2), "; ", "；");
        Words::new(
            format!("{other} against {base}: {}", said.en),
            format!("{other} 对比 {base}：{}", said.zh),
        )
    };
    others.map(clause).collect()
}

fn between_targets(judge: &Judge<'_>, cells: &[&CellSummary], targets: usize) -> Vec<Words> {
    let mut threads: Vec<u32> = cells.iter().map(|c| c.threads).collect();
    threads.sort_unstable();
    threads.dedup();
    let compared: Vec<Stretch> = threads.iter().filter_map(|&n| best_and_next(judge, cells, n)).collect();
    if compared.is_empty() {
        let en = "no number of clients completed on two targets";
        return vec![Words::new(en, "没有任何并发数在两个目标上都完成")];
    }
    let overloaded = if open::is_open(cells) { open::overloaded_everywhere(cells, &compared) } else { None };
    let single_runs = compared.iter().flat_map(|s| &s.comparisons).any(|c| c.verdict == Verdict::SingleRun);
    let mut stretches = stretches(compared);
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
        let clause = clause::clause(stretch, &place.words(&stretch.threads), targets, !winners.is_empty());
        match stretch.standing {
            Standing::Faster(_) | Standing::Measured(_) | Standing::KeepsUp { .. } => winners.push(clause),
            _ => others.push(clause),
        }
    }
    // What is decided comes first.
    let mut clauses = Vec::new();
    if !winners.is_empty() {
        clauses.push(Words::join(&winners, ", ", "，"));
    }
    clauses.append(&mut others);
    clauses.extend(overloaded);
    if single_runs {
        let first = &clauses[0];
        clauses[0] = Words::new(
            format!("single trials, so no interval is possible: {}", first.en),
            format!("单次试验，无法给出置信区间：{}", first.zh),
        );
    }
    clauses
}

/// The fastest target and the next one; none unless two completed.
fn best_and_next(judge: &Judge<'_>, cells: &[&CellSummary], threads: u32) -> Option<Stretch> {
    let here: Vec<&CellSummary> = cells.iter().copied().filter(|c| c.threads == threads).collect();
    let here = valid_or_all(&here, 2);
    if open::is_open(cells) {
        return open::best_and_next(judge, &here);
    }
    let mut own: Vec<(&CellSummary, f64)> =
        here.into_iter().filter_map(|c| Some((c, c.throughput_per_s?.mean))).collect();
    own.sort_by(|a, b| b.1.total_cmp(&a.1));
    match own.as_slice() {
        [(best, _), (next, _), ..] => judge.between(next, best, &THROUGHPUT).map(Stretch::of),
        _ => None,
    }
}

fn stretches(compared: Vec<Stretch>) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    for one in compared {
        match stretches.last_mut().filter(|s| s.is_like(&one)) {
            Some(same) => same.append(one),
            None => stretches.push(one),
        }
    }
    stretches
}

/// Stretches of the same standing put together, wherever they lie.
fn gathered(stretches: Vec<Stretch>) -> Vec<Stretch> {
    let mut gathered: Vec<Stretch> = Vec::new();
    for stretch in stretches {
        match gathered.iter_mut().find(|s| s.is_like(&stretch)) {
            Some(same) => same.append(stretch),
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
    /// These numbers of clients, named one by one.
    fn of(threads: &[u32]) -> Words {
        if threads.len() == 1 { Self::Point.words(threads) } else { Self::Scattered.words(threads) }
    }

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

/// One clause per target with cells of which every trial failed.
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
        let place = Place::of(&threads);
        Words::new(
            format!("{target} failed {} ({why})", place.en),
            format!("{target} 在 {}失败（{why}）", place.zh),
        )
    };
    targets.into_iter().map(clause).collect()
}
