//! sysbench's report: the layout is taken from sysbench 1.0.20 itself (`tests/sysbench/*.txt` are its output).

use model::QueryCounts;
use report::View;
use report::render::{self, IntervalLines, Latencies};
use report::view::{Histogram, Latency, Trial};

use crate::laboratory;

/// What sysbench said of the run whose output is in `tests/sysbench/histogram.txt`.
fn as_sysbench_measured(trial: &mut Trial) {
    trial.transactions = 691;
    trial.queries = QueryCounts { read: 9702, write: 2766, other: 1384 };
    trial.errors_forgiven = 2;
    trial.measured_s = 2.0050;
    trial.response = Some(Latency {
        min_ms: 1.02,
        avg_ms: 5.77,
        max_ms: 64.15,
        p95_ms: 15.83,
        sum_ms: 3988.80,
        ..Latency::default()
    });
    trial.fairness.transactions_mean = 345.5;
    trial.fairness.transactions_stddev = 3.5;
    trial.fairness.busy_s_mean = 1.9944;
    trial.fairness.busy_s_stddev = 0.0;
}

fn view_of_one_trial(change: impl Fn(&mut Trial)) -> View {
    let one = laboratory::Laboratory { threads: vec![2], repeats: 1, ..laboratory::one_target() };
    let mut view = laboratory::view(&one);
    change(&mut view.cells[0].trials[0]);
    view
}

/// From where the report proper begins; what stands before it names the program and its options.
fn report_proper<'a>(text: &'a str, begin: &str) -> &'a str {
    text.find(begin).map_or("", |at| &text[at..])
}

/// sysbench divides by a time a millisecond away from the total time that it prints, so digits of rates are masked.
fn masked(text: &str) -> String {
    let line = |line: &str| match line.split_once(" (") {
        Some((head, rate)) if rate.ends_with(" per sec.)") => {
            format!("{head} ({}", rate.replace(|c: char| c.is_ascii_digit(), "#"))
        }
        _ => line.to_owned(),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// The buckets that a histogram printed by sysbench shows.
fn buckets(text: &str) -> Histogram {
    let mut histogram = Histogram::default();
    for line in text.lines().filter(|line| line.contains(" |")) {
        let mut words = line.split_whitespace();
        let value = words.next().and_then(|w| w.parse().ok());
        let count = words.next_back().and_then(|w| w.parse().ok());
        histogram.value_ms.push(value.expect("a bucket has a value"));
        histogram.count.push(count.expect("a bucket has a count"));
    }
    histogram
}

#[test]
fn the_report_is_sysbenchs_byte_for_byte() {
    let theirs = include_str!("sysbench/histogram.txt");
    let view = view_of_one_trial(|trial| {
        as_sysbench_measured(trial);
        trial.histogram = buckets(theirs);
    });
    let begin = "SQL statistics:";
    let ours = render::sysbench(&view, &Latencies::default(), &IntervalLines::default());
    assert_eq!(masked(report_proper(&ours, begin)), masked(report_proper(theirs, begin)));
    let begin = "Latency histogram";
    let ours = render::sysbench(
        &view,
        &Latencies { histogram: true, ..Latencies::default() },
        &IntervalLines::default(),
    );
    assert_eq!(masked(report_proper(&ours, begin)), masked(report_proper(theirs, begin)));
}

#[test]
fn a_percentile_that_is_not_recorded_is_found_in_the_buckets_as_sysbench_does() {
    let view = view_of_one_trial(|trial| {
        trial.histogram = Histogram { value_ms: vec![1.0, 2.0, 3.0, 4.0], count: vec![50, 25, 24, 1] };
    });
    let line = |percentile| {
        let text =
            render::sysbench(&view, &Latencies { percentile, histogram: false }, &IntervalLines::default());
        text.lines().find(|l| l.contains("percentile")).map(str::to_owned)
    };
    assert_eq!(line(75.0).as_deref(), Some("         75th percentile:                        2.00"));
    assert_eq!(line(98.0).as_deref(), Some("         98th percentile:                        3.00"));
    assert_eq!(line(0.0).as_deref(), Some("         percentile stats:               disabled"));
}

#[test]
fn there_is_one_report_per_trial_and_failures_say_why() {
    let view = laboratory::view(&laboratory::two_targets());
    let text = render::sysbench(&view, &Latencies::default(), &IntervalLines::default());
    assert_eq!(text.matches("Running the test with following options:").count(), 42);
    assert_eq!(text.matches("SQL statistics:").count(), 39);
    assert_eq!(text.matches("FATAL: too many connections").count(), 3);
    let text = text.replace(concat!("mydyno ", env!("CARGO_PKG_VERSION")), "mydyno VERSION");
    insta::assert_snapshot!(text.lines().take(48).collect::<Vec<_>>().join("\n"));
}
