//! Connects members with each other, once all of them answer.

use model::{Flavour, Topology};
use wire::{Client, QueryError};

use crate::ACCOUNT;
use crate::seat::Common;

/// Makes a server replicate from the primary on that port, and otherwise read-only.
pub(crate) fn replica(client: &mut Client, common: &Common, port: u16) -> Result<(), QueryError> {
    replica_of(client, common, (0, port))
}

/// Like [`replica`], for any member that is the primary.
pub(crate) fn replica_of(
    client: &mut Client,
    common: &Common,
    (primary, port): (usize, u16),
) -> Result<(), QueryError> {
    let (host, password) = (common.host(primary), common.password.expose());
    let statements = match common.flavour {
        Flavour::Mysql => [
            format!(
                "CHANGE REPLICATION SOURCE TO SOURCE_HOST = '{host}', SOURCE_PORT = {port}, SOURCE_USER = '{ACCOUNT}', \
                 SOURCE_PASSWORD = '{password}', SOURCE_AUTO_POSITION = 1, GET_SOURCE_PUBLIC_KEY = 1, SOURCE_CONNECT_RETRY = 1"
            ),
            "START REPLICA".to_owned(),
            "SET GLOBAL super_read_only = ON".to_owned(),
        ],
        Flavour::Mariadb => [
            format!(
                "CHANGE MASTER TO MASTER_HOST = '{host}', MASTER_PORT = {port}, MASTER_USER = '{ACCOUNT}', \
                 MASTER_PASSWORD = '{password}', MASTER_USE_GTID = slave_pos, MASTER_CONNECT_RETRY = 1"
            ),
            "START SLAVE".to_owned(),
            "SET GLOBAL read_only = ON".to_owned(),
        ],
    };
    statements.iter().try_for_each(|sql| client.execute(sql).map(drop))
}

/// Makes a server a member of the group, the first of them its beginning.
pub(crate) fn member(client: &mut Client, common: &Common, is_first: bool) -> Result<(), QueryError> {
    let password = common.password.expose();
    client.execute(&format!(
        "CHANGE REPLICATION SOURCE TO SOURCE_USER = '{ACCOUNT}', SOURCE_PASSWORD = '{password}' \
         FOR CHANNEL 'group_replication_recovery'"
    ))?;
    if is_first {
        client.execute("SET GLOBAL group_replication_bootstrap_group = ON")?;
    }
    client.execute("START GROUP_REPLICATION")?;
    if is_first {
        client.execute("SET GLOBAL group_replication_bootstrap_group = OFF")?;
    }
    Ok(())
}

/// Makes a member of a running group its primary.
pub(crate) fn become_primary(client: &mut Client) -> Result<(), QueryError> {
    client.query("SELECT group_replication_set_as_primary(@@server_uuid)").map(drop)
}

/// The transactions that a server has executed, if they exceed `known`.
pub(crate) fn executed_beyond(client: &mut Client, known: &str) -> Result<Option<String>, QueryError> {
    let found = client.query(&format!(
        "SELECT REPLACE(@@GLOBAL.gtid_executed, '\n', ''), GTID_SUBSET(@@GLOBAL.gtid_executed, '{known}')"
    ))?;
    let Some(row) = found.first() else { return Ok(None) };
    Ok((row.text(1) != Some("1")).then(|| row.text(0).unwrap_or_default().to_owned()))
}

/// Whether members are connected by statements, rather than by their my.cnf alone.
pub(crate) fn is_by_source(topology: Topology) -> bool {
    matches!(topology, Topology::Async | Topology::Semisync)
}
