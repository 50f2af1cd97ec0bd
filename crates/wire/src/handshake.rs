//! The connection phase without I/O: greeting, TLS request, authentication with its switches, and the final OK.
//!
//! The caller moves bytes; [`Handshake::packet`] takes each whole packet of the server and returns the next action.

use crate::{
    auth::{self, Plugin},
    capability::Capabilities,
    codec::{Cursor, put_lenenc, put_lenenc_bytes, put_nul_bytes, text},
    error::{HandshakeError, ProtocolError},
    frame,
    limits::{HANDSHAKE_BYTES_MAX, HANDSHAKE_PACKETS_MAX},
    response::{decode_error, decode_ok},
    secret::Secret,
    tls::TlsSession,
};

/// utf8mb4_general_ci: a collation that every MySQL and MariaDB since 5.5 knows by this number.
const COLLATION: u8 = 45;
/// max_packet_size of the handshake response: the largest there is, so that the server's own limit applies.
const PACKET_BYTES_MAX: u32 = 1 << 30;

/// The request of caching_sha2_password and sha256_password for the server's RSA key.
const CACHING_SHA2_KEY: u8 = 0x02;
const SHA256_KEY: u8 = 0x01;
const FAST_AUTH_OK: u8 = 0x03;
const FULL_AUTH: u8 = 0x04;

/// The transport of the bytes, before any TLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// A network: readable by others until TLS has begun.
    Network,
    /// A Unix socket: passwords may travel in clear text.
    UnixSocket,
}

/// Whether to start TLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartTls {
    /// No.
    Never,
    /// If the server offers it.
    IfOffered,
    /// Yes, or fail.
    Always,
}

/// The client's inputs to the connection phase.
#[derive(Debug, Clone)]
pub struct HandshakeOptions<'a> {
    /// The account.
    pub user: &'a str,
    /// Its password; absent is the same as empty.
    pub password: Option<&'a Secret>,
    /// The database to use.
    pub database: Option<&'a str>,
    /// The transport of the bytes.
    pub transport: Transport,
    /// Whether to start TLS.
    pub tls: StartTls,
    /// Whether to request the server's RSA key, and trust it, when there is no TLS.
    pub get_server_public_key: bool,
    /// Whether the server may request the content of LOAD DATA LOCAL.
    pub local_infile: bool,
    /// Connection attributes, shown in performance_schema.session_connect_attrs.
    pub attributes: &'a [(&'a str, &'a str)],
}

/// The caller's next action.
#[derive(Debug, PartialEq, Eq)]
pub enum Action {
    /// Send these bytes, then read the next packet.
    Send(Vec<u8>),
    /// Send these bytes, do the TLS handshake, then call [`Handshake::tls_started`]. Nothing else may have been
    /// received before: bytes after the greeting that are not TLS were put there by someone in between.
    StartTls(Vec<u8>),
    /// Read the next packet.
    Read,
    /// The session is there.
    Done(SessionInfo),
}

/// The facts about a session.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SessionInfo {
    /// The negotiated capabilities.
    pub capabilities: Capabilities,
    /// The server's version, without the "5.5.5-" that MariaDB prepends for old replicas.
    pub server_version: String,
    /// The server's number for this connection (PROCESSLIST).
    pub connection_id: u32,
    /// Whether the server is a MariaDB.
    pub is_mariadb: bool,
    /// The TLS parameters negotiated, if encrypted.
    pub tls: Option<TlsSession>,
    /// The server's status flags at login.
    pub status: u16,
}

#[derive(Debug, PartialEq, Eq)]
enum Step {
    Greeting,
    Tls,
    Auth,
    PublicKey,
}

/// The client's side of one connection phase.
#[derive(Debug)]
pub struct Handshake<'a> {
    options: HandshakeOptions<'a>,
    step: Step,
    plugin: Plugin,
    challenge: Vec<u8>,
    encrypted: bool,
    packets: u32,
    sequence: u8,
    session: SessionInfo,
}

