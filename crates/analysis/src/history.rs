//! Recordings of the same question over time: change points, and whether the last one is like those before it.
//!
//! The unit is the recording, whatever its number of trials: differences from night to night (the machine, the neighbours)
//! move all trials of a recording together, so that the scatter between recordings decides, not that within one.

mod benchmarks;
mod circumstances;
mod identity;

use messages::message;
use serde::{Deserialize, Serialize};
use stats::{Pairing, Permutations};

use crate::compare::{Comparison, Family, Verdict, verdict};
use crate::contest::{self, Gate, Point, Standing};
use crate::input::Measure;
use crate::metric::{Metric, THROUGHPUT};
use crate::summary::CellSummary;
use crate::{CONFIDENCE, Words};

pub use benchmarks::{benchmarks, machine};
pub use circumstances::{CircumstanceChange, Circumstances, Seen, changes};
pub use identity::Identity;

/// The chance that a series without a change has a change-point.
pub const FALSE_ALARMS: f64 = 0.05;

/// Recordings of which a change-point can be found at all: of fewer there are too few ways to arrange them for any to be as
/// rare as one in twenty (of seven, three and four: 2 in 35; of eight, four and four: 2 in 70).
pub const RECORDINGS_MIN: usize = 8;

/// Minimum number of recordings in a level. A single deviating one is no level: it is for the gate.
const LEVEL_MIN: usize = 2;

const HOW: Permutations =
    Permutations { significance: FALSE_ALARMS, count: 499, part_min: LEVEL_MIN, seed: 8311 };

/// One cell by one metric over the recordings. All values are in the unit in which they are read: latencies in milliseconds.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistorySeries {
    /// Label of the target; of a benchmark the machine.
    pub target: String,
    /// Label of the workload; of a benchmark its row.
    pub workload: String,
    /// Clients; 0 of a benchmark.
    pub threads: u32,
    /// Id of the metric.
    pub metric: String,
    /// What each recording measured, by time.
    pub points: Vec<MeasuredValue>,
    /// Recordings that have no point here, and why.
    pub left_out: Vec<LeftOut>,
    /// Where the level changed.
    pub shifts: Vec<Shift>,
    /// Why there are none, where the series is too short for any.
    pub too_short: Option<Words>,
    /// The last recording against the level before it.
    pub latest: Option<Latest>,
    /// Why that cannot be told, if it cannot.
    pub untold: Option<Words>,
}

/// What a recording measured.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MeasuredValue {
    /// Its place among the recordings.
    pub recording: usize,
    /// Mean over its runs, with their interval.
    #[serde(flatten)]
    pub measure: Measure,
}

/// A recording without a point.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Its place among the recordings.
    pub recording: usize,
    /// Why.
    pub why: Words,
}

/// A change-point.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shift {
    /// The first recording of the new level.
    pub recording: usize,
    /// Its place among the points.
    pub point: usize,
    /// Geometric mean of the recordings from the change-point before (or the beginning) to this.
    pub mean_before: f64,
    /// Geometric mean from this to the next (or the end), without the latest recording.
    pub mean_after: f64,
    /// P-value of the test that found it.
    pub p_value: f64,
}

/// The last recording against the level before it.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Latest {
    /// The recording.
    pub recording: usize,
    /// The first recording of the level: the one after the last change-point that the recordings before the last one show.
    pub since: usize,
    /// Recordings of the level.
    pub recordings: u32,
    /// The comparison, its base being the level. Its interval is that of a further recording of the same level.
    #[serde(flatten)]
    pub point: Point,
}

/// The series of every requested cell, by every metric. `recordings` has the cells of each recording by time, none for one
/// that is left out as a whole; `newest` is the position of the one that is judged.
pub fn series(
    identity: &Identity,
    recordings: &[Option<&[CellSummary]>],
    newest: Option<usize>,
    metrics: &[&Metric],
    margin: f64,
) -> Vec<HistorySeries> {
    let mut all: Vec<HistorySeries> = metrics
        .iter()
        .flat_map(|metric| identity.cells.iter().map(move |cell| (metric, cell)))
        .map(|(metric, (target, workload, threads))| {
            let of = |cells: &'_ [CellSummary]| -> Result<Measure, Words> {
                let own =
                    |c: &&CellSummary| (&c.target, &c.workload, c.threads) == (target, workload, *threads);
                value(cells.iter().find(own), metric)
            };
            let mut one = HistorySeries {
                target: target.clone(),
                workload: workload.clone(),
                threads: *threads,
                metric: metric.id.to_owned(),
                points: Vec::new(),
                left_out: Vec::new(),
                shifts: Vec::new(),
                too_short: None,
                latest: None,
                untold: None,
            };
            for (recording, cells) in recordings.iter().enumerate() {
                match cells.map(of) {
                    Some(Ok(measure)) => one.points.push(MeasuredValue { recording, measure }),
                    Some(Err(why)) => one.left_out.push(LeftOut { recording, why }),
                    None => {}
                }
            }
            judge(&mut one, newest, metric, margin);
            one
        })
        .collect();
    correct(&mut all);
    all
}

/// The value of a cell in a recording, or the reason it has none that is comparable with others.
fn value(cell: Option<&CellSummary>, metric: &Metric) -> Result<Measure, Words> {
    let Some(cell) = cell else { return Err(message!("not-measured")) };
    if cell.completed() == 0 {
        return Err(match cell.failures.first() {
            Some(failed) => message!("cell-failed", why = Text(&failed.failure.message)),
            None => message!("no-trial-completed"),
        });
    }
    if let Some(invalid) = cell.invalid() {
        return Err(message!("cell-not-valid", why = Message(invalid.text.clone())));
    }
    if metric.id == THROUGHPUT.id && cell.throughput_is_offered() {
        return Err(message!("rate-kept"));
    }
    let values: Vec<f64> = cell.values(metric).map(|(_, value)| contest::shown(metric, value)).collect();
    let positive = Measure::of(&values).filter(|measure| measure.mean > 0.0);
    positive.ok_or_else(|| message!("has-no-metric", metric = Message(metric.label())))
}

