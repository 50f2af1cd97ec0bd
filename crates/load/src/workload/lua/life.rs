//! The life of a client that a script leads: it connects when it wants, asks for the next event, and says when that is done.

use std::collections::BTreeMap;
use std::rc::Rc;

use model::{ErrorCount, Failure, FailureCode};
use random::Rng;
use script::{Reply, ScriptError, ScriptRequest, Vm};

use super::connection::{Connection, Outcome, Payloads};
use crate::entries::Purpose;
use crate::measured::Fatal;
use crate::reactor::Slot;
use crate::recorder::{Operations, TRANSACTION};
use crate::session::Session;
use crate::turn::{ClientOptions, Completed, Turn, unwatched};
use crate::worker::{Ctx, Report};
use crate::workload::ClientNumber;

/// What the clients of a worker share.
pub(super) struct Shared {
    pub vm: Vm,
}

/// Runs a client to its end.
pub(super) async fn run(
    ctx: Rc<Ctx<'_>>,
    options: ClientOptions<'_>,
    slot: Slot,
    client: ClientNumber,
    shared: Rc<Shared>,
) {
    let turn = Turn::new(ctx, options, slot, client);
    let mut life = Life {
        turn,
        shared,
        connections: BTreeMap::new(),
        next: 0,
        rows: Payloads::default(),
        opened: Vec::new(),
        event: None,
        done_ns: 0,
        is_hasty: false,
    };
    let ended = life.live(client).await;
    life.turn.end(ended);
}

/// An event that has begun.
struct Event {
    due_ns: u64,
    first_sent_ns: Option<u64>,
    tried_again: bool,
}

struct Life<'a> {
    turn: Turn<'a>,
    shared: Rc<Shared>,
    connections: BTreeMap<u32, Connection>,
    next: u32,
    rows: Payloads,
    /// Connections that were opened before the load: how long each took, nanoseconds, and what TLS agreed on.
    opened: Vec<(u64, Option<wire::TlsSession>)>,
    event: Option<Event>,
    /// When its last event ended, or the load began.
    done_ns: u64,
    /// It has not waited for anything since it let the others have their turn.
    is_hasty: bool,
}

/// What a request is answered with.
enum Answer {
    Nothing,
    Flag(bool),
    Connected(u32),
    Outcome(Outcome),
}

