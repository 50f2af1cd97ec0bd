//! A client's turns: when its next transaction is due, whether it may begin, what is recorded of it; and its connections.

use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use codes::ErrorClass;
use model::{ErrorPolicy, Failure, FailureCode};
use random::Rng;

use crate::entries::{ByServer, Purpose};
use crate::mailbox::Connected;
use crate::measured::Fatal;
use crate::reactor::Slot;
use crate::recorder::{OperationIndex, Operations, RETRIED};
use crate::schedule::Arrival;
use crate::session::Counted;
use crate::worker::{ClientState, Ctx, Permits, Report};
use crate::workload::ClientNumber;

/// A connection missing for longer than this at the end of the load is a failure.
const RECONNECT_NS_MAX: u64 = 1_000_000_000;
/// Interval at which a thinking client checks whether all transactions of the trial have begun.
const LOOK_NS: u64 = 100_000_000;
/// Keeps the stream of think times apart from those of keys.
const STREAM: u64 = 0x7468_696e_6b00_0000;

/// The parameters of every client of a trial.
#[derive(Clone, Copy)]
pub(crate) struct ClientOptions<'a> {
    pub operations: &'a Operations,
    /// The operations that count the requests of each server.
    pub by_server: ByServer,
    pub policy: &'a ErrorPolicy,
    /// Reconnect after this many transactions; 0: never.
    pub reconnect_every: u64,
    /// Mean time between two transactions (negative exponential).
    pub think: Duration,
}

/// A client as the schedule and the worker see it.
pub(crate) struct Turn<'a> {
    pub ctx: Rc<Ctx<'a>>,
    pub options: ClientOptions<'a>,
    pub slot: Slot,
    pub number: u32,
    /// Times that it has left a server that is lost on purpose, or that lets it in and refuses its requests.
    pub losses: u32,
    /// Source of its think times.
    rng: Rng,
}

/// A transaction that is due.
struct Due {
    at_ns: u64,
    /// Open loop only: the arrival, and whether the client was there before it.
    arrival: Option<(Arrival, bool)>,
}

/// A completed transaction.
pub(crate) struct Completed {
    /// Its type; `TRANSACTION` if there is only one.
    pub operation: OperationIndex,
    /// The operation of its server, if transactions are counted by server.
    pub of_server: Option<OperationIndex>,
    pub due_ns: u64,
    /// Time its first statement was sent; none: it sent none.
    pub first_sent_ns: Option<u64>,
    pub done_ns: u64,
    /// It took more than one attempt.
    pub tried_again: bool,
}

impl<'a> Turn<'a> {
    pub fn new(ctx: Rc<Ctx<'a>>, options: ClientOptions<'a>, slot: Slot, client: ClientNumber) -> Self {
        let rng = Rng::stream(client.seed, STREAM + u64::from(client.number));
        Self { ctx, options, slot, number: client.number, losses: 0, rng }
    }

    /// Waits until the load begins. Returns when that was; none: it ends before.
    pub async fn start(&self) -> Option<u64> {
        while self.ctx.started_ns.get().is_none() {
            if self.ctx.stopping.get() {
                return None;
            }
            self.ctx.reactor.notified(self.slot).await;
        }
        // The worker hears of the start before it comes.
        let started_ns = self.ctx.started_ns.get().unwrap_or_default();
        if !self.wait_until(started_ns).await {
            return None;
        }
        self.state().running.set(true);
        Some(started_ns)
    }

    /// The client has ended, well or not.
    pub fn end(&self, how: Result<(), Fatal>) {
        if let Err(fatal) = how {
            let fatal = Fatal { client: self.number, ..fatal };
            let _ = self.ctx.reports.send(Report::Fatal(Box::new(fatal)));
        }
        self.state().running.set(false);
    }

    /// Begins the next transaction when it is due. Returns when that was; none: the load ends before.
    pub async fn begin(&mut self, done_ns: u64, pause_ns: u64) -> Option<u64> {
        let due = self.next_due(done_ns, pause_ns).await?;
        self.state().due_since_ns.set(Some(due.at_ns));
        if !self.enter().await {
            return None;
        }
        if !self.admit(&due) {
            self.leave();
            return None;
        }
        Some(due.at_ns)
    }

