//! Where servers spend CPU, as `perf` sampled it.

use analysis::{HotChange, HotFunction, HotThread, Words};
use serde::{Deserialize, Serialize};

/// Where the server of a target spends CPU with a workload.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProfileView {
    /// Position in [`super::View::targets`].
    pub target: usize,
    /// Position in [`super::View::workloads`].
    pub workload: usize,
    /// Clients.
    pub threads: u32,
    /// What it is about.
    pub title: Words,
    /// What was sampled, what that cost, and what is missing; or why nothing was sampled: a sentence each.
    pub says: Vec<Words>,
    /// Samples with a stack; none if nothing was sampled.
    pub samples: Option<u64>,
    /// Throughput of the sampled trial over the mean of those without sampling; none without such.
    pub throughput_ratio: Option<f64>,
    /// Share of the samples that end in code without a symbol.
    pub unknown_share: Option<f64>,
    /// The functions with the most time of their own.
    pub functions: Vec<HotFunction>,
    /// The threads that use most.
    pub busy_threads: Vec<HotThread>,
    /// The file of the folded stacks: `thread;function;function COUNT` on each line.
    pub file: Option<String>,
    /// What is in it.
    #[serde(skip)]
    pub folded: String,
    /// The flame graph, an SVG; only in the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flame_graph: Option<String>,
}

/// How two servers differ in where they spend CPU with a workload.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProfileChangeView {
    /// Position in [`super::View::profiles`] of the one that the other is compared with.
    pub base: usize,
    /// Position of the other.
    pub other: usize,
    /// What it is about.
    pub title: Words,
    /// The functions whose shares differ most.
    pub functions: Vec<HotChange>,
    /// The differential flame graph, an SVG in the shape of the other; only in the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flame_graph: Option<String>,
}
