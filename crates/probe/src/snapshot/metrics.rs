//! InnoDB's own counters, those that are switched on.

use model::Snapshot;

use crate::ask::ask;
use crate::context::ReadingContext;
use crate::error::ProbeError;

/// Reads the counters: MySQL marks an enabled one in `status`, MariaDB in `enabled`.
pub(super) fn read(context: &mut ReadingContext<'_>, seen: &mut Snapshot) -> Result<(), ProbeError> {
    let is_on = if context.client.session().is_mariadb { "enabled = 1" } else { "status = 'enabled'" };
    let sql = format!("SELECT name, `count` FROM information_schema.innodb_metrics WHERE {is_on}");
    if let Some(found) = ask(context.client, &mut seen.unseen, "InnoDB metrics", &sql)? {
        let counters = found.rows.iter().filter_map(|row| Some((row.text(0)?.to_owned(), row.parse(1)?)));
        seen.metrics = counters.collect();
    }
    Ok(())
}
