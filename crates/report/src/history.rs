//! Recordings of one question over time, read one after the other: what each measured, when the level changed, what else
//! changed then.

use std::collections::BTreeMap;
use std::path::PathBuf;

use analysis::history::{
    CircumstanceChange, Circumstances, HistorySeries, Identity, Seen, Shift, benchmarks, changes, machine,
    series,
};
use analysis::{CellSummary, Metric, Verdict, Words};
use messages::message;
use model::{BenchmarkLine, ServerKind, SpecTarget};
use serde::{Deserialize, Serialize};
use store::{ReadError, Recording, RunStatus};

use crate::build::input::RunInput;
use crate::build::{read, summarise_run};
use crate::words::Lang;

/// Version of the shape of a history, in JSON and in the page.
pub const SCHEMA_VERSION: u32 = 1;

/// A recording that may belong to the history, by time.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Its id.
    pub id: String,
    /// Its directory.
    pub path: PathBuf,
    /// Name of its plan.
    pub name: String,
    /// Wall clock of its start, RFC 3339 in UTC.
    pub started_at: String,
    /// Its status.
    pub status: RunStatus,
    /// The reason it is left out whatever it holds: it measured something else, or cannot be read.
    pub left_out: Option<Words>,
}

/// The recordings and metrics of a history.
#[derive(Debug, Clone, Copy)]
pub struct Choice<'a> {
    /// The identity that its recordings share.
    pub identity: &'a Identity,
    /// The metrics.
    pub metrics: &'a [&'a Metric],
    /// Equivalence margin: ratios within this distance of 1 are equivalent.
    pub margin: f64,
    /// Language to show first.
    pub lang: Lang,
}

/// The history: what `mydyno history --format json` prints, and what the page shows.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// Tells the page what it is given.
    pub kind: String,
    /// Version of its shape.
    pub schema_version: u32,
    /// Version of the program that made it.
    pub mydyno_version: String,
    /// Language to show first.
    pub lang: Lang,
    /// Workloads and targets.
    pub title: String,
    /// The answer in one sentence.
    pub answer: Words,
    /// Every recording that was looked at, by time, also those that are not part of any series.
    pub recordings: Vec<HistoryEntry>,
    /// One for each cell and metric.
    pub series: Vec<HistoryLine>,
    /// The chance that a series without a change has a change-point.
    pub false_alarms: f64,
    /// Recordings of which a change-point can be found at all.
    pub recordings_min: usize,
    /// Ratios within this distance of 1 count as the same.
    pub margin: f64,
}

/// A recording of the history.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistoryEntry {
    /// Its id.
    pub id: String,
    /// Name of its plan.
    pub name: String,
    /// Wall clock of its start, RFC 3339 in UTC.
    pub started_at: String,
    /// How it stands, as `mydyno list` says it.
    pub status: String,
    /// Why it is not part of the history; none: it is.
    pub left_out: Option<Words>,
    /// What is not as it was in the recording of the history before it.
    pub changes: Vec<CircumstanceChange>,
}

/// A series, with what else changed at its change-points.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistoryLine {
    /// Label of the metric with its unit.
    pub label: Words,
    /// The series; its change-points stand in `changed` again.
    #[serde(flatten)]
    pub series: HistorySeries,
    /// The change-points, with what else changed there.
    pub changed: Vec<Changed>,
}

/// What else changed at a change-point.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Changed {
    /// From the recording before it to the first of the new level.
    pub there: Vec<CircumstanceChange>,
    /// Up to two recordings away: noise may move a change-point by as much.
    pub near: Vec<Near>,
}

/// A change beside a change-point.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Near {
    /// The recording that it came with.
    pub recording: usize,
    /// The change.
    #[serde(flatten)]
    pub change: CircumstanceChange,
}

/// Distance by which noise may move a change point, recordings: a jump of two standard deviations is found within two
/// places in 90 % (docs/design/statistics.md).
const NEAR: usize = 2;

