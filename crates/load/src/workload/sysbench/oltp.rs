//! The `oltp_*` workloads: one transaction is a list of steps, and the workloads differ only in their steps.
//!
//! As in sysbench each step draws its table once and a row id per statement. Statements are prepared for every table
//! when the connection is opened; what the server cannot prepare (BEGIN on MySQL) is sent as text.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use model::{PsMode, SysbenchOptions, SysbenchWorkload};
use random::{C_TEMPLATE, Keys, PAD_TEMPLATE, Rng, fill_digits};

use super::statements::{
    BEGIN, COMMIT, Catalog, DELETE, DISTINCT_RANGE, INDEX_UPDATE, INSERT, NON_INDEX_UPDATE, ORDER_RANGE,
    POINT_SELECT, ROLLBACK, SIMPLE_RANGE, SUM_RANGE,
};
use crate::recorder::OperationIndex;
use crate::session::{Param, Session, Statement};
use crate::statement_error::StatementError;
use crate::workload::{ClientNumber, ClientWorkload};

/// One step of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Begin,
    PointSelects(u32),
    Ranges(OperationIndex, u32),
    IndexUpdates(u32),
    NonIndexUpdates(u32),
    DeleteInserts(u32),
    Delete,
    Insert,
    Commit,
}

fn steps(options: &SysbenchOptions) -> Vec<Step> {
    let o = options;
    let reads = |points| {
        let mut steps = vec![Step::PointSelects(points)];
        if o.range_selects {
            steps.extend([
                Step::Ranges(SIMPLE_RANGE, o.simple_ranges),
                Step::Ranges(SUM_RANGE, o.sum_ranges),
                Step::Ranges(ORDER_RANGE, o.order_ranges),
                Step::Ranges(DISTINCT_RANGE, o.distinct_ranges),
            ]);
        }
        steps
    };
    let writes = [
        Step::IndexUpdates(o.index_updates),
        Step::NonIndexUpdates(o.non_index_updates),
        Step::DeleteInserts(o.delete_inserts),
    ];
    let enclosed = |inner: Vec<Step>| match o.skip_trx {
        true => inner,
        false => [vec![Step::Begin], inner, vec![Step::Commit]].concat(),
    };
    match o.workload {
        SysbenchWorkload::OltpReadWrite => enclosed([reads(o.point_selects), writes.to_vec()].concat()),
        SysbenchWorkload::OltpReadOnly => enclosed(reads(o.point_selects)),
        SysbenchWorkload::OltpWriteOnly => enclosed(writes.to_vec()),
        SysbenchWorkload::OltpPointSelect => vec![Step::PointSelects(1)],
        SysbenchWorkload::OltpUpdateIndex => vec![Step::IndexUpdates(o.index_updates)],
        SysbenchWorkload::OltpUpdateNonIndex => vec![Step::NonIndexUpdates(o.non_index_updates)],
        SysbenchWorkload::OltpDelete => vec![Step::Delete],
        SysbenchWorkload::OltpInsert => vec![Step::Insert],
        SysbenchWorkload::SelectRandomPoints
        | SysbenchWorkload::SelectRandomRanges
        | SysbenchWorkload::BulkInsert => Vec::new(),
    }
}

/// Prepared statements that a client of an `oltp_*` workload holds.
pub(super) fn prepared_statements(options: &SysbenchOptions) -> u64 {
    let per_step = |step: Step| match step {
        Step::Begin | Step::Commit => 1,
        _ => Oltp::operations_of(step).len() as u64 * u64::from(options.tables),
    };
    steps(options).into_iter().map(per_step).sum()
}

/// The operations of an `oltp_*` workload that have a plan, each once.
pub(super) fn explained(options: &SysbenchOptions) -> Vec<OperationIndex> {
    let mut found: Vec<OperationIndex> = steps(options)
        .into_iter()
        .flat_map(Oltp::operations_of)
        .copied()
        .filter(|of| *of != INSERT)
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Ids for oltp_insert without AUTO_INCREMENT: a permutation of 32-bit numbers, shared by all clients.
#[derive(Debug, Default)]
pub(crate) struct UniqueIds {
    next: AtomicU32,
    offset: u32,
}

impl UniqueIds {
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::from_seed(seed);
        let (index, offset) = random::unique_start(rng.next_u64() as u32, rng.next_u64() as u32);
        Self { next: AtomicU32::new(index), offset }
    }

    fn next(&self) -> i64 {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        i64::from(random::unique(index, self.offset)) - 2_147_483_648
    }
}

/// One client of an `oltp_*` workload.
pub(crate) struct Oltp {
    options: Rc<SysbenchOptions>,
    catalog: Rc<Catalog>,
    unique: Arc<UniqueIds>,
    steps: Vec<Step>,
    statements: Vec<Statement>,
    keys: Keys,
    rng: Rng,
    c: Vec<u8>,
    pad: Vec<u8>,
    in_transaction: bool,
}

