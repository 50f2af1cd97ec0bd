//! The progress of a member: the transactions that it has executed, and those that wait to be applied.

use std::fmt;

use model::{Role, Topology};
use wire::{Client, QueryError};

use crate::health::status;

/// The progress of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberProgress {
    /// Its current role: another member of a group may have become its primary.
    pub role: Role,
    /// The transactions it has executed: GTIDs, or the position in the history of a Galera cluster.
    pub executed: String,
    /// Its backlog; none for a member that only writes.
    pub behind: Option<Behind>,
}

/// The backlog of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behind {
    /// The age of the transaction that it applies, as the server reckons.
    Seconds(u64),
    /// Transactions that wait in its queue.
    Queued(u64),
}

impl fmt::Display for Behind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seconds(seconds) => write!(f, "{seconds} s"),
            Self::Queued(count) => write!(f, "{count} queued"),
        }
    }
}

/// Reads the progress of a member with that role.
///
/// # Errors
/// It does not answer.
pub fn progress(topology: Topology, role: Role, client: &mut Client) -> Result<MemberProgress, QueryError> {
    let is_mariadb = client.session().is_mariadb;
    let executed = match (topology, is_mariadb) {
        (Topology::Galera, _) => return galera(role, client),
        (_, true) => "SELECT @@GLOBAL.gtid_current_pos",
        (_, false) => "SELECT REPLACE(@@GLOBAL.gtid_executed, '\\n', '')",
    };
    let executed = one(client, executed)?;
    match topology {
        Topology::Group => {
            let own = "WHERE MEMBER_ID = @@server_uuid";
            let table = "performance_schema.replication_group_member";
            let is_primary = one(client, &format!("SELECT MEMBER_ROLE FROM {table}s {own}"))? == "PRIMARY";
            let queued =
                format!("SELECT COUNT_TRANSACTIONS_REMOTE_IN_APPLIER_QUEUE FROM {table}_stats {own}");
            let queued = one(client, &queued)?.parse().ok().map(Behind::Queued);
            let role = if is_primary { Role::Primary } else { Role::Replica };
            Ok(MemberProgress { role, executed, behind: queued })
        }
        _ if role == Role::Replica => {
            let found = client.query(if is_mariadb { "SHOW SLAVE STATUS" } else { "SHOW REPLICA STATUS" })?;
            let names = ["Seconds_Behind_Source", "Seconds_Behind_Master"];
            let column = names.iter().find_map(|name| found.position(name));
            let seconds = column.and_then(|column| found.first()?.text(column)?.parse().ok());
            Ok(MemberProgress { role, executed, behind: seconds.map(Behind::Seconds) })
        }
        _ => Ok(MemberProgress { role, executed, behind: None }),
    }
}

fn galera(role: Role, client: &mut Client) -> Result<MemberProgress, QueryError> {
    let position = status(client, "wsrep_last_committed")?;
    let executed = format!("{}:{position}", status(client, "wsrep_cluster_state_uuid")?);
    let behind = status(client, "wsrep_local_recv_queue")?.parse().ok().map(Behind::Queued);
    Ok(MemberProgress { role, executed, behind })
}

fn one(client: &mut Client, sql: &str) -> Result<String, QueryError> {
    let found = client.query(sql)?;
    Ok(found.first().and_then(|row| row.text(0)).unwrap_or_default().to_owned())
}
