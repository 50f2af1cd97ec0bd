//! What the tests on real servers share: one home, into which servers are installed once.

use std::collections::BTreeMap;
use std::path::PathBuf;

use model::{Flavour, SandboxSpec, TlsMode};
use sandbox::Home;

/// Where the tests' home is: MYDYNO_TEST_HOME, or `test-home` in the target directory of the workspace.
pub fn home_path() -> PathBuf {
    match std::env::var_os("MYDYNO_TEST_HOME") {
        Some(path) => path.into(),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/test-home"),
    }
}

/// The tests' home, with a server of `flavour` in it.
pub fn home_with(flavour: Flavour) -> Home {
    let home = Home::open(&home_path()).expect("the home of the tests can be made");
    home.install(flavour, &mut |line| println!("{line}")).expect("a server can be installed");
    home
}

/// A sandbox with these settings.
pub fn spec(flavour: Flavour, settings: &[(&str, &str)]) -> SandboxSpec {
    let settings: BTreeMap<String, String> =
        settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    SandboxSpec { flavour, basedir: None, settings, tcp: false, tls: TlsMode::Disabled }
}
