//! Loads sysbench's tables: takes stock, determines the missing parts, distributes the work over connections, and checks
//! the result.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::{Mutex, atomic::Ordering},
};

use model::SysbenchData;

use super::{
    check::{compare_definitions, differ},
    chunks::{CHUNK_ROWS, missing},
    count::fresh,
    definition::{Difference, ID_MAX, create_table, differences, has_index, read_catalog, table_name},
    worker::{Abilities, Load},
};
use crate::{
    account::{Account, IfMissing, Session},
    catalog::{Catalog, overlooks},
    each::{NO_PANIC, each},
    error::DataError,
    job::{Job, PreparePhase, PrepareProgress, Prepared},
    ledger::{self, Entries, Heading},
    pool::LoadPool,
    queue::{Queue, Task, Work},
    server::Server,
};

/// Makes sysbench's tables, or completes them.
pub(crate) fn prepare(
    job: &Job<'_>,
    data: &SysbenchData,
    progress: &(dyn Fn(PrepareProgress) + Sync),
) -> Result<Prepared, DataError> {
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
    let report = |phase| progress(PrepareProgress::at(phase, rows, data.tables));
    report(PreparePhase::Looking);
    let request = Request { job, data, account: &account };
    let Some(stock) = take_stock(&request, &mut control, &server)? else {
        return Ok(Prepared::already_there(rows, server.method(), None));
    };
    report(PreparePhase::Tables);
    if let Err(error) = create_tables(&request, &stock) {
        forget_if_nothing_is_there(&mut control, data, &stock);
        return Err(error);
    }
    let abilities = abilities(&server, &mut control, data)?;
    let load = plan(&request, &stock, abilities, !server.local_infile);
    let width = load.queue.lock().expect(NO_PANIC).width(load.lanes());
    let connections = job.threads.clamp(1, width.max(1));
    load.pool.run(connections, &mut control, progress, &|connection| load.work(connection))?;
    finish(&account, data)?;
    Ok(load.pool.prepared(rows, connections, None))
}

/// The request: data and account.
struct Request<'a> {
    job: &'a Job<'a>,
    data: &'a SysbenchData,
    account: &'a Account,
}

/// Rows in all tables.
pub(crate) fn rows_of(data: &SysbenchData) -> u64 {
    if data.bulk { 0 } else { u64::from(data.tables) * data.table_size }
}

/// Engine of the ledger: that of the data where it has transactions, so that both commit together.
fn ledger_engine<'a>(server: &Server, data: &'a SysbenchData) -> &'a str {
    if server.transactional && !data.bulk { &data.engine } else { "InnoDB" }
}

fn abilities(
    server: &Server,
    session: &mut Session<'_>,
    data: &SysbenchData,
) -> Result<Abilities, DataError> {
    let charset = session.query(
        "asking for the character set of sbtest1",
        "SELECT CHARACTER_SET_NAME FROM information_schema.COLUMNS \
         WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'sbtest1' AND COLUMN_NAME = 'c'",
    )?;
    let charset = charset.first().and_then(|row| row.text(0)).unwrap_or("binary");
    // Naming the column's own character set saves the server a conversion; these cannot be read by LOAD DATA.
    let unreadable = ["ucs2", "utf16", "utf16le", "utf32"].contains(&charset);
    Ok(Abilities {
        packet_bytes_max: server.packet_bytes_max,
        transactional: server.transactional,
        load_lanes: if server.locks_auto_inc && data.auto_inc { 1 } else { u32::MAX },
        charset: if unreadable { "ascii".to_owned() } else { charset.to_owned() },
    })
}

/// The existing tables, and the ledger's entries about them.
struct Stock {
    heading: Heading,
    entries: Entries,
    catalog: Catalog,
}

