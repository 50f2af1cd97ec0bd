//! Answers of the volume, in the words of the kernel.

use std::ffi::OsStr;
use std::time::{Duration, SystemTime};

use fuser::{
    FileAttr, FileType, FopenFlags, Generation, INodeNo, OpenFlags, ReplyAttr, ReplyEmpty, ReplyEntry,
};
use rustix::fs::OFlags;
use rustix::io::Errno;

use crate::change::{Attributes, Place};
use crate::objects::Answer;
use crate::overlay::PAGE;
use crate::store::check_name;
use crate::volume::{FileKind, Stat};

/// Time for which the kernel may cache names and attributes: all changes go through it.
pub(crate) const REMEMBERED: Duration = Duration::from_secs(3600);
pub(crate) fn place(parent: INodeNo, name: &OsStr) -> Answer<Place> {
    check_name(name)?;
    Ok((parent.0, name.to_owned()))
}

pub(crate) fn errno(error: Errno) -> fuser::Errno {
    fuser::Errno::from_i32(error.raw_os_error())
}

pub(crate) fn flags_of(flags: OpenFlags) -> OFlags {
    OFlags::from_bits_retain(flags.0 as u32)
}

/// Flags for an opened file: direct access past the page cache, concurrently at several offsets.
pub(crate) fn open_flags(flags: OFlags) -> FopenFlags {
    if flags.contains(OFlags::DIRECT) {
        FopenFlags::FOPEN_DIRECT_IO | FopenFlags::FOPEN_PARALLEL_DIRECT_WRITES
    } else {
        FopenFlags::empty()
    }
}

pub(crate) fn file_type(kind: FileKind) -> FileType {
    const SOCKET: u32 = 0o140_000;
    match kind {
        FileKind::File => FileType::RegularFile,
        FileKind::Directory => FileType::Directory,
        FileKind::Symlink => FileType::Symlink,
        FileKind::Special(SOCKET) => FileType::Socket,
        FileKind::Special(_) => FileType::NamedPipe,
    }
}

pub(crate) fn attributes(stat: &Stat) -> FileAttr {
    let Attributes { mode, uid, gid } = stat.attributes;
    FileAttr {
        ino: INodeNo(stat.inode),
        size: stat.size,
        blocks: stat.size.div_ceil(512),
        atime: stat.modified,
        mtime: stat.modified,
        ctime: stat.modified,
        crtime: SystemTime::UNIX_EPOCH,
        kind: file_type(stat.kind),
        perm: mode,
        nlink: stat.links,
        uid,
        gid,
        rdev: 0,
        blksize: PAGE as u32,
        flags: 0,
    }
}

pub(crate) fn entry(reply: ReplyEntry, answer: Answer<Stat>) {
    match answer {
        Ok(stat) => reply.entry(&REMEMBERED, &attributes(&stat), Generation(0)),
        Err(error) => reply.error(errno(error)),
    }
}

pub(crate) fn attr(reply: ReplyAttr, answer: Answer<Stat>) {
    match answer {
        Ok(stat) => reply.attr(&REMEMBERED, &attributes(&stat)),
        Err(error) => reply.error(errno(error)),
    }
}

pub(crate) fn empty(reply: ReplyEmpty, answer: Answer<()>) {
    match answer {
        Ok(()) => reply.ok(),
        Err(error) => reply.error(errno(error)),
    }
}
