//! The CPU that each thread of the server has used, under the name that the server gave it.

use std::collections::BTreeMap;

use model::{Snapshot, ThreadUse};
use procfs::process::Process;

use crate::ask::ask;
use crate::context::ReadingContext;
use crate::error::ProbeError;

/// A file each, which takes some 20 us to read.
const THREADS_MAX: usize = 2_000;

/// Query for the threads of the binary log: MySQL's own names do not distinguish them from those of other clients.
const NAMES_OF_MYSQL: &str = "SELECT thread_os_id, 'binlog_dump' FROM performance_schema.threads \
     WHERE processlist_command LIKE 'Binlog Dump%'";

/// MariaDB leaves most of its threads without a name.
const NAMES_OF_MARIADB: &str = "SELECT tid, CASE WHEN command LIKE 'Binlog Dump%' THEN 'binlog_dump' \
     WHEN command LIKE 'Slave%' THEN LOWER(command) \
     WHEN user = 'system user' AND command = 'Daemon' THEN '' \
     WHEN user = 'system user' THEN 'wsrep_applier' \
     WHEN command = 'Daemon' THEN '' ELSE 'connection' END FROM information_schema.processlist";

pub(super) fn read(context: &mut ReadingContext<'_>, seen: &mut Snapshot) -> Result<(), ProbeError> {
    let Some(pid) = context.pid else { return Ok(()) };
    seen.threads = threads(pid);
    let sql = if context.client.session().is_mariadb { NAMES_OF_MARIADB } else { NAMES_OF_MYSQL };
    let Some(names) = ask(context.client, &mut seen.unseen, "names of threads", sql)? else { return Ok(()) };
    for row in &names.rows {
        let thread = row.parse(0).and_then(|id: u32| seen.threads.get_mut(&id));
        if let (Some(thread), Some(name)) = (thread, row.text(1).filter(|name| !name.is_empty())) {
            (thread.name, thread.told) = (name.to_owned(), true);
        }
    }
    Ok(())
}

/// The threads of a process by id; none if it may not be examined.
pub fn threads(pid: u32) -> BTreeMap<u32, ThreadUse> {
    let process = Process::new(pid as i32).ok();
    let mut seen = BTreeMap::new();
    let tasks = process.and_then(|process| process.tasks().ok());
    for task in tasks.into_iter().flatten().flatten().take(THREADS_MAX) {
        // One that ends meanwhile is left out.
        let Ok(stat) = task.stat() else { continue };
        let cpu_s = (stat.utime + stat.stime) as f64 / procfs::ticks_per_second() as f64;
        let cpu_wait_s = task.schedstat().ok().map(|times| times.run_delay as f64 / 1e9);
        seen.insert(task.tid as u32, ThreadUse { name: stat.comm, told: false, cpu_s, cpu_wait_s });
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_has_threads() {
        assert!(threads(std::process::id()).contains_key(&std::process::id()));
    }
}
