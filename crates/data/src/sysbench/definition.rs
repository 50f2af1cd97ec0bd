//! The definition of sysbench's tables: how they are created, and how they are recognised.

use messages::number::{counted, thousands};
use model::SysbenchData;

use crate::{
    account::Session,
    catalog::{self, Catalog, Column, Index, Table},
    error::DataError,
    ledger::LEDGER,
};

/// The largest value of an INTEGER column.
pub(crate) const ID_MAX: u64 = i32::MAX as u64;

/// Every table whose name begins as sysbench's do, and the ledger.
pub(crate) fn read_catalog(session: &mut Session<'_>) -> Result<Catalog, DataError> {
    catalog::read(session, &format!("TABLE_NAME LIKE 'sbtest%' OR TABLE_NAME = '{LEDGER}'"))
}

/// Name of a table of the data set, from 1.
pub(crate) fn table_name(number: u32) -> String {
    format!("sbtest{number}")
}

/// The number in a name that sysbench gives.
pub(crate) fn table_number(name: &str) -> Option<u32> {
    let number = name.strip_prefix("sbtest")?.parse().ok().filter(|n| *n > 0)?;
    // "sbtest01" and "sbtest+1" are somebody else's.
    (table_name(number) == name).then_some(number)
}

/// The statement that creates a table, without the index on `k`. It uses IF NOT EXISTS, since a killed predecessor's
/// statement may still be running; its result is checked at the end.
pub(crate) fn create_table(data: &SysbenchData, number: u32) -> String {
    let name = table_name(number);
    if data.bulk {
        return format!(
            "CREATE TABLE IF NOT EXISTS {name} (id INTEGER NOT NULL, k INTEGER DEFAULT '0' NOT NULL, PRIMARY KEY (id))"
        );
    }
    let auto_increment = if data.auto_inc { " AUTO_INCREMENT" } else { "" };
    let key = if data.secondary { "KEY xid" } else { "PRIMARY KEY" };
    format!(
        "CREATE TABLE IF NOT EXISTS {name} (id INTEGER NOT NULL{auto_increment}, k INTEGER DEFAULT '0' NOT NULL, \
         c CHAR(120) DEFAULT '' NOT NULL, pad CHAR(60) DEFAULT '' NOT NULL, {key} (id)) ENGINE = {} {}",
        data.engine, data.table_options
    )
}

/// The statement that creates the index on `k`.
pub(crate) fn create_index(number: u32) -> String {
    format!("CREATE INDEX k_{number} ON {}(k)", table_name(number))
}

/// True if the finished tables have the index on `k`.
pub(crate) fn has_index(data: &SysbenchData) -> bool {
    data.create_secondary && !data.bulk
}

/// A table recognised as one of sysbench's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Definition {
    /// Only `id` and `k`.
    pub bulk: bool,
    pub auto_inc: bool,
    /// Index `xid` in place of the primary key.
    pub secondary: bool,
    /// The index on `k` is there.
    pub index: bool,
    /// Names of indexes that sysbench does not make.
    pub extra_indexes: Vec<String>,
}

impl Definition {
    /// Recognises a table, or gives the reason it is not one of sysbench's.
    pub fn of(table: &Table, number: u32) -> Result<Self, String> {
        if table.kind != "BASE TABLE" {
            return Err(format!("it is a {}", table.kind.to_lowercase()));
        }
        let bulk = table.columns.len() == 2;
        let expected = if bulk { &COLUMNS[..2] } else { &COLUMNS[..] };
        let names: Vec<&str> = table.columns.iter().map(|c| c.name.as_str()).collect();
        if !names.iter().eq(expected.iter().map(|(name, _)| name)) {
            return Err(format!("it has the columns {}, sysbench's have id, k, c, pad", names.join(", ")));
        }
        if let Some((column, _)) =
            table.columns.iter().zip(expected).find(|(column, (_, fits))| !fits(column))
        {
            return Err(format!(
                "its column {} ({}) is not defined as sysbench's",
                column.name, column.full_type
            ));
        }
        let auto_inc = table.columns[0].extra.contains("auto_increment");
        let mut definition =
            Self { bulk, auto_inc, secondary: false, index: false, extra_indexes: Vec::new() };
        definition.classify_indexes(&table.indexes, number)?;
        Ok(definition)
    }

