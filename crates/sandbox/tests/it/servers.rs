//! Real servers: they start as asked, can be reached, stop, and leave nothing behind.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use crate::common;

use std::sync::atomic::AtomicBool;

use crate::common::{FLAVOURS, Removed, ask, home_at, home_with, lives, spec, tell};
use model::{Flavour, SandboxSpec};
use sandbox::{Home, Life, SandboxError, ServerPhase, StartError, StartOptions, StopOutcome};

#[test]
fn a_server_is_reached_over_its_socket_and_over_tcp_and_goes_without_a_trace() {
    for flavour in FLAVOURS {
        let home = home_with(flavour);
        let name = format!("t-trace-{}", flavour.name());
        let spec = SandboxSpec { tcp: true, ..spec(flavour, &[]) };
        let mut server = home.start(&StartOptions::new(&name, &spec)).unwrap();
        server.alive().unwrap();
        assert_eq!(ask(&server, "SELECT @@port"), server.port().to_string());
        assert!(ask(&server, "SELECT USER()").starts_with("mydyno@"));
        assert_eq!(ask(&server, "SELECT DATABASE()"), "sbtest");
        let over_socket = wire::ConnectOptions {
            address: wire::ServerAddress::Unix(server.socket()),
            ..server.connect_options(None)
        };
        wire::Client::connect(&over_socket).unwrap();
        let status = home.status(&name).unwrap();
        assert_eq!((status.phase, status.pid), (ServerPhase::Running, Some(server.pid())));
        let (pid, dir) = (server.pid(), server.dir().to_owned());
        assert_eq!(server.stop().unwrap(), StopOutcome::Cleanly);
        assert!(!lives(pid) && !dir.exists());
        assert!(matches!(home.status(&name), Err(SandboxError::Unknown { .. })));
    }
}

#[test]
fn the_users_settings_are_the_servers() {
    for flavour in FLAVOURS {
        let home = home_with(flavour);
        let name = format!("t-settings-{}", flavour.name());
        let settings = [
            ("Innodb-Flush-Log-At-Trx-Commit", "2"),
            ("sync_binlog", "0"),
            ("log_bin", "ON"),
            ("init_connect", "SET @who = 'it''s #1'"),
            ("lower_case_table_names", "1"),
        ];
        let server = home.start(&StartOptions::new(&name, &spec(flavour, &settings))).unwrap();
        assert_eq!(ask(&server, "SELECT @@innodb_flush_log_at_trx_commit"), "2");
        assert_eq!(ask(&server, "SELECT @@sync_binlog"), "0");
        assert_eq!(ask(&server, "SELECT @@log_bin"), "1");
        assert_eq!(ask(&server, "SELECT @@init_connect"), "SET @who = 'it''s #1'");
        assert_eq!(ask(&server, "SELECT @@lower_case_table_names"), "1");
        assert_eq!(ask(&server, "SELECT @@datadir"), format!("{}/", server.dir().join("data").display()));
        server.stop().unwrap();
    }
}

#[test]
fn the_defaults_let_a_sweep_of_a_thousand_clients_in() {
    for flavour in FLAVOURS {
        let home = home_with(flavour);
        let name = format!("t-defaults-{}", flavour.name());
        let spec = SandboxSpec { settings: [].into(), ..spec(flavour, &[]) };
        let server = home.start(&StartOptions::new(&name, &spec)).unwrap();
        let number = |sql: &str| ask(&server, sql).parse::<u64>().unwrap();
        assert_eq!(number("SELECT @@max_prepared_stmt_count"), 1_048_576);
        assert_eq!(number("SELECT @@innodb_flush_log_at_trx_commit"), 1);
        assert_eq!(number("SELECT @@log_bin"), u64::from(flavour == Flavour::Mysql));
        assert_eq!(ask(&server, "SELECT @@character_set_server"), "utf8mb4");
        let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).maximum.unwrap_or(u64::MAX);
        if files >= 20_000 {
            assert_eq!(number("SELECT @@max_connections"), 4200);
        }
    }
}

#[test]
fn a_dropped_server_is_dead() {
    let home = home_with(Flavour::Mariadb);
    let server = home.start(&StartOptions::new("t-dropped", &spec(Flavour::Mariadb, &[]))).unwrap();
    let (pid, dir) = (server.pid(), server.dir().to_owned());
    drop(server);
    assert!(!lives(pid) && !dir.exists());
}

#[test]
fn a_lasting_server_outlives_its_value_and_keeps_its_data() {
    for flavour in FLAVOURS {
        let home = home_with(flavour);
        let name = format!("t-lasting-{}", flavour.name());
        let _removed = Removed(&home, &name);
        let spec = spec(flavour, &[]);
        let options = StartOptions { life: Life::Lasting, ..StartOptions::new(&name, &spec) };
        let server = home.start(&options).unwrap();
        tell(&server, "CREATE TABLE kept (id INT)");
        let pid = server.pid();
        drop(server);
        assert!(lives(pid));
        assert!(matches!(home.remove(&name), Err(SandboxError::Running { .. })));
        assert!(matches!(home.start(&options), Err(StartError::Running { .. })));
        assert_eq!(home.stop(&name).unwrap(), StopOutcome::Cleanly);
        assert!(!lives(pid));
        assert!(matches!(home.stop(&name), Err(SandboxError::NotRunning { .. })));
        assert_eq!(home.status(&name).unwrap().phase, ServerPhase::Stopped);

        let for_a_run = StartOptions { life: Life::Scoped, ..options };
        assert!(matches!(home.start(&for_a_run), Err(StartError::Kept { .. })));
        let broken = common::spec(flavour, &[("no_such_variable", "1")]);
        let failed = home.start(&StartOptions { spec: &broken, ..options });
        assert!(matches!(failed, Err(StartError::Died { .. })), "{failed:?}");
        assert_eq!(home.status(&name).unwrap().spec, spec);

        let server = home.start(&options).unwrap();
        assert_eq!(ask(&server, "SHOW TABLES"), "kept");
        server.stop().unwrap();
        let other = common::spec(flavour, &[("innodb_page_size", "8k")]);
        let refused = home.start(&StartOptions { spec: &other, ..options });
        assert!(matches!(refused, Err(StartError::OtherData { .. })), "{refused:?}");
        home.remove(&name).unwrap();
        assert!(!home.list().unwrap().iter().any(|status| status.name == name));
    }
}

