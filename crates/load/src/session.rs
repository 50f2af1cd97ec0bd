//! A session: one connection as a client sees it, in straight-line `async` code.
//!
//! A statement is written into the session's buffer, sent, and its answer is read to the end; the instants of sending
//! and of completion are recorded. Rows are counted by the protocol machine and thrown away uncopied, unless a
//! transaction goes on with them.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use wire::command::{Execute, Types};
use wire::response::{CommandKind, Completion, Discard, OkInfo, ResponseReader, RowSink, State};

use crate::mailbox::Connected;
use crate::reactor::{Interest, Reactor, Slot};
use crate::recorder::{OperationIndex, Operations, QueryKind, Recorder, TRANSACTION};
use crate::rows::{Cents, Collect, ColumnShape, Rows};
use crate::statement_error::StatementError;
use crate::transport::Transport;

/// A statement of a workload on one connection: prepared by the server, or sent as text.
#[derive(Debug, Default)]
pub(crate) struct Statement {
    /// Statement ids on the connection in use, and on the read-only one.
    ids: [Option<u32>; 2],
    params: u16,
    types_sent: [bool; 2],
    /// Where the kinds of its parameters may change from one execution to the next.
    changes_types: bool,
    /// The columns of its result, where rows are wanted: MariaDB sends them only once.
    columns: Vec<ColumnShape>,
}

impl Statement {
    /// Sends the types of its parameters with each execution: they may be NULL, or of several kinds.
    pub fn with_changing_types(self) -> Self {
        Self { changes_types: true, ..self }
    }

    /// Whether it is prepared; otherwise it is sent as text.
    pub fn is_prepared(&self) -> bool {
        self.ids[0].is_some()
    }
}

/// The value of a `?`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Param<'a> {
    Null,
    Int(i64),
    Text(&'a [u8]),
    /// Bytes in no character set.
    Bytes(&'a [u8]),
    Money(Cents),
}

/// ER_UNSUPPORTED_PS: the server cannot prepare this statement (BEGIN on MySQL).
const UNSUPPORTED_PS: u16 = 1295;

/// A connection, with the counters of its requests.
struct Line {
    transport: Transport,
    reader: ResponseReader,
    counted: Counted,
    /// Number of changes of the primary before it was opened.
    primary_changes: u32,
}

impl Line {
    fn new(slot: Slot, reactor: &Reactor, connected: Connected, counted: Counted) -> io::Result<Self> {
        let Connected { parts, changes: primary_changes, .. } = connected;
        let reader = ResponseReader::new(parts.session.capabilities);
        let transport = Transport::new(parts)?;
        reactor.add(transport.fd(), u64::from(slot))?;
        Ok(Self { transport, reader, counted, primary_changes })
    }

    /// Whether a server other than its own has become the primary since it was opened.
    fn is_outdated(&self, reactor: &Reactor) -> bool {
        self.primary_changes != reactor.primary_changes.get()
    }
}

/// The counters for a server's requests, where there are several servers.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counted {
    /// The operation of the server.
    pub of_server: Option<OperationIndex>,
    /// Whether each statement is counted, since those of one transaction go to different servers; otherwise transactions.
    pub by_statement: bool,
}

/// A command and its answer.
pub(crate) struct Exchange {
    pub completion: Completion,
    pub sent_ns: u64,
    pub done_ns: u64,
}

pub(crate) struct Session {
    slot: Slot,
    reactor: Rc<Reactor>,
    /// The connection in use.
    line: Line,
    /// The other one, where there is one for what only reads.
    other: Option<Box<Line>>,
    /// The one in use is the one for what only reads.
    reading: bool,
    out: Vec<u8>,
    sql: Vec<u8>,
    operations: Operations,
    recorder: Rc<RefCell<Recorder>>,
    /// Time the first statement since `begin_transaction` was sent.
    first_sent_ns: Option<u64>,
    /// Time the last answer was complete.
    pub last_done_ns: u64,
}

