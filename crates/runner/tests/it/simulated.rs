//! Whole experiments on simulated servers: planned, conducted block by block, grown, and judged by the code that judges
//! real ones. The truth is known, so that false verdicts can be counted.
//!
//! The machine of the simulation is worse than a quiet laboratory: seconds scatter and resemble the one before, and from
//! trial to trial its speed wanders as that of a shared machine does.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests fail by panicking, and say what they counted"
)]

use analysis::{CellSummary, Judgement, TrialInput, Verdict, metric};
use model::{
    Design, FORMAT, Flavour, LoadShape, Observe, Plan, PlannedTrial, SandboxSpec, ServerKind, Spec,
    SpecTarget, SysbenchOptions, SysbenchWorkload, Target, TrialResult, UntilSure, Watched, Why,
    WorkloadSpec,
};
use random::Rng;

/// Scatter of a second, and steps of the machine's wandering from trial to trial, as shares. Means of 30 such seconds
/// scatter by 3 %.
const SECOND: f64 = 0.045;
const STEP: f64 = 0.01;
/// Each second resembles the one before.
const CORRELATION: f64 = 0.9;

fn target(label: &str) -> SpecTarget {
    let sandbox = SandboxSpec::new(Flavour::Mysql, Default::default());
    let target = Target::single(label.to_owned(), ServerKind::Sandbox(sandbox));
    SpecTarget { target, instance: Default::default(), levels: Default::default() }
}

fn spec(threads: &[u32], repeats: u32, seed: u64, design: Design) -> Spec {
    let workload =
        SysbenchOptions { workload: SysbenchWorkload::OltpReadWrite, ..SysbenchOptions::default() };
    Spec {
        format: FORMAT,
        name: "simulated".to_owned(),
        about: None,
        threads: threads.to_vec(),
        repeats,
        seed,
        load: LoadShape { warmup_s: 5.0, time_s: 30.0, ..LoadShape::default() },
        prepare: true,
        observe: Observe::Off,
        allow_failing_cells: false,
        design,
        targets: vec![target("a"), target("b")],
        workloads: vec![WorkloadSpec::Sysbench(workload)],
    }
}

/// A machine that wanders, and servers whose throughput is known.
struct Laboratory<'a> {
    rng: Rng,
    speed: f64,
    step: f64,
    per_s: &'a dyn Fn(&str, u32) -> f64,
}

impl<'a> Laboratory<'a> {
    fn new(seed: u64, per_s: &'a dyn Fn(&str, u32) -> f64) -> Self {
        Self { rng: Rng::from_seed(seed), speed: 0.0, step: STEP, per_s }
    }

    /// Box and Muller.
    fn normal(&mut self) -> f64 {
        let (one, two) = (1.0 - self.rng.uniform_f64(), self.rng.uniform_f64());
        (-2.0 * one.ln()).sqrt() * (std::f64::consts::TAU * two).cos()
    }

    fn run(&mut self, planned: &PlannedTrial) -> TrialResult {
        self.speed += self.step * self.normal();
        let mut second = SECOND * self.normal();
        let mut sum = 0.0;
        for _ in 0..30 {
            sum += second;
            second = CORRELATION * second + SECOND * (1.0 - CORRELATION.powi(2)).sqrt() * self.normal();
        }
        let noise = sum / 30.0;
        let per_s = (self.per_s)(&planned.cell.target, planned.cell.threads) * (self.speed + noise).exp();
        TrialResult {
            format: FORMAT,
            index: planned.index,
            cell: planned.cell.clone(),
            data_restored: true,
            measured: model::Measured {
                measured_s: 30.0,
                // As many as keep rounding out of it.
                transactions: (per_s * 30.0 * 1e3) as u64,
                ..Default::default()
            },
            ..TrialResult::default()
        }
    }

    /// From the spec to the last trial, as `runner::conduct` goes about it.
    fn conduct(&mut self, spec: &Spec) -> (Plan, Vec<TrialResult>) {
        let (mut plan, mut results) = (runner::plan(spec).unwrap(), Vec::new());
        loop {
            while let Some(next) = plan.trials.get(results.len()) {
                results.push(self.run(next));
            }
            match runner::grow(&plan, &results, 0.0) {
                Some(growth) => growth.add_to(&mut plan),
                None => return (plan, results),
            }
        }
    }
}

