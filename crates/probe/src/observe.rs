//! Readings of a server while it works, cheap enough to take every second.

use std::collections::BTreeMap;
use std::fs;

use model::ProcessUse;
use procfs::process::Process;
use wire::Client;

use crate::ProbeError;
use crate::server::pairs;

/// The status variables that are read: those that count something whose cost per transaction means something. A server
/// that lacks some of them leaves them out.
const COUNTERS: [&str; 22] = [
    "Bytes_received",
    "Bytes_sent",
    "Com_commit",
    "Created_tmp_disk_tables",
    "Created_tmp_tables",
    "Handler_read_rnd_next",
    "Innodb_buffer_pool_read_requests",
    "Innodb_buffer_pool_reads",
    "Innodb_buffer_pool_wait_free",
    "Innodb_data_fsyncs",
    "Innodb_data_written",
    "Innodb_log_waits",
    "Innodb_os_log_written",
    "Innodb_row_lock_time",
    "Innodb_row_lock_waits",
    "Innodb_rows_read",
    "Opened_tables",
    "Questions",
    "Select_full_join",
    "Slow_queries",
    "Sort_merge_passes",
    "Threads_created",
];

/// The counters of a server, by name in lower case.
pub fn counters(client: &mut Client) -> Result<BTreeMap<String, u64>, ProbeError> {
    let names = COUNTERS.map(|name| format!("'{name}'")).join(", ");
    let read = pairs(client, &format!("SHOW GLOBAL STATUS WHERE Variable_name IN ({names})"))?;
    Ok(read.into_iter().filter_map(|(name, value)| Some((name, value.parse().ok()?))).collect())
}

/// What a process has used; none if there is none of that number, or it may not be looked at.
pub fn process_use(pid: u32) -> Option<ProcessUse> {
    let process = Process::new(pid as i32).ok()?;
    let stat = process.stat().ok()?;
    let io = process.io().ok();
    Some(ProcessUse {
        cpu_s: (stat.utime + stat.stime) as f64 / procfs::ticks_per_second() as f64,
        context_switches: (stat.num_threads <= THREADS_MAX).then(|| context_switches(pid)),
        read_bytes: io.map_or(0, |io| io.read_bytes),
        written_bytes: io.map_or(0, |io| io.write_bytes),
    })
}

/// The kernel counts context switches by thread, in a file for each, which takes some 20 us to read.
const THREADS_MAX: i64 = 200;

/// Those of the threads that live now: of a server whose connections come and go the sum can fall.
fn context_switches(pid: u32) -> u64 {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let of_thread = |status: String| -> u64 {
        let lines = status.lines().filter(|line| line.contains("voluntary_ctxt_switches"));
        lines.filter_map(|line| line.rsplit(char::is_whitespace).next()?.parse::<u64>().ok()).sum()
    };
    threads.filter_map(|thread| fs::read_to_string(thread.path().join("status")).ok()).map(of_thread).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_has_used_something() {
        let first = process_use(std::process::id()).expect("we are there");
        std::thread::sleep(std::time::Duration::from_millis(20));
        let second = process_use(std::process::id()).expect("we are there");
        assert!(second.context_switches > Some(0) && second.cpu_s >= first.cpu_s, "{first:?} {second:?}");
        assert_eq!(process_use(u32::MAX / 2), None);
    }
}
