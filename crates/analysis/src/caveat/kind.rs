//! A caveat: what a rule has found, how much it matters, and in how many trials.

use messages::message;
use serde::{Deserialize, Serialize};

use crate::Words;

/// The rule that makes comparisons withhold their verdict.
pub const GENERATOR_BOTTLENECK: &str = "generator_bottleneck";

/// The rule for a database that was left inconsistent by a run.
pub const INCONSISTENT: &str = "inconsistent";

/// The rule that names the trials that do not count.
pub const SET_ASIDE: &str = "set_aside";

/// The rule that names files that are damaged.
pub const DAMAGED_FILE: &str = "damaged_file";

/// The rule for measurements of another tool.
pub const IMPORTED: &str = "imported";
/// The machine's level changed while the trials ran.
pub(crate) const DRIFT: &str = "drift";

/// Minimum number of trials whose interval is good enough for a decision.
pub const RUNS_MIN: u32 = 3;

/// Rules of whose evidence a lower number is the worse one.
const FEWER_IS_WORSE: [&str; 3] = ["short_window", "few_transactions", "few_runs"];

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
    /// The finding.
    pub text: Words,
    /// The repeat; none where all trials have the same finding.
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

/// `... (2 of 3 trials, worst in repeat 1; all 6 cells)`.
pub(super) fn in_trials(worst: &WorstTrial, trials: InTrials, cells: Option<Words>) -> Words {
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

    /// The reason the cell is invalid, in a few words and without a figure.
    pub(crate) fn of_target(&self, target: &str) -> Words {
        message!("target-not-valid", target = Text(target), rule = Word(&self.id))
    }
}

/// Whether one caveat is worse than another of the same rule: by severity, then by its number.
pub(crate) fn is_worse(one: &Caveat, other: &Caveat) -> bool {
    let fewer = FEWER_IS_WORSE.contains(&one.id.as_str());
    let size = |caveat: &Caveat| caveat.evidence.first().map_or(0.0, |evidence| evidence.value.abs());
    let (a, b) = (size(one), size(other));
    (one.severity, if fewer { -a } else { a }) > (other.severity, if fewer { -b } else { b })
}
