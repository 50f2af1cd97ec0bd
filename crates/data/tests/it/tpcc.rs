//! On real servers: TPC-C's tables hold what the standard asks for, by whichever way they are loaded; loads are resumed and
//! extended; and a violation of any consistency condition is found.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::common::{Lab, load};
use data::{DataError, Depth, Job, PrepareMethod, PrepareOutcome, Prepared, check, cleanup, consistency};
use model::{Consistency, DataSet, Flavour, TpccData};
use wire::ConnectOptions;

/// Nobody wants to stop.
static GO_ON: AtomicBool = AtomicBool::new(false);
const EXACT: Depth = Depth::Exact { connections: 2 };
const TABLES: [&str; 9] =
    ["customer", "district", "history", "item", "new_order", "order_line", "orders", "stock", "warehouse"];

fn data(warehouses: u32) -> TpccData {
    TpccData { warehouses, ..TpccData::default() }
}

fn set(data: &TpccData) -> DataSet {
    DataSet::Tpcc(data.clone())
}

fn prepare(connect: &ConnectOptions, data: &TpccData, threads: u32) -> Result<Prepared, DataError> {
    load(connect, &set(data), threads)
}

/// Numbers that change with any value of any row, whatever the rows' order.
fn checksums(lab: &Lab, database: &str) -> Vec<String> {
    TABLES
        .iter()
        .map(|table| {
            let columns = lab.client().query(&format!("SHOW COLUMNS FROM {database}.{table}")).unwrap();
            let columns: Vec<&str> = columns.rows.iter().map(|row| row.text(0).unwrap()).collect();
            let columns = columns.join(", ");
            lab.ask(&format!(
                "SELECT CONCAT(COUNT(*), ' ', SUM(CRC32(CONCAT_WS(',', {columns})))) FROM {database}.{table}"
            ))
        })
        .collect()
}

/// Those of one warehouse with seed 1, on every server, by every way.
const CHECKSUMS: [&str; 9] = [
    "30000 64302862949127",
    "10 18201119919",
    "30000 64432885339856",
    "100000 214785278646668",
    "9000 19337924507817",
    "301118 646505566830132",
    "30000 64344857029035",
    "100000 214960162136908",
    "1 660344359",
];

/// Those of two warehouses, once the test has written `mine` into the first row of stock.
const CHECKSUMS_OF_TWO: [&str; 9] = [
    "60000 129089210042338",
    "20 41590883531",
    "60000 129040128557026",
    "100000 214785278646668",
    "18000 38666750265182",
    "601371 1291541533299036",
    "60000 129100165779890",
    "200000 429345088843204",
    "2 792709133",
];

fn conditions(connect: &ConnectOptions, data: &TpccData) -> Consistency {
    consistency(connect, &set(data), 2, &GO_ON).unwrap().expect("TPC-C has conditions")
}

fn assert_consistent(lab: &Lab, database: &str, data: &TpccData) {
    let found = conditions(&lab.connect(database), data);
    let numbers: Vec<u32> = found.conditions.iter().map(|condition| condition.number).collect();
    assert_eq!(numbers, (1..=12).collect::<Vec<_>>());
    assert!(found.holds(), "{database}: {found:#?}");
}

