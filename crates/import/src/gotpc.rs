//! go-tpc's summary of TPC-C: the figures of each type of transaction, and tpmC. It prints them in lines, in tables, or as JSON
//! (`--output plain|table|json`). A file may hold several, one behind the other.

use model::{ReportedLatency, Stated, StatedType, TpccTransaction};
use serde_json::Value;

use crate::UserFacts;
use crate::measured::{Measurement, Parsed, Problem, ns, say_how_many};

const SUMMARY: &str = "[Summary]";

/// Columns behind the prefix and the name, in go-tpc's order (`outputRtMeasurement` of its tpcc/workload.go).
const COLUMNS: [&str; 11] = [
    "Takes(s)",
    "Count",
    "TPM",
    "Sum(ms)",
    "Avg(ms)",
    "50th(ms)",
    "90th(ms)",
    "95th(ms)",
    "99th(ms)",
    "99.9th(ms)",
    "Max(ms)",
];

/// Whether the text looks like a go-tpc log.
pub fn is_gotpc(text: &str) -> bool {
    text.lines().any(|line| matches!(entry(line.trim()), Some(Entry::Type(_) | Entry::Unreadable)))
}

/// The content of a line, in any of the formats.
enum Entry {
    /// The figures of a type of transaction in a summary.
    Type(Figures),
    /// tpmC, at the end of a summary.
    TpmC(f64),
    /// The summary of a type of transaction with a figure that is none.
    Unreadable,
}

/// The figures of a type of transaction, in the order of [`COLUMNS`].
struct Figures {
    kind: String,
    figures: [f64; 11],
}

impl Figures {
    fn of(kind: &str, texts: &[&str]) -> Entry {
        let numbers: Option<Vec<f64>> = texts.iter().map(|text| text.trim().parse().ok()).collect();
        match numbers.and_then(|numbers| numbers.try_into().ok()) {
            Some(figures) => Entry::Type(Self { kind: kind.trim().to_owned(), figures }),
            None => Entry::Unreadable,
        }
    }

    fn count(&self) -> u64 {
        self.figures[1] as u64
    }

    fn latency(&self) -> ReportedLatency {
        let at = |column: usize| Some(ns(self.figures[column]));
        let count = self.figures[1];
        ReportedLatency {
            // The sum is exact, the average is that of a histogram with one digit.
            mean_ns: (count > 0.0).then(|| ns(self.figures[3] / count)),
            min_ns: None,
            p50_ns: at(5),
            p90_ns: at(6),
            p95_ns: at(7),
            p99_ns: at(8),
            p999_ns: at(9),
            max_ns: at(10),
        }
    }
}

fn entry(line: &str) -> Option<Entry> {
    if line.starts_with('|') {
        table_row(line)
    } else if line.starts_with("[{") {
        json(line)
    } else {
        plain(line)
    }
}

fn first_number(text: &str) -> Option<f64> {
    text.split([',', ' ']).find(|word| !word.is_empty())?.parse().ok()
}

/// `[Summary] NEW_ORDER - Takes(s): 60.0, Count: 5400, ...` and `tpmC: 5400.0, ...`.
fn plain(line: &str) -> Option<Entry> {
    if let Some(figures) = line.strip_prefix("tpmC:") {
        return Some(first_number(figures).map_or(Entry::Unreadable, Entry::TpmC));
    }
    let (kind, figures) = line.strip_prefix(SUMMARY)?.split_once(" - ")?;
    // The mean keying and thinking times of --wait have one figure and no name.
    if !figures.contains("Takes(s)") {
        return None;
    }
    let value = |name: &&str| {
        let mut parts = figures.split(", ").filter_map(|part| part.split_once(':'));
        parts.find(|(key, _)| key == name).map(|(_, value)| value)
    };
    let texts: Option<Vec<&str>> = COLUMNS.iter().map(value).collect();
    Some(texts.map_or(Entry::Unreadable, |texts| Figures::of(kind, &texts)))
}

/// `| [Summary] | NEW_ORDER | 60.0 | 5400 | ...`; tpmC is the first of three fields below a header that names it.
fn table_row(line: &str) -> Option<Entry> {
    let fields: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
    match fields.as_slice() {
        [prefix, kind, figures @ ..] if *prefix == SUMMARY && figures.len() > 1 => {
            Some(Figures::of(kind, figures))
        }
        [tpmc, _, efficiency] if efficiency.ends_with('%') => {
            Some(first_number(tpmc).map_or(Entry::Unreadable, Entry::TpmC))
        }
        _ => None,
    }
}

/// `[{"Prefix":"[Summary] ","Operation":"NEW_ORDER","Takes(s)":"60.0",...}]`: all types are in one line, so this is the first
/// of them; see [`json_entries`].
fn json(line: &str) -> Option<Entry> {
    json_entries(line).into_iter().next()
}

