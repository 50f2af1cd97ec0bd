//! What a crash can lose, which setting makes it so, and the rules about it.

use model::Durability;
use serde::Serialize;

use super::{FIRST, Found, LAST, Manual, Only, Patient, Rule, Severity};
use crate::words::words;

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
        why: (
            "without its redo log InnoDB cannot recover: any crash leaves the data unreadable",
            "没有 redo 日志，InnoDB 无法做崩溃恢复：任何一次崩溃都会让数据不可读",
        ),
        action: ("ALTER INSTANCE ENABLE INNODB REDO_LOG;", "ALTER INSTANCE ENABLE INNODB REDO_LOG;"),
        cost: ("writes become as slow as they normally are", "写入恢复到有 redo 日志时的正常速度"),
        check: |p| redo_log_is_off(p).then(|| Found::new(Severity::High, REDO_OFF)).flatten(),
    },
    Rule {
        id: "force_recovery",
        only: Only::Both,
        manual: Manual::Innodb("innodb_force_recovery"),
        why: (
            "parts of InnoDB that protect the data are switched off; levels 4 and above can damage data \
             for good",
            "InnoDB 中保护数据的部分被关闭；级别 4 及以上可能造成数据永久损坏",
        ),
        action: (
            "dump what can be read, rebuild the server, and set it back to 0",
            "先导出还能读取的数据，重建实例，再把它设回 0",
        ),
        cost: ("a restart", "需要重启"),
        check: |p| {
            let on = p.number("innodb_force_recovery").is_some_and(|level| level > 0);
            on.then(|| Found::new(Severity::High, p.say("innodb_force_recovery"))).flatten()
        },
    },
    Rule {
        id: "flush_log_at_commit",
        only: Only::Both,
        manual: Manual::Innodb("innodb_flush_log_at_trx_commit"),
        why: (
            "commits are acknowledged before they are on disk: 0 loses about a second of them if mysqld \
             crashes, 2 if the machine does; figures measured this way do not compare with a durable \
             server",
            "提交在落盘之前就已返回：设为 0 时 mysqld 崩溃约丢 1 秒的提交，设为 2 时主机崩溃才丢；这样测出\
             的数字不能与持久的服务器相比",
        ),
        action: (
            "SET GLOBAL innodb_flush_log_at_trx_commit = 1;  (and in my.cnf)",
            "SET GLOBAL innodb_flush_log_at_trx_commit = 1;（并写入 my.cnf）",
        ),
        cost: (
            "one flush per commit or group of commits: with few clients on a slow disk, writes can drop \
             to less than half",
            "每次（组）提交刷盘一次：客户端少且磁盘慢时，写入可能降到一半以下",
        ),
        check: |p| match p.text("innodb_flush_log_at_trx_commit")? {
            "0" | "2" => Found::new(Severity::High, p.say("innodb_flush_log_at_trx_commit")),
            _ => None,
        },
    },
    Rule {
        id: "sync_binlog",
        only: Only::Both,
        manual: Manual::Binlog("sync_binlog"),
        why: (
            "after a crash of the machine the binary log lacks commits that InnoDB has, so replicas and \
             point-in-time recovery differ from this server",
            "主机崩溃后，binlog 会缺少 InnoDB 中已有的提交，从库和按时间点恢复的结果将与本机不一致",
        ),
        action: (
            "SET GLOBAL sync_binlog = 1;  (and in my.cnf)",
            "SET GLOBAL sync_binlog = 1;（并写入 my.cnf）",
        ),
        cost: (
            "one more flush per group of commits; little where many clients commit together",
            "每组提交多刷盘一次；大量客户端同时提交时影响很小",
        ),
        check: |p| {
            let loose = p.is_on("log_bin") && p.text("sync_binlog")? != "1";
            loose.then(|| Found::new(Severity::High, p.say("sync_binlog"))).flatten()
        },
    },
    Rule {
        id: "doublewrite",
        only: Only::Both,
        manual: Manual::Innodb("innodb_doublewrite"),
        why: (
            "a page that is half written when the power fails cannot be repaired, unless the file system \
             writes 16 KiB atomically (ZFS, some flash); DETECT_ONLY finds such a page and cannot repair \
             it either",
            "断电时只写了一半的页无法修复，除非文件系统能原子写入 16 KiB（ZFS、部分闪存）；DETECT_ONLY 只\
             能发现，同样不能修复",
        ),
        action: (
            "innodb_doublewrite = ON in my.cnf, and restart",
            "在 my.cnf 中设置 innodb_doublewrite = ON 并重启",
        ),
        cost: (
            "pages are written twice: a few percent of throughput where the disk is the limit",
            "页要写两次：磁盘是瓶颈时损失百分之几的吞吐",
        ),
        check: |p| match p.text("innodb_doublewrite")?.to_ascii_lowercase().as_str() {
            "off" | "0" | "detect_only" => Found::new(Severity::High, p.say("innodb_doublewrite")),
            _ => None,
        },
    },
    Rule {
        id: "flush_method",
        only: Only::Both,
        manual: Manual::Innodb("innodb_flush_method"),
        why: (
            "it decides whether what InnoDB writes reaches the disk, and whether the page cache keeps a \
             second copy of the buffer pool; with a small pool that copy makes reads faster than the disk \
             (2.0x was measured)",
            "它决定 InnoDB 写的数据是否真正落盘，以及系统页缓存是否再存一份缓冲池的内容；缓冲池小时，这份\
             副本会让读取快于磁盘（曾测得 2.0 倍）",
        ),
        action: (
            "innodb_flush_method = O_DIRECT in my.cnf, and restart",
            "在 my.cnf 中设置 innodb_flush_method = O_DIRECT 并重启",
        ),
        cost: (
            "a small buffer pool loses the help of the page cache: enlarge it first",
            "缓冲池小时会失去页缓存的帮助：请先加大缓冲池",
        ),
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
        why: (
            "pages damaged by disk or memory are read as if they were intact",
            "被磁盘或内存损坏的页会被当作正常页读取",
        ),
        action: (
            "innodb_checksum_algorithm = crc32, innodb_log_checksums = ON",
            "设置 innodb_checksum_algorithm = crc32，innodb_log_checksums = ON",
        ),
        cost: ("nothing measurable on CPUs with a CRC instruction", "在支持 CRC 指令的 CPU 上测不出开销"),
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
        why: (
            "a crash can damage them, a failed statement leaves them half changed, and every write locks \
             the whole table",
            "崩溃可能损坏这些表，失败的语句会只改一半，而且每次写入都锁全表",
        ),
        action: ("ALTER TABLE ... ENGINE = InnoDB;", "ALTER TABLE ... ENGINE = InnoDB;"),
        cost: ("each table is copied, and locked meanwhile", "每张表都要复制一遍，期间被锁定"),
        check: |p| {
            let count = p.seen.tables.as_ref()?.not_crash_safe;
            (count > 0)
                .then(|| {
                    let said = words!(
                        "tables in MyISAM, CSV or ARCHIVE: {count}",
                        "MyISAM、CSV 或 ARCHIVE 表：{count} 张"
                    );
                    Found::new(Severity::Medium, said)
                })
                .flatten()
        },
    },
    Rule {
        id: "binlog_off",
        only: Only::Both,
        manual: Manual::Binlog("log_bin"),
        why: (
            "without a binary log there is no point-in-time recovery and no replica; commits are also \
             cheaper, so the server does not compare with one that has it",
            "没有 binlog 就不能按时间点恢复，也不能建从库；提交也更便宜，因此与开启 binlog 的服务器不可比",
        ),
        action: (
            "log_bin = ON, server_id and sync_binlog = 1 in my.cnf, and restart",
            "在 my.cnf 中设置 log_bin = ON、server_id 与 sync_binlog = 1 并重启",
        ),
        cost: (
            "a second log to write and flush: from a few percent up to a third of the write throughput \
             (1.5x was measured), depending on disk, clients and sync_binlog; disk space for its files",
            "多写、多刷一份日志：写吞吐下降百分之几到三分之一不等（曾测得 1.5 倍差距），取决于磁盘、客户端\
             数与 sync_binlog；还要占用磁盘空间",
        ),
        check: |p| p.is_off("log_bin").then(|| Found::new(Severity::Low, p.say("log_bin"))).flatten(),
    },
    Rule {
        id: "support_xa",
        only: Only::Mysql(FIRST, (8, 0, 0)),
        manual: Manual::Innodb("innodb_support_xa"),
        why: (
            "the binary log and InnoDB can disagree after a crash",
            "崩溃后 binlog 与 InnoDB 的内容可能不一致",
        ),
        action: ("SET GLOBAL innodb_support_xa = ON;", "SET GLOBAL innodb_support_xa = ON;"),
        cost: ("one more flush per group of commits", "每组提交多刷盘一次"),
        check: |p| {
            let loose = p.is_off("innodb_support_xa") && p.is_on("log_bin");
            loose.then(|| Found::new(Severity::High, p.say("innodb_support_xa"))).flatten()
        },
    },
];
