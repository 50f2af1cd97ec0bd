//! Writes measurements as a recording that is read like mydyno's own.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::SystemTime;

use messages::number::counted;
use model::{
    CellKey, Event, EventKind, FORMAT, Failure, FailureCode, HostFacts, Imported, ImportedWorkload,
    LoadShape, Observe, Outcome, Plan, PlannedTrial, ServerKind, Spec, SpecTarget, Target, TrialResult,
    WorkloadSpec,
};
use sha2::{Digest, Sha256};
use store::{Results, StoreError};

use crate::measured::{Measurement, Parsed};

/// Label of a target or workload without a name.
const UNNAMED: &str = "imported";

/// A file that was read.
#[derive(Debug, Clone)]
pub struct Source {
    /// Its name, without the directory.
    pub file: String,
    /// Label of its target, if the user gave one; it overrides the file's.
    pub target: Option<String>,
    /// Label of its workload, likewise.
    pub workload: Option<String>,
    /// The parsed content.
    pub parsed: Parsed,
}

/// The plan that these files would have come from. Measurements of the same cell are its repeats, in their order.
pub fn plan(name: &str, sources: &[Source], at: SystemTime) -> Plan {
    let (mut targets, mut workloads): (Vec<SpecTarget>, Vec<WorkloadSpec>) = (Vec::new(), Vec::new());
    let mut trials = Vec::new();
    let mut repeats: BTreeMap<(String, String, u32), u32> = BTreeMap::new();
    let mut load = LoadShape::default();
    for (source, measured) in all(sources) {
        let (target, workload) = labels(source, measured);
        let position = workloads.iter().position(|known| known.label() == workload);
        let workload_index = position.unwrap_or_else(|| {
            workloads.push(WorkloadSpec::Imported(ImportedWorkload { label: workload.clone() }));
            workloads.len() - 1
        });
        if !targets.iter().any(|known| known.target.label == target) {
            let tool = imported(std::slice::from_ref(source)).tool_and_version();
            let kind = ServerKind::Imported { source: format!("{tool} ({})", source.file) };
            let instance = measured.instance.clone();
            targets.push(SpecTarget {
                target: Target::single(target.clone(), kind),
                instance,
                levels: Default::default(),
            });
        }
        let repeat = repeats.entry((target.clone(), workload.clone(), measured.threads)).or_default();
        *repeat += 1;
        load.time_s = load.time_s.max(measured.measured_s.round());
        trials.push(PlannedTrial {
            index: trials.len() as u32,
            cell: CellKey { target, workload, threads: measured.threads, repeat: *repeat },
            workload: workload_index as u32,
            seed: 0,
            why: Default::default(),
        });
    }
    let mut threads: Vec<u32> = trials.iter().map(|trial: &PlannedTrial| trial.cell.threads).collect();
    threads.sort_unstable();
    threads.dedup();
    let spec = Spec {
        format: FORMAT,
        name: name.to_owned(),
        about: None,
        threads,
        repeats: repeats.values().copied().max().unwrap_or(0),
        seed: 0,
        load,
        prepare: false,
        observe: Observe::default(),
        allow_failing_cells: true,
        design: Default::default(),
        targets,
        workloads,
    };
    let mut plan = Plan { spec, hash: String::new(), imported: Some(imported(sources)), trials };
    plan.hash = hash(&plan, at);
    plan
}

/// Recordings of one plan are repeats of each other; an import is a repeat of nothing, not even of itself.
fn hash(plan: &Plan, at: SystemTime) -> String {
    let json = serde_json::to_vec(plan).expect("a plan has only string keys");
    let nanos = at.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |age| age.as_nanos());
    let digest = Sha256::new().chain_update(json).chain_update(nanos.to_le_bytes()).finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn all(sources: &[Source]) -> impl Iterator<Item = (&Source, &Measurement)> {
    sources.iter().flat_map(|source| source.parsed.measured.iter().map(move |measured| (source, measured)))
}

fn labels(source: &Source, measured: &Measurement) -> (String, String) {
    let pick = |given: &Option<String>, stated: &Option<String>| {
        given.clone().or_else(|| stated.clone()).unwrap_or_else(|| UNNAMED.to_owned())
    };
    let workload = pick(&source.workload, &measured.workload);
    let workload = match measured.stated.rate_per_s {
        // An open loop answers another question than a closed one, so it is another workload.
        Some(rate) => format!("{workload}, {rate}/s offered"),
        None => workload,
    };
    (pick(&source.target, &measured.target), workload)
}

