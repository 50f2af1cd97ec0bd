//! The parts of the response time that explain the difference between two targets.

use analysis::{Explanation, PartChange};
use messages::message;
use messages::number;

use super::grid::Align;
use super::titled::TitledTable;
use crate::View;
use crate::format::figure;
use crate::view::Cell;
use crate::words::Lang;

/// Maximum number of target pairs with a sentence above the figures.
const SENTENCES: usize = 3;
/// A part with less than this of the response time on both targets has no row of its own, unless it carries a difference.
const WORTH_A_ROW: f64 = 0.05;

/// For each pair of targets, the number of clients at which they differ most; pairs in descending order of the difference.
fn leading(view: &View) -> Vec<&Explanation> {
    let size = |one: &Explanation| (one.other_ms / one.base_ms).ln().abs();
    let mut leading: Vec<&Explanation> = view.explanations.iter().filter(|one| one.leads).collect();
    leading.sort_by(|one, two| size(two).total_cmp(&size(one)));
    leading
}

/// The main cause of each difference, a sentence for each pair of targets.
pub fn sentences(view: &View) -> Vec<String> {
    leading(view).iter().take(SENTENCES).map(|one| view.lang.of(&one.says).to_owned()).collect()
}

/// The parts of the largest difference, by cause and by statement.
pub fn tables(view: &View) -> Vec<TitledTable> {
    let Some(one) = leading(view).first().copied() else { return Vec::new() };
    [("cause", &one.resources), ("statement", &one.statements)]
        .into_iter()
        .filter(|(_, parts)| !parts.is_empty())
        .map(|(by, parts)| table(one, by, parts, view.lang))
        .collect()
}

fn table(one: &Explanation, by: &str, parts: &[PartChange], lang: Lang) -> TitledTable {
    let title =
        message!("where-title", by = Word(by), workload = Text(&one.workload), clients = Count(one.threads));
    let column = |name: &str| lang.said(message!("where-column", column = Word(name)));
    let of = |part: &PartChange| {
        let interval = part.change_ms.low.zip(part.change_ms.high).map(|(low, high)| interval(low, high));
        vec![
            lang.of(&part.label).to_owned(),
            figure(part.base_ms),
            figure(part.other_ms),
            signed(part.change_ms.mean),
            interval.unwrap_or_default(),
        ]
    };
    let own_row = |part: &&PartChange| {
        part.named
            || part.id == analysis::UNATTRIBUTED
            || part.base_ms.max(part.other_ms) >= WORTH_A_ROW * one.base_ms.max(one.other_ms)
    };
    let mut rows: Vec<Vec<String>> = parts.iter().filter(own_row).map(of).collect();
    let small: Vec<&PartChange> = parts.iter().filter(|part| !own_row(part)).collect();
    if !small.is_empty() {
        let sum = |of: fn(&PartChange) -> f64| small.iter().map(|part| of(part)).sum::<f64>();
        rows.push(vec![
            lang.said(message!("where-others")),
            figure(sum(|part| part.base_ms)),
            figure(sum(|part| part.other_ms)),
            signed(sum(|part| part.change_ms.mean)),
            String::new(),
        ]);
    }
    let whole = one.change_ms.low.zip(one.change_ms.high);
    rows.push(vec![
        lang.said(message!("where-whole")),
        figure(one.base_ms),
        figure(one.other_ms),
        signed(one.change_ms.mean),
        whole.map(|(low, high)| interval(low, high)).unwrap_or_default(),
    ]);
    TitledTable {
        title: lang.said(title),
        head: vec![column(by), one.base.clone(), one.other.clone(), column("change"), String::new()],
        rows,
        align: vec![Align::Left, Align::Right, Align::Right, Align::Right, Align::Left],
    }
}

fn signed(ms: f64) -> String {
    let size = number::figure(ms.abs());
    match size.chars().any(|digit| digit.is_ascii_digit() && digit != '0') {
        true => format!("{}{size}", if ms > 0.0 { "+" } else { "-" }),
        false => "0".to_owned(),
    }
}

fn interval(low: f64, high: f64) -> String {
    format!("[{}, {}]", signed(low), signed(high))
}

/// The breakdown of a transaction's time in one cell: `mean response time 6.87 ms: waiting for a CPU 3.1, server CPU 1.33`.
pub fn cell(cell: &Cell, lang: Lang) -> Option<String> {
    let found = cell.breakdown.as_ref().filter(|found| !found.resources.is_empty())?;
    let mut parts: Vec<_> = found.resources.iter().collect();
    parts.retain(|part| part.ms.mean.abs() >= WORTH_A_ROW * found.response_ms.mean);
    parts.sort_by(|one, two| two.ms.mean.total_cmp(&one.ms.mean));
    let part = |part: &&analysis::BreakdownPart| {
        message!("breakdown-part", part = Message(part.label.clone()), ms = Figure(part.ms.mean))
    };
    let parts = parts.iter().map(part).collect::<Vec<_>>();
    Some(lang.said(message!("breakdown", ms = Figure(found.response_ms.mean), parts = Parts(parts))))
}