impl History {
    /// Reads the recordings, one at a time: their histograms together would not fit into memory.
    ///
    /// # Errors
    /// A recording that `store` could list cannot be read after all.
    pub fn read(candidates: &[Candidate], choice: &Choice<'_>) -> Result<Self, ReadError> {
        let (mut recordings, mut cells) = (Vec::new(), Vec::new());
        let mut before: Option<Circumstances> = None;
        for candidate in candidates {
            let mut entry = HistoryEntry {
                id: candidate.id.clone(),
                name: candidate.name.clone(),
                started_at: candidate.started_at.clone(),
                status: candidate.status.name().to_owned(),
                left_out: candidate.left_out.clone().or_else(|| unfit(candidate.status)),
                changes: Vec::new(),
            };
            let mut own = None;
            if entry.left_out.is_none() {
                let read = Recording::read(&candidate.path).and_then(|recording| read::input(&recording));
                let input = match read {
                    Ok(input) => input,
                    // One that cannot be read does not end the history of the others.
                    Err(error) => {
                        let why = error.to_string();
                        entry.left_out = Some(message!("recording-unreadable", why = Text(why)));
                        recordings.push(entry);
                        cells.push(None);
                        continue;
                    }
                };
                if let Some(from) = &input.plan.imported {
                    let tool = from.tool_and_version();
                    entry.left_out = Some(message!("recording-imported", tool = Text(tool)));
                } else {
                    let now = circumstances(&input);
                    entry.changes = before.as_ref().map_or_else(Vec::new, |then| changes(then, &now));
                    before = Some(now);
                    own = Some(summarise_run(&input));
                }
            }
            recordings.push(entry);
            cells.push(own);
        }
        // One that is still being written is not the last one yet.
        let is_over = |c: &Candidate| c.status != RunStatus::Running && c.left_out.is_none();
        let newest = candidates.iter().rposition(is_over);
        Ok(Self::of(recordings, &cells, newest, choice))
    }

    /// The history of the recordings that were read. Pure.
    pub fn of(
        recordings: Vec<HistoryEntry>,
        cells: &[Option<Vec<CellSummary>>],
        newest: Option<usize>,
        choice: &Choice<'_>,
    ) -> Self {
        let cells: Vec<Option<&[CellSummary]>> = cells.iter().map(Option::as_deref).collect();
        let all = series(choice.identity, &cells, newest, choice.metrics, choice.margin);
        let line = |series: HistorySeries| {
            let metric = choice.metrics.iter().find(|metric| metric.id == series.metric);
            let label = metric.map_or_else(|| Words::from(""), |metric| label(metric));
            let changed = series.shifts.iter().map(|shift| changed(&recordings, &series, shift)).collect();
            HistoryLine { label, series, changed }
        };
        let series: Vec<HistoryLine> = all.into_iter().map(line).collect();
        let joined =
            |labels: Vec<&String>| labels.into_iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        Self {
            kind: "history".to_owned(),
            schema_version: SCHEMA_VERSION,
            mydyno_version: env!("CARGO_PKG_VERSION").to_owned(),
            lang: choice.lang,
            title: format!(
                "{}: {}",
                joined(choice.identity.workloads.keys().collect()),
                joined(choice.identity.targets.keys().collect())
            ),
            answer: answer(&recordings, &series),
            recordings,
            series,
            false_alarms: analysis::history::FALSE_ALARMS,
            recordings_min: analysis::history::RECORDINGS_MIN,
            margin: choice.margin,
        }
    }
}

