//! One command's whole answer, fed in arbitrary pieces: the hot path of reading.
//!
//! A sink that does not want rows costs header arithmetic per row: nothing is copied and nothing is allocated. Small
//! packets (OK, EOF, ERR) are decoded straight from the input when they are whole in it, and collected in a bounded
//! buffer only when a read tore them. The type parameter decides at compile time which of the two a reader does.

use crate::{
    capability::{Capabilities, status},
    codec::{Cursor, text},
    error::{ProtocolError, ServerError},
    frame::Header,
    intake::{Intake, Taken, Treatment},
    limits::{
        CHUNK_BYTES_MAX, COLUMN_DEF_BYTES_MAX, COLUMNS_MAX, CONTROL_BYTES_MAX, ROW_BYTES_MAX, TEXT_BYTES_MAX,
    },
    value::ColumnDef,
};

/// The command whose answer is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandKind {
    /// COM_QUERY.
    Text,
    /// COM_STMT_EXECUTE.
    Binary,
    /// COM_STMT_PREPARE.
    Prepare,
    /// Commands answered by OK or ERR alone: ping, reset.
    Simple,
}

/// Receives what an answer contains.
pub trait RowSink {
    /// Whether columns and rows are delivered. If not, they are skipped by length.
    const WANTS_ROWS: bool;
    /// Whether the columns have names; leaving them out saves an allocation for each column of each answer.
    const WANTS_NAMES: bool = true;
    /// The columns of the result that begins, or of the prepared statement. Empty where MariaDB left them out because
    /// they are those of the preparation.
    fn columns(&mut self, _columns: &[ColumnDef]) {}
    /// One row's payload: see [`crate::value::text_row`] and [`crate::value::binary_row`].
    fn row(&mut self, _payload: &[u8]) {}
    /// The end of one result, with the server's remark about it ("Rows matched: ..."), at most 1,024 bytes.
    fn end(&mut self, _info: &[u8]) {}
}

/// The sink that wants nothing but the completion.
#[derive(Debug, Clone, Copy, Default)]
pub struct Discard;

impl RowSink for Discard {
    const WANTS_ROWS: bool = false;
}

/// The content of a successful answer. Over several results the counts are sums, the rest is the last one's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OkInfo {
    /// Rows changed.
    pub affected_rows: u64,
    /// The first value generated for an AUTO_INCREMENT column.
    pub last_insert_id: u64,
    /// The server's status flags.
    pub status: u16,
    /// Warnings.
    pub warnings: u64,
    /// Rows received.
    pub rows: u64,
}

/// A prepared statement as the server describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PreparedStatement {
    /// Its number on this connection.
    pub id: u32,
    /// Parameters.
    pub params: u16,
    /// Columns of its result; 0 if it has none.
    pub columns: u16,
}

/// The way an answer ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Completion {
    /// Well.
    Ok(OkInfo),
    /// An error of the server.
    Err(Box<ServerError>),
    /// A prepared statement.
    Prepared(PreparedStatement),
}

/// The state of the reader after a piece of input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// All input was used, and the answer continues.
    NeedMore,
    /// The server asks for a local file. The caller sends its content (or nothing) and an empty packet, beginning with
    /// [`ResponseReader::next_sequence`], calls [`ResponseReader::local_data_sent`], and feeds on.
    LocalInfile,
    /// The answer is complete.
    Done(Completion),
}

/// The result of one call of [`ResponseReader::feed`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fed {
    /// Bytes of the input that were used.
    pub used: usize,
    /// The state of the reader.
    pub state: State,
}

/// Bounds that tests lower; everyone else takes the default.
#[derive(Debug, Clone, Copy)]
pub struct ReplyLimits {
    /// Payload bytes at which a packet continues in another one.
    pub chunk_bytes: usize,
    /// Bytes of one row, when rows are wanted.
    pub row_bytes: usize,
}

impl Default for ReplyLimits {
    fn default() -> Self {
        Self { chunk_bytes: CHUNK_BYTES_MAX, row_bytes: ROW_BYTES_MAX }
    }
}

/// The next expected packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Idle,
    First,
    Columns { left: usize },
    ColumnsEof,
    Rows,
    LocalData,
    Params { left: u16 },
    ParamsEof,
    PreparedColumns { left: u16 },
    PreparedColumnsEof,
}

/// Reads answers. One per connection: it keeps its small buffer from command to command.
#[derive(Debug)]
pub struct ResponseReader {
    intake: Intake,
    dialogue: Dialogue,
}

impl ResponseReader {
    /// A reader for a session with these capabilities.
    pub fn new(capabilities: Capabilities) -> Self {
        Self::with_limits(capabilities, ReplyLimits::default())
    }