fn judge(series: &mut HistorySeries, newest: Option<usize>, metric: &Metric, margin: f64) {
    let values: Vec<f64> = series.points.iter().map(|point| point.measure.mean).collect();
    series.shifts = stats::e_divisive(&values, &HOW)
        .into_iter()
        .map(|found| Shift {
            recording: series.points[found.index].recording,
            point: found.index,
            mean_before: 0.0,
            mean_after: 0.0,
            p_value: found.p_value,
        })
        .collect();
    let ends_in_latest = series.points.last().is_some_and(|last| Some(last.recording) == newest);
    for at in 0..series.shifts.len() {
        let edge = |shift: Option<&Shift>, end: usize| shift.map_or(end, |shift| shift.point);
        let begin = at.checked_sub(1).map_or(0, |before| series.shifts[before].point);
        let (point, end) = (series.shifts[at].point, edge(series.shifts.get(at + 1), values.len()));
        let means = (
            level(&values[begin..point]),
            level(without_latest(&values[point..end], ends_in_latest && end == values.len())),
        );
        (series.shifts[at].mean_before, series.shifts[at].mean_after) = means;
    }
    if values.len() < RECORDINGS_MIN {
        series.too_short = Some(message!(
            "too-few-recordings",
            least = Count(RECORDINGS_MIN as u64),
            recordings = Count(values.len() as u64),
        ));
    }
    match latest(series, &values, newest, metric, margin) {
        Ok(latest) => series.latest = Some(latest),
        Err(why) => series.untold = Some(why),
    }
}

/// The mean of a level: geometric, as ratios are.
pub fn level(values: &[f64]) -> f64 {
    stats::geometric_mean(values).unwrap_or(f64::NAN)
}

/// The recordings of a level without the latest one, which is compared with it; that one alone if there is no other.
fn without_latest(values: &[f64], has_latest: bool) -> &[f64] {
    match values {
        [rest @ .., _] if has_latest && !rest.is_empty() => rest,
        all => all,
    }
}

fn latest(
    series: &HistorySeries,
    values: &[f64],
    newest: Option<usize>,
    metric: &Metric,
    margin: f64,
) -> Result<Latest, Words> {
    let last = series.points.last().filter(|last| Some(last.recording) == newest);
    let Some((last, (value, before))) = last.zip(values.split_last()) else {
        return Err(message!("latest-not-in-series"));
    };
    let begin = stats::e_divisive(before, &HOW).last().map_or(0, |found| found.index);
    let level = &before[begin..];
    let next = stats::next(*value, level, CONFIDENCE)
        .ok_or_else(|| message!("no-baseline", recordings = Count(level.len() as u64)))?;
    let ratio = next.ratio;
    let comparison = Comparison {
        metric: metric.id.to_owned(),
        workload: series.workload.clone(),
        threads: series.threads,
        base: series.target.clone(),
        other: series.target.clone(),
        ratio: ratio.value,
        low: Some(ratio.low),
        high: Some(ratio.high),
        verdict: verdict(ratio.low, ratio.high, metric.direction, margin),
        pairing: Pairing::Independent,
        sequential: false,
        margin,
        // More runs would not narrow it: the scatter is that between recordings.
        runs_needed: None,
        p_adjusted: Some(next.p_value),
        p_value: Some(next.p_value),
        family: Family::Primary,
        family_size: 1,
        detectable: Some((ratio.high / ratio.low).sqrt()),
        withheld: None,
        not_valid: Vec::new(),
    };
    let base_value = self::level(level);
    Ok(Latest {
        recording: last.recording,
        since: series.points[begin].recording,
        recordings: level.len() as u32,
        point: Point { base_value, other_value: *value, comparison },
    })
}

/// With many cells, some exceed their interval by chance alone, so differences count after Holm's correction, as in a contest.
fn correct(all: &mut [HistorySeries]) {
    let mut latest: Vec<&mut Latest> = all.iter_mut().filter_map(|series| series.latest.as_mut()).collect();
    let p: Vec<f64> = latest.iter().map(|one| one.point.comparison.p_adjusted.unwrap_or(1.0)).collect();
    let size = p.len() as u32;
    for (one, adjusted) in latest.iter_mut().zip(stats::holm(&p)) {
        let comparison = &mut one.point.comparison;
        (comparison.p_adjusted, comparison.family_size) = (Some(adjusted), size);
        if adjusted > FALSE_ALARMS && matches!(comparison.verdict, Verdict::Better | Verdict::Worse) {
            comparison.verdict = Verdict::Inconclusive;
        }
    }
}

impl HistorySeries {
    /// The standing of a gate; none for another metric. Inconclusive where the last recording cannot be judged.
    pub fn standing(&self, gate: &Gate) -> Option<Standing> {
        if gate.metric.id != self.metric {
            return None;
        }
        self.latest.as_ref().map_or(Some(Standing::CannotTell), |latest| gate.standing(&latest.point))
    }

    /// `mysql, oltp_read_write, 8 clients`; of a benchmark its row and the machine.
    pub fn cell(&self) -> Words {
        let Self { target, workload, threads, .. } = self;
        if *threads == 0 {
            return message!("series-of-benchmark", workload = Text(workload), target = Text(target));
        }
        message!(
            "series-of-cell",
            target = Text(target),
            workload = Text(workload),
            clients = Count(*threads),
        )
    }
}
