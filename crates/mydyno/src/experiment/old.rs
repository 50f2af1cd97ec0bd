//! Experiments in the format of mydyno 0.1: options as flags in strings, arms as the text after the `?` of a target.

use std::collections::BTreeMap;

use serde::Deserialize;
use spec::{
    Arm, Combination, Document, Edit, FactorSpec, NamedWorkload, Need, OptionRow, Path, Quick, Values,
    WorkloadEntry,
};

use crate::error::{Outcome, UserError};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Experiment {
    question: String,
    question_zh: Option<String>,
    published: Option<String>,
    published_zh: Option<String>,
    shows: Option<String>,
    shows_zh: Option<String>,
    target: Option<String>,
    #[serde(default)]
    targets: usize,
    #[serde(default)]
    quick_targets: Vec<String>,
    #[serde(default)]
    need: Vec<OldNeed>,
    #[serde(default)]
    options: String,
    #[serde(default)]
    quick: String,
    #[serde(default)]
    arm: Vec<OldArm>,
    #[serde(default)]
    workload: Vec<OldWorkload>,
    #[serde(default)]
    factor: Vec<OldFactor>,
    #[serde(default)]
    combination: Vec<OldCombination>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OldNeed {
    #[serde(default)]
    cpus: u32,
    #[serde(default)]
    numa_nodes: u32,
    why: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OldArm {
    label: String,
    adds: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OldWorkload {
    label: String,
    run: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OldFactor {
    path: String,
    levels: Vec<toml::Value>,
    #[serde(default)]
    labels: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OldCombination {
    label: Option<String>,
    levels: BTreeMap<String, toml::Value>,
}

/// Whether a file uses anything that only the old form had.
pub fn is_old(text: &str) -> bool {
    let Ok(table) = text.parse::<toml::Table>() else { return false };
    let has = |key: &str, inner: &str| {
        let list = table.get(key).and_then(toml::Value::as_array);
        list.is_some_and(|list| list.iter().any(|one| one.get(inner).is_some()))
    };
    let strings = ["options", "quick"].iter().any(|key| table.get(*key).is_some_and(toml::Value::is_str));
    strings || table.contains_key("quick_targets") || has("arm", "adds") || has("workload", "run")
}

/// Reads one.
pub fn parse(text: &str) -> Outcome<Document> {
    let old: Experiment =
        toml::from_str(text).map_err(|error| UserError::usage(error.to_string().trim_end().to_owned()))?;
    let mut document = Document {
        question: Some(old.question),
        question_zh: old.question_zh,
        published: old.published,
        published_zh: old.published_zh,
        shows: old.shows,
        shows_zh: old.shows_zh,
        targets_at_least: old.targets,
        targets: old.target.iter().map(|text| spec::target(text)).collect::<Result<_, _>>()?,
        ..Document::default()
    };
    let need = |need: OldNeed| Need { cpus: need.cpus, numa_nodes: need.numa_nodes, why: need.why };
    document.needs = old.need.into_iter().map(need).collect();
    (document.values, document.defaults) = sorted(&old.options)?;
    let (values, defaults) = sorted(&old.quick)?;
    let targets = old.quick_targets.iter().map(|text| spec::target(text)).collect::<Result<_, _>>()?;
    document.quick = Quick { values, defaults, targets };
    for arm in old.arm {
        document.arms.push(Arm { label: arm.label, adds: adds(&arm.adds)? });
    }
    for one in old.workload {
        document.workloads.push(workload(&one)?);
    }
    for one in old.factor {
        let levels = one.levels.iter().map(level).collect();
        document.factors.push(FactorSpec { path: path(&one.path)?, levels, labels: one.labels });
    }
    for one in old.combination {
        let levels = one.levels.iter().map(|(text, value)| Ok((path(text)?, level(value))));
        let levels = levels.collect::<Outcome<_>>()?;
        document.combinations.push(Combination { label: one.label, levels });
    }
    // What is read from the new form has been checked.
    Ok(Document::parse(&document.to_toml())?)
}

/// Parses the text after a `?`: each key with its section.
fn adds(text: &str) -> Outcome<spec::TargetWords> {
    let target = spec::target(&format!("sandbox:?{text}"))?;
    let server = target.servers.into_iter().next().unwrap_or_default();
    let sections =
        [("connection", server.connection), ("settings", server.settings), ("placement", server.placement)];
    let qualified = |(section, words): (&str, spec::TargetWords)| {
        words.into_iter().map(|(key, value)| (format!("{section}.{key}"), value)).collect::<Vec<_>>()
    };
    Ok(sections.into_iter().flat_map(qualified).collect())
}

fn path(text: &str) -> Outcome<Path> {
    Ok(Path::parse(text)?)
}

fn level(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Boolean(on) => if *on { "on" } else { "off" }.to_owned(),
        other => other.to_string(),
    }
}

fn workload(one: &OldWorkload) -> Outcome<WorkloadEntry> {
    let (name, options) = one.run.split_once(' ').unwrap_or((&one.run, ""));
    let kind = NamedWorkload::named(name)?;
    let (load, values) = sorted(options)?;
    Ok(WorkloadEntry { label: Some(one.label.clone()), kind: Some(kind), values, load })
}

/// Flags as edits: those of load and design, and those of workloads.
fn sorted(flags: &str) -> Outcome<(Values, Values)> {
    let mut edits = Vec::new();
    let mut words = flags.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let Some(flag) = word.strip_prefix("--") else {
            return Err(UserError::usage(format!("'{word}' is not an option")));
        };
        let (name, attached) = flag.split_once('=').map_or((flag, None), |(name, value)| (name, Some(value)));
        let row = row(name)?;
        let value = match attached {
            Some(value) => value,
            None if row.bare().is_some() => row.bare().unwrap_or_default(),
            None => words.next().ok_or_else(|| UserError::usage(format!("--{name} needs a value")))?,
        };
        edits.push(Edit::read(row, value)?);
    }
    let (of_workloads, rest): (Vec<Edit>, Vec<Edit>) =
        edits.into_iter().partition(|edit| edit.row.path.starts_with("workload."));
    Ok((Values::default().with(rest), Values::default().with(of_workloads)))
}

fn row(name: &str) -> Outcome<&'static OptionRow> {
    let plain = name.replace('_', "-");
    let called = |row: &&OptionRow| {
        row.flag() == plain || row.aliases.iter().chain(row.hidden_aliases).any(|alias| *alias == plain)
    };
    spec::rows().find(called).ok_or_else(|| {
        UserError::usage(format!("unknown option '--{name}'")).hint(
            "a specification holds options of load, workload and repeats; give others on the command line",
        )
    })
}
