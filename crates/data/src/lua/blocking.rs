//! Does what a script asks for outside of a load, at once and on the calling thread.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use script::{Datum, Reply, ScriptRequest, Task};
use wire::{Client, ConnectOptions, QueryError, ResultSet, Row, SqlValue, Statement};

use crate::error::DataError;

/// The connections of one call of a script.
pub(super) struct Blocking<'a> {
    /// None: there is no server, and a script that asks for one is refused.
    connect: Option<&'a ConnectOptions>,
    clients: BTreeMap<u32, Client>,
    statements: BTreeMap<(u32, u32), Statement>,
    next: u32,
    /// Set from outside to end the call at its next request.
    cancel: &'a AtomicBool,
    /// Whether the script asked for a server where there is none.
    pub has_refused: bool,
}

/// An answer that outlives what it was made from.
enum Answer {
    Nothing,
    Flag(bool),
    Connected(u32),
    Refused(u16, String),
    Ok,
    Rows(u64, usize, Vec<u8>),
    Prepared(u32),
    Error(u16, String, String),
    Lost(String),
}

impl Answer {
    fn reply(&self) -> Reply<'_> {
        match self {
            Self::Nothing => Reply::Nothing,
            Self::Flag(flag) => Reply::Flag(*flag),
            Self::Connected(number) => Reply::Connected(*number),
            Self::Refused(code, message) => Reply::Refused { code: *code, message },
            Self::Ok => Reply::Ok,
            Self::Rows(rows, columns, data) => Reply::Rows { rows: *rows, columns: *columns, data },
            Self::Prepared(number) => Reply::Prepared(*number),
            Self::Error(code, state, message) => Reply::Error { code: *code, state, message },
            Self::Lost(message) => Reply::Lost { message },
        }
    }
}

/// CR_CONNECTION_ERROR, for what fails before the server has spoken.
const NO_CONNECTION: u16 = 2002;

impl<'a> Blocking<'a> {
    pub fn new(connect: Option<&'a ConnectOptions>, cancel: &'a AtomicBool) -> Self {
        let (clients, statements) = (BTreeMap::new(), BTreeMap::new());
        Self { connect, clients, statements, next: 1, cancel, has_refused: false }
    }

    /// Runs a task to its end. Returns what it answered; none: the script has no such function.
    pub fn run(&mut self, task: &mut Task) -> Result<Option<String>, DataError> {
        let failed = |why: String| DataError::Unable { what: format!("the script failed: {why}") };
        let mut answer = Answer::Nothing;
        loop {
            let request = task.resume(answer.reply()).map_err(|error| failed(error.to_string()))?;
            answer = match request {
                ScriptRequest::Done(what) => return Ok(what),
                ScriptRequest::Failed(why) => return Err(failed(why)),
                _ if self.cancel.load(Ordering::Relaxed) => return Err(DataError::ScriptInterrupted),
                other => self.answer(other),
            };
        }
    }

    fn answer(&mut self, request: ScriptRequest) -> Answer {
        match request {
            ScriptRequest::Sleep(seconds) => {
                std::thread::sleep(Duration::try_from_secs_f64(seconds).unwrap_or_default());
                Answer::Flag(true)
            }
            ScriptRequest::Connect => self.open(),
            ScriptRequest::Disconnect(number) => {
                self.statements.retain(|(connection, _), _| *connection != number);
                self.clients.remove(&number);
                Answer::Nothing
            }
            ScriptRequest::Query { connection, text } => {
                self.with(connection, |client| client.query_bytes(&text.bytes()).map(answer_of))
            }
            ScriptRequest::Prepare { connection, text } => {
                let text = String::from_utf8_lossy(&text.bytes()).into_owned();
                let number = self.number();
                let mut prepared = None;
                let answer = self.with(connection, |client| {
                    prepared = Some(client.prepare(&text)?);
                    Ok(Answer::Prepared(number))
                });
                self.statements.extend(prepared.map(|statement| ((connection, number), statement)));
                answer
            }
            ScriptRequest::Execute { connection, statement, values } => {
                self.execute(connection, statement, &values)
            }
            ScriptRequest::Close { connection, statement } => {
                if let (Some(statement), Some(client)) =
                    (self.statements.remove(&(connection, statement)), self.clients.get_mut(&connection))
                {
                    // A statement that is not freed here is freed with its connection.
                    let _ = client.close_statement(statement);
                }
                Answer::Nothing
            }
            // There are no events outside of a load.
            _ => Answer::Flag(false),
        }
    }

