//! Rules about the binary log and replicas.

use model::Flavour;

use messages::message;

use super::Examined;
use super::finding::{Check, Found, RecommendationSeverity};

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("replica_skips_errors", |p| {
        let skips = ["replica_skip_errors", "slave_skip_errors"].into_iter().find(|name| {
            p.text(name).is_some_and(|value| !value.is_empty() && !value.eq_ignore_ascii_case("off"))
        });
        let lax = ["replica_exec_mode", "slave_exec_mode"]
            .into_iter()
            .find(|name| p.text(name).is_some_and(|value| value.eq_ignore_ascii_case("idempotent")));
        let name = skips.or(lax).filter(|_| p.is_replica())?;
        Found::new(RecommendationSeverity::High, p.say(name))
    }),
    ("replication_stopped", |p| {
        let stopped = p.seen.channels.as_ref()?.iter().find(|c| !(c.receives && c.applies))?;
        let source = &stopped.source;
        let said = match stopped.receives {
            true => message!("doctor-does-not-apply", source = Text(source)),
            false => message!("doctor-does-not-receive", source = Text(source)),
        };
        Found::new(RecommendationSeverity::Medium, said)
    }),
    ("replica_lag", |p| {
        let worst = p.seen.channels.as_ref()?.iter().filter_map(|c| c.lag_s).max().filter(|lag| *lag > 60)?;
        Found::new(RecommendationSeverity::Medium, message!("doctor-behind", lag = Count(worst)))
    }),
    ("replica_writable", |p| {
        let open = p.is_replica() && p.is_off("read_only");
        open.then(|| Found::new(RecommendationSeverity::Medium, p.say("read_only"))).flatten()
    }),
    ("relay_log_recovery", |p| {
        // MariaDB with GTIDs fetches the relay log anew by itself.
        let exposed = p.is_replica() && p.is_off("relay_log_recovery");
        let severity = if p.seen.flavour == Flavour::Mysql {
            RecommendationSeverity::Medium
        } else {
            RecommendationSeverity::Low
        };
        exposed.then(|| Found::new(severity, p.say("relay_log_recovery"))).flatten()
    }),
    ("replica_workers", |p| {
        let names = ["replica_parallel_workers", "slave_parallel_workers", "slave_parallel_threads"];
        let name = names.into_iter().find(|name| p.number(name).is_some_and(|n| n < 2))?;
        p.is_replica().then(|| Found::new(RecommendationSeverity::Low, p.say(name))).flatten()
    }),
    ("gtid", |p| {
        let without = replicates(p) && !p.is_on("gtid_mode") && p.text("gtid_mode").is_some();
        without.then(|| Found::new(RecommendationSeverity::Low, p.say("gtid_mode"))).flatten()
    }),
    ("binlog_format", |p| {
        let statement = p.is_on("log_bin") && p.text("binlog_format")?.eq_ignore_ascii_case("statement");
        statement.then(|| Found::new(RecommendationSeverity::Medium, p.say("binlog_format"))).flatten()
    }),
    ("binlog_expires", |p| {
        let limits: Vec<u64> = ["binlog_expire_logs_seconds", "expire_logs_days"]
            .into_iter()
            .filter_map(|name| p.number(name))
            .collect();
        let never = limits.iter().all(|limit| *limit == 0) || p.is_off("binlog_expire_logs_auto_purge");
        let names = if p.is_off("binlog_expire_logs_auto_purge") {
            p.say("binlog_expire_logs_auto_purge").into()
        } else {
            message!("doctor-binlogs-never-expire")
        };
        (p.is_on("log_bin") && !limits.is_empty() && never)
            .then(|| Found::new(RecommendationSeverity::Medium, names))
            .flatten()
    }),
    ("binlog_checksum", |p| {
        let none = p.is_on("log_bin") && p.text("binlog_checksum")?.eq_ignore_ascii_case("none");
        none.then(|| Found::new(RecommendationSeverity::Low, p.say("binlog_checksum"))).flatten()
    }),
    ("tables_without_key", without_key),
    ("semisync_fallback", |p| {
        let enabled = ["rpl_semi_sync_source_enabled", "rpl_semi_sync_master_enabled"];
        let status = ["rpl_semi_sync_source_status", "rpl_semi_sync_master_status"];
        let off =
            status.into_iter().find(|name| p.seen.status.get(*name).is_some_and(|value| value == "OFF"))?;
        enabled
            .into_iter()
            .any(|name| p.is_on(name))
            .then(|| {
                let said = message!("doctor-semisync-fallback", off = Text(*off));
                Found::new(RecommendationSeverity::High, said)
            })
            .flatten()
    }),
];

/// True if it is part of a replication, at either end.
fn replicates(p: &Examined<'_>) -> bool {
    p.is_replica() || p.status("slaves_connected").is_some_and(|n| n > 0)
}

fn without_key(p: &Examined<'_>) -> Option<Found> {
    let tables = p.seen.tables.as_ref().filter(|tables| tables.without_key > 0)?;
    let names = &tables.without_key_names;
    let more = tables.without_key > names.len() as u64;
    let said = message!(
        "doctor-without-key",
        all = Count(tables.without_key),
        names = Text?((!names.is_empty()).then(|| names.join(", "))),
        listed = Word(if more { "some" } else { "all" })
    );
    Found::new(RecommendationSeverity::Low, said)
}