fn loads_are_equal_and_extended(flavour: Flavour) {
    let lab = Lab::for_loads("tpcc", flavour, &[]);
    let one = lab.connect("one");
    let error = check(&one, &set(&data(1)), Depth::Present).unwrap_err();
    assert!(error.to_string().contains("has no database one"), "{error}");
    let prepared = prepare(&one, &data(1), 1).unwrap();
    assert_eq!(
        (prepared.outcome, prepared.method, prepared.retries),
        (PrepareOutcome::Loaded, PrepareMethod::LoadData, 0)
    );
    assert_eq!(checksums(&lab, "one"), CHECKSUMS);
    assert_eq!(lab.tables("one"), TABLES);
    assert_consistent(&lab, "one", &data(1));

    // The rest is loaded where there are fewer; the same four connections give what one would.
    let error = check(&one, &set(&data(2)), Depth::Present).unwrap_err();
    assert!(matches!(error, DataError::Fewer { found: 1, .. }), "{error}");
    assert!(error.to_string().contains("holds 1 warehouse, the run asks for 2"), "{error}");
    lab.tell(&["UPDATE one.stock SET s_data = 'mine' WHERE s_w_id = 1 AND s_i_id = 1"]);
    let extended = prepare(&one, &data(2), 4).unwrap();
    assert_eq!((extended.outcome, extended.rows_loaded), (PrepareOutcome::Loaded, 499_011));
    assert_eq!(lab.ask("SELECT COUNT(*) FROM one.stock WHERE s_data = 'mine'"), "1");
    let checked = check(&one, &set(&data(2)), EXACT).unwrap();
    assert_eq!((checked.tables, checked.cautions), (9, vec![]));
    let lines = lab.ask("SELECT COUNT(*) FROM one.order_line").parse::<u64>().unwrap();
    assert_eq!(checked.rows, Some(100_000 + 2 * (11 + 100_000 + 60_000 + 30_000 + 9_000) + lines));
    assert_consistent(&lab, "one", &data(2));

    assert_ne!(extended.fingerprint, prepared.fingerprint);
    assert_eq!(checksums(&lab, "one"), CHECKSUMS_OF_TWO);
    // Extended on both servers and loaded at once on one of them: the same rows.
    if flavour == Flavour::Mariadb {
        let two = prepare(&lab.connect("two"), &data(2), 4).unwrap();
        assert_eq!((two.rows, &two.fingerprint), (checked.rows.unwrap(), &extended.fingerprint));
        lab.tell(&["UPDATE two.stock SET s_data = 'mine' WHERE s_w_id = 1 AND s_i_id = 1"]);
        assert_eq!(checksums(&lab, "two"), CHECKSUMS_OF_TWO);
    }

    let again = prepare(&one, &data(2), 2).unwrap();
    assert_eq!((again.outcome, again.rows_loaded), (PrepareOutcome::AlreadyThere, 0));
    assert_eq!(again.fingerprint, extended.fingerprint);
    let checked = check(&one, &set(&data(1)), Depth::Present).unwrap();
    assert!(checked.cautions[0].starts_with("the tables hold 2 warehouses"), "{:?}", checked.cautions);

    let cleaned = cleanup(&one, &set(&data(1)), None).unwrap();
    assert_eq!((cleaned.dropped.len(), cleaned.left.len()), (9, 0));
    assert_eq!(lab.tables("one"), Vec::<String>::new());
}

#[test]
fn mysql_loads_are_equal_and_extended() {
    loads_are_equal_and_extended(Flavour::Mysql);
}

#[test]
fn mariadb_loads_are_equal_and_extended() {
    loads_are_equal_and_extended(Flavour::Mariadb);
}

