//! `mydyno run` and `mydyno sweep`: from a spec to a recording, and from the recording to what is shown.

use std::collections::BTreeMap;
use std::path::Path;

use model::{Plan, Spec};
use report::view::Level;
use runner::{Conduct, Conducted};
use wire::Secret;

use super::render::{self, Look};
use super::resume;
use super::surroundings::Surroundings;
use crate::cli::{RunArgs, SweepArgs, TrialArgs};
use crate::commandline::Request;
use crate::display::{Screen, Settings};
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::metrics::{Endpoint, Listen};
use crate::options::output::{DEFAULT_RESULTS, Format};
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
    let job = Job { default_interval_s: Some(interval_s), ..Job::new(spec, passwords) };
    job.conduct(&surroundings, &args.trial)
}

/// Runs all cells of a sweep, or those that a broken one still lacks.
pub fn sweep(request: &Request, args: &SweepArgs) -> Outcome<Exit> {
    let surroundings = Surroundings::new(request);
    let job = match &args.resume {
        None => {
            let (spec, passwords) = surroundings.with_context(|context| spec::of_sweep(args, context))?;
            Job::new(spec, passwords)
        }
        Some(run) => {
            let resumed = resume::resume(run, request, args, &surroundings)?;
            Job {
                spec: resumed.spec,
                passwords: resumed.passwords,
                resume: Some(resumed.path),
                default_interval_s: None,
            }
        }
    };
    job.conduct(&surroundings, &args.trial)
}

/// A spec on its way to a recording.
pub struct Job {
    spec: Spec,
    passwords: BTreeMap<String, Secret>,
    resume: Option<std::path::PathBuf>,
    default_interval_s: Option<u32>,
}

impl Job {
    /// Of a run that has not begun.
    pub fn new(spec: Spec, passwords: BTreeMap<String, Secret>) -> Self {
        Self { spec, passwords, resume: None, default_interval_s: None }
    }

    /// Conducts it and shows what came of it.
    pub fn conduct(self, surroundings: &Surroundings, args: &TrialArgs) -> Outcome<Exit> {
        let plan = runner::plan(&self.spec).map_err(|error| UserError::usage(error.to_string()))?;
        args.load.remarks().iter().for_each(|remark| output::note(&format!("! {remark}")));
        let endpoint = args.output.metrics_listen.as_ref().map(|listen| serve(listen, &plan)).transpose()?;
        let home = surroundings.home_for(&self.spec.target)?;
        let settings = Settings {
            interval_s: args.output.report_interval.or(self.default_interval_s),
            percentile: args.output.percentile,
        };
        let mut screen = Screen::new(&plan, settings);
        let cancel = signals::listen(screen.voice())?;
        let conducted = runner::conduct(Conduct {
            plan: &plan,
            spec_toml: &runner::spec_toml(&self.spec),
            results: &args.results.results,
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
        let level = show(&conducted.run_dir, args)?;
        Ok(exit(&conducted, level, &self.spec, args))
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

/// What `report` and `sweep --resume` take for the run.
fn name_of(run: &Path, results: &Path) -> String {
    match run.file_name() {
        Some(id) if results == Path::new(DEFAULT_RESULTS) => id.to_string_lossy().into_owned(),
        _ => run.display().to_string(),
    }
}

/// Shows what was recorded, and says how far it can be trusted.
fn show(run: &Path, args: &TrialArgs) -> Outcome<Level> {
    let look = Look {
        format: args.output.format,
        lang: args.output.lang,
        percentile: args.output.percentile,
        histogram: args.output.histogram,
    };
    let view = render::view(&[run.to_owned()], look.lang)?;
    let text = render::render(&view, look)?;
    match (&args.output.output, look.format) {
        (Some(path), _) => output::write(path, &text)?,
        (None, Format::Html) => {
            let path = run.join(render::PAGE);
            output::write(&path, &text)?;
            output::print(&path.display().to_string())?;
        }
        (None, _) => output::print(&text)?,
    }
    render::remark_on_percentile(&view, look.percentile).iter().for_each(|remark| output::note(remark));
    let results = &args.results.results;
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

fn exit(conducted: &Conducted, level: Level, spec: &Spec, args: &TrialArgs) -> Exit {
    if let Some(trouble) = &conducted.trouble {
        output::note(&format!("! {trouble}"));
    }
    if conducted.interrupted {
        let id = name_of(&conducted.run_dir, &args.results.results);
        output::note(&format!(
            "interrupted; what was measured is kept    finish it: mydyno sweep --resume {id}"
        ));
        return Exit::Interrupted;
    }
    if conducted.inconsistent > 0 {
        let count = conducted.inconsistent;
        output::note(&format!("the database was found inconsistent after {count} runs; see the report"));
        return Exit::Gate;
    }
    if conducted.failed > 0 && !(spec.allow_failing_cells && conducted.completed > 0) {
        let (failed, all) = (conducted.failed, conducted.failed + conducted.completed);
        output::note(&format!("{failed} of {all} cells failed; their reasons are in the recording"));
        return Exit::Failed;
    }
    if conducted.trouble.is_some() {
        return Exit::Failed;
    }
    if level == Level::Red {
        output::note("the measurement is not valid: see the reasons above");
        return if args.output.strict { Exit::Invalid } else { Exit::Ok };
    }
    Exit::Ok
}
