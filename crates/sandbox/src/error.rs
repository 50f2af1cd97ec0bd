//! Errors about sandboxes: one enum per family of operation.
//!
//! Every message names the thing (server, path, port) and why it failed; what to do is its advice. A server that
//! refuses to start says why in its own log, so those variants carry the end of it.

mod advice;

use std::io;
use std::path::PathBuf;

use model::Advice;
use thiserror::Error;

pub use crate::file_error::FileError;
use crate::log::Reading;
use crate::place::PlaceError;

/// A home that cannot be used.
#[derive(Debug, Error)]
pub enum HomeError {
    /// A file operation failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// A path that the server's option file cannot hold.
    #[error(
        "the home {} cannot be used: its path holds {what}, which an option file of a server cannot",
        path.display()
    )]
    Path {
        /// The home asked for.
        path: PathBuf,
        /// Description of the fault.
        what: &'static str,
    },
}

/// Too little room on a file system.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{purpose} needs {}, only {} are free on the file system of {}",
    messages::number::bytes(*needs_bytes), messages::number::bytes(*free_bytes), path.display()
)]
pub struct SpaceError {
    /// The purpose of the space.
    pub purpose: String,
    /// Path of the file or directory.
    pub path: PathBuf,
    /// Bytes wanted.
    pub needs_bytes: u64,
    /// Bytes free for this user.
    pub free_bytes: u64,
}

/// A line of my.cnf that the user may not set, or that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SettingError {
    /// An invalid name.
    #[error("'{name}' is not a valid name of a server setting (letters, digits, '_', '-' and '.')")]
    Name {
        /// Name, as the user wrote it.
        name: String,
    },
    /// A value that an option file cannot hold.
    #[error("the value of {name} cannot stand in an option file: it holds {what}")]
    Value {
        /// Canonical name.
        name: String,
        /// The forbidden content.
        what: &'static str,
    },
    /// The sandbox decides this one itself.
    #[error("{name} cannot be set for a sandbox: {reason}")]
    Refused {
        /// Name, as the user wrote it.
        name: String,
        /// Reason for the refusal.
        reason: &'static str,
    },
    /// A file outside the sandbox.
    #[error("{name} = {value} points outside the sandbox")]
    Outside {
        /// Canonical name.
        name: String,
        /// Value, as the user wrote it.
        value: String,
    },
    /// Two spellings of one setting.
    #[error("{name} is set twice, to '{first}' and to '{second}'")]
    Twice {
        /// Canonical name.
        name: String,
        /// First value.
        first: String,
        /// Second value.
        second: String,
    },
}

/// An installation that cannot be made or found.
#[derive(Debug, Error)]
pub enum InstallError {
    /// A file operation failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// Too little room.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// No server of this flavour on the machine.
    #[error("no {flavour} server is installed")]
    Missing {
        /// Flavour of the server, by the name that sandboxes use.
        flavour: &'static str,
    },
    /// No MySQL Router on the machine.
    #[error("MySQL Router is not installed")]
    NoRouter,
    /// No server of this version on the machine.
    #[error(
        "no {flavour} {version} is installed (there is {})",
        if there_are.is_empty() { "none" } else { there_are }
    )]
    NoVersion {
        /// Flavour of the server, by the name that sandboxes use.
        flavour: &'static str,
        /// Its version, as asked for.
        version: String,
        /// Versions that are installed.
        there_are: String,
    },
    /// Debian's suites have another version.
    #[error("Debian's suites have no {title} {version}, they have: {there_are}")]
    NotOffered {
        /// Name of the program, as displayed.
        title: &'static str,
        /// Flavour of the server, by the name that sandboxes use.
        flavour: &'static str,
        /// Its version, as asked for.
        version: String,
        /// The available versions.
        there_are: String,
    },
    /// A directory without a server in it.
    #[error(
        "no mysqld or mariadbd under {} (looked in bin, sbin, libexec, usr/sbin and the usual build directories)",
        path.display()
    )]
    NoServer {
        /// The basedir.
        path: PathBuf,
    },
    /// The basedir holds another kind of server.
    #[error("{} is {found}, not {wanted}", path.display())]
    WrongFlavour {
        /// The basedir.
        path: PathBuf,
        /// The flavour found.
        found: &'static str,
        /// The requested flavour.
        wanted: &'static str,
    },
    /// The server's program does not report its version.
    #[error("{} does not tell its version: {said}", program.display())]
    Version {
        /// The program.
        program: PathBuf,
        /// Its output instead.
        said: String,
    },
    /// A program of the machine is missing.
    #[error("{program} is needed to {purpose} and is not on this machine")]
    Tool {
        /// Program or file.
        program: String,
        /// The purpose.
        purpose: &'static str,
        /// Advice.
        remedy: Advice,
    },
    /// No Debian mirror in the machine's apt sources.
    #[error(
        "the apt sources of this machine ({looked}) name no Debian mirror, so {title} cannot be fetched from Debian"
    )]
    NoMirror {
        /// The server.
        title: &'static str,
        /// Flavour of the server, by the name that sandboxes use.
        flavour: &'static str,
        /// The places searched.
        looked: String,
    },
    /// Only root may do this.
    #[error("MariaDB is not installed and only root can install Debian's package")]
    NeedsRoot {
        /// The exact command.
        command: String,
    },
    /// A program of the machine failed.
    #[error("{command} failed ({status}):\n{output}")]
    Command {
        /// The command line.
        command: String,
        /// Its exit status.
        status: String,
        /// The end of its output.
        output: String,
    },
}

