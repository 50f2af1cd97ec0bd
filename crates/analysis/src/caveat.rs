//! What can be wrong with a cell's figures: one list of rules.
//!
//! A caveat stands beside the figure it concerns. `Note` informs, `Warn` costs the green light, `Invalid` means that
//! the figure does not describe the server.

mod surroundings;

use model::{Plan, PlannedTrial, TargetKind, TrialResult, WorkloadSpec};
use serde::{Deserialize, Serialize};

use crate::Words;
use crate::input::TrialInput;
use crate::open_loop;
use crate::summary::CellSummary;
use crate::text::{count, figure, percent, seconds};
use crate::tpcc::{self, TypeSummary};

/// How much a caveat matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Good to know.
    Note,
    /// Not fit to decide on without thinking about it.
    Warn,
    /// The figure is not about the server.
    Invalid,
}

/// Something that a reader of a figure must know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Caveat {
    /// Which rule: stable, for files and filters.
    pub id: String,
    /// How much it matters.
    pub severity: Severity,
    /// The sentence.
    pub text: Words,
    /// The numbers behind it.
    pub evidence: Vec<Evidence>,
}

/// A number behind a caveat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// What it is, with its unit last.
    pub name: String,
    /// The number.
    pub value: f64,
}

/// What a rule may look at.
pub(crate) struct Context<'a> {
    pub plan: &'a Plan,
    pub planned: &'a [&'a PlannedTrial],
    pub cell: &'a CellSummary,
    pub completed: &'a [&'a TrialInput<'a>],
}

