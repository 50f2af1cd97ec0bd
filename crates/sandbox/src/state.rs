//! The state of a sandboxed server between two commands: `state.json` in its directory.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use model::{Flavour, SandboxSpec};
use serde::{Deserialize, Serialize};
use wire::Secret;

use crate::error::FileError;
use crate::process::{Identity, Process};

/// The lifetime of a server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Life {
    /// As long as the [`crate::Server`] value: it is stopped when that is dropped, killed if its mydyno is killed, and its
    /// directory is removed.
    #[default]
    Scoped,
    /// Until the user stops it; its data stay.
    Lasting,
}

/// The content of `state.json`. It holds a password, so only its owner can read it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct State {
    /// Format version.
    pub format: u32,
    /// The requested specification.
    pub spec: SandboxSpec,
    /// Version of the server as reported by its program.
    pub version: String,
    /// The inputs that decided the content of the data directory (see [`crate::template`]).
    pub structure: String,
    /// Its lifetime.
    pub life: Life,
    /// The mydyno that started it.
    pub owner_pid: u32,
    /// Its process; none: stopped cleanly, or never started.
    pub process: Option<Identity>,
    /// Directories of its control groups, which are removed when it has ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<PathBuf>,
    /// Port on 127.0.0.1.
    pub port: u16,
    /// Password of the account `mydyno`.
    #[serde(with = "password")]
    pub password: Secret,
}

impl State {
    /// Version of the format.
    pub const FORMAT: u32 = 1;

    /// Flavour and version, for people.
    pub fn made_by(&self) -> String {
        made_by(self.spec.flavour, &self.version, &self.structure)
    }

    /// Reads the state of the server in `dir`; none if there is none.
    pub fn read(dir: &Path) -> Result<Option<Self>, FileError> {
        read_json(&dir.join("state.json"))
    }

    /// Writes it, in one step.
    pub fn write(&self, dir: &Path) -> Result<(), FileError> {
        write_json(&dir.join("state.json"), self)
    }

    /// The server's process, if it lives.
    pub fn process(&self, dir: &Path) -> Option<Process> {
        Process::find(self.process?, &dir.join("my.cnf"))
    }
}

/// Serialises a password: a [`Secret`] cannot be stored by accident. Here it is stored on purpose, in a file readable by
/// its owner alone.
mod password {
    use serde::{Deserialize, Deserializer, Serializer};
    use wire::Secret;

    pub fn serialize<S: Serializer>(secret: &Secret, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(secret.expose())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Secret, D::Error> {
        String::deserialize(deserializer).map(Secret::from)
    }
}

/// `mysql 9.7.4 (innodb_page_size=4k)`, for people.
pub(crate) fn made_by(flavour: Flavour, version: &str, structure: &str) -> String {
    let settings = if structure.is_empty() { String::new() } else { format!(" ({structure})") };
    format!("{} {version}{settings}", flavour.name())
}

/// Reads a JSON file; none if it does not exist.
pub(crate) fn read_json<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<Option<T>, FileError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(FileError::at("read", path)(error)),
    };
    serde_json::from_str(&text).map(Some).map_err(|error| FileError::at("understand", path)(error.into()))
}

/// Writes a JSON file that only its owner can read, in one step.
pub(crate) fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), FileError> {
    let text =
        serde_json::to_string_pretty(value).map_err(|error| FileError::at("write", path)(error.into()))?;
    let new = path.with_extension("new");
    write_private(&new, text.as_bytes())?;
    fs::rename(&new, path).map_err(FileError::at("replace", path))
}

/// Writes a file that only its owner can read.
pub(crate) fn write_private(path: &Path, content: &[u8]) -> Result<(), FileError> {
    let mut file = OpenOptions::new()
        .create(true)
        .truncate(true)
        .write(true)
        .mode(0o600)
        .open(path)
        .map_err(FileError::at("create", path))?;
    file.write_all(content).map_err(FileError::at("write", path))
}

/// A random password, with every kind of character that a password policy may require.
pub fn new_password() -> Result<Secret, FileError> {
    let source = PathBuf::from("/dev/urandom");
    let mut bytes = [0; 16];
    fs::File::open(&source)
        .and_then(|mut f| f.read_exact(&mut bytes))
        .map_err(FileError::at("read", &source))?;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Secret::from(format!("Dyn0-{digits}")))
}
