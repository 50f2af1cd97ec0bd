//! go-tpc's summary of TPC-C: a line for each type of transaction, and tpmC.

use model::Stated;

use crate::Known;
use crate::measured::{Measured, Parsed, Problem, ns};

const SUMMARY: &str = "[Summary] ";

/// Whether it looks like one.
pub fn is_gotpc(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with(SUMMARY) && line.contains(" - Takes(s):"))
}

/// Reads an output.
pub fn parse(text: &str, known: &Known) -> Result<Parsed, Problem> {
    let threads = known
        .threads
        .ok_or_else(|| Problem::of_file("go-tpc does not print how many threads it ran: give --threads"))?;
    let (mut transactions, mut errors, mut sum_ms, mut takes_s) = (0, 0, 0.0, 0.0_f64);
    let mut tpmc = None;
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        let wrong = || Problem::at(at + 1, "this line of the summary cannot be read");
        if let Some((kind, figures)) = line.strip_prefix(SUMMARY).and_then(|rest| rest.split_once(" - ")) {
            let figure = |name: &str| {
                let text = figures.split(", ").find_map(|part| part.strip_prefix(name)).ok_or_else(wrong)?;
                text.trim_start_matches(": ").parse::<f64>().map_err(|_| wrong())
            };
            let count = figure("Count")? as u64;
            takes_s = takes_s.max(figure("Takes(s)")?);
            if kind.ends_with("_ERR") {
                errors += count;
                continue;
            }
            transactions += count;
            sum_ms += figure("Sum(ms)")?;
            if kind == "NEW_ORDER" {
                // Older versions print tpmC nowhere else.
                tpmc = tpmc.or(Some(figure("TPM")?));
            }
        } else if let Some(figures) = line.strip_prefix("tpmC:") {
            let first = figures.split([',', ' ']).find(|word| !word.is_empty()).unwrap_or_default();
            tpmc = Some(first.parse::<f64>().map_err(|_| wrong())?);
        }
    }
    if transactions == 0 || takes_s <= 0.0 {
        return Err(Problem::of_file("there is no [Summary] line with transactions in it: the run was cut"));
    }
    let mut stated = Stated {
        transactions: Some(transactions),
        errors: Some(errors),
        throughput_per_s: Some(transactions as f64 / takes_s),
        tpmc,
        ..Stated::default()
    };
    stated.response.mean_ns = Some(ns(sum_ms / transactions as f64));
    Ok(Parsed {
        tool: "go-tpc".to_owned(),
        version: None,
        notes: vec![
            "percentiles are printed for each type of transaction only and were not taken".to_owned(),
        ],
        measured: vec![Measured {
            workload: Some("tpcc".to_owned()),
            threads,
            measured_s: takes_s,
            stated,
            ..Measured::default()
        }],
    })
}
