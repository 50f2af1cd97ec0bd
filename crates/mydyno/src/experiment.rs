//! Experiments: a question, and the sweeps that answer it, as a TOML file in the words of the command line.
//!
//! An experiment has arms (what is added to the target), workloads, and factors that vary either; every arm runs every
//! workload, unless combinations are listed. It is turned into the words of one `mydyno sweep` for each workload, so
//! that there is one grammar, and into one spec.

mod factor;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path as FilePath;

use model::{About, Levels, OnlyCell};
use serde::Deserialize;

use crate::error::{Outcome, UserError, nearest};
pub use factor::Path;
use factor::{Factor, Level, Variant, with};

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

/// What an experiment comes to: a sweep for each workload, on the same servers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The words of the sweeps.
    pub sweeps: Vec<Sweep>,
    /// Of each target, in their order: its label, if it is not called after what it is, and its levels.
    pub targets: Vec<(Option<String>, Levels)>,
    /// What varies.
    pub factors: Vec<model::Factor>,
    /// Targets and workloads, by position, that are run together, with so many clients; none: all of them.
    pub only: Option<Vec<(usize, usize, Option<u32>)>>,
}

/// The words of one sweep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    /// Label of the workload, if it is not called after what it is.
    pub label: Option<String>,
    /// Its levels of the factors.
    pub levels: Levels,
    /// `sweep`, the workload, and all options.
    pub words: Vec<String>,
}

impl Layout {
    /// The cells that are run, once everything has its label.
    pub fn only(&self, targets: &[&str], workloads: &[&str]) -> Vec<OnlyCell> {
        let cell = |(target, workload, threads): &(usize, usize, Option<u32>)| OnlyCell {
            target: targets[*target].to_owned(),
            workload: workloads[*workload].to_owned(),
            threads: *threads,
        };
        self.only.iter().flatten().map(cell).collect()
    }
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
            return Err(UserError::usage(format!("{name}: an experiment needs at least one [[workload]]")));
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
                return Err(UserError::usage(format!("{at} has {levels} levels and {labels} labels")));
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

