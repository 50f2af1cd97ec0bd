//! Takes a recording off the disk: the one place of this crate where a file is read, by way of `store`.

use analysis::timeline::asks_for_spans;
use analysis::{OperationHistograms, Span};
use model::{OperationKind, PlannedTrial, Watched, WorkloadSpec};
use store::{LoggedInterval, ReadError, RecordedTrial, Recording, Totals, in_parallel};

use super::input::{RunInput, TrialInput};

/// A recording with its histograms. Trials that were never begun are there without a result.
pub fn input(recording: &Recording) -> Result<RunInput, ReadError> {
    let mut cuts = Vec::from_iter(recording.truncated.clone());
    let read = in_parallel(&recording.plan.trials, |planned| {
        let mut cuts = Vec::new();
        let workload = recording.plan.workloads.get(planned.workload as usize);
        match recording.trial(planned.index) {
            Some(recorded) => trial(recorded, workload, &mut cuts).map(|trial| (trial, cuts)),
            None => Ok((not_begun(planned), cuts)),
        }
    });
    let mut trials = Vec::with_capacity(read.len());
    for one in read {
        let (trial, cut) = one?;
        trials.push(trial);
        cuts.extend(cut);
    }
    Ok(RunInput {
        id: recording.id.clone(),
        plan: recording.plan.clone(),
        host: recording.host.clone(),
        events: recording.events.clone(),
        examinations: recording.examinations.clone(),
        trials,
        truncated: (!cuts.is_empty()).then(|| cuts.join("; ")),
    })
}

fn not_begun(planned: &PlannedTrial) -> TrialInput {
    TrialInput {
        planned: planned.clone(),
        result: None,
        intervals: Vec::new(),
        watched: Watched::default(),
        variables: None,
        histograms: Vec::new(),
    }
}

fn trial(
    recorded: &RecordedTrial,
    workload: Option<&WorkloadSpec>,
    cuts: &mut Vec<String>,
) -> Result<TrialInput, ReadError> {
    let totals = recorded.totals()?;
    cuts.extend(totals.truncated().map(str::to_owned));
    Ok(TrialInput {
        planned: recorded.planned.clone(),
        result: recorded.result.clone(),
        intervals: recorded.intervals.clone(),
        watched: recorded.watched.clone(),
        variables: recorded.variables_before.clone().or_else(|| recorded.variables_after.clone()),
        histograms: histograms(recorded, workload, &totals)?,
    })
}

fn histograms(
    recorded: &RecordedTrial,
    workload: Option<&WorkloadSpec>,
    totals: &Totals,
) -> Result<Vec<OperationHistograms>, ReadError> {
    let measured_s = recorded.result.as_ref().map_or(0.0, |result| result.measured_s);
    let asks = workload.is_some_and(|workload| asks_for_spans(workload, measured_s));
    let log = asks.then(|| recorded.load_log()).transpose()?;
    let operations = recorded.result.iter().flat_map(|r| &r.operations);
    operations
        .map(|operation| {
            let response = format!("response:{}", operation.name);
            Ok(OperationHistograms {
                name: operation.name.clone(),
                response: totals.get(&response).cloned(),
                service: totals.get(&format!("service:{}", operation.name)).cloned(),
                response_spans: match (operation.kind, &log) {
                    (OperationKind::Transaction, Some(log)) => spans(log.intervals(&response)?),
                    _ => Vec::new(),
                },
            })
        })
        .collect()
}

fn spans(intervals: Vec<LoggedInterval>) -> Vec<Span> {
    let span = |i: LoggedInterval| Span {
        end_s: i.start_s + i.length_s,
        length_s: i.length_s,
        histogram: i.histogram,
    };
    intervals.into_iter().filter(|interval| !interval.warmup).map(span).collect()
}
