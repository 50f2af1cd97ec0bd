//! `mydyno server`: servers of one's own, outside of runs.

mod list;
mod look;
mod show;
mod start;

use std::os::unix::process::CommandExt;

use clap::{Args, Subcommand};
use model::Flavour;
use sandbox::{Home, SandboxError, ServerPhase, StopOutcome};
use serde_json::json;
use topology::KeptTopology;

use list::ListFormat;
use look::TopologyState;
use start::StartArgs;

use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::options::target;
use crate::{home, output};

/// Arguments of `server`.
#[derive(Args)]
pub struct ServerArgs {
    /// What to do with a server.
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Install a server: MySQL from Debian's unstable suite, MariaDB from the system's package, or a version such as
    /// mariadb@11.8 from the Debian suite that has it; or MySQL Router, for targets with via=router. Only the system's package
    /// needs root
    Install {
        /// Programs to install [default: mysql and mariadb]
        #[arg(value_name = "mysql|mariadb[@VERSION]|router", value_parser = wanted)]
        servers: Vec<Wanted>,
    },
    /// List servers, installations and dataset snapshots
    List {
        /// Output format
        #[arg(long, value_enum, default_value = "text")]
        format: ListFormat,
    },
    /// Start a server, or a topology of several, that runs until it is stopped; its data persist
    Start(StartArgs),
    /// Stop servers; their data persist. Of a topology, the primary ends last
    Stop {
        /// Names of servers, topologies and members (ha:2)
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,
    },
    /// Show one server, or the members of a topology; exits with 1 if it does not run, or if a member is not as it should be
    Status {
        /// Name of the server, topology or member (ha:2)
        name: String,
        /// Output format
        #[arg(long, value_enum, default_value = "text")]
        format: ListFormat,
    },
    /// Open a mysql client connected to a server
    Shell {
        /// Name of the server or member: ha is the first one of a topology, ha:2 the second
        name: String,
        /// Arguments of the client, after --
        #[arg(last = true)]
        arguments: Vec<String>,
    },
    /// Remove stopped servers with their data, or dataset snapshots
    Remove(RemoveArgs),
}

#[derive(Args)]
struct RemoveArgs {
    /// Names of the servers and topologies
    #[arg(value_name = "NAME", required_unless_present_any = ["copy", "copies"])]
    names: Vec<String>,
    /// Stop running servers first
    #[arg(long)]
    force: bool,
    /// Dataset snapshot to remove (repeatable)
    #[arg(long, value_name = "KEY")]
    copy: Vec<String>,
    /// Remove all dataset snapshots
    #[arg(long)]
    copies: bool,
}

/// The product to install.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Wanted {
    Server {
        flavour: Flavour,
        /// `11.8`; none: the usual one.
        version: Option<String>,
    },
    Router,
}

/// `mariadb`, `mariadb@11.8` or `router`.
fn wanted(text: &str) -> Result<Wanted, String> {
    if text == "router" {
        return Ok(Wanted::Router);
    }
    let (name, version) = text.split_once('@').map_or((text, None), |(name, version)| (name, Some(version)));
    let flavour = target::flavour_named(name).map_err(|error| error.to_string())?;
    match version {
        Some(version) if !spec::is_version(version) => {
            Err(format!("'{version}' is not a version such as 11.8 or 9.7.4"))
        }
        _ => Ok(Wanted::Server { flavour, version: version.map(str::to_owned) }),
    }
}

/// Does it.
pub fn server(args: &ServerArgs) -> Outcome<Exit> {
    let home = home::open()?;
    match &args.action {
        Action::Install { servers } => install(&home, servers),
        Action::List { format } => list::list(&home, *format),
        Action::Start(args) => start::start(&home, args),
        Action::Stop { names } => stop(&home, names),
        Action::Status { name, format } => status(&home, name, *format),
        Action::Shell { name, arguments } => shell(&home, name, arguments),
        Action::Remove(args) => remove(&home, args),
    }
}

