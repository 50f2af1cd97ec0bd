//! Conducts a load: looks at what is there, decides what is missing, lets connections load it, and checks the result.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
        mpsc,
    },
    time::Duration,
};

use model::DataSet;
use wire::ConnectOptions;

use crate::{
    account::{Account, IfMissing, Session},
    catalog::{self, Catalog},
    check::{compare_definitions, differ},
    chunks::{CHUNK_ROWS, Queue, TableWork, Task, missing},
    count::{NO_PANIC, each_table, fresh},
    definition::{ID_MAX, create_table, differences, has_index, table_name},
    error::{DataError, describe},
    ledger::{self, Entries, Heading, LEDGER},
    worker::{Abilities, Load},
};

/// What to load, and with what.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// Server, account and database.
    pub connect: &'a ConnectOptions,
    /// What is asked for.
    pub data: &'a DataSet,
    /// The same seed gives the same rows, whatever the number of connections.
    pub seed: u64,
    /// Connections at once.
    pub threads: u32,
    /// Set by somebody else to stop the load at the next chunk.
    pub cancel: &'a AtomicBool,
}

/// What a load is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Looking at what is there.
    Looking,
    /// Creating tables.
    Tables,
    /// Loading rows.
    Rows,
    /// All rows are loaded; indexes are being built and rows counted.
    Finishing,
}

/// How far a load is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What it is at.
    pub phase: Phase,
    /// Rows in place and safe, those from before an interruption and those of tables found complete included.
    pub rows_done: u64,
    /// Rows in all.
    pub rows: u64,
    /// Bytes sent to the server.
    pub bytes: u64,
    /// Tables finished, index and count included.
    pub tables_done: u32,
    /// Tables in all.
    pub tables: u32,
    /// Chunks, indexes and counts that had to be repeated.
    pub retries: u64,
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All tables were there, complete; nothing was done.
    AlreadyThere,
    /// Rows were loaded, or an interrupted load was completed.
    Loaded,
}

/// How rows got to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// LOAD DATA LOCAL.
    LoadData,
    /// Multi-row INSERT, since the server does not allow LOAD DATA LOCAL.
    Insert,
}

/// A finished load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prepared {
    /// Whether there was anything to do.
    pub outcome: Outcome,
    /// How rows got to the server.
    pub method: Method,
    /// Rows that all tables hold together, counted.
    pub rows: u64,
    /// Rows loaded this time.
    pub rows_loaded: u64,
    /// Bytes sent to the server.
    pub bytes: u64,
    /// Connections used.
    pub connections: u32,
    /// Chunks, indexes and counts that had to be repeated.
    pub retries: u64,
}

/// How often progress is reported.
const TICK: Duration = Duration::from_millis(200);

/// Makes the tables that the data set asks for, or completes them.
///
/// A load that was interrupted, even by a kill, goes on where it stopped and loads no row twice. Tables that are
/// complete are left as they are; tables that differ are an error, for nothing is ever dropped here. `progress` is
/// called a few times a second.
pub fn prepare(job: &Job<'_>, progress: &(dyn Fn(Progress) + Sync)) -> Result<Prepared, DataError> {
    let data = job.data;
    if data.table_size > ID_MAX {
        return Err(DataError::TooManyRows { table_size: data.table_size, max: ID_MAX });
    }
    let mut account = Account::open(job.connect, IfMissing::Create)?;
    let opened = account.clone();
    let mut control = opened.connect()?;
    control.outlast()?;
    control.lock_out_others()?;
    let server = Server::ask(&mut control, &data.engine)?;
    account.options.local_infile = server.local_infile;
    let rows = rows_of(data);
    let report = |phase| {
        progress(Progress {
            phase,
            rows_done: 0,
            rows,
            bytes: 0,
            tables_done: 0,
            tables: data.tables,
            retries: 0,
        });
    };
    report(Phase::Looking);
    let Some(stock) = take_stock(job, &account, &mut control, &server)? else {
        let method = if server.local_infile { Method::LoadData } else { Method::Insert };
        return Ok(Prepared {
            outcome: Outcome::AlreadyThere,
            method,
            rows,
            rows_loaded: 0,
            bytes: 0,
            connections: 0,
            retries: 0,
        });
    };
    report(Phase::Tables);
    if let Err(error) = create_tables(job, &account, &stock) {
        forget_if_nothing_is_there(&mut control, data, &stock);
        return Err(error);
    }
    let abilities = server.abilities(&mut control, data)?;
    let load = plan(job, &account, &stock, abilities, !server.local_infile);
    let connections = run(job, &load, &mut control, progress)?;
    finish(&account, data)?;
    let insert_only = load.insert_only.load(Ordering::Relaxed);
    Ok(Prepared {
        outcome: Outcome::Loaded,
        method: if insert_only { Method::Insert } else { Method::LoadData },
        rows,
        rows_loaded: load.rows_loaded.load(Ordering::Relaxed),
        bytes: load.bytes.load(Ordering::Relaxed),
        connections,
        retries: load.retries.load(Ordering::Relaxed),
    })
}

