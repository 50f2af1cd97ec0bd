//! Options of other workloads: typed for a workload that does not have them, they would be ignored silently.

use std::collections::BTreeSet;

use clap::{Args, Command};

use super::tpcc::TpccArgs;
use super::workload::{Choice, WorkloadArgs};
use crate::commandline::Typed;
use crate::error::{Outcome, UserError};

/// Options of sysbench's workloads that TPC-C has too.
const SHARED: [&str; 3] = ["mysql_storage_engine", "reconnect", "mysql_ignore_errors"];

/// Refuses options that none of the workloads has.
pub fn refuse_others(workloads: &[Choice], typed: &Typed) -> Outcome<()> {
    let tpcc = workloads.contains(&Choice::Tpcc);
    let sysbench = workloads.iter().any(|workload| *workload != Choice::Tpcc);
    let names = workloads.iter().map(|workload| workload.name()).collect::<Vec<_>>().join(", ");
    let foreign = |ids: BTreeSet<String>| ids.into_iter().find(|id| typed.has(id));
    let of_tpcc = foreign(ids(TpccArgs::augment_args(Command::new("")))).filter(|_| !tpcc);
    let mut of_sysbench = ids(WorkloadArgs::augment_args(Command::new("")));
    of_sysbench.retain(|id| !SHARED.contains(&id.as_str()));
    let of_sysbench = foreign(of_sysbench).filter(|_| !sysbench);
    let (id, owner) = match (of_tpcc, of_sysbench) {
        (Some(id), _) => (id, "tpcc"),
        (None, Some(id)) => (id, "sysbench's workloads, such as oltp_read_write"),
        (None, None) => return Ok(()),
    };
    let option = id.replace('_', "-");
    Err(UserError::usage(format!("--{option} does not apply to {names}"))
        .hint(format!("it is an option of {owner}: leave it out, or choose that workload")))
}

fn ids(command: Command) -> BTreeSet<String> {
    command.get_arguments().map(|arg| arg.get_id().to_string()).collect()
}
