//! What an open loop adds to a cell: how much was offered, what was never started, and how late the rest was.

use model::{LatencySummary, OpenLoop, Plan, TrialResult};
use serde::{Deserialize, Serialize};

use crate::Words;
use crate::summary::TrialInput;
use crate::text::{count, figure, percent};

/// Of the transactions due, the share that may be left at the end: those of the last instant always are.
const UNSTARTED_MAX: f64 = 0.001;
/// Timers that are later than this make response times the generator's.
const TIMER_P99_MAX_NS: u64 = 1_000_000;

/// The open loop of a cell, over its completed runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenSummary {
    /// Mean rate that the plan asks for, transactions per second.
    pub rate_per_s: f64,
    /// Transactions due in the measured windows.
    pub offered: u64,
    /// Those of them that were never started.
    pub unstarted: u64,
    /// The largest backlog of any run.
    pub backlog_max: u64,
    /// From due to started, the worst run: median, milliseconds.
    pub late_p50_ms: f64,
    /// The 99th percentile.
    pub late_p99_ms: f64,
    /// The longest.
    pub late_max_ms: f64,
    /// 99th percentile of those for which a client was waiting, the worst run, milliseconds: the error of the timers.
    pub timer_p99_ms: f64,
    /// All of it in a sentence.
    pub says: Words,
}

/// The summary; none of a closed loop.
pub(crate) fn summarise(plan: &Plan, completed: &[&TrialInput<'_>]) -> Option<OpenSummary> {
    let rate = plan.load.rate.as_ref()?;
    let runs: Vec<(&TrialResult, OpenLoop)> =
        completed.iter().filter_map(|t| Some((t.result, t.result.open_loop?))).collect();
    if runs.is_empty() {
        return None;
    }
    let worst = |of: fn(&OpenLoop) -> u64| runs.iter().map(|(_, open)| of(open)).max().unwrap_or(0);
    let worst_ms = |of: fn(&OpenLoop) -> u64| worst(of) as f64 / 1e6;
    let measured_s = runs.iter().map(|(result, _)| result.measured_s).sum::<f64>() / runs.len() as f64;
    let mut summary = OpenSummary {
        rate_per_s: rate.mean_per_s(measured_s),
        offered: runs.iter().map(|(_, open)| open.offered).sum(),
        unstarted: runs.iter().map(|(_, open)| open.unstarted).sum(),
        backlog_max: worst(|open| open.backlog_max),
        late_p50_ms: worst_ms(|open| open.lateness.p50_ns),
        late_p99_ms: worst_ms(|open| open.lateness.p99_ns),
        late_max_ms: worst_ms(|open| open.lateness.max_ns),
        timer_p99_ms: worst_ms(|open| open.timer.p99_ns),
        says: Words::new("", ""),
    };
    summary.says = summary.sentence();
    Some(summary)
}

impl OpenSummary {
    /// Share of the transactions due that were never started.
    pub fn unstarted_share(&self) -> f64 {
        if self.offered > 0 { self.unstarted as f64 / self.offered as f64 } else { 0.0 }
    }

    /// Whether more was due than the server and the clients could take.
    pub fn overloaded(&self) -> bool {
        self.unstarted_share() > UNSTARTED_MAX
    }

    fn sentence(&self) -> Words {
        let (rate, offered) = (figure(self.rate_per_s), count(self.offered));
        let (unstarted, backlog) = (count(self.unstarted), count(self.backlog_max));
        let [p50, p99, max, timer] =
            [self.late_p50_ms, self.late_p99_ms, self.late_max_ms, self.timer_p99_ms].map(figure);
        Words::new(
            format!(
                "{offered} transactions were due ({rate}/s), {unstarted} of them never started, backlog up to {backlog}; \
                 from due to started p50 {p50}, p99 {p99}, max {max} ms, of it the timers p99 {timer} ms"
            ),
            format!(
                "应执行 {offered} 个事务（{rate}/秒），其中 {unstarted} 个未开始，积压最多 {backlog}；从应开始到开始 p50 {p50}、p99 {p99}、\
                 最长 {max} 毫秒，其中定时器 p99 {timer} 毫秒"
            ),
        )
    }

    /// What a reader must know if the offered rate was too much.
    pub(crate) fn overload(&self) -> Words {
        let share = percent(self.unstarted_share());
        Words::new(
            format!(
                "the offered rate was too much: {share} of what was due was never started, and response times grow as long \
                 as the run lasts; offer less, or use more --threads if the server has room"
            ),
            format!(
                "提供的速率过高：{share} 的事务未能开始，响应时间随运行时长增长；请降低速率，若服务器仍有余力可增加 --threads"
            ),
        )
    }
}

/// Whether the timers of a run were too late to tell the server's response times.
pub(crate) fn timers_late(timer: &LatencySummary) -> bool {
    timer.p99_ns > TIMER_P99_MAX_NS
}
