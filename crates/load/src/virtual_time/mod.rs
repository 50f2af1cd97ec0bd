//! The engine on virtual time: the clients, the worker, the timetable and the sums of every run, on a clock that jumps from
//! one event to the next. Only the server is simulated: it returns the completion time of each request. So a trial of hours
//! takes seconds, and gives the same result on every machine.

mod known_answers;

use std::cell::{Cell, RefCell};
use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::net::UnixStream;
use std::rc::Rc;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use model::ErrorPolicy;
use wire::{ConnectOptions, Parts, ServerAddress, Socket};

use crate::client;
use crate::clock::Clock;
use crate::connector::Connector;
use crate::entries::{ByServer, Entries};
use crate::limit::Limit;
use crate::mailbox::{Connected, Control, Mailbox, WAKE};
use crate::measured::{Offered, Progress, Stopped};
use crate::reactor::{Interest, Poller, Reactor, Ready, Slot};
use crate::recorder::{Operation, Operations, transactions};
use crate::schedule::{Schedule, Timetable};
use crate::session::Session;
use crate::statement_error::StatementError;
use crate::sum::Sum;
use crate::turn::ClientOptions;
use crate::worker::{self, Report, WorkerOptions};
use crate::workload::{ClientNumber, ClientWorkload};

/// A trial on virtual time.
pub(crate) struct Trial {
    pub clients: u32,
    pub schedule: Schedule,
    pub limit: Limit,
    pub seed: u64,
    pub in_flight: Option<u32>,
    pub think: Duration,
    /// The engine's clock at an instant.
    pub clock_shows: fn(u64) -> u64,
}

/// A server on virtual time: the completion time of a request sent at an instant, both in nanoseconds. Called in order of time.
pub(crate) trait Server: Send {
    fn done_at(&mut self, asked_ns: u64) -> u64;
}

impl<F: FnMut(u64) -> u64 + Send> Server for F {
    fn done_at(&mut self, asked_ns: u64) -> u64 {
        self(asked_ns)
    }
}

static OPERATIONS: [Operation; 2] = [transactions("transaction"), transactions("retried")];

/// Runs a trial against a server on a clock that is set forward by waiting, and by nothing else.
pub(crate) fn run(trial: &Trial, server: impl Server) -> Offered {
    run_and_see(trial, server, &mut |_| {})
}

