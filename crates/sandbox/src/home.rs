//! The home: the one directory under which everything of mydyno's servers is.
//!
//! See the crate's documentation for its layout.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use model::{Flavour, SandboxSpec};
use rustix::process::Signal;

use crate::copy::{disk_bytes, remove_tree};
use crate::error::{FileError, HomeError, SandboxError};
use crate::lock::Lock;
use crate::log;
use crate::place::group;
use crate::router_record::reap_router;
use crate::server::terminate;
use crate::state::{Life, State};

/// The directory under which installations, data and servers are.
#[derive(Debug, Clone)]
pub struct Home {
    root: PathBuf,
}

/// A lock without a server that is younger than this may belong to a start under way.
const STRAY_LOCK_AGE: Duration = Duration::from_secs(60);

/// The phase of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerPhase {
    /// Its process lives.
    Running,
    /// It was stopped.
    Stopped,
    /// Its process is gone without having been stopped.
    Crashed,
}

impl ServerPhase {
    /// The name in a table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Stopped => "stopped",
            Self::Crashed => "crashed",
        }
    }
}

/// Facts about a named server.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Status {
    /// Name of the server.
    pub name: String,
    /// Its phase.
    pub phase: ServerPhase,
    /// Its lifetime.
    pub life: Life,
    /// Vendor of the server.
    pub flavour: Flavour,
    /// Version as reported by its program.
    pub version: String,
    /// The requested specification.
    pub spec: SandboxSpec,
    /// Its process, while it runs.
    pub pid: Option<u32>,
    /// The mydyno that started it.
    pub owner_pid: u32,
    /// Port on 127.0.0.1.
    pub port: u16,
    /// Its socket.
    pub socket: PathBuf,
    /// Its directory.
    pub dir: PathBuf,
    /// Its size on disk, bytes.
    pub disk_bytes: u64,
    /// The end of its log, if it crashed.
    pub log_tail: Option<String>,
}

impl Home {
    /// Opens the home at `root`, creating it if it is not there, and clears away servers whose mydyno was killed.
    pub fn open(root: &Path) -> Result<Self, HomeError> {
        DirBuilder::new().recursive(true).mode(0o700).create(root).map_err(FileError::at("create", root))?;
        let root = root.canonicalize().map_err(FileError::at("find", root))?;
        let fail = |what| Err(HomeError::Path { path: root.clone(), what });
        match root.to_str() {
            None => return fail("bytes that are not UTF-8"),
            Some(text) if text.chars().any(char::is_control) => return fail("control characters"),
            Some(text) if text.contains(['"', '\'', '\\', '#']) => return fail("a quote, '\\' or '#'"),
            Some(_) => {}
        }
        let home = Self { root };
        for dir in [
            home.installations_dir(),
            home.templates_dir(),
            home.copies_dir(),
            home.servers_dir(),
            home.documents_dir(),
            home.root.join("locks"),
        ] {
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(&dir)
                .map_err(FileError::at("create", &dir))?;
        }
        home.reap_orphans()?;
        home.remove_stray_locks();
        Ok(home)
    }

