//! The benchmarks of mydyno itself as series: one for each row, CPU model, number of CPUs and unit, judged like recordings.

use std::collections::BTreeMap;

use messages::message;
use model::{BenchmarkLine, Better};

use super::{HistorySeries, LeftOut, MeasuredValue, judge};
use crate::input::Measure;
use crate::metric::{Direction, Metric, MetricUnit};

/// Id of the metric of these series: a row has one value.
const ID: &str = "benchmark";

const fn metric(direction: Direction) -> Metric {
    Metric { id: ID, unit: MetricUnit::PerSecond, direction, value: |_| None }
}

/// The series of every row. `runs` are the lines of each `make bench`, by time. A row that was left out of the last one is
/// judged by its own last value.
pub fn benchmarks(runs: &[Vec<&BenchmarkLine>], margin: f64) -> Vec<HistorySeries> {
    let mut found: BTreeMap<(String, String), (Better, HistorySeries)> = BTreeMap::new();
    for (recording, lines) in runs.iter().enumerate() {
        for line in lines {
            let (row, machine) = (line.row.clone(), machine(line));
            let new = || (line.better, empty(&row, &machine));
            let (better, series) = found.entry((row.clone(), machine.clone())).or_insert_with(new);
            *better = line.better;
            if line.value > 0.0 {
                let measure = Measure { mean: line.value, low: None, high: None, n: line.rounds };
                series.points.push(MeasuredValue { recording, measure });
            } else {
                let why = message!("value-not-positive");
                series.left_out.push(LeftOut { recording, why });
            }
        }
    }
    let judged = |(better, mut series): (Better, HistorySeries)| {
        let newest = series.points.last().map(|last| last.recording);
        let direction = match better {
            Better::Higher => Direction::Higher,
            Better::Lower => Direction::Lower,
        };
        judge(&mut series, newest, &metric(direction), margin);
        series
    };
    let mut all: Vec<HistorySeries> = found.into_values().map(judged).collect();
    super::correct(&mut all);
    all
}

fn empty(row: &str, machine: &str) -> HistorySeries {
    HistorySeries {
        target: machine.to_owned(),
        workload: row.to_owned(),
        threads: 0,
        metric: ID.to_owned(),
        points: Vec::new(),
        left_out: Vec::new(),
        shifts: Vec::new(),
        too_short: None,
        latest: None,
        untold: None,
    }
}

/// The identity of a machine: CPU model and number of CPUs. Values of different machines make no series.
pub fn machine(line: &BenchmarkLine) -> String {
    let model = if line.cpu_model.is_empty() { "CPU" } else { &line.cpu_model };
    format!("{} x {model}", line.cpus)
}