/// What breaks each condition in district {d}, and what mends it.
const VIOLATIONS: [(usize, &str, &str); 12] = [
    (
        1,
        "UPDATE district SET d_ytd = d_ytd + 1 WHERE d_w_id = 1 AND d_id = {d}",
        "UPDATE district SET d_ytd = 30000",
    ),
    (
        2,
        "UPDATE district SET d_next_o_id = 3003 WHERE d_w_id = 1 AND d_id = {d}",
        "UPDATE district SET d_next_o_id = 3001",
    ),
    (
        3,
        "DELETE FROM new_order WHERE no_w_id = 1 AND no_d_id = {d} AND no_o_id = 2500",
        "INSERT INTO new_order (no_w_id, no_d_id, no_o_id) VALUES (1, {d}, 2500)",
    ),
    (
        4,
        "UPDATE orders SET o_ol_cnt = o_ol_cnt + 1 WHERE o_w_id = 1 AND o_d_id = {d} AND o_id = 7",
        "UPDATE orders SET o_ol_cnt = o_ol_cnt - 1 WHERE o_w_id = 1 AND o_d_id = {d} AND o_id = 7",
    ),
    (
        5,
        "UPDATE orders SET o_carrier_id = 3 WHERE o_w_id = 1 AND o_d_id = {d} AND o_id = 3000",
        "UPDATE orders SET o_carrier_id = NULL WHERE o_w_id = 1 AND o_d_id = {d} AND o_id = 3000",
    ),
    (
        6,
        "UPDATE order_line SET ol_number = 99, ol_o_id = 8 \
             WHERE ol_w_id = 1 AND ol_d_id = {d} AND ol_o_id = 7 AND ol_number = 1",
        "UPDATE order_line SET ol_number = 1, ol_o_id = 7 \
             WHERE ol_w_id = 1 AND ol_d_id = {d} AND ol_o_id = 8 AND ol_number = 99",
    ),
    (
        7,
        "UPDATE order_line SET ol_delivery_d = NULL \
             WHERE ol_w_id = 1 AND ol_d_id = {d} AND ol_o_id = 7 AND ol_number = 1",
        "UPDATE order_line SET ol_delivery_d = '2020-01-01' \
             WHERE ol_w_id = 1 AND ol_d_id = {d} AND ol_o_id = 7 AND ol_number = 1",
    ),
    (8, "UPDATE warehouse SET w_ytd = w_ytd - 1", "UPDATE warehouse SET w_ytd = w_ytd + 1"),
    (
        9,
        "UPDATE history SET h_d_id = 10 WHERE h_d_id = {d} AND h_c_d_id = {d} AND h_c_id = 1",
        "UPDATE history SET h_d_id = {d} WHERE h_d_id = 10 AND h_c_d_id = {d} AND h_c_id = 1",
    ),
    (
        10,
        "UPDATE history SET h_c_id = 2 WHERE h_c_d_id = {d} AND h_c_id = 1",
        "UPDATE history SET h_c_id = 1 WHERE h_c_d_id = {d} AND h_c_id = 2 LIMIT 1",
    ),
    (
        11,
        "INSERT INTO new_order (no_w_id, no_d_id, no_o_id) VALUES (1, {d}, 2100)",
        "DELETE FROM new_order WHERE no_w_id = 1 AND no_d_id = {d} AND no_o_id = 2100",
    ),
    (
        12,
        "UPDATE customer SET c_ytd_payment = 11 WHERE c_w_id = 1 AND c_d_id = {d} AND c_id = 9",
        "UPDATE customer SET c_ytd_payment = 10 WHERE c_w_id = 1 AND c_d_id = {d} AND c_id = 9",
    ),
];

