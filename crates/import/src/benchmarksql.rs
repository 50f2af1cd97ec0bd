//! BenchmarkSQL 4 and 5: the lines of its log that state the settings and the result.

use model::Stated;

use crate::UserFacts;
use crate::measured::{Measurement, Parsed, Problem, say_how_many};

const RESULT: &str = "Measured tpmC (NewOrders)";

/// Whether the text looks like a BenchmarkSQL log.
pub fn is_benchmarksql(text: &str) -> bool {
    text.contains(RESULT)
}

/// Reads a file of logs.
pub fn parse(text: &str, known: &UserFacts) -> Result<Parsed, Problem> {
    let lines: Vec<Line<'_>> =
        text.lines().enumerate().map(|(at, line)| Line { number: at + 1, text: said(line) }).collect();
    // What is said of the result follows its first line, what is said of the settings comes before it.
    let starts: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].value(RESULT).is_some()).collect();
    if starts.is_empty() {
        return Err(missing(RESULT));
    }
    let log = |(nth, start): (usize, &usize)| {
        let next = starts.get(nth + 1).copied().unwrap_or(lines.len());
        measured(&lines[..*start], &lines[*start..next], known)
    };
    let measured = starts.iter().enumerate().map(log).collect::<Result<_, _>>()?;
    let version = text.lines().find_map(|line| {
        let rest = line.split_once("BenchmarkSQL v")?.1;
        rest.split_whitespace().next().map(str::to_owned)
    });
    Ok(Parsed { tool: "BenchmarkSQL".to_owned(), version, notes: Vec::new(), is_table: false, measured })
}

struct Line<'a> {
    /// Line number in the file, from 1.
    number: usize,
    text: &'a str,
}

impl<'a> Line<'a> {
    fn value(&self, name: &str) -> Option<(usize, &'a str)> {
        let value = self.text.strip_prefix(name)?.trim_start().strip_prefix('=')?;
        Some((self.number, value.trim()))
    }
}

/// Behind the time and the thread: `Term-00, terminals=10`.
fn said(line: &str) -> &str {
    line.rsplit("Term-00, ").next().unwrap_or(line).trim()
}

fn missing(what: &str) -> Problem {
    Problem::of_file(format!("there is no line '{what} = ...': the log was cut"))
}

fn number(name: &str, found: Option<(usize, &str)>) -> Result<Option<f64>, Problem> {
    let Some((at, value)) = found else { return Ok(None) };
    let number = value.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    number.map(Some).ok_or_else(|| Problem::at(at, format!("'{value}' is not a number for {name}")))
}

/// One result. `earlier` is everything before it: of repeated settings, the last ones hold.
fn measured(earlier: &[Line<'_>], result: &[Line<'_>], known: &UserFacts) -> Result<Measurement, Problem> {
    let found = |name: &str| result.iter().find_map(|line| line.value(name));
    let stated = |name: &str| number(name, found(name));
    let tpmc = stated(RESULT)?.ok_or_else(|| missing(RESULT))?;
    let total = stated("Measured tpmTOTAL")?.ok_or_else(|| missing("Measured tpmTOTAL"))?;
    // The settings of a next run may follow this result; they are not its own.
    let terminals = earlier.iter().rev().find_map(|line| line.value("terminals"));
    let threads = match number("terminals", terminals)? {
        Some(terminals) => Some(terminals as u32),
        None => known.threads,
    };
    let threads = threads.filter(|threads| *threads > 0).ok_or_else(|| {
        Problem::of_file("the log does not say how many terminals it ran").with(say_how_many())
    })?;
    Ok(Measurement {
        workload: Some("tpcc".to_owned()),
        threads,
        measured_s: session_s(found("Session Start"), found("Session End"))?,
        stated: Stated {
            transactions: stated("Transaction Count")?.map(|count| count as u64),
            throughput_per_s: Some(total / 60.0),
            tpmc: Some(tpmc),
            ..Stated::default()
        },
        ..Measurement::default()
    })
}

/// Whole seconds from one to the other; 0 if they are not reported.
fn session_s(start: Option<(usize, &str)>, end: Option<(usize, &str)>) -> Result<f64, Problem> {
    let (Some(start), Some(end)) = (start, end) else { return Ok(0.0) };
    let read = |(at, text): (usize, &str)| {
        let time = text.parse::<jiff::civil::DateTime>();
        time.map_err(|_| Problem::at(at, format!("'{text}' is not a date and time")))
    };
    Ok(read(end)?.duration_since(read(start)?).as_secs_f64().max(0.0))
}
