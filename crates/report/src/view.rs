//! The view model: everything a report shows, as plain data.
//!
//! Renderers and the page only arrange these data, so that a figure on the screen can always be found in the JSON. Units
//! are part of the key names; a number that does not exist is `null`, never zero. Latencies are milliseconds because
//! readers of these reports think in them; recordings keep nanoseconds.

mod cell;
mod latency;
mod method;
mod origin;
mod profile;
mod trial;
mod trust;
mod variable;

use analysis::Words;
use serde::{Deserialize, Serialize};

use crate::words::Lang;
pub use cell::{Cell, CellStatus, ErrorRow, EstimateView, Generator, TotalsView};
pub use latency::{Distribution, Histogram, Latency, Operation, ReportedLatencyView, StatedRow};
pub use method::{ArmView, Method};
pub use origin::{
    Fact, MemberDifference, MemberView, Run, RunWarning, TargetView, TransportView, WorkloadView,
};
pub use profile::{ProfileChangeView, ProfileView};
pub use trial::{Mark, Observed, ObservedSeries, Panel, Trial, TrialOutcome, TrialSeries};
pub use trust::{Level, ReasonView, Trust};
pub use variable::Variable;

/// Version of this structure. It grows when a key changes meaning or goes away; new keys do not change it.
pub const SCHEMA_VERSION: u32 = 1;

/// Everything a report shows.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// [`SCHEMA_VERSION`] of the program that made it.
    pub schema_version: u32,
    /// mydyno's version.
    pub mydyno_version: String,
    /// Language to show first.
    pub lang: Lang,
    /// Workloads and targets in a few words.
    pub title: String,
    /// The experiment that all of it comes from, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<model::About>,
    /// The answer in one sentence, with its figure and interval.
    pub answer: Words,
    /// Whether it can be trusted.
    pub trust: Trust,
    /// Recordings that went into this view.
    pub runs: Vec<Run>,
    /// Servers under test. Cells refer to them by position.
    pub targets: Vec<TargetView>,
    /// Workloads. Cells refer to them by position.
    pub workloads: Vec<WorkloadView>,
    /// One per target, workload and number of clients; ordered by workload, target, clients.
    pub cells: Vec<Cell>,
    /// Ratios of throughput to that of the first target, per workload and number of clients.
    pub comparisons: Vec<ComparisonView>,
    /// Where transactions spend the time by which response times differ from those of the first target, wherever a verdict says
    /// that one is faster.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explanations: Vec<analysis::Explanation>,
    /// What probably makes one of two sandboxes faster, untested, with the command that tests it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidates: Option<Words>,
    /// Which differences between two targets matter, of recordings that search for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bisections: Vec<analysis::Bisection>,
    /// At which of several builds a metric changed, of recordings that search for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub version_searches: Vec<analysis::VersionSearch>,
    /// Which recommendations help, of recordings that try them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proofs: Vec<analysis::RecommendationProof>,
    /// The capacity of each target with each workload, of recordings that search it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capacities: Vec<analysis::Capacity>,
    /// What instances side by side do, of recordings that have one of them alone as well.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub colocations: Vec<analysis::Colocation>,
    /// What limits commits over a simulated link, of recordings with several numbers of clients.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub serial_stages: Vec<analysis::SerialStage>,
    /// Where servers spend CPU, of recordings that sampled them; ordered by workload and target.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<ProfileView>,
    /// How the first two targets of each workload differ in that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub profile_changes: Vec<ProfileChangeView>,
    /// How each target scales over the number of clients, and where it breaks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub curves: Vec<analysis::Curve>,
    /// Where one target overtakes another.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overtakings: Vec<analysis::CurveCrossover>,
    /// Whether what an arm of an experiment does depends on the workload.
    #[serde(default, skip_serializing_if = "analysis::Interactions::is_empty")]
    pub interactions: analysis::Interactions,
    /// What would change the answer of an experiment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<analysis::OpenQuestion>,
    /// How an experiment was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<Method>,
    /// What differs between the targets, durability first.
    pub differences: Vec<Difference>,
    /// Server variables, side by side.
    pub variables: Vec<Variable>,
    /// What the doctor says of each target that was watched.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub advice: Vec<TargetAdvice>,
    /// How much of its machine the generator used, in a sentence.
    pub generator_share: Option<Words>,
}

/// A respect in which the targets differ, or that they do not differ in durability.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// Which: [`Difference::SAME_DURABILITY`], or the id of the comparability warning, such as [`Difference::DURABILITY`].
    pub id: String,
    /// English.
    pub en: String,
    /// Simplified Chinese.
    pub zh: String,
}

impl Difference {
    /// A sentence under the id of its warning, which takes the place of the message's own.
    pub fn new(id: impl Into<String>, Words { en, zh, .. }: Words) -> Self {
        Self { id: id.into(), en, zh }
    }

    /// The sentence.
    pub fn words(&self) -> Words {
        Words::new(&self.en, &self.zh)
    }

    /// A crash of one server can lose more than that of another: their commits are unequal work.
    pub const DURABILITY: &str = "durability";
    /// All servers are equally durable.
    pub const SAME_DURABILITY: &str = "same_durability";
}

/// What the doctor says of a target, from what was seen of its server while it was measured.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TargetAdvice {
    /// Position of the target.
    pub target: usize,
    /// Findings, worst first.
    pub items: Vec<analysis::CellAdvice>,
    /// What could not be seen, and why.
    pub unseen: Vec<model::Unseen>,
}

/// Throughput of one target over that of another at the same workload and clients.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparisonView {
    /// Position in [`View::workloads`].
    pub workload: usize,
    /// Clients.
    pub threads: u32,
    /// The target divided by, position in [`View::targets`].
    pub base: usize,
    /// The target compared with it.
    pub other: usize,
    /// Throughput of `other` over that of `base`.
    pub throughput_ratio: f64,
    /// Lower end of the 95 % interval; none when either is a single run.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval.
    pub high: Option<f64>,
    /// What may be said of `other` against `base`.
    pub verdict: analysis::Verdict,
    /// For an inconclusive comparison, about how many trials of each cell might decide it.
    pub runs_needed: Option<u32>,
    /// Two-sided p-value of no difference, after Holm's correction over all points of this pair of targets.
    #[serde(default)]
    pub p_adjusted: Option<f64>,
    /// How many points those are.
    #[serde(default)]
    pub family_size: u32,
    /// Why no verdict is given although both completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withheld: Option<Words>,
}
