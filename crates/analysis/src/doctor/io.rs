//! Rules about reading and writing.

use model::Flavour;

use super::{FIRST, Found, LAST, Manual, Only, Patient, Rule, Severity};
use crate::Words;
use crate::text::{bytes, count, figure, percent};
use crate::words::words;

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
/// A redo log that fills faster than this makes InnoDB write pages in a hurry.
const SHORTEST_REDO_S: f64 = 600.0;

/// The redo log has another variable in each of them.
const fn redo(only: Only, variable: &'static str) -> Rule {
    Rule {
        id: "redo_capacity",
        only,
        manual: Manual::Innodb(variable),
        why: (
            "when the redo log is full, writers wait until pages are flushed, and throughput swings up \
             and down",
            "redo 日志写满时，写入要等脏页刷完，吞吐忽高忽低",
        ),
        action: ("room for an hour of writes", "容纳一小时的写入量"),
        cost: ("disk space; recovery after a crash takes longer", "占用磁盘；崩溃恢复时间更长"),
        check: redo_capacity,
    }
}

pub(super) const RULES: &[Rule] = &[
    redo(Only::Mysql((8, 0, 30), LAST), "innodb_redo_log_capacity"),
    redo(Only::Mysql(FIRST, (8, 0, 30)), "innodb_log_file_size"),
    redo(Only::Mariadb(FIRST, LAST), "innodb_log_file_size"),
    Rule {
        id: "dirty_pages",
        only: Only::Both,
        manual: Manual::Innodb("innodb_io_capacity"),
        why: (
            "nearly all of the pool is dirty: soon InnoDB stops every writer to flush it",
            "缓冲池几乎全是脏页：InnoDB 很快就会让所有写入停下来等刷盘",
        ),
        action: (
            "raise innodb_io_capacity and innodb_io_capacity_max to what the disk can do",
            "把 innodb_io_capacity 和 innodb_io_capacity_max 提高到磁盘实际能力",
        ),
        cost: ("pages that change often are written more often", "经常修改的页会写得更频繁"),
        check: |p| {
            let dirty = p.status("innodb_buffer_pool_pages_dirty")?;
            let share = dirty as f64 / p.status("innodb_buffer_pool_pages_total")?.max(1) as f64;
            let most = p.text("innodb_max_dirty_pages_pct")?.parse::<f64>().ok()? / 100.0;
            let (dirty, limit, capacity) = (percent(share), most * 100.0, p.say("innodb_io_capacity"));
            let evidence = words!(
                "{dirty} of the pool is dirty, innodb_max_dirty_pages_pct = {limit:.0}, {capacity}",
                "缓冲池中脏页占 {dirty}，innodb_max_dirty_pages_pct = {limit:.0}，{capacity}"
            );
            (share > 0.9 * most).then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "pool_wait_free",
        only: Only::Both,
        manual: Manual::Status("Innodb_buffer_pool_wait_free"),
        why: (
            "threads wait for a free page because flushing does not keep up",
            "刷页跟不上，线程在等待空闲页",
        ),
        action: ("raise innodb_io_capacity; enlarge the buffer pool", "提高 innodb_io_capacity；加大缓冲池"),
        cost: ("more writes in the background", "后台写入增多"),
        check: |p| {
            let waits = p.status("innodb_buffer_pool_wait_free").filter(|waits| *waits > 100)?;
            let (waits, capacity) = (count(waits), p.say("innodb_io_capacity"));
            let evidence =
                words!("waits for a free page: {waits}, {capacity}", "等待空闲页 {waits} 次，{capacity}");
            Found::new(Severity::Medium, evidence)
        },
    },
    Rule {
        id: "io_capacity",
        only: Only::Both,
        manual: Manual::Innodb("innodb_io_capacity"),
        why: (
            "200 was meant for spinning disks: on flash, background flushing lags behind and then has to \
             hurry",
            "200 是为机械盘定的：在闪存上后台刷页会落后，最后只能突击刷盘",
        ),
        action: (
            "SET GLOBAL innodb_io_capacity = 2000;  on flash, innodb_io_capacity_max at twice that, and \
             measure",
            "闪存上 SET GLOBAL innodb_io_capacity = 2000;，innodb_io_capacity_max 设为其两倍，并实测",
        ),
        cost: (
            "more writes in the background; too high a value wears the disk for nothing",
            "后台写入增多；过高只会白白磨损磁盘",
        ),
        check: |p| {
            let slow = p.number("innodb_io_capacity")? <= 200;
            // What the disk did under the load says more than what it might be.
            let machine =
                p.measured.and_then(|m| m.cell.machine.as_ref()).filter(|machine| machine.server_is_here);
            let did = machine.map(|machine| {
                let per_s = figure(machine.disk_writes_per_s);
                let did = words!("; the disk completed {per_s} writes/s", "；磁盘每秒完成 {per_s} 次写");
                match machine.disk_write_ms.map(figure) {
                    Some(ms) => did.and(&words!(", {ms} ms each", "，每次 {ms} 毫秒")),
                    None => did,
                }
            });
            let evidence = Words::from(p.say("innodb_io_capacity")).and(&did.unwrap_or_else(|| "".into()));
            slow.then(|| Found::new(Severity::Low, evidence)).flatten()
        },
    },
    Rule {
        id: "io_threads",
        only: Only::Both,
        manual: Manual::Innodb("innodb_write_io_threads"),
        why: ("too few threads leave a fast disk idle", "线程太少，快速磁盘得不到充分利用"),
        action: (
            "innodb_read_io_threads and innodb_write_io_threads = 4 or more in my.cnf, and restart",
            "在 my.cnf 中把 innodb_read_io_threads 和 innodb_write_io_threads 设为 4 或更多并重启",
        ),
        cost: ("none", "无"),
        check: |p| {
            let few: Vec<String> = ["innodb_read_io_threads", "innodb_write_io_threads"]
                .into_iter()
                .filter(|name| p.number(name).is_some_and(|threads| threads < 4))
                .map(|name| p.say(name))
                .collect();
            (!few.is_empty()).then(|| Found::new(Severity::Low, few.join(", "))).flatten()
        },
    },
    Rule {
        id: "native_aio",
        only: Only::Both,
        manual: Manual::Innodb("innodb_use_native_aio"),
        why: (
            "background reads and writes go one by one through a few threads",
            "后台读写只能由少数线程逐个执行",
        ),
        action: (
            "innodb_use_native_aio = ON; if the server switched it off by itself, raise the kernel's \
             fs.aio-max-nr",
            "设置 innodb_use_native_aio = ON；若是服务器自行关闭的，请调大内核参数 fs.aio-max-nr",
        ),
        cost: ("a restart", "需要重启"),
        check: |p| {
            p.is_off("innodb_use_native_aio")
                .then(|| Found::new(Severity::Low, p.say("innodb_use_native_aio")))
                .flatten()
        },
    },
    Rule {
        id: "file_per_table",
        only: Only::Both,
        manual: Manual::Innodb("innodb_file_per_table"),
        why: ("all tables share one file, which never shrinks", "所有表共用一个文件，而且它从不缩小"),
        action: (
            "SET GLOBAL innodb_file_per_table = ON;  and rebuild large tables",
            "SET GLOBAL innodb_file_per_table = ON;，并重建大表",
        ),
        cost: ("a rebuild copies the table", "重建要复制整张表"),
        check: |p| {
            p.is_off("innodb_file_per_table")
                .then(|| Found::new(Severity::Low, p.say("innodb_file_per_table")))
                .flatten()
        },
    },
    Rule {
        id: "change_buffering",
        only: Only::Both,
        manual: Manual::Innodb("innodb_change_buffering"),
        why: (
            "changes of secondary indexes are deferred, which helps on spinning disks only; MariaDB 11 \
             removed it after cases of corrupted indexes",
            "二级索引的修改被延后，只对机械盘有好处；因曾造成索引损坏，MariaDB 11 已将其移除",
        ),
        action: ("SET GLOBAL innodb_change_buffering = none;", "SET GLOBAL innodb_change_buffering = none;"),
        cost: ("more random reads on spinning disks", "机械盘上随机读增多"),
        check: |p| {
            // From 8.4 on MySQL's own default has changed to and fro.
            if p.seen.flavour == model::Flavour::Mysql && p.version() >= (8, 4, 0) {
                return None;
            }
            let value = p.text("innodb_change_buffering")?;
            (value != "none").then(|| Found::new(Severity::Low, p.say("innodb_change_buffering"))).flatten()
        },
    },
    Rule {
        id: "stats_persistent",
        only: Only::Both,
        manual: Manual::Innodb("innodb_stats_persistent"),
        why: (
            "statistics are estimated anew after each start, and plans with them: two trials may not do \
             the same work",
            "每次启动都重新估算统计信息，执行计划随之变化：两次测量做的可能不是同样的工作",
        ),
        action: (
            "SET GLOBAL innodb_stats_persistent = ON;  and ANALYZE TABLE",
            "SET GLOBAL innodb_stats_persistent = ON;，并执行 ANALYZE TABLE",
        ),
        cost: ("none", "无"),
        check: |p| {
            p.is_off("innodb_stats_persistent")
                .then(|| Found::new(Severity::Low, p.say("innodb_stats_persistent")))
                .flatten()
        },
    },
    Rule {
        id: "binlog_cache",
        only: Only::Both,
        manual: Manual::Binlog("binlog_cache_size"),
        why: (
            "transactions larger than the cache go through a temporary file before they reach the binary \
             log",
            "大于缓存的事务要先写临时文件，再写入 binlog",
        ),
        action: (
            "raise binlog_cache_size until few transactions exceed it",
            "调大 binlog_cache_size，直到很少有事务超出",
        ),
        cost: ("that memory per session", "每个会话占用这么多内存"),
        check: |p| {
            let (disk, all) = (p.status("binlog_cache_disk_use")?, p.status("binlog_cache_use")?);
            let share = disk as f64 / all.max(1) as f64;
            let (share_said, size) = (percent(share), bytes(p.number("binlog_cache_size")?));
            let evidence = words!(
                "{share_said} of transactions exceed binlog_cache_size = {size}",
                "{share_said} 的事务超出 binlog_cache_size = {size}"
            );
            (all > 1000 && share > 0.05).then(|| Found::new(Severity::Low, evidence)).flatten()
        },
    },
    Rule {
        id: "page_compression_stats",
        only: Only::Mysql(FIRST, LAST),
        manual: Manual::Innodb("innodb_cmp_per_index_enabled"),
        why: (
            "per-index compression statistics add work to every operation on compressed tables",
            "按索引统计压缩信息会拖慢压缩表上的每次操作",
        ),
        action: (
            "SET GLOBAL innodb_cmp_per_index_enabled = OFF;",
            "SET GLOBAL innodb_cmp_per_index_enabled = OFF;",
        ),
        cost: ("those statistics", "不再有这些统计"),
        check: |p| {
            p.is_on("innodb_cmp_per_index_enabled")
                .then(|| Found::new(Severity::Low, p.say("innodb_cmp_per_index_enabled")))
                .flatten()
        },
    },
];

/// Bytes of redo log that may be in use, with the setting that says so.
fn redo_bytes(p: &Patient<'_>) -> Option<(&'static str, u64)> {
    if let Some(size) = p.number("innodb_redo_log_capacity") {
        return Some(("innodb_redo_log_capacity", size));
    }
    let files = p.number("innodb_log_files_in_group").unwrap_or(1);
    Some(("innodb_log_file_size", p.number("innodb_log_file_size")? * files))
}

/// An hour of the writes that were seen, in whole GiB, at least 2.
fn redo_wanted(rate: Option<f64>) -> u64 {
    const LEAST: u64 = 2 * GIB;
    const MOST: u64 = 128 * GIB;
    let hour = rate.map_or(0, |rate| (rate * 3600.0) as u64);
    hour.next_multiple_of(GIB).clamp(LEAST, MOST)
}

fn redo_capacity(p: &Patient<'_>) -> Option<Found> {
    let (name, size) = redo_bytes(p)?;
    let planned = p.planned.is_some_and(|planned| planned.writes);
    let rate = p.rate("innodb_os_log_written").filter(|rate| *rate > 0.0);
    let lasts = rate.map(|rate| size as f64 / rate);
    let mut evidence = Words::from(format!("{name} = {}", bytes(size)));
    let (since, since_zh) = p.over_what();
    if let Some(lasts) = lasts.filter(|lasts| *lasts < 24.0 * 3600.0) {
        evidence = evidence.and(&words!(
            ", full after {lasts:.0} s at the mean rate {since}",
            "，按{since_zh}的平均速率 {lasts:.0} 秒写满"
        ));
    }
    let short = lasts.is_some_and(|lasts| lasts < SHORTEST_REDO_S);
    let severity = match size {
        _ if short => Severity::Medium,
        size if size < 64 * MIB || (planned && size < 512 * MIB) => Severity::Medium,
        size if size < 256 * MIB => Severity::Low,
        _ => return None,
    };
    Found::so(severity, evidence, redo_action(p, name, rate))
}

/// How to make the redo log hold an hour of writes.
fn redo_action(p: &Patient<'_>, name: &str, rate: Option<f64>) -> Words {
    let wanted = redo_wanted(rate);
    let size = bytes(wanted);
    let (since, since_zh) = p.over_what();
    let reason = match rate.filter(|rate| rate * 3600.0 > 2.0 * GIB as f64) {
        Some(_) => words!(
            "{size}: an hour of writes at the mean rate {since}",
            "{size}：按{since_zh}的平均速率容纳一小时的写入"
        ),
        None => words!(
            "{size}; under load, room for an hour of its writes",
            "{size}；有负载时应能容纳一小时的写入"
        ),
    };
    let in_files = wanted / p.number("innodb_log_files_in_group").unwrap_or(1).max(1);
    let is_dynamic = match p.seen.flavour {
        Flavour::Mysql => name == "innodb_redo_log_capacity",
        Flavour::Mariadb => p.version() >= (10, 9, 0),
    };
    let change = match is_dynamic {
        true => words!(
            "SET GLOBAL {name} = {wanted};  (and in my.cnf)",
            "SET GLOBAL {name} = {wanted};（并写入 my.cnf）"
        ),
        false => words!(
            "{name} = {in_files} in my.cnf, and restart",
            "在 my.cnf 中设置 {name} = {in_files} 并重启"
        ),
    };
    Words::join(&[change, reason], "  ", " ")
}
