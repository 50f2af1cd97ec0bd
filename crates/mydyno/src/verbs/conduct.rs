//! `mydyno run` and `mydyno sweep`: record a specification, and show the recording.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use messages::number::counted;
use model::{EventKind, Plan};
use report::view::Level;
use runner::{Conduct, Conducted, RunError};
use store::StoreError;
use wire::Secret;

use super::planned::sentence;
use super::render::{self, Look};
use super::surroundings::Surroundings;
use super::{named, thresholds, unrestored};
use crate::cli::{BisectArgs, CapacityArgs, RunArgs, SweepArgs, TrialArgs};
use crate::display::{self, Lines, Screen, Settings};
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::given::Given;
use crate::metrics::{Endpoint, Listen};
use crate::options::output::{DEFAULT_RESULTS, Format, OutputArgs, ResultsArgs};
use crate::options::{flags, workload};
use crate::output;
use crate::resolve::Context;
use crate::signals;
use crate::specify::{self, Specified};
use spec::NamedWorkload;

/// Default interval between interval lines of `run`, seconds.
const RUN_INTERVAL_S: u32 = 10;

/// Runs one cell once.
pub fn run(given: &Given, args: &RunArgs) -> Outcome<Exit> {
    flags::refuse_foreign(std::slice::from_ref(&args.workload), &|id| given.typed.has(id))?;
    let surroundings = Surroundings::new(given);
    let made = surroundings.with_context(|context| specify::of_run(args, context))?;
    remark(&args.trial, std::slice::from_ref(&args.workload));
    // A long run prints a few hundred lines, not thousands.
    let interval_s = RUN_INTERVAL_S.max((made.spec.load.time_s / 480.0) as u32);
    let job = Job { default_interval_s: Some(interval_s), ..Job::new(made)? };
    job.conduct(&surroundings, &Showing::of(&args.trial))
}

/// Runs all cells of a sweep, all crashes or all failovers of a series, depending on `specified`.
pub fn series(given: &Given, args: &SweepArgs, specified: Specify<SweepArgs>) -> Outcome<Exit> {
    several(given, (&args.workloads, &args.trial), &mut |context| specified(args, context))
}

/// Searches the capacity of each target with each workload.
pub fn capacity(given: &Given, args: &CapacityArgs) -> Outcome<Exit> {
    several(given, (&args.workloads, &args.trial), &mut |context| specify::of_capacity(args, context))
}

/// Searches for the differences between two targets that matter.
pub fn bisect(given: &Given, args: &BisectArgs) -> Outcome<Exit> {
    let surroundings = Surroundings::new(given);
    let made = surroundings.with_context(|context| specify::of_bisect(args, context))?;
    let job = Job::new(made)?;
    output::note(&sentence(&job.plan));
    job.conduct(&surroundings, &Showing::of(&args.trial))
}

