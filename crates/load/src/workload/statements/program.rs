//! What a file says, ready to run: operations by index, values by place, sources that draw.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use model::{
    Mix, OperationKind, Repeat, StatementDefinition, StatementKind, StatementText, StatementsOptions,
    TableSizes, TransactionDefinition, ValueDefinition, ValueGenerator, WeightsOf, WorkloadFile,
};
use random::ValueSource;

use crate::recorder::{Operation, OperationIndex, Operations, QueryKind, TRANSACTION, transactions};
use crate::workload::statement::statement;

/// The operations that every workload in a file has, after `transaction` and `retried`.
const BRACKETS: [(&str, QueryKind, &str); 3] = [
    ("begin", QueryKind::Other, "BEGIN"),
    ("commit", QueryKind::Other, "COMMIT"),
    ("rollback", QueryKind::Other, "ROLLBACK"),
];

/// All that clients share.
pub(crate) struct Program {
    pub transactions: Vec<Transaction>,
    pub statements: Vec<Prepared>,
    pub begin: OperationIndex,
    pub commit: OperationIndex,
    pub rollback: OperationIndex,
    /// Statements on a new connection.
    pub connect: Vec<String>,
    pub prepared: bool,
    pub mix: Mix,
    /// How often each transaction is in a deck; its share where transactions are drawn at random.
    pub cards: Vec<u32>,
    /// What clients count together.
    pub counters: Vec<Counter>,
}

/// A counter of all clients.
pub(crate) struct Counter {
    /// Its first number.
    pub first: u64,
    /// For new rows of a table with numbered rows: how to find the last of them.
    pub last_row: Option<LastRow>,
}

/// The last row of a table, which earlier runs may have added to.
pub(crate) struct LastRow {
    /// The statement that asks for the largest number.
    pub sql: String,
    /// The number of the row before the first new one, as the file has it.
    pub expected: i64,
}

/// A statement as the server gets it.
pub(crate) struct Prepared {
    pub operation: OperationIndex,
    pub sql: String,
    pub pieces: Vec<String>,
    /// Places of its values.
    pub params: Vec<usize>,
    /// A value of it may be NULL, or of several kinds.
    pub changes_types: bool,
    pub keeps_rows: bool,
}

/// A kind of transaction.
pub(crate) struct Transaction {
    pub operation: OperationIndex,
    pub only_reads: bool,
    pub commits_each: bool,
    /// Mean seconds of thinking after it.
    pub think_s: f64,
    /// What its values are drawn from, by place; none: a statement keeps it.
    pub values: Vec<Option<Value>>,
    pub steps: Vec<Step>,
}

/// A value that is drawn.
pub(crate) struct Value {
    pub from: From,
    /// The only statement that uses it, if that is repeated: it is drawn anew for each repetition.
    pub only_for: Option<usize>,
}

/// What a value is made from.
pub(crate) enum From {
    /// A source, and the counter if it counts.
    Source(ValueSource, Option<usize>),
    /// The value of an earlier place, and this much more.
    Plus(usize, i64),
}

/// A statement of a transaction.
pub(crate) struct Step {
    /// Its place among all statements.
    pub statement: usize,
    pub repeat: (u32, u32),
    pub probability: f64,
    /// The step that must have found a row, or none.
    pub condition: Option<(usize, bool)>,
    /// Places that take the columns of its first row.
    pub keep: Vec<usize>,
}

/// All operations of a file, in the order of their indexes.
pub(crate) fn operations(options: &StatementsOptions) -> Operations {
    let mut all = vec![transactions("transaction"), transactions("retried")];
    if has_types(options) {
        let kind = |one: &TransactionDefinition| Operation {
            name: Cow::Owned(one.name.clone()),
            kind: OperationKind::Transaction,
            query: QueryKind::Other,
            template: Cow::Borrowed(""),
        };
        all.extend(options.file.transactions.iter().map(kind));
    }
    all.extend(BRACKETS.map(|(name, query, sql)| statement(name, query, sql)));
    for transaction in &options.file.transactions {
        for (at, one) in transaction.statements.iter().enumerate() {
            let text = text_of(one);
            all.push(Operation {
                name: Cow::Owned(transaction.statement_name(at)),
                kind: OperationKind::Statement,
                query: query_kind(text.kind()),
                template: Cow::Owned(text.template()),
            });
        }
    }
    Arc::from(all)
}

fn has_types(options: &StatementsOptions) -> bool {
    options.file.transactions.len() > 1
}

/// A file whose statements cannot be read was refused when it was.
fn text_of(one: &StatementDefinition) -> StatementText {
    StatementText::parse(&one.sql)
        .unwrap_or_else(|_| StatementText { pieces: vec![one.sql.clone()], names: Vec::new() })
}