impl History {
    /// The benchmarks of mydyno itself, as `make bench` appends them to a file. `last` limits the number of runs. Pure.
    pub fn of_benchmarks(lines: &[BenchmarkLine], last: Option<usize>, margin: f64, lang: Lang) -> Self {
        let mut by_time: BTreeMap<&str, Vec<&BenchmarkLine>> = BTreeMap::new();
        for line in lines {
            by_time.entry(&line.at).or_default().push(line);
        }
        let mut runs: Vec<Vec<&BenchmarkLine>> = by_time.into_values().collect();
        runs.drain(..last.map_or(0, |last| runs.len().saturating_sub(last)));
        let entry = |lines: &Vec<&BenchmarkLine>| HistoryEntry {
            id: lines[0].commit.clone(),
            name: "make bench".to_owned(),
            started_at: lines[0].at.clone(),
            status: RunStatus::Complete.name().to_owned(),
            left_out: None,
            changes: Vec::new(),
        };
        let recordings: Vec<HistoryEntry> = runs.iter().map(entry).collect();
        let line = |series: HistorySeries| {
            let at = |recording: usize| {
                let own =
                    |line: &&&BenchmarkLine| line.row == series.workload && machine(line) == series.target;
                runs[recording].iter().rev().find(own).copied()
            };
            let of_row = |line: &&BenchmarkLine| line.row == series.workload;
            let unit = lines.iter().find(of_row).map_or("", |line| line.unit.as_str());
            let label = Words::from(unit);
            let changed = series.shifts.iter().map(|shift| {
                let there = shift.point.checked_sub(1).and_then(|before| {
                    Some(changes_of_code(at(series.points[before].recording)?, at(shift.recording)?))
                });
                Changed { there: there.unwrap_or_default(), near: Vec::new() }
            });
            let changed = changed.collect();
            HistoryLine { label, series, changed }
        };
        let series: Vec<HistoryLine> = benchmarks(&runs, margin).into_iter().map(line).collect();
        Self {
            kind: "benchmarks".to_owned(),
            schema_version: SCHEMA_VERSION,
            mydyno_version: env!("CARGO_PKG_VERSION").to_owned(),
            lang,
            title: "make bench".to_owned(),
            answer: answer(&recordings, &series),
            recordings,
            series,
            false_alarms: analysis::history::FALSE_ALARMS,
            recordings_min: analysis::history::RECORDINGS_MIN,
            margin,
        }
    }
}

/// The changes from the last benchmark of a level to the first of the next.
fn changes_of_code(before: &BenchmarkLine, after: &BenchmarkLine) -> Vec<CircumstanceChange> {
    let all = [
        ("version", [before.version.clone(), after.version.clone()]),
        ("commit", [before.commit.clone(), after.commit.clone()]),
        ("seconds", [before.seconds.to_string(), after.seconds.to_string()]),
        ("rounds", [before.rounds.to_string(), after.rounds.to_string()]),
    ];
    let differ = all.into_iter().filter(|(_, [from, to])| from != to);
    differ
        .map(|(id, [from, to])| CircumstanceChange {
            id: id.to_owned(),
            target: None,
            name: message!("benchmark-circumstance", what = Word(id)),
            from,
            to,
        })
        .collect()
}

