//! Builds a view from recordings: one step per part of the view.

mod advice;
mod capacity;
mod cells;
mod colocation;
pub mod input;
mod join;
mod latency;
mod method;
mod observed;
mod offered;
mod profiles;
pub(crate) mod read;
mod targets;
pub(crate) mod trust;
mod variables;
mod workload;

use analysis::unequal::Work;
use analysis::{CellSummary, Words, metric};
use messages::message;
use model::{About, ServerFacts, SpecTarget, Variables, WorkloadSpec};

use crate::view::{Cell, ComparisonView, Run, SCHEMA_VERSION, TargetView, View, WorkloadView};
use crate::words::Lang;
use cells::Place;
use input::{RunInput, TrialRecord};
use join::{Group, specs};
use latency::significant;

/// Choices of the reader.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReportOptions {
    /// Language to show first.
    pub lang: Lang,
}

impl View {
    /// Builds a view of one or several recordings. Histograms are read from their directories; nothing else is.
    ///
    /// Recordings of one plan are joined. Targets and workloads of different plans with the same label stay separate and get
    /// the id of their run appended.
    pub fn build(recordings: &[store::Recording], options: &ReportOptions) -> Result<Self, store::ReadError> {
        let inputs = recordings.iter().map(read::input).collect::<Result<Vec<_>, _>>()?;
        Ok(Self::from_inputs(&inputs, options))
    }

    /// Builds a view of recordings that have been read. Pure.
    pub fn from_inputs(inputs: &[RunInput], options: &ReportOptions) -> Self {
        let groups = join::join(inputs);
        let (summaries, calibrations) = summaries(inputs, &groups);
        let targets: Vec<TargetView> =
            specs(&groups).map(|(group, spec)| target(inputs, group, spec)).collect();
        let workloads = workloads(&groups);
        let cautions = cautions(&groups, &targets);
        let about = about(inputs);
        let base = base_of(about.as_ref(), &targets);
        let damaged =
            inputs.iter().flat_map(|input| input.damaged.iter().map(move |what| damage(input, what)));
        let threats: Vec<_> = cautions.iter().cloned().chain(damaged).collect();
        let validity = analysis::validity(&summaries, &threats);
        let searches = Searches::of(&groups, &summaries);
        let capacities: Vec<_> = groups.iter().flat_map(capacity::capacities).collect();
        let colocations: Vec<_> =
            groups.iter().flat_map(|group| analysis::colocations(&group.plan, &summaries)).collect();
        let crashes = crashes(&summaries);
        let failovers: Vec<_> = summaries
            .iter()
            .filter_map(|cell| Some((cell.target.as_str(), cell.failover.as_ref()?)))
            .collect();
        let explanations = explained(&summaries, base, capacities.is_empty());
        let runs: Vec<Run> = inputs.iter().map(targets::run).collect();
        let profiles = profiles::profiles(&groups, &summaries, &targets, &workloads);
        Self {
            schema_version: SCHEMA_VERSION,
            mydyno_version: env!("CARGO_PKG_VERSION").to_owned(),
            lang: options.lang,
            title: title(&capacities, &workloads, &targets),
            answer: failed_early(inputs, &runs)
                .or_else(|| searches.answer())
                .or_else(|| capacity::answer(&capacities))
                .or_else(|| analysis::crash_answer(&crashes))
                .or_else(|| analysis::failover_answer(&failovers))
                .or_else(|| colocation::answer(&colocations, about.as_ref()))
                .unwrap_or_else(|| analysis::answer_against(&summaries, base)),
            doubts: colocation::doubts(
                &colocations,
                doubts(inputs, &summaries, &validity, about.as_ref(), &targets),
            ),
            interactions: base
                .map(|base| {
                    let levels: Vec<_> = specs(&groups)
                        .filter(|(_, spec)| !spec.levels.is_empty())
                        .map(|(_, spec)| (spec.target.label.as_str(), &spec.levels))
                        .collect();
                    cells::rounded(&analysis::interactions(&summaries, base, &levels))
                })
                .unwrap_or_default(),
            method: about.as_ref().and_then(|_| {
                method::method(inputs, &specs(&groups).map(|(_, spec)| spec).collect::<Vec<_>>())
            }),
            // What was lost does not depend on how fast it was written.
            trust: trust::trust(validity, crashes.is_empty() && failovers.is_empty()),
            about,
            runs,
            cells: all_cells(&groups, &summaries, &targets, &workloads),
            comparisons: comparisons(&summaries, &targets, &workloads, &searches.bisections),
            candidates: candidates(inputs, &groups, &summaries),
            advice: advice::advice(inputs, &groups, &summaries, &targets, &explanations),
            explanations,
            capacities,
            bisections: searches.bisections,
            version_searches: searches.versions,
            proofs: searches.proofs,
            colocations: colocations.iter().map(cells::rounded).collect(),
            serial_stages: serial_stages(&groups, &summaries),
            profile_changes: profiles::changes(&profiles, &targets, &workloads),
            profiles,
            curves: analysis::curves(&summaries).iter().map(cells::rounded).collect(),
            overtakings: analysis::overtakings(&summaries).iter().map(cells::rounded).collect(),
            differences: variables::differences(&targets, &cautions),
            variables: variables::matrix(&target_variables(&groups), work(&groups)),
            generator_share: analysis::answer::generator_share(
                &summaries.iter().zip(calibrations).collect::<Vec<_>>(),
            ),
            targets,
            workloads,
        }
    }
}

