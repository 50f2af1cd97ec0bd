//! Renderers: one file for each form of a report.

mod bars;
mod bisect;
mod capacity;
mod colocation;
mod crash;
mod csv;
mod events;
mod experiment;
mod explained;
mod failover;
mod flame;
pub mod grid;
pub mod history;
mod html;
mod json;
mod markdown;
mod over_time;
mod profile;
mod proof;
mod router;
mod serial;
mod server;
mod stated;
mod sysbench;
mod text;
mod titled;
mod tpcc;
mod versions;
pub mod versus;

use analysis::Words;
use analysis::caveat::DAMAGED_FILE;
use messages::message;

use crate::View;
use crate::build::trust::NAMED;
use crate::view::{Cell, Level, Trial, Variable};

pub use bars::{Bars, latency_bars};
pub use csv::csv;
pub use html::{HtmlError, history_page, html};
pub use json::json;
pub use markdown::markdown;
pub use sysbench::{IntervalLines, SysbenchHead, THREADS_STARTED, sysbench, sysbench_figures, sysbench_head};
pub use text::text;

/// The tables about planned disturbances of servers.
fn on_purpose(view: &View) -> Vec<titled::TitledTable> {
    crash::tables(view).into_iter().chain(failover::table(view)).chain(events::table(view)).collect()
}

/// `mysql, 16 clients`.
fn cell_words(view: &View, cell: &Cell) -> Words {
    let target = &view.targets[cell.target].label;
    message!("cell-with-clients", target = Text(target), clients = Count(cell.threads))
}

/// The reason a cell has no figures: `mysql at 16 clients: ...`.
fn cell_failure(view: &View, cell: &Cell, why: &str) -> String {
    let target = &view.targets[cell.target].label;
    view.lang.said(message!(
        "cell-failure",
        target = Text(target),
        clients = Count(cell.threads),
        why = Text(why)
    ))
}

/// Completed trials that do not count, a line each with the reason.
fn set_aside(view: &View) -> Vec<String> {
    let lang = view.lang;
    let line = |cell: &Cell, trial: &Trial| {
        lang.said(message!(
            "trial-set-aside",
            target = Text(&view.targets[cell.target].label),
            clients = Count(cell.threads),
            repeat = Count(trial.repeat),
            why = Clauses(trial.set_aside.clone()),
        ))
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
    /// Maximum number shown above the figures; Markdown and the page show all.
    const MOST: usize = 5;
    let lang = view.lang;
    // What recommendations set is in their table.
    if !view.proofs.is_empty() {
        return Vec::new();
    }
    let matter: Vec<&Variable> = view.variables.iter().filter(|v| v.differs && v.matters).collect();
    let word = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
    let line = |variable: &&Variable| {
        let values = if variable.shown.is_empty() { &variable.values } else { &variable.shown };
        let each =
            view.targets.iter().zip(values).map(|(t, value)| format!("{} {}", t.label, word(value)).into());
        let each: Vec<Words> = each.collect();
        lang.said(message!("variable-differs", variable = Text(&variable.name), values = Parts(each)))
    };
    let mut lines: Vec<String> = matter.iter().take(MOST).map(line).collect();
    let more = matter.len().saturating_sub(MOST);
    if more > 0 {
        lines.push(lang.said(message!("more-variables-differ", variables = Count(more as u64))));
    }
    lines
}

/// The latencies shown by the text and sysbench forms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Latencies {
    /// Percentile in sysbench's report, 1 to 100; 0 switches it off.
    pub percentile: f64,
    /// sysbench's latency histogram too.
    pub histogram: bool,
}

impl Default for Latencies {
    /// The defaults of sysbench: the 95th percentile, no histogram.
    fn default() -> Self {
        Self { percentile: 95.0, histogram: false }
    }
}