impl<'a> Handshake<'a> {
    /// A connection phase that waits for the server's greeting.
    pub fn new(options: HandshakeOptions<'a>) -> Self {
        Self {
            options,
            step: Step::Greeting,
            plugin: Plugin::CachingSha2,
            challenge: Vec::new(),
            encrypted: false,
            packets: 0,
            sequence: 0,
            session: SessionInfo::default(),
        }
    }

    /// Takes the next packet of the server.
    pub fn packet(&mut self, sequence: u8, payload: &[u8]) -> Result<Action, HandshakeError> {
        self.packets += 1;
        if payload.len() > HANDSHAKE_BYTES_MAX || self.packets > HANDSHAKE_PACKETS_MAX {
            let (length, limit) = (payload.len(), HANDSHAKE_BYTES_MAX);
            return Err(ProtocolError::TooLong { packet: "handshake", length, limit }.into());
        }
        if payload.first() == Some(&0xff) {
            return Err(decode_error(payload)?.into());
        }
        if sequence != self.sequence {
            return Err(ProtocolError::OutOfOrder { expected: self.sequence, got: sequence }.into());
        }
        self.sequence = sequence.wrapping_add(1);
        match self.step {
            Step::Greeting => self.greeting(payload),
            Step::Tls => Err(ProtocolError::Unsolicited.into()),
            Step::Auth => self.answer(payload),
            Step::PublicKey => self.public_key(payload),
        }
    }

    /// Continues after the TLS handshake; `tls` is kept for [`SessionInfo::tls`].
    pub fn tls_started(&mut self, tls: TlsSession) -> Result<Action, HandshakeError> {
        if self.step != Step::Tls {
            return Err(ProtocolError::Unsolicited.into());
        }
        self.encrypted = true;
        self.session.tls = Some(tls);
        self.respond()
    }

    fn greeting(&mut self, payload: &[u8]) -> Result<Action, HandshakeError> {
        let greeting = Greeting::decode(payload)?;
        let offered = greeting.capabilities;
        if !offered.has(Capabilities::PROTOCOL_41 | Capabilities::SECURE_CONNECTION) {
            return Err(ProtocolError::Version { version: 9 }.into());
        }
        let version = text(greeting.version);
        self.session.is_mariadb = version.contains("MariaDB") || !offered.has(Capabilities::MYSQL);
        self.session.server_version = version.strip_prefix("5.5.5-").unwrap_or(&version).to_owned();
        self.session.connection_id = greeting.connection_id;
        self.challenge = greeting.challenge;
        // A first answer in clear text is never given, whatever the server's default; neither one for a challenge of
        // another length. The server switches to the account's plugin if it is another one.
        self.plugin = match Plugin::from_name(greeting.plugin) {
            Some(plugin @ (Plugin::Native | Plugin::CachingSha2)) => plugin,
            _ if greeting.plugin.is_empty() => Plugin::Native,
            _ => Plugin::CachingSha2,
        };
        let mut agreed = Capabilities::WANTED & (offered | Capabilities::MYSQL);
        if self.options.database.is_some() {
            agreed = agreed | (offered & Capabilities::CONNECT_WITH_DB);
        }
        if self.options.local_infile {
            agreed = agreed | (offered & Capabilities::LOCAL_FILES);
        }
        let tls = match self.options.tls {
            StartTls::Never => false,
            StartTls::IfOffered => offered.has(Capabilities::SSL),
            StartTls::Always if !offered.has(Capabilities::SSL) => return Err(HandshakeError::TlsNotOffered),
            StartTls::Always => true,
        };
        if agreed.extended() != 0 {
            // MariaDB reads the extended flags of a client only if it does not call itself MySQL.
            agreed = agreed.without(Capabilities::MYSQL);
        }
        self.session.capabilities = agreed;
        if !tls {
            return self.respond();
        }
        self.session.capabilities = agreed | Capabilities::SSL;
        self.step = Step::Tls;
        let mut out = Vec::new();
        let start = frame::begin(&mut out);
        self.put_head(&mut out);
        self.sequence = frame::finish(&mut out, start, self.sequence);
        Ok(Action::StartTls(out))
    }

