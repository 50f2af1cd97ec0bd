//! The catalogue of experiments, and specifications in files of the user's own.

mod old;

use std::path::Path;

use spec::Document;

use crate::error::{Outcome, UserError, nearest};

/// The experiments that come with the program.
pub const CATALOGUE: [(&str, &str); 18] = [
    ("binary-ab", include_str!("../../../experiments/binary-ab.toml")),
    ("cloud-comparison", include_str!("../../../experiments/cloud-comparison.toml")),
    ("colocation", include_str!("../../../experiments/colocation.toml")),
    ("durability", include_str!("../../../experiments/durability.toml")),
    ("durability-risk", include_str!("../../../experiments/durability-risk.toml")),
    ("endurance", include_str!("../../../experiments/endurance.toml")),
    ("group-vs-semisync", include_str!("../../../experiments/group-vs-semisync.toml")),
    ("ha-cost", include_str!("../../../experiments/ha-cost.toml")),
    ("isolation", include_str!("../../../experiments/isolation.toml")),
    ("latch-sharding", include_str!("../../../experiments/latch-sharding.toml")),
    ("numa", include_str!("../../../experiments/numa.toml")),
    ("replica-apply", include_str!("../../../experiments/replica-apply.toml")),
    ("serial-stage", include_str!("../../../experiments/serial-stage.toml")),
    ("skip-trx-duplicates", include_str!("../../../experiments/skip-trx-duplicates.toml")),
    ("storage-types", include_str!("../../../experiments/storage-types.toml")),
    ("thread-pool", include_str!("../../../experiments/thread-pool.toml")),
    ("tls-overhead", include_str!("../../../experiments/tls-overhead.toml")),
    ("version-upgrade", include_str!("../../../experiments/version-upgrade.toml")),
];

/// The experiment of that name, or the specification in that file.
pub fn find(name: &str) -> Outcome<Document> {
    parse(name, &text(name)?)
}

/// The text of an experiment.
pub fn text(name: &str) -> Outcome<String> {
    if let Some((_, text)) = CATALOGUE.iter().find(|(known, _)| *known == name) {
        return Ok((*text).to_owned());
    }
    if !is_file(name) {
        let near = nearest(name, CATALOGUE.map(|(known, _)| known));
        let near = near.map(|near| format!("did you mean {near}? ")).unwrap_or_default();
        return Err(UserError::usage(format!("there is no experiment '{name}'")).hint(format!(
            "{near}they are listed by: mydyno experiments; a file of your own ends in .toml"
        )));
    }
    std::fs::read_to_string(name)
        .map_err(|error| UserError::usage(format!("the specification {name} cannot be read: {error}")))
}

/// Whether a word names a file with a specification.
pub fn is_file(word: &str) -> bool {
    word.ends_with(".toml")
}

fn parse(name: &str, text: &str) -> Outcome<Document> {
    let in_file = |error: UserError| UserError { message: format!("{name}: {}", error.message), ..error };
    if old::is_old(text) {
        let document = old::parse(text).map_err(in_file)?;
        crate::output::note(&format!(
            "! {name} is in the form of mydyno 0.1, with options as flags; the next version will not read it. The new form:\n\n{}",
            document.to_toml()
        ));
        return Ok(document);
    }
    if let Some(spec) = first_format(text) {
        return Document::of(&spec).map_err(|wrong| in_file(wrong.into()));
    }
    // A workload's file is named from where the specification is.
    let beside =
        |path: &str| Path::new(name).parent().map_or_else(|| path.into(), |folder| folder.join(path));
    let open = |path: &str| {
        std::fs::read_to_string(beside(path))
            .map_err(|error| spec::Wrong::of(format!("the workload {path} cannot be read: {error}")))
    };
    Document::parse_with(text, &open).map_err(|wrong| in_file(wrong.into()))
}

/// A specification as recordings of mydyno 0.1 hold it: resolved, and with labels of targets inside them.
fn first_format(text: &str) -> Option<model::Spec> {
    let is_first = text.parse::<toml::Table>().is_ok_and(|table| table.get("format") == Some(&1.into()));
    is_first.then(|| toml::from_str(text).ok()).flatten()
}

#[cfg(test)]
#[path = "experiment/tests.rs"]
mod tests;
