//! Rules about reading and writing.

use model::Flavour;

use super::finding::{Check, Found, RecommendationSeverity};
use super::{Examined, MeasuredWindow};
use messages::{Words, message};

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
/// A redo log that fills faster than this makes InnoDB write pages in a hurry.
const SHORTEST_REDO_S: f64 = 600.0;

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("redo_capacity", redo_capacity),
    ("dirty_pages", |p| {
        let dirty = p.status("innodb_buffer_pool_pages_dirty")?;
        let share = dirty as f64 / p.status("innodb_buffer_pool_pages_total")?.max(1) as f64;
        let most = p.text("innodb_max_dirty_pages_pct")?.parse::<f64>().ok()? / 100.0;
        let evidence = message!(
            "doctor-dirty-pages",
            dirty = Percent(share),
            limit = Whole(most * 100.0),
            capacity = Text(p.say("innodb_io_capacity"))
        );
        (share > 0.9 * most).then(|| Found::new(RecommendationSeverity::Medium, evidence)).flatten()
    }),
    ("pool_wait_free", |p| {
        let waits = p.status("innodb_buffer_pool_wait_free").filter(|waits| *waits > 100)?;
        let evidence = message!(
            "doctor-pool-wait-free",
            waits = Count(waits),
            capacity = Text(p.say("innodb_io_capacity"))
        );
        Found::new(RecommendationSeverity::Medium, evidence)
    }),
    ("io_capacity", |p| {
        let slow = p.number("innodb_io_capacity")? <= 200;
        // What the disk did under the load says more than what it might be.
        let machine = p.measured.and_then(MeasuredWindow::servers_machine);
        let evidence = match machine {
            None => p.say("innodb_io_capacity").into(),
            Some(machine) => message!(
                "doctor-disk-writes",
                capacity = Text(p.say("innodb_io_capacity")),
                per_s = Figure(machine.disk_writes_per_s),
                ms = Figure?(machine.disk_write_ms)
            ),
        };
        slow.then(|| Found::new(RecommendationSeverity::Low, evidence)).flatten()
    }),
    ("io_threads", |p| {
        let few: Vec<&str> = ["innodb_read_io_threads", "innodb_write_io_threads"]
            .into_iter()
            .filter(|name| p.number(name).is_some_and(|threads| threads < 4))
            .collect();
        let said: Vec<String> = few.iter().map(|name| p.say(name)).collect();
        let found = Found::new(RecommendationSeverity::Low, said.join(", "))?;
        (!few.is_empty()).then(|| found.with(few.into_iter().map(|name| (name, "4".to_owned()))))
    }),
    ("native_aio", |p| {
        p.is_off("innodb_use_native_aio")
            .then(|| Found::new(RecommendationSeverity::Low, p.say("innodb_use_native_aio")))
            .flatten()
    }),
    ("file_per_table", |p| {
        p.is_off("innodb_file_per_table")
            .then(|| Found::new(RecommendationSeverity::Low, p.say("innodb_file_per_table")))
            .flatten()
    }),
    ("change_buffering", |p| {
        // From 8.4 on MySQL's own default has changed to and fro.
        if p.seen.flavour == model::Flavour::Mysql && p.version() >= (8, 4, 0) {
            return None;
        }
        let value = p.text("innodb_change_buffering")?;
        (value != "none")
            .then(|| Found::new(RecommendationSeverity::Low, p.say("innodb_change_buffering")))
            .flatten()
    }),
    ("stats_persistent", |p| {
        p.is_off("innodb_stats_persistent")
            .then(|| Found::new(RecommendationSeverity::Low, p.say("innodb_stats_persistent")))
            .flatten()
    }),
    ("binlog_cache", |p| {
        let (disk, all) = (p.status("binlog_cache_disk_use")?, p.status("binlog_cache_use")?);
        let share = disk as f64 / all.max(1) as f64;
        let size = p.number("binlog_cache_size")?;
        let evidence = message!("doctor-binlog-cache", share = Percent(share), size = Bytes(size));
        let found = Found::new(RecommendationSeverity::Low, evidence)?;
        (all > 1000 && share > 0.05).then(|| found.with([("binlog_cache_size", (8 * size).to_string())]))
    }),
    ("page_compression_stats", |p| {
        p.is_on("innodb_cmp_per_index_enabled")
            .then(|| Found::new(RecommendationSeverity::Low, p.say("innodb_cmp_per_index_enabled")))
            .flatten()
    }),
];

/// Bytes of redo log that may be in use, with the setting that says so.
fn redo_bytes(p: &Examined<'_>) -> Option<(&'static str, u64)> {
    if let Some(size) = p.number("innodb_redo_log_capacity") {
        return Some(("innodb_redo_log_capacity", size));
    }
    let files = p.number("innodb_log_files_in_group").unwrap_or(1);
    Some(("innodb_log_file_size", p.number("innodb_log_file_size")? * files))
}

/// An hour of the writes that were seen, in whole GiB, at least 2.
fn redo_wanted(rate: Option<f64>) -> u64 {
    const LEAST: u64 = 2 * GIB;
    const MOST: u64 = 128 * GIB;
    let hour = rate.map_or(0, |rate| (rate * 3600.0) as u64);
    hour.next_multiple_of(GIB).clamp(LEAST, MOST)
}

fn redo_capacity(p: &Examined<'_>) -> Option<Found> {
    let (name, size) = redo_bytes(p)?;
    let planned = p.planned.is_some_and(|planned| planned.writes);
    let rate = p.rate("innodb_os_log_written").filter(|rate| *rate > 0.0);
    let lasts = rate.map(|rate| size as f64 / rate);
    let evidence = message!(
        "doctor-redo-capacity",
        name = Text(name),
        size = Bytes(size),
        lasts = Whole?(lasts.filter(|lasts| *lasts < 24.0 * 3600.0)),
        since = Message(p.over_what())
    );
    let short = lasts.is_some_and(|lasts| lasts < SHORTEST_REDO_S);
    let severity = match size {
        _ if short => RecommendationSeverity::Medium,
        size if size < 64 * MIB || (planned && size < 512 * MIB) => RecommendationSeverity::Medium,
        size if size < 256 * MIB => RecommendationSeverity::Low,
        _ => return None,
    };
    let (action, value) = redo_action(p, name, rate);
    Some(Found::so(severity, evidence, action)?.with([(name, value.to_string())]))
}

/// How to make the redo log hold an hour of writes, and the value of that variable, bytes.
fn redo_action(p: &Examined<'_>, name: &str, rate: Option<f64>) -> (Words, u64) {
    let wanted = redo_wanted(rate);
    let is_by_rate = rate.is_some_and(|rate| rate * 3600.0 > 2.0 * GIB as f64);
    let in_files = wanted / p.number("innodb_log_files_in_group").unwrap_or(1).max(1);
    let is_dynamic = match p.seen.flavour {
        Flavour::Mysql => name == "innodb_redo_log_capacity",
        Flavour::Mariadb => p.version() >= (10, 9, 0),
    };
    let value = if is_dynamic { wanted } else { in_files };
    let action = message!(
        "doctor-redo-capacity-action",
        how = Word(if is_dynamic { "set" } else { "restart" }),
        name = Text(name),
        value = Text(value.to_string()),
        size = Bytes(wanted),
        by = Word(if is_by_rate { "rate" } else { "default" }),
        since = Message(p.over_what())
    );
    (action, value)
}
