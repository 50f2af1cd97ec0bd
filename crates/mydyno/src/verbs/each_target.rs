//! The targets of the data verbs, one after the other, each with a way to connect to it.

use std::sync::atomic::AtomicBool;

use model::{Consistency, DataSet, EventKind, ServerKind, Target};
use runner::{Proof, TargetEnvironment};
use wire::ConnectOptions;

use super::surroundings::Surroundings;
use super::unrestored;
use crate::cli::DataArgs;
use crate::display::loading::Loading;
use crate::display::phrase;
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::given::Given;
use crate::output;
use crate::resolve;

/// A target of a data verb.
pub enum Place<'a> {
    /// An external server.
    Server(&'a ConnectOptions),
    /// A sandbox that was started on its kept data, which were loaded if they were not there; and what a check of data that
    /// were just loaded found.
    Sandbox(&'a ConnectOptions, Option<&'a Consistency>),
}

/// The data that sandboxes get when a data verb starts them.
pub struct SandboxData<'a> {
    /// Their tables.
    pub data: &'a DataSet,
    /// Seed of the rows.
    pub seed: u64,
    /// Set by Ctrl-C.
    pub cancel: &'a AtomicBool,
    /// The proof that data need before they are kept.
    pub proof: Proof,
}

/// Acts on every target; the first failure ends it. Sandboxes are stopped again in any case; without data for
/// them they are refused.
pub fn each(
    given: &Given,
    args: &DataArgs,
    data: Option<&SandboxData>,
    act: &mut dyn FnMut(&str, Place) -> Outcome<()>,
) -> Outcome<Exit> {
    let surroundings = Surroundings::new(given);
    let targets = surroundings.with_context(|context| {
        resolve::targets(&args.targets, &args.connection, args.workload.database(), context)
    })?;
    unrestored::warn(targets.list.iter().map(|one| &one.target), &args.results.results, None);
    let home = surroundings.home_for(&targets.list)?;
    for one in &targets.list {
        let target = &one.target;
        match target.entry() {
            ServerKind::External(endpoint) => {
                let connect = runner::connect_options(endpoint, targets.passwords.get(&target.label));
                act(&target.label, Place::Server(&connect))?;
            }
            ServerKind::Imported { .. } => {
                return Err(UserError::usage(format!(
                    "'{}' was imported: there is no server to visit",
                    target.label
                )));
            }
            ServerKind::Sandbox(_) => {
                let data = data.ok_or_else(no_sandboxes)?;
                let environment = TargetEnvironment {
                    home,
                    passwords: &targets.passwords,
                    cancel: data.cancel,
                    prepare: true,
                    seed: data.seed,
                    proof: data.proof,
                };
                in_sandbox(&environment, target, data.data, act)?;
            }
        }
    }
    Ok(Exit::Ok)
}

fn no_sandboxes() -> UserError {
    UserError::usage("cleanup drops tables on servers; a sandbox of a run takes its tables with it")
        .hint("name a server with -h or --target mysql://...; kept data of sandboxes: mydyno server --help")
}

fn in_sandbox(
    environment: &TargetEnvironment,
    target: &Target,
    data: &DataSet,
    act: &mut dyn FnMut(&str, Place) -> Outcome<()>,
) -> Outcome<()> {
    let label = &target.label;
    let loading = Loading::new(label);
    let bench = runner::bring_up(environment, target, std::slice::from_ref(data), &mut |event| {
        show(&loading, &event);
        Ok(())
    });
    loading.close();
    let bench = bench.map_err(|error| UserError::from(&error).about(label))?;
    let acted = act(label, Place::Sandbox(bench.connect(), bench.consistency.as_ref()));
    let stopped = bench.shut_down().map_err(|error| UserError::from(&error).about(label));
    acted.and(stopped)
}

fn show(loading: &Loading, event: &EventKind) {
    match event {
        EventKind::DataProgress { rows_done, rows, .. } => loading.rows(*rows_done, *rows),
        EventKind::ServerStarting { target } => loading.phase(&format!("starting {target}")),
        EventKind::Waiting { target, wait } => loading.phase(&phrase::waiting(*wait, target)),
        EventKind::Caution { target, text } => {
            output::note(&format!("! {}: {text}", target.as_deref().unwrap_or_default()));
        }
        _ => {}
    }
}
