//! Where server programs come from: Debian's unstable suite (MySQL), Debian's own package (MariaDB), or any directory.

mod apt;
mod basedir;
mod debian;
mod mariadb;
mod sources;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use model::Flavour;
use serde::{Deserialize, Serialize};

use crate::error::InstallError;
use crate::home::Home;

/// A server program that can be run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Installation {
    /// Whose server.
    pub flavour: Flavour,
    /// Version as the program tells it, such as `10.11.19-MariaDB-0+deb12u1`.
    pub version: String,
    /// `mysqld` or `mariadbd`.
    pub program: PathBuf,
    /// The dynamic loader to start it through, for one that was unpacked beside libraries of its own.
    pub loader: Option<Loader>,
    /// `basedir=`, unless the compiled-in one is right.
    pub basedir: Option<PathBuf>,
    /// `plugin_dir=`, unless the compiled-in one is right.
    pub plugin_dir: Option<PathBuf>,
    /// `lc_messages_dir=`, unless the compiled-in one is right.
    pub messages_dir: Option<PathBuf>,
    /// The directory that holds all of it, or the program's for a system package.
    pub top: PathBuf,
    /// True if mydyno fetched it.
    pub is_own: bool,
}

/// A dynamic loader and the libraries that belong to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Loader {
    /// `ld-linux-x86-64.so.2` or its like.
    pub program: PathBuf,
    /// `--library-path`.
    pub libraries: PathBuf,
}

/// The content of `installation.json`. It holds no paths, so that a home can be moved.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Record {
    format: u32,
    flavour: Flavour,
    version: String,
}

impl Loader {
    /// A command that runs `program` with this loader and its libraries.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("--library-path").arg(&self.libraries).arg(program);
        // The host's own libraries must not get between a program and the libraries it was unpacked with.
        command.env_remove("LD_PRELOAD").env_remove("LD_LIBRARY_PATH");
        command
    }
}

impl Installation {
    /// Major, minor and patch number; what is not there counts as 0.
    pub fn number(&self) -> (u32, u32, u32) {
        let mut parts =
            self.version.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().unwrap_or(0));
        let mut next = || parts.next().unwrap_or(0);
        (next(), next(), next())
    }

    /// A command that runs the server program.
    pub(crate) fn command(&self) -> Command {
        program_command(self.loader.as_ref(), &self.program)
    }

    /// `mysql` or `mariadb`, the client beside this server, if there is one.
    pub(crate) fn client(&self) -> Option<Command> {
        let names: &[&str] = if self.flavour == Flavour::Mysql { &["mysql"] } else { &["mariadb", "mysql"] };
        let dirs = ["bin", "usr/bin", "client"].map(|dir| self.top.join(dir));
        let found = dirs
            .iter()
            .flat_map(|dir| names.iter().map(|name| dir.join(name)))
            .find(|path| path.is_file())?;
        Some(program_command(self.loader.as_ref(), &found))
    }
}

fn program_command(loader: Option<&Loader>, program: &Path) -> Command {
    match loader {
        Some(loader) => loader.command(program),
        None => Command::new(program),
    }
}

impl Home {
    /// Every server that `resolve` would find without a basedir: the ones mydyno fetched, newest first, then the system's.
    pub fn installations(&self) -> Vec<Installation> {
        let mut found = self.own_installations();
        found.extend(mariadb::system());
        found.extend(basedir::system_mysql());
        found
    }

    fn own_installations(&self) -> Vec<Installation> {
        let Ok(entries) = std::fs::read_dir(self.installations_dir()) else { return Vec::new() };
        let recorded = |top: PathBuf| {
            let record: Record = crate::state::read_json(&top.join("installation.json")).ok()??;
            let found = basedir::lay_out(&top, record.flavour, record.version).ok()?;
            Some(Installation { is_own: true, ..found })
        };
        let mut found: Vec<Installation> =
            entries.flatten().filter_map(|entry| recorded(entry.path())).collect();
        found.sort_by_key(|installation| std::cmp::Reverse(installation.number()));
        found
    }

    /// The server of `flavour` to use: the one under `basedir`, or the first one installed.
    pub fn resolve(&self, flavour: Flavour, basedir: Option<&Path>) -> Result<Installation, InstallError> {
        if let Some(basedir) = basedir {
            let found = basedir::inspect(basedir)?;
            if found.flavour != flavour {
                return Err(InstallError::WrongFlavour {
                    path: basedir.to_owned(),
                    found: found.flavour.name(),
                    wanted: flavour.name(),
                });
            }
            return Ok(found);
        }
        let own = self.own_installations().into_iter().find(|installation| installation.flavour == flavour);
        let system = || match flavour {
            Flavour::Mysql => basedir::system_mysql(),
            Flavour::Mariadb => mariadb::system(),
        };
        own.or_else(system).ok_or(InstallError::Missing { flavour: flavour.name() })
    }

    /// Gets a server of `flavour`, or finds that there is one already. Tells what it does through `tell`, a line at a time.
    pub fn install(
        &self,
        flavour: Flavour,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Installation, InstallError> {
        match flavour {
            Flavour::Mysql => debian::install_mysql(self, tell),
            Flavour::Mariadb => mariadb::install(tell),
        }
    }
}

/// Finds a program in PATH, or where administrators' programs are when PATH does not name those places.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(OsStr::new(&path))
        .chain(["/usr/sbin", "/usr/bin", "/sbin", "/bin"].map(PathBuf::from))
        .map(|dir| dir.join(name))
        .find(|candidate| candidate.is_file())
}

/// The same, or an error that says what it is for and how to get it.
fn need_program(name: &str, purpose: &'static str, remedy: &str) -> Result<PathBuf, InstallError> {
    find_program(name).ok_or_else(|| InstallError::Tool {
        program: name.to_owned(),
        purpose,
        remedy: remedy.to_owned(),
    })
}

/// Runs a program to its end and gives what it printed on stdout.
fn run(command: &mut Command) -> Result<String, InstallError> {
    let shown = || {
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    };
    let shown = shown();
    let fail = |status: String, output: String| InstallError::Command { command: shown, status, output };
    let output = match command.stdin(std::process::Stdio::null()).output() {
        Ok(output) => output,
        Err(error) => return Err(fail("not run".to_owned(), error.to_string())),
    };
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let mut said = String::from_utf8_lossy(&output.stderr).into_owned();
    if said.trim().is_empty() {
        said = String::from_utf8_lossy(&output.stdout).into_owned();
    }
    let lines: Vec<&str> = said.lines().collect();
    let last = lines[lines.len().saturating_sub(20)..].join("\n");
    Err(fail(crate::process::describe(output.status), last))
}
