//! Rules about reading and writing.

use super::{FIRST, Found, LAST, Manual, Only, Patient, Rule, Severity};
use crate::text::{bytes, count, figure, percent};

const MIB: u64 = 1 << 20;
/// A redo log that fills faster than this makes InnoDB write pages in a hurry.
const SHORTEST_REDO_S: f64 = 600.0;

/// The redo log has another variable in each of them.
const fn redo(only: Only, variable: &'static str) -> Rule {
    Rule {
        id: "redo_capacity",
        only,
        manual: Manual::Innodb(variable),
        why: "when the redo log is full, writers wait until pages are flushed: throughput saws up and down",
        action: "as large as an hour of writes",
        cost: "disk; recovery after a crash takes longer",
        check: redo_capacity,
    }
}

pub(super) const RULES: &[Rule] = &[
    redo(Only::Mysql((8, 0, 30), LAST), "innodb_redo_log_capacity"),
    redo(Only::Mysql(FIRST, (8, 0, 30)), "innodb_log_file_size"),
    redo(Only::Mariadb(FIRST, LAST), "innodb_log_file_size"),
    Rule {
        id: "dirty_pages",
        only: Only::Both,
        manual: Manual::Innodb("innodb_io_capacity"),
        why: "the pool is nearly full of changed pages: soon InnoDB stops everybody to flush them",
        action: "raise innodb_io_capacity and innodb_io_capacity_max to what the disk can do",
        cost: "pages that change often are written more often",
        check: |p| {
            let dirty = p.status("innodb_buffer_pool_pages_dirty")?;
            let share = dirty as f64 / p.status("innodb_buffer_pool_pages_total")?.max(1) as f64;
            let most = p.text("innodb_max_dirty_pages_pct")?.parse::<f64>().ok()? / 100.0;
            let evidence = format!(
                "{} of the pool changed and not yet written, innodb_max_dirty_pages_pct = {:.0}, {}",
                percent(share),
                most * 100.0,
                p.say("innodb_io_capacity")
            );
            (share > 0.9 * most).then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "pool_wait_free",
        only: Only::Both,
        manual: Manual::Status("Innodb_buffer_pool_wait_free"),
        why: "threads wait for a free page because flushing does not keep up",
        action: "raise innodb_io_capacity; a larger buffer pool",
        cost: "more writes in the background",
        check: |p| {
            let waits = p.status("innodb_buffer_pool_wait_free").filter(|waits| *waits > 100)?;
            let evidence =
                format!("waits for a free page: {}, {}", count(waits), p.say("innodb_io_capacity"));
            Found::new(Severity::Medium, evidence)
        },
    },
    Rule {
        id: "io_capacity",
        only: Only::Both,
        manual: Manual::Innodb("innodb_io_capacity"),
        why: "200 is a number for spinning disks: on flash, flushing in the background lags until it has to hurry",
        action: "SET GLOBAL innodb_io_capacity = 2000;  on flash, innodb_io_capacity_max at twice that, and measure",
        cost: "more writes in the background; too high a value wears the disk for nothing",
        check: |p| {
            let slow = p.number("innodb_io_capacity")? <= 200;
            // What the disk did under the load says more than what it might be.
            let machine =
                p.measured.and_then(|m| m.cell.machine.as_ref()).filter(|machine| machine.server_is_here);
            let did = machine.map(|machine| {
                let took =
                    machine.disk_write_ms.map(|ms| format!(", {} ms each", figure(ms))).unwrap_or_default();
                format!("; the disk did {} writes/s{took}", figure(machine.disk_writes_per_s))
            });
            let evidence = p.say("innodb_io_capacity") + &did.unwrap_or_default();
            slow.then(|| Found::new(Severity::Low, evidence)).flatten()
        },
    },
    Rule {
        id: "io_threads",
        only: Only::Both,
        manual: Manual::Innodb("innodb_write_io_threads"),
        why: "too few threads leave a fast disk idle",
        action: "innodb_read_io_threads and innodb_write_io_threads = 4 or more in my.cnf, and restart",
        cost: "none",
        check: |p| {
            let few: Vec<String> = ["innodb_read_io_threads", "innodb_write_io_threads"]
                .into_iter()
                .filter(|name| p.number(name).is_some_and(|threads| threads < 4))
                .map(|name| p.say(name))
                .collect();
            (!few.is_empty()).then(|| Found::new(Severity::Low, few.join(", "))).flatten()
        },
    },
    Rule {
        id: "native_aio",
        only: Only::Both,
        manual: Manual::Innodb("innodb_use_native_aio"),
        why: "reads and writes in the background go one by one through a few threads",
        action: "innodb_use_native_aio = ON; if the server switched it off by itself, raise fs.aio-max-nr of the kernel",
        cost: "a restart",
        check: |p| {
            p.is_off("innodb_use_native_aio")
                .then(|| Found::new(Severity::Low, p.say("innodb_use_native_aio")))
                .flatten()
        },
    },
    Rule {
        id: "file_per_table",
        only: Only::Both,
        manual: Manual::Innodb("innodb_file_per_table"),
        why: "all tables share one file, which never becomes smaller",
        action: "SET GLOBAL innodb_file_per_table = ON;  and rebuild large tables",
        cost: "a rebuild copies the table",
        check: |p| {
            p.is_off("innodb_file_per_table")
                .then(|| Found::new(Severity::Low, p.say("innodb_file_per_table")))
                .flatten()
        },
    },
    Rule {
        id: "change_buffering",
        only: Only::Both,
        manual: Manual::Innodb("innodb_change_buffering"),
        why: "changes of secondary indexes are put off, which helps spinning disks only; MariaDB 11 has removed it after \
              damaged indexes",
        action: "SET GLOBAL innodb_change_buffering = none;",
        cost: "on spinning disks more random reads",
        check: |p| {
            // From 8.4 on MySQL's own default has changed to and fro.
            if p.seen.flavour == model::Flavour::Mysql && p.version() >= (8, 4, 0) {
                return None;
            }
            let value = p.text("innodb_change_buffering")?;
            (value != "none").then(|| Found::new(Severity::Low, p.say("innodb_change_buffering"))).flatten()
        },
    },
    Rule {
        id: "stats_persistent",
        only: Only::Both,
        manual: Manual::Innodb("innodb_stats_persistent"),
        why: "statistics are guessed anew after each start, and plans with them: two runs may not do the same work",
        action: "SET GLOBAL innodb_stats_persistent = ON;  and ANALYZE TABLE",
        cost: "none",
        check: |p| {
            p.is_off("innodb_stats_persistent")
                .then(|| Found::new(Severity::Low, p.say("innodb_stats_persistent")))
                .flatten()
        },
    },
    Rule {
        id: "binlog_cache",
        only: Only::Both,
        manual: Manual::Binlog("binlog_cache_size"),
        why: "transactions larger than the cache are written to a file before they are written to the binary log",
        action: "raise binlog_cache_size until few do",
        cost: "that memory per session",
        check: |p| {
            let (disk, all) = (p.status("binlog_cache_disk_use")?, p.status("binlog_cache_use")?);
            let share = disk as f64 / all.max(1) as f64;
            let evidence = format!(
                "{} of transactions exceed binlog_cache_size = {}",
                percent(share),
                bytes(p.number("binlog_cache_size")?)
            );
            (all > 1000 && share > 0.05).then(|| Found::new(Severity::Low, evidence)).flatten()
        },
    },
    Rule {
        id: "page_compression_stats",
        only: Only::Mysql(FIRST, LAST),
        manual: Manual::Innodb("innodb_cmp_per_index_enabled"),
        why: "statistics of compression per index cost every operation on compressed tables",
        action: "SET GLOBAL innodb_cmp_per_index_enabled = OFF;",
        cost: "those statistics",
        check: |p| {
            p.is_on("innodb_cmp_per_index_enabled")
                .then(|| Found::new(Severity::Low, p.say("innodb_cmp_per_index_enabled")))
                .flatten()
        },
    },
];

/// Bytes of redo log that may be in use, with the setting that says so.
fn redo_bytes(p: &Patient<'_>) -> Option<(&'static str, u64)> {
    if let Some(size) = p.number("innodb_redo_log_capacity") {
        return Some(("innodb_redo_log_capacity", size));
    }
    let files = p.number("innodb_log_files_in_group").unwrap_or(1);
    Some(("innodb_log_file_size", p.number("innodb_log_file_size")? * files))
}

fn redo_capacity(p: &Patient<'_>) -> Option<Found> {
    let (name, size) = redo_bytes(p)?;
    let planned = p.planned.is_some_and(|planned| planned.writes);
    let rate = p.rate("innodb_os_log_written").filter(|rate| *rate > 0.0);
    let lasts = rate.map(|rate| size as f64 / rate);
    let mut evidence = format!("{name} = {}", bytes(size));
    if let Some(lasts) = lasts.filter(|lasts| *lasts < 24.0 * 3600.0) {
        evidence.push_str(&format!(", full after {lasts:.0} s at the mean rate {}", p.over_what()));
    }
    let short = lasts.is_some_and(|lasts| lasts < SHORTEST_REDO_S);
    let severity = match size {
        _ if short => Severity::Medium,
        size if size < 64 * MIB || (planned && size < 512 * MIB) => Severity::Medium,
        size if size < 256 * MIB => Severity::Low,
        _ => return None,
    };
    Found::so(
        severity,
        evidence,
        match name {
            "innodb_redo_log_capacity" => {
                "SET GLOBAL innodb_redo_log_capacity = 2147483648;  or an hour of writes".to_owned()
            }
            name => format!("{name} = 2G in my.cnf or an hour of writes, and restart"),
        },
    )
}
