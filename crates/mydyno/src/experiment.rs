//! Experiments: a question, and the sweeps that answer it, as a TOML file in the words of the command line.
//!
//! An experiment has arms (what is added to the target), workloads, and factors that vary either; every arm runs every
//! workload, unless combinations are listed. It is turned into the words of one `mydyno sweep` for each workload, so
//! that there is one grammar, and into one spec.

mod factor;
mod layout;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path as FilePath;

use model::About;
use model::text::counted;
use serde::Deserialize;

use crate::error::{Outcome, UserError, nearest};
pub use factor::Path;
use factor::{Factor, Level};

/// The experiments that come with the program.
pub const CATALOGUE: [(&str, &str); 12] = [
    ("binary-ab", include_str!("../../../experiments/binary-ab.toml")),
    ("cloud-comparison", include_str!("../../../experiments/cloud-comparison.toml")),
    ("durability", include_str!("../../../experiments/durability.toml")),
    ("endurance", include_str!("../../../experiments/endurance.toml")),
    ("isolation", include_str!("../../../experiments/isolation.toml")),
    ("latch-sharding", include_str!("../../../experiments/latch-sharding.toml")),
    ("numa", include_str!("../../../experiments/numa.toml")),
    ("skip-trx-duplicates", include_str!("../../../experiments/skip-trx-duplicates.toml")),
    ("storage-types", include_str!("../../../experiments/storage-types.toml")),
    ("thread-pool", include_str!("../../../experiments/thread-pool.toml")),
    ("tls-overhead", include_str!("../../../experiments/tls-overhead.toml")),
    ("version-upgrade", include_str!("../../../experiments/version-upgrade.toml")),
];

/// An experiment as written.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// The name in the catalogue, or of the file.
    #[serde(skip)]
    pub name: String,
    /// What it is to answer.
    pub question: String,
    /// The same in Simplified Chinese.
    #[serde(default)]
    question_zh: Option<String>,
    /// What others found, and how.
    published: Option<String>,
    /// The same in Simplified Chinese.
    #[serde(default)]
    published_zh: Option<String>,
    /// What a small machine, or one server, can show of it and what not.
    #[serde(default)]
    pub shows: Option<String>,
    /// The same in Simplified Chinese.
    #[serde(default)]
    shows_zh: Option<String>,
    /// In the grammar of `--target`, without a label; none: the user names the targets.
    #[serde(default)]
    target: Option<String>,
    /// So many targets at least, which the user names; 0: one, to which arms add.
    #[serde(default)]
    targets: usize,
    /// Those that stand in for them in the size of minutes.
    #[serde(default)]
    quick_targets: Vec<String>,
    /// What the machine must have for it to show anything.
    #[serde(default)]
    need: Vec<Need>,
    /// Options of `sweep` for all of it.
    #[serde(default)]
    options: String,
    /// Options that make it a matter of minutes; they replace those of the same name.
    #[serde(default)]
    quick: String,
    /// What differs between the servers, or in how they are reached; none: one arm.
    #[serde(default)]
    arm: Vec<Arm>,
    #[serde(default)]
    workload: Vec<Workload>,
    /// What varies besides; all combinations are run.
    #[serde(default)]
    factor: Vec<Factor>,
    /// Combinations of levels; only these are run.
    #[serde(default)]
    combination: Vec<Combination>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arm {
    label: String,
    /// Behind the `?` of the target.
    adds: String,
}

/// A property of the machine without which an experiment shows nothing.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Need {
    #[serde(default)]
    cpus: u32,
    #[serde(default)]
    numa_nodes: u32,
    why: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Workload {
    label: String,
    /// A workload and its options.
    run: String,
}

/// Levels of several factors at once.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Combination {
    /// What charts call the server of it.
    #[serde(default)]
    label: Option<String>,
    levels: BTreeMap<Path, Level>,
}

impl Experiment {
    /// The experiment of that name, or in that file.
    pub fn find(name: &str) -> Outcome<Self> {
        if let Some((_, text)) = CATALOGUE.iter().find(|(known, _)| *known == name) {
            return Self::parse(name, text);
        }
        if !name.ends_with(".toml") {
            let near = nearest(name, CATALOGUE.map(|(known, _)| known));
            let near = near.map(|near| format!("did you mean {near}? ")).unwrap_or_default();
            return Err(UserError::usage(format!("there is no experiment '{name}'")).hint(format!(
                "{near}they are listed by: mydyno experiments; a file of your own ends in .toml"
            )));
        }
        let text = std::fs::read_to_string(name)
            .map_err(|error| UserError::usage(format!("the experiment {name} cannot be read: {error}")))?;
        Self::parse(name, &text)
    }

    fn parse(name: &str, text: &str) -> Outcome<Self> {
        let read: Result<Self, _> = toml::from_str(text);
        let mut experiment = read.map_err(|error| {
            let error = error.to_string();
            let wrong = UserError::usage(format!("{name}: {}", error.trim_end()));
            match nearest_key(&error) {
                Some(near) => wrong.hint(format!("did you mean {near}?")),
                None => wrong,
            }
        })?;
        name.clone_into(&mut experiment.name);
        experiment.check(text)?;
        Ok(experiment)
    }

