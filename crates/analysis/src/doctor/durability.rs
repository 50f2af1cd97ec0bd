//! What a crash can lose, which setting makes it so, and the rules about it.

use model::Durability;
use serde::Serialize;

use super::{FIRST, Found, LAST, Manual, Only, Patient, Rule, Severity};

/// What a crash can lose, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Class {
    /// The class.
    pub class: Durability,
    /// The settings that make it so, as `name = value`.
    pub because: Vec<String>,
}

/// The durability class of a server.
pub fn class(patient: &Patient<'_>) -> Class {
    let (class, names) = Durability::of(&patient.seen.variables, &patient.seen.status);
    let say = |name: &str| match name {
        Durability::REDO => REDO_OFF.to_owned(),
        name => patient.say(name),
    };
    let mut because: Vec<String> = names.into_iter().map(say).collect();
    if class == Durability::Durable {
        let flush = patient.text("innodb_flush_log_at_trx_commit").unwrap_or("1");
        because.push(format!("innodb_flush_log_at_trx_commit = {flush}"));
        let binlog = if patient.is_on("log_bin") { "sync_binlog = 1" } else { "no binary log" };
        because.push(binlog.to_owned());
    }
    Class { class, because }
}

const REDO_OFF: &str = "Innodb_redo_log_enabled = OFF";

fn redo_log_is_off(patient: &Patient<'_>) -> bool {
    patient.seen.status.get(Durability::REDO).is_some_and(|value| value.eq_ignore_ascii_case("off"))
}

