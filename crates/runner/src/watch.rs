//! Looks at a server while it works: a thread of its own, on a connection of its own, that writes down when it was late.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use model::{Observation, Snapshot, ThreadUse, Unseen};
use probe::{Heartbeats, Instruments, ProbeError, ReadingContext};
use wire::{Client, ConnectOptions};

use crate::readings::Readings;

/// Timeout for an answer of the server.
const PATIENCE: Duration = Duration::from_secs(5);
/// Interval between two attempts to reach a replica again.
const PAUSE: Duration = Duration::from_millis(200);
/// Timeout of such an attempt.
const ATTEMPT: Duration = Duration::from_secs(2);

/// The subject and schedule of a watch.
pub(crate) struct Look {
    /// Connection options.
    pub connect: ConnectOptions,
    /// The server's process; none if it is not known, or not on this machine.
    pub pid: Option<u32>,
    /// Its error log, if it is accessible.
    pub error_log: Option<PathBuf>,
    /// Time from one reading to the next.
    pub every: Duration,
    /// Start of the measured window.
    pub window_from: Duration,
    /// Switch on the server's instruments that are off.
    pub instruments: bool,
    /// The heartbeats of a replica's primary.
    pub heartbeat: Option<Arc<Heartbeats>>,
    /// Clients of the load are on it, in whose way a watch that comes back may be.
    pub serves_clients: bool,
}

/// The watch over a server during one load.
pub(crate) struct Watch {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Option<Ends>>,
    lag: Option<JoinHandle<()>>,
    seen: Receiver<Observation>,
}

/// Both ends of the measured window.
pub(crate) struct Ends {
    pub before: Snapshot,
    pub after: Snapshot,
}

impl Watch {
    /// Starts with the load. Values that cannot be read are left out and reported: a server that lets nobody in any more must
    /// not prevent its own measurement.
    pub fn start(look: Look) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let stopping = Arc::clone(&stop);
        let (tell, seen) = mpsc::channel();
        let begun = Instant::now();
        let tell = Arc::new(Readings::new(tell));
        let lag = look.heartbeat.clone().map(|heartbeat| {
            let (every, tell, stopping) = (look.every, Arc::clone(&tell), Arc::clone(&stopping));
            thread::spawn(move || tell.tell_lag_of_late(&heartbeat, (begun, every), &stopping))
        });
        let thread = thread::spawn(move || watch(&look, begun, &stopping, &tell));
        Self { stop, thread, lag, seen }
    }

    /// The readings since the previous call.
    pub fn seen(&self) -> impl Iterator<Item = Observation> {
        self.seen.try_iter()
    }

    /// Ends it with a last reading.
    pub fn stop(self) -> (Vec<Observation>, Option<Ends>) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.thread().unpark();
        // One that panicked has no more to tell.
        let ends = self.thread.join().ok().flatten();
        if let Some(lag) = self.lag {
            lag.thread().unpark();
            let _ = lag.join();
        }
        (self.seen.try_iter().collect(), ends)
    }
}

/// Reads until it is stopped, or the server is gone. Returns no ends if the measured window was not reached and
/// there is nothing to report.
fn watch(look: &Look, begun: Instant, stopping: &AtomicBool, tell: &Readings) -> Option<Ends> {
    // A server that hangs must not keep the run from ending.
    let connect = ConnectOptions { read_timeout: Some(PATIENCE), ..look.connect.clone() };
    let mut watching = Watching {
        look,
        connect,
        begun,
        stopping,
        tell,
        client: None,
        silent: BTreeSet::new(),
        may_reconnect: true,
        before: None,
        threads: None,
        unseen: Vec::new(),
    };
    let mut instruments = Instruments::default();
    let after = watching.connected().and_then(|()| {
        if look.instruments {
            watching.ask(|environment, unseen| instruments.switch_on(environment.client, unseen))?;
        }
        watching.read()
    });
    watching.restore(&instruments);
    watching.ends(after)
}

/// A watch in progress. A reading that fails is none, and noted in `unseen`.
struct Watching<'a> {
    look: &'a Look,
    connect: ConnectOptions,
    begun: Instant,
    stopping: &'a AtomicBool,
    tell: &'a Readings,
    client: Option<Client>,
    /// Readings to which the server has no answer.
    silent: BTreeSet<&'static str>,
    /// A server that answered late may answer again; one that does so twice is left alone.
    may_reconnect: bool,
    before: Option<Snapshot>,
    /// The last look at the threads in the window, and when: as soon as the clients go, their threads go.
    threads: Option<(f64, BTreeMap<u32, ThreadUse>)>,
    unseen: Vec<Unseen>,
}