/// A server that could not be started.
#[derive(Debug, Error)]
pub enum StartError {
    /// A file operation failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// No such server program.
    #[error(transparent)]
    Install(#[from] InstallError),
    /// A setting that is refused.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// Too little room.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// The kept copy cannot be used.
    #[error(transparent)]
    Copy(#[from] CopyError),
    /// The machine has no such place, or not for us.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// An invalid server name.
    #[error("'{name}' cannot name a server")]
    Name {
        /// Name, as the user wrote it.
        name: String,
    },
    /// Its data directory could not be prepared.
    #[error("{why}")]
    OnData {
        /// The reason, as a sentence.
        why: String,
    },
    /// The server is already running.
    #[error("server '{name}' runs already (pid {pid})")]
    Running {
        /// Name of the server.
        name: String,
        /// Its process.
        pid: u32,
    },
    /// A run would remove it at its end.
    #[error("server '{name}' was started to last, so a run does not use it")]
    Kept {
        /// Name of the server.
        name: String,
    },
    /// It is in use by another mydyno.
    #[error("server '{name}' is in use by another mydyno")]
    InUse {
        /// Name of the server.
        name: String,
    },
    /// The port is in use.
    #[error("port {port} of 127.0.0.1 is taken by another program")]
    PortTaken {
        /// Port.
        port: u16,
    },
    /// Data of another server.
    #[error("the data of server '{name}' were made by {was}, now it would be {now}")]
    OtherData {
        /// Name of the server.
        name: String,
        /// The server that made the data.
        was: String,
        /// The requested server.
        now: String,
    },
    /// A new data directory could not be made.
    #[error("{version} could not initialise a data directory ({status}){}\nthe end of its log:\n{log_tail}", because(.reading.as_ref()))]
    Initialise {
        /// Flavour and version.
        version: String,
        /// Its exit status.
        status: String,
        /// The meaning of the log, where it is known.
        reading: Option<Reading>,
        /// The end of the log.
        log_tail: String,
    },
    /// The program could not be run at all.
    #[error("cannot run {}: {source}", program.display())]
    Spawn {
        /// Program.
        program: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// It ended before it answered.
    #[error("server '{name}' ended while starting ({status}){}\nthe end of its log:\n{log_tail}", because(.reading.as_ref()))]
    Died {
        /// Name of the server.
        name: String,
        /// Its exit status.
        status: String,
        /// The meaning of the log, where it is known.
        reading: Option<Reading>,
        /// The end of its log.
        log_tail: String,
    },
    /// It does not answer.
    #[error(
        "server '{name}' did not answer within {seconds} s and was stopped again{}\nthe end of its log:\n{log_tail}",
        because(.reading.as_ref())
    )]
    NotReady {
        /// Name of the server.
        name: String,
        /// Seconds waited.
        seconds: u64,
        /// The meaning of its log, if it is one of the usual causes.
        reading: Option<Reading>,
        /// The end of its log.
        log_tail: String,
    },
    /// It answers, but does not let mydyno's account in.
    #[error("server '{name}' does not let mydyno's own account in: {source}")]
    Login {
        /// Name of the server.
        name: String,
        /// Its error.
        source: Box<wire::ConnectError>,
    },
    /// The user interrupted.
    #[error("starting server '{name}' was interrupted")]
    Cancelled {
        /// Name of the server.
        name: String,
    },
}

fn because(reading: Option<&Reading>) -> String {
    reading.map(|reading| format!(": {}", reading.says)).unwrap_or_default()
}

/// A server that ended by itself.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("server '{name}' ended by itself ({status}){}\nthe end of its log:\n{log_tail}", because(.reading.as_ref()))]
pub struct Crashed {
    /// Name of the server.
    pub name: String,
    /// Its exit status.
    pub status: String,
    /// The meaning of the log, where it is known.
    pub reading: Option<Reading>,
    /// The end of its log.
    pub log_tail: String,
}

/// A server that could not be stopped, examined or removed.
#[derive(Debug, Error)]
pub enum SandboxError {
    /// A file operation failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// It had crashed before.
    #[error(transparent)]
    Crashed(#[from] Crashed),
    /// No such server.
    #[error("there is no server '{name}'")]
    Unknown {
        /// Name of the server.
        name: String,
    },
    /// It does not run.
    #[error("server '{name}' does not run")]
    NotRunning {
        /// Name of the server.
        name: String,
    },
    /// It must be stopped first.
    #[error("server '{name}' is running (pid {pid})")]
    Running {
        /// Name of the server.
        name: String,
        /// Process.
        pid: u32,
    },
    /// It belongs to a run of another mydyno.
    #[error("server '{name}' belongs to another mydyno that is still running{}", owner.map(|pid| format!(" (pid {pid})")).unwrap_or_default())]
    InUse {
        /// Name of the server.
        name: String,
        /// Process of the other mydyno.
        owner: Option<u32>,
    },
    /// A signal could not be sent.
    #[error("cannot stop server '{name}' (pid {pid}): {source}")]
    Signal {
        /// Name of the server.
        name: String,
        /// Process.
        pid: u32,
        /// The system's error.
        source: io::Error,
    },
    /// It does not end.
    #[error(
        "server '{name}' (pid {pid}) does not end, not even when killed: it waits for the disk or the kernel"
    )]
    Stuck {
        /// Name of the server.
        name: String,
        /// Process.
        pid: u32,
    },
    /// No client program for `server shell`.
    #[error("no mysql or mariadb client is on this machine")]
    NoClient,
}

