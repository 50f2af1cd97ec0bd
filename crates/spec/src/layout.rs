//! Resolves a specification: its targets and workloads at every level of its factors.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use model::{Levels, OnlyCell};

use crate::document::{Combination, Document, FactorSpec};
use crate::kind::Kind;
use crate::path::Path;
use crate::target::TargetSpec;
use crate::values::{Edit, Values, Wrong};
use crate::word;
use crate::workload::NamedWorkload;

/// A target on its way to a plan.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TargetAt {
    /// Its label; none: one is derived from its servers.
    pub label: Option<String>,
    /// The target.
    pub target: TargetSpec,
    /// Its levels by path.
    pub levels: Levels,
}

/// A workload on its way to a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkloadAt {
    /// Its label; none: its name.
    pub label: Option<String>,
    /// The workload.
    pub kind: NamedWorkload,
    /// Its options.
    pub values: Values,
    /// Options of the load that only it has.
    pub load: Values,
    /// Its levels by path.
    pub levels: Levels,
}

/// The resolved specification.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Targets, in their order.
    pub targets: Vec<TargetAt>,
    /// Workloads, in their order.
    pub workloads: Vec<WorkloadAt>,
    /// Options of load and design.
    pub values: Values,
    /// The factors.
    pub factors: Vec<model::Factor>,
    /// Pairs of target and workload, by position, that are run together, with a number of clients; none: all of them.
    pub only: Option<Vec<(usize, usize, Option<u32>)>>,
}

impl Layout {
    /// The cells that are run, once everything has its label.
    pub fn only(&self, targets: &[&str], workloads: &[&str]) -> Vec<OnlyCell> {
        let cell = |(target, workload, clients): &(usize, usize, Option<u32>)| OnlyCell {
            target: targets[*target].to_owned(),
            workload: workloads[*workload].to_owned(),
            threads: *clients,
        };
        self.only.iter().flatten().map(cell).collect()
    }
}

/// Settings given beside a specification, which override it: they do not vary.
#[derive(Debug, Clone, Default)]
pub struct Fixed<'a> {
    /// Options.
    pub edits: &'a [Edit],
    /// Server variables of all targets.
    pub variables: Vec<&'a str>,
    /// The targets were named.
    pub targets: bool,
}

impl Fixed<'_> {
    fn has(&self, path: &Path) -> bool {
        match path {
            Path::Target => self.targets,
            Path::Workload | Path::Build | Path::Topology(_) => false,
            Path::TargetKey(_) => self.variables.iter().any(|name| path.is_variable(name)),
            Path::Option(row) => self.edits.iter().any(|edit| edit.row.path == row.path),
        }
    }
}

/// The parts of a variant.
#[derive(Debug, Clone, PartialEq)]
struct Parts<T> {
    labels: Vec<String>,
    what: T,
    levels: Levels,
}

/// A workload that may not be named yet.
#[derive(Debug, Clone, Default, PartialEq)]
struct Draft {
    kind: Option<NamedWorkload>,
    values: Values,
    load: Values,
    /// The workloads in files that a level may name.
    files: Rc<BTreeMap<String, NamedWorkload>>,
}

impl<T> Parts<T> {
    fn plain(what: T) -> Self {
        Self { labels: Vec::new(), what, levels: Levels::new() }
    }

    fn label(&self) -> Option<String> {
        (!self.labels.is_empty()).then(|| self.labels.join(", "))
    }

    /// The variant at a level, which is added to the label if it has one.
    fn at(mut self, path: &Path, level: &str, label: Option<String>) -> Self {
        self.levels.insert(path.to_string(), level.to_owned());
        self.labels.extend(label);
        self
    }
}

/// The label of a level in charts.
fn level_label(path: &Path, level: &str, label: Option<&String>) -> Result<Option<String>, Wrong> {
    Ok(match (label, path) {
        (Some(label), _) => Some(label.clone()),
        (None, Path::Option(_)) if path.is_clients() => None,
        (None, Path::Target) => Some(word::target(level)?.short()),
        (None, Path::Workload | Path::Build | Path::Topology("topology")) => Some(level.to_owned()),
        (None, _) => Some(format!("{} {level}", path.name())),
    })
}