/// Runs a trial; `on` receives every interval.
pub(crate) fn run_and_see(trial: &Trial, server: impl Server, on: &mut dyn FnMut(Progress<'_>)) -> Offered {
    let timetable = match &trial.schedule {
        Schedule::Closed => None,
        Schedule::Open(rate) => {
            Some(Mutex::new(Timetable::new(rate, trial.limit.warmup, trial.limit.time, trial.seed)))
        }
    };
    let events_left = trial.limit.events.map(AtomicU64::new);
    let (timetable, events_left) = (timetable.as_ref(), events_left.as_ref());
    // Never asked: the connections are there before the clients look for them.
    let nowhere = ConnectOptions::new(ServerAddress::Unix("nowhere".into()), "nobody");
    let entries = Entries::one(&nowhere);
    let connector = Connector::new(&entries);
    let policy = ErrorPolicy::default();
    let (reports, inbox) = mpsc::channel();
    let (mailbox, mail) = Mailbox::new().unwrap();
    let server_ends: Vec<UnixStream> = (0..trial.clients)
        .map(|slot| {
            let (ours, theirs) = UnixStream::pair().unwrap();
            mailbox.connected(slot, Ok(connected(ours)));
            theirs
        })
        .collect();
    mailbox.send(Control::Start(0));
    let operations = Operations::from(OPERATIONS.clone());
    let (operations, by_server) = &ByServer::add_to(&operations, &entries, model::Reads::None);
    thread::scope(|scope| {
        let options = WorkerOptions {
            number: 0,
            clients: trial.clients as usize,
            limit: trial.limit,
            operations: OPERATIONS.len(),
            connector: &connector,
            mailbox,
            inbox: mail,
            reports,
            permits: trial.in_flight,
            events_left,
            timetable,
        };
        let clients = ClientOptions {
            operations,
            by_server: *by_server,
            policy: &policy,
            reconnect_every: 0,
            think: trial.think,
        };
        scope.spawn(move || {
            let now_ns = Rc::new(Cell::new(0));
            let clock = Rc::new(Shown { now_ns: Rc::clone(&now_ns), shows: trial.clock_shows });
            let reactor = Reactor::new(clock, Box::new(Jumper { now_ns, mail: true }), options.clients);
            let server = Rc::new(RefCell::new(server));
            worker::run(options, Rc::new(reactor), |ctx, slot| {
                let (reactor, server) = (Rc::clone(&ctx.reactor), Rc::clone(&server));
                let number = ClientNumber { number: slot, of: trial.clients, seed: trial.seed };
                client::run(ctx, clients, slot, number, Ask { reactor, slot, server })
            })
            .unwrap();
        });
        let mut sum = Sum::new(Operations::clone(operations), 1, 1, timetable, events_left);
        for report in inbox {
            match report {
                Report::Ready { connections } => {
                    connections.into_iter().for_each(|(connect_ns, tls)| sum.connected(connect_ns, tls));
                }
                Report::Interval { index, part } => sum.part(index, *part, on),
                Report::Fatal(fatal) => panic!("{fatal:?}"),
                Report::Ended(ended) => sum.ended(*ended),
            }
        }
        drop(server_ends);
        sum.finish(Stopped::AtLimit, 0.0, Vec::new(), |_, _| None, on)
    })
}

fn connected(socket: UnixStream) -> Connected {
    Connected { parts: Parts::new(Socket::Unix(socket)), took: Duration::ZERO, at: 0, changes: 0 }
}

/// The virtual clock, as the engine sees it.
struct Shown {
    now_ns: Rc<Cell<u64>>,
    shows: fn(u64) -> u64,
}

impl Clock for Shown {
    fn now(&self) -> u64 {
        (self.shows)(self.now_ns.get())
    }
}

/// Waits by setting the clock forward: no socket ever has anything.
struct Jumper {
    now_ns: Rc<Cell<u64>>,
    /// The mail of the start has not been announced yet.
    mail: bool,
}

impl Poller for Jumper {
    fn add(&self, _: BorrowedFd<'_>, _: u64) -> io::Result<()> {
        Ok(())
    }

    fn set(&self, _: BorrowedFd<'_>, _: u64, _: Interest) -> io::Result<()> {
        Ok(())
    }

    fn wait(&mut self, timeout_ns: Option<u64>, ready: &mut Vec<Ready>) -> io::Result<()> {
        ready.clear();
        if std::mem::take(&mut self.mail) {
            ready.push(Ready { token: WAKE, readable: true, writable: false });
            return Ok(());
        }
        let timeout_ns = timeout_ns.ok_or_else(|| io::Error::other("nothing will ever happen"))?;
        self.now_ns.set(self.now_ns.get() + timeout_ns);
        Ok(())
    }
}

/// Asks the server, and waits until it is done.
struct Ask<S> {
    reactor: Rc<Reactor>,
    slot: Slot,
    server: Rc<RefCell<S>>,
}

impl<S: Server> ClientWorkload for Ask<S> {
    async fn prepare(&mut self, _: &mut Session) -> Result<(), StatementError> {
        Ok(())
    }

    async fn transaction(&mut self, session: &mut Session) -> Result<(), StatementError> {
        let asked_ns = self.reactor.now();
        session.resume_transaction(false, Some(asked_ns));
        let done_ns = self.server.borrow_mut().done_at(asked_ns);
        while self.reactor.now() < done_ns {
            self.reactor.sleep_until(self.slot, done_ns).await;
        }
        session.last_done_ns = self.reactor.now();
        Ok(())
    }

    async fn roll_back(&mut self, _: &mut Session) -> Result<(), StatementError> {
        Ok(())
    }
}
