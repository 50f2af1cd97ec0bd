//! The disk as others see it: mounted under a data directory, until it is unmounted or its power is cut.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use fuser::{BackgroundSession, Config, MountOption, Session, SessionACL};
use model::DiskKind;
use rustix::io::Errno;
use rustix::mount::{UnmountFlags, unmount};

use crate::change::NamespaceSync;
use crate::error::DiskError;
use crate::filesystem::DiskFilesystem;
use crate::loss::{CutReport, Losses};
use crate::objects::ObjectFiles;
use crate::remains;
use crate::store::Store;
use crate::volume::Volume;

/// Threads that answer the kernel. One that flushes waits for the machine's own disk, and InnoDB flushes several files at once.
const THREADS: usize = 16;
/// Time limit for the kernel to close the files of a killed process.
const CLOSED_WITHIN: Duration = Duration::from_secs(5);

/// A simulated disk, mounted under a data directory.
///
/// Writes of a server are held in memory until the server flushes them: by fsync, fdatasync, `O_DSYNC` or `O_SYNC`
/// (fsync(2), open(2)). Dropping it is a clean [`unmount`](Self::unmount), or after a cut [`after_cut`](Self::after_cut)
/// with [`Losses::all`], whose errors are ignored.
#[derive(Debug)]
pub struct Disk {
    store: Store,
    volume: Arc<Volume<ObjectFiles>>,
    is_cut: AtomicBool,
    /// The FUSE session; none once it is unmounted.
    session: Option<BackgroundSession>,
}

impl Disk {
    /// Mounts a disk at a data directory. The directory's content becomes durable content of the disk: it is moved to `<data
    /// directory>.disk`, and the data directory is the disk until it is unmounted.
    ///
    /// # Errors
    /// This machine allows none, see [`check`]; the data directory cannot be moved; or an earlier disk left something there. The
    /// data directory is as it was.
    pub fn mount(data: &Path, kind: DiskKind, sync: NamespaceSync) -> Result<Self, DiskError> {
        check_device()?;
        let store = Store::beside(data)?;
        store.begin()?;
        let namespace = store.adopt()?;
        let volume = Arc::new(Volume::new(store.objects(), namespace, kind, sync));
        let session = Session::new(DiskFilesystem::new(Arc::clone(&volume)), &store.data, &configuration())
            .and_then(Session::spawn);
        match session {
            Ok(session) => Ok(Self { store, volume, is_cut: AtomicBool::new(false), session: Some(session) }),
            Err(error) => {
                volume.with_durable(|namespace| store.restore(namespace))?;
                Err(DiskError::of_mount(&store.data, error))
            }
        }
    }

    /// The kind of the disk.
    pub fn kind(&self) -> DiskKind {
        self.volume.kind()
    }

    /// The mount point.
    pub fn path(&self) -> &Path {
        &self.store.data
    }

    /// Makes everything written so far durable, like sync(2); also on a disk that ignores other flushes.
    ///
    /// # Errors
    /// A file below cannot be written.
    pub fn sync_all(&self) -> Result<(), DiskError> {
        self.volume.sync_all().map_err(|error| self.failed(error))
    }

    /// Cuts the power, and returns when that was: from then on nothing becomes durable, and every operation fails with EIO but
    /// those that the kernel answers from its own memory. A flush that was under way may be kept in part, and is not
    /// acknowledged. Returns at once, whatever the server does.
    pub fn cut_power(&self) -> Instant {
        self.volume.cut();
        self.is_cut.store(true, Ordering::SeqCst);
        Instant::now()
    }

    /// After [`cut_power`](Self::cut_power), once the server is gone: decides which unflushed writes survive, and leaves the
    /// disk's files as plain files in the data directory.
    ///
    /// # Errors
    /// The power was not cut, or a file below cannot be written.
    pub fn after_cut(mut self, losses: &Losses) -> Result<CutReport, DiskError> {
        if !self.is_cut.load(Ordering::SeqCst) {
            return Err(DiskError::NotCut { path: self.store.data.clone() });
        }
        self.end_cut(losses)
    }

    fn end_cut(&mut self, losses: &Losses) -> Result<CutReport, DiskError> {
        // Whoever still has files open gets EIO.
        self.detach(true)?;
        let settled = self.volume.settle_cut(losses);
        let report = settled.map_err(|error| self.failed(error))?;
        self.restore()?;
        Ok(report)
    }

