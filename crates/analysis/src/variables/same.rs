//! Names and values that mean the same: between the families, and between old and new releases of one.
//!
//! Only what is exactly the same is here. MAX_STATEMENT_TIME of MariaDB and MAX_EXECUTION_TIME of MySQL, for example, are
//! not: one stops every statement, the other only reads.

use std::collections::BTreeMap;

use model::Variables;

/// Other names, with the name that is used here.
const RENAMED: &[(&str, &str)] = &[
    ("tx_isolation", "transaction_isolation"),
    ("tx_read_only", "transaction_read_only"),
    ("log_slave_updates", "log_replica_updates"),
    ("log_slow_slave_statements", "log_slow_replica_statements"),
    ("skip_slave_start", "skip_replica_start"),
    ("init_slave", "init_replica"),
    ("slave_allow_batching", "replica_allow_batching"),
    ("slave_checkpoint_group", "replica_checkpoint_group"),
    ("slave_checkpoint_period", "replica_checkpoint_period"),
    ("slave_compressed_protocol", "replica_compressed_protocol"),
    ("slave_exec_mode", "replica_exec_mode"),
    ("slave_load_tmpdir", "replica_load_tmpdir"),
    ("slave_max_allowed_packet", "replica_max_allowed_packet"),
    ("slave_net_timeout", "replica_net_timeout"),
    ("slave_parallel_threads", "replica_parallel_workers"),
    ("slave_parallel_type", "replica_parallel_type"),
    ("slave_parallel_workers", "replica_parallel_workers"),
    ("slave_pending_jobs_size_max", "replica_pending_jobs_size_max"),
    ("slave_preserve_commit_order", "replica_preserve_commit_order"),
    ("slave_skip_errors", "replica_skip_errors"),
    ("slave_sql_verify_checksum", "replica_sql_verify_checksum"),
    ("slave_transaction_retries", "replica_transaction_retries"),
    ("slave_type_conversions", "replica_type_conversions"),
    ("sql_slave_skip_counter", "sql_replica_skip_counter"),
    ("rpl_stop_slave_timeout", "rpl_stop_replica_timeout"),
    ("master_verify_checksum", "source_verify_checksum"),
    ("sync_master_info", "sync_source_info"),
    ("rpl_semi_sync_master_enabled", "rpl_semi_sync_source_enabled"),
    ("rpl_semi_sync_master_timeout", "rpl_semi_sync_source_timeout"),
    ("rpl_semi_sync_master_trace_level", "rpl_semi_sync_source_trace_level"),
    ("rpl_semi_sync_master_wait_for_slave_count", "rpl_semi_sync_source_wait_for_replica_count"),
    ("rpl_semi_sync_master_wait_no_slave", "rpl_semi_sync_source_wait_no_replica"),
    ("rpl_semi_sync_master_wait_point", "rpl_semi_sync_source_wait_point"),
    ("rpl_semi_sync_slave_enabled", "rpl_semi_sync_replica_enabled"),
    ("rpl_semi_sync_slave_trace_level", "rpl_semi_sync_replica_trace_level"),
    // MariaDB's second names for the same variable.
    ("log_slow_query", "slow_query_log"),
    ("log_slow_query_file", "slow_query_log_file"),
    ("log_slow_query_time", "long_query_time"),
    ("log_slow_min_examined_row_limit", "min_examined_row_limit"),
    ("tmp_memory_table_size", "tmp_table_size"),
    ("innodb_buffer_pool_in_core_dump", "innodb_buffer_pool_in_core_file"),
];

/// Values of one variable that are spelled in several ways, with the spelling that is compared.
const SPELLED: &[(&str, &str, &str)] = &[
    ("transaction_isolation", "0", "READ-UNCOMMITTED"),
    ("transaction_isolation", "1", "READ-COMMITTED"),
    ("transaction_isolation", "2", "REPEATABLE-READ"),
    ("transaction_isolation", "3", "SERIALIZABLE"),
    // Older servers leave it empty where fsync is meant.
    ("innodb_flush_method", "", "FSYNC"),
    ("innodb_flush_method", "NULL", "FSYNC"),
    ("binlog_format", "0", "MIXED"),
    ("binlog_format", "1", "STATEMENT"),
    ("binlog_format", "2", "ROW"),
    // DETECT_AND_RECOVER is what ON does.
    ("innodb_doublewrite", "DETECT_AND_RECOVER", "1"),
];