struct Found {
    severity: Severity,
    text: Words,
    evidence: Vec<(&'static str, f64)>,
}

/// Finds one thing or nothing.
type Rule = fn(&Context<'_>) -> Option<Found>;

/// Every rule, with the id of what it finds.
const RULES: [(&str, Rule); 26] = [
    ("no_transactions", no_transactions),
    (INCONSISTENT, inconsistent),
    ("check_missing", check_missing),
    ("tpcc_limits", tpcc_limits),
    ("tpcc_mix", tpcc_mix),
    (GENERATOR_BOTTLENECK, generator_bottleneck),
    ("overload", overload),
    ("late_timers", late_timers),
    ("littles_law", littles_law),
    ("cpu_contention", cpu_contention),
    ("other_processes", surroundings::other_processes),
    ("steal", surroundings::steal),
    ("swap", surroundings::swap),
    ("clock_steps", surroundings::clock_steps),
    ("connections_lost", connections_lost),
    ("saturated_histogram", saturated_histogram),
    ("interrupted", interrupted),
    ("some_runs_failed", some_runs_failed),
    ("errors", errors),
    ("warmup_not_over", warmup_not_over),
    ("trend", trend),
    ("short_window", short_window),
    ("few_transactions", few_transactions),
    ("few_runs", few_runs),
    ("data_not_restored", data_not_restored),
    ("histograms_lost", histograms_lost),
];

/// The rule that makes comparisons withhold their verdict.
pub const GENERATOR_BOTTLENECK: &str = "generator_bottleneck";

/// The rule that says that a database came out of a run damaged.
pub const INCONSISTENT: &str = "inconsistent";

/// Share of one CPU above which a worker has no time left to notice answers promptly.
const WORKER_BUSY_MAX: f64 = 0.9;
/// Share of the window that workers may wait for a CPU.
const RUN_QUEUE_SHARE_MAX: f64 = 0.1;
/// Seconds below which a window cannot show flushing, checkpoints or rotation.
const WINDOW_S_MIN: f64 = 10.0;
const TRANSACTIONS_MIN: u64 = 100;
/// A percentile p needs 10 / (1 - p) values for ten to lie beyond it: 1,000 for p99.
const TRANSACTIONS_FOR_P99: u64 = 1_000;
const LITTLE_DEVIATION_MAX: f64 = 0.05;
const ERROR_SHARE_MAX: f64 = 0.01;
const TREND_MAX: f64 = 0.1;
const WARMUP_CHANGE_MAX: f64 = 0.1;
/// Runs from which an interval is worth deciding on.
pub const RUNS_MIN: u32 = 3;

/// Every caveat of a cell, worst first. A cell without a completed run has none: it has failures.
pub(crate) fn find(context: &Context<'_>) -> Vec<Caveat> {
    if context.completed.is_empty() {
        return Vec::new();
    }
    let mut caveats: Vec<Caveat> = RULES
        .iter()
        .filter_map(|(id, rule)| {
            let found = rule(context)?;
            let evidence =
                found.evidence.into_iter().map(|(name, value)| Evidence { name: name.to_owned(), value });
            Some(Caveat {
                id: (*id).to_owned(),
                severity: found.severity,
                text: found.text,
                evidence: evidence.collect(),
            })
        })
        .collect();
    caveats.sort_by_key(|c| std::cmp::Reverse(c.severity));
    caveats
}

fn generator_bottleneck(c: &Context<'_>) -> Option<Found> {
    let busiest = c.cell.generator?.busiest_worker;
    (busiest > WORKER_BUSY_MAX).then(|| {
        let share = percent(busiest);
        Found {
            severity: Severity::Invalid,
            text: Words::new(
                format!(
                    "the generator was the bottleneck: a worker used {share} of a CPU; give it more workers or a \
                     machine of its own"
                ),
                format!("瓶颈在发压端：某个工作线程用了 {share} 的 CPU；请增加工作线程或使用单独的机器"),
            ),
            evidence: vec![("busiest_worker", busiest)],
        }
    })
}

/// An open loop whose backlog was not worked off, so that its response times tell the length of the run as much as the
/// server; or one with a backlog that was.
fn overload(c: &Context<'_>) -> Option<Found> {
    let open = c.cell.open_loop.as_ref()?;
    if open.caught_up() {
        let evidence = vec![("backlog_max", open.backlog_max as f64)];
        return Some(Found { severity: Severity::Note, text: open.backlog(), evidence });
    }
    open.overloaded().then(|| Found {
        severity: Severity::Warn,
        text: open.overload(),
        evidence: vec![("unstarted", open.unstarted as f64), ("offered", open.offered as f64)],
    })
}

/// Response times hold what the generator's own timers add.
fn late_timers(c: &Context<'_>) -> Option<Found> {
    let timers = c.completed.iter().filter_map(|t| t.result.open_loop.map(|open| open.timer));
    let worst = timers.filter(open_loop::timers_late).map(|timer| timer.p99_ns).max()?;
    let ms = figure(worst as f64 / 1e6);
    Some(Found {
        severity: Severity::Warn,
        text: Words::new(
            format!(
                "the generator started transactions late although a client was free (p99 {ms} ms): its machine was busy"
            ),
            format!("客户端空闲时发压端仍延迟开始事务（p99 {ms} 毫秒）：其主机繁忙"),
        ),
        evidence: vec![("timer_p99_ms", worst as f64 / 1e6)],
    })
}

/// N = X R for a closed loop without think time (Little, 1961). Transactions that straddle an end of the window are
/// counted whole or not at all, so that much deviation is allowed on top.
fn littles_law(c: &Context<'_>) -> Option<Found> {
    let thinking = c.plan.load.think_s > 0.0
        || tpcc::options(c.plan, c.planned).is_some_and(|options| options.think > 0.0);
    if c.plan.load.rate.is_some() || c.plan.load.events > 0 || thinking {
        return None;
    }
    let deviation = |t: &TrialResult| {
        let response = &t.operations.first()?.response;
        // Clients that are connecting, or wait to try again, are not in a transaction.
        if response.count == 0 || t.reconnects > 0 || t.measured_s <= 0.0 {
            return None;
        }
        let clients = f64::from(t.cell.threads);
        let found = response.count as f64 / t.measured_s * response.mean_ns / 1e9;
        // One that straddles the beginning can be as long as the longest; among many it is an ordinary long one.
        let straddler_ns =
            if response.count < TRANSACTIONS_FOR_P99 { response.max_ns } else { response.p99_ns };
        let edges_ns = straddler_ns as f64 + t.in_flight_longest_ns.map_or(response.mean_ns, |ns| ns as f64);
        let allowed = LITTLE_DEVIATION_MAX + edges_ns / 1e9 / t.measured_s;
        let deviation = (clients - found).abs() / clients;
        (deviation > allowed).then_some((deviation, found))
    };
    let worst = c.completed.iter().filter_map(|t| deviation(t.result)).max_by(|a, b| a.0.total_cmp(&b.0));
    worst.map(|(deviation, found)| Found {
        severity: Severity::Invalid,
        text: Words::new(
            format!(
                "the figures do not add up: throughput times response time gives {} clients, {} were running \
                 (Little's law)",
                figure(found),
                count(c.cell.threads.into())
            ),
            format!(
                "数据不自洽：吞吐量乘以响应时间得 {} 个客户端，实际为 {} 个（利特尔法则）",
                figure(found),
                count(c.cell.threads.into())
            ),
        ),
        evidence: vec![("deviation", deviation), ("clients_by_littles_law", found)],
    })
}

/// A run that ended as planned and did nothing measured nothing.
fn no_transactions(c: &Context<'_>) -> Option<Found> {
    let runs = c.completed.iter().filter(|t| t.result.transactions == 0).count();
    let of = c.completed.len();
    (runs > 0).then(|| Found {
        severity: Severity::Invalid,
        text: Words::new(
            format!("no transaction completed in {runs} of {of} runs"),
            format!("{of} 次运行中有 {runs} 次没有事务完成"),
        ),
        evidence: vec![("runs_without_transactions", runs as f64)],
    })
}

/// The conditions of clause 3.3.2 did not hold after a run: what was measured was not this workload's work.
fn inconsistent(c: &Context<'_>) -> Option<Found> {
    let consistency = c.cell.tpcc.as_ref()?.consistency.as_ref()?;
    let first = consistency.violated.first()?;
    let (holding, checked) = (consistency.holding, consistency.checked);
    Some(Found {
        severity: Severity::Invalid,
        text: Words::new(
            format!("the database is inconsistent, {holding} of {checked} conditions hold: {first}"),
            format!("数据库不一致，{checked} 个条件中 {holding} 个成立：{first}"),
        ),
        evidence: vec![("conditions_holding", holding.into()), ("conditions_checked", checked.into())],
    })
}

/// Whether the database came out whole was asked and is not known.
fn check_missing(c: &Context<'_>) -> Option<Found> {
    let missing = c.cell.tpcc.as_ref()?.check_missing.as_ref()?;
    let (runs, of, reason) = (missing.runs, c.completed.len(), &missing.reason);
    Some(Found {
        severity: Severity::Warn,
        text: Words::new(
            format!(
                "the consistency check was asked for, could not be made after {runs} of {of} runs: {reason}"
            ),
            format!("要求了一致性检查，但 {of} 次运行中有 {runs} 次无法完成：{reason}"),
        ),
        evidence: vec![("runs_unchecked", runs.into())],
    })
}

/// Clause 5.2.5.3: 90 % of the response times of each type within its limit.
fn tpcc_limits(c: &Context<'_>) -> Option<Found> {
    let beyond = c.cell.tpcc.as_ref()?.types.iter().filter(|t| !t.limit_kept);
    let times = |t: &TypeSummary| t.response.p90_ms / t.limit_s;
    let worst = beyond.max_by(|a, b| times(a).total_cmp(&times(b)))?;
    let (title, p90_s) = (&worst.title, worst.response.p90_ms / 1e3);
    let (limit, found) = (seconds(worst.limit_s), seconds(p90_s));
    Some(Found {
        severity: Severity::Warn,
        text: Words::new(
            format!(
                "TPC-C's response-time limit is not kept: p90 of {title} is {found}, allowed are {limit}"
            ),
            format!("未满足 TPC-C 的响应时间限制：{title} 的 p90 为 {found}，上限为 {limit}"),
        ),
        evidence: vec![("p90_s", p90_s), ("limit_s", worst.limit_s)],
    })
}

/// Clause 5.2.3: the least shares of the mix. A deck gives exact shares, so only a deck of another mix or a very short run
/// misses them by more than a rounding.
fn tpcc_mix(c: &Context<'_>) -> Option<Found> {
    const ROUNDING_PCT: f64 = 0.2;
    let types = &c.cell.tpcc.as_ref()?.types;
    let short = types.iter().find(|t| t.mix_pct + ROUNDING_PCT < t.mix_least_pct)?;
    let (title, share, least) = (&short.title, short.mix_pct, short.mix_least_pct);
    Some(Found {
        severity: Severity::Warn,
        text: Words::new(
            format!(
                "the mix is not TPC-C's: {title} is {share:.1} % of it, at least {least:.0} % are asked for"
            ),
            format!("事务比例不符合 TPC-C：{title} 占 {share:.1} %，至少应为 {least:.0} %"),
        ),
        evidence: vec![("mix_pct", share), ("least_pct", least)],
    })
}

fn cpu_contention(c: &Context<'_>) -> Option<Found> {
    let share = |t: &TrialResult| {
        let available_s = t.measured_s * f64::from(t.generator.workers);
        if available_s > 0.0 { t.generator.run_queue_wait_s / available_s } else { 0.0 }
    };
    let worst = c.completed.iter().map(|t| share(t.result)).fold(0.0, f64::max);
    if worst <= RUN_QUEUE_SHARE_MAX {
        return None;
    }
    let shared = percent(worst);
    let sandboxed = c
        .plan
        .targets
        .iter()
        .any(|t| t.target.label == c.cell.target && matches!(t.target.kind, TargetKind::Sandbox(_)));
    let (severity, text) = if sandboxed {
        // What the server takes, the generator cannot have: normal here, and the same for every sandboxed target.
        let en = format!(
            "generator and server share this machine and its CPUs were saturated: workers waited {shared} of the time"
        );
        let zh = format!("发压端与服务器共用本机，CPU 已饱和：工作线程有 {shared} 的时间在等待 CPU");
        (Severity::Note, Words::new(en, zh))
    } else {
        let en = format!(
            "the generator's machine was overloaded: workers waited {shared} of the time for a CPU, latencies \
             include that"
        );
        let zh = format!("发压端机器过载：工作线程有 {shared} 的时间在等待 CPU，延迟中包含了这部分");
        (Severity::Warn, Words::new(en, zh))
    };
    Some(Found { severity, text, evidence: vec![("run_queue_wait_share", worst)] })
}

fn saturated_histogram(c: &Context<'_>) -> Option<Found> {
    let saturated: u64 = c
        .completed
        .iter()
        .flat_map(|t| &t.result.operations)
        .map(|o| o.response.saturated + o.service.saturated)
        .sum();
    (saturated > 0).then(|| Found {
        severity: Severity::Warn,
        text: Words::new(
            format!("{} latencies were longer than an hour and count as an hour", count(saturated)),
            format!("有 {} 个延迟超过一小时，按一小时计", count(saturated)),
        ),
        evidence: vec![("saturated", saturated as f64)],
    })
}

fn interrupted(c: &Context<'_>) -> Option<Found> {
    let runs = c.cell.interrupted;
    (runs > 0).then(|| Found {
        severity: Severity::Warn,
        text: Words::new(
            format!("{runs} of {} runs were interrupted and do not count", c.cell.planned),
            format!("{} 次运行中有 {runs} 次被中断，未计入", c.cell.planned),
        ),
        evidence: vec![("interrupted", runs.into())],
    })
}

/// Connections that ended without being asked to: what they were at had to begin again, and connecting takes time.
fn connections_lost(c: &Context<'_>) -> Option<Found> {
    /// CR_SERVER_GONE_ERROR and CR_SERVER_LOST, ER_SERVER_SHUTDOWN, ER_CONNECTION_KILLED, and being thrown out for idleness.
    const CODES: [u16; 5] = [2006, 2013, 1053, 1927, 4031];
    let lost: u64 = c.cell.errors.iter().filter(|e| CODES.contains(&e.code)).map(|e| e.count).sum();
    let why = &c.cell.errors.iter().find(|e| CODES.contains(&e.code))?.message;
    let (connections, all) =
        if lost == 1 { ("connection was", "它") } else { ("connections were", "它们") };
    let times = count(lost);
    Some(Found {
        severity: Severity::Warn,
        text: Words::new(
            format!("{times} {connections} lost and opened again ({why})"),
            format!("{times} 个连接中断后重新建立（{why}），结果包含{all}的影响"),
        ),
        evidence: vec![("connections_lost", lost as f64)],
    })
}

fn some_runs_failed(c: &Context<'_>) -> Option<Found> {
    let first = c.cell.failures.first()?;
    let (runs, planned, why) = (c.cell.failures.len(), c.cell.planned, &first.failure.message);
    Some(Found {
        severity: Severity::Warn,
        text: Words::new(
            format!("{runs} of {planned} runs failed and do not count: {why}"),
            format!("{planned} 次运行中有 {runs} 次失败，未计入：{why}"),
        ),
        evidence: vec![("failed", runs as f64)],
    })
}

fn errors(c: &Context<'_>) -> Option<Found> {
    let errors: u64 = c.cell.errors.iter().map(|e| e.count).sum();
    let transactions: u64 = c.completed.iter().map(|t| t.result.transactions).sum();
    let share = errors as f64 / (errors + transactions).max(1) as f64;
    let most = c.cell.errors.first()?;
    (share > ERROR_SHARE_MAX).then(|| Found {
        severity: Severity::Warn,
        text: Words::new(
            format!(
                "{} of the transactions tried met an error, most often {} ({})",
                percent(share),
                most.code,
                most.message
            ),
            format!("{} 的事务遇到错误，最多的是 {}（{}）", percent(share), most.code, most.message),
        ),
        evidence: vec![("error_share", share)],
    })
}

fn varies_by_itself(c: &Context<'_>) -> bool {
    c.plan.load.rate.as_ref().is_some_and(|rate| !rate.is_steady())
}

/// The beginning of the window differs from the rest, as a cache that fills makes it: MSER says where it ends.
fn warmup_not_over(c: &Context<'_>) -> Option<Found> {
    /// Seconds of which one value is made in long runs.
    const BATCH: usize = 5;
    const LONG: usize = 100;
    /// Share of the window.
    const BEGINNING: f64 = 0.4;
    if varies_by_itself(c) {
        return None;
    }
    let beginning = |t: &TrialInput<'_>| {
        let measured: Vec<_> = t.intervals.iter().filter(|i| !i.warmup && i.length_s > 0.5).collect();
        let per_s: Vec<f64> = measured.iter().map(|i| i.transactions as f64 / i.length_s).collect();
        // A change in the middle is no warm-up, see `trend`.
        let cut = stats::warmup(&per_s, if per_s.len() < LONG { 1 } else { BATCH })
            .filter(|cut| (*cut as f64) < BEGINNING * per_s.len() as f64)?;
        let (first, rest) = per_s.split_at(cut);
        let (first_mean, rest_mean) = (stats::mean(first)?, stats::mean(rest)?);
        let change = first_mean / rest_mean - 1.0;
        let chance = 3.0 * stats::sd(rest)? / rest_mean / (cut as f64).sqrt();
        let cut_s: f64 = measured[..cut].iter().map(|i| i.length_s).sum();
        (change.is_finite() && change.abs() > WARMUP_CHANGE_MAX.max(chance)).then_some((cut_s, change))
    };
    let (cut_s, change) =
        c.completed.iter().filter_map(|t| beginning(t)).max_by(|a, b| a.0.total_cmp(&b.0))?;
    let (en, zh) = if change < 0.0 { ("slower", "低") } else { ("faster", "高") };
    let (share, cut) = (percent(change.abs()), seconds(cut_s));
    let enough = (c.plan.load.warmup_s + cut_s).ceil();
    Some(Found {
        severity: Severity::Warn,
        text: Words::new(
            format!(
                "the warm-up was not over: the first {cut} of the window were {share} {en} than the rest; \
                 --warmup-time {enough}"
            ),
            format!("预热不足：测量窗口的前 {cut} 比其余部分{zh} {share}；建议 --warmup-time {enough}"),
        ),
        evidence: vec![("unsettled_s", cut_s), ("change", change)],
    })
}

/// The last third of the window against the first: a cache still warming, or data still growing.
fn trend(c: &Context<'_>) -> Option<Found> {
    // What is offered differs from second to second, and so does what is done.
    if varies_by_itself(c) || warmup_not_over(c).is_some() {
        return None;
    }
    let change = |t: &TrialInput<'_>| {
        let measured: Vec<_> = t.intervals.iter().filter(|i| !i.warmup).collect();
        let third = measured.len() / 3;
        if third < 3 {
            return None;
        }
        let sum = |part: &[&model::Interval]| {
            let length_s: f64 = part.iter().map(|i| i.length_s).sum();
            let transactions = part.iter().map(|i| i.transactions).sum::<u64>() as f64;
            (transactions, transactions / length_s)
        };
        let (first, first_per_s) = sum(&measured[..third]);
        let (last, last_per_s) = sum(&measured[measured.len() - third..]);
        if first < 1.0 || last < 1.0 {
            return None;
        }
        let change = last_per_s / first_per_s - 1.0;
        // Counting alone scatters: three standard errors of the ratio of two Poisson counts.
        let chance = 3.0 * (1.0 / first + 1.0 / last).sqrt();
        (change.abs() > TREND_MAX.max(chance)).then_some(change)
    };
    let worst = c.completed.iter().filter_map(|t| change(t)).max_by(|a, b| a.abs().total_cmp(&b.abs()))?;
    let (en, zh) = if worst > 0.0 { ("rose", "上升") } else { ("fell", "下降") };
    let share = percent(worst.abs());
    Some(Found {
        severity: Severity::Warn,
        text: Words::new(
            format!(
                "throughput {en} by {share} within the window: it had not settled; warm up or run longer"
            ),
            format!("测量期间吞吐量{zh}了 {share}：尚未稳定，请延长预热或测量时间"),
        ),
        evidence: vec![("change", worst)],
    })
}