fn rows_of(data: &DataSet) -> u64 {
    if data.bulk { 0 } else { u64::from(data.tables) * data.table_size }
}

/// What the server says of itself that matters here.
struct Server {
    local_infile: bool,
    packet_bytes_max: usize,
    transactional: bool,
    /// Explicit ids of LOAD DATA take the table's AUTO-INC lock, since `innodb_autoinc_lock_mode` is not 2.
    locks_auto_inc: bool,
}

impl Server {
    fn ask(session: &mut Session<'_>, engine: &str) -> Result<Self, DataError> {
        const WHAT: &str = "asking for the server's settings";
        let variables = session.query(
            WHAT,
            "SHOW VARIABLES WHERE Variable_name IN \
             ('local_infile', 'max_allowed_packet', 'innodb_autoinc_lock_mode')",
        )?;
        let value = |name: &str| variables.rows.iter().find(|row| row.text(0) == Some(name))?.text(1);
        let engine = engine.replace('\\', "\\\\").replace('\'', "''");
        let engines = session.query(
            WHAT,
            &format!("SELECT TRANSACTIONS FROM information_schema.ENGINES WHERE ENGINE = '{engine}'"),
        )?;
        Ok(Self {
            local_infile: value("local_infile").is_some_and(|v| v == "ON" || v == "1"),
            packet_bytes_max: value("max_allowed_packet").and_then(|v| v.parse().ok()).unwrap_or(1 << 20),
            // An unknown engine makes CREATE TABLE fail, which says it best.
            transactional: engines.first().is_some_and(|row| row.text(0) == Some("YES")),
            locks_auto_inc: value("innodb_autoinc_lock_mode").is_some_and(|v| v != "2"),
        })
    }

    /// Engine of the ledger: that of the data where it has transactions, so that both commit together.
    fn ledger_engine<'a>(&self, data: &'a DataSet) -> &'a str {
        if self.transactional && !data.bulk { &data.engine } else { "InnoDB" }
    }

    fn abilities(&self, session: &mut Session<'_>, data: &DataSet) -> Result<Abilities, DataError> {
        let charset = session.query(
            "asking for the character set of sbtest1",
            "SELECT CHARACTER_SET_NAME FROM information_schema.COLUMNS \
             WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'sbtest1' AND COLUMN_NAME = 'c'",
        )?;
        let charset = charset.first().and_then(|row| row.text(0)).unwrap_or("binary");
        // Naming the column's own character set saves the server a conversion; these cannot be read by LOAD DATA.
        let unreadable = ["ucs2", "utf16", "utf16le", "utf32"].contains(&charset);
        Ok(Abilities {
            packet_bytes_max: self.packet_bytes_max,
            transactional: self.transactional,
            load_lanes: if self.locks_auto_inc && data.auto_inc { 1 } else { u32::MAX },
            charset: if unreadable { "ascii".to_owned() } else { charset.to_owned() },
        })
    }
}

/// What is there, and what the ledger says about it.
struct Stock {
    heading: Heading,
    entries: Entries,
    catalog: Catalog,
}

