//! One connection of the fake server: greeting, login, commands, each on the connection's own thread.

use std::{
    collections::HashMap,
    io::{self, Read, Write},
    thread,
    time::Duration,
};

use wire::{
    Capabilities, ColumnDef, ColumnType, ServerError, Socket, SqlValue,
    auth::{self, Plugin},
    capability::status,
    frame::{self, Assembler},
    response::{OkInfo, PreparedStatement},
    server::{self, Command, Greeting, Login},
};

use crate::behaviour::{Answer, Delivery, Password, Request, Sha2Cache, Shared, lock};

const PACKET_BYTES_MAX: usize = 64 << 20;

struct Statement {
    sql: String,
    params: u16,
    types: Vec<(ColumnType, bool)>,
}

struct Connection<'a> {
    shared: &'a Shared,
    socket: Socket,
    id: u32,
    packets: Assembler,
    capabilities: Capabilities,
    sent: u64,
    sequence: u8,
    statements: HashMap<u32, Statement>,
    prepared: u32,
}

/// Serves one client until it goes, or until it is thrown out.
pub(crate) fn serve(shared: &Shared, socket: Socket, id: u32, refused: bool) -> io::Result<()> {
    let mut connection = Connection {
        shared,
        socket,
        id,
        packets: Assembler::new(PACKET_BYTES_MAX),
        capabilities: shared.options.capabilities,
        sent: 0,
        sequence: 0,
        statements: HashMap::new(),
        prepared: 0,
    };
    if refused {
        return connection.answer(&Answer::error(1040, "08004", "Too many connections"), Rows::Text);
    }
    if connection.log_in()? {
        while connection.command()? {}
    }
    Ok(())
}

/// The protocol in which rows are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rows {
    Text,
    Binary,
}

