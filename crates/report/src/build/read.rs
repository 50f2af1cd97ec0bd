//! Reads a recording from disk: the one place of this crate that reads files, by way of `store`.

use std::sync::Arc;

use analysis::timeline::asks_for_spans;
use analysis::{OperationHistograms, Span};
use model::{OperationKind, PlannedTrial, Variables, Watched, WorkloadSpec};
use store::{LoggedInterval, ReadError, RecordedMember, RecordedTrial, Recording, Totals, in_parallel};

use super::input::{RunInput, TrialRecord};

/// A recording with its histograms. Trials that were never begun are there without a result.
pub fn input(recording: &Recording) -> Result<RunInput, ReadError> {
    let mut cuts = Vec::from_iter(recording.truncated.clone());
    let read = in_parallel(&recording.plan.trials, |planned| {
        let mut cuts = Vec::new();
        let workload = recording.plan.spec.workloads.get(planned.workload as usize);
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
        path: recording.path.clone(),
        spec_toml: recording.spec_toml.clone(),
        plan: recording.plan.clone(),
        host: recording.host.clone(),
        events: recording.events.clone(),
        examinations: recording.examinations.clone(),
        trials,
        truncated: (!cuts.is_empty()).then(|| cuts.join("; ")),
        note: recording.note.clone(),
        damaged: recording.damaged.clone(),
    })
}

fn not_begun(planned: &PlannedTrial) -> TrialRecord {
    TrialRecord {
        planned: planned.clone(),
        result: None,
        intervals: Vec::new(),
        watched: Watched::default(),
        variables: None,
        others: Vec::new(),
        variables_of_others: Vec::new(),
        histograms: Vec::new(),
        stacks: None,
        damaged: Vec::new(),
    }
}

fn trial(
    recorded: &RecordedTrial,
    workload: Option<&WorkloadSpec>,
    cuts: &mut Vec<String>,
) -> Result<TrialRecord, ReadError> {
    // A histogram that cannot be decoded is damage of this trial: it does not hide the others.
    let read = recorded.totals().and_then(|totals| {
        let histograms = histograms(recorded, workload, &totals)?;
        Ok((histograms, totals.truncated().map(str::to_owned)))
    });
    let (mut histograms, cut) = match read {
        Err(damaged @ ReadError::Damaged { .. }) => (Vec::new(), Some(damaged.to_string())),
        other => other?,
    };
    let mut damaged = recorded.damaged.clone();
    damaged.extend(seconds_lost(recorded).filter(|_| damaged.is_empty()));
    let completed = recorded.result.as_ref().is_some_and(|result| result.outcome.is_completed());
    if completed && cut.is_some() {
        // What is left would pass for the whole.
        histograms.clear();
    }
    // A file that is not as it was written is among the damaged ones already, and was said of the whole recording.
    let cut = cut.filter(|cut| !recorded.damaged.contains(cut));
    damaged.extend(cut.clone().filter(|_| completed));
    cuts.extend(cut);
    Ok(TrialRecord {
        planned: recorded.planned.clone(),
        result: recorded.result.clone(),
        intervals: recorded.intervals.clone(),
        watched: recorded.entry.watched.clone(),
        variables: variables(&recorded.entry),
        others: recorded.others.iter().map(|member| member.watched.clone()).collect(),
        variables_of_others: recorded.others.iter().map(variables).collect(),
        histograms,
        stacks: recorded.stacks(),
        damaged,
    })
}

fn variables(recorded: &RecordedMember) -> Option<Arc<Variables>> {
    recorded.variables_before.clone().or_else(|| recorded.variables_after.clone())
}

/// A file that was cut between two lines looks whole, but has fewer transactions than the trial. Without any seconds it was
/// never kept, or deleted.
fn seconds_lost(recorded: &RecordedTrial) -> Option<String> {
    let result = recorded.result.as_ref().filter(|result| result.outcome.is_completed())?;
    let (counted, all) = (
        recorded.intervals.iter().filter(|i| !i.warmup).map(|i| i.transactions).sum::<u64>(),
        result.measured.transactions,
    );
    let trial = recorded.dir.file_name().unwrap_or_default().to_string_lossy();
    (!recorded.intervals.is_empty() && counted < all)
        .then(|| format!("{trial}/intervals.jsonl has {counted} of the {all} transactions of the trial"))
}

fn histograms(
    recorded: &RecordedTrial,
    workload: Option<&WorkloadSpec>,
    totals: &Totals,
) -> Result<Vec<OperationHistograms>, ReadError> {
    let measured_s = recorded.result.as_ref().map_or(0.0, |result| result.measured.measured_s);
    let asks = workload.is_some_and(|workload| asks_for_spans(workload, measured_s));
    let log = asks.then(|| recorded.load_log()).transpose()?;
    let operations = recorded.result.iter().flat_map(|r| &r.measured.operations);
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