/// The reason a redo log that was switched off for loading is not on again.
#[derive(Debug, thiserror::Error)]
pub enum RedoError {
    /// The server could not be reached.
    #[error(transparent)]
    Connect(#[from] wire::ConnectError),
    /// The server refused.
    #[error(transparent)]
    Query(#[from] wire::QueryError),
    /// It reported success and did nothing.
    #[error("the redo log of server '{name}' is still off after it was switched on")]
    StillOff {
        /// Name of the server.
        name: String,
    },
}

/// A kept data set that cannot be made or used.
#[derive(Debug, Error)]
pub enum CopyError {
    /// A file operation failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// Too little room.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// The server could not be stopped cleanly first.
    #[error(transparent)]
    Stop(#[from] Box<SandboxError>),
    /// Its redo log could not be restored.
    #[error(transparent)]
    Redo(#[from] RedoError),
    /// It had to be killed, so its data are not at rest.
    #[error("server '{name}' had to be killed, so its data are not kept")]
    Killed {
        /// Name of the server.
        name: String,
    },
    /// An invalid key.
    #[error("'{key}' cannot name a dataset snapshot")]
    Key {
        /// Key of the setting, as the user wrote it.
        key: String,
    },
    /// No such copy.
    #[error("no data are kept under '{key}'")]
    Missing {
        /// Key.
        key: String,
    },
    /// It does not fit the server.
    #[error("the data kept under '{key}' were made by {was}; they do not fit {now}")]
    Mismatch {
        /// Key.
        key: String,
        /// The server that made them.
        was: String,
        /// The server to be started on them.
        now: String,
    },
}
