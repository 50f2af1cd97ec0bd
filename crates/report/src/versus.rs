//! Compares two recordings, or two targets of one, point by point where both measured.

pub(crate) mod capacities;

use std::collections::BTreeSet;

use analysis::contest::{Point, contest, pairing};
use analysis::signs::signs;
use analysis::{CellSummary, Judgement, Metric, Words};
use messages::message;
use model::About;
use serde::{Deserialize, Serialize};
use store::{ReadError, Recording};

use crate::build::input::RunInput;
use crate::build::{read, summarise_run, trust};
use crate::versus::capacities::Searched;
use crate::worth::Worth;

/// One side of a comparison: a run, and one of its targets unless it has only one.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// The run.
    pub run: &'a Recording,
    /// Label of the target; none: each against the one of the same label, or the only one.
    pub target: Option<&'a str>,
}

/// A comparison of two sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Versus {
    /// Pairs of targets.
    pub pairs: Vec<Pair>,
    /// Comparability warnings: shown before any figure.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Words>,
    /// Other differences, and notes for the reader.
    pub notes: Vec<Words>,
    /// Equivalence margin: ratios within this distance of 1 are equivalent.
    pub margin: f64,
}

/// A target against another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// The base, as `RECORDING:TARGET`.
    pub base: String,
    /// The target compared with it.
    pub other: String,
    /// Validity of the cells of both sides, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validity: Option<Words>,
    /// Every workload and number of clients that both completed, by every metric.
    pub points: Vec<Point>,
    /// Cells that one side completed and the other not, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Words>,
    /// Cost efficiency of both sides, if both prices are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worth: Option<Worth>,
}

/// Compares by these metrics.
///
/// # Errors
/// A recording cannot be read.
pub fn versus(
    base: Side<'_>,
    other: Side<'_>,
    metrics: &[&Metric],
    margin: f64,
) -> Result<Versus, ReadError> {
    let (a, b) = (read::input(base.run)?, read::input(other.run)?);
    Ok(versus_of((&a, base.target), (&b, other.target), metrics, margin))
}

/// Compares recordings that have been read, each with one of its targets. Pure.
pub fn versus_of(
    (a, of_a): (&RunInput, Option<&str>),
    (b, of_b): (&RunInput, Option<&str>),
    metrics: &[&Metric],
    margin: f64,
) -> Versus {
    let same_run = a.path == b.path;
    let (cells_a, cells_b) = (summarise_run(a), summarise_run(b));
    let judgement = Judgement { margin, pairing: pairing(same_run) };
    let (mut warnings, mut notes) = (Vec::new(), Vec::new());
    // Each rate that a search tried is a workload of its own: what is compared is what it found.
    let searched = capacities::search(a).is_some() && capacities::search(b).is_some();
    let comparable = if searched { BTreeSet::new() } else { workloads(a, b, &mut notes) };
    for run in if same_run { vec![a] } else { vec![a, b] } {
        warnings.extend(run.plan.imported.as_ref().map(|from| {
            let notes: Vec<Words> = from.notes.iter().map(|note| note.as_str().into()).collect();
            message!(
                "compare-imported",
                recording = Text(run.id.clone()),
                tool = Text(from.tool_and_version()),
                notes = Clauses?((!notes.is_empty()).then_some(notes)),
            )
        }));
    }
    if !same_run {
        circumstances(a, b, &mut warnings, &mut notes);
    }
    let pairs = targets(a, of_a, b, of_b).into_iter().map(|(left, right)| {
        let of = |cells: &[CellSummary], label: &str| -> Vec<CellSummary> {
            let own = |c: &&CellSummary| c.target == label && (searched || comparable.contains(&c.workload));
            cells.iter().filter(own).cloned().collect()
        };
        let (of_left, of_right) = (of(&cells_a, &left), of(&cells_b, &right));
        let (base, other) = (format!("{}:{left}", a.id), format!("{}:{right}", b.id));
        // Targets of one recording have names enough.
        let (name, other_name) = if same_run { (&left, &right) } else { (&base, &other) };
        warnings.extend(unequal((a, &left, name), (b, &right, other_name)));
        let (points, missing) = if searched {
            let base = Searched { run: a, label: &left, name };
            capacities::points(base, Searched { run: b, label: &right, name: other_name }, margin)
        } else {
            (
                contest(&of_left, &of_right, metrics, judgement),
                missing((&base, &of_left), (&other, &of_right)),
            )
        };
        Pair {
            validity: Some(validity((&base, &of_left), (&other, &of_right))),
            missing,
            points,
            base,
            other,
            worth: None,
        }
    });
    let pairs: Vec<Pair> = pairs.collect();
    for pair in &pairs {
        // What was searched and not found matters more than how it was searched.
        let at = if searched { 0 } else { notes.len() };
        notes.splice(at..at, pair.missing.iter().cloned());
        notes.extend(signs(&pair.points).iter().map(|signs| signs.says(&pair.other)));
    }
    Versus { pairs, warnings, notes, margin }
}

