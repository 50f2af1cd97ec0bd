//! Rules about the binary log and replicas.

use model::Flavour;

use super::{FIRST, Found, LAST, Manual, Only, Patient, Rule, Severity};
use crate::text::count;

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "replica_skips_errors",
        only: Only::Both,
        manual: Manual::Replica("replica_exec_mode"),
        why: "the replica goes on where its data differ, and differs more from then on",
        action: "replica_exec_mode = STRICT, no skipped errors; rebuild the replica",
        cost: "it stops at the next error, as it should",
        check: |p| {
            let skips = ["replica_skip_errors", "slave_skip_errors"].into_iter().find(|name| {
                p.text(name).is_some_and(|value| !value.is_empty() && !value.eq_ignore_ascii_case("off"))
            });
            let lax = ["replica_exec_mode", "slave_exec_mode"]
                .into_iter()
                .find(|name| p.text(name).is_some_and(|value| value.eq_ignore_ascii_case("idempotent")));
            let name = skips.or(lax).filter(|_| p.is_replica())?;
            Found::new(Severity::High, p.say(name))
        },
    },
    Rule {
        id: "replication_stopped",
        only: Only::Both,
        manual: Manual::Replica("relay_log_recovery"),
        why: "the replica falls behind, and what it would take over is old",
        action: "look at Last_Error in SHOW REPLICA STATUS, mend it, and START REPLICA;",
        cost: "none",
        check: |p| {
            let stopped = p.seen.channels.as_ref()?.iter().find(|c| !(c.receives && c.applies))?;
            let what = if stopped.receives { "does not apply" } else { "does not receive" };
            Found::new(Severity::Medium, format!("the replica of {} {what}", stopped.source))
        },
    },
    Rule {
        id: "replica_lag",
        only: Only::Both,
        manual: Manual::Replica("replica_parallel_workers"),
        why: "reads are old, and a takeover waits for what is not applied yet",
        action: "more applier threads; primary keys on all tables; lighter durability on the replica",
        cost: "more threads contend with its readers",
        check: |p| {
            let worst =
                p.seen.channels.as_ref()?.iter().filter_map(|c| c.lag_s).max().filter(|lag| *lag > 60)?;
            Found::new(Severity::Medium, format!("{} s behind its source", count(worst)))
        },
    },
    Rule {
        id: "replica_writable",
        only: Only::Both,
        manual: Manual::Server("read_only"),
        why: "a write that goes astray makes it differ from its source, and breaks replication later",
        action: "SET GLOBAL read_only = ON;  (MySQL: super_read_only = ON)  and in my.cnf",
        cost: "none; a takeover has to switch it off",
        check: |p| {
            let open = p.is_replica() && p.is_off("read_only");
            open.then(|| Found::new(Severity::Medium, p.say("read_only"))).flatten()
        },
    },
    Rule {
        id: "relay_log_recovery",
        only: Only::Both,
        manual: Manual::Replica("relay_log_recovery"),
        why: "after a crash the replica may go on from a damaged relay log",
        action: "relay_log_recovery = ON in my.cnf, and restart",
        cost: "after a crash events are fetched once more",
        check: |p| {
            // MariaDB with GTIDs fetches the relay log anew by itself.
            let exposed = p.is_replica() && p.is_off("relay_log_recovery");
            let severity = if p.seen.flavour == Flavour::Mysql { Severity::Medium } else { Severity::Low };
            exposed.then(|| Found::new(severity, p.say("relay_log_recovery"))).flatten()
        },
    },
    Rule {
        id: "replica_workers",
        only: Only::Both,
        manual: Manual::Replica("replica_parallel_workers"),
        why: "one thread applies what many clients wrote: the replica is slower than its source",
        action: "replica_parallel_workers = 4 or more (MariaDB: slave_parallel_threads)",
        cost: "CPU, and contention with readers",
        check: |p| {
            let names = ["replica_parallel_workers", "slave_parallel_workers", "slave_parallel_threads"];
            let name = names.into_iter().find(|name| p.number(name).is_some_and(|n| n < 2))?;
            p.is_replica().then(|| Found::new(Severity::Low, p.say(name))).flatten()
        },
    },
    Rule {
        id: "gtid",
        only: Only::Mysql((5, 6, 5), LAST),
        manual: Manual::Binlog("gtid_mode"),
        why: "after a takeover replicas have to be put right by file and position, by hand",
        action: "switch to gtid_mode = ON step by step",
        cost: "some 60 bytes per transaction in the binary log",
        check: |p| {
            let without = replicates(p) && !p.is_on("gtid_mode") && p.text("gtid_mode").is_some();
            without.then(|| Found::new(Severity::Low, p.say("gtid_mode"))).flatten()
        },
    },
    Rule {
        id: "binlog_format",
        only: Only::Both,
        manual: Manual::Binlog("binlog_format"),
        why: "statements that do not always do the same leave replicas with other rows, without an error",
        action: "SET GLOBAL binlog_format = 'ROW';",
        cost: "statements that change many rows write a longer binary log",
        check: |p| {
            let statement = p.is_on("log_bin") && p.text("binlog_format")?.eq_ignore_ascii_case("statement");
            statement.then(|| Found::new(Severity::Medium, p.say("binlog_format"))).flatten()
        },
    },
    Rule {
        id: "binlog_expires",
        only: Only::Both,
        manual: Manual::Binlog("binlog_expire_logs_seconds"),
        why: "binary logs are kept for ever: the disk fills, and the server stops",
        action: "SET GLOBAL binlog_expire_logs_seconds = 604800;  (older servers: expire_logs_days = 7)",
        cost: "recovery to a point in time reaches back only so far, unless they are backed up",
        check: |p| {
            let limits: Vec<u64> = ["binlog_expire_logs_seconds", "expire_logs_days"]
                .into_iter()
                .filter_map(|name| p.number(name))
                .collect();
            let never = limits.iter().all(|limit| *limit == 0) || p.is_off("binlog_expire_logs_auto_purge");
            let names = if p.is_off("binlog_expire_logs_auto_purge") {
                p.say("binlog_expire_logs_auto_purge")
            } else {
                "no time after which binary logs expire".to_owned()
            };
            (p.is_on("log_bin") && !limits.is_empty() && never)
                .then(|| Found::new(Severity::Medium, names))
                .flatten()
        },
    },
    Rule {
        id: "binlog_checksum",
        only: Only::Both,
        manual: Manual::Binlog("binlog_checksum"),
        why: "damage on disk or on the way to a replica goes unnoticed",
        action: "SET GLOBAL binlog_checksum = CRC32;",
        cost: "nothing that can be measured",
        check: |p| {
            let none = p.is_on("log_bin") && p.text("binlog_checksum")?.eq_ignore_ascii_case("none");
            none.then(|| Found::new(Severity::Low, p.say("binlog_checksum"))).flatten()
        },
    },
    Rule {
        id: "tables_without_key",
        only: Only::Mysql(FIRST, LAST),
        manual: Manual::Server("sql_require_primary_key"),
        why: "for each changed row a replica may have to read the whole table; clusters refuse them",
        action: "give them a primary key",
        cost: "the table is copied",
        check: without_key,
    },
    Rule {
        id: "tables_without_key",
        only: Only::Mariadb(FIRST, LAST),
        manual: Manual::Innodb("innodb_force_primary_key"),
        why: "for each changed row a replica may have to read the whole table; clusters refuse them",
        action: "give them a primary key",
        cost: "the table is copied",
        check: without_key,
    },
    Rule {
        id: "semisync_fallback",
        only: Only::Mysql(FIRST, LAST),
        manual: Manual::Status("Rpl_semi_sync_source_status"),
        why: "commits no longer wait for a replica: a takeover can lose them, and they are faster than they should be",
        action: "see why the replicas do not answer within rpl_semi_sync_source_timeout",
        cost: "none",
        check: |p| {
            let enabled = ["rpl_semi_sync_source_enabled", "rpl_semi_sync_master_enabled"];
            let status = ["rpl_semi_sync_source_status", "rpl_semi_sync_master_status"];
            let off = status
                .into_iter()
                .find(|name| p.seen.status.get(*name).is_some_and(|value| value == "OFF"))?;
            enabled
                .into_iter()
                .any(|name| p.is_on(name))
                .then(|| Found::new(Severity::High, format!("{off} = OFF while it is enabled")))
                .flatten()
        },
    },
];

/// True if it is part of a replication, at either end.
fn replicates(p: &Patient<'_>) -> bool {
    p.is_replica() || p.status("slaves_connected").is_some_and(|n| n > 0)
}

fn without_key(p: &Patient<'_>) -> Option<Found> {
    let count = p.seen.tables?.without_key;
    (count > 0).then(|| Found::new(Severity::Low, format!("tables without a primary key: {count}"))).flatten()
}
