//! What each verb does: from its arguments to an exit code, by way of the other crates.

mod list;
mod report;
mod show;
mod table;
mod texts;

use crate::cli::Verb;
use crate::commandline::Request;
use crate::error::{Outcome, UserError};
use crate::exit::Exit;

/// Does what was asked for.
pub fn perform(request: &Request) -> Outcome<Exit> {
    match &request.verb {
        Verb::List(args) => list::list(args),
        Verb::Show(args) => show::show(args),
        Verb::Report(args) => report::report(args),
        Verb::Completions(args) => texts::completions(args),
        Verb::Man => texts::man(),
        _ => Err(UserError::failed("later")),
    }
}
