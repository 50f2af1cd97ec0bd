//! Figures reported by another tool: latencies of all transactions and of each type, and tpmC. Figures that it did not
//! report have no column.

use crate::View;
use crate::format::{figure, thousands};
use crate::render::grid::{Align, grid};
use crate::view::{Cell, ReportedLatencyView, StatedRow};
use crate::words::Lang;

/// A column: its heading and its content.
type Column = (Heading, fn(&StatedRow) -> Option<String>);

fn ms(of: impl Fn(&ReportedLatencyView) -> Option<f64>, row: &StatedRow) -> Option<String> {
    of(&row.response).map(|ms| format!("{ms:.2}"))
}

#[derive(Clone, Copy)]
enum Heading {
    /// A heading from the catalogue.
    Named(&'static str),
    /// A heading that is the same in every language.
    Plain(&'static str),
}

const COLUMNS: [Column; 11] = [
    (Heading::Named("count"), |row| row.transactions.map(thousands)),
    (Heading::Named("errors"), |row| row.errors.map(thousands)),
    (Heading::Named("per-minute"), |row| row.per_minute.map(figure)),
    (Heading::Plain("min"), |row| ms(|l| l.min_ms, row)),
    (Heading::Plain("avg"), |row| ms(|l| l.avg_ms, row)),
    (Heading::Plain("p50"), |row| ms(|l| l.p50_ms, row)),
    (Heading::Plain("p90"), |row| ms(|l| l.p90_ms, row)),
    (Heading::Plain("p95"), |row| ms(|l| l.p95_ms, row)),
    (Heading::Plain("p99"), |row| ms(|l| l.p99_ms, row)),
    (Heading::Plain("p99.9"), |row| ms(|l| l.p999_ms, row)),
    (Heading::Plain("max"), |row| ms(|l| l.max_ms, row)),
];

/// Header and rows, each row preceded by `before`; only columns with content.
fn rows(listed: &[(Vec<String>, &StatedRow)], before: &[String], lang: Lang) -> Vec<Vec<String>> {
    let known: Vec<&Column> =
        COLUMNS.iter().filter(|(_, value)| listed.iter().any(|(_, row)| value(row).is_some())).collect();
    let mut head = before.to_vec();
    head.extend(known.iter().map(|(heading, _)| match heading {
        Heading::Named(name) => lang.column(name),
        Heading::Plain(name) => (*name).to_owned(),
    }));
    let mut rows = vec![head];
    for (first, row) in listed {
        let mut line = first.clone();
        line.extend(known.iter().map(|(_, value)| value(row).unwrap_or_else(|| "-".to_owned())));
        rows.push(line);
    }
    rows
}

/// The figures of every trial of a cell, for the console; none for a cell that mydyno measured.
pub fn table(cell: &Cell, lang: Lang) -> Option<String> {
    let of_trials = || cell.trials.iter().flat_map(|trial| trial.stated.iter().map(move |row| (trial, row)));
    let several = cell.trials.iter().filter(|trial| !trial.stated.is_empty()).count() > 1;
    let name = |(trial, row): (&crate::view::Trial, &StatedRow)| {
        let repeat = if several { format!(" #{}", trial.repeat) } else { String::new() };
        format!("  {}{repeat}", row.name)
    };
    let listed: Vec<(Vec<String>, _)> =
        of_trials().map(|(trial, row)| (vec![name((trial, row))], row)).collect();
    if listed.is_empty() {
        return None;
    }
    let head = format!("  {}", lang.column("reported"));
    let rows = rows(&listed, &[head], lang);
    let mut align = vec![Align::Left];
    align.resize(rows[0].len(), Align::Right);
    Some(grid(&rows, &align))
}

/// tpmC of the cells of a sweep, for the console; none where no tool reported it.
pub fn sweep(view: &View, cells: &[&Cell]) -> Option<String> {
    let lang = view.lang;
    let of = |cell: &&&Cell| cell.tpmc.is_some();
    cells.iter().find(of)?;
    let head = [lang.column("clients"), lang.column("target"), "tpmC".to_owned()];
    let mut rows = vec![head.to_vec()];
    for cell in cells {
        let Some(tpmc) = cell.tpmc else { continue };
        let target = view.targets[cell.target].label.clone();
        rows.push(vec![thousands(cell.threads.into()), target, figure(tpmc.mean)]);
    }
    Some(grid(&rows, &[Align::Right, Align::Left, Align::Right]))
}

/// The rows of a Markdown table over these cells, header first: those that were reported by type, with tpmC.
pub fn markdown(view: &View, cells: &[&Cell]) -> Option<Vec<Vec<String>>> {
    let lang = view.lang;
    let mut listed = Vec::new();
    for cell in cells {
        let is_typed = |trial: &&crate::view::Trial| cell.tpmc.is_some() || trial.stated.len() > 1;
        for trial in cell.trials.iter().filter(is_typed) {
            for row in &trial.stated {
                let tpmc = cell.tpmc.filter(|_| row.name == "transaction").map(|tpmc| figure(tpmc.mean));
                let first = vec![
                    view.targets[cell.target].label.clone(),
                    thousands(cell.threads.into()),
                    trial.repeat.to_string(),
                    tpmc.unwrap_or_default(),
                    row.name.clone(),
                ];
                listed.push((first, row));
            }
        }
    }
    let head = [
        lang.column("target"),
        lang.column("clients"),
        lang.column("repeat"),
        "tpmC".to_owned(),
        lang.column("reported"),
    ];
    (!listed.is_empty()).then(|| rows(&listed, &head, lang))
}