impl Oltp {
    pub fn new(
        options: &Rc<SysbenchOptions>,
        catalog: &Rc<Catalog>,
        unique: &Arc<UniqueIds>,
        client: ClientNumber,
    ) -> Self {
        Self {
            options: Rc::clone(options),
            catalog: Rc::clone(catalog),
            unique: Arc::clone(unique),
            steps: steps(options),
            statements: Vec::new(),
            keys: options.rand.keys(options.table_size),
            rng: Rng::stream(client.seed, u64::from(client.number)),
            c: vec![0; C_TEMPLATE.len()],
            pad: vec![0; PAD_TEMPLATE.len()],
            in_transaction: false,
        }
    }

    fn draw_table(&mut self) -> usize {
        match self.options.tables {
            0 | 1 => 0,
            tables => self.rng.below(u64::from(tables)) as usize,
        }
    }

    fn draw_id(&mut self) -> i64 {
        self.keys.draw(&mut self.rng, 1, self.options.table_size) as i64
    }

    async fn run(
        &mut self,
        session: &mut Session,
        operation: OperationIndex,
        table: usize,
        params: &[Param<'_>],
    ) -> Result<(), StatementError> {
        let statement = &mut self.statements[self.catalog.place(operation, table)];
        let pieces = &self.catalog.text(operation, table).pieces;
        session.execute(operation, statement, pieces, params).await.map(drop)
    }

    async fn bracket(
        &mut self,
        session: &mut Session,
        operation: OperationIndex,
        sql: &str,
    ) -> Result<(), StatementError> {
        let statement = &mut self.statements[self.catalog.place(operation, 0)];
        match statement.is_prepared() {
            true => session.execute(operation, statement, &[], &[]).await.map(drop),
            false => session.query(operation, sql.as_bytes()).await.map(drop),
        }
    }

    async fn point_selects(&mut self, session: &mut Session, count: u32) -> Result<(), StatementError> {
        let table = self.draw_table();
        for _ in 0..count {
            let id = self.draw_id();
            self.run(session, POINT_SELECT, table, &[Param::Int(id)]).await?;
        }
        Ok(())
    }

    async fn ranges(
        &mut self,
        session: &mut Session,
        operation: OperationIndex,
        count: u32,
    ) -> Result<(), StatementError> {
        let table = self.draw_table();
        for _ in 0..count {
            let id = self.draw_id();
            let last = id + i64::from(self.options.range_size) - 1;
            self.run(session, operation, table, &[Param::Int(id), Param::Int(last)]).await?;
        }
        Ok(())
    }

    async fn index_updates(&mut self, session: &mut Session, count: u32) -> Result<(), StatementError> {
        let table = self.draw_table();
        for _ in 0..count {
            let id = self.draw_id();
            self.run(session, INDEX_UPDATE, table, &[Param::Int(id)]).await?;
        }
        Ok(())
    }

    async fn non_index_updates(&mut self, session: &mut Session, count: u32) -> Result<(), StatementError> {
        let table = self.draw_table();
        for _ in 0..count {
            fill_digits(C_TEMPLATE, &mut self.c, &mut self.rng);
            let id = self.draw_id();
            let place = self.catalog.place(NON_INDEX_UPDATE, table);
            let pieces = &self.catalog.text(NON_INDEX_UPDATE, table).pieces;
            let params = [Param::Text(&self.c), Param::Int(id)];
            session.execute(NON_INDEX_UPDATE, &mut self.statements[place], pieces, &params).await?;
        }
        Ok(())
    }

    async fn delete_inserts(&mut self, session: &mut Session, count: u32) -> Result<(), StatementError> {
        let table = self.draw_table();
        for _ in 0..count {
            let id = self.draw_id();
            let k = self.draw_id();
            self.run(session, DELETE, table, &[Param::Int(id)]).await?;
            self.fill_row();
            let place = self.catalog.place(INSERT, table);
            let pieces = &self.catalog.text(INSERT, table).pieces;
            let params = [Param::Int(id), Param::Int(k), Param::Text(&self.c), Param::Text(&self.pad)];
            session.execute(INSERT, &mut self.statements[place], pieces, &params).await?;
        }
        Ok(())
    }

    async fn delete(&mut self, session: &mut Session) -> Result<(), StatementError> {
        let table = self.draw_table();
        let id = self.draw_id();
        self.run(session, DELETE, table, &[Param::Int(id)]).await
    }

    /// oltp_insert sends text in sysbench, regardless of `--db-ps-mode`.
    async fn insert(&mut self, session: &mut Session) -> Result<(), StatementError> {
        let table = self.draw_table();
        let id = if self.options.auto_inc { 0 } else { self.unique.next() };
        let k = self.draw_id();
        self.fill_row();
        let pieces = &self.catalog.text(INSERT, table).pieces;
        let params = [Param::Int(id), Param::Int(k), Param::Text(&self.c), Param::Text(&self.pad)];
        session.execute(INSERT, &mut Statement::default(), pieces, &params).await.map(drop)
    }

    fn fill_row(&mut self) {
        fill_digits(C_TEMPLATE, &mut self.c, &mut self.rng);
        fill_digits(PAD_TEMPLATE, &mut self.pad, &mut self.rng);
    }

    /// The per-table statements that a step uses.
    fn operations_of(step: Step) -> &'static [OperationIndex] {
        match step {
            Step::PointSelects(_) => &[POINT_SELECT],
            Step::Ranges(SIMPLE_RANGE, _) => &[SIMPLE_RANGE],
            Step::Ranges(SUM_RANGE, _) => &[SUM_RANGE],
            Step::Ranges(ORDER_RANGE, _) => &[ORDER_RANGE],
            Step::Ranges(_, _) => &[DISTINCT_RANGE],
            Step::IndexUpdates(_) => &[INDEX_UPDATE],
            Step::NonIndexUpdates(_) => &[NON_INDEX_UPDATE],
            Step::DeleteInserts(_) => &[DELETE, INSERT],
            Step::Delete => &[DELETE],
            Step::Begin | Step::Commit | Step::Insert => &[],
        }
    }
}

