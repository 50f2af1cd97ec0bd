//! The files of the binary log.

use model::{BinlogUse, Snapshot};

use crate::ask::ask;
use crate::context::ReadingContext;
use crate::error::ProbeError;

pub(super) fn read(context: &mut ReadingContext<'_>, seen: &mut Snapshot) -> Result<(), ProbeError> {
    let is_on = ask(context.client, &mut seen.unseen, "binary log", "SELECT @@log_bin")?;
    if is_on.as_ref().and_then(|found| found.first()?.text(0)) != Some("1") {
        return Ok(());
    }
    let Some(found) = ask(context.client, &mut seen.unseen, "binary log", "SHOW BINARY LOGS")? else {
        return Ok(());
    };
    let last = found.rows.last().and_then(|row| row.text(0)?.rsplit('.').next()?.parse().ok());
    let bytes = found.rows.iter().filter_map(|row| row.parse::<u64>(1)).sum();
    seen.binlog = last.map(|last_file| BinlogUse { last_file, bytes });
    Ok(())
}
