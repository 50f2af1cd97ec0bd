//! What a power cut leaves of files.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;
use std::io::{Seek, Write};
use std::os::unix::fs::FileExt;
use std::thread;

use disk::{AtomicWrite, DiskError, Losses, NamespaceSync};
use model::DiskKind;
use rustix::fs::OFlags;
use rustix::io::Errno;

use crate::common::{Mounted, mounted, needs_disk, open, sync_directory, volatile, write};

#[test]
fn what_was_not_flushed_is_lost() {
    needs_disk!();
    let on = volatile();
    drop(write(&on.file("old"), b"newer"));
    drop(write(&on.file("new"), b"new"));
    assert_eq!(fs::read(on.file("old")).unwrap(), b"newer", "the server sees it");
    let (left, report) = on.cut(&Losses::all());
    assert_eq!(left["old"], b"old");
    assert!(!left.contains_key("new"));
    assert_eq!((report.dirty_files, report.dirty_bytes), (2, 8));
    assert_eq!((report.bytes_kept, report.bytes_lost), (0, 8));
    assert_eq!(report.namespace_operations_lost, 1);
}

#[test]
fn what_was_flushed_is_there() {
    needs_disk!();
    for sync in [NamespaceSync::Strict, NamespaceSync::Journaled] {
        let on = mounted(DiskKind::Volatile, sync);
        let mut file = write(&on.file("old"), b"flushed");
        file.sync_data().unwrap();
        file.write_all(b", and later").unwrap();
        let new = write(&on.file("sub/new"), &[7; 100_000]);
        new.sync_all().unwrap();
        sync_directory(&on.file("sub"));
        let (left, _) = on.cut(&Losses::all());
        assert_eq!(left["old"], b"flushed", "{sync:?}");
        assert_eq!(left["sub/new"], [7; 100_000], "{sync:?}");
    }
}

#[test]
fn synchronous_writes_are_durable() {
    needs_disk!();
    for flag in [OFlags::DSYNC, OFlags::SYNC] {
        let on = volatile();
        let mut file = open(&on.file("log"), flag);
        file.write_all(&[1; 700]).unwrap();
        assert_eq!(on.cut(&Losses::all()).0["log"], [1; 700]);
    }
}

/// A file of two blocks of twos, the first of which is overwritten directly with threes.
fn direct(kind: DiskKind) -> Vec<u8> {
    let on = mounted(kind, NamespaceSync::Journaled);
    let file = write(&on.file("pages"), &[2; 8192]);
    file.sync_all().unwrap();
    let file = open(&on.file("pages"), OFlags::DIRECT);
    // The kernel asks of the memory no alignment for FUSE.
    file.write_all_at(&[3; 4096], 0).unwrap();
    file.write_all_at(&[4; 4096], 8192).unwrap();
    let mut seen = vec![0; 12288];
    file.read_exact_at(&mut seen, 0).unwrap();
    assert_eq!(seen, [[3; 4096], [2; 4096], [4; 4096]].concat());
    assert_eq!(fs::read(on.file("pages")).unwrap(), seen, "past the page cache and through it");
    on.cut(&Losses::all()).0.remove("pages").unwrap_or_default()
}

#[test]
fn direct_writes_survive_on_a_protected_disk() {
    needs_disk!();
    assert_eq!(direct(DiskKind::Volatile), [2; 8192]);
    let survived = [[3; 4096], [2; 4096]].concat();
    assert_eq!(direct(DiskKind::Protected), survived, "without the size, which is metadata");
    assert_eq!(direct(DiskKind::Lying), [], "not even the name");
}

#[test]
fn a_lying_disk_loses_in_spite_of_fsync() {
    needs_disk!();
    let on = mounted(DiskKind::Lying, NamespaceSync::Strict);
    let file = write(&on.file("old"), b"flushed");
    file.sync_all().unwrap();
    sync_directory(&on.path);
    assert_eq!(on.cut(&Losses::all()).0["old"], b"old");
    let on = mounted(DiskKind::Lying, NamespaceSync::Strict);
    drop(write(&on.file("old"), b"written"));
    on.disk.unmount().unwrap();
    assert_eq!(fs::read(on.path.join("old")).unwrap(), b"written", "it writes at a clean end");
}

#[test]
fn a_truncation_is_durable_once_it_is_flushed() {
    needs_disk!();
    for flush in [false, true] {
        let on = volatile();
        let mut file = write(&on.file("long"), &[5; 10_000]);
        file.sync_all().unwrap();
        file.set_len(1000).unwrap();
        file.set_len(5000).unwrap();
        file.seek(std::io::SeekFrom::Start(4000)).unwrap();
        file.write_all(&[6; 10]).unwrap();
        let expected = [&[5; 1000][..], &[0; 3000], &[6; 10], &[0; 990]].concat();
        assert_eq!(fs::read(on.file("long")).unwrap(), expected);
        if flush {
            file.sync_data().unwrap();
        }
        let (left, _) = on.cut(&Losses::all());
        assert_eq!(left["long"], if flush { expected } else { vec![5; 10_000] });
    }
}

