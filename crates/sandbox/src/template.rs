//! Initialised data directories, made once for each server program and kept.
//!
//! Initialising takes seconds, copying the result a fraction of one. A template fits one program and one set of structural
//! settings (page size, case of table names, ...); both are in its key, so that a rebuilt server gets a new one.

use std::fs::{self, File};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use model::{Advice, Flavour};
use rustix::process::Signal;
use sha2::{Digest, Sha256};

use crate::copy::remove_tree;
use crate::error::{FileError, StartError};
use crate::home::Home;
use crate::install::Installation;
use crate::lock::Lock;
use crate::machine::{is_root, require_space};
use crate::process::{Child, Fate, describe, wrapped};
use crate::program::find_program;
use crate::settings::Settings;
use crate::{log, state};

/// An initialisation that takes longer than this hangs.
const LIMIT: Duration = Duration::from_secs(300);
/// A fresh data directory and its temporary files, with some room.
const NEEDS_BYTES: u64 = 400 << 20;
/// Redo log size of a template. The server resizes it according to its my.cnf when it starts; a small one is quick to copy.
const REDO: &str = "32M";

/// `name=value` of every structural setting, separated by blanks: what the content of a data directory depends on.
pub(crate) fn structure(settings: &Settings) -> String {
    settings.structural().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
}

/// The data directory of the template for this server and these settings, made now if there is none.
pub(crate) fn prepare(
    home: &Home,
    installation: &Installation,
    settings: &Settings,
    cancel: &AtomicBool,
) -> Result<PathBuf, StartError> {
    let key = key(installation, settings)?;
    let dir = home.templates_dir().join(&key);
    let data = dir.join("data");
    if data.is_dir() {
        return Ok(data);
    }
    let _lock = Lock::take(&home.lock_path(&format!("template-{key}")))?;
    if data.is_dir() {
        return Ok(data);
    }
    require_space::<StartError>(&home.templates_dir(), NEEDS_BYTES, "initialising a data directory")?;
    let new = home.templates_dir().join(format!(".new-{key}"));
    remove_tree(&new)?;
    fs::DirBuilder::new().mode(0o700).create(&new).map_err(FileError::at("create", &new))?;
    let made = initialise(installation, settings, &new, cancel);
    if let Err(error) = made {
        // What failed is told by the error; half a data directory is of no use.
        remove_tree(&new)?;
        return Err(error);
    }
    fs::rename(&new, &dir).map_err(FileError::at("create", &dir))?;
    Ok(data)
}

fn key(installation: &Installation, settings: &Settings) -> Result<String, StartError> {
    let program = &installation.program;
    let meta = fs::metadata(program).map_err(FileError::at("look at", program))?;
    let mut hash = Sha256::new();
    for part in [
        program.display().to_string(),
        installation.version.clone(),
        format!("{} {} {}", meta.len(), meta.mtime(), meta.mtime_nsec()),
        structure(settings),
    ] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    let digits: String = hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("{}-{digits}", installation.flavour.name()))
}

fn initialise(
    installation: &Installation,
    settings: &Settings,
    dir: &Path,
    cancel: &AtomicBool,
) -> Result<(), StartError> {
    let log_path = dir.join("initialise.log");
    let mut command = match installation.flavour {
        Flavour::Mysql => mysql_command(installation, dir),
        // Its script starts helper programs, which a private loader would have to start too.
        Flavour::Mariadb if installation.loader.is_some() => bootstrap_command(installation, dir)?,
        Flavour::Mariadb => mariadb_command(installation)?,
    };
    command.args(settings.structural().map(|(name, value)| format!("--{}={value}", name.replace('_', "-"))));
    // A server that starts removes what others have left in its directory for temporary files, and what they still need.
    let temporary = dir.join("tmp");
    fs::create_dir_all(&temporary).map_err(FileError::at("create", &temporary))?;
    command.current_dir(dir).env_remove("NOTIFY_SOCKET").env("TMPDIR", &temporary);
    let log_file = File::create(&log_path).map_err(FileError::at("create", &log_path))?;
    let program = PathBuf::from(command.get_program());
    let mut child = Child::start(command, Fate::DiesWithUs, &log_file)
        .map_err(|source| StartError::Spawn { program, source })?;
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.ended_within(Duration::from_millis(100)) {
            break describe(status);
        }
        if cancel.load(Ordering::Relaxed) || started.elapsed() > LIMIT {
            child.signal_group(Signal::KILL);
            if cancel.load(Ordering::Relaxed) {
                return Err(StartError::Cancelled { name: installation.flavour.name().to_owned() });
            }
            break format!("no end after {} s", LIMIT.as_secs());
        }
    };
    let _ = fs::remove_dir_all(&temporary);
    if status == "exit status 0" && dir.join("data/mysql").is_dir() {
        return Ok(());
    }
    let log_tail = log::tail(&log_path);
    Err(StartError::Initialise {
        version: state::made_by(installation.flavour, &installation.version, ""),
        status,
        reading: log::reading(&log_tail),
        log_tail,
    })
}

