//! The CPU that the threads of a server used in the measured window, by their names.

use std::collections::BTreeMap;

use model::{Snapshot, Watched};

use crate::input::TrialInput;
use crate::machine::snapshots;

/// The threads of one name in one trial.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct NamedThreads {
    /// Number of threads.
    pub threads: u64,
    /// CPUs that they used together.
    pub cpus: f64,
    /// CPUs that the busiest of them used.
    pub busiest: f64,
    /// Mean number of them that waited for a CPU; none where the kernel does not report it.
    pub waiting: Option<f64>,
}

/// The threads by name, with the seconds of the window in which the server was observed.
pub(crate) fn named<'a>(
    trial: &TrialInput<'_>,
    watched: &'a Watched,
) -> Option<(f64, BTreeMap<&'a str, NamedThreads>)> {
    let (before, after, seconds) = snapshots(trial, watched)?;
    // Each has used its CPU until it was looked at, which may be a moment before the window ended.
    let looked_s = match (before.threads_at_s(), after.threads_at_s()) {
        (from_s, to_s) if to_s < after.at_s => to_s - from_s,
        _ => seconds,
    };
    Some((seconds, between(before, after, looked_s)))
}

fn between<'a>(before: &Snapshot, after: &'a Snapshot, seconds: f64) -> BTreeMap<&'a str, NamedThreads> {
    let mut named: BTreeMap<&str, NamedThreads> = BTreeMap::new();
    for (id, now) in &after.threads {
        let then = before.threads.get(id).filter(|then| then.name == now.name);
        let cpus = (now.cpu_s - then.map_or(0.0, |then| then.cpu_s)).max(0.0) / seconds;
        let group = named.entry(plain(&now.name)).or_default();
        group.threads += 1;
        group.cpus += cpus;
        group.busiest = group.busiest.max(cpus);
        let waited_s = now.cpu_wait_s.map(|now| now - then.and_then(|then| then.cpu_wait_s).unwrap_or(0.0));
        group.waiting = if group.threads == 1 { Some(0.0) } else { group.waiting }
            .zip(waited_s)
            .map(|(sum, waited_s)| sum + waited_s.max(0.0) / seconds);
    }
    named
}

/// `ib_io_wr-3` is one of `ib_io_wr`.
fn plain(name: &str) -> &str {
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit());
    plain.strip_suffix('-').filter(|_| plain.len() < name.len()).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_threads_stand_together() {
        assert_eq!(
            [plain("ib_io_wr-3"), plain("connection"), plain("gr_8"), plain("-1")],
            ["ib_io_wr", "connection", "gr_8", ""]
        );
    }
}
