//! Rules about encryption, what the server accepts, and what it does with it.

use super::{FIRST, Found, LAST, Manual, Only, Patient, Rule, Severity};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "sql_mode",
        only: Only::Both,
        manual: Manual::Server("sql_mode"),
        why: "values that do not fit are cut to fit, with a warning that nobody reads",
        action: "add STRICT_TRANS_TABLES to sql_mode",
        cost: "statements that got away with it fail: try it in a test first",
        check: |p| {
            let mode = p.text("sql_mode")?;
            let strict = mode.contains("STRICT_TRANS_TABLES") || mode.contains("STRICT_ALL_TABLES");
            let evidence = if mode.is_empty() { "sql_mode is empty".to_owned() } else { p.say("sql_mode") };
            (!strict).then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "tls_off",
        only: Only::Mariadb(FIRST, LAST),
        manual: Manual::Tls("have_ssl"),
        why: "passwords' proofs and data cross the network in the clear",
        action: "ssl_cert and ssl_key in my.cnf, and restart",
        cost: "a few percent of throughput for short statements; more for each connection that is opened",
        check: |p| {
            let off = p.text("have_ssl").is_some_and(|value| value != "YES");
            off.then(|| Found::new(exposure(p), p.say("have_ssl"))).flatten()
        },
    },
    Rule {
        id: "tls_off",
        only: Only::Mysql(FIRST, LAST),
        manual: Manual::Tls("tls_version"),
        why: "data cross the network in the clear, and caching_sha2_password needs an RSA key instead",
        action: "ssl_cert and ssl_key in my.cnf, or let the server make them (auto_generate_certs)",
        cost: "a few percent of throughput for short statements; more for each connection that is opened",
        check: |p| {
            let disabled = p.text("have_ssl").is_some_and(|value| value != "YES");
            let empty = p.text("tls_version").is_some_and(str::is_empty);
            (disabled || empty).then(|| Found::new(exposure(p), "no TLS")).flatten()
        },
    },
    Rule {
        id: "tls_old",
        only: Only::Both,
        manual: Manual::Tls("tls_version"),
        why: "TLS 1.0 and 1.1 are broken and forbidden by most rules",
        action: "tls_version = TLSv1.2,TLSv1.3",
        cost: "clients of before 2016 can no longer connect encrypted",
        check: |p| {
            let old = p
                .text("tls_version")?
                .split(',')
                .any(|version| ["TLSv1", "TLSv1.0", "TLSv1.1"].contains(&version.trim()));
            let used = p.text("have_ssl").is_none_or(|value| value == "YES");
            (old && used).then(|| Found::new(Severity::Low, p.say("tls_version"))).flatten()
        },
    },
    Rule {
        id: "plain_connections",
        only: Only::Both,
        manual: Manual::Server("require_secure_transport"),
        why: "clients that do not ask for TLS are served without it",
        action: "SET GLOBAL require_secure_transport = ON;",
        cost: "clients without TLS are refused",
        check: |p| {
            let used = p.text("have_ssl").is_none_or(|value| value == "YES");
            let open = used && p.is_off("require_secure_transport") && exposure(p) == Severity::Medium;
            open.then(|| Found::new(Severity::Low, p.say("require_secure_transport"))).flatten()
        },
    },
    Rule {
        id: "local_infile",
        only: Only::Both,
        manual: Manual::Server("local_infile"),
        why: "a server that somebody has taken over can read files of its clients",
        action: "SET GLOBAL local_infile = OFF;  when no data are being loaded",
        cost: "LOAD DATA LOCAL no longer works, with which mydyno loads its tables fastest",
        check: |p| {
            p.is_on("local_infile").then(|| Found::new(Severity::Low, p.say("local_infile"))).flatten()
        },
    },
    Rule {
        id: "secure_file_priv",
        only: Only::Both,
        manual: Manual::Server("secure_file_priv"),
        why: "accounts with the FILE privilege read and write files anywhere the server may",
        action: "secure_file_priv = NULL (MariaDB: a directory) in my.cnf, and restart",
        cost: "SELECT ... INTO OUTFILE only there, or not at all",
        check: |p| {
            let open = p.text("secure_file_priv").is_some_and(str::is_empty);
            open.then(|| Found::new(Severity::Low, "secure_file_priv is empty")).flatten()
        },
    },
    Rule {
        id: "character_set",
        only: Only::Both,
        manual: Manual::Server("character_set_server"),
        why: "new tables cannot hold all characters, and joins between character sets do without indexes",
        action: "character_set_server = utf8mb4 in my.cnf; convert old tables",
        cost: "up to four bytes a character; conversion copies the table",
        check: |p| {
            let set = p.text("character_set_server")?;
            let narrow = ["latin1", "utf8", "utf8mb3"].contains(&set);
            narrow.then(|| Found::new(Severity::Low, p.say("character_set_server"))).flatten()
        },
    },
    Rule {
        id: "name_resolve",
        only: Only::Both,
        manual: Manual::Server("skip_name_resolve"),
        why: "new connections wait for the name server, for seconds when it does not answer",
        action: "skip_name_resolve = ON in my.cnf, and restart",
        cost: "accounts must name addresses, not host names",
        check: |p| {
            let resolves = p.is_off("skip_name_resolve") && exposure(p) == Severity::Medium;
            resolves.then(|| Found::new(Severity::Low, p.say("skip_name_resolve"))).flatten()
        },
    },
    Rule {
        id: "old_passwords",
        only: Only::Mysql(FIRST, (8, 0, 0)),
        manual: Manual::Server("old_passwords"),
        why: "passwords are kept as hashes that are broken",
        action: "SET GLOBAL old_passwords = 0;  and set the passwords anew",
        cost: "clients of before 2003 cannot connect",
        check: |p| {
            let old = p.number("old_passwords").is_some_and(|value| value == 1);
            old.then(|| Found::new(Severity::Medium, p.say("old_passwords"))).flatten()
        },
    },
];

/// A server that only its own machine can reach has less to fear.
fn exposure(p: &Patient<'_>) -> Severity {
    let address = p.text("bind_address").unwrap_or_default();
    let inside = address.starts_with("127.") || ["localhost", "::1"].contains(&address);
    if inside || p.is_on("skip_networking") { Severity::Low } else { Severity::Medium }
}