#[test]
fn one_name_is_one_server() {
    let home = home_with(Flavour::Mariadb);
    let spec = spec(Flavour::Mariadb, &[]);
    let server = home.start(&StartOptions::new("t-once", &spec)).unwrap();
    let again = home.start(&StartOptions::new("t-once", &spec)).unwrap_err();
    assert!(matches!(again, StartError::InUse { .. }), "{again}");
    let stop = home.stop("t-once").unwrap_err();
    assert!(stop.to_string().contains(&format!("(pid {})", std::process::id())), "{stop}");
    assert!(matches!(home.remove("t-once"), Err(SandboxError::InUse { .. })));
    server.stop().unwrap();
}

#[test]
fn a_name_stays_inside_the_home() {
    let home = home_with(Flavour::Mariadb);
    for name in ["", ".", "..", "a/b", "../x", "ä", ".hidden"] {
        let refused = home.start(&StartOptions::new(name, &spec(Flavour::Mariadb, &[])));
        assert!(matches!(refused, Err(StartError::Name { .. })), "{name}");
        assert!(matches!(home.remove(name), Err(SandboxError::Unknown { .. })), "{name}");
    }
}

#[test]
fn a_home_too_deep_for_a_socket_works() {
    for flavour in FLAVOURS {
        let top = tempfile::tempdir().unwrap();
        let home = home_at(&top.path().join("d".repeat(60)).join("e".repeat(60)), flavour);
        let server = home.start(&StartOptions::new("deep", &spec(flavour, &[]))).unwrap();
        assert!(server.dir().join("mysql.sock").exists());
        assert_eq!(ask(&server, "SELECT 1"), "1");
        server.stop().unwrap();
    }
}

#[test]
fn a_home_with_a_blank_in_its_path_works() {
    for flavour in FLAVOURS {
        let top = tempfile::tempdir().unwrap();
        let home = home_at(&top.path().join("my servers"), flavour);
        let server = home.start(&StartOptions::new("blank", &spec(flavour, &[]))).unwrap();
        assert_eq!(ask(&server, "SELECT 1"), "1");
        server.stop().unwrap();
    }
}

#[test]
fn a_start_that_is_no_longer_wanted_leaves_nothing() {
    let home = home_with(Flavour::Mariadb);
    let cancel = AtomicBool::new(true);
    let spec = spec(Flavour::Mariadb, &[]);
    let options = StartOptions { cancel: &cancel, ..StartOptions::new("t-cancelled", &spec) };
    let cancelled = home.start(&options).unwrap_err();
    assert!(matches!(cancelled, StartError::Cancelled { .. }), "{cancelled}");
    assert!(matches!(home.status("t-cancelled"), Err(SandboxError::Unknown { .. })));
}

#[test]
fn a_basedir_is_a_server_too() {
    let home = home_with(Flavour::Mysql);
    let installed = home.resolve(Flavour::Mysql, None).unwrap();
    let found = home.resolve(Flavour::Mysql, Some(&installed.top)).unwrap();
    assert_eq!((found.version, found.loader), (installed.version, installed.loader));
    let wrong = home.resolve(Flavour::Mariadb, Some(&installed.top)).unwrap_err().to_string();
    assert!(wrong.contains("is mysql, not mariadb"), "{wrong}");
}

#[test]
fn a_command_line_client_reaches_the_server_without_a_password_in_its_arguments() {
    for flavour in FLAVOURS {
        let home = home_with(flavour);
        let name = format!("t-shell-{}", flavour.name());
        let server = home.start(&StartOptions::new(&name, &spec(flavour, &[]))).unwrap();
        let mut client = home.client(&name).unwrap();
        let has_password =
            |word: &std::ffi::OsStr| word.to_string_lossy().contains(server.password().expose());
        assert!(!client.get_args().any(has_password));
        let output = client.args(["-N", "-e", "SELECT DATABASE(), CURRENT_USER()"]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(said.trim(), "sbtest\tmydyno@localhost", "{}", String::from_utf8_lossy(&output.stderr));
        server.stop().unwrap();
        assert!(matches!(home.client(&name), Err(SandboxError::Unknown { .. })));
    }
}

#[test]
fn a_home_is_private() {
    use std::os::unix::fs::MetadataExt;
    let top = tempfile::tempdir().unwrap();
    let home = Home::open(&top.path().join("home")).unwrap();
    assert_eq!(std::fs::metadata(home.root().join("servers")).unwrap().mode() & 0o777, 0o700);
}