/// Makes a specification from the arguments of a verb.
pub type Specify<A> = fn(&A, &mut Context<'_>) -> Outcome<Specified>;

fn several(
    given: &Given,
    (workloads, trial): (&[NamedWorkload], &TrialArgs),
    specified: &mut dyn FnMut(&mut Context<'_>) -> Outcome<Specified>,
) -> Outcome<Exit> {
    flags::refuse_foreign(workloads, &|id| given.typed.has(id))?;
    let surroundings = Surroundings::new(given);
    let made = surroundings.with_context(|context| specified(context))?;
    remark(trial, workloads);
    Job::new(made)?.conduct(&surroundings, &Showing::of(trial))
}

/// Reports the options that have no effect on these workloads.
fn remark(args: &TrialArgs, workloads: &[NamedWorkload]) {
    workload::remarks(workloads, &args.values())
        .iter()
        .for_each(|remark| output::note(&format!("! {remark}")));
}

/// A plan on its way to a recording.
pub struct Job {
    /// The plan; for an interrupted run, the one in its recording.
    pub plan: Plan,
    /// The spec it came from.
    pub spec_toml: String,
    /// Passwords by label of the target.
    pub passwords: BTreeMap<String, Secret>,
    /// The run to be finished.
    pub resume: Option<std::path::PathBuf>,
    /// Seconds between interval lines.
    pub default_interval_s: Option<u32>,
}

/// The display and the destination of the results.
pub struct Showing<'a> {
    /// The display options.
    pub output: &'a OutputArgs,
    /// The destination options.
    pub results: &'a ResultsArgs,
    /// The user's note on the recording.
    pub note: Option<&'a str>,
}

impl<'a> Showing<'a> {
    /// The conduct that the arguments ask for; prints a note about arguments without effect.
    pub fn of(args: &'a TrialArgs) -> Self {
        args.ignored.remarks(&args.values()).iter().for_each(|remark| output::note(&format!("! {remark}")));
        Self { output: &args.output, results: &args.results, note: args.naming.note.as_deref() }
    }
}

impl Job {
    /// A run that has not begun.
    pub fn new(made: Specified) -> Outcome<Self> {
        let plan = runner::plan(&made.spec).map_err(UserError::from)?;
        let (spec_toml, passwords) = (made.document.to_toml(), made.passwords);
        Ok(Self { plan, spec_toml, passwords, resume: None, default_interval_s: None })
    }

    /// Conducts it and shows what came of it.
    pub fn conduct(self, surroundings: &Surroundings, showing: &Showing) -> Outcome<Exit> {
        let output = showing.output;
        // A report that cannot be written would be found out after the measurement.
        output.output.as_deref().map_or(Ok(()), output::check_writable)?;
        no_effect(&self.plan).iter().for_each(|remark| output::note(&format!("! {remark}")));
        let results = &showing.results.results;
        let servers = self.plan.spec.targets.iter().map(|one| &one.target);
        unrestored::warn(servers, results, self.resume.as_deref());
        let endpoint = output.metrics_listen.as_ref().map(|listen| serve(listen, &self.plan)).transpose()?;
        let home = surroundings.home_for(&self.plan.spec.targets)?;
        // sysbench's report of one cell begins when the load does. Those of several follow at the end, as does what is resumed.
        // Interval lines that are asked for are part of them.
        let is_sysbench = output.format == Format::Sysbench;
        let at_once = output.output.is_none() && self.plan.trials.len() == 1 && self.resume.is_none();
        let lines = if is_sysbench && at_once { Lines::Sysbench } else { Lines::Progress };
        let asked_for = output.report_interval;
        let settings = Settings {
            interval_s: match lines {
                Lines::Sysbench => asked_for,
                Lines::Progress if is_sysbench && asked_for.is_some() => None,
                Lines::Progress => asked_for.or(self.default_interval_s),
            },
            percentile: output.percentile,
            lines,
        };
        let mut screen = Screen::new(&self.plan, settings);
        let cancel = signals::listen(screen.notices())?;
        // A target that is made from others and does not start is a finding.
        let design = &self.plan.spec.design;
        let allow_failing_cells = self.plan.spec.allow_failing_cells || design.has_many_targets();
        let mut recording = self.resume.clone();
        let conducted = runner::conduct(Conduct {
            plan: self.plan,
            spec_toml: &self.spec_toml,
            results,
            resume: self.resume.as_deref(),
            home,
            passwords: &self.passwords,
            calibration: super::calibrate::kept(),
            cancel: &cancel,
            events: &mut |event| {
                if let (EventKind::RunStarted { run, .. }, None) = (&event.kind, &recording) {
                    recording = Some(keep_note(results.join(run), showing.note));
                }
                screen.event(event);
                endpoint.iter().for_each(|endpoint| endpoint.event(event));
            },
        });
        screen.close();
        let conducted = conducted.map_err(|error| stopped(error, recording.as_deref(), results))?;
        let level = show(&conducted.run_dir, showing, lines)?;
        let judged = thresholds::judge(&conducted.run_dir, &output.fail_on)?;
        Ok(match exit(&conducted, level, allow_failing_cells, showing) {
            Exit::Ok => judged,
            exit => exit,
        })
    }
}

/// Options that are set and change nothing in this plan.
fn no_effect(plan: &Plan) -> Option<String> {
    let clients = plan.trials.iter().map(|trial| trial.cell.threads).max()?;
    let limit = plan.spec.load.in_flight.filter(|limit| *limit >= clients)?;
    let most = messages::number::clients(clients);
    Some(format!(
        "--in-flight={limit} limits nothing: a trial has at most {most}, each with one transaction at a time"
    ))
}

/// Keeps the note of a recording that has just begun. Failing to is no reason to stop a run.
fn keep_note(run: PathBuf, note: Option<&str>) -> PathBuf {
    if let Some(Err(error)) = note.map(|note| store::write_note(&run, note)) {
        output::note(&format!("! the note was not kept: {error}"));
    }
    run
}

/// The error for a run that could not continue: the cause, and what is kept of it.
fn stopped(error: RunError, recording: Option<&Path>, results: &Path) -> UserError {
    let is_full = matches!(error, RunError::Store(StoreError::Full { .. }));
    let told = UserError::from(error);
    let Some(recording) = recording else { return told };
    let entry = store::entry(recording);
    let words = named::words(recording, results);
    let kept = if entry.completed() > 0 || is_full {
        format!("what was measured is kept; finish it: mydyno resume {words}")
    } else {
        format!("nothing was measured; the reason is kept: mydyno show {words}")
    };
    let hint = told.hint.iter().map(String::as_str).chain([kept.as_str()]).collect::<Vec<_>>().join("\n");
    told.hint(hint)
}

/// Opens the metrics address before anything is started, so that an unusable address costs nothing.
fn serve(listen: &Listen, plan: &Plan) -> Outcome<Endpoint> {
    let endpoint = Endpoint::open(listen, plan)?;
    let whom =
        if listen.names_host() { "" } else { "    this machine only; for others name a host: 0.0.0.0:PORT" };
    output::note(&format!("metrics  {}{whom}", endpoint.url()));
    Ok(endpoint)
}

/// Shows the recording, with its validity.
fn show(run: &Path, showing: &Showing, lines: Lines) -> Outcome<Level> {
    let look = Look {
        format: showing.output.format,
        lang: showing.output.lang,
        percentile: showing.output.percentile,
        histogram: showing.output.histogram,
        interval_s: showing.output.report_interval,
    };
    let runs = [run.to_owned()];
    let view = render::view(&runs, look.lang)?;
    let text = match lines {
        Lines::Progress => render::render(&view, &runs, look)?,
        Lines::Sysbench => render::sysbench_figures(&view, look),
    };
    match (&showing.output.output, look.format) {
        (Some(path), _) => output::write(path, &text)?,
        (None, Format::Html) => {
            let path = run.join(render::PAGE);
            output::write(&path, &text)?;
            output::print(&path.display().to_string())?;
        }
        (None, Format::Text) => {
            // sysbench's own histogram shows the same in a hundred rows.
            let bars =
                (!look.histogram).then(|| report::render::latency_bars(&view, display::bars())).flatten();
            let bars = bars.map(|bars| format!("\n{bars}")).unwrap_or_default();
            output::print(&format!("{}{bars}", text.trim_end_matches('\n').to_owned() + "\n"))?;
        }
        (None, _) => output::print(&text)?,
    }
    render::remark_on_percentile(&view, look.percentile).iter().for_each(|remark| output::note(remark));
    let results = &showing.results.results;
    let words = named::words(run, results);
    let id = run.file_name().unwrap_or_default().to_string_lossy();
    let place = if results == Path::new(DEFAULT_RESULTS) {
        String::new()
    } else {
        format!(" --results {}", named::quoted(&results.display().to_string()))
    };
    output::note(&format!(
        "recorded {id}    page: mydyno report {words} --open    full list: mydyno list{place}"
    ));
    // Reasons are ordered, the worst first. A part that is not valid fails a strict run, whatever the rest is worth.
    Ok(view.trust.reasons.first().map_or(view.trust.level, |worst| worst.level.max(view.trust.level)))
}

fn exit(conducted: &Conducted, level: Level, allow_failing_cells: bool, showing: &Showing) -> Exit {
    if let Some(trouble) = &conducted.trouble {
        output::note(&format!("! {trouble}"));
    }
    if conducted.interrupted {
        let words = named::words(&conducted.run_dir, &showing.results.results);
        output::note(&format!("interrupted; what was measured is kept    finish it: mydyno resume {words}"));
        return Exit::Interrupted;
    }
    if conducted.inconsistent > 0 {
        let trials = counted(conducted.inconsistent.into(), "trial");
        output::note(&format!("the data were found inconsistent after {trials}; see the report"));
        return Exit::Gate;
    }
    if conducted.failed > 0 && !(allow_failing_cells && conducted.completed > 0) {
        let (failed, all) = (conducted.failed, conducted.failed + conducted.completed);
        let all = counted(all.into(), "trial");
        output::note(&format!("{failed} of {all} failed; the reasons are in the recording"));
        return Exit::Failed;
    }
    if conducted.trouble.is_some() {
        return Exit::Failed;
    }
    if level == Level::Red {
        output::note("the measurement, or a part of it, is not valid: see the reasons above");
        return if showing.output.strict { Exit::Invalid } else { Exit::Ok };
    }
    Exit::Ok
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_names_the_command_that_goes_on() {
        let error = RunError::Store(StoreError::Full { path: PathBuf::from("/small/2026-x/events.jsonl") });
        let told = stopped(error, Some(Path::new("/small/2026-x")), Path::new("/small")).to_string();
        assert!(told.contains("no space left for /small/2026-x/events.jsonl"), "{told}");
        assert!(told.contains("finish it: mydyno resume 2026-x --results /small"), "{told}");
    }
}