/// Validity of the cells of both sides, under their names here.
fn validity(base: (&str, &[CellSummary]), other: (&str, &[CellSummary])) -> Words {
    let named = |(name, cells): (&str, &[CellSummary])| {
        let name = name.to_owned();
        cells.iter().map(move |cell| CellSummary { target: name.clone(), ..cell.clone() }).collect::<Vec<_>>()
    };
    let all = [named(base), named(other)].concat();
    trust::trust(analysis::validity(&all, &[]), true).summary
}

/// One side of a pair: its recording, the label of its target there, and its name here.
type Named<'a> = (&'a RunInput, &'a str, &'a str);

/// The differences that make the servers of both sides do unequal work: durability, binary log, encryption, transport, placement.
fn unequal(base: Named<'_>, other: Named<'_>) -> Vec<Words> {
    let spec = |(run, label, name): Named<'_>| {
        let mut spec = run.plan.spec.targets.iter().find(|spec| spec.target.label == label)?.clone();
        name.clone_into(&mut spec.target.label);
        Some(spec)
    };
    let server = |(run, label, _): Named<'_>| {
        let own = run.trials.iter().filter(|trial| trial.planned.cell.target == label);
        own.filter_map(|trial| trial.result.as_ref()?.server().cloned()).next()
    };
    let (Some(a), Some(b)) = (spec(base), spec(other)) else { return Vec::new() };
    let (Some(facts_a), Some(facts_b)) = (server(base), server(other)) else { return Vec::new() };
    let mut plan = base.0.plan.clone();
    plan.spec.targets = vec![a, b];
    // The recordings are there already: nobody is told how to make them equal.
    plan.spec.about = Some(About {
        experiment: String::new(),
        question: String::new(),
        published: None,
        shows: None,
        quick: false,
        arms: true,
        question_zh: None,
        published_zh: None,
        shows_zh: None,
    });
    let found = analysis::cautions(&plan, &[(base.2, &facts_a), (other.2, &facts_b)]);
    found.into_iter().map(|caution| caution.text).collect()
}

/// Cells that only one side completed: they are not compared.
fn missing(base: (&str, &[CellSummary]), other: (&str, &[CellSummary])) -> Vec<Words> {
    let only = |(name, own): (&str, &[CellSummary]), (lacking, theirs): (&str, &[CellSummary])| {
        let mut said = Vec::new();
        for cell in own.iter().filter(|cell| cell.completed() > 0) {
            let same = |c: &&CellSummary| c.workload == cell.workload && c.threads == cell.threads;
            let there = theirs.iter().find(same);
            if there.is_none_or(|c| c.completed() == 0) {
                let failure = there.and_then(|c| c.failures.first());
                said.push(message!(
                    "cell-on-one-side",
                    workload = Text(cell.workload.clone()),
                    clients = Count(cell.threads),
                    name = Text(name),
                    lacking = Text(lacking),
                    why = Text?(failure.map(|f| f.failure.message.clone())),
                ));
            }
        }
        said
    };
    [only(base, other), only(other, base)].concat()
}

/// The pairs of targets to compare: those that were picked, the only ones, or those of the same label.
fn targets(a: &RunInput, of_a: Option<&str>, b: &RunInput, of_b: Option<&str>) -> Vec<(String, String)> {
    let labels = |run: &RunInput, picked: Option<&str>| -> Vec<String> {
        let all = run.plan.spec.targets.iter().map(|t| t.target.label.clone());
        all.filter(|label| picked.is_none_or(|picked| picked == label)).collect()
    };
    let (left, right) = (labels(a, of_a), labels(b, of_b));
    match (left.as_slice(), right.as_slice()) {
        ([one], [other]) => vec![(one.clone(), other.clone())],
        _ => left.iter().filter(|label| right.contains(label)).map(|l| (l.clone(), l.clone())).collect(),
    }
}

