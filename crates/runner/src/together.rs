//! Checks whether the servers of a topology stay together during a load, and are equal after it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use model::{DifferingTable, FaultKind, Role, Together, Topology, TopologyFault};
use wire::{Client, ConnectOptions};

use crate::member::LiveMember;
use crate::targets::LiveTarget;

/// Interval between two checks.
const EVERY: Duration = Duration::from_millis(500);
/// Timeout for an answer of a server.
const PATIENCE: Duration = Duration::from_secs(5);
/// Timeout for an answer of a replica that serves no clients: a frozen one must be noticed at once.
const PATIENCE_WITH_REPLICAS: Duration = Duration::from_secs(2);
/// Time for replicas to apply what they have received.
const CATCH_UP: Duration = Duration::from_secs(60);
/// Interval between two checks of their progress.
const PAUSE: Duration = Duration::from_millis(10);

/// Observes a topology during a load, on a thread and connections of its own.
pub(crate) struct Guard {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Together>,
}

/// The servers of a topology, and how to ask each of them.
#[derive(Clone)]
struct Asked {
    topology: Topology,
    names: Vec<String>,
    ways: Vec<ConnectOptions>,
}

impl Asked {
    fn of(live: &LiveTarget, without: &BTreeSet<usize>) -> Self {
        let way = |member: &LiveMember| {
            let patience = if member.role == Role::Replica { PATIENCE_WITH_REPLICAS } else { PATIENCE };
            ConnectOptions { read_timeout: Some(patience), ..member.connect.clone() }
        };
        let left = || {
            let each = live.members.iter().enumerate();
            each.filter(|(at, _)| !without.contains(at)).map(|(_, member)| member)
        };
        Self {
            topology: live.topology,
            names: left().map(|member| member.name.clone()).collect(),
            ways: left().map(way).collect(),
        }
    }

    /// A connection to each; or which one cannot be reached, and why.
    fn clients(&self) -> Result<Vec<Client>, (usize, String)> {
        let each = self.ways.iter().enumerate();
        each.map(|(at, way)| Client::connect(way).map_err(|error| (at, error.to_string()))).collect()
    }
}

impl Guard {
    /// Begins with the load; none for a single server.
    pub fn start(live: &LiveTarget) -> Option<Self> {
        let mut asked = live.topology.replicates().then(|| Asked::of(live, &BTreeSet::new()))?;
        // One that stands still accepts connections and says nothing on them.
        asked.ways.iter_mut().for_each(|way| way.connect_timeout = way.read_timeout.unwrap_or(PATIENCE));
        let stop = Arc::new(AtomicBool::new(false));
        let stopping = Arc::clone(&stop);
        let begun = Instant::now();
        let thread = thread::spawn(move || watch(&asked, begun, &stopping));
        Some(Self { stop, thread })
    }

    /// The observations until the load ended.
    pub fn stop(self) -> Together {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.thread().unpark();
        let seen = self.thread.join();
        seen.unwrap_or_else(|_| Together {
            unknown: Some("the watch over it failed".to_owned()),
            ..Together::default()
        })
    }
}

fn watch(asked: &Asked, begun: Instant, stopping: &AtomicBool) -> Together {
    let mut seen = Together::default();
    let mut unacknowledged = Unacknowledged::default();
    let mut clients = asked.clients();
    loop {
        let is_last = stopping.load(Ordering::Relaxed);
        let now_s = begun.elapsed().as_secs_f64();
        // Before replicas are asked, which may take long.
        let more = clients.as_mut().ok().and_then(|members| unacknowledged.more(asked, members));
        if !is_last {
            clients = faults_now(asked, clients, now_s, &mut seen.faults);
        }
        if let Some(more) = more {
            note_fallback(&mut seen.faults, now_s, asked, more);
        }
        if is_last {
            return seen;
        }
        thread::park_timeout(EVERY);
    }
}

/// Notes the current faults of the topology; returns the connections for the next time.
fn faults_now(
    asked: &Asked,
    clients: Result<Vec<Client>, (usize, String)>,
    now_s: f64,
    faults: &mut Vec<TopologyFault>,
) -> Result<Vec<Client>, (usize, String)> {
    match clients {
        Ok(mut members) => {
            let found = topology::faults(asked.topology, &mut members);
            let lost = found.iter().any(|fault| fault.kind == FaultKind::NoAnswer);
            for fault in found {
                note(faults, now_s, &asked.names[fault.at], fault.kind, fault.detail);
            }
            if lost { asked.clients() } else { Ok(members) }
        }
        Err((at, why)) => {
            note(faults, now_s, &asked.names[at], FaultKind::NoAnswer, why);
            asked.clients()
        }
    }
}

/// Commits of a semisynchronous primary that were not acknowledged: replication may have been asynchronous between two looks.
#[derive(Default)]
struct Unacknowledged {
    /// The count when the load began.
    first: Option<u64>,
    /// The latest count.
    last: u64,
}