    /// The part that TLS request and handshake response have in common.
    fn put_head(&self, out: &mut Vec<u8>) {
        let capabilities = self.session.capabilities;
        out.extend_from_slice(&capabilities.base().to_le_bytes());
        out.extend_from_slice(&PACKET_BYTES_MAX.to_le_bytes());
        out.push(COLLATION);
        out.extend_from_slice(&[0; 19]);
        out.extend_from_slice(&capabilities.extended().to_le_bytes());
    }

    fn respond(&mut self) -> Result<Action, HandshakeError> {
        let response = self.first_response()?;
        let capabilities = self.session.capabilities;
        let mut out = Vec::new();
        let start = frame::begin(&mut out);
        self.put_head(&mut out);
        put_nul_bytes(&mut out, self.options.user.as_bytes());
        // Both forms begin with one length byte: a response has at most 64 bytes.
        put_lenenc_bytes(&mut out, &response);
        if let (true, Some(database)) =
            (capabilities.has(Capabilities::CONNECT_WITH_DB), self.options.database)
        {
            put_nul_bytes(&mut out, database.as_bytes());
        }
        if capabilities.has(Capabilities::PLUGIN_AUTH) {
            put_nul_bytes(&mut out, self.plugin.name().as_bytes());
        }
        if capabilities.has(Capabilities::CONNECT_ATTRS) {
            let mut attributes = Vec::new();
            for (name, value) in self.options.attributes {
                put_lenenc_bytes(&mut attributes, name.as_bytes());
                put_lenenc_bytes(&mut attributes, value.as_bytes());
            }
            put_lenenc(&mut out, attributes.len() as u64);
            out.extend_from_slice(&attributes);
        }
        self.sequence = frame::finish(&mut out, start, self.sequence);
        self.step = Step::Auth;
        Ok(Action::Send(out))
    }

    fn password(&self) -> &'a [u8] {
        self.options.password.map_or(b"", |secret| secret.expose().as_bytes())
    }

    /// The plugin's answer to the server's challenge.
    fn first_response(&self) -> Result<Vec<u8>, HandshakeError> {
        let password = self.password();
        match self.plugin {
            Plugin::CachingSha2 => Ok(auth::caching_sha2(password, &self.challenge)),
            Plugin::Native => Ok(auth::native(password, &self.challenge)),
            Plugin::Ed25519 => Ok(auth::ed25519(password, &self.challenge)),
            // Unlike its successor, sha256_password does not trust Unix sockets.
            Plugin::Sha256 if self.encrypted || password.is_empty() => Ok(with_zero(password)),
            Plugin::Sha256 => self.key_request(SHA256_KEY),
            Plugin::Clear if self.encrypted => Ok(with_zero(password)),
            Plugin::Clear => Err(HandshakeError::ClearPassword),
        }
    }

    fn send(&mut self, payload: &[u8]) -> Action {
        let mut out = Vec::new();
        self.sequence = frame::put(&mut out, self.sequence, payload);
        Action::Send(out)
    }

    /// A packet after the handshake response.
    fn answer(&mut self, payload: &[u8]) -> Result<Action, HandshakeError> {
        match payload.first() {
            Some(0x00) => self.done(payload),
            Some(0x01) => self.more(&payload[1..]),
            Some(0xfe) => self.switch(&payload[1..]),
            Some(&first) => {
                Err(ProtocolError::Unexpected { expected: "an answer to the login", first }.into())
            }
            None => Err(ProtocolError::Truncated { packet: "answer to the login" }.into()),
        }
    }

    fn done(&mut self, payload: &[u8]) -> Result<Action, HandshakeError> {
        let (ok, _info) = decode_ok(payload)?;
        self.session.status = ok.status;
        Ok(Action::Done(self.session.clone()))
    }

    /// The server asks for another plugin.
    fn switch(&mut self, payload: &[u8]) -> Result<Action, HandshakeError> {
        let mut cursor = Cursor::new(payload, "request to switch authentication");
        let name = if cursor.is_empty() { b"mysql_old_password" } else { cursor.nul_bytes()? };
        self.plugin = Plugin::from_name(name)
            .ok_or_else(|| HandshakeError::PluginUnsupported { plugin: text(name) })?;
        let challenge = cursor.take_rest();
        self.challenge = challenge.strip_suffix(&[0]).unwrap_or(challenge).to_vec();
        if self.plugin == Plugin::Ed25519 && challenge.len() == 32 {
            // 32 random bytes without a final zero, unlike the others: the last may be zero by chance.
            self.challenge = challenge.to_vec();
        }
        let response = self.first_response()?;
        if self.plugin == Plugin::Sha256 && response == [SHA256_KEY] {
            self.step = Step::PublicKey;
        }
        Ok(self.send(&response))
    }

    fn key_request(&self, request: u8) -> Result<Vec<u8>, HandshakeError> {
        if self.options.get_server_public_key {
            Ok(vec![request])
        } else {
            Err(HandshakeError::NeedsPublicKey)
        }
    }

    /// Continues caching_sha2_password: the server knows the password's hash, or it does not.
    fn more(&mut self, payload: &[u8]) -> Result<Action, HandshakeError> {
        let cursor = Cursor::new(payload, "authentication data");
        match (self.plugin, payload) {
            (Plugin::CachingSha2, [FAST_AUTH_OK]) => Ok(Action::Read),
            (Plugin::CachingSha2, [FULL_AUTH]) => {
                if self.encrypted || self.options.transport == Transport::UnixSocket {
                    return Ok(self.send(&with_zero(self.password())));
                }
                self.step = Step::PublicKey;
                let request = self.key_request(CACHING_SHA2_KEY)?;
                Ok(self.send(&request))
            }
            _ => Err(cursor.malformed("not what the plugin expects").into()),
        }
    }

    fn public_key(&mut self, payload: &[u8]) -> Result<Action, HandshakeError> {
        let [0x01, key @ ..] = payload else {
            let first = payload.first().copied().unwrap_or(0);
            return Err(ProtocolError::Unexpected { expected: "the server's public key", first }.into());
        };
        let encrypted = auth::encrypt_with_key(self.password(), &self.challenge, key)
            .map_err(|detail| HandshakeError::PublicKey { detail })?;
        self.step = Step::Auth;
        Ok(self.send(&encrypted))
    }
}

