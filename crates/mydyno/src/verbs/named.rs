//! A recording as the next command line names it.

use std::path::Path;

use crate::options::output::DEFAULT_RESULTS;

/// The words that name a recording to `report`, `resume` and the other verbs: its id, and its results directory unless
/// that is the one in which they look anyway.
pub fn words(run: &Path, results: &Path) -> String {
    let id = run.file_name().unwrap_or_default().to_string_lossy();
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let is_inside = run.parent().is_some_and(|parent| real(parent) == real(results));
    match is_inside {
        false => quoted(&run.display().to_string()),
        true if results == Path::new(DEFAULT_RESULTS) => quoted(&id),
        true => format!("{} --results {}", quoted(&id), quoted(&results.display().to_string())),
    }
}

/// A word for the shell.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_is_named_with_its_results_directory_where_that_is_needed() {
        let named = |run: &str, results: &str| words(Path::new(run), Path::new(results));
        assert_eq!(named("results/a", "results"), "a");
        assert_eq!(named("/tmp/my runs/a", "/tmp/my runs"), "a --results '/tmp/my runs'");
        assert_eq!(named("/elsewhere/a", "results"), "/elsewhere/a");
    }
}
