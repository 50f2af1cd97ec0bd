//! Checks the consistency conditions, over several connections.

use std::{ops::RangeInclusive, time::Instant};

use model::{Condition, Consistency, TpccData};
use wire::{ConnectOptions, Row};

use super::conditions::{Cost, RULES, Rule};
use crate::{
    account::{Account, IfMissing, Session},
    each::each,
    error::DataError,
};

/// Examples of violations that are kept of a condition.
const EXAMPLES: usize = 5;

/// Warehouses that a statement of a heavy condition is about: what it puts together fits the server's memory for
/// temporary tables.
const WAREHOUSES_AT_ONCE: u32 = 2;

/// Checks the twelve consistency conditions of clause 3.3.2 on the warehouses that a data set asks for. It wants tables on
/// which nothing is at work; runs may have been.
pub fn consistency(
    connect: &ConnectOptions,
    data: &TpccData,
    connections: u32,
) -> Result<Consistency, DataError> {
    let began = Instant::now();
    let account = Account::open(connect, IfMissing::Fail)?;
    let statements = statements(data.warehouses, connections);
    let numbers: Vec<u32> = (0..statements.len() as u32).collect();
    let answers = each(
        &account,
        connections,
        &numbers,
        || None,
        |session, number| statements[number as usize].ask(session, data.age),
    )?;
    let mut conditions: Vec<Condition> = RULES
        .iter()
        .map(|rule| Condition {
            number: rule.number,
            says: rule.says.to_owned(),
            violations: 0,
            examples: Vec::new(),
        })
        .collect();
    for (statement, (violations, examples)) in statements.iter().zip(answers) {
        let condition = &mut conditions[statement.rule.number as usize - 1];
        condition.violations += violations;
        condition.examples.extend(examples);
        condition.examples.truncate(EXAMPLES);
    }
    Ok(Consistency { conditions, seconds: began.elapsed().as_secs_f64() })
}

/// One statement: a condition on some of the warehouses.
struct Statement {
    rule: &'static Rule,
    warehouses: RangeInclusive<u32>,
}

/// All statements; by condition in the order of the warehouses, and the long ones first.
fn statements(warehouses: u32, connections: u32) -> Vec<Statement> {
    let mut out: Vec<Statement> = Vec::new();
    for rule in &RULES {
        let size = match rule.cost {
            Cost::Light => warehouses,
            Cost::Heavy => WAREHOUSES_AT_ONCE,
            Cost::History => warehouses.div_ceil(connections.max(1)),
        }
        .max(1);
        out.extend((1..=warehouses).step_by(size as usize).map(|first| Statement {
            rule,
            warehouses: first..=first.saturating_add(size - 1).min(warehouses),
        }));
    }
    out.sort_by_key(|statement| match statement.rule.cost {
        Cost::History => 0,
        Cost::Heavy => 1,
        Cost::Light => 2,
    });
    out
}

impl Statement {
    /// The number of violations, and some of them.
    fn ask(&self, session: &mut Session<'_>, age: u32) -> Result<(u64, Vec<String>), DataError> {
        let what = format!("checking consistency condition {}", self.rule.number);
        let answer = session.query(&what, &self.rule.statement(&self.warehouses, age, EXAMPLES))?;
        let violations = match answer.first() {
            None => 0,
            Some(row) => row.parse(0).ok_or(DataError::Answer { what, expected: "number" })?,
        };
        Ok((violations, answer.rows.iter().map(|row| self.example(row)).collect()))
    }

    /// `w_id 1, d_id 3: w_ytd 10.00, sum(d_ytd) 9.00`
    fn example(&self, row: &Row) -> String {
        let named = |names: &[&str], from: usize| {
            let words = names.iter().zip(from..);
            let words = words.map(|(name, at)| format!("{name} {}", row.text(at).unwrap_or("NULL")));
            words.collect::<Vec<_>>().join(", ")
        };
        let Rule { keys, values, .. } = self.rule;
        format!("{}: {}", named(keys, 1), named(values, 1 + keys.len()))
    }
}
