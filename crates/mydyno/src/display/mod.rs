//! The display of a run in progress: a consumer of the event stream, like the recording.
//!
//! Everything goes to standard error; results alone go to standard output. A display that cannot write is no reason to
//! stop a run, so errors of writing are ignored here.

mod counts;
mod interval;
mod live;
pub mod loading;
mod out;
pub mod phrase;
pub mod recorded;
mod remaining;
mod terminal;
mod ticker;
mod usage;
mod view;

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use messages::number::{clients, counted};
use model::{
    CellKey, Event, EventKind, Failure, Interval, OperationKind, Outcome, Plan, ServerFacts, ServerKind,
    TrialResult, Wait,
};

use interval::{Form, Merger};
use live::Live;
pub use out::Notices;
use out::Out;
use phrase::{bytes, duration};
use report::render::{SysbenchHead, THREADS_STARTED, sysbench_head};
use ticker::{Scene, Ticker};

/// Seconds between two lines about loading where nothing is drawn.
const LOADING_LINE_MS: u64 = 10_000;

/// The characters in which this terminal can draw bars.
pub fn bars() -> report::render::Bars {
    match view::Glyphs::of_locale(|name| std::env::var(name).ok()) {
        view::Glyphs::Blocks => report::render::Bars::Blocks,
        view::Glyphs::Ascii => report::render::Bars::Plain,
    }
}

/// The user's display settings.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Seconds of an interval line; none: no such lines.
    pub interval_s: Option<u32>,
    /// Percentile in interval lines.
    pub percentile: f64,
    /// Destination of interval lines.
    pub lines: Lines,
}

/// Destination of interval lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lines {
    /// To standard error, with the other progress messages.
    Progress,
    /// To standard output, as the beginning of sysbench's report.
    Sysbench,
}

/// The screen of one run: permanent lines, and on a terminal, below them, the current state.
pub struct Screen {
    plan: Plan,
    merger: Option<Merger>,
    /// Standard output, where sysbench's report begins before it ends.
    results: Option<Box<dyn Write>>,
    interval_s: Option<u32>,
    percentile: f64,
    out: Out,
    done: u32,
    scene: Arc<Mutex<Scene>>,
    ticker: Option<Ticker>,
    loading_shown_ms: u64,
    /// Targets whose restoring was reported once: it comes before every trial.
    restored: BTreeSet<String>,
}

impl Screen {
    /// A screen on standard error.
    pub fn new(plan: &Plan, settings: Settings) -> Self {
        match settings.lines {
            Lines::Progress => Self::over(plan, settings, Out::stderr(), None),
            // What is drawn on a terminal would stand between the lines.
            Lines::Sysbench => {
                let results: Box<dyn Write> = Box::new(std::io::stdout());
                Self::over(plan, settings, Out::plain(), Some(results))
            }
        }
    }

    fn over(plan: &Plan, settings: Settings, out: Out, results: Option<Box<dyn Write>>) -> Self {
        let form = match settings.lines {
            Lines::Progress => Form::Progress,
            Lines::Sysbench => Form::Sysbench { warmup_s: plan.spec.load.warmup_s },
        };
        let interval_s = settings.interval_s.filter(|seconds| *seconds > 0);
        let scene = Arc::new(Mutex::new(Scene { live: Live::new(plan), at: Instant::now() }));
        let ticker = match &out {
            Out::Terminal(canvas) => Some(Ticker::start(&scene, canvas)),
            Out::Lines(_) => None,
        };
        Self {
            plan: plan.clone(),
            merger: interval_s.map(|seconds| Merger::new(seconds, form)),
            results,
            interval_s,
            percentile: settings.percentile,
            out,
            done: 0,
            scene,
            ticker,
            loading_shown_ms: 0,
            restored: BTreeSet::new(),
        }
    }

    /// The channel for sentences that do not come from an event.
    pub fn notices(&self) -> Notices {
        self.out.notices()
    }

    /// Shows an event.
    pub fn event(&mut self, event: &Event) {
        self.lines(event);
        let Out::Terminal(canvas) = &self.out else { return };
        let mut scene = self.scene.lock().unwrap_or_else(PoisonError::into_inner);
        scene.live.event(event);
        scene.at = Instant::now();
        if matches!(
            event.kind,
            EventKind::RunFinished { .. } | EventKind::RunFailed { .. } | EventKind::Interrupted
        ) {
            canvas.close();
        } else {
            let look = canvas.look();
            canvas.draw(view::lines(&scene.live, look));
        }
    }

