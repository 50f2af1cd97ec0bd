//! What failovers cost, as a table: a row for each cell whose primary was lost.

use messages::message;

use super::grid::{Align, grid};
use crate::View;
use crate::format::figure;
use crate::view::Cell;
use crate::words::Lang;

/// The head of the table, and its rows; none where no primary was lost on purpose.
pub fn rows(view: &View) -> Option<(Vec<String>, Vec<Vec<String>>)> {
    let lang = view.lang;
    let rows: Vec<Vec<String>> = view.cells.iter().filter_map(|cell| row(view, cell)).collect();
    let column = |name: &str| lang.said(message!("failover-column", column = Word(name)));
    let head = [
        "target", "loss", "promise", "without", "median", "promoted", "back", "lost", "most", "age",
        "unknown", "old",
    ];
    (!rows.is_empty()).then(|| (head.map(column).to_vec(), rows))
}

fn row(view: &View, cell: &Cell) -> Option<Vec<String>> {
    let lang = view.lang;
    let found = cell.failover.as_ref()?;
    let standing = match (found.promised, found.lost_in > 0 || found.damaged > 0) {
        (false, _) => "none",
        (true, false) => "kept",
        (true, true) => "broken",
    };
    let lost_in = message!(
        "failover-lost-in",
        lost = Count(found.lost_in),
        failovers = Count(found.failovers),
        bound = Percent?(found.bound)
    );
    let old = message!(
        "failover-old",
        rejoined = Figure?(found.rejoined_s),
        diverged = Count(found.diverged),
        beyond = Count(found.diverged_most)
    );
    let shown = |value: Option<f64>| value.map(figure).unwrap_or_else(|| "-".to_owned());
    Some(vec![
        view.targets[cell.target].label.clone(),
        lang.said(message!("failover-kind", loss = Word(found.loss.name()))),
        lang.said(message!("failover-promise", standing = Word(standing))),
        figure(found.without_commit_s_worst),
        figure(found.without_commit_s_median),
        shown(found.promoted_s),
        shown(found.recovered_s),
        lang.said(lost_in),
        found.lost_most.to_string(),
        shown(found.lost_ms_worst),
        found.unknown_most.to_string(),
        lang.said(old),
    ])
}

/// What the table is about.
pub fn title(lang: Lang) -> String {
    lang.said(message!("failover-title"))
}

/// A heading, and the table.
pub fn text(view: &View) -> Option<String> {
    let (head, rows) = rows(view)?;
    let mut align = vec![Align::Left; 3];
    align.extend([Align::Right; 4]);
    align.push(Align::Left);
    align.extend([Align::Right; 3]);
    align.push(Align::Left);
    let all: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
    let lines: String = grid(&all, &align).lines().map(|line| format!("  {line}\n")).collect();
    Some(format!("{}\n{lines}", title(view.lang)))
}
