//! Loads the tables of a file: takes stock, creates what is missing, distributes the work over connections, counts.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Mutex;

use model::StatementsData;

use super::check::{compare, count, differ};
use super::definition::{create_table, difference, is_indexed, is_marked, read_catalog, sql_name, table_of};
use super::load::Load;
use crate::account::{Account, IfMissing, Session};
use crate::catalog::{Catalog, overlooks};
use crate::each::{NO_PANIC, each};
use crate::error::DataError;
use crate::job::{Job, PrepareMethod, PreparePhase, PrepareProgress, Prepared};
use crate::ledger::{self, Entries, Heading};
use crate::pool::LoadPool;
use crate::queue::{Queue, Task, Work};
use crate::server::Server;
use crate::sysbench::chunks::{CHUNK_ROWS, missing};

/// Makes the tables, or completes them.
pub(super) fn prepare(
    job: &Job<'_>,
    data: &StatementsData,
    progress: &(dyn Fn(PrepareProgress) + Sync),
) -> Result<Prepared, DataError> {
    let account = Account::open(job.connect, IfMissing::Create)?;
    let rows = data.tables.iter().map(|table| table.rows).sum();
    if data.tables.is_empty() {
        return Ok(Prepared::already_there(0, PrepareMethod::Insert, None));
    }
    let mut control = account.connect()?;
    control.outlast()?;
    control.lock_out_others()?;
    let server = Server::ask(&mut control, &data.engine)?;
    if !server.transactional {
        return Err(DataError::Unable {
            what: format!(
                "the tables need a transactional storage engine; {} is not one on this server",
                data.engine
            ),
        });
    }
    let tables = data.tables.len() as u32;
    progress(PrepareProgress::at(PreparePhase::Looking, rows, tables));
    let request = Request { job, data, account: &account };
    let Some(stock) = request.take_stock(&mut control)? else {
        return Ok(Prepared::already_there(rows, PrepareMethod::Insert, None));
    };
    progress(PrepareProgress::at(PreparePhase::Tables, rows, tables));
    if let Err(error) = request.create_tables(&stock) {
        request.forget_if_nothing_is_there(&mut control, &stock);
        return Err(error);
    }
    let load = request.plan(&stock, server.packet_bytes_max, rows);
    let width = load.queue.lock().expect(NO_PANIC).width(u32::MAX);
    let connections = job.threads.clamp(1, width.max(1));
    load.pool.run(connections, &mut control, progress, &|connection| load.work(connection))?;
    compare(&account, data, &read_catalog(&mut control, data)?)?;
    ledger::remove(&mut control)?;
    Ok(load.pool.prepared(rows, connections, None))
}

/// The request: data and account.
struct Request<'a> {
    job: &'a Job<'a>,
    data: &'a StatementsData,
    account: &'a Account,
}

/// The existing tables, and the ledger's entries about them.
struct Stock {
    heading: Heading,
    entries: Entries,
    catalog: Catalog,
}

impl<'a> Request<'a> {
    fn numbers(&self) -> impl Iterator<Item = u32> + use<> {
        1..=self.data.tables.len() as u32
    }

    /// Examines the existing tables, and makes a ledger if there is none; none if nothing is to be done.
    fn take_stock(&self, control: &mut Session<'_>) -> Result<Option<Stock>, DataError> {
        let Self { job, data, account } = *self;
        let mut catalog = read_catalog(control, data)?;
        let others = |reasons| differ(account, data, reasons, false);
        if let Some((heading, entries)) = ledger::broken_off(control, &catalog, job.data, others)? {
            let begun: BTreeSet<u32> = entries.chunks.iter().map(|(table, _)| *table).collect();
            let quoted =
                begun.into_iter().filter_map(|number| table_of(data, number)).map(|one| one.name.clone());
            if overlooks(&catalog, control, quoted) {
                catalog = read_catalog(control, data)?;
            }
            return Ok(Some(Stock { heading, entries, catalog }));
        }
        let whole = self.survey(&catalog)?;
        if whole.len() == data.tables.len() {
            return Ok(None);
        }
        let heading = Heading::new(job.data, job.seed, CHUNK_ROWS);
        ledger::create(control, &heading, &data.engine, &whole)?;
        let entries = Entries { begun: true, whole, ..Entries::default() };
        Ok(Some(Stock { heading, entries, catalog }))
    }

