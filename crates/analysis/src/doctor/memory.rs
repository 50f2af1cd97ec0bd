//! Rules about memory.

use super::{FIRST, Found, LAST, Manual, Only, Patient, Rule, Severity};
use crate::text::{bytes, count, percent};

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
/// The compiled-in size of the buffer pool, made for a laptop of 2010.
const DEFAULT_POOL: u64 = 128 * MIB;

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "buffer_pool_memory",
        only: Only::Both,
        manual: Manual::Innodb("innodb_buffer_pool_size"),
        why: "a pool that does not fit the memory is swapped out, or the server is killed; the figures are the swap's",
        action: "between half and three quarters of the memory of a machine of its own",
        cost: "more reads from disk, if the data are larger than the pool",
        check: |p| {
            let (pool, memory) = (p.number("innodb_buffer_pool_size")?, p.memory()?);
            let evidence = format!("innodb_buffer_pool_size = {}, memory {}", bytes(pool), rounded(memory));
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
        why: "what the pool does not hold is read from disk again and again",
        action: "SET GLOBAL innodb_buffer_pool_size = ...;  as large as data and memory allow",
        cost: "that memory; resizing stalls a busy server for moments",
        check: buffer_pool_small,
    },
    Rule {
        id: "session_buffers",
        only: Only::Both,
        manual: Manual::Server("sort_buffer_size"),
        why: "every session may take them, some several times over: many sessions at once exhaust the memory, and large \
              ones are slower to get than small ones",
        action: "keep the global values small, and set large ones in the sessions that need them",
        cost: "large sorts and joins without an index of other sessions spill to disk",
        check: session_buffers,
    },
    Rule {
        id: "log_buffer",
        only: Only::Both,
        manual: Manual::Innodb("innodb_log_buffer_size"),
        why: "transactions wait for room in it while it is written out",
        action: "innodb_log_buffer_size = 64M",
        cost: "that memory",
        check: |p| {
            let (size, waits) =
                (p.number("innodb_log_buffer_size")?, p.status("innodb_log_waits").unwrap_or_default());
            let evidence =
                format!("innodb_log_buffer_size = {}, waits for room: {}", bytes(size), count(waits));
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
        why: "temporary tables of statements are written to disk",
        action: "look at the statements first; else raise tmp_table_size and max_heap_table_size together",
        cost: "memory for each such statement that runs",
        check: |p| {
            let (disk, all) = (p.status("created_tmp_disk_tables")?, p.status("created_tmp_tables")?);
            let share = disk as f64 / all.max(1) as f64;
            let evidence = format!(
                "{} of {} temporary tables went to disk, tmp_table_size = {}",
                percent(share),
                count(all),
                bytes(p.number("tmp_table_size")?)
            );
            let many = all >= 1000 && share > 0.25 && p.rate("created_tmp_disk_tables")? > 0.1;
            many.then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "tmp_table_sizes",
        only: Only::Both,
        manual: Manual::Server("max_heap_table_size"),
        why: "the smaller of the two limits temporary tables in memory, so that the larger one has no effect",
        action: "set both to the same",
        cost: "none",
        check: |p| {
            let (tmp, heap) = (p.number("tmp_table_size")?, p.number("max_heap_table_size")?);
            let evidence = format!("tmp_table_size = {}, max_heap_table_size = {}", bytes(tmp), bytes(heap));
            (tmp > heap).then(|| Found::new(Severity::Low, evidence)).flatten()
        },
    },
    Rule {
        id: "buffer_pool_instances",
        only: Only::Mysql(FIRST, LAST),
        manual: Manual::Innodb("innodb_buffer_pool_instances"),
        why: "one instance is one lock for all threads",
        action: "innodb_buffer_pool_instances = 8 in my.cnf, and restart",
        cost: "none for a pool of several GiB",
        check: |p| {
            let (pool, parts) =
                (p.number("innodb_buffer_pool_size")?, p.number("innodb_buffer_pool_instances")?);
            let evidence = format!("innodb_buffer_pool_instances = {parts} for a pool of {}", bytes(pool));
            (parts == 1 && pool >= 4 * GIB).then(|| Found::new(Severity::Low, evidence)).flatten()
        },
    },
    Rule {
        id: "adaptive_hash_index",
        only: Only::Both,
        manual: Manual::Innodb("innodb_adaptive_hash_index"),
        why: "it helps repeated point reads and costs writes: newer versions have it off; servers that differ in it do \
              not compare",
        action: "SET GLOBAL innodb_adaptive_hash_index = OFF;  and measure both",
        cost: "repeated reads by key may become slower",
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
        why: "the pool fills one node's memory first, and that node swaps while the others have room",
        action: "innodb_numa_interleave = ON in my.cnf, and restart",
        cost: "none on a server of its own; pinning to one node is faster where the data fit it",
        check: |p| {
            let nodes = p.host?.numa_nodes;
            let evidence = format!("{}, {nodes} NUMA nodes", p.say("innodb_numa_interleave"));
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
    let data = p.seen.tables.map(|tables| tables.innodb_bytes);
    let requests = p.status("innodb_buffer_pool_read_requests").unwrap_or_default();
    let reads = p.status("innodb_buffer_pool_reads").unwrap_or_default();
    let missed = reads as f64 / requests.max(1) as f64;
    let mut evidence = vec![format!("innodb_buffer_pool_size = {}", bytes(pool))];
    if let Some(data) = data.filter(|data| *data > pool) {
        evidence.push(format!("data and indexes {}", rounded(data)));
    }
    if let Some(memory) = p.memory() {
        evidence.push(format!("memory {}", rounded(memory)));
    }
    let exceeded = data.is_some_and(|data| data > pool);
    // Pages that were read once each are a warm-up, not a shortage.
    let turned_over = reads > 2 * (pool / p.number("innodb_page_size").unwrap_or(16 << 10)).max(1);
    let missing = requests > 100_000 && missed > 0.01 && turned_over;
    if missing {
        evidence.push(format!("{} of page requests go to disk", percent(missed)));
    }
    let untouched = pool <= DEFAULT_POOL && p.memory().is_none_or(|memory| memory > 8 * DEFAULT_POOL);
    let poor = p.memory().is_some_and(|memory| exceeded && pool < memory / 2);
    if missing || untouched || poor {
        return Found::new(Severity::Medium, evidence.join(", "));
    }
    exceeded.then(|| Found::new(Severity::Low, evidence.join(", "))).flatten()
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
    let mut evidence: Vec<String> =
        large.iter().map(|(name, size)| format!("{name} = {}", bytes(*size))).collect();
    evidence.push(format!("up to {} in {} sessions", rounded(all), count(sessions)));
    let pool = p.number("innodb_buffer_pool_size").unwrap_or_default();
    let too_much = p.memory().is_some_and(|memory| pool.saturating_add(all) > memory);
    Found::new(if too_much { Severity::Medium } else { Severity::Low }, evidence.join(", "))
}
