//! Transactions that a replica has received and applied.

use model::{ApplierUse, Observation};
use wire::{ResultSet, Row};

use crate::ask::ask_if_answered;
use crate::context::ReadingContext;
use crate::error::ProbeError;
use crate::gtid::{GtidPosition, GtidSet};
use crate::replication::status_statement;

const CHANNELS: &str = "replication channels";

/// Workers that apply a transaction at this moment. MariaDB shows no such thing.
const WORKERS: &str = "SELECT COUNT(*) FROM performance_schema.replication_applier_status_by_worker \
     WHERE applying_transaction <> ''";

pub(super) fn read(context: &mut ReadingContext<'_>, seen: &mut Observation) -> Result<(), ProbeError> {
    let sql = status_statement(context.client.session());
    let Some(found) = ask_if_answered(context, CHANNELS, sql)? else { return Ok(()) };
    let channels: Vec<ApplierUse> = found.rows.iter().filter_map(|row| channel(&found, row)).collect();
    let sum = |of: fn(&ApplierUse) -> Option<u64>| channels.iter().filter_map(of).reduce(|a, b| a + b);
    let Some(received) = sum(|one| Some(one.received)) else { return Ok(()) };
    let is_mariadb = context.client.session().is_mariadb;
    let workers = if is_mariadb { None } else { ask_if_answered(context, "applier workers", WORKERS)? };
    seen.applier = Some(ApplierUse {
        received,
        waiting: sum(|one| Some(one.waiting)).unwrap_or_default(),
        workers_busy: workers.and_then(|found| found.first()?.parse(0)),
        relay_log_bytes: sum(|one| one.relay_log_bytes),
    });
    Ok(())
}

/// The use of a channel; none if it has received nothing yet, works without GTIDs, or belongs to a replication group, which
/// counts its transactions itself.
fn channel(found: &ResultSet, row: &Row) -> Option<ApplierUse> {
    let text = |name: &str| found.position(name).and_then(|at| row.text(at));
    if text("Channel_Name").is_some_and(|name| name.starts_with("group_replication")) {
        return None;
    }
    let (received, waiting) = match text("Gtid_IO_Pos") {
        Some(received) => {
            let received = GtidPosition::parse(received);
            (received.count(), received.missing_in(&GtidPosition::parse(text("Gtid_Slave_Pos")?)))
        }
        None => {
            let received = GtidSet::parse(text("Retrieved_Gtid_Set")?);
            (received.count(), received.missing_in(&GtidSet::parse(text("Executed_Gtid_Set")?)))
        }
    };
    let relay_log_bytes = text("Relay_Log_Space").and_then(|bytes| bytes.parse().ok());
    (received > 0).then_some(ApplierUse { received, waiting, workers_busy: None, relay_log_bytes })
}
