//! Rules about memory.

use model::Flavour;

use super::{FIRST, Found, LAST, Manual, Only, Patient, Rule, Severity};
use crate::Words;
use crate::text::{bytes, count, percent};
use crate::words::words;

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
/// The compiled-in size of the buffer pool, made for a laptop of 2010.
const DEFAULT_POOL: u64 = 128 * MIB;

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "buffer_pool_memory",
        only: Only::Both,
        manual: Manual::Innodb("innodb_buffer_pool_size"),
        why: (
            "a pool larger than the memory is swapped out, or the server is killed; the figures measure \
             the swap",
            "缓冲池大于内存时会被换出，或者服务器被内核杀掉；测到的是交换分区的速度",
        ),
        action: (
            "half to three quarters of the memory of a dedicated machine",
            "专用主机上设为内存的一半到四分之三",
        ),
        cost: ("more reads from disk if the data exceed the pool", "数据大于缓冲池时磁盘读增多"),
        check: |p| {
            let (pool, memory) = (p.number("innodb_buffer_pool_size")?, p.memory()?);
            let (size, all) = (bytes(pool), rounded(memory));
            let evidence = words!(
                "innodb_buffer_pool_size = {size}, memory {all}",
                "innodb_buffer_pool_size = {size}，内存 {all}"
            );
            if pool > memory {
                return Found::new(Severity::High, evidence);
            }
            (pool as f64 > 0.9 * memory as f64).then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "buffer_pool_small",
        only: Only::Both,
        manual: Manual::Innodb("innodb_buffer_pool_size"),
        why: (
            "what does not fit the pool is read from disk again and again",
            "缓冲池放不下的数据要一遍遍从磁盘读",
        ),
        action: (
            "SET GLOBAL innodb_buffer_pool_size = ...;  as large as data and memory allow",
            "SET GLOBAL innodb_buffer_pool_size = ...;，在数据量和内存允许的范围内尽量大",
        ),
        cost: (
            "that memory; resizing stalls a busy server for moments",
            "占用相应内存；调整大小时繁忙的服务器会短暂停顿",
        ),
        check: buffer_pool_small,
    },
    Rule {
        id: "session_buffers",
        only: Only::Both,
        manual: Manual::Server("sort_buffer_size"),
        why: (
            "every session may allocate them, some several times over: many sessions exhaust the memory, \
             and large buffers take longer to allocate",
            "每个会话都可能分配，有的还不止一份：会话多了会耗尽内存，而且大缓冲分配更慢",
        ),
        action: (
            "keep the global values small, and set large ones in the sessions that need them",
            "全局值保持较小，只在需要的会话中调大",
        ),
        cost: (
            "large sorts and joins without an index spill to disk in other sessions",
            "其他会话的大排序和无索引连接会落盘",
        ),
        check: session_buffers,
    },
    Rule {
        id: "log_buffer",
        only: Only::Both,
        manual: Manual::Innodb("innodb_log_buffer_size"),
        why: (
            "transactions wait for room in the log buffer while it is written out",
            "日志缓冲写出期间，事务要等待空间",
        ),
        action: ("innodb_log_buffer_size = 64M", "innodb_log_buffer_size = 64M"),
        cost: ("that memory", "占用相应内存"),
        check: |p| {
            let (size, waits) =
                (p.number("innodb_log_buffer_size")?, p.status("innodb_log_waits").unwrap_or_default());
            let (said, waited) = (bytes(size), count(waits));
            let evidence = words!(
                "innodb_log_buffer_size = {said}, waits for room: {waited}",
                "innodb_log_buffer_size = {said}，等待空间 {waited} 次"
            );
            match (waits, size) {
                (1.., _) => Found::new(Severity::Medium, evidence),
                (0, size) if size < 8 * MIB => Found::new(Severity::Low, evidence),
                _ => None,
            }
        },
    },
    Rule {
        id: "tmp_tables_on_disk",
        only: Only::Both,
        manual: Manual::Server("tmp_table_size"),
        why: ("temporary tables of statements are written to disk", "语句的临时表写到了磁盘"),
        action: (
            "check the statements first; then raise tmp_table_size, and with it temptable_max_ram (MySQL \
             from 8.0 on) or max_heap_table_size (MariaDB, older MySQL)",
            "先检查语句；再提高 tmp_table_size，同时提高 temptable_max_ram（MySQL 8.0 起）或 \
             max_heap_table_size（MariaDB、旧版 MySQL）",
        ),
        cost: ("memory for each such statement that runs", "每条此类语句运行时都占内存"),
        check: |p| {
            let (disk, all) = (p.status("created_tmp_disk_tables")?, p.status("created_tmp_tables")?);
            let share = disk as f64 / all.max(1) as f64;
            let (part, whole, size) = (percent(share), count(all), bytes(p.number("tmp_table_size")?));
            let evidence = words!(
                "{part} of {whole} temporary tables went to disk, tmp_table_size = {size}",
                "{whole} 个临时表中有 {part} 落盘，tmp_table_size = {size}"
            );
            let many = all >= 1000 && share > 0.25 && p.rate("created_tmp_disk_tables")? > 0.1;
            many.then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "tmp_table_sizes",
        only: Only::Both,
        manual: Manual::Server("max_heap_table_size"),
        why: (
            "the smaller of the two limits temporary tables in memory, so the larger one has no effect",
            "内存临时表以两者中较小的为准，较大的那个不起作用",
        ),
        action: ("set both to the same", "把两者设为相同"),
        cost: ("none", "无"),
        check: |p| {
            let (tmp, heap) = (p.number("tmp_table_size")?, p.number("max_heap_table_size")?);
            let evidence = format!("tmp_table_size = {}, max_heap_table_size = {}", bytes(tmp), bytes(heap));
            // TempTable has limits of its own (tmp_table_size, temptable_max_ram): max_heap_table_size does not bound it.
            let is_memory_engine = p.seen.flavour == Flavour::Mariadb
                || p.version() < (8, 0, 0)
                || p.text("internal_tmp_mem_storage_engine")
                    .is_some_and(|e| e.eq_ignore_ascii_case("memory"));
            (tmp > heap && is_memory_engine).then(|| Found::new(Severity::Low, evidence)).flatten()
        },
    },
    Rule {
        id: "buffer_pool_instances",
        only: Only::Mysql(FIRST, LAST),
        manual: Manual::Innodb("innodb_buffer_pool_instances"),
        why: ("one instance means one set of locks for all threads", "只有一个实例，所有线程争同一组锁"),
        action: (
            "innodb_buffer_pool_instances = 8 in my.cnf, and restart",
            "在 my.cnf 中设置 innodb_buffer_pool_instances = 8 并重启",
        ),
        cost: ("none for a pool of several GiB", "缓冲池有几 GiB 时没有代价"),
        check: |p| {
            let (pool, parts) =
                (p.number("innodb_buffer_pool_size")?, p.number("innodb_buffer_pool_instances")?);
            let size = bytes(pool);
            let evidence = words!(
                "innodb_buffer_pool_instances = {parts} for a pool of {size}",
                "innodb_buffer_pool_instances = {parts}，缓冲池 {size}"
            );
            (parts == 1 && pool >= 4 * GIB).then(|| Found::new(Severity::Low, evidence)).flatten()
        },
    },
    Rule {
        id: "adaptive_hash_index",
        only: Only::Both,
        manual: Manual::Innodb("innodb_adaptive_hash_index"),
        why: (
            "it helps repeated point reads and slows down writes; newer versions have it off, and servers \
             that differ in it do not compare",
            "它有利于重复的点查，但会拖慢写入；新版本默认关闭，两边不一致的服务器不可比",
        ),
        action: (
            "SET GLOBAL innodb_adaptive_hash_index = OFF;  and measure both",
            "SET GLOBAL innodb_adaptive_hash_index = OFF;，开与关都实测",
        ),
        cost: ("repeated reads by key may become slower", "重复的按键读取可能变慢"),
        check: |p| {
            p.is_on("innodb_adaptive_hash_index")
                .then(|| Found::new(Severity::Low, p.say("innodb_adaptive_hash_index")))
                .flatten()
        },
    },
    Rule {
        id: "numa",
        only: Only::Mysql((5, 7, 9), LAST),
        manual: Manual::Innodb("innodb_numa_interleave"),
        why: (
            "the pool fills the memory of one node first, and that node swaps while others have room",
            "缓冲池先占满一个 NUMA 节点的内存，该节点发生交换时其他节点还有空闲",
        ),
        action: (
            "innodb_numa_interleave = ON in my.cnf, and restart",
            "在 my.cnf 中设置 innodb_numa_interleave = ON 并重启",
        ),
        cost: (
            "none on a dedicated server; pinning to one node is faster where the data fit it",
            "专用服务器上没有代价；数据放得进单个节点时，绑定到该节点更快",
        ),
        check: |p| {
            let nodes = p.host?.numa_nodes;
            let setting = p.say("innodb_numa_interleave");
            let evidence = words!("{setting}, {nodes} NUMA nodes", "{setting}，{nodes} 个 NUMA 节点");
            (nodes > 1 && p.is_off("innodb_numa_interleave"))
                .then(|| Found::new(Severity::Low, evidence))
                .flatten()
        },
    },
];

