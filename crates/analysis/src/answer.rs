//! The answer in one sentence: who is faster, where, by how much, and how sure that is.

mod clause;
mod lead;
mod open;
mod stretch;

use messages::message;
use model::Calibration;

pub(crate) use stretch::Place;
use stretch::{Judge, Standing, Stretch, spread};

use crate::Words;
use crate::compare::Verdict;
use crate::input::Measure;
use crate::metric::{RESPONSE_P95, THROUGHPUT};
use crate::summary::CellSummary;
use crate::tpcc::TpccSummary;

/// Answers the question of a run or a sweep from its cells. One clause per workload; failed cells are named.
pub fn answer(cells: &[CellSummary]) -> Words {
    answer_against(cells, None)
}

/// Like [`answer`], for an experiment: every arm is compared with the first one.
pub fn answer_against(cells: &[CellSummary], base: Option<&str>) -> Words {
    let judge = Judge { cells };
    let mut workloads: Vec<&str> = Vec::new();
    for cell in cells {
        if !workloads.contains(&cell.workload.as_str()) {
            workloads.push(&cell.workload);
        }
    }
    let clauses: Vec<Words> = workloads
        .iter()
        .map(|workload| {
            let own: Vec<&CellSummary> = cells.iter().filter(|c| c.workload == *workload).collect();
            let clause = workload_answer(&judge, &own, base);
            if workloads.len() == 1 {
                return clause;
            }
            message!("answer-of-workload", workload = Text(*workload), clause = Message(clause))
        })
        .collect();
    if let Some(lead) = base.and_then(|base| lead::lead(cells, base)) {
        return message!("answer-with-lead", lead = Opening(lead), clauses = Sentences(clauses));
    }
    match clauses.as_slice() {
        // The name of a target or workload stays as it is.
        [one] if !cells.iter().any(|c| one.en.starts_with(&c.target)) => {
            message!("answer-opening", clause = Opening(one.clone()))
        }
        _ => message!("answer", clauses = Sentences(clauses)),
    }
}

/// The valid cells, if there are at least `least`; otherwise all.
fn valid_or_all<'a>(cells: &[&'a CellSummary], least: usize) -> Vec<&'a CellSummary> {
    let valid: Vec<&CellSummary> = cells.iter().copied().filter(|cell| cell.is_valid()).collect();
    if valid.iter().filter(|cell| cell.completed() > 0).count() >= least { valid } else { cells.to_vec() }
}

/// The generator's highest share of its machine, and how close it came to its ceiling if that is known; none if nothing
/// completed. Each cell comes with the calibration of the machine it was recorded on.
pub fn generator_share(cells: &[(&CellSummary, Option<&Calibration>)]) -> Option<Words> {
    let share = cells.iter().filter_map(|(c, _)| c.generator).map(|g| g.host_share).reduce(f64::max)?;
    let used = |(c, calibration): &(&CellSummary, Option<&Calibration>)| {
        let calibration = calibration.filter(|calibration| calibration.ceiling_per_cpu() > 0.0)?;
        let ceiling = calibration.ceiling_per_cpu();
        // More workers than CPUs take turns.
        let cpus = c.generator?.workers.min(calibration.cpus).max(1);
        Some((c.queries_per_s?.mean / (f64::from(cpus) * ceiling), ceiling))
    };
    let of_ceiling = cells.iter().filter_map(used).max_by(|a, b| a.0.total_cmp(&b.0));
    Some(message!(
        "generator-share",
        share = Percent(share),
        used = Percent?(of_ceiling.map(|(used, _)| used)),
        ceiling = Figure?(of_ceiling.map(|(_, ceiling)| ceiling)),
    ))
}

/// The answer for one workload.
fn workload_answer(judge: &Judge<'_>, cells: &[&CellSummary], base: Option<&str>) -> Words {
    let mut targets: Vec<&str> = Vec::new();
    for cell in cells.iter().filter(|c| c.completed() > 0) {
        if !targets.contains(&cell.target.as_str()) {
            targets.push(&cell.target);
        }
    }
    let mut clauses = match targets.as_slice() {
        [] => vec![message!("nothing-completed")],
        [one] => vec![single_target(&valid_or_all(cells, 1), one)],
        [_, _] => between_targets(judge, cells, 2),
        several => match base.filter(|base| several.contains(base)) {
            Some(base) => against(judge, cells, base, several),
            None => between_targets(judge, cells, several.len()),
        },
    };
    clauses.extend(failures(cells));
    Words::clauses(clauses)
}

