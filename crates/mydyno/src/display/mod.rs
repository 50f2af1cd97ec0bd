//! What is seen while a run goes on: a consumer of the event stream, like the recording.
//!
//! Everything goes to standard error; results alone go to standard output. A display that cannot write is no reason to
//! stop a run, so errors of writing are ignored here.

mod interval;
pub mod loading;
pub mod phrase;

use std::io::{IsTerminal, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use model::{
    CellKey, Event, EventKind, Failure, Interval, OperationKind, Outcome, Plan, ServerFacts, TargetKind,
    TrialResult,
};

use interval::Merger;
use phrase::{bytes, duration};

/// Steps of the bar within one trial.
const STEPS: u64 = 1000;
/// Seconds between two lines about loading where there is no bar.
const LOADING_LINE_MS: u64 = 10_000;

/// What the user wants to see.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Seconds of an interval line; none: no such lines.
    pub interval_s: Option<u32>,
    /// Percentile in interval lines.
    pub percentile: f64,
}

/// The screen of one run.
pub struct Screen<'a> {
    plan: &'a Plan,
    merger: Option<Merger>,
    percentile: f64,
    out: Out,
    done: u32,
    /// The trial that is running, and when it began.
    current: Option<(u32, u64)>,
    /// Durations of finished trials, for the time left.
    finished_ms: Vec<u64>,
    loading_shown_ms: u64,
}

enum Out {
    Bar(ProgressBar),
    Lines(Box<dyn Write>),
}

impl Out {
    fn line(&mut self, text: &str) {
        match self {
            Self::Bar(bar) => bar.suspend(|| write_line(&mut std::io::stderr(), text)),
            Self::Lines(to) => write_line(to, text),
        }
    }

    fn is_bar(&self) -> bool {
        matches!(self, Self::Bar(_))
    }

    fn message(&self, text: String) {
        if let Self::Bar(bar) = self {
            bar.set_message(text);
        }
    }

    fn position(&self, steps: u64) {
        if let Self::Bar(bar) = self {
            bar.set_position(steps);
        }
    }
}

fn write_line(to: &mut dyn Write, text: &str) {
    // See the head of the file: a display that cannot write stops nothing.
    let _ = writeln!(to, "{text}");
}