impl Parts<TargetSpec> {
    fn varied(&self, path: &Path, level: &str, label: Option<&String>) -> Result<Self, Wrong> {
        let mut new = self.clone().at(path, level, level_label(path, level, label)?);
        match path {
            Path::Target => new.what = word::target(level)?,
            Path::Build if new.what.servers.iter().all(|server| server.sandbox.is_none()) => {
                let named = self.label().unwrap_or_else(|| "the target".to_owned());
                return Err(Wrong::of(format!("{path} varies the build of a sandbox, and {named} is none")));
            }
            Path::Build => new.what = new.what.with_build(level),
            Path::Topology(key) => new.what = new.what.rearranged(key, level)?,
            Path::TargetKey(key) if !new.what.has(key) => {
                let named = self.label().unwrap_or_else(|| "the target".to_owned());
                return Err(Wrong::of(format!("{path} varies replicas, and {named} has none")));
            }
            Path::TargetKey(key) => new.what.set(key, level),
            Path::Workload | Path::Option(_) => {}
        }
        Ok(new)
    }
}

impl Parts<Draft> {
    fn varied(&self, path: &Path, level: &str, label: Option<&String>) -> Result<Self, Wrong> {
        let mut new = self.clone().at(path, level, level_label(path, level, label)?);
        match path {
            Path::Workload => {
                let in_file = new.what.files.get(level).cloned();
                new.what.kind = Some(in_file.map_or_else(|| NamedWorkload::named(level), Ok)?);
            }
            Path::Option(_) if path.is_clients() => {}
            Path::Option(row) if row.path.starts_with("load.") => new.what.load.set(Edit::read(row, level)?),
            Path::Option(row) => new.what.values.set(Edit::read(row, level)?),
            _ => {}
        }
        Ok(new)
    }
}

impl Document {
    /// Applies fixed settings: they no longer vary. Server variables are set by [`Document::set_variable`].
    pub fn fix(&mut self, fixed: &Fixed) {
        self.factors.retain(|factor| !fixed.has(&factor.path));
        for one in &mut self.combinations {
            one.levels.retain(|(path, _)| !fixed.has(path));
        }
        let options = || fixed.edits.iter().filter(|edit| edit.row.path.starts_with("workload.")).cloned();
        self.defaults = self.defaults.with(options());
        for workload in &mut self.workloads {
            let kind = workload.kind.clone();
            let own = options().filter(|edit| kind.as_ref().is_none_or(|kind| kind.has(edit.row)));
            workload.values = workload.values.with(own);
        }
    }

    /// Whether a target or an arm has this label.
    pub fn has_label(&self, label: &str) -> bool {
        let targets = self.targets.iter().filter_map(|target| target.label.as_deref());
        targets.chain(self.arms.iter().map(|arm| arm.label.as_str())).any(|known| known == label)
    }

    /// Sets a server variable on all targets, or on the target or arm of that label.
    pub fn set_variable(&mut self, label: Option<&str>, name: &str, value: &str) {
        let targets =
            self.targets.iter_mut().filter(|target| label.is_none() || target.label.as_deref() == label);
        targets.for_each(|target| target.set(&format!("settings.{name}"), value));
        for arm in self.arms.iter_mut().filter(|arm| Some(arm.label.as_str()) == label) {
            arm.adds.insert(format!("settings.{name}"), value.to_owned());
        }
    }

