//! Facts of workloads in files.

use analysis::Words;
use messages::message;
use model::{StatementsOptions, Workload};

use super::facts::{Facts, fact};
use crate::view::Fact;

impl Facts for StatementsOptions {
    fn facts(&self) -> Vec<Fact> {
        let file = &self.file;
        let rows = file.tables.iter().map(|table| table.rows_at(self.scale)).sum::<u64>();
        let tables = match file.tables.is_empty() {
            true => message!("tables-of-user"),
            false => message!("tables-of-file", tables = Count(self.tables()), rows = Count(rows)),
        };
        let share = |one: &model::TransactionDefinition| {
            message!("transaction-weight", name = Text(one.name.clone()), weight = Count(one.weight))
        };
        let protocol = if file.prepared { "prepared" } else { "text" };
        let isolation =
            file.isolation.map_or_else(|| message!("isolation-of-server"), |level| level.sql().into());
        let mut facts = vec![fact("tables", tables)];
        if self.has_transaction_types() {
            facts.push(fact("mix", Words::parts(file.transactions.iter().map(share).collect::<Vec<_>>())));
        }
        facts.push(fact("statements", message!("statements-of-file", protocol = Word(protocol))));
        facts.push(fact("isolation", isolation));
        facts
    }
}
