//! The search for the difference that matters, on real servers.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::os::unix::fs::{PermissionsExt, symlink};

use crate::common::{home, json, output};

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

/// Builds of the system's MariaDB of which the later ones do not flush at each commit.
fn builds(place: &std::path::Path, number: usize, changed: usize) -> Vec<String> {
    let (_, home) = home();
    let system = home.resolve(model::Flavour::Mariadb, None).unwrap();
    let build = |at: usize| {
        let top = place.join(format!("build-{at}"));
        std::fs::create_dir_all(top.join("sbin")).unwrap();
        symlink("/usr/share", top.join("share")).unwrap();
        std::fs::create_dir_all(top.join("bin")).unwrap();
        for tool in ["mariadb-install-db", "my_print_defaults", "resolveip"] {
            symlink(format!("/usr/bin/{tool}"), top.join("bin").join(tool)).unwrap();
        }
        let flush = if at >= changed { 0 } else { 1 };
        let script = format!(
            "#!/bin/sh\nexec {} \"$@\" --innodb-flush-log-at-trx-commit={flush}\n",
            system.program.display()
        );
        let program = top.join("sbin/mariadbd");
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        top.display().to_string()
    };
    (1..=number).map(build).collect()
}

#[test]
fn the_build_that_changed_it_is_named() {
    let (results, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let builds = builds(place.path(), 5, 4).join(",");
    let line = format!(
        "bisect sandbox:mariadb oltp_update_index --versions {builds} --clients 2 --time 1 --warmup-time 0.5 \
         --tables 1 --table-size 1000 --rand-seed 3"
    );
    let (code, stdout, stderr) = output(&results, &line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(code, 0, "{stdout}{stderr}");
    let report = json(&results);
    let found = &report["version_searches"][0];
    assert_eq!(
        (&found["standing"], &found["before"], &found["after"]),
        (&"found".into(), &"build-3".into(), &"build-4".into()),
        "{stdout}{stderr}"
    );
    assert!(stdout.contains("Throughput changed between build-3 and build-4 at 2 clients"), "{stdout}");
    let never = &found["builds"][1];
    assert_eq!((&never["target"], &never["trials"]), (&"build-2".into(), &0.into()), "{stdout}");
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
    let build = refused("bisect sandbox:mysql@/opt/x oltp_read_only --versions /opt/a,/opt/b");
    assert!(build.contains("the target names none of its own"), "{build}");
    let metric = refused("bisect a=sandbox:mysql b=sandbox:mysql?sync_binlog=0 oltp_read_only --metric p99");
    assert!(metric.contains("only targets in order"), "{metric}");
    let workload = refused("bisect a=sandbox:mysql b=sandbox:mysql?sync_binlog=0 oltp_read_onyl");
    assert!(workload.contains("did you mean oltp_read_only?"), "{workload}");
}
