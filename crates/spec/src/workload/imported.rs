//! A workload run by another tool has no options.

use model::ImportedWorkload;

use super::kind::AsEdits;
use crate::values::Edit;

impl AsEdits for ImportedWorkload {
    fn edits(&self) -> Vec<Edit> {
        Vec::new()
    }
}
