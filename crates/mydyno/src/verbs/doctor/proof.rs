//! The arguments of `doctor --prove`.

use clap::Args;
use spec::NamedWorkload;

use crate::options::workload::WorkloadName;

const H: &str = "Proof";

/// How recommendations are tried.
#[derive(Args)]
pub struct ProofArgs {
    /// Try each recommendation that is a setting on a sandbox with this workload, against the current settings, and all of them
    /// together
    #[arg(long, value_name = "WORKLOAD", value_parser = WorkloadName, help_heading = H, conflicts_with = "workload")]
    pub prove: Option<NamedWorkload>,
    /// Measured seconds per trial [default: 5]
    #[arg(long, value_name = "SECONDS", help_heading = H, requires = "prove")]
    pub time: Option<String>,
    /// Warm-up seconds before each measurement [default: 2]
    #[arg(long, value_name = "SECONDS", help_heading = H, requires = "prove")]
    pub warmup: Option<String>,
    /// Maximum number of trials of each recommendation
    #[arg(long, value_name = "N", default_value = "10", help_heading = H)]
    pub max_repeats: String,
    /// Time after which no block of trials is started: 20m, 1h
    #[arg(long, value_name = "TIME", default_value = "20m", help_heading = H)]
    pub budget: String,
}
