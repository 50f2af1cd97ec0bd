//! Checks README and docs/ against this program: links lead somewhere, and command lines are accepted.

use std::fs;
use std::path::{Path, PathBuf};

use crate::options::{dialect, meaning};
use crate::{cli, commandline};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every page with its text.
fn pages() -> Vec<(PathBuf, String)> {
    let mut directories = vec![root().join("docs")];
    let mut found: Vec<PathBuf> = ["README.md", "README.zh.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
        .into_iter()
        .map(|name| root().join(name))
        .collect();
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).expect("docs can be listed") {
            let path = entry.expect("docs can be listed").path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.into_iter().map(|path| (path.clone(), fs::read_to_string(path).expect("it is text"))).collect()
}

/// The targets of `[text](target)`.
fn links(text: &str) -> Vec<&str> {
    let ends = text.split("](").skip(1);
    ends.filter_map(|rest| Some(rest.split_once(')')?.0)).filter(|target| !target.contains(' ')).collect()
}

#[test]
fn every_relative_link_leads_to_a_file() {
    let mut broken = Vec::new();
    for (page, text) in pages() {
        for link in links(&text).into_iter().filter(|link| !link.contains("://")) {
            let file = link.split('#').next().unwrap_or_default();
            let directory = page.parent().expect("a page lies in a directory");
            if !file.is_empty() && !directory.join(file).exists() {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert_eq!(broken, [""; 0]);
}

/// Words of a command line, split like by a shell, up to those that are not for the program.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (quote, c) {
            (None, ' ' | ';' | '>' | '|' | '#') => {
                words.extend(word.take());
                if c != ' ' {
                    return words;
                }
            }
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(open), c) if c == open => quote = None,
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Command lines in indented blocks; those with a placeholder (`...`, `a|b`) are no commands.
fn command_lines(text: &str) -> Vec<String> {
    let text = text.replace("\\\n", " ");
    let lines = text.lines().filter_map(|line| line.strip_prefix("    ")).map(str::trim_start);
    let lines =
        lines.map(|line| line.strip_prefix("$ ").unwrap_or(line)).filter(|line| line.starts_with("mydyno "));
    lines.filter(|line| !line.contains("...") && !line.contains("text|")).map(str::to_owned).collect()
}

#[test]
fn every_command_line_is_accepted() {
    let mut refused = Vec::new();
    let mut accepted = 0;
    // The workload that the pages have a user begin with, and a script.
    let place = tempfile::tempdir().expect("there is a directory for temporary files");
    let shop = place.path().join("shop.toml");
    fs::write(&shop, include_str!("verbs/workload_template.toml")).expect("it can be written");
    let script = place.path().join("mine.lua");
    fs::write(&script, "sysbench.cmdline.options = { rows = {'Rows', 1} } function event() end")
        .expect("likewise");
    let command = cli::command();
    for (page, text) in pages() {
        if page.components().any(|part| part.as_os_str() == "reference") {
            continue;
        }
        for line in command_lines(&text) {
            let line = line.replace(" shop.toml", &format!(" {}", shop.display()));
            let line = line.replace(" ./mine.lua", &format!(" {}", script.display()));
            let typed = meaning::rearranged(words(&line).split_off(1));
            let typed =
                dialect::modernise(typed, &cli::verb_names()).expect("sysbench's old names are not taught");
            let typed = commandline::with_script_options(typed, &command);
            let mydyno = std::iter::once("mydyno".to_owned());
            match cli::command().try_get_matches_from(mydyno.chain(typed)) {
                Ok(_) => accepted += 1,
                Err(error) => refused.push(format!("{}: {line}: {error}", page.display())),
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert!(accepted > 50, "only {accepted} command lines were found");
}
