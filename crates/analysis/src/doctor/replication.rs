//! Rules about the binary log and replicas.

use model::Flavour;

use super::{FIRST, Found, LAST, Manual, Only, Patient, Rule, Severity};
use crate::text::count;
use crate::words::words;

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "replica_skips_errors",
        only: Only::Both,
        manual: Manual::Replica("replica_exec_mode"),
        why: (
            "the replica carries on where its data differ, and drifts further from then on",
            "数据已不一致时从库仍继续，此后差异越来越大",
        ),
        action: (
            "replica_exec_mode = STRICT, no skipped errors; rebuild the replica",
            "replica_exec_mode = STRICT，不跳过错误；重建从库",
        ),
        cost: ("it stops at the next error, as it should", "下次出错时它会停下，这是应有的行为"),
        check: |p| {
            let skips = ["replica_skip_errors", "slave_skip_errors"].into_iter().find(|name| {
                p.text(name).is_some_and(|value| !value.is_empty() && !value.eq_ignore_ascii_case("off"))
            });
            let lax = ["replica_exec_mode", "slave_exec_mode"]
                .into_iter()
                .find(|name| p.text(name).is_some_and(|value| value.eq_ignore_ascii_case("idempotent")));
            let name = skips.or(lax).filter(|_| p.is_replica())?;
            Found::new(Severity::High, p.say(name))
        },
    },
    Rule {
        id: "replication_stopped",
        only: Only::Both,
        manual: Manual::Replica("relay_log_recovery"),
        why: (
            "the replica falls behind; a failover to it would lose recent changes",
            "从库越落越远；切换到它会丢失最近的修改",
        ),
        action: (
            "look at Last_Error in SHOW REPLICA STATUS, fix it, and START REPLICA;",
            "查看 SHOW REPLICA STATUS 的 Last_Error，修复后 START REPLICA;",
        ),
        cost: ("none", "无"),
        check: |p| {
            let stopped = p.seen.channels.as_ref()?.iter().find(|c| !(c.receives && c.applies))?;
            let source = &stopped.source;
            let said = match stopped.receives {
                true => words!("the replica of {source} does not apply", "{source} 的从库没有应用"),
                false => words!("the replica of {source} does not receive", "{source} 的从库没有接收"),
            };
            Found::new(Severity::Medium, said)
        },
    },
    Rule {
        id: "replica_lag",
        only: Only::Both,
        manual: Manual::Replica("replica_parallel_workers"),
        why: (
            "reads are stale, and a failover waits for what is not yet applied",
            "读到的是旧数据，切换时要等未应用的部分",
        ),
        action: (
            "more applier threads; primary keys on all tables; relaxed durability on the replica",
            "增加应用线程；所有表都建主键；从库放宽持久性",
        ),
        cost: ("more threads contend with its readers", "更多线程与从库上的读取争资源"),
        check: |p| {
            let worst =
                p.seen.channels.as_ref()?.iter().filter_map(|c| c.lag_s).max().filter(|lag| *lag > 60)?;
            let lag = count(worst);
            Found::new(Severity::Medium, words!("{lag} s behind its source", "落后主库 {lag} 秒"))
        },
    },
    Rule {
        id: "replica_writable",
        only: Only::Both,
        manual: Manual::Server("read_only"),
        why: (
            "a stray write makes it differ from its source, and breaks replication later",
            "误写会使它与主库不一致，以后复制会中断",
        ),
        action: (
            "SET GLOBAL read_only = ON;  (MySQL: super_read_only = ON)  and in my.cnf",
            "SET GLOBAL read_only = ON;（MySQL：super_read_only = ON），并写入 my.cnf",
        ),
        cost: ("none; a failover has to switch it off", "无；切换时需要关闭"),
        check: |p| {
            let open = p.is_replica() && p.is_off("read_only");
            open.then(|| Found::new(Severity::Medium, p.say("read_only"))).flatten()
        },
    },
    Rule {
        id: "relay_log_recovery",
        only: Only::Both,
        manual: Manual::Replica("relay_log_recovery"),
        why: (
            "after a crash the replica may continue from a damaged relay log",
            "崩溃后从库可能从损坏的 relay log 继续",
        ),
        action: (
            "relay_log_recovery = ON in my.cnf, and restart",
            "在 my.cnf 中设置 relay_log_recovery = ON 并重启",
        ),
        cost: ("after a crash events are fetched again", "崩溃后要重新拉取事件"),
        check: |p| {
            // MariaDB with GTIDs fetches the relay log anew by itself.
            let exposed = p.is_replica() && p.is_off("relay_log_recovery");
            let severity = if p.seen.flavour == Flavour::Mysql { Severity::Medium } else { Severity::Low };
            exposed.then(|| Found::new(severity, p.say("relay_log_recovery"))).flatten()
        },
    },
    Rule {
        id: "replica_workers",
        only: Only::Both,
        manual: Manual::Replica("replica_parallel_workers"),
        why: (
            "one thread applies what many clients wrote: the replica is slower than its source",
            "许多客户端写入的内容只由一个线程应用：从库慢于主库",
        ),
        action: (
            "replica_parallel_workers = 4 or more (MariaDB: slave_parallel_threads)",
            "replica_parallel_workers 设为 4 或更多（MariaDB：slave_parallel_threads）",
        ),
        cost: ("CPU, and contention with readers", "消耗 CPU，并与读取竞争"),
        check: |p| {
            let names = ["replica_parallel_workers", "slave_parallel_workers", "slave_parallel_threads"];
            let name = names.into_iter().find(|name| p.number(name).is_some_and(|n| n < 2))?;
            p.is_replica().then(|| Found::new(Severity::Low, p.say(name))).flatten()
        },
    },
    Rule {
        id: "gtid",
        only: Only::Mysql((5, 6, 5), LAST),
        manual: Manual::Binlog("gtid_mode"),
        why: (
            "after a failover replicas have to be repointed by file and position, by hand",
            "切换后要按文件和位置手工重新指向从库",
        ),
        action: ("switch to gtid_mode = ON step by step", "分步切换到 gtid_mode = ON"),
        cost: ("about 60 bytes per transaction in the binary log", "binlog 中每个事务约多 60 字节"),
        check: |p| {
            let without = replicates(p) && !p.is_on("gtid_mode") && p.text("gtid_mode").is_some();
            without.then(|| Found::new(Severity::Low, p.say("gtid_mode"))).flatten()
        },
    },
    Rule {
        id: "binlog_format",
        only: Only::Both,
        manual: Manual::Binlog("binlog_format"),
        why: (
            "statements that are not deterministic leave other rows on replicas, without an error",
            "不确定的语句会让从库的行与主库不同，而且不报错",
        ),
        action: ("SET GLOBAL binlog_format = 'ROW';", "SET GLOBAL binlog_format = 'ROW';"),
        cost: (
            "statements that change many rows write a longer binary log",
            "一次修改很多行的语句会产生更长的 binlog",
        ),
        check: |p| {
            let statement = p.is_on("log_bin") && p.text("binlog_format")?.eq_ignore_ascii_case("statement");
            statement.then(|| Found::new(Severity::Medium, p.say("binlog_format"))).flatten()
        },
    },
    Rule {
        id: "binlog_expires",
        only: Only::Both,
        manual: Manual::Binlog("binlog_expire_logs_seconds"),
        why: (
            "binary logs are kept forever: the disk fills up, and the server stops",
            "binlog 永不清理：磁盘写满后服务器停止",
        ),
        action: (
            "SET GLOBAL binlog_expire_logs_seconds = 604800;  (older servers: expire_logs_days = 7)",
            "SET GLOBAL binlog_expire_logs_seconds = 604800;（旧版本：expire_logs_days = 7）",
        ),
        cost: (
            "point-in-time recovery reaches back only so far, unless they are backed up",
            "除非另有备份，按时间点恢复只能回到这么久以前",
        ),
        check: |p| {
            let limits: Vec<u64> = ["binlog_expire_logs_seconds", "expire_logs_days"]
                .into_iter()
                .filter_map(|name| p.number(name))
                .collect();
            let never = limits.iter().all(|limit| *limit == 0) || p.is_off("binlog_expire_logs_auto_purge");
            let names = if p.is_off("binlog_expire_logs_auto_purge") {
                p.say("binlog_expire_logs_auto_purge").into()
            } else {
                words!("no time after which binary logs expire", "未设置 binlog 的过期时间")
            };
            (p.is_on("log_bin") && !limits.is_empty() && never)
                .then(|| Found::new(Severity::Medium, names))
                .flatten()
        },
    },
    Rule {
        id: "binlog_checksum",
        only: Only::Both,
        manual: Manual::Binlog("binlog_checksum"),
        why: (
            "damage on disk or on the way to a replica goes unnoticed",
            "磁盘上或传往从库途中的损坏无法发现",
        ),
        action: ("SET GLOBAL binlog_checksum = CRC32;", "SET GLOBAL binlog_checksum = CRC32;"),
        cost: ("nothing measurable", "测不出开销"),
        check: |p| {
            let none = p.is_on("log_bin") && p.text("binlog_checksum")?.eq_ignore_ascii_case("none");
            none.then(|| Found::new(Severity::Low, p.say("binlog_checksum"))).flatten()
        },
    },
    Rule {
        id: "tables_without_key",
        only: Only::Mysql(FIRST, LAST),
        manual: Manual::Server("sql_require_primary_key"),
        why: (
            "for each changed row a replica may have to read the whole table; clusters refuse such tables",
            "每改一行，从库都可能要读整张表；集群不接受这样的表",
        ),
        action: ("give them a primary key", "给这些表加主键"),
        cost: ("each table is copied", "要复制整张表"),
        check: without_key,
    },
    Rule {
        id: "tables_without_key",
        only: Only::Mariadb(FIRST, LAST),
        manual: Manual::Innodb("innodb_force_primary_key"),
        why: (
            "for each changed row a replica may have to read the whole table; clusters refuse such tables",
            "每改一行，从库都可能要读整张表；集群不接受这样的表",
        ),
        action: ("give them a primary key", "给这些表加主键"),
        cost: ("each table is copied", "要复制整张表"),
        check: without_key,
    },
    Rule {
        id: "semisync_fallback",
        only: Only::Mysql(FIRST, LAST),
        manual: Manual::Status("Rpl_semi_sync_source_status"),
        why: (
            "commits no longer wait for a replica: a failover can lose them, and they are faster than \
             they should be",
            "提交不再等待从库：切换可能丢数据，而且提交比应有的快",
        ),
        action: (
            "find out why the replicas do not answer within rpl_semi_sync_source_timeout",
            "查明从库为何没有在 rpl_semi_sync_source_timeout 内应答",
        ),
        cost: ("none", "无"),
        check: |p| {
            let enabled = ["rpl_semi_sync_source_enabled", "rpl_semi_sync_master_enabled"];
            let status = ["rpl_semi_sync_source_status", "rpl_semi_sync_master_status"];
            let off = status
                .into_iter()
                .find(|name| p.seen.status.get(*name).is_some_and(|value| value == "OFF"))?;
            enabled
                .into_iter()
                .any(|name| p.is_on(name))
                .then(|| {
                    let said = words!("{off} = OFF although it is enabled", "{off} = OFF，尽管已启用");
                    Found::new(Severity::High, said)
                })
                .flatten()
        },
    },
];

/// True if it is part of a replication, at either end.
fn replicates(p: &Patient<'_>) -> bool {
    p.is_replica() || p.status("slaves_connected").is_some_and(|n| n > 0)
}

fn without_key(p: &Patient<'_>) -> Option<Found> {
    let tables = p.seen.tables.as_ref().filter(|tables| tables.without_key > 0)?;
    let all = count(tables.without_key);
    let mut said = words!("tables without a primary key: {all}", "没有主键的表：{all} 张");
    if !tables.without_key_names.is_empty() {
        let names = tables.without_key_names.join(", ");
        let more = tables.without_key > tables.without_key_names.len() as u64;
        said = said.and(&match more {
            true => words!(" ({names}, ...)", "（{names} 等）"),
            false => words!(" ({names})", "（{names}）"),
        });
    }
    Found::new(Severity::Low, said)
}
