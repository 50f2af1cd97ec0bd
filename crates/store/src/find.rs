//! Finds the recording for a user's query.

use std::path::{Path, PathBuf};

use crate::{FindError, Results, files, recording};

impl Results {
    /// The run that `query` names: a path to its directory, its id, the beginning of its id if no other run's begins
    /// so, or `latest`.
    pub fn find(&self, query: &str) -> Result<PathBuf, FindError> {
        let path = Path::new(query);
        if path.join(files::PLAN).is_file() {
            return Ok(path.to_owned());
        }
        let mut runs = self.run_directories()?;
        runs.sort_by(|a, b| b.cmp(a));
        let ids: Vec<String> = runs.iter().map(|run| recording::run_name(run)).collect();
        if runs.is_empty() {
            return Err(FindError::Empty { root: self.root.clone() });
        }
        if query == "latest" {
            return Ok(latest(runs));
        }
        if let Some(exact) = ids.iter().position(|id| id == query) {
            return Ok(runs.swap_remove(exact));
        }
        let begin: Vec<usize> = (0..ids.len()).filter(|&i| ids[i].starts_with(query)).collect();
        match begin.as_slice() {
            [one] => Ok(runs.swap_remove(*one)),
            [] => Err(FindError::Unknown {
                query: query.to_owned(),
                root: self.root.clone(),
                near: near(query, &ids),
            }),
            several => Err(FindError::Ambiguous {
                query: query.to_owned(),
                matches: several.iter().map(|&i| ids[i].clone()).collect(),
            }),
        }
    }
}

/// The latest recording of those that measured anything or still may. Directories of the same second are ordered by their
/// recorded start.
fn latest(runs: Vec<PathBuf>) -> PathBuf {
    let mut runs: Vec<(String, PathBuf)> =
        runs.into_iter().map(|run| (recording::started(&run), run)).collect();
    runs.sort();
    let at = runs.iter().rposition(|(_, run)| !recording::failed_before_its_first_trial(run));
    let at = at.unwrap_or(runs.len() - 1);
    runs.swap_remove(at).1
}

/// Ids that contain the words, or else those that differ in a few letters.
fn near(query: &str, ids: &[String]) -> Vec<String> {
    const SHOWN: usize = 3;
    const SIMILARITY_MIN: f64 = 0.7;
    let containing = ids.iter().filter(|id| id.contains(query)).take(SHOWN).cloned().collect::<Vec<_>>();
    if !containing.is_empty() {
        return containing;
    }
    let mut scored: Vec<(f64, &String)> = ids
        .iter()
        .map(|id| (strsim::normalized_damerau_levenshtein(query, id), id))
        .filter(|(score, _)| *score >= SIMILARITY_MIN)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().take(SHOWN).map(|(_, id)| id.clone()).collect()
}
