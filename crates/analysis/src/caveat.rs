//! What can be wrong with a cell's figures: one list of rules.
//!
//! A caveat stands beside the figure it concerns. `Note` informs, `Warn` costs the green light, `Invalid` means that
//! the figure does not describe the server.

mod generator;
mod imported;
mod runs;
mod surroundings;
mod tpcc;
mod window;

use model::{LoadShape, Plan, PlannedTrial};
use serde::{Deserialize, Serialize};

use crate::Words;
use crate::drift::Drift;
use crate::input::TrialInput;
use crate::summary::CellSummary;

/// How much a caveat matters.
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Caveat {
    /// Which rule: stable, for files and filters.
    pub id: String,
    /// How much it matters.
    pub severity: Severity,
    /// The sentence.
    pub text: Words,
    /// The numbers behind it.
    pub evidence: Vec<Evidence>,
}

/// A number behind a caveat.
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
        self.plan.load_of(self.planned[0].workload)
    }
}

struct Found {
    severity: Severity,
    text: Words,
    evidence: Vec<(&'static str, f64)>,
}

/// Finds one thing or nothing.
type Rule = fn(&Context<'_>) -> Option<Found>;

/// Every rule, with the id of what it finds.
const RULES: [(&str, Rule); 30] = [
    ("no_transactions", window::no_transactions),
    (INCONSISTENT, tpcc::inconsistent),
    ("check_missing", tpcc::check_missing),
    ("tpcc_limits", tpcc::tpcc_limits),
    ("tpcc_mix", tpcc::tpcc_mix),
    (GENERATOR_BOTTLENECK, generator::generator_bottleneck),
    ("overload", generator::overload),
    ("late_timers", generator::late_timers),
    ("littles_law", generator::littles_law),
    ("cpu_contention", generator::cpu_contention),
    ("other_processes", surroundings::other_processes),
    ("steal", surroundings::steal),
    ("swap", surroundings::swap),
    ("clock_steps", surroundings::clock_steps),
    ("connections_lost", runs::connections_lost),
    ("saturated_histogram", generator::saturated_histogram),
    ("interrupted", runs::interrupted),
    ("some_runs_failed", runs::some_runs_failed),
    ("errors", runs::errors),
    ("warmup_not_over", window::warmup_not_over),
    ("change_point", window::change_point),
    ("silent", window::silent),
    ("trend", window::trend),
    ("short_window", window::short_window),
    ("few_transactions", window::few_transactions),
    ("few_runs", runs::few_runs),
    ("drift", runs::drift),
    ("data_not_restored", runs::data_not_restored),
    ("histograms_lost", runs::histograms_lost),
    (IMPORTED, imported::imported),
];

/// The rule that makes comparisons withhold their verdict.
pub const GENERATOR_BOTTLENECK: &str = "generator_bottleneck";

/// The rule that says that a database came out of a run damaged.
pub const INCONSISTENT: &str = "inconsistent";

/// The rule that says that another tool measured.
pub const IMPORTED: &str = "imported";

/// Runs from which an interval is worth deciding on.
pub const RUNS_MIN: u32 = 3;

/// Every caveat of a cell, worst first. A cell without a completed run has none: it has failures.
pub(crate) fn find(context: &Context<'_>) -> Vec<Caveat> {
    if context.completed.is_empty() {
        return Vec::new();
    }
    let mut caveats: Vec<Caveat> = RULES
        .iter()
        .filter_map(|(id, rule)| {
            let found = rule(context)?;
            let evidence =
                found.evidence.into_iter().map(|(name, value)| Evidence { name: name.to_owned(), value });
            Some(Caveat {
                id: (*id).to_owned(),
                severity: found.severity,
                text: found.text,
                evidence: evidence.collect(),
            })
        })
        .collect();
    caveats.sort_by_key(|c| std::cmp::Reverse(c.severity));
    caveats
}
