//! What every recording must keep, whatever it measured: its seconds and counts add up, and agree with the server's.

use std::path::{Path, PathBuf};

use model::{Interval, Observation, TrialResult};
use serde::de::DeserializeOwned;

/// Looks at every trial below a results directory.
pub fn check(results: &Path) {
    for run in directories(results) {
        let plan = std::fs::read_to_string(run.join("plan.json")).unwrap_or_default();
        for trial in directories(&run.join("trials")) {
            check_trial(&trial, plan.contains("\"sandbox\""));
        }
    }
}

fn directories(of: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(of).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}

/// The lines of a file below its heading; none if one is no such thing.
fn lines<T: DeserializeOwned>(path: &Path) -> Option<Vec<T>> {
    let text = std::fs::read_to_string(path).ok()?;
    text.lines().skip(1).map(|line| serde_json::from_str(line).ok()).collect()
}

/// A recording that a test damaged was written to after its result.
fn is_untouched(trial: &Path) -> bool {
    let written = |name: &str| trial.join(name).metadata().and_then(|data| data.modified()).ok();
    written("intervals.jsonl") <= written("trial.json")
}

fn check_trial(trial: &Path, server_is_ours: bool) {
    let text = std::fs::read_to_string(trial.join("trial.json")).unwrap_or_default();
    let Ok(result) = serde_json::from_str::<TrialResult>(&text) else { return };
    let intervals = lines::<Interval>(&trial.join("intervals.jsonl"));
    let Some(intervals) = intervals.filter(|intervals| !intervals.is_empty()) else { return };
    if result.stated.is_some() || !is_untouched(trial) {
        return;
    }
    let at = trial.display();
    let measured: Vec<&Interval> = intervals.iter().filter(|i| !i.warmup).collect();
    check_window(&result, &measured, &at.to_string());
    let transactions: u64 = measured.iter().map(|i| i.transactions).sum();
    assert_eq!(transactions, result.measured.transactions, "transactions of {at}");
    let queries: u64 = measured.iter().map(|i| i.queries.total()).sum();
    assert_eq!(queries, result.measured.queries.total(), "statements of {at}");
    let errors: u64 = measured.iter().flat_map(|i| i.errors.values()).sum();
    assert_eq!(errors, result.measured.errors.iter().map(|e| e.count).sum::<u64>(), "errors of {at}");
    if let Some(transaction) = result.measured.operations.first().filter(|one| one.service.count > 0) {
        let (response, service) = (&transaction.response, &transaction.service);
        assert!(
            response.min_ns >= service.min_ns && response.mean_ns >= service.mean_ns,
            "{response:?} {at}"
        );
    }
    if let Some(around) = &result.surroundings {
        let available_s = around.time_s * f64::from(around.cpus) * 1.05 + 0.1;
        let others_s = around.others_cpu_s.unwrap_or_default();
        assert!(around.busiest_other_cpu_s <= others_s && others_s <= available_s, "{around:?} {at}");
    }
    if let Some(readings) = lines::<Observation>(&trial.join("observations.jsonl")) {
        check_server(&result, &measured, &readings, server_is_ours, &at.to_string());
    }
}

/// The intervals lie side by side, and are the window.
fn check_window(result: &TrialResult, measured: &[&Interval], at: &str) {
    let (Some(first), Some(last)) = (measured.first(), measured.last()) else {
        assert_eq!(result.measured.measured_s, 0.0, "{at}");
        return;
    };
    let near = |what: &str, seconds: f64| {
        let off = (seconds - result.measured.measured_s).abs();
        assert!(
            off <= 1e-6 + 0.001 * result.measured.measured_s,
            "{what} {seconds}, {} s: {at}",
            result.measured.measured_s
        );
    };
    near("sum of the intervals", measured.iter().map(|i| i.length_s).sum());
    near("last end minus first begin", last.end_s - (first.end_s - first.length_s));
    near("from the warm-up on", last.end_s - result.measured.warmup_s);
}

/// What the generator counted between two readings is what the server was asked, but for what was under way.
fn check_server(
    result: &TrialResult,
    measured: &[&Interval],
    readings: &[Observation],
    server_is_ours: bool,
    at: &str,
) {
    const MARGIN_S: f64 = 0.25;
    let questions = |reading: &Observation| {
        let found = reading.status.iter().find(|(name, _)| name.eq_ignore_ascii_case("questions"));
        found.map(|(_, count)| *count as f64)
    };
    let end_s = result.measured.warmup_s + result.measured.measured_s;
    let inside = |o: &&Observation| o.at_s - o.took_s >= result.measured.warmup_s && o.at_s <= end_s;
    let inside: Vec<&Observation> = readings.iter().filter(inside).collect();
    let (Some(a), Some(b)) = (inside.first(), inside.last()) else { return };
    let (Some(first), Some(last)) = (questions(a), questions(b)) else { return };
    if result.measured.reconnects > 0 || last <= first {
        return;
    }
    let counted = |from_s: f64, to_s: f64, is_in: fn(&Interval, f64, f64) -> bool| {
        let own = measured.iter().filter(|i| is_in(i, from_s, to_s));
        own.map(|i| i.queries.total()).sum::<u64>() as f64
    };
    let asked = last - first;
    let slack = 0.05 * asked + 4.0 * f64::from(result.cell.threads) + 80.0 * inside.len() as f64;
    let least = counted(a.at_s + MARGIN_S, b.at_s - b.took_s - MARGIN_S, |i, from, to| {
        i.end_s - i.length_s >= from && i.end_s <= to
    });
    assert!(least <= asked + slack, "{least} statements counted, the server was asked {asked}: {at}");
    let errors = result.measured.errors.iter().map(|e| e.count).sum::<u64>() as f64;
    let most = counted(a.at_s - a.took_s - MARGIN_S, b.at_s + MARGIN_S, |i, from, to| {
        i.end_s >= from && i.end_s - i.length_s <= to
    });
    assert!(
        !server_is_ours || asked <= most + 3.0 * errors + slack,
        "{most} statements counted, the server was asked {asked}: {at}"
    );
}
