//! Loads TPC-C's tables: takes stock, determines the missing parts, distributes the work over connections, and checks the result.

use std::{
    collections::BTreeSet,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use model::TpccData;

use super::{
    chunks::{self, QUARTER_ROWS, items, missing, of_warehouse},
    counts::{self, glance, has_rows, warehouses},
    differ::differ,
    schema::{self, FOREIGN_KEYS, Found, Origin, TABLES, add_foreign_keys},
    worker::Load,
};
use crate::{
    account::{Account, IfMissing, Session},
    catalog::overlooks,
    each::NO_PANIC,
    error::DataError,
    job::{Job, PreparePhase, PrepareProgress, Prepared},
    ledger::{self, Entries, Heading},
    pool::{LoadConnection, LoadPool},
    queue::{Queue, Task, Work},
    server::Server,
};

/// More than anybody waits for, and few enough for the numbers of orders and chunks.
const AGE_MAX: u32 = 10_000;

const TABLE_COUNT: u32 = TABLES.len() as u32;

/// Makes TPC-C's tables, or completes them.
pub(crate) fn prepare(
    job: &Job<'_>,
    data: &TpccData,
    progress: &(dyn Fn(PrepareProgress) + Sync),
) -> Result<Prepared, DataError> {
    see_if_possible(data)?;
    let mut account = Account::open(job.connect, IfMissing::Create)?;
    // Rows come in any order, and what they refer to is certain to come.
    account.options.init_commands.push("SET SESSION foreign_key_checks = 0".to_owned());
    let opened = account.clone();
    let mut control = opened.connect()?;
    control.outlast()?;
    control.lock_out_others()?;
    let server = Server::ask(&mut control, &data.engine)?;
    if !server.transactional {
        return Err(DataError::NoTransactions { engine: data.engine.clone() });
    }
    account.options.local_infile = server.local_infile;
    let rows = chunks::rows_of(data);
    progress(PrepareProgress::at(PreparePhase::Looking, rows, TABLE_COUNT));
    let stock = match take_stock(job, data, &account, &mut control)? {
        Taken::Work(stock) => stock,
        Taken::Complete(fingerprint) => {
            return Ok(Prepared::already_there(rows, server.method(), fingerprint));
        }
    };
    progress(PrepareProgress::at(PreparePhase::Tables, rows, TABLE_COUNT));
    if let Err(error) = create_tables(data, &account, &mut control, &stock) {
        forget_if_nothing_is_there(&mut control, &stock);
        return Err(error);
    }
    let load = plan(job, data, &account, &stock, &server);
    let width = load.queue.lock().expect(NO_PANIC).width(u32::MAX);
    let connections = job.threads.clamp(1, width.max(1));
    load.pool.run(connections, &mut control, progress, &|connection| load.work(connection))?;
    if data.foreign_keys {
        load.pool.run(1, &mut control, progress, &|connection| make_foreign_keys(connection))?;
    }
    let history = finish(&account, data)?;
    load.pool.tables_done.store(TABLE_COUNT, Ordering::Relaxed);
    let before = TpccData { warehouses: stock.entries.whole.len() as u32, ..data.clone() };
    // Those that were there are not counted again: they hold what they held at first, and what runs added.
    let known = if before.warehouses > 0 { chunks::rows_of(&before) } else { 0 };
    let fresh_history = if before.warehouses > 0 { fresh_history(data, &before) } else { history };
    let counted = load.counted.load(Ordering::Relaxed) + known + fresh_history;
    let fingerprint = stock.origin.map(|origin| origin.fingerprint(data.warehouses));
    Ok(load.pool.prepared(counted, connections, fingerprint))
}

fn fresh_history(data: &TpccData, before: &TpccData) -> u64 {
    u64::from(data.warehouses - before.warehouses) * random::tpcc::DISTRICTS * random::tpcc::CUSTOMERS
}

fn see_if_possible(data: &TpccData) -> Result<(), DataError> {
    let what = if data.foreign_keys && data.partitions > 0 {
        "partitioned tables cannot have foreign keys: ask for one of the two".to_owned()
    } else if data.warehouses == 0 {
        "TPC-C needs at least one warehouse".to_owned()
    } else if data.age > AGE_MAX {
        format!("the age of TPC-C's tables must be at most {AGE_MAX}")
    } else {
        return Ok(());
    };
    Err(DataError::Unable { what })
}

/// The work to be done, if any.
enum Taken {
    /// Everything is there; with the fingerprint of the rows, if mydyno loaded them.
    Complete(Option<String>),
    Work(Stock),
}

/// The existing tables, and the ledger's entries about them.
struct Stock {
    heading: Heading,
    entries: Entries,
    found: Found,
    /// The origin of the rows; none if the first of them are foreign.
    origin: Option<Origin>,
}

/// Examines the existing tables, and makes a ledger if there is none.
fn take_stock(
    job: &Job<'_>,
    data: &TpccData,
    account: &Account,
    control: &mut Session<'_>,
) -> Result<Taken, DataError> {
    let mut found = schema::read(control)?;
    let others = |reasons| differ(account, data, reasons);
    if let Some((heading, entries)) = ledger::broken_off(control, &found.catalog, job.data, others)? {
        if overlooks(&found.catalog, control, found.missing().iter().map(|name| (*name).to_owned())) {
            found = schema::read(control)?;
        }
        // Of a load that was killed before it created the table, the origin is the one that it would have had.
        let origin = match found.catalog.get("warehouse") {
            Some(_) => Origin::of(&found.catalog),
            None => Some(Origin::new(heading.seed, data)),
        };
        return Ok(Taken::Work(Stock { heading, entries, found, origin }));
    }
    let (whole, origin) = survey(job, data, account, control, &found)?;
    if whole >= data.warehouses {
        return Ok(Taken::Complete(origin.map(|origin| origin.fingerprint(whole))));
    }
    // What is added to tables of mydyno's has their seed.
    let seed = origin.map_or(job.seed, |origin| origin.seed);
    let heading = Heading::new(job.data, seed, QUARTER_ROWS);
    let whole: BTreeSet<u32> = (1..=whole).collect();
    ledger::create(control, &heading, &data.engine, &whole)?;
    let entries = Entries { begun: true, whole, ..Entries::default() };
    Ok(Taken::Work(Stock { heading, entries, found, origin }))
}

/// Finds out how many warehouses are there, complete; tables that are anything else are an error.
fn survey(
    job: &Job<'_>,
    data: &TpccData,
    account: &Account,
    control: &mut Session<'_>,
    found: &Found,
) -> Result<(u32, Option<Origin>), DataError> {
    refuse_others(account, data, found)?;
    let missing = found.missing();
    if missing.len() == TABLES.len() {
        return Ok((0, Some(Origin::new(job.seed, data))));
    }
    if !missing.is_empty() {
        let words = format!(
            "database {} has some of TPC-C's tables but not {}",
            account.database,
            missing.join(", ")
        );
        return Err(differ(account, data, vec![words]));
    }
    if let Some(words) = found.foreign_keys_differ(data) {
        return Err(differ(account, data, vec![words]));
    }
    let (count, last) = warehouses(control)?;
    if count == 0 {
        for table in &TABLES {
            if has_rows(control, table.name)? {
                let words = format!("table {} has rows although there is no warehouse", table.name);
                return Err(differ(account, data, vec![words]));
            }
        }
        // Somebody made the tables and no rows. They do not say where the rows will have come from.
        return Ok((0, Origin::of(&found.catalog)));
    }
    let wrong = look(control, data, count, last)?;
    if wrong.is_empty() { Ok((count, Origin::of(&found.catalog))) } else { Err(differ(account, data, wrong)) }
}

/// Examines warehouses that should be complete; returns their faults.
pub(crate) fn look(
    session: &mut Session<'_>,
    data: &TpccData,
    count: u32,
    last: u32,
) -> Result<Vec<String>, DataError> {
    if count != last {
        return Ok(vec![format!(
            "table warehouse has {count} rows with ids up to {last}, and gaps among them"
        )]);
    }
    glance(session, data, count)
}

/// Refuses tables under the names of TPC-C's that differ from the request.
pub(crate) fn refuse_others(account: &Account, data: &TpccData, found: &Found) -> Result<(), DataError> {
    let strangers = found.strangers();
    if !strangers.is_empty() {
        return Err(DataError::Strangers { database: account.database.clone(), tables: strangers });
    }
    let wrong = found.differences(data);
    if wrong.is_empty() { Ok(()) } else { Err(differ(account, data, wrong)) }
}

fn create_tables(
    data: &TpccData,
    account: &Account,
    control: &mut Session<'_>,
    stock: &Stock,
) -> Result<(), DataError> {
    // Of an interrupted load: what is there may have been exchanged meanwhile.
    refuse_others(account, data, &stock.found)?;
    let missing = stock.found.missing();
    let Entries { whole, chunks, .. } = &stock.entries;
    let has_begun = !whole.is_empty() || !chunks.is_empty();
    if !missing.is_empty() && has_begun {
        let gone = |name| format!("table {name} has been dropped since its load was interrupted");
        return Err(differ(account, data, missing.iter().map(gone).collect()));
    }
    let origin = Origin::new(stock.heading.seed, data);
    for table in TABLES.iter().filter(|table| missing.iter().any(|name| name == table.name)) {
        control.execute(&format!("creating table {}", table.name), &table.create(data, &origin))?;
    }
    Ok(())
}

/// Removes the ledger if nothing was created: a refused statement must not block the next attempt.
fn forget_if_nothing_is_there(control: &mut Session<'_>, stock: &Stock) {
    let Ok(now) = schema::read(control) else { return };
    if stock.entries.whole.is_empty() && now.missing().len() == TABLES.len() {
        // If that fails too, the ledger says what is unfinished.
        let _ = ledger::remove(control);
    }
}

fn plan<'a>(
    job: &Job<'a>,
    data: &'a TpccData,
    account: &'a Account,
    stock: &Stock,
    server: &Server,
) -> Load<'a> {
    let Entries { whole, chunks: loaded, .. } = &stock.entries;
    let mut work = Vec::new();
    if whole.is_empty() {
        work.push(Work::new(0, missing(items(), loaded), [Task::Count(0)]));
    }
    for warehouse in (1..=data.warehouses).filter(|warehouse| !whole.contains(warehouse)) {
        let chunks = missing(of_warehouse(warehouse, data.age), loaded);
        work.push(Work::new(warehouse, chunks, [Task::Count(warehouse)]));
    }
    let queue = Queue::new(work);
    let pool = LoadPool::new(account, job.cancel, chunks::rows_of(data), queue.rows(), TABLE_COUNT);
    pool.insert_only.store(!server.local_infile, Ordering::Relaxed);
    Load {
        pool,
        data,
        seed: stock.heading.seed,
        packet_bytes_max: server.packet_bytes_max,
        queue: Mutex::new(queue),
        counted: AtomicU64::new(0),
    }
}