fn with_zero(password: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(password.len() + 1);
    put_nul_bytes(&mut out, password);
    out
}

/// The server's first packet.
struct Greeting<'a> {
    version: &'a [u8],
    connection_id: u32,
    capabilities: Capabilities,
    challenge: Vec<u8>,
    plugin: &'a [u8],
}

impl<'a> Greeting<'a> {
    fn decode(payload: &'a [u8]) -> Result<Self, ProtocolError> {
        let mut cursor = Cursor::new(payload, "greeting");
        let version = cursor.u8()?;
        if version != 10 {
            return Err(ProtocolError::Version { version });
        }
        let version = cursor.nul_bytes()?;
        let connection_id = cursor.u32()?;
        let mut challenge = cursor.bytes(8)?.to_vec();
        cursor.u8()?;
        let low = cursor.u16()?;
        let _collation = cursor.u8()?;
        let _status = cursor.u16()?;
        let high = cursor.u16()?;
        let base = u32::from(low) | u32::from(high) << 16;
        let challenge_bytes = cursor.u8()?;
        cursor.bytes(6)?;
        let extended = cursor.u32()?;
        let mut capabilities = Capabilities(base.into());
        if !capabilities.has(Capabilities::MYSQL) {
            capabilities = capabilities | Capabilities(u64::from(extended) << 32);
        }
        // The second part has at least 13 bytes, the last of which is a zero.
        let second = cursor.bytes(usize::from(challenge_bytes).saturating_sub(8).max(13))?;
        challenge.extend_from_slice(second.strip_suffix(&[0]).unwrap_or(second));
        let rest = cursor.take_rest();
        // Some old servers leave the name's final zero out.
        let plugin = rest.split(|&byte| byte == 0).next().unwrap_or_default();
        Ok(Self { version, connection_id, capabilities, challenge, plugin })
    }
}
