//! `select_random_points` and `select_random_ranges`: reads of one table by its secondary index, each client in a
//! segment of its own.

use std::rc::Rc;

use model::{PsMode, SysbenchOptions, SysbenchWorkload};
use random::{Keys, Rng};

use super::statements::{RANDOM_POINTS, RANDOM_RANGES};
use crate::recorder::OperationIndex;
use crate::session::{Param, Session, Statement};
use crate::statement_error::StatementError;
use crate::workload::statement::Text;
use crate::workload::{ClientNumber, ClientWorkload};

/// One client.
pub(crate) struct Secondary {
    options: Rc<SysbenchOptions>,
    operation: OperationIndex,
    text: Text,
    statement: Statement,
    keys: Keys,
    rng: Rng,
    low: u64,
    high: u64,
    params: Vec<Param<'static>>,
}

impl Secondary {
    pub fn new(options: &Rc<SysbenchOptions>, client: ClientNumber) -> Self {
        let (operation, sql) = statement(options);
        // As in sysbench the table is cut into as many segments as there are clients.
        let segment = options.table_size as f64 / f64::from(client.of);
        let low = segment * f64::from(client.number);
        Self {
            options: Rc::clone(options),
            operation,
            text: Text::new(sql),
            statement: Statement::default(),
            keys: options.rand.keys(segment.ceil().max(1.0) as u64),
            rng: Rng::stream(client.seed, u64::from(client.number)),
            low: low as u64,
            high: (low + segment) as u64,
            params: Vec::new(),
        }
    }

    fn draw(&mut self) {
        self.params.clear();
        if self.operation == RANDOM_POINTS {
            for _ in 0..self.options.random_points {
                let k = self.keys.draw(&mut self.rng, self.low, self.high) as i64;
                self.params.push(Param::Int(k));
            }
        } else {
            for _ in 0..self.options.number_of_ranges {
                let k = self.keys.draw(&mut self.rng, self.low, self.high) as i64;
                self.params.extend([Param::Int(k), Param::Int(k + i64::from(self.options.delta))]);
            }
        }
    }
}

/// The one statement of the workload.
pub(super) fn statement(options: &SysbenchOptions) -> (OperationIndex, String) {
    match options.workload {
        SysbenchWorkload::SelectRandomPoints => (RANDOM_POINTS, points(options.random_points)),
        _ => (RANDOM_RANGES, ranges(options.number_of_ranges)),
    }
}

fn points(count: u32) -> String {
    let list = vec!["?"; count.max(1) as usize].join(", ");
    format!("SELECT id, k, c, pad FROM sbtest1 WHERE k IN ({list})")
}

fn ranges(count: u32) -> String {
    let list = vec!["k BETWEEN ? AND ?"; count.max(1) as usize].join(" OR ");
    format!("SELECT count(k) FROM sbtest1 WHERE {list}")
}

impl ClientWorkload for Secondary {
    async fn prepare(&mut self, session: &mut Session) -> Result<(), StatementError> {
        self.statement = match self.options.db_ps_mode {
            PsMode::Auto => session.prepare(self.operation, &self.text.sql).await?,
            PsMode::Disable => Statement::default(),
        };
        Ok(())
    }

    async fn transaction(&mut self, session: &mut Session) -> Result<(), StatementError> {
        self.draw();
        session.execute(self.operation, &mut self.statement, &self.text.pieces, &self.params).await.map(drop)
    }

    async fn roll_back(&mut self, _session: &mut Session) -> Result<(), StatementError> {
        Ok(())
    }
}
