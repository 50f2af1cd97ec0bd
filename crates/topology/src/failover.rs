//! A new primary for a topology that has lost its own, and the way back of the old one.
//!
//! A group elects by itself. Replicas of a lost primary are given a new one as an administrator would (MySQL manual, "Using
//! Replication for Failover", "Switching Sources During Failover"): they stop receiving, apply what they have received, and the
//! one with most transactions becomes the primary, from which the others then read.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use model::{SandboxSpec, Topology};
use network::SimulatedNetwork;
use sandbox::{Home, Membership, Server};
use wire::{Client, ConnectOptions, QueryError};

use crate::health::{fault, status};
use crate::seat::{Common, NETWORK, Seat};
use crate::{lines, link};

/// For replicas to apply what they have received.
const APPLY_S: u32 = 60;
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// What ties the members of a topology together, for changing it while it runs.
pub struct Ties {
    common: Common,
}

impl std::fmt::Debug for Ties {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ties").field("topology", &self.common.topology).finish_non_exhaustive()
    }
}

/// A member, how to connect to it, and the port on which the others reach it.
#[derive(Debug, Clone)]
pub struct MemberWay {
    /// Its number, from 0 on.
    pub at: usize,
    /// How to connect to it.
    pub connect: ConnectOptions,
    /// Its port.
    pub port: u16,
}

impl Ties {
    pub(crate) fn new(common: Common) -> Self {
        Self { common }
    }

    /// Whether the topology chooses a new primary by itself.
    pub fn elects(&self) -> bool {
        self.common.topology == Topology::Group
    }

    /// The member that a group has elected, among those that are left; none as yet.
    pub fn elected(&self, left: &[MemberWay]) -> Option<usize> {
        left.iter().find_map(|member| {
            let mut client = Client::connect(&member.connect).ok()?;
            let found = client.query(
                "SELECT MEMBER_STATE = 'ONLINE' AND MEMBER_ROLE = 'PRIMARY' AND NOT @@GLOBAL.read_only \
                 FROM performance_schema.replication_group_members WHERE MEMBER_ID = @@server_uuid",
            );
            (found.ok()?.first()?.text(0) == Some("1")).then_some(member.at)
        })
    }

    /// Makes the replica with most transactions the primary of the others; its number.
    ///
    /// # Errors
    /// A replica does not answer, or does not apply what it has received.
    pub fn promote(&self, left: &[MemberWay]) -> Result<usize, String> {
        let said = |error: QueryError| error.to_string();
        let mut replicas: Vec<(&MemberWay, Client)> = Vec::new();
        for member in left {
            // One that is gone as well cannot be chosen.
            if let Ok(client) = Client::connect(&member.connect) {
                replicas.push((member, client));
            }
        }
        let mut most: Option<(usize, String)> = None;
        for (at, (_, client)) in replicas.iter_mut().enumerate() {
            let executed = applied(client)?;
            let has_more = match &most {
                None => true,
                Some((_, known)) => {
                    let question = format!("SELECT GTID_SUBSET('{known}', '{executed}')");
                    one(client, &question).map_err(said)? == "1"
                }
            };
            if has_more {
                most = Some((at, executed));
            }
        }
        let (chosen, _) = most.ok_or("no replica answers")?;
        let others = replicas.len() as u32 - 1;
        let (primary, client) = &mut replicas[chosen];
        let (new, port) = (primary.at, primary.port);
        execute(client, &["STOP REPLICA", "RESET REPLICA ALL"]).map_err(said)?;
        if self.common.topology == Topology::Semisync {
            self.wait_for_replicas(client, others).map_err(said)?;
        }
        execute(client, &["SET GLOBAL super_read_only = OFF", "SET GLOBAL read_only = OFF"]).map_err(said)?;
        // Account and password stay as they are.
        let source = format!(
            "CHANGE REPLICATION SOURCE TO SOURCE_HOST = '{}', SOURCE_PORT = {port}, SOURCE_AUTO_POSITION = 1",
            self.common.host(new)
        );
        for (_, client) in replicas.iter_mut().filter(|(member, _)| member.at != new) {
            execute(client, &["STOP REPLICA", &source, "START REPLICA"]).map_err(said)?;
        }
        Ok(new)
    }

    /// A new primary waits for acknowledgements as the old one did, of as many replicas as there are left.
    fn wait_for_replicas(&self, client: &mut Client, replicas: u32) -> Result<(), QueryError> {
        if replicas == 0 {
            return Ok(());
        }
        let acks = self.common.arrangement.acks.unwrap_or(1).min(replicas);
        install(client, "source")?;
        client.execute(&format!("SET GLOBAL rpl_semi_sync_source_wait_for_replica_count = {acks}"))?;
        client.execute("SET GLOBAL rpl_semi_sync_source_enabled = ON").map(drop)
    }

    /// Starts a member again that has ended, as the member that it was; it is not told of the others yet.
    ///
    /// # Errors
    /// It does not start; what it said.
    pub fn start_again(
        &self,
        home: &Home,
        (at, name, server): (usize, &str, Server),
        network: Option<&SimulatedNetwork>,
        limit: Duration,
        cancel: &AtomicBool,
    ) -> Result<Server, String> {
        let seat = Seat { common: &self.common, at };
        let spec: SandboxSpec = server.spec().clone();
        let membership = Membership {
            lines: &lines::of(&seat, &spec.settings),
            clients: network.map(|_| NETWORK),
            ..Membership::default()
        };
        let start = || home.start_again(server, membership, limit, cancel);
        let started = match network.and_then(|network| network.namespace(name)) {
            Some(namespace) => namespace.enter_and(start).map_err(|error| error.to_string())?,
            None => start(),
        };
        started.map_err(|error| error.to_string())
    }

