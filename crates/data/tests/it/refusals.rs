//! On real servers: what is not ours is neither dropped nor taken for ours, and every refusal says what to do.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::sync::{OnceLock, atomic::AtomicBool};

use crate::common::{FLAVOURS, Lab, check, cleanup, prepare, set, tables};
use data::{DataError, Depth, Job};
use model::{Advice, Advise, How, SysbenchData, Verb};
use wire::{ConnectOptions, Secret};

#[test]
fn cleanup_leaves_alone_what_is_not_sysbenchs() {
    for flavour in FLAVOURS {
        let lab = Lab::new("cleanup", flavour, &[]);
        let connect = lab.connect("sb");
        prepare(&connect, &tables(5, 100), 2).unwrap();
        lab.tell(&[
            "CREATE TABLE sb.sbtest_notes (id INT PRIMARY KEY)",
            "CREATE TABLE sb.other LIKE sb.sbtest1",
            "CREATE TABLE sb.sbtest01 LIKE sb.sbtest1",
            "ALTER TABLE sb.sbtest2 ADD COLUMN note VARCHAR(10)",
            "ALTER TABLE sb.sbtest4 ADD INDEX mine (c)",
            "CREATE VIEW sb.sbtest7 AS SELECT * FROM sb.sbtest1",
            "CREATE TABLE sb.sbtest8 (id INT NOT NULL, k INT NOT NULL DEFAULT 0, PRIMARY KEY (id))",
        ]);
        let cleaned = cleanup(&connect, Some(3)).unwrap();
        assert_eq!(cleaned.dropped, ["sbtest1", "sbtest3"]);
        let cleaned = cleanup(&connect, None).unwrap();
        assert_eq!(cleaned.dropped, ["sbtest5", "sbtest8"]);
        let left: Vec<&str> = cleaned.left.iter().map(|left| left.table.as_str()).collect();
        assert_eq!(left, ["sbtest01", "sbtest2", "sbtest4", "sbtest7", "sbtest_notes"]);
        assert_eq!(lab.tables("sb"), ["other", "sbtest01", "sbtest2", "sbtest4", "sbtest7", "sbtest_notes"]);
    }
}

#[test]
fn tables_that_differ_are_named_and_never_touched() {
    for flavour in FLAVOURS {
        let lab = Lab::new("differ", flavour, &[]);
        let connect = lab.connect("sb");
        let data = tables(3, 1000);
        let error = check(&connect, &data, Depth::Present).unwrap_err();
        assert!(error.to_string().contains("has no database sb"), "{error}");
        prepare(&connect, &data, 2).unwrap();

        // Each case: what is asked for, what the error says.
        let cases = [
            (tables(3, 10_000), "table sbtest1 has 1,000 rows, the run asks for 10,000"),
            (SysbenchData { auto_inc: false, ..data.clone() }, "table sbtest1 has AUTO_INCREMENT"),
            (SysbenchData { secondary: true, ..data.clone() }, "table sbtest1 lacks the index xid"),
            (SysbenchData { create_secondary: false, ..data.clone() }, "table sbtest1 has the index k_1"),
            (SysbenchData { engine: "myisam".into(), ..data.clone() }, "table sbtest1 uses engine InnoDB"),
            (SysbenchData { bulk: true, ..data.clone() }, "table sbtest1 has four columns"),
        ];
        for (asked, words) in cases {
            for error in [
                check(&connect, &asked, Depth::Exact { connections: 2 }).unwrap_err(),
                prepare(&connect, &asked, 2).unwrap_err(),
            ] {
                assert!(matches!(error, DataError::Differs { .. }), "{error}");
                assert!(error.to_string().starts_with(words), "{error}");
                let data = Box::new(set(&asked));
                assert_eq!(error.advice()[0], Advice::run("replace the tables", Verb::Replace(data)));
            }
        }
        let error = check(&connect, &tables(4, 1000), Depth::Present).unwrap_err();
        assert_eq!(error.to_string(), "database sb has no table sbtest4");
        let data_of_four = Box::new(set(&tables(4, 1000)));
        assert_eq!(error.advice(), [Advice::run("load the data", Verb::Prepare(data_of_four))]);

        // sysbench, killed in the midst of a table
        lab.tell(&["DELETE FROM sb.sbtest2 WHERE id > 600"]);
        let error = prepare(&connect, &data, 2).unwrap_err();
        assert!(
            error.to_string().starts_with("table sbtest2 has 600 rows, the run asks for 1,000"),
            "{error}"
        );
        let error = check(&connect, &data, Depth::Present).unwrap_err();
        assert!(error.to_string().starts_with("table sbtest2 holds ids up to 600"), "{error}");
        assert_eq!(lab.ask("SELECT COUNT(*) FROM sb.sbtest2"), "600");
    }
}