fn install(home: &Home, servers: &[Wanted]) -> Outcome<Exit> {
    let both = [Flavour::Mysql, Flavour::Mariadb].map(|flavour| Wanted::Server { flavour, version: None });
    for wanted in if servers.is_empty() { &both } else { servers } {
        let installed = match wanted {
            Wanted::Router => home.install_router(&mut output::note).map(drop),
            Wanted::Server { flavour, version: Some(version) } => {
                home.install_version(*flavour, version, &mut output::note).map(drop)
            }
            Wanted::Server { flavour, version: None } => home.install(*flavour, &mut output::note).map(drop),
        };
        installed.map_err(|error| UserError::told(&error))?;
    }
    Ok(Exit::Ok)
}

fn stop(home: &Home, names: &[String]) -> Outcome<Exit> {
    for name in names {
        match kept(home, name)? {
            Some(topology) => {
                let stopped = topology.stop(home).map_err(|error| UserError::told(&error))?;
                stopped.iter().for_each(|(member, outcome)| say_stopped(member, *outcome));
            }
            None => say_stopped(name, home.stop(name).map_err(|error| UserError::told(&error))?),
        }
    }
    Ok(Exit::Ok)
}

fn say_stopped(name: &str, outcome: StopOutcome) {
    match outcome {
        StopOutcome::Cleanly => output::note(&format!("server '{name}' is stopped; its data stay")),
        StopOutcome::Killed => output::note(&format!(
            "! server '{name}' did not end within a minute and was killed; its next start recovers"
        )),
    }
}

/// The topology of that name, if it is one.
fn kept(home: &Home, name: &str) -> Outcome<Option<KeptTopology>> {
    KeptTopology::find(home, name).map_err(|error| UserError::told(&error))
}

fn status(home: &Home, name: &str, format: ListFormat) -> Outcome<Exit> {
    let (text, json, is_fine) = match kept(home, name)? {
        Some(topology) => {
            let found = look::look(home, &topology)?;
            let json = json!({ "format": model::FORMAT, "topology": look::json(&topology, &found) });
            (show::topology(&topology, &found), json, found.state == TopologyState::Ready)
        }
        None => {
            let status = home.status(name).map_err(|error| UserError::told(&error))?;
            let json = json!({ "format": model::FORMAT, "server": status });
            (show::server(&status), json, status.phase == ServerPhase::Running)
        }
    };
    output::print(&match format {
        ListFormat::Text => text,
        ListFormat::Json => format!("{json:#}"),
    })?;
    Ok(if is_fine { Exit::Ok } else { Exit::Failed })
}

/// Becomes the client: the terminal is its own, and so is the exit code.
fn shell(home: &Home, name: &str, arguments: &[String]) -> Outcome<Exit> {
    let mut client = home.client(name).map_err(|error| UserError::told(&error))?;
    let error = client.args(arguments).exec();
    let program = client.get_program().to_string_lossy();
    Err(UserError::failed(format!("cannot run {program}: {error}")))
}

fn remove(home: &Home, args: &RemoveArgs) -> Outcome<Exit> {
    for name in &args.names {
        if let Some(topology) = kept(home, name)? {
            topology.remove(home, args.force).map_err(|error| UserError::told(&error))?;
            output::note(&format!(
                "topology '{name}' is removed with its {} servers",
                topology.target.members.len()
            ));
            continue;
        }
        if let Some((topology, _)) = name.split_once(':').filter(|_| home.status(name).is_ok()) {
            return Err(UserError::usage(format!(
                "'{name}' is a member of a topology, which is removed as a whole"
            ))
            .hint(format!("remove all of it:  mydyno server remove {topology}")));
        }
        if args.force {
            match home.stop(name) {
                Ok(_) | Err(SandboxError::NotRunning { .. }) => {}
                Err(error) => return Err(UserError::told(&error)),
            }
        }
        home.remove(name).map_err(|error| UserError::told(&error))?;
        output::note(&format!("server '{name}' is removed"));
    }
    let all = || home.kept_copies().into_iter().map(|copy| copy.key).collect();
    let keys: Vec<String> = if args.copies { all() } else { args.copy.clone() };
    for key in keys {
        home.remove_copy(&key).map_err(|error| UserError::told(&error))?;
        output::note(&format!("the data kept under '{key}' are removed"));
    }
    Ok(Exit::Ok)
}
