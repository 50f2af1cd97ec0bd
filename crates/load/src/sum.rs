//! Adds up what workers hand over: intervals as soon as every worker has handed its part over, and the whole window.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use model::{
    Fairness, GeneratorUse, Interval, LatencySummary, Measured, OpenLoop, OperationKind, OperationSummary,
    QueryCounts, Straddling, Stretch, TlsUse, TpccResult, Traffic,
};
use wire::TlsSession;

use crate::measured::{Offered, Progress, Stopped, TaggedHistogram};
use crate::recorder::{Errors, Late, Latencies, Operations, Recorder, Starts, TRANSACTION};
use crate::schedule::Timetable;
use crate::stall::StallFinder;
use crate::summary::summarise;
use crate::usage::{ThreadUse, memory_peak_bytes};
use crate::worker::{Ended, Part};

const NO_PANIC: &str = "arithmetic does not panic";

/// Latencies, counts and errors of some stretch of time, over all workers.
struct Totals {
    operations: Operations,
    service: Vec<Option<Latencies<u64>>>,
    response: Vec<Option<Latencies<u64>>>,
    transactions: u64,
    queries: QueryCounts,
    errors: Errors,
    retries: Vec<u64>,
    rollbacks: u64,
    reconnects: u64,
    traffic: Traffic,
    starts: Option<StartTotals>,
}

/// The TLS parameters negotiated, over all connections of the trial.
struct TlsTotals {
    handshakes: Latencies<u64>,
    resumed: u64,
    /// Version and cipher suite of the latest.
    version: String,
    cipher: String,
}

impl TlsTotals {
    fn new() -> Self {
        Self { handshakes: Latencies::new(), resumed: 0, version: String::new(), cipher: String::new() }
    }

    fn add(&mut self, session: TlsSession) {
        self.handshakes.record(session.took.as_nanos() as u64);
        self.resumed += u64::from(session.resumed);
        (self.version, self.cipher) = (session.version, session.cipher);
    }

    fn seen(&self) -> TlsUse {
        TlsUse {
            version: self.version.clone(),
            cipher: self.cipher.clone(),
            handshakes: self.handshakes.histogram.len(),
            resumed: self.resumed,
        }
    }
}

/// Start delays of the transactions of an open loop.
struct StartTotals {
    lateness: Latencies<u64>,
    timer: Latencies<u64>,
    latest_due_ns: u64,
    in_window: u64,
    worst: Late,
}

impl StartTotals {
    fn new() -> Self {
        let (lateness, timer) = (Latencies::new(), Latencies::new());
        Self { lateness, timer, latest_due_ns: 0, in_window: 0, worst: Late::default() }
    }

    fn add(&mut self, more: &Starts) {
        self.lateness.add(&more.lateness);
        self.timer.add(&more.timer);
        self.in_window += more.in_window;
        self.latest_due_ns = self.latest_due_ns.max(more.latest_due_ns);
        self.worst = self.worst.max(more.worst);
    }

    fn merge(&mut self, more: &Self) {
        self.lateness.merge(&more.lateness);
        self.timer.merge(&more.timer);
        self.latest_due_ns = self.latest_due_ns.max(more.latest_due_ns);
    }
}

impl Totals {
    fn new(operations: Operations) -> Self {
        Self {
            service: operations.iter().map(|_| None).collect(),
            response: operations.iter().map(|_| None).collect(),
            transactions: 0,
            queries: QueryCounts::default(),
            errors: Errors::default(),
            retries: vec![0; operations.len()],
            rollbacks: 0,
            reconnects: 0,
            traffic: Traffic::default(),
            starts: None,
            operations,
        }
    }