impl ClientWorkload for Oltp {
    async fn prepare(&mut self, session: &mut Session) -> Result<(), StatementError> {
        self.in_transaction = false;
        self.statements.clear();
        self.statements.resize_with(self.catalog.len(), Statement::default);
        if self.options.db_ps_mode == PsMode::Disable {
            return Ok(());
        }
        let catalog = Rc::clone(&self.catalog);
        for step in self.steps.clone() {
            match step {
                Step::Begin => {
                    self.statements[catalog.place(BEGIN, 0)] = session.prepare(BEGIN, "BEGIN").await?
                }
                Step::Commit => {
                    self.statements[catalog.place(COMMIT, 0)] = session.prepare(COMMIT, "COMMIT").await?
                }
                _ => {}
            }
            for &operation in Self::operations_of(step) {
                for table in 0..self.options.tables as usize {
                    let prepared = session.prepare(operation, &catalog.text(operation, table).sql).await?;
                    self.statements[catalog.place(operation, table)] = prepared;
                }
            }
        }
        Ok(())
    }

    async fn transaction(&mut self, session: &mut Session) -> Result<(), StatementError> {
        for index in 0..self.steps.len() {
            match self.steps[index] {
                Step::Begin => {
                    self.bracket(session, BEGIN, "BEGIN").await?;
                    self.in_transaction = true;
                }
                Step::PointSelects(count) => self.point_selects(session, count).await?,
                Step::Ranges(operation, count) => self.ranges(session, operation, count).await?,
                Step::IndexUpdates(count) => self.index_updates(session, count).await?,
                Step::NonIndexUpdates(count) => self.non_index_updates(session, count).await?,
                Step::DeleteInserts(count) => self.delete_inserts(session, count).await?,
                Step::Delete => self.delete(session).await?,
                Step::Insert => self.insert(session).await?,
                Step::Commit => {
                    self.bracket(session, COMMIT, "COMMIT").await?;
                    self.in_transaction = false;
                }
            }
        }
        Ok(())
    }

    async fn roll_back(&mut self, session: &mut Session) -> Result<(), StatementError> {
        if std::mem::replace(&mut self.in_transaction, false) {
            session.query(ROLLBACK, b"ROLLBACK").await?;
        }
        Ok(())
    }

    fn collides(&self) -> bool {
        self.options.skip_trx
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(workload: SysbenchWorkload) -> SysbenchOptions {
        SysbenchOptions { workload, ..SysbenchOptions::default() }
    }

    #[test]
    fn read_write_is_reads_then_writes_inside_a_transaction() {
        let steps = steps(&of(SysbenchWorkload::OltpReadWrite));
        assert_eq!(steps.first(), Some(&Step::Begin));
        assert_eq!(steps[1], Step::PointSelects(10));
        assert_eq!(steps.last(), Some(&Step::Commit));
        assert_eq!(steps.len(), 10);
    }

    #[test]
    fn skip_trx_and_range_selects_leave_out_what_they_say() {
        let options =
            SysbenchOptions { skip_trx: true, range_selects: false, ..of(SysbenchWorkload::OltpReadOnly) };
        assert_eq!(steps(&options), [Step::PointSelects(10)]);
    }

    #[test]
    fn point_select_reads_one_row_whatever_point_selects_says() {
        let options = SysbenchOptions { point_selects: 7, ..of(SysbenchWorkload::OltpPointSelect) };
        assert_eq!(steps(&options), [Step::PointSelects(1)]);
    }
}
