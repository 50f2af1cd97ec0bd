//! Figures that another tool reported: latencies of all transactions and of each type, and tpmC. What it did not report has no
//! column.

use crate::View;
use crate::format::{figure, thousands};
use crate::render::grid::{Align, grid};
use crate::view::{Cell, ReportedLatencyView, StatedRow};
use crate::words::Lang;

/// A column: its heading and what stands in it.
type Column = (&'static str, &'static str, fn(&StatedRow) -> Option<String>);

fn ms(of: impl Fn(&ReportedLatencyView) -> Option<f64>, row: &StatedRow) -> Option<String> {
    of(&row.response).map(|ms| format!("{ms:.2}"))
}

const COLUMNS: [Column; 11] = [
    ("count", "数量", |row| row.transactions.map(thousands)),
    ("errors", "错误", |row| row.errors.map(thousands)),
    ("/min", "每分钟", |row| row.per_minute.map(figure)),
    ("min", "min", |row| ms(|l| l.min_ms, row)),
    ("avg", "avg", |row| ms(|l| l.avg_ms, row)),
    ("p50", "p50", |row| ms(|l| l.p50_ms, row)),
    ("p90", "p90", |row| ms(|l| l.p90_ms, row)),
    ("p95", "p95", |row| ms(|l| l.p95_ms, row)),
    ("p99", "p99", |row| ms(|l| l.p99_ms, row)),
    ("p99.9", "p99.9", |row| ms(|l| l.p999_ms, row)),
    ("max", "max", |row| ms(|l| l.max_ms, row)),
];

/// Header and rows, each row behind `before`; only columns in which something stands.
fn rows(listed: &[(Vec<String>, &StatedRow)], before: &[String], lang: Lang) -> Vec<Vec<String>> {
    let known: Vec<&Column> =
        COLUMNS.iter().filter(|(.., value)| listed.iter().any(|(_, row)| value(row).is_some())).collect();
    let mut head = before.to_vec();
    head.extend(known.iter().map(|(en, zh, _)| lang.pick(en, zh).to_owned()));
    let mut rows = vec![head];
    for (first, row) in listed {
        let mut line = first.clone();
        line.extend(known.iter().map(|(.., value)| value(row).unwrap_or_else(|| "-".to_owned())));
        rows.push(line);
    }
    rows
}

/// The figures of every trial of a cell, for the console; none of a cell that mydyno measured.
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
    let head = lang.pick("  reported by the tool, ms", "  工具报告的值（毫秒）").to_owned();
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
    let head = [lang.pick("clients", "客户端"), lang.pick("target", "目标"), "tpmC"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
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
        lang.pick("target", "目标"),
        lang.pick("clients", "客户端"),
        lang.pick("repeat", "轮次"),
        "tpmC",
        lang.pick("reported by the tool, ms", "工具报告的值（毫秒）"),
    ];
    (!listed.is_empty()).then(|| rows(&listed, &head.map(str::to_owned), lang))
}
