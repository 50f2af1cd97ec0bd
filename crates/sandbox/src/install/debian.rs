//! Servers from Debian's suites: downloaded, unpacked into a private prefix, run through that prefix's own loader.
//!
//! A Debian release has one version of MariaDB and no MySQL; other versions are in other suites and need another C library.
//! So they are never installed: nothing of the system changes, and no root is needed.

use std::fs;
use std::path::Path;
use std::process::Command;

use model::{Advice, Flavour};

use super::apt::PrivateApt;
use super::command::{need_program, run};
use super::installation::{Installation, Record, has_version};
use super::{basedir, sources};
use crate::copy::remove_tree;
use crate::error::{FileError, InstallError};
use crate::home::Home;
use crate::lock::Lock;
use crate::machine::require_space;
use crate::state::write_json;

/// A server that Debian has.
pub(super) struct Product {
    flavour: Flavour,
    title: &'static str,
    /// The first one holds the server.
    packages: &'static [&'static str],
    /// Suites to search, in this order.
    suites: &'static [&'static str],
}

pub(super) const MYSQL: Product = Product {
    flavour: Flavour::Mysql,
    title: "MySQL",
    packages: &["mysql-server-core", "mysql-client-core"],
    suites: &["sid"],
};

pub(super) const MARIADB: Product = Product {
    flavour: Flavour::Mariadb,
    title: "MariaDB",
    packages: &["mariadb-server-core", "mariadb-client-core"],
    suites: &["stable", "sid", "oldstable"],
};

/// MySQL Router, which reaches servers of other versions too.
pub(super) const ROUTER: Product = Product {
    flavour: Flavour::Mysql,
    title: "MySQL Router",
    packages: &["mysql-router"],
    suites: MYSQL.suites,
};

/// Package lists, packages and the unpacked tree, with some room.
const NEEDS_BYTES: u64 = 800 << 20;

/// Fetches a server, unless one of that version is there; without a version: unless mydyno fetched one before.
pub(super) fn install(
    home: &Home,
    product: &Product,
    version: Option<&str>,
    tell: &mut dyn FnMut(&str),
) -> Result<Installation, InstallError> {
    let installed = || {
        let all = match version {
            Some(_) => home.of_flavour(product.flavour),
            None => home.own_installations(),
        };
        all.into_iter().find(|one| {
            one.flavour == product.flavour && version.is_none_or(|version| one.is_version(version))
        })
    };
    let found = match installed() {
        Some(found) => found,
        None => {
            let lock = home.installation_lock(tell)?;
            // Whoever had the lock may have installed it.
            match installed() {
                Some(found) => found,
                None => fetch(home, product, version, &lock, tell, move_in)?,
            }
        }
    };
    tell(&format!("{} {} is installed ({})", product.title, found.version, found.top.display()));
    Ok(found)
}

/// Fetches and unpacks it, in a tree of its own that `move_in` then gives its place.
pub(super) fn fetch<T>(
    home: &Home,
    product: &Product,
    version: Option<&str>,
    lock: &Lock,
    tell: &mut dyn FnMut(&str),
    move_in: impl FnOnce(&Home, &Path) -> Result<T, InstallError>,
) -> Result<T, InstallError> {
    require_space::<InstallError>(home.root(), NEEDS_BYTES, "fetching and unpacking a server")?;
    let mirror = sources::debian_mirror(Path::new("/etc/apt")).ok_or_else(|| InstallError::NoMirror {
        looked: "/etc/apt/sources.list and sources.list.d".to_owned(),
        title: product.title,
        flavour: product.flavour.name(),
    })?;
    let dpkg =
        need_program("dpkg-deb", "unpack a server", || Advice::line("install it", "apt-get install dpkg"))?;
    let apt_dir = home.root().join("apt");
    let mut seen = Vec::new();
    for suite in product.suites {
        let dir = apt_dir.join(suite);
        let apt = PrivateApt::new(&dir, &mirror, suite)?;
        let from = without_credentials(&mirror.uri);
        tell(&format!("reading the package list of Debian's suite {suite} from {from}"));
        apt.update(lock, tell)?;
        let Some(offered) = apt.version_of(product.packages[0])? else { continue };
        if version.is_some_and(|version| !has_version(&offered, version)) {
            seen.push(format!("{offered} ({suite})"));
            continue;
        }
        tell(&format!("downloading {} with all dependencies", product.packages.join(" and ")));
        let packages = apt.download(product.packages, lock, tell)?;
        tell(&format!("unpacking {} packages", packages.len()));
        let new = home.installations_dir().join(".new");
        remove_tree(&new)?;
        fs::create_dir(&new).map_err(FileError::at("create", &new))?;
        for package in &packages {
            run(Command::new(&dpkg).arg("-x").arg(package).arg(&new))?;
        }
        let installed = move_in(home, &new)?;
        remove_tree(&apt_dir)?;
        return Ok(installed);
    }
    Err(InstallError::NotOffered {
        title: product.title,
        flavour: product.flavour.name(),
        version: version.unwrap_or_default().to_owned(),
        there_are: if seen.is_empty() { "none".to_owned() } else { seen.join(" and ") },
    })
}

/// Gives the unpacked tree its final name. The record that makes it an installation is written last.
fn move_in(home: &Home, new: &Path) -> Result<Installation, InstallError> {
    let found = basedir::inspect(new)?;
    let version = found.version.clone();
    let top = home.installations_dir().join(format!("{}-{version}", found.flavour.name()));
    remove_tree(&top)?;
    fs::rename(new, &top).map_err(FileError::at("create", &top))?;
    let installed = Installation { is_own: true, ..basedir::inspect(&top)? };
    let record = Record { format: 1, flavour: installed.flavour, version };
    write_json(&top.join("installation.json"), &record)?;
    Ok(installed)
}

/// The address without `user:password@`.
fn without_credentials(uri: &str) -> String {
    match (uri.split_once("://"), uri.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, rest))) => format!("{scheme}://{rest}"),
        _ => uri.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_told_without_credentials() {
        assert_eq!(without_credentials("http://u:p@mirror.example/debian"), "http://mirror.example/debian");
        assert_eq!(without_credentials("http://mirror.example/debian"), "http://mirror.example/debian");
    }
}
