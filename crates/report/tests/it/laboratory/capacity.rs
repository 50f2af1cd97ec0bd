//! A search for the capacity of two servers under two conditions: the first is limited by its p99, the second by the backlog.

use model::{
    Arrivals, CapacitySearch, CellKey, LatencySummary, LoadShape, OpenLoop, Phase, PlannedTrial, Rate,
    Variant, Why,
};
use report::View;
use report::build::input::RunInput;

use super::{Laboratory, MYSQL, MadeUp, one_target};

/// The most that each does per second.
const MOST: [(&str, f64); 2] = [("mysql", 900.0), ("relaxed", 1_400.0)];
/// Rates, how often each is tried, and why.
type Rates = &'static [(f64, u32, Why)];
/// What is tried of each.
const TRIED: [(&str, Rates); 2] = [
    (
        "mysql",
        &[
            (450.0, 1, Why::Searched),
            (800.0, 1, Why::Searched),
            (640.0, 2, Why::Searched),
            (710.0, 2, Why::Searched),
            (660.0, 4, Why::Confirming),
            (690.0, 4, Why::Confirming),
        ],
    ),
    (
        "relaxed",
        &[
            (700.0, 1, Why::Searched),
            (1_200.0, 2, Why::Searched),
            (1_500.0, 2, Why::Searched),
            (1_030.0, 4, Why::Confirming),
            (1_070.0, 4, Why::Confirming),
        ],
    ),
];

/// The view of the search.
pub fn view() -> View {
    View::from_inputs(&[record()], &report::ReportOptions::default())
}

/// The recording.
pub fn record() -> RunInput {
    let relaxed = MadeUp { label: "relaxed", lambda: 610.0, connections: 500, ..MYSQL };
    let mysql = one_target().targets.remove(0);
    let laboratory =
        Laboratory { targets: vec![mysql, relaxed], threads: vec![64], repeats: 1, ..one_target() };
    let mut input = laboratory.record();
    let spec = &mut input.plan.spec;
    spec.repeats = 3;
    spec.load.time_s = 30.0;
    spec.design.variants = vec![Variant::default()];
    spec.design.capacity = Some(CapacitySearch {
        slo: vec!["p99<20ms".to_owned(), "errors<10".to_owned()],
        between: None,
        precision: 0.1,
        trials_max: 40,
        budget_s: None,
        arrivals: Arrivals::Poisson,
    });
    for (target, tried) in TRIED {
        for (rate, trials, why) in tried {
            let workload = at_rate(&mut input, *rate);
            for repeat in 1..=*trials {
                let cell = CellKey {
                    target: target.to_owned(),
                    workload: format!("oltp_read_write at {rate}/s"),
                    threads: 64,
                    repeat,
                };
                let index = input.plan.trials.len() as u32;
                let planned = PlannedTrial { index, cell, workload, seed: 1, why: *why };
                input.plan.trials.push(planned.clone());
                let mut trial = laboratory.trial(&planned);
                let most = MOST.iter().find(|(label, _)| *label == target).map_or(1.0, |(_, most)| *most);
                if let Some(result) = &mut trial.result {
                    // What the confirming repeats see scatters a little.
                    offer(&mut result.measured, *rate, most * (1.0 + 0.004 * f64::from(repeat % 3)));
                }
                input.trials.push(trial);
            }
        }
    }
    input
}

/// The workload at a rate, by its index.
fn at_rate(input: &mut RunInput, rate: f64) -> u32 {
    let spec = &mut input.plan.spec;
    let phases = vec![Phase { from_per_s: rate, to_per_s: rate, length_s: None }];
    let load = LoadShape { rate: Some(Rate { arrivals: Arrivals::Poisson, phases }), ..spec.load.clone() };
    let known = spec.design.variants.iter().position(|variant| variant.load.as_ref() == Some(&load));
    known.unwrap_or_else(|| {
        let mut workload = spec.workloads[0].clone();
        workload.set_label(&format!("oltp_read_write at {rate}/s"));
        spec.workloads.push(workload);
        spec.design.variants.push(Variant { load: Some(load), rate_of: Some(0), ..Variant::default() });
        spec.workloads.len() - 1
    }) as u32
}

/// What an open loop at that rate measures on a server that does so much at most.
fn offer(measured: &mut model::Measured, rate: f64, most: f64) {
    let done = rate.min(most);
    let free = 1.0 - done / most;
    let p99_ms = if free > 0.01 { 5.0 / free } else { 600.0 };
    measured.transactions = (done * measured.measured_s) as u64;
    for operation in &mut measured.operations {
        for latency in [&mut operation.response, &mut operation.service] {
            let shrink = p99_ms * 1e6 / latency.p99_ns.max(1) as f64;
            let scaled = |ns: u64| (ns as f64 * shrink) as u64;
            *latency = LatencySummary {
                mean_ns: latency.mean_ns * shrink,
                p50_ns: scaled(latency.p50_ns),
                p90_ns: scaled(latency.p90_ns),
                p95_ns: scaled(latency.p95_ns),
                p99_ns: scaled(latency.p99_ns),
                ..*latency
            };
        }
    }
    let unstarted = ((rate - most).max(0.0) * measured.measured_s) as u64;
    measured.open_loop = Some(OpenLoop {
        offered: (rate * measured.measured_s) as u64,
        unstarted,
        backlog_max: unstarted,
        lateness: LatencySummary::default(),
        timer: LatencySummary::default(),
    });
}
