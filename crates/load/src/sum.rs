//! Adds up what workers hand over: intervals as soon as every worker has handed its part over, and the whole window.

use std::collections::BTreeMap;

use model::{
    ErrorCount, Fairness, GeneratorUse, Interval, LatencySummary, OperationKind, OperationSummary,
    QueryCounts,
};

use crate::offer::{Measured, Progress, Stopped, TaggedHistogram};
use crate::recorder::{Latencies, Recorder, TRANSACTION};
use crate::summary::summarise;
use crate::usage::{ThreadUse, memory_peak_bytes};
use crate::worker::{Ended, Part};
use crate::workload::OPERATIONS;

/// Latencies, counts and errors of some stretch of time, over all workers.
struct Totals {
    service: Vec<Option<Latencies<u64>>>,
    response: Latencies<u64>,
    transactions: u64,
    queries: QueryCounts,
    errors: BTreeMap<u16, ErrorCount>,
    reconnects: u64,
}

impl Totals {
    fn new() -> Self {
        Self {
            service: OPERATIONS.iter().map(|_| None).collect(),
            response: Latencies::new(),
            transactions: 0,
            queries: QueryCounts::default(),
            errors: BTreeMap::new(),
            reconnects: 0,
        }
    }

    fn add(&mut self, mut recorder: Recorder) {
        recorder.settle();
        for (sum, part) in self.service.iter_mut().zip(&recorder.service) {
            if let Some(part) = part {
                sum.get_or_insert_with(Latencies::new).add(part);
            }
        }
        self.response.add(&recorder.response);
        self.transactions += recorder.transactions;
        self.queries.add(recorder.queries);
        self.reconnects += recorder.reconnects;
        for error in recorder.errors.into_values() {
            self.error(error);
        }
    }

    fn merge(&mut self, more: &Totals) {
        for (sum, part) in self.service.iter_mut().zip(&more.service) {
            if let Some(part) = part {
                sum.get_or_insert_with(Latencies::new).merge(part);
            }
        }
        self.response.merge(&more.response);
        self.transactions += more.transactions;
        self.queries.add(more.queries);
        self.reconnects += more.reconnects;
        for error in more.errors.values() {
            self.error(error.clone());
        }
    }

    fn error(&mut self, error: ErrorCount) {
        self.errors
            .entry(error.code)
            .and_modify(|seen| {
                seen.count += error.count;
                seen.forgiven &= error.forgiven;
            })
            .or_insert(error);
    }

    fn operations(&self) -> Vec<OperationSummary> {
        let summaries =
            OPERATIONS.iter().zip(&self.service).enumerate().filter_map(|(index, (operation, service))| {
                let service = summary_of(service.as_ref()?);
                let response =
                    if index == TRANSACTION { summary_of(&self.response) } else { LatencySummary::default() };
                Some(OperationSummary {
                    name: operation.name.to_owned(),
                    kind: operation.kind,
                    response,
                    service,
                })
            });
        summaries.collect()
    }

    fn into_histograms(self) -> Vec<TaggedHistogram> {
        let services = OPERATIONS.iter().zip(self.service).filter_map(|(operation, service)| {
            Some(TaggedHistogram {
                tag: format!("service:{}", operation.name),
                histogram: service?.histogram,
            })
        });
        let response = (!self.response.histogram.is_empty()).then_some(TaggedHistogram {
            tag: "response:transaction".to_owned(),
            histogram: self.response.histogram,
        });
        response.into_iter().chain(services).collect()
    }
}

fn summary_of(latencies: &Latencies<u64>) -> LatencySummary {
    summarise(&latencies.histogram, latencies.sum_ns, latencies.saturated)
}

/// An interval that some worker has not handed over yet.
struct OpenInterval {
    parts: usize,
    totals: Totals,
    begin_ns: u64,
    end_ns: u64,
    warmup: bool,
    clients: u32,
    cpu_ns: u64,
}

/// The sum of what the workers of a trial handed over.
pub(crate) struct Sum {
    running: usize,
    workers: usize,
    cpus: u32,
    open: BTreeMap<usize, OpenInterval>,
    totals: Totals,
    connect: Latencies<u64>,
    warmup_ns: u64,
    window_ns: u64,
    used: Vec<ThreadUse>,
    clients: Vec<(u64, u64)>,
    in_flight: u64,
    in_flight_longest_ns: Option<u64>,
}

impl Sum {
    pub fn new(workers: usize, cpus: u32) -> Self {
        Self {
            running: workers,
            workers,
            cpus,
            open: BTreeMap::new(),
            totals: Totals::new(),
            connect: Latencies::new(),
            warmup_ns: 0,
            window_ns: 0,
            used: vec![ThreadUse::default(); workers],
            clients: Vec::new(),
            in_flight: 0,
            in_flight_longest_ns: None,
        }
    }

    pub fn workers_running(&self) -> usize {
        self.running
    }

    pub fn connected(&mut self, took_ns: u64) {
        self.connect.record(took_ns);
    }

