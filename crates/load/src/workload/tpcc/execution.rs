//! The execution of TPC-C.

use std::io;
use std::rc::Rc;
use std::sync::Arc;

use model::{TpccOptions, TpccResult};

use super::statements::{self, OPERATIONS, TYPES, explained};
use super::terminal::{Shared, Terminal};
use super::touched::Touched;
use crate::recorder::Operations;
use crate::setup::WorkerSetup;
use crate::workload::execution::{Execution, Started};
use crate::workload::sample::{Sample, sample};

impl Execution for TpccOptions {
    fn operations(&self) -> Operations {
        Arc::new(OPERATIONS.clone())
    }

    fn prepared_statements(&self) -> u64 {
        statements::prepared(self).count() as u64
    }

    fn samples(&self) -> Vec<Sample> {
        explained(self).map(|of| sample(&OPERATIONS[of], value)).collect()
    }

    fn start(&self, seed: u64) -> io::Result<Box<dyn Started + '_>> {
        Ok(Box::new(Terminals { options: self, seed, touched: Arc::new(Touched::new(self.data.warehouses)) }))
    }
}

/// The terminals of a trial.
struct Terminals<'a> {
    options: &'a TpccOptions,
    seed: u64,
    touched: Arc<Touched>,
}

impl Started for Terminals<'_> {
    fn run(&self, worker: WorkerSetup<'_>) -> io::Result<()> {
        let shared = Rc::new(Shared::new(self.options, self.seed, Arc::clone(&self.touched)));
        worker.run(|client| Terminal::new(&shared, client))
    }

    fn tpcc(&self, rollbacks: u64, retries: &[u64]) -> Option<TpccResult> {
        Some(TpccResult {
            warehouses_touched: self.touched.count(),
            rollbacks,
            retries: TYPES.map(|of| retries[of]),
            consistency: None,
            unchecked: None,
        })
    }
}

/// The value for a column of TPC-C in a sample: warehouse 1, district 1, the newest of the initial orders of every district.
fn value(before: &str) -> String {
    const LAST_ORDER: u32 = 3_000;
    const LINES_OF: u32 = 20;
    let mut words = before.split_whitespace().rev();
    let (sign, column) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    match (column, sign) {
        ("c_last", _) => "'BARBARBAR'".to_owned(),
        ("c_data", _) => "'mydyno'".to_owned(),
        ("s_quantity", "<") => "15".to_owned(),
        ("ol_o_id", ">=") => (LAST_ORDER + 1 - LINES_OF).to_string(),
        ("ol_o_id", "<") => (LAST_ORDER + 1).to_string(),
        (column, _) if column.ends_with("o_id") => LAST_ORDER.to_string(),
        _ => "1".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tpccs_statements_get_values() {
        let all = TpccOptions::default().samples();
        let sql = |operation: &str| &all.iter().find(|s| s.operation == operation).expect(operation).sql;
        assert!(
            sql("stock_level.count_stock").contains("ol_o_id >= 2981 AND ol_o_id < 3001 AND s_quantity < 15")
        );
        assert!(sql("payment.select_customers").contains("c_last = 'BARBARBAR'"));
        assert!(!all.iter().any(|s| s.sql.contains('?') || s.sql.contains("...")), "{all:?}");
    }
}