    /// The targets that it runs on: those that were named, or its own, with what its arms add.
    ///
    /// # Errors
    /// Too few, or too many, were named.
    fn targets(&self, quick: bool, named: &[String]) -> Outcome<Vec<Variant>> {
        let variant = |text: &String| Variant { text: vec![text.clone()], ..Variant::default() };
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
            return Ok(targets.iter().map(variant).collect());
        }
        let own = || {
            let whole = |factor: &&Factor| *factor.path.get_ref() == Path::Target;
            let first = self.factor.iter().find(whole).map(|factor| &factor.levels[0].0);
            let listed = self.combination.first().and_then(|one| Some(&one.levels.get(&Path::Target)?.0));
            self.target.as_ref().or(first).or(listed)
        };
        let base = match named {
            [one] => one,
            [] => own().ok_or_else(|| {
                UserError::usage(format!("{}: it has neither target nor targets", self.name))
            })?,
            _ => {
                return Err(UserError::usage("this experiment runs on one --target, to which its arms add")
                    .hint("for several servers: mydyno sweep, or an experiment for each"));
            }
        };
        Ok(match self.arm.as_slice() {
            [] => vec![variant(base)],
            arms => arms
                .iter()
                .map(|arm| Variant { labels: vec![arm.label.clone()], ..variant(&with(base, &arm.adds)) })
                .collect(),
        })
    }

    /// The sweeps of it, on `named` targets instead of its own if there are any. The user's own words come last and win:
    /// what `fixed` says was typed does not vary.
    ///
    /// # Errors
    /// The targets do not fit the experiment.
    pub fn layout(
        &self,
        quick: bool,
        named: &[String],
        own: &[String],
        fixed: &dyn Fn(&Path) -> bool,
    ) -> Outcome<Layout> {
        let mut targets = self.targets(quick, named)?;
        let split = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let mut workloads: Vec<Variant> = self
            .workload
            .iter()
            .map(|one| Variant {
                labels: vec![one.label.clone()],
                text: split(&one.run),
                ..Variant::default()
            })
            .collect();
        if workloads.is_empty() {
            workloads.push(Variant::default());
        }
        let (mut threads, mut only) = (Vec::new(), None);
        let mut factors = Vec::new();
        let varies = |factor: &&Factor| {
            let path = factor.path.get_ref();
            !fixed(path) && (*path != Path::Target || named.is_empty())
        };
        // What the target is comes before what is added to it.
        let mut in_order: Vec<&Factor> = self.factor.iter().filter(varies).collect();
        in_order.sort_by_key(|factor| match factor.path.get_ref() {
            Path::Target => 0,
            Path::Build => 1,
            _ => 2,
        });
        for factor in in_order {
            let path = factor.path.get_ref();
            if let (Path::Build, Some(server)) =
                (path, targets.iter().find(|one| !factor::is_sandbox(&one.text[0])))
            {
                return Err(UserError::usage(format!(
                    "{}: {path} varies the build of a sandbox, and {} is none",
                    self.name,
                    server.label().unwrap_or_else(|| "the target".to_owned())
                )));
            }
            let levels: Vec<String> = factor.levels.iter().map(|level| level.0.clone()).collect();
            match path {
                Path::Threads => threads.clone_from(&levels),
                Path::Workload | Path::WorkloadOption(_) | Path::LoadOption(_) => {
                    workloads = product(&workloads, factor);
                }
                Path::Target | Path::Build | Path::TargetKey(_) => targets = product(&targets, factor),
            }
            factors.push(model::Factor { path: path.to_string(), levels });
        }
        if !self.combination.is_empty() {
            let listed = self.listed((&targets[0], &workloads[0]), !named.is_empty(), fixed);
            (targets, workloads, only) = (listed.targets, listed.workloads, Some(listed.cells));
            let counts =
                only.iter().flatten().filter_map(|(_, _, threads)| *threads).collect::<BTreeSet<_>>();
            threads = counts.iter().map(ToString::to_string).collect();
            factors = listed.factors;
        }
        let words = |workload: &Variant| {
            let mut words = vec!["sweep".to_owned(), "--bookend=on".to_owned()];
            words.extend(split(&self.options));
            words.extend(if quick { split(&self.quick) } else { Vec::new() });
            words.extend((!threads.is_empty()).then(|| format!("--threads={}", threads.join(","))));
            words.extend(workload.text.iter().cloned());
            words.extend(targets.iter().flat_map(|one| ["--target".to_owned(), one.text[0].clone()]));
            words.extend(own.iter().cloned());
            Sweep { label: workload.label(), levels: workload.levels.clone(), words }
        };
        Ok(Layout {
            sweeps: workloads.iter().map(words).collect(),
            targets: targets.iter().map(|one| (one.label(), one.levels.clone())).collect(),
            factors,
            only,
        })
    }

    /// What the combinations come to on this target with this workload.
    fn listed(
        &self,
        (target, workload): (&Variant, &Variant),
        named: bool,
        fixed: &dyn Fn(&Path) -> bool,
    ) -> Listed {
        let mut listed = Listed::default();
        for one in &self.combination {
            let (mut arm, mut load, mut clients) = (target.clone(), workload.clone(), None);
            for (path, level) in
                one.levels.iter().filter(|(path, _)| !(fixed(path) || named && **path == Path::Target))
            {
                let place = listed.factors.iter().position(|known| known.path == path.to_string());
                let place = place.unwrap_or_else(|| {
                    listed.factors.push(model::Factor { path: path.to_string(), levels: Vec::new() });
                    listed.factors.len() - 1
                });
                let levels = &mut listed.factors[place].levels;
                if !levels.contains(&level.0) {
                    levels.push(level.0.clone());
                }
                match path {
                    Path::Threads => clients = level.0.parse().ok(),
                    Path::Workload | Path::WorkloadOption(_) | Path::LoadOption(_) => {
                        load = load.at(path, &level.0, None);
                    }
                    Path::Target | Path::Build | Path::TargetKey(_) => arm = arm.at(path, &level.0, None),
                }
            }
            if let Some(label) = &one.label {
                arm.labels = vec![label.clone()];
            }
            let at = (position(&mut listed.targets, arm), position(&mut listed.workloads, load), clients);
            if !listed.cells.contains(&at) {
                listed.cells.push(at);
            }
        }
        listed
    }
}

/// What a list of combinations comes to.
#[derive(Default)]
struct Listed {
    targets: Vec<Variant>,
    workloads: Vec<Variant>,
    cells: Vec<(usize, usize, Option<u32>)>,
    factors: Vec<model::Factor>,
}

/// Where something stands, added if it is new.
fn position(all: &mut Vec<Variant>, one: Variant) -> usize {
    all.iter().position(|known| *known == one).unwrap_or_else(|| {
        all.push(one);
        all.len() - 1
    })
}

