//! A worker: one thread, one reactor, many clients. It polls the clients that something happened to, and hands over
//! its figures at each boundary.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::Future;
use std::os::fd::{AsFd, OwnedFd};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};

use wire::{ConnectError, TlsSession};

use crate::connector::Connector;
use crate::limit::{Boundary, Limit};
use crate::mailbox::{Connected, Control, Mailbox, WAKE};
use crate::measured::Fatal;
use crate::reactor::{Reactor, Ready, Slot};
use crate::recorder::Recorder;
use crate::schedule::Timetable;
use crate::usage::ThreadUse;

/// Time that clients have to finish their last transaction after the end.
const GRACE_NS: u64 = 5_000_000_000;

/// A message from a worker to the control thread.
pub(crate) enum Report {
    /// A client is connected and has prepared its statements.
    Ready {
        /// Its connections: how long each took to open, nanoseconds, and what TLS agreed on.
        connections: Vec<(u64, Option<TlsSession>)>,
    },
    /// The figures of one interval.
    Interval { index: usize, part: Box<Part> },
    /// A client met an error that the policy does not forgive.
    Fatal(Box<Fatal>),
    /// The worker has ended.
    Ended(Box<Ended>),
}

/// One worker's share of one interval.
pub(crate) struct Part {
    pub worker: usize,
    pub recorder: Recorder,
    /// Since the start of the load; its begin is the end of the worker's part before.
    pub end_ns: u64,
    pub warmup: bool,
    /// All clients of the worker, whether or not they still run.
    pub share: u32,
    pub clients: u32,
    /// Clients that wait for something to be due.
    pub waiting: u32,
    /// Clients with something that is due, which wait for a place in flight.
    pub in_line: u32,
    /// Total time that the due transactions had been due at the end.
    pub due_for_ns: u64,
    /// Stretches without a completed transaction, since the start of the load; the one at the end is still open.
    pub pauses: Vec<(u64, u64)>,
    pub used: ThreadUse,
}

/// The final state of a worker.
pub(crate) struct Ended {
    /// Per client in the measured window: transactions, and nanoseconds spent in them.
    pub clients: Vec<(u64, u64)>,
    /// Age of the oldest transaction in flight at the end; none if there was none.
    pub in_flight_longest_ns: Option<u64>,
    /// Transactions in flight at the end.
    pub in_flight: u64,
    /// Backward movement of its clock.
    pub clock_set_back_ns: u64,
}

/// State shared by all clients of a worker.
pub(crate) struct Ctx<'a> {
    pub reactor: Rc<Reactor>,
    pub recorder: Rc<RefCell<Recorder>>,
    pub connector: &'a Connector<'a>,
    pub mailbox: Mailbox,
    pub reports: Sender<Report>,
    /// Transactions that may still begin in the measured window, over all workers; none: no such limit.
    pub events_left: Option<&'a AtomicU64>,
    /// The permits, if concurrency is limited.
    pub permits: Option<Permits>,
    /// Arrivals of an open loop; none in a closed loop.
    pub timetable: Option<&'a Mutex<Timetable>>,
    pub started_ns: Cell<Option<u64>>,
    pub end_ns: Cell<u64>,
    pub measuring: Cell<bool>,
    pub stopping: Cell<bool>,
    pub arrivals: Vec<RefCell<Option<Result<Connected, ConnectError>>>>,
    /// The reason for the latest failure to connect, while it is retried.
    pub refusals: Vec<RefCell<Option<ConnectError>>>,
    pub clients: Vec<ClientState>,
}

/// The worker's view of a client from outside.
#[derive(Default)]
pub(crate) struct ClientState {
    pub transactions: Cell<u64>,
    pub busy_ns: Cell<u64>,
    /// Due time of the transaction in flight.
    pub in_flight_since_ns: Cell<Option<u64>>,
    /// Due time of its transaction, which may wait for a permit before it is in flight.
    pub due_since_ns: Cell<Option<u64>>,
    pub running: Cell<bool>,
    /// Free, and waiting for something to be due.
    pub waiting: Cell<bool>,
    /// Was given the permit that it queued for.
    pub has_place: Cell<bool>,
}

