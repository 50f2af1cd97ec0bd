//! The server's side of the protocol: encoders of a server's packets, decoders of a client's.
//!
//! For fake servers in tests, and for the server of `calibrate`. Kept beside the client's side so that each can test the other.

use crate::{
    capability::Capabilities,
    codec::{Cursor, put_lenenc, put_lenenc_bytes, put_nul_bytes},
    error::{ProtocolError, ServerError},
    response::{OkInfo, PreparedStatement},
    value::{ColumnDef, ColumnType, SqlValue, binary_value},
};

/// The server's first packet.
#[derive(Debug, Clone)]
pub struct Greeting<'a> {
    /// E.g. "9.7.4".
    pub version: &'a str,
    /// The connection's number.
    pub connection_id: u32,
    /// The capabilities offered by the server.
    pub capabilities: Capabilities,
    /// The challenge.
    pub challenge: [u8; 20],
    /// The default plugin.
    pub plugin: &'a str,
}

/// Payload of a greeting.
pub fn greeting(out: &mut Vec<u8>, greeting: &Greeting<'_>) {
    let base = greeting.capabilities.base().to_le_bytes();
    out.push(10);
    put_nul_bytes(out, greeting.version.as_bytes());
    out.extend_from_slice(&greeting.connection_id.to_le_bytes());
    put_nul_bytes(out, &greeting.challenge[..8]);
    out.extend_from_slice(&base[..2]);
    out.push(45);
    out.extend_from_slice(&crate::capability::status::AUTOCOMMIT.to_le_bytes());
    out.extend_from_slice(&base[2..]);
    out.push(21);
    out.extend_from_slice(&[0; 6]);
    out.extend_from_slice(&greeting.capabilities.extended().to_le_bytes());
    put_nul_bytes(out, &greeting.challenge[8..]);
    put_nul_bytes(out, greeting.plugin.as_bytes());
}

/// A client's answer to the greeting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Login {
    /// The capabilities requested by the client.
    pub capabilities: Capabilities,
    /// The account.
    pub user: String,
    /// The plugin's answer.
    pub response: Vec<u8>,
    /// The database.
    pub database: Option<String>,
    /// The plugin that made the answer.
    pub plugin: String,
    /// Connection attributes.
    pub attributes: Vec<(String, String)>,
}

/// Reads the handshake response; `None` if it is the short request for TLS.
pub fn login(payload: &[u8]) -> Result<Option<Login>, ProtocolError> {
    let mut cursor = Cursor::new(payload, "handshake response");
    let base = cursor.u32()?;
    cursor.bytes(4 + 1 + 19)?;
    let extended = cursor.u32()?;
    let mut capabilities = Capabilities(base.into());
    if !capabilities.has(Capabilities::MYSQL) {
        capabilities = capabilities | Capabilities(u64::from(extended) << 32);
    }
    if cursor.is_empty() {
        return Ok(None);
    }
    let owned = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let user = owned(cursor.nul_bytes()?);
    let response = cursor.lenenc_bytes()?.to_vec();
    let database = match capabilities.has(Capabilities::CONNECT_WITH_DB) {
        true => Some(owned(cursor.nul_bytes()?)),
        false => None,
    };
    let plugin = match capabilities.has(Capabilities::PLUGIN_AUTH) {
        true => owned(cursor.nul_bytes()?),
        false => String::new(),
    };
    let mut attributes = Vec::new();
    if capabilities.has(Capabilities::CONNECT_ATTRS) {
        let mut pairs = Cursor::new(cursor.lenenc_bytes()?, "connection attributes");
        while !pairs.is_empty() {
            attributes.push((owned(pairs.lenenc_bytes()?), owned(pairs.lenenc_bytes()?)));
        }
    }
    Ok(Some(Login { capabilities, user, response, database, plugin, attributes }))
}

/// Payload of a request to switch to another plugin.
pub fn auth_switch(out: &mut Vec<u8>, plugin: &str, challenge: &[u8]) {
    out.push(0xfe);
    put_nul_bytes(out, plugin.as_bytes());
    put_nul_bytes(out, challenge);
}

/// Payload of further authentication data.
pub fn auth_more(out: &mut Vec<u8>, data: &[u8]) {
    out.push(0x01);
    out.extend_from_slice(data);
}

/// Payload of an OK packet.
pub fn ok(out: &mut Vec<u8>, ok: &OkInfo, info: &str) {
    out.push(0x00);
    put_ok_body(out, ok, info);
}

fn put_ok_body(out: &mut Vec<u8>, ok: &OkInfo, info: &str) {
    put_lenenc(out, ok.affected_rows);
    put_lenenc(out, ok.last_insert_id);
    out.extend_from_slice(&ok.status.to_le_bytes());
    out.extend_from_slice(&(ok.warnings as u16).to_le_bytes());
    if !info.is_empty() {
        put_lenenc_bytes(out, info.as_bytes());
    }
}

/// Payload of the packet that ends rows: an OK in an EOF's place with DEPRECATE_EOF, an EOF without.
pub fn end_of_rows(out: &mut Vec<u8>, capabilities: Capabilities, ok: &OkInfo) {
    if capabilities.has(Capabilities::DEPRECATE_EOF) {
        out.push(0xfe);
        put_ok_body(out, ok, "");
    } else {
        eof(out, ok);
    }
}

