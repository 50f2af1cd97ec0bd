//! What a power cut leaves of directories.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};

use disk::{Losses, NamespaceSync};
use model::DiskKind;
use rustix::fs::{CWD, RenameFlags};
use rustix::io::Errno;

use crate::common::{Mounted, mounted, needs_disk, sync_directory, volatile, write};

fn strict() -> Mounted {
    mounted(DiskKind::Volatile, NamespaceSync::Strict)
}

#[test]
fn strictly_a_name_is_durable_by_an_fsync_of_its_directory() {
    needs_disk!();
    let on = strict();
    write(&on.file("new"), b"new").sync_all().unwrap();
    assert_eq!(on.names_after_cut(), ["old", "sub/old"]);
    let on = strict();
    drop(write(&on.file("new"), b"new"));
    sync_directory(&on.path);
    let (left, _) = on.cut(&Losses::all());
    assert_eq!(left["new"], b"", "its name, and nothing of its content");
}

#[test]
fn in_a_journal_earlier_changes_come_first() {
    needs_disk!();
    let on = volatile();
    drop(write(&on.file("first"), b"first"));
    fs::create_dir(on.file("sub/deep")).unwrap();
    write(&on.file("sub/deep/new"), b"new").sync_data().unwrap();
    drop(write(&on.file("later"), b"later"));
    let (left, report) = on.cut(&Losses::all());
    assert_eq!(left.keys().collect::<Vec<_>>(), ["first", "old", "sub/deep/new", "sub/old"]);
    assert_eq!((&left["first"][..], &left["sub/deep/new"][..]), (&b""[..], &b"new"[..]));
    assert_eq!(report.namespace_operations_lost, 1);
}

#[test]
fn in_a_journal_fdatasync_of_the_same_size_commits_nothing() {
    needs_disk!();
    for with_metadata in [false, true] {
        let on = volatile();
        let file = write(&on.file("old"), b"OLD");
        drop(write(&on.file("new"), b"new"));
        if with_metadata { file.sync_all() } else { file.sync_data() }.unwrap();
        let (left, _) = on.cut(&Losses::all());
        assert_eq!(left["old"], b"OLD");
        assert_eq!(left.contains_key("new"), with_metadata);
    }
}

#[test]
fn a_removal_that_is_not_durable_is_undone() {
    needs_disk!();
    for sync in [NamespaceSync::Strict, NamespaceSync::Journaled] {
        let on = mounted(DiskKind::Volatile, sync);
        fs::remove_file(on.file("old")).unwrap();
        fs::remove_file(on.file("sub/old")).unwrap();
        fs::remove_dir(on.file("sub")).unwrap();
        let (left, _) = on.cut(&Losses::all());
        assert_eq!((&left["old"][..], &left["sub/old"][..]), (&b"old"[..], &b"old"[..]));
        let on = mounted(DiskKind::Volatile, sync);
        fs::remove_file(on.file("old")).unwrap();
        sync_directory(&on.path);
        assert_eq!(on.names_after_cut(), ["sub/old"]);
    }
}

#[test]
fn a_rename_is_one_step() {
    needs_disk!();
    for flush in [false, true] {
        let on = strict();
        write(&on.file("new"), b"new").sync_all().unwrap();
        sync_directory(&on.path);
        fs::rename(on.file("new"), on.file("old")).unwrap();
        assert_eq!(fs::read(on.file("old")).unwrap(), b"new");
        if flush {
            sync_directory(&on.path);
        }
        let (left, _) = on.cut(&Losses::all());
        assert_eq!(left["old"], if flush { b"new" } else { b"old" });
        assert_eq!(left.contains_key("new"), !flush);
    }
    let on = strict();
    fs::rename(on.file("sub/old"), on.file("moved")).unwrap();
    sync_directory(&on.file("sub"));
    assert_eq!(on.names_after_cut(), ["moved", "old"], "either of the two directories");
}

#[test]
fn renames_may_refuse_to_replace() {
    needs_disk!();
    let on = volatile();
    let rename =
        |from: &str, to: &str, flags| rustix::fs::renameat_with(CWD, on.file(from), CWD, on.file(to), flags);
    assert_eq!(rename("old", "sub/old", RenameFlags::NOREPLACE), Err(Errno::EXIST));
    assert_eq!(rename("old", "sub/new", RenameFlags::NOREPLACE), Ok(()));
    assert_eq!(rename("sub/old", "sub/new", RenameFlags::EXCHANGE), Err(Errno::INVAL));
    assert_eq!(rename("sub", "sub/x", RenameFlags::empty()), Err(Errno::INVAL));
}

#[test]
fn a_removed_file_that_is_open_goes_on() {
    needs_disk!();
    let on = volatile();
    let file = write(&on.file("temporary"), b"first");
    fs::remove_file(on.file("temporary")).unwrap();
    file.write_all_at(b"second", 0).unwrap();
    file.sync_all().unwrap();
    let mut content = [0; 6];
    file.read_exact_at(&mut content, 0).unwrap();
    assert_eq!(&content, b"second");
    assert_eq!(file.metadata().unwrap().nlink(), 0);
    drop(file);
    on.disk.unmount().unwrap();
    assert!(!on.path.join("temporary").exists());
}

#[test]
fn permissions_are_durable_with_their_file() {
    needs_disk!();
    for flush in [false, true] {
        let on = strict();
        let file = write(&on.file("old"), b"OLD");
        file.set_permissions(fs::Permissions::from_mode(0o600)).unwrap();
        if flush {
            file.sync_all().unwrap();
        }
        drop(file);
        let path = on.file("old");
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        let Mounted { disk, home, .. } = on;
        disk.cut_power();
        disk.after_cut(&Losses::all()).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777 == 0o600, flush);
        drop(home);
    }
}
