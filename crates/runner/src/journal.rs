//! Clients that know what was acknowledged to them: each moves money between accounts of its own and keeps a journal outside the
//! server's disk. After a crash its entries are held against the rows (`recovered.rs`).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use load::CurrentPrimary;
use model::JournalEntry;
use random::Rng;
use sha2::{Digest, Sha256};
use wire::{Client, ConnectOptions, QueryError, SocketHandle};

/// Clients that keep a journal beside a load.
pub(crate) const CLIENTS: u32 = 4;
/// Accounts of each of them.
pub(crate) const ACCOUNTS: u32 = 8;
/// What is on each account in the beginning.
pub(crate) const BALANCE: i64 = 1_000_000;
/// For an answer of a server that does not die as it should.
const PATIENCE: Duration = Duration::from_secs(15);
/// For a connection to a primary that may be lost, and for an answer of it: a commit that takes longer has an unknown outcome.
const IN_FAILOVER: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(5));
/// Before a client looks for the primary again.
const PAUSE: Duration = Duration::from_millis(20);

/// What a row holds of which no journal is kept: as long as a content.
const UNKEPT: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// How the statement of a transaction begins that makes its row; client and number follow.
pub(crate) const INSERT: &str = "INSERT INTO mydyno.transfers VALUES (";

/// A connection without a database.
pub(crate) fn client_of(connect: &ConnectOptions) -> Result<Client, String> {
    Client::connect(&ConnectOptions { database: None, ..connect.clone() }).map_err(|error| error.to_string())
}

/// Makes the tables, and sees to it that they survive whatever the settings of the server.
pub(crate) fn prepare(connect: &ConnectOptions) -> Result<(), String> {
    let mut client = client_of(connect)?;
    let accounts = (0..CLIENTS).flat_map(|client| (0..ACCOUNTS).map(move |one| (client, one)));
    let rows: Vec<String> = accounts.map(|(client, one)| format!("({client}, {one}, {BALANCE})")).collect();
    let statements = [
        "CREATE DATABASE IF NOT EXISTS mydyno".to_owned(),
        "DROP TABLE IF EXISTS mydyno.transfers, mydyno.accounts".to_owned(),
        "CREATE TABLE mydyno.transfers (client INT NOT NULL, n BIGINT NOT NULL, content CHAR(64) NOT NULL, \
         charged INT NOT NULL, credited INT NOT NULL, amount INT NOT NULL, PRIMARY KEY (client, n)) ENGINE=InnoDB"
            .to_owned(),
        "CREATE TABLE mydyno.accounts (client INT NOT NULL, account INT NOT NULL, balance BIGINT NOT NULL, \
         PRIMARY KEY (client, account)) ENGINE=InnoDB"
            .to_owned(),
        format!("INSERT INTO mydyno.accounts VALUES {}", rows.join(", ")),
        // Not in the binary log: its GTID alone would be a transaction that a crash can lose.
        "FLUSH LOCAL ENGINE LOGS".to_owned(),
    ];
    statements.iter().try_for_each(|sql| client.execute(sql).map(drop)).map_err(|error| error.to_string())
}

