//! What comes out: a table on standard output, and `target/bench/summary.json`.

use std::path::Path;

use serde::Serialize;

use crate::catalog::Row;
use crate::error::BenchError;
use crate::rounds::{Figure, Series, Spread};

/// Where the summary is, below the directory that the program is run in.
const SUMMARY: &str = "target/bench/summary.json";

/// One benchmark and what came of it, or why nothing did.
pub struct Line {
    /// The benchmark.
    pub row: Row,
    /// Its figure.
    pub result: Result<Figure, String>,
}

/// All of them.
pub struct Table {
    conditions: String,
    lines: Vec<Line>,
}

/// One entry of the summary.
#[derive(Serialize)]
struct Entry {
    name: &'static str,
    value: Option<f64>,
    unit: &'static str,
    target: String,
    met: bool,
}

impl Table {
    /// An empty one.
    pub fn new(conditions: String) -> Self {
        Self { conditions, lines: Vec::new() }
    }

    /// Adds a benchmark.
    pub fn add(&mut self, line: Line) {
        self.lines.push(line);
    }

    /// True if every benchmark could be run.
    pub fn is_complete(&self) -> bool {
        self.lines.iter().all(|line| line.result.is_ok())
    }

    /// Prints the table.
    pub fn print(&self) {
        println!("{}", self.conditions);
        println!(
            "value: median over the rounds, of ratios the ratio within a round; arms: median [minimum..maximum]"
        );
        println!("{:<28}{:>10} {:<8}{:>9}  {:<4} arms", "name", "value", "unit", "target", "met");
        for line in &self.lines {
            println!("{}", text_of(line));
        }
        let missed = self.lines.iter().filter(|line| !line.is_met()).count();
        match missed {
            0 => println!("all targets are met"),
            _ => println!("{missed} of {} targets are missed", self.lines.len()),
        }
    }

    /// Writes the summary.
    pub fn write_summary(&self) -> Result<(), BenchError> {
        let entries: Vec<Entry> = self.lines.iter().map(entry).collect();
        let text = serde_json::to_string_pretty(&entries).expect("it has only plain values");
        let path = Path::new(SUMMARY);
        let fail = |source| BenchError::File { path: SUMMARY.to_owned(), source };
        std::fs::create_dir_all(path.parent().unwrap_or(path)).map_err(fail)?;
        std::fs::write(path, text + "\n").map_err(fail)?;
        println!("{SUMMARY}");
        Ok(())
    }
}

impl Line {
    fn is_met(&self) -> bool {
        self.result.as_ref().is_ok_and(|figure| self.row.target.is_met(figure.value))
    }
}

fn entry(line: &Line) -> Entry {
    Entry {
        name: line.row.name,
        value: line.result.as_ref().ok().map(|figure| figure.value),
        unit: line.row.unit,
        target: line.row.target.to_string(),
        met: line.is_met(),
    }
}

fn text_of(line: &Line) -> String {
    let Row { name, unit, target } = line.row;
    let (value, met, arms) = match &line.result {
        Ok(figure) => {
            let arms: Vec<String> = figure.arms.iter().map(series_text).collect();
            (number(figure.value), if line.is_met() { "yes" } else { "NO" }, arms.join(", "))
        }
        Err(why) => {
            ("-".to_owned(), "NO", format!("could not run: {}", why.lines().next().unwrap_or_default()))
        }
    };
    format!("{name:<28}{value:>10} {unit:<8}{:>9}  {met:<4} {arms}", target.to_string())
}

fn series_text(series: &Series) -> String {
    let Spread { median, min, max } = Spread::of(&series.values);
    let spread =
        if series.values.len() > 1 { format!(" [{}..{}]", number(min), number(max)) } else { String::new() };
    format!("{} {}{spread} {}", series.name, number(median), series.unit)
}

/// Three or four significant digits.
fn number(value: f64) -> String {
    match value.abs() {
        large if large >= 100.0 => format!("{value:.0}"),
        middle if middle >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Target;

    fn line(result: Result<Figure, String>) -> Line {
        Line { row: Row { name: "point_select_cpu_8", unit: "ratio", target: Target::AtMost(0.8) }, result }
    }

    fn figure(value: f64) -> Figure {
        let series = |name, values: &[f64]| Series { name, unit: "us/query", values: values.to_vec() };
        Figure { value, arms: vec![series("mydyno", &[8.0, 9.0, 7.5]), series("sysbench", &[120.0])] }
    }

    #[test]
    fn a_line_shows_the_value_the_target_and_the_arms() {
        let expected = "point_select_cpu_8                0.70 ratio      <= 0.8  yes  \
                        mydyno 8.00 [7.50..9.00] us/query, sysbench 120 us/query";
        assert_eq!(text_of(&line(Ok(figure(0.7)))), expected);
    }

    #[test]
    fn a_missed_target_and_a_benchmark_that_could_not_run_are_not_met() {
        assert!(!line(Ok(figure(0.81))).is_met());
        let failed = line(Err("no server\nat all".to_owned()));
        assert!(text_of(&failed).ends_with("NO   could not run: no server"), "{}", text_of(&failed));
        let summary = serde_json::to_value(entry(&failed)).expect("it has only plain values");
        let expected = serde_json::json!({
            "name": "point_select_cpu_8", "value": null, "unit": "ratio", "target": "<= 0.8", "met": false
        });
        assert_eq!(summary, expected);
    }
}
