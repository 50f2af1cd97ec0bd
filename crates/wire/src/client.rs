//! A blocking client for administration, loading and connecting; the load loop itself never uses it.
//!
//! Together with [`crate::connect`] the only part of this crate that does I/O.

use std::{
    io::{self, Read, Write},
    time::Duration,
};

use crate::{
    command::{self, Execute, Types},
    frame,
    handshake::SessionInfo,
    response::{CommandKind, Completion, OkInfo, ResponseReader, State},
    result::{Bounded, Collect, Remark},
    value::SqlValue,
};
pub use crate::{
    connect::{ByteCounts, ConnectOptions, Connector, Counted, Parts, ServerAddress, Socket, SocketHandle},
    error::{ConnectError, ProtocolError, QueryError},
    result::{Done, ResultSet, Row, Statement},
};

const READ_BYTES: usize = 16 << 10;
/// Bytes of a LOAD DATA stream per packet.
const LOCAL_DATA_BYTES: usize = 64 << 10;

/// A connection that sends one command at a time and waits for its answer. Sends COM_QUIT when dropped.
#[derive(Debug)]
pub struct Client {
    /// Present until `into_parts` takes it.
    parts: Option<Parts>,
    reader: ResponseReader,
    read_timeout: Option<Duration>,
    output: Vec<u8>,
    input: Box<[u8]>,
    unread: std::ops::Range<usize>,
    lost: bool,
}

impl Client {
    /// Connects, logs in, and executes the init commands.
    pub fn connect(options: &ConnectOptions) -> Result<Self, ConnectError> {
        Self::connect_by(&Connector::new(options))
    }

    /// Connects by way of a connector, as one of many connections.
    pub fn connect_by(connector: &Connector<'_>) -> Result<Self, ConnectError> {
        let (parts, options) = (connector.connect()?, connector.options());
        let mut client = Self {
            reader: ResponseReader::new(parts.session.capabilities),
            parts: Some(parts),
            read_timeout: options.read_timeout,
            output: Vec::new(),
            input: vec![0; READ_BYTES].into_boxed_slice(),
            unread: 0..0,
            lost: false,
        };
        for statement in &options.init_commands {
            client.execute(statement).map_err(|source| ConnectError::InitCommand {
                address: options.address.to_string(),
                source: Box::new(source),
            })?;
        }
        Ok(client)
    }

    /// Executes a statement and keeps its rows. If there are several results (of a procedure), the first one with columns is
    /// kept.
    pub fn query(&mut self, sql: &str) -> Result<ResultSet, QueryError> {
        command::query(&mut self.output, sql.as_bytes());
        self.collect(CommandKind::Text, sql, Collect::text())
    }

    /// Executes a statement that may hold bytes in no character set, and keeps its rows as [`Client::query`] does.
    pub fn query_bytes(&mut self, sql: &[u8]) -> Result<ResultSet, QueryError> {
        command::query(&mut self.output, sql);
        self.collect(CommandKind::Text, &String::from_utf8_lossy(sql), Collect::text())
    }

    /// Executes a statement and keeps no rows.
    pub fn execute(&mut self, sql: &str) -> Result<Done, QueryError> {
        command::query(&mut self.output, sql.as_bytes());
        self.finish(CommandKind::Text, sql, None)
    }

    /// Prepares a statement.
    pub fn prepare(&mut self, sql: &str) -> Result<Statement, QueryError> {
        command::prepare(&mut self.output, sql.as_bytes());
        let mut sink = Collect::text();
        match self.run(CommandKind::Prepare, sql, &mut sink, None)? {
            Completion::Prepared(prepared) => Ok(Statement {
                id: prepared.id,
                params: prepared.params,
                columns: sink.columns,
                sql: sql.to_owned(),
            }),
            _ => Err(unexpected(sql)),
        }
    }

