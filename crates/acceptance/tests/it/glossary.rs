//! One term for one thing: no text that users read has a term that docs/STYLE.md replaces.

use crate::literals::{self, rust_files};

/// What is not said, and what is said instead.
const REPLACED: &[(&str, &str)] = &[
    ("no accident", "significant"),
    ("no chance", "significant"),
    ("nobody can tell", "inconclusive"),
    ("told apart", "differ significantly"),
    ("counts as the same", "equivalent"),
    ("stands in line", "queues"),
    ("waits in line", "queues"),
    ("overtak", "crossover"),
    ("fell silent", "stall"),
    ("bookend", "drift check"),
    ("put back", "restore"),
    ("kept copy", "dataset snapshot"),
    ("somebody else runs", "external server"),
    ("fit to decide", "valid"),
    ("breaks off", "collapses"),
    ("what the doctor says", "recommendation"),
];

#[test]
fn texts_use_the_terms_of_the_glossary() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let mut found = Vec::new();
    let mut look = |place: &str, text: &str| {
        let lower = text.to_lowercase();
        // A name in code, such as the key of a figure, has no space.
        let wrong = REPLACED.iter().filter(|(term, _)| lower.contains(' ') && lower.contains(term));
        found.extend(wrong.map(|(term, instead)| format!("{place}: '{term}' is '{instead}': {text}")));
    };
    for entry in std::fs::read_dir(format!("{root}/crates")).expect("the crates").flatten() {
        let sources = entry.path().join("src");
        for file in rust_files(&sources.display().to_string()) {
            let place = file.rsplit_once("/crates/").map_or(file.as_str(), |(_, place)| place);
            literals::of(&file).iter().for_each(|text| look(place, text));
        }
    }
    for file in ["messages/en/page.ftl", "README.md", "docs/tutorial.md"] {
        let text = std::fs::read_to_string(format!("{root}/{file}")).expect("it is there");
        text.lines().for_each(|line| look(file, line));
    }
    for directory in ["docs/how-to", "docs/explanation", "docs/reference"] {
        for entry in std::fs::read_dir(format!("{root}/{directory}")).expect("a directory").flatten() {
            let text = std::fs::read_to_string(entry.path()).expect("a page");
            text.lines().for_each(|line| look(&entry.path().display().to_string(), line));
        }
    }
    assert!(found.is_empty(), "docs/STYLE.md has other terms for these:\n{}", found.join("\n"));
}
