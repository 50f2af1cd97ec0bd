//! What crashes on purpose lost, as tables: a row for each target with each kind of crash.

use analysis::CrashStanding;
use messages::{Words, message};

use super::grid::Align;
use super::titled::TitledTable;
use crate::View;
use crate::format::{figure, thousands};
use crate::view::Cell;

/// What the tables of the servers lost, and what their binary logs did where these were compared; none where nothing crashed on
/// purpose.
pub fn tables(view: &View) -> Vec<TitledTable> {
    let lang = view.lang;
    let kept = |title: Words, head: Vec<Words>, rows: Vec<Vec<String>>, align: &[Align]| {
        let head = head.into_iter().map(|one| lang.said(one)).collect();
        (!rows.is_empty()).then(|| TitledTable { title: lang.said(title), head, rows, align: align.to_vec() })
    };
    let column = |name: &str| message!("crash-column", column = Word(name));
    let head = ["target", "crash", "promise", "throughput", "lost", "most", "worst", "median", "recovery"];
    let rows = view.cells.iter().filter_map(|cell| row(view, cell)).collect();
    let align = [&[Align::Left, Align::Left, Align::Left, Align::Right, Align::Left][..], &[Align::Right; 4]];
    let lost = kept(message!("crash-title"), head.map(column).to_vec(), rows, &align.concat());
    let own = ["lost", "most", "worst", "differs", "only-tables", "only-log"];
    let own = own.map(|name| message!("crash-log-column", column = Word(name)));
    let head = ["target", "crash"].map(column).into_iter().chain(own).collect();
    let rows = view.cells.iter().filter_map(|cell| log_row(view, cell)).collect();
    let align =
        [&[Align::Left; 3][..], &[Align::Right, Align::Right, Align::Left, Align::Right, Align::Right]];
    let log = kept(message!("crash-log-title"), head, rows, &align.concat());
    lost.into_iter().chain(log).collect()
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
        thousands(found.lost_most),
        shown(found.lost_ms_worst),
        shown(found.lost_ms_median),
        shown(found.recovery_s),
    ])
}

fn log_row(view: &View, cell: &Cell) -> Option<Vec<String>> {
    let lang = view.lang;
    let found = cell.crash.as_ref()?;
    let log = found.binary_log.as_ref()?;
    let harmed_in = |harmed: u32, bound: Option<f64>, unreadable: u32| {
        lang.said(message!(
            "crash-log-in",
            harmed = Count(harmed),
            compared = Count(log.compared),
            bound = Percent?(bound),
            unreadable = Count(unreadable)
        ))
    };
    // Of a log that was never read nothing is known.
    let known = |count: u64| if log.compared > 0 { thousands(count) } else { String::new() };
    Some(vec![
        view.targets[cell.target].label.clone(),
        lang.said(message!("crash-kind", kind = Word(found.kind.name()))),
        harmed_in(log.lost_in, log.lost_bound, log.unreadable),
        known(log.lost_most),
        log.lost_ms_worst.map(figure).unwrap_or_default(),
        harmed_in(log.differs_in, log.differs_bound, 0),
        known(log.only_in_tables_most),
        known(log.only_in_log_most),
    ])
}