fn flush_method(patient: &Patient<'_>) -> String {
    patient.text("innodb_flush_method").unwrap_or_default().to_ascii_lowercase()
}

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "redo_log_off",
        only: Only::Mysql((8, 0, 21), LAST),
        manual: Manual::Status("Innodb_redo_log_enabled"),
        why: "any crash leaves the data unreadable: without its redo log InnoDB cannot recover at all",
        action: "ALTER INSTANCE ENABLE INNODB REDO_LOG;",
        cost: "writes are as slow as they are with a redo log",
        check: |p| redo_log_is_off(p).then(|| Found::new(Severity::High, REDO_OFF)).flatten(),
    },
    Rule {
        id: "force_recovery",
        only: Only::Both,
        manual: Manual::Innodb("innodb_force_recovery"),
        why: "parts of InnoDB that protect the data are switched off; from 4 on data can be damaged for good",
        action: "dump what can be read, build the server anew, and set it back to 0",
        cost: "a restart",
        check: |p| {
            let on = p.number("innodb_force_recovery").is_some_and(|level| level > 0);
            on.then(|| Found::new(Severity::High, p.say("innodb_force_recovery"))).flatten()
        },
    },
    Rule {
        id: "flush_log_at_commit",
        only: Only::Both,
        manual: Manual::Innodb("innodb_flush_log_at_trx_commit"),
        why: "commits are answered before they are on disk: 0 loses about a second of them if mysqld crashes, 2 if the \
              machine does; and what is measured so does not compare with a durable server",
        action: "SET GLOBAL innodb_flush_log_at_trx_commit = 1;  (and in my.cnf)",
        cost: "one flush per commit or group of commits: at few clients on a slow disk less than half the writes",
        check: |p| match p.text("innodb_flush_log_at_trx_commit")? {
            "0" | "2" => Found::new(Severity::High, p.say("innodb_flush_log_at_trx_commit")),
            _ => None,
        },
    },
    Rule {
        id: "sync_binlog",
        only: Only::Both,
        manual: Manual::Binlog("sync_binlog"),
        why: "after a crash of the machine the binary log lacks commits that InnoDB has: replicas and point-in-time \
              recovery then differ from this server",
        action: "SET GLOBAL sync_binlog = 1;  (and in my.cnf)",
        cost: "one more flush per group of commits; little where many clients commit together",
        check: |p| {
            let loose = p.is_on("log_bin") && p.text("sync_binlog")? != "1";
            loose.then(|| Found::new(Severity::High, p.say("sync_binlog"))).flatten()
        },
    },
    Rule {
        id: "doublewrite",
        only: Only::Both,
        manual: Manual::Innodb("innodb_doublewrite"),
        why: "a page that is half written when the power fails cannot be repaired, unless the file system writes 16 KiB \
              atomically (ZFS, some flash)",
        action: "innodb_doublewrite = ON in my.cnf, and restart",
        cost: "pages are written twice; a few percent of throughput where the disk is the limit",
        check: |p| match p.text("innodb_doublewrite")?.to_ascii_lowercase().as_str() {
            "off" | "0" => Found::new(Severity::High, p.say("innodb_doublewrite")),
            "detect_only" => Found::new(Severity::Medium, p.say("innodb_doublewrite")),
            _ => None,
        },
    },
    Rule {
        id: "flush_method",
        only: Only::Both,
        manual: Manual::Innodb("innodb_flush_method"),
        why: "it decides whether what InnoDB writes reaches the disk, and whether the page cache keeps a second copy of \
              the buffer pool",
        action: "innodb_flush_method = O_DIRECT in my.cnf, and restart",
        cost: "a small buffer pool loses the help of the page cache: make it large enough first",
        check: |p| match flush_method(p).as_str() {
            "nosync" | "littlesync" => Found::new(Severity::High, p.say("innodb_flush_method")),
            "o_direct_no_fsync" if p.version() < (8, 0, 14) => {
                Found::new(Severity::Medium, p.say("innodb_flush_method"))
            }
            "fsync" | "" if p.text("innodb_flush_method").is_some() => {
                Found::new(Severity::Low, p.say("innodb_flush_method"))
            }
            _ => None,
        },
    },
    Rule {
        id: "checksums",
        only: Only::Both,
        manual: Manual::Innodb("innodb_checksum_algorithm"),
        why: "pages that the disk or memory has damaged are read as if they were right",
        action: "innodb_checksum_algorithm = crc32, innodb_log_checksums = ON",
        cost: "nothing that can be measured on CPUs with a CRC instruction",
        check: |p| {
            let none = p.text("innodb_checksum_algorithm").is_some_and(|value| value.contains("none"));
            if none {
                return Found::new(Severity::Medium, p.say("innodb_checksum_algorithm"));
            }
            p.is_off("innodb_log_checksums")
                .then(|| Found::new(Severity::Medium, p.say("innodb_log_checksums")))
                .flatten()
        },
    },
    Rule {
        id: "not_crash_safe_tables",
        only: Only::Both,
        manual: Manual::Server("default_storage_engine"),
        why: "a crash can damage them, a failed statement leaves them half changed, and each write locks the whole table",
        action: "ALTER TABLE ... ENGINE = InnoDB;",
        cost: "each is copied, and is locked meanwhile",
        check: |p| {
            let count = p.seen.tables?.not_crash_safe;
            (count > 0)
                .then(|| Found::new(Severity::Medium, format!("tables in MyISAM, CSV or ARCHIVE: {count}")))
                .flatten()
        },
    },
    Rule {
        id: "binlog_off",
        only: Only::Both,
        manual: Manual::Binlog("log_bin"),
        why: "there is no recovery to a point in time and no replica; a server without it also commits faster than one \
              with it, so that the two do not compare",
        action: "log_bin = ON with a server_id in my.cnf, and restart",
        cost: "a second log to write and flush: some 10 % of the writes; disk for its files",
        check: |p| p.is_off("log_bin").then(|| Found::new(Severity::Low, p.say("log_bin"))).flatten(),
    },
    Rule {
        id: "support_xa",
        only: Only::Mysql(FIRST, (8, 0, 0)),
        manual: Manual::Innodb("innodb_support_xa"),
        why: "the binary log and InnoDB can disagree after a crash",
        action: "SET GLOBAL innodb_support_xa = ON;",
        cost: "one more flush per group of commits",
        check: |p| {
            let loose = p.is_off("innodb_support_xa") && p.is_on("log_bin");
            loose.then(|| Found::new(Severity::High, p.say("innodb_support_xa"))).flatten()
        },
    },
];
