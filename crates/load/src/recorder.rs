//! What one worker measured in one interval. Filled without locks or allocation per transaction, handed over by value.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;
use model::{ErrorCount, OperationKind, QueryCounts};

use crate::summary::{HISTOGRAM_MAX_NS, new_histogram};

/// Index into the list of operations of a workload; 0 is the transaction as a whole.
pub(crate) type OperationIndex = usize;

/// The transaction as a whole.
pub(crate) const TRANSACTION: OperationIndex = 0;

/// How a statement counts in sysbench's read/write/other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QueryKind {
    Read,
    Write,
    Other,
}

/// An operation that is measured: the transaction, or one class of statement in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Operation {
    pub name: &'static str,
    pub kind: OperationKind,
    pub query: QueryKind,
    /// The statement, with `%u` for the table's number and `?` for parameters.
    pub template: &'static str,
}

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

/// One worker's figures for one interval.
#[derive(Debug)]
pub(crate) struct Recorder {
    /// Service time by operation; none where nothing was recorded.
    pub service: Vec<Option<Latencies<u32>>>,
    /// Response time of transactions.
    pub response: Latencies<u32>,
    pub transactions: u64,
    pub queries: QueryCounts,
    pub errors: BTreeMap<u16, ErrorCount>,
    pub reconnects: u64,
}

impl Recorder {
    pub fn new(operations: usize) -> Self {
        Self {
            service: (0..operations).map(|_| None).collect(),
            response: Latencies::new(),
            transactions: 0,
            queries: QueryCounts::default(),
            errors: BTreeMap::new(),
            reconnects: 0,
        }
    }

    pub fn statement(&mut self, operation: OperationIndex, query: QueryKind, service_ns: u64) {
        self.count(query);
        self.service_time(operation, service_ns);
    }

    pub fn transaction(&mut self, response_ns: u64, service_ns: u64) {
        self.transactions += 1;
        self.response.record(response_ns);
        self.service_time(TRANSACTION, service_ns);
    }

    pub fn error(&mut self, error: ErrorCount) {
        self.errors
            .entry(error.code)
            .and_modify(|seen| {
                seen.count += error.count;
                seen.forgiven &= error.forgiven;
            })
            .or_insert(error);
    }

    fn count(&mut self, query: QueryKind) {
        match query {
            QueryKind::Read => self.queries.read += 1,
            QueryKind::Write => self.queries.write += 1,
            QueryKind::Other => self.queries.other += 1,
        }
    }

    fn service_time(&mut self, operation: OperationIndex, ns: u64) {
        self.service[operation].get_or_insert_with(Latencies::new).record(ns);
    }
}
