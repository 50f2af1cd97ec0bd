//! Names of workloads on the command line.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use spec::{NamedWorkload, Values, nearest};

use super::dialect;
use crate::error::{Outcome, UserError};

/// Options that do not apply to these workloads.
pub fn remarks(workloads: &[NamedWorkload], values: &Values) -> Vec<String> {
    let several = values.get("workload.tables") != Some(spec::Value::Count(1));
    let read_one = workloads.iter().filter(|workload| several && workload.reads_one_table());
    read_one
        .map(|one| format!("{} reads sbtest1 alone, as in sysbench, whatever --tables says", one.name()))
        .collect()
}

/// The workload in a file.
///
/// # Errors
/// It cannot be read, or is no workload.
pub fn in_file(path: &str) -> Outcome<NamedWorkload> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| UserError::usage(format!("the workload {path} cannot be read: {error}")))?;
    Ok(NamedWorkload::of_file(path, &text, &|module| std::fs::read_to_string(module).ok())?)
}

/// Whether a file holds a workload: a specification has targets and workloads, a workload has transactions.
pub fn is_in_file(path: &str) -> bool {
    let table = || std::fs::read_to_string(path).ok()?.parse::<toml::Table>().ok();
    is_toml(path) && table().is_some_and(|table| table.contains_key("transaction"))
}

fn is_toml(word: &str) -> bool {
    word.ends_with(".toml")
}

/// Whether a word names a script. One that is not there may be the name of one of sysbench's, which mydyno has built in.
pub fn is_script(word: &str) -> bool {
    word.ends_with(".lua") && (std::path::Path::new(word).is_file() || dialect::workload_of(word).is_none())
}

/// Reads a workload's name, also with `-` for `_` and as the path of sysbench's script.
#[derive(Clone)]
pub struct WorkloadName;

impl WorkloadName {
    /// The workload of that name.
    ///
    /// # Errors
    /// There is none.
    pub fn named(self, name: &str) -> Outcome<NamedWorkload> {
        if is_toml(name) || is_script(name) {
            return in_file(name);
        }
        dialect::workload_of(name).ok_or_else(|| {
            let all: Vec<String> = NamedWorkload::all().map(|one| one.name().to_owned()).collect();
            let near = nearest(&name.replace('-', "_"), all.iter().map(String::as_str));
            let near = near.map(|near| format!("did you mean {near}? ")).unwrap_or_default();
            UserError::usage(format!("there is no workload '{name}'"))
                .hint(format!("{near}there are: {}", all.join(", ")))
        })
    }
}

impl TypedValueParser for WorkloadName {
    type Value = NamedWorkload;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Self::Value, clap::Error> {
        let text = value.to_string_lossy();
        if is_toml(&text) || is_script(&text) {
            let read = |path: &str| {
                in_file(path)
                    .map_err(|error| error.message.trim_start_matches(&format!("{path}: ")).to_owned())
            };
            return read.parse_ref(cmd, arg, value);
        }
        if let Some(workload) = dialect::workload_of(&text) {
            return Ok(workload);
        }
        let all: Vec<NamedWorkload> = NamedWorkload::all().collect();
        let names: Vec<&str> = all.iter().map(NamedWorkload::name).collect();
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
        Some(Box::new(
            NamedWorkload::all()
                .map(|w| PossibleValue::new(w.name().to_owned()).help(w.summary().to_owned())),
        ))
    }
}
