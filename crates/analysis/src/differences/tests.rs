//! Tests of `differences` with the known variables.

use knowledge::variables::{Group, Unit};
use model::Variables;

use super::{Setting, side_by_side};

fn variables(pairs: &[(&str, &str)]) -> Variables {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn found<'a>(settings: &'a [Setting], name: &str) -> &'a Setting {
    settings.iter().find(|setting| setting.name == name).unwrap_or_else(|| panic!("no {name}"))
}

fn shown(setting: &Setting) -> Vec<(&str, bool)> {
    setting.values.iter().flatten().map(|value| (value.shown.as_str(), value.is_default)).collect()
}

#[test]
fn what_the_server_adjusts_by_itself_is_no_difference() {
    let server = |delay| {
        variables(&[
            ("version", "8.4.5"),
            ("innodb_thread_sleep_delay", delay),
            ("sort_buffer_size", "262144"),
        ])
    };
    let (a, b) = (server("10000"), server("3"));
    let settings = side_by_side(&[Some(&a), Some(&b)]);
    assert!(!found(&settings, "innodb_thread_sleep_delay").differs);
}

#[test]
fn names_and_values_that_mean_the_same_are_no_difference() {
    let old = variables(&[
        ("version", "5.7.44"),
        ("tx_isolation", "READ COMMITTED"),
        ("slave_parallel_workers", "4"),
        ("log_slave_updates", "ON"),
        ("innodb_log_file_size", "1073741824"),
        ("innodb_log_files_in_group", "2"),
        ("expire_logs_days", "30"),
        ("character_set_server", "utf8"),
        ("innodb_flush_method", ""),
        ("long_query_time", "1.000000"),
        ("sql_mode", "NO_ZERO_DATE,STRICT_TRANS_TABLES"),
        ("innodb_print_all_deadlocks", "1"),
    ]);
    let new = variables(&[
        ("version", "9.7.4"),
        ("transaction_isolation", "READ-COMMITTED"),
        ("replica_parallel_workers", "4"),
        ("log_replica_updates", "1"),
        ("innodb_redo_log_capacity", "2147483648"),
        ("binlog_expire_logs_seconds", "2592000"),
        ("character_set_server", "utf8mb3"),
        ("innodb_flush_method", "fsync"),
        ("long_query_time", "1"),
        ("sql_mode", "STRICT_TRANS_TABLES,NO_ZERO_DATE"),
        ("innodb_print_all_deadlocks", "ON"),
    ]);
    let settings = side_by_side(&[Some(&old), Some(&new)]);
    let differing: Vec<&str> = settings.iter().filter(|s| s.differs).map(|s| s.name.as_str()).collect();
    assert_eq!(differing, ["version"]);
    let redo = found(&settings, "innodb_redo_log_capacity");
    let names: Vec<&str> = redo.values.iter().flatten().map(|value| value.name.as_str()).collect();
    assert_eq!(names, ["innodb_log_file_size x innodb_log_files_in_group", "innodb_redo_log_capacity"]);
}

#[test]
fn planted_differences_are_found_with_unit_default_meaning_and_effect() {
    let one = variables(&[
        ("version", "8.4.2"),
        ("innodb_buffer_pool_size", "25769803776"),
        ("innodb_io_capacity", "10000"),
        ("optimizer_switch", "mrr=on,hash_join=on,own=off"),
    ]);
    let two = variables(&[
        ("version", "10.11.6-MariaDB"),
        ("innodb_buffer_pool_size", "134217728"),
        ("innodb_io_capacity", "200"),
        ("optimizer_switch", "mrr=off,hash_join=on"),
    ]);
    let settings = side_by_side(&[Some(&one), Some(&two)]);
    let pool = found(&settings, "innodb_buffer_pool_size");
    assert!(pool.differs && pool.group == Group::Memory && pool.unit == Some(Unit::Bytes));
    assert_eq!(shown(pool), [("24 GiB", false), ("128 MiB", true)]);
    assert_eq!(pool.values[0].as_ref().and_then(|value| value.default.as_deref()), Some("128 MiB"));
    assert!(
        pool.meaning.is_some() && pool.effect_on_load().is_some_and(|w| w.en.starts_with("every load: "))
    );
    assert_eq!(shown(found(&settings, "innodb_io_capacity")), [("10,000/s", true), ("200/s", true)]);
    let switches = found(&settings, "optimizer_switch");
    assert_eq!(shown(switches), [("mrr=on", false), ("mrr=off", false)], "only what differs and both know");
}

#[test]
fn secrets_are_never_shown() {
    let server = |value| {
        variables(&[
            ("report_password", value),
            ("some_token", "***"),
            ("admin_ssl_key", value),
            ("key_buffer_size", value),
        ])
    };
    let settings = side_by_side(&[Some(&server("1")), Some(&server("2"))]);
    assert_eq!(settings.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["key_buffer_size"]);
}
