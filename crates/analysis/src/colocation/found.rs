//! Results for instances side by side.

use serde::{Deserialize, Serialize};

use crate::Words;
use crate::input::Measure;

/// What instances side by side do, with one workload.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Colocation {
    /// Label of the target of one instance.
    pub alone: String,
    /// Label of the target of several.
    pub together: String,
    /// How many those are.
    pub instances: u32,
    /// Label of the workload.
    pub workload: String,
    /// S at each number of clients.
    pub points: Vec<ColocationPoint>,
    /// Position of the point that the answer and the hypotheses are about: the significant one farthest from 1, or the one with
    /// the most clients.
    pub lead: usize,
    /// What might explain it.
    pub hypotheses: Vec<Hypothesis>,
    /// S in words.
    pub says: Words,
    /// Which hypotheses are supported, excluded, not decided, in words.
    pub verdicts: Words,
}

/// S at a number of clients.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColocationPoint {
    /// Clients of each instance, alone and together.
    pub threads: u32,
    /// Throughput of one instance alone, transactions per second.
    pub alone_per_s: f64,
    /// Throughput of all instances together.
    pub together_per_s: f64,
    /// Together over the sum of each alone, with its 95 % interval.
    pub s: Measure,
    /// Two-sided p-value of S = 1, after Holm's correction over the numbers of clients; none of single trials.
    pub p_adjusted: Option<f64>,
    /// What may be said.
    pub standing: ColocationStanding,
}

/// What may be said of S.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColocationStanding {
    /// Significantly above 1.
    SuperLinear,
    /// Equivalent to 1.
    Linear,
    /// Significantly below 1.
    Contention,
    /// None of these.
    Inconclusive,
    /// There is no interval.
    SingleTrial,
}

/// A possible explanation of S, and what its control says.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hypothesis {
    /// What is suspected.
    pub cause: SuspectedCause,
    /// In a word or two.
    pub name: Words,
    /// As a claim.
    pub claim: Words,
    /// What the control says of it.
    pub standing: HypothesisStanding,
    /// S without the suspected cause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub s: Option<Measure>,
    /// That over S, with its 95 % interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<Measure>,
    /// Two-sided p-value of a ratio of 1, after Holm's correction over all controls and numbers of clients.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p_adjusted: Option<f64>,
    /// What the standing rests on.
    pub evidence: Words,
}

/// What may be behind an S other than 1.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SuspectedCause {
    /// What all instances share.
    SharedLimit,
    /// CPUs and memory nodes.
    Cpus,
    /// Buffer pools.
    Memory,
    /// Read views.
    ReadViews,
    /// Waits for the disk at commit.
    Commit,
    /// The generator.
    Generator,
    /// The order of the trials.
    Order,
}

/// What a control says of a hypothesis.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HypothesisStanding {
    /// Without the cause S is significantly nearer to 1.
    Supported,
    /// The cause makes up less than half of the distance of S from 1.
    Excluded,
    /// Neither, or there is no control.
    NotDecided,
}

impl ColocationStanding {
    /// Whether there is a difference to explain.
    pub(super) fn differs(self) -> bool {
        matches!(self, Self::SuperLinear | Self::Contention)
    }

    /// The catalogue's word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::SuperLinear => "super-linear",
            Self::Linear => "linear",
            Self::Contention => "contention",
            Self::Inconclusive => "inconclusive",
            Self::SingleTrial => "single",
        }
    }
}

impl HypothesisStanding {
    /// The catalogue's word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Excluded => "excluded",
            Self::NotDecided => "not-decided",
        }
    }
}

impl SuspectedCause {
    /// The catalogue's word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::SharedLimit => "shared-limit",
            Self::Cpus => "cpus",
            Self::Memory => "memory",
            Self::ReadViews => "read-views",
            Self::Commit => "commit",
            Self::Generator => "generator",
            Self::Order => "order",
        }
    }
}