/// What a row of a transaction holds besides its numbers: it depends on all of them.
pub(crate) fn content(entry: &JournalEntry, seed: u64) -> String {
    let JournalEntry { client, n, from, to, amount, .. } = entry;
    let digest = Sha256::digest(format!("{seed}/{client}/{n}/{from}/{to}/{amount}"));
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Where clients of a journal connect.
#[derive(Clone)]
pub(crate) struct Way {
    /// Every server of the target.
    pub servers: Vec<ConnectOptions>,
    /// Which of them takes writes, where clients that have lost it come back; none: the first, until it is gone.
    pub primary: Option<Arc<CurrentPrimary>>,
}

/// Clients at work.
pub(crate) struct JournalClients {
    stop: Arc<AtomicBool>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    entries: Mutex<Receiver<JournalEntry>>,
    /// Connections that are open, by client.
    open: Arc<Mutex<Vec<Option<SocketHandle>>>>,
    /// The client that stays with the first server.
    staying: Option<usize>,
}

impl JournalClients {
    /// Starts them. Times are since `begun`.
    pub fn start(way: Way, seed: u64, begun: Instant) -> Self {
        Self::begin(way, seed, begun, None)
    }

    /// The same, but one of them stays with the first server whoever becomes the primary: whatever that still acknowledges is known.
    pub fn start_with_one_staying(way: Way, seed: u64, begun: Instant) -> Self {
        Self::begin(way, seed, begun, Some(CLIENTS as usize - 1))
    }

    fn begin(way: Way, seed: u64, begun: Instant, staying: Option<usize>) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let (told, entries) = mpsc::channel();
        let open = Arc::new(Mutex::new((0..CLIENTS).map(|_| None).collect::<Vec<_>>()));
        let start = |number: u32| {
            let mut client = JournalClient {
                number,
                seed,
                begun,
                random: Rng::stream(seed, u64::from(number)),
                told: Some(told.clone()),
                stop: Arc::clone(&stop),
                open: Arc::clone(&open),
                n: 0,
                server: 0,
                stays: staying == Some(number as usize),
            };
            let way = way.clone();
            thread::spawn(move || client.work(&way))
        };
        let threads = Mutex::new((0..CLIENTS).map(start).collect());
        Self { stop, threads, entries: Mutex::new(entries), open, staying }
    }

    /// The next entry; none if none comes until then.
    pub fn next(&self, until: Instant) -> Option<JournalEntry> {
        locked(&self.entries).recv_timeout(until.saturating_duration_since(Instant::now())).ok()
    }

    /// The entries that nobody has taken yet.
    pub fn known(&self) -> Vec<JournalEntry> {
        locked(&self.entries).try_iter().collect()
    }

    /// Ends their connections, but for that of the client that stays: they look for the primary again.
    pub fn hang_up(&self) {
        let open = locked(&self.open);
        let following = open.iter().enumerate().filter(|(client, _)| Some(*client) != self.staying);
        following.filter_map(|(_, handle)| handle.as_ref()).for_each(SocketHandle::hang_up);
    }

    /// Ends them, which a server that is gone does as well; the entries that nobody has taken yet.
    pub fn stop(&self) -> Vec<JournalEntry> {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(client) = self.staying {
            // A server that is cut off may never answer it.
            locked(&self.open)[client].iter().for_each(SocketHandle::hang_up);
        }
        // One that panicked has told what it knew.
        std::mem::take(&mut *locked(&self.threads)).into_iter().for_each(|thread| _ = thread.join());
        self.known()
    }
}

/// Transactions per second of clients that keep a journal, as `keep` does with each entry; without it of clients that do the same and keep
/// none. The tables are made anew.
///
/// # Errors
/// The server refuses the tables, or a connection.
pub fn journal_rate(
    connect: &ConnectOptions,
    seed: u64,
    length: Duration,
    mut keep: Option<&mut dyn FnMut(&JournalEntry)>,
) -> Result<f64, String> {
    prepare(connect)?;
    let stop = AtomicBool::new(false);
    let (told, entries) = mpsc::channel();
    let begun = Instant::now();
    let transactions = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|number| {
                let mut client = JournalClient {
                    number,
                    seed,
                    begun,
                    random: Rng::stream(seed, u64::from(number)),
                    told: keep.is_some().then(|| told.clone()),
                    stop: Arc::default(),
                    open: Arc::default(),
                    n: 0,
                    server: 0,
                    stays: false,
                };
                let stop = &stop;
                scope.spawn(move || -> Result<u64, String> {
                    let mut connection = client_of(connect)?;
                    while !stop.load(Ordering::Relaxed) {
                        if matches!(client.transfer_once(&mut connection), Next::Lost | Next::Unheard) {
                            return Err("a client of the journal lost its connection".to_owned());
                        }
                    }
                    Ok(client.n)
                })
            })
            .collect();
        drop(told);
        let until = begun + length;
        while let Some(left) = until.checked_duration_since(Instant::now()) {
            match (&mut keep, entries.recv_timeout(left)) {
                (Some(keep), Ok(entry)) => keep(&entry),
                _ => thread::sleep(until.saturating_duration_since(Instant::now())),
            }
        }
        stop.store(true, Ordering::Relaxed);
        let ended = clients.into_iter().map(|client| match client.join() {
            Ok(ended) => ended,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        ended.sum::<Result<u64, String>>()
    })?;
    Ok(transactions as f64 / begun.elapsed().as_secs_f64())
}

fn locked<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

struct JournalClient {
    number: u32,
    seed: u64,
    begun: Instant,
    random: Rng,
    /// Where its entries go; none: it keeps no journal, only does the same work.
    told: Option<Sender<JournalEntry>>,
    stop: Arc<AtomicBool>,
    open: Arc<Mutex<Vec<Option<SocketHandle>>>>,
    /// Transactions so far.
    n: u64,
    /// The server that it is connected to, by position.
    server: usize,
    /// It stays with the first one.
    stays: bool,
}

