//! The server's catalog of the database: tables of certain names, with their columns and indexes.

use std::collections::BTreeMap;

use wire::{ResultSet, Row};

use crate::{account::Session, error::DataError};

/// A table as information_schema describes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Table {
    /// `BASE TABLE`, `VIEW`, ...
    pub kind: String,
    pub engine: String,
    pub comment: String,
    pub columns: Vec<Column>,
    pub indexes: Vec<Index>,
}

/// A column, in the table's order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Column {
    pub name: String,
    /// `int`, `char`, ... in lower case.
    pub data_type: String,
    /// The type with length and attributes, `int unsigned`.
    pub full_type: String,
    pub length: Option<u64>,
    pub nullable: bool,
    /// The default, without quotes.
    pub default: Option<String>,
    /// `auto_increment` and the like, in lower case.
    pub extra: String,
}

/// An index and its columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Index {
    pub name: String,
    pub unique: bool,
    pub columns: Vec<String>,
}

/// Tables by name.
pub(crate) type Catalog = BTreeMap<String, Table>;

const WHAT: &str = "reading the table definitions";

/// Reads every table whose name fits a condition on `TABLE_NAME`.
pub(crate) fn read(session: &mut Session<'_>, names: &str) -> Result<Catalog, DataError> {
    let filter = format!("TABLE_SCHEMA = DATABASE() AND ({names})");
    let mut catalog = Catalog::new();
    let columns = "TABLE_NAME, TABLE_TYPE, ENGINE, TABLE_COMMENT";
    for row in select(session, columns, "TABLES", &filter)?.rows {
        let [kind, engine, comment] = [1, 2, 3].map(|i| text(&row, i));
        catalog.insert(text(&row, 0), Table { kind, engine, comment, ..Table::default() });
    }
    let columns = "TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, CHARACTER_MAXIMUM_LENGTH, IS_NULLABLE, \
                   COLUMN_DEFAULT, EXTRA";
    for row in select(session, columns, "COLUMNS", &format!("{filter} ORDER BY ORDINAL_POSITION"))?.rows {
        if let Some(table) = catalog.get_mut(&text(&row, 0)) {
            table.columns.push(column(&row));
        }
    }
    let columns = "TABLE_NAME, INDEX_NAME, NON_UNIQUE, COLUMN_NAME, SUB_PART";
    for row in
        select(session, columns, "STATISTICS", &format!("{filter} ORDER BY INDEX_NAME, SEQ_IN_INDEX"))?.rows
    {
        if let Some(table) = catalog.get_mut(&text(&row, 0)) {
            add_to_index(&mut table.indexes, &row);
        }
    }
    for table in catalog.values_mut() {
        hide_invisible(table);
    }
    Ok(catalog)
}

/// Whether one of these tables exists although the catalog lacks it. MariaDB lists a directory's files, and can miss a
/// table whose definition a killed predecessor's statement is just exchanging; asking for the table itself waits for that
/// statement.
pub(crate) fn overlooks(
    catalog: &Catalog,
    session: &mut Session<'_>,
    names: impl IntoIterator<Item = String>,
) -> bool {
    let absent = names.into_iter().filter(|name| !catalog.contains_key(name));
    absent.into_iter().any(|name| session.query(WHAT, &format!("SELECT 1 FROM {name} LIMIT 0")).is_ok())
}

fn select(
    session: &mut Session<'_>,
    columns: &str,
    from: &str,
    filter: &str,
) -> Result<ResultSet, DataError> {
    session.query(WHAT, &format!("SELECT {columns} FROM information_schema.{from} WHERE {filter}"))
}

fn text(row: &Row, index: usize) -> String {
    row.text(index).unwrap_or_default().to_owned()
}

fn column(row: &Row) -> Column {
    Column {
        name: text(row, 1),
        data_type: text(row, 2).to_lowercase(),
        full_type: text(row, 3).to_lowercase(),
        length: row.parse(4),
        nullable: row.text(5) == Some("YES"),
        // MariaDB quotes defaults that are strings.
        default: row.text(6).map(|value| value.trim_matches('\'').to_owned()),
        extra: text(row, 7).to_lowercase(),
    }
}

/// Rows come in the order of index and column.
fn add_to_index(indexes: &mut Vec<Index>, row: &Row) {
    let name = text(row, 1);
    if indexes.last().is_none_or(|last| last.name != name) {
        indexes.push(Index { name, unique: row.text(2) == Some("0"), columns: Vec::new() });
    }
    // Part of a column (`c(10)`), or an expression in the place of one, is not the column.
    let part = row.text(4).map(|length| format!("({length})")).unwrap_or_default();
    let column = row.text(3).unwrap_or("expression");
    if let Some(last) = indexes.last_mut() {
        last.columns.push(format!("{column}{part}"));
    }
}

/// Leaves out columns that no statement sees unless it names them, with their indexes: MySQL gives tables without a
/// primary key one of these if sql_generate_invisible_primary_key is on.
fn hide_invisible(table: &mut Table) {
    let (hidden, shown): (Vec<_>, Vec<_>) =
        std::mem::take(&mut table.columns).into_iter().partition(|column| column.extra.contains("invisible"));
    table.columns = shown;
    table.indexes.retain(|index| !hidden.iter().any(|column| index.columns.contains(&column.name)));
}
