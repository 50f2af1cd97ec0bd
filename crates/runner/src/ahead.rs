//! The replicas of a crashed server: the transactions they had received from it, and whether they can follow it once it has
//! restarted.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use model::{BesidePrimary, ComparedReplica, CrashReplica, JournalEntry, ReplicaState, Role};
use wire::{Client, ConnectOptions, ResultSet};

use crate::journal::client_of;
use crate::recovered::transfers_in;
use crate::targets::LiveTarget;

/// Time for a replica to notice that its primary is gone: until then it may still receive.
const NOTICE: Duration = Duration::from_secs(5);
/// Time for a replica to apply what it has received, seconds.
const APPLY_S: u32 = 120;
/// Time for a replica to follow its primary again, or to report why it does not.
const FOLLOW: Duration = Duration::from_secs(60);
/// Time after connecting within which a primary reports that it refuses a replica.
const STEADY: Duration = Duration::from_secs(2);
/// Interval between two checks.
const PAUSE: Duration = Duration::from_millis(50);

/// Client and number of transactions of the journal.
type Transfers = BTreeSet<(u32, u64)>;

/// A replica that has applied all that it had received before the crash, and receives nothing more.
pub(crate) struct HeldReplica {
    server: String,
    connect: ConnectOptions,
    state: Result<Held, String>,
}

/// The transactions of the replica.
struct Held {
    gtids: String,
    transfers: Transfers,
}

/// The replicas of a target whose primary has just crashed. It is not to start again before.
pub(crate) fn held_replicas(live: &LiveTarget) -> Vec<HeldReplica> {
    let replicas = live.members.iter().filter(|member| member.role == Role::Replica);
    let one = |connect: &ConnectOptions| -> Result<Held, String> {
        let mut client = client_of(connect)?;
        let gtids = received(&mut client)?;
        Ok(Held { gtids, transfers: transfers_in(connect)? })
    };
    replicas
        .map(|member| HeldReplica {
            server: member.name.clone(),
            connect: member.connect.clone(),
            state: one(&member.connect),
        })
        .collect()
}

/// The state at the crash.
pub(crate) struct BeforeCrash<'a> {
    pub entries: &'a [JournalEntry],
    /// Time of the crash: later acknowledgements do not count.
    pub crashed_us: u64,
    pub cancel: &'a AtomicBool,
}

/// A primary that has recovered, and the port on which its replicas reach it now.
pub(crate) struct Recovered {
    pub connect: ConnectOptions,
    pub port: u16,
}

impl HeldReplica {
    /// Makes it follow its primary again, if that has recovered, and compares the two.
    pub fn compared(self, primary: Option<&Recovered>, before: &BeforeCrash<'_>) -> CrashReplica {
        let Self { server, connect, state } = self;
        let state = state.and_then(|held| compare(&connect, held, primary, before));
        CrashReplica { server, state: state.map_or_else(ReplicaState::Unreadable, ReplicaState::Compared) }
    }
}

fn compare(
    connect: &ConnectOptions,
    Held { gtids, transfers }: Held,
    primary: Option<&Recovered>,
    before: &BeforeCrash<'_>,
) -> Result<ComparedReplica, String> {
    let is_acknowledged =
        |entry: &&JournalEntry| entry.acknowledged_us.is_some_and(|at| at <= before.crashed_us);
    let acknowledged = before.entries.iter().filter(is_acknowledged);
    let acknowledged: Transfers = acknowledged.map(|entry| (entry.client, entry.n)).collect();
    let lost = acknowledged.difference(&transfers).count() as u64;
    let Some(primary) = primary else { return Ok(ComparedReplica { gtids, lost, beside_primary: None }) };
    let said = |error: wire::QueryError| error.to_string();
    let (mut replica, mut source) = (client_of(connect)?, client_of(&primary.connect)?);
    let ahead = topology::transactions_beyond(&mut replica, &mut source).map_err(said)?;
    let primary_gtids = executed(&mut source)?;
    let on_primary = transfers_in(&primary.connect)?;
    let only_here: Transfers = transfers.difference(&on_primary).copied().collect();
    let stopped = follow(&mut replica, (primary.port, &primary_gtids), before.cancel)?;
    let now = transfers_in(connect)?;
    let beside = BesidePrimary {
        primary_gtids,
        ahead,
        only_here: only_here.len() as u64,
        saved: only_here.intersection(&acknowledged).count() as u64,
        only_on_primary: on_primary.difference(&now).count() as u64,
        stopped,
    };
    Ok(ComparedReplica { gtids, lost, beside_primary: Some(beside) })
}

