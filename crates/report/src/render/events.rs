//! Effects of planned events on a load, as a table: a row for each event of each cell.

use messages::message;

use super::grid::Align;
use super::titled::TitledTable;
use crate::View;
use crate::format::figure;
use crate::view::Cell;

/// The table; none where nothing happened on purpose.
pub fn table(view: &View) -> Option<TitledTable> {
    let lang = view.lang;
    let rows: Vec<Vec<String>> = view.cells.iter().flat_map(|cell| rows(view, cell)).collect();
    let column = |name: &str| lang.said(message!("event-column", column = Word(name)));
    let head =
        ["target", "clients", "event", "before", "lowest", "silent", "back", "after", "lasted", "errors"];
    let align = [&[Align::Left][..], &[Align::Right], &[Align::Left], &[Align::Right; 7]].concat();
    let (title, head) = (lang.said(message!("event-title")), head.map(column).to_vec());
    (!rows.is_empty()).then_some(TitledTable { title, head, rows, align })
}

fn rows(view: &View, cell: &Cell) -> Vec<Vec<String>> {
    let shown = |value: Option<f64>| value.map(figure).unwrap_or_else(|| "-".to_owned());
    let row = |event: &analysis::EventSummary| {
        vec![
            view.targets[cell.target].label.clone(),
            cell.threads.to_string(),
            event.event.clone(),
            figure(event.before_per_s),
            figure(event.lowest_per_s),
            figure(event.silent_s),
            shown(event.back_s),
            figure(event.after_per_s),
            shown(event.lasted_s),
            figure(event.errors),
        ]
    };
    cell.events.iter().map(row).collect()
}
