//! `mydyno history`: the recordings of one question over time, when the level changed, and a gate over the last one.

use std::path::{Path, PathBuf};

use analysis::Metric;
use analysis::contest::{Gate, NAMES, Standing, metric_of};
use analysis::history::Identity;
use analysis::metric::CAPACITY;
use clap::{Args, ValueEnum};
use messages::message;
use model::BenchmarkLine;
use report::History;
use report::history::{Candidate, Choice};
use report::render::history::GateLine;
use serde::Serialize;
use store::{FindError, Results, RunEntry, RunStatus};

use super::compare::margin;
use crate::error::{Outcome, UserError, nearest};
use crate::exit::Exit;
use crate::options::output::{Lang, ResultsArgs};
use crate::output;

/// Arguments of `history`.
#[derive(Args)]
pub struct HistoryArgs {
    /// Recordings to include. One recording (id, prefix, directory, latest): every recording with the same plan. Several: exactly
    /// those. A name: all recordings with that name. A file of `make bench` (bench/history.jsonl): the benchmarks of mydyno itself
    /// [default: the plan of the latest recording]
    #[arg(value_name = "NAME|RECORDING|FILE")]
    which: Vec<String>,
    /// Metric to track: throughput, queries, tpmc, mean, p50, p95, p99, p99.9, p99.99, max; those of --fail-on are added
    #[arg(long, value_name = "METRIC", default_value = "throughput")]
    metric: String,
    /// Equivalence margin, in percent of the previous level
    #[arg(long, value_name = "PERCENT", default_value = "2", value_parser = margin)]
    margin: f64,
    /// Add a gate for the latest recording against the level before it (repeatable): throughput<-3%, p99>+10%. Exit 3 if the
    /// change exceeds the bound and is significant, 4 if the data cannot decide
    #[arg(long, value_name = "GATE", value_parser = Gate::parse)]
    fail_on: Vec<Gate>,
    /// Use only the last N recordings
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    last: Option<u32>,
    /// Output format; html is written to history.html in the results directory
    #[arg(long, default_value = "text", help_heading = "Output")]
    format: HistoryFormat,
    /// Write the output to this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Language of the output
    #[arg(long, default_value = "en", help_heading = "Output")]
    lang: Lang,
    #[command(flatten)]
    #[allow(missing_docs)]
    results: ResultsArgs,
}

/// Forms of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum HistoryFormat {
    /// Levels of each cell, and the latest recording.
    Text,
    /// For a pull request.
    Markdown,
    /// Everything.
    Json,
    /// One self-contained page.
    Html,
}

/// The page in the results directory.
const PAGE: &str = "history.html";

/// The whole answer, for programs.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    history: &'a History,
    gates: &'a [GateLine],
}

/// Reads the recordings that belong together, judges, and ends according to the gates.
pub fn history(args: &HistoryArgs) -> Outcome<Exit> {
    if let [file] = args.which.as_slice()
        && Path::new(file).is_file()
    {
        return of_benchmarks(args, Path::new(file));
    }
    let metrics = metrics(args)?;
    let results = Results::open(&args.results.results);
    let (identity, mut candidates) = candidates(&results, &args.which)?;
    if let Some(last) = args.last {
        candidates.drain(..candidates.len().saturating_sub(last as usize));
    }
    let lang = args.lang.of_report();
    let choice = Choice { identity: &identity, metrics: &metrics, margin: args.margin, lang };
    let history = History::read(&candidates, &choice)?;
    let gates = gates(&history, &args.fail_on);
    print(args, &history, &gates)?;
    let any = |standing| gates.iter().any(|gate| gate.standing == standing);
    Ok(if any(Standing::Failed) {
        Exit::Gate
    } else if any(Standing::CannotTell) {
        Exit::Invalid
    } else {
        Exit::Ok
    })
}

/// The benchmarks of mydyno itself. Their rows have one value each, so that there is no metric to choose.
fn of_benchmarks(args: &HistoryArgs, path: &Path) -> Outcome<Exit> {
    if !args.fail_on.is_empty() || args.format == HistoryFormat::Html {
        return Err(UserError::usage(
            "--fail-on and --format html are for recordings, not for a file of benchmarks",
        )
        .hint("--format json has the verdict of every row, for programs"));
    }
    let lines = benchmark_lines(path)?;
    let history = History::of_benchmarks(
        &lines,
        args.last.map(|last| last as usize),
        args.margin,
        args.lang.of_report(),
    );
    print(args, &history, &[])?;
    Ok(Exit::Ok)
}

fn benchmark_lines(path: &Path) -> Outcome<Vec<BenchmarkLine>> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| UserError::failed(format!("cannot read {shown}: {error}")))?;
    let written = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let lines = written.map(|(at, line)| {
        serde_json::from_str(line).map_err(|error| {
            UserError::failed(format!("{shown}, line {}: no benchmark: {error}", at + 1))
                .hint("the file is that of `make bench`; recordings are named by id, name or directory")
        })
    });
    let lines = lines.collect::<Outcome<Vec<BenchmarkLine>>>()?;
    if lines.is_empty() {
        return Err(UserError::failed(format!("{shown} has no benchmarks")).hint("make some:  make bench"));
    }
    Ok(lines)
}

