//! Disks to test, and what is on them.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests fail by panicking and say why they do not run"
)]

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use disk::{CutReport, Disk, Losses, NamespaceSync, check};
use model::{Advise, DiskKind};
use rustix::fs::OFlags;
use tempfile::TempDir;

/// False, with the reason on the screen, where this machine allows no disk.
pub fn is_possible() -> bool {
    static POSSIBLE: OnceLock<bool> = OnceLock::new();
    *POSSIBLE.get_or_init(|| match check() {
        Ok(()) => true,
        Err(error) => {
            eprintln!("skipped: {error}; {:?}", error.advice());
            false
        }
    })
}

/// Leaves the test where this machine allows no disk.
macro_rules! needs_disk {
    () => {
        if !crate::common::is_possible() {
            return;
        }
    };
}
pub(crate) use needs_disk;

/// A data directory with a disk.
pub struct Mounted {
    pub disk: Disk,
    pub path: PathBuf,
    pub home: TempDir,
}

/// A disk on which the file `old` has the content `old`, in the directory and in its subdirectory `sub`.
pub fn mounted(kind: DiskKind, sync: NamespaceSync) -> Mounted {
    let home = TempDir::new().unwrap();
    let path = home.path().join("data");
    fs::create_dir_all(path.join("sub")).unwrap();
    fs::write(path.join("old"), "old").unwrap();
    fs::write(path.join("sub/old"), "old").unwrap();
    let disk = Disk::mount(&path, kind, sync).unwrap();
    Mounted { disk, path, home }
}

pub fn volatile() -> Mounted {
    mounted(DiskKind::Volatile, NamespaceSync::Journaled)
}

impl Mounted {
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Cuts the power. What is left, as plain files, and what was lost.
    pub fn cut(self, losses: &Losses) -> (BTreeMap<String, Vec<u8>>, CutReport) {
        self.disk.cut_power();
        let report = self.disk.after_cut(losses).unwrap();
        (plain(self.home.path(), &self.path), report)
    }

    /// The names that are left after everything that was not flushed is lost.
    pub fn names_after_cut(self) -> Vec<String> {
        self.cut(&Losses::all()).0.into_keys().collect()
    }
}

/// Plain files below a directory, which is alone at its place.
pub fn plain(home: &Path, path: &Path) -> BTreeMap<String, Vec<u8>> {
    let beside: Vec<_> = fs::read_dir(home).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(beside, ["data"], "no store is left");
    assert_eq!(rustix::fs::stat(home).unwrap().st_dev, rustix::fs::stat(path).unwrap().st_dev, "no mount");
    tree(path)
}

/// All files below a directory, with their content, and empty directories.
pub fn tree(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![path.to_path_buf()];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let entry = entry.unwrap().path();
            if entry.is_dir() {
                waiting.push(entry);
            } else {
                let name = entry.strip_prefix(path).unwrap().to_string_lossy().into_owned();
                found.insert(name, fs::read(&entry).unwrap());
            }
        }
    }
    found
}

/// Opens a file to read and write, with more flags.
pub fn open(path: &Path, flags: OFlags) -> File {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).custom_flags(flags.bits() as i32);
    options.open(path).unwrap()
}

/// A file with this content, not flushed.
pub fn write(path: &Path, content: &[u8]) -> File {
    let mut file = open(path, OFlags::empty());
    file.write_all(content).unwrap();
    file
}

pub fn sync_directory(path: &Path) {
    File::open(path).unwrap().sync_all().unwrap();
}
