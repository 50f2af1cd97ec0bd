//! What every report must keep, whatever it compares: its ratios, intervals, corrected p-values and verdicts are computed here
//! once more, from nothing but the transactions and seconds of the trials.

use serde_json::Value;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Two targets at one workload and number of clients.
#[derive(Debug, Clone)]
pub struct Point {
    pub workload: u64,
    pub clients: u64,
    pub ratio: f64,
    /// None where a side has a single trial.
    pub interval: Option<Interval>,
    /// One of the two cells is not valid.
    pub withheld: bool,
}

/// The interval of 95 %, and the p-value of no difference.
#[derive(Debug, Clone, Copy)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
    pub p: f64,
    /// After Holm's correction over the points of the two targets.
    pub corrected: f64,
}

const FALSE_ALARMS: f64 = 0.05;
const MARGIN: f64 = 0.02;

impl Point {
    pub fn verdict(&self) -> &'static str {
        match self.interval {
            _ if self.withheld => "withheld",
            None => "single_run",
            Some(i) if i.low >= 1.0 / (1.0 + MARGIN) && i.high <= 1.0 + MARGIN => "same",
            Some(i) if i.corrected <= FALSE_ALARMS && i.low > 1.0 => "better",
            Some(i) if i.corrected <= FALSE_ALARMS && i.high < 1.0 => "worse",
            Some(_) => "inconclusive",
        }
    }

    /// So near a threshold that the digits of the JSON may not tell on which side.
    fn is_close(&self) -> bool {
        let near = |value: f64, bound: f64| (value - bound).abs() < 1e-3;
        self.interval.is_some_and(|i| {
            let ends = [i.low, i.high].into_iter();
            let edges = [1.0, 1.0 + MARGIN, 1.0 / (1.0 + MARGIN)];
            near(i.corrected, FALSE_ALARMS) || ends.into_iter().any(|end| edges.iter().any(|e| near(end, *e)))
        })
    }
}

/// Asserts of every comparison of a report, and of the mean of every cell, that it follows from the trials; and of every
/// ratio in the answer that it is one of the comparisons.
pub fn check(view: &Value) {
    let runs = || list(&view["runs"]).iter();
    // Repeats that were added until it was sure are judged by the sequential rule that added them, whose intervals hold at
    // every look; other tools state means of their own.
    let until_sure = |run: &Value| run["spec"].as_str().is_some_and(|it| it.contains("until_sure ="));
    // The fit of a search uses the trials of combinations, or of other builds, too.
    let is_search = ["bisections", "version_searches"].iter().any(|key| !list(&view[*key]).is_empty());
    if is_search || runs().any(|run| until_sure(run) || !run["imported"].is_null()) {
        return;
    }
    list(&view["cells"]).iter().for_each(check_cell);
    for other in 1..list(&view["targets"]).len() as u64 {
        check_pair(view, other);
    }
    // An answer about an experiment, or an open loop, has ratios of other things too.
    let is_open = |cell: &Value| !cell["open_loop"].is_null();
    if view["about"].is_null() && !list(&view["cells"]).iter().any(is_open) {
        check_answer(view);
    }
}

/// The comparisons of two targets, `other` over `base`, in the order of workloads and clients.
pub fn recompute(view: &Value, base: u64, other: u64) -> Vec<Point> {
    let mut points: Vec<Point> = list(&view["cells"])
        .iter()
        .filter(|cell| cell["target"] == other)
        .filter_map(|cell| {
            let of_base = |c: &&Value| {
                c["target"] == base && c["workload"] == cell["workload"] && c["threads"] == cell["threads"]
            };
            point(list(&view["cells"]).iter().find(of_base)?, cell)
        })
        .collect();
    points.sort_by_key(|point| (point.workload, point.clients));
    correct(&mut points);
    points
}

