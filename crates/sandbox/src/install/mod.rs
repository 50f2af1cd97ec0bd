//! Sources of server programs: Debian's suites (MySQL, other versions of MariaDB), the system's package (MariaDB), or any
//! directory.

mod apt;
mod basedir;
mod command;
mod debian;
mod installation;
mod mariadb;
mod router;
mod sources;

use std::path::{Path, PathBuf};

use model::Flavour;

use self::installation::Record;
pub use self::installation::{Installation, Loader};
pub use self::router::RouterInstallation;
use crate::error::InstallError;
use crate::home::Home;
use crate::lock::Lock;

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

    /// The server of `flavour` to use. `build` is the text after the `@` of a sandbox: the absolute path of a build, or the
    /// version of an installed one; none: the first that is installed.
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

    /// Gets a server of `flavour`, or finds that there is one already. Reports progress through `tell`, a line at a time.
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

    /// Installs a version, such as `11.8`, from whichever Debian suite has it.
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
