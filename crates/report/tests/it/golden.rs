//! What people and programs read, compared with golden files made from a made-up laboratory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use knowledge::doctor::{Recommendation, RecommendationSeverity};
use model::Interval;
use report::render::{self, Latencies};
use report::versus::versus_of;
use report::view::{CellStatus, Level, SCHEMA_VERSION};
use report::{Lang, ReportOptions, View};
use serde_json::Value;

use crate::laboratory;

/// Made once: it is the largest.
fn experiment() -> View {
    static VIEW: LazyLock<View> = LazyLock::new(laboratory::experiment::view);
    VIEW.clone()
}

fn two_targets() -> View {
    laboratory::view(&laboratory::two_targets())
}

#[test]
fn text_of_a_sweep() {
    insta::assert_snapshot!(render::text(&two_targets(), &Latencies::default()));
}

#[test]
fn text_of_single_runs() {
    insta::assert_snapshot!(render::text(
        &laboratory::view(&laboratory::single_runs()),
        &Latencies::default()
    ));
}

#[test]
fn text_of_one_cell_shows_every_figure() {
    let one = laboratory::Laboratory { threads: vec![16], ..laboratory::one_target() };
    insta::assert_snapshot!(render::text(&laboratory::view(&one), &Latencies::default()));
}

#[test]
fn text_of_tpcc_has_the_table_by_type() {
    let one_cell = render::text(&laboratory::tpcc_view(), &Latencies::default());
    let mut sweep = laboratory::view(&laboratory::two_targets());
    sweep.cells.iter_mut().take(9).for_each(|cell| cell.tpcc = Some(laboratory::tpcc()));
    insta::assert_snapshot!(format!("{one_cell}\n----\n{}", render::text(&sweep, &Latencies::default())));
}

#[test]
fn text_of_watched_servers_says_what_they_did() {
    insta::assert_snapshot!(render::text(&laboratory::watched::view(), &Latencies::default()));
}

#[test]
fn text_and_markdown_of_a_search_list_the_rates() {
    let view = laboratory::capacity::view();
    let text = render::text(&view, &Latencies::default());
    let chinese = render::text(&View { lang: Lang::Zh, ..view.clone() }, &Latencies::default());
    insta::assert_snapshot!(format!("{text}\n----\n{}\n----\n{chinese}", render::markdown(&view)));
}

/// Two recordings of a search, and two targets of one: their capacities, not the rates that were tried.
#[test]
fn searches_are_compared_by_their_capacities() {
    let base = laboratory::capacity::record();
    let mut later = base.clone();
    (later.path, later.id) = ("results/later".into(), "later".to_owned());
    for trial in later.trials.iter_mut().filter_map(|trial| trial.result.as_mut()) {
        // From 680/s on the p99 is beyond its bound.
        if trial.measured.measured_s > 0.0
            && trial.measured.transactions as f64 > 680.0 * trial.measured.measured_s
        {
            for operation in &mut trial.measured.operations {
                operation.response.p99_ns = operation.response.p99_ns.max(30_000_000);
            }
        }
    }
    let of = |a: Option<&str>, b: Option<&str>, with: &_| {
        let found = versus_of((&base, a), (with, b), &[&analysis::metric::THROUGHPUT], 0.02);
        assert!(
            found.pairs.iter().flat_map(|pair| &pair.points).all(|one| one.comparison.metric == "capacity")
        );
        format!(
            "{}\n----\n{}",
            render::versus::text(&found, Lang::En),
            render::versus::markdown(&found, Lang::Zh)
        )
    };
    let targets = of(Some("mysql"), Some("relaxed"), &base);
    let recordings = of(None, None, &later);
    later.plan.spec.design.capacity.as_mut().expect("it is a search").slo.pop();
    let conditions = of(Some("mysql"), Some("mysql"), &later);
    insta::assert_snapshot!(format!("{targets}\n====\n{recordings}\n====\n{conditions}"));
}

#[test]
fn text_and_markdown_of_instances_side_by_side_begin_with_s() {
    let view = laboratory::colocation::view();
    let text = render::text(&view, &Latencies::default());
    let chinese = render::text(&View { lang: Lang::Zh, ..view.clone() }, &Latencies::default());
    insta::assert_snapshot!(format!("{text}\n----\n{}\n----\n{chinese}", render::markdown(&view)));
}

