//! `mydyno experiment` and `mydyno experiments`: a sweep per workload, put together to one recording.

use std::collections::BTreeSet;

use model::{Design, Levels, Spec, SpecTarget, Target, TargetKind, Variant, WorkloadSpec};

use super::conduct::{Job, Showing};
use super::surroundings::Surroundings;
use super::table::{self, Align};
use crate::cli::{ExperimentRunArgs, SweepArgs, Verb};
use crate::commandline::{self, Asked, Request};
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::experiment::{CATALOGUE, Experiment, Path};
use crate::{output, spec};

/// Lists the catalogue.
pub fn list() -> Outcome<Exit> {
    let mut rows = Vec::new();
    for (name, _) in CATALOGUE {
        rows.push(vec![name.to_owned(), Experiment::find(name)?.question]);
    }
    output::print(&table::table(&[("experiment", Align::Left), ("question", Align::Left)], &rows))?;
    output::note("run one: mydyno experiment run NAME --quick    look at one: mydyno experiment show NAME");
    Ok(Exit::Ok)
}

/// Prints an experiment, as a file to start one's own from.
pub fn show(name: &str) -> Outcome<Exit> {
    let text = CATALOGUE.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned());
    let text = match text {
        Some(text) => text,
        // Finding it says what is wrong with it.
        None => Experiment::find(name).and_then(|_| {
            std::fs::read_to_string(name).map_err(|error| UserError::usage(format!("{name}: {error}")))
        })?,
    };
    output::print(text.trim_end()).map(|()| Exit::Ok)
}

/// An experiment as a spec, with what is needed to conduct it.
pub struct Prepared {
    /// The first of its sweeps, as if it had been typed.
    pub request: Box<Request>,
    /// All of them in one.
    pub spec: Spec,
    /// Passwords by label of the target.
    pub passwords: spec::Passwords,
}

impl Prepared {
    /// The arguments of the first sweep.
    pub fn sweep(&self) -> &SweepArgs {
        match &self.request.verb {
            Verb::Sweep(args) => args,
            _ => unreachable!("it was one when it was prepared"),
        }
    }
}

/// Conducts an experiment.
pub fn run(request: &Request, args: &ExperimentRunArgs) -> Outcome<Exit> {
    let experiment = Experiment::find(&args.name)?;
    let host = probe::host_facts();
    if let Some(why) = experiment.out_of_reach(host.cpus, host.numa_nodes) {
        return Err(UserError::failed(format!("not reproducible here: {why}"))
            .hint("run it from a machine that has that; mydyno experiment show has what it would do"));
    }
    let prepared = prepare(request, args)?;
    output::note(&format!("Question: {}", experiment.question));
    if let Some(shows) = &experiment.shows {
        output::note(shows);
    }
    let surroundings = Surroundings::new(&prepared.request);
    let job = Job::new(&prepared.spec, prepared.passwords.clone())?;
    output::note(&super::plan::sentence(&job.plan));
    job.conduct(&surroundings, &Showing::of(&prepared.sweep().trial))
}