    /// A reader with other limits.
    pub fn with_limits(capabilities: Capabilities, limits: ReplyLimits) -> Self {
        Self { intake: Intake::new(limits.chunk_bytes), dialogue: Dialogue::new(capabilities, limits) }
    }

    /// Prepares for the answer of a command whose last packet had sequence id 0.
    pub fn expect(&mut self, kind: CommandKind) {
        self.expect_after(kind, 0);
    }

    /// Prepares for the answer of a command whose last packet had this sequence id: one of 16 MiB and more has several.
    pub fn expect_after(&mut self, kind: CommandKind, sequence: u8) {
        self.intake.restart(sequence.wrapping_add(1));
        self.dialogue.kind = kind;
        self.dialogue.phase = Phase::First;
        self.dialogue.total = OkInfo::default();
    }

    /// The sequence id that the next packet must have, in either direction.
    pub fn next_sequence(&self) -> u8 {
        self.intake.sequence()
    }

    /// Bytes that the reader holds, by capacity: nothing as long as no packet was torn and no rows were wanted.
    pub fn buffered_bytes(&self) -> usize {
        self.intake.buffered_bytes()
            + self.dialogue.columns.iter().map(|column| column.name.capacity()).sum::<usize>()
    }

    /// Continues after [`State::LocalInfile`]; `next_sequence` follows that of the last packet sent.
    pub fn local_data_sent(&mut self, next_sequence: u8) {
        if self.dialogue.phase == Phase::LocalData {
            self.dialogue.phase = Phase::First;
            self.dialogue.kind = CommandKind::Simple;
            self.intake.set_sequence(next_sequence);
        }
    }

    /// Takes a piece of the answer. Consumes all of it, or up to the end of the answer.
    pub fn feed<S: RowSink>(&mut self, input: &[u8], sink: &mut S) -> Result<Fed, ProtocolError> {
        let mut used = 0;
        loop {
            let dialogue = &mut self.dialogue;
            let taken =
                self.intake.take(input, &mut used, |header, first| dialogue.treat::<S>(header, first))?;
            let state = match taken {
                Taken::NeedMore => Some(State::NeedMore),
                Taken::Whole(payload) => self.dialogue.packet(payload, sink)?,
                Taken::Collected => {
                    let payload = self.intake.lend();
                    let state = self.dialogue.packet(&payload, sink);
                    self.intake.give_back(payload);
                    state?
                }
            };
            if let Some(state) = state {
                return Ok(Fed { used, state });
            }
        }
    }
}

/// The meaning of a sequence of packets.
#[derive(Debug)]
struct Dialogue {
    deprecate_eof: bool,
    cache_metadata: bool,
    limits: ReplyLimits,
    kind: CommandKind,
    phase: Phase,
    columns: Vec<ColumnDef>,
    prepared: PreparedStatement,
    total: OkInfo,
}

impl Dialogue {
    fn new(capabilities: Capabilities, limits: ReplyLimits) -> Self {
        Self {
            deprecate_eof: capabilities.has(Capabilities::DEPRECATE_EOF),
            cache_metadata: capabilities.has(Capabilities::MARIADB_CACHE_METADATA),
            limits,
            kind: CommandKind::Simple,
            phase: Phase::Idle,
            columns: Vec::new(),
            prepared: PreparedStatement { id: 0, params: 0, columns: 0 },
            total: OkInfo::default(),
        }
    }

    /// The treatment of a packet. A skipped one is counted here, since it is not seen again.
    #[inline]
    fn treat<S: RowSink>(&mut self, header: Header, first: Option<u8>) -> Result<Treatment, ProtocolError> {
        match self.phase {
            Phase::Rows if !self.is_end(header.length, first) => {
                self.check_row(first)?;
                if S::WANTS_ROWS {
                    return Ok(Treatment::Whole { packet: "row", limit: self.limits.row_bytes });
                }
                self.total.rows += 1;
                Ok(Treatment::Skip)
            }
            Phase::Columns { .. } | Phase::Params { .. } | Phase::PreparedColumns { .. }
                if first != Some(0xff) =>
            {
                let next = self.after_definition();
                // The last definition of a prepared statement may be the end of the answer, so it is looked at.
                if S::WANTS_ROWS || next == Phase::Idle || header.length > COLUMN_DEF_BYTES_MAX {
                    return Ok(Treatment::Whole { packet: "column definition", limit: COLUMN_DEF_BYTES_MAX });
                }
                self.phase = next;
                Ok(Treatment::Skip)
            }
            _ => Ok(Treatment::Whole { packet: "answer", limit: CONTROL_BYTES_MAX }),
        }
    }

