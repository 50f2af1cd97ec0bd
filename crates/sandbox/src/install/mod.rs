//! Where server programs come from: Debian's suites (MySQL, other versions of MariaDB), the system's package (MariaDB), or
//! any directory.

mod apt;
mod basedir;
mod debian;
mod mariadb;
mod sources;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use model::{Advice, Flavour};
use serde::{Deserialize, Serialize};

use crate::error::InstallError;
use crate::home::Home;
use crate::lock::Lock;

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
    /// `LD_LIBRARY_PATH`, for a build whose libraries lie beside it without a loader of its own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub libraries: Vec<PathBuf>,
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
    pub libraries: Vec<PathBuf>,
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
        command.arg("--library-path").arg(search_path(&self.libraries)).arg(program);
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
        self.command_of(&self.program)
    }

    /// A command that runs a program or script of this installation.
    pub(crate) fn command_of(&self, program: &Path) -> Command {
        program_command(self.loader.as_ref(), &self.libraries, program)
    }

    /// Whether its version is `wanted` or begins with it: `11.8` is `11.8.6-MariaDB`, and `11` is, but `11.80` is not.
    pub fn is_version(&self, wanted: &str) -> bool {
        has_version(&self.version, wanted)
    }

    /// `mysql` or `mariadb`, the client beside this server, if there is one.
    pub(crate) fn client(&self) -> Option<Command> {
        let names: &[&str] = if self.flavour == Flavour::Mysql { &["mysql"] } else { &["mariadb", "mysql"] };
        let dirs = ["bin", "usr/bin", "client"].map(|dir| self.top.join(dir));
        let found = dirs
            .iter()
            .flat_map(|dir| names.iter().map(|name| dir.join(name)))
            .find(|path| path.is_file())?;
        Some(self.command_of(&found))
    }
}

fn program_command(loader: Option<&Loader>, libraries: &[PathBuf], program: &Path) -> Command {
    let mut command = match loader {
        Some(loader) => loader.command(program),
        None => Command::new(program),
    };
    if loader.is_none() && !libraries.is_empty() {
        command.env("LD_LIBRARY_PATH", search_path(libraries));
    }
    command
}

/// Directories with colons between them. One whose own name holds a colon cannot be in such a list and is left out.
fn search_path(dirs: &[PathBuf]) -> OsString {
    let sound = dirs.iter().filter(|dir| !dir.as_os_str().to_string_lossy().contains(':'));
    std::env::join_paths(sound).unwrap_or_default()
}

/// Whether the first numbers of a version are those of `wanted`.
fn has_version(version: &str, wanted: &str) -> bool {
    let numbers = |text: &str| -> Vec<u64> {
        let head: &str = text.split(|c: char| !c.is_ascii_digit() && c != '.').next().unwrap_or_default();
        head.split('.').filter_map(|part| part.parse().ok()).collect()
    };
    let wanted = numbers(wanted);
    !wanted.is_empty() && numbers(version).starts_with(&wanted)
}

impl Home {
    /// Every server that `resolve` would find without a basedir: the ones mydyno fetched, newest first, then the system's.
    pub fn installations(&self) -> Vec<Installation> {
        let mut found = self.own_installations();
        found.extend(mariadb::system());
        found.extend(basedir::system_mysql());
        found
    }

