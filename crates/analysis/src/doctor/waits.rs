//! Rules about what statements wait for and how they run: locks, history, scans. They read counters since the start.

use super::{Found, Manual, Only, Rule, Severity};
use crate::text::{count, figure, percent};
use crate::words::words;

/// A transaction that is open for longer keeps old versions of rows from being removed.
const LONG_TRANSACTION_S: u64 = 600;

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "old_transaction",
        only: Only::Both,
        manual: Manual::Status("Innodb_history_list_length"),
        why: (
            "every row version since it began is kept, and readers step over all of them",
            "自它开始以来的所有行版本都被保留，读取时要逐个跳过",
        ),
        action: (
            "find it in information_schema.innodb_trx, and end it",
            "在 information_schema.innodb_trx 中找到它并结束它",
        ),
        cost: ("its work is rolled back", "它做的修改会回滚"),
        check: |p| {
            let age = p.seen.oldest_transaction_s.filter(|age| *age >= LONG_TRANSACTION_S)?;
            let age = count(age);
            let said = words!("a transaction has been open for {age} s", "有事务已打开 {age} 秒");
            Found::new(Severity::Medium, said)
        },
    },
    Rule {
        id: "history_list",
        only: Only::Both,
        manual: Manual::Innodb("innodb_purge_threads"),
        why: (
            "purge does not keep up: readers step over old versions, the undo log grows, and throughput \
             decays over hours",
            "purge 跟不上：读取要跳过旧版本，undo 日志膨胀，吞吐在数小时内逐渐下降",
        ),
        action: (
            "end old transactions; innodb_purge_threads = 4 or more; fewer clients",
            "结束长事务；innodb_purge_threads 设为 4 或更多；减少客户端",
        ),
        cost: ("purge takes CPU and disk from the clients", "purge 会占用客户端的 CPU 和磁盘"),
        check: |p| {
            let length = p.status("innodb_history_list_length").filter(|length| *length > 100_000)?;
            let length = count(length);
            let said = words!("history list length {length}", "history list 长度 {length}");
            Found::new(Severity::Medium, said)
        },
    },
    Rule {
        id: "row_lock_waits",
        only: Only::Both,
        manual: Manual::Status("Innodb_row_lock_time"),
        why: (
            "clients wait for each other's rows: more clients bring more waiting",
            "客户端互相等待行锁：客户端越多等待越多",
        ),
        action: (
            "shorten transactions; touch hot rows last, in one order; look at sys.innodb_lock_waits",
            "缩短事务；热点行放到最后、按固定顺序访问；查看 sys.innodb_lock_waits",
        ),
        cost: ("changes to the application", "需要修改应用"),
        check: |p| {
            // Milliseconds of waiting per second, of all clients together.
            let waiting = p.rate("innodb_row_lock_time").filter(|waiting| *waiting > 200.0)?;
            let (waits, mean) = (p.status("innodb_row_lock_waits")?, p.status("innodb_row_lock_time_avg")?);
            let (waits, clients) = (count(waits), figure(waiting / 1000.0));
            let said = words!(
                "{waits} row lock waits of {mean} ms on average: {clients} clients waiting at any time",
                "行锁等待 {waits} 次，平均 {mean} 毫秒：任一时刻有 {clients} 个客户端在等"
            );
            Found::new(Severity::Medium, said)
        },
    },
    Rule {
        id: "deadlocks",
        only: Only::Both,
        manual: Manual::Innodb("innodb_deadlock_detect"),
        why: (
            "each deadlock rolls back a transaction, which has to be repeated",
            "每次死锁都会回滚一个事务，需要重做",
        ),
        action: (
            "lock rows in one order; shorten transactions; READ-COMMITTED locks fewer gaps",
            "按固定顺序加锁；缩短事务；READ-COMMITTED 的间隙锁更少",
        ),
        cost: ("changes to the application", "需要修改应用"),
        check: |p| {
            let each_minute =
                p.rate("innodb_deadlocks").map(|rate| rate * 60.0).filter(|rate| *rate > 1.0)?;
            let (all, each_minute) = (count(p.status("innodb_deadlocks")?), figure(each_minute));
            let said =
                words!("{all} deadlocks, {each_minute} per minute", "死锁 {all} 次，每分钟 {each_minute} 次");
            Found::new(Severity::Medium, said)
        },
    },
    Rule {
        id: "table_locks",
        only: Only::Both,
        manual: Manual::Status("Table_locks_waited"),
        why: (
            "statements wait for whole tables: MyISAM, LOCK TABLES, or ALTER TABLE",
            "语句在等表级锁：MyISAM、LOCK TABLES 或 ALTER TABLE",
        ),
        action: (
            "find the tables that are not in InnoDB; run ALTER TABLE at quiet times",
            "找出不是 InnoDB 的表；在低峰期执行 ALTER TABLE",
        ),
        cost: ("a conversion copies the table", "转换引擎要复制整张表"),
        check: |p| {
            let (waited, at_once) = (p.status("table_locks_waited")?, p.status("table_locks_immediate")?);
            let share = waited as f64 / (waited + at_once).max(1) as f64;
            let part = percent(share);
            let evidence = words!("{part} of table lock requests waited", "{part} 的表锁请求需要等待");
            (waited > 1000 && share > 0.01).then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "full_joins",
        only: Only::Both,
        manual: Manual::Status("Select_full_join"),
        why: (
            "tables are joined without an index: the work grows with the product of their sizes",
            "表连接没有用到索引：工作量随各表行数的乘积增长",
        ),
        action: (
            "find the statements (sys.statements_with_full_table_scans) and index their join columns",
            "找出这些语句（sys.statements_with_full_table_scans），给连接列加索引",
        ),
        cost: ("every write maintains the index", "每次写入都要维护索引"),
        check: |p| {
            let joins = p.status("select_full_join")?;
            let rate = p.rate("select_full_join")?;
            let (all, each) = (count(joins), figure(rate));
            let evidence = words!(
                "{all} joins without an index, {each} per second",
                "未用索引的连接 {all} 次，每秒 {each} 次"
            );
            (joins > 1000 && rate > 0.5).then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "scans",
        only: Only::Both,
        manual: Manual::Status("Handler_read_rnd_next"),
        why: (
            "rows are found by reading whole tables: an index is missing or unused",
            "靠全表扫描找行：缺少索引或没有用上",
        ),
        action: (
            "find the statements by rows examined (digests, slow query log), and look at their plans",
            "按检查行数找出语句（语句摘要、慢查询日志），查看执行计划",
        ),
        cost: ("every write maintains the index", "每次写入都要维护索引"),
        check: |p| {
            let scanned = p.status("handler_read_rnd_next")?;
            let by_key = p.status("handler_read_key")? + p.status("handler_read_next")?;
            let share = scanned as f64 / (scanned + by_key).max(1) as f64;
            let rate = p.rate("handler_read_rnd_next")?;
            let (part, each) = (percent(share), figure(rate));
            let evidence = words!(
                "{part} of rows were read by scanning tables, {each} per second",
                "{part} 的行靠扫描表读到，每秒 {each} 行"
            );
            (share > 0.5 && rate > 10_000.0).then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "sorts_on_disk",
        only: Only::Both,
        manual: Manual::Status("Sort_merge_passes"),
        why: ("sorts do not fit their buffer and go through files", "排序放不进缓冲，要借助文件"),
        action: (
            "an index in the wanted order, or a larger sort_buffer_size in the sessions concerned",
            "按所需顺序建索引，或在相关会话中调大 sort_buffer_size",
        ),
        cost: ("memory of each session that sorts", "每个做排序的会话都占内存"),
        check: |p| {
            let rate = p.rate("sort_merge_passes").filter(|rate| *rate > 1.0)?;
            let (each, size) = (figure(rate), p.say("sort_buffer_size"));
            let said = words!("{each} merge passes per second, {size}", "每秒归并 {each} 次，{size}");
            Found::new(Severity::Low, said)
        },
    },
    Rule {
        id: "autocommit",
        only: Only::Both,
        manual: Manual::Server("autocommit"),
        why: (
            "clients that are not aware of it leave transactions open: locks and old row versions stay",
            "不知情的客户端会让事务一直开着：锁和旧版本都不释放",
        ),
        action: ("SET GLOBAL autocommit = ON;", "SET GLOBAL autocommit = ON;"),
        cost: (
            "applications that rely on it must begin their transactions explicitly",
            "依赖它的应用需要显式开始事务",
        ),
        check: |p| {
            p.is_off("autocommit").then(|| Found::new(Severity::Medium, p.say("autocommit"))).flatten()
        },
    },
    Rule {
        id: "aborted_connects",
        only: Only::Both,
        manual: Manual::Status("Aborted_connects"),
        why: (
            "connections fail before they are used: wrong passwords, timeouts, scans, or a full listen \
             queue",
            "连接在使用之前就失败：密码错误、超时、端口扫描或监听队列已满",
        ),
        action: (
            "check the error log with log_error_verbosity = 3 (MariaDB: log_warnings = 2)",
            "设置 log_error_verbosity = 3（MariaDB：log_warnings = 2）后查看错误日志",
        ),
        cost: ("a longer log", "日志变长"),
        check: |p| {
            let (failed, all) = (p.status("aborted_connects")?, p.status("connections")?);
            let (part, whole) = (count(failed), count(all));
            let evidence = words!("{part} of {whole} connections failed", "{whole} 次连接中有 {part} 次失败");
            (failed >= 20 && failed as f64 > 0.05 * all as f64)
                .then(|| Found::new(Severity::Low, evidence))
                .flatten()
        },
    },
    Rule {
        id: "slow_query_log",
        only: Only::Both,
        manual: Manual::Server("slow_query_log"),
        why: ("nothing records which statements were slow", "没有记录哪些语句慢"),
        action: (
            "SET GLOBAL slow_query_log = ON, GLOBAL long_query_time = 1;",
            "SET GLOBAL slow_query_log = ON, GLOBAL long_query_time = 1;",
        ),
        cost: (
            "one write per slow statement; with long_query_time = 0 it changes what is measured",
            "每条慢语句写一次日志；long_query_time = 0 会影响测量结果",
        ),
        check: |p| {
            p.is_off("slow_query_log").then(|| Found::new(Severity::Low, p.say("slow_query_log"))).flatten()
        },
    },
    Rule {
        id: "slow_query_log_full",
        only: Only::Both,
        manual: Manual::Server("long_query_time"),
        why: (
            "nearly every statement is written to the slow query log, which slows all of them",
            "几乎每条语句都写慢查询日志，所有语句都被拖慢",
        ),
        action: (
            "SET GLOBAL long_query_time = 1;  while measuring",
            "测试期间 SET GLOBAL long_query_time = 1;",
        ),
        cost: ("short statements are no longer recorded", "不再记录短语句"),
        check: |p| {
            let limit = p.text("long_query_time")?.parse::<f64>().ok()?;
            let evidence = format!("{}, {}", p.say("slow_query_log"), p.say("long_query_time"));
            (p.is_on("slow_query_log") && limit < 0.01)
                .then(|| Found::new(Severity::Medium, evidence))
                .flatten()
        },
    },
    Rule {
        id: "events",
        only: Only::Both,
        manual: Manual::Server("event_scheduler"),
        why: ("events run on their own schedule while you measure", "测量期间事件会按自己的时间表运行"),
        action: (
            "SET GLOBAL event_scheduler = OFF;  while measuring",
            "测试期间 SET GLOBAL event_scheduler = OFF;",
        ),
        cost: ("the events do not run", "这些事件不会执行"),
        check: |p| {
            let events = p.seen.events.filter(|events| *events > 0 && p.is_on("event_scheduler"))?;
            let events = count(events);
            let said = words!(
                "event_scheduler = ON, enabled events: {events}",
                "event_scheduler = ON，启用的事件：{events}"
            );
            Found::new(Severity::Low, said)
        },
    },
];
