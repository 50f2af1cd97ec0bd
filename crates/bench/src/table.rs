//! The output: a table on standard output, and `target/bench/summary.json`.

use std::path::Path;

use serde::Serialize;

use crate::catalog::Row;
use crate::error::BenchError;
use crate::rounds::{Figure, GridRow, Series, Spread};

/// Path of the summary, relative to the working directory.
const SUMMARY: &str = "target/bench/summary.json";

/// One benchmark with its result, or the reason there is none.
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
    /// Whether the target is met; none where there is no target.
    met: Option<bool>,
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

    /// The benchmarks and what came of them.
    pub fn lines(&self) -> &[Line] {
        &self.lines
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
        let grid = grid_text(&self.lines);
        if !grid.is_empty() {
            println!("\n{grid}");
        }
        let met: Vec<bool> = self.lines.iter().filter_map(Line::is_met).collect();
        match met.iter().filter(|met| !**met).count() {
            0 => println!("all targets are met"),
            missed => println!("{missed} of {} targets are missed", met.len()),
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
    /// Whether the target is met; none if there is no target, or no value to compare with it.
    fn is_met(&self) -> Option<bool> {
        match &self.result {
            Ok(figure) if figure.value.is_nan() => None,
            Ok(figure) => self.row.target.is_met(figure.value),
            Err(_) => Some(false),
        }
    }
}

fn entry(line: &Line) -> Entry {
    Entry {
        name: line.row.name,
        value: line.result.as_ref().ok().map(|figure| figure.value).filter(|value| !value.is_nan()),
        unit: line.row.unit,
        target: line.row.target.to_string(),
        met: line.is_met(),
    }
}

fn text_of(line: &Line) -> String {
    let Row { name, unit, target } = line.row;
    let met = match line.is_met() {
        Some(true) => "yes",
        Some(false) => "NO",
        None => "-",
    };
    let (value, arms) = match &line.result {
        Ok(figure) => {
            let arms: Vec<String> = figure.arms.iter().map(series_text).collect();
            (number(figure.value), arms.join(", "))
        }
        Err(why) => ("-".to_owned(), format!("could not run: {}", why.lines().next().unwrap_or_default())),
    };
    format!("{name:<28}{value:>10} {unit:<8}{:>9}  {met:<4} {arms}", target.to_string())
}

/// The lines that have a row of a grid, as tables with a title each.
fn grid_text(lines: &[Line]) -> String {
    let rows = lines.iter().filter_map(|line| {
        let grid = line.result.as_ref().ok()?.grid.as_ref()?;
        Some((line.row.name, grid))
    });
    let (mut text, mut title) = (String::new(), "");
    for (name, grid) in rows {
        if grid.title != title {
            title = grid.title;
            text += &format!("{title}\n{}\n", grid_line("", grid.cells.iter().map(|cell| cell.0.to_owned())));
        }
        let cells = grid
            .cells
            .iter()
            .map(|(_, values)| values.iter().map(|value| number(*value)).collect::<Vec<_>>().join(" / "));
        text += &grid_line(name, cells);
        text += "\n";
        text.extend(remark(grid));
    }
    text
}

fn grid_line(name: &str, cells: impl Iterator<Item = String>) -> String {
    let cells: String = cells.map(|cell| format!("{cell:>21}")).collect();
    format!("{name:<28}{cells}")
}

fn remark(grid: &GridRow) -> Option<String> {
    Some(format!("    sysbench is left out: {}\n", grid.remark.as_ref()?.lines().next().unwrap_or_default()))
}

fn series_text(series: &Series) -> String {
    let Spread { median, min, max } = Spread::of(&series.values);
    let spread =
        if series.values.len() > 1 { format!(" [{}..{}]", number(min), number(max)) } else { String::new() };
    format!("{} {}{spread} {}", series.name, number(median), series.unit).trim_end().to_owned()
}

/// Three or four significant digits; a dash for a missing value.
fn number(value: f64) -> String {
    match value.abs() {
        none if none.is_nan() => "-".to_owned(),
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
        let arms = vec![series("mydyno", &[8.0, 9.0, 7.5]), series("sysbench", &[120.0])];
        Figure { value, rounds: Vec::new(), arms, grid: None }
    }

    #[test]
    fn a_line_shows_the_value_the_target_and_the_arms() {
        let expected = "point_select_cpu_8                0.70 ratio      <= 0.8  yes  \
                        mydyno 8.00 [7.50..9.00] us/query, sysbench 120 us/query";
        assert_eq!(text_of(&line(Ok(figure(0.7)))), expected);
    }

    #[test]
    fn a_missed_target_and_a_benchmark_that_could_not_run_are_not_met() {
        assert_eq!(line(Ok(figure(0.81))).is_met(), Some(false));
        let failed = line(Err("no server\nat all".to_owned()));
        assert!(text_of(&failed).ends_with("NO   could not run: no server"), "{}", text_of(&failed));
        let summary = serde_json::to_value(entry(&failed)).expect("it has only plain values");
        let expected = serde_json::json!({
            "name": "point_select_cpu_8", "value": null, "unit": "ratio", "target": "<= 0.8", "met": false
        });
        assert_eq!(summary, expected);
    }

    #[test]
    fn what_has_no_target_is_neither_met_nor_missed() {
        let row = Row { name: "memory", unit: "KiB", target: Target::Nothing };
        let line = Line { row, result: Ok(figure(3.0)) };
        assert_eq!(line.is_met(), None);
        assert!(text_of(&line).contains("3.00 KiB             -  -    mydyno"), "{}", text_of(&line));
    }

    #[test]
    fn rows_of_a_grid_make_one_table_with_a_dash_for_what_is_missing() {
        let row = |values: [f64; 2], remark: Option<&str>| {
            let cells = vec![("1", values.to_vec()), ("8", vec![8.0, 16.0])];
            let grid = GridRow { title: "CPU: a / b", cells, remark: remark.map(str::to_owned) };
            line(Ok(Figure { grid: Some(grid), ..figure(0.5) }))
        };
        let expected = [
            "CPU: a / b",
            "                                                1                    8",
            "point_select_cpu_8                     20.0 / 400          8.00 / 16.0",
            "point_select_cpu_8                       20.0 / -          8.00 / 16.0",
            "    sysbench is left out: no luck",
            "",
        ];
        let lines = [row([20.0, 400.0], None), line(Ok(figure(0.5))), row([20.0, f64::NAN], Some("no luck"))];
        assert_eq!(grid_text(&lines), expected.join("\n"));
    }
}