/// Many writes, of which the seed decides.
fn random_tree(
    seed: u64,
    unit: AtomicWrite,
) -> (std::collections::BTreeMap<String, Vec<u8>>, disk::CutReport) {
    let on = volatile();
    for number in 0..20_u8 {
        let file = write(&on.file(&format!("file{number}")), &[1; 40_000]);
        if number % 2 == 0 {
            file.sync_all().unwrap();
            file.write_all_at(&[2; 30_000], 0).unwrap();
        }
    }
    on.cut(&Losses::random(seed, unit))
}

#[test]
fn the_same_seed_leaves_the_same_files() {
    needs_disk!();
    for unit in [AtomicWrite::Sector, AtomicWrite::Page] {
        let (first, report) = random_tree(1, unit);
        assert_eq!((&first, report), (&random_tree(1, unit).0, random_tree(1, unit).1));
        assert_ne!(first, random_tree(2, unit).0);
        assert!(report.torn_pages > 0 && report.bytes_kept > 0 && report.bytes_lost > 0, "{report:?}");
        assert_eq!(report.bytes_kept + report.bytes_lost, report.dirty_bytes);
        let size = if unit == AtomicWrite::Sector { 512 } else { 4096 };
        for (name, content) in first.iter().filter(|(name, _)| name.starts_with("file")) {
            let is_whole = |part: &[u8]| part.iter().all(|byte| *byte == part[0]);
            let edge = 30_000 / size * size;
            let (before, after) = content.split_at(content.len().min(edge));
            assert!(before.chunks(size).all(is_whole), "{name}: a unit is never torn");
            assert!(after.iter().skip(size).all(|byte| [0, 1].contains(byte)));
        }
    }
}

#[test]
fn everything_fails_once_the_power_is_off() {
    needs_disk!();
    let on = volatile();
    let file = write(&on.file("old"), b"flushed");
    let Mounted { disk, path, home } = on;
    let before = std::time::Instant::now();
    let at = disk.cut_power();
    assert!(at >= before);
    let is_io = |error: std::io::Error| Errno::from_io_error(&error) == Some(Errno::IO);
    assert!(is_io(file.sync_all().unwrap_err()));
    assert!(is_io(file.write_all_at(b"x", 0).unwrap_err()));
    assert!(is_io(fs::write(path.join("new"), b"x").unwrap_err()));
    assert!(is_io(fs::create_dir(path.join("d")).unwrap_err()));
    drop(file);
    disk.after_cut(&Losses::all()).unwrap();
    assert_eq!(fs::read(home.path().join("data/old")).unwrap(), b"old");
}

#[test]
fn a_cut_waits_for_nobody() {
    needs_disk!();
    let on = volatile();
    let files: Vec<_> = (0..8).map(|number| open(&on.file(&format!("f{number}")), OFlags::empty())).collect();
    // What each file had when its last flush was acknowledged.
    let acknowledged: Vec<u64> = thread::scope(|scope| {
        let writer = |file: &std::fs::File| {
            let mut count = 0_u64;
            loop {
                let block = [(count % 250) as u8 + 1; 1000];
                let written = file.write_all_at(&block, count * 1000).and_then(|()| file.sync_data());
                if written.is_err() {
                    return count;
                }
                count += 1;
            }
        };
        let writers: Vec<_> = files.iter().map(|file| scope.spawn(move || writer(file))).collect();
        thread::sleep(std::time::Duration::from_millis(300));
        on.disk.cut_power();
        writers.into_iter().map(|writer| writer.join().unwrap()).collect()
    });
    drop(files);
    let (left, _) = on.cut(&Losses::random(3, AtomicWrite::Sector));
    for (number, count) in acknowledged.iter().enumerate() {
        let content = &left[&format!("f{number}")];
        assert!(
            *count > 0 && content.len() as u64 >= count * 1000,
            "{count} blocks, {} bytes",
            content.len()
        );
        for (block, bytes) in content.chunks(1000).take(*count as usize).enumerate() {
            assert!(bytes.iter().all(|byte| u64::from(*byte) == block as u64 % 250 + 1), "block {block}");
        }
    }
}

#[test]
fn a_disk_ends_as_its_power_is() {
    needs_disk!();
    let on = volatile();
    assert!(matches!(on.disk.after_cut(&Losses::all()), Err(DiskError::NotCut { .. })));
    let on = volatile();
    on.disk.cut_power();
    assert!(matches!(on.disk.unmount(), Err(DiskError::Cut { .. })));
    assert_eq!(fs::read(on.path.join("old")).unwrap(), b"old");
}
