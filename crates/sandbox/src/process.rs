//! Processes that mydyno started: identified, signalled, waited for.
//!
//! A process id alone proves nothing: it may be stale and in use by another process. A process is ours only if its id, its
//! start time and its command line agree with what was recorded, and it is then held by a pidfd, so that the signal cannot
//! reach a successor of the same id.

use std::fs::{self, File};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use std::{io, thread};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use rustix::thread::{CpuSet, sched_setaffinity};

/// The identity of a process, unique for as long as the machine runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Identity {
    /// Process id.
    pub pid: u32,
    /// Start time, in clock ticks since boot.
    pub start_ticks: u64,
}

impl Identity {
    /// The identity of a living process.
    pub fn of(pid: u32) -> Option<Self> {
        let stat = Stat::read(pid)?;
        Some(Self { pid, start_ticks: stat.start_ticks })
    }
}

/// A process that was found to be ours.
#[derive(Debug)]
pub(crate) struct Process {
    pidfd: OwnedFd,
}

impl Process {
    /// The process of that identity, if it still lives and was started with the option file `defaults_file`.
    pub fn find(identity: Identity, defaults_file: &Path) -> Option<Self> {
        Self::find_with(identity, &format!("--defaults-file={}", defaults_file.display()))
    }

    /// Finds the process, if it was started with this argument.
    pub fn find_with(identity: Identity, argument: &str) -> Option<Self> {
        let pid = Pid::from_raw(i32::try_from(identity.pid).ok()?)?;
        // Opened before it is looked at: what is checked is then what will be signalled.
        let pidfd = pidfd_open(pid, PidfdFlags::empty()).ok()?;
        let stat = Stat::read(identity.pid)?;
        let is_ours =
            stat.start_ticks == identity.start_ticks && !stat.is_dead && has_argument(identity.pid, argument);
        is_ours.then_some(Self { pidfd })
    }

    /// Sends a signal. A process that has ended meanwhile is no error.
    pub fn signal(&self, signal: Signal) -> io::Result<()> {
        match pidfd_send_signal(&self.pidfd, signal) {
            Ok(()) | Err(Errno::SRCH) => Ok(()),
            Err(errno) => Err(errno.into()),
        }
    }

    /// Waits until the process has ended; false if it has not after `limit`.
    pub fn wait(&self, limit: Duration) -> bool {
        let deadline = Instant::now() + limit;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let timeout = rustix::event::Timespec {
                tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
                tv_nsec: i64::from(left.subsec_nanos()),
            };
            match poll(&mut [PollFd::new(&self.pidfd, PollFlags::IN)], Some(&timeout)) {
                Ok(0) => return false,
                Ok(_) => return true,
                // An interruption by a signal of ours; anything else cannot be waited for any longer.
                Err(Errno::INTR) => {}
                Err(_) => return false,
            }
        }
    }
}

/// Values read from `/proc/PID/stat`.
struct Stat {
    start_ticks: u64,
    is_dead: bool,
}

impl Stat {
    fn read(pid: u32) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The second field is the name in parentheses, which may itself hold spaces and parentheses.
        let mut fields = text[text.rfind(')')? + 1..].split_ascii_whitespace();
        let state = fields.next()?;
        // The state is field 3, the start time field 22 (proc_pid_stat(5)).
        let start_ticks = fields.nth(22 - 4)?.parse().ok()?;
        Some(Self { start_ticks, is_dead: matches!(state, "Z" | "X" | "x") })
    }
}

fn has_argument(pid: u32, argument: &str) -> bool {
    let Ok(line) = fs::read(format!("/proc/{pid}/cmdline")) else { return false };
    line.split(|byte| *byte == 0).any(|part| part == argument.as_bytes())
}

/// The fate of a server when the process that started it dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It survives.
    Survives,
    /// The kernel kills it.
    DiesWithUs,
}

/// CPUs to run on.
#[derive(Clone, Copy)]
pub(crate) struct Cpus(pub CpuSet);

impl Cpus {
    /// Restricts this thread and its future children to these CPUs.
    pub fn take(self) -> io::Result<()> {
        Ok(sched_setaffinity(None, &self.0)?)
    }
}

impl std::fmt::Debug for Cpus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} CPUs", self.0.count())
    }
}

/// A child and the thread that waits for it.
#[derive(Debug)]
pub(crate) struct Child {
    /// Its identity.
    pub identity: Identity,
    exit: Receiver<ExitStatus>,
    status: Option<ExitStatus>,
}

impl Child {
    /// Starts `command` in a process group of its own, so that a Ctrl-C at the terminal does not reach it before us.
    ///
    /// A thread starts it and waits for it: so it never stays behind as a zombie. With [`Fate::DiesWithUs`] the kernel is asked
    /// to kill it when its parent is gone, by way of `setpriv`, since a direct call would need unsafe code. The kernel takes
    /// the starting *thread* for the parent, and that one lives exactly as long as the child. The output of the child goes to
    /// `log`.
    pub fn start(command: Command, fate: Fate, log: &File) -> io::Result<Self> {
        Self::start_on(None, command, fate, log)
    }

