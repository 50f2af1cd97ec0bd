//! Figures of an open loop: how much was offered, how much never started, and how late the rest was.

use messages::message;
use model::{LatencySummary, LoadShape, OpenLoop, TrialResult};
use serde::{Deserialize, Serialize};

use crate::Words;
use crate::input::TrialInput;
use messages::number::percent;

/// Share of the due transactions that may remain unstarted at the end: those of the last instant always do. In small trials
/// that is less than one, so as many as there are clients may remain in any case.
pub(crate) const UNSTARTED_MAX: f64 = 0.001;
/// Share of the due transactions of a trial that may wait at a time without a caveat.
pub(crate) const BACKLOG_MAX: f64 = 0.01;
/// Timers that are later than this make response times the generator's.
pub(crate) const TIMER_P99_MAX_NS: u64 = 1_000_000;

/// The open loop of a cell, over its completed runs.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenSummary {
    /// Mean rate that the plan asks for, transactions per second.
    pub rate_per_s: f64,
    /// Runs.
    #[serde(default)]
    pub runs: u32,
    /// Transactions due in the measured windows.
    pub offered: u64,
    /// Those of them that were never started.
    pub unstarted: u64,
    /// So many that were never started say nothing: as many as can be in flight, over all runs.
    #[serde(default)]
    pub unstarted_allowed: u64,
    /// The largest backlog of any run.
    pub backlog_max: u64,
    /// At the end of some run it was still at least half of its largest.
    #[serde(default)]
    pub backlog_stayed: bool,
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

/// The summary; none for a closed loop.
pub(crate) fn summarise(load: &LoadShape, completed: &[&TrialInput<'_>]) -> Option<OpenSummary> {
    let rate = load.rate.as_ref()?;
    let runs: Vec<(&TrialResult, OpenLoop)> =
        completed.iter().filter_map(|t| Some((t.result, t.result.measured.open_loop?))).collect();
    if runs.is_empty() {
        return None;
    }
    let worst = |of: fn(&OpenLoop) -> u64| runs.iter().map(|(_, open)| of(open)).max().unwrap_or(0);
    let worst_ms = |of: fn(&OpenLoop) -> u64| worst(of) as f64 / 1e6;
    // Clients that wait for a place in flight take nothing on.
    let places = load.in_flight.unwrap_or(u32::MAX);
    let measured_s =
        runs.iter().map(|(result, _)| result.measured.measured_s).sum::<f64>() / runs.len() as f64;
    let mut summary = OpenSummary {
        rate_per_s: rate.mean_per_s(measured_s),
        runs: runs.len() as u32,
        offered: runs.iter().map(|(_, open)| open.offered).sum(),
        unstarted: runs.iter().map(|(_, open)| open.unstarted).sum(),
        unstarted_allowed: runs.iter().map(|(result, _)| u64::from(places.min(result.cell.threads))).sum(),
        backlog_max: worst(|open| open.backlog_max),
        backlog_stayed: runs.iter().any(|(_, open)| 2 * open.unstarted >= open.backlog_max),
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

    /// The unstarted transactions in words: they are never rounded down to none.
    fn unstarted_shown(&self) -> String {
        let share = self.unstarted_share();
        match percent(share) {
            shown if shown == "100 %" && self.unstarted < self.offered => {
                let started = 100.0 * (1.0 - share);
                let digits = (-started.log10()).ceil().max(1.0) as usize;
                format!("{:.digits$} %", 100.0 - started)
            }
            shown => shown,
        }
    }

    /// Whether more was due than the server and the clients could handle.
    pub fn overloaded(&self) -> bool {
        self.unstarted_share() > UNSTARTED_MAX && self.unstarted > self.unstarted_allowed
    }

    /// Whether many transactions waited at a time, but all of them started in the end.
    pub(crate) fn caught_up(&self) -> bool {
        let offered = self.offered as f64 / f64::from(self.runs.max(1));
        !self.overloaded()
            && self.backlog_max > self.unstarted_allowed
            && self.backlog_max as f64 > BACKLOG_MAX * offered
    }

    fn sentence(&self) -> Words {
        message!(
            "offered-load",
            offered = Count(self.offered),
            rate = Figure(self.rate_per_s),
            unstarted = Count(self.unstarted),
            backlog = Count(self.backlog_max),
            p50 = Figure(self.late_p50_ms),
            p99 = Figure(self.late_p99_ms),
            max = Figure(self.late_max_ms),
            timer = Figure(self.timer_p99_ms),
        )
    }

    /// The caveat for an offered rate that was too high.
    pub(crate) fn overload(&self) -> Words {
        message!(
            "overload",
            share = Text(self.unstarted_shown()),
            backlog = Count(self.backlog_max),
            stayed = Word(if self.backlog_stayed { "stayed" } else { "shrank" }),
        )
    }

    /// The caveat for an offered rate that was too high for a while.
    pub(crate) fn backlog(&self) -> Words {
        message!("backlog-worked-off", backlog = Count(self.backlog_max))
    }
}

/// Whether the timers of a trial were too late to measure the server's response times.
pub(crate) fn timers_late(timer: &LatencySummary) -> bool {
    timer.p99_ns > TIMER_P99_MAX_NS
}
