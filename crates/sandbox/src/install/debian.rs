//! MySQL from Debian's unstable suite: downloaded, unpacked into a private prefix, run through that prefix's own loader.
//!
//! Debian's releases have no MySQL server, and the unstable one needs a newer C library than they have. So it is never
//! installed: nothing of the system changes, and no root is needed.

use std::fs;
use std::path::Path;
use std::process::Command;

use model::Flavour;

use super::apt::PrivateApt;
use super::{Installation, Record, basedir, need_program, run, sources};
use crate::copy::remove_tree;
use crate::error::{FileError, InstallError};
use crate::home::Home;
use crate::lock::Lock;
use crate::machine::require_space;
use crate::state::write_json;

const SUITE: &str = "sid";
const PACKAGES: &[&str] = &["mysql-server-core", "mysql-client-core"];
/// Package lists, packages and the unpacked tree, with some room.
const NEEDS_BYTES: u64 = 800 << 20;

/// Fetches MySQL, unless it was fetched before.
pub(super) fn install_mysql(home: &Home, tell: &mut dyn FnMut(&str)) -> Result<Installation, InstallError> {
    let _lock = Lock::take(&home.lock_path("install"))?;
    if let Some(found) = home.own_installations().into_iter().find(|i| i.flavour == Flavour::Mysql) {
        tell(&format!("MySQL {} is installed ({})", found.version, found.top.display()));
        return Ok(found);
    }
    require_space::<InstallError>(home.root(), NEEDS_BYTES, "fetching and unpacking MySQL")?;
    let mirror = sources::debian_mirror(Path::new("/etc/apt")).ok_or_else(|| InstallError::NoMirror {
        looked: "/etc/apt/sources.list and sources.list.d".to_owned(),
    })?;
    let dpkg = need_program("dpkg-deb", "unpack MySQL", "install it with: apt-get install dpkg")?;
    let apt_dir = home.root().join("apt");
    let apt = PrivateApt::new(&apt_dir, &mirror, SUITE)?;
    tell(&format!(
        "reading the package list of Debian's unstable suite from {}",
        without_credentials(&mirror.uri)
    ));
    apt.update()?;
    tell(&format!("downloading {} and what they need", PACKAGES.join(" and ")));
    let packages = apt.download(PACKAGES)?;
    tell(&format!("unpacking {} packages", packages.len()));
    let new = home.installations_dir().join(".new");
    remove_tree(&new)?;
    fs::create_dir(&new).map_err(FileError::at("create", &new))?;
    for package in &packages {
        run(Command::new(&dpkg).arg("-x").arg(package).arg(&new))?;
    }
    let installed = move_in(home, &new)?;
    remove_tree(&apt_dir)?;
    tell(&format!("MySQL {} is installed ({})", installed.version, installed.top.display()));
    Ok(installed)
}

/// Gives the unpacked tree its final name. The record that makes it an installation is written last.
fn move_in(home: &Home, new: &Path) -> Result<Installation, InstallError> {
    let version = basedir::inspect(new)?.version;
    let top = home.installations_dir().join(format!("mysql-{version}"));
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