    /// What the form alone does not see to.
    fn check(&self, text: &str) -> Outcome<()> {
        let name = &self.name;
        let paths = || {
            let listed = self.combination.iter().flat_map(|one| one.levels.keys());
            self.factor.iter().map(|factor| factor.path.get_ref()).chain(listed)
        };
        if self.workload.is_empty() && !paths().any(|path| *path == Path::Workload) {
            let error = UserError::usage(format!("{name}: an experiment needs at least one [[workload]]"));
            return Err(error.hint("or a factor over workloads: path = \"workload\" and its levels"));
        }
        if !self.factor.is_empty() && !self.combination.is_empty() {
            return Err(UserError::usage(format!(
                "{name}: either factors, of which all combinations are run, or a list of combinations"
            )));
        }
        if let Some(first) = self.combination.first()
            && self.combination.iter().any(|one| !one.levels.keys().eq(first.levels.keys()))
        {
            return Err(UserError::usage(format!(
                "{name}: every [[combination]] gives a level of the same paths"
            )));
        }
        let listed = !self.combination.is_empty();
        if listed && (!self.arm.is_empty() || self.targets > 0 || self.workload.len() > 1) {
            return Err(UserError::usage(format!(
                "{name}: combinations stand beside one target and at most one [[workload]]; put arms and workloads into their levels"
            )));
        }
        let numbers = self.combination.iter().filter_map(|one| one.levels.get(&Path::Threads));
        if let Some(wrong) = numbers.map(|level| &level.0).find(|level| level.parse::<u32>().is_err()) {
            return Err(UserError::usage(format!(
                "{name}: load.threads of a combination is one number, not '{wrong}'"
            )));
        }
        if !self.arm.is_empty() && paths().any(|path| *path == Path::Target) {
            return Err(UserError::usage(format!(
                "{name}: arms add to one target, and a factor varies it: leave one of them out, or make the arms a factor"
            )));
        }
        let mut seen = BTreeSet::new();
        for factor in &self.factor {
            let (line, column) = place(text, factor.path.span().start);
            let at = format!("{name}: line {line}, column {column}: the factor {}", factor.path.get_ref());
            if !seen.insert(factor.path.get_ref()) {
                return Err(UserError::usage(format!("{at} is there twice")));
            }
            if factor.levels.is_empty() {
                return Err(UserError::usage(format!("{at} has no levels")));
            }
            if !factor.labels.is_empty() && factor.labels.len() != factor.levels.len() {
                let (levels, labels) = (factor.levels.len(), factor.labels.len());
                let (levels, labels) = (counted(levels as u64, "level"), counted(labels as u64, "label"));
                return Err(UserError::usage(format!("{at} has {levels} and {labels}")));
            }
        }
        Ok(())
    }

    /// What the recording keeps of it.
    pub fn about(&self, quick: bool) -> About {
        let one_line = |text: &String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        About {
            experiment: self.name.clone(),
            question: one_line(&self.question),
            published: self.published.as_ref().map(one_line),
            shows: self.shows.as_ref().map(one_line),
            quick,
            arms: !self.arm.is_empty() || self.varies_targets(),
            question_zh: self.question_zh.as_ref().map(one_line),
            published_zh: self.published_zh.as_ref().map(one_line),
            shows_zh: self.shows_zh.as_ref().map(one_line),
        }
    }

    /// A name for the run's directory.
    pub fn run_name(&self) -> String {
        let stem = FilePath::new(&self.name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if stem.is_empty() { "experiment".to_owned() } else { stem }
    }

    /// Why it shows nothing on a machine with so many CPUs and memory nodes; none if it may.
    ///
    /// What is needed is looked for on this machine: of a server elsewhere nobody knows.
    pub fn out_of_reach(&self, cpus: u32, numa_nodes: u32) -> Option<String> {
        let counted = |n: u32, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
        self.need.iter().find_map(|need| {
            let (wanted, there) = if need.cpus > cpus {
                (counted(need.cpus, "CPU"), counted(cpus, "CPU"))
            } else if need.numa_nodes > numa_nodes {
                (counted(need.numa_nodes, "memory node"), counted(numa_nodes, "memory node"))
            } else {
                return None;
            };
            Some(format!("it needs {wanted}, this machine has {there}: {}", need.why))
        })
    }

    /// The arm that sets that variable, if one does: what arms differ in cannot be set for all of them.
    pub fn arm_that_sets(&self, name: &str) -> Option<&str> {
        let plain = |text: &str| text.trim().replace('-', "_").to_ascii_lowercase();
        let sets = |arm: &&Arm| {
            arm.adds.split('&').any(|part| plain(part.split('=').next().unwrap_or_default()) == plain(name))
        };
        self.arm.iter().find(sets).map(|arm| arm.label.as_str())
    }

    /// True if some factor makes arms.
    fn varies_targets(&self) -> bool {
        let of_target = |path: &Path| matches!(path, Path::Target | Path::Build | Path::TargetKey(_));
        self.factor.iter().any(|factor| of_target(factor.path.get_ref()))
            || self.combination.iter().any(|one| one.levels.keys().any(of_target))
    }
}

/// Line and column of a byte, from 1.
fn place(text: &str, byte: usize) -> (usize, usize) {
    let before = &text[..byte.min(text.len())];
    let line = before.matches('\n').count() + 1;
    (line, before.chars().rev().take_while(|c| *c != '\n').count() + 1)
}

/// Of a message about an unknown key, the known one that is meant: `unknown field `x`, expected one of `y`, `z``.
fn nearest_key(message: &str) -> Option<String> {
    let mut quoted = message.split_once("unknown field ")?.1.split('`').skip(1).step_by(2);
    let wrong = quoted.next()?;
    nearest(wrong, quoted).map(str::to_owned)
}

#[cfg(test)]
mod tests;
