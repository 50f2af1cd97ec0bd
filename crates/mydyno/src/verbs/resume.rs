//! `sweep --resume`: the spec comes from the recording, and only passwords from the command line.

use std::path::PathBuf;

use model::Spec;
use store::{Recording, Results};

use super::surroundings::Surroundings;
use crate::cli::{self, SweepArgs};
use crate::commandline::Request;
use crate::error::{Outcome, UserError};
use crate::spec::{self, Passwords};

/// A broken sweep, as it was asked for.
pub struct Resumed {
    /// Its directory.
    pub path: PathBuf,
    /// What was asked for.
    pub spec: Spec,
    /// Passwords of its servers.
    pub passwords: Passwords,
}

/// Finds the run and what it needs to go on.
pub fn resume(
    run: &str,
    request: &Request,
    args: &SweepArgs,
    surroundings: &Surroundings,
) -> Outcome<Resumed> {
    refuse_other_options(request)?;
    let path = Results::open(&args.trial.results.results).find(run)?;
    let recording = Recording::read(&path)?;
    if recording.plan.imported.is_some() {
        return Err(UserError::usage(format!("{} was imported: there is nothing to resume", recording.id)));
    }
    let spec: Spec = toml::from_str(&recording.spec_toml).map_err(|error| {
        UserError::failed(format!(
            "{} cannot be resumed: its spec.toml is damaged: {}",
            recording.id,
            error.message()
        ))
    })?;
    let trial = &args.trial;
    let passwords = surroundings
        .with_context(|context| spec::passwords_for(&spec, &trial.targets, &trial.connection, context))?;
    Ok(Resumed { path, spec, passwords })
}

/// Options that would make it another sweep, or that would change nothing: all but a few are.
fn refuse_other_options(request: &Request) -> Outcome<()> {
    const ALLOWED: [&str; 3] = ["resume", "target", "password"];
    /// Where results are and how they are shown; which option files are read.
    const HEADINGS: [&str; 2] = ["Results", cli::COMMON];
    let command = cli::command();
    let sweep = command.find_subcommand("sweep").expect("sweep is a verb");
    let other = sweep.get_arguments().find(|arg| {
        let id = arg.get_id().as_str();
        let is_allowed =
            ALLOWED.contains(&id) || arg.get_help_heading().is_some_and(|it| HEADINGS.contains(&it));
        !is_allowed && request.typed.has(id)
    });
    match other {
        None => Ok(()),
        Some(arg) => {
            let name = arg.get_long().map_or("the workload".to_owned(), |long| format!("--{long}"));
            Err(UserError::usage(format!("a resumed sweep keeps what it was started with: leave out {name}"))
                .hint("only passwords are taken from the command line: -p, or --target LABEL=mysql://user:password@host"))
        }
    }
}