/// Makes a spec of an experiment.
pub fn prepare(request: &Request, args: &ExperimentRunArgs) -> Outcome<Prepared> {
    let experiment = Experiment::find(&args.name)?;
    let named = &args.trial.targets.target;
    let own = own_words(&request.words, &args.name);
    // Those of one target by its label leave the others as they are.
    let names = args.trial.targets.set.iter().filter_map(|set| set.split('=').next());
    let set: Vec<&str> = names.filter(|name| !name.contains(':')).collect();
    if let Some((name, arm)) = set.iter().find_map(|name| Some((name, experiment.arm_that_sets(name)?))) {
        return Err(UserError::usage(format!(
            "{name} is what the arms of {} differ in ({arm} sets it)",
            experiment.name
        ))
        .hint("for one value of it: mydyno sweep, or --set LABEL:VARIABLE=VALUE for one arm"));
    }
    let fixed = |path: &Path| match path {
        Path::Target | Path::Workload | Path::Build => false,
        Path::TargetKey(_) => set.iter().any(|name| path.is_variable(name)),
        _ => path.option_id().is_some_and(|id| request.typed.has(&id)),
    };
    let layout = experiment.layout(args.quick, named, &own, &fixed)?;
    let mut whole: Option<Prepared> = None;
    check_labels(&layout.targets)?;
    for sweep in &layout.sweeps {
        // What the user typed was read before: a mistake in the options is in the experiment.
        let in_it = |error: UserError| UserError {
            message: format!("{}: {}", experiment.name, error.message),
            ..error
        };
        let Asked::Request(read) = commandline::read(sweep.words.clone()).map_err(in_it)? else {
            return Err(UserError::usage(format!("{}: it asks for help in its options", experiment.name)));
        };
        let Verb::Sweep(of_sweep) = &read.verb else {
            return Err(UserError::usage(format!("{}: its words are no sweep", experiment.name)));
        };
        let surroundings = Surroundings::new(&read);
        let labels = layout.targets.iter().map(|(label, _)| label.clone()).collect();
        let (mut one, passwords) =
            surroundings.with_context(|context| spec::of_labelled_sweep(of_sweep, labels, context))?;
        if let Some(label) = &sweep.label {
            one.workload.iter_mut().for_each(|workload| workload.set_label(label));
        }
        let variant = Variant { levels: sweep.levels.clone(), load: Some(one.load.clone()) };
        match &mut whole {
            None => {
                one.design.variants.push(variant);
                whole = Some(Prepared { request: read, spec: one, passwords });
            }
            Some(Prepared { spec, .. }) => {
                same_but_for_the_workload(&experiment, spec, &one)?;
                spec.workload.append(&mut one.workload);
                spec.design.variants.push(variant);
            }
        }
    }
    let mut whole = whole.expect("an experiment has a workload");
    let spec = &mut whole.spec;
    spec.name = args.trial.naming.name.clone().unwrap_or_else(|| experiment.run_name());
    spec.about = Some(experiment.about(args.quick));
    for (target, (_, levels)) in spec.target.iter_mut().zip(&layout.targets) {
        target.levels.clone_from(levels);
    }
    plain_variants(spec);
    let targets: Vec<&str> = spec.target.iter().map(|one| one.target.label.as_str()).collect();
    let workloads: Vec<&str> = spec.workload.iter().map(WorkloadSpec::label).collect();
    spec.design.only = layout.only(&targets, &workloads);
    spec.design.factors = layout.factors;
    Ok(whole)
}

/// Labels that come from levels are mended where the levels are.
fn check_labels(targets: &[(Option<String>, Levels)]) -> Outcome<()> {
    let all: Vec<&str> = targets.iter().filter_map(|(label, _)| label.as_deref()).collect();
    let mut taken = BTreeSet::new();
    all.iter().try_for_each(|label| spec::take_label(&mut taken, label)).map_err(|error| {
        error.hint(format!(
            "give levels shorter names, with labels = [...] beside them; now there are: {}",
            all.join("; ")
        ))
    })
}

/// What all workloads have in common is said once.
fn plain_variants(spec: &mut Spec) {
    let load = spec.load.clone();
    for variant in &mut spec.design.variants {
        variant.load = variant.load.take().filter(|own| *own != load);
    }
    if spec.design.variants.iter().all(|variant| *variant == Variant::default()) {
        spec.design.variants.clear();
    }
}

/// One plan has one list of servers and of numbers of clients.
fn same_but_for_the_workload(experiment: &Experiment, first: &Spec, other: &Spec) -> Outcome<()> {
    let targets =
        |spec: &Spec| spec.target.iter().map(|one: &SpecTarget| one.target.clone()).collect::<Vec<_>>();
    // Where none is named, the database is that of the workload.
    let without_database = |targets: Vec<Target>| {
        targets
            .into_iter()
            .map(|mut target| {
                if let TargetKind::Server(endpoint) = &mut target.kind {
                    endpoint.database.clear();
                }
                target
            })
            .collect::<Vec<_>>()
    };
    let plain = |spec: &Spec| Design { variants: Vec::new(), ..spec.design.clone() };
    let equal = (&first.threads, first.repeats, first.seed) == (&other.threads, other.repeats, other.seed)
        && (first.prepare, first.observe, first.allow_failing_cells)
            == (other.prepare, other.observe, other.allow_failing_cells)
        && plain(first) == plain(other)
        && without_database(targets(first)) == without_database(targets(other));
    if equal {
        return Ok(());
    }
    Err(UserError::usage(format!(
        "{}: --threads, --repeats, --seed and what else concerns all of it belong into `options`, not into a workload or a factor",
        experiment.name
    )))
}

/// What the user typed besides the name of the experiment, its size and its target.
fn own_words(words: &[String], name: &str) -> Vec<String> {
    let mut rest = words.iter().skip_while(|word| *word != "run").skip(1);
    let (mut own, mut name_seen) = (Vec::new(), false);
    while let Some(word) = rest.next() {
        if word == "--target" {
            rest.next();
        } else if !name_seen && word == name {
            name_seen = true;
        } else if word != "--quick" && !word.starts_with("--target=") {
            own.push(word.clone());
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_the_experiments_own_is_not_handed_on() {
        let words = "experiment run --threads 4 tls-overhead --target mysql://db1 --quick --target=x -u bench tls-overhead";
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        assert_eq!(own_words(&words, "tls-overhead"), ["--threads", "4", "-u", "bench", "tls-overhead"]);
    }
}
