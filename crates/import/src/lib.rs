//! Recordings from the output of other tools: logs of sysbench, go-tpc and BenchmarkSQL, and tables.
//!
//! Measurements of others are judged like mydyno's own. Each parser is pure, from a text to the figures it reports;
//! `record` makes a recording of them. Everything else stays unknown.

mod article;
mod benchmarksql;
mod gotpc;
mod known;
mod mapping;
mod measured;
mod published;
mod record;
mod sysbench;
mod table;

pub use known::UserFacts;
use mapping::mapped;
pub use mapping::{Mapping, MappingError};
use measured::map_its_columns;
pub use measured::{Measurement, Parsed, Problem};
pub use record::{Source, distinct, plan, results, write};

/// The tool that wrote a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// sysbench 0.5, 1.0 or 1.1; one log or several in one file.
    Sysbench,
    /// A table with a header line.
    Csv,
    /// go-tpc.
    GoTpc,
    /// BenchmarkSQL 4 or 5.
    BenchmarkSql,
}

/// The tool that wrote a text; none if the format is unknown.
pub fn detect(text: &str, known: &UserFacts) -> Option<Format> {
    if sysbench::is_sysbench(text) {
        Some(Format::Sysbench)
    } else if gotpc::is_gotpc(text) {
        Some(Format::GoTpc)
    } else if benchmarksql::is_benchmarksql(text) {
        Some(Format::BenchmarkSql)
    } else if known.mapping.is_some() || article::is_article(text) || published::is_published(text) {
        Some(Format::Csv)
    } else {
        None
    }
}

/// Reads a text. `format` none: whatever it looks like.
///
/// # Errors
/// A sentence, and the line it is about.
pub fn parse(text: &str, format: Option<Format>, known: &UserFacts) -> Result<Parsed, Problem> {
    let format = format.or_else(|| detect(text, known)).ok_or_else(|| match text.lines().next() {
        Some(first) if table::delimiter(first).is_some() => {
            Problem::of_file("it looks like a table, and none that is known").with(map_its_columns())
        }
        _ => {
            Problem::of_file("this is neither output of sysbench, go-tpc or BenchmarkSQL, nor a known table")
        }
    })?;
    let parsed = match format {
        Format::Sysbench => sysbench::parse(text, known),
        Format::GoTpc => gotpc::parse(text, known),
        Format::BenchmarkSql => benchmarksql::parse(text, known),
        Format::Csv => match &known.mapping {
            Some(mapping) => mapped(text, mapping),
            None if article::is_article(text) => article::parse(text),
            None => published::parse(text),
        },
    }?;
    if parsed.measured.is_empty() {
        return Err(Problem::of_file("there is no measurement in it"));
    }
    Ok(parsed)
}
