//! An apt of our own: the machine's apt, with configuration, state and cache in a private directory.
//!
//! It resolves against an empty list of installed packages, so that it names every library down to the C library, and
//! it downloads and verifies without root. Nothing of the system's apt is read but where to fetch from and how (mirror,
//! proxy, credentials), and nothing of it is written. The machine's own hooks are left out: they would clean its cache.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use model::Advice;

use super::command::{need_program, run, run_apt};
use super::sources::Mirror;
use crate::error::{FileError, InstallError};
use crate::lock::Lock;
use crate::state::write_private;

/// Paths of Debian's keyring on a Debian system.
const KEYRINGS: &[&str] =
    &["/usr/share/keyrings/debian-archive-keyring.gpg", "/usr/share/keyrings/debian-archive-keyring.pgp"];

/// Advice for machines without apt.
fn elsewhere() -> Advice {
    Advice::line(
        "servers are fetched as Debian packages: on other systems use a build of your own, such as",
        "sandbox:mysql@/path/of/mysql",
    )
}

/// The private apt.
#[derive(Debug)]
pub(super) struct PrivateApt {
    dir: PathBuf,
    apt_get: PathBuf,
    apt_cache: PathBuf,
}

impl PrivateApt {
    /// Lays out the private directory `dir` for `suite` of `mirror`. Downloads of an earlier attempt are kept.
    pub fn new(dir: &Path, mirror: &Mirror, suite: &str) -> Result<Self, InstallError> {
        let apt_get = need_program("apt-get", "fetch a server", elsewhere)?;
        let apt_config = need_program("apt-config", "fetch a server", elsewhere)?;
        let apt_cache = need_program("apt-cache", "fetch a server", elsewhere)?;
        let keyring = keyring(mirror)?;
        for part in ["lists/partial", "cache/archives/partial"] {
            let path = dir.join(part);
            fs::create_dir_all(&path).map_err(FileError::at("create", &path))?;
        }
        write_private(&dir.join("status"), b"")?;
        let source = format!("deb [signed-by={}] {} {suite} main\n", keyring.display(), mirror.uri);
        write_private(&dir.join("sources.list"), source.as_bytes())?;
        let machine = run(Command::new(apt_config).arg("dump"))?;
        write_private(&dir.join("apt.conf"), configuration(dir, &machine).as_bytes())?;
        Ok(Self { dir: dir.to_owned(), apt_get, apt_cache })
    }

    /// Fetches the suite's list of packages.
    pub fn update(&self, lock: &Lock, tell: &mut dyn FnMut(&str)) -> Result<(), InstallError> {
        run_apt(self.get().arg("update"), Some(lock), tell).map(drop)
    }

    /// The version of the server that the package `name` holds, without Debian's epoch and revision; none: no such package.
    pub fn version_of(&self, name: &str) -> Result<Option<String>, InstallError> {
        let mut command = self.with_configuration(&self.apt_cache);
        // Says nothing of a package that is not there.
        let said = run(command.args(["madison", name]))?;
        let version =
            said.lines().find_map(|line| line.split('|').nth(1)).map(|version| upstream(version.trim()));
        Ok(version)
    }

    /// Downloads `packages` and everything they depend on; gives the package files.
    pub fn download(
        &self,
        packages: &[&str],
        lock: &Lock,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Vec<PathBuf>, InstallError> {
        let mut command = self.get();
        command.args(["install", "--yes", "--no-install-recommends", "--download-only"]).args(packages);
        run_apt(&mut command, Some(lock), tell)?;
        let archives = self.dir.join("cache/archives");
        let entries = fs::read_dir(&archives).map_err(FileError::at("read", &archives))?;
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|path| path.extension().is_some_and(|extension| extension == "deb"));
        files.sort();
        Ok(files)
    }

    fn get(&self) -> Command {
        let mut command = self.with_configuration(&self.apt_get);
        command.arg("--quiet");
        command
    }

    fn with_configuration(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("APT_CONFIG", self.dir.join("apt.conf")).env("LC_ALL", "C");
        command
    }
}

/// `11.8.6` of `1:11.8.6-0+deb13u1`.
fn upstream(version: &str) -> String {
    let version = version.split_once(':').map_or(version, |(_, version)| version);
    version.split(['-', '+', '~']).next().unwrap_or_default().to_owned()
}

fn keyring(mirror: &Mirror) -> Result<PathBuf, InstallError> {
    let named = mirror.keyring.clone();
    named.into_iter().chain(KEYRINGS.iter().map(PathBuf::from)).find(|path| path.is_file()).ok_or_else(|| {
        InstallError::Tool {
            program: KEYRINGS[0].to_owned(),
            purpose: "verify Debian's packages",
            remedy: Advice::line("install it", "apt-get install debian-archive-keyring"),
        }
    })
}

/// The private apt.conf: how this machine fetches (`machine` is its `apt-config dump`), and our own places.
fn configuration(dir: &Path, machine: &str) -> String {
    let mut text: String = machine
        .lines()
        .filter(|line| line.starts_with("Acquire::"))
        .map(|line| format!("{line}\n"))
        .collect();
    let place = |part: &str| dir.join(part).display().to_string();
    let own = [
        ("Dir::Etc::main", "/dev/null".to_owned()),
        ("Dir::Etc::parts", "/dev/null".to_owned()),
        ("Dir::Etc::preferences", "/dev/null".to_owned()),
        ("Dir::Etc::preferencesparts", "/dev/null".to_owned()),
        ("Dir::Etc::sourcelist", place("sources.list")),
        ("Dir::Etc::sourceparts", "-".to_owned()),
        ("Dir::State::lists", place("lists")),
        ("Dir::State::status", place("status")),
        ("Dir::State::extended_states", place("extended_states")),
        ("Dir::Cache", place("cache")),
        ("Dir::Log", place("log")),
        // Descriptions of graphical programs: megabytes that say nothing of servers.
        ("Acquire::IndexTargets::deb::DEP-11::DefaultEnabled", "false".to_owned()),
        // As root, apt would fetch as a user who cannot write into this directory.
        ("APT::Sandbox::User", "root".to_owned()),
    ];
    for (name, value) in own {
        text.push_str(&format!("{name} \"{value}\";\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_told_without_what_debian_adds() {
        assert_eq!(upstream("1:11.8.6-0+deb13u1"), "11.8.6");
        assert_eq!(upstream("1:11.8.9+ds-4"), "11.8.9");
        assert_eq!(upstream("9.7.4-2"), "9.7.4");
    }

    #[test]
    fn the_machines_ways_of_fetching_are_kept_and_its_hooks_are_not() {
        let machine = "APT \"\";\nAPT::Update::Post-Invoke:: \"rm -f /var/cache/apt/archives/*.deb\";\n\
                       Acquire \"\";\nAcquire::http::Proxy \"http://proxy.example:3128\";\nDir::Cache \"var/cache/apt\";\n";
        let text = configuration(Path::new("/h/apt"), machine);
        assert!(
            text.starts_with("Acquire::http::Proxy \"http://proxy.example:3128\";\nDir::Etc::main"),
            "{text}"
        );
        assert!(!text.contains("Post-Invoke") && text.contains("Dir::Cache \"/h/apt/cache\";"), "{text}");
    }
}
