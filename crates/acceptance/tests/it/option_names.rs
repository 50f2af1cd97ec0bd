//! Only the command line knows what its options are called: no text of the crates below it names a flag.

use crate::literals::{self, rust_files};

/// Literals that hold flags of other programs, which these files start: what the file holds, and whose flags they are.
const OF_OTHER_PROGRAMS: [(&str, &str); 17] = [
    ("disk/src/error.rs", "unshare and docker run"),
    ("network/src/error.rs", "unshare and docker run"),
    ("network/src/namespace.rs", "unshare"),
    ("network/src/priority.rs", "chrt"),
    ("probe/src/sampler.rs", "perf"),
    ("sandbox/src/client.rs", "the mysql client"),
    ("sandbox/src/install/apt.rs", "apt-get"),
    ("sandbox/src/install/basedir.rs", "mysqld"),
    ("sandbox/src/install/mariadb.rs", "apt-get"),
    ("sandbox/src/install/installation.rs", "ld.so"),
    ("sandbox/src/install/router.rs", "mysqlrouter"),
    ("sandbox/src/place/error.rs", "systemd-run --user"),
    ("sandbox/src/process.rs", "mysqld and setpriv"),
    ("sandbox/src/router_record.rs", "mysqlrouter"),
    ("sandbox/src/start.rs", "mysqld"),
    ("sandbox/src/template.rs", "mysqld and mariadb-install-db"),
    ("topology/src/lines.rs", "wsrep_sst_common of Galera"),
];

/// The crates below the command line.
const BELOW: [&str; 22] = [
    "cgroup",
    "analysis",
    "calibrate",
    "codes",
    "data",
    "disk",
    "import",
    "knowledge",
    "load",
    "messages",
    "model",
    "network",
    "probe",
    "random",
    "report",
    "runner",
    "sandbox",
    "spec",
    "stats",
    "store",
    "topology",
    "wire",
];

#[test]
fn no_text_below_the_command_line_names_a_flag() {
    let crates = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let mut found = Vec::new();
    let mut exempt = Vec::new();
    for name in BELOW {
        for file in rust_files(&format!("{crates}/{name}/src")) {
            let literals = literals::of(&file);
            let place = file.rsplit_once("/../").map_or(file.as_str(), |(_, place)| place);
            let flags = literals.into_iter().filter(|literal| has_flag(literal)).collect::<Vec<_>>();
            if flags.is_empty() {
                continue;
            }
            match OF_OTHER_PROGRAMS.iter().find(|(of, _)| *of == place) {
                Some((of, _)) => exempt.push(*of),
                None => found.extend(flags.into_iter().map(|flag| format!("{place}: {flag}"))),
            }
        }
    }
    assert!(found.is_empty(), "texts that name flags:\n{}", found.join("\n"));
    let idle = OF_OTHER_PROGRAMS.iter().filter(|(of, _)| !exempt.contains(of)).collect::<Vec<_>>();
    assert!(idle.is_empty(), "these need no exemption: {idle:?}");
}

/// `--[a-z]` at the beginning of a word.
fn has_flag(literal: &str) -> bool {
    literal.match_indices("--").any(|(at, _)| {
        let is_inside = literal[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-');
        !is_inside && literal[at + 2..].starts_with(|c: char| c.is_ascii_lowercase())
    })
}
