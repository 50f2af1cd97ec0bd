//! The measurements of one worker in one interval. Filled without locks or allocation per transaction, handed over by value.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use hdrhistogram::Histogram;
use model::{ErrorCount, OperationKind, QueryCounts, Traffic};

use crate::schedule::Arrival;
use crate::summary::{HISTOGRAM_MAX_NS, new_histogram};

/// Index into the list of operations of a workload; 0 is the transaction as a whole.
pub(crate) type OperationIndex = usize;

/// The transaction as a whole.
pub(crate) const TRANSACTION: OperationIndex = 0;
/// Transactions that took more than one attempt, counted again separately.
pub(crate) const RETRIED: OperationIndex = 1;

/// The class of a statement in sysbench's read/write/other counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QueryKind {
    Read,
    Write,
    Other,
}

/// Transactions of some kind.
pub(crate) const fn transactions(name: &'static str) -> Operation {
    Operation {
        name: Cow::Borrowed(name),
        kind: OperationKind::Transaction,
        query: QueryKind::Other,
        template: Cow::Borrowed(""),
    }
}

/// An operation that is measured: the transaction, or one class of statement in it.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    pub name: Cow<'static, str>,
    pub kind: OperationKind,
    pub query: QueryKind,
    /// The statement, with `%u` for the table's number and `?` for parameters.
    pub template: Cow<'static, str>,
}

/// All operations of a workload, in the order of their indexes.
pub(crate) type Operations = Arc<[Operation]>;

/// A histogram with its exact sum and a count of what lay beyond its range.
#[derive(Debug, Clone)]
pub(crate) struct Latencies<T: hdrhistogram::Counter> {
    pub histogram: Histogram<T>,
    pub sum_ns: f64,
    pub saturated: u64,
}

impl<T: hdrhistogram::Counter> Latencies<T> {
    pub fn new() -> Self {
        Self { histogram: new_histogram(), sum_ns: 0.0, saturated: 0 }
    }

    pub fn record(&mut self, ns: u64) {
        self.histogram.saturating_record(ns);
        self.sum_ns += ns as f64;
        self.saturated += u64::from(ns > HISTOGRAM_MAX_NS);
    }
}

impl Latencies<u64> {
    /// Adds what a worker recorded.
    pub fn add(&mut self, more: &Latencies<u32>) {
        for step in more.histogram.iter_recorded() {
            let count = u64::from(step.count_at_value());
            self.histogram.saturating_record_n(step.value_iterated_to(), count);
        }
        self.sum_ns += more.sum_ns;
        self.saturated += more.saturated;
    }

    /// Adds another sum.
    pub fn merge(&mut self, more: &Self) {
        self.histogram.add(&more.histogram).expect("all histograms have the same bounds");
        self.sum_ns += more.sum_ns;
        self.saturated += more.saturated;
    }
}

/// A latency that has not been counted yet.
#[derive(Debug, Clone, Copy)]
struct Gathered {
    what: Latency,
    ns: u64,
}

/// The kind of latency, with its operation.
#[derive(Debug, Clone, Copy)]
enum Latency {
    Response(u32),
    Service(u32),
}

/// Latencies gathered before they are counted. A worker's histograms do not stay in the cache while the server works on
/// the same CPU; a batch of them is counted with its cells fetched side by side.
const BATCH: usize = 256;

/// One worker's figures for one interval.
#[derive(Debug)]
pub(crate) struct Recorder {
    gathered: Vec<Gathered>,
    /// Service time by operation; none where nothing was recorded.
    pub service: Vec<Option<Latencies<u32>>>,
    /// Response time by operation: of the transaction, and of its types where there are several.
    pub response: Vec<Option<Latencies<u32>>>,
    pub transactions: u64,
    pub queries: QueryCounts,
    pub errors: Errors,
    /// Transactions tried again, by operation.
    pub retries: Vec<u64>,
    /// Transactions that ended with an intended ROLLBACK.
    pub rollbacks: u64,
    pub reconnects: u64,
    pub traffic: Traffic,
    /// Open loop only: start delays; none in a closed loop, or if nothing has started.
    pub starts: Option<Box<Starts>>,
    /// Time of the worker's last completed transaction, by its clock; the start of the load before the first.
    pub last_done_ns: u64,
    /// Long pauses between two completed transactions.
    pub pauses: Vec<(u64, u64)>,
}

/// A shorter time without a completed transaction is no stall.
pub(crate) const STALL_MIN_NS: u64 = 100_000_000;