/// Examines the existing tables, and makes a ledger if there is none; none if nothing is to be done.
fn take_stock(
    request: &Request<'_>,
    control: &mut Session<'_>,
    server: &Server,
) -> Result<Option<Stock>, DataError> {
    let Request { job, data, account } = *request;
    let mut catalog = read_catalog(control)?;
    let others = |reasons| differ(account, data, reasons);
    if let Some((heading, entries)) = ledger::broken_off(control, &catalog, job.data, others)? {
        let begun: BTreeSet<u32> = entries.chunks.iter().map(|(table, _)| *table).collect();
        if overlooks(&catalog, control, begun.into_iter().map(table_name)) {
            catalog = read_catalog(control)?;
        }
        return Ok(Some(Stock { heading, entries, catalog }));
    }
    let whole = survey(request, &catalog)?;
    if whole.len() == data.tables as usize {
        return Ok(None);
    }
    let heading = Heading::new(job.data, job.seed, CHUNK_ROWS);
    ledger::create(control, &heading, ledger_engine(server, data), &whole)?;
    let entries = Entries { begun: true, whole, ..Entries::default() };
    Ok(Some(Stock { heading, entries, catalog }))
}

/// Finds the tables that are there and complete; those that are there and anything else are an error.
fn survey(request: &Request<'_>, catalog: &Catalog) -> Result<BTreeSet<u32>, DataError> {
    let Request { job, data, account } = *request;
    let mut wrong = Vec::new();
    let mut there = Vec::new();
    for number in 1..=data.tables {
        if let Some(table) = catalog.get(&table_name(number)) {
            wrong.extend(differences(table, data, number));
            there.push(number);
        }
    }
    if wrong.is_empty() {
        let found = each(
            account,
            job.threads,
            &there,
            || job.cancelled(),
            |session, number| Ok(fresh(session, data, number)?.1),
        )?;
        wrong.extend(found.into_iter().flatten().map(Difference::from));
    }
    if wrong.is_empty() { Ok(there.into_iter().collect()) } else { Err(differ(account, data, wrong)) }
}

fn create_tables(request: &Request<'_>, stock: &Stock) -> Result<(), DataError> {
    let Request { job, data, account } = *request;
    let Entries { whole, chunks, .. } = &stock.entries;
    let absent: Vec<u32> = (1..=data.tables)
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
        return Err(differ(account, data, gone));
    }
    each(
        account,
        job.threads,
        &absent,
        || job.cancelled(),
        |session, number| {
            session.execute(&format!("creating table {}", table_name(number)), &create_table(data, number))
        },
    )
    .map(drop)
}

/// Removes the ledger if nothing was created: a refused statement (an engine the server lacks) must not block the next attempt.
fn forget_if_nothing_is_there(control: &mut Session<'_>, data: &SysbenchData, stock: &Stock) {
    let Ok(now) = read_catalog(control) else { return };
    let ours = |number: &u32| !stock.entries.whole.contains(number) && now.contains_key(&table_name(*number));
    if !(1..=data.tables).any(|number| ours(&number)) {
        // If that fails too, the ledger says what is unfinished.
        let _ = ledger::remove(control);
    }
}

fn plan<'a>(request: &Request<'a>, stock: &Stock, abilities: Abilities, insert_only: bool) -> Load<'a> {
    let Request { job, data, account } = *request;
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
        tables.push(Work::new(number, chunks, then));
    }
    let queue = Queue::new(tables);
    let pool = LoadPool::new(account, job.cancel, rows_of(data), queue.rows(), data.tables);
    pool.insert_only.store(insert_only, Ordering::Relaxed);
    let whole = u32::try_from(stock.entries.whole.len()).unwrap_or(u32::MAX);
    pool.tables_done.store(whole, Ordering::Relaxed);
    Load { pool, data, seed: stock.heading.seed, abilities, queue: Mutex::new(queue) }
}

/// The rows are counted; now the definitions, and then the ledger has done its duty.
fn finish(account: &Account, data: &SysbenchData) -> Result<(), DataError> {
    let mut session = account.connect()?;
    let catalog = read_catalog(&mut session)?;
    compare_definitions(account, data, &catalog)?;
    ledger::remove(&mut session)
}