fn inserts_load_the_same_rows_and_violations_are_found(flavour: Flavour) {
    let lab =
        Lab::for_loads("tpcc-insert", flavour, &[("local_infile", "OFF"), ("max_allowed_packet", "262144")]);
    let connect = lab.connect("tpcc");
    let prepared = prepare(&connect, &data(1), 3).unwrap();
    assert_eq!(prepared.method, PrepareMethod::Insert);
    assert_eq!(checksums(&lab, "tpcc"), CHECKSUMS);
    assert_consistent(&lab, "tpcc", &data(1));
    // Six at a time, each in a district of its own: a check reads every row.
    let mut client = wire::Client::connect(&connect).unwrap();
    for batch in VIOLATIONS.chunks(6) {
        let in_district = |sql: &str, place: usize| sql.replace("{d}", &(place + 4).to_string());
        for (place, (_, breaks, _)) in batch.iter().enumerate() {
            assert!(client.execute(&in_district(breaks, place)).unwrap().affected_rows >= 1, "{breaks}");
        }
        let found = conditions(&connect, &data(1));
        for (place, (number, breaks, mends)) in batch.iter().enumerate() {
            let broken = &found.conditions[number - 1];
            let of_warehouse = [1, 8].contains(number);
            let district =
                if of_warehouse { "w_id 1: ".to_owned() } else { format!("w_id 1, d_id {}", place + 4) };
            assert!(broken.examples.iter().any(|it| it.starts_with(&district)), "{breaks}: {broken:#?}");
            client.execute(&in_district(mends, place)).unwrap();
        }
    }
    assert_consistent(&lab, "tpcc", &data(1));
    // A district whose orders are all delivered is no violation of its own.
    lab.tell(&[
        "DELETE FROM tpcc.new_order WHERE no_w_id = 1 AND no_d_id = 4",
        "UPDATE tpcc.orders SET o_carrier_id = 1 WHERE o_w_id = 1 AND o_d_id = 4",
        "UPDATE tpcc.order_line SET ol_delivery_d = '2020-01-01', ol_amount = 0 WHERE ol_w_id = 1 AND ol_d_id = 4 \
         AND ol_delivery_d IS NULL",
    ]);
    assert_consistent(&lab, "tpcc", &data(1));
    let checked = check(&connect, &set(&data(1)), EXACT).unwrap();
    assert_eq!(checked.cautions, Vec::<String>::new());

    a_check_ends_when_the_user_wants(&lab, &connect);

    // An order is placed, another delivered, and a third one lost with its lines: no condition notices.
    lab.tell(&[
        "INSERT INTO tpcc.orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local) \
         VALUES (3001, 6, 1, 5, NOW(), 0, 1)",
        "INSERT INTO tpcc.new_order (no_o_id, no_d_id, no_w_id) VALUES (3001, 6, 1)",
        "UPDATE tpcc.district SET d_next_o_id = 3002 WHERE d_w_id = 1 AND d_id = 6",
        "DELETE FROM tpcc.new_order WHERE no_w_id = 1 AND no_d_id = 6 AND no_o_id = 2101",
        "UPDATE tpcc.orders SET o_carrier_id = 1 WHERE o_w_id = 1 AND o_d_id = 6 AND o_id = 2101",
        "UPDATE tpcc.order_line SET ol_delivery_d = NOW(), ol_amount = 0 WHERE ol_w_id = 1 AND ol_d_id = 6 \
         AND ol_o_id = 2101",
    ]);
    assert_consistent(&lab, "tpcc", &data(1));
    lab.tell(&[
        "DELETE FROM tpcc.orders WHERE o_w_id = 1 AND o_d_id = 6 AND o_id = 7",
        "DELETE FROM tpcc.order_line WHERE ol_w_id = 1 AND ol_d_id = 6 AND ol_o_id = 7",
    ]);
    let found = conditions(&connect, &data(1));
    assert!(found.conditions.iter().all(|condition| condition.violations == 0), "{found:#?}");
    let lost: Vec<_> = found.violated().map(|check| (check.name(), check.examples.clone())).collect();
    let example = "w_id 1, d_id 6: d_next_o_id - 1 3001, rows in orders 3000".to_owned();
    assert_eq!(lost, [("additional check".to_owned(), vec![example])]);
    assert!(!found.holds());

    // Another kit that was killed.
    lab.tell(&["DELETE FROM tpcc.customer WHERE c_w_id = 1 AND c_d_id = 10 AND c_id > 1500"]);
    for error in [
        check(&connect, &set(&data(1)), Depth::Present).unwrap_err(),
        prepare(&connect, &data(2), 2).unwrap_err(),
    ] {
        assert!(
            error.to_string().starts_with(
                "table customer holds 19 of the 20 rows looked at, as if its load had not been finished"
            ),
            "{error}"
        );
    }
}

/// At once, even where a statement would take for ever.
fn a_check_ends_when_the_user_wants(lab: &Lab, connect: &ConnectOptions) {
    let mut holder = wire::Client::connect(connect).unwrap();
    holder.execute("LOCK TABLES customer WRITE").unwrap();
    let cancel = AtomicBool::new(false);
    // The table stays locked until the check has ended: only the user's wish can end it.
    let error = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(500));
            cancel.store(true, Ordering::Relaxed);
        });
        consistency(connect, &set(&data(1)), 2, &cancel).unwrap_err()
    });
    assert!(matches!(error, DataError::CheckInterrupted), "{error}");
    holder.execute("UNLOCK TABLES").unwrap();
    assert_consistent(lab, "tpcc", &data(1));
}

#[test]
fn mysql_inserts_load_the_same_rows_and_violations_are_found() {
    inserts_load_the_same_rows_and_violations_are_found(Flavour::Mysql);
}

#[test]
fn mariadb_inserts_load_the_same_rows_and_violations_are_found() {
    inserts_load_the_same_rows_and_violations_are_found(Flavour::Mariadb);
}

