//! Renders recordings in the requested format.

use std::path::PathBuf;

use messages::number::thousands;
use report::View;
use report::render::{self, IntervalLines, Latencies};
use store::Recording;

use crate::display::recorded;
use crate::error::{Outcome, UserError};
use crate::options::output::{Format, Lang};
use crate::output;

/// The page in a run's directory.
pub const PAGE: &str = "report.html";

/// The display options.
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
    /// Seconds between interval lines of the sysbench format; none: no such lines.
    pub interval_s: Option<u32>,
}

/// The view of some recordings.
pub fn view(runs: &[PathBuf], lang: Lang) -> Outcome<View> {
    let recordings = runs.iter().map(|run| Recording::read(run)).collect::<Result<Vec<_>, _>>()?;
    let lang = lang.of_report();
    Ok(View::build(&recordings, &report::ReportOptions { lang })?)
}

/// A remark on a percentile beyond which there are fewer than ten transactions; none if there are enough.
pub fn remark_on_percentile(view: &View, percentile: f64) -> Option<String> {
    const BEYOND_MIN: f64 = 10.0;
    let measured = view.cells.iter().filter_map(|cell| cell.operations.first());
    let fewest = measured.map(|transaction| transaction.count).min()?;
    let beyond = fewest as f64 * (1.0 - percentile / 100.0);
    // A cell without any sample is reported elsewhere.
    (percentile < 100.0 && beyond < BEYOND_MIN && fewest > 0).then(|| {
        let transactions = thousands(fewest);
        format!("! p{percentile} of {transactions} transactions: fewer than ten lie beyond it, too few samples for that percentile")
    })
}

/// The figures of sysbench's report, whose beginning was printed before.
pub fn sysbench_figures(view: &View, look: Look) -> String {
    render::sysbench_figures(view, &Latencies { percentile: look.percentile, histogram: look.histogram })
}

/// Lines of the trials of these runs, as sysbench prints them while it runs. A trial whose files are damaged has none.
fn interval_lines(runs: &[PathBuf], look: Look) -> Outcome<IntervalLines> {
    let mut lines =
        IntervalLines { every_s: look.interval_s.filter(|every_s| *every_s > 0), ..IntervalLines::default() };
    let Some(every_s) = lines.every_s else { return Ok(lines) };
    for (at, run) in runs.iter().enumerate() {
        let recording = Recording::read(run)?;
        // Other tools keep no histograms of seconds.
        for trial in recording.trials.iter().filter(|_| recording.plan.imported.is_none()) {
            let read = match trial.damaged.first() {
                Some(damage) => Err(damage.clone()),
                None => recorded::lines(&recording.plan, trial, every_s, look.percentile)
                    .map_err(|error| error.to_string()),
            };
            match read {
                Ok(text) => _ = lines.of_trial.insert((at, trial.planned.index), text),
                Err(why) => output::note(&format!("! {} has no interval lines: {why}", trial.planned.cell)),
            }
        }
    }
    Ok(lines)
}

/// The view of these runs in its form.
pub fn render(view: &View, runs: &[PathBuf], look: Look) -> Outcome<String> {
    let latencies = Latencies { percentile: look.percentile, histogram: look.histogram };
    Ok(match look.format {
        Format::Text => render::text(view, &latencies),
        Format::Sysbench => render::sysbench(view, &latencies, &interval_lines(runs, look)?),
        Format::Csv => render::csv(view),
        Format::Json => render::json(view),
        Format::Markdown => render::markdown(view),
        Format::Html => render::html(view).map_err(|error| UserError::told(&error))?,
    })
}