#[test]
fn what_was_seen_stands_beside_every_cell() {
    let view = laboratory::watched::view();
    for cell in &view.cells {
        assert!(cell.machine.is_some() && cell.tops.is_some() && !cell.costs.is_empty(), "{}", cell.id);
        assert_eq!(cell.plans.iter().any(|plan| plan.changed_to.is_some()), cell.target == 0);
        for trial in &cell.trials {
            // The reading that follows at once upon the last one is no point of a line.
            assert_eq!(trial.observed.at_s.len(), 24);
            assert!(trial.observed.series.iter().all(|line| line.values.len() == 24));
        }
    }
    assert_eq!(view.advice.len(), 2);
}

/// Six findings that both targets share, before one of the second alone.
#[test]
fn shared_findings_do_not_hide_the_one_in_which_targets_differ() {
    let finding = |id: &str| analysis::CellAdvice {
        advice: Recommendation::new(
            id,
            RecommendationSeverity::Medium,
            [format!("evidence of {id}"), "why".to_owned(), "action".to_owned(), "cost".to_owned()]
                .map(Into::into),
            String::new(),
        ),
        clients: vec![4],
    };
    let mut view = laboratory::watched::view();
    for advice in &mut view.advice {
        advice.items = ["a", "b", "c", "d", "e", "f"].map(finding).into();
    }
    view.advice[1].items.push(finding("own"));
    let text = render::text(&view, &Latencies::default());
    assert!(text.contains(&format!("{}: evidence of own", view.targets[1].label)), "{text}");
    assert!(text.contains("evidence of a") && text.contains("evidence of c"), "{text}");
}

#[test]
fn text_of_an_experiment_reads_as_a_laboratory_report() {
    insta::assert_snapshot!(render::text(&experiment(), &Latencies::default()));
}

#[test]
fn text_of_an_experiment_in_chinese() {
    let view = View { lang: Lang::Zh, ..experiment() };
    insta::assert_snapshot!(render::text(&view, &Latencies::default()));
}

#[test]
fn text_of_an_imported_recording_has_the_figures_of_the_tool() {
    insta::assert_snapshot!(render::text(&laboratory::imported::view(), &Latencies::default()));
}

#[test]
fn markdown_of_an_experiment() {
    insta::assert_snapshot!(render::markdown(&experiment()));
}

#[test]
fn text_in_chinese() {
    let view = View::from_inputs(&[laboratory::two_targets().record()], &ReportOptions { lang: Lang::Zh });
    insta::assert_snapshot!(render::text(&view, &Latencies::default()));
}

#[test]
fn text_when_nothing_completed() {
    let view = laboratory::view(&laboratory::nothing_completed());
    assert_eq!(view.trust.level, Level::Red);
    insta::assert_snapshot!(render::text(&view, &Latencies::default()));
}

#[test]
fn csv_has_a_row_per_trial_and_per_cell() {
    let view = two_targets();
    let text = render::csv(&view);
    let trials: usize = view.cells.iter().map(|c| c.trials.len()).sum();
    assert_eq!(text.lines().count(), 1 + trials + view.cells.len());
    insta::assert_snapshot!(text.lines().take(6).collect::<Vec<_>>().join("\n"));
}

#[test]
fn markdown_of_a_sweep() {
    insta::assert_snapshot!(render::markdown(&two_targets()));
}

#[test]
fn markdown_is_not_broken_by_labels_and_messages() {
    let mut view = two_targets();
    view.targets[0].label = "a|b <img src=x>".to_owned();
    let text = render::markdown(&view);
    assert!(text.contains("a\\|b &lt;img src=x>"));
    assert!(!text.contains("<img"));
}

#[test]
fn json_keys_are_the_schema() {
    let mut keys = BTreeSet::new();
    for view in [two_targets(), laboratory::watched::view(), experiment(), laboratory::imported::view()] {
        let json: Value = serde_json::from_str(&render::json(&view)).expect("it is JSON");
        assert_eq!(json["schema_version"], SCHEMA_VERSION);
        collect_keys("", &json, &mut keys);
    }
    insta::assert_snapshot!(keys.into_iter().collect::<Vec<_>>().join("\n"));
}

