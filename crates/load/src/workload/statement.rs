//! Statements of a workload that are fixed in advance.

use std::borrow::Cow;

use model::OperationKind;

use crate::recorder::{Operation, QueryKind};

/// One class of statement.
pub(crate) const fn statement(name: &'static str, query: QueryKind, template: &'static str) -> Operation {
    Operation {
        name: Cow::Borrowed(name),
        kind: OperationKind::Statement,
        query,
        template: Cow::Borrowed(template),
    }
}

/// A statement: its text, and the parts between its question marks.
pub(crate) struct Text {
    pub sql: String,
    pub pieces: Vec<String>,
}

impl Text {
    pub fn new(sql: String) -> Self {
        let pieces = sql.split('?').map(str::to_owned).collect();
        Self { sql, pieces }
    }
}
