//! The life of a client: connect, prepare, then one transaction after the other, as the schedule says, until the end.
//!
//! Here is what is done about errors. A forgiven one is counted, the transaction rolled back and run again, sysbench's
//! with new keys and TPC-C's with the same input; its response time goes on from the first attempt. A lost connection is
//! opened again. Anything else ends the trial, and says with which statement.

use std::rc::Rc;

use codes::ErrorClass;
use model::{ErrorCount, Failure, FailureCode};

use crate::entries::Purpose;
use crate::measured::Fatal;
use crate::reactor::Slot;
use crate::recorder::{Operations, TRANSACTION};
use crate::session::Session;
use crate::statement_error::StatementError;
use crate::turn::{ClientOptions, Completed, Turn, hint_for, unwatched};
use crate::worker::{Ctx, Report};
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
/// Pause before a client whose server is lost on purpose tries again.
const PAUSE_AFTER_LOSS_NS: u64 = 20_000_000;

/// Runs a client to its end.
pub(crate) async fn run<W: ClientWorkload>(
    ctx: Rc<Ctx<'_>>,
    options: ClientOptions<'_>,
    slot: Slot,
    client: ClientNumber,
    workload: W,
) {
    let mut client = Client { turn: Turn::new(ctx, options, slot, client), workload };
    let ended = client.live().await;
    client.turn.end(ended);
}

/// Connections of a client: how long each took to open, nanoseconds, and what TLS agreed on.
type Connections = Vec<(u64, Option<wire::TlsSession>)>;

struct Client<'a, W> {
    turn: Turn<'a>,
    workload: W,
}

/// The action after a failed attempt.
enum Next {
    Again,
    Reconnect,
}

