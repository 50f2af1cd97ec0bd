//! What each verb does: from its arguments to an exit code, by way of the other crates.

mod bench;
mod calibrate;
mod compare;
mod conduct;
mod data;
mod diff;
mod doctor;
mod experiment;
mod history;
mod import;
mod list;
mod manage;
mod named;
mod pick;
mod plan;
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
mod wrap;

pub use compare::CompareArgs;
pub use diff::DiffArgs;
pub use doctor::DoctorArgs;
pub use history::HistoryArgs;
pub use import::ImportArgs;
pub use manage::{DeleteArgs, NoteArgs, PruneArgs};
pub use server::ServerArgs;

use crate::cli::{ExperimentAction, Verb};
use crate::commandline::Request;
use crate::error::Outcome;
use crate::exit::Exit;

/// Does what was asked for.
pub fn perform(request: &Request) -> Outcome<Exit> {
    match &request.verb {
        Verb::Sweep(args) => conduct::sweep(request, args),
        Verb::Run(args) => conduct::run(request, args),
        Verb::Prepare(args) => data::prepare(request, args),
        Verb::Check(args) => data::check(request, args),
        Verb::Cleanup(args) => data::cleanup(request, args),
        Verb::Doctor(args) => doctor::doctor(request, args),
        Verb::Compare(args) => compare::compare(args),
        Verb::History(args) => history::history(args),
        Verb::Import(args) => import::import(args),
        Verb::Diff(args) => diff::diff(request, args),
        Verb::Server(args) => server::server(args),
        Verb::Experiment(args) => match &args.action {
            ExperimentAction::Run(args) => experiment::run(request, args),
            ExperimentAction::Show { name } => experiment::show(name),
        },
        Verb::Experiments => experiment::list(),
        Verb::Plan(args) => plan::plan(args),
        Verb::Resume(args) => resume::resume(request, args),
        Verb::Calibrate => calibrate::calibrate(request),
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
