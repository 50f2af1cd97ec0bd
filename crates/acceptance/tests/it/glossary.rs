//! One term for one thing: no text that users read has a term that docs/STYLE.md replaces.

use std::path::Path;

use crate::literals::{self, rust_files};

/// What is not said, and what is said instead.
const REPLACED: &[(&str, &str)] = &[
    ("no accident", "significant"),
    ("no chance", "significant"),
    ("nobody can tell", "inconclusive"),
    ("cannot be told", "undetermined"),
    ("told apart", "differ significantly"),
    ("counts as the same", "equivalent"),
    ("stands in line", "queues"),
    ("waits in line", "queues"),
    ("waits for others", "serialised fraction"),
    ("overtak", "crossover"),
    ("fell silent", "stall"),
    ("bookend", "drift check"),
    ("put back", "restore"),
    ("putting back", "restore"),
    ("kept copy", "dataset snapshot"),
    ("somebody else runs", "external server"),
    ("fit to decide", "valid"),
    ("traffic light", "validity"),
    ("breaks off", "collapses"),
    ("broken off", "aborted"),
    ("what the doctor says", "recommendation"),
];

/// Words of the right column that are right elsewhere: the table says for which term they are not used.
const RIGHT_ELSEWHERE: &[&str] = &[
    "thread",
    "user",
    "instrument",
    "patient",
    "run",
    "point",
    "result",
    "events",
    "queries",
    "speed",
    "±",
    "the same",
    "silence",
    "warning",
    "remark",
    "doubt",
    "caution",
    "trust",
    "advice",
    "place",
    "stated",
    "power cut",
];

fn root() -> &'static str {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../..")
}

/// Every file below a directory with such an extension, by its path from the root.
fn files(directory: &str, extension: &str, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(format!("{}/{directory}", root())).expect("a directory").flatten() {
        let path = format!("{directory}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            files(&path, extension, found);
        } else if Path::new(&path).extension().is_some_and(|own| own == extension) {
            found.push(path);
        }
    }
}

fn text_files() -> Vec<String> {
    let mut found =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/tutorial.md"].map(str::to_owned).to_vec();
    for (directory, extension) in [
        ("messages/en", "ftl"),
        ("knowledge", "toml"),
        ("knowledge", "md"),
        ("experiments", "toml"),
        ("docs/how-to", "md"),
        ("docs/explanation", "md"),
        ("docs/reference", "md"),
    ] {
        let before = found.len();
        files(directory, extension, &mut found);
        assert!(found.len() > before, "{directory} has no file of {extension}");
    }
    found
}

#[test]
fn texts_use_the_terms_of_the_glossary() {
    let mut found = Vec::new();
    let mut look = |place: &str, text: &str| {
        let lower = text.to_lowercase();
        // A name in code, such as the key of a figure, has no space.
        let wrong = REPLACED.iter().filter(|(term, _)| lower.contains(' ') && lower.contains(term));
        found.extend(wrong.map(|(term, instead)| format!("{place}: '{term}' is '{instead}': {text}")));
    };
    for entry in std::fs::read_dir(format!("{}/crates", root())).expect("the crates").flatten() {
        let sources = entry.path().join("src");
        for file in rust_files(&sources.display().to_string()) {
            let place = file.rsplit_once("/crates/").map_or(file.as_str(), |(_, place)| place);
            literals::of(&file).iter().for_each(|text| look(place, text));
        }
    }
    for file in text_files() {
        let text = std::fs::read_to_string(format!("{}/{file}", root())).expect("it is there");
        text.lines().for_each(|line| look(&file, line));
    }
    assert!(found.is_empty(), "docs/STYLE.md has other terms for these:\n{}", found.join("\n"));
}

#[test]
fn every_term_that_the_glossary_replaces_is_looked_for() {
    let text = std::fs::read_to_string(format!("{}/docs/STYLE.md", root())).expect("it is there");
    let glossary = text.split("\n## ").find(|part| part.starts_with("Glossary")).expect("the glossary");
    let mut terms = Vec::new();
    for row in glossary.lines().filter(|line| line.starts_with("| ")).skip(1) {
        let right = row.trim_end_matches('|').rsplit_once('|').expect("a row has columns").1;
        // What stands in parentheses says where the word is right.
        let right = right.split('(').next().unwrap_or_default().replace('"', "");
        terms.extend(right.split(',').map(|term| term.trim().to_lowercase()).filter(|term| !term.is_empty()));
    }
    assert!(terms.len() > 30, "{terms:?}");
    let is_known = |term: &String| {
        let phrase = term.strip_prefix("is ").or_else(|| term.strip_prefix("what ")).unwrap_or(term);
        let phrase = phrase.strip_prefix("a server that ").unwrap_or(phrase);
        REPLACED.iter().any(|(replaced, _)| phrase.starts_with(replaced) || replaced.starts_with(phrase))
            || RIGHT_ELSEWHERE.contains(&term.as_str())
    };
    let unknown: Vec<_> = terms.iter().filter(|term| !is_known(term)).collect();
    assert!(unknown.is_empty(), "neither looked for nor right elsewhere: {unknown:?}");
}

/// mysqld_exporter listens there.
#[test]
fn no_text_names_the_port_of_another_exporter() {
    let mut wrong = Vec::new();
    let mut look = |place: &str, text: &str| {
        let digits = |c: char| c.is_ascii_digit();
        if text.split(|c| !digits(c)).any(|number| number == "9104") {
            wrong.push(format!("{place}: {text}"));
        }
    };
    for file in rust_files(&format!("{}/crates/mydyno/src", root())) {
        // Help texts are comments.
        let text = std::fs::read_to_string(&file).expect("a source file");
        text.lines().for_each(|line| look(&file, line));
    }
    let mut documents = text_files();
    documents.extend(["README.zh.md", "docs/zh/tutorial.md"].map(str::to_owned));
    for file in documents {
        let text = std::fs::read_to_string(format!("{}/{file}", root())).expect("it is there");
        text.lines().for_each(|line| look(&file, line));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