/// Payload of an EOF packet.
pub fn eof(out: &mut Vec<u8>, ok: &OkInfo) {
    out.push(0xfe);
    out.extend_from_slice(&(ok.warnings as u16).to_le_bytes());
    out.extend_from_slice(&ok.status.to_le_bytes());
}

/// Payload of an ERR packet.
pub fn error(out: &mut Vec<u8>, error: &ServerError) {
    out.push(0xff);
    out.extend_from_slice(&error.code.to_le_bytes());
    out.push(b'#');
    let mut state = [b'0'; 5];
    for (to, from) in state.iter_mut().zip(error.state.bytes()) {
        *to = from;
    }
    out.extend_from_slice(&state);
    out.extend_from_slice(error.message.as_bytes());
}

/// Payload of a request for a local file.
pub fn local_infile(out: &mut Vec<u8>, file: &str) {
    out.push(0xfb);
    out.extend_from_slice(file.as_bytes());
}

/// Payload that announces a result's columns; `definitions_follow` is for MariaDB's cached metadata.
pub fn column_count(out: &mut Vec<u8>, count: usize, definitions_follow: Option<u8>) {
    put_lenenc(out, count as u64);
    out.extend(definitions_follow);
}

/// Payload of a column definition.
pub fn column(out: &mut Vec<u8>, column: &ColumnDef) {
    put_lenenc_bytes(out, b"def");
    for name in ["", "", "", &column.name, ""] {
        put_lenenc_bytes(out, name.as_bytes());
    }
    out.push(0x0c);
    out.extend_from_slice(&column.collation.to_le_bytes());
    out.extend_from_slice(&1024u32.to_le_bytes());
    out.push(column.kind.0);
    out.extend_from_slice(&column.flags.to_le_bytes());
    out.extend_from_slice(&[column.decimals, 0, 0]);
}

/// Payload of a text row.
pub fn text_row(out: &mut Vec<u8>, cells: &[Option<&[u8]>]) {
    for cell in cells {
        match cell {
            Some(bytes) => put_lenenc_bytes(out, bytes),
            None => out.push(0xfb),
        }
    }
}

/// Payload of a binary row whose columns are all strings (or NULL).
pub fn binary_row(out: &mut Vec<u8>, cells: &[Option<&[u8]>]) {
    out.push(0);
    let nulls = out.len();
    out.resize(nulls + (cells.len() + 9) / 8, 0);
    for (index, cell) in cells.iter().enumerate() {
        match cell {
            Some(bytes) => put_lenenc_bytes(out, bytes),
            None => out[nulls + (index + 2) / 8] |= 1 << ((index + 2) % 8),
        }
    }
}

/// Payload of the first packet of a prepared statement's answer.
pub fn prepared(out: &mut Vec<u8>, prepared: &PreparedStatement) {
    out.push(0);
    out.extend_from_slice(&prepared.id.to_le_bytes());
    out.extend_from_slice(&prepared.columns.to_le_bytes());
    out.extend_from_slice(&prepared.params.to_le_bytes());
    out.extend_from_slice(&[0, 0, 0]);
}

/// A client's command.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "COM_... of the protocol manual")]
pub enum Command<'a> {
    Query(&'a [u8]),
    Prepare(&'a [u8]),
    /// The parameters are read by [`parameters`].
    Execute {
        id: u32,
        rest: &'a [u8],
    },
    Close(u32),
    Ping,
    Reset,
    Quit,
    Other(u8),
}

/// Reads a command.
pub fn command(payload: &[u8]) -> Result<Command<'_>, ProtocolError> {
    let mut cursor = Cursor::new(payload, "command");
    Ok(match cursor.u8()? {
        0x01 => Command::Quit,
        0x03 => Command::Query(cursor.rest()),
        0x0e => Command::Ping,
        0x16 => Command::Prepare(cursor.rest()),
        0x17 => {
            let id = cursor.u32()?;
            cursor.bytes(5)?;
            Command::Execute { id, rest: cursor.rest() }
        }
        0x19 => Command::Close(cursor.u32()?),
        0x1f => Command::Reset,
        other => Command::Other(other),
    })
}

/// Reads the parameters of an execution. `types` holds those of the last execution that sent them, and is replaced by
/// one that sends them again.
pub fn parameters<'a>(
    rest: &'a [u8],
    count: usize,
    types: &mut Vec<(ColumnType, bool)>,
) -> Result<Vec<SqlValue<'a>>, ProtocolError> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let mut cursor = Cursor::new(rest, "parameters");
    let nulls = cursor.bytes(count.div_ceil(8))?;
    if cursor.u8()? == 1 {
        types.clear();
        for _ in 0..count {
            let [kind, unsigned] = cursor.array()?;
            types.push((ColumnType(kind), unsigned & 0x80 != 0));
        }
    }
    if types.len() != count {
        return Err(cursor.malformed("no types were ever sent"));
    }
    let read = |(index, &(kind, unsigned)): (usize, &(ColumnType, bool))| {
        if nulls[index / 8] & (1 << (index % 8)) != 0 {
            return Ok(SqlValue::Null);
        }
        binary_value(&mut cursor, kind, unsigned)
    };
    types.iter().enumerate().map(read).collect()
}