    /// Resolves the document. Fixed settings win, and do not vary.
    ///
    /// # Errors
    /// The targets do not fit, a level is invalid, or a workload has no name.
    pub fn layout(&self, fixed: &Fixed) -> Result<Layout, Wrong> {
        let mut targets = self.base_targets()?;
        let mut workloads: Vec<Parts<Draft>> = self.workloads.iter().map(|one| self.draft(one)).collect();
        if workloads.is_empty() {
            let files = Rc::new(self.files.clone());
            workloads.push(Parts::plain(Draft { values: self.defaults.clone(), files, ..Draft::default() }));
        }
        let (mut clients, mut only, mut factors) = (None, None, Vec::new());
        // What the target is comes before what is added to it.
        let mut in_order: Vec<&FactorSpec> =
            self.factors.iter().filter(|one| !fixed.has(&one.path)).collect();
        in_order.sort_by_key(|factor| factor.path.rank());
        for factor in in_order {
            if factor.path.is_clients() {
                clients = Some(factor.levels.join(","));
            } else if factor.path.is_of_target() {
                targets = product(&targets, factor, Parts::<TargetSpec>::varied)?;
            } else {
                workloads = product(&workloads, factor, Parts::<Draft>::varied)?;
            }
            factors.push(model::Factor { path: factor.path.to_string(), levels: factor.levels.clone() });
        }
        if let [workload] = workloads.as_slice()
            && !self.combinations.is_empty()
            && let Some(target) = targets.first()
        {
            let listed = listed(&self.combinations, target, workload, fixed)?;
            let counts: BTreeSet<u32> = listed.cells.iter().filter_map(|(_, _, clients)| *clients).collect();
            let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
            clients = (!counts.is_empty()).then(|| counts.join(","));
            (targets, workloads, factors) = (listed.targets, listed.workloads, listed.factors);
            only = Some(listed.cells);
        }
        let mut values = self.values.clone();
        if let Some(text) = clients {
            values.set(Edit::read(crate::table::row("load.clients").expect("the table has it"), &text)?);
        }
        let of_workload = |edit: &&Edit| edit.row.path.starts_with("workload.");
        let values = values.with(fixed.edits.iter().filter(|edit| !of_workload(edit)).cloned());
        let finish = |one: Parts<Draft>| finished(one, fixed);
        Ok(Layout {
            targets: targets
                .into_iter()
                .map(|one| TargetAt { label: one.label(), target: one.what, levels: one.levels })
                .collect(),
            workloads: workloads.into_iter().map(finish).collect::<Result<_, _>>()?,
            values,
            factors,
            only,
        })
    }

    /// The targets, with what the arms add.
    fn base_targets(&self) -> Result<Vec<Parts<TargetSpec>>, Wrong> {
        if self.targets.len() < self.targets_at_least {
            return Err(Wrong::of(format!("it compares servers: name {} or more", self.targets_at_least))
                .hint(self.shows.clone().unwrap_or_default()));
        }
        let mut plain: Vec<Parts<TargetSpec>> = self
            .targets
            .iter()
            .map(|target| Parts {
                labels: target.label.iter().cloned().collect(),
                ..Parts::plain(target.clone())
            })
            .collect();
        if plain.is_empty() && self.paths().any(|path| *path == Path::Target) {
            plain.push(Parts::plain(TargetSpec::default()));
        }
        if self.arms.is_empty() && self.combinations.is_empty() {
            return Ok(plain);
        }
        let [base] = plain.as_slice() else {
            return Err(Wrong::of("this experiment runs on one target, to which its arms add")
                .hint("for several servers: a sweep, or an experiment for each"));
        };
        let arm = |arm: &crate::document::Arm| {
            let mut target = base.what.clone();
            arm.adds.iter().for_each(|(key, value)| target.set(key, value));
            Parts { labels: vec![arm.label.clone()], ..Parts::plain(target) }
        };
        Ok(if self.arms.is_empty() { plain } else { self.arms.iter().map(arm).collect() })
    }

    fn draft(&self, one: &crate::document::WorkloadEntry) -> Parts<Draft> {
        let values = self.defaults.with(one.values.edits().cloned());
        let files = Rc::new(self.files.clone());
        let draft = Draft { kind: one.kind.clone(), values, load: one.load.clone(), files };
        Parts { labels: one.label.iter().cloned().collect(), ..Parts::plain(draft) }
    }
}

