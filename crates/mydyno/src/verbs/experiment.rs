//! `mydyno experiment` and `mydyno experiments`: a sweep per workload, put together to one recording.

use model::{Spec, SpecTarget};

use super::conduct::Job;
use super::surroundings::Surroundings;
use super::table::{self, Align};
use crate::cli::{ExperimentRunArgs, Verb};
use crate::commandline::{self, Asked, Request};
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::experiment::{CATALOGUE, Experiment};
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

/// Conducts an experiment.
pub fn run(request: &Request, args: &ExperimentRunArgs) -> Outcome<Exit> {
    let experiment = Experiment::find(&args.name)?;
    let host = probe::host_facts();
    if let Some(why) = experiment.out_of_reach(host.cpus, host.numa_nodes) {
        return Err(UserError::failed(format!("not reproducible here: {why}"))
            .hint("run it from a machine that has that; mydyno experiment show has what it would do"));
    }
    let named = &args.trial.targets.target;
    let sweeps = experiment.sweeps(args.quick, named, &own_words(&request.words, &args.name))?;
    let mut whole: Option<(Box<Request>, Spec, spec::Passwords)> = None;
    for sweep in sweeps {
        let Asked::Request(read) = commandline::read(sweep.words)? else {
            return Err(UserError::usage(format!("{}: it asks for help in its options", experiment.name)));
        };
        let Verb::Sweep(of_sweep) = &read.verb else {
            return Err(UserError::usage(format!("{}: its words are no sweep", experiment.name)));
        };
        let surroundings = Surroundings::new(&read);
        let (mut one, passwords) = surroundings.with_context(|context| spec::of_sweep(of_sweep, context))?;
        one.workload.iter_mut().for_each(|workload| workload.set_label(&sweep.label));
        match &mut whole {
            None => whole = Some((read, one, passwords)),
            Some((_, spec, _)) => {
                same_but_for_the_workload(&experiment, spec, &one)?;
                spec.workload.append(&mut one.workload);
            }
        }
    }
    let (read, mut spec, passwords) = whole.expect("an experiment has a workload");
    spec.name = experiment.run_name();
    spec.about = Some(experiment.about(args.quick));
    let Verb::Sweep(of_sweep) = &read.verb else { unreachable!("it was one above") };
    output::note(&format!("Question: {}", experiment.question));
    if let Some(shows) = &experiment.shows {
        output::note(shows);
    }
    Job::new(spec, passwords).conduct(&Surroundings::new(&read), &of_sweep.trial)
}

/// One plan has one load and one list of servers.
fn same_but_for_the_workload(experiment: &Experiment, first: &Spec, other: &Spec) -> Outcome<()> {
    let targets =
        |spec: &Spec| spec.target.iter().map(|one: &SpecTarget| one.target.clone()).collect::<Vec<_>>();
    let equal = first.load == other.load
        && first.threads == other.threads
        && first.repeats == other.repeats
        && targets(first) == targets(other);
    if equal {
        return Ok(());
    }
    Err(UserError::usage(format!(
        "{}: --threads, --time, --repeats and other options of the load belong into `options`, not into a workload",
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
