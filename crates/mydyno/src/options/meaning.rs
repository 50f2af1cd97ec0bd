//! Words that users of other tools type: verbs and options by meaning.

use crate::experiment;
use crate::options::workload::is_in_file;

/// Options of other tools, and their names here. The first one that the verb has is suggested.
const OPTIONS: &[(&str, &[&str])] = &[
    ("duration", &["time"]),
    ("runtime", &["time"]),
    ("run-time", &["time"]),
    ("seconds", &["time"]),
    ("time-limit", &["time"]),
    ("connections", &["threads"]),
    ("concurrency", &["threads"]),
    ("users", &["threads"]),
    ("vus", &["threads"]),
    ("warehouse", &["warehouses"]),
    ("scale", &["warehouses", "table-size"]),
    ("rows", &["table-size"]),
    ("size", &["table-size"]),
    ("warmup", &["warmup-time"]),
    ("ramp-up", &["warmup-time"]),
    ("rampup", &["warmup-time"]),
    ("rps", &["rate"]),
    ("qps", &["rate"]),
    ("tps", &["rate"]),
    ("requests", &["events"]),
    ("transactions", &["events"]),
    ("iterations", &["events", "repeats"]),
    ("runs", &["repeats"]),
    ("samples", &["repeats"]),
    ("count", &["repeats", "events"]),
    ("label", &["name"]),
    ("title", &["name"]),
    ("tag", &["note", "name"]),
    ("comment", &["note"]),
    ("description", &["note"]),
    ("message", &["note"]),
    ("threshold", &["fail-on"]),
    ("thresholds", &["fail-on"]),
    ("gate", &["fail-on"]),
    ("assert", &["fail-on"]),
    ("db", &["database"]),
    ("schema", &["database"]),
    ("pass", &["password"]),
    ("passwd", &["password"]),
    ("username", &["user"]),
    ("hostname", &["host"]),
    ("server", &["target"]),
    ("url", &["target"]),
    ("dsn", &["target"]),
    ("out", &["output"]),
    ("file", &["output"]),
    ("language", &["lang"]),
    ("json", &["format"]),
    ("csv", &["format"]),
    ("interval", &["report-interval"]),
    ("force", &["yes"]),
    ("older-than", &["older"]),
    ("last", &["keep", "last"]),
    ("distribution", &["rand-type"]),
    ("variable", &["set"]),
    ("dry", &["dry-run"]),
];

/// Verbs of other tools, and what to type here.
const VERBS: &[(&str, &str)] = &[
    ("rm", "delete"),
    ("remove", "delete"),
    ("del", "delete"),
    ("drop", "cleanup"),
    ("clean", "cleanup, for tables; delete or prune, for recordings"),
    ("ls", "list"),
    ("runs", "list"),
    ("recordings", "list"),
    ("status", "list, or server status"),
    ("load", "prepare"),
    ("init", "prepare"),
    ("populate", "prepare"),
    ("bench", "run"),
    ("benchmark", "run"),
    ("test", "run"),
    ("exec", "run"),
    ("measure", "run"),
    ("continue", "resume"),
    ("retry", "resume"),
    ("start", "server start, or run"),
    ("stop", "server stop"),
    ("install", "server install"),
    ("servers", "server list"),
    ("catalog", "experiments"),
    ("catalogue", "experiments"),
    ("diagnose", "doctor"),
    ("advise", "doctor"),
    ("trend", "history"),
    ("log", "history, or list"),
    ("export", "report --format json"),
    ("html", "report"),
    ("view", "report --open"),
    ("open", "report --open"),
    ("rename", "note"),
    ("comment", "note"),
    ("tag", "note"),
    ("completion", "completions"),
];

/// The name here of another tool's verb.
pub fn verb(typed: &str) -> Option<&'static str> {
    VERBS.iter().find(|(theirs, _)| *theirs == typed).map(|(_, ours)| *ours)
}