    /// Waits until this client's next transaction is due. In a closed loop that is when its last one has ended; in an open loop
    /// it is the next one not yet taken. Returns none if the load ends before.
    async fn next_due(&mut self, done: u64, pause_ns: u64) -> Option<Due> {
        let free = done + pause_ns + self.think_ns();
        if free > done && !self.wait_until(free).await {
            return None;
        }
        let Some(timetable) = self.ctx.timetable else { return Some(Due { at_ns: free, arrival: None }) };
        let arrival = timetable.lock().expect("arithmetic does not panic").next()?;
        let at_ns = self.ctx.started_ns.get().unwrap_or_default() + arrival.due_ns;
        let waited = at_ns > self.ctx.reactor.now();
        self.state().waiting.set(waited);
        if waited && !self.wait_until(at_ns).await {
            return None;
        }
        self.state().waiting.set(false);
        Some(Due { at_ns, arrival: Some((arrival, waited)) })
    }

    fn think_ns(&mut self) -> u64 {
        let mean_ns = self.options.think.as_nanos() as f64;
        if mean_ns == 0.0 { 0 } else { (-mean_ns * (1.0 - self.rng.uniform_f64()).ln()) as u64 }
    }

    /// Waits until an instant. False: the load ends before.
    pub async fn wait_until(&self, due: u64) -> bool {
        loop {
            let now = self.ctx.reactor.now();
            let used_up = self.ctx.events_left.is_some_and(|left| left.load(Ordering::Relaxed) == 0);
            if self.ctx.stopping.get() || used_up || now >= self.ctx.end_ns.get() {
                return false;
            }
            if now >= due {
                return true;
            }
            // Nobody says when another worker's client took the last transaction, so that is looked after.
            let look = self.ctx.events_left.map_or(u64::MAX, |_| now + LOOK_NS);
            self.ctx.reactor.sleep_until(self.slot, due.min(self.ctx.end_ns.get()).min(look)).await;
        }
    }

    /// Waits for a place in flight, where these are limited. False: the load ends before.
    async fn enter(&self) -> bool {
        let Some(permits) = &self.ctx.permits else { return true };
        if permits.take(self.slot) {
            return true;
        }
        let state = self.state();
        loop {
            self.ctx.reactor.park(self.slot).await;
            if state.has_place.replace(false) {
                return true;
            }
            if self.ctx.stopping.get() {
                permits.leave(self.slot);
                return false;
            }
        }
    }

    /// Gives the place up to the first in line.
    pub fn leave(&self) {
        let Some(next) = self.ctx.permits.as_ref().and_then(Permits::give_up) else { return };
        self.ctx.clients[next as usize].has_place.set(true);
        self.ctx.reactor.wake(next);
    }

    /// True if a transaction that is due may begin; of an open loop it is then counted as begun.
    fn admit(&self, due: &Due) -> bool {
        if self.ctx.stopping.get() || due.at_ns >= self.ctx.end_ns.get() {
            return false;
        }
        let admitted = match self.ctx.events_left {
            Some(left) if self.ctx.measuring.get() => {
                left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
            }
            _ => true,
        };
        if let (true, Some((arrival, waited))) = (admitted, due.arrival) {
            let late_ns = self.ctx.reactor.now().saturating_sub(due.at_ns);
            self.ctx.recorder.borrow_mut().begun(arrival, late_ns, waited);
        }
        admitted
    }

    /// Records a completed transaction.
    pub fn record(&self, one: &Completed) {
        let sent = one.first_sent_ns.unwrap_or(one.due_ns);
        let (response_ns, service_ns) =
            (one.done_ns.saturating_sub(one.due_ns), one.done_ns.saturating_sub(sent));
        let mut recorder = self.ctx.recorder.borrow_mut();
        recorder.completed(one.done_ns);
        recorder.transaction(one.operation, response_ns, service_ns);
        if let Some(of_server) = one.of_server {
            recorder.also(of_server, response_ns, service_ns);
        }
        if one.tried_again {
            recorder.also(RETRIED, response_ns, service_ns);
        }
        drop(recorder);
        // What was due before a client was free to begin it kept no client busy.
        let busy_ns = if self.ctx.timetable.is_some() { service_ns } else { response_ns };
        if self.ctx.measuring.get() {
            let state = self.state();
            state.transactions.set(state.transactions.get() + 1);
            state.busy_ns.set(state.busy_ns.get() + busy_ns);
        }
    }

    pub fn state(&self) -> &ClientState {
        &self.ctx.clients[self.slot as usize]
    }