fn executed(client: &mut Client) -> Result<String, String> {
    one(client, "SELECT @@GLOBAL.gtid_executed")
}

fn one(client: &mut Client, sql: &str) -> Result<String, String> {
    let found = client.query(sql).map_err(|error| error.to_string())?;
    Ok(found.first().and_then(|row| row.text(0)).unwrap_or_default().replace(['\n', ' '], ""))
}

fn status(client: &mut Client) -> Result<ResultSet, String> {
    client.query("SHOW REPLICA STATUS").map_err(|error| error.to_string())
}

/// A field of a status; empty if there is none.
fn field<'a>(found: &'a ResultSet, name: &str) -> &'a str {
    found.position(name).and_then(|at| found.first()?.text(at)).unwrap_or_default()
}

/// Waits until a replica has noticed that its primary is gone, has applied all that it had received, and receives nothing
/// more; returns its GTID set.
fn received(client: &mut Client) -> Result<String, String> {
    let since = Instant::now();
    while field(&status(client)?, "Replica_IO_Running") == "Yes" && since.elapsed() < NOTICE {
        thread::sleep(PAUSE);
    }
    client.execute("STOP REPLICA IO_THREAD").map_err(|error| error.to_string())?;
    let received = field(&status(client)?, "Retrieved_Gtid_Set").replace(['\n', ' '], "");
    let wait = format!("SELECT WAIT_FOR_EXECUTED_GTID_SET('{received}', {APPLY_S})");
    if !received.is_empty() && one(client, &wait)? != "0" {
        return Err(format!("it had not applied what it had received after {APPLY_S} s"));
    }
    executed(client)
}

/// Starts replication again from a primary that may have another port; why it does not go on until the replica has what the primary has, or none.
fn follow(
    client: &mut Client,
    (port, wanted): (u16, &str),
    cancel: &AtomicBool,
) -> Result<Option<String>, String> {
    let source = format!("CHANGE REPLICATION SOURCE TO SOURCE_PORT = {port}");
    for sql in ["STOP REPLICA", &source, "START REPLICA"] {
        client.execute(sql).map_err(|error| error.to_string())?;
    }
    let since = Instant::now();
    let mut steady_since: Option<Instant> = None;
    loop {
        let found = status(client)?;
        // While it tries to connect it has an error of its own, which passes.
        let is_stopped = |thread: &str| field(&found, &format!("Replica_{thread}_Running")) == "No";
        let error = |thread: &str| field(&found, &format!("Last_{thread}_Error")).to_owned();
        let stopped =
            ["IO", "SQL"].into_iter().find(|thread| is_stopped(thread) && !error(thread).is_empty());
        if let Some(thread) = stopped {
            return Ok(Some(error(thread)));
        }
        let has_all = format!("SELECT GTID_SUBSET('{wanted}', @@GLOBAL.gtid_executed)");
        let has_all = field(&found, "Replica_IO_Running") == "Yes" && one(client, &has_all)? == "1";
        steady_since = has_all.then(|| steady_since.unwrap_or_else(Instant::now));
        if steady_since.is_some_and(|since| since.elapsed() >= STEADY) {
            return Ok(None);
        }
        if cancel.load(Ordering::Relaxed) || since.elapsed() > FOLLOW {
            let trouble = error("IO");
            return Ok(Some(match trouble.is_empty() {
                true => format!("it had not caught up after {} s", FOLLOW.as_secs()),
                false => trouble,
            }));
        }
        thread::sleep(PAUSE);
    }
}