/// A workload with its options: the applicable ones of those given for all, and the fixed ones.
fn finished(one: Parts<Draft>, fixed: &Fixed) -> Result<WorkloadAt, Wrong> {
    let label = one.label();
    let kind = one.what.kind.clone().ok_or_else(|| Wrong::of("a workload has no name: its key is kind"))?;
    let own = |edits: &Values| edits.edits().filter(|edit| kind.has(edit.row)).cloned().collect::<Vec<_>>();
    let typed =
        fixed.edits.iter().filter(|edit| edit.row.path.starts_with("workload.") && kind.has(edit.row));
    Ok(WorkloadAt {
        label,
        kind: kind.clone(),
        values: Values::default().with(own(&one.what.values)).with(typed.cloned()),
        load: one.what.load,
        levels: one.levels,
    })
}

/// Each variant at every level.
fn product<T>(
    variants: &[Parts<T>],
    factor: &FactorSpec,
    at: impl Fn(&Parts<T>, &Path, &str, Option<&String>) -> Result<Parts<T>, Wrong>,
) -> Result<Vec<Parts<T>>, Wrong> {
    let mut all = Vec::new();
    for variant in variants {
        for (place, level) in factor.levels.iter().enumerate() {
            all.push(at(variant, &factor.path, level, factor.labels.get(place))?);
        }
    }
    Ok(all)
}

/// The resolved list of combinations.
#[derive(Default)]
struct Listed {
    targets: Vec<Parts<TargetSpec>>,
    workloads: Vec<Parts<Draft>>,
    cells: Vec<(usize, usize, Option<u32>)>,
    factors: Vec<model::Factor>,
}

fn listed(
    combinations: &[Combination],
    target: &Parts<TargetSpec>,
    workload: &Parts<Draft>,
    fixed: &Fixed,
) -> Result<Listed, Wrong> {
    let mut listed = Listed::default();
    for one in combinations {
        let (mut arm, mut load, mut clients) = (target.clone(), workload.clone(), None);
        let mut in_order: Vec<_> = one.levels.iter().filter(|(path, _)| !fixed.has(path)).collect();
        in_order.sort_by_key(|(path, _)| path.rank());
        for (path, level) in in_order {
            let path_text = path.to_string();
            let place = listed.factors.iter().position(|known| known.path == path_text);
            let place = place.unwrap_or_else(|| {
                listed.factors.push(model::Factor { path: path_text, levels: Vec::new() });
                listed.factors.len() - 1
            });
            let levels = &mut listed.factors[place].levels;
            if !levels.contains(level) {
                levels.push(level.clone());
            }
            if path.is_clients() {
                clients = one_number(level)?;
            } else if path.is_of_target() {
                arm = arm.varied(path, level, None)?;
            } else {
                load = load.varied(path, level, None)?;
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
    Ok(listed)
}

fn one_number(level: &str) -> Result<Option<u32>, Wrong> {
    match Kind::Clients.parse(level) {
        Ok(crate::kind::Value::Clients(list)) if list.len() == 1 => Ok(list.first().copied()),
        _ => Err(Wrong::of(format!("load.clients of a combination is one number, not '{level}'"))),
    }
}

/// Position of an entry, which is added if it is new.
fn position<T: PartialEq>(all: &mut Vec<Parts<T>>, one: Parts<T>) -> usize {
    all.iter().position(|known| *known == one).unwrap_or_else(|| {
        all.push(one);
        all.len() - 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If only a factor names the workloads, no `[[workload]]` carries the defaults.
    #[test]
    fn workloads_of_a_factor_have_the_defaults() {
        let text = "target = \"sandbox:\"\n[defaults]\ntable_size = 500\nwarehouses = 3\n\
                    [[factor]]\npath = \"workload\"\nlevels = [\"oltp_read_only\", \"tpcc\"]\n";
        let document = Document::parse(text).expect("valid");
        let layout = document.layout(&Fixed::default()).expect("valid");
        let paths =
            |at: usize| layout.workloads[at].values.edits().map(|edit| edit.row.path).collect::<Vec<_>>();
        assert_eq!((paths(0), paths(1)), (vec!["workload.table_size"], vec!["workload.warehouses"]));
    }
}
