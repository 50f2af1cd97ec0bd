//! Checks that members have applied the same transactions, and hold the same rows.

use model::Topology;
use wire::{Client, QueryError};

/// Whether every member has applied the transactions of the first one, or of all the others where any may take writes; none
/// where that is unknown, for example without GTIDs.
///
/// # Errors
/// A member does not answer.
pub fn has_all(topology: Topology, members: &mut [Client]) -> Result<Option<bool>, QueryError> {
    let Some(wanted) = position(topology, members)? else { return Ok(None) };
    Ok(Some(first_without(topology, members, &wanted)?.is_none()))
}

/// The position that all members are to reach: the transactions of the primary, or of all members where any may take
/// writes; none where that is unknown.
pub(crate) fn position(topology: Topology, members: &mut [Client]) -> Result<Option<String>, QueryError> {
    let Some(primary) = members.first_mut() else { return Ok(None) };
    let is_mariadb = primary.session().is_mariadb;
    match topology {
        Topology::Galera => {
            let each = members.iter_mut().map(galera_position);
            Ok(each.collect::<Result<Vec<u64>, _>>()?.into_iter().max().map(|newest| newest.to_string()))
        }
        _ if is_mariadb => one(primary, "SELECT @@gtid_binlog_pos").map(Some),
        _ if one(primary, "SELECT @@GLOBAL.gtid_mode")? != "ON" => Ok(None),
        Topology::Group => {
            let each = members.iter_mut().map(|member| one(member, EXECUTED));
            let sets = each.collect::<Result<Vec<String>, _>>()?;
            // A set may be written in several parts, which may overlap.
            Ok(Some(sets.into_iter().filter(|set| !set.is_empty()).collect::<Vec<_>>().join(",")))
        }
        _ => one(primary, EXECUTED).map(Some),
    }
}

/// The first member that has not applied all of a position, by its number from 0 on; none: all have.
pub(crate) fn first_without(
    topology: Topology,
    members: &mut [Client],
    wanted: &str,
) -> Result<Option<usize>, QueryError> {
    for (at, member) in members.iter_mut().enumerate() {
        let has = match topology {
            Topology::Galera => galera_position(member)? >= wanted.parse().unwrap_or_default(),
            // What a primary has it has not applied as a replica.
            _ if member.session().is_mariadb => {
                at == 0 || has_gtids(&one(member, "SELECT @@gtid_slave_pos")?, wanted)
            }
            _ => one(member, &format!("SELECT GTID_SUBSET('{wanted}', @@GLOBAL.gtid_executed)"))? == "1",
        };
        if !has {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

const EXECUTED: &str = "SELECT @@GLOBAL.gtid_executed";

/// The newest write set that a node of a Galera cluster has committed.
pub(crate) fn galera_position(node: &mut Client) -> Result<u64, QueryError> {
    const NEWEST: &str = "SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS \
                          WHERE VARIABLE_NAME = 'wsrep_last_committed'";
    Ok(one(node, NEWEST)?.parse().unwrap_or_default())
}

/// Whether a position of MariaDB contains the newest transaction of each domain of another, in any order.
fn has_gtids(position: &str, wanted: &str) -> bool {
    let gtids = |text: &str| -> Vec<String> {
        text.split(',').filter(|gtid| !gtid.is_empty()).map(str::to_owned).collect()
    };
    let has = gtids(position);
    gtids(wanted).iter().all(|gtid| has.contains(gtid))
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

fn one(client: &mut Client, sql: &str) -> Result<String, QueryError> {
    let found = client.query(sql)?;
    Ok(found.first().and_then(|row| row.text(0)).unwrap_or_default().replace(['\n', ' '], ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_of_mariadb_are_compared_by_domain() {
        assert!(has_gtids("", "") && has_gtids("0-1-7", "") && has_gtids("1-1-3,0-1-7", "0-1-7,1-1-3"));
        assert!(
            !has_gtids("0-1-6", "0-1-7") && !has_gtids("0-1-7", "0-1-7,1-1-3") && !has_gtids("", "0-1-1")
        );
    }
}
