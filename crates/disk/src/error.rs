//! Reasons there is no simulated disk.

use std::io;
use std::path::{Path, PathBuf};

use model::{Advice, Advise};
use thiserror::Error;

/// A simulated disk, or something about it, that cannot be had.
#[derive(Debug, Error)]
pub enum DiskError {
    /// The kernel has no FUSE, or this container does not see it.
    #[error("a simulated disk needs /dev/fuse, which does not exist on this machine")]
    NoFuse,
    /// FUSE exists, but this process may not use it.
    #[error("a simulated disk needs /dev/fuse, which this process may not open: {source}")]
    FuseDenied {
        /// The kernel's error.
        source: io::Error,
    },
    /// File systems may not be mounted.
    #[error("a simulated disk is a mounted file system, and this process may not mount any: {source}")]
    MountDenied {
        /// The kernel's error.
        source: io::Error,
    },
    /// The mount failed for another reason.
    #[error("the simulated disk cannot be mounted at {}: {source}", path.display())]
    Mount {
        /// The data directory.
        path: PathBuf,
        /// The kernel's error.
        source: io::Error,
    },
    /// Remains of an earlier disk.
    #[error("{} is left from a simulated disk that did not end, and may hold the data of its server", path.display())]
    Remains {
        /// The directory.
        path: PathBuf,
    },
    /// A process still has files open.
    #[error("the simulated disk at {} is in use and cannot be unmounted", path.display())]
    Busy {
        /// The data directory.
        path: PathBuf,
    },
    /// There was no power failure to recover from.
    #[error("the power of the simulated disk at {} is on", path.display())]
    NotCut {
        /// The data directory.
        path: PathBuf,
    },
    /// The power is off, and a clean end is not possible.
    #[error("the power of the simulated disk at {} is off", path.display())]
    Cut {
        /// The data directory.
        path: PathBuf,
    },
    /// A file below the disk.
    #[error("cannot {what} {}: {source}", path.display())]
    File {
        /// The operation that failed.
        what: &'static str,
        /// Path of the file or directory.
        path: PathBuf,
        /// The kernel's error.
        source: io::Error,
    },
}

impl DiskError {
    pub(crate) fn file(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::File { what, path, source }
    }

    pub(crate) fn of_mount(path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::PermissionDenied => Self::MountDenied { source },
            _ => Self::Mount { path: path.to_path_buf(), source },
        }
    }
}

impl Advise for DiskError {
    fn advice(&self) -> Vec<Advice> {
        let root = || Advice::words("run mydyno as root");
        let container = || {
            Advice::line(
                "give the container the device and the right",
                "docker run --device /dev/fuse --cap-add SYS_ADMIN ...",
            )
        };
        match self {
            Self::NoFuse => vec![Advice::line("load the kernel's module", "modprobe fuse"), container()],
            Self::FuseDenied { .. } | Self::MountDenied { .. } => vec![
                root(),
                Advice::line(
                    "or run it in namespaces of its own",
                    "unshare --user --map-root-user --mount mydyno ...",
                ),
                container(),
            ],
            Self::Remains { .. } => vec![Advice::words("remove the directory if its data are not needed")],
            Self::Busy { .. } => vec![Advice::words("end the processes that use it, and try again")],
            Self::NotCut { .. } => vec![Advice::words("cut its power first, or unmount it")],
            Self::Cut { .. } => vec![Advice::words("settle what the power cut took instead")],
            _ => Vec::new(),
        }
    }
}
