//! `mydyno run` and `mydyno sweep`: from a spec to a recording, and from the recording to what is shown.

use std::collections::BTreeMap;
use std::path::Path;

use model::{Plan, Spec};
use report::view::Level;
use runner::{Conduct, Conducted};
use wire::Secret;

use super::render::{self, Look};
use super::surroundings::Surroundings;
use crate::cli::{RunArgs, SweepArgs, TrialArgs};
use crate::commandline::Request;
use crate::display::{Screen, Settings};
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::metrics::{Endpoint, Listen};
use crate::options::output::{DEFAULT_RESULTS, Format, OutputArgs, ResultsArgs};
use crate::output;
use crate::signals;
use crate::spec;

/// Seconds between interval lines of `run` where nothing is said.
const RUN_INTERVAL_S: u32 = 10;

/// Runs one cell once.
pub fn run(request: &Request, args: &RunArgs) -> Outcome<Exit> {
    let surroundings = Surroundings::new(request);
    let (spec, passwords) = surroundings.with_context(|context| spec::of_run(args, context))?;
    // Of a long run, as many lines as a reader has patience for.
    let interval_s = RUN_INTERVAL_S.max((spec.load.time_s / 480.0) as u32);
    let job = Job { default_interval_s: Some(interval_s), ..Job::new(&spec, passwords)? };
    job.conduct(&surroundings, &Showing::of(&args.trial))
}

/// Runs all cells of a sweep.
pub fn sweep(request: &Request, args: &SweepArgs) -> Outcome<Exit> {
    let surroundings = Surroundings::new(request);
    let (spec, passwords) = surroundings.with_context(|context| spec::of_sweep(args, context))?;
    Job::new(&spec, passwords)?.conduct(&surroundings, &Showing::of(&args.trial))
}

/// A plan on its way to a recording.
pub struct Job {
    /// The plan; of a broken run as it stands in its recording.
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

/// How what comes of it is shown, and where it is recorded.
pub struct Showing<'a> {
    /// How it is shown.
    pub output: &'a OutputArgs,
    /// Where it is recorded.
    pub results: &'a ResultsArgs,
}

impl<'a> Showing<'a> {
    /// As the arguments say; what they say in vain is remarked on.
    pub fn of(args: &'a TrialArgs) -> Self {
        args.load.remarks().iter().for_each(|remark| output::note(&format!("! {remark}")));
        Self { output: &args.output, results: &args.results }
    }
}

impl Job {
    /// Of a run that has not begun.
    pub fn new(spec: &Spec, passwords: BTreeMap<String, Secret>) -> Outcome<Self> {
        let plan = runner::plan(spec).map_err(|error| UserError::usage(error.to_string()))?;
        let spec_toml = runner::spec_toml(spec);
        Ok(Self { plan, spec_toml, passwords, resume: None, default_interval_s: None })
    }

    /// Conducts it and shows what came of it.
    pub fn conduct(self, surroundings: &Surroundings, showing: &Showing) -> Outcome<Exit> {
        let output = showing.output;
        let endpoint = output.metrics_listen.as_ref().map(|listen| serve(listen, &self.plan)).transpose()?;
        let home = surroundings.home_for(&self.plan.targets)?;
        let settings = Settings {
            interval_s: output.report_interval.or(self.default_interval_s),
            percentile: output.percentile,
        };
        let mut screen = Screen::new(&self.plan, settings);
        let cancel = signals::listen(screen.voice())?;
        let allow_failing_cells = self.plan.allow_failing_cells;
        let conducted = runner::conduct(Conduct {
            plan: self.plan,
            spec_toml: &self.spec_toml,
            results: &showing.results.results,
            resume: self.resume.as_deref(),
            home,
            passwords: &self.passwords,
            calibration: super::calibrate::kept(),
            cancel: &cancel,
            events: &mut |event| {
                screen.event(event);
                endpoint.iter().for_each(|endpoint| endpoint.event(event));
            },
        });
        screen.close();
        let conducted = conducted?;
        let level = show(&conducted.run_dir, showing)?;
        Ok(exit(&conducted, level, allow_failing_cells, showing))
    }
}

/// Before anything is started, so that an address that cannot be had costs nothing.
fn serve(listen: &Listen, plan: &Plan) -> Outcome<Endpoint> {
    let endpoint = Endpoint::open(listen, plan)?;
    let whom =
        if listen.names_host() { "" } else { "    this machine only; for others name a host: 0.0.0.0:PORT" };
    output::note(&format!("metrics  {}{whom}", endpoint.url()));
    Ok(endpoint)
}

/// What `report` and `resume` take for the run.
fn name_of(run: &Path, results: &Path) -> String {
    match run.file_name() {
        Some(id) if results == Path::new(DEFAULT_RESULTS) => id.to_string_lossy().into_owned(),
        _ => run.display().to_string(),
    }
}

/// Shows what was recorded, and says how far it can be trusted.
fn show(run: &Path, showing: &Showing) -> Outcome<Level> {
    let look = Look {
        format: showing.output.format,
        lang: showing.output.lang,
        percentile: showing.output.percentile,
        histogram: showing.output.histogram,
    };
    let view = render::view(&[run.to_owned()], look.lang)?;
    let text = render::render(&view, look)?;
    match (&showing.output.output, look.format) {
        (Some(path), _) => output::write(path, &text)?,
        (None, Format::Html) => {
            let path = run.join(render::PAGE);
            output::write(&path, &text)?;
            output::print(&path.display().to_string())?;
        }
        (None, _) => output::print(&text)?,
    }
    render::remark_on_percentile(&view, look.percentile).iter().for_each(|remark| output::note(remark));
    let results = &showing.results.results;
    let id = name_of(run, results);
    let place = if results == Path::new(DEFAULT_RESULTS) {
        String::new()
    } else {
        format!(" --results {}", results.display())
    };
    output::note(&format!(
        "recorded {id}    page: mydyno report {id} --open    full list: mydyno list{place}"
    ));
    Ok(view.trust.level)
}

fn exit(conducted: &Conducted, level: Level, allow_failing_cells: bool, showing: &Showing) -> Exit {
    if let Some(trouble) = &conducted.trouble {
        output::note(&format!("! {trouble}"));
    }
    if conducted.interrupted {
        let id = name_of(&conducted.run_dir, &showing.results.results);
        output::note(&format!("interrupted; what was measured is kept    finish it: mydyno resume {id}"));
        return Exit::Interrupted;
    }
    if conducted.inconsistent > 0 {
        let count = conducted.inconsistent;
        output::note(&format!("the database was found inconsistent after {count} runs; see the report"));
        return Exit::Gate;
    }
    if conducted.failed > 0 && !(allow_failing_cells && conducted.completed > 0) {
        let (failed, all) = (conducted.failed, conducted.failed + conducted.completed);
        output::note(&format!("{failed} of {all} cells failed; their reasons are in the recording"));
        return Exit::Failed;
    }
    if conducted.trouble.is_some() {
        return Exit::Failed;
    }
    if level == Level::Red {
        output::note("the measurement is not valid: see the reasons above");
        return if showing.output.strict { Exit::Invalid } else { Exit::Ok };
    }
    Exit::Ok
}
