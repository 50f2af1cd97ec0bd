//! Takes a recording off the disk: the one place of this crate where a file is read, by way of `store`.

use analysis::{OperationHistograms, Span};
use model::{OperationKind, PlannedTrial, Watched};
use store::{LoadLog, LoggedInterval, ReadError, RecordedTrial, Recording};

use super::input::{RunInput, TrialInput};

/// A recording with its histograms. Trials that were never begun are there without a result.
pub fn input(recording: &Recording) -> Result<RunInput, ReadError> {
    let mut cuts = Vec::from_iter(recording.truncated.clone());
    let trials = recording.plan.trials.iter().map(|planned| match recording.trial(planned.index) {
        Some(recorded) => trial(recorded, &mut cuts),
        None => Ok(not_begun(planned)),
    });
    let trials = trials.collect::<Result<Vec<_>, _>>()?;
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

fn trial(recorded: &RecordedTrial, cuts: &mut Vec<String>) -> Result<TrialInput, ReadError> {
    let log = recorded.load_log()?;
    cuts.extend(log.truncated().map(str::to_owned));
    Ok(TrialInput {
        planned: recorded.planned.clone(),
        result: recorded.result.clone(),
        intervals: recorded.intervals.clone(),
        watched: recorded.watched.clone(),
        variables: recorded.variables_before.clone().or_else(|| recorded.variables_after.clone()),
        histograms: histograms(recorded, &log)?,
    })
}

fn histograms(recorded: &RecordedTrial, log: &LoadLog) -> Result<Vec<OperationHistograms>, ReadError> {
    let operations = recorded.result.iter().flat_map(|r| &r.operations);
    operations
        .map(|operation| {
            let response = format!("response:{}", operation.name);
            Ok(OperationHistograms {
                name: operation.name.clone(),
                response: log.merged(&response)?,
                service: log.merged(&format!("service:{}", operation.name))?,
                response_spans: match operation.kind {
                    OperationKind::Transaction => spans(log.intervals(&response)?),
                    OperationKind::Statement | OperationKind::Connect => Vec::new(),
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
