//! A recording that was imported: TPC-C by go-tpc on two servers, of which only what the tool printed is known.

use model::{
    CellKey, Imported, ImportedWorkload, ReportedLatency, ServerKind, SpecTarget, Stated, StatedType, Target,
    TpccTransaction, WorkloadSpec,
};
use report::View;
use report::build::input::{RunInput, TrialRecord};

use super::{Laboratory, Noise, one_target};

/// Seconds of each trial.
const TIME_S: f64 = 60.0;

/// The recording: two servers, three numbers of clients, two trials of each.
pub fn record() -> RunInput {
    let labels = ["durable", "relaxed"];
    let laboratory = Laboratory { threads: vec![1, 8, 32], repeats: 2, ..one_target() };
    let mut run = laboratory.record();
    let single = std::mem::take(&mut run.plan.trials);
    for label in labels {
        for mut planned in single.iter().cloned() {
            planned.index = run.plan.trials.len() as u32;
            planned.cell = CellKey { target: label.to_owned(), workload: "tpcc".to_owned(), ..planned.cell };
            planned.seed = planned.index.into();
            run.plan.trials.push(planned);
        }
    }
    run.plan.spec.workloads = vec![WorkloadSpec::Imported(ImportedWorkload { label: "tpcc".to_owned() })];
    run.plan.spec.targets = labels.iter().map(|label| spec(label)).collect();
    run.plan.imported = Some(Imported {
        tool: "go-tpc".to_owned(),
        version: None,
        files: labels.iter().map(|label| format!("{label}.log")).collect(),
        notes: vec![
            "go-tpc keeps one digit of a response time and counts no less than 1 ms, so its percentiles are coarse"
                .to_owned(),
        ],
    });
    run.plan.spec.load = model::LoadShape { time_s: TIME_S, ..model::LoadShape::default() };
    run.plan.spec.name = "go-tpc".to_owned();
    run.id = "2026-11-20T19-42-go-tpc".to_owned();
    run.host = model::HostFacts { mydyno_version: run.host.mydyno_version.clone(), ..Default::default() };
    run.trials =
        run.plan.trials.iter().map(|planned| trial(planned, planned.cell.target == "relaxed")).collect();
    run
}

/// The view of it.
pub fn view() -> View {
    View::from_inputs(&[record()], &report::ReportOptions::default())
}

fn spec(label: &str) -> SpecTarget {
    let kind = ServerKind::Imported { source: format!("go-tpc ({label}.log)") };
    SpecTarget {
        target: Target::single(label, kind),
        instance: Default::default(),
        levels: Default::default(),
    }
}

fn trial(planned: &model::PlannedTrial, is_relaxed: bool) -> TrialRecord {
    let stated = stated(planned, if is_relaxed { 1.4 } else { 1.0 });
    TrialRecord {
        planned: planned.clone(),
        result: Some(model::TrialResult {
            format: 1,
            index: planned.index,
            cell: planned.cell.clone(),
            outcome: model::Outcome::Completed,
            measured: model::Measured {
                measured_s: TIME_S,
                transactions: stated.transactions.unwrap_or(0),
                ..Default::default()
            },
            stated: Some(stated),
            ..Default::default()
        }),
        intervals: Vec::new(),
        watched: model::Watched::default(),
        variables: None,
        others: Vec::new(),
        variables_of_others: Vec::new(),
        stacks: None,
        histograms: Vec::new(),
        damaged: Vec::new(),
    }
}

fn stated(planned: &model::PlannedTrial, speed: f64) -> Stated {
    let mut noise = Noise(planned.seed.wrapping_add(7).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let n = f64::from(planned.cell.threads);
    let tpm = 9_000.0 * speed * n / (1.0 + 0.3 * (n - 1.0)) * (1.0 + 0.02 * noise.next());
    let shares = [0.45, 0.43, 0.04, 0.04, 0.04];
    let costs = [1.0, 0.6, 0.2, 1.9, 0.4];
    let kind = |(index, kind): (usize, TpccTransaction)| {
        let mean_ms = n * 60_000.0 / tpm * costs[index] / 0.75;
        let ns = |factor: f64| Some((mean_ms * factor * 10.0).round() * 1e5);
        let transactions = (tpm * shares[index] * TIME_S / 60.0).round();
        StatedType {
            name: kind.title().to_owned(),
            transactions: transactions as u64,
            errors: if index == 0 { 3 } else { 0 },
            per_minute: transactions * 60.0 / TIME_S,
            response: ReportedLatency {
                mean_ns: ns(1.0),
                min_ns: None,
                p50_ns: ns(0.9),
                p90_ns: ns(1.6),
                p95_ns: ns(2.0),
                p99_ns: ns(3.1),
                p999_ns: ns(5.5),
                max_ns: ns(7.0),
            },
        }
    };
    let types: Vec<StatedType> = TpccTransaction::ALL.into_iter().enumerate().map(kind).collect();
    let transactions: u64 = types.iter().map(|one| one.transactions).sum();
    Stated {
        transactions: Some(transactions),
        errors: Some(types.iter().map(|one| one.errors).sum()),
        throughput_per_s: Some(transactions as f64 / TIME_S),
        tpmc: Some(types[0].per_minute),
        types,
        ..Stated::default()
    }
}
