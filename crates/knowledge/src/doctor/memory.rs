//! Rules about memory.

use model::Flavour;

use super::Examined;
use super::finding::{Check, Found, RecommendationSeverity};
use messages::number::bytes;
use messages::{Words, message};

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
/// The compiled-in size of the buffer pool, made for a laptop of 2010.
const DEFAULT_POOL: u64 = 128 * MIB;

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("buffer_pool_memory", |p| {
        let (pool, memory) = (p.number("innodb_buffer_pool_size")?, p.memory()?);
        let evidence = message!("doctor-pool-and-memory", size = Bytes(pool), all = Bytes(memory));
        let severity = match pool as f64 / memory as f64 {
            share if share > 1.0 => RecommendationSeverity::High,
            share if share > 0.9 => RecommendationSeverity::Medium,
            _ => return None,
        };
        let half = (memory / 2).to_string();
        Some(Found::new(severity, evidence)?.with([("innodb_buffer_pool_size", half)]))
    }),
    ("buffer_pool_small", buffer_pool_small),
    ("session_buffers", session_buffers),
    ("log_buffer", |p| {
        let (size, waits) =
            (p.number("innodb_log_buffer_size")?, p.status("innodb_log_waits").unwrap_or_default());
        let evidence = message!("doctor-log-buffer", size = Bytes(size), waits = Count(waits));
        match (waits, size) {
            (1.., _) => Found::new(RecommendationSeverity::Medium, evidence),
            (0, size) if size < 8 * MIB => Found::new(RecommendationSeverity::Low, evidence),
            _ => None,
        }
    }),
    ("tmp_tables_on_disk", |p| {
        let (disk, all) = (p.status("created_tmp_disk_tables")?, p.status("created_tmp_tables")?);
        let share = disk as f64 / all.max(1) as f64;
        let size = p.number("tmp_table_size")?;
        let evidence = message!(
            "doctor-tmp-tables-on-disk",
            part = Percent(share),
            whole = Count(all),
            size = Bytes(size)
        );
        let many = all >= 1000 && share > 0.25 && p.rate("created_tmp_disk_tables")? > 0.1;
        let larger = (4 * size).max(64 * MIB);
        let both = ["tmp_table_size", "max_heap_table_size"].map(|name| (name, larger.to_string()));
        many.then(|| Some(Found::new(RecommendationSeverity::Medium, evidence)?.with(both))).flatten()
    }),
    ("tmp_table_sizes", |p| {
        let (tmp, heap) = (p.number("tmp_table_size")?, p.number("max_heap_table_size")?);
        let evidence = format!("tmp_table_size = {}, max_heap_table_size = {}", bytes(tmp), bytes(heap));
        // TempTable has limits of its own (tmp_table_size, temptable_max_ram): max_heap_table_size does not bound it.
        let is_memory_engine = p.seen.flavour == Flavour::Mariadb
            || p.version() < (8, 0, 0)
            || p.text("internal_tmp_mem_storage_engine").is_some_and(|e| e.eq_ignore_ascii_case("memory"));
        let found = Found::new(RecommendationSeverity::Low, evidence)?;
        (tmp > heap && is_memory_engine).then(|| found.with([("max_heap_table_size", tmp.to_string())]))
    }),
    ("buffer_pool_instances", |p| {
        let (pool, parts) = (p.number("innodb_buffer_pool_size")?, p.number("innodb_buffer_pool_instances")?);
        let evidence = message!("doctor-pool-instances", parts = Count(parts), size = Bytes(pool));
        (parts == 1 && pool >= 4 * GIB).then(|| Found::new(RecommendationSeverity::Low, evidence)).flatten()
    }),
    ("adaptive_hash_index", |p| {
        p.is_on("innodb_adaptive_hash_index")
            .then(|| Found::new(RecommendationSeverity::Low, p.say("innodb_adaptive_hash_index")))
            .flatten()
    }),
    ("numa", |p| {
        let nodes = p.host?.numa_nodes;
        let evidence =
            message!("doctor-numa", setting = Text(p.say("innodb_numa_interleave")), nodes = Count(nodes));
        (nodes > 1 && p.is_off("innodb_numa_interleave"))
            .then(|| Found::new(RecommendationSeverity::Low, evidence))
            .flatten()
    }),
];

fn buffer_pool_small(p: &Examined<'_>) -> Option<Found> {
    let pool = p.number("innodb_buffer_pool_size")?;
    let data = p.seen.tables.as_ref().map(|tables| tables.innodb_bytes);
    let requests = p.status("innodb_buffer_pool_read_requests").unwrap_or_default();
    let reads = p.status("innodb_buffer_pool_reads").unwrap_or_default();
    let missed = reads as f64 / requests.max(1) as f64;
    let exceeded = data.is_some_and(|data| data > pool);
    // Pages that were read once each are a warm-up, not a shortage.
    let turned_over = reads > 2 * (pool / p.number("innodb_page_size").unwrap_or(16 << 10)).max(1);
    let missing = requests > 100_000 && missed > 0.01 && turned_over;
    let evidence = message!(
        "doctor-pool-small",
        pool = Bytes(pool),
        data = Bytes?(data.filter(|data| *data > pool)),
        memory = Bytes?(p.memory()),
        missed = Percent?(missing.then_some(missed))
    );
    let untouched = pool <= DEFAULT_POOL && p.memory().is_none_or(|memory| memory > 8 * DEFAULT_POOL);
    let poor = p.memory().is_some_and(|memory| exceeded && pool < memory / 2);
    let severity = match missing || untouched || poor {
        true => RecommendationSeverity::Medium,
        false if exceeded => RecommendationSeverity::Low,
        false => return None,
    };
    // As much as a server that does not have the machine for itself may take.
    let larger = p.memory().map_or(8 * pool, |memory| memory / 2 / DEFAULT_POOL * DEFAULT_POOL);
    let set = (larger > pool).then(|| ("innodb_buffer_pool_size", larger.to_string()));
    Some(Found::new(severity, evidence)?.with(set))
}

fn session_buffers(p: &Examined<'_>) -> Option<Found> {
    const USUAL: u64 = 256 << 10;
    let names = ["sort_buffer_size", "join_buffer_size", "read_buffer_size", "read_rnd_buffer_size"];
    let large: Vec<(&'static str, u64)> = names
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
    evidence.push(message!("doctor-session-buffers", size = Bytes(all), number = Count(sessions)));
    let pool = p.number("innodb_buffer_pool_size").unwrap_or_default();
    let too_much = p.memory().is_some_and(|memory| pool.saturating_add(all) > memory);
    let severity = if too_much { RecommendationSeverity::Medium } else { RecommendationSeverity::Low };
    let set = large.into_iter().map(|(name, _)| (name, USUAL.to_string()));
    Some(Found::new(severity, Words::parts(evidence))?.with(set))
}