    /// Its directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn installations_dir(&self) -> PathBuf {
        self.root.join("installations")
    }

    pub(crate) fn templates_dir(&self) -> PathBuf {
        self.root.join("templates")
    }

    pub(crate) fn copies_dir(&self) -> PathBuf {
        self.root.join("copies")
    }

    pub(crate) fn servers_dir(&self) -> PathBuf {
        self.root.join("servers")
    }

    pub(crate) fn documents_dir(&self) -> PathBuf {
        self.root.join("topologies")
    }

    /// `ha~2` of the member `ha:2`: in lists of paths, as the servers read them, a colon separates two.
    pub(crate) fn server_dir(&self, name: &str) -> PathBuf {
        self.servers_dir().join(name.replace(':', "~"))
    }

    pub(crate) fn lock_path(&self, what: &str) -> PathBuf {
        self.root.join("locks").join(what)
    }

    pub(crate) fn server_lock_path(&self, name: &str) -> PathBuf {
        self.lock_path(&format!("server-{name}"))
    }

    /// Every server, by name.
    pub fn list(&self) -> Result<Vec<Status>, FileError> {
        self.reap_orphans()?;
        let mut found = Vec::new();
        for name in self.server_names()? {
            if let Some(state) = State::read(&self.server_dir(&name))? {
                found.push(self.describe(&name, state));
            }
        }
        Ok(found)
    }

    /// The status of one server.
    pub fn status(&self, name: &str) -> Result<Status, SandboxError> {
        let state = self.state(name)?;
        Ok(self.describe(name, state))
    }

    pub(crate) fn state(&self, name: &str) -> Result<State, SandboxError> {
        let unknown = || SandboxError::Unknown { name: name.to_owned() };
        if !is_server_name(name) {
            return Err(unknown());
        }
        State::read(&self.server_dir(name))?.ok_or_else(unknown)
    }

    fn describe(&self, name: &str, state: State) -> Status {
        let dir = self.server_dir(name);
        let is_alive = state.process(&dir).is_some();
        let phase = match state.process {
            Some(_) if is_alive => ServerPhase::Running,
            Some(_) => ServerPhase::Crashed,
            None => ServerPhase::Stopped,
        };
        Status {
            name: name.to_owned(),
            phase,
            life: state.life,
            flavour: state.spec.flavour,
            version: state.version,
            spec: state.spec,
            pid: state.process.filter(|_| is_alive).map(|identity| identity.pid),
            owner_pid: state.owner_pid,
            port: state.port,
            socket: dir.join("mysql.sock"),
            disk_bytes: disk_bytes(&dir),
            log_tail: (phase == ServerPhase::Crashed).then(|| log::tail(&dir.join("server.log"))),
            dir,
        }
    }

    /// Stops a server that lasts. One that belongs to a run of a living mydyno is left to that.
    pub fn stop(&self, name: &str) -> Result<crate::StopOutcome, SandboxError> {
        let (_lock, state) = self.locked(name)?;
        let Some(process) = state.process(&self.server_dir(name)) else {
            return Err(SandboxError::NotRunning { name: name.to_owned() });
        };
        let stopped = terminate(&process, name, state.process.map_or(0, |identity| identity.pid))?;
        group::remove(&state.groups)?;
        State { process: None, groups: Vec::new(), ..state }.write(&self.server_dir(name))?;
        Ok(stopped)
    }

    /// Removes a stopped server with its data.
    pub fn remove(&self, name: &str) -> Result<(), SandboxError> {
        let (lock, state) = self.locked(name)?;
        if let (Some(_), Some(identity)) = (state.process(&self.server_dir(name)), state.process) {
            return Err(SandboxError::Running { name: name.to_owned(), pid: identity.pid });
        }
        group::remove(&state.groups)?;
        remove_tree(&self.server_dir(name))?;
        lock.remove();
        Ok(())
    }

    /// Takes the lock of a server that exists.
    fn locked(&self, name: &str) -> Result<(Lock, State), SandboxError> {
        let state = self.state(name)?;
        let owner = (state.life == Life::Scoped).then_some(state.owner_pid);
        match Lock::try_take(&self.server_lock_path(name))? {
            Some(lock) => Ok((lock, state)),
            None => Err(SandboxError::InUse { name: name.to_owned(), owner }),
        }
    }

    fn server_names(&self) -> Result<Vec<String>, FileError> {
        let dir = self.servers_dir();
        let entries = fs::read_dir(&dir).map_err(FileError::at("read", &dir))?;
        let directories = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = directories.map(|directory| directory.replace('~', ":")).collect();
        names.retain(|name| is_server_name(name));
        // Members of a topology beside each other.
        names.sort_by(|a, b| a.split(':').cmp(b.split(':')));
        Ok(names)
    }

    /// Ends servers that belonged to a run whose mydyno is dead, and removes them.
    ///
    /// The lock of such a server is free: its holder would have it as long as it lived. Their data are no longer needed, so
    /// the servers are killed.
    fn reap_orphans(&self) -> Result<(), FileError> {
        for name in self.server_names()? {
            let dir = self.server_dir(&name);
            // A state that cannot be read is told by `list`, and must not keep every other server from starting.
            let Ok(Some(state)) = State::read(&dir) else { continue };
            if state.life != Life::Scoped && (state.groups.is_empty() || state.process(&dir).is_some()) {
                continue;
            }
            let Some(lock) = Lock::try_take(&self.server_lock_path(&name))? else { continue };
            // It may have changed hands before we had the lock.
            let Ok(Some(state)) = State::read(&dir) else { continue };
            if state.life != Life::Scoped {
                // One that crashed: its data stay, its control group is of no use to anybody.
                if state.process(&dir).is_none() && group::remove(&state.groups).is_ok() {
                    State { groups: Vec::new(), ..state }.write(&dir)?;
                }
                continue;
            }
            if let Some(process) = state.process(&dir) {
                let is_gone = process.signal(Signal::KILL).is_ok() && process.wait(Duration::from_secs(20));
                if !is_gone {
                    continue;
                }
            }
            if !reap_router(&dir) {
                continue;
            }
            if group::remove(&state.groups).is_err() {
                // A process that it started lives on: whoever comes next tries again.
                continue;
            }
            remove_tree(&dir)?;
            lock.remove();
        }
        Ok(())
    }

    /// Removes the locks of servers that are not there: their start failed or was killed.
    fn remove_stray_locks(&self) {
        let Ok(entries) = fs::read_dir(self.root.join("locks")) else { return };
        for file in entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()) {
            let Some(name) = file.strip_prefix("server-").filter(|name| !self.server_dir(name).exists())
            else {
                continue;
            };
            // A start under way makes its lock before its directory. A lock that stays does no harm.
            let path = self.server_lock_path(name);
            let age =
                fs::metadata(&path).and_then(|file| file.modified()).ok().and_then(|at| at.elapsed().ok());
            if age.is_some_and(|age| age > STRAY_LOCK_AGE)
                && let Ok(Some(lock)) = Lock::try_take(&path)
                && !self.server_dir(name).exists()
            {
                lock.remove();
            }
        }
    }
}

/// True for what can name a server: a word, or a member of a topology, such as `ha:2`.
pub(crate) fn is_server_name(name: &str) -> bool {
    match name.split_once(':') {
        Some((word, number)) => is_name(word) && number.len() == 1 && number.parse::<u8>().is_ok(),
        None => is_name(name),
    }
}

/// True for a word that can name a server or a copy: it becomes a directory.
pub(crate) fn is_name(name: &str) -> bool {
    let is_fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    (1..=64).contains(&name.len()) && name.chars().all(is_fine) && !name.starts_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_called_by_a_word_or_by_its_number_in_a_topology() {
        for name in ["ha", "ha:2", "a.b-c_d"] {
            assert!(is_server_name(name), "{name}");
        }
        for name in ["", ".a", "ha:", ":2", "ha:x", "ha:2:3", "ha:22", "a/b", "ha~2"] {
            assert!(!is_server_name(name), "{name}");
        }
    }
}
