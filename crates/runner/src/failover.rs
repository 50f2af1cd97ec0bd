//! A failover under load: the primary is lost at a known second, another server takes its place, clients follow, and the
//! old one comes back. Acknowledged commits are compared with the content of the new primary.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use load::CurrentPrimary;
use model::{
    Failover, Failure, FailureCode, Interval, Journal, JournalEntry, PlannedFailover, PrimaryLoss,
    PromotedBy, Promotion, RecoveredRows, Rejoin, Topology,
};
use network::SimulatedNetwork;
use sandbox::{Home, ServerProcess, Signal};
use topology::{MemberWay, Ties};
use wire::{Client, ConnectOptions};

use crate::gone::failure;
use crate::journal::{CLIENTS, JournalClients, Way};
use crate::member::LiveMember;
use crate::recovered::{Expected, recovered_rows};
use crate::targets::LiveTarget;

/// Interval between two checks of the primary, or for a new one.
pub(crate) const LOOK: Duration = Duration::from_millis(100);
/// Time without an answer after which a primary is given up. Managers of replication wait for seconds.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(1);
/// Timeout for an answer to such a check.
const PATIENCE: Duration = Duration::from_millis(500);
/// Time limit for the old primary to rejoin.
const REJOIN_LIMIT: Duration = Duration::from_secs(60);
/// Share of the earlier throughput at which it counts as recovered.
const BACK: f64 = 0.9;

/// A failover planned for a load, in any state.
pub(crate) struct FailoverTest {
    asked: PlannedFailover,
    clients: Arc<JournalClients>,
    stop: Arc<AtomicBool>,
    manager: JoinHandle<Managed>,
    entries: Vec<JournalEntry>,
    /// End, length and transactions of each interval of the load.
    intervals: Vec<(f64, f64, u64)>,
    /// Errors of its clients by code, with the end of the interval.
    errors: Vec<(f64, BTreeMap<u16, u64>)>,
    by: PromotedBy,
    semisync: Option<Semisync>,
}

/// A failover whose load is over.
pub(crate) struct EndedFailover {
    asked: PlannedFailover,
    managed: Managed,
    entries: Vec<JournalEntry>,
    intervals: Vec<(f64, f64, u64)>,
    errors: Vec<(f64, BTreeMap<u16, u64>)>,
    ended_us: u64,
    by: PromotedBy,
    /// State of a semisynchronous primary before the load.
    semisync: Option<Semisync>,
}

/// Observations and actions of the topology's manager, microseconds since the load began.
#[derive(Debug, Default)]
struct Managed {
    /// Time the primary was lost; none: the load ended before.
    lost_us: Option<u64>,
    noticed_us: Option<u64>,
    /// State of a semisynchronous primary right before it was lost.
    semisync: Option<Semisync>,
    /// The number of the new primary, and when clients were told of it; or why there is none.
    promoted: Option<Result<(usize, u64), String>>,
}

/// The manager's inputs.
struct Manager {
    asked: PlannedFailover,
    /// Time of the failover in the load.
    at: Duration,
    begun: Instant,
    is_semisync: bool,
    process: Option<ServerProcess>,
    network: Option<Arc<SimulatedNetwork>>,
    names: Vec<String>,
    members: Vec<MemberWay>,
    ties: Arc<Ties>,
    primary: Arc<CurrentPrimary>,
    clients: Arc<JournalClients>,
    stop: Arc<AtomicBool>,
}

