//! `mydyno server`: servers of one's own, outside of runs.

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand, ValueEnum};
use model::{Flavour, SandboxSpec, TlsMode};
use sandbox::{Home, Life, SandboxError, ServerPhase, StartOptions, Status, StopOutcome};
use signal_hook::consts::{SIGINT, SIGTERM};

use super::table::{Align, table};
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::options::target::{self, Sandbox, Value};
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
    /// mariadb@11.8 from the Debian suite that has it. Only the system's package needs root
    Install {
        /// Servers to install [default: mysql and mariadb]
        #[arg(value_name = "mysql|mariadb[@VERSION]", value_parser = wanted)]
        servers: Vec<Wanted>,
    },
    /// List servers, installations and dataset snapshots
    List {
        /// Output format
        #[arg(long, value_enum, default_value = "text")]
        format: ListFormat,
    },
    /// Start a server that runs until it is stopped; its data persist
    Start(StartArgs),
    /// Stop servers; their data persist
    Stop {
        /// Names of the servers
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,
    },
    /// Show one server; exits with 1 if it does not run
    Status {
        /// Name of the server
        name: String,
    },
    /// Open a mysql client connected to a server
    Shell {
        /// Name of the server
        name: String,
        /// Arguments of the client, after --
        #[arg(last = true)]
        arguments: Vec<String>,
    },
    /// Remove stopped servers with their data, or dataset snapshots
    Remove(RemoveArgs),
}

#[derive(Args)]
struct StartArgs {
    /// Name of the server; mysql and mariadb imply the target
    name: String,
    /// Server to start: sandbox:mysql, sandbox:mariadb@11.8, sandbox:mariadb@/opt/build?sync_binlog=0 [default: as before, else
    /// an installed one]
    #[arg(long, value_name = "sandbox:...")]
    target: Option<String>,
    /// Set a server variable (repeatable)
    #[arg(long, value_name = "VARIABLE=VALUE")]
    set: Vec<String>,
    /// TCP port on 127.0.0.1 [default: a free one]
    #[arg(long)]
    port: Option<u16>,
    /// Start on a dataset snapshot; see mydyno server list
    #[arg(long, value_name = "KEY")]
    copy: Option<String>,
    /// Time to wait for its first answer
    #[arg(long, value_name = "SECONDS", default_value = "120")]
    limit: u64,
}

#[derive(Args)]
struct RemoveArgs {
    /// Names of the servers
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

/// A server to install.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Wanted {
    flavour: Flavour,
    /// `11.8`; none: the usual one.
    version: Option<String>,
}

