//! Two factors of an experiment: does what an arm does depend on the workload?
//!
//! At each number of clients that four cells have in common (the first arm and another, one workload and another) the effect
//! with one workload is divided by the effect with the other. 1: they do not depend on each other. Of many such points some
//! are off by chance, so they are corrected together (Holm), and nothing is said where it cannot be told.

use serde::{Deserialize, Serialize};
use stats::{Factorial, Pairing};

use crate::caveat::{GENERATOR_BOTTLENECK, IMPORTED};
use crate::compare::MARGIN;
use crate::input::Measure;
use crate::metric::THROUGHPUT;
use crate::summary::CellSummary;
use crate::text::{count, ratio};
use crate::{CONFIDENCE, Words};

/// Chance that any point is called different that is not.
const FALSE_ALARMS: f64 = 0.05;

/// One arm and two workloads at one number of clients. Effects are ratios of throughput, arm over base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Interaction {
    /// Label of the arm.
    pub arm: String,
    /// Label of the first arm.
    pub base: String,
    /// Label of one workload.
    pub first: String,
    /// Label of the other.
    pub second: String,
    /// Clients.
    pub threads: u32,
    /// Effect with the one.
    pub effect_first: Measure,
    /// Effect with the other.
    pub effect_second: Measure,
    /// The second effect over the first, with its 95 % interval.
    pub ratio: Measure,
    /// Two-sided p-value of a ratio of 1, after Holm's correction over all points.
    pub p_adjusted: f64,
    /// Whether the effect differs: significant, and by more than the margin that counts as equal.
    pub differs: bool,
}

/// What was found, and what is said of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Interactions {
    /// Every point that four cells determine.
    pub points: Vec<Interaction>,
    /// A sentence for each arm and pair of workloads whose effects differ; empty where none does.
    pub says: Vec<Words>,
}

impl Interactions {
    /// True if there is no point.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }
}

/// Every arm against `base`, every pair of workloads, at every number of clients that all four have with two runs or more.
pub fn interactions(cells: &[CellSummary], base: &str) -> Interactions {
    let names = |of: fn(&CellSummary) -> &String| {
        let mut found: Vec<&str> = Vec::new();
        for cell in cells {
            if !found.contains(&of(cell).as_str()) {
                found.push(of(cell));
            }
        }
        found
    };
    let (targets, workloads) = (names(|c| &c.target), names(|c| &c.workload));
    let mut points = Vec::new();
    for arm in targets.iter().filter(|target| **target != base) {
        for (at, first) in workloads.iter().enumerate() {
            for second in &workloads[at + 1..] {
                points.extend(of_pair(cells, (base, arm), (first, second)));
            }
        }
    }
    let adjusted = stats::holm(&points.iter().map(|p: &Interaction| p.p_adjusted).collect::<Vec<_>>());
    for (point, p) in points.iter_mut().zip(adjusted) {
        let size = point.ratio.mean.max(1.0 / point.ratio.mean) - 1.0;
        (point.p_adjusted, point.differs) = (p, p <= FALSE_ALARMS && size > MARGIN);
    }
    let says = says(&points);
    Interactions { points, says }
}

fn of_pair(cells: &[CellSummary], arms: (&str, &str), workloads: (&str, &str)) -> Vec<Interaction> {
    let of = |target: &str, workload: &str, threads: u32| {
        cells.iter().find(|c| c.target == target && c.workload == workload && c.threads == threads)
    };
    let own = cells.iter().filter(|c| c.target == arms.0 && c.workload == workloads.0);
    own.filter_map(|neither| {
        let n = neither.threads;
        let four =
            [neither, of(arms.1, workloads.0, n)?, of(arms.0, workloads.1, n)?, of(arms.1, workloads.1, n)?];
        point(four)
    })
    .collect()
}