/// Peak and knee of the only target.
fn single_target(cells: &[&CellSummary], target: &str) -> Words {
    /// Beyond this share of the peak, more clients add little.
    const KNEE: f64 = 0.9;
    let mut curve: Vec<(&CellSummary, Measure)> =
        cells.iter().filter_map(|c| Some((*c, c.throughput_per_s?))).collect();
    curve.sort_by_key(|(cell, _)| cell.threads);
    let Some((peak, height)) = curve.iter().max_by(|a, b| a.1.mean.total_cmp(&b.1.mean)) else {
        return message!("nothing-measured");
    };
    if height.mean == 0.0 {
        return message!("no-transaction-of-target", target = Text(target));
    }
    if let (1, Some(tpcc)) = (curve.len(), &peak.tpcc) {
        return single_tpcc(target, peak, tpcc);
    }
    if curve.len() == 1 {
        if peak.open_loop.is_some() {
            return open::single_cell(target, peak, height);
        }
        let own = peak.transaction().map(|t| t.response.p95_ns as f64);
        let p95 = own.or_else(|| Some(peak.measure(&RESPONSE_P95)?.mean)).map(|ns| ns / 1e6);
        return message!(
            "single-cell",
            target = Text(target),
            value = Figure(height.mean),
            spread = Message(spread(height)),
            p95 = Figure?(p95),
            clients = Count(peak.threads),
        );
    }
    if open::is_open(cells) {
        return open::single_target(target, &curve);
    }
    let mut parts = vec![message!(
        "peak",
        target = Text(target),
        value = Figure(height.mean),
        spread = Message(spread(height)),
        clients = Count(peak.threads),
    )];
    let knee = curve.iter().find(|(_, m)| m.mean >= KNEE * height.mean);
    if let Some((knee, reached)) = knee.filter(|(c, _)| c.threads < peak.threads) {
        let share = reached.mean / height.mean;
        parts.push(message!("knee", clients = Count(knee.threads), share = Percent(share)));
    }
    let last = curve.last().filter(|(c, m)| c.threads > peak.threads && m.mean < KNEE * height.mean);
    if let Some((last, fallen)) = last {
        parts.push(message!("down-to", clients = Count(last.threads), value = Figure(fallen.mean)));
    }
    Words::parts(parts)
}

/// The answer for one TPC-C cell: tpmC and the response time that the standard limits.
fn single_tpcc(target: &str, cell: &CellSummary, tpcc: &TpccSummary) -> Words {
    message!(
        "single-tpcc",
        target = Text(target),
        tpmc = Figure?(tpcc.tpmc.map(|m| m.mean)),
        spread = Message?(tpcc.tpmc.map(|m| spread(&m))),
        p90 = Figure?(tpcc.new_order().map(|t| t.response.p90_ms)),
        terminals = Count(cell.threads),
    )
}

/// Every other target against the base.
fn against(judge: &Judge<'_>, cells: &[&CellSummary], base: &str, targets: &[&str]) -> Vec<Words> {
    let others = targets.iter().filter(|target| **target != base);
    let clause = |other: &&str| {
        let pair: Vec<&CellSummary> =
            cells.iter().copied().filter(|c| c.target == base || c.target == **other).collect();
        let said = Words::clauses(between_targets(judge, &pair, 2));
        message!("answer-against", other = Text(*other), base = Text(base), clause = Message(said))
    };
    others.map(clause).collect()
}