/// The findings of recordings that choose or make what they measure.
struct Searches {
    bisections: Vec<analysis::Bisection>,
    versions: Vec<analysis::VersionSearch>,
    proofs: Vec<analysis::RecommendationProof>,
}

impl Searches {
    fn of(groups: &[Group], summaries: &[CellSummary]) -> Self {
        let results = |group: &Group| -> Vec<model::TrialResult> {
            group.trials.iter().filter_map(|trial| trial.input.result.clone()).collect()
        };
        let bisection = |group: &Group| analysis::bisection(&group.plan, &results(group));
        let version = |group: &Group| analysis::version_search(&group.plan, &results(group));
        let proof = |group: &Group| analysis::proof(&group.plan, summaries);
        Self {
            bisections: groups.iter().filter_map(bisection).map(|one| cells::rounded(&one)).collect(),
            versions: groups.iter().filter_map(version).map(|one| cells::rounded(&one)).collect(),
            proofs: groups.iter().filter_map(proof).map(|one| cells::rounded(&one)).collect(),
        }
    }

    fn answer(&self) -> Option<Words> {
        let bisection = self.bisections.first().map(|found| &found.says);
        let version = self.versions.first().map(|found| &found.says);
        let proof = self.proofs.first().map(|found| &found.says);
        bisection.or(version).or(proof).cloned()
    }
}

/// What probably makes one of the two targets of a recording faster.
fn candidates(inputs: &[RunInput], groups: &[Group], summaries: &[CellSummary]) -> Option<Words> {
    let ([input], [group]) = (inputs, groups) else { return None };
    analysis::candidates(&group.plan, summaries, &targets::search(input))
}

/// The limits of commits over simulated links.
fn serial_stages(groups: &[Group], summaries: &[CellSummary]) -> Vec<analysis::SerialStage> {
    let each = groups.iter().flat_map(|group| analysis::serial_stages(&group.plan, summaries));
    each.map(|one| cells::rounded(&one)).collect()
}

/// The explanations; none for a capacity search, in which rates differ, not the targets alone.
fn explained(
    summaries: &[CellSummary],
    base: Option<&str>,
    is_comparison: bool,
) -> Vec<analysis::Explanation> {
    let all = if is_comparison { analysis::explanations(summaries, base) } else { Vec::new() };
    all.iter().map(cells::rounded).collect()
}

/// The reason shown in place of an answer where a recording failed before its first trial.
fn failed_early(inputs: &[RunInput], runs: &[Run]) -> Option<Words> {
    let began = inputs.iter().flat_map(|input| &input.trials).any(|trial| trial.result.is_some());
    let failure = runs.iter().find_map(|run| run.failure.as_ref()).filter(|_| !began)?;
    // Below the first line may be the end of a server's log.
    let why = failure.message.lines().next().unwrap_or_default().trim_end_matches('.');
    Some(message!("failed-before-first-trial", why = Text(why)))
}

/// The first arm of an experiment is what the others are compared with.
fn base_of<'a>(about: Option<&About>, targets: &'a [TargetView]) -> Option<&'a str> {
    about.and_then(|_| targets.first()).map(|first| first.label.as_str())
}

/// The open questions of an experiment.
fn doubts(
    inputs: &[RunInput],
    summaries: &[CellSummary],
    validity: &analysis::Validity,
    about: Option<&About>,
    targets: &[TargetView],
) -> Vec<analysis::OpenQuestion> {
    let (Some(about), Some(base), [first, rest @ ..]) = (about, base_of(about, targets), inputs) else {
        return Vec::new();
    };
    let is_first = |input: &RunInput| input.host.hostname == first.host.hostname;
    let of = analysis::open_question::ExperimentConditions {
        about,
        base,
        only_machine_cpus: rest.iter().all(is_first).then_some(first.host.cpus),
        servers_are_here: targets.iter().all(|target| target.sandbox),
    };
    analysis::doubts(summaries, validity, &of)
}