/// Looks at what is there, and makes a ledger if there is none; none if nothing is to be done.
fn take_stock(
    job: &Job<'_>,
    account: &Account,
    control: &mut Session<'_>,
    server: &Server,
) -> Result<Option<Stock>, DataError> {
    let data = job.data;
    let catalog = catalog::read(control, LEDGER)?;
    if let Some(table) = catalog.get(LEDGER) {
        let Some(heading) = Heading::of(table) else {
            let reason = format!(
                "table {LEDGER} stands where mydyno keeps its list of loaded chunks, and is not its own"
            );
            return Err(differ(account, data, vec![reason]));
        };
        let entries = ledger::read(control)?;
        if entries.begun {
            if !heading.is_about(data) {
                let (database, found) = (account.database.clone(), heading.summary);
                return Err(DataError::Unfinished { database, found, asked: describe(data) });
            }
            return Ok(Some(Stock { heading, entries, catalog }));
        }
        // Its maker was killed before it created anything else.
        ledger::remove(control)?;
    }
    let whole = survey(job, account, &catalog)?;
    if whole.len() == data.tables as usize {
        return Ok(None);
    }
    let heading = Heading::new(data, job.seed, CHUNK_ROWS);
    ledger::create(control, &heading, server.ledger_engine(data), &whole)?;
    let entries = Entries { begun: true, whole, ..Entries::default() };
    Ok(Some(Stock { heading, entries, catalog }))
}

/// Finds the tables that are there and complete; those that are there and anything else are an error.
fn survey(job: &Job<'_>, account: &Account, catalog: &Catalog) -> Result<BTreeSet<u32>, DataError> {
    let data = job.data;
    let mut wrong = Vec::new();
    let mut there = Vec::new();
    for number in 1..=data.tables {
        if let Some(table) = catalog.get(&table_name(number)) {
            wrong.extend(differences(table, data, number));
            there.push(number);
        }
    }
    if wrong.is_empty() {
        let found = each_table(
            account,
            job.threads,
            &there,
            || cancelled(job),
            |session, number| Ok(fresh(session, data, number)?.1),
        )?;
        wrong.extend(found.into_iter().flatten());
    }
    if wrong.is_empty() { Ok(there.into_iter().collect()) } else { Err(differ(account, data, wrong)) }
}

fn cancelled(job: &Job<'_>) -> Option<DataError> {
    let cancelled = job.cancel.load(Ordering::Relaxed);
    cancelled.then(|| DataError::Interrupted { rows_done: 0, rows: rows_of(job.data) })
}

fn create_tables(job: &Job<'_>, account: &Account, stock: &Stock) -> Result<(), DataError> {
    let Entries { whole, chunks, .. } = &stock.entries;
    let absent: Vec<u32> = (1..=job.data.tables)
        .filter(|number| !whole.contains(number) && !stock.catalog.contains_key(&table_name(*number)))
        .collect();
    let gone: Vec<String> = absent
        .iter()
        .filter(|number| chunks.iter().any(|(table, _)| table == *number))
        .map(|number| {
            format!("table {} has been dropped since its load was interrupted", table_name(*number))
        })
        .collect();
    if !gone.is_empty() {
        return Err(differ(account, job.data, gone));
    }
    each_table(
        account,
        job.threads,
        &absent,
        || cancelled(job),
        |session, number| {
            session
                .execute(&format!("creating table {}", table_name(number)), &create_table(job.data, number))
        },
    )
    .map(drop)
}

/// A statement that the server refuses (an engine it does not have) should not stand in the way of the next attempt.
fn forget_if_nothing_is_there(control: &mut Session<'_>, data: &DataSet, stock: &Stock) {
    let Ok(now) = catalog::read(control, LEDGER) else { return };
    let ours = |number: &u32| !stock.entries.whole.contains(number) && now.contains_key(&table_name(*number));
    if !(1..=data.tables).any(|number| ours(&number)) {
        // If that fails too, the ledger says what is unfinished.
        let _ = ledger::remove(control);
    }
}