impl Connection<'_> {
    /// The next packet, or the end of the connection as an error.
    fn receive(&mut self) -> io::Result<Vec<u8>> {
        loop {
            let packet = self.packets.next_packet().map_err(io::Error::other)?;
            if let Some(packet) = packet {
                self.sequence = packet.sequence.wrapping_add(1);
                return Ok(packet.payload.to_vec());
            }
            let mut buffer = [0; 16 << 10];
            match self.socket.read(&mut buffer)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => self.packets.push(&buffer[..count]),
            }
        }
    }

    /// Appends one packet to what will be sent.
    fn put(&mut self, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
        let start = frame::begin(out);
        write(out);
        self.sequence = frame::finish(out, start, self.sequence);
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        let limit =
            self.shared.options.close_after_bytes.map_or(u64::MAX, |limit| limit - self.sent.min(limit));
        let count = usize::try_from(limit).unwrap_or(usize::MAX).min(bytes.len());
        self.sent += count as u64;
        match self.shared.options.delivery {
            Delivery::Whole => self.socket.write_all(&bytes[..count])?,
            Delivery::ByteByByte => self.send_each(&bytes[..count], Duration::ZERO)?,
            Delivery::Slowly(pause) => self.send_each(&bytes[..count], pause)?,
        }
        if count < bytes.len() { Err(io::ErrorKind::ConnectionAborted.into()) } else { Ok(()) }
    }

    fn send_each(&mut self, bytes: &[u8], pause: Duration) -> io::Result<()> {
        for byte in bytes {
            if !pause.is_zero() {
                thread::sleep(pause);
            }
            self.socket.write_all(std::slice::from_ref(byte))?;
        }
        Ok(())
    }

    fn send_packet(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        let mut out = Vec::new();
        self.put(&mut out, write);
        self.send(&out)
    }

    /// Logs the client in; returns whether it may stay.
    fn log_in(&mut self) -> io::Result<bool> {
        let options = &self.shared.options;
        // Printable and different per connection; no test depends on its being unpredictable.
        let mut challenge = *b"abcdefghijklmnopqrst";
        challenge[0] = b'0' + (self.id % 10) as u8;
        let greeting = Greeting {
            version: &options.version,
            connection_id: self.id,
            capabilities: options.capabilities,
            challenge,
            plugin: options.plugin.name(),
        };
        self.send_packet(|out| server::greeting(out, &greeting))?;
        let payload = self.receive()?;
        // A request for TLS is answered by closing: there is none.
        let Some(login) = server::login(&payload).map_err(io::Error::other)? else { return Ok(false) };
        self.capabilities = login.capabilities & options.capabilities;
        let welcome = self.check_password(&login, &challenge)?;
        let answer = if welcome {
            Answer::ok(0)
        } else {
            Answer::error(
                1045,
                "28000",
                &format!("Access denied for user '{}' (using password: YES)", login.user),
            )
        };
        self.answer(&answer, Rows::Text)?;
        Ok(welcome)
    }

    fn check_password(&mut self, login: &Login, challenge: &[u8]) -> io::Result<bool> {
        let options = &self.shared.options;
        let mut plugin = Plugin::from_name(login.plugin.as_bytes()).unwrap_or(options.plugin);
        let mut response = login.response.clone();
        let mut challenge = challenge.to_vec();
        if let Some(other) = options.switch_to {
            plugin = other;
            challenge = match other {
                Plugin::Ed25519 => vec![b'e'; 32],
                _ => vec![b's'; auth::SCRAMBLE_BYTES],
            };
            self.send_packet(|out| server::auth_switch(out, other.name(), &challenge))?;
            response = self.receive()?;
        }
        let right = match &options.password {
            Password::Any => true,
            Password::Required(password) => {
                let password = password.as_bytes();
                let expected = match plugin {
                    Plugin::CachingSha2 => auth::caching_sha2(password, &challenge),
                    Plugin::Native => auth::native(password, &challenge),
                    Plugin::Ed25519 => auth::ed25519(password, &challenge),
                    Plugin::Clear | Plugin::Sha256 => [password, &[0]].concat(),
                };
                response == expected
            }
        };
        if plugin != Plugin::CachingSha2 || response.is_empty() || !right {
            return Ok(right);
        }
        if options.sha2_cache == Sha2Cache::Warm {
            self.send_packet(|out| server::auth_more(out, &[3]))?;
            return Ok(true);
        }
        self.send_packet(|out| server::auth_more(out, &[4]))?;
        let clear = self.receive()?;
        Ok(match &options.password {
            Password::Any => true,
            Password::Required(password) => clear.strip_suffix(&[0]) == Some(password.as_bytes()),
        })
    }

    /// Answers one command; `false` ends the connection.
    fn command(&mut self) -> io::Result<bool> {
        let payload = self.receive()?;
        match server::command(&payload).map_err(io::Error::other)? {
            Command::Query(sql) => {
                let sql = String::from_utf8_lossy(sql);
                self.remember(&sql);
                let request = Request { connection: self.id, sql: &sql, values: &[] };
                let answer = (self.shared.handler)(&request);
                self.answer(&answer, Rows::Text)?;
            }
            Command::Prepare(sql) => self.prepare(&String::from_utf8_lossy(sql))?,
            Command::Execute { id, rest } => self.execute(id, rest)?,
            Command::Close(id) => {
                self.statements.remove(&id);
            }
            Command::Ping => self.answer(&Answer::ok(0), Rows::Text)?,
            Command::Reset => {
                self.statements.clear();
                self.answer(&Answer::ok(0), Rows::Text)?;
            }
            Command::Quit => return Ok(false),
            Command::Other(command) => {
                let error = Answer::error(1047, "08S01", &format!("Unknown command {command:#x}"));
                self.answer(&error, Rows::Text)?;
            }
        }
        Ok(true)
    }

    fn remember(&self, sql: &str) {
        lock(&self.shared.statements).push(sql.to_owned());
    }

    /// Prepares anything: every question mark is a parameter, and the result's columns come with the execution.
    fn prepare(&mut self, sql: &str) -> io::Result<()> {
        self.remember(sql);
        self.prepared += 1;
        let id = self.prepared;
        let params = sql.bytes().filter(|&byte| byte == b'?').count() as u16;
        self.statements.insert(id, Statement { sql: sql.to_owned(), params, types: Vec::new() });
        let mut out = Vec::new();
        self.put(&mut out, |out| server::prepared(out, &PreparedStatement { id, params, columns: 0 }));
        for _ in 0..params {
            self.put(&mut out, |out| server::column(out, &string_column("?")));
        }
        if params > 0 && !self.capabilities.has(Capabilities::DEPRECATE_EOF) {
            self.put(&mut out, |out| server::eof(out, &OkInfo::default()));
        }
        self.send(&out)
    }

    fn execute(&mut self, id: u32, rest: &[u8]) -> io::Result<()> {
        let Some(statement) = self.statements.get_mut(&id) else {
            return self
                .answer(&Answer::error(1243, "HY000", "Unknown prepared statement handler"), Rows::Binary);
        };
        let values: Vec<SqlValue<'_>> =
            server::parameters(rest, usize::from(statement.params), &mut statement.types)
                .map_err(io::Error::other)?;
        let request = Request { connection: self.id, sql: &statement.sql, values: &values };
        let answer = (self.shared.handler)(&request);
        self.answer(&answer, Rows::Binary)
    }

    fn answer(&mut self, answer: &Answer, rows: Rows) -> io::Result<()> {
        match answer {
            Answer::Stall(duration, then) => {
                std::thread::sleep(*duration);
                self.answer(then, rows)
            }
            Answer::LocalFile(then) => {
                self.send_packet(|out| server::local_infile(out, "file"))?;
                loop {
                    let data = self.receive()?;
                    if data.is_empty() {
                        return self.answer(then, rows);
                    }
                    lock(&self.shared.local_data).extend_from_slice(&data);
                }
            }
            Answer::Close => Err(io::ErrorKind::ConnectionAborted.into()),
            Answer::Bytes(bytes) => self.send(bytes),
            Answer::Several(answers) => {
                let mut out = Vec::new();
                for (index, answer) in answers.iter().enumerate() {
                    let more = if index + 1 < answers.len() { status::MORE_RESULTS } else { 0 };
                    self.write(&mut out, answer, rows, more);
                }
                self.send(&out)
            }
            answer => {
                let mut out = Vec::new();
                self.write(&mut out, answer, rows, 0);
                self.send(&out)
            }
        }
    }

    /// Appends one result.
    fn write(&mut self, out: &mut Vec<u8>, answer: &Answer, protocol: Rows, more: u16) {
        match answer {
            Answer::Ok(ok, info) => {
                let ok = OkInfo { status: ok.status | status::AUTOCOMMIT | more, ..*ok };
                self.put(out, |out| server::ok(out, &ok, info));
            }
            Answer::Error(error) => self.put(out, |out| server::error(out, error)),
            Answer::Packet(payload) => self.put(out, |out| out.extend_from_slice(payload)),
            Answer::Rows { columns, rows } => {
                let end = OkInfo { status: status::AUTOCOMMIT | more, ..OkInfo::default() };
                self.put(out, |out| server::column_count(out, columns.len(), None));
                for name in columns {
                    self.put(out, |out| server::column(out, &string_column(name)));
                }
                if !self.capabilities.has(Capabilities::DEPRECATE_EOF) {
                    self.put(out, |out| server::eof(out, &end));
                }
                for row in rows {
                    let cells: Vec<Option<&[u8]>> = row.iter().map(Option::as_deref).collect();
                    self.put(out, |out| match protocol {
                        Rows::Text => server::text_row(out, &cells),
                        Rows::Binary => server::binary_row(out, &cells),
                    });
                }
                let capabilities = self.capabilities;
                self.put(out, |out| server::end_of_rows(out, capabilities, &end));
            }
            nested => {
                let message = format!("the test's answer cannot be one of several: {nested:?}");
                let error = ServerError { code: 1105, state: "HY000".into(), message };
                self.put(out, |out| server::error(out, &error));
            }
        }
    }
}

fn string_column(name: &str) -> ColumnDef {
    ColumnDef { name: name.into(), kind: ColumnType::VAR_STRING, collation: 45, flags: 0, decimals: 0 }
}
