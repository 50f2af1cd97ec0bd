//! Names of workloads on the command line.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use spec::{Values, Workload, nearest};

use super::dialect;

/// Options that say nothing about these workloads.
pub fn remarks(workloads: &[Workload], values: &Values) -> Vec<String> {
    let reads_one = |workload: &Workload| match workload {
        Workload::Sysbench(one) => one.reads_one_table().then(|| one.name()),
        Workload::Tpcc => None,
    };
    let several = values.get("workload.tables") != Some(spec::Value::Count(1));
    let names = workloads.iter().filter_map(reads_one).filter(|_| several);
    names.map(|name| format!("{name} reads sbtest1 alone, as in sysbench, whatever --tables says")).collect()
}

/// Reads a workload's name, also with `-` for `_` and as the path of sysbench's script.
#[derive(Clone)]
pub struct WorkloadName;

impl TypedValueParser for WorkloadName {
    type Value = Workload;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Self::Value, clap::Error> {
        let text = value.to_string_lossy();
        if let Some(workload) = dialect::workload_of(&text) {
            return Ok(workload);
        }
        let names: Vec<&str> = Workload::all().map(Workload::name).collect();
        let mut error = clap::Error::new(ErrorKind::InvalidValue).with_cmd(cmd);
        if let Some(arg) = arg {
            error.insert(ContextKind::InvalidArg, ContextValue::String(arg.to_string()));
        }
        error.insert(ContextKind::InvalidValue, ContextValue::String(text.to_string()));
        error.insert(
            ContextKind::ValidValue,
            ContextValue::Strings(names.iter().map(|name| (*name).to_owned()).collect()),
        );
        if let Some(near) = nearest(&text.replace('-', "_"), names.iter().copied()) {
            error.insert(ContextKind::SuggestedValue, ContextValue::String(near.to_owned()));
        }
        Err(error)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Workload::all().map(|w| PossibleValue::new(w.name()).help(w.summary()))))
    }
}
