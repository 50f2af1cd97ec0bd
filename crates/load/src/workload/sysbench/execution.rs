//! The execution of sysbench's workloads.

use std::io;
use std::rc::Rc;
use std::sync::Arc;

use model::{PsMode, SysbenchOptions, SysbenchWorkload};

use super::bulk::BulkInsert;
use super::oltp::{self, Oltp, UniqueIds};
use super::secondary::{self, Secondary};
use super::statements::{Catalog, OPERATIONS};
use crate::recorder::{OperationIndex, Operations};
use crate::setup::WorkerSetup;
use crate::workload::execution::{Execution, Started};
use crate::workload::sample::{Sample, sample};

/// The implementation that runs a sysbench workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Oltp,
    Secondary,
    Bulk,
}

impl Family {
    fn of(options: &SysbenchOptions) -> Self {
        match options.workload {
            SysbenchWorkload::SelectRandomPoints | SysbenchWorkload::SelectRandomRanges => Self::Secondary,
            SysbenchWorkload::BulkInsert => Self::Bulk,
            _ => Self::Oltp,
        }
    }
}

impl Execution for SysbenchOptions {
    fn operations(&self) -> Operations {
        Arc::new(OPERATIONS.clone())
    }

    fn prepared_statements(&self) -> u64 {
        match (self.db_ps_mode, Family::of(self)) {
            (PsMode::Disable, _) | (_, Family::Bulk) => 0,
            (_, Family::Secondary) => 1,
            (_, Family::Oltp) => oltp::prepared_statements(self),
        }
    }

    fn samples(&self) -> Vec<Sample> {
        let table = |of: OperationIndex| &OPERATIONS[of];
        let middle = (self.table_size / 2).max(1);
        let (from, to) = (middle, middle + u64::from(self.range_size.max(1)) - 1);
        let value = move |before: &str| match before {
            _ if before.ends_with(" AND ") => to.to_string(),
            _ if before.ends_with("c=") => "'mydyno'".to_owned(),
            _ => from.to_string(),
        };
        match Family::of(self) {
            Family::Bulk => Vec::new(),
            Family::Secondary => {
                let (of, sql) = secondary::statement(self);
                // Different keys, as the clients have them.
                let mut key = middle;
                let mut parts = sql.split('?');
                let mut sql = parts.next().unwrap_or_default().to_owned();
                for part in parts {
                    sql = format!("{sql}{key}{part}");
                    key += if part.starts_with(" AND ") { u64::from(self.delta) } else { 1 };
                }
                vec![Sample { operation: table(of).name.to_string(), sql, only_reads: true }]
            }
            Family::Oltp => oltp::explained(self).into_iter().map(|of| sample(table(of), value)).collect(),
        }
    }

    fn start(&self, seed: u64) -> io::Result<Box<dyn Started + '_>> {
        Ok(Box::new(Shared { options: self, unique: Arc::new(UniqueIds::new(seed)) }))
    }
}

/// State shared by all clients of a trial.
struct Shared<'a> {
    options: &'a SysbenchOptions,
    unique: Arc<UniqueIds>,
}

impl Started for Shared<'_> {
    fn run(&self, worker: WorkerSetup<'_>) -> io::Result<()> {
        let options = Rc::new(self.options.clone());
        match Family::of(&options) {
            Family::Oltp => {
                let catalog = Rc::new(Catalog::new(&options));
                worker.run(|client| Oltp::new(&options, &catalog, &self.unique, client))
            }
            Family::Secondary => worker.run(|client| Secondary::new(&options, client)),
            Family::Bulk => worker.run(BulkInsert::new),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(workload: SysbenchWorkload) -> Vec<String> {
        let options = SysbenchOptions { workload, table_size: 1_000, random_points: 2, ..Default::default() };
        options.samples().into_iter().map(|sample| sample.sql).collect()
    }

    #[test]
    fn sysbenchs_statements_get_values() {
        let all = of(SysbenchWorkload::OltpReadWrite);
        assert_eq!(all[0], "SELECT c FROM sbtest1 WHERE id=500");
        assert_eq!(all[1], "SELECT c FROM sbtest1 WHERE id BETWEEN 500 AND 599");
        assert!(all.contains(&"UPDATE sbtest1 SET c='mydyno' WHERE id=500".to_owned()), "{all:?}");
        assert!(!all.iter().any(|sql| sql.contains('?') || sql.starts_with("INSERT")), "{all:?}");
        assert_eq!(
            of(SysbenchWorkload::SelectRandomPoints),
            ["SELECT id, k, c, pad FROM sbtest1 WHERE k IN (500, 501)"]
        );
        assert!(
            of(SysbenchWorkload::SelectRandomRanges)[0]
                .contains("k BETWEEN 500 AND 505 OR k BETWEEN 506 AND")
        );
        assert!(of(SysbenchWorkload::BulkInsert).is_empty());
    }
}