fn between_targets(judge: &Judge<'_>, cells: &[&CellSummary], targets: usize) -> Vec<Words> {
    let mut threads: Vec<u32> = cells.iter().map(|c| c.threads).collect();
    threads.sort_unstable();
    threads.dedup();
    let compared: Vec<Stretch> = threads.iter().filter_map(|&n| best_and_next(judge, cells, n)).collect();
    if compared.is_empty() {
        return vec![message!("no-common-clients")];
    }
    let overloaded = if open::is_open(cells) { open::overloaded_everywhere(cells, &compared) } else { None };
    let single_runs = compared.iter().flat_map(|s| &s.comparisons).any(|c| c.verdict == Verdict::SingleRun);
    let mut stretches = stretches(compared);
    let scattered = stretches.len() > 4;
    if scattered {
        stretches = gathered(stretches);
    }
    let last = stretches.len() - 1;
    let (mut winners, mut others) = (Vec::new(), Vec::new());
    let mut before = None;
    for (position, stretch) in stretches.iter().enumerate() {
        let place = match (scattered, position) {
            (true, _) => Place::Scattered,
            (false, _) if stretch.threads.len() == 1 => Place::Point,
            (false, 0) if last == 0 => Place::Whole,
            (false, 0) => Place::First,
            (false, p) if p == last => Place::Last,
            (false, _) => Place::Middle,
        };
        let clause = clause::clause(stretch, &place.words(&stretch.threads), targets, before);
        match &stretch.standing {
            Standing::Faster(winner) | Standing::Measured(winner) => {
                before = Some(winner.as_str());
                winners.push(clause);
            }
            Standing::KeepsUp { .. } => {
                // Several targets, or in other words: the next clause names its own.
                before = Some("");
                winners.push(clause);
            }
            _ => others.push(clause),
        }
    }
    // What is decided comes first.
    let mut clauses = Vec::new();
    if !winners.is_empty() {
        clauses.push(Words::parts(winners));
    }
    clauses.append(&mut others);
    clauses.extend(overloaded);
    if single_runs {
        clauses[0] = message!("answer-of-single-trials", clause = Message(clauses[0].clone()));
    }
    clauses
}

/// The fastest target and the next one; none unless two completed.
fn best_and_next(judge: &Judge<'_>, cells: &[&CellSummary], threads: u32) -> Option<Stretch> {
    let here: Vec<&CellSummary> = cells.iter().copied().filter(|c| c.threads == threads).collect();
    let here = valid_or_all(&here, 2);
    if open::is_open(cells) {
        return open::best_and_next(judge, &here);
    }
    let mut own: Vec<(&CellSummary, f64)> =
        here.into_iter().filter_map(|c| Some((c, c.throughput_per_s?.mean))).collect();
    own.sort_by(|a, b| b.1.total_cmp(&a.1));
    match own.as_slice() {
        [(best, _), (next, _), ..] => judge.between(next, best, &THROUGHPUT).map(Stretch::of),
        _ => None,
    }
}

fn stretches(compared: Vec<Stretch>) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    for one in compared {
        match stretches.last_mut().filter(|s| s.is_like(&one)) {
            Some(same) => same.append(one),
            None => stretches.push(one),
        }
    }
    stretches
}

/// Merges stretches of the same standing, wherever they lie.
fn gathered(stretches: Vec<Stretch>) -> Vec<Stretch> {
    let mut gathered: Vec<Stretch> = Vec::new();
    for stretch in stretches {
        match gathered.iter_mut().find(|s| s.is_like(&stretch)) {
            Some(same) => same.append(stretch),
            None => gathered.push(stretch),
        }
    }
    gathered
}

/// One clause per target that has cells in which every trial failed.
fn failures(cells: &[&CellSummary]) -> Vec<Words> {
    let mut targets: Vec<(&str, Vec<u32>, &str)> = Vec::new();
    for cell in cells.iter().filter(|c| c.completed() == 0) {
        let Some(first) = cell.failures.first() else { continue };
        match targets.iter_mut().find(|(target, ..)| *target == cell.target) {
            Some((_, threads, _)) => threads.push(cell.threads),
            None => targets.push((&cell.target, vec![cell.threads], &first.failure.message)),
        }
    }
    let clause = |(target, threads, why): (&str, Vec<u32>, &str)| {
        let place = Place::of(&threads);
        message!("target-failed", target = Text(target), place = Message(place), why = Text(why))
    };
    targets.into_iter().map(clause).collect()
}
