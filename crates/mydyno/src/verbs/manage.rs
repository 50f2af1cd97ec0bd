//! `mydyno delete`, `mydyno prune` and `mydyno note`: recordings removed, and described.

use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Args;
use messages::number::counted;
use store::{Results, RunEntry, RunStatus};

use super::{named, unrestored};
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::options::output::ResultsArgs;
use crate::output;

/// Arguments of `delete`.
#[derive(Args)]
pub struct DeleteArgs {
    /// Recordings: ids, unique prefixes, directories, or latest
    #[arg(value_name = "RECORDING", required = true)]
    runs: Vec<String>,
    /// Delete without asking
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    #[allow(missing_docs)]
    results: ResultsArgs,
}

/// Arguments of `prune`.
#[derive(Args)]
pub struct PruneArgs {
    /// Keep the newest N recordings and delete the others
    #[arg(long, value_name = "N", conflicts_with = "older", required_unless_present = "older")]
    keep: Option<u32>,
    /// Delete recordings older than this, such as 30d or 12h
    #[arg(long, value_name = "AGE", value_parser = spec::seconds)]
    older: Option<f64>,
    /// Print what would be deleted; deletes nothing
    #[arg(long)]
    dry_run: bool,
    /// Delete without asking
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    #[allow(missing_docs)]
    results: ResultsArgs,
}

/// Arguments of `note`.
#[derive(Args)]
pub struct NoteArgs {
    /// Recording: id, unique prefix of one, directory, or latest
    #[arg(value_name = "RECORDING")]
    run: String,
    /// Text of the note; an empty one removes it
    #[arg(value_name = "TEXT", required = true)]
    text: Vec<String>,
    #[command(flatten)]
    #[allow(missing_docs)]
    results: ResultsArgs,
}

/// Deletes the recordings that are named, or none of them.
pub fn delete(args: &DeleteArgs) -> Outcome<Exit> {
    let results = Results::open(&args.results.results);
    let mut runs: Vec<PathBuf> = Vec::new();
    for query in &args.runs {
        let run = results.find(query)?;
        if !runs.contains(&run) {
            runs.push(run);
        }
    }
    for run in &runs {
        match obstacle(run, results.root()) {
            None => {}
            Some(error) => return Err(error),
        }
    }
    remove(&runs, &results, args.yes)
}

/// Deletes all recordings but the newest, or old ones.
pub fn prune(args: &PruneArgs) -> Outcome<Exit> {
    let results = Results::open(&args.results.results);
    let listed = results.list()?;
    let mut runs = Vec::new();
    for run in chosen(&listed, args.keep, args.older, jiff::Timestamp::now()) {
        match obstacle(&run.path, results.root()) {
            None => runs.push(run.path.clone()),
            Some(error) => output::note(&format!("! kept: {}", error.message)),
        }
    }
    if runs.is_empty() {
        output::note("nothing to delete");
        return Ok(Exit::Ok);
    }
    if args.dry_run {
        let lines: Vec<String> = runs.iter().map(|run| format!("would delete {}", id(run))).collect();
        return output::print(&lines.join("\n")).map(|()| Exit::Ok);
    }
    remove(&runs, &results, args.yes)
}

/// The recordings to remove: those beyond the newest `keep`, or those that began more than `older_s` ago. `listed` is
/// newest first.
fn chosen(
    listed: &[RunEntry],
    keep: Option<u32>,
    older_s: Option<f64>,
    now: jiff::Timestamp,
) -> impl Iterator<Item = &RunEntry> {
    let age_s = move |run: &RunEntry| {
        let began: jiff::Timestamp = run.started.parse().ok()?;
        Some(now.duration_since(began).as_secs_f64())
    };
    listed
        .iter()
        .enumerate()
        .filter(move |(place, run)| match (keep, older_s) {
            (Some(keep), _) => *place >= keep as usize,
            (None, Some(older_s)) => age_s(run).is_some_and(|age_s| age_s > older_s),
            (None, None) => false,
        })
        .map(|(_, run)| run)
}

/// The reason a recording must stay.
fn obstacle(run: &Path, results: &Path) -> Option<UserError> {
    if store::entry(run).status == RunStatus::Running {
        let error = UserError::failed(format!("{} is being written", id(run)));
        return Some(error.hint("wait until it ends, or stop it with Ctrl-C"));
    }
    let left = store::unrestored(run)?;
    let changed: Vec<String> = left
        .originals
        .iter()
        .map(|(label, values)| format!("{label}: {}", unrestored::values(values)))
        .collect();
    let error = UserError::failed(format!(
        "{} changed variables of a server and did not restore them: {}",
        left.id,
        changed.join("; ")
    ));
    Some(error.hint(unrestored::restore(&left, results).trim_start()))
}

fn id(run: &Path) -> String {
    run.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn remove(runs: &[PathBuf], results: &Results, yes: bool) -> Outcome<Exit> {
    if !yes && std::io::stdin().is_terminal() && !confirmed(runs) {
        output::note("nothing was deleted");
        return Ok(Exit::Ok);
    }
    for run in runs {
        store::remove(run).map_err(|error| UserError::told(&error))?;
        output::print(&format!("deleted {}", id(run)))?;
    }
    // Brings the index up to date; it is only a cache.
    let _ = results.list();
    Ok(Exit::Ok)
}

/// Asks on the terminal.
fn confirmed(runs: &[PathBuf]) -> bool {
    runs.iter().for_each(|run| output::note(&format!("  {}", id(run))));
    let what = if runs.len() == 1 {
        "this recording".to_owned()
    } else {
        format!("these {}", counted(runs.len() as u64, "recording"))
    };
    output::note(&format!("delete {what}? [y/N]"));
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    read.is_ok() && matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

/// Keeps a note with a recording.
pub fn note(args: &NoteArgs) -> Outcome<Exit> {
    let results = Results::open(&args.results.results);
    let run = results.find(&args.run)?;
    let text = args.text.join(" ");
    store::write_note(&run, &text).map_err(|error| UserError::told(&error))?;
    let _ = results.list();
    let name = named::words(&run, results.root());
    output::print(&match text.trim() {
        "" => format!("{name}: no note"),
        text => format!("{name}: {text}"),
    })?;
    Ok(Exit::Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str, started: &str) -> RunEntry {
        RunEntry {
            id: id.to_owned(),
            path: PathBuf::from(id),
            name: id.to_owned(),
            started: started.to_owned(),
            targets: Vec::new(),
            workloads: Vec::new(),
            threads: Vec::new(),
            planned: 1,
            status: RunStatus::Complete,
            problem: None,
            note: None,
            trials: Vec::new(),
        }
    }

    #[test]
    fn the_newest_or_the_young_stay() {
        let listed =
            [entry("c", "2026-11-20T10:00:00.000Z"), entry("b", "2026-11-10T10:00:00.000Z"), entry("a", "")];
        let now = "2026-11-21T10:00:00Z".parse().expect("a time");
        let ids = |keep, older| -> Vec<&str> {
            chosen(&listed, keep, older, now).map(|run| run.id.as_str()).collect()
        };
        assert_eq!(ids(Some(1), None), ["b", "a"]);
        assert_eq!(ids(Some(5), None), [""; 0]);
        // Of one without a beginning nobody knows how old it is.
        assert_eq!(ids(None, Some(5.0 * 86_400.0)), ["b"]);
    }
}
