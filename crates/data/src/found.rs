//! Findings about tables, and tables removed.

/// The depth of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Definitions, and whether the keys cover the expected range: milliseconds, before every run. Rows that earlier runs
    /// deleted or added are accepted.
    Present,
    /// Counts every row, over this number of connections.
    Exact {
        /// Connections at once.
        connections: u32,
    },
}

/// Tables that match the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Number of tables.
    pub tables: u32,
    /// Rows in all; none unless they were counted.
    pub rows: Option<u64>,
    /// Findings that a user should know although they do not prevent use.
    pub cautions: Vec<String>,
}

/// The tables that were removed, and those that were not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cleaned {
    /// Tables dropped.
    pub dropped: Vec<String>,
    /// Tables with names like theirs that were left alone.
    pub left: Vec<Left>,
}

/// A table left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// Its name.
    pub table: String,
    /// The reason, as a clause.
    pub reason: String,
}