/// Removes duplicates: a log that was given again, or a whole table. They are no second measurement. A note of the source
/// mentions it.
pub fn distinct(mut sources: Vec<Source>) -> Vec<Source> {
    let mut logs: Vec<((String, String), Measurement)> = Vec::new();
    let mut tables: Vec<Vec<((String, String), Measurement)>> = Vec::new();
    for source in &mut sources {
        let all = std::mem::take(&mut source.parsed.measured);
        let labelled: Vec<_> = all.into_iter().map(|one| (labels(source, &one), one)).collect();
        let count = labelled.len();
        let kept = if !source.parsed.is_table {
            let mut kept = Vec::new();
            for one in labelled {
                if !logs.contains(&one) {
                    logs.push(one.clone());
                    kept.push(one);
                }
            }
            kept
        } else if tables.contains(&labelled) {
            Vec::new()
        } else {
            tables.push(labelled.clone());
            labelled
        };
        if kept.len() < count {
            let twice = counted((count - kept.len()) as u64, "measurement");
            source.parsed.notes.push(format!("{twice} in {} given twice and counted once", source.file));
        }
        source.parsed.measured = kept.into_iter().map(|(_, one)| one).collect();
    }
    sources
}

fn imported(sources: &[Source]) -> Imported {
    let listed = |of: fn(&Source) -> Option<String>| {
        let mut found: Vec<String> = sources.iter().filter_map(of).collect();
        found.sort();
        found.dedup();
        found
    };
    let versions = listed(|source| source.parsed.version.clone());
    let mut notes: Vec<String> = Vec::new();
    for note in sources.iter().flat_map(|source| &source.parsed.notes) {
        if !notes.contains(note) {
            notes.push(note.clone());
        }
    }
    Imported {
        tool: listed(|source| Some(source.parsed.tool.clone())).join(" and "),
        version: (!versions.is_empty()).then(|| versions.join(", ")),
        files: sources.iter().map(|source| source.file.clone()).collect(),
        notes,
    }
}

/// The results of a plan's trials, in its order.
pub fn results(plan: &Plan, sources: &[Source]) -> Vec<TrialResult> {
    plan.trials.iter().zip(all(sources)).map(|(planned, (_, measured))| result(planned, measured)).collect()
}

fn result(planned: &PlannedTrial, measured: &Measurement) -> TrialResult {
    let failure = |message: &String| Failure {
        code: FailureCode::Other,
        message: message.clone(),
        hint: None,
        server_error: None,
    };
    TrialResult {
        format: FORMAT,
        index: planned.index,
        cell: planned.cell.clone(),
        outcome: measured.failure.as_ref().map_or(Outcome::Completed, |why| Outcome::Failed(failure(why))),
        stated: Some(measured.stated.clone()),
        measured: model::Measured {
            measured_s: measured.measured_s,
            transactions: measured.stated.transactions.unwrap_or(0),
            queries: measured.queries,
            reconnects: measured.reconnects,
            fairness: measured.fairness,
            ..Default::default()
        },
        ..TrialResult::default()
    }
}

/// Writes a run directory and returns it. `at` is now: when the measurements were made is not known.
///
/// # Errors
/// A file that cannot be written.
pub fn write(
    name: &str,
    sources: &[Source],
    into: &Results,
    at: SystemTime,
    mydyno_version: &str,
) -> Result<PathBuf, StoreError> {
    let plan = plan(name, sources, at);
    let host =
        HostFacts { format: FORMAT, mydyno_version: mydyno_version.to_owned(), ..HostFacts::default() };
    let mut run = into.create("# imported: there is no spec\n", &plan, &host, at)?;
    let results = results(&plan, sources);
    let event = |kind| Event {
        at: jiff::Timestamp::try_from(at)
            .unwrap_or(jiff::Timestamp::UNIX_EPOCH)
            .strftime("%Y-%m-%dT%H:%M:%S%.3fZ")
            .to_string(),
        elapsed_ms: 0,
        kind,
    };
    run.event(&event(EventKind::RunStarted { run: run.id(), trials: results.len() as u32, done: 0 }))?;
    for ((planned, result), (_, measured)) in plan.trials.iter().zip(&results).zip(all(sources)) {
        let mut trial = run.trial(planned)?;
        for interval in &measured.intervals {
            trial.interval(interval, &[])?;
        }
        trial.finish(result)?;
    }
    let completed = results.iter().filter(|result| result.outcome.is_completed()).count() as u32;
    run.event(&event(EventKind::RunFinished { completed, failed: results.len() as u32 - completed }))?;
    let path = run.path().to_owned();
    run.close()?;
    Ok(path)
}