/// Places for transactions in flight, and the line of those who wait for one.
pub(crate) struct Permits {
    free: Cell<u32>,
    line: RefCell<VecDeque<Slot>>,
}

impl Permits {
    fn new(free: u32) -> Self {
        Self { free: Cell::new(free), line: RefCell::default() }
    }

    /// Takes a permit, or joins the queue. Returns true if it has the permit.
    pub fn take(&self, slot: Slot) -> bool {
        let free = self.free.get();
        if free == 0 {
            self.line.borrow_mut().push_back(slot);
            return false;
        }
        self.free.set(free - 1);
        true
    }

    /// Releases a permit: to the first client in the queue, which is returned, or to the next one that comes.
    pub fn give_up(&self) -> Option<Slot> {
        let next = self.line.borrow_mut().pop_front();
        if next.is_none() {
            self.free.set(self.free.get() + 1);
        }
        next
    }

    /// Leaves the line without a place.
    pub fn leave(&self, slot: Slot) {
        self.line.borrow_mut().retain(|waiting| *waiting != slot);
    }

    fn in_line(&self) -> u32 {
        self.line.borrow().len() as u32
    }
}

/// The parameters of a worker.
pub(crate) struct WorkerOptions<'a> {
    /// Its number, from 0.
    pub number: usize,
    pub clients: usize,
    pub limit: Limit,
    /// Number of operations of the workload.
    pub operations: usize,
    pub connector: &'a Connector<'a>,
    pub mailbox: Mailbox,
    pub inbox: Receiver<Control>,
    pub reports: Sender<Report>,
    /// Transactions that may be in flight here; none: no such limit.
    pub permits: Option<u32>,
    pub events_left: Option<&'a AtomicU64>,
    pub timetable: Option<&'a Mutex<Timetable>>,
}

type Task<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// Runs a worker to its end on a reactor with a slot for each of its clients. `spawn` makes the future of the client in a
/// slot.
pub(crate) fn run<'a, F, T>(
    options: WorkerOptions<'a>,
    reactor: Rc<Reactor>,
    mut spawn: F,
) -> std::io::Result<()>
where
    F: FnMut(Rc<Ctx<'a>>, Slot) -> T,
    T: Future<Output = ()> + 'a,
{
    reactor.add(options.mailbox.wake.as_fd(), WAKE)?;
    let ctx = Rc::new(Ctx {
        reactor: Rc::clone(&reactor),
        recorder: Rc::new(RefCell::new(Recorder::new(options.operations))),
        connector: options.connector,
        mailbox: options.mailbox.clone(),
        reports: options.reports,
        events_left: options.events_left,
        permits: options.permits.map(Permits::new),
        timetable: options.timetable,
        started_ns: Cell::new(None),
        end_ns: Cell::new(u64::MAX),
        measuring: Cell::new(false),
        stopping: Cell::new(false),
        arrivals: (0..options.clients).map(|_| RefCell::default()).collect(),
        refusals: (0..options.clients).map(|_| RefCell::default()).collect(),
        clients: (0..options.clients).map(|_| ClientState::default()).collect(),
    });
    let tasks = (0..options.clients).map(|slot| {
        let task: Task<'a> = Box::pin(spawn(Rc::clone(&ctx), slot as Slot));
        Some(task)
    });
    let mut worker = Worker {
        tasks: tasks.collect(),
        alive: options.clients,
        handover: Handover::new(&ctx, options.number, options.operations, options.limit),
        inbox: options.inbox,
        wake: options.mailbox.wake,
        ctx,
    };
    worker.drive()
}

struct Worker<'a> {
    ctx: Rc<Ctx<'a>>,
    tasks: Vec<Option<Task<'a>>>,
    alive: usize,
    handover: Handover<'a>,
    inbox: Receiver<Control>,
    wake: Arc<OwnedFd>,
}