    /// Adds one worker's part of an interval, and tells of the interval when it is complete.
    pub fn part(&mut self, index: usize, part: Part, on: &mut dyn FnMut(Progress<'_>)) {
        if !part.warmup {
            self.used[part.worker].add(&part.used);
        }
        let open = self.open.entry(index).or_insert_with(|| OpenInterval {
            parts: 0,
            totals: Totals::new(),
            begin_ns: part.begin_ns,
            end_ns: part.end_ns,
            warmup: part.warmup,
            clients: 0,
            cpu_ns: 0,
        });
        open.parts += 1;
        open.begin_ns = open.begin_ns.min(part.begin_ns);
        open.end_ns = open.end_ns.max(part.end_ns);
        open.clients += part.clients;
        open.cpu_ns += part.used.cpu_ns;
        open.totals.add(part.recorder);
        if open.parts == self.workers {
            self.complete(index, on);
        }
    }

    pub fn ended(&mut self, ended: Ended) {
        self.running -= 1;
        self.clients.extend(ended.clients);
        self.in_flight += ended.in_flight;
        self.in_flight_longest_ns = self.in_flight_longest_ns.max(ended.in_flight_longest_ns);
    }

    /// Tells of the intervals that not all workers reached, and sums everything up.
    pub fn finish(mut self, stopped: Stopped, connect_s: f64, on: &mut dyn FnMut(Progress<'_>)) -> Measured {
        let left: Vec<usize> = self.open.keys().copied().collect();
        for index in left {
            self.complete(index, on);
        }
        let mut operations = self.totals.operations();
        let connect = summary_of(&self.connect);
        operations.push(OperationSummary {
            name: "connect".to_owned(),
            kind: OperationKind::Connect,
            response: LatencySummary::default(),
            service: connect,
        });
        let measured_s = self.window_ns as f64 / 1e9;
        Measured {
            stopped,
            connect_s,
            warmup_s: self.warmup_ns as f64 / 1e9,
            measured_s,
            transactions: self.totals.transactions,
            queries: self.totals.queries,
            operations,
            generator: self.generator(measured_s),
            fairness: fairness(&self.clients),
            errors: self.totals.errors.into_values().collect(),
            reconnects: self.totals.reconnects,
            in_flight: self.in_flight,
            in_flight_longest_ns: self.in_flight_longest_ns,
        }
    }

    fn complete(&mut self, index: usize, on: &mut dyn FnMut(Progress<'_>)) {
        let Some(open) = self.open.remove(&index) else { return };
        let length_ns = open.end_ns - open.begin_ns;
        if open.warmup {
            self.warmup_ns += length_ns
        } else {
            self.window_ns += length_ns
        }
        let response = &open.totals.response;
        let counts =
            response.histogram.iter_recorded().map(|step| (step.value_iterated_to(), step.count_at_value()));
        let interval = Interval {
            end_s: open.end_ns as f64 / 1e9,
            length_s: length_ns as f64 / 1e9,
            warmup: open.warmup,
            threads: open.clients,
            transactions: open.totals.transactions,
            queries: open.totals.queries,
            response: summary_of(response),
            response_counts: counts.collect(),
            errors: open.totals.errors.iter().map(|(code, error)| (*code, error.count)).collect(),
            reconnects: open.totals.reconnects,
            generator_cpu_s: open.cpu_ns as f64 / 1e9,
        };
        if !open.warmup {
            self.totals.merge(&open.totals);
        }
        on(Progress::Interval { interval: &interval, histograms: &open.totals.into_histograms() });
    }

    fn generator(&self, measured_s: f64) -> GeneratorUse {
        let mut all = ThreadUse::default();
        for used in &self.used {
            all.add(used);
        }
        let cpu_s = all.cpu_ns as f64 / 1e9;
        let busiest_ns = self.used.iter().map(|used| used.cpu_ns).max().unwrap_or_default();
        let share = |seconds: f64, of: f64| if of > 0.0 { seconds / of } else { 0.0 };
        GeneratorUse {
            user_s: cpu_s * all.user_share(),
            system_s: cpu_s * (1.0 - all.user_share()),
            workers: self.workers as u32,
            busiest_worker: share(busiest_ns as f64 / 1e9, measured_s),
            host_share: share(cpu_s, measured_s * f64::from(self.cpus)),
            run_queue_wait_s: all.run_queue_ns as f64 / 1e9,
            memory_peak_bytes: memory_peak_bytes(),
        }
    }
}

/// Mean and (population, as sysbench's) standard deviation of what each client did.
fn fairness(clients: &[(u64, u64)]) -> Fairness {
    let moments = |values: &dyn Fn(&(u64, u64)) -> f64| {
        let n = clients.len().max(1) as f64;
        let mean = clients.iter().map(values).sum::<f64>() / n;
        let variance = clients.iter().map(|c| (values(c) - mean).powi(2)).sum::<f64>() / n;
        (mean, variance.sqrt())
    };
    let (transactions_mean, transactions_stddev) = moments(&|c| c.0 as f64);
    let (busy_s_mean, busy_s_stddev) = moments(&|c| c.1 as f64 / 1e9);
    Fairness { transactions_mean, transactions_stddev, busy_s_mean, busy_s_stddev }
}
