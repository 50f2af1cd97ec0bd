//! Clients that know what was acknowledged to them: each moves money between accounts of its own and keeps a journal outside the
//! server's disk. After a crash its entries are held against the rows (`recovered.rs`).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use model::JournalEntry;
use random::Rng;
use sha2::{Digest, Sha256};
use wire::{Client, ConnectOptions, QueryError};

/// Clients that keep a journal beside a load.
pub(crate) const CLIENTS: u32 = 4;
/// Accounts of each of them.
pub(crate) const ACCOUNTS: u32 = 8;
/// What is on each account in the beginning.
pub(crate) const BALANCE: i64 = 1_000_000;
/// For an answer of a server that does not die as it should.
const PATIENCE: Duration = Duration::from_secs(15);

/// Makes the tables, and sees to it that they survive whatever the settings of the server.
pub(crate) fn prepare(connect: &ConnectOptions) -> Result<(), String> {
    let connect = ConnectOptions { database: None, ..connect.clone() };
    let mut client = Client::connect(&connect).map_err(|error| error.to_string())?;
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
        "FLUSH ENGINE LOGS".to_owned(),
    ];
    statements.iter().try_for_each(|sql| client.execute(sql).map(drop)).map_err(|error| error.to_string())
}

/// What a row of a transaction holds besides its numbers: it depends on all of them.
pub(crate) fn content(entry: &JournalEntry, seed: u64) -> String {
    let JournalEntry { client, n, from, to, amount, .. } = entry;
    let digest = Sha256::digest(format!("{seed}/{client}/{n}/{from}/{to}/{amount}"));
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Clients at work.
pub(crate) struct JournalClients {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
    entries: Receiver<JournalEntry>,
}

impl JournalClients {
    /// Starts them. Times are since `begun`.
    pub fn start(connect: &ConnectOptions, seed: u64, begun: Instant) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let (told, entries) = mpsc::channel();
        let connect = ConnectOptions { database: None, read_timeout: Some(PATIENCE), ..connect.clone() };
        let start = |number: u32| {
            let mut client = JournalClient {
                number,
                seed,
                begun,
                random: Rng::stream(seed, u64::from(number)),
                told: told.clone(),
                stop: Arc::clone(&stop),
            };
            let connect = connect.clone();
            thread::spawn(move || client.work(&connect))
        };
        let threads = (0..CLIENTS).map(start).collect();
        Self { stop, threads, entries }
    }

    /// The next entry; none if none comes until then.
    pub fn next(&self, until: Instant) -> Option<JournalEntry> {
        self.entries.recv_timeout(until.saturating_duration_since(Instant::now())).ok()
    }

    /// Ends them, which a server that is gone does as well; the entries that nobody has taken yet.
    pub fn stop(self) -> Vec<JournalEntry> {
        self.stop.store(true, Ordering::Relaxed);
        // One that panicked has told what it knew.
        self.threads.into_iter().for_each(|thread| _ = thread.join());
        self.entries.into_iter().collect()
    }
}

struct JournalClient {
    number: u32,
    seed: u64,
    begun: Instant,
    random: Rng,
    told: Sender<JournalEntry>,
    stop: Arc<AtomicBool>,
}

impl JournalClient {
    fn work(&mut self, connect: &ConnectOptions) {
        let Ok(mut client) = Client::connect(connect) else { return };
        let mut n = 0;
        while !self.stop.load(Ordering::Relaxed) {
            n += 1;
            let from = self.random.below(u64::from(ACCOUNTS)) as u32;
            let to = (from + 1 + self.random.below(u64::from(ACCOUNTS) - 1) as u32) % ACCOUNTS;
            let mut entry = JournalEntry {
                client: self.number,
                n,
                from,
                to,
                amount: 1 + self.random.below(100) as u32,
                sent_us: self.now_us(),
                acknowledged_us: None,
                refused: false,
            };
            let lost = match transfer(&mut client, &entry, self.seed) {
                Ok(()) => {
                    entry.acknowledged_us = Some(self.now_us());
                    false
                }
                // The server has said no before it was asked to commit: what it had done is taken back.
                Err(Refusal::Before(error)) if error.server_error().is_some() => {
                    entry.refused = true;
                    client.execute("ROLLBACK").is_err()
                }
                Err(Refusal::Before(_) | Refusal::AtCommit) => true,
            };
            // Nobody listens any more: the crash is over.
            if self.told.send(entry).is_err() || lost {
                return;
            }
        }
    }

    fn now_us(&self) -> u64 {
        self.begun.elapsed().as_micros() as u64
    }
}

/// Where a transaction failed.
enum Refusal {
    /// Before its commit was sent.
    Before(QueryError),
    /// Nobody knows whether it was committed.
    AtCommit,
}

fn transfer(client: &mut Client, entry: &JournalEntry, seed: u64) -> Result<(), Refusal> {
    let JournalEntry { client: number, n, from, to, amount, .. } = *entry;
    let change = |account: u32, sign: char| {
        format!(
            "UPDATE mydyno.accounts SET balance = balance {sign} {amount} WHERE client = {number} AND account = {account}"
        )
    };
    let statements = [
        "BEGIN".to_owned(),
        format!(
            "INSERT INTO mydyno.transfers VALUES ({number}, {n}, '{}', {from}, {to}, {amount})",
            content(entry, seed)
        ),
        change(from, '-'),
        change(to, '+'),
    ];
    statements.iter().try_for_each(|sql| client.execute(sql).map(drop)).map_err(Refusal::Before)?;
    client.execute("COMMIT").map(drop).map_err(|_| Refusal::AtCommit)
}