fn variants_hold(flavour: Flavour) {
    let lab = Lab::for_loads("tpcc-variants", flavour, &[]);
    let old = TpccData { partitions: 3, age: 1, order_index: false, ..data(1) };
    let connect = lab.connect("old");
    prepare(&connect, &old, 3).unwrap();
    assert_consistent(&lab, "old", &old);
    check(&connect, &set(&old), EXACT).unwrap();
    assert_eq!(
        lab.ask("SELECT CONCAT(COUNT(*), ' ', MIN(o_id), ' ', MAX(o_id), ' ', COUNT(o_carrier_id)) FROM old.orders"),
        "60000 1 6000 51000"
    );
    let cases = [
        (TpccData { partitions: 0, ..old.clone() }, "table warehouse has 3 partitions, the run asks for 0"),
        (TpccData { order_index: true, ..old.clone() }, "table orders lacks the index"),
        (TpccData { age: 0, ..old.clone() }, "the tables were loaded with an age of 1, the run asks for 0"),
        (TpccData { engine: "MyISAM".to_owned(), ..old.clone() }, "table item uses engine InnoDB"),
        (
            TpccData { foreign_keys: true, partitions: 3, ..old.clone() },
            "table stock lacks the foreign key to warehouse",
        ),
    ];
    for (asked, words) in cases {
        let error = check(&connect, &set(&asked), Depth::Present).unwrap_err();
        assert!(error.to_string().starts_with(words), "{error}");
    }
    cleanup(&connect, &set(&data(1)), None).unwrap();

    let linked = TpccData { foreign_keys: true, ..data(1) };
    let connect = lab.connect("linked");
    prepare(&connect, &linked, 3).unwrap();
    check(&connect, &set(&linked), EXACT).unwrap();
    assert_eq!(checksums(&lab, "linked"), CHECKSUMS);
    let mut client = wire::Client::connect(&connect).unwrap();
    let error = client.execute("DELETE FROM item WHERE i_id = 1").unwrap_err();
    assert_eq!(error.server_error().unwrap().code, 1451);
    let error = check(&connect, &set(&data(1)), Depth::Present).unwrap_err();
    assert!(error.to_string().contains("the run asks for none"), "{error}");
    assert_eq!(cleanup(&connect, &set(&data(1)), None).unwrap().dropped.len(), 9);
}

#[test]
fn mysql_variants_hold() {
    variants_hold(Flavour::Mysql);
}

#[test]
fn mariadb_variants_hold() {
    variants_hold(Flavour::Mariadb);
}

/// Prepares, and presses Ctrl-C as soon as chunks are loaded.
fn interrupted(lab: &Lab, data: &TpccData) -> DataError {
    let cancel = AtomicBool::new(false);
    let (connect, data) = (lab.connect("tpcc"), set(data));
    let job = Job { connect: &connect, data: &data, seed: 1, threads: 2, cancel: &cancel };
    std::thread::scope(|scope| {
        let load = scope.spawn(|| data::prepare(&job, &|_| {}));
        let chunks = || {
            let answer = lab.client().query("SELECT COUNT(*) FROM tpcc.mydyno_prepare WHERE chunk >= 0");
            answer.ok().and_then(|rows| rows.first()?.parse(0)).unwrap_or(0)
        };
        while !load.is_finished() && chunks() < 8 {
            std::thread::sleep(Duration::from_millis(5));
        }
        cancel.store(true, Ordering::Relaxed);
        load.join().unwrap().unwrap_err()
    })
}

fn interrupted_loads_go_on(flavour: Flavour) {
    let lab = Lab::for_loads("tpcc-resumed", flavour, &[]);
    let connect = lab.connect("tpcc");
    let error = interrupted(&lab, &data(1));
    let DataError::Interrupted { rows_done, rows: 599_011 } = error else { panic!("{error}") };
    let error = check(&connect, &set(&data(1)), Depth::Present).unwrap_err();
    assert!(matches!(error, DataError::Incomplete { .. }), "{error}");
    assert!(error.to_string().contains("since their load (tpcc of 1 warehouse) was interrupted"), "{error}");
    let error = prepare(&connect, &data(2), 1).unwrap_err();
    assert!(matches!(error, DataError::Unfinished { .. }), "{error}");
    // sysbench's cleanup has nothing to do with it.
    let cleaned = cleanup(&connect, &crate::common::set(&crate::common::tables(1, 1)), None).unwrap();
    assert_eq!((cleaned.dropped.len(), cleaned.left.len()), (0, 1));

    // The seed is that of the first attempt.
    let (asked, cancel) = (set(&data(1)), AtomicBool::new(false));
    let job = Job { connect: &connect, data: &asked, seed: 99, threads: 3, cancel: &cancel };
    let prepared = data::prepare(&job, &|_| {}).unwrap();
    assert!(prepared.rows_loaded > 0 && prepared.rows_loaded <= 599_011 - rows_done);
    assert_eq!(checksums(&lab, "tpcc"), CHECKSUMS);

    // The same for a load that extends.
    lab.tell(&["CREATE TABLE tpcc.sbtest1 (id INT)"]);
    let error = interrupted(&lab, &data(2));
    assert!(matches!(error, DataError::Interrupted { .. }), "{error}");
    let prepared = prepare(&connect, &data(2), 3).unwrap();
    assert!(prepared.rows_loaded < 499_011);
    assert_consistent(&lab, "tpcc", &data(2));
    check(&connect, &set(&data(2)), EXACT).unwrap();
    assert_eq!(lab.ask("SELECT COUNT(*) FROM tpcc.history"), "60000");
}

