//! The ledger: a table beside the data that says which chunks are loaded, so that a load can be resumed.
//!
//! A chunk's row in the ledger is written in the chunk's own transaction: either both are there or neither. Its primary key
//! makes it impossible to load a chunk twice, even if a killed predecessor's last transaction is still in flight. The
//! table's comment describes the data being loaded, because it is created atomically with the table.

use std::collections::BTreeSet;

use model::DataSet;

use crate::{
    account::Session,
    catalog::{Catalog, Table},
    described::described,
    error::DataError,
    found::{Cleaned, Left},
};

/// Name of the table.
pub(crate) const LEDGER: &str = "mydyno_prepare";

/// Begins the table's comment, with the version of its format.
const MARK: &str = "mydyno prepare 1 ";

const WHAT: &str = "keeping the list of loaded chunks in table mydyno_prepare";

/// Chunk number that marks a table as complete before, or (table 0) the load as begun.
const WHOLE: &str = "-1";

/// The heading of a ledger: the data being loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Heading {
    /// Seed of the rows. A resumed load keeps the seed it began with.
    pub seed: u64,
    pub chunk_rows: u64,
    /// Hash of the data set.
    data: u64,
    /// The data set in words.
    pub summary: String,
}

impl Heading {
    pub fn new(data: &DataSet, seed: u64, chunk_rows: u64) -> Self {
        let summary = described(data).describe();
        Self { seed, chunk_rows, data: described(data).identity(), summary }
    }

    /// Reads a heading from a table, if that is a ledger.
    pub fn of(table: &Table) -> Option<Self> {
        let rest = table.comment.strip_prefix(MARK)?;
        let (fields, summary) = rest.split_once(": ")?;
        let field = |name: &str| {
            fields.split_whitespace().find_map(|field| field.strip_prefix(name)?.strip_prefix('='))
        };
        Some(Self {
            seed: field("seed")?.parse().ok()?,
            chunk_rows: field("chunk_rows")?.parse().ok().filter(|rows| *rows > 0)?,
            data: u64::from_str_radix(field("data")?, 16).ok()?,
            summary: summary.to_owned(),
        })
    }

    /// Whether it describes that data set.
    pub fn is_about(&self, data: &DataSet) -> bool {
        self.data == described(data).identity()
    }

    /// The family of its tables: the first word of their description. Those of sysbench's begin with their number.
    pub fn family(&self) -> &str {
        let word = self.summary.split(' ').next().unwrap_or_default();
        if word.starts_with(|first: char| first.is_ascii_digit()) { "sysbench" } else { word }
    }

    fn comment(&self) -> String {
        let Self { seed, chunk_rows, data, summary, .. } = self;
        format!("{MARK}seed={seed} chunk_rows={chunk_rows} data={data:016x}: {summary}")
    }
}

/// The entries of a ledger.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Entries {
    /// The tables to be loaded have been decided on. Without that nothing has been created yet.
    pub begun: bool,
    /// Tables, or warehouses, that were there before.
    pub whole: BTreeSet<u32>,
    /// Chunks that are loaded, as table (or warehouse) and number.
    pub chunks: BTreeSet<(u32, u32)>,
}

/// The ledger of an interrupted load; none if there is none. `differ` reports that a foreign table has its name.
pub(crate) fn broken_off(
    session: &mut Session<'_>,
    catalog: &Catalog,
    data: &DataSet,
    differ: impl FnOnce(Vec<String>) -> DataError,
) -> Result<Option<(Heading, Entries)>, DataError> {
    let Some(table) = catalog.get(LEDGER) else { return Ok(None) };
    let Some(heading) = Heading::of(table) else {
        let reason =
            format!("table {LEDGER} stands where mydyno keeps its list of loaded chunks, and is not its own");
        return Err(differ(vec![reason]));
    };
    let entries = read(session)?;
    if !entries.begun {
        // Its maker was killed before it created anything else.
        remove(session)?;
        return Ok(None);
    }
    if !heading.is_about(data) {
        let database = session.account.database.clone();
        return Err(DataError::Unfinished {
            database,
            found: heading.summary,
            asked: described(data).describe(),
        });
    }
    Ok(Some((heading, entries)))
}

