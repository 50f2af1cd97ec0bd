//! MariaDB: the system's own package, of which only the program files are used.
//!
//! The package's own server, its service and its data are never touched: every sandbox has its own.

use std::process::Command;

use model::{Advice, Flavour};

use super::basedir;
use super::command::{need_program, run_apt};
use super::installation::Installation;
use crate::error::InstallError;
use crate::machine::is_root;
use crate::program::find_program;

/// The command that gets MariaDB on Debian.
const APT_ARGUMENTS: [&str; 4] = ["install", "-y", "--no-install-recommends", "mariadb-server"];

/// The system's MariaDB, if its server and its initialisation program are there.
pub(super) fn system() -> Option<Installation> {
    let program = find_program("mariadbd").or_else(|| find_program("mysqld"))?;
    find_program("mariadb-install-db").or_else(|| find_program("mysql_install_db"))?;
    let (flavour, version) = basedir::version(None, &[], &program).ok()?;
    (flavour == Flavour::Mariadb).then(|| basedir::system(flavour, version, program))
}

/// Installs the package if there is none: only root can.
pub(super) fn install(tell: &mut dyn FnMut(&str)) -> Result<Installation, InstallError> {
    if let Some(found) = system() {
        tell(&format!("MariaDB {} is installed ({})", found.version, found.program.display()));
        return Ok(found);
    }
    let command = format!("apt-get {}", APT_ARGUMENTS.join(" "));
    let apt = need_program("apt-get", "install MariaDB", || {
        Advice::line(
            "install MariaDB in this system's own way, or use a build of your own",
            "sandbox:mariadb@/path/of/mariadb",
        )
    })?;
    if !is_root() {
        return Err(InstallError::NeedsRoot { command: format!("sudo {command}") });
    }
    tell(&format!("installing Debian's package: {command}"));
    run_apt(Command::new(&apt).arg("update"), None, tell)?;
    run_apt(Command::new(&apt).args(APT_ARGUMENTS).env("DEBIAN_FRONTEND", "noninteractive"), None, tell)?;
    let found = system().ok_or(InstallError::Missing { flavour: Flavour::Mariadb.name() })?;
    tell(&format!("MariaDB {} is installed; its own service, if any, is left alone", found.version));
    Ok(found)
}
