//! A new primary for a topology that has lost its own, and the way back of the old one.
//!
//! A group elects by itself, and every node of a Galera cluster takes writes: the first that is left in the cluster gets them. Replicas
//! of a lost primary are given a new one as an administrator would (MySQL manual, "Using Replication for Failover", "Switching Sources
//! During Failover"; MariaDB knowledge base, "Changing a Replica to Replicate From Another Primary"): they stop receiving, apply what
//! they have received, and the one with most transactions becomes the primary, from which the others then read.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use model::{Flavour, SandboxSpec, Topology};
use network::SimulatedNetwork;
use sandbox::{Home, Membership, Server};
use wire::{Client, ConnectOptions, QueryError};

use crate::health::{fault, status};
use crate::seat::{Common, NETWORK, Seat};
use crate::{equal, gtid, lines, link, position};

/// Interval between two checks.
const PAUSE: Duration = Duration::from_millis(20);

/// The shared parameters of a topology's members, for changing it while it runs.
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
    /// Its connection options.
    pub connect: ConnectOptions,
    /// Its port.
    pub port: u16,
}

impl Ties {
    pub(crate) fn new(common: Common) -> Self {
        Self { common }
    }

    /// Whether the topology elects a new primary by itself.
    pub fn elects(&self) -> bool {
        matches!(self.common.topology, Topology::Group | Topology::Galera)
    }

    /// The member that takes writes now, among those that are `left` of a topology that chooses by itself; none as yet.
    pub fn elected(&self, left: &[MemberWay]) -> Option<usize> {
        left.iter().find_map(|member| {
            let mut client = Client::connect(&member.connect).ok()?;
            let is_elected = match self.common.topology {
                Topology::Galera => takes_writes(&mut client, left.len()),
                _ => is_primary_of_group(&mut client),
            };
            is_elected.ok()?.then_some(member.at)
        })
    }

    /// Waits until a member has applied all that it had received; at once where replicas have done so before.
    ///
    /// # Errors
    /// It does not answer.
    pub fn catch_up(&self, member: &MemberWay) -> Result<(), String> {
        if self.common.topology != Topology::Galera {
            return Ok(());
        }
        let mut client = Client::connect(&member.connect).map_err(|error| error.to_string())?;
        let statements = ["SET SESSION wsrep_sync_wait = 1", "SELECT COUNT(*) FROM mysql.user"];
        statements.iter().try_for_each(|sql| client.query(sql).map(drop)).map_err(|error| error.to_string())
    }

