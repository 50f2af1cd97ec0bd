//! What is seen while a run goes on: a consumer of the event stream, like the recording.
//!
//! Everything goes to standard error; results alone go to standard output. A display that cannot write is no reason to
//! stop a run, so errors of writing are ignored here.

mod counts;
mod interval;
mod live;
pub mod loading;
mod out;
pub mod phrase;
mod remaining;
mod terminal;
mod usage;
mod view;

use model::{
    CellKey, Event, EventKind, Failure, Interval, OperationKind, Outcome, Plan, ServerFacts, TargetKind,
    TrialResult,
};

use interval::Merger;
use live::Live;
use out::Out;
pub use out::Voice;
use phrase::{bytes, duration};

/// Seconds between two lines about loading where nothing is drawn.
const LOADING_LINE_MS: u64 = 10_000;

/// What the user wants to see.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Seconds of an interval line; none: no such lines.
    pub interval_s: Option<u32>,
    /// Percentile in interval lines.
    pub percentile: f64,
}

/// The screen of one run: lines that stay, and on a terminal, below them, what goes on now.
pub struct Screen {
    plan: Plan,
    merger: Option<Merger>,
    percentile: f64,
    out: Out,
    done: u32,
    live: Live,
    loading_shown_ms: u64,
}

impl Screen {
    /// On standard error.
    pub fn new(plan: &Plan, settings: Settings) -> Self {
        Self::over(plan, settings, Out::stderr())
    }

    fn over(plan: &Plan, settings: Settings, out: Out) -> Self {
        Self {
            plan: plan.clone(),
            merger: settings.interval_s.filter(|seconds| *seconds > 0).map(Merger::new),
            percentile: settings.percentile,
            out,
            done: 0,
            live: Live::new(plan),
            loading_shown_ms: 0,
        }
    }

    /// For sentences that do not come from an event.
    pub fn voice(&self) -> Voice {
        self.out.voice()
    }

    /// Shows an event.
    pub fn event(&mut self, event: &Event) {
        self.lines(event);
        let Out::Terminal(canvas) = &mut self.out else { return };
        self.live.event(event);
        if matches!(
            event.kind,
            EventKind::RunFinished { .. } | EventKind::RunFailed { .. } | EventKind::Interrupted
        ) {
            canvas.close();
        } else {
            let look = canvas.look();
            canvas.draw(view::lines(&self.live, look));
        }
    }

    /// Leaves the terminal as it was found.
    pub fn close(&mut self) {
        if let Out::Terminal(canvas) = &self.out {
            canvas.close();
        }
    }

    /// Lines that stay.
    fn lines(&mut self, event: &Event) {
        match &event.kind {
            EventKind::RunStarted { run, trials, done } => {
                self.done = *done;
                if *done > 0 {
                    self.out.line(&format!("{run}: {done} of {trials} cells are done already"));
                }
            }
            EventKind::ServerReady { target, facts, address } => {
                let line = self.server_line(target, facts, address);
                self.out.line(&line);
            }
            EventKind::DataStarted { .. } => self.loading_shown_ms = event.elapsed_ms,
            EventKind::DataProgress { target, rows_done, rows } => {
                self.loading(event.elapsed_ms, target, *rows_done, *rows);
            }
            EventKind::DataReady { target, seconds, reused } => {
                let how = if *reused { "there already" } else { "loaded" };
                self.out.line(&format!("data     {target}: {how}, {}", duration(*seconds)));
            }
            EventKind::Caution { target, text } => {
                let target = target.as_ref().map(|target| format!("{target}: ")).unwrap_or_default();
                self.out.line(&format!("! {target}{text}"));
            }
            EventKind::TrialStarted { .. } => {
                if let Some(merger) = &mut self.merger {
                    merger.restart();
                }
            }
            EventKind::Interval { interval, .. } => self.interval(interval),
            EventKind::PlanGrown { trials, text } => {
                self.plan.trials.extend_from_slice(trials);
                let count = trials.len();
                self.out.line(&format!("+ {count} {}  {text}", if count == 1 { "cell" } else { "cells" }));
            }
            EventKind::TrialFinished { result, .. } => self.finished(result),
            EventKind::ServerStarting { .. }
            | EventKind::ServerStopped { .. }
            | EventKind::TrialConnected { .. }
            | EventKind::Observation { .. }
            | EventKind::RunFinished { .. }
            | EventKind::RunFailed { .. }
            | EventKind::Interrupted => {}
        }
    }

