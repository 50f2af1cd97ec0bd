//! Rules about encryption, what the server accepts, and what it does with it.

use model::Flavour;

use super::finding::{Check, Found, RecommendationSeverity};
use super::{Examined, Runs};
use messages::message;

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("sql_mode", |p| {
        let mode = p.text("sql_mode")?;
        let strict = mode.contains("STRICT_TRANS_TABLES") || mode.contains("STRICT_ALL_TABLES");
        let evidence = match mode.is_empty() {
            true => message!("doctor-sql-mode-empty"),
            false => p.say("sql_mode").into(),
        };
        (!strict).then(|| Found::new(RecommendationSeverity::Medium, evidence)).flatten()
    }),
    ("tls_off", tls_off),
    ("tls_old", |p| {
        let old = p
            .text("tls_version")?
            .split(',')
            .any(|version| ["TLSv1", "TLSv1.0", "TLSv1.1"].contains(&version.trim()));
        let used = p.text("have_ssl").is_none_or(|value| value == "YES");
        (old && used).then(|| Found::new(RecommendationSeverity::Low, p.say("tls_version"))).flatten()
    }),
    ("plain_connections", |p| {
        let used = p.text("have_ssl").is_none_or(|value| value == "YES");
        let open =
            used && p.is_off("require_secure_transport") && exposure(p) == RecommendationSeverity::Medium;
        open.then(|| Found::new(RecommendationSeverity::Low, p.say("require_secure_transport"))).flatten()
    }),
    ("local_infile", |p| {
        // A sandbox is given it, so that its tables load fast.
        let is_found = p.is_on("local_infile") && p.runs == Runs::User;
        is_found.then(|| Found::new(RecommendationSeverity::Low, p.say("local_infile"))).flatten()
    }),
    ("secure_file_priv", |p| {
        let open = p.text("secure_file_priv").is_some_and(str::is_empty);
        let said = message!("doctor-file-priv-empty");
        open.then(|| Found::new(RecommendationSeverity::Low, said)).flatten()
    }),
    ("no_password", no_password),
    ("character_set", |p| {
        let set = p.text("character_set_server")?;
        let narrow = ["latin1", "utf8", "utf8mb3"].contains(&set);
        narrow.then(|| Found::new(RecommendationSeverity::Low, p.say("character_set_server"))).flatten()
    }),
    ("name_resolve", |p| {
        let resolves = p.is_off("skip_name_resolve") && exposure(p) == RecommendationSeverity::Medium;
        resolves.then(|| Found::new(RecommendationSeverity::Low, p.say("skip_name_resolve"))).flatten()
    }),
    ("old_passwords", |p| {
        let old = p.number("old_passwords").is_some_and(|value| value == 1);
        old.then(|| Found::new(RecommendationSeverity::Medium, p.say("old_passwords"))).flatten()
    }),
];

/// MySQL says so by an empty `tls_version`, MariaDB and older MySQL by `have_ssl`.
fn tls_off(p: &Examined<'_>) -> Option<Found> {
    let disabled = p.text("have_ssl").is_some_and(|value| value != "YES");
    match p.seen.flavour {
        Flavour::Mariadb => disabled.then(|| Found::new(exposure(p), p.say("have_ssl"))).flatten(),
        Flavour::Mysql => {
            let empty = p.text("tls_version").is_some_and(str::is_empty);
            (disabled || empty).then(|| Found::new(exposure(p), message!("doctor-no-tls"))).flatten()
        }
    }
}

/// Accounts that anybody may use. One that only its own machine can reach counts where others can reach the server, for then
/// the machine has users who are not its administrators.
fn no_password(p: &Examined<'_>) -> Option<Found> {
    let accounts = p.seen.accounts.as_ref().filter(|accounts| accounts.without_password > 0)?;
    let is_open = exposure(p) == RecommendationSeverity::Medium;
    let severity = match (accounts.from_elsewhere > 0, is_open) {
        (true, true) => RecommendationSeverity::Medium,
        (true, false) | (false, true) => RecommendationSeverity::Low,
        (false, false) => return None,
    };
    let more = accounts.without_password > accounts.names.len() as u64;
    let reach = match (accounts.from_elsewhere > 0, is_open) {
        (true, true) => "open",
        (true, false) => "closed",
        (false, _) => "local",
    };
    let said = message!(
        "doctor-no-password",
        all = Count(accounts.without_password),
        names = Text(accounts.names.join(", ")),
        listed = Word(if more { "some" } else { "all" }),
        reach = Word(reach),
        elsewhere = Count(accounts.from_elsewhere)
    );
    Found::new(severity, said)
}

/// A server that only its own machine can reach has less to fear.
fn exposure(p: &Examined<'_>) -> RecommendationSeverity {
    let address = p.text("bind_address").unwrap_or_default();
    let inside = address.starts_with("127.") || ["localhost", "::1"].contains(&address);
    if inside || p.is_on("skip_networking") {
        RecommendationSeverity::Low
    } else {
        RecommendationSeverity::Medium
    }
}
