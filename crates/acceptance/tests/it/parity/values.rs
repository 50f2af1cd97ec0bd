//! The values in statements: from which ranges they are drawn, and what belongs together in a transaction.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use model::{SysbenchOptions, SysbenchWorkload};

use crate::parity::statement::Statement;

const DELETE: &str = "DELETE FROM sbtestT WHERE id=N";
const INSERT: &str = "INSERT INTO sbtestT (id, k, c, pad) VALUES (N, N, S, S)";

/// Says what is wrong with the values of a run, if anything is.
pub fn check(options: &SysbenchOptions, transactions: &[Vec<Statement>]) -> Result<(), String> {
    let mut keys = Vec::new();
    let mut draws: BTreeMap<u32, usize> = BTreeMap::new();
    for transaction in transactions {
        for statement in transaction {
            keys.extend(keys_of(options, statement).map_err(|wrong| format!("{wrong}: {statement:?}"))?);
        }
        for step in transaction.chunk_by(is_same_step) {
            is_of_one_table(step)?;
            if let Some(table) = step[0].table {
                *draws.entry(table).or_default() += 1;
            }
        }
        rows_come_back(transaction)?;
    }
    is_drawn_equally(options.tables, &draws)?;
    is_spread(options.table_size, &keys)
}

/// Checks the values of a statement; what comes back was drawn from the keys.
fn keys_of(options: &SysbenchOptions, statement: &Statement) -> Result<Vec<i64>, String> {
    let rows = 1..=options.table_size as i64;
    let Statement { shape, numbers, strings, .. } = statement;
    let keys = match (shape.as_str(), numbers.as_slice()) {
        ("BEGIN" | "COMMIT", []) => return Ok(Vec::new()),
        ("SELECT c FROM sbtestT WHERE id=N" | DELETE, &[id]) => vec![id],
        ("UPDATE sbtestT SET k=k+N WHERE id=N", &[1, id]) => vec![id],
        ("UPDATE sbtestT SET c=S WHERE id=N", &[id]) => {
            is_digit_groups(&strings[0], 10)?;
            vec![id]
        }
        (INSERT, &[id, k]) => {
            is_digit_groups(&strings[0], 10)?;
            is_digit_groups(&strings[1], 5)?;
            inserted_keys(options, id, k)?
        }
        (shape, _) if shape.contains(" WHERE id BETWEEN N AND N") => {
            lows(numbers, i64::from(options.range_size) - 1)?
        }
        (shape, _) if shape.starts_with("SELECT count(k) FROM sbtestT WHERE k BETWEEN N AND N") => {
            is_so_many("ranges", numbers.len() / 2, options.number_of_ranges)?;
            lows(numbers, i64::from(options.delta))?
        }
        (shape, _) if shape.starts_with("SELECT id, k, c, pad FROM sbtestT WHERE k IN (N") => {
            is_so_many("points", numbers.len(), options.random_points)?;
            numbers.clone()
        }
        _ => return Err("not a statement of sysbench's".to_owned()),
    };
    // The segments of the workloads on the secondary index begin at 0.
    let low = if shape.contains("WHERE k ") { 0 } else { 1 };
    let allowed: RangeInclusive<i64> = low..=*rows.end();
    match keys.iter().find(|key| !allowed.contains(key)) {
        Some(key) => Err(format!("{key} is not in {allowed:?}")),
        None => Ok(keys),
    }
}

/// oltp_insert leaves the id to the server, or makes it from all 32-bit numbers; elsewhere it is drawn as others are.
fn inserted_keys(options: &SysbenchOptions, id: i64, k: i64) -> Result<Vec<i64>, String> {
    match (options.workload, options.auto_inc) {
        (SysbenchWorkload::OltpInsert, true) if id != 0 => Err(format!("id {id}, where 0 was to be")),
        (SysbenchWorkload::OltpInsert, _) if i32::try_from(id).is_err() => {
            Err(format!("id {id} is too large"))
        }
        (SysbenchWorkload::OltpInsert, _) => Ok(vec![k]),
        _ => Ok(vec![id, k]),
    }
}

/// The lower ends of ranges that must all be of one width.
fn lows(numbers: &[i64], width: i64) -> Result<Vec<i64>, String> {
    let ranges = numbers.chunks_exact(2);
    match ranges.clone().find(|range| range[1] - range[0] != width) {
        Some(range) => Err(format!("{range:?} is not {width} wide")),
        None => Ok(ranges.map(|range| range[0]).collect()),
    }
}

fn is_so_many(what: &str, found: usize, wanted: u32) -> Result<(), String> {
    if found == wanted as usize { Ok(()) } else { Err(format!("{found} {what}, where {wanted} were to be")) }
}

/// Groups of eleven digits with dashes between, as in columns c and pad.
fn is_digit_groups(text: &str, count: usize) -> Result<(), String> {
    let is_group = |group: &str| group.len() == 11 && group.bytes().all(|byte| byte.is_ascii_digit());
    let groups: Vec<&str> = text.split('-').collect();
    match groups.len() == count && groups.into_iter().all(is_group) {
        true => Ok(()),
        false => Err(format!("'{text}' is not {count} groups of 11 digits")),
    }
}

/// Statements that draw their table together: those of one shape, and DELETE with INSERT.
fn is_same_step(one: &Statement, next: &Statement) -> bool {
    let replaces = |statement: &Statement| [DELETE, INSERT].contains(&statement.shape.as_str());
    one.shape == next.shape || (replaces(one) && replaces(next))
}

fn is_of_one_table(step: &[Statement]) -> Result<(), String> {
    match step.iter().find(|statement| statement.table != step[0].table) {
        Some(statement) => Err(format!("another table than {:?}: {statement:?}", step[0].table)),
        None => Ok(()),
    }
}

/// Inside a transaction an INSERT puts back the row that the DELETE before it took.
fn rows_come_back(transaction: &[Statement]) -> Result<(), String> {
    for pair in transaction.windows(2).filter(|pair| pair[0].shape == DELETE && pair[1].shape == INSERT) {
        if pair[0].numbers[0] != pair[1].numbers[0] {
            return Err(format!("another row comes back: {pair:?}"));
        }
    }
    Ok(())
}

/// Of at least 150 draws each table gets its share, give or take three and a half standard deviations.
fn is_drawn_equally(tables: u32, draws: &BTreeMap<u32, usize>) -> Result<(), String> {
    let total: usize = draws.values().sum();
    let share = 1.0 / f64::from(tables);
    let slack = 3.5 * (share * (1.0 - share) / total as f64).sqrt();
    let is_fair = |&count: &usize| (count as f64 / total as f64 - share).abs() <= slack;
    match draws.keys().copied().eq(1..=tables) && draws.values().all(is_fair) {
        true => Ok(()),
        false => Err(format!("tables are not drawn equally: {draws:?}")),
    }
}

/// Uniform keys: their mean is about the middle, give or take four standard deviations.
fn is_spread(table_size: u64, keys: &[i64]) -> Result<(), String> {
    let size = table_size as f64;
    let mean = keys.iter().sum::<i64>() as f64 / keys.len() as f64;
    let slack = 4.0 * size / (12.0 * keys.len() as f64).sqrt();
    match (mean - size / 2.0).abs() <= slack {
        true => Ok(()),
        false => Err(format!("the mean of {} keys of {table_size} is {mean}", keys.len())),
    }
}