impl Session {
    pub fn new(
        slot: Slot,
        reactor: Rc<Reactor>,
        connected: Connected,
        counted: Counted,
        operations: Operations,
        recorder: Rc<RefCell<Recorder>>,
    ) -> io::Result<Self> {
        let line = Line::new(slot, &reactor, connected, counted)?;
        let last_done_ns = reactor.now();
        let out = Vec::with_capacity(128);
        Ok(Self {
            slot,
            reactor,
            line,
            other: None,
            reading: false,
            out,
            sql: Vec::new(),
            operations,
            recorder,
            first_sent_ns: None,
            last_done_ns,
        })
    }

    /// Adds a second connection, for read-only requests.
    pub fn read_from(&mut self, connected: Connected, counted: Counted) -> io::Result<()> {
        self.other = Some(Box::new(Line::new(self.slot, &self.reactor, connected, counted)?));
        Ok(())
    }

    /// Marks the start of a transaction, so that its service time counts from its first statement. One that only reads runs on
    /// the connection for that, if there is one.
    pub fn begin_transaction(&mut self, only_reads: bool) {
        self.first_sent_ns = None;
        self.turn_to(only_reads);
    }

    /// Switches to the connection for read-only transactions, or to the other.
    fn turn_to(&mut self, reading: bool) {
        if let Some(other) = self.other.as_mut().filter(|_| self.reading != reading) {
            std::mem::swap(&mut self.line, other);
            self.reading = reading;
        }
    }

    /// Switches to the connection for a statement, where that is decided statement by statement.
    fn turn_for(&mut self, operation: OperationIndex) {
        if self.line.counted.by_statement {
            self.turn_to(self.operations[operation].query == QueryKind::Read);
        }
    }

    /// The operation under which the transaction is counted in addition: that of the server it ran on.
    pub fn counts_transactions_as(&self) -> Option<OperationIndex> {
        self.line.counted.of_server.filter(|_| !self.line.counted.by_statement)
    }

    /// Continues a transaction whose first attempt began at `first_sent_ns`, perhaps on another connection.
    pub fn resume_transaction(&mut self, only_reads: bool, first_sent_ns: Option<u64>) {
        self.begin_transaction(only_reads);
        self.first_sent_ns = first_sent_ns;
    }

    /// Time the first statement of the current transaction was sent.
    pub fn first_sent_ns(&self) -> Option<u64> {
        self.first_sent_ns
    }

    /// Prepares a statement; one that the server cannot prepare will be sent as text, as sysbench does.
    pub async fn prepare(
        &mut self,
        operation: OperationIndex,
        sql: &str,
    ) -> Result<Statement, StatementError> {
        self.prepare_into(operation, sql, &mut Discard).await
    }

    /// Prepares a statement whose rows are wanted.
    pub async fn prepare_for_rows(
        &mut self,
        operation: OperationIndex,
        sql: &str,
    ) -> Result<Statement, StatementError> {
        let (mut rows, mut columns) = (Rows::default(), Vec::new());
        let prepared =
            self.prepare_into(operation, sql, &mut Collect::binary(&mut rows, &mut columns)).await?;
        columns.shrink_to_fit();
        Ok(Statement { columns, ..prepared })
    }

    /// Prepares a statement, on both connections unless it writes.
    async fn prepare_into<S: RowSink>(
        &mut self,
        operation: OperationIndex,
        sql: &str,
        sink: &mut S,
    ) -> Result<Statement, StatementError> {
        let mut statement = Statement::default();
        let reads = self.other.is_some() && self.operations[operation].query != QueryKind::Write;
        let lines: &[bool] = if reads { &[true, false] } else { &[false] };
        for &reading in lines {
            self.turn_to(reading);
            self.out.clear();
            wire::command::prepare(&mut self.out, sql.as_bytes());
            match self.roundtrip(CommandKind::Prepare, sink).await? {
                Completion::Prepared(prepared) => {
                    statement.ids[usize::from(reading)] = Some(prepared.id);
                    statement.params = prepared.params;
                }
                Completion::Err(error) if error.code == UNSUPPORTED_PS => {}
                Completion::Err(error) => return Err(StatementError::Server { error, operation }),
                Completion::Ok(_) => {
                    return Err(StatementError::Protocol { reason: "OK in answer to PREPARE".to_owned() });
                }
            }
        }
        Ok(statement)
    }