/// Creates the missing foreign keys, table by table. The rows are not checked again: they satisfy the keys by construction,
/// and have been counted.
fn make_foreign_keys(connection: &mut LoadConnection<'_>) -> Result<(), DataError> {
    for table in TABLES.iter().filter(|table| FOREIGN_KEYS.iter().any(|key| key.child == table.name)) {
        let what = format!("making the foreign keys of {}", table.name);
        connection.persist(&what, |connection| {
            connection.patiently(|session| {
                let found = schema::read(session)?;
                // An earlier attempt may have made them; all of a table's come with one statement.
                let mut keys = FOREIGN_KEYS.iter().filter(|key| key.child == table.name);
                if keys.all(|key| found.has_foreign_key(key)) {
                    return Ok(());
                }
                session.execute(&what, &add_foreign_keys(table.name)).map(drop)
            })
        })?;
    }
    Ok(())
}

/// The rows of warehouses are counted; now those of `history`, the definitions, and then the ledger has done its duty.
fn finish(account: &Account, data: &TpccData) -> Result<u64, DataError> {
    let mut session = account.connect()?;
    let (history, wrong) = counts::history(&mut session, data.warehouses)?;
    let found = schema::read(&mut session)?;
    let wrong: Vec<String> = wrong.into_iter().chain(found.foreign_keys_differ(data)).collect();
    if !wrong.is_empty() {
        return Err(differ(account, data, wrong));
    }
    refuse_others(account, data, &found)?;
    ledger::remove(&mut session)?;
    Ok(history)
}
