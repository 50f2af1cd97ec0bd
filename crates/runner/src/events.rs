//! Executes the planned events of a trial at their times in the load, on a thread of its own.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use load::CurrentPrimary;
use model::{EventAction, EventOutcome, LoadShape, PlannedEvent};
use network::SimulatedNetwork;
use sandbox::{ServerProcess, Signal};
use topology::{MemberWay, Ties};
use wire::{Client, ConnectOptions, SocketHandle};

use crate::failover::{LOOK, patient, way_to};
use crate::globals;
use crate::member::LiveMember;
use crate::targets::LiveTarget;

/// Time for a statement to end after it was killed.
const STATEMENT_LIMIT: Duration = Duration::from_secs(5);
/// Timeout of a connection.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);

/// The planned events of a load. Dropping it ends those in progress.
pub(crate) struct Events {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Vec<EventOutcome>>>,
}

impl Events {
    /// Begins with the load. `primary` receives the new primary if a topology elects one.
    pub fn start(
        live: &LiveTarget,
        shape: &LoadShape,
        primary: Option<&Arc<CurrentPrimary>>,
    ) -> Option<Self> {
        if shape.planned_events.is_empty() {
            return None;
        }
        let begun = Instant::now();
        let stop = Arc::new(AtomicBool::new(false));
        let director = Director {
            planned: shape.planned_events.clone(),
            window_from: Duration::from_secs_f64(shape.warmup_s),
            clock: Clock { begun, stop: Arc::clone(&stop) },
            servers: live.members.iter().map(ServerHandle::of).collect(),
            network: live.network.as_ref().map(|network| network.simulated()),
            follow: primary.and_then(|primary| {
                let ways = live.members.iter().enumerate().filter_map(way_to).collect();
                Some(Follow { ties: live.ties.clone()?, ways, primary: Arc::clone(primary) })
            }),
        };
        Some(Self { stop, thread: Some(thread::spawn(move || director.work())) })
    }

    /// Ends the events in progress, once the load is over. Returns the outcome of each event.
    pub fn stop(mut self) -> Vec<EventOutcome> {
        self.end()
    }

    fn end(&mut self) -> Vec<EventOutcome> {
        self.stop.store(true, Ordering::Relaxed);
        let Some(thread) = self.thread.take() else { return Vec::new() };
        thread.thread().unpark();
        thread.join().unwrap_or_default()
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.end();
    }
}

/// The servers that events took away for good, by position.
pub(crate) fn ended(events: &[EventOutcome]) -> BTreeSet<usize> {
    let happened = events.iter().filter(|one| one.at_s.is_some() && one.trouble.is_none());
    let ending = happened.filter(|one| one.event.action.ends_server());
    ending.map(|one| one.event.action.servers().0 as usize - 1).collect()
}

/// Waits for the servers that are shutting down, and gives up all of them, so that their end does not count as a crash.
pub(crate) fn bury(live: &mut LiveTarget, ended: &BTreeSet<usize>) {
    for at in ended {
        if let Some(mut server) = live.members[*at].server.take() {
            server.wait_until_ended();
        }
    }
}

/// Counts from the beginning of the load.
#[derive(Clone)]
struct Clock {
    begun: Instant,
    stop: Arc<AtomicBool>,
}

impl Clock {
    fn now_s(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Waits until an instant; returns false if the load ends before.
    fn waited_until(&self, at: Duration) -> bool {
        loop {
            if self.is_over() {
                return false;
            }
            let left = at.saturating_sub(self.begun.elapsed());
            if left.is_zero() {
                return true;
            }
            thread::park_timeout(left);
        }
    }
}

/// A server that something happens to.
struct ServerHandle {
    name: String,
    connect: ConnectOptions,
    process: Option<ServerProcess>,
}

impl ServerHandle {
    fn of(member: &LiveMember) -> Self {
        Self {
            name: member.name.clone(),
            connect: ConnectOptions { connect_timeout: CONNECT_LIMIT, ..member.connect.clone() },
            process: member.server.as_ref().and_then(sandbox::Server::process),
        }
    }