    /// Whether a packet ends the rows: an ERR, an EOF (old style), or an OK in place of the EOF.
    #[inline]
    fn is_end(&self, length: usize, first: Option<u8>) -> bool {
        let end_below = if self.deprecate_eof { self.limits.chunk_bytes } else { 9 };
        match first {
            Some(0xff) => true,
            Some(0xfe) => length < end_below,
            _ => false,
        }
    }

    #[inline]
    fn check_row(&self, first: Option<u8>) -> Result<(), ProtocolError> {
        match (first, self.kind) {
            (None, _) => Err(ProtocolError::Truncated { packet: "row" }),
            (Some(first), CommandKind::Binary) if first != 0 => {
                Err(ProtocolError::Unexpected { expected: "a binary row", first })
            }
            _ => Ok(()),
        }
    }

    /// The phase after one more definition; `Idle` when that completes the answer.
    fn after_definition(&self) -> Phase {
        match self.phase {
            Phase::Columns { left } if left > 1 => Phase::Columns { left: left - 1 },
            Phase::Columns { .. } => self.after_columns(),
            Phase::Params { left } if left > 1 => Phase::Params { left: left - 1 },
            Phase::Params { .. } if self.deprecate_eof => self.after_params(),
            Phase::Params { .. } => Phase::ParamsEof,
            Phase::PreparedColumns { left } if left > 1 => Phase::PreparedColumns { left: left - 1 },
            Phase::PreparedColumns { .. } if !self.deprecate_eof => Phase::PreparedColumnsEof,
            _ => Phase::Idle,
        }
    }

    fn after_columns(&self) -> Phase {
        if self.deprecate_eof { Phase::Rows } else { Phase::ColumnsEof }
    }

    fn after_params(&self) -> Phase {
        match self.prepared.columns {
            0 => Phase::Idle,
            left => Phase::PreparedColumns { left },
        }
    }

    /// Looks at one packet; `Some` ends the call of `feed`.
    fn packet<S: RowSink>(&mut self, payload: &[u8], sink: &mut S) -> Result<Option<State>, ProtocolError> {
        let Some(&first) = payload.first() else {
            return Err(ProtocolError::Truncated { packet: "answer" });
        };
        if first == 0xff {
            self.phase = Phase::Idle;
            return decode_error(payload).map(|error| Some(State::Done(Completion::Err(Box::new(error)))));
        }
        match self.phase {
            Phase::Idle | Phase::LocalData => Err(ProtocolError::Unsolicited),
            Phase::First => self.first(first, payload, sink),
            Phase::Columns { .. } | Phase::Params { .. } | Phase::PreparedColumns { .. } => {
                self.definition(payload, sink)
            }
            Phase::ColumnsEof => {
                decode_eof(payload)?;
                self.phase = Phase::Rows;
                Ok(None)
            }
            Phase::ParamsEof => {
                decode_eof(payload)?;
                self.phase = self.after_params();
                Ok(self.prepared_if_idle(sink))
            }
            Phase::PreparedColumnsEof => {
                decode_eof(payload)?;
                self.phase = Phase::Idle;
                Ok(self.prepared_if_idle(sink))
            }
            Phase::Rows if self.is_end(payload.len(), Some(first)) => self.end_of_rows(payload, sink),
            Phase::Rows => {
                self.total.rows += 1;
                sink.row(payload);
                Ok(None)
            }
        }
    }

    /// The first packet of a result.
    fn first<S: RowSink>(
        &mut self,
        first: u8,
        payload: &[u8],
        sink: &mut S,
    ) -> Result<Option<State>, ProtocolError> {
        self.columns.clear();
        match (first, self.kind) {
            (0x00, CommandKind::Prepare) => self.prepared(payload, sink),
            (0x00, _) => {
                let (ok, info) = decode_ok(payload)?;
                Ok(self.end_of_result(ok, info, sink))
            }
            (0xfb, CommandKind::Text) => {
                self.phase = Phase::LocalData;
                Ok(Some(State::LocalInfile))
            }
            (_, CommandKind::Text | CommandKind::Binary) => {
                let mut cursor = Cursor::new(payload, "column count");
                let count = cursor.lenenc()?;
                let left = match usize::try_from(count) {
                    Ok(0) => return Err(cursor.malformed("a result without columns")),
                    Ok(left) if left <= COLUMNS_MAX => left,
                    _ => return Err(ProtocolError::TooManyColumns { count }),
                };
                // MariaDB appends whether the definitions follow.
                if self.cache_metadata && !cursor.is_empty() && cursor.u8()? == 0 {
                    self.phase = self.after_columns();
                    sink.columns(&[]);
                } else {
                    self.phase = Phase::Columns { left };
                }
                Ok(None)
            }
            _ => Err(ProtocolError::Unexpected { expected: "OK or an error", first }),
        }
    }