    /// Sets something up on new connections; it is not measured.
    pub async fn set_up(&mut self, sql: &str) -> Result<(), StatementError> {
        let lines: &[bool] = if self.other.is_some() { &[true, false] } else { &[false] };
        for &reading in lines {
            self.turn_to(reading);
            self.out.clear();
            wire::command::query(&mut self.out, sql.as_bytes());
            if let Completion::Err(error) = self.roundtrip(CommandKind::Text, &mut Discard).await? {
                return Err(StatementError::Server { error, operation: TRANSACTION });
            }
        }
        Ok(())
    }

    /// Asks for something on a new connection, as text; it is not measured..
    pub async fn ask(&mut self, sql: &str, rows: &mut Rows) -> Result<(), StatementError> {
        self.turn_to(false);
        self.out.clear();
        wire::command::query(&mut self.out, sql.as_bytes());
        rows.begin(TRANSACTION);
        let answer = self.roundtrip(CommandKind::Text, &mut Collect::text(rows, &mut Vec::new())).await?;
        match answer {
            Completion::Err(error) => Err(StatementError::Server { error, operation: TRANSACTION }),
            _ => rows.check(),
        }
    }

    /// Runs a statement of a workload: prepared if it could be, otherwise as text put together from `pieces`, the
    /// parts of the statement between its question marks.
    pub async fn execute(
        &mut self,
        operation: OperationIndex,
        statement: &mut Statement,
        pieces: &[String],
        params: &[Param<'_>],
    ) -> Result<OkInfo, StatementError> {
        self.turn_for(operation);
        let kind = self.write_packet(statement, pieces, params);
        self.measured(operation, kind, &mut Discard).await
    }

    /// Runs a statement, and keeps the rows of its answer. Returns the number of rows that it changed.
    pub async fn execute_for_rows(
        &mut self,
        operation: OperationIndex,
        statement: &mut Statement,
        pieces: &[String],
        params: &[Param<'_>],
        rows: &mut Rows,
    ) -> Result<u64, StatementError> {
        self.turn_for(operation);
        let kind = self.write_packet(statement, pieces, params);
        rows.begin(operation);
        let columns = &mut statement.columns;
        let mut collect = match kind {
            CommandKind::Binary => Collect::binary(rows, columns),
            _ => Collect::text(rows, columns),
        };
        let info = self.measured(operation, kind, &mut collect).await?;
        rows.check()?;
        Ok(info.affected_rows)
    }

    /// Writes the packet that runs a statement. Returns how its answer is to be read.
    fn write_packet(
        &mut self,
        statement: &mut Statement,
        pieces: &[String],
        params: &[Param<'_>],
    ) -> CommandKind {
        self.out.clear();
        let line = usize::from(self.reading);
        let Some(id) = statement.ids[line] else {
            write_text(&mut self.sql, pieces, params);
            wire::command::query(&mut self.out, &self.sql);
            return CommandKind::Text;
        };
        let bound = statement.types_sent[line] && !statement.changes_types;
        let types = if bound { Types::Bound } else { Types::Send };
        let mut packet = Execute::begin(&mut self.out, id, statement.params, types);
        for param in params {
            packet = match param {
                Param::Null => packet.null(),
                Param::Int(value) => packet.int(*value),
                Param::Bytes(bytes) => packet.blob(bytes),
                Param::Text(bytes) => packet.bytes(bytes),
                Param::Money(cents) => packet.bytes(cents.digits().as_bytes()),
            };
        }
        packet.finish();
        statement.types_sent[line] = true;
        CommandKind::Binary
    }

    /// Runs a statement given as text.
    pub async fn query(&mut self, operation: OperationIndex, sql: &[u8]) -> Result<OkInfo, StatementError> {
        self.out.clear();
        wire::command::query(&mut self.out, sql);
        self.measured(operation, CommandKind::Text, &mut Discard).await
    }

    /// Runs a statement given as text, and keeps the rows of its answer.
    pub async fn query_for_rows(
        &mut self,
        operation: OperationIndex,
        sql: &[u8],
        rows: &mut Rows,
    ) -> Result<(), StatementError> {
        self.out.clear();
        wire::command::query(&mut self.out, sql);
        rows.begin(operation);
        self.measured(operation, CommandKind::Text, &mut Collect::text(rows, &mut Vec::new())).await?;
        rows.check()
    }

    /// Writes a command that [`Session::exchange`] sends.
    pub fn write(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        self.out.clear();
        write(&mut self.out);
    }

    /// Sends the command that was written, and reads its whole answer. Nothing is recorded of it but its bytes.
    pub async fn exchange<S: RowSink>(
        &mut self,
        kind: CommandKind,
        sink: &mut S,
    ) -> Result<Exchange, StatementError> {
        let sent_ns = self.reactor.now();
        let completion = self.roundtrip(kind, sink).await?;
        let done_ns = self.reactor.now();
        self.recorder.borrow_mut().traffic(self.line.transport.take_traffic());
        Ok(Exchange { completion, sent_ns, done_ns })
    }

    /// Sends the command that was written, which has no answer.
    pub async fn send_alone(&mut self) -> Result<(), StatementError> {
        self.send().await.map_err(lost)
    }

    /// Counts a transaction that ended with an intended ROLLBACK.
    pub fn rolled_back(&self) {
        self.recorder.borrow_mut().rollbacks += 1;
    }

    /// Counts the bytes since the last statement: of connecting, or of preparing.
    pub fn count_traffic(&mut self) {
        let mut recorder = self.recorder.borrow_mut();
        recorder.traffic(self.line.transport.take_traffic());
        if let Some(other) = &mut self.other {
            recorder.traffic(other.transport.take_traffic());
        }
    }

    /// Leaves them out of the count.
    pub fn forget_traffic(&mut self) {
        self.line.transport.take_traffic();
        if let Some(other) = &mut self.other {
            other.transport.take_traffic();
        }
    }

    /// Says goodbye to the servers, which answer by closing; this is not waited for.
    pub fn quit(mut self) {
        self.out.clear();
        wire::command::quit(&mut self.out);
        for line in std::iter::once(&mut self.line).chain(self.other.as_deref_mut()) {
            // A connection that cannot even take this is closed by dropping it.
            let _ = line.transport.write(&self.out).and_then(|_| line.transport.flush());
        }
        self.count_traffic();
    }

    async fn measured<S: RowSink>(
        &mut self,
        operation: OperationIndex,
        kind: CommandKind,
        sink: &mut S,
    ) -> Result<OkInfo, StatementError> {
        let sent_ns = self.reactor.now();
        self.first_sent_ns.get_or_insert(sent_ns);
        let completion = self.roundtrip(kind, sink).await?;
        self.last_done_ns = self.reactor.now();
        match completion {
            Completion::Ok(info) => {
                let query = self.operations[operation].query;
                let mut recorder = self.recorder.borrow_mut();
                let took_ns = self.last_done_ns - sent_ns;
                recorder.statement(operation, query, took_ns);
                if let (Some(of_server), true) = (self.line.counted.of_server, self.line.counted.by_statement)
                {
                    recorder.statement_also(of_server, took_ns);
                }
                recorder.traffic(self.line.transport.take_traffic());
                Ok(info)
            }
            Completion::Err(error) => Err(StatementError::Server { error, operation }),
            Completion::Prepared(_) => {
                Err(StatementError::Protocol { reason: "unasked PREPARE answer".to_owned() })
            }
        }
    }

    async fn roundtrip<S: RowSink>(
        &mut self,
        kind: CommandKind,
        sink: &mut S,
    ) -> Result<Completion, StatementError> {
        self.follow_primary()?;
        self.send().await.map_err(lost)?;
        self.line.reader.expect(kind);
        let mut wait = true;
        loop {
            if wait {
                self.reactor.readable(self.slot).await;
            }
            let mut scratch = self.reactor.scratch.borrow_mut();
            let length = match self.line.transport.read(&mut scratch) {
                Ok(0) => {
                    return Err(StatementError::Lost {
                        reason: "the server closed the connection".to_owned(),
                    });
                }
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.follow_primary()?;
                    wait = true;
                    continue;
                }
                Err(error) => return Err(lost(error)),
            };
            // More may be waiting, which no event will announce: events are edges.
            wait = false;
            let fed = self.line.reader.feed(&scratch[..length], sink);
            let fed = fed.map_err(|error| StatementError::Protocol { reason: error.to_string() })?;
            match fed.state {
                State::NeedMore => {}
                State::Done(completion) => return Ok(completion),
                State::LocalInfile => {
                    let reason = "it asked for a local file, which was not offered".to_owned();
                    return Err(StatementError::Protocol { reason });
                }
            }
        }
    }

    /// A connection to a server that is the primary no longer is given up, as behind an address that has moved.
    fn follow_primary(&self) -> Result<(), StatementError> {
        match self.line.is_outdated(&self.reactor) {
            true => Err(StatementError::Lost { reason: "another server has become the primary".to_owned() }),
            false => Ok(()),
        }
    }

    async fn send(&mut self) -> io::Result<()> {
        let mut sent = 0;
        let mut waiting = false;
        let result = loop {
            match self.send_some(&mut sent) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let fd = self.line.transport.fd();
                    self.reactor.set(fd, u64::from(self.slot), Interest::ReadWrite)?;
                    waiting = true;
                    self.reactor.writable(self.slot).await;
                }
                other => break other,
            }
        };
        if waiting {
            self.reactor.set(self.line.transport.fd(), u64::from(self.slot), Interest::Read)?;
        }
        result
    }

