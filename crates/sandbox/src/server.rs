//! A server that runs: is it alive, how to reach it, how to stop it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use model::{Flavour, SandboxSpec};
use rustix::process::Signal;
use wire::Secret;

use crate::copy::remove_tree;
use crate::error::{Crashed, FileError, SandboxError};
use crate::lock::Lock;
use crate::log;
use crate::place::group;
use crate::process::{Child, Process, describe};
use crate::socket::Socket;
use crate::state::{Life, State};

/// Time for a server to write back its dirty pages.
const STOP_LIMIT: Duration = Duration::from_secs(60);
/// Time for the kernel to end a killed process.
const KILL_LIMIT: Duration = Duration::from_secs(20);

/// The way a server was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopOutcome {
    /// It shut down on request.
    Cleanly,
    /// It did not end within a minute and was killed; its next start recovers.
    Killed,
}

/// The process of a server, for whoever does not have the server itself.
#[derive(Debug)]
pub struct ServerProcess {
    name: String,
    pid: u32,
    process: Process,
}

impl ServerProcess {
    /// Sends it a signal. One that has ended meanwhile is no error.
    pub fn signal(&self, signal: Signal) -> Result<(), SandboxError> {
        let fail = |source| SandboxError::Signal { name: self.name.clone(), pid: self.pid, source };
        self.process.signal(signal).map_err(fail)
    }
}

/// A server that runs. A scoped one is stopped and removed when this is dropped.
#[derive(Debug)]
pub struct Server {
    name: String,
    dir: PathBuf,
    state: State,
    child: Option<Child>,
    socket: Socket,
    /// Held while this value lives: no other mydyno works on this server, and its directory is not orphaned.
    lock: Option<Lock>,
    is_over: bool,
}

impl Server {
    pub(crate) fn new(
        name: &str,
        dir: PathBuf,
        state: State,
        child: Option<Child>,
        socket: Socket,
        lock: Lock,
    ) -> Self {
        Self { name: name.to_owned(), dir, state, child, socket, lock: Some(lock), is_over: false }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Vendor of the server.
    pub fn flavour(&self) -> Flavour {
        self.state.spec.flavour
    }

    /// Version as reported by its program.
    pub fn version(&self) -> &str {
        &self.state.version
    }

    /// The requested specification.
    pub fn spec(&self) -> &SandboxSpec {
        &self.state.spec
    }

    /// Process id.
    pub fn pid(&self) -> u32 {
        self.state.process.map_or(0, |identity| identity.pid)
    }

    /// Port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.state.port
    }

    /// A path of its socket that this process can connect to, for as long as this value lives.
    pub fn socket(&self) -> PathBuf {
        self.socket.client_side()
    }

    /// Password of the account [`crate::USER`], which may do everything.
    pub fn password(&self) -> &Secret {
        &self.state.password
    }

    /// The file of its log.
    pub fn log_path(&self) -> PathBuf {
        self.dir.join("server.log")
    }

    /// Its whole log so far.
    pub fn log(&self) -> Result<Vec<u8>, FileError> {
        let path = self.log_path();
        fs::read(&path).map_err(FileError::at("read", &path))
    }

    /// An error if it has ended by itself.
    pub fn alive(&mut self) -> Result<(), Crashed> {
        let status = match &mut self.child {
            Some(child) => child.ended_within(Duration::ZERO).map(describe),
            None => self.state.process(&self.dir).is_none().then(|| "ended".to_owned()),
        };
        match status {
            None => Ok(()),
            Some(status) => {
                let log_tail = log::tail(&self.dir.join("server.log"));
                let reading = log::reading(&log_tail).or_else(|| group::reading(&self.state.groups));
                Err(Crashed { name: self.name.clone(), status, reading, log_tail })
            }
        }
    }

    /// Sends its process a signal, without waiting for the effect.
    pub fn signal(&self, signal: Signal) -> Result<(), SandboxError> {
        self.process().map_or(Ok(()), |process| process.signal(signal))
    }