fn short_window(c: &Context<'_>) -> Option<Found> {
    let shortest = c.completed.iter().map(|t| t.result.measured_s).fold(f64::INFINITY, f64::min);
    // A limit of transactions is the user's own choice of when to stop.
    (c.plan.load.events == 0 && shortest < WINDOW_S_MIN).then(|| Found {
        severity: Severity::Warn,
        text: Words::new(
            format!("a window of {} is too short to show checkpoints and log rotation", seconds(shortest)),
            format!("测量时间只有 {}，看不到检查点和日志轮换的影响", seconds(shortest)),
        ),
        evidence: vec![("measured_s", shortest)],
    })
}

fn few_transactions(c: &Context<'_>) -> Option<Found> {
    let transactions: u64 = c.completed.iter().map(|t| t.result.transactions).sum();
    let (severity, percentiles) = match transactions {
        0..TRANSACTIONS_MIN => (Severity::Warn, "every percentile"),
        TRANSACTIONS_MIN..TRANSACTIONS_FOR_P99 => (Severity::Note, "p99 and beyond"),
        _ => return None,
    };
    let zh = if severity == Severity::Warn { "所有百分位数" } else { "p99 及以上" };
    Some(Found {
        severity,
        text: Words::new(
            format!("only {} transactions: too few samples for {percentiles}", count(transactions)),
            format!("只有 {} 个事务：样本太少，{zh}不可靠", count(transactions)),
        ),
        evidence: vec![("transactions", transactions as f64)],
    })
}

