//! Experiments: a question, and the sweeps that answer it, as a TOML file in the words of the command line.
//!
//! An experiment has arms (what is added to the target) and workloads; every arm runs every workload. It is turned into
//! the words of one `mydyno sweep` for each workload, so that there is one grammar, and into one spec.

use std::path::Path;

use model::About;
use serde::Deserialize;

use crate::error::{Outcome, UserError, nearest};

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
    /// What others found, and how.
    published: Option<String>,
    /// What a small machine, or one server, can show of it and what not.
    #[serde(default)]
    pub shows: Option<String>,
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
    workload: Vec<Workload>,
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

/// The words of one sweep, and the label that its workload gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    /// Label of the workload.
    pub label: String,
    /// `sweep`, the workload, and all options.
    pub words: Vec<String>,
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
        let mut experiment =
            read.map_err(|error| UserError::usage(format!("{name}: {}", error.to_string().trim_end())))?;
        name.clone_into(&mut experiment.name);
        if experiment.workload.is_empty() {
            return Err(UserError::usage(format!("{name}: an experiment needs at least one [[workload]]")));
        }
        Ok(experiment)
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
            arms: !self.arm.is_empty(),
        }
    }

    /// A name for the run's directory.
    pub fn run_name(&self) -> String {
        let stem = Path::new(&self.name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
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

    /// The targets that it runs on: those that were named, or its own.
    ///
    /// # Errors
    /// Too few, or too many, were named.
    fn targets(&self, quick: bool, named: &[String]) -> Outcome<Vec<String>> {
        if self.targets > 0 {
            let targets = if named.is_empty() && quick { &self.quick_targets } else { named };
            if targets.len() < self.targets {
                let shows = self.shows.clone().unwrap_or_default();
                return Err(UserError::usage(format!(
                    "{} compares servers: name {} or more with --target",
                    self.name, self.targets
                ))
                .hint(shows));
            }
            return Ok(targets.to_vec());
        }
        let base = match (named, &self.target) {
            ([one], _) => one,
            ([], Some(own)) => own,
            ([], None) => {
                return Err(UserError::usage(format!("{}: it has neither target nor targets", self.name)));
            }
            _ => {
                return Err(UserError::usage("this experiment runs on one --target, to which its arms add")
                    .hint("for several servers: mydyno sweep, or an experiment for each"));
            }
        };
        Ok(match self.arm.as_slice() {
            [] => vec![base.clone()],
            arms => arms.iter().map(|arm| format!("{}={}", arm.label, with(base, &arm.adds))).collect(),
        })
    }

    /// The sweeps of it, on `named` targets instead of its own if there are any. The user's own words come last and win.
    ///
    /// # Errors
    /// The targets do not fit the experiment.
    pub fn sweeps(&self, quick: bool, named: &[String], own: &[String]) -> Outcome<Vec<Sweep>> {
        let targets = self.targets(quick, named)?;
        let split = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let of_workload = |workload: &Workload| {
            let mut words = vec!["sweep".to_owned()];
            words.extend(split(&self.options));
            words.extend(if quick { split(&self.quick) } else { Vec::new() });
            words.extend(split(&workload.run));
            words.extend(targets.iter().flat_map(|target| ["--target".to_owned(), target.clone()]));
            words.extend(own.iter().cloned());
            Sweep { label: workload.label.clone(), words }
        };
        Ok(self.workload.iter().map(of_workload).collect())
    }
}

/// A target with more behind its `?`.
fn with(base: &str, adds: &str) -> String {
    let mark = if base.contains('?') { "&" } else { "?" };
    if adds.is_empty() { base.to_owned() } else { format!("{base}{mark}{adds}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_experiment_of_the_catalogue_is_one() {
        for (name, _) in CATALOGUE {
            let experiment = Experiment::find(name).expect("it comes with the program");
            assert!(experiment.question.ends_with('?'), "{name}");
            let about = experiment.about(true);
            assert!(about.published.is_some_and(|published| !published.contains('\n')));
        }
    }

    #[test]
    fn arms_add_to_the_target_and_the_users_words_come_last() {
        let experiment = Experiment::find("tls-overhead").expect("it comes with the program");
        let own = ["--threads".to_owned(), "4".to_owned()];
        let sweeps = experiment.sweeps(true, &["mysql://u@db1/x".to_owned()], &own).expect("one target");
        assert_eq!(sweeps.len(), 2);
        let words = sweeps[1].words.join(" ");
        assert!(words.starts_with("sweep --tables 5 --table-size 1000000 "), "{words}");
        assert!(
            words.contains(" --tables 2 ") && words.contains(" oltp_read_write --reconnect=1 "),
            "{words}"
        );
        assert!(words.contains("--target plain=mysql://u@db1/x?ssl-mode=DISABLED "), "{words}");
        assert!(words.ends_with(" --threads 4"), "{words}");
        let own_target = experiment.sweeps(false, &[], &[]).expect("its own")[0].words.join(" ");
        assert!(own_target.contains("plain=sandbox:mysql?protocol=tcp&ssl-mode=DISABLED"), "{own_target}");
    }

    #[test]
    fn what_a_machine_cannot_show_is_refused() {
        let numa = Experiment::find("numa").expect("it comes with the program");
        let said = numa.out_of_reach(64, 1).expect("it has one node");
        assert_eq!(
            said,
            "it needs 2 memory nodes, this machine has 1 memory node: with one memory node there is nothing to spread over"
        );
        assert_eq!(numa.out_of_reach(64, 2), None);
        let latches = Experiment::find("latch-sharding").expect("it comes with the program");
        assert!(latches.out_of_reach(2, 1).is_some_and(|said| said.starts_with("it needs 32 CPUs")));
    }

    #[test]
    fn servers_that_are_to_be_compared_are_named() {
        let clouds = Experiment::find("cloud-comparison").expect("it comes with the program");
        let few = clouds.sweeps(false, &["mysql://db1".to_owned()], &[]).expect_err("one is no comparison");
        assert!(few.to_string().contains("name 2 or more with --target"), "{few}");
        let sweeps = clouds.sweeps(true, &[], &[]).expect("the sandboxes stand in");
        assert!(sweeps[0].words.join(" ").contains("--target sandbox:mysql --target sandbox:mariadb"));
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said_with_its_line() {
        let wrong = Experiment::parse("x.toml", "question = \"?\"\ntarget = \"sandbox:\"\nworklod = 1\n");
        let message = wrong.expect_err("a key is misspelt").to_string();
        assert!(message.contains("line 3") && message.contains("worklod"), "{message}");
        let unknown = Experiment::find("tls-overhed").expect_err("misspelt").to_string();
        assert!(unknown.contains("did you mean tls-overhead?"), "{unknown}");
    }
}