impl Watching<'_> {
    fn connected(&mut self) -> Option<()> {
        match Client::connect(&self.connect) {
            Ok(client) => self.client = Some(client),
            Err(error) => {
                let at_s = self.begun.elapsed().as_secs_f64();
                let what = format!("anything of the server from {at_s:.1} s of the load on");
                self.unseen.push(Unseen { what, why: error.to_string() });
            }
        }
        self.client.as_ref().map(|_| ())
    }

    /// Reads, and again on a new connection: once in a watch, or as often as necessary where no clients are.
    fn ask<T>(
        &mut self,
        mut question: impl FnMut(&mut ReadingContext<'_>, &mut Vec<Unseen>) -> Result<T, ProbeError>,
    ) -> Option<T> {
        loop {
            let mut environment = ReadingContext {
                client: self.client.as_mut()?,
                pid: self.look.pid,
                heartbeat: self.look.heartbeat.as_deref(),
                silent: &mut self.silent,
            };
            let error = match question(&mut environment, &mut self.unseen) {
                Ok(answer) => return Some(answer),
                Err(error) => error,
            };
            self.client = None;
            let at_s = self.begun.elapsed().as_secs_f64();
            if !self.look.serves_clients {
                self.come_back(at_s, &error)?;
                continue;
            }
            let again = std::mem::take(&mut self.may_reconnect);
            let what = if again { "a reading at" } else { "anything of the server from" };
            let what = format!("{what} {at_s:.1} s of the load{}", if again { "" } else { " on" });
            self.unseen.push(Unseen { what, why: error.to_string() });
            if again {
                self.connected()?;
            }
        }
    }

    /// Connects again as soon as the server allows it; none if it is stopped before.
    fn come_back(&mut self, from_s: f64, why: &ProbeError) -> Option<()> {
        let why = why.to_string();
        while !self.stopping.load(Ordering::Relaxed) {
            // One that stands still accepts connections and says nothing on them.
            let connect = ConnectOptions { connect_timeout: ATTEMPT, ..self.connect.clone() };
            if let Ok(client) = Client::connect(&connect) {
                let to_s = self.begun.elapsed().as_secs_f64();
                let what = format!("anything of the server from {from_s:.1} s to {to_s:.1} s of the load");
                self.unseen.push(Unseen { what, why });
                self.client = Some(client);
                return Some(());
            }
            thread::park_timeout(PAUSE);
        }
        let what = format!("anything of the server from {from_s:.1} s of the load on");
        self.unseen.push(Unseen { what, why });
        None
    }

    fn snapshot(&mut self) -> Option<Snapshot> {
        let (look, begun) = (self.look, self.begun);
        self.ask(|environment, _| probe::snapshot(environment, look.error_log.as_deref(), begun))
    }

    /// Runs until it is stopped, and then takes the last snapshot, if the measured window was reached.
    fn read(&mut self) -> Option<Snapshot> {
        let begun = self.begun;
        let mut due = Duration::ZERO;
        loop {
            let start = begun.elapsed();
            let mut observation = self.ask(|environment, _| probe::observe(environment, begun))?;
            observation.late_s = start.saturating_sub(due).as_secs_f64();
            self.tell.tell(observation);
            if self.stopping.load(Ordering::Relaxed) {
                self.before.as_ref()?;
                return self.snapshot();
            }
            if self.before.is_some() {
                self.look_at_threads();
            } else if begun.elapsed() >= self.look.window_from {
                self.before = Some(self.snapshot()?);
            }
            // What is behind is not made up for: two readings at once say nothing.
            due = (due + self.look.every).max(begun.elapsed());
            thread::park_timeout(due.saturating_sub(begun.elapsed()));
            if self.stopping.load(Ordering::Relaxed) {
                due = begun.elapsed();
            }
        }
    }

    /// With many threads, reads them so seldom that it takes less than a hundredth of the time.
    fn look_at_threads(&mut self) {
        const EACH: Duration = Duration::from_micros(20);
        const SHARE: u32 = 100;
        let Some(pid) = self.look.pid else { return };
        let last = self.threads.as_ref().map_or(0.0, |(at_s, _)| *at_s);
        let many = self.threads.as_ref().map_or(0, |(_, threads)| threads.len());
        if self.begun.elapsed().as_secs_f64() < last + (EACH * many as u32 * SHARE).as_secs_f64() {
            return;
        }
        let threads = probe::threads(pid);
        // So many go at once when the load has ended and nobody has told yet.
        if threads.len() * 2 >= many {
            self.threads = Some((self.begun.elapsed().as_secs_f64(), threads));
        }
    }

    /// Restores the instruments, on a new connection if there is none any more, or it fails: an instrument left on costs the
    /// server throughput.
    fn restore(&mut self, instruments: &Instruments) {
        if self.client.is_none() && !instruments.is_empty() {
            // A server that was overwhelmed may answer when the load is over.
            while !self.stopping.load(Ordering::Relaxed) {
                thread::park();
            }
        }
        let kept = self.client.take().is_some_and(|mut client| instruments.restore(&mut client).is_ok());
        if kept || instruments.is_empty() {
            return;
        }
        let anew = Client::connect(&self.connect).map_err(|error| error.to_string());
        let restored =
            anew.and_then(|mut client| instruments.restore(&mut client).map_err(|error| error.to_string()));
        if let Err(why) = restored {
            let what = "the server's instruments are still switched on".to_owned();
            self.unseen.push(Unseen { what, why });
        }
    }

    fn ends(self, after: Option<Snapshot>) -> Option<Ends> {
        if self.before.is_none() && self.unseen.is_empty() {
            return None;
        }
        let now_s = self.begun.elapsed().as_secs_f64();
        let cut_off = |at_s| Snapshot { at_s, ..Snapshot::default() };
        let before = self.before.unwrap_or_else(|| cut_off(now_s));
        let mut after = after.unwrap_or_else(|| cut_off(now_s));
        let told_after = after.threads.clone();
        // A window too short for two looks has only the last one.
        if let Some((at_s, threads)) = self.threads
            && at_s - before.at_s >= (after.at_s - before.at_s) / 2.0
        {
            (after.threads_at_s, after.threads) = (Some(at_s), threads);
        }
        for (id, thread) in &mut after.threads {
            name(thread, told_after.get(id));
            name(thread, before.threads.get(id));
        }
        after.unseen.extend(self.unseen);
        Some(Ends { before, after })
    }
}

/// Gives a thread the name that the server reported with a snapshot: the kernel does not know all names, and the server no
/// longer reports those of clients that have gone.
fn name(thread: &mut ThreadUse, seen: Option<&ThreadUse>) {
    let told = seen.filter(|seen| seen.told && seen.cpu_s <= thread.cpu_s);
    if let Some(told) = told {
        (thread.name, thread.told) = (told.name.clone(), true);
    }
}
