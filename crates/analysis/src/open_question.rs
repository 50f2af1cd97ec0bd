//! Open questions, which would change an answer: undecided points and the repeats they need, differences that depend on the
//! margin, caveats, and what was not measured.
//!
//! An answer holds for what was measured. A reader who decides on it has to know how close it is to another answer, and
//! what it does not cover.

use messages::message;
use model::About;
use serde::{Deserialize, Serialize};

use crate::Words;
use crate::answer::Place;
use crate::caveat::Severity;
use crate::compare::{Comparison, MARGIN, Verdict, compare};
use crate::metric::THROUGHPUT;
use crate::summary::CellSummary;
use crate::validity::Validity;

/// Maximum ratio to the margin of a point that narrowly misses it.
const MISS_MAX: f64 = 2.0;

/// Something that would change the answer.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenQuestion {
    /// Of which kind: stable, for files and filters.
    pub kind: OpenQuestionKind,
    /// The sentence.
    pub text: Words,
}

/// Kinds of doubt, in the order in which they are told.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpenQuestionKind {
    /// Points that the runs do not decide.
    Inconclusive,
    /// Single runs.
    SingleRuns,
    /// Points that another margin would decide otherwise.
    Margin,
    /// What is wrong with the figures.
    Caveats,
    /// The size of minutes was run.
    Quick,
    /// What this machine can show of the question.
    Limits,
    /// Every figure is from one machine.
    OneMachine,
}

/// The conditions under which an experiment was run.
#[derive(Debug, Clone, Copy)]
pub struct ExperimentConditions<'a> {
    /// The experiment.
    pub about: &'a About,
    /// The first arm, which the others are compared with.
    pub base: &'a str,
    /// CPUs of the only machine that offered the load; none if there were several.
    pub only_machine_cpus: Option<u32>,
    /// Whether the servers ran on that machine too.
    pub servers_are_here: bool,
}

/// The open questions, in the order of [`OpenQuestionKind`].
pub fn doubts(
    cells: &[CellSummary],
    validity: &Validity,
    of: &ExperimentConditions<'_>,
) -> Vec<OpenQuestion> {
    let compared = comparisons(cells, of.base);
    let mut found = Vec::new();
    let mut add = |kind: OpenQuestionKind, text: Words| found.push(OpenQuestion { kind, text });
    inconclusive(&compared).into_iter().for_each(|text| add(OpenQuestionKind::Inconclusive, text));
    single_runs(cells).into_iter().for_each(|text| add(OpenQuestionKind::SingleRuns, text));
    margins(&compared).into_iter().for_each(|text| add(OpenQuestionKind::Margin, text));
    caveats(validity).into_iter().for_each(|text| add(OpenQuestionKind::Caveats, text));
    quick(of).into_iter().for_each(|text| add(OpenQuestionKind::Quick, text));
    if let Some(shows) = &of.about.shows {
        // As the experiment has it; in the language of its author where it was not translated.
        let zh = of.about.shows_zh.as_ref().unwrap_or(shows);
        add(OpenQuestionKind::Limits, Words::new(with_stop(shows), with_stop(zh)));
    }
    one_machine(of).into_iter().for_each(|text| add(OpenQuestionKind::OneMachine, text));
    found
}

fn with_stop(text: &str) -> String {
    if text.ends_with(['.', '。', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

/// Every other target against the base, in the order of the cells.
fn comparisons(cells: &[CellSummary], base: &str) -> Vec<Comparison> {
    let mut others: Vec<&str> = Vec::new();
    for cell in cells.iter().filter(|cell| cell.target != base) {
        if !others.contains(&cell.target.as_str()) {
            others.push(&cell.target);
        }
    }
    others.into_iter().flat_map(|other| compare(cells, &THROUGHPUT, base, other)).collect()
}

/// Points of one arm and workload.
struct Points<'a> {
    /// `2/1000 against 1/1`, with the workload where there are several.
    pair: Words,
    points: Vec<&'a Comparison>,
}

fn grouped<'a>(compared: &'a [Comparison], is: impl Fn(&Comparison) -> bool) -> Vec<Points<'a>> {
    let several = compared.iter().any(|c| c.workload != compared[0].workload);
    let mut groups: Vec<Points<'a>> = Vec::new();
    for one in compared.iter().filter(|c| is(c)) {
        let same = |group: &&mut Points<'a>| {
            group.points[0].other == one.other && group.points[0].workload == one.workload
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.points.push(one),
            None => {
                let pair = message!(
                    "arm-against-base",
                    workload = Text?(several.then_some(&one.workload)),
                    other = Text(&one.other),
                    base = Text(&one.base),
                );
                groups.push(Points { pair, points: vec![one] });
            }
        }
    }
    groups
}

/// `at 8 and 32 clients`.
fn at(points: &[&Comparison]) -> Words {
    Place::of(&points.iter().map(|c| c.threads).collect::<Vec<_>>())
}