/// Of base and arm with one workload, and base and arm with the other; the p-value is not corrected yet.
fn point(four: [&CellSummary; 4]) -> Option<Interaction> {
    let has = |cell: &CellSummary, id: &str| cell.caveats.iter().any(|c| c.id == id);
    // A bottleneck in the generator has effects of its own; what an open loop completes is what was offered.
    if four.iter().any(|cell| has(cell, GENERATOR_BOTTLENECK) || cell.throughput_is_offered()) {
        return None;
    }
    let runs = four.map(|cell| cell.values(&THROUGHPUT).collect::<Vec<_>>());
    let repeats = |runs: &[(u32, f64)]| runs.iter().map(|(repeat, _)| *repeat).collect::<Vec<_>>();
    let in_blocks = runs.iter().all(|r| repeats(r) == repeats(&runs[0]));
    let pairing = if in_blocks && !four.iter().any(|cell| has(cell, IMPORTED)) {
        Pairing::Paired
    } else {
        Pairing::Independent
    };
    let values = runs.map(|r| r.iter().map(|(_, value)| *value).collect::<Vec<_>>());
    let [neither, first, second, both] = &values;
    let found = stats::interaction(&Factorial { neither, first, second, both }, pairing, CONFIDENCE)?;
    let n = values.iter().map(Vec::len).min()? as u32;
    let measure = |e: stats::Estimate| Measure { mean: e.value, low: Some(e.low), high: Some(e.high), n };
    Some(Interaction {
        arm: four[1].target.clone(),
        base: four[0].target.clone(),
        first: four[0].workload.clone(),
        second: four[2].workload.clone(),
        threads: four[0].threads,
        effect_first: measure(found.first),
        effect_second: measure(found.first_with_second),
        ratio: measure(found.interaction),
        p_adjusted: found.p_value,
        differs: false,
    })
}

/// One sentence for each arm and pair of workloads: the point where the effects differ most, and where else they do.
fn says(points: &[Interaction]) -> Vec<Words> {
    let is_same =
        |a: &Interaction, b: &Interaction| (&a.arm, &a.first, &a.second) == (&b.arm, &b.first, &b.second);
    let mut groups: Vec<Vec<&Interaction>> = Vec::new();
    for point in points.iter().filter(|point| point.differs) {
        match groups.iter_mut().find(|group| is_same(group[0], point)) {
            Some(group) => group.push(point),
            None => groups.push(vec![point]),
        }
    }
    groups
        .iter()
        .filter_map(|group| sentence(group, points.iter().filter(|p| is_same(p, group[0])).count()))
        .collect()
}

fn sentence(group: &[&Interaction], asked: usize) -> Option<Words> {
    let size = |p: &Interaction| p.ratio.mean.ln().abs();
    let most = group.iter().max_by(|a, b| size(a).total_cmp(&size(b)))?;
    let Interaction { arm, base, first, second, .. } = most;
    let with_interval = |m: &Measure| match (m.low, m.high) {
        (Some(low), Some(high)) => format!("{}x [{}, {}]", ratio(m.mean), ratio(low), ratio(high)),
        _ => format!("{}x", ratio(m.mean)),
    };
    let (one, other) = (with_interval(&most.effect_first), with_interval(&most.effect_second));
    let (times, n) = (with_interval(&most.ratio), count(most.threads.into()));
    let clients = if most.threads == 1 { "client" } else { "clients" };
    let (found, of) = (group.len(), asked);
    let (places, places_zh) = if of == 1 {
        (String::new(), String::new())
    } else {
        (
            format!("; the effects differ at {found} of {of} numbers of clients"),
            format!("；{of} 个并发数中有 {found} 个效果不同"),
        )
    };
    Some(Words::new(
        format!(
            "What {arm} does against {base} depends on the workload: at {n} {clients} {one} with {first} and {other} with \
             {second}, a ratio of {times}{places}"
        ),
        format!(
            "{arm} 相对 {base} 的效果取决于负载：{n} 个客户端时 {first} 为 {one}，{second} 为 {other}，两者之比 \
             {times}{places_zh}"
        ),
    ))
}
