//! The client's commands, appended as whole packets to the caller's buffer: no allocation once it has grown.

use crate::{codec::put_lenenc_bytes, frame, value::ColumnType};

const COM_QUIT: u8 = 0x01;
const COM_QUERY: u8 = 0x03;
const COM_PING: u8 = 0x0e;
const COM_STMT_PREPARE: u8 = 0x16;
const COM_STMT_EXECUTE: u8 = 0x17;
const COM_STMT_CLOSE: u8 = 0x19;
const COM_RESET_CONNECTION: u8 = 0x1f;

fn put(out: &mut Vec<u8>, command: u8, body: &[u8]) {
    let start = frame::begin(out);
    out.push(command);
    out.extend_from_slice(body);
    frame::finish(out, start, 0);
}

/// A statement in the text protocol. Read the answer as `Kind::Text`.
pub fn query(out: &mut Vec<u8>, sql: &[u8]) {
    put(out, COM_QUERY, sql);
}

/// Prepares a statement. Read the answer as `Kind::Prepare`.
pub fn prepare(out: &mut Vec<u8>, sql: &[u8]) {
    put(out, COM_STMT_PREPARE, sql);
}

/// Frees a prepared statement. The server does not answer.
pub fn close(out: &mut Vec<u8>, statement_id: u32) {
    put(out, COM_STMT_CLOSE, &statement_id.to_le_bytes());
}

/// Forgets the session's state: transactions, prepared statements, variables. Read the answer as `Kind::Simple`.
pub fn reset_connection(out: &mut Vec<u8>) {
    put(out, COM_RESET_CONNECTION, &[]);
}

/// Asks whether the server is there. Read the answer as `Kind::Simple`.
pub fn ping(out: &mut Vec<u8>) {
    put(out, COM_PING, &[]);
}

/// COM_QUIT. The server closes without an answer.
pub fn quit(out: &mut Vec<u8>) {
    put(out, COM_QUIT, &[]);
}

/// Whether an execution sends the parameters' types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Types {
    /// Yes: the first execution, or when the kind of a parameter changes.
    Send,
    /// No: the server keeps those of the last execution that sent them. Each parameter must be of the same kind as
    /// then (`int`, `uint`, `double`, `bytes` or `blob`); a parameter that was NULL then must be NULL again.
    Bound,
}

/// Writes one COM_STMT_EXECUTE: parameters in order, then [`Execute::finish`].
#[derive(Debug)]
#[must_use = "the packet is complete only after finish()"]
pub struct Execute<'a> {
    out: &'a mut Vec<u8>,
    start: usize,
    nulls: usize,
    types: Option<usize>,
    params: usize,
    next: usize,
}

impl<'a> Execute<'a> {
    /// Begins an execution of a statement with `params` parameters, without a cursor. Read the answer as `Kind::Binary`.
    pub fn begin(out: &'a mut Vec<u8>, statement_id: u32, params: u16, types: Types) -> Self {
        let start = frame::begin(out);
        let mut head = [0; 10];
        head[0] = COM_STMT_EXECUTE;
        head[1..5].copy_from_slice(&statement_id.to_le_bytes());
        head[6] = 1; // iteration count, always 1
        out.extend_from_slice(&head);
        let params = usize::from(params);
        let nulls = out.len();
        let mut types_at = None;
        if params > 0 {
            out.resize(nulls + params.div_ceil(8), 0);
            out.push(u8::from(types == Types::Send));
            if types == Types::Send {
                types_at = Some(out.len());
                out.resize(out.len() + 2 * params, 0);
            }
        }
        Self { out, start, nulls, types: types_at, params, next: 0 }
    }

    fn parameter(&mut self, kind: ColumnType, unsigned: u8) {
        assert!(self.next < self.params, "the statement has {} parameters, more were given", self.params);
        if let Some(types) = self.types {
            self.out[types + 2 * self.next] = kind.0;
            self.out[types + 2 * self.next + 1] = unsigned;
        }
        self.next += 1;
    }

    /// A signed integer (BIGINT).
    pub fn int(mut self, value: i64) -> Self {
        self.parameter(ColumnType::LONGLONG, 0);
        self.out.extend_from_slice(&value.to_le_bytes());
        self
    }

    /// An unsigned integer (BIGINT UNSIGNED).
    pub fn uint(mut self, value: u64) -> Self {
        self.parameter(ColumnType::LONGLONG, 0x80);
        self.out.extend_from_slice(&value.to_le_bytes());
        self
    }

    /// A double.
    pub fn double(mut self, value: f64) -> Self {
        self.parameter(ColumnType::DOUBLE, 0);
        self.out.extend_from_slice(&value.to_le_bytes());
        self
    }

    /// A string or blob, in the connection's character set (utf8mb4).
    pub fn bytes(mut self, value: &[u8]) -> Self {
        self.parameter(ColumnType::VAR_STRING, 0);
        put_lenenc_bytes(self.out, value);
        self
    }

    /// Bytes in no character set.
    pub fn blob(mut self, value: &[u8]) -> Self {
        self.parameter(ColumnType::BLOB, 0);
        put_lenenc_bytes(self.out, value);
        self
    }

    /// SQL NULL.
    pub fn null(mut self) -> Self {
        let index = self.next;
        self.parameter(ColumnType::NULL, 0);
        self.out[self.nulls + index / 8] |= 1 << (index % 8);
        self
    }

    /// Completes the packet.
    ///
    /// # Panics
    /// If fewer values were given than the statement has parameters: a mistake in the calling code.
    pub fn finish(self) {
        assert!(
            self.next == self.params,
            "the statement has {} parameters, {} were given",
            self.params,
            self.next
        );
        frame::finish(self.out, self.start, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_execution_is_laid_out_as_the_manual_says() {
        let mut out = Vec::new();
        Execute::begin(&mut out, 7, 3, Types::Send).int(-1).null().bytes(b"ab").finish();
        let expected: Vec<u8> = [
            &[32, 0, 0, 0][..],
            &[0x17, 7, 0, 0, 0, 0, 1, 0, 0, 0],
            &[0b010, 1],
            &[0x08, 0, 0x06, 0, 0xfd, 0],
            &[0xff; 8],
            &[2, b'a', b'b'],
        ]
        .concat();
        assert_eq!(out[4..], expected[4..]);
        assert_eq!(usize::from(out[0]), out.len() - 4);
    }

    #[test]
    fn a_repeated_execution_leaves_the_types_out() {
        let mut out = Vec::new();
        Execute::begin(&mut out, 7, 1, Types::Bound).int(5).finish();
        assert_eq!(out[14..], [0, 0, 5, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn no_parameters_means_no_bitmap() {
        let mut out = Vec::new();
        Execute::begin(&mut out, 1, 0, Types::Send).finish();
        assert_eq!(out.len(), 14);
    }
}
