//! The rules of a workload in a file that its form alone does not enforce.

use std::collections::{BTreeMap, BTreeSet};

use super::file::{StatementDefinition, TableDefinition, TransactionDefinition, WorkloadFile};
use super::generator::{TableSizes, ValueDefinition, ValueGenerator};
use super::sql::StatementText;

/// Values by name.
type Values = BTreeMap<String, ValueDefinition>;

impl WorkloadFile {
    /// Checks that names are known and used once, and that every value can be drawn.
    ///
    /// # Errors
    /// The first rule that is broken, and where.
    pub fn check(&self) -> Result<(), String> {
        let sizes = self.sizes(1.0);
        if self.transactions.is_empty() {
            return Err("it has no [[transaction]]".to_owned());
        }
        if self.transactions.iter().all(|one| one.weight == 0) {
            return Err("all transactions have the weight 0".to_owned());
        }
        distinct("table", self.tables.iter().map(|one| one.name.clone()))?;
        distinct("transaction", self.transactions.iter().map(|one| one.name.clone()))?;
        let named = |one: &TransactionDefinition| {
            (0..one.statements.len()).map(|at| one.statement_name(at)).collect::<Vec<_>>()
        };
        let statements = self.transactions.iter().flat_map(named);
        distinct("statement", statements.chain(RESERVED.map(str::to_owned)))?;
        check_values(&self.values, &BTreeMap::new(), &sizes)?;
        for table in &self.tables {
            table.check(&sizes).map_err(|why| format!("table {}: {why}", table.name))?;
        }
        for transaction in &self.transactions {
            let wrong = |why| format!("transaction {}: {why}", transaction.name);
            self.check_transaction(transaction, &sizes).map_err(wrong)?;
        }
        Ok(())
    }

    /// Rows of its tables at a scale.
    pub fn sizes(&self, scale: f64) -> TableSizes {
        self.tables.iter().map(|one| (one.name.clone(), one.rows_at(scale))).collect()
    }

    fn check_transaction(&self, one: &TransactionDefinition, sizes: &TableSizes) -> Result<(), String> {
        if one.statements.is_empty() {
            return Err("it has no statement".to_owned());
        }
        if !one.think.is_finite() || one.think < 0.0 {
            return Err(format!("think is a number of seconds, not {}", one.think));
        }
        check_values(&one.values, &self.values, sizes)?;
        let mut known: BTreeSet<&str> =
            self.values.keys().chain(one.values.keys()).map(String::as_str).collect();
        let mut before: BTreeSet<String> = BTreeSet::new();
        for (at, statement) in one.statements.iter().enumerate() {
            let name = one.statement_name(at);
            statement.check(&known, &before).map_err(|why| format!("statement {name}: {why}"))?;
            if let Some(twice) = statement.keep.iter().find(|kept| known.contains(kept.as_str())) {
                return Err(format!("statement {name}: it keeps {twice}, which has a value already"));
            }
            known.extend(statement.keep.iter().map(String::as_str));
            before.insert(name);
        }
        match one.statements.iter().all(|statement| statement.repeat.ends().1 == 0) {
            true => Err("no statement of it ever runs".to_owned()),
            false => Ok(()),
        }
    }
}

/// Names that the generator uses itself.
const RESERVED: [&str; 5] = ["transaction", "retried", "begin", "commit", "rollback"];

impl StatementDefinition {
    fn check(&self, known: &BTreeSet<&str>, before: &BTreeSet<String>) -> Result<(), String> {
        let text = StatementText::parse(&self.sql)?;
        if let Some(unknown) = text.names.iter().find(|name| !known.contains(name.as_str())) {
            return Err(format!(
                ":{unknown} has no value: give it one under values, or keep it in a statement before"
            ));
        }
        if !(0.0..=1.0).contains(&self.probability) {
            return Err(format!("probability is a number from 0 to 1, not {}", self.probability));
        }
        let (from, to) = self.repeat.ends();
        if from > to {
            return Err(format!("repeat: {from} is greater than {to}"));
        }
        let named = self.only_if.iter().chain(&self.unless);
        match named.into_iter().find(|name| !before.contains(*name)) {
            Some(unknown) => Err(format!("no statement before it is named {unknown}")),
            None => Ok(()),
        }
    }
}

impl TableDefinition {
    /// Number of rows at a scale; a table that has any keeps one.
    pub fn rows_at(&self, scale: f64) -> u64 {
        match self.rows {
            0 => 0,
            rows => ((rows as f64 * scale).round() as u64).max(1),
        }
    }

    fn check(&self, sizes: &TableSizes) -> Result<(), String> {
        if self.name.is_empty() || self.columns.is_empty() {
            return Err("it needs a name and a column".to_owned());
        }
        distinct("column", self.columns.iter().map(|one| one.name.clone()))?;
        for column in &self.columns {
            let Some(value) = &column.value else { continue };
            value.source(sizes).map_err(|why| format!("column {}: {why}", column.name))?;
        }
        if self.rows > 0 && self.columns.iter().all(|column| column.value.is_none()) {
            return Err("none of its columns has a value".to_owned());
        }
        let columns: BTreeSet<&str> = self.columns.iter().map(|one| one.name.as_str()).collect();
        match self.primary_key.iter().find(|key| !columns.contains(key.as_str())) {
            Some(unknown) => Err(format!("primary_key: there is no column {unknown}")),
            None => Ok(()),
        }
    }
}

/// Checks that values can be drawn; `plus` may add to one of theirs or of `others`.
fn check_values(values: &Values, others: &Values, sizes: &TableSizes) -> Result<(), String> {
    for (name, value) in values {
        let wrong = |why: String| format!("value {name}: {why}");
        let ValueGenerator::Plus(of, _) = &value.generator else {
            value.source(sizes).map_err(wrong)?;
            continue;
        };
        match values.get(of).or_else(|| others.get(of)).map(|one| &one.generator) {
            None => return Err(wrong(format!("there is no value {of} to add to"))),
            Some(
                ValueGenerator::Range { .. }
                | ValueGenerator::RowOf { .. }
                | ValueGenerator::NewRowOf(_)
                | ValueGenerator::Sequence(_)
                | ValueGenerator::Client,
            ) => {}
            Some(_) => {
                return Err(wrong(format!(
                    "{of} is not drawn from whole numbers, so nothing can be added to it"
                )));
            }
        }
    }
    Ok(())
}

fn distinct(what: &str, names: impl Iterator<Item = String>) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for name in names {
        if name.is_empty() {
            return Err(format!("a {what} has no name"));
        }
        if seen.contains(&name) {
            return Err(format!("{what} {name}: the name is there twice, or mydyno uses it itself"));
        }
        seen.insert(name);
    }
    Ok(())
}
