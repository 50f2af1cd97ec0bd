//! It is a file system like others, until the power fails.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::thread;

use disk::{Disk, DiskError, NamespaceSync};
use model::DiskKind;
use rustix::fs::{FallocateFlags, OFlags, fallocate, statvfs};

use crate::common::{needs_disk, open, plain, tree, volatile, write};

#[test]
fn a_clean_end_keeps_everything() {
    needs_disk!();
    for kind in DiskKind::ALL {
        let on = crate::common::mounted(kind, NamespaceSync::Strict);
        drop(write(&on.file("old"), b"newer"));
        fs::create_dir_all(on.file("a/b")).unwrap();
        drop(write(&on.file("a/b/c"), &[9; 5000]));
        fs::rename(on.file("a/b"), on.file("moved")).unwrap();
        fs::remove_file(on.file("sub/old")).unwrap();
        std::os::unix::fs::symlink("old", on.file("link")).unwrap();
        fs::hard_link(on.file("old"), on.file("second")).unwrap();
        let before = tree(&on.path);
        on.disk.unmount().unwrap();
        let after = plain(on.home.path(), &on.path);
        assert_eq!(after, before);
        assert_eq!(after.keys().collect::<Vec<_>>(), ["link", "moved/c", "old", "second"]);
        assert_eq!(fs::metadata(on.path.join("second")).unwrap().nlink(), 2);
        assert!(on.path.join("a").is_dir() && on.path.join("sub").is_dir());
    }
}

#[test]
fn ranges_are_allocated_zeroed_and_punched() {
    needs_disk!();
    let on = volatile();
    let file = write(&on.file("file"), &[1; 10_000]);
    fallocate(&file, FallocateFlags::KEEP_SIZE, 0, 50_000).unwrap();
    assert_eq!(file.metadata().unwrap().len(), 10_000);
    fallocate(&file, FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE, 1000, 100).unwrap();
    fallocate(&file, FallocateFlags::ZERO_RANGE, 9000, 3000).unwrap();
    fallocate(&file, FallocateFlags::empty(), 0, 13_000).unwrap();
    let expected = [&[1; 1000][..], &[0; 100], &[1; 7900], &[0; 4000]].concat();
    assert_eq!(fs::read(on.file("file")).unwrap(), expected);
    let more = fallocate(&file, FallocateFlags::empty(), 0, 1 << 50);
    assert_eq!(more, Err(rustix::io::Errno::NOSPC));
}

#[test]
fn it_has_the_room_of_the_disk_below() {
    needs_disk!();
    let on = volatile();
    let (here, below) = (statvfs(&on.path).unwrap(), statvfs(on.home.path()).unwrap());
    assert_eq!((here.f_blocks, here.f_frsize, here.f_namemax), (below.f_blocks, below.f_frsize, 255));
    assert!(here.f_bavail > 0 && here.f_bavail <= below.f_bavail + (64 << 20) / here.f_frsize);
}

#[test]
fn a_socket_in_the_data_directory_works() {
    needs_disk!();
    let on = volatile();
    let listener = UnixListener::bind(on.file("socket")).unwrap();
    assert!(fs::metadata(on.file("socket")).unwrap().file_type().is_socket());
    let client = UnixStream::connect(on.file("socket")).unwrap();
    listener.accept().unwrap();
    drop((client, listener));
    on.disk.unmount().unwrap();
    assert!(!on.path.join("socket").exists());
}

#[test]
fn writers_at_once_do_not_disturb_each_other() {
    needs_disk!();
    for flags in [OFlags::empty(), OFlags::DIRECT] {
        let on = volatile();
        let shared = open(&on.file("shared"), flags);
        thread::scope(|scope| {
            for writer in 0..8_u8 {
                let (shared, on) = (&shared, &on);
                scope.spawn(move || {
                    let own = open(&on.file(&format!("own{writer}")), flags);
                    for round in 0..50_u64 {
                        let bytes = [writer + 1; 4096];
                        shared.write_all_at(&bytes, (round * 8 + u64::from(writer)) * 4096).unwrap();
                        own.write_all_at(&bytes, round * 4096).unwrap();
                        if round % 5 == 0 {
                            own.sync_data().unwrap();
                            shared.sync_data().unwrap();
                        }
                    }
                });
            }
        });
        drop(shared);
        on.disk.unmount().unwrap();
        let content = fs::read(on.path.join("shared")).unwrap();
        assert_eq!(content.len(), 8 * 50 * 4096);
        for (number, page) in content.chunks(4096).enumerate() {
            assert!(page.iter().all(|byte| usize::from(*byte) == number % 8 + 1), "page {number}");
        }
        assert_eq!(fs::read(on.path.join("own3")).unwrap(), [4; 50 * 4096]);
    }
}

#[test]
fn names_that_are_removed_while_they_are_listed() {
    needs_disk!();
    let on = volatile();
    for number in 0..2000 {
        drop(write(&on.file(&format!("sub/{number}")), b""));
    }
    fs::remove_dir_all(on.file("sub")).unwrap();
    assert!(!on.file("sub").exists());
}

#[test]
fn a_disk_in_use_is_not_unmounted_silently() {
    needs_disk!();
    let on = volatile();
    let file = write(&on.file("old"), b"newer");
    assert!(matches!(on.disk.unmount(), Err(DiskError::Busy { .. })));
    assert_eq!(fs::read(on.path.join("old")).unwrap(), b"newer");
    assert!(file.write_all_at(b"x", 0).is_err(), "the open file is that of a disk without power");
}

#[test]
fn what_an_earlier_disk_left_is_not_overwritten() {
    needs_disk!();
    let on = volatile();
    on.disk.unmount().unwrap();
    fs::create_dir(on.home.path().join("data.disk")).unwrap();
    let again = Disk::mount(&on.path, DiskKind::Volatile, NamespaceSync::Strict);
    assert!(matches!(again, Err(DiskError::Remains { .. })));
    assert_eq!(fs::read(on.path.join("old")).unwrap(), b"old");
}
