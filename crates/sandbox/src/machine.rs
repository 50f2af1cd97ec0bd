//! Limits of this machine: memory, open files, free disk space. Read once per use, never cached.

use std::path::Path;

use crate::error::{FileError, SpaceError};

/// The limits that size the generated my.cnf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Machine {
    /// Memory this process may use, bytes.
    pub memory_bytes: u64,
    /// Files a child may open.
    pub open_files: u64,
}

impl Machine {
    /// Reads memory (the smaller of the machine's and the cgroup's) and the hard limit of open files.
    pub fn read() -> Self {
        let total = std::fs::read_to_string("/proc/meminfo")
            .ok()
            .and_then(|text| meminfo_total(&text))
            .unwrap_or(4 << 30);
        let limits = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
        let cgroup = limits
            .iter()
            .filter_map(|path| std::fs::read_to_string(path).ok()?.trim().parse().ok())
            .min()
            .unwrap_or(u64::MAX);
        let open_files = rustix::process::getrlimit(rustix::process::Resource::Nofile).maximum;
        Self { memory_bytes: total.min(cgroup), open_files: open_files.unwrap_or(1 << 20) }
    }
}

fn meminfo_total(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// Bytes that this user can still write on the file system of `path`.
pub(crate) fn free_bytes(path: &Path) -> Result<u64, FileError> {
    let stat = rustix::fs::statvfs(path).map_err(FileError::call("ask for the free space of", path))?;
    Ok(stat.f_bavail.saturating_mul(stat.f_frsize))
}

/// Fails if `path`'s file system has not `needs_bytes` left.
pub(crate) fn require_space<E>(path: &Path, needs_bytes: u64, purpose: &str) -> Result<(), E>
where
    E: From<FileError> + From<SpaceError>,
{
    let free_bytes = free_bytes(path)?;
    if free_bytes < needs_bytes {
        let purpose = purpose.to_owned();
        return Err(SpaceError { purpose, path: path.to_owned(), needs_bytes, free_bytes }.into());
    }
    Ok(())
}

/// True if this process acts as root.
pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(test)]
mod tests {
    use model::Advise;

    use super::*;

    #[test]
    fn memory_is_read_from_meminfo() {
        assert_eq!(meminfo_total("MemTotal:       24683000 kB\nMemFree: 1 kB\n"), Some(24_683_000 * 1024));
        assert_eq!(meminfo_total("nothing"), None);
    }

    #[test]
    fn too_little_space_names_need_and_rest() {
        let error =
            require_space::<crate::StartError>(Path::new("/"), u64::MAX, "a data directory").unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("a data directory needs 16,384 PiB, only "), "{text}");
        assert!(error.advice()[0].what.contains("MYDYNO_HOME"), "{text}");
    }
}
