//! Ctrl-C, SIGTERM, and SIGHUP when the terminal is closed: the first one stops cleanly and keeps the measurements, the
//! second one ends at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::display::Notices;
use crate::error::{Outcome, UserError};
use crate::exit::Exit;

/// Starts to listen; the first signal sets the flag. Messages go to `notices`.
///
/// The second signal ends the process. Servers that belong to a run go with it: the kernel kills them when their
/// mydyno dies, and their directories are cleared when a home is next opened.
pub fn listen(notices: Notices) -> Outcome<Arc<AtomicBool>> {
    let failed = |error: std::io::Error| UserError::failed(format!("cannot listen for Ctrl-C: {error}"));
    let heard = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(*signal));
    let mut signals = Signals::new(heard).map_err(failed)?;
    let cancel = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancel);
    let wait = move || {
        for signal in signals.forever() {
            // A terminal that is closed sends it from both the shell and the kernel.
            if signal == SIGHUP && flag.load(Ordering::SeqCst) {
                continue;
            }
            if flag.swap(true, Ordering::SeqCst) {
                notices.clear();
                notices.say(
                    "ended; if variables of an external server were changed: mydyno resume restores them",
                );
                end_at_once();
            }
            notices.say("stopping; what was measured is kept (Ctrl-C again: at once)");
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).map_err(failed)?;
    Ok(cancel)
}

/// A signal that we were started to ignore, as nohup does with SIGHUP, stays so.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask =
        status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.unwrap_or_default() >> (signal - 1) & 1 == 1
}

#[expect(clippy::exit, reason = "the user asked twice, and the main thread may be waiting for a server")]
fn end_at_once() {
    std::process::exit(i32::from(Exit::Interrupted.code()));
}
