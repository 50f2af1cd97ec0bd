//! What a client asks for, and what it is answered.

use luajit::mlua::{BorrowedBytes, LuaString, Value};

use crate::error::ScriptError;

/// A text of a script.
#[derive(Debug)]
pub struct ScriptText(pub(crate) LuaString);

impl ScriptText {
    /// Its bytes.
    pub fn bytes(&self) -> BorrowedBytes {
        self.0.as_bytes()
    }
}

/// A parameter of a prepared statement.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum Datum {
    Null,
    Int(i64),
    Real(f64),
    Text(ScriptText),
}

impl Datum {
    fn of(value: Value, real: bool) -> Self {
        match value {
            Value::Integer(value) if real => Self::Real(value as f64),
            Value::Integer(value) => Self::Int(value),
            Value::Number(value) if real => Self::Real(value),
            Value::Number(value) => Self::Int(value as i64),
            Value::String(text) => Self::Text(ScriptText(text)),
            _ => Self::Null,
        }
    }
}

/// What a client asks for.
#[derive(Debug)]
pub enum ScriptRequest {
    /// It has begun its life and waits for the load. Answer: [`Reply::Nothing`].
    Ready,
    /// It wants to begin an event; the one before, if there was one, has ended well. Answer: [`Reply::Flag`], false if there are no
    /// more.
    NextEvent,
    /// The event has ended well. Answer: [`Reply::Nothing`].
    EventDone,
    /// The event failed and begins anew. Answer: [`Reply::Nothing`].
    Restart {
        /// Code of the server's error; 0: the script's own decision.
        code: u16,
        /// Its SQLSTATE.
        state: String,
        /// Its message.
        message: String,
        /// The statement.
        query: String,
    },
    /// It wants to sleep so many seconds. Answer: [`Reply::Flag`].
    Sleep(f64),
    /// It wants a connection. Answer: [`Reply::Connected`] or [`Reply::Refused`].
    Connect,
    /// It needs a connection no longer. Answer: [`Reply::Nothing`].
    Disconnect(u32),
    /// A statement as text. Answer: [`Reply::Ok`], [`Reply::Rows`], [`Reply::Error`], [`Reply::Lost`].
    Query {
        /// The connection.
        connection: u32,
        /// The statement.
        text: ScriptText,
    },
    /// A statement to prepare. Answer: [`Reply::Prepared`], [`Reply::Error`], [`Reply::Lost`].
    Prepare {
        /// The connection.
        connection: u32,
        /// The statement.
        text: ScriptText,
    },
    /// A prepared statement to execute. Answer: as of a query.
    Execute {
        /// The connection.
        connection: u32,
        /// The statement.
        statement: u32,
        /// The values, of which those at the end are missing if they are NULL.
        values: Vec<Datum>,
    },
    /// A prepared statement that is needed no longer. Answer: [`Reply::Nothing`].
    Close {
        /// The connection.
        connection: u32,
        /// The statement.
        statement: u32,
    },
    /// It has ended. The text is what a called function answered; none: the script has no such function.
    Done(Option<String>),
    /// The script failed.
    Failed(String),
}

/// Requests by their number in Lua, from 1.
pub(crate) const REQUESTS: [&str; 14] = [
    "ready",
    "next_event",
    "event_done",
    "restart",
    "sleep",
    "connect",
    "disconnect",
    "query",
    "prepare",
    "execute",
    "close",
    "done",
    "failed",
    "unused",
];

/// What a coroutine yields: the number of a request, and its arguments.
pub(crate) type Yielded = (u8, Value, Value, Value, Value, luajit::mlua::Variadic<Value>);

impl ScriptRequest {
    pub(crate) fn read((number, a, b, c, d, more): Yielded) -> Result<Self, ScriptError> {
        let name = REQUESTS.get(usize::from(number).wrapping_sub(1)).copied().unwrap_or_default();
        Ok(match name {
            "ready" => Self::Ready,
            "next_event" => Self::NextEvent,
            "event_done" => Self::EventDone,
            "restart" => Self::Restart {
                code: whole(&a)? as u16,
                state: lossy(&b),
                message: lossy(&c),
                query: lossy(&d),
            },
            "sleep" => Self::Sleep(number_of(&a)?),
            "connect" => Self::Connect,
            "disconnect" => Self::Disconnect(whole(&a)?),
            "query" => Self::Query { connection: whole(&a)?, text: text(b)? },
            "prepare" => Self::Prepare { connection: whole(&a)?, text: text(b)? },
            "execute" => {
                let reals = number_of(&c)? as u64;
                let values = std::iter::once(d).chain(more).enumerate();
                let values = values.map(|(at, value)| Datum::of(value, reals >> at.min(63) & 1 == 1));
                Self::Execute { connection: whole(&a)?, statement: whole(&b)?, values: values.collect() }
            }
            "close" => Self::Close { connection: whole(&a)?, statement: whole(&b)? },
            "done" => Self::Done(matches!(a, Value::String(_)).then(|| lossy(&a))),
            "failed" => Self::Failed(lossy(&a)),
            _ => return Err(ScriptError("the script yielded outside of a coroutine of its own".to_owned())),
        })
    }
}

fn number_of(value: &Value) -> Result<f64, ScriptError> {
    match value {
        Value::Integer(value) => Ok(*value as f64),
        Value::Number(value) => Ok(*value),
        other => Err(ScriptError(format!("a number is expected, not a {}", other.type_name()))),
    }
}

fn whole(value: &Value) -> Result<u32, ScriptError> {
    number_of(value).map(|value| value as u32)
}

fn text(value: Value) -> Result<ScriptText, ScriptError> {
    match value {
        Value::String(text) => Ok(ScriptText(text)),
        other => Err(ScriptError(format!("a statement is text, not a {}", other.type_name()))),
    }
}

fn lossy(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_string_lossy(),
        Value::Integer(value) => value.to_string(),
        Value::Number(value) => value.to_string(),
        _ => String::new(),
    }
}

/// The answer to a request.
#[derive(Debug, Clone, Copy)]
pub enum Reply<'a> {
    /// Nothing is to be said.
    Nothing,
    /// Yes or no.
    Flag(bool),
    /// The number of a new connection.
    Connected(u32),
    /// There is no connection.
    Refused {
        /// Code of the error.
        code: u16,
        /// Its message.
        message: &'a str,
    },
    /// A statement without rows is done.
    Ok,
    /// A statement with rows is done.
    Rows {
        /// Number of rows.
        rows: u64,
        /// Number of columns.
        columns: usize,
        /// The rows as the server sent them as text, one behind the other; empty: they were not kept.
        data: &'a [u8],
    },
    /// The number of a prepared statement.
    Prepared(u32),
    /// An error of the server.
    Error {
        /// Code.
        code: u16,
        /// SQLSTATE.
        state: &'a str,
        /// Message.
        message: &'a str,
    },
    /// The connection is gone.
    Lost {
        /// The reason.
        message: &'a str,
    },
}

/// Kinds of answers by their number in Lua, from 1.
pub(crate) const ANSWERS: [&str; 4] = ["ok", "rows", "error", "lost"];

/// What a script has counted by itself (`ffi.C.sb_counter_inc`), and how often it connected again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct ScriptCounts {
    pub other: u64,
    pub read: u64,
    pub write: u64,
    pub errors: u64,
    pub reconnects: u64,
}
