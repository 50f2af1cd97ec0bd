//! Cost of failovers, as a table: a row for each cell whose primary was lost.

use messages::message;

use super::grid::Align;
use super::titled::TitledTable;
use crate::View;
use crate::format::{figure, thousands};
use crate::view::Cell;

/// Codes of errors that a row shows at most.
const ERRORS: usize = 3;

/// The table; none where no primary was lost on purpose.
pub fn table(view: &View) -> Option<TitledTable> {
    let lang = view.lang;
    let rows: Vec<Vec<String>> = view.cells.iter().filter_map(|cell| row(view, cell)).collect();
    let column = |name: &str| lang.said(message!("failover-column", column = Word(name)));
    let head = [
        "target", "loss", "promise", "without", "median", "promoted", "back", "lost", "most", "age", "split",
        "unknown", "errors", "old",
    ];
    let align =
        [&[Align::Left; 3][..], &[Align::Right; 4], &[Align::Left], &[Align::Right; 4], &[Align::Left; 2]];
    let (title, head) = (lang.said(message!("failover-title")), head.map(column).to_vec());
    (!rows.is_empty()).then(|| TitledTable { title, head, rows, align: align.concat() })
}

fn row(view: &View, cell: &Cell) -> Option<Vec<String>> {
    let lang = view.lang;
    let found = cell.failover.as_ref()?;
    let standing = match (found.broken, found.promised, found.fell_back > 0) {
        (true, ..) => "broken",
        (false, true, _) => "kept",
        (false, false, true) => "async",
        (false, false, false) => "none",
    };
    // What is left out is in the JSON.
    let errors = found.errors.iter().take(ERRORS);
    let errors = errors
        .map(|one| message!("failover-errors", code = Text(one.code.to_string()), count = Count(one.count)));
    let errors = errors.map(|one| lang.said(one)).collect::<Vec<_>>().join(", ");
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
        thousands(found.lost_most),
        shown(found.lost_ms_worst),
        found.split_brain_most.map(thousands).unwrap_or_else(|| "-".to_owned()),
        thousands(found.unknown_most),
        if errors.is_empty() { "-".to_owned() } else { errors },
        lang.said(old),
    ])
}
