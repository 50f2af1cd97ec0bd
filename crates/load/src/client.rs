//! The life of a client: connect, prepare, then one transaction after the other, as the schedule says, until the end.
//!
//! Here is what is done about errors. A forgiven one is counted, the transaction rolled back and run again, sysbench's
//! with new keys and TPC-C's with the same input; its response time goes on from the first attempt. A lost connection is
//! opened again. Anything else ends the trial, and says with which statement.

use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use codes::ErrorClass;
use model::{ErrorCount, ErrorPolicy, Failure, FailureCode};
use random::Rng;

use crate::entries::{ByServer, Purpose};
use crate::mailbox::Connected;
use crate::measured::Fatal;
use crate::reactor::Slot;
use crate::recorder::{Operations, RETRIED, TRANSACTION};
use crate::schedule::Arrival;
use crate::session::{Counted, Session};
use crate::statement_error::StatementError;
use crate::worker::{Ctx, Permits, Report};
use crate::workload::{ClientNumber, ClientWorkload};

/// Error code under which missing or wrong table contents are counted.
const CLIENT_UNKNOWN: u16 = codes::CR_UNKNOWN_ERROR;
/// Error code under which a lost connection is counted.
const SERVER_LOST: u16 = codes::CR_SERVER_LOST;
/// A node of Galera that is in no primary component answers everything with this.
const NOT_IN_CLUSTER: u16 = codes::ER_UNKNOWN_COM_ERROR;
/// Server errors after which the connection is unusable: shutdown, killed, read-only after failover.
const CONNECTION_UNUSABLE: [ErrorClass; 4] =
    [ErrorClass::Shutdown, ErrorClass::StatementKilled, ErrorClass::ConnectionKilled, ErrorClass::ReadOnly];
/// A connection missing for longer than this at the end of the load is a failure.
const RECONNECT_NS_MAX: u64 = 1_000_000_000;
/// Pause before a client whose server is lost on purpose tries again.
const PAUSE_AFTER_LOSS_NS: u64 = 20_000_000;
/// Interval at which a thinking client checks whether all transactions of the trial have begun.
const LOOK_NS: u64 = 100_000_000;

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

/// Keeps the stream of think times apart from those of keys.
const STREAM: u64 = 0x7468_696e_6b00_0000;

/// Runs a client to its end.
pub(crate) async fn run<W: ClientWorkload>(
    ctx: Rc<Ctx<'_>>,
    options: ClientOptions<'_>,
    slot: Slot,
    client: ClientNumber,
    workload: W,
) {
    let rng = Rng::stream(client.seed, STREAM + u64::from(client.number));
    let number = client.number;
    let mut client = Client { ctx, options, slot, number, losses: 0, rng, workload };
    if let Err(fatal) = client.live().await {
        let fatal = Fatal { client: number, ..fatal };
        let _ = client.ctx.reports.send(Report::Fatal(Box::new(fatal)));
    }
    client.ctx.clients[slot as usize].running.set(false);
}

/// Connections of a client: how long each took to open, nanoseconds, and what TLS agreed on.
type Connections = Vec<(u64, Option<wire::TlsSession>)>;

struct Client<'a, W> {
    ctx: Rc<Ctx<'a>>,
    options: ClientOptions<'a>,
    slot: Slot,
    number: u32,
    /// Times that it has left a server that is lost on purpose, or that lets it in and refuses its requests.
    losses: u32,
    /// Source of its think times.
    rng: Rng,
    workload: W,
}

/// A transaction that is due.
struct Due {
    at_ns: u64,
    /// Open loop only: the arrival, and whether the client was there before it.
    arrival: Option<(Arrival, bool)>,
}

/// The action after a failed attempt.
enum Next {
    Again,
    Reconnect,
}