    /// Executes a prepared statement. Values of the rows are kept in their text form.
    pub fn execute_prepared(
        &mut self,
        statement: &Statement,
        values: &[SqlValue<'_>],
    ) -> Result<ResultSet, QueryError> {
        let expected = usize::from(statement.params);
        if expected != values.len() {
            let statement = abridged(&statement.sql);
            return Err(QueryError::Parameters { statement, expected, got: values.len() });
        }
        let mut execute = Execute::begin(&mut self.output, statement.id, statement.params, Types::Send);
        let mut written = Vec::new();
        for value in values {
            execute = match *value {
                SqlValue::Null => execute.null(),
                SqlValue::Int(value) => execute.int(value),
                SqlValue::UInt(value) => execute.uint(value),
                SqlValue::Float(value) => execute.double(value.into()),
                SqlValue::Double(value) => execute.double(value),
                SqlValue::Bytes(bytes) => execute.bytes(bytes),
                SqlValue::Date { .. } | SqlValue::DateTime { .. } | SqlValue::Time { .. } => {
                    written.clear();
                    value.write_text(6, &mut written);
                    execute.bytes(&written)
                }
            };
        }
        execute.finish();
        self.collect(CommandKind::Binary, &statement.sql, Collect::binary(&statement.columns))
    }

    /// Frees a prepared statement.
    pub fn close_statement(&mut self, statement: Statement) -> Result<(), QueryError> {
        command::close(&mut self.output, statement.id);
        self.send(&statement.sql)
    }

    /// Executes LOAD DATA LOCAL INFILE and answers the server's request for the file with `data`, whatever file it names.
    /// The connection must have been made with `local_infile`.
    pub fn load_data_local(&mut self, sql: &str, data: &mut dyn Read) -> Result<Done, QueryError> {
        command::query(&mut self.output, sql.as_bytes());
        self.finish(CommandKind::Text, sql, Some(data))
    }

    /// Forgets the session's state: transactions, prepared statements, variables.
    pub fn reset(&mut self) -> Result<(), QueryError> {
        command::reset_connection(&mut self.output);
        self.finish(CommandKind::Simple, "(reset connection)", None).map(drop)
    }

    /// Asks whether the server is there.
    pub fn ping(&mut self) -> Result<(), QueryError> {
        command::ping(&mut self.output);
        self.finish(CommandKind::Simple, "(ping)", None).map(drop)
    }

    /// The facts about the session.
    pub fn session(&self) -> &SessionInfo {
        &self.parts().session
    }

    /// A handle by which another thread can close the connection.
    pub fn handle(&self) -> io::Result<SocketHandle> {
        self.parts().socket.handle()
    }

    /// Hands the socket over, between two commands.
    pub fn into_parts(mut self) -> Parts {
        self.parts.take().expect(TAKEN)
    }

    fn parts(&self) -> &Parts {
        self.parts.as_ref().expect(TAKEN)
    }

    fn parts_mut(&mut self) -> &mut Parts {
        self.parts.as_mut().expect(TAKEN)
    }

    fn collect(&mut self, kind: CommandKind, sql: &str, mut sink: Collect) -> Result<ResultSet, QueryError> {
        match self.run(kind, sql, &mut sink, None)? {
            Completion::Ok(ok) => Ok(sink.into_result(ok)),
            _ => Err(unexpected(sql)),
        }
    }

    fn finish(
        &mut self,
        kind: CommandKind,
        sql: &str,
        data: Option<&mut dyn Read>,
    ) -> Result<Done, QueryError> {
        let mut sink = Remark::default();
        match self.run(kind, sql, &mut sink, data)? {
            Completion::Ok(OkInfo { affected_rows, last_insert_id, warnings, rows, .. }) => {
                Ok(Done { affected_rows, last_insert_id, warnings, rows, info: sink.info() })
            }
            _ => Err(unexpected(sql)),
        }
    }

    /// Sends the command in the output buffer and reads its answer.
    fn run<S: Bounded>(
        &mut self,
        kind: CommandKind,
        sql: &str,
        sink: &mut S,
        mut data: Option<&mut dyn Read>,
    ) -> Result<Completion, QueryError> {
        self.reader.expect_after(kind, frame::last_sequence(&self.output));
        self.send(sql)?;
        let mut local = None;
        loop {
            let fed = self
                .reader
                .feed(&self.input[self.unread.clone()], sink)
                .map_err(|source| self.broke(sql, source))?;
            self.unread.start += fed.used;
            sink.check().map_err(|source| self.broke(sql, source))?;
            match fed.state {
                State::NeedMore => self.receive(sql)?,
                State::LocalInfile => local = self.local_data(sql, data.take())?,
                State::Done(Completion::Err(error)) => {
                    return Err(
                        local.unwrap_or(QueryError::Server { statement: abridged(sql), error: *error })
                    );
                }
                State::Done(completion) => return local.map_or(Ok(completion), Err),
            }
        }
    }

    /// Answers the request for a local file. Returns the error to report once the server has answered.
    fn local_data(
        &mut self,
        sql: &str,
        data: Option<&mut dyn Read>,
    ) -> Result<Option<QueryError>, QueryError> {
        let mut sequence = self.reader.next_sequence();
        let mut failed = None;
        match data {
            None => failed = Some(QueryError::LocalFileRefused { statement: abridged(sql) }),
            Some(data) => loop {
                let start = frame::begin(&mut self.output);
                let body = self.output.len();
                self.output.resize(body + LOCAL_DATA_BYTES, 0);
                let count = match data.read(&mut self.output[body..]) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                        self.output.clear();
                        continue;
                    }
                    Err(source) => {
                        failed = Some(QueryError::LocalData { statement: abridged(sql), source });
                        0
                    }
                    Ok(count) => count,
                };
                self.output.truncate(body + count);
                if count == 0 {
                    self.output.clear();
                    break;
                }
                sequence = frame::finish(&mut self.output, start, sequence);
                self.send(sql)?;
            },
        }
        sequence = frame::put(&mut self.output, sequence, &[]);
        self.send(sql)?;
        self.reader.local_data_sent(sequence);
        Ok(failed)
    }

    fn send(&mut self, sql: &str) -> Result<(), QueryError> {
        let output = std::mem::take(&mut self.output);
        let parts = self.parts_mut();
        let sent = parts.write_all(&output).and_then(|()| parts.flush());
        self.output = output;
        self.output.clear();
        self.output.shrink_to(crate::limits::BUFFER_BYTES_KEPT * 2);
        sent.map_err(|source| self.failed(sql, source))
    }

    /// Waits for more of the answer; all that came before has been used.
    fn receive(&mut self, sql: &str) -> Result<(), QueryError> {
        loop {
            let parts = self.parts.as_mut().expect(TAKEN);
            match parts.read(&mut self.input) {
                Ok(0) => return Err(self.failed(sql, io::ErrorKind::UnexpectedEof.into())),
                Ok(count) => {
                    self.unread = 0..count;
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.failed(sql, error)),
            }
        }
    }

    fn failed(&mut self, sql: &str, source: io::Error) -> QueryError {
        self.lost = true;
        let statement = abridged(sql);
        match (source.kind(), self.read_timeout) {
            (io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut, Some(timeout)) => {
                QueryError::TimedOut { statement, timeout }
            }
            _ => QueryError::Lost { statement, source },
        }
    }

    fn broke(&mut self, sql: &str, source: ProtocolError) -> QueryError {
        self.lost = true;
        QueryError::Protocol { statement: abridged(sql), source }
    }
}

