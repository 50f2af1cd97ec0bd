//! Interval lines of a trial that was recorded: those that it would have printed while it ran.

use model::Plan;
use store::{LoggedInterval, ReadError, RecordedTrial};

use super::interval::{Form, Merger};

/// The lines, one for this number of seconds each; in a long run, in which ten or sixty seconds share one histogram, at
/// least that many.
pub fn lines(plan: &Plan, trial: &RecordedTrial, every_s: u32, percentile: f64) -> Result<String, ReadError> {
    let warmup_s = plan.spec.load_of(trial.planned.workload).warmup_s;
    let mut merger = Merger::new(every_s, Form::Sysbench { warmup_s });
    let mut logged = trial.load_log()?.intervals("response:transaction")?.into_iter().peekable();
    let mut text = String::new();
    for interval in &trial.intervals {
        let mut interval = interval.clone();
        // The latencies of what ended by now.
        while let Some(ended) = logged.next_if(|one| end_s(one) <= interval.end_s + TOLERANCE_S) {
            let counts = ended.histogram.iter_recorded();
            let counts = counts.map(|step| (step.value_iterated_to(), step.count_at_value()));
            interval.response_counts.extend(counts.filter(|_| ended.warmup == interval.warmup));
        }
        if logged.peek().is_some_and(|one| one.start_s < interval.end_s - TOLERANCE_S) {
            merger.gather(&interval);
        } else if let Some(line) = merger.add(&interval, percentile) {
            text.push_str(&line);
            text.push('\n');
        }
    }
    Ok(text)
}

/// The log has times to the millisecond.
const TOLERANCE_S: f64 = 0.002;

fn end_s(one: &LoggedInterval) -> f64 {
    one.start_s + one.length_s
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use hdrhistogram::Histogram;
    use model::{HostFacts, Interval, Outcome};
    use store::{Recording, Results};

    use super::*;
    use crate::display::tests::{plan, result, second};

    /// A second of warm-up and 24 that are measured, each slower than the one before.
    fn seconds() -> Vec<(Interval, Histogram<u64>)> {
        let one = |end_s: u32| {
            let mut interval = second(f64::from(end_s), [1, 1, 2, u64::from(end_s)]);
            let mut histogram = Histogram::new_with_bounds(1, 3_600_000_000_000, 3).expect("valid bounds");
            for (value, count) in &interval.response_counts {
                histogram.record_n(*value, *count).expect("within an hour");
            }
            // As the generator counts them.
            let counts = histogram.iter_recorded();
            interval.response_counts =
                counts.map(|step| (step.value_iterated_to(), step.count_at_value())).collect();
            (interval, histogram)
        };
        (1..=25).map(one).collect()
    }

    /// The interval lines of a recording with this planned length.
    fn recorded(time_s: f64, every_s: u32) -> Vec<String> {
        let root = tempfile::tempdir().expect("a temporary directory");
        let mut plan = plan();
        plan.spec.load.time_s = time_s;
        let host = HostFacts { format: model::FORMAT, ..HostFacts::default() };
        let results = Results::open(root.path());
        let mut run = results.create("", &plan, &host, SystemTime::UNIX_EPOCH).expect("a run");
        let mut trial = run.trial(&plan.trials[0]).expect("a trial");
        for (interval, histogram) in seconds() {
            trial.interval(&interval, &[("response:transaction", &histogram)]).expect("written");
        }
        trial.finish(&result(0, 16, Outcome::Completed)).expect("a result");
        let read = Recording::read(run.path()).expect("readable");
        let text = lines(&read.plan, &read.trials[0], every_s, 95.0).expect("readable");
        text.lines().map(str::to_owned).collect()
    }

    fn printed(every_s: u32) -> Vec<String> {
        let mut merger = Merger::new(every_s, Form::Sysbench { warmup_s: 1.0 });
        seconds().iter().filter_map(|(interval, _)| merger.add(interval, 95.0)).collect()
    }

    #[test]
    fn the_lines_are_those_that_were_printed() {
        for every_s in [1, 2, 7] {
            assert_eq!(recorded(24.0, every_s), printed(every_s));
        }
        assert_eq!(printed(7).len(), 3);
    }

    /// In a run of an hour, ten seconds share one histogram: no line ends within them.
    #[test]
    fn a_line_of_a_long_run_ends_with_a_histogram() {
        let begins = |lines: &[String]| -> Vec<String> {
            lines.iter().map(|line| line.split(" thds").next().unwrap_or_default().to_owned()).collect()
        };
        assert_eq!(recorded(3_600.0, 10), printed(10));
        assert_eq!(begins(&recorded(3_600.0, 3)), ["[ 10s ]", "[ 20s ]", "[ 24s ]"]);
        assert_eq!(recorded(3_600.0, 3)[..2], printed(10));
        assert_eq!(begins(&recorded(3_600.0, 15)), ["[ 20s ]"]);
    }
}
