//! The state of a run in progress, from its events alone. `view` draws it.

use std::collections::VecDeque;

use model::{CellKey, Event, EventKind, Interval, LoadShape, Observation, Plan};

use super::counts::Counts;
use super::phrase::{loading, waiting};
use super::remaining::Remaining;
use super::usage::{self, Usage};

/// Seconds that the sparkline shows.
pub const SPARKS: usize = 30;
/// Seconds over which percentiles are taken.
const RECENT: usize = 5;
/// Minimum time between two readings, seconds.
const SHORTEST_S: f64 = 0.2;

/// A run that goes on.
pub struct Live {
    pub(super) plan: Plan,
    pub(super) remaining: Remaining,
    pub(super) now_ms: u64,
    pub(super) stage: Stage,
    /// Time the stage began.
    pub(super) since_ms: u64,
    /// Time of the last event.
    pub(super) event_ms: u64,
}

/// The current stage.
pub(super) enum Stage {
    /// A stage described by a few words.
    Words(String),
    /// A trial; it stays until something else begins.
    Trial(Box<Trial>),
}

/// A trial.
pub(super) struct Trial {
    pub cell: CellKey,
    /// Its load shape.
    pub load: LoadShape,
    pub connected: bool,
    pub over: bool,
    /// The last second.
    pub last: Option<Second>,
    /// Transactions per second of the last seconds.
    pub per_s: VecDeque<f64>,
    pub errors: u64,
    pub reconnects: u64,
    pub usage: Usage,
    recent: VecDeque<Vec<(u64, u64)>>,
    seen: Option<Observation>,
}

/// A second.
pub(super) struct Second {
    pub end_s: f64,
    pub warmup: bool,
    pub per_s: f64,
    pub generator_cpus: f64,
    pub backlog: Option<u64>,
}

impl Live {
    /// The state before any event.
    pub fn new(plan: &Plan) -> Self {
        let stage = Stage::Words(String::new());
        Self {
            plan: plan.clone(),
            remaining: Remaining::new(plan),
            now_ms: 0,
            stage,
            since_ms: 0,
            event_ms: 0,
        }
    }

    /// Time advances without an event.
    pub fn tick(&mut self, now_ms: u64) {
        self.now_ms = self.now_ms.max(now_ms);
    }

    /// Takes note of an event.
    pub fn event(&mut self, event: &Event) {
        (self.now_ms, self.event_ms) = (event.elapsed_ms, event.elapsed_ms);
        if matches!(
            event.kind,
            EventKind::ServerStarting { .. } | EventKind::DataStarted { .. } | EventKind::Waiting { .. }
        ) {
            self.since_ms = event.elapsed_ms;
        }
        let words = |words: String| Stage::Words(words);
        match &event.kind {
            EventKind::RunStarted { done, .. } => self.remaining.done_before(*done),
            EventKind::ServerStarting { target } => self.stage = words(format!("starting {target}")),
            EventKind::Waiting { target, wait } => self.stage = words(waiting(*wait, target)),
            EventKind::DataStarted { target, rows } => {
                self.stage = words(loading(*rows, target));
            }
            EventKind::DataProgress { target, rows_done, rows } => {
                let share = 100.0 * *rows_done as f64 / (*rows).max(1) as f64;
                let how_far = if *rows == 0 { String::new() } else { format!(": {share:.0} %") };
                self.stage = words(format!("{}{how_far}", loading(*rows, target)));
            }
            EventKind::TrialStarted { index, cell } => {
                self.remaining.started(*index, event.elapsed_ms);
                let trial = self.plan.trials.get(*index as usize);
                let load = trial
                    .map_or(&self.plan.spec.load, |trial| self.plan.spec.load_of(trial.workload))
                    .clone();
                self.stage = Stage::Trial(Box::new(Trial::new(cell.clone(), load)));
            }
            EventKind::TrialFinished { index, result } => {
                self.remaining.finished(*index, event.elapsed_ms, &result.outcome);
                self.trial(|trial| trial.over = true);
            }
            EventKind::TrialConnected { .. } => self.trial(|trial| trial.connected = true),
            EventKind::Interval { interval, .. } => self.trial(|trial| trial.second(interval)),
            EventKind::Observation { member: 0, observation, .. } => {
                self.trial(|trial| trial.reading(observation))
            }
            EventKind::PlanGrown { trials, .. } => {
                self.plan.trials.extend_from_slice(trials);
                self.remaining.grown(trials);
            }
            EventKind::ServerReady { .. }
            | EventKind::ServerStopped { .. }
            | EventKind::Observation { .. }
            | EventKind::DataReady { .. }
            | EventKind::Caution { .. }
            | EventKind::RunFailed { .. }
            | EventKind::Interrupted
            | EventKind::RunFinished { .. } => {}
        }
    }

    fn trial(&mut self, change: impl FnOnce(&mut Trial)) {
        if let Stage::Trial(trial) = &mut self.stage {
            change(trial);
        }
    }

    /// Share of the plan that is done, 0 to 1.
    pub(super) fn share(&self) -> f64 {
        let here = match (&self.stage, self.remaining.planned_s()) {
            (Stage::Trial(trial), Some(planned_s)) if !trial.over => {
                trial.last.as_ref().map_or(0.0, |last| (last.end_s / planned_s).min(1.0))
            }
            _ => 0.0,
        };
        ((f64::from(self.remaining.ended()) + here) / self.plan.trials.len().max(1) as f64).clamp(0.0, 1.0)
    }
}

impl Trial {
    fn new(cell: CellKey, load: LoadShape) -> Self {
        Self {
            cell,
            load,
            connected: false,
            over: false,
            last: None,
            per_s: VecDeque::new(),
            errors: 0,
            reconnects: 0,
            usage: Usage::default(),
            recent: VecDeque::new(),
            seen: None,
        }
    }

    fn second(&mut self, interval: &Interval) {
        let length_s = interval.length_s.max(f64::EPSILON);
        let per_s = interval.transactions as f64 / length_s;
        keep(&mut self.per_s, per_s, SPARKS);
        keep(&mut self.recent, interval.response_counts.clone(), RECENT);
        self.errors += interval.errors.values().sum::<u64>();
        self.reconnects += interval.reconnects;
        self.last = Some(Second {
            end_s: interval.end_s,
            warmup: interval.warmup,
            per_s,
            generator_cpus: interval.generator_cpu_s / length_s,
            backlog: interval.backlog,
        });
    }

    fn reading(&mut self, observation: &Observation) {
        let Observation { at_s, host, process, .. } = *observation;
        if let Some(earlier) = &self.seen {
            // The last reading may follow at once upon the one before it: no difference to go by.
            if (0.0..SHORTEST_S).contains(&(at_s - earlier.at_s)) {
                return;
            }
            self.usage = usage::between(earlier, observation);
        }
        self.seen = Some(Observation { at_s, host, process, ..Observation::default() });
    }

    /// Response times of the last seconds.
    pub fn recent_counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.recent.iter().for_each(|second| counts.add(second));
        counts
    }
}

fn keep<T>(queue: &mut VecDeque<T>, value: T, most: usize) {
    if queue.len() == most {
        queue.pop_front();
    }
    queue.push_back(value);
}