/// `mariadb` or `mariadb@11.8`.
fn wanted(text: &str) -> Result<Wanted, String> {
    let (name, version) = text.split_once('@').map_or((text, None), |(name, version)| (name, Some(version)));
    let flavour = target::flavour_named(name).map_err(|error| error.to_string())?;
    match version {
        Some(version) if !spec::is_version(version) => {
            Err(format!("'{version}' is not a version such as 11.8 or 9.7.4"))
        }
        _ => Ok(Wanted { flavour, version: version.map(str::to_owned) }),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ListFormat {
    Text,
    Json,
}

/// Does it.
pub fn server(args: &ServerArgs) -> Outcome<Exit> {
    let home = Home::open(&home::directory()?).map_err(|error| UserError::told(&error))?;
    match &args.action {
        Action::Install { servers } => install(&home, servers),
        Action::List { format } => list(&home, *format),
        Action::Start(args) => start(&home, args),
        Action::Stop { names } => stop(&home, names),
        Action::Status { name } => status(&home, name),
        Action::Shell { name, arguments } => shell(&home, name, arguments),
        Action::Remove(args) => remove(&home, args),
    }
}

fn install(home: &Home, servers: &[Wanted]) -> Outcome<Exit> {
    let both = [Flavour::Mysql, Flavour::Mariadb].map(|flavour| Wanted { flavour, version: None });
    for Wanted { flavour, version } in if servers.is_empty() { &both } else { servers } {
        let installed = match version {
            Some(version) => home.install_version(*flavour, version, &mut output::note),
            None => home.install(*flavour, &mut output::note),
        };
        installed.map_err(|error| UserError::told(&error))?;
    }
    Ok(Exit::Ok)
}

fn list(home: &Home, format: ListFormat) -> Outcome<Exit> {
    let servers = home.list().map_err(|error| UserError::told(&error))?;
    let (installations, copies) = (home.installations(), home.kept_copies());
    if format == ListFormat::Json {
        let value = serde_json::json!({
            "format": model::FORMAT, "servers": servers, "installations": installations, "copies": copies,
        });
        output::print(&format!("{value:#}"))?;
        return Ok(Exit::Ok);
    }
    let mut text = String::new();
    if !servers.is_empty() {
        let columns = ["SERVER", "STATE", "VERSION", "ADDRESS", "DISK"].map(|name| (name, Align::Left));
        text.push_str(&table(&columns, &servers.iter().map(server_row).collect::<Vec<_>>()));
        text.push('\n');
    }
    if !copies.is_empty() {
        let row = |copy: &sandbox::KeptCopy| {
            vec![
                copy.key.clone(),
                version(copy.flavour, &copy.version),
                messages::number::bytes(copy.disk_bytes),
            ]
        };
        let columns = ["KEPT DATA", "MADE BY", "DISK"].map(|name| (name, Align::Left));
        text.push_str(&table(&columns, &copies.iter().map(row).collect::<Vec<_>>()));
        text.push('\n');
    }
    if installations.is_empty() {
        output::note("no server is installed\n  get one:  mydyno server install mysql (or mariadb)");
    } else {
        let row = |one: &sandbox::Installation| {
            vec![version(one.flavour, &one.version), one.program.display().to_string()]
        };
        let columns = ["INSTALLED", "PROGRAM"].map(|name| (name, Align::Left));
        text.push_str(&table(&columns, &installations.iter().map(row).collect::<Vec<_>>()));
    }
    output::print(&text)?;
    Ok(Exit::Ok)
}

fn server_row(status: &Status) -> Vec<String> {
    let state = match (status.phase, status.life) {
        (ServerPhase::Running, Life::Scoped) => format!("running for mydyno {}", status.owner_pid),
        (phase, _) => phase.name().to_owned(),
    };
    let address = match status.phase {
        ServerPhase::Running => format!("127.0.0.1:{}", status.port),
        _ => "-".to_owned(),
    };
    vec![
        status.name.clone(),
        state,
        version(status.flavour, &status.version),
        address,
        messages::number::bytes(status.disk_bytes),
    ]
}

fn version(flavour: Flavour, version: &str) -> String {
    format!("{} {version}", flavour.name())
}

fn start(home: &Home, args: &StartArgs) -> Outcome<Exit> {
    let spec = spec(home, args)?;
    let cancel = interruption()?;
    let options = StartOptions {
        from_copy: args.copy.as_deref(),
        life: Life::Lasting,
        port: args.port,
        limit: Duration::from_secs(args.limit),
        cancel: &cancel,
        ..StartOptions::new(&args.name, &spec)
    };
    let started = Instant::now();
    let server = home.start(&options).map_err(|error| match error {
        sandbox::StartError::Cancelled { .. } => {
            UserError { exit: Exit::Interrupted, ..UserError::told(&error) }
        }
        sandbox::StartError::Setting(_) | sandbox::StartError::Name { .. } => {
            UserError { exit: Exit::Usage, ..UserError::told(&error) }
        }
        _ => UserError::told(&error),
    })?;
    let seconds = started.elapsed().as_secs_f64();
    let what = version(server.flavour(), server.version());
    output::note(&format!(
        "server '{}' ({what}) runs since {seconds:.1} s after it was asked for",
        args.name
    ));
    let status = home.status(&args.name).map_err(|error| UserError::told(&error))?;
    output::print(&describe(&status))?;
    Ok(Exit::Ok)
}

/// What to start: as asked for, else as it was, else what its name says, else what is installed.
fn spec(home: &Home, args: &StartArgs) -> Outcome<SandboxSpec> {
    let earlier = home.status(&args.name).ok().map(|status| status.spec);
    let mut spec = match (&args.target, earlier) {
        (Some(target), _) => asked(home, &args.name, target)?,
        (None, Some(earlier)) => earlier,
        (None, None) => plain(flavour_of_name(&args.name).map_or_else(|| installed(home), Ok)?),
    };
    for text in &args.set {
        let setting = target::parse_set(text)?;
        if setting.label.as_ref().is_some_and(|label| *label != args.name) {
            return Err(UserError::usage(format!("--set {text} is not for server '{}'", args.name))
                .hint("write --set VARIABLE=VALUE"));
        }
        spec.settings.insert(setting.key, setting.value);
    }
    Ok(spec)
}

fn asked(home: &Home, name: &str, target: &str) -> Outcome<SandboxSpec> {
    let target = spec::target(target)?;
    if target.servers.len() > 1 {
        return Err(UserError::usage(format!("mydyno server starts one server, not a {} topology", target.topology.name()))
            .hint("a topology of sandboxes lives as long as a run: mydyno run WORKLOAD --target 'sandbox:mysql?topology=group'"));
    }
    let server = target.servers.into_iter().next().unwrap_or_default();
    let Value::Sandbox(sandbox) = Value::of(&server)? else {
        return Err(UserError::usage("only a sandbox can be started")
            .hint("for example --target sandbox:mysql or --target sandbox:mariadb@/opt/mariadb-11.8"));
    };
    let Sandbox { flavour, basedir, settings, place, .. } = *sandbox;
    let flavour = match flavour.or_else(|| flavour_of_name(name)) {
        Some(flavour) => flavour,
        None => installed(home)?,
    };
    Ok(SandboxSpec { basedir, settings, place, ..plain(flavour) })
}

fn plain(flavour: Flavour) -> SandboxSpec {
    SandboxSpec {
        flavour,
        basedir: None,
        settings: BTreeMap::new(),
        tcp: false,
        tls: TlsMode::Disabled.into(),
        place: Default::default(),
    }
}

fn flavour_of_name(name: &str) -> Option<Flavour> {
    [Flavour::Mysql, Flavour::Mariadb].into_iter().find(|flavour| flavour.name() == name)
}

fn installed(home: &Home) -> Outcome<Flavour> {
    home.installations().first().map(|one| one.flavour).ok_or_else(|| {
        UserError::failed("no server is installed").hint("get one:  mydyno server install mysql (or mariadb)")
    })
}

/// Set by the first Ctrl-C; the second one ends the process at once.
fn interruption() -> Outcome<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let failed = |error: std::io::Error| UserError::failed(format!("cannot listen for Ctrl-C: {error}"));
    for signal in [SIGINT, SIGTERM] {
        let exit = i32::from(Exit::Interrupted.code());
        signal_hook::flag::register_conditional_shutdown(signal, exit, Arc::clone(&flag)).map_err(failed)?;
        signal_hook::flag::register(signal, Arc::clone(&flag)).map_err(failed)?;
    }
    Ok(flag)
}

fn stop(home: &Home, names: &[String]) -> Outcome<Exit> {
    for name in names {
        match home.stop(name).map_err(|error| UserError::told(&error))? {
            StopOutcome::Cleanly => output::note(&format!("server '{name}' is stopped; its data stay")),
            StopOutcome::Killed => output::note(&format!(
                "! server '{name}' did not end within a minute and was killed; its next start recovers"
            )),
        }
    }
    Ok(Exit::Ok)
}

fn status(home: &Home, name: &str) -> Outcome<Exit> {
    let status = home.status(name).map_err(|error| UserError::told(&error))?;
    output::print(&describe(&status))?;
    Ok(if status.phase == ServerPhase::Running { Exit::Ok } else { Exit::Failed })
}

fn describe(status: &Status) -> String {
    let mut lines = vec![
        ("server", format!("{} ({})", status.name, version(status.flavour, &status.version))),
        ("state", status.phase.name().to_owned()),
        ("directory", format!("{} ({})", status.dir.display(), messages::number::bytes(status.disk_bytes))),
    ];
    if let Some(pid) = status.pid {
        let options = status.dir.join("client.cnf");
        lines.extend([
            ("process", pid.to_string()),
            ("socket", status.socket.display().to_string()),
            ("port", format!("{} on 127.0.0.1", status.port)),
            ("shell", format!("mydyno server shell {}", status.name)),
            ("load", format!("mydyno run oltp_read_write --defaults-file='{}'", options.display())),
        ]);
    }
    let settings = status.spec.settings.iter().map(|(name, value)| format!("{name}={value}"));
    let settings = settings.collect::<Vec<_>>().join(" ");
    if !settings.is_empty() {
        lines.push(("set", settings));
    }
    if !status.spec.place.is_default() {
        lines.push(("place", status.spec.place.to_string()));
    }
    let mut text: String = lines.iter().map(|(name, what)| format!("{name:<10} {what}\n")).collect();
    if let Some(tail) = &status.log_tail {
        text.push_str(&format!("the end of its log:\n{tail}\n"));
    }
    text
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