/// The name of another tool's option, for a verb that has the options `known`.
pub fn option(typed: &str, known: &[String]) -> Option<&'static str> {
    let (_, ours) = OPTIONS.iter().find(|(theirs, _)| *theirs == typed)?;
    ours.iter().find(|ours| known.iter().any(|known| known == *ours)).copied()
}

/// Accepts words in other positions: `help VERB`, `version`, `experiment list`, and the results directory before the verb.
pub fn rearranged(mut words: Vec<String>) -> Vec<String> {
    let place = results_before_the_verb(&mut words);
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["help", rest @ ..] => words = owned(rest, "--help"),
        ["version"] => words = vec!["--version".to_owned()],
        ["experiment", "list" | "ls"] => words = vec!["experiments".to_owned()],
        ["run" | "sweep", rest @ ..] if names_a_specification(rest) => {
            words.splice(0..1, ["experiment".to_owned(), "run".to_owned()]);
        }
        _ => {}
    }
    words.extend(place);
    words
}

/// Whether the words name a specification file, or an experiment of the catalogue, in the place of a workload.
fn names_a_specification(words: &[&str]) -> bool {
    let is_value = |at: usize| at > 0 && words[at - 1].starts_with("--") && !words[at - 1].contains('=');
    let is_file = |(at, word): (usize, &&str)| {
        experiment::is_file(word) && !is_in_file(word) && !word.starts_with('-') && !is_value(at)
    };
    let is_known = |word: &&str| experiment::CATALOGUE.iter().any(|(name, _)| name == word);
    words.first().is_some_and(is_known) || words.iter().enumerate().any(is_file)
}

fn owned(words: &[&str], last: &str) -> Vec<String> {
    words.iter().copied().chain([last]).map(str::to_owned).collect()
}

/// Accepts `--results DIR` before the verb.
fn results_before_the_verb(words: &mut Vec<String>) -> Vec<String> {
    let count = match words.first().map(String::as_str) {
        Some("--results") if words.len() > 2 => 2,
        Some(first) if first.starts_with("--results=") && words.len() > 1 => 1,
        _ => 0,
    };
    words.drain(..count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_and_verbs_of_other_tools_have_a_name_here() {
        let known: Vec<String> = ["time", "threads", "table-size"].map(str::to_owned).into();
        assert_eq!(option("duration", &known), Some("time"));
        assert_eq!(option("scale", &known), Some("table-size"));
        assert_eq!(option("duration", &[]), None, "the verb has no such option");
        assert_eq!(verb("rm"), Some("delete"));
        assert_eq!(verb("quux"), None);
    }

    #[test]
    fn every_name_here_exists() {
        let verbs = crate::cli::verb_names();
        for (theirs, ours) in VERBS {
            let first = ours.split([' ', ',']).next().expect("it is not empty");
            assert!(verbs.contains(first) && !verbs.contains(*theirs), "{theirs}: {ours}");
        }
        for (theirs, ours) in OPTIONS {
            assert!(ours.iter().all(|name| !crate::cli::verbs_with(name).is_empty()), "{theirs}");
        }
    }

    #[test]
    fn words_in_another_order_are_understood() {
        let arranged = |text: &str| rearranged(text.split(' ').map(str::to_owned).collect()).join(" ");
        assert_eq!(arranged("help run"), "run --help");
        assert_eq!(arranged("help"), "--help");
        assert_eq!(arranged("version"), "--version");
        assert_eq!(arranged("experiment list"), "experiments");
        assert_eq!(arranged("--results x list"), "list --results x");
        assert_eq!(arranged("run a/spec.toml --quick"), "experiment run a/spec.toml --quick");
        assert_eq!(arranged("run --threads 4 a.toml"), "experiment run --threads 4 a.toml");
        assert_eq!(arranged("sweep durability --quick"), "experiment run durability --quick");
        assert_eq!(arranged("run tpcc --output a.toml"), "run tpcc --output a.toml");
        assert_eq!(arranged("--results=x show latest"), "show latest --results=x");
        assert_eq!(arranged("list --results x"), "list --results x");
    }
}
