//! A recording of two targets whose servers were sampled.

use model::{PlannedTrial, SampledStacks, Sampling, TrialResult, Why};
use report::View;
use report::build::input::{RunInput, TrialRecord};

const OF_A: &str = "connection;do_command;row_search_mvcc 600\nconnection;do_command;[mysqld] 200\nib_log_writer;start_thread;log_writer;write_[k] 200\n";
const OF_B: &str = "connection;do_command;row_search_mvcc 300\nconnection;do_command;sha256 700\n";

/// The made-up recording with a trial of each target in which its server was sampled, half as fast as the others.
pub fn record(sampling: impl Fn(usize) -> (Sampling, Option<&'static str>)) -> RunInput {
    let mut record = super::two_targets().record();
    let least = record.trials.iter().map(|t| t.planned.cell.threads).min().expect("it has trials");
    for target in 0..2 {
        let label = record.plan.spec.targets[target].target.label.clone();
        let of = |t: &&TrialRecord| (&t.planned.cell.target, t.planned.cell.threads) == (&label, least);
        let other = record.trials.iter().find(of).expect("a trial").clone();
        let index = record.plan.trials.len() as u32;
        let mut planned = PlannedTrial { index, why: Why::Profiled, ..other.planned.clone() };
        planned.cell.repeat = 99;
        let (sampling, folded) = sampling(target);
        let mut result: TrialResult = other.result.clone().expect("it completed");
        (result.index, result.cell, result.sampling) = (index, planned.cell.clone(), Some(sampling));
        let mut intervals = other.intervals.clone();
        intervals.iter_mut().for_each(|interval| interval.transactions /= 2);
        let stacks = folded.map(|folded| ("/results/trials/stacks.folded".into(), folded.to_owned()));
        record.plan.trials.push(planned.clone());
        record.trials.push(TrialRecord { planned, result: Some(result), intervals, stacks, ..other });
    }
    record
}

/// A thousand samples of either, some of them lost or without the kernel.
pub fn sampled(target: usize) -> (Sampling, Option<&'static str>) {
    let stacks = SampledStacks {
        frequency_hz: 99,
        event: "cpu-clock".to_owned(),
        time_s: 10.0,
        samples: 1000,
        lost: if target == 0 { 50 } else { 0 },
        without_kernel: target == 1,
    };
    (Sampling::Sampled(stacks), Some([OF_A, OF_B][target]))
}

/// The view of it.
pub fn view() -> View {
    View::from_inputs(&[record(sampled)], &report::ReportOptions::default())
}
