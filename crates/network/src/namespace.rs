//! Network namespaces: made by a program, entered by threads.
//!
//! A thread could make one with `unshare(2)`, which no library offers without unsafe code. So the program `unshare` makes it,
//! and executes `cat`: once that answers, it is in its namespace, which is opened by way of `/proc`. `cat` ends with its input,
//! which is a pipe of ours: so it outlives neither the opening nor a mydyno that is killed meanwhile. From then on the
//! namespace lives as long as a process has it open or is in it.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::process::{Child, Command, Stdio};
use std::thread;

use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use crate::error::NetworkError;
use crate::netlink::Netlink;
use crate::program::find_program;

/// The network namespace of a node.
#[derive(Debug)]
pub struct Namespace {
    node: String,
    link: File,
}

impl Namespace {
    /// Makes one, with its loopback device up.
    pub(crate) fn new(node: &str) -> Result<Self, NetworkError> {
        let link = make()?;
        let namespace = Self { node: node.to_owned(), link };
        let raised = namespace.enter_and(|| Netlink::open()?.raise_loopback())?;
        raised.map_err(|source| NetworkError::Device {
            what: "bring up",
            node: format!("{node}/lo"),
            source,
        })?;
        Ok(namespace)
    }

    /// Runs `task` on a thread of its own that is in the namespace.
    ///
    /// Sockets that it makes and processes and threads that it starts belong to the namespace, also after it has ended. A
    /// process that is to die with its parent (`setpriv --pdeathsig`) dies with that thread: start such a one from a
    /// thread that `task` starts and that lives as long. `/sys` still shows the devices of the host.
    ///
    /// # Errors
    /// The namespace cannot be entered: this process has fewer rights than it had.
    ///
    /// # Panics
    /// If `task` does.
    pub fn enter_and<T: Send>(&self, task: impl FnOnce() -> T + Send) -> Result<T, NetworkError> {
        let refused = |source: io::Error| NetworkError::Enter { node: self.node.clone(), source };
        let enter = || {
            move_into_link_name_space(self.link.as_fd(), Some(LinkNameSpaceType::Network))?;
            Ok(task())
        };
        let outcome: io::Result<T> = thread::scope(|scope| {
            let thread = thread::Builder::new().name("in-namespace".to_owned());
            match thread.spawn_scoped(scope, enter)?.join() {
                Ok(outcome) => outcome,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        });
        outcome.map_err(refused)
    }

    /// The kernel's number for it: a process is in it if `/proc/PID/ns/net` reads `net:[number]`.
    ///
    /// # Errors
    /// The kernel does not tell.
    pub fn number(&self) -> io::Result<u64> {
        Ok(self.link.metadata()?.ino())
    }
}

fn make() -> Result<File, NetworkError> {
    let program = find_program("unshare").ok_or(NetworkError::NoUnshare)?;
    let mut holder = Command::new(program)
        .args(["--net", "--", "cat"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|source| NetworkError::Unshare { source })?;
    let link = open_once_ready(&mut holder);
    // Its end is that of its input, which `wait` closes.
    let mut said = String::new();
    drop(holder.stdin.take());
    if let Some(mut stderr) = holder.stderr.take() {
        let _ = stderr.read_to_string(&mut said);
    }
    let _ = holder.wait();
    link.map_err(|error| {
        let said = said.trim();
        NetworkError::NamespaceDenied {
            reason: if said.is_empty() { error.to_string() } else { said.to_owned() },
        }
    })
}

fn open_once_ready(holder: &mut Child) -> io::Result<File> {
    let mut echo = [0];
    if let (Some(input), Some(output)) = (&mut holder.stdin, &mut holder.stdout) {
        input.write_all(b"?")?;
        output.read_exact(&mut echo)?;
    }
    File::open(format!("/proc/{}/ns/net", holder.id()))
}