    /// Restores the terminal.
    pub fn close(&mut self) {
        drop(self.ticker.take());
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
                    self.out.line(&format!("{run}: {done} of {trials} trials are done already"));
                }
            }
            EventKind::ServerReady { target, facts, address } => {
                let line = self.server_line(target, facts, address);
                self.out.line(&line);
            }
            EventKind::ServerStarting { target } => self.phase(&format!("starting {target}")),
            EventKind::Waiting { target, wait } => {
                if *wait != Wait::Restore || self.restored.insert(target.clone()) {
                    self.phase(&phrase::waiting(*wait, target));
                }
            }
            EventKind::DataStarted { target, rows } => {
                self.loading_shown_ms = event.elapsed_ms;
                self.phase(&phrase::loading(*rows, target));
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
            EventKind::TrialStarted { cell, .. } => {
                let head = self.head(cell);
                self.result(&head);
                if let Some(merger) = &mut self.merger {
                    merger.restart();
                }
            }
            EventKind::TrialConnected { .. } => self.result(THREADS_STARTED),
            EventKind::Interval { interval, .. } => self.interval(interval),
            EventKind::PlanGrown { trials, text } => {
                self.plan.trials.extend_from_slice(trials);
                self.out.line(&format!("+ {}  {text}", counted(trials.len() as u64, "trial")));
            }
            EventKind::TrialFinished { result, .. } => self.finished(result),
            EventKind::ServerStopped { .. }
            | EventKind::Observation { .. }
            | EventKind::RunFinished { .. }
            | EventKind::RunFailed { .. }
            | EventKind::Interrupted => {}
        }
    }

    /// Reports what a run is about to wait for, where nothing is drawn.
    fn phase(&mut self, words: &str) {
        if !self.is_terminal() {
            self.out.line(&format!("         {words}"));
        }
    }

    fn is_terminal(&self) -> bool {
        matches!(self.out, Out::Terminal(_))
    }

    /// The properties that distinguish this cell from the others of the plan.
    fn cell(&self, cell: &CellKey) -> String {
        let mut text = cell.target.clone();
        if self.plan.spec.workloads.len() > 1 {
            text = format!("{text} {}", cell.workload);
        }
        text = format!("{text} {}", clients(cell.threads));
        if self.plan.trials.iter().any(|trial| trial.cell.repeat > 1) {
            text = format!("{text}, repeat {}", cell.repeat);
        }
        text
    }

    fn server_line(&self, target: &str, facts: &ServerFacts, address: &str) -> String {
        let names = self.plan.spec.targets.iter().flat_map(|one| one.target.named());
        let width = names.map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let named = self.plan.spec.targets.iter().find(|one| one.target.label == target);
        let place = match named.map(|one| one.target.entry()) {
            Some(ServerKind::Sandbox(sandbox)) => {
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
            match self.results {
                Some(_) => self.result(&format!("{line}\n")),
                None => self.out.line(&line),
            }
        }
    }

    /// Part of the results, if they are shown while they are made. A reader who has seen enough stops nothing.
    fn result(&mut self, text: &str) {
        if let Some(results) = &mut self.results {
            let _ = results.write_all(text.as_bytes()).and_then(|()| results.flush());
        }
    }

    fn head(&self, cell: &CellKey) -> String {
        let load = &self.plan.spec.load;
        sysbench_head(&SysbenchHead {
            what: &format!("{} on {}, repeat {}", cell.workload, cell.target, cell.repeat),
            mydyno_version: env!("CARGO_PKG_VERSION"),
            threads: cell.threads,
            rate_per_s: load.rate.as_ref().map(|rate| rate.mean_per_s(load.time_s)),
            interval_s: self.interval_s,
            seed: self.plan.spec.seed,
        })
    }

    fn finished(&mut self, result: &TrialResult) {
        self.done += 1;
        let (trials, cell) = (self.plan.trials.len(), self.cell(&result.cell));
        let head = if trials == 1 { cell } else { format!("{} of {trials} trials  {cell}", self.done) };
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
    let tps = result.measured.transactions as f64 / result.measured.measured_s.max(f64::EPSILON);
    let transaction =
        result.measured.operations.iter().find(|operation| operation.kind == OperationKind::Transaction);
    let p95_ms = transaction.map_or(0.0, |operation| operation.response.p95_ns as f64 / 1e6);
    format!("{tps:.1} tps  p95 {p95_ms:.1} ms")
}

#[cfg(test)]
mod live_tests;
#[cfg(test)]
mod tests;