/// Memory is never a round number: the kernel keeps some.
fn rounded(memory: u64) -> String {
    format!("{:.1} GiB", memory as f64 / GIB as f64)
}

fn buffer_pool_small(p: &Patient<'_>) -> Option<Found> {
    let pool = p.number("innodb_buffer_pool_size")?;
    let data = p.seen.tables.as_ref().map(|tables| tables.innodb_bytes);
    let requests = p.status("innodb_buffer_pool_read_requests").unwrap_or_default();
    let reads = p.status("innodb_buffer_pool_reads").unwrap_or_default();
    let missed = reads as f64 / requests.max(1) as f64;
    let mut evidence = vec![Words::from(format!("innodb_buffer_pool_size = {}", bytes(pool)))];
    if let Some(data) = data.filter(|data| *data > pool).map(rounded) {
        evidence.push(words!("data and indexes {data}", "数据和索引 {data}"));
    }
    if let Some(memory) = p.memory().map(rounded) {
        evidence.push(words!("memory {memory}", "内存 {memory}"));
    }
    let exceeded = data.is_some_and(|data| data > pool);
    // Pages that were read once each are a warm-up, not a shortage.
    let turned_over = reads > 2 * (pool / p.number("innodb_page_size").unwrap_or(16 << 10)).max(1);
    let missing = requests > 100_000 && missed > 0.01 && turned_over;
    if missing {
        let share = percent(missed);
        evidence.push(words!("{share} of page requests go to disk", "{share} 的页请求要读盘"));
    }
    let evidence = Words::join(&evidence, ", ", "，");
    let untouched = pool <= DEFAULT_POOL && p.memory().is_none_or(|memory| memory > 8 * DEFAULT_POOL);
    let poor = p.memory().is_some_and(|memory| exceeded && pool < memory / 2);
    if missing || untouched || poor {
        return Found::new(Severity::Medium, evidence);
    }
    exceeded.then(|| Found::new(Severity::Low, evidence)).flatten()
}