/// The inconclusive points, and about how many repeats would settle them.
fn inconclusive(compared: &[Comparison]) -> Vec<Words> {
    let sentence = |group: Points<'_>| {
        let corrected = group.points.iter().filter(|c| c.excludes_one()).count();
        let settled: Vec<u32> = group.points.iter().filter_map(|c| c.runs_needed).collect();
        let all = group.points.len();
        let repeats = settled.iter().max().copied().filter(|_| corrected < all);
        let cost = match repeats {
            Some(_) if settled.len() == all => "all",
            Some(_) => "some",
            None if corrected == all => "corrected",
            None => "hopeless",
        };
        message!(
            "open-points",
            place = Message(at(&group.points)),
            comparisons = Count(group.points[0].family_size),
            pair = Message(group.pair),
            cost = Word(cost),
            repeats = Count?(repeats),
        )
    };
    grouped(compared, |c| c.verdict == Verdict::Inconclusive).into_iter().map(sentence).collect()
}

fn single_runs(cells: &[CellSummary]) -> Option<Words> {
    let single = cells.iter().any(|cell| cell.completed() == 1);
    single.then(|| message!("some-single-trials"))
}

/// Differences that depend on the margin: slightly larger than equivalent, or no larger than the margin, which is little to
/// decide on.
fn margins(compared: &[Comparison]) -> Vec<Words> {
    let margin = compared.first().map_or(MARGIN, |c| c.margin);
    let mut said = Vec::new();
    for group in grouped(compared, |c| wider(c).is_some()) {
        let widest = group.points.iter().filter_map(|c| wider(c)).fold(0.0, f64::max);
        said.push(message!(
            "wider-margin",
            place = Message(at(&group.points)),
            pair = Message(group.pair),
            wider = Tenths(widest * 100.0),
            margin = Percent(margin),
        ));
    }
    for group in grouped(compared, is_small) {
        said.push(message!(
            "small-difference",
            place = Message(at(&group.points)),
            pair = Message(group.pair),
            margin = Percent(margin),
        ));
    }
    said
}

/// The margin at which an inconclusive point would be equivalent, if it is close to the current one.
fn wider(c: &Comparison) -> Option<f64> {
    if c.verdict != Verdict::Inconclusive {
        return None;
    }
    let needed = (c.high? - 1.0).max(1.0 / c.low? - 1.0);
    // Rounded up to what is shown, so that it holds as it is said.
    let needed = (needed * 1e3).ceil() / 1e3;
    (needed <= MISS_MAX * c.margin).then_some(needed)
}

/// A difference whose interval reaches into the margin.
fn is_small(c: &Comparison) -> bool {
    let (Some(low), Some(high)) = (c.low, c.high) else { return false };
    matches!(c.verdict, Verdict::Better | Verdict::Worse)
        && low < 1.0 + c.margin
        && high > 1.0 / (1.0 + c.margin)
}

/// Remedies of caveats, by their rules. The sentences of the caveats are in the line on validity.
const REMEDIES: [(&[&str], &str); 8] = [
    (&["few_runs"], "repeats"),
    (&["short_window", "few_transactions"], "window"),
    (&["warmup_not_over", "trend"], "warm-up"),
    (&["change_point", "stall"], "cause"),
    (&["generator_bottleneck", "cpu_contention", "late_timers"], "generator"),
    (&["other_processes", "steal", "swap", "clock_steps", "set_aside"], "machine"),
    (&["data_not_restored"], "restore"),
    (
        &["errors", "connections_lost", "some_runs_failed", "interrupted", "cells_missing", "overload"],
        "errors",
    ),
];

fn caveats(validity: &Validity) -> Option<Words> {
    let standing: Vec<&str> =
        validity.reasons.iter().filter(|r| r.severity > Severity::Note).map(|r| r.id.as_str()).collect();
    let lifted: Vec<Words> = REMEDIES
        .iter()
        .filter(|(ids, _)| standing.iter().any(|id| ids.contains(id)))
        .map(|(_, what)| message!("remedy", what = Word(*what)))
        .collect();
    let (n, remedies) = (standing.len() as u64, (!lifted.is_empty()).then_some(lifted));
    (n > 0).then(|| message!("standing-caveats", caveats = Count(n), remedies = Clauses?(remedies)))
}

fn quick(of: &ExperimentConditions<'_>) -> Option<Words> {
    let about = of.about;
    about.quick.then(|| message!("quick-run", experiment = Text(&about.experiment)))
}

fn one_machine(of: &ExperimentConditions<'_>) -> Option<Words> {
    let cpus = of.only_machine_cpus?;
    let shared = if of.servers_are_here { "shared" } else { "alone" };
    Some(message!("one-machine", cpus = Count(cpus), shared = Word(shared)))
}
