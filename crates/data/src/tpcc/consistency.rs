//! Checks the consistency conditions, over several connections.

use std::{
    collections::BTreeSet,
    ops::RangeInclusive,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    time::{Duration, Instant},
};

use model::{Condition, Consistency, TpccData};
use wire::{ConnectOptions, Row};

use super::conditions::{CONDITIONS, Cost, RULES, Rule};
use crate::{
    account::{Account, IfMissing, Session},
    each::{NO_PANIC, each},
    error::DataError,
};

/// Examples of violations that are kept of a condition.
const EXAMPLES: usize = 5;

/// Warehouses per statement of a heavy condition: the combined rows fit the server's memory for temporary tables.
const WAREHOUSES_AT_ONCE: u32 = 2;

/// Interval at which cancellation is checked.
const TICK: Duration = Duration::from_millis(100);

/// Checks the twelve consistency conditions, and that no order is missing.
pub(crate) fn consistency(
    connect: &ConnectOptions,
    data: &TpccData,
    connections: u32,
    cancel: &AtomicBool,
) -> Result<Consistency, DataError> {
    let began = Instant::now();
    if cancel.load(Ordering::Relaxed) {
        return Err(DataError::CheckInterrupted);
    }
    let account = Account::open(connect, IfMissing::Fail)?;
    let statements = statements(data.warehouses, connections);
    let numbers: Vec<u32> = (0..statements.len() as u32).collect();
    let busy = Mutex::new(BTreeSet::new());
    let ask = |session: &mut Session<'_>, number: u32| {
        let connection = session.client.session().connection_id;
        busy.lock().expect(NO_PANIC).insert(connection);
        let answer = statements[number as usize].ask(session, data.age);
        busy.lock().expect(NO_PANIC).remove(&connection);
        answer
    };
    let stop = || cancel.load(Ordering::Relaxed).then_some(DataError::CheckInterrupted);
    let answers = std::thread::scope(|scope| {
        let (done, over) = mpsc::channel::<()>();
        let (account, busy) = (&account, &busy);
        scope.spawn(move || end_statements_when(cancel, &over, account, busy));
        let answers = each(account, connections, &numbers, stop, ask);
        drop(done);
        answers
    })
    // A statement that was ended failed because the user wants no more of it.
    .map_err(|error| stop().unwrap_or(error))?;
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
    let additional = conditions.split_off(CONDITIONS);
    Ok(Consistency { conditions, additional, seconds: began.elapsed().as_secs_f64() })
}

/// Ends the statements that are under way when `cancel` is set; until then it waits for the end of the check.
fn end_statements_when(
    cancel: &AtomicBool,
    over: &mpsc::Receiver<()>,
    account: &Account,
    busy: &Mutex<BTreeSet<u32>>,
) {
    while over.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
        if cancel.load(Ordering::Relaxed) {
            // Best effort: without a connection the statements end when they end.
            let Ok(mut control) = account.connect() else { continue };
            for connection in busy.lock().expect(NO_PANIC).iter() {
                let _ = control.client.execute(&format!("KILL QUERY {connection}"));
            }
        }
    }
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