    /// The installed servers of a flavour, the one that is used when no version is named first: the system's MariaDB, but
    /// the MySQL that mydyno fetched.
    fn of_flavour(&self, flavour: Flavour) -> Vec<Installation> {
        let own = self.own_installations().into_iter().filter(|installation| installation.flavour == flavour);
        match flavour {
            Flavour::Mysql => own.chain(basedir::system_mysql()).collect(),
            Flavour::Mariadb => mariadb::system().into_iter().chain(own).collect(),
        }
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

    /// The server of `flavour` to use. `build` is what stands behind the `@` of a sandbox: the absolute path of a build, or
    /// the version of an installed one; none: the first that is installed.
    pub fn resolve(&self, flavour: Flavour, build: Option<&Path>) -> Result<Installation, InstallError> {
        if let Some(basedir) = build.filter(|build| build.is_absolute()) {
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
        let installed = self.of_flavour(flavour);
        let Some(version) = build.map(|build| build.to_string_lossy().into_owned()) else {
            return installed.into_iter().next().ok_or(InstallError::Missing { flavour: flavour.name() });
        };
        let there_are = installed.iter().map(|one| one.version.clone()).collect::<Vec<_>>().join(", ");
        let found = installed.into_iter().find(|one| one.is_version(&version));
        found.ok_or(InstallError::NoVersion { flavour: flavour.name(), version, there_are })
    }

    /// Gets a server of `flavour`, or finds that there is one already. Tells what it does through `tell`, a line at a time.
    pub fn install(
        &self,
        flavour: Flavour,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Installation, InstallError> {
        match flavour {
            Flavour::Mysql => debian::install(self, &debian::MYSQL, None, tell),
            Flavour::Mariadb => mariadb::install(tell),
        }
    }

    /// The same for a version, such as `11.8`, from whichever of Debian's suites has it.
    pub fn install_version(
        &self,
        flavour: Flavour,
        version: &str,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Installation, InstallError> {
        let product = match flavour {
            Flavour::Mysql => &debian::MYSQL,
            Flavour::Mariadb => &debian::MARIADB,
        };
        debian::install(self, product, Some(version), tell)
    }

    /// The lock that one installation at a time has. Whatever fetches for it keeps it too, so that the next installation
    /// waits for a download whose mydyno was killed.
    fn installation_lock(&self, tell: &mut dyn FnMut(&str)) -> Result<Lock, InstallError> {
        let path = self.lock_path("install");
        if let Some(lock) = Lock::try_take(&path)? {
            return Ok(lock);
        }
        tell("another installation is under way: waiting for it to end");
        Ok(Lock::take(&path)?)
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
fn need_program(
    name: &str,
    purpose: &'static str,
    remedy: impl Fn() -> Advice,
) -> Result<PathBuf, InstallError> {
    find_program(name).ok_or_else(|| InstallError::Tool {
        program: name.to_owned(),
        purpose,
        remedy: remedy(),
    })
}

/// Runs a program to its end and gives what it printed on stdout.
fn run(command: &mut Command) -> Result<String, InstallError> {
    run_with(command, Stdio::null())
}

/// How often apt is tried again while another one holds its locks, two seconds apart.
const APT_TRIES: u32 = 300;

/// Runs apt-get, and waits while another apt is at work on the same directories. It inherits `lock`.
fn run_apt(
    command: &mut Command,
    lock: Option<&Lock>,
    tell: &mut dyn FnMut(&str),
) -> Result<String, InstallError> {
    let mut is_told = false;
    for _ in 0..APT_TRIES {
        match run_with(command, lock.map_or_else(|| Ok(Stdio::null()), Lock::inherit)?) {
            Err(InstallError::Command { output, .. }) if is_apt_busy(&output) => {
                if !std::mem::replace(&mut is_told, true) {
                    let who = output.lines().find(|line| is_apt_busy(line)).unwrap_or_default();
                    tell(&format!("waiting for another apt to end: {}", who.trim()));
                }
                std::thread::sleep(Duration::from_secs(2));
            }
            end => return end,
        }
    }
    run_with(command, Stdio::null())
}

/// What apt says when another one holds its locks.
fn is_apt_busy(said: &str) -> bool {
    ["Could not get lock", "Unable to lock", "Unable to acquire the dpkg"]
        .iter()
        .any(|words| said.contains(words))
}

/// Runs a program to its end, with that standard input.
fn run_with(command: &mut Command, stdin: Stdio) -> Result<String, InstallError> {
    command.stdin(stdin);
    let shown = || {
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    };
    let shown = shown();
    let fail = |status: String, output: String| InstallError::Command { command: shown, status, output };
    let output = match command.output() {
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
