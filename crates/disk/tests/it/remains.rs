//! What a killed process leaves mounted.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use disk::{Disk, NamespaceSync, unmount_remains};
use model::DiskKind;
use tempfile::TempDir;

use crate::common::needs_disk;

/// Where the holder mounts.
const PLACE: &str = "MYDYNO_DISK_HOLDER";

/// For the test below: has a disk until it is killed.
#[test]
#[ignore = "run by another test"]
fn holder() {
    let Some(place) = std::env::var_os(PLACE) else { return };
    let _disk = Disk::mount(Path::new(&place), DiskKind::Volatile, NamespaceSync::Journaled).unwrap();
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

fn start_holder(place: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "remains::holder", "--ignored", "--nocapture"]).env(PLACE, place);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn is_mounted(place: &Path) -> bool {
    let text = fs::read_to_string("/proc/self/mountinfo").unwrap();
    text.lines().any(|line| line.split(' ').nth(4) == place.to_str())
}

#[test]
fn remains_of_a_killed_process_are_unmounted() {
    needs_disk!();
    let home = TempDir::new().unwrap();
    let place = home.path().canonicalize().unwrap().join("data");
    fs::create_dir(&place).unwrap();
    let mut holder = start_holder(&place);
    let deadline = Instant::now() + Duration::from_secs(20);
    while !is_mounted(&place) {
        assert!(Instant::now() < deadline, "a holder mounts a disk");
        thread::sleep(Duration::from_millis(20));
    }
    fs::write(place.join("file"), "x").unwrap();
    assert!(unmount_remains(home.path()).is_empty(), "its process lives");
    assert!(is_mounted(&place));
    holder.kill().unwrap();
    holder.wait().unwrap();
    assert!(is_mounted(&place), "the kernel keeps the mount");
    let elsewhere = TempDir::new().unwrap();
    assert!(unmount_remains(elsewhere.path()).is_empty());
    assert_eq!(unmount_remains(home.path()), std::slice::from_ref(&place));
    assert!(!is_mounted(&place));
    assert!(home.path().join("data.disk").exists(), "what is in it is for whoever wants it");
}
