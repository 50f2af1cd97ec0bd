//! `mydyno prepare | check | cleanup`: the tables of the workloads on every target.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use data::{DataError, Depth, Job};
use messages::message;
use messages::number::counted;
use model::{Consistency, DataSet, LuaData, WorkloadSpec};
use runner::Proof;
use wire::ConnectOptions;

use super::each_target::{self, Place, SandboxData};
use crate::cli::DataArgs;
use crate::display::Notices;
use crate::display::loading::Loading;
use crate::display::phrase::{duration, thousands};
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::given::Given;
use crate::output;
use crate::signals;

/// More connections than this load no faster on any machine seen.
const MOST_LOADERS: usize = 16;

/// Creates and loads the missing data.
pub fn prepare(given: &Given, args: &DataArgs) -> Outcome<Exit> {
    let work = Work::new(args, signals::listen(Notices::plain())?)?;
    each_target::each(given, args, Some(&work.sandbox_data(Proof::Consistent)), &mut |label, place| {
        match place {
            Place::Server(connect) => work.load(label, connect),
            Place::Sandbox(_, checked) => {
                checked.map_or(Ok(()), |found| conditions(label, found))?;
                output::print(&format!(
                    "{label}: the data are kept, and every run with the same options starts on a copy of them"
                ))
            }
        }
    })
}

/// Compares the existing data with those that a workload needs, and counts every row.
pub fn check(given: &Given, args: &DataArgs) -> Outcome<Exit> {
    // It changes nothing, so Ctrl-C may simply end it.
    let work = Work::new(args, Arc::default())?;
    each_target::each(given, args, Some(&work.sandbox_data(Proof::Counted)), &mut |label, place| {
        let (Place::Server(connect) | Place::Sandbox(connect, _)) = place;
        let checked = data::check(connect, &work.data, Depth::Exact { connections: work.connections });
        let checked = checked.map_err(judged)?;
        for caution in &checked.cautions {
            output::note(&format!("! {label}: {caution}"));
        }
        if matches!(work.data, DataSet::Lua(_)) {
            return Ok(());
        }
        let tables = counted(checked.tables.into(), "table");
        let rows = thousands(checked.rows.unwrap_or_default());
        output::print(&format!("{label}: as they should be: {tables} with {rows} rows"))?;
        let found = data::consistency(connect, &work.data, work.connections, &work.cancel);
        found.map_err(judged)?.map_or(Ok(()), |found| conditions(label, &found))
    })
}

/// The consistency conditions of TPC-C, one line each; one that does not hold is a gate that failed.
fn conditions(label: &str, found: &Consistency) -> Outcome<()> {
    for condition in found.violated() {
        let said = message!(
            "condition-violated",
            condition = Text(condition.name()),
            says = Text(condition.says.clone()),
            keys = Count(condition.violations),
            example = Text?(None::<String>),
        );
        output::note(&format!("! {label}: {}", said.en));
        for example in &condition.examples {
            output::note(&format!("  {example}"));
        }
    }
    let all = found.conditions.len();
    let holding = found.conditions.iter().filter(|condition| condition.violations == 0).count();
    let took = duration(found.seconds);
    let besides = match found.additional.iter().any(|check| check.violations > 0) {
        true => ", an additional check does not",
        false => "",
    };
    let line = format!("{label}: {holding} of {all} consistency conditions hold{besides}, checked in {took}");
    if found.holds() {
        return output::print(&line);
    }
    let told = UserError::failed(line)
        .hint("the database was damaged since it was loaded: cleanup and prepare it anew");
    Err(UserError { exit: Exit::Gate, ..told })
}

/// Tables that differ from the request are a failed gate; everything else is a failure to check.
fn judged(error: DataError) -> UserError {
    let wrong = matches!(
        error,
        DataError::Missing { .. }
            | DataError::Differs { .. }
            | DataError::Unfinished { .. }
            | DataError::Incomplete { .. }
            | DataError::Fewer { .. }
            | DataError::Strangers { .. }
    );
    let told = UserError::from(error);
    if wrong { UserError { exit: Exit::Gate, ..told } } else { told }
}