/// The workloads that agree in both, option by option; the others are noted.
fn workloads(a: &RunInput, b: &RunInput, notes: &mut Vec<Words>) -> BTreeSet<String> {
    let mut comparable = BTreeSet::new();
    let spec = |run: &RunInput, label: &str| {
        let trial = run.plan.trials.iter().find(|t| t.cell.workload == label)?;
        run.plan.spec.workloads.get(trial.workload as usize).cloned()
    };
    let labels_of = |run: &RunInput| -> BTreeSet<String> {
        run.plan.trials.iter().map(|t| t.cell.workload.clone()).collect()
    };
    let labels = labels_of(a);
    if labels.is_disjoint(&labels_of(b)) {
        let named = |run: &RunInput| labels_of(run).into_iter().collect::<Vec<_>>().join("; ");
        notes.push(message!(
            "workloads-differ",
            base = Text(a.id.clone()),
            of_base = Text(named(a)),
            other = Text(b.id.clone()),
            of_other = Text(named(b)),
        ));
    }
    for label in &labels {
        let (Some(left), Some(right)) = (spec(a, label), spec(b, label)) else { continue };
        let unknown = [&left, &right].iter().any(|spec| !spec.can_run());
        if unknown && left != right {
            notes.push(message!("compared-by-name", workload = Text(label.clone())));
        }
        if unknown || left == right {
            comparable.insert(label.clone());
            continue;
        }
        let options = differing(&left, &right);
        notes.push(message!("options-differ", workload = Text(label.clone()), options = Parts(options)));
    }
    comparable
}

/// Options that differ, as `table_size 10000 and 20000`.
fn differing<T: Serialize>(a: &T, b: &T) -> Vec<Words> {
    let flat = |value: &T| {
        let mut found = Vec::new();
        flatten("", &serde_json::to_value(value).unwrap_or_default(), &mut found);
        found
    };
    let (a, b) = (flat(a), flat(b));
    let of =
        |list: &[(String, String)], key: &str| list.iter().find(|(k, _)| k == key).map(|(_, v)| v.clone());
    let keys: BTreeSet<&String> = a.iter().chain(&b).map(|(key, _)| key).collect();
    keys.into_iter()
        .filter(|key| of(&a, key) != of(&b, key))
        .map(|key| {
            let (base, other) = (of(&a, key), of(&b, key));
            message!("option-differs", option = Text(key.clone()), base = Text?(base), other = Text?(other))
        })
        .collect()
}

fn flatten(key: &str, value: &serde_json::Value, found: &mut Vec<(String, String)>) {
    match value {
        serde_json::Value::Object(fields) => {
            for (name, value) in fields {
                flatten(name, value, found);
            }
        }
        other => found.push((key.to_owned(), other.to_string())),
    }
}

/// The differences around the load. Two recordings at different times also differ by the drift of the machine.
fn circumstances(a: &RunInput, b: &RunInput, warnings: &mut Vec<Words>, notes: &mut Vec<Words>) {
    let named = |value: &str| if value.is_empty() { message!("unknown-value") } else { value.into() };
    let differs = |what: &str, base: Words, other: Words| {
        (base != other).then(|| {
            message!("side-differs", what = Word(what), base = Message(base), other = Message(other))
        })
    };
    warnings.extend(differs("hostname", named(&a.host.hostname), named(&b.host.hostname)));
    let is_search = |run: &RunInput| capacities::search(run).is_some();
    if is_search(a) != is_search(b) {
        warnings.push(message!("one-side-searched"));
    }
    let both_search = is_search(a) && is_search(b);
    let loads =
        |run: &RunInput| run.plan.spec.loads().iter().map(|load| load.rate.clone()).collect::<Vec<_>>();
    let (left, right) = (loads(a), loads(b));
    let is_open = |loads: &[Option<model::Rate>]| loads.iter().any(Option::is_some);
    if both_search {
        // The rates are what was searched.
    } else if is_open(&left) != is_open(&right) {
        warnings.push(message!("open-against-closed"));
    } else if left != right {
        warnings.push(message!("rates-differ"));
    }
    notes.push(message!("not-interleaved", verb = Word(if both_search { "search" } else { "sweep" })));
    // The tools whose results are imported say nothing about these.
    if a.plan.imported.is_none() && b.plan.imported.is_none() {
        notes.extend(differs("kernel", named(&a.host.kernel), named(&b.host.kernel)));
        notes.extend(differs("mydyno_version", named(&a.host.mydyno_version), named(&b.host.mydyno_version)));
    }
    let windows = |run: &RunInput| {
        let is_imported = run.plan.imported.is_some();
        let window = |load: &&model::LoadShape| {
            let warmup = (!is_imported).then(|| load.warmup_s.to_string());
            message!("compare-window", time = Text(load.time_s.to_string()), warmup = Text?(warmup))
        };
        let mut all: Vec<Words> = run.plan.spec.loads().iter().map(window).collect();
        all.dedup();
        Words::parts(all)
    };
    notes.extend(differs("window", windows(a), windows(b)));
}
