//! What a crash can lose, which setting makes it so, and the rules about it.

use model::Durability;
use serde::Serialize;

use messages::message;

use super::Examined;
use super::finding::{Check, Found, RecommendationSeverity};

/// What a crash can lose, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Class {
    /// The class.
    pub class: Durability,
    /// The settings that make it so, as `name = value`.
    pub because: Vec<String>,
}

/// The durability class of a server.
pub fn class(examined: &Examined<'_>) -> Class {
    let (class, names) = Durability::of(&examined.seen.variables, &examined.seen.status);
    let say = |name: &str| match name {
        Durability::REDO => REDO_OFF.to_owned(),
        name => examined.say(name),
    };
    let mut because: Vec<String> = names.into_iter().map(say).collect();
    if class == Durability::Durable {
        let flush = examined.text("innodb_flush_log_at_trx_commit").unwrap_or("1");
        because.push(format!("innodb_flush_log_at_trx_commit = {flush}"));
        let binlog = if examined.is_on("log_bin") { "sync_binlog = 1" } else { "no binary log" };
        because.push(binlog.to_owned());
    }
    Class { class, because }
}

const REDO_OFF: &str = "Innodb_redo_log_enabled = OFF";

fn redo_log_is_off(examined: &Examined<'_>) -> bool {
    examined.seen.status.get(Durability::REDO).is_some_and(|value| value.eq_ignore_ascii_case("off"))
}

fn flush_method(examined: &Examined<'_>) -> String {
    examined.text("innodb_flush_method").unwrap_or_default().to_ascii_lowercase()
}

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("redo_log_off", |p| {
        redo_log_is_off(p).then(|| Found::new(RecommendationSeverity::High, REDO_OFF)).flatten()
    }),
    ("force_recovery", |p| {
        let on = p.number("innodb_force_recovery").is_some_and(|level| level > 0);
        on.then(|| Found::new(RecommendationSeverity::High, p.say("innodb_force_recovery"))).flatten()
    }),
    ("flush_log_at_commit", |p| match p.text("innodb_flush_log_at_trx_commit")? {
        "0" | "2" => Found::new(RecommendationSeverity::High, p.say("innodb_flush_log_at_trx_commit")),
        _ => None,
    }),
    ("sync_binlog", |p| {
        let loose = p.is_on("log_bin") && p.text("sync_binlog")? != "1";
        loose.then(|| Found::new(RecommendationSeverity::High, p.say("sync_binlog"))).flatten()
    }),
    ("doublewrite", |p| match p.text("innodb_doublewrite")?.to_ascii_lowercase().as_str() {
        "off" | "0" | "detect_only" => Found::new(RecommendationSeverity::High, p.say("innodb_doublewrite")),
        _ => None,
    }),
    ("flush_method", |p| match flush_method(p).as_str() {
        "nosync" | "littlesync" => Found::new(RecommendationSeverity::High, p.say("innodb_flush_method")),
        "o_direct_no_fsync" if p.version() < (8, 0, 14) => {
            Found::new(RecommendationSeverity::Medium, p.say("innodb_flush_method"))
        }
        "fsync" | "" if p.text("innodb_flush_method").is_some() => {
            Found::new(RecommendationSeverity::Low, p.say("innodb_flush_method"))
        }
        _ => None,
    }),
    ("checksums", |p| {
        let none = p.text("innodb_checksum_algorithm").is_some_and(|value| value.contains("none"));
        if none {
            return Found::new(RecommendationSeverity::Medium, p.say("innodb_checksum_algorithm"));
        }
        p.is_off("innodb_log_checksums")
            .then(|| Found::new(RecommendationSeverity::Medium, p.say("innodb_log_checksums")))
            .flatten()
    }),
    ("not_crash_safe_tables", |p| {
        let count = p.seen.tables.as_ref()?.not_crash_safe;
        (count > 0)
            .then(|| {
                let said = message!("doctor-not-crash-safe", count = Count(count));
                Found::new(RecommendationSeverity::Medium, said)
            })
            .flatten()
    }),
    ("binlog_off", |p| {
        p.is_off("log_bin").then(|| Found::new(RecommendationSeverity::Low, p.say("log_bin"))).flatten()
    }),
    ("support_xa", |p| {
        let loose = p.is_off("innodb_support_xa") && p.is_on("log_bin");
        loose.then(|| Found::new(RecommendationSeverity::High, p.say("innodb_support_xa"))).flatten()
    }),
];