impl<W: ClientWorkload> Client<'_, W> {
    async fn live(&mut self) -> Result<(), Fatal> {
        let Some(mut session) = self.open().await? else { return Ok(()) };
        let Some(started_ns) = self.turn.start().await else { return Ok(()) };
        session.last_done_ns = started_ns;
        let mut since_connect = 0;
        loop {
            let pause_ns = self.workload.next_pause_ns();
            let Some(due_ns) = self.turn.begin(session.last_done_ns, pause_ns).await else { break };
            let used = self.transaction(session, due_ns).await;
            self.turn.leave();
            let Some(used) = used? else { return Ok(()) };
            session = used;
            self.turn.state().due_since_ns.set(None);
            since_connect += 1;
            if since_connect == self.turn.options.reconnect_every {
                since_connect = 0;
                session.quit();
                let Some(fresh) = self.open().await? else { return Ok(()) };
                session = fresh;
                self.turn.ctx.recorder.borrow_mut().reconnects += 1;
            }
        }
        let finished = self.workload.finish(&mut session).await;
        finished.or_else(|error| if self.turn.outlasts_loss() { Ok(()) } else { Err(self.fatal(&error)) })?;
        session.quit();
        Ok(())
    }

    /// Runs one transaction until it succeeds. Returns none if the trial ends before it does.
    async fn transaction(
        &mut self,
        mut session: Box<Session>,
        due: u64,
    ) -> Result<Option<Box<Session>>, Fatal> {
        self.turn.state().in_flight_since_ns.set(Some(due));
        session.begin_transaction(self.workload.only_reads());
        let mut tried_again = false;
        loop {
            let Err(error) = self.workload.transaction(&mut session).await else { break };
            let next = self.judge(&error)?;
            if self.turn.ctx.stopping.get() {
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
            self.turn.ctx.recorder.borrow_mut().retries[self.workload.operation()] += 1;
            tried_again = true;
        }
        self.turn.state().in_flight_since_ns.set(None);
        self.turn.record(&Completed {
            operation: self.workload.operation(),
            of_server: session.counts_transactions_as(),
            due_ns: due,
            first_sent_ns: session.first_sent_ns(),
            done_ns: session.last_done_ns,
            tried_again,
        });
        Ok(Some(session))
    }

    /// Counts an error and decides what follows.
    fn judge(&self, error: &StatementError) -> Result<Next, Fatal> {
        let next = match error {
            StatementError::Server { error, .. } if codes::is(error.code, &CONNECTION_UNUSABLE) => {
                self.turn.options.policy.reconnect_on_loss.then_some(Next::Reconnect)
            }
            // A node that has left its cluster: the next one, or this one after a pause.
            StatementError::Server { error, .. }
                if error.code == NOT_IN_CLUSTER && self.turn.outlasts_loss() =>
            {
                self.turn.options.policy.reconnect_on_loss.then_some(Next::Reconnect)
            }
            StatementError::Server { error, .. } => {
                let policy = self.turn.options.policy;
                // Without an enclosing transaction two clients can delete and then both insert the same id.
                let collision = error.code == codes::ER_DUP_ENTRY && self.workload.collides();
                match policy.retry_all || policy.retry.contains(&error.code) || collision {
                    true => Some(Next::Again),
                    // A server that is about to lose its topology has errors of its own.
                    false => self.turn.outlasts_loss().then_some(Next::Reconnect),
                }
            }
            StatementError::Lost { .. } => {
                self.turn.options.policy.reconnect_on_loss.then_some(Next::Reconnect)
            }
            StatementError::Protocol { .. } | StatementError::Data { .. } => None,
        };
        self.turn.ctx.recorder.borrow_mut().error(self.count_of(error, next.is_some()));
        next.ok_or_else(|| self.fatal(error))
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
        let statement = self.turn.options.operations[operation].template.to_string();
        let transaction = match self.workload.operation() {
            TRANSACTION => String::new(),
            of => self.turn.options.operations[of].name.to_string(),
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
            if self.turn.outlasts_loss() {
                self.turn.losses = self.turn.losses.wrapping_add(1);
                // A server that lets clients in and refuses what they ask is not asked all the time.
                self.turn
                    .ctx
                    .reactor
                    .sleep_until(self.turn.slot, self.turn.ctx.reactor.now() + PAUSE_AFTER_LOSS_NS)
                    .await;
            }
            if self.turn.ctx.stopping.get() && self.turn.outlasts_loss() {
                return Ok(None);
            }
            let Some((mut session, connections)) = self.connect().await? else { return Ok(None) };
            match self.workload.prepare(&mut session).await {
                Ok(()) => {
                    session.count_traffic();
                    let _ = self.turn.ctx.reports.send(Report::Ready { connections });
                    session.last_done_ns = last_done_ns;
                    self.turn.ctx.recorder.borrow_mut().reconnects += 1;
                    return Ok(Some(session));
                }
                Err(error) if self.turn.outlasts_loss() => _ = self.judge(&error)?,
                Err(error) => return Err(self.fatal(&error)),
            }
        }
    }

    /// Gets its connections and prepares the statements. Returns none if the trial ends meanwhile.
    async fn open(&mut self) -> Result<Option<Box<Session>>, Fatal> {
        let Some((mut session, connections)) = self.connect().await? else { return Ok(None) };
        self.workload.prepare(&mut session).await.map_err(|error| self.fatal(&error))?;
        // What the first connections cost is over before the load begins.
        if self.turn.ctx.started_ns.get().is_some() {
            session.count_traffic();
        } else {
            session.forget_traffic();
        }
        let _ = self.turn.ctx.reports.send(Report::Ready { connections });
        Ok(Some(session))
    }

    /// Gets its connections. Returns none if the trial ends meanwhile.
    async fn connect(&mut self) -> Result<Option<(Box<Session>, Connections)>, Fatal> {
        let Some((main, main_counted)) = self.turn.connected(Purpose::Main).await? else { return Ok(None) };
        let mut connections = vec![(main.took.as_nanos() as u64, main.parts.session.tls.clone())];
        let session = Session::new(
            self.turn.slot,
            Rc::clone(&self.turn.ctx.reactor),
            main,
            main_counted,
            Operations::clone(self.turn.options.operations),
            Rc::clone(&self.turn.ctx.recorder),
        );
        let mut session = session.map_err(unwatched)?;
        if !self.turn.ctx.connector.entries().readers.is_empty() {
            let Some((reader, counted)) = self.turn.connected(Purpose::Reads).await? else { return Ok(None) };
            connections.push((reader.took.as_nanos() as u64, reader.parts.session.tls.clone()));
            session.read_from(reader, counted).map_err(unwatched)?;
        }
        // Boxed, since a session is handed to every transaction and back.
        Ok(Some((Box::new(session), connections)))
    }
}