/// Creates the ledger and begins it.
pub(crate) fn create(
    session: &mut Session<'_>,
    heading: &Heading,
    engine: &str,
    whole: &BTreeSet<u32>,
) -> Result<(), DataError> {
    let comment = heading.comment();
    session.execute(
        WHAT,
        &format!(
            "CREATE TABLE {LEDGER} (table_number INT NOT NULL, chunk INT NOT NULL, PRIMARY KEY (table_number, chunk)) \
             ENGINE = {engine} COMMENT = '{comment}'"
        ),
    )?;
    let entries: Vec<String> =
        std::iter::once(&0).chain(whole).map(|table| format!("({table}, {WHOLE})")).collect();
    session.execute(WHAT, &format!("INSERT INTO {LEDGER} VALUES {}", entries.join(", "))).map(drop)
}

/// Reads the ledger.
pub(crate) fn read(session: &mut Session<'_>) -> Result<Entries, DataError> {
    let mut entries = Entries::default();
    for row in session.query(WHAT, &format!("SELECT table_number, chunk FROM {LEDGER}"))?.rows {
        let (Some(table), Some(chunk)) = (row.parse::<u32>(0), row.text(1)) else {
            return Err(DataError::Answer { what: WHAT.to_owned(), expected: "numbers" });
        };
        match (table, chunk) {
            (0, WHOLE) => entries.begun = true,
            (table, WHOLE) => drop(entries.whole.insert(table)),
            (table, chunk) => {
                entries.chunks.extend(chunk.parse().ok().map(|chunk| (table, chunk)));
            }
        }
    }
    Ok(entries)
}

/// The statement that enters a chunk.
pub(crate) fn enter(table: u32, chunk: u32) -> String {
    format!("INSERT INTO {LEDGER} VALUES ({table}, {chunk})")
}

/// Removes the ledger: the load is complete, or given up.
pub(crate) fn remove(session: &mut Session<'_>) -> Result<(), DataError> {
    session.execute("removing table mydyno_prepare", &format!("DROP TABLE IF EXISTS {LEDGER}")).map(drop)
}

/// Drops the ledger if it is about that family. This comes first, so that being killed after it leaves tables without a
/// ledger, which no prepare will take for finished.
pub(crate) fn drop_ledger(
    session: &mut Session<'_>,
    catalog: &mut Catalog,
    family: &str,
    cleaned: &mut Cleaned,
) -> Result<(), DataError> {
    let Some(table) = catalog.remove(LEDGER) else { return Ok(()) };
    match Heading::of(&table) {
        Some(heading) if heading.family() == family => {
            remove(session)?;
            cleaned.dropped.push(LEDGER.to_owned());
        }
        Some(heading) => {
            let reason = format!("it belongs to an unfinished mydyno prepare {}", heading.summary);
            cleaned.left.push(Left { table: LEDGER.to_owned(), reason });
        }
        None => {
            let reason = "mydyno did not make it".to_owned();
            cleaned.left.push(Left { table: LEDGER.to_owned(), reason });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::SysbenchData;

    fn tables() -> SysbenchData {
        SysbenchData {
            tables: 4,
            table_size: 10_000,
            auto_inc: true,
            secondary: false,
            create_secondary: true,
            engine: "innodb".to_owned(),
            table_options: String::new(),
            bulk: false,
        }
    }

    fn data() -> DataSet {
        DataSet::Sysbench(tables())
    }

    #[test]
    fn a_heading_survives_the_comment() {
        let heading = Heading::new(&data(), u64::MAX, 20_000);
        let table = Table { comment: heading.comment(), ..Table::default() };
        assert_eq!(Heading::of(&table), Some(heading.clone()));
        assert_eq!(heading.summary, "4 tables of 10,000 rows");
    }

    #[test]
    fn other_comments_are_no_headings() {
        for comment in [
            "",
            "mydyno prepare 1",
            "mydyno prepare 1 seed=1: x",
            "mydyno prepare 2 seed=1 chunk_rows=1 data=1: x",
        ] {
            assert_eq!(
                Heading::of(&Table { comment: comment.to_owned(), ..Table::default() }),
                None,
                "{comment}"
            );
        }
    }

    #[test]
    fn a_heading_knows_its_data_set() {
        let heading = Heading::new(&data(), 1, 20_000);
        assert!(
            heading.is_about(&DataSet::Sysbench(SysbenchData { engine: "InnoDB".to_owned(), ..tables() }))
        );
        assert!(!heading.is_about(&DataSet::Sysbench(SysbenchData { table_size: 10_001, ..tables() })));
        assert!(!heading.is_about(&DataSet::Sysbench(SysbenchData { auto_inc: false, ..tables() })));
    }
}