fn point(base: &Value, other: &Value) -> Option<Point> {
    let (b, o) = (throughputs(base), throughputs(other));
    if b.is_empty() || o.is_empty() || b.iter().chain(&o).any(|(_, value)| *value <= 0.0) {
        return None;
    }
    let logs = |runs: &[(u64, f64)]| runs.iter().map(|(_, value)| value.ln()).collect::<Vec<_>>();
    let (base_logs, other_logs) = (logs(&b), logs(&o));
    let difference = mean(&other_logs) - mean(&base_logs);
    // Repeats are run in blocks: those of the same block belong together.
    let in_blocks = b.iter().map(|(repeat, _)| repeat).eq(o.iter().map(|(repeat, _)| repeat));
    let (error, freedom) = match (b.len(), o.len()) {
        (1, _) | (_, 1) => (None, 0.0),
        (n, _) if in_blocks => {
            let pairs: Vec<f64> = other_logs.iter().zip(&base_logs).map(|(o, b)| o - b).collect();
            (Some((variance(&pairs) / n as f64).sqrt()), n as f64 - 1.0)
        }
        (n, m) => {
            let (v, w) = (variance(&base_logs) / n as f64, variance(&other_logs) / m as f64);
            let squares = v * v / (n as f64 - 1.0) + w * w / (m as f64 - 1.0);
            (Some((v + w).sqrt()), (v + w) * (v + w) / squares)
        }
    };
    let not_valid =
        |cell: &Value| list(&cell["caveats"]).iter().any(|caveat| caveat["severity"] == "invalid");
    Some(Point {
        workload: other["workload"].as_u64().unwrap(),
        clients: other["threads"].as_u64().unwrap(),
        ratio: difference.exp(),
        interval: error.filter(|error| *error > 0.0).map(|error| {
            let student = StudentsT::new(0.0, 1.0, freedom).unwrap();
            let reach = student.inverse_cdf(0.975) * error;
            let p = 2.0 * student.cdf(-(difference / error).abs());
            Interval { low: (difference - reach).exp(), high: (difference + reach).exp(), p, corrected: p }
        }),
        withheld: not_valid(base) || not_valid(other),
    })
}

/// Holm: the least p-value times their number, the next times one less, and none below the one before it.
fn correct(points: &mut [Point]) {
    let mut family: Vec<&mut Interval> = points
        .iter_mut()
        .filter(|point| !point.withheld)
        .filter_map(|point| point.interval.as_mut())
        .collect();
    family.sort_by(|a, b| a.p.total_cmp(&b.p));
    let (size, mut before) = (family.len(), 0.0_f64);
    for (at, interval) in family.into_iter().enumerate() {
        before = before.max(((size - at) as f64 * interval.p).min(1.0));
        interval.corrected = before;
    }
}

/// Transactions per second of each trial that counts, by its repeat.
fn throughputs(cell: &Value) -> Vec<(u64, f64)> {
    let counts = |trial: &&Value| trial["outcome"] == "completed" && list(&trial["set_aside"]).is_empty();
    let per_s = |trial: &Value| number(&trial["transactions"]) / number(&trial["measured_s"]);
    let trials = list(&cell["trials"]).iter().filter(counts);
    trials.map(|trial| (trial["repeat"].as_u64().unwrap(), per_s(trial))).collect()
}

/// Means and intervals of a cell are those of its trials, and one name has one estimator.
fn check_cell(cell: &Value) {
    let values: Vec<f64> = throughputs(cell).into_iter().map(|(_, value)| value).collect();
    let found = &cell["throughput_per_s"];
    let id = &cell["id"];
    assert_eq!(cell["runs_completed"], values.len(), "{id}");
    if values.is_empty() || found.is_null() {
        return;
    }
    let n = values.len() as f64;
    assert!(near(&found["mean"], mean(&values)) && found["n"] == values.len(), "{id}: {found}");
    if values.len() > 1 {
        let student = StudentsT::new(0.0, 1.0, n - 1.0).unwrap();
        let reach = student.inverse_cdf(0.975) * (variance(&values) / n).sqrt();
        match mean(&values) - reach {
            low if low >= 0.0 => {
                assert!(
                    near(&found["low"], low) && near(&found["high"], mean(&values) + reach),
                    "{id}: {found}"
                );
            }
            _ => assert!(found["low"].is_null() && found["high"].is_null(), "{id}: {found}"),
        }
    }
    let (mean, total) = (&cell["response_p95_ms"]["mean"], &cell["totals"]["response_p95_ms"]);
    assert!(mean.is_null() || total.is_null() || mean == total, "{id}: p95 {mean} and {total}");
}

