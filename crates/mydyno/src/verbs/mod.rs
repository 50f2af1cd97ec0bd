//! The verbs: each turns its arguments into an exit code, using the other crates.

mod calibrate;
mod compare;
mod conduct;
mod data;
mod diff;
mod doctor;
mod each_target;
mod experiment;
mod history;
mod import;
mod like;
mod list;
mod manage;
mod named;
mod pick;
mod plan;
mod planned;
mod prove;
mod render;
mod report;
mod resume;
mod server;
mod show;
mod surroundings;
mod table;
pub mod texts;
mod thresholds;
mod unrestored;
mod visit;
mod workload;
mod wrap;

pub use compare::CompareArgs;
pub use diff::DiffArgs;
pub use doctor::DoctorArgs;
pub use history::HistoryArgs;
pub use import::ImportArgs;
pub use manage::{DeleteArgs, NoteArgs, PruneArgs};
pub use server::ServerArgs;

use crate::cli::{ExperimentAction, Verb, WorkloadAction};
use crate::commandline::Request;
use crate::error::Outcome;
use crate::exit::Exit;
use crate::specify;

/// Carries out the request.
pub fn perform(request: &Request) -> Outcome<Exit> {
    let given = &request.given;
    match &request.verb {
        Verb::Sweep(args) => conduct::series(given, args, specify::of_sweep),
        Verb::Run(args) => conduct::run(given, args),
        Verb::Capacity(args) => conduct::capacity(given, args),
        Verb::Bisect(args) => conduct::bisect(given, args),
        Verb::Crash(args) => conduct::series(given, args, specify::of_crash),
        Verb::Failover(args) => conduct::series(given, args, specify::of_failover),
        Verb::Prepare(args) => data::prepare(given, args),
        Verb::Check(args) => data::check(given, args),
        Verb::Cleanup(args) => data::cleanup(given, args),
        Verb::Doctor(args) => match &args.proof.prove {
            Some(workload) => prove::prove(given, args, workload),
            None => doctor::doctor(given, args),
        },
        Verb::Compare(args) => compare::compare(args),
        Verb::History(args) => history::history(args),
        Verb::Import(args) => import::import(args),
        Verb::Diff(args) => diff::diff(given, args),
        Verb::Server(args) => server::server(args),
        Verb::Experiment(args) => match &args.action {
            ExperimentAction::Run(args) => experiment::run(given, args),
            ExperimentAction::Show { name } => experiment::show(name),
        },
        Verb::Experiments => experiment::list(),
        Verb::Workload(args) => match &args.action {
            WorkloadAction::List => workload::list(),
            WorkloadAction::Show { name } => workload::show(name),
            WorkloadAction::New { file } => workload::new(file),
            WorkloadAction::Check(args) => workload::check(given, args),
            WorkloadAction::Call(args) => workload::call(given, args),
        },
        Verb::Plan(args) => plan::plan(args),
        Verb::Resume(args) => resume::resume(given, args),
        Verb::Calibrate => calibrate::calibrate(),
        Verb::List(args) => list::list(args),
        Verb::Show(args) => show::show(args),
        Verb::Report(args) => report::report(args),
        Verb::Note(args) => manage::note(args),
        Verb::Delete(args) => manage::delete(args),
        Verb::Prune(args) => manage::prune(args),
        Verb::Completions(args) => texts::completions(args),
        Verb::Man => texts::man(),
    }
}