/// Each of them at every level.
fn product(variants: &[Variant], factor: &Factor) -> Vec<Variant> {
    let at = |variant: &Variant| {
        let levels = factor.levels.iter().enumerate();
        levels
            .map(|(place, level)| {
                let label = factor.labels.get(place).map(String::as_str);
                variant.at(factor.path.get_ref(), &level.0, label)
            })
            .collect::<Vec<_>>()
    };
    variants.iter().flat_map(at).collect()
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
        let nothing = |_: &Path| false;
        let one = ["mysql://u@db1/x".to_owned()];
        let layout = experiment.layout(true, &one, &own, &nothing).expect("one target");
        let sweeps = layout.sweeps;
        assert_eq!((sweeps.len(), layout.targets[0].0.as_deref()), (2, Some("plain")));
        let words = sweeps[1].words.join(" ");
        assert!(words.starts_with("sweep --bookend=on --tables 5 --table-size 1000000 "), "{words}");
        assert!(
            words.contains(" --tables 2 ") && words.contains(" oltp_read_write --reconnect=1 "),
            "{words}"
        );
        assert!(words.contains("--target mysql://u@db1/x?ssl-mode=DISABLED "), "{words}");
        assert!(words.ends_with(" --threads 4"), "{words}");
        let own_target =
            experiment.layout(false, &[], &[], &nothing).expect("its own").sweeps[0].words.join(" ");
        assert!(own_target.contains("sandbox:mysql?protocol=tcp&ssl-mode=DISABLED"), "{own_target}");
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
        let few = clouds
            .layout(false, &["mysql://db1".to_owned()], &[], &|_| false)
            .expect_err("one is no comparison");
        assert!(few.to_string().contains("name 2 or more with --target"), "{few}");
        let sweeps = clouds.layout(true, &[], &[], &|_| false).expect("the sandboxes stand in").sweeps;
        assert!(sweeps[0].words.join(" ").contains("--target sandbox:mysql --target sandbox:mariadb"));
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said_with_its_line() {
        let wrong = Experiment::parse("x.toml", "question = \"?\"\ntarget = \"sandbox:\"\nworklod = 1\n");
        let message = wrong.expect_err("a key is misspelt").to_string();
        assert!(message.contains("line 3") && message.contains("did you mean workload?"), "{message}");
        let factor = "question = \"?\"\ntarget = \"sandbox:\"\n[[factor]]\npath = \"workload.rand-typ\"\nlevels = [1]\n";
        let message = Experiment::parse("x.toml", factor).expect_err("an option is misspelt").to_string();
        assert!(
            message.contains("line 4, column 8") && message.contains("did you mean rand-type?"),
            "{message}"
        );
        let unknown = Experiment::find("tls-overhed").expect_err("misspelt").to_string();
        assert!(unknown.contains("did you mean tls-overhead?"), "{unknown}");
    }

    const FACTORS: &str = r#"
        question = "?"
        target = "sandbox:mysql"
        options = "--time 5"
        [[factor]]
        path = "target.sync_binlog"
        levels = [1, 0]
        [[factor]]
        path = "target.innodb_flush_log_at_trx_commit"
        levels = [1, 2]
        labels = ["durable", "relaxed"]
        [[factor]]
        path = "workload"
        levels = ["oltp_read_write", "tpcc"]
        [[factor]]
        path = "load.think-time"
        levels = [0, 0.5]
        [[factor]]
        path = "load.threads"
        levels = [4, 16]
    "#;

    #[test]
    fn factors_make_all_combinations() {
        let experiment = Experiment::parse("x.toml", FACTORS).expect("it is one");
        let layout = experiment.layout(false, &[], &[], &|_| false).expect("it has a target");
        let labels: Vec<_> =
            layout.targets.iter().map(|(label, _)| label.clone().unwrap_or_default()).collect();
        assert_eq!(
            labels,
            [
                "sync_binlog 1, durable",
                "sync_binlog 1, relaxed",
                "sync_binlog 0, durable",
                "sync_binlog 0, relaxed"
            ]
        );
        assert_eq!(layout.targets[3].1["target.sync_binlog"], "0");
        let labels: Vec<_> =
            layout.sweeps.iter().map(|sweep| sweep.label.clone().unwrap_or_default()).collect();
        assert_eq!(
            labels,
            [
                "oltp_read_write, think-time 0",
                "oltp_read_write, think-time 0.5",
                "tpcc, think-time 0",
                "tpcc, think-time 0.5"
            ]
        );
        let words = layout.sweeps[3].words.join(" ");
        assert!(
            words.starts_with("sweep --bookend=on --time 5 --threads=4,16 tpcc --think-time=0.5 --target"),
            "{words}"
        );
        assert_eq!((layout.factors.len(), layout.only), (5, None));
    }

    #[test]
    fn what_was_typed_does_not_vary() {
        let experiment = Experiment::parse("x.toml", FACTORS).expect("it is one");
        let typed =
            |path: &Path| path.to_string() == "load.think-time" || path.to_string() == "target.sync_binlog";
        let layout = experiment.layout(false, &[], &[], &typed).expect("it has a target");
        assert_eq!((layout.targets.len(), layout.sweeps.len(), layout.factors.len()), (2, 2, 3));
    }

    #[test]
    fn listed_combinations_are_the_only_ones() {
        let text = r#"
            question = "?"
            target = "sandbox:mysql"
            [[workload]]
            label = "mix"
            run = "oltp_read_write"
            [[combination]]
            levels = { "target.sync_binlog" = 1, "load.threads" = 4 }
            [[combination]]
            label = "fast"
            levels = { "target.sync_binlog" = 0, "load.threads" = 16 }
        "#;
        let experiment = Experiment::parse("x.toml", text).expect("it is one");
        let layout = experiment.layout(false, &[], &[], &|_| false).expect("it has a target");
        assert_eq!(layout.only, Some(vec![(0, 0, Some(4)), (1, 0, Some(16))]));
        let only = layout.only(&["slow", "fast"], &["mix"]);
        assert_eq!((only[1].target.as_str(), only[1].threads), ("fast", Some(16)));
        assert!(layout.sweeps[0].words.contains(&"--threads=4,16".to_owned()));
        let uneven = text.replace("\"target.sync_binlog\" = 0, ", "");
        assert!(Experiment::parse("x.toml", &uneven).is_err());
    }

    #[test]
    fn what_a_target_is_comes_before_what_is_added_to_it() {
        let text = r#"
            question = "?"
            [[factor]]
            path = "target.sync_binlog"
            levels = [1, 0]
            [[factor]]
            path = "target"
            levels = ["sandbox:mysql", "sandbox:mariadb?skip_log_bin=1"]
            [[workload]]
            label = "mix"
            run = "oltp_read_write"
        "#;
        let experiment = Experiment::parse("x.toml", text).expect("it is one");
        let layout = experiment.layout(false, &[], &[], &|_| false).expect("it has targets");
        let labels: Vec<_> =
            layout.targets.iter().map(|(label, _)| label.clone().unwrap_or_default()).collect();
        assert_eq!(
            labels,
            [
                "mysql, sync_binlog 1",
                "mysql, sync_binlog 0",
                "mariadb, sync_binlog 1",
                "mariadb, sync_binlog 0"
            ]
        );
        let words = layout.sweeps[0].words.join(" ");
        assert!(words.contains("--target sandbox:mariadb?skip_log_bin=1&sync_binlog=0"), "{words}");
    }

    #[test]
    fn what_would_be_left_out_or_contradict_itself_is_refused() {
        let head = "question = \"?\"\ntarget = \"sandbox:mysql\"\n";
        let arm = "[[arm]]\nlabel = \"x\"\nadds = \"sync-binlog=0\"\n";
        let mix = |label: &str| format!("[[workload]]\nlabel = \"{label}\"\nrun = \"oltp_read_write\"\n");
        let listed =
            |threads: &str| format!("[[combination]]\nlevels = {{ \"load.threads\" = {threads} }}\n");
        let refusal = |text: String| Experiment::parse("x.toml", &text).expect_err("refused").to_string();
        assert!(
            refusal(format!("{head}{arm}{}{}", mix("a"), listed("4")))
                .contains("combinations stand beside one target")
        );
        assert!(
            refusal(format!("{head}{}{}{}", mix("a"), mix("b"), listed("4")))
                .contains("at most one [[workload]]")
        );
        assert!(
            refusal(format!("{head}{}{}", mix("a"), listed("\"4,8\""))).contains("one number, not '4,8'")
        );
        let whole = "[[factor]]\npath = \"target\"\nlevels = [\"sandbox:mysql\"]\n";
        assert!(refusal(format!("{head}{arm}{}{whole}", mix("a"))).contains("arms add to one target"));
        let arms = Experiment::parse("x.toml", &format!("{head}{arm}{}", mix("a"))).expect("it is one");
        assert_eq!((arms.arm_that_sets("SYNC_BINLOG"), arms.arm_that_sets("port")), (Some("x"), None));
        let build = "[[factor]]\npath = \"target.basedir\"\nlevels = [\"/opt/a\"]\n";
        let experiment =
            Experiment::parse("x.toml", &format!("{head}{}{build}", mix("a"))).expect("it is one");
        let remote = ["mysql://u@db1/x".to_owned()];
        let said =
            experiment.layout(false, &remote, &[], &|_| false).expect_err("it is no sandbox").to_string();
        assert!(said.contains("varies the build of a sandbox"), "{said}");
    }
}
