//! What crashes on purpose lost, as a table: a row for each target with each kind of crash.

use analysis::CrashStanding;
use messages::message;

use super::grid::{Align, grid};
use crate::View;
use crate::format::figure;
use crate::view::Cell;
use crate::words::Lang;

/// The head of the table, and its rows; none where nothing crashed on purpose.
pub fn rows(view: &View) -> Option<(Vec<String>, Vec<Vec<String>>)> {
    let lang = view.lang;
    let rows: Vec<Vec<String>> = view.cells.iter().filter_map(|cell| row(view, cell)).collect();
    let column = |name: &str| lang.said(message!("crash-column", column = Word(name)));
    let head = ["target", "crash", "promise", "throughput", "lost", "most", "worst", "median", "recovery"];
    (!rows.is_empty()).then(|| (head.map(column).to_vec(), rows))
}

fn row(view: &View, cell: &Cell) -> Option<Vec<String>> {
    let lang = view.lang;
    let found = cell.crash.as_ref()?;
    let standing = match found.standing {
        CrashStanding::Kept => "kept",
        CrashStanding::Broken => "broken",
        CrashStanding::Lost | CrashStanding::Spared => "none",
    };
    let lost_in = message!(
        "crash-lost-in",
        lost = Count(found.lost_in),
        crashes = Count(found.crashes),
        bound = Percent?(found.bound),
        failed = Count(found.not_recovered)
    );
    let shown = |value: Option<f64>| value.map(figure).unwrap_or_default();
    Some(vec![
        view.targets[cell.target].label.clone(),
        lang.said(message!("crash-kind", kind = Word(found.kind.name()))),
        lang.said(message!("crash-promise", standing = Word(standing))),
        shown(cell.throughput_per_s.as_ref().map(|one| one.mean)),
        lang.said(lost_in),
        found.lost_most.to_string(),
        shown(found.lost_ms_worst),
        shown(found.lost_ms_median),
        shown(found.recovery_s),
    ])
}

/// What the table is about.
pub fn title(lang: Lang) -> String {
    lang.said(message!("crash-title"))
}

/// A heading, and the table.
pub fn text(view: &View) -> Option<String> {
    let (head, rows) = rows(view)?;
    let mut align = vec![Align::Left, Align::Left, Align::Left, Align::Right, Align::Left];
    align.extend([Align::Right; 4]);
    let all: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
    let lines: String = grid(&all, &align).lines().map(|line| format!("  {line}\n")).collect();
    Some(format!("{}\n{lines}", title(view.lang)))
}