    fn is_terminal(&self) -> bool {
        matches!(self.out, Out::Terminal(_))
    }

    /// What tells this cell from the others of the plan.
    fn cell(&self, cell: &CellKey) -> String {
        let mut text = cell.target.clone();
        if self.plan.workloads.len() > 1 {
            text = format!("{text} {}", cell.workload);
        }
        let clients = if cell.threads == 1 { "client" } else { "clients" };
        text = format!("{text} {} {clients}", cell.threads);
        if self.plan.trials.iter().any(|trial| trial.cell.repeat > 1) {
            text = format!("{text}, run {}", cell.repeat);
        }
        text
    }

    fn server_line(&self, target: &str, facts: &ServerFacts, address: &str) -> String {
        let labels = self.plan.targets.iter().map(|one| one.target.label.chars().count());
        let width = labels.max().unwrap_or(0);
        let named = self.plan.targets.iter().find(|one| one.target.label == target);
        let place = match named.map(|one| &one.target.kind) {
            Some(TargetKind::Sandbox(sandbox)) => {
                let over = if sandbox.tcp { "TCP" } else { "socket" };
                let on = if sandbox.place.is_default() { "" } else { ", " };
                format!("sandbox, {over}{on}{}", sandbox.place)
            }
            _ => address.to_owned(),
        };
        let binlog = if facts.binlog { "on" } else { "off" };
        let tls = if facts.tls_cipher.is_some() { "on" } else { "off" };
        format!(
            "{target:<width$}  {}  {place}, buffer pool {}, {} (binary log {binlog}), TLS {tls}",
            facts.version,
            bytes(facts.buffer_pool_bytes),
            facts.durability.describe(),
        )
    }

    fn loading(&mut self, elapsed_ms: u64, target: &str, done: u64, rows: u64) {
        if self.is_terminal() || elapsed_ms < self.loading_shown_ms + LOADING_LINE_MS {
            return;
        }
        self.loading_shown_ms = elapsed_ms;
        let share = if rows == 0 { 1.0 } else { done as f64 / rows as f64 };
        self.out.line(&format!(
            "data     {target}: {:.0} % of {} rows",
            share * 100.0,
            phrase::thousands(rows)
        ));
    }

    fn interval(&mut self, interval: &Interval) {
        if let Some(line) = self.merger.as_mut().and_then(|merger| merger.add(interval, self.percentile)) {
            self.out.line(&line);
        }
    }

    fn finished(&mut self, result: &TrialResult) {
        self.done += 1;
        let head = format!("{} of {} cells  {}", self.done, self.plan.trials.len(), self.cell(&result.cell));
        match &result.outcome {
            Outcome::Failed(failure) => self.failed(&head, failure),
            Outcome::Interrupted => self.out.line(&format!("{head}  interrupted: {}", figures(result))),
            // On a terminal, the figures were there all the time.
            Outcome::Completed if !self.is_terminal() && self.plan.trials.len() > 1 => {
                self.out.line(&format!("{head}  {}", figures(result)));
            }
            Outcome::Completed => {}
        }
    }

    fn failed(&mut self, head: &str, failure: &Failure) {
        self.out.line(&format!("! {head}  failed: {}", failure.message));
        for line in failure.hint.iter().flat_map(|hint| hint.lines()) {
            self.out.line(&format!("    {line}"));
        }
    }
}

fn figures(result: &TrialResult) -> String {
    let tps = result.transactions as f64 / result.measured_s.max(f64::EPSILON);
    let transaction = result.operations.iter().find(|operation| operation.kind == OperationKind::Transaction);
    let p95_ms = transaction.map_or(0.0, |operation| operation.response.p95_ns as f64 / 1e6);
    format!("{tps:.1} tps  p95 {p95_ms:.1} ms")
}

#[cfg(test)]
mod live_tests;
#[cfg(test)]
mod tests;