fn few_runs(c: &Context<'_>) -> Option<Found> {
    let runs = c.cell.completed();
    let text = match runs {
        1 => Words::new("a single run: no interval is possible", "单次运行：无法给出置信区间"),
        n if n < RUNS_MIN => {
            Words::new(format!("only {n} runs: the interval is wide"), format!("只有 {n} 次运行：区间较宽"))
        }
        _ => return None,
    };
    Some(Found { severity: Severity::Warn, text, evidence: vec![("runs", runs.into())] })
}

/// Later trials meet what earlier ones wrote. How much that matters depends on whether the tables keep their size.
fn data_not_restored(c: &Context<'_>) -> Option<Found> {
    let writes = |planned: &PlannedTrial| {
        c.plan.workloads.get(planned.workload as usize).filter(|workload| workload.writes())
    };
    let earlier = |index: u32| {
        let before = c.plan.trials.iter().filter(|p| p.index < index && p.cell.target == c.cell.target);
        before.filter_map(writes).collect::<Vec<_>>()
    };
    let met: Vec<&WorkloadSpec> = c
        .completed
        .iter()
        .filter(|t| !t.result.data_restored && c.planned.iter().any(|p| p.index == t.result.index))
        .flat_map(|t| earlier(t.result.index))
        .collect();
    if met.is_empty() {
        return None;
    }
    let (severity, en, zh) = if met.iter().any(|workload| workload.changes_row_count()) {
        (Severity::Warn, "the tables had changed in size", "表的大小已改变")
    } else {
        (Severity::Note, "the tables kept their size", "表的大小不变")
    };
    Some(Found {
        severity,
        text: Words::new(
            format!("data were not restored: earlier trials had written to them ({en})"),
            format!("运行前未恢复数据：之前的运行已写入（{zh}）"),
        ),
        evidence: vec![("writing_trials_before", met.len() as f64)],
    })
}

fn histograms_lost(c: &Context<'_>) -> Option<Found> {
    (c.cell.operations.is_empty() && c.cell.completed() > 1).then(|| Found {
        severity: Severity::Warn,
        text: Words::new(
            "latencies of a run are lost, so there are no percentiles over all runs",
            "某次运行的延迟直方图缺失，无法给出所有运行合并后的百分位数",
        ),
        evidence: Vec::new(),
    })
}