fn mysql_command(installation: &Installation, dir: &Path) -> Command {
    let mut command = installation.command();
    command.args(["--no-defaults", "--initialize-insecure"]).arg(option("datadir", &dir.join("data")));
    if let Some(basedir) = &installation.basedir {
        command.arg(option("basedir", basedir));
    }
    if let Some(messages_dir) = &installation.messages_dir {
        command.arg(option("lc-messages-dir", messages_dir));
    }
    if installation.number() >= (8, 0, 30) {
        command.arg(format!("--innodb-redo-log-capacity={REDO}"));
    }
    as_ourselves(&mut command);
    command
}

/// MariaDB initialises with a script, which finds the server by itself.
fn mariadb_command(installation: &Installation) -> Result<Command, StartError> {
    let names = ["mariadb-install-db", "mysql_install_db"];
    let script = match &installation.basedir {
        Some(_) => {
            let dirs = ["scripts", "bin", "usr/bin", "usr/scripts"].map(|dir| installation.top.join(dir));
            dirs.iter().flat_map(|dir| names.iter().map(|name| dir.join(name))).find(|path| path.is_file())
        }
        None => names.iter().find_map(|name| find_program(name)),
    };
    let script = script.ok_or_else(|| crate::InstallError::Tool {
        program: names[0].to_owned(),
        purpose: "initialise MariaDB's data directory",
        remedy: Advice::words(format!("it belongs beside the server in {}", installation.top.display())),
    })?;
    let mut command = Command::new(&script);
    if installation.loader.is_none() {
        // The environment only: the script is no program to be loaded.
        command = installation.command_of(&script);
    }
    command
        .args([
            "--no-defaults",
            "--auth-root-authentication-method=socket",
            "--skip-test-db",
            // Otherwise it gives up where not even `localhost` can be looked up, as in a root without /etc/hosts.
            "--force",
        ])
        // Relative to the working directory: the script does not quote, so that a blank in the path would break it.
        .arg("--datadir=./data")
        .arg(format!("--innodb-log-file-size={REDO}"));
    if let Some(basedir) = &installation.basedir {
        command.arg(option("basedir", basedir));
    }
    as_ourselves(&mut command);
    Ok(command)
}

/// The files that `mariadb-install-db` feeds to the server, in its order; older versions lack the last one.
const SYSTEM_TABLES: [&[&str]; 6] = [
    &["mariadb_system_tables.sql", "mysql_system_tables.sql"],
    &["mariadb_performance_tables.sql", "mysql_performance_tables.sql"],
    &["mariadb_system_tables_data.sql", "mysql_system_tables_data.sql"],
    &["fill_help_tables.sql"],
    &["maria_add_gis_sp_bootstrap.sql"],
    &["mariadb_sys_schema.sql", "mysql_sys_schema.sql"],
];

/// MariaDB through its own loader: the server itself makes the system tables, from the statements that came with it.
fn bootstrap_command(installation: &Installation, dir: &Path) -> Result<Command, StartError> {
    let share = installation.messages_dir.clone().unwrap_or_else(|| installation.top.clone());
    // A statement may not share its line with another one.
    let mut sql =
        String::from("CREATE DATABASE IF NOT EXISTS mysql;\nUSE mysql;\nSET @auth_root_socket='root';\n");
    for (at, names) in SYSTEM_TABLES.iter().enumerate() {
        let Some(path) = names.iter().map(|name| share.join(name)).find(|path| path.is_file()) else {
            if at + 1 == SYSTEM_TABLES.len() {
                continue;
            }
            return Err(StartError::Install(crate::InstallError::Tool {
                program: names[0].to_owned(),
                purpose: "initialise MariaDB's data directory",
                remedy: Advice::words(format!("it belongs into {}", share.display())),
            }));
        };
        sql.push_str(&fs::read_to_string(&path).map_err(FileError::at("read", &path))?);
        sql.push('\n');
    }
    const STATEMENTS: &str = "bootstrap.sql";
    let path = dir.join(STATEMENTS);
    fs::write(&path, sql).map_err(FileError::at("write", &path))?;
    let data = dir.join("data");
    fs::create_dir(&data).map_err(FileError::at("create", &data))?;
    let mut command = installation.command();
    command
        .args(["--no-defaults", "--bootstrap", "--silent-startup", "--log-warnings=0"])
        .args(["--enforce-storage-engine=", "--max-allowed-packet=8M", "--net-buffer-length=16K"])
        .arg(option("lc-messages-dir", &share))
        .arg(option("datadir", &data))
        .arg(format!("--innodb-log-file-size={REDO}"));
    if let Some(basedir) = &installation.basedir {
        command.arg(option("basedir", basedir));
    }
    if let Some(plugin_dir) = &installation.plugin_dir {
        command.arg(option("plugin-dir", plugin_dir));
    }
    as_ourselves(&mut command);
    let words = ["-c".to_owned(), format!("exec \"$@\" <{STATEMENTS}"), "sh".to_owned()];
    Ok(wrapped(Path::new("/bin/sh"), &words, command))
}

/// The servers refuse to run as root unless told so.
pub(crate) fn as_ourselves(command: &mut Command) {
    if is_root() {
        command.arg("--user=root");
    }
}

fn option(name: &str, path: &Path) -> String {
    format!("--{name}={}", path.display())
}