    /// Lets an old primary follow the new one. True once it has all that this has.
    ///
    /// # Errors
    /// It refuses, or is not there before the limit.
    pub fn rejoin(
        &self,
        old: &MemberWay,
        new: &MemberWay,
        members: usize,
        limit: Duration,
        cancel: &AtomicBool,
    ) -> Result<bool, String> {
        let began = Instant::now();
        let asked = |error: QueryError| error.to_string();
        let mut client = Client::connect(&old.connect).map_err(|error| error.to_string())?;
        let mut source = Client::connect(&new.connect).map_err(|error| error.to_string())?;
        if self.elects() {
            let state = "SELECT MEMBER_STATE FROM performance_schema.replication_group_members \
                WHERE MEMBER_ID = @@server_uuid";
            if one(&mut client, state).map_err(asked)? != "ONLINE" {
                // One that was expelled is still in the way of itself.
                let _ = client.execute("STOP GROUP_REPLICATION");
                link::member(&mut client, &self.common, false).map_err(asked)?;
            }
        } else {
            if self.common.topology == Topology::Semisync {
                client.execute("SET GLOBAL rpl_semi_sync_source_enabled = OFF").map_err(asked)?;
                install(&mut client, "replica").map_err(asked)?;
                client.execute("SET GLOBAL rpl_semi_sync_replica_enabled = ON").map_err(asked)?;
            }
            link::replica_of(&mut client, &self.common, (new.at, new.port)).map_err(asked)?;
        }
        // Of a replica it is known by its threads, wherever it stands in the order.
        let seat = if self.elects() { old.at } else { old.at.max(1) };
        let asked_as = if self.elects() { Topology::Group } else { Topology::Async };
        loop {
            let trouble = fault(asked_as, seat, members, &mut client);
            let executed = one(&mut source, "SELECT @@GLOBAL.gtid_executed").map_err(asked)?;
            let has_all = format!("SELECT GTID_SUBSET('{executed}', @@GLOBAL.gtid_executed)");
            if trouble.is_none() && one(&mut client, &has_all).map_err(asked)? == "1" {
                return Ok(true);
            }
            if cancel.load(Ordering::Relaxed) {
                return Ok(false);
            }
            if began.elapsed() > limit {
                return Err(trouble.map_or_else(
                    || format!("it had not caught up after {} s", limit.as_secs()),
                    |fault| fault.to_string(),
                ));
            }
            thread::sleep(PAUSE);
        }
    }
}

/// How many transactions a server has that another lacks.
///
/// # Errors
/// One of them does not answer.
pub fn transactions_beyond(server: &mut Client, other: &mut Client) -> Result<u64, QueryError> {
    let executed = one(other, "SELECT @@GLOBAL.gtid_executed")?;
    Ok(transactions_in(&one(server, &format!("SELECT GTID_SUBTRACT(@@GLOBAL.gtid_executed, '{executed}')"))?))
}

/// How many transactions a set of GTIDs names: `uuid:1-5:7,uuid:tag:9`.
fn transactions_in(set: &str) -> u64 {
    let count = |interval: &str| -> u64 {
        let (first, last) = interval.split_once('-').unwrap_or((interval, interval));
        match (first.parse::<u64>(), last.parse::<u64>()) {
            (Ok(first), Ok(last)) => (last + 1).saturating_sub(first),
            // A tag, not an interval.
            _ => 0,
        }
    };
    let sources = set.split(',').filter_map(|source| source.split_once(':'));
    sources.flat_map(|(_, intervals)| intervals.split(':')).map(count).sum()
}

/// Has a replica apply all that it has received, and nothing more; what it has executed then.
fn applied(client: &mut Client) -> Result<String, String> {
    let said = |error: QueryError| error.to_string();
    client.execute("STOP REPLICA IO_THREAD").map_err(said)?;
    let found = client.query("SHOW REPLICA STATUS").map_err(said)?;
    let received = found
        .position("Retrieved_Gtid_Set")
        .and_then(|at| found.first()?.text(at).map(|text| text.replace(['\n', ' '], "")));
    if let Some(received) = received.filter(|received| !received.is_empty()) {
        let wait = format!("SELECT WAIT_FOR_EXECUTED_GTID_SET('{received}', {APPLY_S})");
        if one(client, &wait).map_err(said)? != "0" {
            return Err(format!("a replica had not applied what it had received after {APPLY_S} s"));
        }
    }
    one(client, "SELECT @@GLOBAL.gtid_executed").map_err(said)
}

fn execute(client: &mut Client, statements: &[&str]) -> Result<(), QueryError> {
    statements.iter().try_for_each(|sql| client.execute(sql).map(drop))
}

/// Loads the plugin for one side of semisynchronous replication, unless it is there.
fn install(client: &mut Client, side: &str) -> Result<(), QueryError> {
    if status(client, &format!("Rpl_semi_sync_{side}_status"))?.is_empty() {
        client.execute(&format!("INSTALL PLUGIN rpl_semi_sync_{side} SONAME 'semisync_{side}.so'"))?;
    }
    Ok(())
}

fn one(client: &mut Client, sql: &str) -> Result<String, QueryError> {
    let found = client.query(sql)?;
    Ok(found.first().and_then(|row| row.text(0)).unwrap_or_default().replace(['\n', ' '], ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transactions_of_a_set_are_counted() {
        let uuid = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
        assert_eq!(transactions_in(""), 0);
        assert_eq!(transactions_in(&format!("{uuid}:7")), 1);
        assert_eq!(transactions_in(&format!("{uuid}:1-5:7:10-11,{uuid}:mine:1-3")), 11);
    }
}