    fn add(&mut self, mut recorder: Recorder) {
        recorder.settle();
        let sums = self.service.iter_mut().chain(&mut self.response);
        for (sum, part) in sums.zip(recorder.service.iter().chain(&recorder.response)) {
            if let Some(part) = part {
                sum.get_or_insert_with(Latencies::new).add(part);
            }
        }
        self.transactions += recorder.transactions;
        self.queries.add(recorder.queries);
        self.count(&recorder.errors, &recorder.retries);
        self.rollbacks += recorder.rollbacks;
        self.reconnects += recorder.reconnects;
        self.traffic.add(recorder.traffic);
        if let Some(starts) = &recorder.starts {
            self.starts.get_or_insert_with(StartTotals::new).add(starts);
        }
    }

    fn merge(&mut self, more: &Totals) {
        let sums = self.service.iter_mut().chain(&mut self.response);
        for (sum, part) in sums.zip(more.service.iter().chain(&more.response)) {
            if let Some(part) = part {
                sum.get_or_insert_with(Latencies::new).merge(part);
            }
        }
        self.transactions += more.transactions;
        self.queries.add(more.queries);
        self.count(&more.errors, &more.retries);
        self.rollbacks += more.rollbacks;
        self.reconnects += more.reconnects;
        self.traffic.add(more.traffic);
        if let Some(starts) = &more.starts {
            self.starts.get_or_insert_with(StartTotals::new).merge(starts);
        }
    }

    fn count(&mut self, errors: &Errors, retries: &[u64]) {
        for error in errors.0.values() {
            self.errors.add(error.clone());
        }
        for (sum, part) in self.retries.iter_mut().zip(retries) {
            *sum += part;
        }
    }

    fn errors_by_code(&self) -> BTreeMap<u16, u64> {
        let mut by_code = BTreeMap::new();
        for error in self.errors.0.values() {
            *by_code.entry(error.code).or_default() += error.count;
        }
        by_code
    }

    fn operations(&self) -> Vec<OperationSummary> {
        let latencies = self.service.iter().zip(&self.response).enumerate();
        // The transaction stands first, also if none was completed.
        let seen = latencies.filter(|(index, (service, _))| *index == TRANSACTION || service.is_some());
        let summary = |(index, (service, response)): (usize, (&Option<_>, &Option<_>))| OperationSummary {
            name: self.operations[index].name.to_string(),
            kind: self.operations[index].kind,
            response: response.as_ref().map(summary_of).unwrap_or_default(),
            service: service.as_ref().map(summary_of).unwrap_or_default(),
        };
        seen.map(summary).collect()
    }

    fn into_histograms(self) -> Vec<TaggedHistogram> {
        let tagged = |what: &'static str, all: Vec<Option<Latencies<u64>>>| {
            self.operations.iter().zip(all).filter_map(move |(operation, latencies)| {
                let tag = format!("{what}:{}", operation.name);
                Some(TaggedHistogram { tag, histogram: latencies?.histogram })
            })
        };
        tagged("response", self.response).chain(tagged("service", self.service)).collect()
    }
}

fn of_connecting(name: &str, latencies: &Latencies<u64>) -> OperationSummary {
    OperationSummary {
        name: name.to_owned(),
        kind: OperationKind::Connect,
        response: LatencySummary::default(),
        service: summary_of(latencies),
    }
}

fn summary_of(latencies: &Latencies<u64>) -> LatencySummary {
    summarise(&latencies.histogram, latencies.sum_ns, latencies.saturated)
}

/// An interval that some worker has not handed over yet.
struct OpenInterval {
    totals: Totals,
    /// Time at which each worker handed its part over; none: not yet.
    ends_ns: Vec<Option<u64>>,
    warmup: bool,
    clients: u32,
    waiting: u32,
    in_line: u32,
    cpu_ns: u64,
    due_for_ns: u64,
}

/// The progress of the workers, and the boundaries of intervals.
///
/// No two workers hand over at the same instant. An interval ends at the mean of these instants, weighted by clients: it
/// then contains exactly the client-seconds that elapsed. The next one begins where it ends, so that together they are as
/// long as the load.
struct Reached {
    clients: Vec<u32>,
    ends_ns: Vec<u64>,
    boundary_ns: u64,
}

