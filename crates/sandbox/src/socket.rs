//! The Unix socket of a server, also where its directory's path is too long for one.
//!
//! The kernel takes 107 bytes. The server gets around that with a path relative to its data directory, where it works; clients in
//! this process with a path through an open descriptor of the directory.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::FileError;

/// Longest path of a Unix socket, bytes (`sun_path` less its final zero).
const PATH_MAX_BYTES: usize = 107;

/// The path of a server's socket, seen from both sides.
#[derive(Debug, Clone)]
pub(crate) struct Socket {
    path: PathBuf,
    /// The open directory, where the path is too long.
    dir: Option<Arc<File>>,
}

impl Socket {
    /// The socket of the server in `dir`, which must exist.
    pub fn in_dir(dir: &Path) -> Result<Self, FileError> {
        let path = dir.join("mysql.sock");
        let dir = if is_short(&path) {
            None
        } else {
            Some(Arc::new(File::open(dir).map_err(FileError::at("open", dir))?))
        };
        Ok(Self { path, dir })
    }

    /// `socket=` of the server, whose working directory is its data directory.
    pub fn server_side(&self) -> &str {
        match self.dir {
            None => self.path.to_str().unwrap_or("../mysql.sock"),
            Some(_) => "../mysql.sock",
        }
    }

    /// The path to connect to from this process, for as long as this value lives.
    pub fn client_side(&self) -> PathBuf {
        match &self.dir {
            None => self.path.clone(),
            Some(dir) => PathBuf::from(format!("/proc/self/fd/{}/mysql.sock", dir.as_raw_fd())),
        }
    }

    /// The path for other processes of this user.
    pub fn others_side(&self) -> PathBuf {
        match &self.dir {
            None => self.path.clone(),
            Some(dir) => format!("/proc/{}/fd/{}/mysql.sock", std::process::id(), dir.as_raw_fd()).into(),
        }
    }
}

/// True if a socket can have this path.
pub(crate) fn is_short(path: &Path) -> bool {
    path.as_os_str().as_bytes().len() <= PATH_MAX_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::{UnixListener, UnixStream};

    #[test]
    fn a_socket_deep_down_can_be_reached() {
        let top = tempfile::tempdir().unwrap();
        let deep = top.path().join("d".repeat(120));
        std::fs::create_dir(&deep).unwrap();
        let socket = Socket::in_dir(&deep).unwrap();
        assert_eq!(socket.server_side(), "../mysql.sock");
        let _listener = UnixListener::bind(socket.client_side()).unwrap();
        assert!(deep.join("mysql.sock").exists());
        assert!(UnixStream::connect(socket.client_side()).is_ok());
        assert!(UnixStream::connect(socket.others_side()).is_ok());
    }

    #[test]
    fn a_short_path_is_used_as_it_is() {
        let top = tempfile::tempdir().unwrap();
        let socket = Socket::in_dir(top.path()).unwrap();
        assert_eq!(socket.client_side(), top.path().join("mysql.sock"));
        assert_eq!(socket.server_side(), socket.client_side().to_str().unwrap());
    }
}