/// Drops the tables, all there are or the first `--tables`.
pub fn cleanup(given: &Given, args: &DataArgs) -> Outcome<Exit> {
    let first = match args.values().get("workload.tables") {
        Some(spec::Value::Count(tables)) if given.typed.has("tables") => u32::try_from(tables).ok(),
        _ => None,
    };
    // Which tables it has does not depend on options, unless a script decides.
    let values = if args.workload.script().is_some() { args.values() } else { spec::Values::default() };
    let data = data_of(&spec::options(&args.workload, &values)?, 1)?;
    each_target::each(given, args, None, &mut |label, place| {
        let (Place::Server(connect) | Place::Sandbox(connect, _)) = place;
        let cleaned = data::cleanup(connect, &data, first)?;
        for left in &cleaned.left {
            output::note(&format!("! {label}: {} is left alone: {}", left.table, left.reason));
        }
        output::print(&match cleaned.dropped.as_slice() {
            [] => format!("{label}: nothing to drop"),
            dropped => format!("{label}: dropped {}", dropped.join(", ")),
        })
    })
}

/// The data of a workload for this number of clients.
fn data_of(workload: &WorkloadSpec, clients: u32) -> Outcome<DataSet> {
    workload.data_set(clients).ok_or_else(|| UserError::usage(format!("{} has no data", workload.name())))
}

/// Whether a script prepares its tables.
fn has_prepare(data: &LuaData) -> Outcome<bool> {
    let commands = data::lua_commands(data)?;
    Ok(commands.is_none_or(|all| all.iter().any(|one| one.name == "prepare")))
}

/// The requested data, on any target.
pub(super) struct Work {
    data: DataSet,
    seed: u64,
    connections: u32,
    cancel: Arc<AtomicBool>,
}

impl Work {
    pub(super) fn new(args: &DataArgs, cancel: Arc<AtomicBool>) -> Outcome<Self> {
        let values = args.values();
        let workload = spec::options(&args.workload, &values)?;
        let loaders = std::thread::available_parallelism().map_or(1, |cpus| cpus.get().min(MOST_LOADERS));
        let typed = values.is_set("load.clients").then(|| spec::clients(&values, spec::RUN));
        let clients = typed.and_then(|list| list.into_iter().max());
        Ok(Self {
            seed: spec::seed_of(&values, 1),
            data: data_of(&workload, clients.unwrap_or(1))?,
            connections: clients.unwrap_or(loaders as u32),
            cancel,
        })
    }

    pub(super) fn sandbox_data(&self, proof: Proof) -> SandboxData<'_> {
        SandboxData { data: &self.data, seed: self.seed, cancel: &self.cancel, proof }
    }

    fn load(&self, label: &str, connect: &ConnectOptions) -> Outcome<()> {
        let Self { data, seed, connections, cancel } = self;
        let job = Job { connect, data, seed: *seed, threads: *connections, cancel };
        let loading = Loading::new(label);
        let began = Instant::now();
        let prepared = data::prepare(&job, &|progress| loading.show(progress));
        loading.close();
        let prepared = prepared?;
        let (rows, loaded) = (thousands(prepared.rows), thousands(prepared.rows_loaded));
        let took = duration(began.elapsed().as_secs_f64());
        if let DataSet::Lua(data) = data {
            let script = data.script.name();
            return output::print(&match prepared.outcome {
                data::PrepareOutcome::Loaded => format!("{label}: {script} prepared its tables in {took}"),
                data::PrepareOutcome::AlreadyThere if has_prepare(data)? => {
                    format!("{label}: {script} has prepared its tables with these options before")
                }
                data::PrepareOutcome::AlreadyThere => format!("{label}: {script} has no command prepare"),
            });
        }
        output::print(&match prepared.outcome {
            data::PrepareOutcome::AlreadyThere => format!("{label}: {rows} rows are there, complete"),
            data::PrepareOutcome::Loaded => {
                format!("{label}: {loaded} rows loaded in {took}, {rows} there, counted")
            }
        })?;
        if let Some(fingerprint) = &prepared.fingerprint {
            output::print(&format!("{label}: fingerprint {fingerprint}"))?;
        }
        if prepared.outcome != data::PrepareOutcome::Loaded {
            return Ok(());
        }
        let found = data::consistency(connect, data, *connections, cancel)?;
        found.map_or(Ok(()), |found| conditions(label, &found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_that_are_not_what_is_asked_for_fail_the_gate() {
        let database = || "tpcc".to_owned();
        let fewer = DataError::Fewer {
            database: database(),
            server: "db1:3306".to_owned(),
            found: 1,
            data: Box::new(model::TpccData { warehouses: 10, ..model::TpccData::default() }),
        };
        let strangers = DataError::Strangers { database: database(), tables: vec!["orders".to_owned()] };
        for wrong in [fewer, strangers] {
            assert_eq!(judged(wrong).exit, Exit::Gate);
        }
        assert_eq!(judged(DataError::NoDatabase).exit, Exit::Failed, "nothing was looked at");
    }
}
