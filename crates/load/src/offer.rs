//! One trial's load, from the first connection to the last figure: starts the workers, and adds up their figures.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use model::{Failure, WorkloadSpec};

use crate::clock::{Clock, Monotonic};
use crate::connector::{Connector, THREADS_MAX};
use crate::entries::{ByServer, CurrentPrimary, Entries};
use crate::limit::Limit;
use crate::mailbox::{Control, Mailbox};
use crate::measured::{Fatal, Offered, Progress, Stopped};
use crate::recorder::Operations;
use crate::schedule::{Schedule, Timetable};
use crate::setup::WorkerSetup;
use crate::standstill::{self, Look};
use crate::sum::Sum;
use crate::turn::ClientOptions;
use crate::worker::{Report, WorkerOptions};
use crate::workload::{Started, execution};

/// A load to be offered.
pub struct Offer<'a> {
    /// The servers that clients connect to.
    pub entries: Entries<'a>,
    /// The workload.
    pub workload: &'a WorkloadSpec,
    /// Number of clients.
    pub clients: u32,
    /// The schedule of due transactions.
    pub schedule: Schedule,
    /// The limit.
    pub limit: Limit,
    /// Limit on concurrent transactions, over all clients: further due ones queue, and queueing counts as response time. None:
    /// no limit.
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

/// The reason a load could not be offered at all.
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

/// Offers load until its limit, `cancel` or a fatal error. `on` receives every interval as it ends.
///
/// # Errors
/// Only if the workers themselves cannot be started. What goes wrong with the server is in [`Offered::stopped`].
pub fn offer(offer: &Offer<'_>, on: &mut dyn FnMut(Progress<'_>)) -> Result<Offered, OfferError> {
    let cpus = thread::available_parallelism().map_or(1, |n| n.get() as u32);
    let workers =
        offer.workers.unwrap_or_else(|| default_workers(cpus, offer.clients)).clamp(1, offer.clients.max(1));
    // Each worker has permits of its own, so that nobody waits for a lock.
    let workers = workers.min(offer.in_flight.unwrap_or(u32::MAX).max(1));
    let connector = Connector::new(&offer.entries);
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
    let execution = execution(offer.workload);
    let (operations, by_server) =
        ByServer::add_to(&execution.operations(), &offer.entries, offer.workload.reads());
    let started = execution.start(offer.seed)?;
    let (operations, started) = (&operations, &*started);
    thread::scope(|scope| {
        for (index, (mailbox, mail)) in mailboxes.iter().zip(mails).enumerate() {
            let share = (index as u32..offer.clients).step_by(workers as usize).count();
            let client = ClientOptions {
                operations,
                by_server,
                policy: offer.workload.errors(),
                reconnect_every: offer.workload.reconnect(),
                think: offer.think,
            };
            let worker = WorkerOptions {
                number: index,
                clients: share,
                limit: offer.limit,
                operations: operations.len(),
                connector: &connector,
                mailbox: mailbox.clone(),
                inbox: mail,
                reports: reports.clone(),
                permits: offer.in_flight.map(|all| all / workers + u32::from((index as u32) < all % workers)),
                events_left: events_left.as_ref(),
                timetable: timetable.as_ref(),
            };
            let (clients, seed) = (offer.clients, offer.seed);
            let setup = WorkerSetup { workers, clients, seed, clock, client, worker };
            thread::Builder::new()
                .name(format!("load-{index}"))
                .spawn_scoped(scope, move || run_worker(started, setup))?;
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
        let mailboxes = &mailboxes;
        let control =
            Coordinator { offer, operations, started, mailboxes, clock, cpus, begun, timetable, events_left };
        let measured = control.conduct(&inbox, on);
        connector.close();
        Ok(measured)
    })
}

/// One worker per CPU as long as there are clients for it: clients of one worker wait for each other's answers to be read,
/// and requests are sent later than they could be. This number of workers can saturate any server.
fn default_workers(cpus: u32, clients: u32) -> u32 {
    const MOST: u32 = 32;
    clients.min(cpus).clamp(1, MOST)
}

/// Runs a worker on the calling thread; if that cannot be done, the trial fails.
fn run_worker(started: &dyn Started, setup: WorkerSetup<'_>) {
    let reports = setup.worker.reports.clone();
    if let Err(error) = started.run(setup) {
        let failure = Failure {
            code: model::FailureCode::Machine,
            message: format!("a worker of the generator failed: {error}"),
            hint: Some("check the limit of open files: ulimit -n".to_owned()),
            server_error: None,
        };
        let _ = reports.send(Report::Fatal(Box::new(Fatal { failure, client: 0 })));
    }
}

/// The control thread: starts and stops the workers, and adds up their reports.
struct Coordinator<'a> {
    offer: &'a Offer<'a>,
    operations: &'a Operations,
    started: &'a dyn Started,
    mailboxes: &'a [Mailbox],
    clock: Monotonic,
    cpus: u32,
    begun: Instant,
    /// Arrivals of an open loop; none in a closed loop.
    timetable: Option<&'a Mutex<Timetable>>,
    events_left: Option<&'a AtomicU64>,
}