    /// Its process, for other threads to send signals to; none if it has ended.
    pub fn process(&self) -> Option<ServerProcess> {
        let process = self.state.process(&self.dir)?;
        Some(ServerProcess { name: self.name.clone(), pid: self.pid(), process })
    }

    /// Waits until it has ended, for a minute at most. True if it has.
    pub fn wait_until_ended(&mut self) -> bool {
        if let Some(child) = &mut self.child {
            return child.ended_within(STOP_LIMIT).is_some();
        }
        self.state.process(&self.dir).is_none_or(|process| process.wait(STOP_LIMIT))
    }

    /// Kills it (SIGKILL) and waits until it is gone; its directory stays.
    pub fn kill(&mut self) -> Result<(), SandboxError> {
        if let Some(process) = self.state.process(&self.dir) {
            let (name, pid) = (self.name.clone(), self.pid());
            process.signal(Signal::KILL).map_err(|source| SandboxError::Signal { name, pid, source })?;
            process.wait(KILL_LIMIT);
        }
        if let Some(child) = &mut self.child {
            // So that it does not stay behind as a zombie.
            child.ended_within(KILL_LIMIT);
        }
        self.state.process = None;
        Ok(self.state.write(&self.dir)?)
    }

    /// The parts needed to start it again, now that it has ended; its directory stays.
    pub(crate) fn into_remains(mut self) -> (String, SandboxSpec, Life, Lock) {
        let lock = self.lock.take().expect("it is held until the server is cleared away");
        self.is_over = true;
        (self.name.clone(), self.state.spec.clone(), self.state.life, lock)
    }

    /// Stops it. The data of a scoped server go with it.
    pub fn stop(mut self) -> Result<StopOutcome, SandboxError> {
        let stopped = self.end();
        let cleared = self.clear();
        let stopped = stopped?;
        cleared?;
        Ok(stopped)
    }

    /// Ends the process; the directory stays.
    pub(crate) fn end(&mut self) -> Result<StopOutcome, SandboxError> {
        self.alive()?;
        // What ended in between was asked to by nobody else: the lock is ours.
        let Some(process) = self.state.process(&self.dir) else { return Ok(StopOutcome::Cleanly) };
        let stopped = terminate(&process, &self.name, self.pid())?;
        if let Some(child) = &mut self.child {
            // So that it does not stay behind as a zombie, which would count as alive for others.
            child.ended_within(KILL_LIMIT);
        }
        self.state.process = None;
        self.state.write(&self.dir)?;
        Ok(stopped)
    }

    /// Removes the parts that are not to stay, and frees the name.
    pub(crate) fn clear(&mut self) -> Result<(), FileError> {
        self.is_over = true;
        let lock = self.lock.take();
        let groups = group::remove(&self.state.groups);
        if self.state.life == Life::Scoped {
            remove_tree(&self.dir)?;
            if let Some(lock) = lock {
                lock.remove();
            }
        }
        groups
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.is_over || self.state.life == Life::Lasting {
            return;
        }
        // Nobody is left to tell: a server that cannot be ended is reaped by the next mydyno. Nobody wants its data, so
        // it is not given the time to write them back.
        if let Some(process) = self.state.process(&self.dir)
            && !(process.signal(Signal::KILL).is_ok() && process.wait(KILL_LIMIT))
        {
            return;
        }
        let _ = self.clear();
    }
}

/// Asks a server to end, and kills it if it does not within a minute.
pub(crate) fn terminate(process: &Process, name: &str, pid: u32) -> Result<StopOutcome, SandboxError> {
    let fail = |source| SandboxError::Signal { name: name.to_owned(), pid, source };
    process.signal(Signal::TERM).map_err(fail)?;
    if process.wait(STOP_LIMIT) {
        return Ok(StopOutcome::Cleanly);
    }
    process.signal(Signal::KILL).map_err(fail)?;
    if process.wait(KILL_LIMIT) {
        return Ok(StopOutcome::Killed);
    }
    Err(SandboxError::Stuck { name: name.to_owned(), pid })
}
