//! `mydyno plan`: what would be run, and how long it would take.

use model::{LoadShape, Plan, PlannedTrial, Restore, Why};

use super::experiment;
use super::surroundings::Surroundings;
use super::table::{self, Align};
use crate::cli::{ExperimentAction, PlanArgs, Verb};
use crate::commandline::{self, Asked};
use crate::display::phrase::{duration, thousands};
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::options::output::Format;
use crate::{output, specify};

/// What a trial takes besides its load: connecting, readings at both ends of the window, plans of statements.
const BESIDES_S: f64 = 1.0;
/// Starting a sandbox on its kept copy.
const RESTART_S: f64 = 2.5;

/// Prints a plan.
pub fn plan(args: &PlanArgs) -> Outcome<Exit> {
    let mut words = args.words.clone();
    if !matches!(words[0].as_str(), "sweep" | "experiment") {
        words.splice(0..0, ["experiment".to_owned(), "run".to_owned()]);
    }
    let read = match commandline::read(words)? {
        Asked::Request(read) => read,
        Asked::Text(text) => return output::print(&text).map(|()| Exit::Ok),
    };
    let (spec, format) = match &read.verb {
        Verb::Sweep(args) => {
            let surroundings = Surroundings::new(&read);
            let made = surroundings.with_context(|context| specify::of_sweep(args, context))?;
            (made.spec, args.trial.output.format)
        }
        Verb::Experiment(args) => match &args.action {
            ExperimentAction::Run(args) => {
                (experiment::specified(&read, args)?.spec, args.trial.output.format)
            }
            ExperimentAction::Show { .. } => return Err(nothing_to_plan()),
        },
        _ => return Err(nothing_to_plan()),
    };
    let plan = runner::plan(&spec).map_err(|error| UserError::usage(error.to_string()))?;
    match format {
        Format::Json => {
            let json = serde_json::to_string_pretty(&plan).expect("a plan has only string keys");
            output::print(&json)?;
        }
        _ => output::print(&listing(&plan))?,
    }
    Ok(Exit::Ok)
}

fn nothing_to_plan() -> UserError {
    UserError::usage("there is nothing to plan: name an experiment, or a sweep")
        .hint("mydyno plan durability --quick\nmydyno plan sweep oltp_read_write --threads 1..64")
}

/// Every trial, a line each, and all of it in a sentence.
fn listing(plan: &Plan) -> String {
    let several = plan.spec.workloads.len() > 1;
    let mut head = vec![("trial", Align::Right), ("block", Align::Right), ("target", Align::Left)];
    head.extend(several.then_some(("workload", Align::Left)));
    head.extend([("clients", Align::Right), ("takes about", Align::Right), ("", Align::Left)]);
    let row = |trial: &PlannedTrial| {
        let cell = &trial.cell;
        let takes = seconds(plan, trial).map_or_else(|| "?".to_owned(), |s| duration(s.ceil()));
        let mut row = vec![(trial.index + 1).to_string(), cell.repeat.to_string(), cell.target.clone()];
        row.extend(several.then(|| cell.workload.clone()));
        let why = if trial.why == Why::Bookend { "the first cell once more" } else { "" };
        row.extend([cell.threads.to_string(), takes, why.to_owned()]);
        row
    };
    let rows: Vec<Vec<String>> = plan.trials.iter().map(row).collect();
    format!("{}\n{}", table::table(&head, &rows).trim_end(), sentence(plan))
}

/// What a plan comes to, in a sentence.
pub fn sentence(plan: &Plan) -> String {
    let asked: Vec<&PlannedTrial> = plan.trials.iter().filter(|trial| trial.why != Why::Bookend).collect();
    let blocks = plan.blocks() as usize;
    let cells = asked.len() / blocks.max(1);
    let counted =
        |n: usize, one: &str| format!("{} {one}{}", thousands(n as u64), if n == 1 { "" } else { "s" });
    let mut text = format!(
        "Plan: {} x {} = {}",
        counted(cells, "cell"),
        counted(blocks, "block"),
        counted(asked.len(), "trial")
    );
    let has_bookend = plan.trials.iter().any(|trial| trial.why == Why::Bookend);
    if has_bookend || (plan.spec.design.bookend && plan.spec.design.grows()) {
        text += " and the first once more";
    }
    if let Some(until) = plan.spec.design.until_sure {
        text += &format!(", more until it is decided (at most {} blocks)", until.blocks_max);
    }
    if plan.spec.design.refine {
        text += ", more numbers of clients where something happens";
    }
    let total: Option<f64> = plan.trials.iter().map(|trial| seconds(plan, trial)).sum();
    match total {
        Some(total) => text += &format!(", about {}, without loading data.", duration(total)),
        None => text += "; how long it takes depends on the server, since --events ends a trial.",
    }
    text + " Stop any time: mydyno resume goes on."
}

/// How long a trial takes, as far as the plan says.
fn seconds(plan: &Plan, trial: &PlannedTrial) -> Option<f64> {
    let load: &LoadShape = plan.spec.load_of(trial.workload);
    if load.events > 0 || load.time_s <= 0.0 {
        return None;
    }
    let workload = &plan.spec.workloads[trial.workload as usize];
    let target = plan.spec.targets.iter().find(|one| one.target.label == trial.cell.target);
    let is_sandbox = target.is_some_and(|one| one.target.is_sandbox());
    let restarts = is_sandbox
        && match plan.spec.design.restore {
            Restore::Changed => workload.changes_row_count(),
            Restore::Written | Restore::Reload => workload.writes(),
        };
    let rest = if trial.index == 0 { 0.0 } else { plan.spec.design.cool_down_s };
    Some(rest + load.warmup_s + load.time_s + BESIDES_S + if restarts { RESTART_S } else { 0.0 })
}