impl FailoverTest {
    /// Starts with the load, given the length of its warm-up.
    pub fn start(
        live: &LiveTarget,
        asked: PlannedFailover,
        warmup_s: f64,
        (seed, primary): (u64, &Arc<CurrentPrimary>),
    ) -> Option<Self> {
        let ties = Arc::clone(live.ties.as_ref()?);
        let is_semisync = live.topology == Topology::Semisync;
        let semisync = is_semisync.then(|| Semisync::of(live.connect())).flatten();
        let begun = Instant::now();
        let servers = live.members.iter().map(|member| member.connect.clone()).collect();
        let way = Way { servers, primary: Some(Arc::clone(primary)) };
        let clients = match one_stays(asked.loss) {
            true => JournalClients::start_with_one_staying(way, seed, begun),
            false => JournalClients::start(way, seed, begun),
        };
        let clients = Arc::new(clients);
        let stop = Arc::new(AtomicBool::new(false));
        let by = if ties.elects() { PromotedBy::Topology } else { PromotedBy::Mydyno };
        let manager = Manager {
            asked,
            at: Duration::from_secs_f64(warmup_s + asked.at_s),
            begun,
            is_semisync,
            process: live.entry().server.as_ref().and_then(sandbox::Server::process),
            network: live.network.as_ref().map(|network| network.simulated()),
            names: live.members.iter().map(|member| member.name.clone()).collect(),
            members: live.members.iter().enumerate().filter_map(way_to).collect(),
            ties,
            primary: Arc::clone(primary),
            clients: Arc::clone(&clients),
            stop: Arc::clone(&stop),
        };
        let manager = thread::spawn(move || manager.work());
        let (entries, intervals, errors) = (Vec::new(), Vec::new(), Vec::new());
        Some(Self { asked, clients, stop, manager, entries, intervals, errors, by, semisync })
    }

    /// Notes how much was done in an interval.
    pub fn interval(&mut self, interval: &Interval) {
        self.intervals.push((interval.end_s, interval.length_s, interval.transactions));
        if !interval.errors.is_empty() {
            self.errors.push((interval.end_s, interval.errors.clone()));
        }
    }

    /// The entries of the journal since the previous call.
    pub fn news(&mut self) -> &[JournalEntry] {
        let known = self.entries.len();
        self.entries.extend(self.clients.known());
        &self.entries[known..]
    }

    /// The load is over: ends the clients of the journal and the manager. Entries not yet recorded go to `keep`.
    pub fn stop<E>(
        mut self,
        keep: &mut dyn FnMut(&JournalEntry) -> Result<(), E>,
    ) -> Result<EndedFailover, E> {
        let known = self.entries.len();
        self.stop.store(true, Ordering::Relaxed);
        self.manager.thread().unpark();
        let managed = self.manager.join().unwrap_or_default();
        self.entries.extend(self.clients.stop());
        let ended_us =
            self.entries.iter().filter_map(|entry| entry.acknowledged_us).max().unwrap_or_default();
        self.entries[known..].iter().try_for_each(keep)?;
        let Self { asked, entries, intervals, errors, by, semisync, .. } = self;
        Ok(EndedFailover { asked, managed, entries, intervals, errors, ended_us, by, semisync })
    }
}

/// Whether a journal client stays connected to the old primary: one that has ended acknowledges nothing.
fn one_stays(loss: PrimaryLoss) -> bool {
    matches!(loss, PrimaryLoss::Cut | PrimaryLoss::Freeze)
}

pub(crate) fn way_to((at, member): (usize, &LiveMember)) -> Option<MemberWay> {
    let connect = ConnectOptions { database: None, ..member.connect.clone() };
    Some(MemberWay { at, connect, port: member.server.as_ref()?.port() })
}

impl Manager {
    fn work(self) -> Managed {
        let mut managed = Managed::default();
        if !self.waited_until(self.begun + self.at) {
            return managed;
        }
        if self.is_semisync {
            managed.semisync = Semisync::of(&patient(&self.members[0]).connect);
        }
        managed.lost_us = Some(self.now_us());
        self.lose();
        let left: Vec<MemberWay> = self.members[1..].iter().map(patient).collect();
        managed.promoted = Some(
            if self.ties.elects() {
                self.election(&left)
            } else {
                self.given_up().and_then(|noticed_us| {
                    managed.noticed_us = Some(noticed_us);
                    // Applying what was received takes as long as it takes.
                    self.ties.promote(&self.members[1..])
                })
            }
            .map(|at| {
                self.primary.turn_to(at);
                self.clients.hang_up();
                (at, self.now_us())
            }),
        );
        managed
    }

    fn now_us(&self) -> u64 {
        self.begun.elapsed().as_micros() as u64
    }

