//! Where servers spend CPU: the trials in which they were sampled.

use analysis::{CellSummary, HotStacks, Words, hot_changes, hot_stacks, metric};
use messages::message;
use model::{NotSampled, Outcome, SampledStacks, Sampling, Why};

use super::input::TrialRecord;
use super::join::Group;
use super::latency::significant;
use crate::view::{ProfileChangeView, ProfileView, TargetView, WorkloadView};

/// From this share of the samples on, what is missing is worth a sentence.
const MISSING: f64 = 0.05;

/// The first profile of each target and workload, ordered by workload and target.
pub fn profiles(
    groups: &[Group],
    summaries: &[CellSummary],
    targets: &[TargetView],
    workloads: &[WorkloadView],
) -> Vec<ProfileView> {
    let sampled = groups.iter().flat_map(|group| &group.trials).map(|trial| &trial.input);
    let mut found: Vec<ProfileView> = Vec::new();
    for trial in sampled.filter(|trial| trial.planned.why == Why::Profiled) {
        let cell = &trial.planned.cell;
        let target = targets.iter().position(|one| one.label == cell.target);
        let workload = workloads.iter().position(|one| one.label == cell.workload);
        let (Some(target), Some(workload)) = (target, workload) else { continue };
        let is_known = found.iter().any(|one| (one.target, one.workload) == (target, workload));
        let own = summaries.iter().find(|one| {
            (&one.target, &one.workload, one.threads) == (&cell.target, &cell.workload, cell.threads)
        });
        if let Some(profile) = profile(trial, own).filter(|_| !is_known) {
            found.push(ProfileView { target, workload, ..profile });
        }
    }
    found.sort_by_key(|one| (one.workload, one.target));
    found
}

/// Of each workload, the first two targets that were sampled at the same number of clients.
pub fn changes(
    profiles: &[ProfileView],
    targets: &[TargetView],
    workloads: &[WorkloadView],
) -> Vec<ProfileChangeView> {
    let has_stacks = |at: &usize| profiles[*at].samples.is_some();
    let of_workload = |workload: usize| {
        let own: Vec<usize> =
            (0..profiles.len()).filter(has_stacks).filter(|at| profiles[*at].workload == workload).collect();
        let [base, other, ..] = own[..] else { return None };
        let (one, two) = (&profiles[base], &profiles[other]);
        let title = message!(
            "profile-change-title",
            base = Text(&targets[one.target].label),
            other = Text(&targets[two.target].label),
            workload = Text(&workloads[workload].label),
        );
        let functions = hot_changes(&hot_stacks(&one.folded), &hot_stacks(&two.folded));
        (one.threads == two.threads).then(|| ProfileChangeView {
            base,
            other,
            title,
            functions: functions.iter().map(super::cells::rounded).collect(),
            flame_graph: None,
        })
    };
    (0..workloads.len()).filter_map(of_workload).collect()
}

/// None of a trial that was not begun.
fn profile(trial: &TrialRecord, cell: Option<&CellSummary>) -> Option<ProfileView> {
    let result = trial.result.as_ref()?;
    let own = &trial.planned.cell;
    let title = message!(
        "profile-title",
        target = Text(&own.target),
        workload = Text(&own.workload),
        clients = Count(own.threads),
    );
    let empty = without_stacks(own.threads, title);
    let stacks = match (&result.sampling, &result.outcome) {
        (_, Outcome::Failed(failure)) => {
            let message = failure.message.lines().next().unwrap_or_default().trim_end_matches('.').to_owned();
            return Some(ProfileView { says: vec![nothing_sampled("trial", None, Some(message))], ..empty });
        }
        (Some(Sampling::NotSampled(why)), _) => {
            return Some(ProfileView { says: vec![not_sampled(why)], ..empty });
        }
        (Some(Sampling::Sampled(stacks)), _) => stacks,
        (None, _) => return None,
    };
    let Some((file, folded)) = trial.stacks.clone() else {
        return Some(ProfileView { says: vec![nothing_sampled("no-file", None, None)], ..empty });
    };
    let hot = hot_stacks(&folded);
    if hot.samples != stacks.samples {
        // Shares of a part would pass for those of the whole.
        let damaged = message!("profile-damaged", left = Count(hot.samples), samples = Count(stacks.samples));
        return Some(ProfileView { says: vec![damaged], ..empty });
    }
    let cost = cell.and_then(|cell| Some((sampled_per_s(trial, stacks.time_s)?, cell)));
    let cost = cost.and_then(|(per_s, cell)| {
        let clean = cell.throughput_per_s.as_ref().filter(|clean| clean.mean > 0.0)?;
        Some((per_s, per_s / clean.mean, cell.runs.len() as u64))
    });
    Some(ProfileView {
        says: says(stacks, &hot, cost),
        samples: Some(hot.samples),
        throughput_ratio: cost.map(|(_, ratio, _)| significant(ratio, 4)),
        unknown_share: Some(significant(hot.unknown_share, 4)),
        functions: hot.functions.iter().map(super::cells::rounded).collect(),
        busy_threads: hot.threads.iter().map(super::cells::rounded).collect(),
        file: Some(file.display().to_string()),
        folded,
        ..empty
    })
}