fn json_entries(line: &str) -> Vec<Entry> {
    let Ok(Value::Array(rows)) = serde_json::from_str(line) else { return Vec::new() };
    let one =
        |row: &Value| {
            let text = |name: &str| row.get(name).and_then(Value::as_str);
            if let Some(tpmc) = text("tpmC") {
                return Some(first_number(tpmc).map_or(Entry::Unreadable, Entry::TpmC));
            }
            if text("Prefix")?.trim() != SUMMARY || text("Takes(s)").is_none() {
                return None;
            }
            let texts: Option<Vec<&str>> = COLUMNS.iter().map(|name| text(name)).collect();
            Some(texts.map_or(Entry::Unreadable, |texts| {
                Figures::of(text("Operation").unwrap_or_default(), &texts)
            }))
        };
    rows.iter().filter_map(one).collect()
}

/// Reads an output.
pub fn parse(text: &str, known: &UserFacts) -> Result<Parsed, Problem> {
    let threads = known.threads.ok_or_else(|| {
        Problem::of_file("go-tpc does not print how many threads it ran").with(say_how_many())
    })?;
    let mut reports: Vec<Report> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        let entries =
            if line.starts_with("[{") { json_entries(line) } else { entry(line).into_iter().collect() };
        for entry in entries {
            match entry {
                Entry::Type(figures) => {
                    let again = |report: &Report| report.kinds.iter().any(|known| known.kind == figures.kind);
                    if reports.last().is_none_or(|report| report.tpmc.is_some() || again(report)) {
                        reports.push(Report::default());
                    }
                    reports.last_mut().expect("one was just pushed").kinds.push(figures);
                }
                Entry::TpmC(tpmc) => {
                    if let Some(report) = reports.last_mut() {
                        report.tpmc.get_or_insert(tpmc);
                    }
                }
                Entry::Unreadable => {
                    return Err(Problem::at(at + 1, "this line of the summary cannot be read"));
                }
            }
        }
    }
    let cut = || Problem::of_file("there is no [Summary] with transactions in it: the run was cut");
    if reports.is_empty() {
        return Err(cut());
    }
    let measured = reports.iter().map(|report| report.measured(threads).ok_or_else(cut));
    Ok(Parsed {
        tool: "go-tpc".to_owned(),
        version: None,
        notes: vec![
            "go-tpc keeps one digit of a response time and counts no less than 1 ms, so its percentiles are coarse"
                .to_owned(),
        ],
        is_table: false,
        measured: measured.collect::<Result<_, _>>()?,
    })
}

/// One run: it ends with its tpmC, which older versions do not print, or when a type appears again.
#[derive(Default)]
struct Report {
    kinds: Vec<Figures>,
    tpmc: Option<f64>,
}

impl Report {
    /// The measurement; none without transactions.
    fn measured(&self, threads: u32) -> Option<Measurement> {
        let is_error = |one: &&Figures| one.kind.ends_with("_ERR");
        let completed = || self.kinds.iter().filter(|one| !is_error(one));
        let transactions: u64 = completed().map(Figures::count).sum();
        let errors = self.kinds.iter().filter(is_error).map(Figures::count).sum();
        let takes_s = self.kinds.iter().map(|one| one.figures[0]).fold(0.0, f64::max);
        if transactions == 0 || takes_s <= 0.0 {
            return None;
        }
        let sum_ms: f64 = completed().map(|one| one.figures[3]).sum();
        // Older versions print tpmC nowhere else.
        let new_orders = completed().find(|one| one.kind == "NEW_ORDER").map(|one| one.figures[2]);
        let stated = Stated {
            transactions: Some(transactions),
            errors: Some(errors),
            throughput_per_s: Some(transactions as f64 / takes_s),
            tpmc: self.tpmc.or(new_orders),
            response: ReportedLatency {
                mean_ns: Some(ns(sum_ms / transactions as f64)),
                max_ns: completed().filter_map(|one| one.latency().max_ns).reduce(f64::max),
                ..ReportedLatency::default()
            },
            types: self.types(),
            ..Stated::default()
        };
        Some(Measurement {
            workload: Some("tpcc".to_owned()),
            threads,
            measured_s: takes_s,
            stated,
            ..Measurement::default()
        })
    }

    /// The transaction types in the order of the standard.
    fn types(&self) -> Vec<StatedType> {
        let of = |transaction: &TpccTransaction| {
            let kind = transaction.name().to_uppercase();
            let figures = self.kinds.iter().find(|one| one.kind == kind)?;
            let failed = self.kinds.iter().find(|one| one.kind == format!("{kind}_ERR"));
            Some(StatedType {
                name: transaction.title().to_owned(),
                transactions: figures.count(),
                errors: failed.map_or(0, Figures::count),
                per_minute: figures.figures[2],
                response: figures.latency(),
            })
        };
        TpccTransaction::ALL.iter().filter_map(of).collect()
    }
}