    /// Takes the primary away.
    fn lose(&self) {
        let signal = match self.asked.loss {
            PrimaryLoss::Kill => Signal::KILL,
            PrimaryLoss::Stop => Signal::TERM,
            PrimaryLoss::Freeze => Signal::STOP,
            PrimaryLoss::Cut => {
                let others = self.names.iter().skip(1);
                // The nodes are those of this network, so nothing can fail.
                self.network.iter().for_each(|network| {
                    others.clone().for_each(|other| _ = network.cut(&self.names[0], other));
                });
                return;
            }
        };
        // A process that has ended already is lost as well.
        self.process.iter().for_each(|process| _ = process.signal(signal));
    }

    /// Waits until a topology that chooses by itself has a new primary.
    fn election(&self, left: &[MemberWay]) -> Result<usize, String> {
        loop {
            if let Some(at) = self.ties.elected(left) {
                return Ok(at);
            }
            if !self.waited_until(Instant::now() + LOOK) {
                return Err("no other server took writes when the load ended".to_owned());
            }
        }
    }

    /// Waits until the primary has not answered for long enough to be given up; when that was.
    fn given_up(&self) -> Result<u64, String> {
        let primary = patient(&self.members[0]);
        let mut silent_since: Option<Instant> = None;
        loop {
            let since = Instant::now();
            // Who looks is on the side of the replicas.
            let answers = self.asked.loss != PrimaryLoss::Cut
                && Client::connect(&primary.connect).is_ok_and(|mut client| client.ping().is_ok());
            silent_since = if answers { None } else { Some(silent_since.unwrap_or(since)) };
            if silent_since.is_some_and(|since| since.elapsed() >= GIVEN_UP_AFTER) {
                return Ok(self.now_us());
            }
            if !self.waited_until(Instant::now() + LOOK) {
                return Err("the primary had not been given up when the load ended".to_owned());
            }
        }
    }

    /// Waits until an instant; returns false if it is to stop before.
    fn waited_until(&self, until: Instant) -> bool {
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return false;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            thread::park_timeout(left);
        }
    }
}

/// The connection options with a short timeout for answers.
pub(crate) fn patient(member: &MemberWay) -> MemberWay {
    let connect =
        ConnectOptions { connect_timeout: PATIENCE, read_timeout: Some(PATIENCE), ..member.connect.clone() };
    MemberWay { connect, ..member.clone() }
}

impl EndedFailover {
    /// Lets the old primary rejoin, and compares. An error is a failure of the trial.
    pub fn finish(
        self,
        live: &mut LiveTarget,
        (home, seed, cancel): (&Home, u64, &AtomicBool),
    ) -> Result<Failover, Failure> {
        // Every server has to be started anew whatever comes.
        (live.dirty, live.used) = (true, true);
        let Some(lost_us) = self.managed.lost_us else {
            let why = "the load ended before the primary was lost".to_owned();
            return Err(failure(FailureCode::Other, why));
        };
        let promoted = self.managed.promoted.as_ref();
        let promoted =
            promoted.ok_or_else(|| failure(FailureCode::Other, "the failover was not watched".to_owned()))?;
        let since_loss_s = |at_us: u64| at_us.saturating_sub(lost_us) as f64 / 1e6;
        let told_us = promoted.as_ref().ok().map(|(_, told_us)| *told_us);
        let (entries, split) = without_split_brain(&self.entries, told_us);
        let (survivor, rejoin, promotion) = match promoted {
            Ok((at, told_us)) => {
                let survivor = survivor(live, *at, &entries, seed, (self.ended_us, *told_us))?;
                let rejoin = come_back(self.asked.loss, live, *at, home, cancel);
                let server = live.members[*at].name.clone();
                (Some(survivor), rejoin, Promotion::Promoted { server, after_s: since_loss_s(*told_us) })
            }
            Err(why) => {
                let _ = returned(self.asked.loss, live);
                if matches!(self.asked.loss, PrimaryLoss::Kill | PrimaryLoss::Stop) {
                    // Nobody is to take its end for an accident.
                    drop(live.members[0].server.take());
                }
                let rejoin = Rejoin::Failed("there was no new primary to follow".to_owned());
                (None, rejoin, Promotion::Failed(why.clone()))
            }
        };
        let lost_s = lost_us as f64 / 1e6;
        let promoted_s = promoted.as_ref().ok().map(|(_, told_us)| *told_us as f64 / 1e6);
        let (before_per_s, recovered_s) = back(&self.intervals, lost_s, promoted_s);
        let acknowledged = self.entries.iter().filter(|entry| entry.acknowledged_us.is_some()).count() as u64;
        let refused = self.entries.iter().filter(|entry| entry.refused).count() as u64;
        let unknown = self.entries.len() as u64 - acknowledged - refused;
        let (promised, fell_back) = match live.topology {
            Topology::Group | Topology::Galera => (true, false),
            Topology::Semisync => self.semisync_promise(told_us),
            _ => (false, false),
        };
        let mut errors = BTreeMap::new();
        for (_, found) in self.errors.iter().filter(|(end_s, _)| *end_s > lost_s) {
            found.iter().for_each(|(code, count)| *errors.entry(*code).or_default() += count);
        }
        Ok(Failover {
            loss: self.asked.loss,
            at_s: lost_s,
            by: self.by,
            promised,
            fell_back,
            noticed_s: self.managed.noticed_us.map(since_loss_s),
            promotion,
            without_commit_s: longest_gap_s(&entries, lost_us, &self.intervals),
            before_per_s,
            recovered_s,
            journal: Journal { clients: CLIENTS, acknowledged, unknown },
            split_brain: told_us.filter(|_| one_stays(self.asked.loss)).map(|_| split),
            errors,
            survivor,
            rejoin,
        })
    }

