//! Time to plan, to judge, and to open the page of a large recording.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use report::{ReportOptions, View};
use store::Recording;

use crate::error::BenchError;
use crate::laboratory::Laboratory;
use crate::program;
use crate::recording;
use crate::rounds::Figure;
use crate::rounds::Figures;

/// Directory for the files made by these benchmarks, beside the floor's program.
const SCRATCH: &str = "target/bench";
/// Opens a page in a browser and prints the milliseconds until its first chart.
const OPENER: &str = "ui/e2e/open.mjs";
/// The row that needs a browser.
pub const PAGE_ROW: &str = "page_1000_trials";

/// True if there is what opens a page.
pub fn has_browser() -> bool {
    let browser = std::env::var("CHROMIUM").unwrap_or_else(|_| "/usr/bin/chromium".to_owned());
    Path::new(&browser).exists() && Path::new("ui/node_modules/playwright-core").exists()
}

/// Time from Spec to Plan: 4 targets, 50 numbers of clients, 50 repeats.
pub fn planning(laboratory: &mut Laboratory) -> Result<Figures, BenchError> {
    let spec = recording::spec(50, 50);
    let mut values = Vec::new();
    for _ in 0..laboratory.rounds {
        let begun = Instant::now();
        black_box(runner::plan(black_box(&spec))?);
        values.push(begun.elapsed().as_secs_f64() * 1e3);
    }
    Ok(Figures::from([("plan_10000_trials".to_owned(), Figure::of("plan", "ms", values))]))
}

/// Time from the files of a thousand trials to the JSON of the report; the first pass, which reads the disk, does not count.
pub fn judging(laboratory: &mut Laboratory) -> Result<Figures, BenchError> {
    let path = recording::thousand(Path::new(SCRATCH))?;
    let mut values = Vec::new();
    for round in 0..=laboratory.rounds {
        let begun = Instant::now();
        let run = Recording::read(&path)?;
        let view = View::build(&[run], &ReportOptions::default())?;
        black_box(report::render::json(&view));
        if round > 0 {
            values.push(begun.elapsed().as_secs_f64());
        }
    }
    Ok(Figures::from([("judge_1000_trials".to_owned(), Figure::of("report", "s", values))]))
}

/// Time from navigation to the first chart in a headless browser that is already open.
pub fn page(laboratory: &mut Laboratory) -> Result<Figures, BenchError> {
    let path = recording::thousand(Path::new(SCRATCH))?;
    let view = View::build(&[Recording::read(&path)?], &ReportOptions::default())?;
    let html = report::render::html(&view).map_err(|error| BenchError::Load(error.to_string()))?;
    let file = PathBuf::from(SCRATCH).join("judging.html");
    std::fs::write(&file, html)
        .map_err(|source| BenchError::File { path: file.display().to_string(), source })?;
    let mut command = Command::new("node");
    let ran = program::run(command.arg(OPENER).arg(&file).arg(laboratory.rounds.to_string()))?;
    let values: Vec<f64> = ran.output.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    if values.is_empty() {
        let (program, what) = (OPENER.to_owned(), "any milliseconds");
        return Err(BenchError::Output { program, what, said: ran.output });
    }
    let seconds = values.into_iter().map(|ms| ms / 1e3).collect();
    Ok(Figures::from([(PAGE_ROW.to_owned(), Figure::of("page", "s", seconds))]))
}
