//! The search for the difference that matters, on real servers.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use crate::common::{json, output};

/// A flush per commit among settings that do nothing here, one pair of which must agree.
#[test]
fn the_setting_that_was_planted_is_named_and_no_other() {
    let results = tempfile::tempdir().unwrap();
    let harmless = "max_error_count=100&character_set_server=latin1&collation_server=latin1_swedish_ci&net_read_timeout=60";
    let line = format!(
        "bisect a=sandbox:mariadb?innodb_buffer_pool_size=128M \
         b=sandbox:mariadb?innodb_buffer_pool_size=128M&{harmless}&innodb_flush_log_at_trx_commit=0 \
         oltp_update_index --clients 2 --time 1 --warmup-time 0.5 --tables 1 --table-size 1000 --rand-seed 3"
    );
    let (code, stdout, stderr) = output(&results, &line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(code, 0, "{stdout}{stderr}");
    let report = json(&results);
    let found = &report["bisections"][0];
    assert_eq!(
        (&found["standing"], &found["differences"]),
        (&"explained".into(), &4.into()),
        "{stdout}{stderr}"
    );
    let named = |one: &&serde_json::Value| one["named"] == true;
    let names: Vec<&str> = found["found"]
        .as_array()
        .unwrap()
        .iter()
        .filter(named)
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["innodb_flush_log_at_trx_commit"], "{stdout}{stderr}");
    assert!(stdout.contains("innodb_flush_log_at_trx_commit (default vs 0) explains"), "{stdout}");
    // Combinations are no targets of the report.
    assert_eq!(report["targets"].as_array().unwrap().len(), 2);
}

#[test]
fn what_cannot_be_searched_is_refused_before_anything_starts() {
    let results = tempfile::tempdir().unwrap();
    let refused = |line: &str| {
        let (code, _, stderr) = output(&results, &line.split_whitespace().collect::<Vec<_>>());
        assert_eq!(code, 2, "{line}: {stderr}");
        stderr
    };
    let alike = refused("bisect a=sandbox:mysql b=sandbox:mysql oltp_read_only");
    assert!(alike.contains("do not differ in anything that can be exchanged"), "{alike}");
    let flavours = refused("bisect a=sandbox:mysql b=sandbox:mariadb oltp_read_only");
    assert!(flavours.contains("MySQL and MariaDB have no parts"), "{flavours}");
    let clients =
        refused("bisect a=sandbox:mysql b=sandbox:mysql?sync_binlog=0 oltp_read_only --clients 1,4");
    assert!(clients.contains("takes one number of clients"), "{clients}");
    let rate = refused("bisect a=sandbox:mysql b=sandbox:mysql?sync_binlog=0 oltp_read_only --rate 100");
    assert!(rate.contains("arrival rate"), "{rate}");
    let workload = refused("bisect a=sandbox:mysql b=sandbox:mysql?sync_binlog=0 oltp_read_onyl");
    assert!(workload.contains("did you mean oltp_read_only?"), "{workload}");
}
