//! Renderers: one file for each form of a report.

mod bars;
mod csv;
mod experiment;
pub mod grid;
pub mod history;
mod html;
mod json;
mod markdown;
mod over_time;
mod server;
mod stated;
mod sysbench;
mod text;
mod tpcc;
pub mod versus;

use analysis::caveat::DAMAGED_FILE;

use crate::View;
use crate::build::trust::NAMED;
use crate::view::{Cell, Level, Trial, Variable};
use crate::words::Lang;

pub use bars::{Bars, latency_bars};
pub use csv::csv;
pub use html::{HtmlError, history_page, html};
pub use json::json;
pub use markdown::markdown;
pub use sysbench::{IntervalLines, SysbenchHead, THREADS_STARTED, sysbench, sysbench_figures, sysbench_head};
pub use text::text;

/// Completed trials that do not count, a line each with the reason.
fn set_aside(view: &View) -> Vec<String> {
    let lang = view.lang;
    let line = |cell: &Cell, trial: &Trial| {
        let (label, n) = (&view.targets[cell.target].label, cell.threads);
        let why: Vec<&str> = trial.set_aside.iter().map(|words| lang.of(words)).collect();
        match lang {
            Lang::En => {
                let at = messages::number::clients(n);
                format!("{label} at {at}, repeat {}, does not count: {}", trial.repeat, why.join("; "))
            }
            Lang::Zh => format!("{label} {n} 个客户端第 {} 次未计入：{}", trial.repeat, why.join("；")),
        }
    };
    let trials = view.cells.iter().flat_map(|cell| cell.trials.iter().map(move |trial| (cell, trial)));
    trials.filter(|(_, trial)| !trial.set_aside.is_empty()).map(|(cell, trial)| line(cell, trial)).collect()
}

/// The reasons against the measurement that its line on validity only counts.
fn further_reasons(view: &View) -> Vec<&str> {
    let all = view.trust.reasons.iter().filter(|reason| reason.level != Level::Green);
    // What differs between the targets stands beside them.
    let further = all.skip(NAMED).filter(|reason| reason.cells > 0 || reason.id == DAMAGED_FILE);
    further.map(|reason| view.lang.of(&reason.text)).collect()
}

/// `differs: sync_binlog 1, 1000`: the variables that differ and are likely to matter for this load, a line each.
fn differing(view: &View) -> Vec<String> {
    /// What fits above the figures; Markdown and page have all.
    const MOST: usize = 5;
    let lang = view.lang;
    let matter: Vec<&Variable> = view.variables.iter().filter(|v| v.differs && v.matters).collect();
    let word = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
    let line = |variable: &&Variable| {
        let values = if variable.shown.is_empty() { &variable.values } else { &variable.shown };
        let each = view.targets.iter().zip(values).map(|(t, value)| format!("{} {}", t.label, word(value)));
        let each = each.collect::<Vec<_>>().join(lang.pick(", ", "，"));
        format!("{}{}{}{each}", lang.pick("differs: ", "差异："), variable.name, lang.pick(": ", "："))
    };
    let mut lines: Vec<String> = matter.iter().take(MOST).map(line).collect();
    let more = matter.len().saturating_sub(MOST);
    if more > 0 {
        let variables = if more == 1 { "variable" } else { "variables" };
        lines.push(match lang {
            Lang::En => format!("differs: {more} more {variables}, on the page"),
            Lang::Zh => format!("差异：另有 {more} 个变量，见报告页面"),
        });
    }
    lines
}

/// What the text and sysbench forms show of latencies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Latencies {
    /// Percentile in sysbench's report, 1 to 100; 0 switches it off.
    pub percentile: f64,
    /// sysbench's latency histogram too.
    pub histogram: bool,
}

impl Default for Latencies {
    /// As sysbench: the 95th percentile, no histogram.
    fn default() -> Self {
        Self { percentile: 95.0, histogram: false }
    }
}