impl Reached {
    fn new(workers: usize) -> Self {
        Self { clients: vec![0; workers], ends_ns: vec![0; workers], boundary_ns: 0 }
    }

    /// Advances to the end of the next interval, and returns it. A worker without one has stopped before.
    fn advance(&mut self, ends_ns: &[Option<u64>], to_latest: bool) -> u64 {
        for (reached, end_ns) in self.ends_ns.iter_mut().zip(ends_ns) {
            *reached = end_ns.unwrap_or(*reached);
        }
        let clients: u128 = self.clients.iter().map(|clients| u128::from(*clients)).sum();
        let weighted = self.clients.iter().zip(&self.ends_ns);
        let sum: u128 = weighted.map(|(clients, ns)| u128::from(*clients) * u128::from(*ns)).sum();
        let mean_ns = sum.checked_div(clients).unwrap_or_default() as u64;
        let latest_ns = self.ends_ns.iter().max().copied().unwrap_or_default();
        self.boundary_ns = self.boundary_ns.max(if to_latest { latest_ns } else { mean_ns });
        self.boundary_ns
    }
}

/// The sum of what the workers of a trial handed over.
pub(crate) struct Sum<'a> {
    running: usize,
    workers: usize,
    cpus: u32,
    operations: Operations,
    open: BTreeMap<usize, OpenInterval>,
    reached: Reached,
    stalls: StallFinder,
    straddling: Straddling,
    totals: Totals,
    connect: Latencies<u64>,
    tls: Option<TlsTotals>,
    warmup_ns: u64,
    window_ns: u64,
    used: Vec<ThreadUse>,
    clients: Vec<(u64, u64)>,
    in_flight: u64,
    in_flight_longest_ns: Option<u64>,
    clock_set_back_ns: u64,
    timetable: Option<&'a Mutex<Timetable>>,
    events_left: Option<&'a AtomicU64>,
    backlog_max: u64,
    begun_in_window: u64,
    latest_due_ns: u64,
}

impl<'a> Sum<'a> {
    pub fn new(
        operations: Operations,
        workers: usize,
        cpus: u32,
        timetable: Option<&'a Mutex<Timetable>>,
        events_left: Option<&'a AtomicU64>,
    ) -> Self {
        Self {
            running: workers,
            workers,
            cpus,
            open: BTreeMap::new(),
            reached: Reached::new(workers),
            stalls: StallFinder::new(workers),
            straddling: Straddling::default(),
            totals: Totals::new(Operations::clone(&operations)),
            operations,
            connect: Latencies::new(),
            tls: None,
            warmup_ns: 0,
            window_ns: 0,
            used: vec![ThreadUse::default(); workers],
            clients: Vec::new(),
            in_flight: 0,
            in_flight_longest_ns: None,
            clock_set_back_ns: 0,
            timetable,
            events_left,
            backlog_max: 0,
            begun_in_window: 0,
            latest_due_ns: 0,
        }
    }

    pub fn workers_running(&self) -> usize {
        self.running
    }

    pub fn connected(&mut self, took_ns: u64, tls: Option<TlsSession>) {
        self.connect.record(took_ns);
        if let Some(session) = tls {
            self.tls.get_or_insert_with(TlsTotals::new).add(session);
        }
    }

