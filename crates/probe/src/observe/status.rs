//! The server's counters.

use model::Observation;

use crate::context::ReadingContext;
use crate::error::ProbeError;
use crate::server::pairs;

/// The status variables that are read: those whose cost per transaction or course over time means something. A server
/// that lacks some of them leaves them out.
const NAMES: [&str; 72] = [
    "Aborted_clients",
    "Aborted_connects",
    "Binlog_bytes_written",
    "Binlog_cache_disk_use",
    "Binlog_cache_use",
    "Com_commit",
    "Com_rollback",
    "Connections",
    "Created_tmp_disk_tables",
    "Created_tmp_tables",
    "Error_log_buffered_events",
    "Error_log_expired_events",
    "Handler_read_first",
    "Handler_read_key",
    "Handler_read_next",
    "Handler_read_rnd",
    "Handler_read_rnd_next",
    "Innodb_buffer_pool_pages_dirty",
    "Innodb_buffer_pool_pages_free",
    "Innodb_buffer_pool_read_requests",
    "Innodb_buffer_pool_reads",
    "Innodb_buffer_pool_wait_free",
    "Innodb_checkpoint_age",
    "Innodb_data_fsyncs",
    "Innodb_data_read",
    "Innodb_data_reads",
    "Innodb_data_writes",
    "Innodb_data_written",
    "Innodb_deadlocks",
    "Innodb_history_list_length",
    "Innodb_log_waits",
    "Innodb_log_writes",
    "Innodb_lsn_current",
    "Innodb_os_log_fsyncs",
    "Innodb_os_log_written",
    "Innodb_redo_log_checkpoint_lsn",
    "Innodb_redo_log_current_lsn",
    "Innodb_row_lock_current_waits",
    "Innodb_row_lock_time",
    "Innodb_row_lock_waits",
    "Innodb_rows_read",
    "Open_tables",
    "Opened_tables",
    "Questions",
    "Rpl_semi_sync_master_no_tx",
    "Rpl_semi_sync_master_tx_wait_time",
    "Rpl_semi_sync_master_tx_waits",
    "Rpl_semi_sync_master_wait_sessions",
    "Rpl_semi_sync_master_yes_tx",
    "Rpl_semi_sync_source_no_tx",
    "Rpl_semi_sync_source_tx_wait_time",
    "Rpl_semi_sync_source_tx_waits",
    "Rpl_semi_sync_source_wait_sessions",
    "Rpl_semi_sync_source_yes_tx",
    "Select_full_join",
    "Select_scan",
    "Slow_queries",
    "Sort_merge_passes",
    "Sort_rows",
    "Table_locks_waited",
    "Table_open_cache_misses",
    "Table_open_cache_overflows",
    "Threads_connected",
    "Threads_created",
    "Threads_running",
    "wsrep_flow_control_paused_ns",
    "wsrep_flow_control_sent",
    "wsrep_local_bf_aborts",
    "wsrep_local_cert_failures",
    "wsrep_local_recv_queue",
    "wsrep_local_send_queue",
    "wsrep_received",
];

pub(super) fn read(context: &mut ReadingContext<'_>, seen: &mut Observation) -> Result<(), ProbeError> {
    let names = NAMES.map(|name| format!("'{name}'")).join(", ");
    let read = pairs(context.client, &format!("SHOW GLOBAL STATUS WHERE Variable_name IN ({names})"))?;
    seen.status = read.into_iter().filter_map(|(name, value)| Some((name, value.parse().ok()?))).collect();
    Ok(())
}
