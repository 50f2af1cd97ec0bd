//! The volume as a FUSE file system: what the kernel asks (fuse(4)), in the words of the volume.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use fuser::{
    BsdFileFlags, FileHandle, Filesystem, FopenFlags, Generation, INodeNo, InitFlags, KernelConfig,
    LockOwner, OpenFlags, RenameFlags, ReplyAttr, ReplyCreate, ReplyData, ReplyDirectory, ReplyEmpty,
    ReplyEntry, ReplyOpen, ReplyStatfs, ReplyWrite, Request, TimeOrNow, WriteFlags,
};
use rustix::fs::OFlags;
use rustix::io::Errno;

use crate::change::{Attributes, Inode, Place};
use crate::lock::guard;
use crate::namespace::{Kind, Namespace};
use crate::objects::{Answer, ObjectFiles};
use crate::reply::{
    REMEMBERED, attr, attributes, empty, entry, errno, file_type, flags_of, open_flags, place,
};
use crate::store::{LONGEST_NAME, check_name};
use crate::volume::{FileKind, Stat, Volume, WriteMode};

/// Largest write that the kernel sends in one request, bytes.
const LARGEST_WRITE: u32 = 1 << 20;

/// Bits of a mode that are not the type (inode(7)).
const PERMISSIONS: u32 = 0o7777;
/// Bits of a mode that are the type.
const TYPE: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;
/// The set-group-ID bit.
const SET_GROUP: u16 = 0o2000;
/// Bits of the mode of fallocate(2).
const FALLOC_KEEP_SIZE: i32 = 1;
const FALLOC_PUNCH_HOLE: i32 = 2;
const FALLOC_ZERO_RANGE: i32 = 16;

type Listing = Arc<Vec<(OsString, Inode, FileKind)>>;

/// The FUSE side of a disk.
#[derive(Debug)]
pub(crate) struct DiskFilesystem {
    volume: Arc<Volume<ObjectFiles>>,
    /// Listings of open directories, as of when they were opened or rewound.
    listings: Mutex<HashMap<u64, Listing>>,
    next_listing: AtomicU64,
}

impl DiskFilesystem {
    pub(crate) fn new(volume: Arc<Volume<ObjectFiles>>) -> Self {
        Self { volume, listings: Mutex::default(), next_listing: AtomicU64::new(1) }
    }

    /// Attributes of a new inode: the group is that of a directory with the set-group-ID bit (open(2)).
    fn new_attributes(&self, request: &Request, parent: INodeNo, mode: u32) -> Answer<Attributes> {
        let above = self.volume.stat(parent.0)?.attributes;
        let gid = if above.mode & SET_GROUP != 0 { above.gid } else { request.gid() };
        Ok(Attributes { mode: (mode & PERMISSIONS) as u16, uid: request.uid(), gid })
    }

    fn make(&self, request: &Request, place: Answer<Place>, kind: Kind, mode: u32) -> Answer<Stat> {
        let place = place?;
        let parent = INodeNo(place.0);
        let mut attributes = self.new_attributes(request, parent, mode)?;
        if matches!(kind, Kind::Directory { .. }) {
            attributes.mode |= self.volume.stat(parent.0)?.attributes.mode & SET_GROUP;
        }
        self.volume.make(place, kind, attributes)
    }

    fn change_attributes(
        &self,
        inode: Inode,
        (mode, uid, gid): (Option<u32>, Option<u32>, Option<u32>),
        size: Option<u64>,
    ) -> Answer<Stat> {
        if let Some(size) = size {
            self.volume.resize(inode, size)?;
        }
        if mode.is_some() || uid.is_some() || gid.is_some() {
            self.volume.set(inode, |old| Attributes {
                mode: mode.map_or(old.mode, |mode| (mode & PERMISSIONS) as u16),
                uid: uid.unwrap_or(old.uid),
                gid: gid.unwrap_or(old.gid),
            })?;
        }
        self.volume.stat(inode)
    }

    fn listing(&self, handle: FileHandle, inode: Inode, offset: u64) -> Answer<Listing> {
        let known = guard(&self.listings).get(&handle.0).map(Arc::clone);
        if offset > 0
            && let Some(known) = known
        {
            return Ok(known);
        }
        let listing = Arc::new(self.volume.list(inode)?);
        guard(&self.listings).insert(handle.0, Arc::clone(&listing));
        Ok(listing)
    }