/// The experiment, if all recordings were made for the same one.
fn about(inputs: &[RunInput]) -> Option<About> {
    let (first, rest) = inputs.split_first()?;
    let about = first.plan.spec.about.as_ref()?;
    let same = |input: &RunInput| {
        input.plan.spec.about.as_ref().is_some_and(|other| other.question == about.question)
    };
    rest.iter().all(same).then(|| about.clone())
}

/// The cells of all groups, but for those of combinations that a search measured, each with the calibration of its machine.
fn summaries<'a>(
    inputs: &'a [RunInput],
    groups: &[Group],
) -> (Vec<CellSummary>, Vec<Option<&'a model::Calibration>>) {
    let is_shown = |cell: &CellSummary| specs(groups).any(|(_, spec)| spec.target.label == cell.target);
    let of = |group| summarise(group).into_iter().map(move |cell| (calibration(inputs, group, &cell), cell));
    groups.iter().flat_map(of).filter(|(_, cell)| is_shown(cell)).map(|(own, cell)| (cell, own)).unzip()
}

fn summarise(group: &Group) -> Vec<CellSummary> {
    summarise_trials(&group.plan, group.trials.iter().map(|t| &t.input))
}

/// The cells of one recording, under its own labels.
pub(crate) fn summarise_run(run: &RunInput) -> Vec<CellSummary> {
    summarise_trials(&run.plan, run.trials.iter())
}

fn summarise_trials<'a>(
    plan: &model::Plan,
    trials: impl Iterator<Item = &'a TrialRecord>,
) -> Vec<CellSummary> {
    let inputs = trials.filter_map(|t| {
        Some(analysis::TrialInput {
            result: t.result.as_ref()?,
            histograms: &t.histograms,
            intervals: &t.intervals,
            watched: &t.watched,
            others: &t.others,
            damaged: &t.damaged,
        })
    });
    analysis::summarise(plan, &inputs.collect::<Vec<_>>())
}

/// Calibration of the generator on the machine that a cell was recorded on.
fn calibration<'a>(
    inputs: &'a [RunInput],
    group: &Group,
    cell: &CellSummary,
) -> Option<&'a model::Calibration> {
    let own = group.trials.iter().filter(|t| {
        let key = &t.input.planned.cell;
        (&key.target, &key.workload, key.threads) == (&cell.target, &cell.workload, cell.threads)
    });
    own.filter_map(|t| inputs[t.run].host.calibration.as_ref()).next()
}

/// A target with the facts reported by its servers: in a trial, or at least at start-up.
fn target(inputs: &[RunInput], group: &Group, spec: &SpecTarget) -> TargetView {
    let own = || group.trials.iter().filter(|t| t.input.planned.cell.target == spec.target.label);
    let in_trial = own().filter_map(|t| t.input.result.as_ref()).find(|result| !result.members.is_empty());
    let when_ready = |at: usize| {
        let first = own().next()?;
        let original = inputs[first.run].plan.trials.iter().find(|t| t.index == first.index)?;
        let name = model::member_name(&original.cell.target, at);
        targets::ready_facts(&inputs[first.run].events, &name)
    };
    let said = |at: usize| {
        let recorded = in_trial.and_then(|result| Some(result.members.get(at)?.facts.clone()));
        recorded.or_else(|| when_ready(at))
    };
    let variables = |at: usize| {
        own().find_map(|t| match at {
            0 => t.input.variables.as_deref(),
            _ => t.input.variables_of_others.get(at - 1)?.as_deref(),
        })
    };
    let servers = (0..spec.target.members.len()).map(|at| (said(at), variables(at)));
    targets::target(spec, &servers.collect::<Vec<_>>())
}

fn workloads(groups: &[Group]) -> Vec<WorkloadView> {
    let mut found: Vec<WorkloadView> = Vec::new();
    for group in groups {
        for trial in capacity::by_rate(&group.plan) {
            let spec: Option<&WorkloadSpec> = group.plan.spec.workloads.get(trial.workload as usize);
            let label = &trial.cell.workload;
            if let Some(spec) = spec.filter(|_| !found.iter().any(|w| w.label == *label)) {
                found.push(workload::workload(spec, label.clone()));
            }
        }
    }
    found
}

/// A damaged file that concerns no trial, as a reason against the measurement.
fn damage(input: &RunInput, what: &str) -> analysis::ComparabilityWarning {
    let fact = message!("recording-damaged", recording = Text(&input.id), what = Text(what));
    analysis::ComparabilityWarning {
        id: analysis::caveat::DAMAGED_FILE.to_owned(),
        severity: analysis::Severity::Warn,
        text: fact.clone(),
        fact,
    }
}