    /// Whether semisynchronous replication promised to keep every commit, and whether it had fallen back to asynchronous: before the
    /// loss, or after it, since a primary that is cut off gives up waiting after a time.
    fn semisync_promise(&self, told_us: Option<u64>) -> (bool, bool) {
        let (Some(before), Some(at_loss)) = (self.semisync, self.managed.semisync) else {
            return (false, false);
        };
        let waited_us =
            told_us.unwrap_or(self.ended_us).saturating_sub(self.managed.lost_us.unwrap_or_default());
        let gave_up = self.asked.loss == PrimaryLoss::Cut && waited_us >= at_loss.patience_ms * 1000;
        let fell_back = !at_loss.waits || at_loss.unacknowledged > before.unacknowledged || gave_up;
        (!fell_back, fell_back)
    }
}

/// A primary of semisynchronous replication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Semisync {
    /// Whether it waits for its replicas; otherwise it has fallen back to asynchronous replication.
    waits: bool,
    /// Commits so far for which it did not wait until a replica had acknowledged them.
    unacknowledged: u64,
    /// Time that it waits before it falls back, milliseconds.
    patience_ms: u64,
}

impl Semisync {
    /// Reads the state; none if the server does not answer.
    fn of(connect: &ConnectOptions) -> Option<Self> {
        let mut client = Client::connect(connect).ok()?;
        let word = if client.session().is_mariadb { "master" } else { "source" };
        let mut value = |name: &str| {
            let found =
                client.query(&format!("SHOW GLOBAL STATUS LIKE 'Rpl_semi_sync_{word}_{name}'")).ok()?;
            Some(found.first()?.text(1)?.to_owned())
        };
        let (waits, unacknowledged) = (value("status")? == "ON", value("no_tx")?.parse().ok()?);
        let timeout = client.query(&format!("SELECT @@GLOBAL.rpl_semi_sync_{word}_timeout")).ok()?;
        Some(Self { waits, unacknowledged, patience_ms: timeout.first()?.parse(0)? })
    }
}

/// The journal without what the old primary acknowledged after the new one had taken writes, and how much that was. Such commits are not
/// missing on the new primary, which never was to have them; an entry without acknowledgement may be there or not.
fn without_split_brain(entries: &[JournalEntry], told_us: Option<u64>) -> (Vec<JournalEntry>, u64) {
    let is_split = |entry: &JournalEntry| {
        entry.server == 0 && told_us.is_some_and(|told| entry.acknowledged_us.is_some_and(|at| at > told))
    };
    let split = entries.iter().filter(|entry| is_split(entry)).count() as u64;
    let kept = entries.iter().map(|entry| match is_split(entry) {
        true => JournalEntry { acknowledged_us: None, ..*entry },
        false => *entry,
    });
    (kept.collect(), split)
}

