//! The destination and format of results.

use std::path::PathBuf;

use analysis::threshold::Threshold;
use clap::{Args, ValueEnum};

use crate::metrics::Listen;
use spec::switch;

/// Default directory of recordings.
pub const DEFAULT_RESULTS: &str = "results";

/// Forms of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Tables for a terminal.
    Text,
    /// sysbench's report, for the scripts that parse it.
    Sysbench,
    /// One line per cell.
    Csv,
    /// Everything, with units in the names.
    Json,
    /// Tables for a page.
    Markdown,
    /// One self-contained page.
    Html,
}

/// Languages of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Lang {
    /// English.
    En,
    /// Simplified Chinese.
    Zh,
}

impl Lang {
    /// The language as a report's type.
    pub fn of_report(self) -> report::Lang {
        match self {
            Self::En => report::Lang::En,
            Self::Zh => report::Lang::Zh,
        }
    }
}

/// The results directory.
#[derive(Args, Clone)]
#[command(next_help_heading = "Results")]
pub struct ResultsArgs {
    /// Directory of recordings
    #[arg(long, value_name = "DIR", default_value = DEFAULT_RESULTS)]
    pub results: PathBuf,
}

/// What is shown of a run.
#[derive(Args, Clone)]
#[command(next_help_heading = "Results")]
pub struct OutputArgs {
    /// Format of the results on standard output
    #[arg(long, default_value = "text")]
    pub format: Format,
    /// Write the results to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Exit with 4 if the measurement is not valid; the report says why
    #[arg(long)]
    pub strict: bool,
    /// Fail if a cell is beyond a threshold (repeatable): p99>20ms, throughput<500, errors>0; of a search capacity<500, judged
    /// by its interval. Exit 3 if one is, 4 if a cell is not valid or has no such figure, or the interval contains the bound
    #[arg(long, value_name = "THRESHOLD", value_parser = Threshold::parse)]
    pub fail_on: Vec<Threshold>,
    /// Language of the report
    #[arg(long, default_value = "en")]
    pub lang: Lang,
    /// Print a line of figures every N seconds on standard error; with --format sysbench in the results, above each report;
    /// 0: none [default: run 10, run --format sysbench 0, sweep 0]
    #[arg(long, value_name = "SECONDS")]
    pub report_interval: Option<u32>,
    /// Serve metrics for Prometheus at http://ADDR/metrics during the run: HOST:PORT, or :PORT for 127.0.0.1; port 0
    /// chooses a free one
    #[arg(long, value_name = "ADDR")]
    pub metrics_listen: Option<Listen>,
    /// Percentile to print in interval lines and in the sysbench format, such as 99 or 99.9
    #[arg(long, value_name = "N", default_value = "95", value_parser = percentile)]
    pub percentile: f64,
    /// Print a latency histogram in the text and sysbench formats
    #[arg(long, value_name = "on|off", default_value = "off", default_missing_value = "on",
        num_args = 0..=1, require_equals = true, action = clap::ArgAction::Set, value_parser = switch)]
    pub histogram: bool,
}

impl OutputArgs {
    /// The result in that form and language, and nothing else.
    pub fn plain(format: Format, lang: Lang) -> Self {
        Self {
            format,
            output: None,
            strict: false,
            fail_on: Vec::new(),
            lang,
            report_interval: None,
            metrics_listen: None,
            percentile: 95.0,
            histogram: false,
        }
    }
}

/// `--percentile`.
pub fn percentile(text: &str) -> Result<f64, String> {
    // sysbench's 0 is for none.
    let fits = |number: &f64| *number == 0.0 || (1.0..=100.0).contains(number);
    let number = text.parse().ok().filter(fits);
    number.ok_or_else(|| "a percentile is a number from 1 to 100, such as 99.9, or 0 for none".to_owned())
}