/// The number of recordings, the latest change of level, and the standing of the latest recording against the level before it.
fn answer(recordings: &[HistoryEntry], series: &[HistoryLine]) -> Words {
    let n = recordings.iter().filter(|entry| entry.left_out.is_none()).count();
    let all = series.len();
    let shifted = series.iter().filter(|line| !line.series.shifts.is_empty()).count();
    let last = series.iter().flat_map(|line| &line.series.shifts).max_by_key(|shift| shift.recording);
    let shift = match last {
        None => message!("no-change-point"),
        Some(shift) => {
            let change = (shift.mean_after / shift.mean_before - 1.0) * 100.0;
            message!(
                "last-change-point",
                shifted = Count(shifted as u64),
                all = Count(all as u64),
                day = Text(recordings[shift.recording].started_at.get(..10).unwrap_or("-")),
                change = Text(format!("{change:+.1}")),
            )
        }
    };
    let verdicts =
        || series.iter().filter_map(|line| Some(line.series.latest.as_ref()?.point.comparison.verdict));
    let count = |verdict: Verdict| verdicts().filter(|one| *one == verdict).count();
    let part = |verdict: &str, some: usize| match all {
        1 => message!("history-verdict", verdict = Word(verdict)),
        _ => message!(
            "history-verdict-in-some",
            verdict = Word(verdict),
            some = Count(some as u64),
            all = Count(all as u64),
        ),
    };
    let told = [
        ("worse", count(Verdict::Worse)),
        ("better", count(Verdict::Better)),
        ("equivalent", count(Verdict::Same)),
        ("inconclusive", count(Verdict::Inconclusive)),
        ("unknown", all - verdicts().count()),
    ];
    let said = told.into_iter().filter(|(_, some)| *some > 0).map(|(verdict, some)| part(verdict, some));
    let latest: Vec<Words> = said.collect();
    message!("history-answer", latest = Parts(latest), shift = Message(shift), recordings = Count(n as u64))
}

/// The reason a recording with this status does not count; none if it may count.
fn unfit(status: RunStatus) -> Option<Words> {
    let status = match status {
        RunStatus::Complete | RunStatus::WithFailures => return None,
        RunStatus::Interrupted => "interrupted",
        RunStatus::Failed => "failed",
        RunStatus::Broken => "broken",
        RunStatus::Running => "running",
        RunStatus::Unreadable => "unreadable",
    };
    Some(message!("recording-status", status = Word(status)))
}

/// The metric with the displayed unit.
fn label(metric: &Metric) -> Words {
    match metric.unit {
        analysis::metric::MetricUnit::Nanoseconds => {
            message!("in-milliseconds", metric = Message(metric.label()))
        }
        _ => metric.label(),
    }
}

fn changed(recordings: &[HistoryEntry], series: &HistorySeries, shift: &Shift) -> Changed {
    // What changed in recordings that this series has no point of changed on the way too.
    let of_point = |point: usize| {
        let from = point.checked_sub(1).map_or(0, |before| series.points[before].recording + 1);
        from..=series.points[point].recording
    };
    let at = |recording: usize| recordings[recording].changes.iter().cloned();
    let first = shift.point.saturating_sub(NEAR);
    let last = (shift.point + NEAR).min(series.points.len() - 1);
    let near = (first..=last).filter(|point| *point != shift.point).flat_map(of_point);
    Changed {
        there: of_point(shift.point).flat_map(at).collect(),
        near: near
            .flat_map(|recording| at(recording).map(move |change| Near { recording, change }))
            .collect(),
    }
}

/// The addresses of a target's servers.
fn addresses(target: &model::Target) -> String {
    let endpoints = target.members.iter().filter_map(|member| member.kind.endpoint());
    endpoints.map(|endpoint| endpoint.address.to_string()).collect::<Vec<_>>().join(", ")
}

fn circumstances(input: &RunInput) -> Circumstances {
    let seen = |spec: &SpecTarget| {
        let label = &spec.target.label;
        let own = || input.trials.iter().filter(|trial| trial.planned.cell.target == *label);
        let (origin, place) = match spec.target.entry() {
            ServerKind::External(_) => (addresses(&spec.target), String::new()),
            ServerKind::Sandbox(sandbox) => (
                sandbox.basedir.as_ref().map_or_else(String::new, |dir| dir.display().to_string()),
                if sandbox.place.is_default() { String::new() } else { sandbox.place.to_string() },
            ),
            ServerKind::Imported { source } => (source.clone(), String::new()),
        };
        Seen {
            label: label.clone(),
            origin,
            place,
            server: own().find_map(|trial| trial.result.as_ref()?.server().cloned()),
            variables: own().find_map(|trial| trial.variables.as_deref().cloned()),
        }
    };
    Circumstances { host: input.host.clone(), targets: input.plan.spec.targets.iter().map(seen).collect() }
}