impl<W: ClientWorkload> Client<'_, W> {
    async fn live(&mut self) -> Result<(), Fatal> {
        let Some(mut session) = self.open().await? else { return Ok(()) };
        while self.ctx.started_ns.get().is_none() {
            if self.ctx.stopping.get() {
                return Ok(());
            }
            self.ctx.reactor.notified(self.slot).await;
        }
        // The worker hears of the start before it comes.
        let started_ns = self.ctx.started_ns.get().unwrap_or_default();
        if !self.wait_until(started_ns).await {
            return Ok(());
        }
        self.state().running.set(true);
        session.last_done_ns = started_ns;
        let mut since_connect = 0;
        loop {
            let Some(due) = self.next_due(session.last_done_ns).await else { break };
            self.state().due_since_ns.set(Some(due.at_ns));
            if !self.enter().await {
                break;
            }
            if !self.admit(&due) {
                self.leave();
                break;
            }
            let used = self.transaction(session, due.at_ns).await;
            self.leave();
            let Some(used) = used? else { return Ok(()) };
            session = used;
            self.state().due_since_ns.set(None);
            since_connect += 1;
            if since_connect == self.options.reconnect_every {
                since_connect = 0;
                session.quit();
                let Some(fresh) = self.open().await? else { return Ok(()) };
                session = fresh;
                self.ctx.recorder.borrow_mut().reconnects += 1;
            }
        }
        let finished = self.workload.finish(&mut session).await;
        finished.or_else(|error| if self.outlasts_loss() { Ok(()) } else { Err(self.fatal(&error)) })?;
        session.quit();
        Ok(())
    }

    /// Waits until this client's next transaction is due. In a closed loop that is when its last one has ended; in an open loop
    /// it is the next one not yet taken. Returns none if the load ends before.
    async fn next_due(&mut self, done: u64) -> Option<Due> {
        let free = done + self.workload.next_pause_ns() + self.think_ns();
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
    async fn wait_until(&self, due: u64) -> bool {
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
    fn leave(&self) {
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

    /// Runs one transaction until it succeeds. Returns none if the trial ends before it does.
    async fn transaction(
        &mut self,
        mut session: Box<Session>,
        due: u64,
    ) -> Result<Option<Box<Session>>, Fatal> {
        self.state().in_flight_since_ns.set(Some(due));
        session.begin_transaction(self.workload.only_reads());
        let mut tried_again = false;
        loop {
            let Err(error) = self.workload.transaction(&mut session).await else { break };
            let next = self.judge(&error)?;
            if self.ctx.stopping.get() {
                return Ok(None);
            }
            let first_sent = session.first_sent_ns();
            let next = match next {
                Next::Reconnect => Next::Reconnect,
                Next::Again => match self.workload.roll_back(&mut session).await {
                    Ok(()) => Next::Again,
                    Err(error) => self.judge(&error)?,
                },
            };
            if matches!(next, Next::Reconnect) {
                let Some(fresh) = self.reopen(session).await? else { return Ok(None) };
                session = fresh;
            }
            session.resume_transaction(self.workload.only_reads(), first_sent);
            self.ctx.recorder.borrow_mut().retries[self.workload.operation()] += 1;
            tried_again = true;
        }
        self.state().in_flight_since_ns.set(None);
        self.record(&session, due, tried_again);
        Ok(Some(session))
    }

    fn record(&self, session: &Session, due_ns: u64, tried_again: bool) {
        let done = session.last_done_ns;
        let sent = session.first_sent_ns().unwrap_or(due_ns);
        let (response_ns, service_ns) = (done.saturating_sub(due_ns), done.saturating_sub(sent));
        let mut recorder = self.ctx.recorder.borrow_mut();
        recorder.completed(done);
        recorder.transaction(self.workload.operation(), response_ns, service_ns);
        if let Some(of_server) = session.counts_transactions_as() {
            recorder.also(of_server, response_ns, service_ns);
        }
        if tried_again {
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

    fn state(&self) -> &crate::worker::ClientState {
        &self.ctx.clients[self.slot as usize]
    }

    /// Counts an error and decides what follows.
    fn judge(&self, error: &StatementError) -> Result<Next, Fatal> {
        let next = match error {
            StatementError::Server { error, .. } if codes::is(error.code, &CONNECTION_UNUSABLE) => {
                self.options.policy.reconnect_on_loss.then_some(Next::Reconnect)
            }
            // A node that has left its cluster: the next one, or this one after a pause.
            StatementError::Server { error, .. } if error.code == NOT_IN_CLUSTER && self.outlasts_loss() => {
                self.options.policy.reconnect_on_loss.then_some(Next::Reconnect)
            }
            StatementError::Server { error, .. } => {
                let policy = self.options.policy;
                // Without an enclosing transaction two clients can delete and then both insert the same id.
                let collision = error.code == codes::ER_DUP_ENTRY && self.workload.collides();
                match policy.retry_all || policy.retry.contains(&error.code) || collision {
                    true => Some(Next::Again),
                    // A server that is about to lose its topology has errors of its own.
                    false => self.outlasts_loss().then_some(Next::Reconnect),
                }
            }
            StatementError::Lost { .. } => self.options.policy.reconnect_on_loss.then_some(Next::Reconnect),
            StatementError::Protocol { .. } | StatementError::Data { .. } => None,
        };
        self.ctx.recorder.borrow_mut().error(self.count_of(error, next.is_some()));
        next.ok_or_else(|| self.fatal(error))
    }

    /// Whether servers may be lost during the load, on purpose.
    fn outlasts_loss(&self) -> bool {
        self.ctx.connector.entries().outlasts_loss()
    }

    fn count_of(&self, error: &StatementError, forgiven: bool) -> ErrorCount {
        let (code, state, message, operation) = match error {
            StatementError::Server { error, operation } => {
                (error.code, error.state.to_string(), error.message.clone(), *operation)
            }
            StatementError::Lost { reason } | StatementError::Protocol { reason } => {
                (SERVER_LOST, "HY000".to_owned(), reason.clone(), TRANSACTION)
            }
            StatementError::Data { operation, reason } => {
                (CLIENT_UNKNOWN, "HY000".to_owned(), reason.clone(), *operation)
            }
        };
        let statement = self.options.operations[operation].template.to_string();
        let transaction = match self.workload.operation() {
            TRANSACTION => String::new(),
            of => self.options.operations[of].name.to_string(),
        };
        ErrorCount { code, state, message, statement, transaction, count: 1, forgiven }
    }

    fn fatal(&self, error: &StatementError) -> Fatal {
        let count = self.count_of(error, false);
        let failure = match error {
            StatementError::Server { .. } => Failure {
                code: FailureCode::ServerError,
                message: format!(
                    "the server answered {}: {} ({})",
                    count.code, count.message, count.statement
                ),
                hint: hint_for(count.code),
                server_error: Some(count.code),
            },
            StatementError::Lost { reason } => Failure {
                code: FailureCode::ServerGone,
                message: format!("a connection was lost: {reason}"),
                hint: None,
                server_error: None,
            },
            StatementError::Protocol { reason } => Failure {
                code: FailureCode::Protocol,
                message: format!("the server broke the protocol: {reason}"),
                hint: None,
                server_error: None,
            },
            StatementError::Data { reason, .. } => Failure {
                code: FailureCode::Data,
                message: format!("{reason} ({})", count.statement),
                hint: Some("the tables do not hold what the workload needs: mydyno prepare".to_owned()),
                server_error: None,
            },
        };
        Fatal { failure, client: 0 }
    }

    /// Replaces a lost connection. Returns none if the trial ends meanwhile.
    async fn reopen(&mut self, lost: Box<Session>) -> Result<Option<Box<Session>>, Fatal> {
        let last_done_ns = lost.last_done_ns;
        drop(lost);
        loop {
            if self.outlasts_loss() {
                self.losses = self.losses.wrapping_add(1);
                // A server that lets clients in and refuses what they ask is not asked all the time.
                self.ctx.reactor.sleep_until(self.slot, self.ctx.reactor.now() + PAUSE_AFTER_LOSS_NS).await;
            }
            if self.ctx.stopping.get() && self.outlasts_loss() {
                return Ok(None);
            }
            let Some((mut session, connections)) = self.connect().await? else { return Ok(None) };
            match self.workload.prepare(&mut session).await {
                Ok(()) => {
                    session.count_traffic();
                    let _ = self.ctx.reports.send(Report::Ready { connections });
                    session.last_done_ns = last_done_ns;
                    self.ctx.recorder.borrow_mut().reconnects += 1;
                    return Ok(Some(session));
                }
                Err(error) if self.outlasts_loss() => _ = self.judge(&error)?,
                Err(error) => return Err(self.fatal(&error)),
            }
        }
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
    async fn connected(&mut self, purpose: Purpose) -> Result<Option<(Connected, Counted)>, Fatal> {
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

    /// Gets its connections and prepares the statements. Returns none if the trial ends meanwhile.
    async fn open(&mut self) -> Result<Option<Box<Session>>, Fatal> {
        let Some((mut session, connections)) = self.connect().await? else { return Ok(None) };
        self.workload.prepare(&mut session).await.map_err(|error| self.fatal(&error))?;
        // What the first connections cost is over before the load begins.
        if self.ctx.started_ns.get().is_some() {
            session.count_traffic();
        } else {
            session.forget_traffic();
        }
        let _ = self.ctx.reports.send(Report::Ready { connections });
        Ok(Some(session))
    }

    /// Gets its connections. Returns none if the trial ends meanwhile.
    async fn connect(&mut self) -> Result<Option<(Box<Session>, Connections)>, Fatal> {
        let Some((main, main_counted)) = self.connected(Purpose::Main).await? else { return Ok(None) };
        let mut connections = vec![(main.took.as_nanos() as u64, main.parts.session.tls.clone())];
        let session = Session::new(
            self.slot,
            Rc::clone(&self.ctx.reactor),
            main,
            main_counted,
            Operations::clone(self.options.operations),
            Rc::clone(&self.ctx.recorder),
        );
        let unwatched = |error: std::io::Error| Fatal {
            failure: Failure {
                code: FailureCode::Machine,
                message: format!("a connection could not be watched: {error}"),
                hint: Some("check the limit of open files: ulimit -n".to_owned()),
                server_error: None,
            },
            client: 0,
        };
        let mut session = session.map_err(unwatched)?;
        if !self.ctx.connector.entries().readers.is_empty() {
            let Some((reader, counted)) = self.connected(Purpose::Reads).await? else { return Ok(None) };
            connections.push((reader.took.as_nanos() as u64, reader.parts.session.tls.clone()));
            session.read_from(reader, counted).map_err(unwatched)?;
        }
        // Boxed, since a session is handed to every transaction and back.
        Ok(Some((Box::new(session), connections)))
    }
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
fn hint_for(code: u16) -> Option<String> {
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
