//! MySQL Router: beside a server's own build, fetched from the suite that MySQL comes from, or the system's.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::basedir::{self, parse_version};
use super::command::run;
use super::debian::{self, ROUTER};
use super::installation::{Installation, Loader, program_command};
use crate::copy::remove_tree;
use crate::error::{FileError, InstallError};
use crate::home::Home;
use crate::program::find_program;
use crate::state::{read_json, write_json};

/// Paths of its program under the top of a directory: unpacked Debian packages, tarballs and installed trees, build trees.
const PROGRAMS: &[&str] = &["usr/bin/mysqlrouter", "bin/mysqlrouter", "runtime_output_directory/mysqlrouter"];
/// Directories of its plugins.
const PLUGIN_DIRS: &[&str] = &["usr/lib/mysqlrouter/plugin", "lib/mysqlrouter/plugin"];
/// Directory of Debian's private libraries: its plugins find them only with a library path.
const OWN_LIBRARIES: &str = "usr/lib/mysql-router";
/// The file that marks an unpacked tree as an installation; written last.
const RECORD: &str = "router.json";

/// MySQL Router that can be run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RouterInstallation {
    /// Version as reported by the program, such as `9.7.4-2`.
    pub version: String,
    /// `mysqlrouter`.
    pub program: PathBuf,
    /// The dynamic loader to start it through, for one that was unpacked beside libraries of its own.
    pub loader: Option<Loader>,
    /// `plugin_folder`, unless the compiled-in one is right.
    pub plugin_dir: Option<PathBuf>,
}

#[derive(Serialize, Deserialize)]
struct RouterRecord {
    format: u32,
    version: String,
}

impl RouterInstallation {
    /// The installation under `top`; the version is given, or read from the program. None if there is no router.
    fn under(top: &Path, version: Option<String>) -> Option<Self> {
        let program = PROGRAMS.iter().map(|program| top.join(program)).find(|path| path.is_file())?;
        let libraries = top.join(OWN_LIBRARIES);
        let loader = basedir::private_loader(top).map(|mut loader| {
            loader.libraries.extend(libraries.is_dir().then_some(libraries));
            loader
        });
        let plugin_dir = PLUGIN_DIRS.iter().map(|dir| top.join(dir)).find(|path| path.is_dir());
        let version = version.or_else(|| version_of(loader.as_ref(), &program))?;
        Some(Self { version, program, loader, plugin_dir })
    }

    /// A command that runs it.
    pub(crate) fn command(&self) -> std::process::Command {
        program_command(self.loader.as_ref(), &[], &self.program)
    }
}

impl Home {
    /// MySQL Router for a server: the one of its own build, else the newest that mydyno fetched, else the system's.
    pub fn router_for(&self, server: &Installation) -> Result<RouterInstallation, InstallError> {
        let of_build = || RouterInstallation::under(&server.top, None);
        let of_build = if server.is_own { None } else { of_build() };
        of_build.or_else(|| self.own_router()).or_else(system).ok_or(InstallError::NoRouter)
    }

    /// Gets MySQL Router, or finds that mydyno fetched it already. Reports progress through `tell`, a line at a time.
    pub fn install_router(&self, tell: &mut dyn FnMut(&str)) -> Result<RouterInstallation, InstallError> {
        let found = match self.own_router() {
            Some(found) => found,
            None => {
                let lock = self.installation_lock(tell)?;
                // Whoever had the lock may have installed it.
                match self.own_router() {
                    Some(found) => found,
                    None => debian::fetch(self, &ROUTER, None, &lock, tell, move_in)?,
                }
            }
        };
        tell(&format!("MySQL Router {} is installed ({})", found.version, found.program.display()));
        Ok(found)
    }

    /// The newest that mydyno fetched.
    fn own_router(&self) -> Option<RouterInstallation> {
        let entries = fs::read_dir(self.installations_dir()).ok()?.flatten();
        let recorded = |top: PathBuf| {
            let record: RouterRecord = read_json(&top.join(RECORD)).ok()??;
            RouterInstallation::under(&top, Some(record.version))
        };
        let number = |one: &RouterInstallation| -> Vec<u32> {
            one.version.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().unwrap_or(0)).collect()
        };
        entries.filter_map(|entry| recorded(entry.path())).max_by_key(number)
    }
}

/// Gives the unpacked tree its final name. The record that makes it an installation is written last.
fn move_in(home: &Home, new: &Path) -> Result<RouterInstallation, InstallError> {
    let version = RouterInstallation::under(new, None).ok_or(InstallError::NoRouter)?.version;
    let top = home.installations_dir().join(format!("mysql-router-{version}"));
    remove_tree(&top)?;
    fs::rename(new, &top).map_err(FileError::at("create", &top))?;
    let installed = RouterInstallation::under(&top, Some(version.clone())).ok_or(InstallError::NoRouter)?;
    write_json(&top.join(RECORD), &RouterRecord { format: 1, version })?;
    Ok(installed)
}

/// The system's own, whose compiled-in places are right.
fn system() -> Option<RouterInstallation> {
    let program = find_program("mysqlrouter")?;
    let version = version_of(None, &program)?;
    Some(RouterInstallation { version, program, loader: None, plugin_dir: None })
}

/// `MySQL Router  Ver 9.7.4-2 for Linux on x86_64 ((Debian))`
fn version_of(loader: Option<&Loader>, program: &Path) -> Option<String> {
    let said = run(program_command(loader, &[], program).arg("--version")).ok()?;
    parse_version(&said).map(|(_, version)| version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_router_beside_a_build_is_found() {
        let top = tempfile::tempdir().unwrap();
        assert_eq!(RouterInstallation::under(top.path(), None), None);
        let dirs = ["bin", "lib/mysqlrouter/plugin"].map(|dir| top.path().join(dir));
        dirs.iter().for_each(|dir| fs::create_dir_all(dir).unwrap());
        fs::write(dirs[0].join("mysqlrouter"), "").unwrap();
        let found = RouterInstallation::under(top.path(), Some("9.7.4".to_owned())).unwrap();
        assert_eq!((found.loader, found.plugin_dir), (None, Some(dirs[1].clone())));
    }
}