fn cells(plan: &Plan, results: &[TrialResult]) -> Vec<CellSummary> {
    let watched = Watched::default();
    let inputs: Vec<_> = results
        .iter()
        .map(|result| TrialInput {
            result,
            histograms: &[],
            intervals: &[],
            watched: &watched,
            others: &[],
            damaged: &[],
        })
        .collect();
    analysis::summarise(plan, &inputs)
}

/// Of an interval.
type Ends = (f64, f64);

/// What a contest of the two targets says, point by point, as `mydyno compare` has it.
fn verdicts(plan: &Plan, results: &[TrialResult]) -> Vec<(Verdict, f64, Option<Ends>)> {
    let all = cells(plan, results);
    let of = |label: &str| all.iter().filter(|c| c.target == label).cloned().collect::<Vec<_>>();
    let points = analysis::contest::contest(&of("a"), &of("b"), &[&metric::THROUGHPUT], Judgement::default());
    points
        .iter()
        .map(|point| {
            let c = &point.comparison;
            (c.verdict, c.ratio, c.low.zip(c.high))
        })
        .collect()
}

fn differs(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Better | Verdict::Worse)
}

/// A curve that scales and then bends; the same for both targets.
fn same(_: &str, threads: u32) -> f64 {
    let n = f64::from(threads);
    1_000.0 * n / (1.0 + 0.05 * (n - 1.0) + 0.0004 * n * (n - 1.0))
}

/// Experiments with equal arms, five blocks at three numbers of clients: in at most 5 % of them any point is called Better or
/// Worse, and 95 % of the intervals hold 1.
#[test]
fn equal_arms_are_seldom_told_apart() {
    const EXPERIMENTS: u64 = 2_000;
    const CURVES: u64 = 100;
    let (mut false_alarms, mut held, mut points, mut overtaken) = (0, 0, 0, 0);
    for seed in 0..EXPERIMENTS {
        let design = Design { drift_check: true, ..Design::default() };
        let (plan, results) = Laboratory::new(seed + 1, &same).conduct(&spec(&[4, 16, 64], 5, seed, design));
        let found = verdicts(&plan, &results);
        assert_eq!((found.len(), results.len()), (3, 31));
        false_alarms += u64::from(found.iter().any(|(verdict, ..)| differs(*verdict)));
        if seed < CURVES {
            overtaken += u64::from(!analysis::overtakings(&cells(&plan, &results)).is_empty());
        }
        for (_, _, interval) in found {
            let (low, high) = interval.expect("five runs have an interval");
            points += 1;
            held += u64::from(low <= 1.0 && 1.0 <= high);
        }
    }
    let (alarms, coverage) = (false_alarms as f64 / EXPERIMENTS as f64, held as f64 / f64::from(points));
    println!(
        "false verdicts in {:.1} % of A/A experiments, {:.1} % of intervals hold 1",
        alarms * 100.0,
        coverage * 100.0
    );
    assert!(alarms <= 0.06, "{alarms}");
    assert!(overtaken <= 5, "{overtaken} of {CURVES} equal pairs of curves are said to cross");
    assert!((0.94..=0.96).contains(&coverage), "{coverage}");
}

/// The same, repeated until sure: looked at after each block, up to 20 of them.
#[test]
fn equal_arms_repeated_until_sure_are_seldom_told_apart() {
    const EXPERIMENTS: u64 = 300;
    let until_sure = Some(UntilSure { margin: 0.02, blocks_max: 20, budget_s: None });
    let (mut false_alarms, mut equal, mut blocks) = (0, 0, 0);
    for seed in 0..EXPERIMENTS {
        let design = Design { until_sure, ..Design::default() };
        let (plan, results) = Laboratory::new(seed + 1, &same).conduct(&spec(&[4, 16], 3, seed, design));
        let found = verdicts(&plan, &results);
        false_alarms += u64::from(found.iter().any(|(verdict, ..)| differs(*verdict)));
        equal += found.iter().filter(|(verdict, ..)| *verdict == Verdict::Same).count();
        blocks += plan.trials.iter().map(|trial| trial.cell.repeat).max().unwrap_or(0);
    }
    let alarms = false_alarms as f64 / EXPERIMENTS as f64;
    let (share, mean) = (equal as f64 / (2 * EXPERIMENTS) as f64, f64::from(blocks) / EXPERIMENTS as f64);
    println!(
        "until sure: false verdicts in {:.1} % of A/A experiments, {:.0} % of points the same, {mean:.1} blocks in the mean",
        alarms * 100.0,
        share * 100.0
    );
    assert!(alarms <= 0.05, "{alarms}");
}

