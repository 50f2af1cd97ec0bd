//! Remains of a killed process: its mounts, which no longer answer.

use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use rustix::mount::{UnmountFlags, unmount};

/// Prefix of the source of every mount of mydyno.
const SOURCE: &str = "mydyno-disk-";

/// Source of the mounts of this process: its number, and when it started, since numbers are used again.
pub(crate) fn source() -> String {
    let pid = std::process::id();
    format!("{SOURCE}{pid}-{}", started(pid).unwrap_or_default())
}

/// Start time of a living process, in clock ticks since boot (proc_pid_stat(5)).
fn started(pid: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program may have brackets and spaces in it.
    let mut fields = text.rsplit_once(')')?.1.split_ascii_whitespace();
    let state = fields.next()?;
    // Between the state, which is field 3, and field 22.
    if matches!(state, "Z" | "X") { None } else { fields.nth(18)?.parse().ok() }
}

/// Unmounts every simulated disk at or below a directory whose process is gone, as after a kill -9. Those of living processes
/// stay. Which ones were unmounted; their content is in `<data directory>.disk`, not as plain files.
pub fn unmount_remains(below: &Path) -> Vec<PathBuf> {
    let below = below.canonicalize().unwrap_or_else(|_| below.to_path_buf());
    let text = fs::read("/proc/self/mountinfo").unwrap_or_default();
    let mounts = text.split(|byte| *byte == b'\n').filter_map(of_dead);
    let mut mounts: Vec<PathBuf> = mounts.filter(|path| path.starts_with(&below)).collect();
    // One may be mounted on another.
    mounts.reverse();
    // A process that only looks gone, since it is in another container, answers. The kernel remembers what stat(2) tells, but not
    // this.
    mounts.retain(|path| {
        rustix::fs::statvfs(path).is_err_and(|error| error == Errno::NOTCONN)
            && unmount(path, UnmountFlags::DETACH).is_ok()
    });
    mounts
}

/// Mount point of a disk whose process is gone, if this line of mountinfo (proc_pid_mountinfo(5)) is one.
fn of_dead(line: &[u8]) -> Option<PathBuf> {
    let mut fields = line.split(|byte| *byte == b' ');
    let path = fields.nth(4)?;
    let source = fields.skip_while(|field| field != b"-").nth(2)?;
    let (pid, start) = std::str::from_utf8(source).ok()?.strip_prefix(SOURCE)?.split_once('-')?;
    let is_alive = started(pid.parse().ok()?) == start.parse().ok();
    (!is_alive).then(|| unescaped(path))
}

/// Blanks and the like are written as three octal digits.
fn unescaped(field: &[u8]) -> PathBuf {
    let mut bytes = Vec::new();
    let mut rest = field;
    while let [first, after @ ..] = rest {
        let digits = after.get(..3).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) if *first == b'\\' => {
                bytes.push(byte);
                rest = &after[3..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    std::ffi::OsString::from_vec(bytes).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_mountinfo_is_read() {
        let line = |source: &str| {
            format!(r"36 35 0:40 / /a\040b/data rw,nosuid - fuse {source} rw,user_id=0").into_bytes()
        };
        let ours = source();
        assert!(!ours.ends_with("-0"), "{ours}");
        assert_eq!(of_dead(&line(&ours)), None, "this process lives");
        assert_eq!(of_dead(&line("mydyno-disk-4194305-17")), Some("/a b/data".into()));
        let reused = format!("{SOURCE}{}-1", std::process::id());
        assert_eq!(
            of_dead(&line(&reused)),
            Some("/a b/data".into()),
            "the number belongs to a later process"
        );
        assert_eq!(of_dead(&line("/dev/vda")), None);
    }
}