fn session_buffers(p: &Patient<'_>) -> Option<Found> {
    let names = ["sort_buffer_size", "join_buffer_size", "read_buffer_size", "read_rnd_buffer_size"];
    let large: Vec<(&str, u64)> = names
        .into_iter()
        .filter_map(|name| Some((name, p.number(name)?)))
        .filter(|(_, size)| *size > 8 * MIB)
        .collect();
    if large.is_empty() {
        return None;
    }
    let each: u64 = names.into_iter().filter_map(|name| p.number(name)).sum();
    let sessions =
        p.status("max_used_connections").unwrap_or(1).max(p.planned.map_or(0, |planned| planned.clients));
    let all = each.saturating_mul(sessions);
    let mut evidence: Vec<Words> =
        large.iter().map(|(name, size)| format!("{name} = {}", bytes(*size)).into()).collect();
    let (size, number) = (rounded(all), count(sessions));
    evidence.push(words!("up to {size} in {number} sessions", "{number} 个会话最多共 {size}"));
    let pool = p.number("innodb_buffer_pool_size").unwrap_or_default();
    let too_much = p.memory().is_some_and(|memory| pool.saturating_add(all) > memory);
    let severity = if too_much { Severity::Medium } else { Severity::Low };
    Found::new(severity, Words::join(&evidence, ", ", "，"))
}
