//! The needs of a load, for the preflight checks.

use model::WorkloadSpec;

/// The needs of workloads at this number of clients. `what` names it in a sentence: `run`, `sweep`.
pub fn needs<'a>(what: &'a str, workloads: &[WorkloadSpec], clients: u64) -> probe::Needs<'a> {
    probe::Needs {
        what,
        clients,
        statements_per_client: workloads.iter().map(load::prepared_statements).max().unwrap_or(0),
        tables: workloads.iter().map(|workload| workload.tables()).max().unwrap_or(0),
    }
}
