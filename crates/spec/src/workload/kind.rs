//! The interface of a workload to a specification.

use model::{LuaScript, WorkloadFile, WorkloadSpec};

use crate::values::{Edit, Values, Wrong};

/// A named workload, before its options are known.
pub(super) trait WorkloadKind: std::fmt::Debug + Send + Sync {
    /// The name that users type.
    fn name(&self) -> &str;

    /// The workloads that it shares its options with, as in the table of options.
    fn family(&self) -> &str;

    /// The database whose tables are meant where none is named.
    fn database(&self) -> &str;

    /// True if it changes rows.
    fn writes(&self) -> bool;

    /// A one-line summary.
    fn summary(&self) -> &str;

    /// True if it uses its first table alone, however many there are.
    fn reads_one_table(&self) -> bool {
        false
    }

    /// Whether it takes the options of that family.
    fn has_options_of(&self, family: &str) -> bool {
        family == self.family()
    }

    /// What its file says, if it comes from one in TOML.
    fn file(&self) -> Option<&WorkloadFile> {
        None
    }

    /// Its script, if it is one.
    fn script(&self) -> Option<&LuaScript> {
        None
    }

    /// The workload with all of its options.
    ///
    /// # Errors
    /// Options that exclude each other.
    fn options(&self, values: &Values) -> Result<WorkloadSpec, Wrong>;
}

/// The way back, implemented by a workload's options.
pub(super) trait AsEdits {
    /// Every option, as written.
    fn edits(&self) -> Vec<Edit>;
}
