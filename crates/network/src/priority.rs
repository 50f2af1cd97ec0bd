//! The router goes before the servers: a network has no CPU to wait for.

use std::process::{Command, Stdio};

use rustix::process::setpriority_process;
use rustix::thread::Pid;

use crate::program::find_program;

/// Nice value of a thread that goes before all others of its kind.
const HIGHEST: i32 = -20;

/// Makes a thread of this process a real-time one, by way of `chrt` (util-linux), since asking in person would need unsafe
/// code. True if it is; otherwise it has the highest ordinary priority that is allowed.
pub(crate) fn prefer(thread: Pid) -> bool {
    // The lowest of the real-time priorities: it goes before all that is ordinary, and after all that chose to be real-time.
    let words = ["--fifo", "--pid", "1", &thread.to_string()];
    let chrt = find_program("chrt").map(Command::new);
    let outcome = chrt.map(|mut chrt| chrt.args(words).stdout(Stdio::null()).stderr(Stdio::null()).status());
    let is_real_time = matches!(outcome, Some(Ok(status)) if status.success());
    if !is_real_time {
        // Without the right to it: what it costs is in `RouterFigures::cpu_wait_s`.
        let _ = setpriority_process(Some(thread), HIGHEST);
    }
    is_real_time
}
