//! MySQL Router between clients and the servers of a run.
//!
//! It lives in the directory `router/` of the first of its servers, is removed with it, and ends before it.

mod config;
mod error;

use std::fs::{DirBuilder, OpenOptions};
use std::net::TcpListener;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, prlimit};
use wire::{ConnectOptions, ServerAddress};

use self::config::{RouterContext, router_conf};
pub use self::error::{RouterCrash, RouterError};
use crate::copy::remove_tree;
use crate::error::FileError;
use crate::home::Home;
use crate::install::RouterInstallation;
use crate::log;
use crate::process::{Child, Fate, describe};
use crate::router_record::{self, config_argument, directory, option_file};
use crate::server::Server;
use crate::socket::Socket;
use crate::state::write_private;

/// Time for the kernel to end a killed process.
const KILL_LIMIT: Duration = Duration::from_secs(20);
/// Attempts to find a free port when another process takes it first.
const PORT_ATTEMPTS: u32 = 5;

/// The options for starting a router.
#[derive(Debug, Clone, Copy)]
pub struct RouterStart<'a> {
    /// The server that takes its clients.
    pub server: &'a Server,
    /// Further ones that take them in turns with it.
    pub others: &'a [&'a Server],
    /// Time to wait for the first client that gets through.
    pub limit: Duration,
    /// Set by another thread when the start is no longer wanted.
    pub cancel: &'a AtomicBool,
}

/// MySQL Router that runs. It is ended and its directory removed when this is dropped.
#[derive(Debug)]
pub struct MysqlRouter {
    version: String,
    dir: PathBuf,
    child: Child,
    connect: ConnectOptions,
    /// Keeps the paths valid that lead through open descriptors.
    _sockets: Vec<Socket>,
}

impl Home {
    /// Starts MySQL Router in front of servers that run, and waits until it lets a client through.
    ///
    /// Its clients connect as those of the first server would, through a socket or over TCP; so does it.
    pub fn start_router(&self, start: &RouterStart<'_>) -> Result<MysqlRouter, RouterError> {
        let spec = start.server.spec();
        let installation = self.router_for(&self.resolve(spec.flavour, spec.basedir.as_deref())?)?;
        let dir = directory(start.server.dir());
        let mut attempt = 1;
        loop {
            match launch(start, &installation, &dir) {
                Err(RouterError::Died { log_tail, .. })
                    if log::is_port_taken(&log_tail) && attempt < PORT_ATTEMPTS =>
                {
                    attempt += 1;
                }
                started => return started,
            }
        }
    }
}

fn launch(
    start: &RouterStart<'_>,
    installation: &RouterInstallation,
    dir: &Path,
) -> Result<MysqlRouter, RouterError> {
    remove_tree(dir)?;
    DirBuilder::new().mode(0o700).create(dir).map_err(FileError::at("create", dir))?;
    let own = Socket::in_dir(dir)?;
    let mut sockets = vec![own.clone()];
    let is_tcp = start.server.spec().tcp;
    let (address, listens) = if is_tcp {
        let free = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
        let port = free.map_err(FileError::at("find a free port for", dir))?.port();
        let address = ServerAddress::Tcp { host: "127.0.0.1".to_owned(), port };
        (address.clone(), address)
    } else {
        (ServerAddress::Unix(own.client_side()), ServerAddress::Unix(own.others_side()))
    };
    let mut destinations = Vec::new();
    for server in std::iter::once(&start.server).chain(start.others) {
        destinations.push(if is_tcp {
            ServerAddress::Tcp { host: "127.0.0.1".to_owned(), port: server.port() }
        } else {
            let socket = Socket::in_dir(server.dir())?;
            let path = socket.others_side();
            sockets.push(socket);
            ServerAddress::Unix(path)
        });
    }
    let context = RouterContext {
        dir,
        plugin_dir: installation.plugin_dir.as_deref(),
        listens: &listens,
        destinations: &destinations,
    };
    let option_file = option_file(dir);
    write_private(&option_file, router_conf(&context).as_bytes())?;
    let log_path = dir.join("router.log");
    let log = OpenOptions::new().create(true).append(true).mode(0o600).open(&log_path);
    let log = log.map_err(FileError::at("open", &log_path))?;
    let mut command = installation.command();
    command.arg(config_argument(dir)).current_dir(dir).env_remove("NOTIFY_SOCKET");
    let child = Child::start(command, Fate::DiesWithUs, &log)
        .map_err(|source| RouterError::Spawn { program: installation.program.clone(), source })?;
    allow_files(child.identity.pid);
    let connect = ConnectOptions { address, ..start.server.connect_options(Some(crate::DATABASE)) };
    let version = installation.version.clone();
    let mut router = MysqlRouter { version, dir: dir.to_owned(), child, connect, _sockets: sockets };
    router_record::write(dir, router.child.identity)?;
    router.wait_until_ready(start)?;
    Ok(router)
}

/// Raises the limit of open files to this process's maximum: it needs two for each client.
fn allow_files(pid: u32) {
    let most = getrlimit(Resource::Nofile).maximum;
    let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return };
    // What cannot be raised shows as a refused connection.
    let _ = prlimit(Some(pid), Resource::Nofile, Rlimit { current: most, maximum: most });
}

impl MysqlRouter {
    /// Version as reported by its program.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Process id.
    pub fn pid(&self) -> u32 {
        self.child.identity.pid
    }

    /// The connection options of clients, for as long as this value lives.
    pub fn connect_options(&self) -> &ConnectOptions {
        &self.connect
    }

    /// Fails if it has ended by itself.
    pub fn alive(&mut self) -> Result<(), RouterCrash> {
        match self.child.ended_within(Duration::ZERO) {
            None => Ok(()),
            Some(status) => Err(RouterCrash { status: describe(status), log_tail: self.log_tail() }),
        }
    }

    fn log_tail(&self) -> String {
        log::tail(&self.dir.join("router.log"))
    }

    fn wait_until_ready(&mut self, start: &RouterStart<'_>) -> Result<(), RouterError> {
        let patient = ConnectOptions { connect_timeout: Duration::from_secs(5), ..self.connect.clone() };
        let begun = Instant::now();
        loop {
            let Err(source) = wire::Client::connect(&patient) else { return Ok(()) };
            if let Some(status) = self.child.ended_within(Duration::from_millis(20)) {
                return Err(RouterError::Died { status: describe(status), log_tail: self.log_tail() });
            }
            if start.cancel.load(Ordering::Relaxed) {
                return Err(RouterError::Cancelled);
            }
            if begun.elapsed() > start.limit {
                return Err(RouterError::NotReady {
                    seconds: start.limit.as_secs(),
                    source: Box::new(source),
                    log_tail: self.log_tail(),
                });
            }
        }
    }
}

impl Drop for MysqlRouter {
    fn drop(&mut self) {
        self.child.signal_group(Signal::KILL);
        self.child.ended_within(KILL_LIMIT);
        // What stays behind is removed with the server.
        let _ = remove_tree(&self.dir);
    }
}