impl Worker<'_> {
    fn drive(&mut self) -> std::io::Result<()> {
        for slot in 0..self.tasks.len() {
            self.poll(slot as Slot);
        }
        let mut ready: Vec<Ready> = Vec::with_capacity(256);
        while self.alive > 0 {
            self.ctx.reactor.wait(self.wake_at(), &mut ready)?;
            let now = self.ctx.reactor.now();
            let stopping = self.ctx.stopping.get();
            self.handover.until(now);
            if self.ctx.stopping.get() != stopping {
                // Who waits for a permit or for a connection waits no longer.
                self.notify_all();
            }
            if self.handover.abandoned(now) {
                break;
            }
            while let Some(slot) = self.ctx.reactor.pop_timer(now) {
                self.poll(slot);
            }
            for event in &ready {
                if event.token == WAKE {
                    self.read_mail();
                } else {
                    self.ctx.reactor.mark(event.token as Slot, *event);
                    self.poll(event.token as Slot);
                }
            }
        }
        self.handover.close(self.ctx.reactor.now());
        let ended = Ended {
            clients: self.ctx.clients.iter().map(|c| (c.transactions.get(), c.busy_ns.get())).collect(),
            in_flight_longest_ns: self.handover.in_flight_longest_ns,
            in_flight: self.handover.in_flight,
            clock_set_back_ns: self.ctx.reactor.set_back_ns(),
        };
        let _ = self.ctx.reports.send(Report::Ended(Box::new(ended)));
        Ok(())
    }

    fn wake_at(&self) -> u64 {
        self.handover.next_ns().min(self.handover.abandon_at_ns.get().unwrap_or(u64::MAX))
    }

    fn poll(&mut self, slot: Slot) {
        let place = &mut self.tasks[slot as usize];
        let Some(task) = place else { return };
        // Nothing wakes a task but its slot, so the waker is a formality.
        if task.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready() {
            *place = None;
            self.alive -= 1;
        }
    }

    fn read_mail(&mut self) {
        let _ = rustix::io::read(&*self.wake, &mut [0u8; 8]);
        while let Ok(control) = self.inbox.try_recv() {
            match control {
                Control::Connected(slot, result) => {
                    *self.ctx.arrivals[slot as usize].borrow_mut() = Some(result);
                    self.notify(slot);
                }
                Control::Refused(slot, error) => {
                    *self.ctx.refusals[slot as usize].borrow_mut() = Some(error);
                }
                Control::Start(at_ns) => {
                    self.handover.start(at_ns);
                    self.notify_all();
                }
                Control::PrimaryChanged(changes) => {
                    self.ctx.reactor.primary_changes.set(changes);
                    // Whoever waits for an answer of the one before looks again.
                    for slot in 0..self.tasks.len() as Slot {
                        let token = u64::from(slot);
                        self.ctx.reactor.mark(slot, Ready { token, readable: true, writable: true });
                        self.poll(slot);
                    }
                }
                Control::Stop => {
                    self.handover.close(self.ctx.reactor.now());
                    self.notify_all();
                }
            }
        }
    }

    fn notify(&mut self, slot: Slot) {
        self.ctx.reactor.notify(slot);
        self.poll(slot);
    }

    fn notify_all(&mut self) {
        for slot in 0..self.tasks.len() {
            self.notify(slot as Slot);
        }
    }
}

/// Hands the recorder over at each boundary, and knows where in the trial the worker is.
struct Handover<'a> {
    ctx: Rc<Ctx<'a>>,
    worker: usize,
    operations: usize,
    limit: Limit,
    boundaries: Box<dyn Iterator<Item = Boundary>>,
    next: Option<Boundary>,
    index: usize,
    used: ThreadUse,
    /// Time after which unfinished clients are abandoned.
    abandon_at_ns: Cell<Option<u64>>,
    in_flight_longest_ns: Option<u64>,
    in_flight: u64,
}

impl<'a> Handover<'a> {
    fn new(ctx: &Rc<Ctx<'a>>, worker: usize, operations: usize, limit: Limit) -> Self {
        Self {
            ctx: Rc::clone(ctx),
            worker,
            operations,
            limit,
            boundaries: Box::new(std::iter::empty()),
            next: None,
            index: 0,
            used: ThreadUse::default(),
            abandon_at_ns: Cell::new(None),
            in_flight_longest_ns: None,
            in_flight: 0,
        }
    }