impl<'a> Screen<'a> {
    /// A bar if standard error is a terminal, plain lines otherwise.
    pub fn new(plan: &'a Plan, settings: Settings) -> Self {
        let out = if std::io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(
                Some(plan.trials.len() as u64 * STEPS),
                ProgressDrawTarget::stderr(),
            );
            let style =
                ProgressStyle::with_template("[{bar:20}] {wide_msg}").expect("the template is well formed");
            bar.set_style(style.progress_chars("#>."));
            Out::Bar(bar)
        } else {
            Out::Lines(Box::new(std::io::stderr()))
        };
        Self::over(plan, settings, out)
    }

    fn over(plan: &'a Plan, settings: Settings, out: Out) -> Self {
        Self {
            plan,
            merger: settings.interval_s.filter(|seconds| *seconds > 0).map(Merger::new),
            percentile: settings.percentile,
            out,
            done: 0,
            current: None,
            finished_ms: Vec::new(),
            loading_shown_ms: 0,
        }
    }

    /// Shows an event.
    pub fn event(&mut self, event: &Event) {
        match &event.kind {
            EventKind::RunStarted { run, trials, done } => {
                self.done = *done;
                if *done > 0 {
                    self.out.line(&format!("{run}: {done} of {trials} cells are done already"));
                }
            }
            EventKind::ServerStarting { target } => self.out.message(format!("starting {target}")),
            EventKind::ServerReady { target, facts, address } => {
                let line = self.server_line(target, facts, address);
                self.out.line(&line);
            }
            EventKind::DataStarted { target, rows } => {
                self.loading_shown_ms = event.elapsed_ms;
                self.out.message(format!("loading {} rows into {target}", phrase::thousands(*rows)));
            }
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
            EventKind::TrialStarted { index, cell } => {
                self.current = Some((*index, event.elapsed_ms));
                if let Some(merger) = &mut self.merger {
                    merger.restart();
                }
                self.out.message(format!("{}  {}: connecting", self.progress(), self.cell(cell)));
            }
            EventKind::Interval { interval, .. } => self.interval(event.elapsed_ms, interval),
            EventKind::TrialFinished { result, .. } => self.finished(event.elapsed_ms, result),
            EventKind::RunFinished { .. } | EventKind::RunFailed { .. } | EventKind::Interrupted => {
                self.close()
            }
            EventKind::ServerStopped { .. }
            | EventKind::TrialConnected { .. }
            | EventKind::Observation { .. } => {}
        }
    }

    /// Leaves the terminal as it was found.
    pub fn close(&mut self) {
        if let Out::Bar(bar) = &self.out {
            bar.finish_and_clear();
        }
    }

    fn progress(&self) -> String {
        format!("{} of {} cells", self.done, self.plan.trials.len())
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
            Some(TargetKind::Sandbox(sandbox)) if sandbox.tcp => "sandbox, TCP".to_owned(),
            Some(TargetKind::Sandbox(_)) => "sandbox, socket".to_owned(),
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
        let share = if rows == 0 { 1.0 } else { done as f64 / rows as f64 };
        let text = format!("data     {target}: {:.0} % of {} rows", share * 100.0, phrase::thousands(rows));
        if self.out.is_bar() {
            self.out.message(text);
        } else if elapsed_ms >= self.loading_shown_ms + LOADING_LINE_MS {
            self.loading_shown_ms = elapsed_ms;
            self.out.line(&text);
        }
    }

    fn interval(&mut self, elapsed_ms: u64, interval: &Interval) {
        if let Some(line) = self.merger.as_mut().and_then(|merger| merger.add(interval, self.percentile)) {
            self.out.line(&line);
        }
        let Some((index, started_ms)) = self.current.filter(|_| self.out.is_bar()) else { return };
        let Some(trial) = self.plan.trials.get(index as usize) else { return };
        let share = (interval.end_s / self.trial_s()).clamp(0.0, 1.0);
        self.out.position(u64::from(self.done) * STEPS + (share * STEPS as f64) as u64);
        let warmup = if interval.warmup { "warm-up  " } else { "" };
        self.out.message(format!(
            "{}  {}  {warmup}{:.0} tps  p95 {:.1} ms   {} left",
            self.progress(),
            self.cell(&trial.cell),
            interval.transactions as f64 / interval.length_s.max(f64::EPSILON),
            interval.response.p95_ns as f64 / 1e6,
            duration(self.left_s(elapsed_ms.saturating_sub(started_ms))),
        ));
    }

    /// Planned seconds of one trial.
    fn trial_s(&self) -> f64 {
        let load = &self.plan.load;
        (load.warmup_s + load.time_s).max(1.0)
    }

    /// Seconds to the end of the plan, as far as the trials so far allow to say.
    fn left_s(&self, current_ms: u64) -> f64 {
        let mean_s = match self.finished_ms.as_slice() {
            [] => self.trial_s(),
            finished => finished.iter().sum::<u64>() as f64 / 1e3 / finished.len() as f64,
        };
        let left = self.plan.trials.len().saturating_sub(self.done as usize);
        (mean_s * left as f64 - current_ms as f64 / 1e3).max(0.0)
    }

    fn finished(&mut self, elapsed_ms: u64, result: &TrialResult) {
        self.done += 1;
        if let Some((_, started_ms)) = self.current.take() {
            self.finished_ms.push(elapsed_ms.saturating_sub(started_ms));
        }
        self.out.position(u64::from(self.done) * STEPS);
        let head = format!("{}  {}", self.progress(), self.cell(&result.cell));
        match &result.outcome {
            Outcome::Failed(failure) => self.failed(&head, failure),
            Outcome::Interrupted => self.out.line(&format!("{head}  interrupted: {}", figures(result))),
            // With a bar, the figures were on the screen all the time.
            Outcome::Completed if !self.out.is_bar() && self.plan.trials.len() > 1 => {
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
mod tests;
