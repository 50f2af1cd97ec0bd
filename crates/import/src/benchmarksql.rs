//! BenchmarkSQL 4 and 5: the lines of its log that state the settings and the result.

use model::Stated;

use crate::Known;
use crate::measured::{Measured, Parsed, Problem};

const RESULT: &str = "Measured tpmC (NewOrders)";

/// Whether it looks like one.
pub fn is_benchmarksql(text: &str) -> bool {
    text.contains(RESULT)
}

/// Reads a log.
pub fn parse(text: &str, known: &Known) -> Result<Parsed, Problem> {
    let found = |name: &str| {
        text.lines().enumerate().find_map(|(at, line)| {
            // Behind the time and the thread: `Term-00, terminals=10`.
            let line = line.rsplit("Term-00, ").next().unwrap_or(line).trim();
            let value = line.strip_prefix(name)?.trim_start().strip_prefix('=')?;
            Some((at + 1, value.trim()))
        })
    };
    let number = |name: &str| {
        let Some((at, value)) = found(name) else { return Ok(None) };
        let number = value.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
        number.map(Some).ok_or_else(|| Problem::at(at, format!("'{value}' is no number for {name}")))
    };
    let missing = |what: &str| Problem::of_file(format!("there is no line '{what} = ...': the log was cut"));
    let tpmc = number(RESULT)?.ok_or_else(|| missing(RESULT))?;
    let total = number("Measured tpmTOTAL")?.ok_or_else(|| missing("Measured tpmTOTAL"))?;
    let threads = match number("terminals")? {
        Some(terminals) => Some(terminals as u32),
        None => known.threads,
    };
    let threads = threads
        .filter(|threads| *threads > 0)
        .ok_or_else(|| Problem::of_file("the log does not say how many terminals it ran: give --threads"))?;
    let version = text.lines().find_map(|line| {
        let rest = line.split_once("BenchmarkSQL v")?.1;
        rest.split_whitespace().next().map(str::to_owned)
    });
    let measured_s = session_s(found("Session Start"), found("Session End"))?;
    let stated = Stated {
        transactions: number("Transaction Count")?.map(|count| count as u64),
        throughput_per_s: Some(total / 60.0),
        tpmc: Some(tpmc),
        ..Stated::default()
    };
    Ok(Parsed {
        tool: "BenchmarkSQL".to_owned(),
        version,
        notes: Vec::new(),
        measured: vec![Measured {
            workload: Some("tpcc".to_owned()),
            threads,
            measured_s,
            stated,
            ..Measured::default()
        }],
    })
}

/// Whole seconds from one to the other; 0 if they are not stated.
fn session_s(start: Option<(usize, &str)>, end: Option<(usize, &str)>) -> Result<f64, Problem> {
    let (Some(start), Some(end)) = (start, end) else { return Ok(0.0) };
    let read = |(at, text): (usize, &str)| {
        let time = text.parse::<jiff::civil::DateTime>();
        time.map_err(|_| Problem::at(at, format!("'{text}' is no date and time")))
    };
    Ok(read(end)?.duration_since(read(start)?).as_secs_f64().max(0.0))
}