fn metrics(args: &HistoryArgs) -> Outcome<Vec<&'static Metric>> {
    let named = metric_of(&args.metric).ok_or_else(|| {
        let known = NAMES.map(|(short, _)| short).join(", ");
        UserError::usage(format!("there is no metric '{}'", args.metric))
            .hint(format!("it is one of {known}"))
    })?;
    let mut metrics = vec![named];
    for gate in &args.fail_on {
        if !metrics.iter().any(|metric| metric.id == gate.metric.id) {
            metrics.push(gate.metric);
        }
    }
    if metrics.iter().any(|metric| metric.id == CAPACITY.id) {
        return Err(UserError::usage("the history of a capacity is not followed")
            .hint("compare two searches: mydyno compare BASE OTHER --fail-on 'capacity<-5%'"));
    }
    Ok(metrics)
}

/// Recordings by time, with their identities. Named recordings are kept even if they measured something else; of all others
/// only those that measured the same.
fn candidates(results: &Results, which: &[String]) -> Outcome<(Identity, Vec<Candidate>)> {
    let mut listed = results.list()?;
    listed.sort_by(|a, b| (&a.started, &a.id).cmp(&(&b.started, &b.id)));
    let (mut named, mut names) = (Vec::new(), Vec::new());
    for word in which {
        let is_id = listed.iter().any(|run| run.id == *word);
        if !is_id && listed.iter().any(|run| run.name == *word) {
            names.push(word.as_str());
        } else {
            named.push(entry(results, &listed, word)?);
        }
    }
    let own: Vec<(RunEntry, Option<Identity>)> = match named.as_slice() {
        [] if names.is_empty() => listed,
        // One run stands for all that asked the same.
        [_] if names.is_empty() => listed,
        _ => {
            let mut own: Vec<RunEntry> =
                listed.into_iter().filter(|run| names.contains(&run.name.as_str())).collect();
            for run in &named {
                if !own.iter().any(|known| known.path == run.path || known.id == run.id) {
                    own.push(run.clone());
                }
            }
            own.sort_by(|a, b| (&a.started, &a.id).cmp(&(&b.started, &b.id)));
            own
        }
    }
    .into_iter()
    .map(|run| {
        let identity = store::plan(&run.path).ok().map(|plan| Identity::of(&plan));
        (run, identity)
    })
    .collect();
    let wanted = match named.as_slice() {
        [one] => store::plan(&one.path).ok().map(|plan| Identity::of(&plan)),
        // A recording that failed before its first trial has no identity.
        _ => own
            .iter()
            .rev()
            .filter(|(run, _)| run.status != RunStatus::Failed || !run.trials.is_empty())
            .find_map(|(_, identity)| identity.clone())
            .or_else(|| own.iter().rev().find_map(|(_, identity)| identity.clone())),
    };
    let Some(wanted) = wanted else {
        let place = results.root().display();
        return Err(UserError::failed(format!("no recording in {place} can be read"))
            .hint("make one:  mydyno sweep oltp_read_write"));
    };
    let all_named = named.len() > 1 || !names.is_empty();
    let candidate = |(run, identity): (RunEntry, Option<Identity>)| {
        let differs = identity.as_ref().map(|identity| wanted.differs_in(identity));
        let left_out = match differs {
            Some(differs) if differs.is_empty() => None,
            Some(differs) if all_named => Some(message!("asked-otherwise", what = Parts(differs))),
            // The identity of a recording without a plan is unknown.
            None if run.status == RunStatus::Unreadable => None,
            _ => return None,
        };
        Some(Candidate {
            id: run.id,
            path: run.path,
            name: run.name,
            started_at: run.started,
            status: run.status,
            left_out,
        })
    };
    let candidates = own.into_iter().filter_map(candidate).collect();
    Ok((wanted, candidates))
}

/// A recording by its name; one outside the results directory is not in its list.
fn entry(results: &Results, listed: &[RunEntry], word: &str) -> Outcome<RunEntry> {
    let path = results.find(word).map_err(|error| {
        let near = match &error {
            FindError::Unknown { .. } => nearest(word, listed.iter().map(|run| run.name.as_str())),
            _ => None,
        };
        let error = UserError::from(error);
        match near {
            Some(near) => error.hint(format!("did you mean the recordings named {near}?")),
            None => error,
        }
    })?;
    let real = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
    match listed.iter().find(|run| real(&run.path) == real(&path)) {
        Some(run) => Ok(run.clone()),
        None => Ok(store::entry(&path)),
    }
}

fn gates(history: &History, gates: &[Gate]) -> Vec<GateLine> {
    let at = |gate: &Gate, (place, line): (usize, &report::history::HistoryLine)| {
        let standing = line.series.standing(gate)?;
        Some(GateLine { gate: gate.text.clone(), series: place, standing })
    };
    gates
        .iter()
        .flat_map(|gate| history.series.iter().enumerate().filter_map(move |line| at(gate, line)))
        .collect()
}

fn print(args: &HistoryArgs, history: &History, gates: &[GateLine]) -> Outcome<()> {
    let text = match args.format {
        HistoryFormat::Text => report::render::history::text(history, gates),
        HistoryFormat::Markdown => report::render::history::markdown(history, gates),
        HistoryFormat::Json => {
            let json = serde_json::to_string_pretty(&Answer { history, gates });
            json.expect("it has only string keys and plain values") + "\n"
        }
        HistoryFormat::Html => {
            report::render::history_page(history).map_err(|error| UserError::told(&error))?
        }
    };
    let path = match (&args.output, args.format) {
        (Some(path), _) => path.clone(),
        (None, HistoryFormat::Html) => args.results.results.join(PAGE),
        (None, _) => return output::print(&text),
    };
    output::write(&path, &text)?;
    output::print(&path.display().to_string())
}