const REDO: &str = "innodb_redo_log_capacity";
const EXPIRY: &str = "binlog_expire_logs_seconds";

/// A value, and the name under which the server has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The server's own name for it, or what it is made of.
    pub name: String,
    /// The value.
    pub value: String,
}

/// The name that is used here.
pub fn name(raw: &str) -> &str {
    RENAMED.iter().find(|(old, _)| *old == raw).map_or(raw, |(_, new)| new)
}

/// The variables of a server under the names that are used here.
pub fn canonical(variables: &Variables) -> BTreeMap<&str, Known> {
    let mut all: BTreeMap<&str, Known> = BTreeMap::new();
    for (raw, value) in variables {
        let plain = name(raw);
        let known = Known { name: raw.clone(), value: value.clone() };
        if plain == raw || !all.contains_key(plain) {
            all.insert(plain, known);
        }
    }
    redo_capacity(&mut all);
    log_expiry(&mut all);
    temporary_engine(&mut all);
    all
}

/// The redo log in all: files times their size, until MySQL 8.0.30 gave it one variable. There the old ones still count
/// where they are set and the new one is not (MySQL manual, "Configuring Redo Log Capacity"). MariaDB has one file since 10.6.
fn redo_capacity(all: &mut BTreeMap<&str, Known>) {
    const UNSET: (&str, u64) = ("104857600", 100_663_296);
    let number = |all: &BTreeMap<&str, Known>, name| all.get(name).and_then(|k| k.value.parse::<u64>().ok());
    let Some(size) = number(all, "innodb_log_file_size") else { return };
    let files = number(all, "innodb_log_files_in_group");
    let product = size.saturating_mul(files.unwrap_or(1));
    let is_said = all.get(REDO).is_some_and(|k| k.value != UNSET.0 || product == UNSET.1);
    all.remove("innodb_log_file_size");
    all.remove("innodb_log_files_in_group");
    if !is_said {
        let files = if files.is_some() { " x innodb_log_files_in_group" } else { "" };
        let name = format!("innodb_log_file_size{files}");
        all.insert(REDO, Known { name, value: product.to_string() });
    }
}

/// When binary logs are removed: in days in older servers, and in both units in those between.
fn log_expiry(all: &mut BTreeMap<&str, Known>) {
    let Some(days) = all.remove("expire_logs_days") else { return };
    let seconds = days.value.parse::<f64>().unwrap_or_default() * 86_400.0;
    if all.get(EXPIRY).is_none_or(|known| known.value == "0") {
        all.insert(EXPIRY, Known { name: days.name, value: seconds.round().to_string() });
    }
}

/// MariaDB leaves the engine of temporary tables empty where it is that of all others.
fn temporary_engine(all: &mut BTreeMap<&str, Known>) {
    let engine = all.get("default_storage_engine").map(|known| known.value.clone());
    if let (Some(known), Some(engine)) = (all.get_mut("default_tmp_storage_engine"), engine)
        && known.value.is_empty()
    {
        known.value = engine;
    }
}

/// One spelling for values that mean the same: `ON` and `1`, `1.000000` and `1`, `utf8` and `utf8mb3`.
pub fn value(name: &str, value: &str) -> String {
    let upper = value.trim().to_ascii_uppercase();
    let spelled = |value: &str| {
        SPELLED.iter().find(|(n, v, _)| *n == name && *v == value).map(|(_, _, same)| (*same).to_owned())
    };
    if let Some(same) = spelled(&upper) {
        return same;
    }
    match upper.as_str() {
        "ON" | "TRUE" | "YES" => return "1".to_owned(),
        "OFF" | "FALSE" | "NO" => return "0".to_owned(),
        _ => {}
    }
    if let Ok(number) = value.parse::<f64>()
        && number.is_finite()
    {
        // Whole numbers beyond the precision of a float stay as they are.
        return value.parse::<u64>().map_or_else(|_| number.to_string(), |whole| whole.to_string());
    }
    if name == "transaction_isolation" {
        return upper.replace([' ', '_'], "-");
    }
    if name.starts_with("character_set_") && upper == "UTF8" {
        return "UTF8MB3".to_owned();
    }
    if name.starts_with("collation_")
        && let Some(rest) = upper.strip_prefix("UTF8_")
    {
        return format!("UTF8MB3_{rest}");
    }
    upper
}
