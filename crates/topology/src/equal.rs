//! Whether members have applied the same transactions, and hold the same rows.

use model::Topology;
use wire::{Client, QueryError};

/// Whether every member has applied what the first one has, and of a group the first one what they have; none where that cannot be told, as without GTIDs.
///
/// # Errors
/// A member does not answer.
pub fn has_all(topology: Topology, members: &mut [Client]) -> Result<Option<bool>, QueryError> {
    let Some((primary, replicas)) = members.split_first_mut() else { return Ok(Some(true)) };
    let is_mariadb = primary.session().is_mariadb;
    let position = match (topology, is_mariadb) {
        (Topology::Galera, _) => GALERA_POSITION,
        (_, true) => "SELECT @@gtid_binlog_pos",
        (_, false) => "SELECT @@GLOBAL.gtid_executed",
    };
    if topology != Topology::Galera && !is_mariadb && one(primary, "SELECT @@GLOBAL.gtid_mode")? != "ON" {
        return Ok(None);
    }
    let wanted = one(primary, position)?;
    for replica in replicas {
        let has = match (topology, is_mariadb) {
            (Topology::Galera, _) => one(replica, position)? == wanted,
            (_, true) => one(replica, "SELECT @@gtid_slave_pos")? == wanted,
            // Any member of a group may take writes.
            (Topology::Group, false) => {
                let both = format!(
                    "SELECT GTID_SUBSET('{wanted}', @@GLOBAL.gtid_executed) \
                     AND GTID_SUBSET(@@GLOBAL.gtid_executed, '{wanted}')"
                );
                one(replica, &both)? == "1"
            }
            (_, false) => {
                one(replica, &format!("SELECT GTID_SUBSET('{wanted}', @@GLOBAL.gtid_executed)"))? == "1"
            }
        };
        if !has {
            return Ok(Some(false));
        }
    }
    Ok(Some(true))
}

/// The checksum of each table of the connection's database, in the order of their names.
///
/// # Errors
/// The server does not answer, or a table cannot be read.
pub fn checksums(client: &mut Client) -> Result<Vec<(String, String)>, QueryError> {
    let tables = client.query(
        "SELECT TABLE_NAME FROM information_schema.TABLES \
         WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'BASE TABLE' ORDER BY TABLE_NAME",
    )?;
    let names = tables.rows.iter().filter_map(|row| row.text(0));
    names
        .map(|name| {
            let found = client.query(&format!("CHECKSUM TABLE `{}`", name.replace('`', "``")))?;
            let sum = found.first().and_then(|row| row.text(1)).unwrap_or_default();
            Ok((name.to_owned(), sum.to_owned()))
        })
        .collect()
}

/// The last transaction that a node of a Galera cluster has committed.
const GALERA_POSITION: &str = "SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS \
    WHERE VARIABLE_NAME = 'wsrep_last_committed'";

/// Where a node stands in the history of its cluster.
pub(crate) fn galera_position(client: &mut Client) -> Result<String, QueryError> {
    one(client, GALERA_POSITION)
}

fn one(client: &mut Client, sql: &str) -> Result<String, QueryError> {
    let found = client.query(sql)?;
    Ok(found.first().and_then(|row| row.text(0)).unwrap_or_default().replace(['\n', ' '], ""))
}
