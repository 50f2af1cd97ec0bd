//! One trial's load, from the first connection to the last figure: starts the workers, adds up what they hand over.

use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use model::{
    ErrorCount, Failure, Fairness, GeneratorUse, Interval, OpenLoop, OperationSummary, QueryCounts, Stalls,
    Straddling, Stretch, SysbenchOptions, TlsUse, TpccResult, Traffic, WorkloadSpec,
};

use crate::client::{self, ClientOptions};
use crate::clock::{Clock, Monotonic};
use crate::connector::{Connector, THREADS_MAX};
use crate::limit::Limit;
use crate::reactor::{Epoll, Reactor};
use crate::schedule::{Schedule, Timetable};
use crate::standstill::{self, Look};
use crate::sum::Sum;
use crate::worker::{self, Control, Mailbox, Report, WorkerOptions};
use crate::workload::{self, BulkInsert, Catalog, ClientNumber, Family, Oltp, Secondary, UniqueIds, tpcc};

/// What is to be offered.
pub struct Offer<'a> {
    /// How clients connect.
    pub connect: &'a wire::ConnectOptions,
    /// What they do.
    pub workload: &'a WorkloadSpec,
    /// How many there are.
    pub clients: u32,
    /// When work is due.
    pub schedule: Schedule,
    /// When to stop.
    pub limit: Limit,
    /// Transactions in flight at the same time, over all clients: those that are due beyond wait in line, and their
    /// waiting is response time. None: no such limit.
    pub in_flight: Option<u32>,
    /// Mean time that a client thinks between two transactions (negative exponential).
    pub think: Duration,
    /// Seed of all random streams.
    pub seed: u64,
    /// Worker threads; none: chosen from CPUs and clients.
    pub workers: Option<u32>,
    /// Set from outside to stop early.
    pub cancel: &'a AtomicBool,
}

/// What [`offer`] tells while it runs.
pub enum Progress<'a> {
    /// All clients are connected and ready; the load begins.
    Connected {
        /// Seconds it took.
        seconds: f64,
    },
    /// An interval is over.
    Interval {
        /// Its figures.
        interval: &'a Interval,
        /// Its histograms.
        histograms: &'a [TaggedHistogram],
    },
    /// The load is over: how long its connections took to open, those before its beginning among them.
    Connections {
        /// End of the load, seconds since its beginning.
        end_s: f64,
        /// `service:connect`, and with TLS `service:tls_handshake`.
        histograms: &'a [TaggedHistogram],
    },
}

/// A histogram of one interval, named as in `load.hlog`: `response:transaction`, `service:point_select`.
pub struct TaggedHistogram {
    /// What was measured.
    pub tag: String,
    /// The counts, in nanoseconds.
    pub histogram: Histogram<u64>,
}

/// How the load ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Stopped {
    /// By its limit.
    AtLimit,
    /// By `cancel`.
    Cancelled,
    /// By an error that the policy does not forgive.
    Failed(Failure),
}

/// What was measured. All figures are of the measured window.
#[derive(Debug, Clone)]
pub struct Measured {
    /// How it ended.
    pub stopped: Stopped,
    /// Seconds until all clients were ready.
    pub connect_s: f64,
    /// Seconds of warm-up.
    pub warmup_s: f64,
    /// Length of the window, seconds.
    pub measured_s: f64,
    /// Transactions completed.
    pub transactions: u64,
    /// Statements answered.
    pub queries: QueryCounts,
    /// Latency per operation; the transaction first, and `connect` (which covers the whole trial) last.
    pub operations: Vec<OperationSummary>,
    /// Errors by code, and by type of transaction where there are several.
    pub errors: Vec<ErrorCount>,
    /// Connections opened again.
    pub reconnects: u64,
    /// What the generator used.
    pub generator: GeneratorUse,
    /// How evenly the clients shared the work.
    pub fairness: Fairness,
    /// Transactions in flight when the window closed; they are not counted.
    pub in_flight: u64,
    /// For how long the longest of them had been running, nanoseconds.
    pub in_flight_longest_ns: Option<u64>,
    /// Transactions that straddle the ends of the window.
    pub straddling: Straddling,
    /// When the whole generator stood still, also in the warm-up.
    pub stood_still: Vec<Stretch>,
    /// Stretches of the window in which no client completed a transaction.
    pub stalls: Stalls,
    /// Bytes over all sockets.
    pub traffic: Traffic,
    /// What TLS agreed on; none without TLS.
    pub tls: Option<TlsUse>,
    /// What only TPC-C knows.
    pub tpcc: Option<TpccResult>,
    /// What only an open loop knows.
    pub open_loop: Option<OpenLoop>,
}

