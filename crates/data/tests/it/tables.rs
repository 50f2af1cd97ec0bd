//! On real servers: the tables are sysbench's, whichever way the rows get there, and sysbench's are accepted.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use crate::common::{FLAVOURS, Lab, check, prepare, tables};
use data::{DataError, Depth, PrepareMethod, PrepareOutcome};
use model::SysbenchData;

const EXACT: Depth = Depth::Exact { connections: 2 };

#[test]
fn tables_are_created_as_sysbench_creates_them_and_accepted_from_it() {
    let default = tables(2, 3000);
    let cases: [(&str, SysbenchData, &[&str]); 6] = [
        ("plain", default.clone(), &["oltp_read_write"]),
        (
            "noauto",
            SysbenchData { auto_inc: false, ..default.clone() },
            &["oltp_read_write", "--auto-inc=off"],
        ),
        ("xid", SysbenchData { secondary: true, ..default.clone() }, &["oltp_read_write", "--secondary=on"]),
        (
            "noindex",
            SysbenchData { create_secondary: false, ..default.clone() },
            &["oltp_read_write", "--create-secondary=off"],
        ),
        (
            "empty",
            SysbenchData { auto_inc: false, table_size: 0, ..default.clone() },
            &["oltp_insert", "--auto-inc=off"],
        ),
        (
            "bulk",
            SysbenchData { bulk: true, create_secondary: false, table_size: 0, ..default },
            &["bulk_insert", "--threads=2"],
        ),
    ];
    for flavour in FLAVOURS {
        let lab = Lab::new("as-sysbench", flavour, &[]);
        for (name, data, options) in &cases {
            let (ours, theirs) = (format!("{name}_ours"), format!("{name}_theirs"));
            lab.tell(&[&format!("CREATE DATABASE {theirs}")]);
            // bulk_insert of sysbench has no such options
            let sizes: &[&str] = if data.bulk { &[] } else { &["--tables=2", "--table-size=3000"] };
            lab.sysbench(&theirs, &[options, sizes, &["prepare"]].concat());
            prepare(&lab.connect(&ours), data, 3).unwrap();
            for n in 1..=2 {
                let show = |database: &str| lab.ask(&format!("SHOW CREATE TABLE {database}.sbtest{n}"));
                assert_eq!(show(&ours), show(&theirs), "{flavour:?} {name}");
            }
            assert_eq!(lab.tables(&ours), ["sbtest1", "sbtest2"]);
            for database in [&ours, &theirs] {
                for depth in [EXACT, Depth::Present] {
                    let checked = check(&lab.connect(database), data, depth).unwrap();
                    assert_eq!((checked.tables, checked.cautions), (2, vec![]), "{flavour:?} {database}");
                }
                assert_eq!(
                    prepare(&lab.connect(database), data, 3).unwrap().outcome,
                    PrepareOutcome::AlreadyThere
                );
            }
        }
        // sysbench runs on our tables, and a run leaves them good for the next one.
        for workload in ["oltp_read_write", "oltp_delete", "oltp_insert"] {
            let run = [
                workload,
                "--tables=2",
                "--table-size=3000",
                "--threads=2",
                "--events=40",
                "--time=0",
                "run",
            ];
            lab.sysbench("plain_ours", &run);
            check(&lab.connect("plain_ours"), &cases[0].1, Depth::Present).unwrap();
        }
        let error = check(&lab.connect("plain_ours"), &cases[0].1, EXACT).unwrap_err();
        assert!(matches!(error, DataError::Differs { .. }), "{error}");
    }
}

#[test]
fn rows_do_not_depend_on_the_way_they_get_there() {
    let data = tables(2, 45_000);
    let mut checksums = Vec::new();
    for flavour in FLAVOURS {
        for (local_infile, method) in [("ON", PrepareMethod::LoadData), ("OFF", PrepareMethod::Insert)] {
            let lab = Lab::new(
                &format!("ways-{}", local_infile.to_lowercase()),
                flavour,
                &[("local_infile", local_infile), ("max_allowed_packet", "65536")],
            );
            for threads in [1, 5] {
                let database = format!("with_{threads}");
                let prepared = prepare(&lab.connect(&database), &data, threads).unwrap();
                assert_eq!((prepared.method, prepared.rows_loaded, prepared.retries), (method, 90_000, 0));
                assert_eq!(
                    lab.ask(&format!("SELECT MIN(k) > 0 AND MAX(k) <= 45000 FROM {database}.sbtest2")),
                    "1"
                );
                checksums.push(lab.checksum(&database, 2));
            }
        }
    }
    assert!(checksums.iter().all(|sums| *sums == checksums[0]), "{checksums:?}");
    assert_eq!(checksums[0], ["45000 96887278241929", "45000 96465125637367"]);
}

#[test]
fn tables_that_are_complete_stay_and_missing_ones_are_added() {
    for flavour in FLAVOURS {
        let lab = Lab::new("added", flavour, &[]);
        let connect = lab.connect("sb");
        prepare(&connect, &tables(2, 2000), 2).unwrap();
        lab.tell(&["UPDATE sb.sbtest1 SET c = 'mine' WHERE id = 7"]);
        let prepared = prepare(&connect, &tables(4, 2000), 2).unwrap();
        assert_eq!(
            (prepared.outcome, prepared.rows, prepared.rows_loaded),
            (PrepareOutcome::Loaded, 8000, 4000)
        );
        assert_eq!(lab.ask("SELECT c FROM sb.sbtest1 WHERE id = 7"), "mine");
        assert_eq!(check(&connect, &tables(4, 2000), EXACT).unwrap().rows, Some(8000));
    }
}

#[test]
fn text_columns_may_have_any_character_set() {
    for flavour in FLAVOURS {
        let lab = Lab::new("charsets", flavour, &[]);
        let sums = ["utf8mb4", "latin1", "utf16"].map(|charset| {
            lab.tell(&[&format!("CREATE DATABASE in_{charset} CHARACTER SET {charset}")]);
            prepare(&lab.connect(&format!("in_{charset}")), &tables(1, 1000), 1).unwrap();
            lab.ask(&format!(
                "SELECT SUM(CRC32(CONVERT(CONCAT(c, pad) USING latin1))) FROM in_{charset}.sbtest1"
            ))
        });
        assert!(sums.iter().all(|sum| *sum == sums[0]), "{sums:?}");
    }
}