/// Start delays of the transactions of an open loop.
#[derive(Debug)]
pub(crate) struct Starts {
    /// Delay from due to start.
    pub lateness: Latencies<u32>,
    /// The delay of transactions that a client was waiting for.
    pub timer: Latencies<u32>,
    /// The latest due time of those that were begun, since the start of the load.
    pub latest_due_ns: u64,
    /// Begun transactions that were due in the measured window.
    pub in_window: u64,
    /// The one that was begun latest after it was due.
    pub worst: Late,
}

/// Start delay of a transaction, and the time it was due, since the start of the load.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Late {
    pub late_ns: u64,
    pub due_ns: u64,
}

/// Errors by code and by the type of transaction.
#[derive(Debug, Default, Clone)]
pub(crate) struct Errors(pub BTreeMap<(u16, String), ErrorCount>);

impl Errors {
    pub fn add(&mut self, error: ErrorCount) {
        self.0
            .entry((error.code, error.transaction.clone()))
            .and_modify(|seen| {
                seen.count += error.count;
                seen.forgiven &= error.forgiven;
            })
            .or_insert(error);
    }
}

impl Recorder {
    pub fn new(operations: usize) -> Self {
        Self {
            gathered: Vec::with_capacity(BATCH),
            service: (0..operations).map(|_| None).collect(),
            response: (0..operations).map(|_| None).collect(),
            transactions: 0,
            queries: QueryCounts::default(),
            errors: Errors::default(),
            retries: vec![0; operations],
            rollbacks: 0,
            reconnects: 0,
            traffic: Traffic::default(),
            starts: None,
            last_done_ns: 0,
            pauses: Vec::new(),
        }
    }

    /// A transaction of an open loop is begun.
    pub fn begun(&mut self, arrival: Arrival, late_ns: u64, waited: bool) {
        let starts = self.starts.get_or_insert_with(|| {
            let (lateness, timer) = (Latencies::new(), Latencies::new());
            Box::new(Starts { lateness, timer, latest_due_ns: 0, in_window: 0, worst: Late::default() })
        });
        starts.lateness.record(late_ns);
        if waited {
            starts.timer.record(late_ns);
        }
        starts.latest_due_ns = starts.latest_due_ns.max(arrival.due_ns);
        starts.in_window += u64::from(arrival.in_window);
        starts.worst = starts.worst.max(Late { late_ns, due_ns: arrival.due_ns });
    }

    pub fn traffic(&mut self, more: wire::ByteCounts) {
        self.traffic.sent_bytes += more.sent;
        self.traffic.received_bytes += more.received;
    }

    pub fn statement(&mut self, operation: OperationIndex, query: QueryKind, service_ns: u64) {
        match query {
            QueryKind::Read => self.queries.read += 1,
            QueryKind::Write => self.queries.write += 1,
            QueryKind::Other => self.queries.other += 1,
        }
        self.gather(Latency::Service(operation as u32), service_ns);
    }

    /// Notes when a transaction was completed.
    pub fn completed(&mut self, at_ns: u64) {
        if at_ns.saturating_sub(self.last_done_ns) >= STALL_MIN_NS {
            self.pauses.push((self.last_done_ns, at_ns));
        }
        self.last_done_ns = self.last_done_ns.max(at_ns);
    }

    /// Records a completed transaction, also under its type if the workload has several.
    pub fn transaction(&mut self, of: OperationIndex, response_ns: u64, service_ns: u64) {
        self.transactions += 1;
        self.also(TRANSACTION, response_ns, service_ns);
        if of != TRANSACTION {
            self.also(of, response_ns, service_ns);
        }
    }

    /// Records a completed transaction under another operation besides [`Recorder::transaction`].
    pub fn also(&mut self, of: OperationIndex, response_ns: u64, service_ns: u64) {
        self.gather(Latency::Response(of as u32), response_ns);
        self.gather(Latency::Service(of as u32), service_ns);
    }

    /// Records a statement under another operation besides [`Recorder::statement`].
    pub fn statement_also(&mut self, of: OperationIndex, service_ns: u64) {
        self.gather(Latency::Service(of as u32), service_ns);
    }

    pub fn error(&mut self, error: ErrorCount) {
        self.errors.add(error);
    }

    fn gather(&mut self, what: Latency, ns: u64) {
        self.gathered.push(Gathered { what, ns });
        if self.gathered.len() == BATCH {
            self.settle();
        }
    }

    /// Counts what was gathered.
    #[inline(never)]
    pub fn settle(&mut self) {
        for Gathered { what, ns } in self.gathered.drain(..) {
            let (latencies, operation) = match what {
                Latency::Response(operation) => (&mut self.response, operation),
                Latency::Service(operation) => (&mut self.service, operation),
            };
            latencies[operation as usize].get_or_insert_with(Latencies::new).record(ns);
        }
    }
}