    fn allocate(&self, inode: Inode, (offset, length): (u64, u64), mode: i32) -> Answer<()> {
        let end = offset.checked_add(length).filter(|end| *end <= i64::MAX as u64).ok_or(Errno::FBIG)?;
        let keep_size = mode & FALLOC_KEEP_SIZE != 0;
        match mode & !FALLOC_KEEP_SIZE {
            0 => self.volume.allocate(inode, offset, end, keep_size),
            FALLOC_ZERO_RANGE => self.volume.zero(inode, offset, end, keep_size),
            FALLOC_PUNCH_HOLE if keep_size => self.volume.zero(inode, offset, end, true),
            _ => Err(Errno::OPNOTSUPP),
        }
    }
}

// What is not here, the kernel does itself or answers with an error: locks, extended attributes, ioctl, SEEK_HOLE.
impl Filesystem for DiskFilesystem {
    fn init(&mut self, _request: &Request, config: &mut KernelConfig) -> std::io::Result<()> {
        let wanted = InitFlags::FUSE_ASYNC_DIO
            | InitFlags::FUSE_PARALLEL_DIROPS
            | InitFlags::FUSE_DIRECT_IO_ALLOW_MMAP;
        // Of these, those that this kernel has.
        let _ = config.add_capabilities(wanted & config.capabilities());
        let _ = config.set_max_write(LARGEST_WRITE);
        let _ = config.set_max_background(64);
        Ok(())
    }

    fn lookup(&self, _request: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        entry(reply, check_name(name).and_then(|()| self.volume.lookup(parent.0, name)));
    }

    fn getattr(&self, _request: &Request, inode: INodeNo, _: Option<FileHandle>, reply: ReplyAttr) {
        attr(reply, self.volume.stat(inode.0));
    }

    fn setattr(
        &self,
        _request: &Request,
        inode: INodeNo,
        mode: Option<u32>,
        uid: Option<u32>,
        gid: Option<u32>,
        size: Option<u64>,
        _atime: Option<TimeOrNow>,
        _mtime: Option<TimeOrNow>,
        _ctime: Option<SystemTime>,
        _handle: Option<FileHandle>,
        _crtime: Option<SystemTime>,
        _chgtime: Option<SystemTime>,
        _bkuptime: Option<SystemTime>,
        _flags: Option<BsdFileFlags>,
        reply: ReplyAttr,
    ) {
        attr(reply, self.change_attributes(inode.0, (mode, uid, gid), size));
    }

    fn readlink(&self, _request: &Request, inode: INodeNo, reply: ReplyData) {
        match self.volume.read_link(inode.0) {
            Ok(target) => reply.data(target.as_encoded_bytes()),
            Err(error) => reply.error(errno(error)),
        }
    }

    fn mknod(
        &self,
        request: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        _umask: u32,
        _device: u32,
        reply: ReplyEntry,
    ) {
        const FIFO: u32 = 0o010_000;
        const SOCKET: u32 = 0o140_000;
        let answer = match mode & TYPE {
            REGULAR => place(parent, name).and_then(|place| {
                let attributes = self.new_attributes(request, parent, mode)?;
                self.volume.create(place, attributes, false)
            }),
            bits @ (FIFO | SOCKET) => self.make(request, place(parent, name), Kind::Special(bits), mode),
            _ => Err(Errno::PERM),
        };
        entry(reply, answer);
    }

    fn mkdir(
        &self,
        request: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        _umask: u32,
        reply: ReplyEntry,
    ) {
        entry(reply, self.make(request, place(parent, name), Namespace::directory(parent.0), mode));
    }

    fn unlink(&self, _request: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        empty(reply, place(parent, name).and_then(|place| self.volume.unlink(place)));
    }

    fn rmdir(&self, _request: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        empty(reply, place(parent, name).and_then(|place| self.volume.rmdir(place)));
    }

    fn symlink(&self, request: &Request, parent: INodeNo, name: &OsStr, target: &Path, reply: ReplyEntry) {
        const ALL: u32 = 0o777;
        entry(reply, self.make(request, place(parent, name), Kind::Symlink(target.into()), ALL));
    }

    fn rename(
        &self,
        _request: &Request,
        parent: INodeNo,
        name: &OsStr,
        new_parent: INodeNo,
        new_name: &OsStr,
        flags: RenameFlags,
        reply: ReplyEmpty,
    ) {
        let rename = || {
            if !RenameFlags::RENAME_NOREPLACE.contains(flags) {
                return Err(Errno::INVAL);
            }
            self.volume.rename(place(parent, name)?, place(new_parent, new_name)?, !flags.is_empty())
        };
        empty(reply, rename());
    }

    fn link(
        &self,
        _request: &Request,
        inode: INodeNo,
        new_parent: INodeNo,
        new_name: &OsStr,
        reply: ReplyEntry,
    ) {
        entry(reply, place(new_parent, new_name).and_then(|place| self.volume.link(inode.0, place)));
    }