    fn start(&mut self, at_ns: u64) {
        self.boundaries = Box::new(self.limit.boundaries());
        self.next = self.boundaries.next();
        self.used = ThreadUse::now();
        self.ctx.recorder.borrow_mut().last_done_ns = at_ns;
        let length = self.limit.time.map(|time| (self.limit.warmup + time).as_nanos() as u64);
        self.ctx.end_ns.set(length.map_or(u64::MAX, |length| at_ns + length));
        self.ctx.measuring.set(self.limit.warmup.is_zero());
        self.ctx.started_ns.set(Some(at_ns));
    }

    /// The next boundary as an instant of the clock.
    fn next_ns(&self) -> u64 {
        match (self.next, self.ctx.started_ns.get()) {
            (Some(next), Some(started)) => started + next.at_ns,
            _ => u64::MAX,
        }
    }

    /// Hands over at every boundary that has passed. A worker that comes so late that several have passed has done
    /// nothing since the first of them: those in between lie where they were planned, so that such a second is seen to
    /// be empty.
    fn until(&mut self, now: u64) {
        while self.next_ns() <= now {
            let Some(boundary) = self.next else { return };
            let planned_ns = self.next_ns();
            self.next = self.boundaries.next();
            let is_latest = self.next_ns() > now;
            self.hand_over(boundary.warmup, if is_latest { now } else { planned_ns });
            if boundary.last {
                self.finish(now);
            } else if self.next.is_some_and(|next| !next.warmup) {
                self.ctx.measuring.set(true);
            }
        }
    }

    /// Ends the measured window before its time: interrupted, out of events, or all clients gone.
    fn close(&mut self, now: u64) {
        if let Some(boundary) = self.next.take() {
            self.hand_over(boundary.warmup, now);
        }
        if !self.ctx.stopping.get() {
            self.finish(now);
        }
    }

    fn finish(&mut self, now: u64) {
        self.next = None;
        self.ctx.stopping.set(true);
        self.ctx.measuring.set(false);
        self.abandon_at_ns.set(Some(now + GRACE_NS));
        let ages = self.ctx.clients.iter().filter_map(|c| c.in_flight_since_ns.get());
        let ages: Vec<u64> = ages.map(|since| now.saturating_sub(since)).collect();
        self.in_flight = ages.len() as u64;
        self.in_flight_longest_ns = ages.into_iter().max();
    }

    fn abandoned(&self, now: u64) -> bool {
        self.abandon_at_ns.get().is_some_and(|at| at <= now)
    }

    fn hand_over(&mut self, warmup: bool, now: u64) {
        let Some(started) = self.ctx.started_ns.get() else { return };
        let used = ThreadUse::now();
        let since_start = |ns: u64| ns.saturating_sub(started);
        let mut recorder = self.ctx.recorder.replace(Recorder::new(self.operations));
        self.ctx.recorder.borrow_mut().last_done_ns = recorder.last_done_ns;
        let mut pauses = std::mem::take(&mut recorder.pauses);
        pauses.push((recorder.last_done_ns, now));
        let due = self.ctx.clients.iter().filter_map(|c| c.due_since_ns.get());
        let part = Part {
            worker: self.worker,
            recorder,
            end_ns: since_start(now),
            warmup,
            share: self.ctx.clients.len() as u32,
            due_for_ns: due.map(|since| now.saturating_sub(since)).sum(),
            pauses: pauses.into_iter().map(|(from, to)| (since_start(from), since_start(to))).collect(),
            clients: self.ctx.clients.iter().filter(|c| c.running.get()).count() as u32,
            waiting: self.ctx.clients.iter().filter(|c| c.waiting.get()).count() as u32,
            in_line: self.ctx.permits.as_ref().map_or(0, Permits::in_line),
            used: used.since(&self.used),
        };
        let _ = self.ctx.reports.send(Report::Interval { index: self.index, part: Box::new(part) });
        self.index += 1;
        self.used = used;
    }
}
