//! From recordings to a text in the form that was asked for.

use std::path::PathBuf;

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
