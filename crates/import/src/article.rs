//! The format of published comparisons: facts about a server, `key : value` on a line each, and below them a table
//! `threads|transactions| queries| time |avg/Latency|95%/Latency` of sysbench's figures. A text may hold several.

use model::{Instance, Stated};

use crate::mapping::failed_if_zero;
use crate::measured::{Measurement, Parsed, Problem, ns, rate};
use crate::published::zone_label;

const HEADER: [&str; 6] = ["threads", "transactions", "queries", "time", "avg/Latency", "95%/Latency"];

fn fields(line: &str) -> Vec<&str> {
    line.trim().trim_matches('|').split('|').map(str::trim).collect()
}

/// Whether the text contains such a table.
pub fn is_article(text: &str) -> bool {
    text.lines().any(|line| fields(line) == HEADER)
}

/// A table with the lines above it.
#[derive(Debug, Clone, Default, PartialEq)]
struct Block {
    instance: Instance,
    rows: Vec<Measurement>,
}

/// Reads every table of a text.
pub fn parse(text: &str) -> Result<Parsed, Problem> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut instance = Instance::new();
    let mut is_table = false;
    for (at, line) in text.lines().enumerate() {
        let fields = fields(line);
        if fields == HEADER {
            blocks.push(Block { instance: std::mem::take(&mut instance), rows: Vec::new() });
            is_table = true;
        } else if is_table && fields.len() == HEADER.len() {
            let block = blocks.last_mut().expect("the header pushed one");
            let measured = row(&fields, &block.instance).map_err(|what| Problem::at(at + 1, what))?;
            block.rows.extend(measured);
        } else {
            is_table = false;
            instance.extend(known(line));
        }
    }
    let before = blocks.len();
    // An article that shows a table twice has not measured twice.
    let mut distinct: Vec<Block> = Vec::new();
    for block in blocks {
        if !distinct.contains(&block) {
            distinct.push(block);
        }
    }
    let mut notes = vec!["each point was measured once".to_owned()];
    if distinct.len() < before {
        notes.push("a table that is in the text twice was read once".to_owned());
    }
    Ok(Parsed {
        tool: "sysbench, as a table".to_owned(),
        version: None,
        notes,
        is_table: true,
        measured: distinct.into_iter().flat_map(|block| block.rows).collect(),
    })
}

/// `region : tokyo`; none for any other line.
fn known(line: &str) -> Option<(String, String)> {
    let (key, value) = line.split_once(':')?;
    let (key, value) = (key.trim(), value.trim());
    let is_key = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (is_key && !value.is_empty()).then(|| (key.to_owned(), value.to_owned()))
}

/// One row; none for a line that only frames.
fn row(fields: &[&str], instance: &Instance) -> Result<Option<Measurement>, String> {
    if fields.iter().all(|field| field.chars().all(|c| matches!(c, '-' | ':' | '+'))) {
        return Ok(None);
    }
    let number = |at: usize| {
        let found = fields[at].parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
        found.ok_or_else(|| format!("'{}' in column {} is not a number", fields[at], HEADER[at]))
    };
    let (transactions, queries, measured_s) = (number(1)? as u64, number(2)? as u64, number(3)?);
    let mut stated = Stated {
        transactions: Some(transactions),
        queries: Some(queries),
        throughput_per_s: rate(transactions, measured_s),
        queries_per_s: rate(queries, measured_s),
        ..Stated::default()
    };
    stated.response.mean_ns = Some(ns(number(4)?));
    stated.response.p95_ns = Some(ns(number(5)?));
    let threads = number(0)? as u32;
    if threads == 0 {
        return Err(format!("column {} has no number of clients", HEADER[0]));
    }
    let value = |key: &str| instance.get(key).map_or("", String::as_str);
    let target = match value("ha_type") {
        "" => instance.get("host").cloned(),
        ha_type => Some(zone_label(ha_type, value("same_az"))),
    };
    Ok(Some(failed_if_zero(Measurement {
        target,
        threads,
        instance: instance.clone(),
        measured_s,
        stated,
        ..Measurement::default()
    })))
}
