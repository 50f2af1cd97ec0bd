//! go-tpc's summary of TPC-C: a line for each type of transaction, and tpmC. A file may hold several, one behind the other.

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
    let mut reports: Vec<Report<'_>> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        let wrong = || Problem::at(at + 1, "this line of the summary cannot be read");
        if let Some((kind, figures)) = line.strip_prefix(SUMMARY).and_then(|rest| rest.split_once(" - ")) {
            if reports.last().is_none_or(|report| report.is_over || report.kinds.contains(&kind)) {
                reports.push(Report::default());
            }
            let report = reports.last_mut().expect("one was just pushed");
            report.add(kind, figures).ok_or_else(wrong)?;
        } else if let Some(figures) = line.strip_prefix("tpmC:") {
            let first = figures.split([',', ' ']).find(|word| !word.is_empty()).unwrap_or_default();
            let tpmc = first.parse::<f64>().map_err(|_| wrong())?;
            if let Some(report) = reports.last_mut().filter(|report| !report.is_over) {
                (report.tpmc, report.is_over) = (Some(tpmc), true);
            }
        }
    }
    let cut = || Problem::of_file("there is no [Summary] line with transactions in it: the run was cut");
    if reports.is_empty() {
        return Err(cut());
    }
    let measured = reports.iter().map(|report| report.measured(threads).ok_or_else(cut));
    Ok(Parsed {
        tool: "go-tpc".to_owned(),
        version: None,
        notes: vec![
            "percentiles are printed for each type of transaction only and were not taken".to_owned(),
        ],
        measured: measured.collect::<Result<_, _>>()?,
    })
}

/// One run's lines: it is over with its tpmC, which older versions do not print, or when a kind comes again.
#[derive(Default)]
struct Report<'a> {
    kinds: Vec<&'a str>,
    transactions: u64,
    errors: u64,
    sum_ms: f64,
    takes_s: f64,
    tpmc: Option<f64>,
    is_over: bool,
}

impl<'a> Report<'a> {
    /// None if a figure is missing or no number.
    fn add(&mut self, kind: &'a str, figures: &str) -> Option<()> {
        let figure = |name: &str| {
            let text = figures.split(", ").find_map(|part| part.strip_prefix(name))?;
            text.trim_start_matches(": ").parse::<f64>().ok()
        };
        self.kinds.push(kind);
        let count = figure("Count")? as u64;
        self.takes_s = self.takes_s.max(figure("Takes(s)")?);
        if kind.ends_with("_ERR") {
            self.errors += count;
            return Some(());
        }
        self.transactions += count;
        self.sum_ms += figure("Sum(ms)")?;
        if kind == "NEW_ORDER" {
            // Older versions print tpmC nowhere else.
            self.tpmc = Some(figure("TPM")?);
        }
        Some(())
    }

    /// None without transactions.
    fn measured(&self, threads: u32) -> Option<Measured> {
        if self.transactions == 0 || self.takes_s <= 0.0 {
            return None;
        }
        let mut stated = Stated {
            transactions: Some(self.transactions),
            errors: Some(self.errors),
            throughput_per_s: Some(self.transactions as f64 / self.takes_s),
            tpmc: self.tpmc,
            ..Stated::default()
        };
        stated.response.mean_ns = Some(ns(self.sum_ms / self.transactions as f64));
        Some(Measured {
            workload: Some("tpcc".to_owned()),
            threads,
            measured_s: self.takes_s,
            stated,
            ..Measured::default()
        })
    }
}
