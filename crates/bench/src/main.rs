//! `make bench`: what the project promises about its own speed, measured beside sysbench and beside the floor.
//!
//! The promises are ratios of things measured in turn on the same server, so that they hold on a busy or slow machine
//! too; nothing here is ever a test. A missed target is shown and does not change the exit code.
//!
//! | question | module |
//! |---|---|
//! | which benchmarks there are, and what they are to show | `catalog` |
//! | how one is measured | `families` |
//! | in which order the arms run, and what becomes of their rounds | `rounds` |
//! | servers and settings | `laboratory` |
//! | programs under the stopwatch | `program`, `generators`, `child` |
//! | a large recording, made up | `recording` |
//! | table and summary.json | `table` |
//! | the lines that stay in the repository | `history` |

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a program for the terminal")]

mod catalog;
mod child;
mod error;
mod families;
mod generators;
mod history;
mod laboratory;
mod program;
mod recording;
mod rounds;
mod table;

use std::process::ExitCode;

use catalog::{FAMILIES, Family, Row};
use error::BenchError;
use laboratory::Laboratory;
use table::{Line, Table};

/// A benchmark could not run.
const FAILED: u8 = 1;
/// The command line is wrong.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let result = match words[..] {
        [child::VERB, ref rest @ ..] => child::run(rest).map(|()| ExitCode::SUCCESS),
        [] | [""] => measure(""),
        [only] => measure(only),
        _ => Err(BenchError::Usage),
    };
    result.unwrap_or_else(|error| {
        eprintln!("bench: {error}");
        ExitCode::from(if error.is_usage() { USAGE } else { FAILED })
    })
}

/// Measures the benchmarks that `only` names; an empty name names all.
fn measure(only: &str) -> Result<ExitCode, BenchError> {
    let chosen = catalog::choose(only)?;
    let mut laboratory = Laboratory::open()?;
    let conditions = history::Conditions::now(&laboratory);
    let mut table = Table::new(laboratory.conditions());
    for family in &FAMILIES {
        let wanted = family.rows.iter().filter(|row| chosen.contains(&row.name));
        let rows: Vec<&Row> = wanted.filter(|row| catalog::can_be_measured(row)).collect();
        if !rows.is_empty() {
            measure_family(family, &rows, &mut laboratory, &mut table);
        }
    }
    laboratory.close()?;
    table.print();
    table.write_summary()?;
    conditions.append(table.lines())?;
    Ok(if table.is_complete() { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

/// Measures one family; what goes wrong with it does not keep the others from being measured.
fn measure_family(family: &Family, rows: &[&Row], laboratory: &mut Laboratory, table: &mut Table) {
    match (family.run)(laboratory) {
        Ok(figures) => {
            for row in rows {
                let figure = figures.get(row.name).cloned();
                table
                    .add(Line { row: **row, result: figure.ok_or_else(|| "it was not measured".to_owned()) });
            }
        }
        Err(error) => {
            eprintln!("bench: {}: {error}", rows[0].name);
            rows.iter().for_each(|row| table.add(Line { row: **row, result: Err(error.to_string()) }));
        }
    }
}
