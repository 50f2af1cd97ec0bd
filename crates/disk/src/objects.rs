//! The platter: the durable content of each file, by its inode number.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rustix::fs;
use rustix::io::Errno;

use crate::lock::guard;

/// The result of an operation: an error is the errno of the server's system call.
pub(crate) type Answer<T> = Result<T, Errno>;

/// Free and total space of a file system, in its blocks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Space {
    /// Size of a block, bytes.
    pub block: u64,
    pub blocks: u64,
    pub free: u64,
    pub available: u64,
    pub files: u64,
    pub files_free: u64,
}

/// The store of durable content. All methods take `&self`, since files are read and flushed concurrently.
pub(crate) trait Objects: Send + Sync {
    /// Makes the object of a new file, empty.
    fn create(&self, object: u64) -> Answer<()>;
    /// Fills the buffer; zeros beyond the end.
    fn read(&self, object: u64, offset: u64, buffer: &mut [u8]) -> Answer<()>;
    fn write(&self, object: u64, offset: u64, data: &[u8]) -> Answer<()>;
    /// Cuts it off, or extends it with zeros.
    fn resize(&self, object: u64, size: u64) -> Answer<()>;
    fn size(&self, object: u64) -> Answer<u64>;
    /// Implements fdatasync(2).
    fn sync(&self, object: u64) -> Answer<()>;
    fn remove(&self, object: u64) -> Answer<()>;
    fn space(&self) -> Answer<Space>;
}

/// Objects as files of a directory, each with its number for a name.
#[derive(Debug)]
pub(crate) struct ObjectFiles {
    directory: PathBuf,
    /// Open files, opened on demand. Some are closed when there are many, since the process has a limit.
    open: Mutex<HashMap<u64, Arc<File>>>,
}

impl ObjectFiles {
    /// Maximum number of files kept open.
    const OPEN: usize = 256;

    pub(crate) fn new(directory: PathBuf) -> Self {
        Self { directory, open: Mutex::default() }
    }

    pub(crate) fn path(&self, object: u64) -> PathBuf {
        self.directory.join(object.to_string())
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    fn file(&self, object: u64) -> Answer<Arc<File>> {
        if let Some(file) = guard(&self.open).get(&object) {
            return Ok(Arc::clone(file));
        }
        self.keep(object, OpenOptions::new().read(true).write(true).open(self.path(object)))
    }

    fn keep(&self, object: u64, file: std::io::Result<File>) -> Answer<Arc<File>> {
        let file = Arc::new(file.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?);
        let mut open = guard(&self.open);
        if open.len() >= Self::OPEN {
            open.clear();
        }
        open.insert(object, Arc::clone(&file));
        Ok(file)
    }
}

impl Objects for ObjectFiles {
    fn create(&self, object: u64) -> Answer<()> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(self.path(object));
        self.keep(object, file).map(drop)
    }

    fn read(&self, object: u64, mut offset: u64, mut buffer: &mut [u8]) -> Answer<()> {
        let file = self.file(object)?;
        while !buffer.is_empty() {
            match rustix::io::pread(&file, &mut *buffer, offset) {
                Ok(0) => {
                    buffer.fill(0);
                    return Ok(());
                }
                Ok(length) => {
                    buffer = &mut buffer[length..];
                    offset += length as u64;
                }
                Err(Errno::INTR) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn write(&self, object: u64, mut offset: u64, mut data: &[u8]) -> Answer<()> {
        let file = self.file(object)?;
        while !data.is_empty() {
            match rustix::io::pwrite(&file, data, offset) {
                Ok(length) => {
                    data = &data[length..];
                    offset += length as u64;
                }
                Err(Errno::INTR) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn resize(&self, object: u64, size: u64) -> Answer<()> {
        fs::ftruncate(self.file(object)?, size)
    }

    fn size(&self, object: u64) -> Answer<u64> {
        Ok(fs::fstat(self.file(object)?)?.st_size.unsigned_abs())
    }

    fn sync(&self, object: u64) -> Answer<()> {
        fs::fdatasync(self.file(object)?)
    }

    fn remove(&self, object: u64) -> Answer<()> {
        guard(&self.open).remove(&object);
        fs::unlink(self.path(object))
    }

    fn space(&self) -> Answer<Space> {
        let found = fs::statvfs(&self.directory)?;
        Ok(Space {
            block: found.f_frsize,
            blocks: found.f_blocks,
            free: found.f_bfree,
            available: found.f_bavail,
            files: found.f_files,
            files_free: found.f_ffree,
        })
    }
}
