//! What can be wrong with a cell's figures: one list of rules.
//!
//! A caveat stands beside the figure it concerns. `Note` informs, `Warn` costs the green light, `Invalid` means that
//! the figure does not describe the server.

mod generator;
mod imported;
pub(crate) mod interruptions;
pub mod listed;
mod runs;
mod server;
mod surroundings;
mod tpcc;
mod window;

use messages::message;
use model::{LoadShape, Plan, PlannedTrial};
use serde::{Deserialize, Serialize};

use crate::Words;
use crate::drift::Drift;
use crate::input::TrialInput;
use crate::summary::CellSummary;

/// How much a caveat matters.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Good to know.
    Note,
    /// Not fit to decide on without thinking about it.
    Warn,
    /// The figure is not about the server.
    Invalid,
}

/// Something that a reader of a figure must know.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Caveat {
    /// Which rule: stable, for files and filters.
    pub id: String,
    /// How much it matters.
    pub severity: Severity,
    /// The sentence.
    pub text: Words,
    /// The numbers behind it. The first says how bad it is.
    pub evidence: Vec<Evidence>,
    /// In how many trials it was found; none: it concerns the cell as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trials: Option<InTrials>,
    /// What the sentence was made of, where it names trials: a report puts the cells there too.
    #[serde(skip)]
    pub worst: Option<WorstTrial>,
}

/// The trial that a sentence on several is about.
#[derive(Debug, Clone, PartialEq)]
pub struct WorstTrial {
    /// What was found of it.
    pub text: Words,
    /// Which repeat it is; none where the trials say the same.
    pub repeat: Option<u32>,
}

/// In how many of the trials that count something was found.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct InTrials {
    /// Trials that have it.
    pub having: u32,
    /// Trials that count.
    pub of: u32,
}

/// A number behind a caveat.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// What it is, with its unit last.
    pub name: String,
    /// The number.
    pub value: f64,
}

/// What a rule may look at.
pub(crate) struct Context<'a> {
    pub plan: &'a Plan,
    pub planned: &'a [&'a PlannedTrial],
    pub cell: &'a CellSummary,
    pub completed: &'a [&'a TrialInput<'a>],
    /// Of the whole run, for its first cell.
    pub drift: Option<Drift>,
}

impl Context<'_> {
    /// How load was offered in this cell.
    pub fn load(&self) -> &LoadShape {
        self.plan.spec.load_of(self.planned[0].workload)
    }
}