    /// Sends the rest of the buffer from `sent` on, as far as the socket accepts it.
    fn send_some(&mut self, sent: &mut usize) -> io::Result<()> {
        while *sent < self.out.len() {
            *sent += self.line.transport.write(&self.out[*sent..])?;
        }
        if self.line.transport.flush()? { Ok(()) } else { Err(io::ErrorKind::WouldBlock.into()) }
    }
}

fn lost(error: io::Error) -> StatementError {
    StatementError::Lost { reason: error.to_string() }
}

/// Writes a statement with the parameters in place of the question marks, formatted as sysbench formats them.
fn write_text(sql: &mut Vec<u8>, pieces: &[String], params: &[Param<'_>]) {
    use std::io::Write;
    sql.clear();
    for (index, piece) in pieces.iter().enumerate() {
        sql.extend_from_slice(piece.as_bytes());
        match params.get(index) {
            Some(Param::Null) => sql.extend_from_slice(b"NULL"),
            Some(Param::Bytes(bytes)) => write_hexadecimal(sql, bytes),
            Some(Param::Int(value)) => write!(sql, "{value}").expect("writing to a Vec does not fail"),
            Some(Param::Text(bytes)) => write_quoted(sql, bytes),
            Some(Param::Money(cents)) => sql.extend_from_slice(cents.digits().as_bytes()),
            None => {}
        }
    }
}

/// Writes bytes that are no text.
fn write_hexadecimal(sql: &mut Vec<u8>, bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    sql.extend_from_slice(b"X'");
    for byte in bytes {
        sql.extend([DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
    }
    sql.push(b'\'');
}

/// Writes a string literal. Text that came from a table may hold anything.
pub(crate) fn write_quoted(sql: &mut Vec<u8>, bytes: &[u8]) {
    sql.push(b'\'');
    if bytes.iter().any(|byte| matches!(byte, b'\'' | b'\\')) {
        for &byte in bytes {
            if matches!(byte, b'\'' | b'\\') {
                sql.push(b'\\');
            }
            sql.push(byte);
        }
    } else {
        sql.extend_from_slice(bytes);
    }
    sql.push(b'\'');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_quoted_so_that_it_comes_back_as_it_was() {
        let mut sql = Vec::new();
        let pieces = ["INSERT INTO t VALUES (", ", ", ", ", ", ", ", ", ")"].map(str::to_owned);
        let params = [
            Param::Int(-7),
            Param::Text(br"O'Neil \ Sons"),
            Param::Money(Cents(-1_205)),
            Param::Null,
            Param::Bytes(b"\x00'\xff"),
        ];
        write_text(&mut sql, &pieces, &params);
        assert_eq!(
            String::from_utf8(sql).unwrap(),
            r"INSERT INTO t VALUES (-7, 'O\'Neil \\ Sons', -12.05, NULL, X'0027ff')"
        );
    }
}