    /// Adds one worker's part of an interval, and reports the interval when it is complete.
    pub fn part(&mut self, index: usize, part: Part, on: &mut dyn FnMut(Progress<'_>)) {
        if !part.warmup {
            self.used[part.worker].add(&part.used);
        }
        self.stalls.add(part.worker, part.pauses);
        self.reached.clients[part.worker] = part.share;
        let open = self.open.entry(index).or_insert_with(|| OpenInterval {
            totals: Totals::new(Operations::clone(&self.operations)),
            ends_ns: vec![None; self.workers],
            warmup: part.warmup,
            clients: 0,
            waiting: 0,
            in_line: 0,
            cpu_ns: 0,
            due_for_ns: 0,
        });
        open.ends_ns[part.worker] = Some(part.end_ns);
        open.due_for_ns += part.due_for_ns;
        open.clients += part.clients;
        open.waiting += part.waiting;
        open.in_line += part.in_line;
        open.cpu_ns += part.used.cpu_ns;
        open.totals.add(part.recorder);
        if open.ends_ns.iter().all(Option::is_some) {
            self.complete(index, on);
        }
    }

    pub fn ended(&mut self, ended: Ended) {
        self.running -= 1;
        self.clients.extend(ended.clients);
        self.in_flight += ended.in_flight;
        self.in_flight_longest_ns = self.in_flight_longest_ns.max(ended.in_flight_longest_ns);
        self.clock_set_back_ns = self.clock_set_back_ns.max(ended.clock_set_back_ns);
    }

    /// Reports the intervals that not all workers reached, and sums everything up. `tpcc` makes TPC-C's figures from rollbacks
    /// and retries; `stood_still` are the periods in which the generator stood still.
    pub fn finish(
        mut self,
        stopped: Stopped,
        connect_s: f64,
        stood_still: Vec<Stretch>,
        tpcc: impl FnOnce(u64, &[u64]) -> Option<TpccResult>,
        on: &mut dyn FnMut(Progress<'_>),
    ) -> Offered {
        let left: Vec<usize> = self.open.keys().copied().collect();
        for index in left {
            self.complete(index, on);
        }
        let mut operations = self.totals.operations();
        let handshakes = self.tls.as_ref().map(|tls| ("tls_handshake", &tls.handshakes));
        let connecting: Vec<_> = [("connect", &self.connect)].into_iter().chain(handshakes).collect();
        operations.extend(connecting.iter().map(|(name, latencies)| of_connecting(name, latencies)));
        let histograms: Vec<_> = connecting
            .iter()
            .map(|(name, latencies)| {
                let histogram = latencies.histogram.clone();
                TaggedHistogram { tag: format!("service:{name}"), histogram }
            })
            .collect();
        let end_s = (self.warmup_ns + self.window_ns) as f64 / 1e9;
        on(Progress::Connections { end_s, histograms: &histograms });
        let measured_s = self.window_ns as f64 / 1e9;
        let tpcc = tpcc(self.totals.rollbacks, &self.totals.retries);
        let open_loop = self.open_loop(&stopped);
        let measured = Measured {
            connect_s,
            warmup_s: self.warmup_ns as f64 / 1e9,
            measured_s,
            transactions: self.totals.transactions,
            queries: self.totals.queries,
            operations,
            generator: self.generator(measured_s),
            fairness: fairness(&self.clients),
            errors: self.totals.errors.0.into_values().collect(),
            reconnects: self.totals.reconnects,
            in_flight: self.in_flight,
            in_flight_longest_ns: self.in_flight_longest_ns,
            straddling: Some(self.straddling),
            stood_still,
            stalls: Some(self.stalls.finish()),
            traffic: self.totals.traffic,
            tls: self.tls.as_ref().map(TlsTotals::seen),
            tpcc,
            open_loop,
        };
        Offered { stopped, measured }
    }

    fn complete(&mut self, index: usize, on: &mut dyn FnMut(Progress<'_>)) {
        let Some(open) = self.open.remove(&index) else { return };
        // Then the last of the workers ends the load, and not the mean of them.
        let all_begun = self.events_left.is_some_and(|left| left.load(Ordering::Relaxed) == 0);
        let begin_ns = self.reached.boundary_ns;
        let end_ns = self.reached.advance(&open.ends_ns, all_begun);
        let running: Vec<bool> = open.ends_ns.iter().map(Option::is_some).collect();
        let known_until_ns = open.ends_ns.iter().flatten().min().copied().unwrap_or_default();
        self.stalls.look(known_until_ns, &running, open.warmup);
        let length_ns = end_ns - begin_ns;
        let due_for_s = open.due_for_ns as f64 / 1e9;
        if open.warmup {
            self.warmup_ns += length_ns;
            self.straddling.before_s = due_for_s;
        } else {
            self.window_ns += length_ns;
            self.straddling.at_end_s = due_for_s;
        }
        let response = open.totals.response[TRANSACTION].as_ref();
        let counts = response.into_iter().flat_map(|response| response.histogram.iter_recorded());
        let interval = Interval {
            end_s: end_ns as f64 / 1e9,
            length_s: length_ns as f64 / 1e9,
            warmup: open.warmup,
            threads: open.clients,
            transactions: open.totals.transactions,
            queries: open.totals.queries,
            response: response.map(summary_of).unwrap_or_default(),
            response_counts: counts.map(|step| (step.value_iterated_to(), step.count_at_value())).collect(),
            errors: open.totals.errors_by_code(),
            reconnects: open.totals.reconnects,
            traffic: open.totals.traffic,
            generator_cpu_s: open.cpu_ns as f64 / 1e9,
            backlog: self.backlog(&open, end_ns),
        };
        let peak = self.peak(&open.totals);
        self.backlog_max = self.backlog_max.max(interval.backlog.unwrap_or(0)).max(peak.unwrap_or(0));
        if let Some(starts) = &open.totals.starts {
            self.begun_in_window += starts.in_window;
            self.latest_due_ns = self.latest_due_ns.max(starts.latest_due_ns);
        }
        if !open.warmup {
            self.totals.merge(&open.totals);
        }
        on(Progress::Interval { interval: &interval, histograms: &open.totals.into_histograms() });
    }

    /// Transactions that are due and not begun at the end of an interval: those that wait for a place in flight if a client
    /// waits for what comes next, else those expected since the due time of the latest one that was begun.
    fn backlog(&self, interval: &OpenInterval, end_ns: u64) -> Option<u64> {
        let timetable = self.timetable?.lock().expect(NO_PANIC);
        if interval.waiting > 0 {
            return Some(interval.in_line.into());
        }
        let starts = interval.totals.starts.as_ref();
        let latest_due_ns = starts.map_or(self.latest_due_ns, |starts| starts.latest_due_ns);
        let waiting = timetable.expected_until(end_ns) - timetable.expected_until(latest_due_ns);
        Some(waiting.max(0.0).round() as u64)
    }

    /// The backlog when the transaction that was latest was begun: what came due since it was due. Transactions are begun
    /// in the order in which they are due, so between the ends of an interval there was none much longer.
    fn peak(&self, totals: &Totals) -> Option<u64> {
        let timetable = self.timetable?.lock().expect(NO_PANIC);
        let worst = totals.starts.as_ref()?.worst;
        let begun_ns = worst.due_ns + worst.late_ns;
        let waiting = timetable.expected_until(begun_ns) - timetable.expected_until(worst.due_ns);
        Some(waiting.round() as u64)
    }

    /// The additional figures of an open loop that ran to its end. If it ended after a number of transactions, only these were
    /// offered.
    fn open_loop(&self, stopped: &Stopped) -> Option<OpenLoop> {
        let timetable = self.timetable.filter(|_| *stopped == Stopped::AtLimit)?;
        let all_begun = self.events_left.is_some_and(|left| left.load(Ordering::Relaxed) == 0);
        let offered = match all_begun {
            true => self.begun_in_window,
            false => timetable.lock().expect(NO_PANIC).offered_in_all(),
        };
        let starts = self.totals.starts.as_ref();
        let summary =
            |of: fn(&StartTotals) -> &Latencies<u64>| starts.map(|s| summary_of(of(s))).unwrap_or_default();
        Some(OpenLoop {
            offered,
            unstarted: offered.saturating_sub(self.begun_in_window),
            backlog_max: self.backlog_max,
            lateness: summary(|starts| &starts.lateness),
            timer: summary(|starts| &starts.timer),
        })
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
            clock_set_back_s: self.clock_set_back_ns as f64 / 1e9,
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

#[cfg(test)]
mod tests;
