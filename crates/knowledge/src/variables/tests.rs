use std::collections::BTreeSet;

use model::{Flavour, Variables};

use super::{PAGES, Page, Touches, Unit, VariableDefault, entries, same};

fn variables(pairs: &[(&str, &str)]) -> Variables {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn every_page_can_be_read() {
    for (_, page) in PAGES {
        if let Err(mistake) = page.parse::<Page>() {
            panic!("{mistake}");
        }
    }
    if let Err(mistake) = same::PAGE.parse::<same::Names>() {
        panic!("{mistake}");
    }
}

#[test]
fn every_variable_is_there_once() {
    let mut names = BTreeSet::new();
    for (_, entry) in entries() {
        assert!(names.insert(&entry.name), "{} is there twice", entry.name);
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
    let is = |value| Some(VariableDefault::Is(value));
    assert_eq!(mysql("innodb_io_capacity", (8, 0, 36)), is("200"));
    assert_eq!(mysql("innodb_io_capacity", (8, 4, 0)), is("10000"));
    assert_eq!(mariadb("innodb_io_capacity", (11, 4, 2)), is("200"));
    assert_eq!(mysql("innodb_flush_method", (5, 7, 44)), is("fsync"));
    assert_eq!(mysql("innodb_flush_method", (9, 7, 4)), is("O_DIRECT"));
    assert_eq!(mariadb("innodb_flush_method", (10, 5, 0)), is("fsync"));
    assert_eq!(mariadb("innodb_flush_method", (10, 11, 0)), is("O_DIRECT"));
    assert_eq!(mysql("innodb_change_buffering", (8, 4, 0)), is("none"));
    assert_eq!(mysql("innodb_change_buffering", (9, 2, 0)), None, "nobody vouches for it");
    assert_eq!(mysql("innodb_buffer_pool_instances", (8, 4, 0)), Some(VariableDefault::Sized));
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
        assert_ne!(touches(name), Touches::Writes, "{name}");
    }
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