/// Why a load could not be offered at all.
#[derive(Debug, thiserror::Error)]
pub enum OfferError {
    /// A worker could not be set up.
    #[error("a worker of the generator could not be started: {0}")]
    Worker(#[from] std::io::Error),
}

impl model::Advise for OfferError {
    fn advice(&self) -> Vec<model::Advice> {
        vec![model::Advice::words("check the limit of open files (ulimit -n)")]
    }
}

/// An error that ends a trial, and whose it was.
#[derive(Debug)]
pub(crate) struct Fatal {
    pub failure: Failure,
    pub client: u32,
}

/// Offers load until its limit, `cancel` or a fatal error. `on` is told of every interval as it ends.
///
/// # Errors
/// Only if the workers themselves cannot be started. What goes wrong with the server is in [`Measured::stopped`].
pub fn offer(offer: &Offer<'_>, on: &mut dyn FnMut(Progress<'_>)) -> Result<Measured, OfferError> {
    let cpus = thread::available_parallelism().map_or(1, |n| n.get() as u32);
    let workers =
        offer.workers.unwrap_or_else(|| default_workers(cpus, offer.clients)).clamp(1, offer.clients.max(1));
    // Each worker has places of its own, so that nobody waits for a lock.
    let workers = workers.min(offer.in_flight.unwrap_or(u32::MAX).max(1));
    let connector = Connector::new(offer.connect);
    let clock = Monotonic::start();
    let events_left = offer.limit.events.map(AtomicU64::new);
    let timetable = match &offer.schedule {
        Schedule::Closed => None,
        Schedule::Open(rate) => {
            Some(Mutex::new(Timetable::new(rate, offer.limit.warmup, offer.limit.time, offer.seed)))
        }
    };
    let (reports, inbox) = mpsc::channel();
    let mut mailboxes = Vec::new();
    let mut mails = Vec::new();
    for _ in 0..workers {
        let (mailbox, mail) = Mailbox::new()?;
        mailboxes.push(mailbox);
        mails.push(mail);
    }
    let unique = Arc::new(UniqueIds::new(offer.seed));
    let touched = match offer.workload {
        WorkloadSpec::Tpcc(options) => Some(Arc::new(tpcc::Touched::new(options.data.warehouses))),
        WorkloadSpec::Sysbench(_) | WorkloadSpec::Imported(_) => None,
    };
    thread::scope(|scope| {
        for (index, (mailbox, mail)) in mailboxes.iter().zip(mails).enumerate() {
            let setup = WorkerSetup {
                index: index as u32,
                workers,
                offer,
                clock,
                unique: Arc::clone(&unique),
                touched: touched.clone(),
            };
            let share = (index as u32..offer.clients).step_by(workers as usize).count();
            let options = WorkerOptions {
                number: index,
                clients: share,
                limit: offer.limit,
                operations: workload::operations(offer.workload),
                connector: &connector,
                mailbox: mailbox.clone(),
                inbox: mail,
                reports: reports.clone(),
                places: offer.in_flight.map(|all| all / workers + u32::from((index as u32) < all % workers)),
                events_left: events_left.as_ref(),
                timetable: timetable.as_ref(),
            };
            thread::Builder::new()
                .name(format!("load-{index}"))
                .spawn_scoped(scope, move || setup.run(options))?;
        }
        drop(reports);
        for index in 0..THREADS_MAX.min(offer.clients as usize) {
            let connector = &connector;
            thread::Builder::new()
                .name(format!("connect-{index}"))
                .spawn_scoped(scope, || connector.serve())?;
        }
        let begun = Instant::now();
        let (timetable, events_left) = (timetable.as_ref(), events_left.as_ref());
        let control =
            ControlRoom { offer, mailboxes: &mailboxes, clock, cpus, begun, touched, timetable, events_left };
        let measured = control.conduct(&inbox, on);
        connector.close();
        Ok(measured)
    })
}

/// One worker per CPU as long as there are clients for it: clients of one worker wait for each other's answers to be
/// read, and a server is asked later than it could be. So many workers drive any server there is.
fn default_workers(cpus: u32, clients: u32) -> u32 {
    const MOST: u32 = 32;
    clients.min(cpus).clamp(1, MOST)
}

/// What a worker thread needs to make its clients.
struct WorkerSetup<'a> {
    index: u32,
    workers: u32,
    offer: &'a Offer<'a>,
    clock: Monotonic,
    unique: Arc<UniqueIds>,
    /// None unless the workload is TPC-C.
    touched: Option<Arc<tpcc::Touched>>,
}

impl<'a> WorkerSetup<'a> {
    fn run(self, options: WorkerOptions<'a>) {
        let reports = options.reports.clone();
        let result = match self.offer.workload {
            WorkloadSpec::Sysbench(sysbench) => self.run_sysbench(sysbench, options),
            WorkloadSpec::Tpcc(tpcc) => {
                let shared = Rc::new(tpcc::Shared::new(tpcc, self.offer.seed, self.touched.clone()));
                self.run_clients(options, |client| tpcc::Terminal::new(&shared, client))
            }
            WorkloadSpec::Imported(_) => Err(std::io::Error::other("an imported workload cannot be run")),
        };
        if let Err(error) = result {
            let failure = Failure {
                code: model::FailureCode::Machine,
                message: format!("a worker of the generator failed: {error}"),
                hint: Some("check the limit of open files: ulimit -n".to_owned()),
                server_error: None,
            };
            let _ = reports.send(Report::Fatal(Box::new(Fatal { failure, client: 0 })));
        }
    }

