//! Servers of our own: installs, starts, watches and stops them.
//!
//! The only crate that starts processes. Everything it writes is under one directory, the [`Home`]:
//!
//! | path | holds |
//! |---|---|
//! | `installations/mysql-VERSION/` | an unpacked server with `installation.json`, written last |
//! | `installations/mysql-router-VERSION/` | MySQL Router, likewise, with `router.json` |
//! | `apt/` | state and downloads of the private apt, while a server is being fetched |
//! | `templates/KEY/data/` | an initialised data directory for one server program and its structural settings |
//! | `copies/KEY/{data/,copy.json}` | data that are kept to start other servers on |
//! | `servers/NAME/` | one server: `data/ tmp/ my.cnf server.log mysql.sock state.json`, and `client.cnf` for anybody's client |
//! | `servers/NAME/router/` | MySQL Router in front of a server and those that belong to it: `router.conf router.log mysql.sock process.json` |
//! | `topologies/NAME.json` | what is kept of servers that belong together; they are the servers `NAME`, `NAME:2` in `NAME~2/`, ... |
//! | `locks/` | one empty file per server, template, copy; see [`Life`] for what they are good for besides |
//!
//! Three promises. Nothing outside the home is touched. No process is signalled that mydyno did not start: a recorded process
//! counts as ours only if its id, start time and command line agree. Nothing is left running: a server of a run is stopped
//! with its [`Server`] value, killed by the kernel if mydyno is killed, and whatever survives even that is reaped when a home is next opened.

mod certificate;
mod client;
mod config;
mod copies;
mod copy;
mod error;
mod file_error;
mod home;
mod install;
mod lock;
mod log;
mod machine;
mod place;
mod process;
mod program;
mod redo;
mod router;
mod router_record;
mod server;
mod settings;
mod socket;
mod start;
mod state;
mod template;
mod together;

pub use client::tls_options;
pub use config::Purpose;
pub use copies::KeptCopy;
pub use error::{
    CopyError, Crashed, FileError, HomeError, InstallError, RedoError, SandboxError, SettingError,
    SpaceError, StartError,
};
pub use home::{Home, ServerPhase, Status};
pub use install::{Installation, Loader, RouterInstallation};
pub use lock::Lock;
pub use log::Reading;
pub use place::PlaceError;
pub use router::{MysqlRouter, RouterCrash, RouterError, RouterStart};
pub use rustix::process::Signal;
pub use server::{Server, ServerProcess, StopOutcome};
pub use settings::check_settings;
pub use start::{DataDirectory, Membership, StartOptions};
pub use state::{Life, new_password};

/// The account of every sandboxed server; it may do everything.
pub const USER: &str = "mydyno";
/// The database of every sandboxed server.
pub const DATABASE: &str = "sbtest";
