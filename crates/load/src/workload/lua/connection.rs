//! A connection of a script, with what it has prepared there.

use std::collections::BTreeMap;

use script::{Datum, Reply, ScriptText};
use wire::ServerError;
use wire::command::{Execute, Types};
use wire::response::{CommandKind, Completion, OkInfo, RowSink};
use wire::value::ColumnDef;

use super::verbs::{FIRST_STATEMENT, VERBS};
use crate::recorder::{OperationIndex, QueryKind};
use crate::session::{Exchange, Session};
use crate::statement_error::StatementError;

/// A connection of a script.
pub(super) struct Connection {
    session: Box<Session>,
    statements: BTreeMap<u32, Prepared>,
    next: u32,
}

/// A statement that the server has prepared.
struct Prepared {
    id: u32,
    params: u16,
    operation: OperationIndex,
    /// The kinds of the values that were sent with the last execution; none: there was none.
    kinds: Option<Vec<Kind>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Null,
    Int,
    Real,
    Text,
}

/// The rows of an answer, as the server sent them.
#[derive(Debug, Default)]
pub(super) struct Payloads {
    data: Vec<u8>,
    rows: u64,
    columns: usize,
    results: u32,
    keeps: bool,
}

impl Payloads {
    fn begin(&mut self, keeps: bool) {
        self.data.clear();
        (self.rows, self.columns, self.results, self.keeps) = (0, 0, 0, keeps);
    }
}

impl RowSink for Payloads {
    const WANTS_ROWS: bool = true;
    const WANTS_NAMES: bool = false;

    fn columns(&mut self, columns: &[ColumnDef]) {
        // A procedure has several results, of which the script gets the first.
        self.results += 1;
        if self.results == 1 {
            self.columns = columns.len();
        }
    }

    fn row(&mut self, payload: &[u8]) {
        if self.results <= 1 {
            self.rows += 1;
            if self.keeps {
                self.data.extend_from_slice(payload);
            }
        }
    }
}

/// A statement that ended well.
pub(super) struct Done {
    pub operation: OperationIndex,
    pub query: QueryKind,
    pub sent_ns: u64,
    pub took_ns: u64,
    has_rows: bool,
}

/// How a statement ended.
pub(super) enum Outcome {
    Done(Done),
    Prepared(u32),
    Failed(Box<ServerError>),
    Lost(String),
}

impl Outcome {
    pub fn reply<'a>(&'a self, rows: &'a Payloads) -> Reply<'a> {
        match self {
            Self::Done(done) if !done.has_rows => Reply::Ok,
            Self::Done(_) => Reply::Rows { rows: rows.rows, columns: rows.columns, data: &rows.data },
            Self::Prepared(number) => Reply::Prepared(*number),
            Self::Failed(error) => {
                Reply::Error { code: error.code, state: error.state.as_str(), message: &error.message }
            }
            Self::Lost(message) => Reply::Lost { message },
        }
    }
}

/// The operation of a statement: by its first word.
fn operation(text: &[u8]) -> OperationIndex {
    let word = text.iter().skip_while(|byte| byte.is_ascii_whitespace() || **byte == b'(');
    let word = word.take_while(|byte| byte.is_ascii_alphabetic()).map(u8::to_ascii_lowercase);
    let at = VERBS.iter().position(|verb| word.clone().eq(verb.bytes()));
    FIRST_STATEMENT + at.unwrap_or(VERBS.len() - 1)
}

impl Connection {
    pub fn new(session: Box<Session>) -> Self {
        Self { session, statements: BTreeMap::new(), next: 0 }
    }

    pub fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    pub fn close(self) {
        self.session.quit();
    }

    /// Runs a statement given as text.
    pub async fn query(&mut self, text: &ScriptText, rows: &mut Payloads) -> Outcome {
        let operation = operation(&text.bytes());
        rows.begin(true);
        self.session.write(|out| wire::command::query(out, &text.bytes()));
        let exchange = self.session.exchange(CommandKind::Text, rows).await;
        finish(exchange, operation, rows)
    }