    fn run_sysbench(&self, sysbench: &SysbenchOptions, options: WorkerOptions<'a>) -> std::io::Result<()> {
        let shared = Rc::new(sysbench.clone());
        match Family::of(sysbench) {
            Family::Oltp => {
                let catalog = Rc::new(Catalog::new(sysbench));
                self.run_clients(options, |client| Oltp::new(&shared, &catalog, &self.unique, client))
            }
            Family::Secondary => self.run_clients(options, |client| Secondary::new(&shared, client)),
            Family::Bulk => self.run_clients(options, BulkInsert::new),
        }
    }

    fn run_clients<W: crate::workload::Workload + 'a>(
        &self,
        options: WorkerOptions<'a>,
        mut make: impl FnMut(ClientNumber) -> W,
    ) -> std::io::Result<()> {
        let client_options = ClientOptions {
            operations: options.operations,
            policy: self.offer.workload.errors(),
            reconnect_every: self.offer.workload.reconnect(),
            think: self.offer.think,
        };
        let reactor = Reactor::new(Rc::new(self.clock), Box::new(Epoll::new()?), options.clients);
        worker::run(options, Rc::new(reactor), |ctx, slot| {
            let number = self.index + slot * self.workers;
            let client = ClientNumber { number, of: self.offer.clients, seed: self.offer.seed };
            client::run(ctx, client_options, slot, client, make(client))
        })
    }
}

/// The control thread: tells the workers when, and adds up what they say.
struct ControlRoom<'a> {
    offer: &'a Offer<'a>,
    mailboxes: &'a [Mailbox],
    clock: Monotonic,
    cpus: u32,
    begun: Instant,
    /// None unless the workload is TPC-C.
    touched: Option<Arc<tpcc::Touched>>,
    /// Of an open loop.
    timetable: Option<&'a Mutex<Timetable>>,
    events_left: Option<&'a AtomicU64>,
}

/// How often the control thread looks whether it is to stop.
const TICK: Duration = Duration::from_millis(50);
/// From the order to start until the start, so that all workers have heard of it.
const START_DELAY_NS: u64 = 1_000_000;

impl ControlRoom<'_> {
    fn conduct(&self, inbox: &Receiver<Report>, on: &mut dyn FnMut(Progress<'_>)) -> Measured {
        let operations = workload::operations(self.offer.workload);
        let mut sum = Sum::new(operations, self.mailboxes.len(), self.cpus, self.timetable, self.events_left);
        let mut ready = 0;
        let mut stopped = Stopped::AtLimit;
        let mut stop_sent = false;
        let mut connect_s = 0.0;
        let mut started_ns = None;
        let mut stood_still = Vec::new();
        while sum.workers_running() > 0 {
            if !stop_sent && self.offer.cancel.load(Ordering::Relaxed) {
                stopped = Stopped::Cancelled;
                stop_sent = true;
                self.tell_all(|| Control::Stop);
            }
            let before = Look::at(self.clock.now());
            let report = inbox.recv_timeout(TICK);
            let after = Look::at(self.clock.now());
            stood_still.extend(started_ns.and_then(|at_ns| standstill::between(before, after, TICK, at_ns)));
            match report {
                Ok(Report::Ready { connect_ns, tls }) => {
                    sum.connected(connect_ns, tls);
                    ready += 1;
                    if ready == self.offer.clients {
                        connect_s = self.begun.elapsed().as_secs_f64();
                        on(Progress::Connected { seconds: connect_s });
                        let at_ns = self.clock.now() + START_DELAY_NS;
                        started_ns = Some(at_ns);
                        self.tell_all(|| Control::Start(at_ns));
                    }
                }
                Ok(Report::Interval { index, part }) => sum.part(index, *part, on),
                Ok(Report::Fatal(fatal)) => {
                    if !stop_sent {
                        stopped = Stopped::Failed(name_client(*fatal, self.offer.clients));
                        stop_sent = true;
                        self.tell_all(|| Control::Stop);
                    }
                }
                Ok(Report::Ended(ended)) => sum.ended(*ended),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        sum.finish(stopped, connect_s, stood_still, self.touched.as_ref().map(|touched| touched.count()), on)
    }

    fn tell_all(&self, mut control: impl FnMut() -> Control) {
        for mailbox in self.mailboxes {
            mailbox.send(control());
        }
    }
}

fn name_client(fatal: Fatal, clients: u32) -> Failure {
    let mut failure = fatal.failure;
    failure.message = format!("client {} of {clients}: {}", fatal.client + 1, failure.message);
    failure
}
