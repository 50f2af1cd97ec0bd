//! What the tests on real servers share: one home, into which servers are installed once, and small questions.

#![allow(dead_code, reason = "every test program uses its own part of this")]
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests fail by panicking and say what they do")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use model::{Flavour, Place, SandboxSpec};
use sandbox::{DATABASE, Home, Server};

/// Both of them.
pub const FLAVOURS: [Flavour; 2] = [Flavour::Mysql, Flavour::Mariadb];

/// Where the tests' home is: MYDYNO_TEST_HOME, or `test-home` in the target directory of the workspace.
pub fn home_path() -> PathBuf {
    match std::env::var_os("MYDYNO_TEST_HOME") {
        Some(path) => path.into(),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/test-home"),
    }
}

/// The tests' home, with a server of `flavour` in it.
pub fn home_with(flavour: Flavour) -> Home {
    let home = Home::open(&home_path()).unwrap();
    home.install(flavour, &mut |line| println!("{line}")).unwrap();
    home
}

/// Another home, at `root`, that has the servers of the tests' home.
pub fn home_at(root: &Path, flavour: Flavour) -> Home {
    home_with(flavour);
    std::fs::create_dir_all(root).unwrap();
    let installations = home_path().canonicalize().unwrap().join("installations");
    std::os::unix::fs::symlink(installations, root.join("installations")).unwrap();
    Home::open(root).unwrap()
}

/// A small sandbox with these settings besides.
pub fn spec(flavour: Flavour, settings: &[(&str, &str)]) -> SandboxSpec {
    let small =
        [("innodb_buffer_pool_size", "128M"), ("performance_schema", "OFF"), ("max_connections", "50")];
    let settings: BTreeMap<String, String> =
        small.iter().chain(settings).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    SandboxSpec::new(flavour, settings)
}

/// The first column of the first row of the answer.
pub fn ask(server: &Server, sql: &str) -> String {
    let mut client = wire::Client::connect(&server.connect_options(Some(DATABASE))).unwrap();
    let answer = client.query(sql).unwrap();
    answer.first().and_then(|row| row.text(0)).unwrap_or("NULL").to_owned()
}

/// Runs a statement.
pub fn tell(server: &Server, sql: &str) {
    wire::Client::connect(&server.connect_options(Some(DATABASE))).unwrap().execute(sql).unwrap();
}

/// True if a process of that id lives.
pub fn lives(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.trim().is_empty() && !rest.trim().starts_with('Z'))
}

/// Half a CPU's time.
pub fn half_a_cpu() -> Place {
    Place { cpu_quota: "0.5".parse().ok(), ..Place::default() }
}

/// False, with the reason printed, if this account may not make a control group.
pub fn may_make_groups(home: &Home) -> bool {
    match home.check_place(&half_a_cpu()) {
        Ok(()) => true,
        Err(error) => {
            println!("not shown here: {error}");
            false
        }
    }
}

/// The directories of all control groups that a server of that name has.
pub fn groups(name: &str) -> Vec<PathBuf> {
    fn walk(dir: &Path, end: &str, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                let is_it = entry.file_name().to_string_lossy().ends_with(end);
                found.extend(is_it.then(|| entry.path()));
                walk(&entry.path(), end, found);
            }
        }
    }
    let mut found = Vec::new();
    walk(Path::new("/sys/fs/cgroup"), &format!("-{name}"), &mut found);
    found
}

/// Stops and removes a lasting server when a test ends, however it ends.
pub struct Removed<'a>(pub &'a Home, pub &'a str);

impl Drop for Removed<'_> {
    fn drop(&mut self) {
        let _ = self.0.stop(self.1);
        let _ = self.0.remove(self.1);
    }
}
