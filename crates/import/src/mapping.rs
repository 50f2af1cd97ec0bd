//! The user's description of a table's columns: `threads=COL,throughput=COL,p95_ms=COL,target=COL+COL`.

use model::Stated;

use crate::measured::{Measurement, Parsed, Problem, ns, rate};
use crate::table::{Row, Table};

/// Keys of a mapping, in the order in which an error lists them.
const KEYS: [&str; 13] = [
    "threads",
    "throughput",
    "tpmc",
    "transactions",
    "time_s",
    "queries",
    "latency_avg_ms",
    "p95_ms",
    "p99_ms",
    "target",
    "workload",
    "repeat",
    "where",
];

/// The meaning of a table's columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mapping {
    /// (key, column); `target` may have several.
    columns: Vec<(&'static str, String)>,
    /// (column, value) that a row must have.
    filters: Vec<(String, String)>,
}

/// The reason a mapping is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MappingError(String);

impl Mapping {
    /// Reads `KEY=COLUMN,...`; columns with `+` between them make a label; `where=COLUMN:VALUE` picks rows.
    ///
    /// # Errors
    /// A sentence about what cannot be read.
    pub fn parse(text: &str) -> Result<Self, MappingError> {
        let mut mapping = Self::default();
        for part in text.split(',').map(str::trim) {
            let wrong = |what: &str| MappingError(format!("'{part}' {what}"));
            let (key, column) = part.split_once('=').ok_or_else(|| wrong("is not KEY=COLUMN"))?;
            let known = KEYS.into_iter().find(|known| *known == key);
            let key =
                known.ok_or_else(|| wrong(&format!("has no known key: it is one of {}", KEYS.join(", "))))?;
            match key {
                _ if column.is_empty() => return Err(wrong("names no column")),
                "where" => {
                    let (column, value) =
                        column.split_once(':').ok_or_else(|| wrong("is not where=COLUMN:VALUE"))?;
                    mapping.filters.push((column.to_owned(), value.to_owned()));
                }
                "target" | "workload" => {
                    mapping.columns.extend(column.split('+').map(|column| (key, column.to_owned())));
                }
                _ if mapping.column(key).is_some() => return Err(wrong("is said twice")),
                _ => mapping.columns.push((key, column.to_owned())),
            }
        }
        let has = |key| mapping.column(key).is_some();
        if !has("threads") {
            return Err(MappingError("it needs threads=COLUMN".to_owned()));
        }
        let counted = has("transactions") && has("time_s");
        if !(has("throughput") || has("tpmc") || counted) {
            return Err(MappingError(
                "it needs throughput=COLUMN, tpmc=COLUMN, or transactions=COLUMN and time_s=COLUMN"
                    .to_owned(),
            ));
        }
        Ok(mapping)
    }

    fn column(&self, key: &str) -> Option<&str> {
        self.of(key).next()
    }

    fn of(&self, key: &str) -> impl Iterator<Item = &str> {
        self.columns.iter().filter(move |(own, _)| *own == key).map(|(_, column)| column.as_str())
    }

    /// A word stands for itself, a number or nothing needs the name of its column.
    fn label(&self, key: &str, row: &Row<'_>) -> Option<String> {
        let part = |column: &str| {
            let value = row.text(column);
            match value {
                "" => format!("no {column}"),
                _ if value.parse::<f64>().is_ok() => format!("{column}={value}"),
                _ => value.to_owned(),
            }
        };
        let parts: Vec<String> = self.of(key).map(part).collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }
}

/// Reads a table according to a mapping.
pub fn mapped(text: &str, mapping: &Mapping) -> Result<Parsed, Problem> {
    let table = Table::read(text)?;
    let filters = mapping.filters.iter().map(|(column, _)| column.as_str());
    for column in mapping.columns.iter().map(|(_, column)| column.as_str()).chain(filters) {
        table.has(column)?;
    }
    let picked =
        table.rows().filter(|row| mapping.filters.iter().all(|(column, value)| row.text(column) == value));
    let mut measured = picked
        .map(|row| Ok((repeat(mapping, &row)?, one(mapping, &row)?)))
        .collect::<Result<Vec<(u64, Measurement)>, Problem>>()?;
    // Repeats are numbered in the order of the list.
    measured.sort_by_key(|(repeat, _)| *repeat);
    let is_tpmc = mapping.column("throughput").is_none() && mapping.column("tpmc").is_some();
    let notes = is_tpmc.then(|| TPMC_NOTE.to_owned());
    Ok(Parsed {
        tool: "a table".to_owned(),
        version: None,
        notes: Vec::from_iter(notes),
        is_table: true,
        measured: measured.into_iter().map(|(_, one)| one).collect(),
    })
}

/// Note for a throughput derived from tpmC.
pub const TPMC_NOTE: &str = "a transaction here is a New-Order: transactions per second are tpmC / 60";

fn repeat(mapping: &Mapping, row: &Row<'_>) -> Result<u64, Problem> {
    mapping.column("repeat").map_or(Ok(0), |column| Ok(row.count(column)?.unwrap_or(0)))
}

fn one(mapping: &Mapping, row: &Row<'_>) -> Result<Measurement, Problem> {
    let number = |key: &str| mapping.column(key).map_or(Ok(None), |column| row.number(column));
    let count = |key: &str| mapping.column(key).map_or(Ok(None), |column| row.count(column));
    let threads = row.threads(mapping.column("threads").unwrap_or_default())?;
    let measured_s = number("time_s")?.unwrap_or(0.0);
    let tpmc = number("tpmc")?;
    let (transactions, queries) = (count("transactions")?, count("queries")?);
    let counted = transactions.and_then(|count| rate(count, measured_s));
    let throughput_per_s = match number("throughput")? {
        Some(throughput) => Some(throughput),
        None => tpmc.map(|tpmc| tpmc / 60.0).or(counted),
    };
    let mut stated = Stated {
        transactions,
        queries,
        throughput_per_s,
        queries_per_s: queries.and_then(|count| rate(count, measured_s)),
        tpmc,
        ..Stated::default()
    };
    stated.response.mean_ns = number("latency_avg_ms")?.map(ns);
    stated.response.p95_ns = number("p95_ms")?.map(ns);
    stated.response.p99_ns = number("p99_ms")?.map(ns);
    let measured = Measurement {
        target: mapping.label("target", row),
        workload: mapping.label("workload", row),
        threads,
        measured_s,
        stated,
        ..Measurement::default()
    };
    Ok(failed_if_zero(measured))
}

/// A row of zeros is a point that failed.
pub fn failed_if_zero(measured: Measurement) -> Measurement {
    if measured.stated.throughput_per_s.is_some_and(|throughput| throughput > 0.0) {
        return measured;
    }
    let failure = Some("no throughput in the table, which does not say why".to_owned());
    Measurement { failure, measured_s: 0.0, stated: Stated::default(), ..measured }
}