/// The reason `parts` is always there.
const TAKEN: &str = "the parts are taken only by into_parts, which consumes the client";

impl Drop for Client {
    fn drop(&mut self) {
        // Without a good-bye the server counts an aborted client and may log it.
        if let (false, Some(parts)) = (self.lost, &mut self.parts) {
            let mut output = Vec::new();
            command::quit(&mut output);
            // Nobody is left who could be told of a failure here.
            let _ = parts.write_all(&output).and_then(|()| parts.flush());
        }
    }
}

fn unexpected(sql: &str) -> QueryError {
    let source = ProtocolError::Malformed { packet: "answer", detail: "it is of another command" };
    QueryError::Protocol { statement: abridged(sql), source }
}

/// A statement as errors show it: one line, at most 200 characters, and nothing from the word on that may begin a password.
fn abridged(sql: &str) -> String {
    let mut out = String::new();
    for word in sql.split_whitespace() {
        let upper = word.to_ascii_uppercase();
        if upper.starts_with("IDENTIFIED") || upper.contains("PASSWORD") {
            out.push_str("...");
            return out;
        }
        if out.chars().count() + word.chars().count() > 200 {
            out.extend(word.chars().take(200_usize.saturating_sub(out.chars().count())));
            out.push_str("...");
            return out;
        }
        out.push_str(word);
        out.push(' ');
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::abridged;

    #[test]
    fn statements_in_errors_are_short_and_hide_passwords() {
        assert_eq!(abridged("SELECT\n  1"), "SELECT 1");
        assert_eq!(abridged("CREATE USER a IDENTIFIED BY 'secret'"), "CREATE USER a ...");
        assert_eq!(abridged("SET PASSWORD='secret'"), "SET ...");
        assert!(abridged(&"x".repeat(100_000)).len() < 210);
    }
}