/// A slow-down of 5 % is called Worse, and the interval holds the truth.
#[test]
fn a_planted_slow_down_of_five_percent_is_found() {
    const EXPERIMENTS: u64 = 300;
    let slower = |label: &str, threads: u32| same(label, threads) * if label == "b" { 0.95 } else { 1.0 };
    let until_sure = Some(UntilSure { margin: 0.02, blocks_max: 40, budget_s: None });
    let (mut worse, mut wrong, mut held, mut blocks) = (0, 0, 0, 0);
    for seed in 0..EXPERIMENTS {
        let design = Design { until_sure, ..Design::default() };
        let (plan, results) = Laboratory::new(seed + 1, &slower).conduct(&spec(&[16], 3, seed, design));
        let (verdict, _, interval) = verdicts(&plan, &results)[0];
        worse += u64::from(verdict == Verdict::Worse);
        wrong += u64::from(matches!(verdict, Verdict::Better | Verdict::Same));
        held += u64::from(interval.is_some_and(|(low, high)| low <= 0.95 && 0.95 <= high));
        blocks += plan.trials.iter().map(|trial| trial.cell.repeat).max().unwrap_or(0);
    }
    let mean = f64::from(blocks) / EXPERIMENTS as f64;
    println!(
        "5 % slower: Worse in {worse} of {EXPERIMENTS}, {mean:.1} blocks in the mean, the interval holds the truth in {held}"
    );
    assert!(worse >= EXPERIMENTS * 97 / 100 && wrong == 0, "{worse} {wrong}");
    assert!(held >= EXPERIMENTS * 95 / 100, "{held}");
}

/// Three arms of which one is decided at once, and trials that fail: what is left is judged by the rule, on the blocks that both
/// have, and equal arms are not told apart for that.
#[test]
fn arms_that_are_decided_sooner_or_fail_do_not_spoil_the_rule() {
    const EXPERIMENTS: u64 = 150;
    let half = |label: &str, threads: u32| same(label, threads) * if label == "c" { 0.5 } else { 1.0 };
    let until_sure = Some(UntilSure { margin: 0.02, blocks_max: 16, budget_s: None });
    let mut false_alarms = 0;
    for seed in 0..EXPERIMENTS {
        let mut spec = spec(&[16], 3, seed, Design { until_sure, ..Design::default() });
        spec.targets.push(target("c"));
        let (plan, mut results) = Laboratory::new(seed + 1, &half).conduct(&spec);
        let of = |label: &str| plan.trials.iter().filter(|t| t.cell.target == label).count();
        assert!(of("c") < of("b"), "the decided arm is left alone");
        let failed = results.iter_mut().find(|r| r.cell.target == "b" && r.cell.repeat == 2).unwrap();
        failed.outcome = model::Outcome::Failed(model::Failure {
            code: model::FailureCode::Other,
            message: "the server died".to_owned(),
            hint: None,
            server_error: None,
        });
        let found = analysis::compare(&cells(&plan, &results), &metric::THROUGHPUT, "a", "b");
        assert!(found[0].sequential, "judged by the rule that added its repeats");
        false_alarms += u64::from(differs(found[0].verdict));
        let found = analysis::compare(&cells(&plan, &results), &metric::THROUGHPUT, "a", "c");
        assert!(found[0].sequential && found[0].verdict == Verdict::Worse);
    }
    println!("three arms: false verdicts in {false_alarms} of {EXPERIMENTS}");
    assert!(false_alarms <= EXPERIMENTS * 5 / 100, "{false_alarms}");
}

/// What is decided is left alone: only cells that are not decided get another block.
#[test]
fn only_what_is_undecided_is_repeated() {
    let half = |label: &str, threads: u32| {
        same(label, threads) * if label == "b" && threads == 4 { 0.5 } else { 1.0 }
    };
    let until_sure = Some(UntilSure { margin: 0.02, blocks_max: 12, budget_s: None });
    let design = Design { until_sure, drift_check: true, ..Design::default() };
    let (plan, _) = Laboratory::new(3, &half).conduct(&spec(&[4, 16], 3, 3, design));
    let blocks = |threads: u32| {
        plan.trials.iter().filter(|t| t.cell.threads == threads && t.why != Why::DriftCheck).count() / 2
    };
    assert!(blocks(4) < blocks(16), "{} {}", blocks(4), blocks(16));
    assert_eq!(plan.trials.iter().filter(|t| t.why == Why::DriftCheck).count(), 1);
    assert_eq!(plan.trials.last().map(|t| t.why), Some(Why::DriftCheck));
    assert!(plan.trials.iter().enumerate().all(|(at, t)| t.index as usize == at));
}

