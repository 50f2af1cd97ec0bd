//! A workload that another tool ran.

use serde::{Deserialize, Serialize};

use super::describe::{Reads, Workload};
use super::{DataSet, ErrorPolicy};

/// A workload that is known by name only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedWorkload {
    /// Label in charts.
    pub label: String,
}

/// The policy of imported workloads: empty, because it is unknown.
static UNKNOWN_ERRORS: ErrorPolicy =
    ErrorPolicy { retry: Vec::new(), retry_all: false, reconnect_on_loss: false };

impl Workload for ImportedWorkload {
    fn name(&self) -> &str {
        "imported"
    }

    fn label(&self) -> &str {
        &self.label
    }

    fn set_label(&mut self, label: &str) {
        label.clone_into(&mut self.label);
    }

    fn summary(&self) -> &str {
        "imported; only its name is known"
    }

    fn summary_zh(&self) -> &str {
        "导入的数据；只知道名称"
    }

    fn data_set(&self, _clients: u32) -> Option<DataSet> {
        None
    }

    fn tables(&self) -> u64 {
        0
    }

    fn writes(&self) -> bool {
        false
    }

    fn reads(&self) -> Reads {
        Reads::None
    }

    fn changes_row_count(&self) -> bool {
        false
    }

    fn errors(&self) -> &ErrorPolicy {
        &UNKNOWN_ERRORS
    }

    fn reconnect(&self) -> u64 {
        0
    }

    fn can_run(&self) -> bool {
        false
    }
}