    fn signal(&self, signal: Signal) -> Result<(), String> {
        let process = self.process.as_ref().ok_or("it has no process on this machine")?;
        process.signal(signal).map_err(|error| error.to_string())
    }
}

/// Clients follow the server that a topology chooses by itself.
struct Follow {
    ties: Arc<Ties>,
    ways: Vec<MemberWay>,
    primary: Arc<CurrentPrimary>,
}

impl Follow {
    /// Watches until there is a new primary, or the load is over.
    fn watch(self, clock: &Clock) {
        let left: Vec<MemberWay> = self.ways[1..].iter().map(patient).collect();
        loop {
            if let Some(at) = self.ties.elected(&left) {
                return self.primary.turn_to(at);
            }
            if clock.is_over() {
                return;
            }
            thread::park_timeout(LOOK);
        }
    }
}

/// Makes it happen.
struct Director {
    planned: Vec<PlannedEvent>,
    window_from: Duration,
    clock: Clock,
    servers: Vec<ServerHandle>,
    network: Option<Arc<SimulatedNetwork>>,
    follow: Option<Follow>,
}

/// A statement whose answer is awaited.
struct Statement {
    thread: JoinHandle<(f64, Result<(), String>)>,
    handle: Option<SocketHandle>,
    connection: u32,
}

impl Director {
    fn work(mut self) -> Vec<EventOutcome> {
        let planned = std::mem::take(&mut self.planned);
        let begin_of = |event: &PlannedEvent| self.window_from + Duration::from_secs_f64(event.at_s);
        let mut moments: Vec<(Duration, usize, bool)> = Vec::new();
        for (number, event) in planned.iter().enumerate() {
            let from = begin_of(event);
            moments.push((from, number, true));
            moments
                .extend(event.action.length_s().map(|s| (from + Duration::from_secs_f64(s), number, false)));
        }
        moments.sort_by_key(|(at, ..)| *at);
        let mut outcomes: Vec<EventOutcome> = planned
            .into_iter()
            .map(|event| EventOutcome { event, at_s: None, until_s: None, trouble: None })
            .collect();
        let mut statements: Vec<(usize, Statement)> = Vec::new();
        let mut follower = None;
        for (at, number, begins) in moments {
            if !self.clock.waited_until(at) {
                break;
            }
            let outcome = &mut outcomes[number];
            if !begins {
                self.end(outcome);
                continue;
            }
            outcome.at_s = Some(self.clock.now_s());
            match self.begin(&outcome.event.action) {
                Ok(statement) => statements.extend(statement.map(|one| (number, one))),
                Err(why) => outcome.trouble = Some(why),
            }
            let action = &outcome.event.action;
            if action.disturbs() && action.servers().0 == 1 {
                follower = follower.or_else(|| {
                    let (follow, clock) = (self.follow.take()?, self.clock.clone());
                    Some(thread::spawn(move || follow.watch(&clock)))
                });
            }
        }
        // Statements may go on to the end of the load.
        while !self.clock.is_over() {
            thread::park_timeout(Duration::from_secs(1));
        }
        outcomes.iter_mut().for_each(|outcome| self.end(outcome));
        for (number, statement) in statements {
            let (until_s, trouble) = self.finished(statement, &outcomes[number].event.action);
            (outcomes[number].until_s, outcomes[number].trouble) = (until_s, trouble);
        }
        if let Some(follower) = follower {
            follower.thread().unpark();
            let _ = follower.join();
        }
        outcomes
    }

    fn begin(&self, action: &EventAction) -> Result<Option<Statement>, String> {
        let server = &self.servers[action.servers().0 as usize - 1];
        match action {
            EventAction::Kill { .. } => server.signal(Signal::KILL).map(|()| None),
            EventAction::Stop { .. } => server.signal(Signal::TERM).map(|()| None),
            EventAction::Freeze { .. } => server.signal(Signal::STOP).map(|()| None),
            EventAction::Cut { .. } => {
                self.pairs(action).for_each(|(network, one, other)| _ = network.cut(one, other));
                Ok(None)
            }
            EventAction::Set { variable, value, .. } => {
                let (variable, value) = (variable.clone(), value.clone());
                self.execute(server, move |client| globals::set_one(client, &variable, &value)).map(Some)
            }
            EventAction::Sql { statement } => {
                let statement = statement.clone();
                let execute = move |client: &mut Client| {
                    client.query(&statement).map(drop).map_err(|error| error.to_string())
                };
                self.execute(server, execute).map(Some)
            }
        }
    }

    /// Ends what goes on.
    fn end(&self, outcome: &mut EventOutcome) {
        if outcome.at_s.is_none() || outcome.until_s.is_some() || outcome.trouble.is_some() {
            return;
        }
        let action = &outcome.event.action;
        match action {
            EventAction::Freeze { server, .. } => {
                // One that has ended meanwhile cannot go on.
                let _ = self.servers[*server as usize - 1].signal(Signal::CONT);
            }
            EventAction::Cut { .. } => {
                self.pairs(action).for_each(|(network, one, other)| _ = network.heal(one, other));
            }
            _ => return,
        }
        outcome.until_s = Some(self.clock.now_s());
    }

    /// The connections that a cut is about.
    fn pairs(&self, action: &EventAction) -> impl Iterator<Item = (&SimulatedNetwork, &str, &str)> {
        let (server, from) = action.servers();
        let at = server as usize - 1;
        let others = (0..self.servers.len())
            .filter(move |other| *other != at && from.is_none_or(|from| from as usize - 1 == *other));
        let name = |at: usize| self.servers[at].name.as_str();
        let network = self.network.as_deref();
        others.filter_map(move |other| Some((network?, name(at), name(other))))
    }

    /// Executes something over a connection of its own, so that nothing else has to wait for it.
    fn execute(
        &self,
        server: &ServerHandle,
        what: impl FnOnce(&mut Client) -> Result<(), String> + Send + 'static,
    ) -> Result<Statement, String> {
        let mut client = Client::connect(&server.connect).map_err(|error| error.to_string())?;
        let (handle, connection) = (client.handle().ok(), client.session().connection_id);
        let clock = self.clock.clone();
        let thread = thread::spawn(move || {
            let done = what(&mut client);
            (clock.now_s(), done)
        });
        Ok(Statement { thread, handle, connection })
    }

    /// Ends a statement; returns the time it was answered and the error, if any. One that is still running is killed.
    fn finished(&self, statement: Statement, action: &EventAction) -> (Option<f64>, Option<String>) {
        let Statement { thread, handle, connection } = statement;
        let was_killed = !thread.is_finished();
        if was_killed {
            let connect = &self.servers[action.servers().0 as usize - 1].connect;
            if let Ok(mut client) = Client::connect(connect) {
                let _ = client.execute(&format!("KILL QUERY {connection}"));
            }
            let until = Instant::now() + STATEMENT_LIMIT;
            while !thread.is_finished() && Instant::now() < until {
                thread::sleep(Duration::from_millis(10));
            }
            handle.iter().for_each(SocketHandle::hang_up);
        }
        match thread.join() {
            _ if was_killed => (None, Some("it was killed when the load had ended".to_owned())),
            Ok((until_s, done)) => (Some(until_s), done.err()),
            Err(_) => (None, Some("it was not watched".to_owned())),
        }
    }
}