#[test]
fn mysql_interrupted_loads_go_on() {
    interrupted_loads_go_on(Flavour::Mysql);
}

#[test]
fn mariadb_interrupted_loads_go_on() {
    interrupted_loads_go_on(Flavour::Mariadb);
}

fn what_is_not_tpccs_is_left_alone(flavour: Flavour) {
    let lab = Lab::new("tpcc-refusals", flavour, &[]);
    let connect = lab.connect("shop");
    let unable = TpccData { foreign_keys: true, partitions: 2, ..data(1) };
    let error = prepare(&connect, &unable, 1).unwrap_err();
    assert!(error.to_string().starts_with("partitioned tables cannot have foreign keys"), "{error}");
    for engine in ["MyISAM", "nonesuch"] {
        let error = prepare(&connect, &TpccData { engine: engine.to_owned(), ..data(1) }, 1).unwrap_err();
        assert!(matches!(error, DataError::NoTransactions { .. }), "{error}");
    }
    let error = check(&connect, &set(&data(1)), Depth::Present).unwrap_err();
    assert!(error.to_string().ends_with("and 6 more"), "{error}");
    lab.tell(&["CREATE TABLE shop.customer (id INT PRIMARY KEY, name VARCHAR(10))"]);
    for error in [
        check(&connect, &set(&data(1)), Depth::Present).unwrap_err(),
        prepare(&connect, &data(1), 1).unwrap_err(),
    ] {
        assert_eq!(
            error.to_string(),
            "database shop has tables named like TPC-C's that are others: table customer (it has no column c_id)"
        );
    }
    lab.tell(&[
        "DROP TABLE shop.customer",
        "CREATE TABLE shop.new_order (no_o_id INT NOT NULL, no_d_id INT NOT NULL, no_w_id INT NOT NULL, \
         PRIMARY KEY (no_w_id, no_d_id, no_o_id)) ENGINE = MyISAM",
    ]);
    let error = prepare(&connect, &data(1), 1).unwrap_err();
    assert!(
        error.to_string().starts_with("table new_order uses engine MyISAM, the run asks for InnoDB"),
        "{error}"
    );
    lab.tell(&["ALTER TABLE shop.new_order ENGINE = InnoDB"]);
    let error = prepare(&connect, &data(1), 1).unwrap_err();
    assert!(
        error.to_string().starts_with("database shop has some of TPC-C's tables but not item, warehouse"),
        "{error}"
    );
    lab.tell(&[
        "CREATE TABLE shop.item (i_id INT, color INT)",
        "CREATE VIEW shop.stock AS SELECT 1 AS s_i_id",
    ]);
    let cleaned = cleanup(&connect, &set(&data(1)), None).unwrap();
    assert_eq!(cleaned.dropped, ["new_order"]);
    let left: Vec<String> =
        cleaned.left.iter().map(|left| format!("{}: {}", left.table, left.reason)).collect();
    assert_eq!(left, ["stock: it is a view", "item: it has no column i_im_id"]);
    assert_eq!(lab.tables("shop"), ["item", "stock"]);
}

#[test]
fn mysql_what_is_not_tpccs_is_left_alone() {
    what_is_not_tpccs_is_left_alone(Flavour::Mysql);
}

#[test]
fn mariadb_what_is_not_tpccs_is_left_alone() {
    what_is_not_tpccs_is_left_alone(Flavour::Mariadb);
}
