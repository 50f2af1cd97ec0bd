//! What an experiment comes to: targets, sweeps, and which of them are run together.

use std::collections::BTreeSet;

use model::{Levels, OnlyCell};

use super::Experiment;
use super::factor::{self, Factor, Path, Variant, with};
use crate::error::{Outcome, UserError};

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
