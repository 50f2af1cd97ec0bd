//! Kept data on real servers: a second server has them, and only a server that they fit.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use crate::common;

use crate::common::{FLAVOURS, ask, home_with, spec, tell};
use model::Flavour;
use sandbox::{CopyError, Life, Purpose, StartError, StartOptions};

#[test]
fn a_second_server_has_the_kept_data_of_the_first() {
    for flavour in FLAVOURS {
        let home = home_with(flavour);
        let (first, second) =
            (format!("t-copy-first-{}", flavour.name()), format!("t-copy-second-{}", flavour.name()));
        let spec = spec(flavour, &[("log_bin", "ON")]);
        let key = home.copy_key(&spec, "three rows").unwrap();
        assert_eq!(key, home.copy_key(&spec, "three rows").unwrap());
        assert_ne!(key, home.copy_key(&spec, "four rows").unwrap());

        let load = StartOptions { purpose: Purpose::Load, ..StartOptions::new(&first, &spec) };
        let server = home.start(&load).unwrap();
        assert_eq!(ask(&server, "SELECT @@log_bin"), "0");
        let redo_log = |server: &sandbox::Server| match flavour {
            Flavour::Mysql => ask(
                server,
                "SELECT VARIABLE_VALUE FROM performance_schema.global_status \
                 WHERE VARIABLE_NAME = 'Innodb_redo_log_enabled'",
            ),
            Flavour::Mariadb => String::new(),
        };
        assert!(flavour == Flavour::Mariadb || redo_log(&server) == "OFF");
        tell(&server, "CREATE TABLE t (id INT PRIMARY KEY)");
        tell(&server, "INSERT INTO t VALUES (1), (2), (3)");
        let uuid = |server: &sandbox::Server| match flavour {
            Flavour::Mysql => ask(server, "SELECT @@server_uuid"),
            Flavour::Mariadb => String::new(),
        };
        let first_uuid = uuid(&server);
        let kept = server.keep_copy(&home, &key).unwrap();
        assert!(home.has_copy(&key) && home.kept_copies().contains(&kept));

        for _ in 0..2 {
            let options = StartOptions { from_copy: Some(&key), ..StartOptions::new(&second, &spec) };
            let server = home.start(&options).unwrap();
            assert_eq!(ask(&server, "SELECT COUNT(*) FROM t"), "3");
            assert_eq!(ask(&server, "SELECT @@log_bin"), "1");
            assert!(flavour == Flavour::Mariadb || redo_log(&server) == "ON");
            tell(&server, "DELETE FROM t");
            assert!(flavour == Flavour::Mariadb || uuid(&server) != first_uuid);
            server.stop().unwrap();
        }

        let other = common::spec(flavour, &[("innodb_page_size", "8k")]);
        assert_ne!(key, home.copy_key(&other, "three rows").unwrap());
        let options = StartOptions { from_copy: Some(&key), ..StartOptions::new(&second, &other) };
        let error = home.start(&options).unwrap_err();
        assert!(matches!(error, StartError::Copy(CopyError::Mismatch { .. })), "{error}");
        home.remove_copy(&key).unwrap();
        assert!(!home.has_copy(&key));
    }
}

#[test]
fn a_lasting_server_keeps_its_data_when_a_copy_is_kept_and_its_binary_logs_are_not_in_it() {
    let home = home_with(Flavour::Mysql);
    let name = "t-copy-lasting";
    let _removed = common::Removed(&home, name);
    let spec = spec(Flavour::Mysql, &[]);
    let options = StartOptions { life: Life::Lasting, ..StartOptions::new(name, &spec) };
    let server = home.start(&options).unwrap();
    tell(&server, "CREATE TABLE t (id INT PRIMARY KEY)");
    server.keep_copy(&home, "t-copy-lasting").unwrap();
    assert!(!home.root().join("copies/t-copy-lasting/data/binlog.index").exists());
    let server = home.start(&options).unwrap();
    assert_eq!(ask(&server, "SHOW TABLES"), "t");
    home.remove_copy("t-copy-lasting").unwrap();
    server.stop().unwrap();
}

#[test]
fn data_that_another_process_kept_meanwhile_stay() {
    let home = home_with(Flavour::Mariadb);
    let spec = spec(Flavour::Mariadb, &[]);
    let key = "t-copy-twice";
    let _ = home.remove_copy(key);
    let load = |name| StartOptions { purpose: Purpose::Load, ..StartOptions::new(name, &spec) };
    let servers =
        [home.start(&load("t-copy-twice-1")).unwrap(), home.start(&load("t-copy-twice-2")).unwrap()];
    let data = home.root().join("copies").join(key).join("data");
    let mut seen = Vec::new();
    for server in servers {
        let kept = server.keep_copy(&home, key).unwrap();
        seen.push((kept, std::os::unix::fs::MetadataExt::ino(&std::fs::metadata(&data).unwrap())));
    }
    assert_eq!(seen[0], seen[1]);
    assert!(!home.root().join("servers/t-copy-twice-2").exists());
    home.remove_copy(key).unwrap();
    assert!(!home.root().join(format!("copies/.old-{key}")).exists());
}

#[test]
fn data_that_are_not_kept_are_named() {
    let home = home_with(Flavour::Mariadb);
    let spec = spec(Flavour::Mariadb, &[]);
    let options = StartOptions { from_copy: Some("no-such-key"), ..StartOptions::new("t-copy-none", &spec) };
    let error = home.start(&options).unwrap_err();
    assert!(error.to_string().contains("no data are kept under 'no-such-key'"), "{error}");
    let options = StartOptions { from_copy: Some("../x"), ..options };
    assert!(matches!(home.start(&options), Err(StartError::Copy(CopyError::Key { .. }))));
    assert!(matches!(home.remove_copy("../x"), Err(CopyError::Missing { .. })));
}
