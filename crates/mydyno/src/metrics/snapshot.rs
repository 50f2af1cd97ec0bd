//! The state of a run at a moment, aggregated from its events.

use std::collections::BTreeMap;

use model::{
    CellKey, Event, EventKind, HostUse, Interval, LoadShape, Plan, ProcessUse, QueryCounts, Traffic,
};

/// Upper bounds of response times, seconds: five to the decade, from a tenth of a millisecond to a minute.
pub const BUCKETS_S: [f64; 29] = [
    0.0001, 0.00016, 0.00025, 0.0004, 0.00063, 0.001, 0.0016, 0.0025, 0.004, 0.0063, 0.01, 0.016, 0.025,
    0.04, 0.063, 0.1, 0.16, 0.25, 0.4, 0.63, 1.0, 1.6, 2.5, 4.0, 6.3, 10.0, 16.0, 25.0, 60.0,
];

/// A run.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// Cells of the plan.
    pub cells: u64,
    /// Cells that have ended, whatever their outcome.
    pub cells_done: u64,
    /// The trial that runs, or that ran last.
    pub trial: Option<Trial>,
    /// The latest reading of this machine.
    pub host: Option<HostUse>,
    plan: Plan,
    load: LoadShape,
}

/// A trial, from the moment at which its clients began, warm-up included.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the names say it
pub struct Trial {
    pub cell: CellKey,
    pub running: bool,
    pub warmup: bool,
    pub elapsed_s: f64,
    pub clients: u32,
    pub transactions: u64,
    pub queries: QueryCounts,
    pub errors: BTreeMap<u16, u64>,
    pub reconnects: u64,
    pub traffic: Traffic,
    pub generator_cpu_s: f64,
    /// Response times: how many up to each bound, not counting those of lower ones, and beyond the last.
    pub response: [u64; BUCKETS_S.len() + 1],
    pub response_sum_s: f64,
    /// Open loop: transactions per second that come due.
    pub offered_per_s: Option<f64>,
    pub backlog: Option<u64>,
    /// The latest reading of the server.
    pub status: BTreeMap<String, u64>,
    pub process: Option<ProcessUse>,
    pub round_trip_s: Option<f64>,
}

impl Snapshot {
    /// The state before any event.
    pub fn new(plan: &Plan) -> Self {
        Self {
            cells: plan.trials.len() as u64,
            cells_done: 0,
            trial: None,
            host: None,
            plan: plan.clone(),
            load: plan.spec.load.clone(),
        }
    }

    /// Takes note of an event.
    pub fn event(&mut self, event: &Event) {
        match &event.kind {
            EventKind::RunStarted { done, .. } => self.cells_done = u64::from(*done),
            EventKind::PlanGrown { trials, .. } => {
                self.plan.trials.extend_from_slice(trials);
                self.cells = self.plan.trials.len() as u64;
            }
            EventKind::TrialStarted { index, cell } => {
                if let Some(trial) = self.plan.trials.get(*index as usize) {
                    self.load = self.plan.spec.load_of(trial.workload).clone();
                }
                let mut trial = Trial::new(cell.clone());
                trial.offered_per_s = self.load.rate.as_ref().map(|rate| rate.at_per_s(0.0));
                self.trial = Some(trial);
            }
            EventKind::TrialFinished { .. } => {
                self.cells_done += 1;
                self.trial.iter_mut().for_each(|trial| trial.running = false);
            }
            EventKind::Interval { interval, .. } => {
                let at_s = interval.end_s - self.load.warmup_s;
                let rate = self.load.rate.as_ref().map(|rate| rate.at_per_s(at_s));
                if let Some(trial) = &mut self.trial {
                    trial.offered_per_s = rate;
                    trial.second(interval);
                }
            }
            EventKind::Observation { member: 0, observation, .. } => {
                self.host = observation.host.or(self.host);
                if let Some(trial) = &mut self.trial {
                    trial.status.clone_from(&observation.status);
                    trial.process = observation.process;
                    trial.round_trip_s = observation.round_trip_s;
                }
            }
            _ => {}
        }
    }
}

impl Trial {
    fn new(cell: CellKey) -> Self {
        Self {
            cell,
            running: true,
            warmup: false,
            elapsed_s: 0.0,
            clients: 0,
            transactions: 0,
            queries: QueryCounts::default(),
            errors: BTreeMap::new(),
            reconnects: 0,
            traffic: Traffic::default(),
            generator_cpu_s: 0.0,
            response: [0; BUCKETS_S.len() + 1],
            response_sum_s: 0.0,
            offered_per_s: None,
            backlog: None,
            status: BTreeMap::new(),
            process: None,
            round_trip_s: None,
        }
    }

    fn second(&mut self, interval: &Interval) {
        self.elapsed_s = interval.end_s;
        self.warmup = interval.warmup;
        self.clients = interval.threads;
        self.transactions += interval.transactions;
        self.queries.add(interval.queries);
        for (code, count) in &interval.errors {
            *self.errors.entry(*code).or_default() += count;
        }
        self.reconnects += interval.reconnects;
        self.traffic.add(interval.traffic);
        self.generator_cpu_s += interval.generator_cpu_s;
        for (value_ns, count) in &interval.response_counts {
            let value_s = *value_ns as f64 / 1e9;
            self.response[BUCKETS_S.partition_point(|bound| *bound < value_s)] += count;
        }
        self.response_sum_s += interval.response.sum_ns / 1e9;
        self.backlog = interval.backlog;
    }
}