fn without_stacks(threads: u32, title: Words) -> ProfileView {
    ProfileView {
        target: 0,
        workload: 0,
        threads,
        title,
        says: Vec::new(),
        samples: None,
        throughput_ratio: None,
        unknown_share: None,
        functions: Vec::new(),
        busy_threads: Vec::new(),
        file: None,
        folded: String::new(),
        flame_graph: None,
    }
}

/// Throughput while it was sampled: not all of a long window is.
fn sampled_per_s(trial: &TrialRecord, time_s: f64) -> Option<f64> {
    let (mut transactions, mut length_s) = (0, 0.0);
    for interval in trial.intervals.iter().filter(|interval| !interval.warmup) {
        if length_s + interval.length_s / 2.0 > time_s {
            break;
        }
        transactions += interval.transactions;
        length_s += interval.length_s;
    }
    let whole = || trial.result.as_ref().and_then(|result| (metric::THROUGHPUT.value)(result));
    if length_s > 0.0 { Some(transactions as f64 / length_s) } else { whole() }
}

fn says(stacks: &SampledStacks, hot: &HotStacks, cost: Option<(f64, f64, u64)>) -> Vec<Words> {
    let lost = stacks.lost as f64 / (stacks.lost + stacks.samples).max(1) as f64;
    let parts = [
        Some(message!(
            "profile-sampled",
            samples = Count(stacks.samples),
            event = Text(&stacks.event),
            time = Seconds(stacks.time_s),
            frequency = Count(stacks.frequency_hz),
        )),
        cost.map(|(per_s, ratio, trials)| {
            message!("profile-cost", sampled = Figure(per_s), ratio = Ratio(ratio), trials = Count(trials))
        }),
        (stacks.lost > 0).then(|| message!("profile-lost", lost = Count(stacks.lost), share = Percent(lost))),
        (hot.unknown_share > MISSING)
            .then(|| message!("profile-unknown", share = Percent(hot.unknown_share))),
        (hot.cut_share > MISSING).then(|| message!("profile-cut", share = Percent(hot.cut_share))),
        stacks.without_kernel.then(|| message!("profile-without-kernel")),
    ];
    parts.into_iter().flatten().collect()
}

fn not_sampled(why: &NotSampled) -> Words {
    let (word, paranoid, said) = match why {
        NotSampled::NotInstalled => ("not-installed", None, None),
        NotSampled::Forbidden { paranoid } => ("forbidden", paranoid.map(|level| level.to_string()), None),
        NotSampled::UnknownProcess => ("unknown-process", None, None),
        NotSampled::NoSamples => ("no-samples", None, None),
        NotSampled::Failed { message } => ("failed", None, Some(message.trim_end_matches('.').to_owned())),
    };
    nothing_sampled(word, paranoid, said)
}

fn nothing_sampled(why: &str, paranoid: Option<String>, said: Option<String>) -> Words {
    message!("profile-not-sampled", why = Word(why), paranoid = Text?(paranoid), message = Text?(said))
}