    /// Unmounts it, for a clean shutdown: everything becomes durable, and is available as plain files in the data directory
    /// again.
    ///
    /// # Errors
    /// The power was cut, a process still uses it, or a file below cannot be written. Except for the last, what was written
    /// is in the data directory nevertheless: as after a cut with [`Losses::all`] in the first case, all of it in the second.
    pub fn unmount(mut self) -> Result<(), DiskError> {
        if self.is_cut.load(Ordering::SeqCst) {
            return Err(DiskError::Cut { path: self.store.data.clone() });
        }
        self.end_clean(false)
    }

    fn end_clean(&mut self, lazily: bool) -> Result<(), DiskError> {
        self.detach(lazily)?;
        let settled = self.volume.settle_all();
        // For processes that kept files open.
        self.volume.cut();
        settled.map_err(|error| self.failed(error))?;
        self.restore()
    }

    fn restore(&self) -> Result<(), DiskError> {
        self.volume.with_durable(|namespace| self.store.restore(namespace))
    }

    fn failed(&self, error: Errno) -> DiskError {
        DiskError::file("write the files of the simulated disk at", &self.store.data)(error.into())
    }

    /// Unmounts it from the directory. `lazily`: also if files are open, which then stay open (`MNT_DETACH`, umount(2)).
    fn detach(&mut self, lazily: bool) -> Result<(), DiskError> {
        let path = &self.store.data;
        let failed = |error: Errno| DiskError::file("unmount", path)(error.into());
        let deadline = Instant::now() + CLOSED_WITHIN;
        loop {
            match unmount(path, UnmountFlags::empty()) {
                Ok(()) => break,
                Err(Errno::BUSY) if Instant::now() < deadline => thread::sleep(Duration::from_millis(20)),
                Err(Errno::BUSY) if lazily => {
                    unmount(path, UnmountFlags::DETACH).map_err(failed)?;
                    // Its threads go on until the last file is closed.
                    self.session = None;
                    return Ok(());
                }
                Err(Errno::BUSY) => return Err(DiskError::Busy { path: path.clone() }),
                // Somebody else unmounted it.
                Err(Errno::INVAL) => {
                    self.session = None;
                    return Ok(());
                }
                // An ordinary user: fusermount3 does it.
                Err(Errno::PERM) => {
                    let ended = self.session.take().map_or(Ok(()), BackgroundSession::umount_and_join);
                    return ended.or_else(unless_aborted).map_err(DiskError::file("unmount", path));
                }
                Err(error) => return Err(failed(error)),
            }
        }
        // It is unmounted, and not to be unmounted again, since that might be another one by now.
        let ended = self.session.take().map_or(Ok(()), BackgroundSession::join);
        ended.or_else(unless_aborted).map_err(DiskError::file("unmount", path))
    }
}

/// The kernel ends the connection when the file system is unmounted. A thread that is just reading a request then, such as
/// the release of a file closed a moment ago, gets `ECONNABORTED` instead of `ENODEV` (`fuse_dev_do_read` in Linux's
/// fs/fuse/dev.c).
fn unless_aborted(error: io::Error) -> io::Result<()> {
    if error.kind() == ErrorKind::ConnectionAborted { Ok(()) } else { Err(error) }
}

impl Drop for Disk {
    fn drop(&mut self) {
        if self.session.is_none() {
            return;
        }
        let _ = if self.is_cut.load(Ordering::SeqCst) {
            self.end_cut(&Losses::all()).map(drop)
        } else {
            self.end_clean(true)
        };
    }
}

fn configuration() -> Config {
    let mut config = Config::default();
    config.mount_options =
        vec![MountOption::FSName(remains::source()), MountOption::DefaultPermissions, MountOption::NoAtime];
    // A server may run as another user, if this one may allow it.
    config.acl = if rustix::process::geteuid().is_root() { SessionACL::All } else { SessionACL::Owner };
    config.n_threads = Some(THREADS);
    config.clone_fd = true;
    config
}

/// Fails if this machine allows no simulated disk: mounts one for a moment, since there is no other way to find out.
///
/// # Errors
/// What is missing, with advice.
pub fn check() -> Result<(), DiskError> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    check_device()?;
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("mydyno-disk-check-{}-{number}", std::process::id()));
    std::fs::create_dir(&path).map_err(DiskError::file("make", &path))?;
    let answer = Disk::mount(&path, DiskKind::Volatile, NamespaceSync::Journaled).and_then(Disk::unmount);
    let _ = std::fs::remove_dir(&path);
    answer
}

/// An ordinary user needs the program that mounts for it; root does not.
fn check_device() -> Result<(), DiskError> {
    let opened = OpenOptions::new().read(true).write(true).open("/dev/fuse");
    opened.map(drop).map_err(|source| match source.kind() {
        ErrorKind::PermissionDenied => DiskError::FuseDenied { source },
        _ => DiskError::NoFuse,
    })
}
