//! How the tables are created, and how they are recognised: by a mark in their comment.

use model::{StatementsData, TableDefinition};

use crate::account::{Session, fingerprint, quoted_name};
use crate::catalog::{self, Catalog, Table};
use crate::error::DataError;
use crate::ledger::LEDGER;

/// Begins the comment of every table that is made from a file.
const MARK: &str = "mydyno table ";

/// The tables of the data set that are there, and the ledger.
pub(super) fn read_catalog(session: &mut Session<'_>, data: &StatementsData) -> Result<Catalog, DataError> {
    let names = data.tables.iter().map(|table| table.name.as_str()).chain([LEDGER]);
    let names: Vec<String> =
        names.map(|name| format!("'{}'", name.replace('\\', "\\\\").replace('\'', "''"))).collect();
    catalog::read(session, &format!("TABLE_NAME IN ({})", names.join(", ")))
}

/// The table of a number, from 1.
pub(super) fn table_of(data: &StatementsData, number: u32) -> Option<&TableDefinition> {
    data.tables.get((number as usize).checked_sub(1)?)
}

/// Its name as SQL takes it.
pub(super) fn sql_name(data: &StatementsData, number: u32) -> String {
    table_of(data, number).map(|table| quoted_name(&table.name)).unwrap_or_default()
}

/// The statement that creates a table, without its secondary indexes.
pub(super) fn create_table(data: &StatementsData, table: &TableDefinition) -> String {
    let mut parts: Vec<String> =
        table.columns.iter().map(|column| format!("{} {}", quoted_name(&column.name), column.kind)).collect();
    if !table.primary_key.is_empty() {
        let columns: Vec<String> = table.primary_key.iter().map(|name| quoted_name(name)).collect();
        parts.push(format!("PRIMARY KEY ({})", columns.join(", ")));
    }
    format!(
        "CREATE TABLE IF NOT EXISTS {} ({}) ENGINE = {} {} COMMENT = '{}'",
        quoted_name(&table.name),
        parts.join(", "),
        data.engine,
        table.options,
        comment(data, table)
    )
}

/// Name of the index of that place, from 0.
fn index_name(at: usize) -> String {
    format!("k_{}", at + 1)
}

/// The statement that creates all secondary indexes at once; none if there are none.
pub(super) fn create_indexes(table: &TableDefinition) -> Option<String> {
    let add = |(at, written): (usize, &String)| {
        let words = written.trim();
        let (kind, columns) = ["UNIQUE", "FULLTEXT", "SPATIAL"]
            .into_iter()
            .find_map(|kind| {
                let (first, rest) = words.split_at_checked(kind.len())?;
                let ends = rest.starts_with([' ', '(']);
                (first.eq_ignore_ascii_case(kind) && ends).then(|| (format!("{kind} "), rest.trim()))
            })
            .unwrap_or_else(|| (String::new(), words));
        let columns = columns.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(columns);
        format!("ADD {kind}INDEX {} ({columns})", index_name(at))
    };
    let all: Vec<String> = table.indexes.iter().enumerate().map(add).collect();
    (!all.is_empty()).then(|| format!("ALTER TABLE {} {}", quoted_name(&table.name), all.join(", ")))
}

/// Whether a table has its secondary indexes, which come together.
pub(super) fn is_indexed(found: &Table) -> bool {
    found.indexes.iter().any(|index| index.name == index_name(0))
}

/// The comment of a table: everything that decides what it looks like, as a hash.
fn comment(data: &StatementsData, table: &TableDefinition) -> String {
    format!("{MARK}{:016x}", identity(data, table))
}

/// Hash of what decides the looks of a table.
pub(super) fn identity(data: &StatementsData, table: &TableDefinition) -> u64 {
    // Its values may depend on the sizes of the others.
    let drawn = table.columns.iter().flat_map(|column| &column.value);
    let named: Vec<String> = drawn
        .flat_map(|value| value.generator.tables().into_iter().map(str::to_owned).collect::<Vec<_>>())
        .map(|name| format!("{name} {:?}", data.sizes().get(&name)))
        .collect();
    fingerprint(&format!("{} {table:?} {named:?}", data.engine.to_lowercase()))
}

/// Whether mydyno made a table from a file.
pub(super) fn is_marked(found: &Table) -> bool {
    found.comment.starts_with(MARK)
}

/// How a table that is there differs from the one that is asked for.
pub(super) fn difference(data: &StatementsData, table: &TableDefinition, found: &Table) -> Option<String> {
    let name = &table.name;
    if !is_marked(found) {
        return Some(format!("table {name} exists, and mydyno did not create it"));
    }
    (found.comment != comment(data, table))
        .then(|| format!("table {name} was created from a different definition or at a different scale"))
}