/// Paths of all keys with the kinds of their values. Maps whose keys are data are not followed.
fn collect_keys(path: &str, value: &Value, keys: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let here = format!("{path}.{key}");
                keys.insert(format!("{here}: {}", kind(value)));
                if !["args", "options", "instance"].contains(&key.as_str()) {
                    collect_keys(&here, value, keys);
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|v| collect_keys(&format!("{path}[]"), v, keys)),
        _ => {}
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[test]
fn a_view_survives_its_json() {
    let view = two_targets();
    let back: View = serde_json::from_str(&render::json(&view)).expect("it is a view");
    assert_eq!(back, view);
}

#[test]
fn failed_cells_keep_their_reason_and_have_no_figures() {
    let view = two_targets();
    let failed: Vec<_> = view.cells.iter().filter(|c| c.status == CellStatus::Failed).collect();
    assert_eq!(failed.len(), 1);
    assert_eq!((failed[0].throughput_per_s, failed[0].totals), (None, None));
    assert!(failed[0].failure.as_ref().is_some_and(|f| f.message.starts_with("too many connections")));
}

#[test]
fn green_is_earned() {
    assert_eq!(laboratory::view(&laboratory::one_target()).trust.level, Level::Green);
    assert_eq!(two_targets().trust.level, Level::Amber);
}

#[test]
fn two_recordings_of_one_plan_are_one_set_of_runs() {
    let first = laboratory::one_target().record();
    let mut second = first.clone();
    second.id = "2026-11-21T08-00-oltp_read_write".to_owned();
    let view = View::from_inputs(&[first, second], &ReportOptions::default());
    assert_eq!(view.targets.len(), 1);
    assert!(view.cells.iter().all(|c| c.runs_completed == 6));
    let repeats: Vec<u32> = view.cells[0].trials.iter().map(|t| t.repeat).collect();
    assert_eq!(repeats, [1, 2, 3, 4, 5, 6]);
}

#[test]
fn recordings_of_different_plans_are_compared_under_labels_of_their_own() {
    let first = laboratory::one_target().record();
    let mut second = first.clone();
    second.id = "later".to_owned();
    second.plan.hash = "another".to_owned();
    let view = View::from_inputs(&[first, second], &ReportOptions::default());
    let labels: Vec<&str> = view.targets.iter().map(|t| t.label.as_str()).collect();
    assert_eq!(labels, ["mysql", "mysql (later)"]);
    assert_eq!(view.workloads.len(), 1);
    assert_eq!(view.comparisons.len(), 7);
    assert!(view.comparisons.iter().all(|c| (c.throughput_ratio - 1.0).abs() < 1e-9));
}

/// Two thousand seconds of which the server answered nothing for five minutes, and refused something in each of them.
#[test]
fn a_stall_in_a_long_run_is_drawn() {
    let stalls = |second: u32| (1_001..=1_300).contains(&second);
    for stretch_s in [10, 1] {
        let long = laboratory::Laboratory { threads: vec![16], repeats: 1, ..laboratory::one_target() };
        let mut run = long.record();
        let trial = &mut run.trials[0];
        let second = trial.intervals[10].clone();
        trial.intervals = (1..=2_005)
            .map(|end| Interval {
                end_s: f64::from(end),
                warmup: end <= 5,
                transactions: if stalls(end) { 0 } else { 100 },
                errors: if stalls(end) { [(1205, 3)].into() } else { BTreeMap::new() },
                backlog: Some(if stalls(end) { u64::from(end) } else { 0 }),
                ..second.clone()
            })
            .collect();
        let mut histogram = trial.histograms[0].response.as_ref().expect("made so").histogram();
        histogram.reset();
        histogram.record_n(5_000_000, 100 * u64::from(stretch_s)).expect("within an hour");
        trial.histograms[0].response_spans = (6..=2_005_u32)
            .step_by(stretch_s as usize)
            .map(|first| first + stretch_s - 1)
            .filter(|end| !stalls(*end))
            .map(|end| analysis::Span {
                end_s: f64::from(end),
                length_s: f64::from(stretch_s),
                histogram: histogram.clone(),
            })
            .collect();
        let view = View::from_inputs(&[run], &ReportOptions::default());
        let series = &view.cells[0].trials[0].series;
        let points = series.end_s.len();
        assert!(points <= 1_500, "{points}");
        let at = |end_s: f64| series.end_s.iter().position(|end| *end == end_s).expect("a point");
        let (before, amid) = (at(505.0), at(1_205.0));
        assert_eq!(
            (series.throughput_per_s[before], series.response_p95_ms[before].is_some()),
            (100.0, true)
        );
        assert_eq!((series.throughput_per_s[amid], series.response_p95_ms[amid]), (0.0, None));
        assert_eq!((series.errors_per_s[amid], series.backlog[amid]), (3.0, 1_205));
        assert_eq!((series.backlog.len(), series.end_s[points - 1]), (points, 2_005.0));
    }
}

#[test]
fn the_command_repeats_the_run() {
    insta::assert_snapshot!(two_targets().runs[0].command);
    let servers = laboratory::Laboratory { threads: vec![8], repeats: 1, ..laboratory::many_cells() };
    insta::assert_snapshot!(laboratory::view(&servers).runs[0].command);
}
