//! How the trials of a plan are arranged: factors and their levels, blocks, what is repeated, when data are restored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Arrivals, BisectSearch, LoadShape, RecommendationTrials};

/// Levels of factors by path: `target.sync_binlog` is `0`.
pub type Levels = BTreeMap<String, String>;

/// What a plan is beyond the product of targets, workloads and numbers of clients.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Design {
    /// When data are restored.
    #[serde(skip_serializing_if = "Restore::is_default")]
    pub restore: Restore,
    /// The first cell is run once more at the end, to see whether the machine is still the one it was.
    #[serde(rename = "bookend", skip_serializing_if = "std::ops::Not::not")]
    pub drift_check: bool,
    /// Each target is run once more with each workload, while the CPUs of its server are sampled.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub perf: bool,
    /// Seconds without load before each trial but the first, in which disks and kernel come to rest.
    #[serde(skip_serializing_if = "is_zero")]
    pub cool_down_s: f64,
    /// Numbers of clients are added where a curve breaks or two cross.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub refine: bool,
    /// Blocks are added until the arms can be told apart or are equal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until_sure: Option<UntilSure>,
    /// Rates are added until the highest one at which all conditions hold is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<CapacitySearch>,
    /// Combinations of two targets are added until it is known which of their differences matter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bisect: Option<BisectSearch>,
    /// Recommendations are tried: each is a target that differs from the first one by its settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<RecommendationTrials>,
    /// What varies, in the order in which it was named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub factors: Vec<Factor>,
    /// The cells that are run; empty: all combinations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<OnlyCell>,
    /// What belongs to each workload, in their order; empty if none has anything of its own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<Variant>,
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

impl Design {
    /// True if there is nothing to say about it.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// True if it chooses all of its trials by itself.
    pub fn is_search(&self) -> bool {
        self.capacity.is_some() || self.bisect.is_some()
    }

    /// True if that target is made from another one by the plan itself.
    pub(crate) fn is_made(&self, target: &str) -> bool {
        let combinations = self.bisect.iter().flat_map(|search| &search.combinations);
        let tried = self.proof.iter().flat_map(RecommendationTrials::targets);
        combinations.map(|one| &one.target).chain(tried).any(|label| label == target)
    }

    /// True if there are so many targets that only the one of the trial runs.
    pub fn has_many_targets(&self) -> bool {
        self.bisect.is_some() || self.proof.is_some()
    }

    /// True if trials may be added while it is conducted.
    pub fn grows(&self) -> bool {
        self.refine || self.until_sure.is_some() || self.is_search()
    }
}

/// A search for the highest rate at which all conditions hold, of each target with each workload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CapacitySearch {
    /// The conditions, such as `p99<20ms`; none: that the server keeps up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slo: Vec<String>,
    /// The lowest and the highest rate that is tried, per second; none: from what a closed loop does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub between: Option<(f64, f64)>,
    /// How wide the interval of the rate may be in the end, as a share of it.
    pub precision: f64,
    /// So many trials at most of a target with a workload.
    pub trials_max: u32,
    /// So many seconds at most, after which no trial is begun; none: as long as it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_s: Option<f64>,
    /// How transactions follow each other.
    pub arrivals: Arrivals,
}

/// When data are restored before a trial. What cannot be restored is said with every result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Restore {
    /// When an earlier trial added or removed rows; a sandbox stays up until then. The rule of older recordings.
    #[default]
    Changed,
    /// When an earlier trial wrote: a sandbox is started on the kept copy, and stopped after its trial, so that
    /// only the server under test runs. Servers that somebody else runs keep what they have.
    Written,
    /// As `Written`; on external servers the tables are dropped and loaded again.
    Reload,
}

impl Restore {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// When to stop repeating.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UntilSure {
    /// Ratios within this distance of 1 count as the same.
    pub margin: f64,
    /// So many blocks at most.
    pub blocks_max: u32,
    /// So many seconds at most, after which no block is begun; none: as long as it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_s: Option<f64>,
}

/// Something that is varied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Factor {
    /// What: `target.sync_binlog`, `workload.rand-type`, `load.threads`.
    pub path: String,
    /// Its levels, the first one being what the others are compared with.
    pub levels: Vec<String>,
}

/// A cell of a design that is no full product.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OnlyCell {
    /// Label of the target.
    pub target: String,
    /// Label of the workload.
    pub workload: String,
    /// Clients; none: every number of the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
}

/// What belongs to one workload.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Its levels of the factors, by path.
    #[serde(default, skip_serializing_if = "Levels::is_empty")]
    pub levels: Levels,
    /// How load is offered with it, if not as everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<LoadShape>,
    /// The workload, by its index, of which this is one at a rate that a search tries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_of: Option<u32>,
}

/// Why a trial is in the plan.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// It was asked for.
    #[default]
    AskedFor,
    /// One block was not enough to decide.
    Undecided,
    /// Something happens between its neighbours: a cliff, or two curves cross.
    Refined,
    /// A search for a rate expects to learn most from it.
    Searched,
    /// It confirms what a search has found.
    Confirming,
    /// The first cell once more. It counts for nothing but drift.
    #[serde(rename = "bookend")]
    DriftCheck,
    /// The CPUs of the server are sampled meanwhile. Its figures count for nothing but what the sampling costs.
    Profiled,
}

impl Why {
    /// True of what was asked for.
    pub fn is_asked_for(&self) -> bool {
        *self == Self::AskedFor
    }

    /// True if its figures count: it is neither a drift check nor sampled.
    pub fn counts(&self) -> bool {
        !matches!(self, Self::DriftCheck | Self::Profiled)
    }
}
