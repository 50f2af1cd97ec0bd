//! `resume`: plan and spec come from the recording, and only passwords from the command line.

use store::{Recording, Results};

use super::conduct::{Job, Showing};
use super::surroundings::Surroundings;
use crate::cli::{self, ResumeArgs};
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::given::Given;
use crate::resolve;

/// Runs what a broken run still lacks.
pub fn resume(given: &Given, args: &ResumeArgs) -> Outcome<Exit> {
    refuse_other_options(given)?;
    let path = Results::open(&args.results.results).find(&args.run)?;
    let recording = Recording::read(&path)?;
    if recording.plan.imported.is_some() {
        return Err(UserError::usage(format!("{} was imported: there is nothing to resume", recording.id)));
    }
    let surroundings = Surroundings::new(given);
    let passwords = surroundings.with_context(|context| {
        resolve::passwords_for(&recording.plan.spec.targets, &args.targets, &args.connection, context)
    })?;
    let job = Job {
        plan: recording.plan,
        spec_toml: recording.spec_toml,
        passwords,
        resume: Some(path),
        default_interval_s: None,
    };
    job.conduct(&surroundings, &Showing { output: &args.output, results: &args.results, note: None })
}

/// Options that would make it another run, or that would change nothing: all but a few are.
fn refuse_other_options(given: &Given) -> Outcome<()> {
    const ALLOWED: [&str; 3] = ["run", "target", "password"];
    /// Headings of the allowed options: the results directory and the display; option files.
    const HEADINGS: [&str; 2] = ["Results", cli::COMMON];
    let command = cli::command();
    let resume = command.find_subcommand("resume").expect("resume is a verb");
    let other = resume.get_arguments().find(|arg| {
        let id = arg.get_id().as_str();
        let is_allowed =
            ALLOWED.contains(&id) || arg.get_help_heading().is_some_and(|it| HEADINGS.contains(&it));
        !is_allowed && given.typed.has(id)
    });
    match other {
        None => Ok(()),
        Some(arg) => {
            let name = arg.get_long().map_or_else(|| arg.get_id().to_string(), |long| format!("--{long}"));
            Err(UserError::usage(format!("a resumed run keeps what it was started with: leave out {name}"))
                .hint("only passwords are taken from the command line: -p, or --target LABEL=mysql://user:password@host"))
        }
    }
}
