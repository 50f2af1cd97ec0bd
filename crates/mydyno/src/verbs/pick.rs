//! A recording as named on the command line: `RECORDING`, or `RECORDING:TARGET`.

use std::path::PathBuf;

use store::{FindError, Recording, Results};

use crate::error::{Outcome, UserError, nearest};

/// The ways to name something.
const WAYS: &str = "a server is written mysql://user@host or sandbox:mysql; a recording by its id, a unique \
                    prefix of it, its directory, or latest";

/// The recording, and the label of the target that was picked.
pub fn pick<'a>(query: &'a str, results: &Results) -> Outcome<(Recording, Option<&'a str>)> {
    let (path, picked) = find(query, results)?;
    let run = Recording::read(&path)?;
    if let Some(label) = picked
        && !labels(&run).any(|own| own == label)
    {
        let near =
            nearest(label, labels(&run)).map(|near| format!("did you mean {near}? ")).unwrap_or_default();
        return Err(UserError::usage(format!("recording {} has no target '{label}'", run.id))
            .hint(format!("{near}it has: {}", labels(&run).collect::<Vec<_>>().join(", "))));
    }
    Ok((run, picked))
}

/// Labels of its targets.
pub fn labels(run: &Recording) -> impl Iterator<Item = &str> {
    run.plan.spec.targets.iter().map(|one| one.target.label.as_str())
}

/// The whole comes first: a path may hold a colon.
fn find<'a>(query: &'a str, results: &Results) -> Outcome<(PathBuf, Option<&'a str>)> {
    let whole = results.find(query);
    if let (Err(FindError::Unknown { .. }), Some((run, target))) = (&whole, query.rsplit_once(':')) {
        // A label may hold a colon too, as that of a server with its port does.
        let splits = query.match_indices(':').map(|(at, _)| (&query[..at], &query[at + 1..]));
        let found = splits.filter_map(|(run, target)| Some((results.find(run).ok()?, target))).next();
        return match found {
            Some((path, target)) => Ok((path, Some(target))),
            None => Ok((results.find(run).map_err(told)?, Some(target))),
        };
    }
    Ok((whole.map_err(told)?, None))
}

fn told(error: FindError) -> UserError {
    let error = UserError::from(error);
    let hint = error.hint.as_deref().map_or_else(|| WAYS.to_owned(), |hint| format!("{hint}\n{WAYS}"));
    error.hint(hint)
}
