//! Checks that members are what their topology promises.

use std::fmt;

use model::{FaultKind, Topology};
use wire::{Client, QueryError};

/// A fault of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Its number, from 0 on.
    pub at: usize,
    /// The kind of fault.
    pub kind: FaultKind,
    /// Details reported by the server, or the number affected out of the total.
    pub detail: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let detail = &self.detail;
        match self.kind {
            FaultKind::NoSource => f.write_str("it has no source"),
            FaultKind::NotReceiving => write!(f, "it does not receive: {detail}"),
            FaultKind::NotApplying => write!(f, "it does not apply: {detail}"),
            FaultKind::SemisyncOff => f.write_str("semisynchronous replication is off"),
            FaultKind::FellBack => write!(f, "{detail} commits were not acknowledged"),
            FaultKind::FewAcknowledge => write!(f, "{detail} replicas acknowledge"),
            FaultKind::MemberState => write!(f, "its state is {detail}"),
            FaultKind::FewMembers => write!(f, "it sees {detail} members"),
            FaultKind::NoAnswer => write!(f, "it does not answer: {detail}"),
        }
    }
}

type Found = Result<Option<(FaultKind, String)>, QueryError>;

/// The faults that keep the members of a topology from being what it promises; empty if there are none. The first member is
/// the primary.
pub fn faults(topology: Topology, members: &mut [Client]) -> Vec<Fault> {
    let count = members.len();
    let mut faults = Vec::new();
    for (at, client) in members.iter_mut().enumerate() {
        faults.extend(fault(topology, at, count, client));
    }
    faults
}

/// The fault that keeps a member, numbered from 0, from being what a topology of `count` members promises.
pub fn fault(topology: Topology, at: usize, count: usize, client: &mut Client) -> Option<Fault> {
    let found = match topology {
        Topology::Async | Topology::Semisync if at > 0 => replication(client),
        Topology::Single | Topology::Independent | Topology::Async => Ok(None),
        Topology::Semisync => semisync(client, count - 1),
        Topology::Group => group(client, count),
        Topology::Galera => galera(client, count),
    };
    let found = found.unwrap_or_else(|error| Some((FaultKind::NoAnswer, error.to_string())));
    found.map(|(kind, detail)| Fault { at, kind, detail })
}

/// Checks that a replica receives and applies.
fn replication(client: &mut Client) -> Found {
    let is_mariadb = client.session().is_mariadb;
    let found = client.query(if is_mariadb { "SHOW SLAVE STATUS" } else { "SHOW REPLICA STATUS" })?;
    let Some(row) = found.first() else { return Ok(Some((FaultKind::NoSource, String::new()))) };
    let text = |names: [&str; 2]| {
        let at = names.iter().find_map(|name| found.position(name));
        at.and_then(|at| row.text(at)).unwrap_or_default().to_owned()
    };
    for (kind, running, error) in [
        (FaultKind::NotReceiving, ["Replica_IO_Running", "Slave_IO_Running"], "Last_IO_Error"),
        (FaultKind::NotApplying, ["Replica_SQL_Running", "Slave_SQL_Running"], "Last_SQL_Error"),
    ] {
        let (running, error) = (text(running), text([error, error]));
        if running != "Yes" {
            let why = if error.is_empty() { format!("its thread says {running}") } else { error };
            return Ok(Some((kind, why)));
        }
    }
    Ok(None)
}

/// Checks that a primary waits for its replicas, and that all of them acknowledge.
fn semisync(client: &mut Client, replicas: usize) -> Found {
    let word = if client.session().is_mariadb { "master" } else { "source" };
    let state = status(client, &format!("Rpl_semi_sync_{word}_status"))?;
    let clients = status(client, &format!("Rpl_semi_sync_{word}_clients"))?;
    let clients = clients.parse::<usize>().unwrap_or_default();
    Ok(match state.as_str() {
        "ON" if clients >= replicas => None,
        "ON" => Some((FaultKind::FewAcknowledge, format!("{clients} of {replicas}"))),
        _ => Some((FaultKind::SemisyncOff, String::new())),
    })
}

/// Commits of a semisynchronous primary that no replica has acknowledged, since it was started.
///
/// # Errors
/// It does not answer.
pub fn unacknowledged(client: &mut Client) -> Result<u64, QueryError> {
    let word = if client.session().is_mariadb { "master" } else { "source" };
    Ok(status(client, &format!("Rpl_semi_sync_{word}_no_tx"))?.parse().unwrap_or_default())
}

/// Checks that a member sees all of its group online.
fn group(client: &mut Client, count: usize) -> Found {
    let found = client.query(
        "SELECT MEMBER_ID = @@server_uuid, MEMBER_STATE FROM performance_schema.replication_group_members",
    )?;
    let states = || found.rows.iter().map(|row| (row.text(0) == Some("1"), row.text(1).unwrap_or_default()));
    let own = states().find(|(is_own, _)| *is_own).map_or("OFFLINE", |(_, state)| state);
    let online = states().filter(|(_, state)| *state == "ONLINE").count();
    Ok(match own {
        "ONLINE" if online == count => None,
        "ONLINE" => Some((FaultKind::FewMembers, format!("{online} of {count}"))),
        state => Some((FaultKind::MemberState, state.to_owned())),
    })
}

/// Checks that a node is synced, and sees the whole cluster.
fn galera(client: &mut Client, count: usize) -> Found {
    let state = status(client, "wsrep_local_state_comment")?;
    let size = status(client, "wsrep_cluster_size")?;
    Ok(match state.as_str() {
        "Synced" if size == count.to_string() => None,
        "Synced" => Some((FaultKind::FewMembers, format!("{size} of {count}"))),
        state => Some((FaultKind::MemberState, state.to_owned())),
    })
}

pub(crate) fn status(client: &mut Client, name: &str) -> Result<String, QueryError> {
    let found = client.query(&format!("SHOW GLOBAL STATUS LIKE '{name}'"))?;
    Ok(found.first().and_then(|row| row.text(1)).unwrap_or_default().to_owned())
}
