//! The statements of sysbench's workloads: one table, from which operations, texts and counts are taken.

use model::SysbenchOptions;

use crate::recorder::{Operation, OperationIndex, QueryKind, transactions};
use crate::workload::statement::{Text, statement};

pub(super) const BEGIN: OperationIndex = 2;
pub(super) const COMMIT: OperationIndex = 3;
pub(super) const ROLLBACK: OperationIndex = 4;
pub(super) const POINT_SELECT: OperationIndex = 5;
pub(super) const SIMPLE_RANGE: OperationIndex = 6;
pub(super) const SUM_RANGE: OperationIndex = 7;
pub(super) const ORDER_RANGE: OperationIndex = 8;
pub(super) const DISTINCT_RANGE: OperationIndex = 9;
pub(super) const INDEX_UPDATE: OperationIndex = 10;
pub(super) const NON_INDEX_UPDATE: OperationIndex = 11;
pub(super) const DELETE: OperationIndex = 12;
pub(super) const INSERT: OperationIndex = 13;
pub(super) const RANDOM_POINTS: OperationIndex = 14;
pub(super) const RANDOM_RANGES: OperationIndex = 15;
pub(super) const BULK_INSERT: OperationIndex = 16;

/// Every operation of sysbench's workloads, in the order of the indexes above. `%u` is the number of a table.
pub(super) static OPERATIONS: [Operation; 17] = [
    transactions("transaction"),
    transactions("retried"),
    statement("begin", QueryKind::Other, "BEGIN"),
    statement("commit", QueryKind::Other, "COMMIT"),
    statement("rollback", QueryKind::Other, "ROLLBACK"),
    statement("point_select", QueryKind::Read, "SELECT c FROM sbtest%u WHERE id=?"),
    statement("simple_range", QueryKind::Read, "SELECT c FROM sbtest%u WHERE id BETWEEN ? AND ?"),
    statement("sum_range", QueryKind::Read, "SELECT SUM(k) FROM sbtest%u WHERE id BETWEEN ? AND ?"),
    statement("order_range", QueryKind::Read, "SELECT c FROM sbtest%u WHERE id BETWEEN ? AND ? ORDER BY c"),
    statement(
        "distinct_range",
        QueryKind::Read,
        "SELECT DISTINCT c FROM sbtest%u WHERE id BETWEEN ? AND ? ORDER BY c",
    ),
    statement("index_update", QueryKind::Write, "UPDATE sbtest%u SET k=k+1 WHERE id=?"),
    statement("non_index_update", QueryKind::Write, "UPDATE sbtest%u SET c=? WHERE id=?"),
    statement("delete", QueryKind::Write, "DELETE FROM sbtest%u WHERE id=?"),
    statement("insert", QueryKind::Write, "INSERT INTO sbtest%u (id, k, c, pad) VALUES (?, ?, ?, ?)"),
    statement("random_points", QueryKind::Read, "SELECT id, k, c, pad FROM sbtest%u WHERE k IN (?, ...)"),
    statement(
        "random_ranges",
        QueryKind::Read,
        "SELECT count(k) FROM sbtest%u WHERE k BETWEEN ? AND ? OR ...",
    ),
    statement("bulk_insert", QueryKind::Write, "INSERT INTO sbtest%u VALUES (?, ?), ..."),
];

/// The texts of the statements that are prepared per table, shared by all clients of a worker.
pub(super) struct Catalog {
    tables: usize,
    texts: Vec<Option<Text>>,
}

impl Catalog {
    pub fn new(options: &SysbenchOptions) -> Self {
        let tables = options.tables as usize;
        let texts = OPERATIONS.iter().enumerate().flat_map(|(operation, entry)| {
            (1..=tables).map(move |table| {
                let per_table = (POINT_SELECT..=INSERT).contains(&operation);
                per_table.then(|| Text::new(entry.template.replace("%u", &table.to_string())))
            })
        });
        Self { tables, texts: texts.collect() }
    }

    /// Index of a statement on a table (from 0), here and in a client's own list.
    pub fn place(&self, operation: OperationIndex, table: usize) -> usize {
        operation * self.tables + table
    }

    /// Number of places.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// The text of a per-table statement.
    pub fn text(&self, operation: OperationIndex, table: usize) -> &Text {
        self.texts[self.place(operation, table)].as_ref().expect("only per-table statements are asked for")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorder::{RETRIED, TRANSACTION};

    #[test]
    fn texts_name_their_table_and_fall_apart_at_question_marks() {
        let catalog = Catalog::new(&SysbenchOptions { tables: 3, ..SysbenchOptions::default() });
        let text = catalog.text(SIMPLE_RANGE, 2);
        assert_eq!(text.sql, "SELECT c FROM sbtest3 WHERE id BETWEEN ? AND ?");
        assert_eq!(text.pieces, ["SELECT c FROM sbtest3 WHERE id BETWEEN ", " AND ", ""]);
    }

    #[test]
    fn indexes_agree_with_the_table() {
        for (index, name) in [
            (TRANSACTION, "transaction"),
            (RETRIED, "retried"),
            (BEGIN, "begin"),
            (ROLLBACK, "rollback"),
            (POINT_SELECT, "point_select"),
            (INSERT, "insert"),
            (BULK_INSERT, "bulk_insert"),
        ] {
            assert_eq!(OPERATIONS[index].name, name);
        }
    }
}
