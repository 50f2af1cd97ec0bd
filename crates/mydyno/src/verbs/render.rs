//! From recordings to a text in the form that was asked for.

use std::path::PathBuf;

use model::thousands;
use report::View;
use report::render::{self, Latencies};
use store::Recording;

use crate::error::{Outcome, UserError};
use crate::options::output::{Format, Lang};

/// The page in a run's directory.
pub const PAGE: &str = "report.html";

/// How results are to be shown.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Form.
    pub format: Format,
    /// Language.
    pub lang: Lang,
    /// Percentile of the sysbench format.
    pub percentile: f64,
    /// Latency histograms too.
    pub histogram: bool,
}

/// What is to be shown of some runs.
pub fn view(runs: &[PathBuf], lang: Lang) -> Outcome<View> {
    let recordings = runs.iter().map(|run| Recording::read(run)).collect::<Result<Vec<_>, _>>()?;
    let lang = match lang {
        Lang::En => report::Lang::En,
        Lang::Zh => report::Lang::Zh,
    };
    Ok(View::build(&recordings, &report::Options { lang })?)
}

/// What a percentile beyond which there are fewer than ten transactions is worth; nothing of one with enough of them.
pub fn remark_on_percentile(view: &View, percentile: f64) -> Option<String> {
    const BEYOND_MIN: f64 = 10.0;
    let measured = view.cells.iter().filter_map(|cell| cell.operations.first());
    let fewest = measured.map(|transaction| transaction.count).min()?;
    let beyond = fewest as f64 * (1.0 - percentile / 100.0);
    // Of none that it has no percentile is said otherwise.
    (percentile < 100.0 && beyond < BEYOND_MIN && fewest > 0).then(|| {
        let transactions = thousands(fewest);
        format!("! p{percentile} of {transactions} transactions: fewer than ten lie beyond it, too few samples for that percentile")
    })
}

/// The figures of sysbench's report, whose beginning was printed before.
pub fn sysbench_figures(view: &View, look: Look) -> String {
    render::sysbench_figures(view, &Latencies { percentile: look.percentile, histogram: look.histogram })
}

/// The view in its form.
pub fn render(view: &View, look: Look) -> Outcome<String> {
    let latencies = Latencies { percentile: look.percentile, histogram: look.histogram };
    Ok(match look.format {
        Format::Text => render::text(view, &latencies),
        Format::Sysbench => render::sysbench(view, &latencies),
        Format::Csv => render::csv(view),
        Format::Json => render::json(view),
        Format::Markdown => render::markdown(view),
        Format::Html => render::html(view).map_err(|error| UserError::told(&error))?,
    })
}
