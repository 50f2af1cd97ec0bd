//! What happened to the trials of a cell.

use codes::Class;
use model::{PlannedTrial, TargetKind, WorkloadSpec};

use super::{Caveat, Context, Found, RUNS_MIN, Severity, is_worse};
use crate::Words;
use crate::text::{count, list, percent};

/// From this change on the machine drifted: what a tired laptop or a busy neighbour does, and more than repeats scatter.
pub(super) const DRIFT_MAX: f64 = 0.05;
pub(super) const ERROR_SHARE_MAX: f64 = 0.01;

/// Trials that were not valid, by what was found: they leave the figures, not the report.
pub(super) fn set_aside(c: &Context<'_>) -> Option<Found> {
    let aside = &c.cell.set_aside;
    let mut worst: Vec<(Vec<u32>, &Caveat)> = Vec::new();
    for (repeat, reason) in aside.iter().flat_map(|one| one.reasons.iter().map(|r| (one.repeat, r))) {
        match worst.iter_mut().find(|(_, known)| known.id == reason.id) {
            Some((repeats, known)) => {
                repeats.push(repeat);
                if is_worse(reason, known) {
                    *known = reason;
                }
            }
            None => worst.push((vec![repeat], reason)),
        }
    }
    let (n, of) = (aside.len(), aside.len() + c.completed.len());
    let reasons: Vec<Words> =
        worst.iter().map(|(repeats, reason)| of_repeats(&reason.text, repeats)).collect();
    let why = Words::join(&reasons, "; ", "；");
    let verb = if n == 1 { "was not valid and does" } else { "were not valid and do" };
    (n > 0).then(|| Found {
        severity: Severity::Warn,
        text: Words::new(
            format!("{n} of {of} trials {verb} not count: {}", why.en),
            format!("{of} 次试验中有 {n} 次无效，未计入：{}", why.zh),
        ),
        evidence: vec![("trials_set_aside", n as f64)],
    })
}

/// `... (repeats 2 and 4)`.
fn of_repeats(text: &Words, repeats: &[u32]) -> Words {
    let all = list(&repeats.iter().map(ToString::to_string).collect::<Vec<_>>());
    let plural = if repeats.len() == 1 { "" } else { "s" };
    Words::new(format!("{} (repeat{plural} {})", text.en, all.en), format!("{}（第 {} 次）", text.zh, all.zh))
}

pub(super) fn interrupted(c: &Context<'_>) -> Option<Found> {
    let runs = c.cell.interrupted;
    let (verb, does) = if runs == 1 { ("was", "does") } else { ("were", "do") };
    (runs > 0).then(|| Found {
        severity: Severity::Warn,
        text: Words::new(
            format!("{runs} of {} trials {verb} interrupted and {does} not count", c.cell.planned),
            format!("{} 次试验中有 {runs} 次被中断，未计入", c.cell.planned),
        ),
        evidence: vec![("interrupted", runs.into())],
    })
}

pub(super) fn some_runs_failed(c: &Context<'_>) -> Option<Found> {
    let first = c.cell.failures.first()?;
    let (runs, planned, why) = (c.cell.failures.len(), c.cell.planned, &first.failure.message);
    let does = if runs == 1 { "does" } else { "do" };
    Some(Found {
        severity: Severity::Warn,
        text: Words::new(
            format!("{runs} of {planned} trials failed and {does} not count: {why}"),
            format!("{planned} 次试验中有 {runs} 次失败，未计入：{why}"),
        ),
        evidence: vec![("failed", runs as f64)],
    })
}

/// Connections that ended without being asked to: what they were at had to begin again, and connecting takes time.
pub(super) fn connections_lost(c: &Context<'_>) -> Option<Found> {
    const CLASSES: [Class; 3] = [Class::ConnectionLost, Class::ConnectionKilled, Class::Shutdown];
    let is_lost = |code: u16| codes::is(code, &CLASSES);
    let lost: u64 = c.cell.errors.iter().filter(|e| is_lost(e.code)).map(|e| e.count).sum();
    let why = &c.cell.errors.iter().find(|e| is_lost(e.code))?.message;
    let connections = if lost == 1 { "connection was" } else { "connections were" };
    let times = count(lost);
    Some(Found {
        severity: Severity::Warn,
        text: Words::new(
            format!("{times} {connections} lost and opened again ({why})"),
            format!("{times} 个连接中断后重新建立（{why}）"),
        ),
        evidence: vec![("connections_lost", lost as f64)],
    })
}

pub(super) fn errors(c: &Context<'_>) -> Option<Found> {
    let own: u64 = c.cell.errors.iter().map(|e| e.count).sum();
    // Another tool states how many there were, not which.
    let stated: u64 = c.completed.iter().filter_map(|t| t.result.stated.as_ref()?.errors).sum();
    let errors = own + stated;
    let transactions: u64 = c.completed.iter().map(|t| t.result.transactions).sum();
    let share = errors as f64 / (errors + transactions).max(1) as f64;
    let most = c.cell.errors.first().map_or(Words::new("", ""), |most| {
        let (code, message) = (most.code, &most.message);
        Words::new(format!(", most often {code} ({message})"), format!("，最多的是 {code}（{message}）"))
    });
    (share > ERROR_SHARE_MAX).then(|| Found {
        severity: Severity::Warn,
        text: Words::new(
            format!("{} of the attempted transactions failed with an error{}", percent(share), most.en),
            format!("{} 的事务遇到错误{}", percent(share), most.zh),
        ),
        evidence: vec![("error_share", share)],
    })
}

