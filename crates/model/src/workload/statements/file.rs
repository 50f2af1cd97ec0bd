//! A workload as it is written in a file. The types are the form of the file: what is read is written the same.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer, StrDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::generator::ValueDefinition;
use crate::workload::isolation::Isolation;

/// A workload in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkloadFile {
    /// Its name in reports; without one it is called as its file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What it does, in a line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// The database of its tables where a target names none.
    #[serde(default = "database", skip_serializing_if = "is_usual_database")]
    pub database: String,
    /// Isolation level of the clients; none: that of the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isolation: Option<Isolation>,
    /// Whether statements are prepared on the server, or sent as text.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub prepared: bool,
    /// Statements that each client runs when it has connected; they are not measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub connect: Vec<String>,
    /// Codes of server errors after which a transaction is tried again; none: deadlock, lock wait timeout, record changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<Vec<u16>>,
    /// How the next transaction is chosen.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mix: Mix,
    /// What the weights are shares of.
    #[serde(default, skip_serializing_if = "is_default")]
    pub weights: WeightsOf,
    /// Values that several transactions use.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, ValueDefinition>,
    /// Its tables; none: they exist.
    #[serde(default, rename = "table", skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<TableDefinition>,
    /// Its transactions.
    #[serde(rename = "transaction")]
    pub transactions: Vec<TransactionDefinition>,
}

/// How a client chooses its next transaction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mix {
    /// At random, by weight.
    #[default]
    Random,
    /// From a shuffled deck that holds each as often as its weight says, so that the mix is exact.
    Exact,
}

/// What the weights of transactions are shares of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WeightsOf {
    /// All transactions.
    #[default]
    Transactions,
    /// All statements.
    Statements,
}

/// A table that is made and filled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableDefinition {
    /// Its name.
    pub name: String,
    /// Number of rows, before the scale.
    pub rows: u64,
    /// Its columns.
    #[serde(rename = "column")]
    pub columns: Vec<ColumnDefinition>,
    /// Columns of the primary key; none: there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_more")]
    pub primary_key: Vec<String>,
    /// Secondary indexes, each as in `CREATE TABLE` between the parentheses; `UNIQUE` may stand before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_more")]
    pub indexes: Vec<String>,
    /// Text after `CREATE TABLE (...)`, such as `ROW_FORMAT=COMPRESSED`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub options: String,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnDefinition {
    /// Its name.
    pub name: String,
    /// Its type with everything that follows it in `CREATE TABLE`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What its values are drawn from; none: the server fills it (generated, AUTO_INCREMENT, DEFAULT).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<ValueDefinition>,
}

/// A kind of transaction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransactionDefinition {
    /// Its name.
    pub name: String,
    /// Its share.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub weight: u32,
    /// Whether each statement commits by itself; left out: where there is only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub autocommit: Option<bool>,
    /// Mean seconds that a client thinks after it (negative exponential).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub think: f64,
    /// Its statements.
    #[serde(rename = "statement", deserialize_with = "one_or_more")]
    pub statements: Vec<StatementDefinition>,
    /// Its values, drawn once for each of its runs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, ValueDefinition>,
}

/// A statement of a transaction: its text alone, or a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StatementDefinition {
    /// Its name; left out: that of its transaction, and its number.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Its text, with `:name` for each parameter.
    pub sql: String,
    /// How often it runs.
    #[serde(skip_serializing_if = "is_default")]
    pub repeat: Repeat,
    /// Probability that it runs at all.
    #[serde(skip_serializing_if = "is_certain")]
    pub probability: f64,
    /// It runs only if the statement of this name has returned or changed a row.
    #[serde(rename = "if", skip_serializing_if = "Option::is_none")]
    pub only_if: Option<String>,
    /// It runs only if the statement of this name has returned and changed no row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unless: Option<String>,
    /// Names for the columns of the first row that it returns, for the statements after it; NULL if there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keep: Vec<String>,
}

/// How often a statement runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Repeat {
    /// This often.
    Times(u32),
    /// From the first to the last number of times, each equally likely.
    Between(u32, u32),
}

impl Default for Repeat {
    fn default() -> Self {
        Self::Times(1)
    }
}

impl Repeat {
    /// The least and the greatest number.
    pub fn ends(self) -> (u32, u32) {
        match self {
            Self::Times(times) => (times, times),
            Self::Between(from, to) => (from, to),
        }
    }
}

impl TransactionDefinition {
    /// Whether each statement commits by itself.
    pub fn commits_each(&self) -> bool {
        self.autocommit.unwrap_or(match self.statements.as_slice() {
            [only] => only.repeat == Repeat::Times(1),
            _ => false,
        })
    }

    /// Name of a statement.
    pub fn statement_name(&self, at: usize) -> String {
        match self.statements.get(at) {
            Some(statement) if !statement.name.is_empty() => statement.name.clone(),
            _ => format!("{}_{}", self.name, at + 1),
        }
    }

    /// Mean number of statements, as far as it does not depend on what is found.
    pub fn mean_statements(&self) -> f64 {
        let mean = |statement: &StatementDefinition| {
            let (from, to) = statement.repeat.ends();
            statement.probability * (f64::from(from) + f64::from(to)) / 2.0
        };
        self.statements.iter().map(mean).sum()
    }
}

/// A statement that is written as a table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenStatement {
    #[serde(default)]
    name: String,
    sql: String,
    #[serde(default)]
    repeat: Repeat,
    #[serde(default = "certain")]
    probability: f64,
    #[serde(default, rename = "if")]
    only_if: Option<String>,
    #[serde(default)]
    unless: Option<String>,
    #[serde(default, deserialize_with = "one_or_more")]
    keep: Vec<String>,
}

impl From<&str> for StatementDefinition {
    fn from(sql: &str) -> Self {
        Self {
            name: String::new(),
            sql: sql.to_owned(),
            repeat: Repeat::default(),
            probability: 1.0,
            only_if: None,
            unless: None,
            keep: Vec::new(),
        }
    }
}

impl<'de> Deserialize<'de> for StatementDefinition {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Read;

        impl<'de> Visitor<'de> for Read {
            type Value = StatementDefinition;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a statement, or a table with sql = \"...\"")
            }

            fn visit_str<E: Error>(self, sql: &str) -> Result<StatementDefinition, E> {
                Ok(sql.into())
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<StatementDefinition, A::Error> {
                let WrittenStatement { name, sql, repeat, probability, only_if, unless, keep } =
                    WrittenStatement::deserialize(MapAccessDeserializer::new(map))?;
                Ok(StatementDefinition { name, sql, repeat, probability, only_if, unless, keep })
            }
        }

        from.deserialize_any(Read)
    }
}

/// Reads a list, or the only element of one.
fn one_or_more<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    struct Read<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Read<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("text, or a list")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Vec<T>, E> {
            Ok(vec![T::deserialize(StrDeserializer::new(text))?])
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Vec<T>, A::Error> {
            Ok(vec![T::deserialize(MapAccessDeserializer::new(map))?])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Vec<T>, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(list))
        }
    }

    from.deserialize_any(Read(PhantomData))
}

fn database() -> String {
    "mydyno".to_owned()
}

fn is_usual_database(name: &str) -> bool {
    name == database()
}

fn yes() -> bool {
    true
}

fn one() -> u32 {
    1
}

fn certain() -> f64 {
    1.0
}

// serde gives them a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_yes(on: &bool) -> bool {
    *on
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_one(number: &u32) -> bool {
    *number == 1
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_certain(probability: &f64) -> bool {
    *probability == 1.0
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
