//! Losses in planned crashes, as tables: a row for each target with each kind of crash.

use analysis::{CrashStanding, TornAt};
use messages::{Words, message};

use super::grid::Align;
use super::titled::TitledTable;
use crate::View;
use crate::format::{figure, thousands};
use crate::view::Cell;

/// The losses of the servers' tables, and the state of their binary logs where these were compared; none where nothing
/// crashed on purpose.
pub fn tables(view: &View) -> Vec<TitledTable> {
    let lang = view.lang;
    let kept = |title: Words, head: Vec<Words>, rows: Vec<Vec<String>>, align: &[Align]| {
        let head = head.into_iter().map(|one| lang.said(one)).collect();
        (!rows.is_empty()).then(|| TitledTable { title: lang.said(title), head, rows, align: align.to_vec() })
    };
    let column = |name: &str| message!("crash-column", column = Word(name));
    let head = ["target", "crash", "promise", "throughput", "lost", "most", "worst", "median", "recovery"];
    // Processes that are killed tear nothing.
    let is_torn =
        view.cells.iter().any(|cell| cell.crash.as_ref().is_some_and(|found| !found.torn.is_empty()));
    let torn = is_torn.then_some("torn");
    let head: Vec<Words> = head.into_iter().chain(torn).map(column).collect();
    let rows = view.cells.iter().filter_map(|cell| row(view, cell, is_torn)).collect();
    let align = [
        &[Align::Left, Align::Left, Align::Left, Align::Right, Align::Left][..],
        &[Align::Right; 4],
        &[Align::Left; 1][..usize::from(is_torn)],
    ];
    let lost = kept(message!("crash-title"), head, rows, &align.concat());
    let own = ["lost", "most", "worst", "differs", "only-tables", "only-log"];
    let own = own.map(|name| message!("crash-log-column", column = Word(name)));
    let head = ["target", "crash"].map(column).into_iter().chain(own).collect();
    let rows = view.cells.iter().filter_map(|cell| log_row(view, cell)).collect();
    let align =
        [&[Align::Left; 3][..], &[Align::Right, Align::Right, Align::Left, Align::Right, Align::Right]];
    let log = kept(message!("crash-log-title"), head, rows, &align.concat());
    let own = ["ahead", "most", "saved", "stopped", "diverged", "lacking", "lost"];
    let own = own.map(|name| message!("crash-replicas-column", column = Word(name)));
    let head = ["target", "crash"].map(column).into_iter().chain(own).collect();
    let rows = view.cells.iter().filter_map(|cell| replicas_row(view, cell)).collect();
    let align = [
        &[Align::Left; 3][..],
        &[Align::Right, Align::Right, Align::Left, Align::Left, Align::Right, Align::Right],
    ];
    let replicas = kept(message!("crash-replicas-title"), head, rows, &align.concat());
    lost.into_iter().chain(log).chain(replicas).collect()
}

fn row(view: &View, cell: &Cell, with_torn: bool) -> Option<Vec<String>> {
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
    let torn_at = |one: &TornAt| {
        lang.said(message!("crash-torn", bytes = Bytes(one.bytes), crashes = Count(one.crashes)))
    };
    let torn = with_torn.then(|| found.torn.iter().map(torn_at).collect::<Vec<_>>().join(", "));
    let cells = vec![
        view.targets[cell.target].label.clone(),
        lang.said(message!("crash-kind", kind = Word(found.kind.name()))),
        lang.said(message!("crash-promise", standing = Word(standing))),
        shown(cell.throughput_per_s.as_ref().map(|one| one.mean)),
        lang.said(lost_in),
        thousands(found.lost_most),
        shown(found.lost_ms_worst),
        shown(found.lost_ms_median),
        shown(found.recovery_s),
    ];
    Some(cells.into_iter().chain(torn).collect())
}

fn replicas_row(view: &View, cell: &Cell) -> Option<Vec<String>> {
    let lang = view.lang;
    let found = cell.crash.as_ref()?;
    let replicas = found.replicas.as_ref()?;
    let harmed_in = |harmed: u32, bound: Option<f64>, unreadable: u32| {
        lang.said(message!(
            "crash-log-in",
            harmed = Count(harmed),
            compared = Count(replicas.compared),
            bound = Percent?(bound),
            unreadable = Count(unreadable)
        ))
    };
    // Beside a primary that did not recover nothing is known.
    let known = |count: u64| if replicas.compared > 0 { thousands(count) } else { String::new() };
    Some(vec![
        view.targets[cell.target].label.clone(),
        lang.said(message!("crash-kind", kind = Word(found.kind.name()))),
        harmed_in(replicas.ahead_in, replicas.ahead_bound, replicas.unreadable),
        known(replicas.ahead_most),
        known(replicas.saved_most),
        harmed_in(replicas.stopped_in, None, 0),
        harmed_in(replicas.diverged_in, None, 0),
        known(replicas.lacking_most),
        if replicas.told > 0 { thousands(replicas.lost_most) } else { String::new() },
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
