//! A crash at a random instant under load: the server is killed, starts on what is left, and is asked for what it had acknowledged.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use disk::{AtomicWrite, CutReport, Disk, Losses};
use load::{Limit, Offer, Progress};
use model::{Crash, CrashKind, DiskLoss, Failure, FailureCode, Journal, JournalEntry, Recovery};
use random::Rng;
use sandbox::{Home, Membership};
use store::StoreError;

use crate::ahead::{BeforeCrash, Recovered, held_replicas};
use crate::binary_log::{LogStart, log_start};
use crate::gone::failure;
use crate::journal::{CLIENTS, JournalClients, Way, prepare};
use crate::member::LiveMember;
use crate::recovered::{Expected, recovered_rows};
use crate::targets::LiveTarget;

/// The crash comes at least so long after the clients have connected: settings that flush once a second have flushed something.
const EARLIEST_S: f64 = 1.2;
/// And within so much more, evenly spread.
const SPREAD_S: f64 = 2.0;
/// Clients that have not connected by then never will.
const CONNECT_LIMIT: Duration = Duration::from_secs(120);
/// How long a server may take to recover.
const RECOVERY_LIMIT: Duration = Duration::from_secs(300);
/// The stream of random numbers that decides at how many bytes the disk tears a write.
const TEARING: u64 = 0x746f_726e;
/// How often it is looked whether the user has stopped the run.
const LOOK: Duration = Duration::from_millis(200);

/// What a crash needs to know of its trial.
pub(crate) struct CrashTest<'a> {
    pub kind: CrashKind,
    /// Which crash of its series, from 1.
    pub repeat: u32,
    /// The load of the trial; when it ends is not looked at.
    pub offer: Offer<'a>,
    pub home: &'a Home,
    pub cancel: &'a AtomicBool,
}

/// Makes the tables of the journal, before the load of a trial, and sees to it that they survive whatever the settings, on any disk.
pub(crate) fn make_ready(live: &LiveTarget) -> Result<(), Failure> {
    let refused =
        |why: String| failure(FailureCode::Other, format!("the journal of the crash cannot be kept: {why}"));
    prepare(live.connect()).map_err(refused)?;
    live.disk.as_ref().map_or(Ok(()), Disk::sync_all).map_err(|error| refused(error.to_string()))
}

/// Lets the server of a target crash. `keep` is given each entry of the journal. An error in the inner result is a failure of the
/// trial; none: the user stopped it.
pub(crate) fn crash(
    test: &CrashTest<'_>,
    live: &mut LiveTarget,
    keep: &mut dyn FnMut(&JournalEntry) -> Result<(), StoreError>,
) -> Result<Result<Option<Crash>, Failure>, StoreError> {
    let seed = test.offer.seed;
    // It has to be started anew whatever comes.
    (live.dirty, live.used) = (true, true);
    let refused = |code, why: String| Ok(Err(failure(code, why)));
    let under_load = match until_crash(test, live, keep)? {
        Ok(Some(found)) => found,
        Ok(None) => return Ok(Ok(None)),
        Err(failure) => return Ok(Err(failure)),
    };
    let UnderLoad { entries, crashed_us, log } = under_load;
    let is_acknowledged = |entry: &&JournalEntry| entry.acknowledged_us.is_some_and(|at| at <= crashed_us);
    let is_refused = |entry: &&JournalEntry| entry.refused;
    let acknowledged = entries.iter().filter(is_acknowledged).count() as u64;
    if acknowledged == 0 {
        // Nothing can be lost where nothing was promised.
        return refused(
            FailureCode::Other,
            "no transaction of the journal was acknowledged before the crash".to_owned(),
        );
    }
    let unknown = entries.len() as u64 - acknowledged - entries.iter().filter(is_refused).count() as u64;
    // The worst that a disk may do, and in turns with it what is harder to recover from: a part that is kept, in any order.
    let torn_at = test.repeat.is_multiple_of(2).then(|| sector_of(seed));
    let losses = torn_at.map_or_else(Losses::all, |unit| Losses::random(seed, unit));
    let disk = match live.disk.take().map(|disk| disk.after_cut(&losses)).transpose() {
        Ok(report) => report.as_ref().map(|report| disk_loss(report, torn_at)),
        Err(error) => return refused(FailureCode::Machine, error.to_string()),
    };
    let held = held_replicas(live);
    let began = Instant::now();
    let recovery = match start_again(test, live) {
        // Nobody waited for it to recover.
        Err(_) if test.cancel.load(Ordering::Relaxed) => return Ok(Ok(None)),
        Err(why) => Recovery::Failed(why),
        Ok(()) => {
            let took_s = began.elapsed().as_secs_f64();
            let expected = Expected { entries: &entries, seed, crashed_us, log: &log };
            match recovered_rows(live.connect(), &expected) {
                Ok(rows) => Recovery::Recovered(model::RecoveredRows { took_s, ..rows }),
                Err(why) => Recovery::Unreadable(why),
            }
        }
    };
    let has_recovered = matches!(recovery, Recovery::Recovered(_));
    let port = live.entry().server.as_ref().map(sandbox::Server::port).filter(|_| has_recovered);
    let primary = port.map(|port| Recovered { connect: live.connect().clone(), port });
    let before = BeforeCrash { entries: &entries, crashed_us, cancel: test.cancel };
    let replicas = held.into_iter().map(|replica| replica.compared(primary.as_ref(), &before)).collect();
    if test.cancel.load(Ordering::Relaxed) {
        return Ok(Ok(None));
    }
    Ok(Ok(Some(Crash {
        kind: test.kind,
        at_s: crashed_us as f64 / 1e6,
        journal: Journal { clients: CLIENTS, acknowledged, unknown },
        disk,
        recovery,
        replicas,
    })))
}

