//! `mydyno plan`: what would be run, and how long it would take.

use model::Spec;

use super::conduct::Specify;
use super::experiment;
use super::planned::listing;
use super::surroundings::Surroundings;
use crate::cli::{ExperimentAction, PlanArgs, SweepArgs, Verb};
use crate::commandline::{self, Asked};
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::given::Given;
use crate::options::output::Format;
use crate::{output, specify};

/// Prints a plan.
pub fn plan(args: &PlanArgs) -> Outcome<Exit> {
    let mut words = args.words.clone();
    if !matches!(words[0].as_str(), "sweep" | "capacity" | "bisect" | "crash" | "failover" | "experiment") {
        words.splice(0..0, ["experiment".to_owned(), "run".to_owned()]);
    }
    let read = match commandline::read(words)? {
        Asked::Request(read) => read,
        Asked::Text(text) => return output::print(&text).map(|()| Exit::Ok),
    };
    let (spec, format) = match &read.verb {
        Verb::Sweep(args) => of_series(&read.given, args, specify::of_sweep)?,
        Verb::Crash(args) => of_series(&read.given, args, specify::of_crash)?,
        Verb::Failover(args) => of_series(&read.given, args, specify::of_failover)?,
        Verb::Capacity(args) => {
            let surroundings = Surroundings::new(&read.given);
            let made = surroundings.with_context(|context| specify::of_capacity(args, context))?;
            (made.spec, args.trial.output.format)
        }
        Verb::Bisect(args) => {
            let surroundings = Surroundings::new(&read.given);
            let made = surroundings.with_context(|context| specify::of_bisect(args, context))?;
            (made.spec, args.trial.output.format)
        }
        Verb::Experiment(args) => match &args.action {
            ExperimentAction::Run(args) => {
                (experiment::specified(&read.given, args)?.spec, args.trial.output.format)
            }
            ExperimentAction::Show { .. } => return Err(nothing_to_plan()),
        },
        _ => return Err(nothing_to_plan()),
    };
    let plan = runner::plan(&spec).map_err(UserError::from)?;
    match format {
        Format::Json => {
            let json = serde_json::to_string_pretty(&plan).expect("a plan has only string keys");
            output::print(&json)?;
        }
        _ => output::print(&listing(&plan))?,
    }
    Ok(Exit::Ok)
}

fn of_series(given: &Given, args: &SweepArgs, specified: Specify<SweepArgs>) -> Outcome<(Spec, Format)> {
    let surroundings = Surroundings::new(given);
    let made = surroundings.with_context(|context| specified(args, context))?;
    Ok((made.spec, args.trial.output.format))
}

fn nothing_to_plan() -> UserError {
    UserError::usage("there is nothing to plan: name an experiment, a sweep, a search for the capacity, or a series of crashes or failovers")
        .hint("mydyno plan durability --quick\nmydyno plan sweep oltp_read_write --threads 1..64")
}