    fn open(&self, _request: &Request, inode: INodeNo, flags: OpenFlags, reply: ReplyOpen) {
        match self.volume.open(inode.0) {
            Ok(()) => reply.opened(FileHandle(0), open_flags(flags_of(flags))),
            Err(error) => reply.error(errno(error)),
        }
    }

    fn create(
        &self,
        request: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        _umask: u32,
        flags: i32,
        reply: ReplyCreate,
    ) {
        let create = || {
            let place = place(parent, name)?;
            self.volume.create(place, self.new_attributes(request, parent, mode)?, true)
        };
        match create() {
            Ok(stat) => {
                let open = open_flags(flags_of(OpenFlags(flags)));
                reply.created(&REMEMBERED, &attributes(&stat), Generation(0), FileHandle(0), open);
            }
            Err(error) => reply.error(errno(error)),
        }
    }

    fn read(
        &self,
        _request: &Request,
        inode: INodeNo,
        _handle: FileHandle,
        offset: u64,
        size: u32,
        _flags: OpenFlags,
        _owner: Option<LockOwner>,
        reply: ReplyData,
    ) {
        match self.volume.read(inode.0, offset, size as usize) {
            Ok(bytes) => reply.data(&bytes),
            Err(error) => reply.error(errno(error)),
        }
    }

    fn write(
        &self,
        _request: &Request,
        inode: INodeNo,
        _handle: FileHandle,
        offset: u64,
        data: &[u8],
        _write_flags: WriteFlags,
        flags: OpenFlags,
        _owner: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        let flags = flags_of(flags);
        let mode = WriteMode {
            direct: flags.contains(OFlags::DIRECT),
            sync: flags.contains(OFlags::DSYNC),
            sync_all: flags.contains(OFlags::SYNC),
        };
        match self.volume.write(inode.0, offset, data, mode) {
            Ok(()) => reply.written(data.len() as u32),
            Err(error) => reply.error(errno(error)),
        }
    }

    fn release(
        &self,
        _request: &Request,
        inode: INodeNo,
        _handle: FileHandle,
        _flags: OpenFlags,
        _owner: Option<LockOwner>,
        _flush: bool,
        reply: ReplyEmpty,
    ) {
        empty(reply, self.volume.release(inode.0));
    }

    fn fsync(
        &self,
        _request: &Request,
        inode: INodeNo,
        _handle: FileHandle,
        data_only: bool,
        reply: ReplyEmpty,
    ) {
        empty(reply, self.volume.sync(inode.0, data_only));
    }

    fn opendir(&self, _request: &Request, inode: INodeNo, _flags: OpenFlags, reply: ReplyOpen) {
        match self.volume.stat(inode.0) {
            Ok(_) => {
                let handle = self.next_listing.fetch_add(1, Ordering::Relaxed);
                reply.opened(FileHandle(handle), FopenFlags::empty());
            }
            Err(error) => reply.error(errno(error)),
        }
    }

    fn readdir(
        &self,
        _request: &Request,
        inode: INodeNo,
        handle: FileHandle,
        offset: u64,
        mut reply: ReplyDirectory,
    ) {
        match self.listing(handle, inode.0, offset) {
            Ok(listing) => {
                let rest = listing.iter().zip(1..).skip(offset as usize);
                for ((name, inode, kind), next) in rest {
                    if reply.add(INodeNo(*inode), next, file_type(*kind), name) {
                        break;
                    }
                }
                reply.ok();
            }
            Err(error) => reply.error(errno(error)),
        }
    }

    fn releasedir(
        &self,
        _request: &Request,
        _inode: INodeNo,
        handle: FileHandle,
        _flags: OpenFlags,
        reply: ReplyEmpty,
    ) {
        guard(&self.listings).remove(&handle.0);
        reply.ok();
    }

    fn fsyncdir(
        &self,
        _request: &Request,
        inode: INodeNo,
        _handle: FileHandle,
        _data_only: bool,
        reply: ReplyEmpty,
    ) {
        empty(reply, self.volume.sync_directory(inode.0));
    }

    fn statfs(&self, _request: &Request, _inode: INodeNo, reply: ReplyStatfs) {
        match self.volume.space() {
            Ok(space) => {
                let block = space.block as u32;
                let name = LONGEST_NAME as u32;
                reply.statfs(
                    space.blocks,
                    space.free,
                    space.available,
                    space.files,
                    space.files_free,
                    block,
                    name,
                    block,
                );
            }
            Err(error) => reply.error(errno(error)),
        }
    }

    fn fallocate(
        &self,
        _request: &Request,
        inode: INodeNo,
        _handle: FileHandle,
        offset: u64,
        length: u64,
        mode: i32,
        reply: ReplyEmpty,
    ) {
        empty(reply, self.allocate(inode.0, (offset, length), mode));
    }
}
