//! Interaction of two factors of an experiment: does the effect of an arm depend on the workload, or the effect of one
//! server factor on the level of another?
//!
//! At each number of clients that four cells have in common (the first arm and another, one workload and another) the
//! effect with one workload is divided by the effect with the other. A ratio of 1 means no interaction. With many such
//! points some differ from 1 by chance, so they are corrected together (Holm), and inconclusive ones are not reported.

use messages::message;
use model::Levels;
use serde::{Deserialize, Serialize};
use stats::{Factorial, Pairing};

use crate::caveat::IMPORTED;
use crate::compare::MARGIN;
use crate::input::Measure;
use crate::metric::THROUGHPUT;
use crate::summary::CellSummary;
use crate::{CONFIDENCE, Words};

/// Chance that any point is called different that is not.
const FALSE_ALARMS: f64 = 0.05;

/// Two factors at two levels each, at one number of clients. Effects are ratios of throughput, arm over base.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Interaction {
    /// The arm, or the level of a factor.
    pub arm: String,
    /// The first arm, or the first level.
    pub base: String,
    /// One workload, or one level of another factor.
    pub first: String,
    /// The other.
    pub second: String,
    /// The other factor, if it is not the workload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub factor: Option<String>,
    /// The workload, where the other factor is not it and there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workload: Option<String>,
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
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
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

/// Every arm against `base` with every pair of workloads, and every two factors of the targets, at every number of clients that
/// all four cells have with two runs or more. `levels` are those of the targets, by label.
pub fn interactions(cells: &[CellSummary], base: &str, levels: &[(&str, &Levels)]) -> Interactions {
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
    points.extend(of_factors(cells, &workloads, levels));
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

/// Every two targets that differ in two factors, one of them at the first level of both, with the two that have one factor of
/// each.
fn of_factors(cells: &[CellSummary], workloads: &[&str], levels: &[(&str, &Levels)]) -> Vec<Interaction> {
    let first_of = |path: &str| levels.iter().find_map(|(_, own)| own.get(path));
    let labelled = |wanted: &Levels| levels.iter().find(|(_, own)| *own == wanted).map(|(label, _)| *label);
    let name = |path: &str| path.rsplit('.').next().unwrap_or(path).to_owned();
    let mut points = Vec::new();
    for (neither, own) in levels {
        for (both, further) in levels {
            let differs: Vec<&String> =
                own.keys().filter(|path| own.get(*path) != further.get(*path)).collect();
            let [one, other] = differs[..] else { continue };
            let from_first = [one, other].iter().all(|path| own.get(*path) == first_of(path));
            let with = |path: &String| {
                let level = further.get(path)?;
                let mut levels = (*own).clone();
                levels.insert(path.clone(), level.clone());
                Some((labelled(&levels)?, level))
            };
            let (true, Some((arm, level)), Some((condition, second))) = (from_first, with(one), with(other))
            else {
                continue;
            };
            for workload in workloads {
                let found = of_four(cells, [neither, arm, condition, both], workload);
                points.extend(found.into_iter().map(|point| Interaction {
                    arm: format!("{} {level}", name(one)),
                    base: own[one].clone(),
                    first: own[other].clone(),
                    second: second.clone(),
                    factor: Some(name(other)),
                    workload: (workloads.len() > 1).then(|| (*workload).to_owned()),
                    ..point
                }));
            }
        }
    }
    points
}

/// Four targets with one workload.
fn of_four(cells: &[CellSummary], four: [&str; 4], workload: &str) -> Vec<Interaction> {
    let of = |target: &str, threads: u32| {
        cells.iter().find(|c| c.target == target && c.workload == workload && c.threads == threads)
    };
    let own = cells.iter().filter(|c| c.target == four[0] && c.workload == workload);
    own.filter_map(|neither| {
        let n = neither.threads;
        point([neither, of(four[1], n)?, of(four[2], n)?, of(four[3], n)?])
    })
    .collect()
}

/// The interaction of base and arm with one workload, and base and arm with the other; the p-value is not corrected yet.
fn point(four: [&CellSummary; 4]) -> Option<Interaction> {
    let has = |cell: &CellSummary, id: &str| cell.caveats.iter().any(|c| c.id == id);
    // What is not valid has effects of its own; what an open loop completes is what was offered.
    if four.iter().any(|cell| !cell.is_valid() || cell.throughput_is_offered()) {
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
        factor: None,
        workload: None,
        threads: four[0].threads,
        effect_first: measure(found.first),
        effect_second: measure(found.first_with_second),
        ratio: measure(found.interaction),
        p_adjusted: found.p_value,
        differs: false,
    })
}

/// One sentence per arm and pair of workloads: the point where the effects differ most, and the others where they differ.
fn says(points: &[Interaction]) -> Vec<Words> {
    let key = |p: &Interaction| {
        (p.arm.clone(), p.first.clone(), p.second.clone(), p.factor.clone(), p.workload.clone())
    };
    let is_same = |a: &Interaction, b: &Interaction| key(a) == key(b);
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
    let effect =
        |m: &Measure| message!("effect", ratio = Ratio(m.mean), interval = RatioInterval?(m.low.zip(m.high)));
    Some(message!(
        "interaction",
        workload = Text?(most.workload.as_ref()),
        arm = Text(arm),
        base = Text(base),
        factor = Text?(most.factor.as_ref()),
        clients = Count(most.threads),
        effect = Message(effect(&most.effect_first)),
        first = Text(first),
        other = Message(effect(&most.effect_second)),
        second = Text(second),
        ratio = Message(effect(&most.ratio)),
        found = Count(group.len() as u64),
        of = Count(asked as u64),
    ))
}