    /// Whether servers may be lost during the load, on purpose.
    pub fn outlasts_loss(&self) -> bool {
        self.ctx.connector.entries().outlasts_loss()
    }

    /// The load has ended, and this client has had no connection since `since_ns`. That is a failure if a new one was
    /// refused, or took longer than a moment.
    fn ended_without_connection(&self, since_ns: u64) -> Result<(), Fatal> {
        let refusal = self.ctx.refusals[self.slot as usize].take();
        let waited_ns = self.ctx.reactor.now().saturating_sub(since_ns);
        let failure = match refusal {
            // How long nobody could write is what is measured.
            _ if self.outlasts_loss() => return Ok(()),
            Some(error) => reconnect_failure(&error),
            None if waited_ns >= RECONNECT_NS_MAX => Failure {
                code: FailureCode::ServerGone,
                message: "the connection ended and the server did not answer any more".to_owned(),
                hint: None,
                server_error: None,
            },
            None => return Ok(()),
        };
        Err(Fatal { failure, client: 0 })
    }

    /// Gets a connection, with the counters of its requests. Returns none if the trial ends meanwhile.
    pub async fn connected(&mut self, purpose: Purpose) -> Result<Option<(Connected, Counted)>, Fatal> {
        let slot = self.slot as usize;
        let again = self.ctx.started_ns.get().is_some();
        let since_ns = self.ctx.reactor.now();
        self.ctx.refusals[slot].take();
        // The next one of its servers, where it has several.
        let turn = self.number.wrapping_add(self.losses);
        self.ctx.connector.ask(self.slot, (turn, purpose), self.ctx.mailbox.clone(), again);
        let arrival = loop {
            self.ctx.reactor.notified(self.slot).await;
            if let Some(arrival) = self.ctx.arrivals[slot].borrow_mut().take() {
                break arrival;
            }
            if self.ctx.stopping.get() {
                if again {
                    self.ended_without_connection(since_ns)?;
                }
                return Ok(None);
            }
        };
        let connected = arrival.map_err(|error| {
            let failure = if again { reconnect_failure(&error) } else { connect_failure(&error) };
            Fatal { failure, client: 0 }
        })?;
        let by_server = &self.options.by_server;
        let of_server = by_server.operation(connected.at);
        let counted = Counted { of_server, by_statement: by_server.statements };
        Ok(Some((connected, counted)))
    }
}

/// The failure to watch a connection.
pub(crate) fn unwatched(error: std::io::Error) -> Fatal {
    let failure = Failure {
        code: FailureCode::Machine,
        message: format!("a connection could not be watched: {error}"),
        hint: Some("check the limit of open files: ulimit -n".to_owned()),
        server_error: None,
    };
    Fatal { failure, client: 0 }
}

/// A refused connection, in words.
fn connect_failure(error: &wire::ConnectError) -> Failure {
    Failure {
        code: FailureCode::Connect,
        message: error.to_string(),
        hint: error.server_error().and_then(|server| hint_for(server.code)),
        server_error: error.server_error().map(|server| server.code),
    }
}

/// The failure to reconnect once the load has begun, when a server had been there before.
fn reconnect_failure(error: &wire::ConnectError) -> Failure {
    let failure = connect_failure(error);
    let message = format!("the connection ended and a new one was refused: {}", failure.message);
    Failure { code: FailureCode::ServerGone, message, ..failure }
}

/// The hint for well-known errors.
pub(crate) fn hint_for(code: u16) -> Option<String> {
    let hint = match codes::class(code)? {
        ErrorClass::TooManyConnections => "raise max_connections on the server, or use fewer clients",
        ErrorClass::TooManyStatements => {
            "raise max_prepared_stmt_count on the server, or send statements as text"
        }
        ErrorClass::UserLimit => {
            "the account has a resource limit: see ALTER USER ... WITH MAX_USER_CONNECTIONS"
        }
        ErrorClass::DuplicateKey => {
            "duplicates between clients can be ignored: let the workload ignore error 1062"
        }
        ErrorClass::OtherTables => "the tables are missing or differ: mydyno prepare",
        ErrorClass::ReadOnly => "the server is read-only: is it a replica?",
        ErrorClass::NoSpace => "the server has no disk space left",
        ErrorClass::Privilege | ErrorClass::AccessDenied => {
            "the account lacks a privilege: GRANT it, or use another account"
        }
        _ => return None,
    };
    Some(hint.to_owned())
}
