//! What is found of tables, and what is removed of them.

/// How closely to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Definitions, and whether the keys reach as far as they should: milliseconds, before every run. Rows that earlier
    /// runs deleted or added are accepted.
    Present,
    /// Every row is counted, over so many connections.
    Exact {
        /// Connections at once.
        connections: u32,
    },
}

/// Tables that are what they should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Number of tables.
    pub tables: u32,
    /// Rows in all; none unless they were counted.
    pub rows: Option<u64>,
    /// What a user should know although it does not stand in the way.
    pub cautions: Vec<String>,
}

/// What was removed, and what was not.
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
    /// Why, as a clause.
    pub reason: String,
}