/// A budget that is spent ends it.
#[test]
fn nothing_is_added_beyond_the_budget() {
    let until_sure = Some(UntilSure { margin: 0.02, blocks_max: 40, budget_s: Some(600.0) });
    let (plan, results) = {
        let spec = spec(&[4], 3, 1, Design { until_sure, ..Design::default() });
        let plan = runner::plan(&spec).unwrap();
        let mut laboratory = Laboratory::new(1, &same);
        let results: Vec<_> = plan.trials.iter().map(|trial| laboratory.run(trial)).collect();
        (plan, results)
    };
    assert!(runner::grow(&plan, &results, 599.0).is_some());
    assert_eq!(runner::grow(&plan, &results, 600.0), None);
}

/// A curve that breaks off between 150 and 200 clients gets a finer grid there, and nowhere else.
#[test]
fn a_cliff_is_looked_at_more_closely() {
    let breaks = |_: &str, threads: u32| if threads <= 161 { same("a", threads.min(60)) } else { 4_000.0 };
    let design = Design { refine: true, drift_check: true, ..Design::default() };
    let (plan, _) = Laboratory::new(5, &breaks).conduct(&spec(&[50, 100, 150, 200, 300], 3, 5, design));
    let mut added: Vec<u32> =
        plan.trials.iter().filter(|t| t.why == Why::Refined).map(|t| t.cell.threads).collect();
    added.sort_unstable();
    added.dedup();
    assert_eq!(added, [163, 175, 188], "quarters of the gap, once: 150 and 163 are close enough");
    let per_cell = plan.trials.iter().filter(|t| t.cell.threads == 163).count();
    assert_eq!(per_cell, 6, "both targets, as often as the others");
}

/// Two targets that cross are measured more closely where they do.
#[test]
fn a_crossing_is_looked_at_more_closely() {
    let crossing = |label: &str, threads: u32| match (label, threads) {
        ("b", threads) => 1_000.0 * (f64::from(threads) / 40.0).powf(0.5),
        _ => 1_000.0,
    };
    let design = Design { refine: true, ..Design::default() };
    let (plan, results) = Laboratory::new(7, &crossing).conduct(&spec(&[8, 16, 32, 64, 128], 4, 7, design));
    let added: Vec<u32> =
        plan.trials.iter().filter(|t| t.why == Why::Refined).map(|t| t.cell.threads).collect();
    assert!(!added.is_empty() && added.iter().all(|n| (17..128).contains(n)), "{added:?}");
    let found = analysis::overtakings(&cells(&plan, &results));
    assert_eq!(found.len(), 1, "{found:?}");
    let (below, above) = (found[0].below, found[0].above);
    assert!(below < 40 && 40 < above && above < 4 * below, "{below} {above}");
}

/// A machine that loses a fifth of its speed is said to drift; its comparisons hold.
#[test]
fn a_machine_that_tires_is_named() {
    let slowing = |results: &mut Vec<TrialResult>| {
        let all = results.len() as f64;
        for (at, result) in results.iter_mut().enumerate() {
            result.measured.transactions =
                (result.measured.transactions as f64 * (1.0 - 0.2 * at as f64 / all)) as u64;
        }
    };
    let design = Design { drift_check: true, ..Design::default() };
    let mut steady = Laboratory { step: 0.0, ..Laboratory::new(11, &same) };
    let (plan, mut results) = steady.conduct(&spec(&[4, 16, 64], 5, 11, design));
    let named = |results: &[TrialResult]| {
        cells(&plan, results)
            .iter()
            .flat_map(|c| c.caveats.clone())
            .filter(|c| c.id == "drift")
            .collect::<Vec<_>>()
    };
    assert!(named(&results).is_empty(), "{:?}", named(&results));
    slowing(&mut results);
    let said = named(&results);
    assert_eq!(said.len(), 1);
    assert!(said[0].text.en.contains("the machine drifted"), "{}", said[0].text.en);
    assert!(verdicts(&plan, &results).iter().all(|(verdict, ..)| !differs(*verdict)));
}
