use std::collections::BTreeSet;

use model::{Flavour, Variables};

use super::{Default, Unit, entries, same};
use crate::differences::side_by_side;
use crate::{Group, Setting};

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
fn every_entry_is_there_once_under_the_newest_name_and_in_both_languages() {
    let mut names = BTreeSet::new();
    for (_, entry) in entries() {
        assert!(names.insert(entry.name), "{} is there twice", entry.name);
        assert_eq!(same::name(entry.name), entry.name, "an old name");
        for words in [entry.meaning(), entry.effect()] {
            assert!(!words.en.is_empty() && !words.en.ends_with('.'), "{}: {}", entry.name, words.en);
            assert!(words.zh.chars().any(|c| c as u32 > 0x2e80), "{}: {}", entry.name, words.zh);
        }
    }
    assert!(names.len() >= 200, "{}", names.len());
}

#[test]
fn defaults_are_those_of_family_and_release_series() {
    let default = |name: &str, flavour, version| {
        let (_, entry) = entries().find(|(_, entry)| entry.name == name).expect("it is in the table");
        entry.default(flavour, version)
    };
    let mysql = |name, version| default(name, Flavour::Mysql, version);
    let mariadb = |name, version| default(name, Flavour::Mariadb, version);
    let is = |value| Some(Default::Is(value));
    assert_eq!(mysql("innodb_io_capacity", (8, 0, 36)), is("200"));
    assert_eq!(mysql("innodb_io_capacity", (8, 4, 0)), is("10000"));
    assert_eq!(mariadb("innodb_io_capacity", (11, 4, 2)), is("200"));
    assert_eq!(mysql("innodb_flush_method", (5, 7, 44)), is("fsync"));
    assert_eq!(mysql("innodb_flush_method", (9, 7, 4)), is("O_DIRECT"));
    assert_eq!(mariadb("innodb_flush_method", (10, 5, 0)), is("fsync"));
    assert_eq!(mariadb("innodb_flush_method", (10, 11, 0)), is("O_DIRECT"));
    assert_eq!(mysql("innodb_change_buffering", (8, 4, 0)), is("none"));
    assert_eq!(mysql("innodb_change_buffering", (9, 2, 0)), None, "nobody vouches for it");
    assert_eq!(mysql("innodb_buffer_pool_instances", (8, 4, 0)), Some(Default::Sized));
    assert_eq!(mariadb("innodb_use_fdatasync", (10, 11, 0)), None, "MariaDB has no such variable");
    assert_eq!(mysql("binlog_transaction_dependency_history_size", (8, 4, 0)), is("25000"));
    assert_eq!(mysql("sync_binlog", (8, 0, 0)), is("1"));
    assert_eq!(mariadb("sync_binlog", (11, 4, 0)), is("0"));
}

#[test]
fn what_reads_feel_is_not_said_to_leave_them_alone() {
    let touches = |name: &str| {
        entries().find(|(_, entry)| entry.name == name).map(|(_, entry)| entry.touches).expect("it is there")
    };
    // O_DIRECT against fsync with a small pool: 2.0x was measured on a load that only reads.
    for name in [
        "innodb_flush_method",
        "innodb_change_buffering",
        "innodb_compression_algorithm",
        "innodb_fill_factor",
    ] {
        assert_ne!(touches(name), super::Touches::Writes, "{name}");
    }
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
fn values_are_shown_as_people_say_them() {
    let shown = |unit: Unit, value| unit.show(value);
    assert_eq!(shown(Unit::Bytes, "25769803776"), "24 GiB");
    assert_eq!(shown(Unit::Seconds, "10.000000"), "10 s");
    assert_eq!(shown(Unit::Seconds, "0.500000"), "0.5 s");
    assert_eq!(shown(Unit::Seconds, "31536000"), "365 days");
    assert_eq!(shown(Unit::Seconds, "28800"), "8 h");
    assert_eq!(shown(Unit::Plain, "4000"), "4,000");
    assert_eq!(shown(Unit::Threads, "1"), "1 thread");
    assert_eq!(shown(Unit::Bytes, "18446744073709547520"), "no limit");
    assert_eq!(shown(Unit::Plain, ""), "(empty)");
    assert_eq!(shown(Unit::Plain, "O_DIRECT"), "O_DIRECT");
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
fn old_redo_settings_count_in_mysql_8_0_only_where_they_alone_are_set() {
    let server = |capacity, size| {
        variables(&[
            ("innodb_redo_log_capacity", capacity),
            ("innodb_log_file_size", size),
            ("innodb_log_files_in_group", "2"),
        ])
    };
    let capacity = |server: &Variables| same::canonical(server)["innodb_redo_log_capacity"].value.clone();
    assert_eq!(capacity(&server("104857600", "50331648")), "104857600", "neither is set");
    assert_eq!(capacity(&server("104857600", "536870912")), "1073741824", "the old one is set");
    assert_eq!(capacity(&server("2147483648", "536870912")), "2147483648", "the new one is set");
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