    /// Finds the tables that are there and complete; those that are there and anything else are an error.
    fn survey(&self, catalog: &Catalog) -> Result<BTreeSet<u32>, DataError> {
        let Self { job, data, account } = *self;
        let there: Vec<u32> = self
            .numbers()
            .filter(|number| table_of(data, *number).is_some_and(|one| catalog.contains_key(&one.name)))
            .collect();
        let found = there.iter().filter_map(|number| {
            let table = table_of(data, *number)?;
            Some((table, catalog.get(&table.name)?))
        });
        let mut wrong: Vec<String> =
            found.clone().filter_map(|(table, found)| difference(data, table, found)).collect();
        let replaceable = found.clone().all(|(_, found)| is_marked(found));
        if wrong.is_empty() {
            let counts = each(
                account,
                job.threads,
                &there,
                || job.cancelled(),
                |session, number| {
                    table_of(data, number).map_or(Ok(None), |table| Ok(count(session, table)?.1))
                },
            )?;
            wrong.extend(counts.into_iter().flatten());
        }
        match wrong.is_empty() {
            true => Ok(there.into_iter().collect()),
            false => Err(differ(account, data, wrong, replaceable)),
        }
    }

    fn create_tables(&self, stock: &Stock) -> Result<(), DataError> {
        let Self { job, data, account } = *self;
        let Entries { whole, chunks, .. } = &stock.entries;
        let is_absent = |number: &u32| {
            let there = table_of(data, *number).is_some_and(|one| stock.catalog.contains_key(&one.name));
            !whole.contains(number) && !there
        };
        let absent: Vec<u32> = self.numbers().filter(is_absent).collect();
        let gone: Vec<String> = absent
            .iter()
            .filter(|number| chunks.iter().any(|(table, _)| table == *number))
            .map(|number| {
                format!("table {} has been dropped since its load was interrupted", sql_name(data, *number))
            })
            .collect();
        if !gone.is_empty() {
            return Err(differ(account, data, gone, true));
        }
        each(
            account,
            1,
            &absent,
            || job.cancelled(),
            |session, number| {
                let Some(table) = table_of(data, number) else { return Ok(()) };
                session
                    .execute(&format!("creating table {}", table.name), &create_table(data, table))
                    .map(drop)
            },
        )
        .map(drop)
    }

    /// Removes the ledger if nothing was created: a refused statement must not block the next attempt.
    fn forget_if_nothing_is_there(&self, control: &mut Session<'_>, stock: &Stock) {
        let Ok(now) = read_catalog(control, self.data) else { return };
        let ours = |number: &u32| {
            let there = table_of(self.data, *number).is_some_and(|one| now.contains_key(&one.name));
            !stock.entries.whole.contains(number) && there
        };
        if !self.numbers().any(|number| ours(&number)) {
            // If that fails too, the ledger says what is unfinished.
            let _ = ledger::remove(control);
        }
    }

    fn plan(&self, stock: &Stock, packet_bytes_max: usize, rows: u64) -> Load<'a> {
        let Self { job, data, account } = *self;
        let mut works = Vec::new();
        for number in self.numbers().filter(|number| !stock.entries.whole.contains(number)) {
            let Some(table) = table_of(data, number) else { continue };
            let indexed = stock.catalog.get(&table.name).is_some_and(is_indexed);
            let mut then = VecDeque::from([Task::Count(number)]);
            if !table.indexes.is_empty() && !indexed {
                then.push_front(Task::Index(number));
            }
            let chunks = missing(number, table.rows, stock.heading.chunk_rows, &stock.entries.chunks);
            works.push(Work::new(number, chunks, then));
        }
        let queue = Queue::new(works);
        let pool = LoadPool::new(account, job.cancel, rows, queue.rows(), data.tables.len() as u32);
        pool.insert_only.store(true, std::sync::atomic::Ordering::Relaxed);
        Load { pool, data, seed: stock.heading.seed, packet_bytes_max, queue: Mutex::new(queue) }
    }
}