/// A locking read is no query for a replica.
fn query_kind(kind: StatementKind) -> QueryKind {
    match kind {
        StatementKind::Read => QueryKind::Read,
        StatementKind::Update | StatementKind::AddOrRemove => QueryKind::Write,
        StatementKind::LockingRead | StatementKind::Other => QueryKind::Other,
    }
}

/// Number of statements that a client prepares.
pub(crate) fn prepared_statements(options: &StatementsOptions) -> u64 {
    let transactions = &options.file.transactions;
    let statements: u64 = transactions.iter().map(|one| one.statements.len() as u64).sum();
    let brackets = if transactions.iter().all(TransactionDefinition::commits_each) { 0 } else { 2 };
    if options.file.prepared { statements + brackets } else { 0 }
}

impl Program {
    /// Whether there is a transaction that begins and ends with a statement.
    pub fn has_brackets(&self) -> bool {
        self.transactions.iter().any(|one| !one.commits_each)
    }

    /// Makes a program of a file.
    pub fn new(options: &StatementsOptions) -> io::Result<Self> {
        let file = &options.file;
        let types = if has_types(options) { file.transactions.len() } else { 0 };
        let first = TRANSACTION + 2;
        let brackets = first + types;
        let mut making = Making {
            sizes: file.sizes(options.scale),
            file,
            shared: &file.values,
            statements: Vec::new(),
            counters: Vec::new(),
            tables: BTreeMap::new(),
            next_operation: brackets + BRACKETS.len(),
        };
        let mut transactions = Vec::new();
        for (at, one) in file.transactions.iter().enumerate() {
            let operation = if types > 0 { first + at } else { TRANSACTION };
            transactions.push(making.transaction(one, operation).map_err(io::Error::other)?);
        }
        let mut connect = file.connect.clone();
        connect.extend(
            file.isolation.map(|level| format!("SET SESSION TRANSACTION ISOLATION LEVEL {}", level.sql())),
        );
        Ok(Self {
            transactions,
            statements: making.statements,
            begin: brackets,
            commit: brackets + 1,
            rollback: brackets + 2,
            connect,
            prepared: file.prepared,
            mix: file.mix,
            cards: cards(&file.transactions, file.weights),
            counters: making.counters,
        })
    }
}

struct Making<'a> {
    sizes: TableSizes,
    file: &'a WorkloadFile,
    shared: &'a BTreeMap<String, ValueDefinition>,
    statements: Vec<Prepared>,
    counters: Vec<Counter>,
    /// The counter of the new rows of a table, which all values share.
    tables: BTreeMap<String, usize>,
    next_operation: OperationIndex,
}