    fn prepared<S: RowSink>(&mut self, payload: &[u8], sink: &mut S) -> Result<Option<State>, ProtocolError> {
        let mut cursor = Cursor::new(payload, "prepared statement");
        cursor.u8()?;
        let id = cursor.u32()?;
        let columns = cursor.u16()?;
        let params = cursor.u16()?;
        if usize::from(columns) > COLUMNS_MAX {
            return Err(ProtocolError::TooManyColumns { count: columns.into() });
        }
        self.prepared = PreparedStatement { id, params, columns };
        self.phase = match params {
            0 => self.after_params(),
            left => Phase::Params { left },
        };
        Ok(self.prepared_if_idle(sink))
    }

    /// A column or parameter definition; those of parameters are of no use.
    fn definition<S: RowSink>(
        &mut self,
        payload: &[u8],
        sink: &mut S,
    ) -> Result<Option<State>, ProtocolError> {
        if S::WANTS_ROWS && !matches!(self.phase, Phase::Params { .. }) {
            self.columns.push(ColumnDef::decode(payload, S::WANTS_NAMES)?);
        }
        let next = self.after_definition();
        if S::WANTS_ROWS && matches!(self.phase, Phase::Columns { left: 1 }) {
            sink.columns(&self.columns);
        }
        self.phase = next;
        Ok(self.prepared_if_idle(sink))
    }

    fn prepared_if_idle<S: RowSink>(&mut self, sink: &mut S) -> Option<State> {
        if self.phase != Phase::Idle {
            return None;
        }
        if S::WANTS_ROWS {
            sink.columns(&self.columns);
        }
        Some(State::Done(Completion::Prepared(self.prepared)))
    }

    fn end_of_rows<S: RowSink>(
        &mut self,
        payload: &[u8],
        sink: &mut S,
    ) -> Result<Option<State>, ProtocolError> {
        if self.deprecate_eof {
            let (ok, info) = decode_ok(payload)?;
            return Ok(self.end_of_result(ok, info, sink));
        }
        let ok = decode_eof(payload)?;
        Ok(self.end_of_result(ok, &[], sink))
    }

    fn end_of_result<S: RowSink>(&mut self, ok: OkInfo, info: &[u8], sink: &mut S) -> Option<State> {
        self.total.affected_rows = self.total.affected_rows.saturating_add(ok.affected_rows);
        self.total.warnings += ok.warnings;
        self.total.last_insert_id = ok.last_insert_id;
        self.total.status = ok.status;
        sink.end(&info[..info.len().min(TEXT_BYTES_MAX)]);
        if ok.status & status::MORE_RESULTS != 0 {
            self.phase = Phase::First;
            return None;
        }
        self.phase = Phase::Idle;
        Some(State::Done(Completion::Ok(self.total)))
    }
}

/// Reads an OK packet, also one in an EOF's place; the second value is its remark.
pub(crate) fn decode_ok(payload: &[u8]) -> Result<(OkInfo, &[u8]), ProtocolError> {
    let mut cursor = Cursor::new(payload, "OK packet");
    cursor.u8()?;
    let affected_rows = cursor.lenenc()?;
    let last_insert_id = cursor.lenenc()?;
    let status = cursor.u16()?;
    let warnings = u64::from(cursor.u16()?);
    // MySQL sends the remark as a length-encoded string, MariaDB without session tracking as the rest; both lengths
    // agree, so a remark that is not well encoded is taken as it stands.
    let rest = cursor.rest();
    let info = cursor.lenenc_bytes().unwrap_or(rest);
    Ok((OkInfo { affected_rows, last_insert_id, status, warnings, rows: 0 }, info))
}

fn decode_eof(payload: &[u8]) -> Result<OkInfo, ProtocolError> {
    let mut cursor = Cursor::new(payload, "EOF packet");
    match cursor.u8()? {
        0xfe if payload.len() < 9 => {}
        first => return Err(ProtocolError::Unexpected { expected: "EOF", first }),
    }
    let warnings = u64::from(cursor.u16()?);
    Ok(OkInfo { warnings, status: cursor.u16()?, ..OkInfo::default() })
}

/// Reads an ERR packet; one sent before the handshake has no SQLSTATE.
pub(crate) fn decode_error(payload: &[u8]) -> Result<ServerError, ProtocolError> {
    let mut cursor = Cursor::new(payload, "ERR packet");
    cursor.u8()?;
    let code = cursor.u16()?;
    let mut state = "HY000".to_owned();
    if cursor.rest().first() == Some(&b'#') {
        cursor.u8()?;
        state = text(cursor.bytes(5)?);
    }
    Ok(ServerError { code, state, message: text(cursor.rest()) })
}
