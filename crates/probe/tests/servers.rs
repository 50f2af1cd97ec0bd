//! Real servers: what they say of themselves is read as it was set.

use std::collections::BTreeMap;
use std::path::PathBuf;

use model::{Durability, Flavour, SandboxSpec};
use sandbox::{Home, Server, StartOptions};

/// Where the tests' home is: MYDYNO_TEST_HOME, or `test-home` in the target directory of the workspace.
fn start(name: &str, flavour: Flavour, settings: &[(&str, &str)]) -> Server {
    let path = std::env::var_os("MYDYNO_TEST_HOME").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/test-home"),
        PathBuf::from,
    );
    let home = Home::open(&path).expect("the home of the tests can be made");
    home.install(flavour, &mut |_| ()).expect("a server can be installed");
    let settings: BTreeMap<String, String> =
        settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let spec = SandboxSpec::new(flavour, settings);
    home.start(&StartOptions::new(name, &spec)).expect("it starts")
}

fn reads_what_was_set(flavour: Flavour, password: &str) {
    let settings = [
        ("innodb_flush_log_at_trx_commit", "2"),
        ("max_connections", "77"),
        ("max_prepared_stmt_count", "1234"),
        ("table_open_cache", "512"),
        ("report_password", password),
    ];
    let server = start(&format!("t-probe-{}", flavour.name()), flavour, &settings);
    let mut client = wire::Client::connect(&server.connect_options(None)).expect("it is up");
    let facts = probe::server_facts(&mut client).expect("it answers");
    assert_eq!((facts.flavour, facts.durability), (flavour, Durability::LosesOnOsCrash));
    assert_eq!((facts.max_connections, facts.tls_cipher), (77, None));
    assert!(facts.buffer_pool_bytes >= 1 << 20 && !facts.version.is_empty());

    let limits = probe::limits(&mut client).expect("it answers");
    assert_eq!((limits.max_connections, limits.max_prepared_statements), (77, 1234));
    assert_eq!((limits.connected, limits.table_open_cache), (0, 512));

    let variables = probe::variables(&mut client).expect("it answers");
    assert_eq!(variables["report_password"], "***");
    assert!(variables.len() > 400 && variables.values().all(|value| !value.contains(password)));
    drop(client);
    server.stop().expect("it stops");
}

#[test]
fn mysql_is_read_as_it_was_set() {
    reads_what_was_set(Flavour::Mysql, "never-to-be-seen");
}

#[test]
fn mariadb_is_read_as_it_was_set() {
    reads_what_was_set(Flavour::Mariadb, "never-to-be-seen");
}