impl Unacknowledged {
    /// The number since the load began, if it has grown since the latest count.
    fn more(&mut self, asked: &Asked, members: &mut [Client]) -> Option<u64> {
        let primary = members.first_mut().filter(|_| asked.topology == Topology::Semisync)?;
        let now = topology::unacknowledged(primary).ok()?;
        let first = *self.first.get_or_insert(now);
        let grew = now > std::mem::replace(&mut self.last, now).max(first);
        grew.then(|| now - first)
    }
}

/// Commits without an acknowledgement, of which those of a time when replication was seen to be asynchronous are no other fault.
fn note_fallback(faults: &mut Vec<TopologyFault>, now_s: f64, asked: &Asked, commits: u64) {
    let is_known =
        |fault: &TopologyFault| fault.kind == FaultKind::SemisyncOff && fault.until_s >= same_from(now_s);
    if !faults.iter().any(is_known) {
        note(faults, now_s, &asked.names[0], FaultKind::FellBack, commits.to_string());
    }
}

/// A fault that was seen last then or later is the one that is seen now.
fn same_from(now_s: f64) -> f64 {
    now_s - 3.0 * EVERY.as_secs_f64() - PATIENCE.as_secs_f64()
}

/// Notes a fault; a continuing fault is the same one.
fn note(faults: &mut Vec<TopologyFault>, now_s: f64, server: &str, kind: FaultKind, detail: String) {
    let last = same_from(now_s);
    let known = faults.iter_mut().find(|one| one.server == server && one.kind == kind && one.until_s >= last);
    match known {
        Some(known) => {
            known.until_s = now_s;
            if kind == FaultKind::FellBack {
                known.detail = detail;
            }
        }
        None => faults.push(TopologyFault {
            from_s: now_s,
            until_s: now_s,
            server: server.to_owned(),
            kind,
            detail,
        }),
    }
}

/// Waits until all servers but those that were `ended` on purpose have applied what the first one has, and compares the rows of
/// those that are ours.
pub(crate) fn settle(
    (live, ended): (&LiveTarget, &BTreeSet<usize>),
    compare: bool,
    cancel: &AtomicBool,
    together: &mut Together,
) {
    let asked = Asked::of(live, ended);
    if asked.ways.len() < 2 {
        return;
    }
    let begun = Instant::now();
    let settled =
        asked.clients().map_err(|(at, why)| format!("{}: {why}", asked.names[at])).and_then(|mut clients| {
            loop {
                match topology::has_all(asked.topology, &mut clients).map_err(|error| error.to_string())? {
                    Some(true) => return Ok(()),
                    None => return Err("without GTIDs the position of a replica is unknown".to_owned()),
                    Some(false) if cancel.load(Ordering::Relaxed) => return Err("interrupted".to_owned()),
                    Some(false) if begun.elapsed() > CATCH_UP => {
                        return Err(format!(
                            "replicas had not caught up {} s after the load",
                            CATCH_UP.as_secs()
                        ));
                    }
                    Some(false) => thread::sleep(PAUSE),
                }
            }
        });
    match settled {
        Ok(()) => together.caught_up_s = Some(begun.elapsed().as_secs_f64()),
        Err(why) => together.unknown = Some(why),
    }
    if together.caught_up_s.is_some() && compare && !cancel.load(Ordering::Relaxed) {
        match compared(&asked) {
            Ok((tables, differing)) => (together.compared, together.differing) = (tables, differing),
            Err(why) => together.unknown = Some(why),
        }
    }
}

/// The number of tables, and those that differ from the first server's. All servers are queried concurrently.
fn compared(asked: &Asked) -> Result<(u32, Vec<DifferingTable>), String> {
    let sums = |way: &ConnectOptions| {
        // A large table takes longer than an answer usually may.
        let way = ConnectOptions { read_timeout: None, ..way.clone() };
        let mut client = Client::connect(&way).map_err(|error| error.to_string())?;
        topology::checksums(&mut client).map_err(|error| error.to_string())
    };
    let each: Vec<Result<Vec<(String, String)>, String>> = thread::scope(|scope| {
        let threads: Vec<_> = asked.ways.iter().map(|way| scope.spawn(move || sums(way))).collect();
        let ended = threads.into_iter().map(thread::ScopedJoinHandle::join);
        ended.map(|end| end.unwrap_or_else(|_| Err("the comparison failed".to_owned()))).collect()
    });
    let each = each.into_iter().zip(&asked.names);
    let each: Vec<_> =
        each.map(|(sums, name)| sums.map_err(|why| format!("{name}: {why}"))).collect::<Result<_, _>>()?;
    let Some((primary, replicas)) = each.split_first() else { return Ok((0, Vec::new())) };
    let mut differing = Vec::new();
    for (replica, name) in replicas.iter().zip(asked.names.iter().skip(1)) {
        let tables =
            primary.iter().chain(replica).filter(|one| !(primary.contains(one) && replica.contains(one)));
        for (table, _) in tables {
            let one = DifferingTable { server: name.clone(), table: table.clone() };
            if !differing.contains(&one) {
                differing.push(one);
            }
        }
    }
    Ok((primary.len() as u32, differing))
}