    pub async fn prepare(&mut self, text: &ScriptText) -> Outcome {
        let operation = operation(&text.bytes());
        self.session.write(|out| wire::command::prepare(out, &text.bytes()));
        let exchange = self.session.exchange(CommandKind::Prepare, &mut wire::response::Discard).await;
        match exchange.map(|exchange| exchange.completion) {
            Ok(Completion::Prepared(prepared)) => {
                self.next += 1;
                let statement = Prepared { id: prepared.id, params: prepared.params, operation, kinds: None };
                self.statements.insert(self.next, statement);
                Outcome::Prepared(self.next)
            }
            Ok(Completion::Err(error)) => Outcome::Failed(error),
            Ok(Completion::Ok(_)) => Outcome::Lost("OK in answer to PREPARE".to_owned()),
            Err(error) => Outcome::Lost(reason(&error)),
        }
    }

    pub async fn execute(&mut self, number: u32, values: &[Datum], rows: &mut Payloads) -> Outcome {
        let Some(statement) = self.statements.get_mut(&number) else {
            return Outcome::Lost("the statement is closed".to_owned());
        };
        let params = usize::from(statement.params);
        let kind = |at: usize| match values.get(at) {
            Some(Datum::Int(_)) => Kind::Int,
            Some(Datum::Real(_)) => Kind::Real,
            Some(Datum::Text(_)) => Kind::Text,
            Some(Datum::Null) | None => Kind::Null,
        };
        let is_bound =
            statement.kinds.as_ref().is_some_and(|kinds| (0..params).map(kind).eq(kinds.iter().copied()));
        if !is_bound {
            statement.kinds = Some((0..params).map(kind).collect());
        }
        let types = if is_bound { Types::Bound } else { Types::Send };
        let (id, operation, params) = (statement.id, statement.operation, statement.params);
        self.session.write(|out| {
            let mut packet = Execute::begin(out, id, params, types);
            for at in 0..usize::from(params) {
                packet = match values.get(at) {
                    Some(Datum::Int(value)) => packet.int(*value),
                    Some(Datum::Real(value)) => packet.double(*value),
                    Some(Datum::Text(text)) => packet.bytes(&text.bytes()),
                    Some(Datum::Null) | None => packet.null(),
                };
            }
            packet.finish();
        });
        // sysbench keeps no rows of prepared statements for its scripts.
        rows.begin(false);
        let exchange = self.session.exchange(CommandKind::Binary, rows).await;
        finish(exchange, operation, rows)
    }

    /// Tells the server that a statement is needed no longer; it does not answer.
    pub async fn close_statement(&mut self, number: u32) {
        if let Some(statement) = self.statements.remove(&number) {
            self.session.write(|out| wire::command::close(out, statement.id));
            // A connection that is lost here is found lost by the next statement.
            let _ = self.session.send_alone().await;
        }
    }
}

/// How a statement ended, from its answer.
fn finish(exchange: Result<Exchange, StatementError>, operation: OperationIndex, rows: &Payloads) -> Outcome {
    let Exchange { completion, sent_ns, done_ns } = match exchange {
        Ok(exchange) => exchange,
        Err(error) => return Outcome::Lost(reason(&error)),
    };
    match completion {
        Completion::Ok(info) => {
            // MariaDB leaves the columns of a prepared statement out after its first execution.
            let has_rows = rows.results > 0;
            let (query, took_ns) = (kind_of(&info, has_rows), done_ns - sent_ns);
            Outcome::Done(Done { operation, query, sent_ns, took_ns, has_rows })
        }
        Completion::Err(error) => Outcome::Failed(error),
        Completion::Prepared(_) => Outcome::Lost("unasked PREPARE answer".to_owned()),
    }
}

/// As sysbench counts: rows are reads, changed rows are writes, and everything else is something else.
fn kind_of(info: &OkInfo, has_rows: bool) -> QueryKind {
    match (has_rows, info.affected_rows) {
        (true, _) => QueryKind::Read,
        (false, 0) => QueryKind::Other,
        (false, _) => QueryKind::Write,
    }
}

fn reason(error: &StatementError) -> String {
    match error {
        StatementError::Server { error, .. } => error.message.clone(),
        StatementError::Lost { reason }
        | StatementError::Protocol { reason }
        | StatementError::Data { reason, .. } => reason.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_told_apart_by_their_first_word() {
        let name = |text: &str| VERBS[operation(text.as_bytes()) - FIRST_STATEMENT];
        assert_eq!(name("  SELECT c FROM t"), "select");
        assert_eq!(name("(select 1) UNION (select 2)"), "select");
        assert_eq!(name("SET a = 1"), "other");
        assert_eq!(name("BEGIN"), "begin");
        assert_eq!(name(""), "other");
    }
}