/// Interval at which the control thread checks for cancellation.
const TICK: Duration = Duration::from_millis(50);
/// Time from the end of a load, or from its interruption, until a workload that never ends by itself is ended.
const PATIENCE_AT_END: Duration = Duration::from_secs(6);
const PATIENCE_WHEN_STOPPED: Duration = Duration::from_secs(1);
/// Delay from the start command to the start, within which all workers receive it.
const START_DELAY_NS: u64 = 1_000_000;

impl Coordinator<'_> {
    fn conduct(&self, inbox: &Receiver<Report>, on: &mut dyn FnMut(Progress<'_>)) -> Offered {
        let operations = Operations::clone(self.operations);
        let mut sum = Sum::new(operations, self.mailboxes.len(), self.cpus, self.timetable, self.events_left);
        let mut ready = 0;
        let mut stopped = Stopped::AtLimit;
        let mut stop_sent = false;
        let mut connect_s = 0.0;
        let mut started_ns = None;
        let mut stood_still = Vec::new();
        let mut primary_changes = 0;
        let mut abandon_at = None;
        while sum.workers_running() > 0 {
            if abandon_at.is_some_and(|at| Instant::now() >= at) {
                self.started.abandon();
            }
            if !stop_sent && self.offer.cancel.load(Ordering::Relaxed) {
                stopped = Stopped::Cancelled;
                stop_sent = true;
                abandon_at = Some(Instant::now() + PATIENCE_WHEN_STOPPED);
                self.tell_all(|| Control::Stop);
            }
            let changes = self.offer.entries.primary.map_or(0, CurrentPrimary::changes);
            if std::mem::replace(&mut primary_changes, changes) != changes {
                self.tell_all(|| Control::PrimaryChanged(changes));
            }
            let before = Look::at(self.clock.now());
            let report = inbox.recv_timeout(TICK);
            let after = Look::at(self.clock.now());
            stood_still.extend(started_ns.and_then(|at_ns| standstill::between(before, after, TICK, at_ns)));
            match report {
                Ok(Report::Ready { connections }) => {
                    connections.into_iter().for_each(|(connect_ns, tls)| sum.connected(connect_ns, tls));
                    ready += 1;
                    if ready == self.offer.clients {
                        connect_s = self.begun.elapsed().as_secs_f64();
                        on(Progress::Connected { seconds: connect_s });
                        let at_ns = self.clock.now() + START_DELAY_NS;
                        started_ns = Some(at_ns);
                        let length = self.offer.limit.time.map(|time| self.offer.limit.warmup + time);
                        abandon_at = length.map(|length| Instant::now() + length + PATIENCE_AT_END);
                        self.tell_all(|| Control::Start(at_ns));
                    }
                }
                Ok(Report::Interval { index, part }) => sum.part(index, *part, on),
                Ok(Report::Fatal(fatal)) => {
                    if !stop_sent {
                        stopped = Stopped::Failed(name_client(*fatal, self.offer.clients));
                        stop_sent = true;
                        abandon_at = Some(Instant::now() + PATIENCE_WHEN_STOPPED);
                        self.tell_all(|| Control::Stop);
                    }
                }
                Ok(Report::Ended(ended)) => sum.ended(*ended),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let tpcc = |rollbacks, retries: &[u64]| self.started.tpcc(rollbacks, retries);
        sum.finish(stopped, connect_s, stood_still, tpcc, on)
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
