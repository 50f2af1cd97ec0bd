//! Behaviour of the trials over time, a line for each cell with findings.

use analysis::Words;
use analysis::over_time::Question;
use messages::message;

use super::cell_words;
use crate::View;
use crate::view::Cell;
use crate::words::Lang;

/// Cells that fit beside the figures; the page has all.
const CELLS_MAX: usize = 8;

/// `mysql, 16 clients: throughput dips every 60 s, by 60 %`, for each cell of a sweep that has findings.
pub fn sweep(view: &View, cells: &[&Cell]) -> Vec<String> {
    let lang = view.lang;
    let line = |cell: &&Cell| {
        let said: Vec<Words> = clauses(cell).cloned().collect();
        (!said.is_empty()).then(|| {
            let place = cell_words(view, cell);
            lang.said(message!("cell-over-time", cell = Message(place), findings = Clauses(said)))
        })
    };
    let mut lines: Vec<String> = cells.iter().filter_map(line).collect();
    let left_out = lines.len().saturating_sub(CELLS_MAX);
    if left_out > 0 {
        lines.truncate(CELLS_MAX);
        lines.push(lang.said(message!("more-cells-over-time", cells = Count(left_out as u64))));
    }
    lines
}

/// The findings of the only cell, a line each.
pub fn cell(cell: &Cell, lang: Lang) -> Vec<String> {
    clauses(cell).map(|words| lang.of(words).to_owned()).collect()
}

/// The findings that the sentence about long trials does not include.
fn clauses(cell: &Cell) -> impl Iterator<Item = &Words> {
    let told = cell.timelines.iter().any(|timeline| timeline.sustained.is_some());
    let is_told = move |question| told && matches!(question, Question::Jitter | Question::Growth);
    let findings = cell.over_time.iter().flat_map(|over_time| &over_time.findings);
    findings.filter(move |f| !is_told(f.question)).map(|f| &f.text)
}