    /// Starts it on these CPUs: the starting thread has them, and the child inherits them before its first instruction.
    pub fn start_on(cpus: Option<Cpus>, command: Command, fate: Fate, log: &File) -> io::Result<Self> {
        let mut command = if fate == Fate::DiesWithUs { dying_with_parent(command) } else { command };
        command.process_group(0).stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log.try_clone()?);
        let (tell_started, started) = channel();
        let (tell_exit, exit) = channel();
        thread::Builder::new().name("server-keeper".to_owned()).spawn(move || {
            let mut child = match cpus.map_or(Ok(()), Cpus::take).and_then(|()| command.spawn()) {
                Ok(child) => child,
                Err(error) => {
                    let _ = tell_started.send(Err(error));
                    return;
                }
            };
            // Read before it is waited for: until then the id cannot go to another process.
            let identity =
                Identity::of(child.id()).ok_or_else(|| io::Error::other("no /proc of the new process"));
            let _ = tell_started.send(identity);
            if let Ok(status) = child.wait() {
                let _ = tell_exit.send(status);
            }
        })?;
        let identity = started.recv().map_err(io::Error::other)??;
        Ok(Self { identity, exit, status: None })
    }

    /// Sends a signal to it and to everything it started. One that has ended already is left alone.
    pub fn signal_group(&mut self, signal: Signal) {
        if self.ended_within(Duration::ZERO).is_none()
            && let Some(pid) = i32::try_from(self.identity.pid).ok().and_then(Pid::from_raw)
        {
            // A group that vanished between the two is what was wanted.
            let _ = rustix::process::kill_process_group(pid, signal);
        }
    }

    /// The exit status, if it has ended, after waiting for `limit` at most.
    pub fn ended_within(&mut self, limit: Duration) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.status = self.exit.recv_timeout(limit).ok();
        }
        self.status
    }
}

/// The command wrapped in `setpriv --pdeathsig`, where the machine has it (util-linux; part of every Debian).
fn dying_with_parent(command: Command) -> Command {
    let Some(setpriv) = crate::program::find_program("setpriv") else { return command };
    wrapped(&setpriv, &["--pdeathsig", "KILL", "--"].map(str::to_owned), command)
}

/// The command as the last arguments of `program`, which is to execute it.
pub(crate) fn wrapped(program: &Path, words: &[String], command: Command) -> Command {
    let mut wrapped = Command::new(program);
    wrapped.args(words).arg(command.get_program()).args(command.get_args());
    if let Some(dir) = command.get_current_dir() {
        wrapped.current_dir(dir);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => wrapped.env(name, value),
            None => wrapped.env_remove(name),
        };
    }
    wrapped
}

/// `exit status 1` or `signal 9`, for display.
pub(crate) fn describe(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => format!("killed by signal {signal}"),
        (None, None) => "ended".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foreign_process_is_not_ours_even_with_the_right_id_and_start_time() {
        let mut sleeper = Command::new("sleep").arg("60").spawn().unwrap();
        let identity = Identity::of(sleeper.id()).unwrap();
        assert!(Process::find(identity, Path::new("/x/my.cnf")).is_none());
        sleeper.kill().unwrap();
        sleeper.wait().unwrap();
    }

    #[test]
    fn another_start_time_is_another_process() {
        let mut sleeper = Command::new("sh")
            .args(["-c", "sleep 60 & wait", "sh", "--defaults-file=/x/my.cnf"])
            .process_group(0)
            .spawn()
            .unwrap();
        let identity = Identity::of(sleeper.id()).unwrap();
        let stale = Identity { start_ticks: identity.start_ticks - 1, ..identity };
        // Its command line appears some instants after its start.
        let find = || Process::find(identity, Path::new("/x/my.cnf"));
        let is_found = (0..1000).any(|_| {
            thread::sleep(Duration::from_millis(10));
            find().is_some()
        });
        assert!(is_found);
        assert!(Process::find(stale, Path::new("/x/my.cnf")).is_none());
        let group = Pid::from_raw(i32::try_from(identity.pid).unwrap()).unwrap();
        rustix::process::kill_process_group(group, Signal::KILL).unwrap();
        sleeper.wait().unwrap();
    }

    #[test]
    fn a_child_that_ends_is_noticed_with_its_status() {
        let mut command = Command::new("sh");
        command.args(["-c", "exit 3"]);
        let mut child = Child::start(command, Fate::DiesWithUs, &tempfile::tempfile().unwrap()).unwrap();
        let status = child.ended_within(Duration::from_secs(10)).expect("it ends at once");
        assert_eq!(describe(status), "exit status 3");
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        let log = tempfile::tempfile().unwrap();
        assert!(Child::start(Command::new("/nonexistent/program"), Fate::Survives, &log).is_err());
    }
}