pub(super) fn few_runs(c: &Context<'_>) -> Option<Found> {
    let runs = c.cell.completed();
    let text = match runs {
        1 => Words::new("a single trial: no interval is possible", "单次试验：无法给出置信区间"),
        n if n < RUNS_MIN => {
            Words::new(format!("only {n} trials: the interval is wide"), format!("只有 {n} 次试验：区间较宽"))
        }
        _ => return None,
    };
    Some(Found { severity: Severity::Warn, text, evidence: vec![("runs", runs.into())] })
}

/// The machine at the end was not the one it was at the beginning. Blocks take this out of comparisons as far as it goes
/// slowly; the figures themselves have it.
pub(super) fn drift(c: &Context<'_>) -> Option<Found> {
    let far = |ratio: f64| ratio.ln().abs() > DRIFT_MAX.ln_1p();
    let drift = c.drift?;
    let trend = drift.trend.filter(|t| far(t.value) && (t.low > 1.0 || t.high < 1.0));
    // The first cell once more is a single run: it counts as far as it leaves the scatter of its cell behind.
    let scatter = c.cell.throughput_per_s.and_then(|m| m.relative_half_width()).unwrap_or(DRIFT_MAX);
    let bookend = drift.bookend.filter(|ratio| far(*ratio) && ratio.ln().abs() > 2.0 * scatter);
    let change =
        |ratio: f64| format!("{}{}", if ratio > 1.0 { "+" } else { "-" }, percent((ratio - 1.0).abs()));
    let (en, zh, evidence) = match (trend, bookend) {
        (None, None) => return None,
        (Some(trend), _) => (
            format!(
                "throughput of repeated cells changed by {} [{}, {}] from the first trial to the last",
                change(trend.value),
                change(trend.low),
                change(trend.high)
            ),
            format!(
                "从第一次到最后一次试验，重复单元的吞吐量变化 {} [{}, {}]",
                change(trend.value),
                change(trend.low),
                change(trend.high)
            ),
            ("trend", trend.value),
        ),
        (None, Some(ratio)) => (
            format!("throughput of the first cell, repeated at the end, changed by {}", change(ratio)),
            format!("首个单元在结束时重测，吞吐量变化 {}", change(ratio)),
            ("bookend", ratio),
        ),
    };
    Some(Found {
        severity: Severity::Warn,
        text: Words::new(
            format!(
                "the machine drifted: {en}. Comparisons within a block hold, figures of different blocks differ"
            ),
            format!("机器状态发生漂移：{zh}。区组内的比较仍成立，不同区组的数值有差异"),
        ),
        evidence: vec![evidence],
    })
}

/// Whether a target has the tables of this cell's: arms of one server that somebody else runs do.
fn same_server(c: &Context<'_>, label: &str) -> bool {
    let place = |label: &str| {
        let target = c.plan.targets.iter().find(|one| one.target.label == label)?;
        match &target.target.kind {
            TargetKind::Server(endpoint) => Some((&endpoint.address, &endpoint.database)),
            TargetKind::Sandbox(_) | TargetKind::Imported { .. } => None,
        }
    };
    label == c.cell.target || place(label).is_some_and(|of| Some(of) == place(&c.cell.target))
}

/// Later trials meet what earlier ones wrote. How much that matters depends on whether the tables keep their size.
pub(super) fn data_not_restored(c: &Context<'_>) -> Option<Found> {
    let writes = |planned: &PlannedTrial| {
        c.plan.workloads.get(planned.workload as usize).filter(|workload| workload.writes())
    };
    let earlier = |index: u32| {
        let before = c.plan.trials.iter().filter(|p| p.index < index && same_server(c, &p.cell.target));
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
            format!("the data were not restored: earlier trials had written to them ({en})"),
            format!("试验前未恢复数据：之前的试验已写入（{zh}）"),
        ),
        evidence: vec![("writing_trials_before", met.len() as f64)],
    })
}

/// A file of a completed trial that is not as it was written: what is left of it may pass for the whole.
pub(super) fn damaged_file(c: &Context<'_>) -> Option<Found> {
    let what: Vec<&str> = c.completed.iter().flat_map(|t| t.damaged.iter().map(String::as_str)).collect();
    let (plural, all) = (if what.len() == 1 { "" } else { "s" }, what.join("; "));
    (!what.is_empty()).then(|| Found {
        severity: Severity::Warn,
        text: Words::new(format!("damaged file{plural}: {all}"), format!("文件损坏：{all}")),
        evidence: vec![("files", what.len() as f64)],
    })
}

pub(super) fn histograms_lost(c: &Context<'_>) -> Option<Found> {
    // Other tools print no histograms that could be merged.
    let own = c.plan.imported.is_none();
    (own && c.cell.operations.is_empty() && c.cell.completed() > 1).then(|| Found {
        severity: Severity::Warn,
        text: Words::new(
            "the histograms of a trial are lost, so there are no percentiles over all trials",
            "某次试验的延迟直方图缺失，无法给出所有试验合并后的百分位数",
        ),
        evidence: Vec::new(),
    })
}
