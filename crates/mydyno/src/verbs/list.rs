//! `mydyno list`: the recordings.

use store::{Results, RunEntry};

use super::table::{Align, table};
use super::unrestored;
use crate::cli::ListArgs;
use crate::error::Outcome;
use crate::exit::Exit;
use crate::output;

/// Prints a table of the recorded runs, newest first.
pub fn list(args: &ListArgs) -> Outcome<Exit> {
    let results = Results::open(&args.results.results);
    let runs = results.list()?;
    if runs.is_empty() {
        let place = results.root().display();
        output::note(&format!("no recordings in {place} yet\n  make one:  mydyno sweep oltp_read_write"));
        return Ok(Exit::Ok);
    }
    let mut columns = vec![
        ("RECORDING", Align::Left),
        ("TARGETS", Align::Left),
        ("CLIENTS", Align::Left),
        ("TRIALS", Align::Right),
        ("STATUS", Align::Left),
    ];
    if runs.iter().any(|run| run.note.is_some()) {
        columns.push(("NOTE", Align::Left));
    }
    output::print(&table(&columns, &runs.iter().map(row).collect::<Vec<_>>()))?;
    for run in &runs {
        if let Some(left) = store::unrestored(&run.path) {
            let changed = left.originals.values().map(unrestored::values).collect::<Vec<_>>().join("; ");
            output::note(&format!("! {} changed variables and did not restore them: {changed}", run.id));
            output::note(&unrestored::restore(&left, results.root()));
        }
    }
    Ok(Exit::Ok)
}

fn row(run: &RunEntry) -> Vec<String> {
    let status = match &run.problem {
        Some(problem) => format!("{}: {problem}", run.status.name()),
        None => run.status.name().to_owned(),
    };
    vec![
        run.id.clone(),
        shortened(&run.targets, ", "),
        shortened(&run.threads.iter().map(u32::to_string).collect::<Vec<_>>(), ","),
        format!("{}/{}", run.completed(), run.planned),
        status,
        run.note.clone().unwrap_or_default(),
    ]
}

/// The first of them as far as a column is wide, and how many more there are.
fn shortened(all: &[String], between: &str) -> String {
    const WIDTH: usize = 40;
    let whole = all.join(between);
    if whole.chars().count() <= WIDTH {
        return whole;
    }
    let fits = |n: &usize| all[..*n].join(between).chars().count() <= WIDTH;
    let shown = (1..all.len()).take_while(fits).last().unwrap_or(1);
    format!("{} and {} more", all[..shown].join(between), all.len() - shown)
}