/// What the disk of a crash writes whole or not at all: the seed decides, so that a crash can be repeated.
fn sector_of(seed: u64) -> AtomicWrite {
    let units = [AtomicWrite::Sector, AtomicWrite::Page];
    // A stream of its own: the instant of the crash is not to depend on it.
    units[Rng::stream(seed, TEARING).below(units.len() as u64) as usize]
}

fn disk_loss(report: &CutReport, torn_at: Option<AtomicWrite>) -> DiskLoss {
    DiskLoss {
        torn_at: torn_at.map(AtomicWrite::bytes),
        files: report.dirty_files,
        unflushed_bytes: report.dirty_bytes,
        lost_bytes: report.bytes_lost,
        torn_pages: report.torn_pages,
        names_lost: report.namespace_operations_lost,
    }
}

/// What was known when the server had crashed.
struct UnderLoad {
    entries: Vec<JournalEntry>,
    /// When, since the clients of the load had connected.
    crashed_us: u64,
    /// Where the binary log ended before the journal began; none: there is none; an error: why nobody knows.
    log: Result<Option<LogStart>, String>,
}

/// Offers the load, with the clients that keep the journal beside it, until the server is killed at its instant.
fn until_crash(
    test: &CrashTest<'_>,
    live: &mut LiveTarget,
    keep: &mut dyn FnMut(&JournalEntry) -> Result<(), StoreError>,
) -> Result<Result<Option<UnderLoad>, Failure>, StoreError> {
    let stop = AtomicBool::new(false);
    let limit = Limit { warmup: Duration::ZERO, time: None, events: None };
    let offer = Offer {
        limit,
        cancel: &stop,
        entries: test.offer.entries.clone(),
        schedule: test.offer.schedule.clone(),
        ..test.offer
    };
    let (tell, connected) = mpsc::channel();
    thread::scope(|scope| {
        let load = scope.spawn(|| {
            load::offer(&offer, &mut |progress| {
                if let Progress::Connected { .. } = progress {
                    // Nobody may be waiting any more.
                    let _ = tell.send(());
                }
            })
        });
        let end_load = || {
            stop.store(true, Ordering::Relaxed);
        };
        let since = Instant::now();
        let is_connected = loop {
            match connected.recv_timeout(LOOK) {
                Ok(()) => break true,
                Err(_) if load.is_finished() || since.elapsed() > CONNECT_LIMIT => break false,
                Err(_) if test.cancel.load(Ordering::Relaxed) => break false,
                Err(_) => {}
            }
        };
        if !is_connected {
            end_load();
            let why = "the clients could not connect once more for the crash".to_owned();
            let is_stopped = test.cancel.load(Ordering::Relaxed);
            return Ok(if is_stopped { Ok(None) } else { Err(failure(FailureCode::Connect, why)) });
        }
        let log = log_start(live.connect());
        let mut connect = live.connect().clone();
        let with_statements = log.iter().flatten().map(|start| start.with_statements.to_owned());
        connect.init_commands.extend(with_statements);
        let begun = Instant::now();
        let way = Way { servers: vec![connect], primary: None };
        let clients = JournalClients::start(way, test.offer.seed, begun);
        let mut random = Rng::from_seed(test.offer.seed);
        let at = begun + Duration::from_secs_f64(EARLIEST_S + SPREAD_S * random.uniform_f64());
        let mut kept = Ok(());
        let mut entries = Vec::new();
        while Instant::now() < at && kept.is_ok() && !test.cancel.load(Ordering::Relaxed) {
            if let Some(entry) = clients.next(at.min(Instant::now() + LOOK)) {
                kept = keep(&entry);
                entries.push(entry);
            }
        }
        let crashed_us = begun.elapsed().as_micros() as u64;
        live.disk.iter().for_each(|disk| _ = disk.cut_power());
        let killed = live.members[0].server.as_mut().map(sandbox::Server::kill);
        end_load();
        for entry in clients.stop() {
            kept = kept.and_then(|()| keep(&entry));
            entries.push(entry);
        }
        kept?;
        Ok(match killed {
            _ if test.cancel.load(Ordering::Relaxed) => Ok(None),
            Some(Ok(())) => Ok(Some(UnderLoad { entries, crashed_us, log })),
            Some(Err(error)) => Err(failure(FailureCode::Sandbox, error.to_string())),
            None => Err(failure(FailureCode::Sandbox, "only a sandbox can be made to crash".to_owned())),
        })
    })
}

/// Starts the server on what is left of its data; why it does not, if so.
fn start_again(test: &CrashTest<'_>, live: &mut LiveTarget) -> Result<(), String> {
    let member = &mut live.members[0];
    let Some(server) = member.server.take() else { return Err("there is no server".to_owned()) };
    let server = match &live.ties {
        Some(ties) => {
            ties.start_again(test.home, (0, &member.name, server), None, RECOVERY_LIMIT, test.cancel)?
        }
        None => test
            .home
            .start_again(server, Membership::default(), RECOVERY_LIMIT, test.cancel)
            .map_err(|error| error.to_string())?,
    };
    *member = LiveMember::sandbox(&member.name, member.role, server, member.facts.clone(), None);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_tears_at_one_length_and_both_lengths_come() {
        let lengths: Vec<u64> = (0..100).map(|seed| sector_of(seed).bytes()).collect();
        assert!(lengths.iter().all(|bytes| [512, 4096].contains(bytes)));
        let sectors = lengths.iter().filter(|bytes| **bytes == 512).count();
        assert!((30..70).contains(&sectors), "{sectors} of 100");
        assert_eq!(sector_of(7), sector_of(7));
    }
}
