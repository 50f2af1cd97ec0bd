//! A workload in a file, with every option resolved.

use serde::{Deserialize, Serialize};

use super::data::StatementsData;
use super::file::{TransactionDefinition, WorkloadFile};
use super::sql::{StatementKind, StatementText};
use crate::workload::describe::{Reads, Workload};
use crate::workload::{DataSet, ErrorPolicy};

/// A workload in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StatementsOptions {
    /// Label in charts, if it is not the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The word by which users name it: its file.
    pub path: String,
    /// What the file says.
    pub file: WorkloadFile,
    /// The tables have this many times the rows that the file says.
    pub scale: f64,
    /// Storage engine.
    pub engine: String,
    /// Reconnect after this many transactions; 0: never.
    pub reconnect: u64,
    /// Server errors and what follows them.
    pub errors: ErrorPolicy,
}

impl TransactionDefinition {
    /// What its statements do.
    pub fn kinds(&self) -> impl Iterator<Item = StatementKind> {
        // A file that cannot be read was refused when it was.
        self.statements.iter().filter_map(|one| StatementText::parse(&one.sql).ok()).map(|text| text.kind())
    }

    /// Whether it only reads, without locks.
    pub fn only_reads(&self) -> bool {
        self.kinds().all(|kind| kind == StatementKind::Read)
    }
}

impl StatementsOptions {
    fn kinds(&self) -> impl Iterator<Item = StatementKind> {
        self.file.transactions.iter().flat_map(TransactionDefinition::kinds)
    }
}

impl Workload for StatementsOptions {
    fn name(&self) -> &str {
        &self.file.name
    }

    fn label(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.file.name)
    }

    fn set_label(&mut self, label: &str) {
        self.label = Some(label.to_owned());
    }

    fn summary(&self) -> &str {
        match self.file.summary.as_str() {
            "" => "statements in a file",
            summary => summary,
        }
    }

    fn summary_zh(&self) -> &str {
        match self.file.summary.as_str() {
            "" => "文件中的语句",
            summary => summary,
        }
    }

    fn data_set(&self, _clients: u32) -> Option<DataSet> {
        let mut tables = self.file.tables.clone();
        for table in &mut tables {
            table.rows = table.rows_at(self.scale);
        }
        let (engine, workload) = (self.engine.clone(), self.path.clone());
        Some(DataSet::Statements(StatementsData { tables, engine, workload, scale: self.scale }))
    }

    fn tables(&self) -> u64 {
        self.file.tables.len() as u64
    }

    fn writes(&self) -> bool {
        self.kinds().any(StatementKind::writes)
    }

    fn reads(&self) -> Reads {
        let transactions = &self.file.transactions;
        let reading = transactions.iter().filter(|one| one.only_reads()).count();
        let alone = |one: &TransactionDefinition| {
            one.commits_each() && one.kinds().any(|kind| kind == StatementKind::Read)
        };
        match reading {
            all if all == transactions.len() => Reads::All,
            0 if transactions.iter().any(alone) => Reads::Statements,
            0 => Reads::None,
            _ => Reads::Types,
        }
    }

    fn changes_row_count(&self) -> bool {
        self.kinds().any(|kind| kind == StatementKind::AddOrRemove)
    }

    fn errors(&self) -> &ErrorPolicy {
        &self.errors
    }

    fn reconnect(&self) -> u64 {
        self.reconnect
    }

    fn has_transaction_types(&self) -> bool {
        self.file.transactions.len() > 1
    }
}
