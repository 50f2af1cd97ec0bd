//! `mydyno experiment`, `mydyno experiments`, and specifications in files.

use super::conduct::{Job, Showing};
use super::planned::sentence;
use super::surroundings::Surroundings;
use super::table::{self, Align};
use crate::cli::ExperimentRunArgs;
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::experiment::{self, CATALOGUE};
use crate::given::Given;
use crate::output;
use crate::specify::{self, Specified};

/// Lists the catalogue.
pub fn list() -> Outcome<Exit> {
    let mut rows = Vec::new();
    for (name, _) in CATALOGUE {
        rows.push(vec![name.to_owned(), experiment::find(name)?.question.unwrap_or_default()]);
    }
    output::print(&table::table(&[("experiment", Align::Left), ("question", Align::Left)], &rows))?;
    output::note("run one: mydyno experiment run NAME --quick    look at one: mydyno experiment show NAME");
    Ok(Exit::Ok)
}

/// Prints an experiment, as a file to start one's own from.
pub fn show(name: &str) -> Outcome<Exit> {
    // Reading it says what is wrong with it.
    experiment::find(name)?;
    output::print(experiment::text(name)?.trim_end()).map(|()| Exit::Ok)
}

/// Conducts an experiment of the catalogue or of a file.
pub fn run(given: &Given, args: &ExperimentRunArgs) -> Outcome<Exit> {
    let document = experiment::find(&args.name)?;
    let host = probe::host_facts();
    if let Some(why) = document.out_of_reach(host.cpus, host.numa_nodes) {
        return Err(UserError::failed(format!("not reproducible here: {why}"))
            .hint("run it from a machine that has that; mydyno experiment show has what it would do"));
    }
    let (question, shows) = (document.question.clone(), document.shows.clone());
    let surroundings = Surroundings::new(given);
    let made = surroundings.with_context(|context| specify::of_document(document, args, context))?;
    if let Some(question) = question {
        output::note(&format!("Question: {question}"));
    }
    shows.iter().for_each(|shows| output::note(shows));
    let job = Job::new(made)?;
    output::note(&sentence(&job.plan));
    job.conduct(&surroundings, &Showing::of(&args.trial))
}

/// Makes a spec of an experiment.
pub fn specified(given: &Given, args: &ExperimentRunArgs) -> Outcome<Specified> {
    let document = experiment::find(&args.name)?;
    Surroundings::new(given).with_context(|context| specify::of_document(document, args, context))
}
