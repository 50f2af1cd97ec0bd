//! Says whether the tables on a server are those that a run asks for, and if not, in which way.

use model::DataSet;
use wire::ConnectOptions;

use crate::{
    account::{Account, IfMissing},
    error::DataError,
    sysbench, tpcc,
};

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

/// Compares the tables with a data set. [`DataError::Missing`], [`DataError::Differs`] and the like say what is not right
/// and what to do about it.
pub fn check(connect: &ConnectOptions, data: &DataSet, depth: Depth) -> Result<Checked, DataError> {
    let account = Account::open(connect, IfMissing::Fail)?;
    match data {
        DataSet::Sysbench(data) => sysbench::check::check(&account, data, depth),
        DataSet::Tpcc(data) => tpcc::check::check(&account, data, depth),
    }
}