impl Life<'_> {
    async fn live(&mut self, client: ClientNumber) -> Result<(), Fatal> {
        let shared = Rc::clone(&self.shared);
        let rng = Rng::stream(client.seed, client.number.into());
        let mut task = shared.vm.client(client.number, rng).map_err(|error| failed(&error))?;
        let mut answer = Answer::Nothing;
        loop {
            let reply = match &answer {
                Answer::Nothing => Reply::Nothing,
                Answer::Flag(flag) => Reply::Flag(*flag),
                Answer::Connected(number) => Reply::Connected(*number),
                Answer::Outcome(outcome) => outcome.reply(&self.rows),
            };
            let request = task.resume(reply).map_err(|error| failed(&error))?;
            self.take_counts();
            answer = match request {
                ScriptRequest::Done(_) => break,
                ScriptRequest::Failed(why) => return self.fail(why),
                ScriptRequest::Ready => match self.ready().await {
                    true => Answer::Nothing,
                    false => return Ok(()),
                },
                ScriptRequest::NextEvent => Answer::Flag(self.begin().await),
                ScriptRequest::EventDone => {
                    self.complete();
                    Answer::Nothing
                }
                ScriptRequest::Restart { code, state, message, query } => {
                    if self.turn.ctx.stopping.get() {
                        return Ok(());
                    }
                    self.restart(code, state, message, query);
                    self.let_others().await;
                    self.is_hasty = true;
                    Answer::Nothing
                }
                ScriptRequest::Connect => match self.connect().await? {
                    Some(number) => Answer::Connected(number),
                    None => return Ok(()),
                },
                other => self.act(other).await,
            };
        }
        // An event that returned something is not counted, and ends its client.
        if self.event.take().is_some() {
            self.turn.state().in_flight_since_ns.set(None);
            self.turn.state().due_since_ns.set(None);
            self.turn.leave();
        }
        std::mem::take(&mut self.connections).into_values().for_each(Connection::close);
        Ok(())
    }

    async fn act(&mut self, request: ScriptRequest) -> Answer {
        match request {
            ScriptRequest::Sleep(seconds) => {
                let until_ns = self.turn.ctx.reactor.now() + (seconds.clamp(0.0, 1e6) * 1e9) as u64;
                self.sleep(until_ns).await;
                Answer::Flag(true)
            }
            ScriptRequest::Disconnect(number) => {
                self.connections.remove(&number).into_iter().for_each(Connection::close);
                Answer::Nothing
            }
            ScriptRequest::Close { connection, statement } => {
                if let Some(connection) = self.connections.get_mut(&connection) {
                    connection.close_statement(statement).await;
                }
                Answer::Nothing
            }
            ScriptRequest::Query { connection, text } => match self.connections.get_mut(&connection) {
                Some(connection) => {
                    let outcome = connection.query(&text, &mut self.rows).await;
                    self.measured(outcome)
                }
                None => closed(),
            },
            ScriptRequest::Prepare { connection, text } => match self.connections.get_mut(&connection) {
                Some(connection) => Answer::Outcome(connection.prepare(&text).await),
                None => closed(),
            },
            ScriptRequest::Execute { connection, statement, values } => {
                match self.connections.get_mut(&connection) {
                    Some(connection) => {
                        let outcome = connection.execute(statement, &values, &mut self.rows).await;
                        self.measured(outcome)
                    }
                    None => closed(),
                }
            }
            _ => Answer::Nothing,
        }
    }

    fn measured(&mut self, outcome: Outcome) -> Answer {
        self.is_hasty = false;
        // What a script does before the load, and after its last event, is not measured.
        if let (Outcome::Done(done), Some(event)) = (&outcome, &mut self.event) {
            event.first_sent_ns.get_or_insert(done.sent_ns);
            let mut recorder = self.turn.ctx.recorder.borrow_mut();
            recorder.statement(done.operation, done.query, done.took_ns);
        }
        Answer::Outcome(outcome)
    }

    /// The client has begun its life. False: the load ends before it begins.
    async fn ready(&mut self) -> bool {
        for connection in self.connections.values_mut() {
            // What the first connections cost is over before the load begins.
            connection.session().forget_traffic();
        }
        let connections = std::mem::take(&mut self.opened);
        let _ = self.turn.ctx.reports.send(Report::Ready { connections });
        let Some(started_ns) = self.turn.start().await else { return false };
        self.done_ns = started_ns;
        true
    }

    async fn begin(&mut self) -> bool {
        if self.event.is_some() {
            self.complete();
        }
        self.let_others().await;
        let Some(due_ns) = self.turn.begin(self.done_ns, 0).await else { return false };
        self.is_hasty = true;
        self.turn.state().in_flight_since_ns.set(Some(due_ns));
        self.event = Some(Event { due_ns, first_sent_ns: None, tried_again: false });
        true
    }

    /// An event without statements waits for nothing, and would keep the worker for itself.
    async fn let_others(&mut self) {
        if std::mem::replace(&mut self.is_hasty, false) {
            self.turn.ctx.reactor.wake(self.turn.slot);
            self.turn.ctx.reactor.park(self.turn.slot).await;
        }
    }

    fn complete(&mut self) {
        let Some(event) = self.event.take() else { return };
        self.done_ns = self.turn.ctx.reactor.now();
        let state = self.turn.state();
        state.in_flight_since_ns.set(None);
        self.turn.record(&Completed {
            operation: TRANSACTION,
            of_server: None,
            due_ns: event.due_ns,
            first_sent_ns: event.first_sent_ns,
            done_ns: self.done_ns,
            tried_again: event.tried_again,
        });
        self.turn.leave();
        self.turn.state().due_since_ns.set(None);
    }

    fn restart(&mut self, code: u16, state: String, message: String, statement: String) {
        if let Some(event) = &mut self.event {
            event.tried_again = true;
        }
        let transaction = String::new();
        let error = ErrorCount { code, state, message, statement, transaction, count: 1, forgiven: true };
        let mut recorder = self.turn.ctx.recorder.borrow_mut();
        recorder.error(error);
        recorder.retries[TRANSACTION] += 1;
    }

    /// Sleeps, but not beyond the load.
    async fn sleep(&self, until_ns: u64) {
        let ctx = &self.turn.ctx;
        while !ctx.stopping.get() && ctx.reactor.now() < until_ns {
            ctx.reactor.sleep_until(self.turn.slot, until_ns).await;
        }
    }

    /// Opens a connection. None: the load ends before.
    async fn connect(&mut self) -> Result<Option<u32>, Fatal> {
        let Some((connected, counted)) = self.turn.connected(Purpose::Main).await? else { return Ok(None) };
        let opened = (connected.took.as_nanos() as u64, connected.parts.session.tls.clone());
        let ctx = &self.turn.ctx;
        let session = Session::new(
            self.turn.slot,
            Rc::clone(&ctx.reactor),
            connected,
            counted,
            Operations::clone(self.turn.options.operations),
            Rc::clone(&ctx.recorder),
        );
        let session = Box::new(session.map_err(unwatched)?);
        if ctx.started_ns.get().is_none() {
            self.opened.push(opened);
        }
        self.next += 1;
        self.connections.insert(self.next, Connection::new(session));
        Ok(Some(self.next))
    }

    /// Adds what the script has counted by itself.
    fn take_counts(&self) {
        let counts = self.shared.vm.take_counts();
        if counts == script::ScriptCounts::default() || self.event.is_none() {
            return;
        }
        let mut recorder = self.turn.ctx.recorder.borrow_mut();
        recorder.queries.read += counts.read;
        recorder.queries.write += counts.write;
        recorder.queries.other += counts.other;
        recorder.reconnects += counts.reconnects;
        if counts.errors > 0 {
            let [state, transaction, statement] = [const { String::new() }; 3];
            let message = "counted by the script".to_owned();
            let code = codes::CR_UNKNOWN_ERROR;
            let count = counts.errors;
            recorder.error(ErrorCount {
                code,
                state,
                message,
                statement,
                transaction,
                count,
                forgiven: true,
            });
        }
    }

    /// The script failed; after the end of the load nobody minds.
    fn fail(&self, why: String) -> Result<(), Fatal> {
        match self.turn.ctx.stopping.get() {
            true => Ok(()),
            false => Err(failed(&ScriptError(why))),
        }
    }
}

fn closed() -> Answer {
    Answer::Outcome(Outcome::Lost("the connection is closed".to_owned()))
}

fn failed(error: &ScriptError) -> Fatal {
    let failure = Failure {
        code: FailureCode::Data,
        message: format!("the script failed: {error}"),
        hint: None,
        server_error: None,
    };
    Fatal { failure, client: 0 }
}
