//! Replication status of a server.

use model::{Channel, Unseen};
use wire::{Client, Row, SessionInfo};

use crate::ask::ask;
use crate::error::ProbeError;

/// The first MySQL that knows the new words.
const NEW_WORDS: (u32, u32, u32) = (8, 0, 22);

/// The statement that shows all channels.
///
/// MySQL had its words of replication replaced in 8.0.22 and lost the old ones in 8.4; MariaDB shows all channels at once only
/// under the old word.
pub(crate) fn status_statement(session: &SessionInfo) -> &'static str {
    if session.is_mariadb {
        "SHOW ALL SLAVES STATUS"
    } else if version(&session.server_version) >= NEW_WORDS {
        "SHOW REPLICA STATUS"
    } else {
        "SHOW SLAVE STATUS"
    }
}

/// The channels on which it replicates from others; none if that could not be seen.
pub(crate) fn channels(
    client: &mut Client,
    unseen: &mut Vec<Unseen>,
) -> Result<Option<Vec<Channel>>, ProbeError> {
    let sql = status_statement(client.session());
    Ok(ask(client, unseen, "replication", sql)?.map(|found| {
        let text = |row: &Row, names: &[&str]| {
            let at = names.iter().find_map(|name| found.position(name));
            at.and_then(|at| row.text(at)).unwrap_or_default().to_owned()
        };
        let channel = |row| Channel {
            name: text(row, &["Channel_Name", "Connection_name"]),
            source: text(row, &["Source_Host", "Master_Host"]),
            receives: text(row, &["Replica_IO_Running", "Slave_IO_Running"]) == "Yes",
            applies: text(row, &["Replica_SQL_Running", "Slave_SQL_Running"]) == "Yes",
            lag_s: text(row, &["Seconds_Behind_Source", "Seconds_Behind_Master"]).parse().ok(),
        };
        found.rows.iter().map(channel).collect()
    }))
}

/// Major, minor and patch number at the beginning of a version string.
pub(crate) fn version(text: &str) -> (u32, u32, u32) {
    let mut parts = text.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().unwrap_or(0));
    let mut next = || parts.next().unwrap_or(0);
    (next(), next(), next())
}