    fn classify_indexes(&mut self, indexes: &[Index], number: u32) -> Result<(), String> {
        let index_name = format!("k_{number}");
        let mut primary = false;
        for index in indexes {
            match (index.name.as_str(), &index.columns[..]) {
                ("PRIMARY", [id]) if id == "id" => primary = true,
                ("xid", [id]) if id == "id" && !index.unique => self.secondary = true,
                (name, [k]) if name == index_name && k == "k" && !index.unique => self.index = true,
                (name, _) => self.extra_indexes.push(name.to_owned()),
            }
        }
        if primary == self.secondary {
            return Err("it has neither a primary key on id nor the index xid, or both".to_owned());
        }
        Ok(())
    }
}

/// Recognises a column.
type Fits = fn(&Column) -> bool;

/// The columns.
const COLUMNS: [(&str, Fits); 4] = [
    ("id", |c| is_integer(c) && c.default.is_none()),
    ("k", |c| is_integer(c) && c.default.as_deref() == Some("0")),
    ("c", |c| is_char(c, 120)),
    ("pad", |c| is_char(c, 60)),
];

fn is_integer(column: &Column) -> bool {
    column.data_type == "int" && !column.full_type.contains("unsigned") && !column.nullable
}

fn is_char(column: &Column, length: u64) -> bool {
    column.data_type == "char"
        && column.length == Some(length)
        && !column.nullable
        && column.default.as_deref() == Some("")
}

/// A clause about a table that is not what the data set asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Difference {
    /// Another program made the table: cleanup leaves it alone.
    Foreign(String),
    /// The table is sysbench's, of another size or form.
    Form(String),
}

impl Difference {
    pub fn text(self) -> String {
        match self {
            Self::Foreign(text) | Self::Form(text) => text,
        }
    }
}

impl From<String> for Difference {
    fn from(text: String) -> Self {
        Self::Form(text)
    }
}

/// Differences between a table's definition and the data set's, one clause each; empty if there are none. Additional
/// indexes are allowed: they are the user's decision.
pub(crate) fn differences(table: &Table, data: &SysbenchData, number: u32) -> Vec<Difference> {
    let name = table_name(number);
    let found = match Definition::of(table, number) {
        Ok(found) => found,
        Err(why) => {
            return vec![Difference::Foreign(format!("table {name} is not one of sysbench's ({why})"))];
        }
    };
    if found.bulk != data.bulk {
        let (has, asks) =
            if found.bulk { ("bulk_insert's two", "four") } else { ("four", "bulk_insert's two") };
        return vec![format!("table {name} has {has} columns, the run asks for {asks}").into()];
    }
    if data.bulk {
        return Vec::new();
    }
    let mut out = Vec::new();
    let mut compare = |found: bool, asked: bool, thing: &str| {
        let (has, wants) = if found { ("has", "without") } else { ("lacks", "with") };
        if found != asked {
            out.push(format!("table {name} {has} {thing}, the run asks for tables {wants} it").into());
        }
    };
    compare(found.auto_inc, data.auto_inc, "AUTO_INCREMENT");
    compare(found.secondary, data.secondary, "the index xid in place of the primary key");
    compare(found.index, has_index(data), &format!("the index k_{number}"));
    if !table.engine.eq_ignore_ascii_case(&data.engine) {
        let text = format!("table {name} uses engine {}, the run asks for {}", table.engine, data.engine);
        out.push(text.into());
    }
    out
}

/// The difference in the number of rows, as a clause.
pub(crate) fn rows_differ(number: u32, found: u64, asked: u64) -> String {
    format!(
        "table {} has {} rows, the run asks for {}",
        table_name(number),
        thousands(found),
        thousands(asked)
    )
}

/// Description of a data set.
pub(crate) fn describe(data: &SysbenchData) -> String {
    let tables = counted(data.tables.into(), "table");
    if data.bulk {
        return format!("{tables} of bulk_insert");
    }
    let mut out = format!("{tables} of {}", counted(data.table_size, "row"));
    let unusual = [
        (!data.auto_inc, " without AUTO_INCREMENT"),
        (data.secondary, " with the index xid"),
        (!data.create_secondary, " without the index on k"),
    ];
    out.extend(unusual.iter().filter(|(is, _)| *is).map(|(_, words)| *words));
    if !data.engine.eq_ignore_ascii_case("innodb") {
        out.push_str(" in ");
        out.push_str(&data.engine);
    }
    out
}
