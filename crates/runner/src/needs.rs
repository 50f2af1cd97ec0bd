//! What a load needs, for the checks before it.

use model::WorkloadSpec;

/// What workloads need at so many clients. `what` is how a sentence calls it: `run`, `sweep`.
pub fn needs<'a>(what: &'a str, workloads: &[WorkloadSpec], clients: u64) -> probe::Needs<'a> {
    probe::Needs {
        what,
        clients,
        statements_per_client: workloads.iter().map(load::prepared_statements).max().unwrap_or(0),
        tables: workloads.iter().map(|workload| workload.tables()).max().unwrap_or(0),
    }
}