/// Every comparison of a target with the first one.
fn check_pair(view: &Value, other: u64) {
    let expected = recompute(view, 0, other);
    let found: Vec<&Value> =
        list(&view["comparisons"]).iter().filter(|it| it["base"] == 0 && it["other"] == other).collect();
    // Throughput of an open loop that kept up is what was offered: it is compared by its response time, in the same family.
    let is_open = |cell: &Value| !cell["open_loop"].is_null();
    let open = list(&view["cells"]).iter().any(is_open);
    let family = expected.iter().filter(|point| !point.withheld && point.interval.is_some()).count();
    assert!(open || found.len() == expected.len(), "{expected:?}\n{found:?}");
    for one in found {
        let same = |point: &&Point| one["workload"] == point.workload && one["threads"] == point.clients;
        let point = expected.iter().find(same).unwrap_or_else(|| panic!("{one} has no trials"));
        assert!(near(&one["throughput_ratio"], point.ratio), "{point:?}\n{one}");
        match point.interval {
            // Trials that are alike to the last digit have none, or one of no width.
            None => assert!(one["low"].is_null() || one["low"] == one["high"], "{point:?}\n{one}"),
            Some(i) => assert!(near(&one["low"], i.low) && near(&one["high"], i.high), "{point:?}\n{one}"),
        }
        if open || point.is_close() {
            continue;
        }
        assert_eq!(one["verdict"], point.verdict(), "{point:?}\n{one}");
        match point.interval.filter(|_| !point.withheld) {
            None => assert!(point.withheld == one["withheld"].is_object(), "{point:?}\n{one}"),
            Some(interval) => {
                let p = number(&one["p_adjusted"]);
                assert!((p - interval.corrected).abs() < 1e-3, "{point:?}\n{one}");
                assert_eq!(one["family_size"], family, "{point:?}\n{one}");
            }
        }
    }
}

/// Every ratio in the answer is one of the comparisons of two targets, or the same the other way round.
fn check_answer(view: &Value) {
    let targets = list(&view["targets"]).len() as u64;
    let pairs = (0..targets).flat_map(|base| (0..targets).map(move |other| (base, other)));
    let pairs = pairs.filter(|(base, other)| base != other);
    let points: Vec<Point> = pairs.flat_map(|(base, other)| recompute(view, base, other)).collect();
    let answer = view["answer"]["en"].as_str().unwrap_or_default();
    // As many digits as the sentence has.
    let agrees = |said: f64, value: f64| {
        (said - value).abs() <= 0.006 * value.max(1.0) * if value >= 10.0 { 10.0 } else { 1.0 }
    };
    for (value, low, high) in ratios(answer) {
        let is_one = |point: &Point| {
            let ends = point.interval.is_some_and(|i| agrees(low, i.low) && agrees(high, i.high));
            agrees(value, point.ratio) && ends
        };
        assert!(points.iter().any(is_one), "{value}x [{low}, {high}] in {answer}\n{points:?}");
    }
}

/// Every number of the form `1.23x [1.11, 1.34]` in a sentence.
fn ratios(sentence: &str) -> Vec<(f64, f64, f64)> {
    let parts: Vec<&str> = sentence.split("x [").collect();
    let pairs = parts.windows(2).filter_map(|pair| {
        let value = pair[0].rsplit([' ', '(']).next()?.parse().ok()?;
        let (low, high) = pair[1].split(']').next()?.split_once(", ")?;
        Some((value, low.parse().ok()?, high.parse().ok()?))
    });
    pairs.collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    values.iter().map(|value| (value - mean(values)).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)
}

/// The elements of a list of the view; an absent one has none.
fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A number of the view.
pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

/// Whether a number of the view is this one, but for its digits.
pub fn near(found: &Value, expected: f64) -> bool {
    found.as_f64().is_some_and(|found| (found - expected).abs() <= 1e-3 * expected.abs())
}