/// Compares the journal with the new primary. The age of a missing commit is the time from its acknowledgement until
/// clients were told of the new primary.
fn survivor(
    live: &LiveTarget,
    at: usize,
    entries: &[JournalEntry],
    seed: u64,
    (ended_us, told_us): (u64, u64),
) -> Result<RecoveredRows, Failure> {
    let expected = Expected { entries, seed, crashed_us: ended_us, log: &Ok(None) };
    let refused = |why: String| {
        failure(FailureCode::Other, format!("the new primary could not be compared with the journal: {why}"))
    };
    if let (Some(ties), Some(way)) = (&live.ties, way_to((at, &live.members[at]))) {
        ties.catch_up(&way).map_err(refused)?;
    }
    let rows = recovered_rows(&live.members[at].connect, &expected).map_err(refused)?;
    let oldest_us = rows.lost_ms.map(|ms| ended_us as f64 - ms * 1e3);
    Ok(RecoveredRows { lost_ms: oldest_us.map(|at| ((told_us as f64 - at) / 1e3).max(0.0)), ..rows })
}

/// Removes what kept the old primary from answering, if it still runs.
fn returned(loss: PrimaryLoss, live: &mut LiveTarget) -> Result<(), String> {
    if let (PrimaryLoss::Cut, Some(network)) = (loss, &live.network) {
        let others = live.members.iter().skip(1);
        others.for_each(|other| _ = network.simulated().heal(&live.members[0].name, &other.name));
    }
    let Some(server) = live.members[0].server.as_mut() else { return Ok(()) };
    match loss {
        PrimaryLoss::Kill => server.kill().map_err(|error| error.to_string()),
        PrimaryLoss::Stop if !server.wait_until_ended() => {
            Err("it had not shut down after a minute".to_owned())
        }
        PrimaryLoss::Freeze => server.signal(Signal::CONT).map_err(|error| error.to_string()),
        PrimaryLoss::Stop | PrimaryLoss::Cut => Ok(()),
    }
}

/// The way back of the old primary: it is started where it has ended, and follows the new one unless it has transactions of its
/// own.
fn come_back(
    loss: PrimaryLoss,
    live: &mut LiveTarget,
    new: usize,
    home: &Home,
    cancel: &AtomicBool,
) -> Rejoin {
    let mut tried = || -> Result<Rejoin, String> {
        returned(loss, live)?;
        let began = Instant::now();
        let ties = live.ties.clone().ok_or("it is not known how its servers belong together")?;
        if matches!(loss, PrimaryLoss::Kill | PrimaryLoss::Stop) {
            let network = live.network.as_ref().map(|network| network.simulated());
            let member = &mut live.members[0];
            let server = member.server.take().ok_or("there is no server")?;
            let server = (0, member.name.as_str(), server);
            let server = ties.start_again(home, server, network.as_deref(), REJOIN_LIMIT, cancel)?;
            *member = LiveMember::sandbox(&member.name, member.role, server, member.facts.clone(), None);
        }
        let way = |live: &LiveTarget, at: usize| way_to((at, &live.members[at])).ok_or("there is no server");
        let (old, new) = (way(live, 0)?, way(live, new)?);
        let transactions = ties.transactions_beyond(&old, &new)?;
        if transactions > 0 {
            return Ok(Rejoin::Diverged { transactions });
        }
        match ties.rejoin(&old, &new, live.members.len(), REJOIN_LIMIT, cancel)? {
            true => Ok(Rejoin::Rejoined { after_s: began.elapsed().as_secs_f64() }),
            false => Err("interrupted".to_owned()),
        }
    };
    tried().unwrap_or_else(Rejoin::Failed)
}

/// The longest stretch without an acknowledged commit that ends after the loss, seconds.
fn longest_gap_s(entries: &[JournalEntry], lost_us: u64, intervals: &[(f64, f64, u64)]) -> f64 {
    let ends_us = intervals.last().map_or(0, |(end_s, ..)| (end_s * 1e6) as u64);
    let mut at: Vec<u64> = entries.iter().filter_map(|entry| entry.acknowledged_us).collect();
    at.push(ends_us.max(lost_us));
    at.sort_unstable();
    let gaps = at.windows(2).filter(|pair| pair[1] >= lost_us).map(|pair| pair[1] - pair[0]);
    gaps.max().unwrap_or_default() as f64 / 1e6
}

