//! A server program, and how it is run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use model::Flavour;
use serde::{Deserialize, Serialize};

/// A server program that can be run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Installation {
    /// Vendor of the server.
    pub flavour: Flavour,
    /// Version as reported by the program, such as `10.11.19-MariaDB-0+deb12u1`.
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
    /// The directory that holds the whole installation, or the program's directory for a system package.
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
pub struct Record {
    pub format: u32,
    pub flavour: Flavour,
    pub version: String,
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
    /// Major, minor and patch number; missing ones count as 0.
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

    /// Whether its version is `wanted` or begins with it: `11.8` and `11` match `11.8.6-MariaDB`, `11.80` does not.
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

pub fn program_command(loader: Option<&Loader>, libraries: &[PathBuf], program: &Path) -> Command {
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
pub fn has_version(version: &str, wanted: &str) -> bool {
    let numbers = |text: &str| -> Vec<u64> {
        let head: &str = text.split(|c: char| !c.is_ascii_digit() && c != '.').next().unwrap_or_default();
        head.split('.').filter_map(|part| part.parse().ok()).collect()
    };
    let wanted = numbers(wanted);
    !wanted.is_empty() && numbers(version).starts_with(&wanted)
}