impl Making<'_> {
    fn transaction(
        &mut self,
        one: &TransactionDefinition,
        operation: OperationIndex,
    ) -> Result<Transaction, String> {
        let mut values: Vec<(String, Option<Value>)> = Vec::new();
        let mut steps = Vec::new();
        let names: Vec<String> = (0..one.statements.len()).map(|at| one.statement_name(at)).collect();
        for (at, statement) in one.statements.iter().enumerate() {
            let text = text_of(statement);
            let mut params = Vec::new();
            for name in &text.names {
                params.push(self.place(name, one, &mut values)?);
            }
            let keep: Vec<usize> = statement
                .keep
                .iter()
                .map(|name| {
                    values.push((name.clone(), None));
                    values.len() - 1
                })
                .collect();
            let before = |name: &String| names.iter().position(|known| known == name);
            let found = statement.only_if.as_ref().and_then(before).map(|step| (step, true));
            let none = statement.unless.as_ref().and_then(before).map(|step| (step, false));
            steps.push(Step {
                statement: self.statements.len(),
                repeat: statement.repeat.ends(),
                probability: statement.probability,
                condition: found.or(none),
                keep,
            });
            let may_be_null = |name: &str| self.definition(one, name).is_none_or(|value| value.null > 0.0);
            let changes_types = params.iter().any(|place| may_be_null(&values[*place].0));
            self.statements.push(Prepared {
                operation: self.next_operation + at,
                sql: text.template(),
                pieces: text.pieces,
                params,
                changes_types,
                keeps_rows: !statement.keep.is_empty() || names_it(one, &names[at]),
            });
        }
        self.next_operation += one.statements.len();
        let made = Transaction {
            operation,
            only_reads: one.only_reads(),
            commits_each: one.commits_each(),
            think_s: one.think,
            values: values.into_iter().map(|(_, value)| value).collect(),
            steps,
        };
        Ok(self.with_repetitions(made, one))
    }

    /// Marks the values that only a repeated statement uses.
    fn with_repetitions(&self, mut made: Transaction, one: &TransactionDefinition) -> Transaction {
        for place in 0..made.values.len() {
            let makes = |user: &usize| {
                let sum = made.values[*user].as_ref().map(|value| &value.from);
                *user == place || matches!(sum, Some(From::Plus(of, _)) if *of == place)
            };
            let users: Vec<usize> = (0..made.steps.len())
                .filter(|at| self.statements[made.steps[*at].statement].params.iter().any(makes))
                .collect();
            if let ([only], Some(value)) = (users.as_slice(), &mut made.values[place])
                && one.statements[*only].repeat != Repeat::Times(1)
            {
                value.only_for = Some(*only);
            }
        }
        made
    }

    /// What a name stands for, if no statement keeps it.
    fn definition<'b>(&'b self, one: &'b TransactionDefinition, name: &str) -> Option<&'b ValueDefinition> {
        one.values.get(name).or_else(|| self.shared.get(name))
    }

    /// The place of a name, made where it has none yet.
    fn place(
        &mut self,
        name: &str,
        one: &TransactionDefinition,
        values: &mut Vec<(String, Option<Value>)>,
    ) -> Result<usize, String> {
        if let Some(place) = values.iter().position(|(known, _)| known == name) {
            return Ok(place);
        }
        let definition = self.definition(one, name).ok_or_else(|| format!(":{name} has no value"))?.clone();
        let from = match &definition.generator {
            ValueGenerator::Plus(of, by) => From::Plus(self.place(of, one, values)?, *by),
            _ => self.source(&definition)?,
        };
        values.push((name.to_owned(), Some(Value { from, only_for: None })));
        Ok(values.len() - 1)
    }

    fn source(&mut self, definition: &ValueDefinition) -> Result<From, String> {
        let source = definition.source(&self.sizes)?;
        let counter = match &definition.generator {
            ValueGenerator::NewRowOf(table) => {
                let fresh = self.counters.len();
                let counter = *self.tables.entry(table.clone()).or_insert(fresh);
                if counter == fresh {
                    self.counters.push(Counter { first: 0, last_row: self.last_row(table) });
                }
                Some(counter)
            }
            ValueGenerator::Unique => Some(self.counter(AFTER_LOADED)),
            _ if source.counts() => Some(self.counter(0)),
            _ => None,
        };
        Ok(From::Source(source, counter))
    }

    /// How to find the last row, if one of the columns numbers them.
    fn last_row(&self, table: &str) -> Option<LastRow> {
        let table = self.file.tables.iter().find(|one| one.name == table)?;
        let (column, from) =
            table.columns.iter().find_map(|column| match column.value.as_ref()?.generator {
                ValueGenerator::Sequence(from) => Some((&column.name, from)),
                _ => None,
            })?;
        let quoted = |name: &str| format!("`{}`", name.replace('`', "``"));
        let rows = i64::try_from(*self.sizes.get(&table.name)?).ok()?;
        Some(LastRow {
            sql: format!("SELECT MAX({}) FROM {}", quoted(column), quoted(&table.name)),
            expected: from.saturating_sub(1).saturating_add(rows),
        })
    }

    fn counter(&mut self, first: u64) -> usize {
        self.counters.push(Counter { first, last_row: None });
        self.counters.len() - 1
    }
}

/// Where the numbers begin that never repeat, so that none is one of a loaded row. A trial adds its seed.
pub(crate) const AFTER_LOADED: u64 = 1 << 62;

/// Whether a condition names a statement.
fn names_it(one: &TransactionDefinition, name: &str) -> bool {
    one.statements
        .iter()
        .any(|other| other.only_if.as_deref() == Some(name) || other.unless.as_deref() == Some(name))
}

/// How often each transaction is in a deck. Shares of statements are shares of transactions divided by their length.
fn cards(transactions: &[TransactionDefinition], of: WeightsOf) -> Vec<u32> {
    /// The largest deck that shares of statements are rounded to.
    const CARDS: f64 = 10_000.0;
    let weights: Vec<u32> = transactions.iter().map(|one| one.weight).collect();
    let whole = match of {
        WeightsOf::Transactions => weights,
        WeightsOf::Statements => {
            let share = |one: &TransactionDefinition| f64::from(one.weight) / one.mean_statements().max(1e-9);
            let shares: Vec<f64> = transactions.iter().map(share).collect();
            let sum: f64 = shares.iter().sum();
            shares.iter().map(|share| (share / sum * CARDS).round() as u32).collect()
        }
    };
    let divisor = whole.iter().copied().fold(0, greatest_common_divisor).max(1);
    whole.into_iter().map(|cards| cards / divisor).collect()
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