/// Transactions per second before the loss; and the time from the loss until the new primary had nearly as many, seconds:
/// none if the load ended before.
fn back(intervals: &[(f64, f64, u64)], lost_s: f64, promoted_s: Option<f64>) -> (f64, Option<f64>) {
    /// Length of the beginning of a load that does not count, seconds: caches fill.
    const BEFORE_S: f64 = 5.0;
    let before = intervals.iter().filter(|(end_s, length_s, _)| {
        *end_s <= lost_s && end_s - length_s >= (lost_s - BEFORE_S - length_s).max(0.0)
    });
    let (length_s, transactions) = before
        .fold((0.0, 0), |(length_s, sum), (_, length, transactions)| (length_s + length, sum + transactions));
    let before_per_s = if length_s > 0.0 { transactions as f64 / length_s } else { 0.0 };
    let is_back = |(_, length_s, transactions): &&(f64, f64, u64)| {
        *transactions as f64 >= BACK * before_per_s * length_s
    };
    let recovered_s = promoted_s.and_then(|promoted_s| {
        let (end_s, length_s, _) =
            intervals.iter().filter(|(end_s, ..)| *end_s > promoted_s).find(is_back)?;
        Some((end_s - length_s).max(promoted_s) - lost_s)
    });
    (before_per_s, recovered_s)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(acknowledged_us: u64) -> JournalEntry {
        JournalEntry {
            client: 0,
            n: 1,
            from: 0,
            to: 1,
            amount: 1,
            sent_us: 0,
            acknowledged_us: Some(acknowledged_us),
            refused: false,
            server: 0,
        }
    }

    #[test]
    fn what_both_primaries_acknowledged_is_counted_apart() {
        let (by_old, by_new) = (entry(2_000), JournalEntry { server: 1, ..entry(2_500) });
        let entries = [entry(900), by_old, by_new];
        let (kept, split) = without_split_brain(&entries, Some(1_000));
        assert_eq!(split, 1);
        assert_eq!(
            kept.iter().map(|one| one.acknowledged_us).collect::<Vec<_>>(),
            [Some(900), None, Some(2_500)]
        );
        // Without a new primary there is one side only.
        assert_eq!(without_split_brain(&entries, None).1, 0);
    }

    fn seconds(transactions: &[u64]) -> Vec<(f64, f64, u64)> {
        transactions.iter().enumerate().map(|(at, count)| ((at + 1) as f64, 1.0, *count)).collect()
    }

    #[test]
    fn the_longest_stretch_without_a_commit_ends_after_the_loss() {
        let entries = [entry(3_000_000), entry(1_000_000), entry(3_500_000), entry(5_900_000)];
        // Before the loss there is a longer one, which is not its doing.
        assert!((longest_gap_s(&entries, 3_600_000, &seconds(&[1; 6])) - 2.4).abs() < 1e-9);
        assert!((longest_gap_s(&entries[..1], 3_600_000, &seconds(&[1; 8])) - 5.0).abs() < 1e-9);
    }

    #[test]
    fn throughput_is_back_when_a_second_has_nine_tenths_of_what_it_was() {
        let of = |transactions: &[u64], promoted_s| back(&seconds(transactions), 5.0, promoted_s);
        assert_eq!(of(&[10, 100, 100, 100, 100, 0, 0, 60, 95, 100], Some(6.5)), (82.0, Some(3.0)));
        // A primary that is cut off goes on until clients are told of the new one.
        assert_eq!(of(&[100, 100, 100, 100, 100, 100, 91, 100], Some(6.5)), (100.0, Some(1.5)));
        assert_eq!(of(&[100, 100, 100, 100, 100, 0, 0, 0], Some(6.5)), (100.0, None));
        assert_eq!(of(&[100, 100, 100, 100, 100, 0, 0, 100], None), (100.0, None));
    }
}