/// The work of the workloads: whether they change rows.
fn work(groups: &[Group]) -> Work {
    let mut all = groups.iter().flat_map(|group| &group.plan.spec.workloads);
    match all.any(|workload| workload.writes()) {
        true => Work::Writes,
        false => Work::Reads,
    }
}

/// The differences that make the targets do unequal work. Advice about a plan needs all targets in one.
fn cautions(groups: &[Group], targets: &[TargetView]) -> Vec<analysis::ComparabilityWarning> {
    let Some(first) = groups.first() else { return Vec::new() };
    let mut plan = first.plan.clone();
    plan.spec.targets = specs(groups).map(|(_, spec)| spec.clone()).collect();
    let servers: Vec<(&str, &ServerFacts)> =
        targets.iter().filter_map(|t| Some((t.label.as_str(), t.server.as_ref()?))).collect();
    analysis::cautions(&plan, &servers)
}

/// Every cell, ordered by workload, target, clients.
fn all_cells(
    groups: &[Group],
    summaries: &[CellSummary],
    targets: &[TargetView],
    workloads: &[WorkloadView],
) -> Vec<Cell> {
    let mut cells: Vec<Cell> = summaries
        .iter()
        .filter_map(|summary| {
            let target = targets.iter().position(|t| t.label == summary.target)?;
            let workload = workloads.iter().position(|w| w.label == summary.workload)?;
            let mut trials: Vec<_> = groups
                .iter()
                .flat_map(|g| &g.trials)
                .filter(|t| {
                    let key = &t.input.planned.cell;
                    t.input.planned.why.counts()
                        && key.target == summary.target
                        && key.workload == summary.workload
                        && key.threads == summary.threads
                })
                .collect();
            trials.sort_by_key(|t| t.input.planned.cell.repeat);
            let id = address(&format!("{}-{}-{}", summary.target, summary.workload, summary.threads));
            Some(cells::cell(Place { id, target, workload }, summary, &trials))
        })
        .collect();
    cells.sort_by_key(|c| (c.workload, c.target, c.threads));
    offered::fill(&mut cells, groups);
    cells
}

/// A name as an address of a page can hold it.
fn address(name: &str) -> String {
    let kept = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    name.chars().map(kept).collect()
}

/// Throughput of every other target against the first. None where a search measured combinations of them too: its fit is
/// the better estimate of the same ratio.
fn comparisons(
    summaries: &[CellSummary],
    targets: &[TargetView],
    workloads: &[WorkloadView],
    searches: &[analysis::Bisection],
) -> Vec<ComparisonView> {
    let all = targets.split_first().filter(|_| searches.is_empty());
    let Some((base, others)) = all else { return Vec::new() };
    let mut found = Vec::new();
    for (i, other) in others.iter().enumerate() {
        for c in analysis::compare(summaries, &metric::THROUGHPUT, &base.label, &other.label) {
            if let Some(workload) = workloads.iter().position(|w| w.label == c.workload) {
                found.push(ComparisonView {
                    workload,
                    threads: c.threads,
                    base: 0,
                    other: i + 1,
                    throughput_ratio: significant(c.ratio, 5),
                    low: c.low.map(|v| significant(v, 5)),
                    high: c.high.map(|v| significant(v, 5)),
                    verdict: c.verdict,
                    runs_needed: c.runs_needed,
                    p_adjusted: c.p_adjusted.map(|p| significant(p, 4)),
                    family_size: c.family_size,
                    withheld: c.withheld,
                });
            }
        }
    }
    found.sort_by_key(|c| (c.workload, c.other, c.threads));
    found
}

/// The variables of each target, from the first of its trials that has them.
fn target_variables<'a>(groups: &'a [Group]) -> Vec<Option<&'a Variables>> {
    let own = |group: &'a Group, label: &str| {
        let mut trials = group.trials.iter().filter(|t| t.input.planned.cell.target == label);
        trials.find_map(|t| t.input.variables.as_deref())
    };
    specs(groups).map(|(group, spec)| own(group, &spec.target.label)).collect()
}

/// The labels of all workloads, then those of all targets.
fn title(capacities: &[analysis::Capacity], workloads: &[WorkloadView], targets: &[TargetView]) -> String {
    let targets: Vec<&str> = targets.iter().map(|target| target.label.as_str()).collect();
    format!("{}: {}", capacity::titles(capacities, workloads).join(", "), targets.join(", "))
}

/// Losses in planned crashes, by cell.
fn crashes(summaries: &[analysis::CellSummary]) -> Vec<analysis::CrashSummary> {
    summaries.iter().filter_map(|cell| cell.crash.clone()).collect()
}
