//! The tables of a workload in a file.

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use super::file::TableDefinition;
use super::generator::TableSizes;

/// Tables that a file describes, with the rows that they are to have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StatementsData {
    /// The tables; none: they exist.
    pub tables: Vec<TableDefinition>,
    /// Storage engine.
    pub engine: String,
    /// The word by which users name the workload: its file.
    pub workload: String,
    /// The factor by which the file's numbers of rows were multiplied.
    pub scale: f64,
}

// A probability in it is a number, never a NaN.
impl Eq for StatementsData {}

impl Hash for StatementsData {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.engine.as_str(), self.workload.as_str()).hash(state);
        self.tables
            .iter()
            .for_each(|table| (table.name.as_str(), table.rows, table.columns.len()).hash(state));
    }
}

impl StatementsData {
    /// Rows of the tables by name.
    pub fn sizes(&self) -> TableSizes {
        self.tables.iter().map(|table| (table.name.clone(), table.rows)).collect()
    }
}