    fn number(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    fn open(&mut self) -> Answer {
        let Some(connect) = self.connect else {
            self.has_refused = true;
            return Answer::Refused(NO_CONNECTION, "no server is used for this".to_owned());
        };
        match Client::connect(connect) {
            Ok(client) => {
                let number = self.number();
                self.clients.insert(number, client);
                Answer::Connected(number)
            }
            Err(error) => {
                let code = error.server_error().map_or(NO_CONNECTION, |server| server.code);
                Answer::Refused(code, error.to_string())
            }
        }
    }

    fn with(
        &mut self,
        connection: u32,
        act: impl FnOnce(&mut Client) -> Result<Answer, QueryError>,
    ) -> Answer {
        let Some(client) = self.clients.get_mut(&connection) else {
            return Answer::Lost("the connection is closed".to_owned());
        };
        act(client).unwrap_or_else(|error| match error {
            QueryError::Server { error, .. } => {
                Answer::Error(error.code, error.state.to_string(), error.message)
            }
            other => Answer::Lost(other.to_string()),
        })
    }

    fn execute(&mut self, connection: u32, number: u32, values: &[Datum]) -> Answer {
        let Some(statement) = self.statements.get(&(connection, number)) else {
            return Answer::Lost("the statement is closed".to_owned());
        };
        let bytes: Vec<Vec<u8>> = values
            .iter()
            .map(|value| if let Datum::Text(text) = value { text.bytes().to_vec() } else { Vec::new() })
            .collect();
        let mut params: Vec<SqlValue<'_>> = values
            .iter()
            .zip(&bytes)
            .map(|(value, bytes)| match value {
                Datum::Null => SqlValue::Null,
                Datum::Int(value) => SqlValue::Int(*value),
                Datum::Real(value) => SqlValue::Double(*value),
                Datum::Text(_) => SqlValue::Bytes(bytes),
            })
            .collect();
        params.resize(usize::from(statement.params()), SqlValue::Null);
        let Some(client) = self.clients.get_mut(&connection) else {
            return Answer::Lost("the connection is closed".to_owned());
        };
        match client.execute_prepared(statement, &params) {
            Ok(result) if result.columns.is_empty() => Answer::Ok,
            Ok(result) => Answer::Rows(result.rows.len() as u64, result.columns.len(), Vec::new()),
            Err(QueryError::Server { error, .. }) => {
                Answer::Error(error.code, error.state.to_string(), error.message)
            }
            Err(other) => Answer::Lost(other.to_string()),
        }
    }
}

fn answer_of(result: ResultSet) -> Answer {
    if result.columns.is_empty() {
        return Answer::Ok;
    }
    let columns = result.columns.len();
    let mut data = Vec::new();
    result.rows.iter().for_each(|row| write_row(row, columns, &mut data));
    Answer::Rows(result.rows.len() as u64, columns, data)
}

/// A row as the server sends it as text.
fn write_row(row: &Row, columns: usize, out: &mut Vec<u8>) {
    for column in 0..columns {
        let Some(bytes) = row.get(column) else {
            out.push(0xfb);
            continue;
        };
        match bytes.len() as u64 {
            length @ ..=250 => out.push(length as u8),
            length @ 251..=0xffff => {
                out.push(0xfc);
                out.extend_from_slice(&(length as u16).to_le_bytes());
            }
            length => {
                out.push(0xfe);
                out.extend_from_slice(&length.to_le_bytes());
            }
        }
        out.extend_from_slice(bytes);
    }
}