struct Found {
    severity: Severity,
    text: Words,
    evidence: Vec<(&'static str, f64)>,
}

/// Finds one thing or nothing.
type Find = fn(&Context<'_>) -> Option<Found>;

/// What a rule looks at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// One completed trial at a time. A trial of which it finds something invalid does not count.
    Trial,
    /// All trials of the cell that count.
    Cell,
}

/// A rule.
struct Rule {
    /// Id of what it finds.
    id: &'static str,
    scope: Scope,
    find: Find,
    /// Whether a lower number of evidence is the worse one.
    fewer_is_worse: bool,
}

const fn trial(id: &'static str, find: Find) -> Rule {
    Rule { id, scope: Scope::Trial, find, fewer_is_worse: false }
}

const fn cell(id: &'static str, find: Find) -> Rule {
    Rule { id, scope: Scope::Cell, find, fewer_is_worse: false }
}

const fn fewer_is_worse(rule: Rule) -> Rule {
    Rule { fewer_is_worse: true, ..rule }
}

/// Every rule.
///
/// That the generator was the bottleneck concerns the cell: the fastest trials reach its ceiling first, and setting those
/// aside would leave a mean of the slower ones. A database that came out of any trial damaged concerns the cell too.
const RULES: &[Rule] = &[
    trial("windows_differ", interruptions::windows_differ),
    trial("generator_paused", interruptions::generator_paused),
    trial("no_transactions", window::no_transactions),
    cell(IMPORTED, imported::imported),
    cell(INCONSISTENT, tpcc::inconsistent),
    cell("check_missing", tpcc::check_missing),
    cell("tpcc_limits", tpcc::tpcc_limits),
    cell("tpcc_mix", tpcc::tpcc_mix),
    cell(GENERATOR_BOTTLENECK, generator::generator_bottleneck),
    cell("overload", generator::overload),
    trial("late_timers", generator::late_timers),
    trial("littles_law", generator::littles_law),
    trial("cpu_contention", generator::cpu_contention),
    trial("other_clients", server::other_clients),
    trial("variables_changed", server::variables_changed),
    trial("other_processes", surroundings::other_processes),
    trial("steal", surroundings::steal),
    trial("swap", surroundings::swap),
    trial("clock_steps", surroundings::clock_steps),
    cell("connections_lost", runs::connections_lost),
    cell("saturated_histogram", generator::saturated_histogram),
    cell(SET_ASIDE, runs::set_aside),
    cell("interrupted", runs::interrupted),
    cell("some_runs_failed", runs::some_runs_failed),
    cell("errors", runs::errors),
    trial("warmup_not_over", window::warmup_not_over),
    trial("change_point", window::change_point),
    trial("stall", interruptions::stall),
    trial("trend", window::trend),
    trial(DAMAGED_FILE, runs::damaged_file),
    fewer_is_worse(cell("short_window", window::short_window)),
    fewer_is_worse(cell("few_transactions", window::few_transactions)),
    fewer_is_worse(cell("few_runs", runs::few_runs)),
    cell("drift", runs::drift),
    cell("data_not_restored", runs::data_not_restored),
    cell("histograms_lost", runs::histograms_lost),
];

/// The rule that makes comparisons withhold their verdict.
pub const GENERATOR_BOTTLENECK: &str = "generator_bottleneck";

/// The rule that says that a database came out of a run damaged.
pub const INCONSISTENT: &str = "inconsistent";

/// The rule that says which trials do not count.
pub const SET_ASIDE: &str = "set_aside";

/// The rule that names files that are damaged.
pub const DAMAGED_FILE: &str = "damaged_file";

/// The rule that says that another tool measured.
pub const IMPORTED: &str = "imported";

/// Runs from which an interval is worth deciding on.
pub const RUNS_MIN: u32 = 3;

/// What is found of one completed trial by itself. The cell of the context is that of this trial alone.
pub(crate) fn of_trial(context: &Context<'_>) -> Vec<Caveat> {
    found(context, Scope::Trial)
}

/// Every caveat of a cell, worst first: what is found of the cell, and what was found of its trials. A cell without a
/// completed trial has none: it has failures.
pub(crate) fn of_cell(context: &Context<'_>, trials: &[(u32, &[Caveat])]) -> Vec<Caveat> {
    if context.completed.is_empty() {
        return Vec::new();
    }
    let mut caveats = merged(trials);
    caveats.extend(found(context, Scope::Cell));
    let place = |id: &str| RULES.iter().position(|rule| rule.id == id);
    caveats.sort_by_key(|c| (std::cmp::Reverse(c.severity), place(&c.id)));
    caveats
}

fn found(context: &Context<'_>, scope: Scope) -> Vec<Caveat> {
    let caveat = |rule: &Rule| {
        let found = (rule.find)(context)?;
        let evidence =
            found.evidence.into_iter().map(|(name, value)| Evidence { name: name.to_owned(), value });
        let (id, evidence) = (rule.id.to_owned(), evidence.collect());
        Some(Caveat { id, severity: found.severity, text: found.text, evidence, trials: None, worst: None })
    };
    RULES.iter().filter(|rule| rule.scope == scope).filter_map(caveat).collect()
}

/// One caveat per rule: the sentence of the worst trial, and in how many trials it was found. Trials come with their repeat.
fn merged(trials: &[(u32, &[Caveat])]) -> Vec<Caveat> {
    let of = trials.len() as u32;
    let mut found: Vec<Vec<(u32, &Caveat)>> = Vec::new();
    for (repeat, caveat) in trials.iter().flat_map(|(repeat, own)| own.iter().map(move |c| (*repeat, c))) {
        match found.iter_mut().find(|own| own[0].1.id == caveat.id) {
            Some(own) => own.push((repeat, caveat)),
            None => found.push(vec![(repeat, caveat)]),
        }
    }
    let one = |own: Vec<(u32, &Caveat)>| {
        let first = own[0];
        let worst = own.iter().fold(first, |worst, one| if is_worse(one.1, worst.1) { *one } else { worst });
        let alike = own.iter().all(|(_, caveat)| caveat.text == first.1.text);
        let (repeat, having) = ((!alike || own.len() == 1).then_some(worst.0), own.len() as u32);
        let (trials, text) = (InTrials { having, of }, worst.1.text.clone());
        let worst_trial = (of > 1).then(|| WorstTrial { text: text.clone(), repeat });
        Caveat {
            text: worst_trial.as_ref().map_or(text, |worst| in_trials(worst, trials, None)),
            trials: Some(trials),
            worst: worst_trial,
            ..worst.1.clone()
        }
    };
    found.into_iter().map(one).collect()
}

/// `... (2 of 3 trials, worst in repeat 1; all 6 cells)`.
fn in_trials(worst: &WorstTrial, trials: InTrials, cells: Option<Words>) -> Words {
    message!(
        "in-trials",
        text = Message(worst.text.clone()),
        scope = Word(if trials.having == trials.of { "all" } else { "some" }),
        having = Count(trials.having),
        of = Count(trials.of),
        worst = Count?(worst.repeat),
        cells = Message?(cells),
    )
}

impl Caveat {
    /// The sentence, with the cells that it concerns.
    pub(crate) fn in_cells(&self, cells: Words) -> Words {
        match (&self.worst, self.trials) {
            (Some(worst), Some(trials)) => in_trials(worst, trials, Some(cells)),
            _ => message!("caveat-in-cells", text = Message(self.text.clone()), cells = Message(cells)),
        }
    }

    /// What is wrong, where it makes the cell invalid, in a few words and without a figure.
    pub(crate) fn of_target(&self, target: &str) -> Words {
        message!("target-not-valid", target = Text(target), rule = Word(&self.id))
    }
}

/// Whether one is worse than another of the same rule: by its severity, then by its number.
pub(crate) fn is_worse(one: &Caveat, other: &Caveat) -> bool {
    let fewer = RULES.iter().any(|rule| rule.id == one.id && rule.fewer_is_worse);
    let size = |caveat: &Caveat| caveat.evidence.first().map_or(0.0, |evidence| evidence.value.abs());
    let (a, b) = (size(one), size(other));
    (one.severity, if fewer { -a } else { a }) > (other.severity, if fewer { -b } else { b })
}