fn plan<'a>(
    job: &Job<'a>,
    account: &'a Account,
    stock: &Stock,
    abilities: Abilities,
    insert_only: bool,
) -> Load<'a> {
    let data = job.data;
    let mut tables = Vec::new();
    for number in (1..=data.tables).filter(|number| !stock.entries.whole.contains(number)) {
        let size = if data.bulk { 0 } else { data.table_size };
        let indexed = stock
            .catalog
            .get(&table_name(number))
            .is_some_and(|table| table.indexes.iter().any(|index| index.name == format!("k_{number}")));
        let mut then = VecDeque::from([Task::Count(number)]);
        if has_index(data) && !indexed {
            then.push_front(Task::Index(number));
        }
        let chunks = missing(number, size, stock.heading.chunk_rows, &stock.entries.chunks);
        tables.push(TableWork::new(number, chunks, then));
    }
    let queue = Queue::new(tables);
    Load {
        account,
        data,
        seed: stock.heading.seed,
        abilities,
        rows: rows_of(data),
        cancel: job.cancel,
        insert_only: AtomicBool::new(insert_only),
        failed: AtomicBool::new(false),
        rows_done: AtomicU64::new(rows_of(data) - queue.rows()),
        rows_loaded: AtomicU64::new(0),
        bytes: AtomicU64::new(0),
        retries: AtomicU64::new(0),
        tables_done: AtomicU32::new(u32::try_from(stock.entries.whole.len()).unwrap_or(u32::MAX)),
        patient: Mutex::new(BTreeSet::new()),
        queue: Mutex::new(queue),
    }
}

/// Lets connections work, and reports their progress; how many there were.
fn run(
    job: &Job<'_>,
    load: &Load<'_>,
    control: &mut Session<'_>,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<u32, DataError> {
    let width = load.queue.lock().expect(NO_PANIC).width(load.lanes());
    let connections = job.threads.clamp(1, width.max(1));
    let (ended, ends) = mpsc::channel();
    let mut results = Vec::new();
    std::thread::scope(|scope| {
        for _ in 0..connections {
            let ended = ended.clone();
            // The receiver outlives the threads.
            scope.spawn(move || drop(ended.send(load.work())));
        }
        drop(ended);
        loop {
            progress(snapshot(load));
            match ends.recv_timeout(TICK) {
                Ok(result) => results.push(result),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            if load.stopping() {
                end_long_statements(load, control);
            }
        }
    });
    progress(snapshot(load));
    // Where one failed the others were only told to stop.
    let (interrupted, failed): (Vec<_>, Vec<_>) = results
        .into_iter()
        .filter_map(Result::err)
        .partition(|error| matches!(error, DataError::Interrupted { .. }));
    match failed.into_iter().chain(interrupted).next() {
        Some(error) => Err(error),
        None => Ok(connections),
    }
}

fn snapshot(load: &Load<'_>) -> Progress {
    let rows_done = load.rows_done.load(Ordering::Relaxed);
    Progress {
        phase: if rows_done < load.rows { Phase::Rows } else { Phase::Finishing },
        rows_done,
        rows: load.rows,
        bytes: load.bytes.load(Ordering::Relaxed),
        tables_done: load.tables_done.load(Ordering::Relaxed),
        tables: load.data.tables,
        retries: load.retries.load(Ordering::Relaxed),
    }
}

/// Nobody who pressed Ctrl-C waits minutes for an index.
fn end_long_statements(load: &Load<'_>, control: &mut Session<'_>) {
    let patient: Vec<u32> = load.patient.lock().expect(NO_PANIC).iter().copied().collect();
    for connection in patient {
        // Best effort: the statement may just have ended.
        let _ = control.client.execute(&format!("KILL QUERY {connection}"));
    }
}

/// The rows are counted; now the definitions, and then the ledger has done its duty.
fn finish(account: &Account, data: &DataSet) -> Result<(), DataError> {
    let mut session = account.connect()?;
    let catalog = catalog::read(&mut session, LEDGER)?;
    compare_definitions(account, data, &catalog)?;
    ledger::remove(&mut session)
}
