//! mydyno at the keyboard: what the user types, what the user sees, how the process ends.
//!
//! | question | module |
//! |---|---|
//! | which verbs and options there are | `cli` |
//! | what an option may look like, and what it means | `options` |
//! | how words, option files and environment become one request | `commandline` |
//! | how what is asked for becomes a spec | `specify`; of targets: `resolve` |
//! | what an experiment is, and which there are | `experiment` |
//! | what a verb does | `verbs` |
//! | what is shown while it runs | `display` |
//! | what Prometheus may read meanwhile | `metrics` |
//! | how a run is interrupted | `signals` |
//! | how passwords stay out of `ps` | `conceal` |
//! | exit codes and error messages | `exit`, `error`, `explain`; of the command line: `complaint` |
//! | how docs/reference is written, and docs/ is held to the program | `reference`, `documents` (tests) |

mod advice;
mod cli;
mod commandline;
mod complaint;
mod conceal;
mod display;
#[cfg(test)]
mod documents;
mod error;
mod exit;
mod experiment;
mod explain;
mod given;
mod home;
mod metrics;
mod options;
mod output;
#[cfg(test)]
mod reference;
mod resolve;
mod signals;
mod specify;
mod verbs;

use std::process::ExitCode;

use commandline::Asked;
use error::Outcome;
use exit::Exit;

fn main() -> ExitCode {
    let exit = act().unwrap_or_else(|error| {
        output::note(&error.to_string());
        error.exit
    });
    exit.into()
}

fn act() -> Outcome<Exit> {
    let words = conceal::words()?;
    let password_typed = conceal::holds_password(&words);
    match commandline::read(words)? {
        Asked::Text(text) => output::print(&text).map(|()| Exit::Ok),
        Asked::Request(request) => {
            if password_typed {
                output::note(
                    "mydyno: [Warning] Using a password on the command line interface can be insecure.",
                );
            }
            commandline::refuse_two_numbers_of_clients(&request.words)?;
            request.remarks.iter().for_each(|remark| output::note(&format!("! {remark}")));
            verbs::perform(&request)
        }
    }
}