impl JournalClient {
    fn work(&mut self, way: &Way) {
        let options = |at: usize, (connect_timeout, answer)| ConnectOptions {
            database: None,
            connect_timeout,
            read_timeout: Some(answer),
            ..way.servers[at].clone()
        };
        let Some(primary) = &way.primary else {
            if let Ok(mut client) = Client::connect(&options(0, (PATIENCE, PATIENCE))) {
                self.transfers(&mut client, false);
            }
            return;
        };
        while !self.stop.load(Ordering::Relaxed) {
            let changes = primary.changes();
            self.server = if self.stays { 0 } else { primary.at() };
            if let Ok(mut client) = Client::connect(&options(self.server, IN_FAILOVER)) {
                locked(&self.open)[self.number as usize] = client.handle().ok();
                // Who has just become the primary hung up before this connection was known.
                let is_outdated = !self.stays && primary.changes() != changes;
                if !is_outdated && !self.transfers(&mut client, true) {
                    return;
                }
            }
            thread::sleep(PAUSE);
        }
    }

    /// Transfers until it is to stop or the connection is of no more use; one that `follows` a primary leaves a server that refuses
    /// something. False: nobody listens any more.
    fn transfers(&mut self, client: &mut Client, follows: bool) -> bool {
        while !self.stop.load(Ordering::Relaxed) {
            match self.transfer_once(client) {
                Next::More => {}
                Next::Refused if !follows => {}
                Next::Refused | Next::Lost => return true,
                Next::Unheard => return false,
            }
        }
        true
    }

    fn transfer_once(&mut self, client: &mut Client) -> Next {
        self.n += 1;
        let from = self.random.below(u64::from(ACCOUNTS)) as u32;
        let to = (from + 1 + self.random.below(u64::from(ACCOUNTS) - 1) as u32) % ACCOUNTS;
        let mut entry = JournalEntry {
            client: self.number,
            n: self.n,
            from,
            to,
            amount: 1 + self.random.below(100) as u32,
            sent_us: self.now_us(),
            acknowledged_us: None,
            refused: false,
            server: self.server as u32,
        };
        let kept = self.told.as_ref().map(|_| content(&entry, self.seed));
        let next = match transfer(client, &entry, kept.as_deref().unwrap_or(UNKEPT)) {
            Ok(()) => {
                entry.acknowledged_us = Some(self.now_us());
                Next::More
            }
            // The server has said no before it was asked to commit: what it had done is taken back.
            Err(Refusal::Before(error)) if error.server_error().is_some() => {
                entry.refused = true;
                if client.execute("ROLLBACK").is_err() { Next::Lost } else { Next::Refused }
            }
            Err(Refusal::Before(_) | Refusal::AtCommit) => Next::Lost,
        };
        if self.told.as_ref().is_some_and(|told| told.send(entry).is_err()) {
            return Next::Unheard;
        }
        next
    }

    fn now_us(&self) -> u64 {
        self.begun.elapsed().as_micros() as u64
    }
}

/// What comes after a transaction.
enum Next {
    /// Another one.
    More,
    /// The same: the server refused this one, and has taken it back.
    Refused,
    /// The connection is of no more use.
    Lost,
    /// Nobody listens any more.
    Unheard,
}

/// Where a transaction failed.
enum Refusal {
    /// Before its commit was sent.
    Before(QueryError),
    /// Nobody knows whether it was committed.
    AtCommit,
}

fn transfer(client: &mut Client, entry: &JournalEntry, content: &str) -> Result<(), Refusal> {
    let JournalEntry { client: number, n, from, to, amount, .. } = *entry;
    let change = |account: u32, sign: char| {
        format!(
            "UPDATE mydyno.accounts SET balance = balance {sign} {amount} WHERE client = {number} AND account = {account}"
        )
    };
    let statements = [
        "BEGIN".to_owned(),
        format!("{INSERT}{number}, {n}, '{content}', {from}, {to}, {amount})"),
        change(from, '-'),
        change(to, '+'),
    ];
    statements.iter().try_for_each(|sql| client.execute(sql).map(drop)).map_err(Refusal::Before)?;
    client.execute("COMMIT").map(drop).map_err(|_| Refusal::AtCommit)
}