#[test]
fn a_bulk_table_with_rows_is_refused() {
    let lab = Lab::new("bulk", FLAVOURS[0], &[]);
    let connect = lab.connect("sb");
    let data = SysbenchData { bulk: true, create_secondary: false, ..tables(2, 0) };
    prepare(&connect, &data, 1).unwrap();
    lab.tell(&["INSERT INTO sb.sbtest2 VALUES (1, 1)"]);
    for error in
        [check(&connect, &data, Depth::Present).unwrap_err(), prepare(&connect, &data, 1).unwrap_err()]
    {
        assert_eq!(
            error.to_string(),
            "table sbtest2 has rows from an earlier run, the run asks for an empty one"
        );
    }
}

#[test]
fn missing_privileges_and_databases_are_explained() {
    for flavour in FLAVOURS {
        let lab = Lab::new("privileges", flavour, &[]);
        lab.tell(&[
            "CREATE DATABASE sb",
            "CREATE USER bench@localhost IDENTIFIED BY 'secret'",
            "GRANT SELECT ON sb.* TO bench@localhost",
        ]);
        let bench = |database: &str| ConnectOptions {
            user: "bench".to_owned(),
            password: Some(Secret::new("secret")),
            ..lab.connect(database)
        };
        let error = prepare(&bench("sb"), &tables(1, 100), 1).unwrap_err();
        assert!(matches!(error, DataError::Privilege { .. }), "{error}");
        let grant =
            |database: &str| format!("GRANT ALL PRIVILEGES ON `{database}`.* TO 'bench'@'localhost';");
        assert_eq!(error.advice(), [Advice::sql("grant it as another account", grant("sb"))]);
        let error = prepare(&bench("nowhere"), &tables(1, 100), 1).unwrap_err();
        let How::Sql(statements) = &error.advice()[0].how else { panic!("{error}") };
        assert!(statements.ends_with(&grant("nowhere")), "{statements}");
        let error = prepare(&ConnectOptions { database: None, ..bench("") }, &tables(1, 100), 1).unwrap_err();
        assert!(matches!(error, DataError::NoDatabase), "{error}");
        let error = prepare(&bench("sb"), &tables(1, 1 << 31), 1).unwrap_err();
        assert!(matches!(error, DataError::TooManyRows { .. }), "{error}");
        let error =
            prepare(&lab.connect("sb"), &SysbenchData { engine: "nonesuch".into(), ..tables(1, 1) }, 1)
                .unwrap_err();
        assert!(error.to_string().contains("nonesuch"), "{error}");
        // Nothing of these attempts stands in the way of a good one.
        prepare(&lab.connect("sb"), &SysbenchData { engine: "InnoDB".into(), ..tables(1, 1) }, 1).unwrap();
    }
}

#[test]
fn a_database_has_one_loader_at_a_time() {
    let lab = Lab::new("busy", FLAVOURS[1], &[]);
    let connect = lab.connect("sb");
    let data = tables(1, 1000);
    let second = OnceLock::new();
    let job =
        Job { connect: &connect, data: &set(&data), seed: 1, threads: 1, cancel: &AtomicBool::new(false) };
    data::prepare(&job, &|_| {
        second.get_or_init(|| (prepare(&connect, &data, 1), cleanup(&connect, None)));
    })
    .unwrap();
    let (prepared, cleaned) = second.into_inner().unwrap();
    assert!(matches!(prepared, Err(DataError::Busy { .. })));
    assert!(matches!(cleaned, Err(DataError::Busy { .. })));
}
