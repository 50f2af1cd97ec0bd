//! The answer in one sentence: who is faster, where, by how much, and how sure that is.

mod lead;
mod open;

use model::Calibration;

use crate::Words;
use crate::compare::{self, Comparison, MARGIN, Verdict};
use crate::input::Measure;
use crate::metric::{RESPONSE_P95, THROUGHPUT};
use crate::summary::CellSummary;
use crate::text::{clients, count, figure, list, percent, ratio};
use crate::tpcc::TpccSummary;

/// Answers the question of a run or a sweep from its cells. One clause per workload; failed cells are named.
pub fn answer(cells: &[CellSummary]) -> Words {
    answer_against(cells, None)
}

/// The same of an experiment, whose first arm is what every other one is compared with.
pub fn answer_against(cells: &[CellSummary], base: Option<&str>) -> Words {
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
            let clause = workload_answer(&own, base);
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
fn workload_answer(cells: &[&CellSummary], base: Option<&str>) -> Words {
    let mut targets: Vec<&str> = Vec::new();
    for cell in cells.iter().filter(|c| c.completed() > 0) {
        if !targets.contains(&cell.target.as_str()) {
            targets.push(&cell.target);
        }
    }
    let mut clauses = match targets.as_slice() {
        [] => vec![Words::new("nothing completed", "没有任何单元完成")],
        [one] => vec![single_target(cells, one)],
        [_, _] => between_targets(cells, 2),
        several => match base.filter(|base| several.contains(base)) {
            Some(base) => against(cells, base, several),
            None => between_targets(cells, several.len()),
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
        return Words::new(format!("{target}: no transaction completed"), format!("{target}：没有事务完成"));
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
    /// The fastest over the next.
    comparisons: Vec<Comparison>,
}

impl Stretch {
    /// Of a single number of clients.
    fn of(comparison: Comparison) -> Self {
        let standing = match comparison.verdict {
            Verdict::Better => Standing::Faster(comparison.other.clone()),
            // Repeats whose geometric and arithmetic means disagree on the order: too close to call either way.
            Verdict::Worse | Verdict::Inconclusive => Standing::Inconclusive,
            Verdict::Same => Standing::Same,
            Verdict::Withheld => Standing::Withheld,
            Verdict::SingleRun if comparison.ratio.max(1.0 / comparison.ratio) <= 1.0 + MARGIN => {
                Standing::MeasuredEqual
            }
            Verdict::SingleRun => Standing::Measured(comparison.other.clone()),
        };
        Self { standing, threads: vec![comparison.threads], comparisons: vec![comparison] }
    }

    /// Whether two stretches say the same, by the same metric.
    fn is_like(&self, other: &Self) -> bool {
        let metric = |stretch: &Self| stretch.comparisons.first().map(|c| c.metric.clone());
        self.standing == other.standing && metric(self) == metric(other)
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
fn against(cells: &[&CellSummary], base: &str, targets: &[&str]) -> Vec<Words> {
    let others = targets.iter().filter(|target| **target != base);
    let clause = |other: &&str| {
        let pair: Vec<&CellSummary> =
            cells.iter().copied().filter(|c| c.target == base || c.target == **other).collect();
        let said = Words::join(&between_targets(&pair, 2), "; ", "；");
        Words::new(
            format!("{other} against {base}: {}", said.en),
            format!("{other} 对比 {base}：{}", said.zh),
        )
    };
    others.map(clause).collect()
}

fn between_targets(cells: &[&CellSummary], targets: usize) -> Vec<Words> {
    let mut threads: Vec<u32> = cells.iter().map(|c| c.threads).collect();
    threads.sort_unstable();
    threads.dedup();
    let compared: Vec<Stretch> = threads.iter().filter_map(|&n| best_and_next(cells, n)).collect();
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
        let clause = clause(stretch, &place.words(&stretch.threads), targets, !winners.is_empty());
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
            format!("single runs, so no interval is possible: {}", first.en),
            format!("单次运行，无法给出置信区间：{}", first.zh),
        );
    }
    clauses
}

/// The fastest target over the next one; none unless two completed.
fn best_and_next(cells: &[&CellSummary], threads: u32) -> Option<Stretch> {
    if open::is_open(cells) {
        return open::best_and_next(cells, threads);
    }
    let mut own: Vec<(&CellSummary, f64)> = cells
        .iter()
        .filter(|c| c.threads == threads)
        .filter_map(|c| Some((*c, c.throughput_per_s?.mean)))
        .collect();
    own.sort_by(|a, b| b.1.total_cmp(&a.1));
    match own.as_slice() {
        [(best, _), (next, _), ..] => {
            compare::compare_cells(next, best, &THROUGHPUT, compare::Judgement::default()).map(Stretch::of)
        }
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

fn clause(stretch: &Stretch, place: &Words, targets: usize, said_faster: bool) -> Words {
    let (en, zh) = (&place.en, &place.zh);
    match &stretch.standing {
        Standing::Faster(winner) | Standing::Measured(winner) => {
            let measured = matches!(stretch.standing, Standing::Measured(_));
            let response = stretch.by_response();
            let verb = match (said_faster && !response, measured, targets > 2) {
                (true, ..) => "",
                (false, false, false) if response => "answers sooner ",
                (false, false, true) if response => "answers soonest ",
                (false, false, false) => "is faster ",
                (false, false, true) => "is fastest ",
                (false, true, false) if response => "was measured to answer sooner ",
                (false, true, true) if response => "was measured to answer soonest ",
                (false, true, false) => "measured faster ",
                (false, true, true) => "measured fastest ",
            };
            let verb_zh = match (measured, targets > 2) {
                (false, false) if response => "响应更快",
                (false, true) if response => "响应最快",
                (true, false) if response => "测得响应更快",
                (true, true) if response => "测得响应最快",
                (false, false) => "更快",
                (false, true) => "最快",
                (true, false) => "测得更快",
                (true, true) => "测得最快",
            };
            let by = how_much(stretch, targets);
            Words::new(
                format!("{winner} {verb}{en} ({})", by.en),
                format!("{zh} {winner} {verb_zh}（{}）", by.zh),
            )
        }
        Standing::MeasuredEqual => {
            let (margin, what) = (percent(MARGIN), what_is_compared(stretch));
            Words::new(
                format!("{}within {margin} of each other {en}", what.en.trim_start()),
                format!("{zh}{}相差不超过 {margin}", what.zh),
            )
        }
        Standing::Same => {
            let (margin, what) = (percent(MARGIN), what_is_compared(stretch));
            Words::new(
                format!("the same{}within ±{margin} {en}", what.en),
                format!("{zh}{}相同（±{margin} 以内）", what.zh),
            )
        }
        Standing::Inconclusive => {
            let by = how_much(stretch, targets);
            let runs = stretch.comparisons.iter().filter_map(|c| c.runs_needed).max();
            let more = runs
                .map(|n| Words::new(format!(", about {n} runs might decide"), format!("，约需 {n} 次运行")));
            let more = more.unwrap_or_else(|| Words::new("", ""));
            Words::new(
                format!("inconclusive {en} ({}{})", by.en, more.en),
                format!("{zh}无法定论（{}{}）", by.zh, more.zh),
            )
        }
        Standing::KeepsUp { kept, behind, rate } => open::keeps_up_clause(kept, behind, rate, place),
        Standing::Withheld => Words::new(
            format!("no verdict {en} because the generator was the bottleneck"),
            format!("{zh}不作判断，因为瓶颈在发压端"),
        ),
    }
}

/// `1.07x to 1.41x [1.33, 1.50] at 64`: the range, and the interval of the largest.
fn how_much(stretch: &Stretch, targets: usize) -> Words {
    let mut sorted = stretch.comparisons.clone();
    let response = stretch.by_response();
    if response {
        // The slower over the faster: how much longer it takes to answer.
        for c in &mut sorted {
            (c.ratio, c.low, c.high) = (1.0 / c.ratio, c.high.map(f64::recip), c.low.map(f64::recip));
        }
    }
    sorted.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
    let (Some(least), Some(most)) = (sorted.first(), sorted.last()) else { return Words::new("", "") };
    let interval = match (most.low, most.high) {
        (Some(low), Some(high)) => format!(" [{}, {}]", ratio(low), ratio(high)),
        _ => String::new(),
    };
    let (low, high, at) = (ratio(least.ratio), ratio(most.ratio), count(most.threads.into()));
    let range = if sorted.len() == 1 {
        Words::new(format!("{high}x{interval}"), format!("{high} 倍{interval}"))
    } else if low == high {
        Words::new(format!("{high}x{interval} at {at}"), format!("{high} 倍{interval}，{at} 个客户端"))
    } else {
        Words::new(
            format!("{low}x to {high}x{interval} at {at}"),
            format!("{low} 到 {high} 倍{interval}，后者为 {at} 个客户端"),
        )
    };
    if response {
        let who = if targets > 2 && sorted.len() > 1 {
            Words::new("the next", "其次者")
        } else {
            Words::new(most.base.clone(), format!("{} ", most.base))
        };
        return Words::new(
            format!("p95 of {} {}", who.en, range.en),
            format!("{}的 p95 为其 {}", who.zh, range.zh),
        );
    }
    if targets > 2 && sorted.len() == 1 {
        let next = &most.base;
        return Words::new(format!("{} the next, {next}", range.en), format!("{}，其次为 {next}", range.zh));
    }
    if targets > 2 {
        return Words::new(format!("{} over the next", range.en), format!("{}，与其次者相比", range.zh));
    }
    range
}

/// Nothing for throughput, which is what is meant where nothing is said.
fn what_is_compared(stretch: &Stretch) -> Words {
    if stretch.by_response() { Words::new(" p95 ", " p95 ") } else { Words::new(" ", "") }
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
        let place = Place::of(&threads);
        Words::new(
            format!("{target} failed {} ({why})", place.en),
            format!("{target} 在 {}失败（{why}）", place.zh),
        )
    };
    targets.into_iter().map(clause).collect()
}
