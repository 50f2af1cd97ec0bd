//! One statement of each kind that a workload sends, with values in it, for EXPLAIN.

use crate::recorder::Operation;

/// A statement as a server could get it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The operation that it is one of.
    pub operation: String,
    /// The statement.
    pub sql: String,
    /// Whether it changes nothing and takes no locks.
    pub only_reads: bool,
}

/// The statement of an operation on the first table. `value` gives the value of each `?` from the text before it.
pub(crate) fn sample(operation: &Operation, value: impl Fn(&str) -> String) -> Sample {
    let mut parts = operation.template.split('?');
    let mut sql = parts.next().unwrap_or_default().replace("%u", "1");
    for part in parts {
        sql = format!("{sql}{}{part}", value(&sql));
    }
    let only_reads = sql.starts_with("SELECT") && !sql.contains("FOR UPDATE");
    Sample { operation: operation.name.to_string(), sql, only_reads }
}