    /// Makes the replica with most transactions the primary of the others; returns its number.
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
            let executed = gtid::applied(client)?;
            let has_more = match &most {
                None => true,
                Some((_, known)) => gtid::has(client, &executed, known).map_err(said)?,
            };
            if has_more {
                most = Some((at, executed));
            }
        }
        let (chosen, _) = most.ok_or("no replica answers")?;
        let others = replicas.len() as u32 - 1;
        let (primary, client) = &mut replicas[chosen];
        let (new, port) = (primary.at, primary.port);
        let is_mariadb = self.common.flavour == Flavour::Mariadb;
        execute(
            client,
            if is_mariadb {
                &["STOP SLAVE", "RESET SLAVE ALL"]
            } else {
                &["STOP REPLICA", "RESET REPLICA ALL"]
            },
        )
        .map_err(said)?;
        if self.common.topology == Topology::Semisync {
            self.wait_for_replicas(client, others).map_err(said)?;
        }
        if !is_mariadb {
            client.execute("SET GLOBAL super_read_only = OFF").map_err(said)?;
        }
        client.execute("SET GLOBAL read_only = OFF").map_err(said)?;
        // Account and password stay as they are.
        let host = self.common.host(new);
        let [stop, source, start] = match self.common.flavour {
            Flavour::Mysql => [
                "STOP REPLICA".to_owned(),
                format!(
                    "CHANGE REPLICATION SOURCE TO SOURCE_HOST = '{host}', SOURCE_PORT = {port}, SOURCE_AUTO_POSITION = 1"
                ),
                "START REPLICA".to_owned(),
            ],
            Flavour::Mariadb => [
                "STOP SLAVE".to_owned(),
                format!(
                    "CHANGE MASTER TO MASTER_HOST = '{host}', MASTER_PORT = {port}, MASTER_USE_GTID = slave_pos"
                ),
                "START SLAVE".to_owned(),
            ],
        };
        for (_, client) in replicas.iter_mut().filter(|(member, _)| member.at != new) {
            execute(client, &[&stop, &source, &start]).map_err(said)?;
        }
        Ok(new)
    }

    /// Makes a new primary wait for acknowledgements like the old one, from as many replicas as are left.
    fn wait_for_replicas(&self, client: &mut Client, replicas: u32) -> Result<(), QueryError> {
        if replicas == 0 {
            return Ok(());
        }
        if self.common.flavour == Flavour::Mariadb {
            // It waits for one replica, and needs no plugin.
            return client.execute("SET GLOBAL rpl_semi_sync_master_enabled = ON").map(drop);
        }
        let acks = self.common.arrangement.acks.unwrap_or(1).min(replicas);
        install(client, "source")?;
        client.execute(&format!("SET GLOBAL rpl_semi_sync_source_wait_for_replica_count = {acks}"))?;
        client.execute("SET GLOBAL rpl_semi_sync_source_enabled = ON").map(drop)
    }

    /// Restarts a member that has ended, in its previous role; it is not connected with the others yet.
    ///
    /// # Errors
    /// It does not start.
    pub fn start_again(
        &self,
        home: &Home,
        (at, name, server): (usize, &str, Server),
        network: Option<&SimulatedNetwork>,
        limit: Duration,
        cancel: &AtomicBool,
    ) -> Result<Server, String> {
        let spec: SandboxSpec = server.spec().clone();
        let start = move || {
            let mut server = server;
            let joining = match self.common.topology {
                Topology::Galera => {
                    Some(position::of_ended(home, &self.common, (at, &mut server), limit, cancel)?)
                }
                _ => None,
            };
            let seat = Seat { common: joining.as_ref().unwrap_or(&self.common), at };
            let membership = Membership {
                lines: &lines::of(&seat, &spec.settings),
                before: lines::before(&seat),
                programs: &lines::programs(&seat),
                clients: network.map(|_| NETWORK),
                ..Membership::default()
            };
            home.start_again(server, membership, limit, cancel).map_err(|error| error.to_string())
        };
        match network.and_then(|network| network.namespace(name)) {
            Some(namespace) => namespace.enter_and(start).map_err(|error| error.to_string())?,
            None => start(),
        }
    }

    /// The number of transactions that an old primary has and the new one lacks. A node of a Galera cluster has none: the
    /// others had received all that it committed.
    ///
    /// # Errors
    /// One of them does not answer.
    pub fn transactions_beyond(&self, old: &MemberWay, new: &MemberWay) -> Result<u64, String> {
        if self.common.topology == Topology::Galera {
            return Ok(0);
        }
        let connected = |way: &MemberWay| Client::connect(&way.connect).map_err(|error| error.to_string());
        let (mut old, mut new) = (connected(old)?, connected(new)?);
        gtid::transactions_beyond(&mut old, &mut new).map_err(|error| error.to_string())
    }

    /// Lets an old primary follow the new one. Returns true once it has all transactions of the new one.
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
        match self.common.topology {
            Topology::Group => {
                let state = "SELECT MEMBER_STATE FROM performance_schema.replication_group_members \
                    WHERE MEMBER_ID = @@server_uuid";
                if gtid::one(&mut client, state).map_err(asked)? != "ONLINE" {
                    // One that was expelled is still in the way of itself.
                    let _ = client.execute("STOP GROUP_REPLICATION");
                    link::member(&mut client, &self.common, false).map_err(asked)?;
                }
            }
            // It joins by itself.
            Topology::Galera => {}
            _ => self.follow(&mut client, new).map_err(asked)?,
        }
        // Of a replica it is known by its threads, wherever it stands in the order.
        let (seat, asked_as) = match self.elects() {
            true => (old.at, self.common.topology),
            false => (old.at.max(1), Topology::Async),
        };
        loop {
            let trouble = fault(asked_as, seat, members, &mut client);
            if trouble.is_none() && self.has_all(&mut source, &mut client).map_err(asked)? {
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

    /// Makes an old primary a replica of the new one.
    fn follow(&self, client: &mut Client, new: &MemberWay) -> Result<(), QueryError> {
        let is_mariadb = self.common.flavour == Flavour::Mariadb;
        match (self.common.topology, is_mariadb) {
            (Topology::Semisync, false) => {
                client.execute("SET GLOBAL rpl_semi_sync_source_enabled = OFF")?;
                install(client, "replica")?;
                client.execute("SET GLOBAL rpl_semi_sync_replica_enabled = ON")?;
            }
            (Topology::Semisync, true) => execute(
                client,
                &[
                    "SET GLOBAL rpl_semi_sync_master_enabled = OFF",
                    "SET GLOBAL rpl_semi_sync_slave_enabled = ON",
                ],
            )?,
            _ => {}
        }
        if is_mariadb {
            // It goes on where its own binary log ends.
            client.execute("SET GLOBAL gtid_slave_pos = @@GLOBAL.gtid_binlog_pos")?;
        }
        link::replica_of(client, &self.common, (new.at, new.port))
    }

    /// Whether the old primary has all transactions of the new one.
    fn has_all(&self, new: &mut Client, old: &mut Client) -> Result<bool, QueryError> {
        if self.common.topology == Topology::Galera {
            return Ok(equal::galera_position(new)? == equal::galera_position(old)?);
        }
        let (executed, known) = (gtid::executed(old)?, gtid::executed(new)?);
        gtid::has(old, &executed, &known)
    }
}

/// Whether a node is in a cluster that takes writes, and from which the lost one has been removed.
fn takes_writes(client: &mut Client, left: usize) -> Result<bool, QueryError> {
    let is_left = status(client, "wsrep_cluster_size")?.parse().is_ok_and(|size: usize| size <= left);
    Ok(is_left
        && status(client, "wsrep_cluster_status")? == "Primary"
        && status(client, "wsrep_ready")? == "ON")
}

fn is_primary_of_group(client: &mut Client) -> Result<bool, QueryError> {
    let question = "SELECT MEMBER_STATE = 'ONLINE' AND MEMBER_ROLE = 'PRIMARY' AND NOT @@GLOBAL.read_only \
        FROM performance_schema.replication_group_members WHERE MEMBER_ID = @@server_uuid";
    Ok(gtid::one(client, question)? == "1")
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
