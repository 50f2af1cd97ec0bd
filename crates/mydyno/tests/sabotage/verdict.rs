//! Figures that are disturbed, and what may still be concluded from them: validity, verdicts, gates.

use std::path::Path;

use serde_json::{Value, json};

use crate::common;
use crate::recording::{TARGETS, commanded, copied, edit, of_cell, reported, trials};
use crate::row::{Expect::*, Seen};

/// Other processes used this share of the CPUs during a trial, one program most of it.
fn crowd(trial: &Path, share: f64, busiest: f64) {
    edit(&trial.join("trial.json"), |trial| {
        trial["surroundings"] = json!({
            "time_s": 2.0, "cpus": 2, "others_cpu_s": share * 4.0, "busiest_other": "python",
            "busiest_other_cpu_s": busiest * 4.0, "steal_s": 0.0, "swap_in_bytes": 0, "swap_out_bytes": 0,
            "wall_clock_step_s": 0.0
        });
    });
}

fn one_crowded_trial() -> Seen {
    reported(|results| crowd(&of_cell(results, "safe", 1)[1], 0.85, 0.6))
}

fn one_crowded_cell() -> Seen {
    reported(|results| of_cell(results, "safe", 1).iter().for_each(|trial| crowd(trial, 0.85, 0.6)))
}

fn every_cell_crowded() -> Seen {
    reported(|results| trials(results).iter().for_each(|trial| crowd(trial, 0.85, 0.6)))
}

fn a_part_larger_than_its_whole() -> Seen {
    reported(|results| trials(results).iter().for_each(|trial| crowd(trial, 0.25, 0.37)))
}

/// The first cell is disturbed a little, another one more.
fn the_worst_cell_is_not_the_first() -> Seen {
    reported(|results| {
        of_cell(results, "safe", 1).iter().for_each(|trial| crowd(trial, 0.15, 0.1));
        of_cell(results, "loose", 2).iter().for_each(|trial| crowd(trial, 0.45, 0.4));
    })
}

fn gate_over_a_cell_that_is_not_valid() -> Seen {
    commanded(
        |results| of_cell(results, "loose", 1).iter().for_each(|trial| crowd(trial, 0.85, 0.6)),
        &["compare", "RUN:safe", "RUN:loose", "--metrics", "throughput", "--fail-on", "throughput<-3%"],
    )
}

fn gate_that_holds() -> Seen {
    commanded(|_| {}, &["compare", "RUN:safe", "RUN:loose", "--fail-on", "throughput<-99.9%"])
}

fn different_durability() -> Seen {
    commanded(|_| {}, &["compare", "RUN:safe", "RUN:loose"])
}

rows! {
    one_crowded_trial_leaves_the_verdict: "one bad trial of twelve condemns all cells", one_crowded_trial => [
        Code(0), Caveat("set_aside", "warn"), Validity("amber"),
        Says("1 of 3 trials was not valid and does not count: other processes used 85 % of this machine's CPUs"),
        Says("safe at 1 client, repeat 2, does not count: other processes used 85 %"), NeverSays("of 4 cells) other"),
        NeverSays("Withdrawn"), NoCaveat("other_processes"),
    ];
    one_crowded_cell_gets_no_verdict: "a cell without a valid trial decides", one_crowded_cell => [
        Code(0), Caveat("other_processes", "invalid"), Validity("amber"), Says("Valid with caveats: "),
        Says("no verdict at 1 client (safe is not valid)"), Says("most of all python with 60 %"),
        NeverSays("Withdrawn"),
    ];
    nothing_valid_withdraws_the_answer: "a claim in bold above its withdrawal", every_cell_crowded => [
        Code(0), Validity("red"), Says("Not valid: other processes used 85 %"), Says("Withdrawn: "),
        Says("all 4 cells"),
    ];
    a_part_never_exceeds_its_whole: "25 %, most of all python with 37 %", a_part_larger_than_its_whole => [
        Caveat("other_processes", "warn"), Says("other processes used 37 %"), NeverSays("25 %"),
    ];
    the_worst_cell_is_told_and_where: "the first cell's 15 % for the worst cell's 45 %", the_worst_cell_is_not_the_first => [
        Says("other processes used 45 % of this machine's CPUs, most of all python with 40 %"),
        Says("worst loose at 2 clients, 2 of 4 cells"),
    ];
    a_gate_over_an_invalid_cell_cannot_be_told: "FAILED or holds, from figures that are not valid",
        gate_over_a_cell_that_is_not_valid => [
        Code(4), Says("gate throughput<-3%: cannot be told at 1 client"), Says("not valid: loose: other processes"),
        Says("no verdict: loose: other processes used 85 %"),
    ];
    a_gate_that_holds_says_what_it_would_have_seen: "a gate that sees nothing holds", gate_that_holds => [
        Code(0), Says("gate throughput<-99.9%: holds; "),
    ];
    comparability_stands_above_the_table: "a table of unequal durability without a word", different_durability => [
        Code(0), Says("! durability differs"),
    ];
}

/// Warnings and validity come before the first figure, the validity before the answer.
#[test]
fn validity_comes_before_the_claim() {
    let place = |text: &str, part: &str| text.find(part).unwrap_or_else(|| panic!("no {part:?} in\n{text}"));
    let compared = different_durability().text;
    assert!(place(&compared, "durability differs") < place(&compared, "safe\n"), "{compared}");
    assert!(place(&compared, "Valid with caveats: ") < place(&compared, "verdict"), "{compared}");
    let report = every_cell_crowded().text;
    assert!(report.starts_with("Not valid: "), "{report}");
    assert!(place(&report, "Not valid: ") < place(&report, "Withdrawn: "), "{report}");
    let results = copied();
    trials(&results.path().join("results")).iter().for_each(|trial| crowd(trial, 0.85, 0.6));
    let (_, markdown, _) = common::output(&results, &["report", "latest", "--format", "markdown"]);
    assert!(markdown.starts_with("**Not valid: "), "{markdown}");
    assert_eq!(markdown.matches("**").count(), 2, "only the validity is bold:\n{markdown}");
}

/// A number of the view.
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

/// 0.975 quantile of Student's t with two degrees of freedom.
const T: f64 = 4.302_652_729_911_275;

/// What the trials of one number of clients say, computed here from nothing but the JSON's transactions and seconds.
struct Recomputed {
    clients: u64,
    ratio: f64,
    low: f64,
    high: f64,
    p: f64,
}

/// Mean and standard error of three values.
fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

fn throughputs(cell: &Value) -> Vec<f64> {
    let trials = cell["trials"].as_array().unwrap().iter();
    trials.map(|trial| number(&trial["transactions"]) / number(&trial["measured_s"])).collect()
}

fn recompute(view: &Value) -> Vec<Recomputed> {
    let of = |target: usize, clients: u64| {
        let mut cells = view["cells"].as_array().unwrap().iter();
        cells.find(|cell| cell["target"] == target && cell["threads"] == clients).unwrap()
    };
    let point = |clients: u64| {
        let (base, other) = (throughputs(of(0, clients)), throughputs(of(1, clients)));
        let logs: Vec<f64> = other.iter().zip(&base).map(|(o, b)| (o / b).ln()).collect();
        assert_eq!(logs.len(), 3);
        let (mean, error) = mean_and_error(&logs);
        let t = (mean / error).abs();
        // Student's distribution function has a closed form for two degrees of freedom.
        let p = 1.0 - t / (2.0 + t * t).sqrt();
        let (low, high) = ((mean - T * error).exp(), (mean + T * error).exp());
        Recomputed { clients, ratio: mean.exp(), low, high, p }
    };
    [1, 2].map(point).into()
}

/// Holm's correction of two p-values.
fn holm(points: &[Recomputed]) -> Vec<f64> {
    let least = points.iter().map(|p| p.p).fold(f64::INFINITY, f64::min);
    let corrected = |p: f64| if p == least { (2.0 * p).min(1.0) } else { p.max(2.0 * least).min(1.0) };
    points.iter().map(|point| corrected(point.p)).collect()
}

fn verdict(point: &Recomputed, p: f64) -> &'static str {
    match point {
        point if point.low >= 1.0 / 1.02 && point.high <= 1.02 => "same",
        point if p <= 0.05 && point.low > 1.0 => "better",
        point if p <= 0.05 && point.high < 1.0 => "worse",
        _ => "inconclusive",
    }
}

fn near(found: &Value, expected: f64) -> bool {
    (number(found) / expected - 1.0).abs() < 1e-3
}

/// Every number of the form `1.23x [1.11, 1.34]` in a sentence.
fn ratios(sentence: &str) -> Vec<(f64, f64, f64)> {
    let parts: Vec<&str> = sentence.split("x [").collect();
    let pairs = parts.windows(2).filter_map(|pair| {
        let value = pair[0].rsplit([' ', '(']).next()?.parse().ok()?;
        let (low, high) = pair[1].split(']').next()?.split_once(", ")?;
        Some((value, low.parse().ok()?, high.parse().ok()?))
    });
    pairs.collect()
}

/// One recording, one verdict: the page's comparisons, `compare`, and the sentence agree with what the trials say.
#[test]
fn every_sentence_of_comparison_follows_from_the_trials() {
    let results = copied();
    let view = common::json(&results);
    let points = recompute(&view);
    let corrected = holm(&points);
    let (_, stdout, stderr) =
        common::output(&results, &["compare", "latest:safe", "latest:loose", "--format", "json"]);
    let compared: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stdout}{stderr}"));
    let compared = compared["pairs"][0]["points"].as_array().unwrap();
    for (point, p) in points.iter().zip(&corrected) {
        let expected = verdict(point, *p);
        let on_page = view["comparisons"].as_array().unwrap().iter();
        let on_page = on_page.filter(|c| c["threads"] == point.clients).map(|c| (c, &c["throughput_ratio"]));
        let own = |c: &&Value| c["metric"] == "throughput" && c["threads"] == point.clients;
        let in_compare = compared.iter().filter(own).map(|c| (c, &c["ratio"]));
        let both: Vec<_> = on_page.chain(in_compare).collect();
        assert_eq!(both.len(), 2);
        for (found, ratio) in both {
            assert!(near(ratio, point.ratio), "{found}");
            assert!(near(&found["low"], point.low) && near(&found["high"], point.high), "{found}");
            assert!((number(&found["p_adjusted"]) - p).abs() < 1e-3, "{p}: {found}");
            assert_eq!(found["verdict"], expected, "{found}");
            assert_eq!(found["family_size"], 2, "{found}");
        }
    }
    // The sentence: every ratio in it is one of these, or the same the other way round.
    let answer = view["answer"]["en"].as_str().unwrap();
    let agrees = |said: f64, value: f64| {
        (said - value).abs() <= 0.006 * value.max(1.0) * if value >= 10.0 { 10.0 } else { 1.0 }
    };
    for (value, low, high) in ratios(answer) {
        let is_one = |point: &Recomputed| {
            let there = agrees(value, point.ratio) && agrees(low, point.low) && agrees(high, point.high);
            let back = agrees(value, 1.0 / point.ratio) && agrees(low, 1.0 / point.high);
            there || back
        };
        assert!(points.iter().any(is_one), "{value}x [{low}, {high}] in {answer}");
    }
    for (point, p) in points.iter().zip(&corrected) {
        let decided = verdict(point, *p);
        let names = |winner: &str| answer.to_lowercase().contains(&format!("{winner} is faster"));
        assert!(decided != "better" || names(TARGETS[1]), "{answer}");
        assert!(decided != "worse" || names(TARGETS[0]), "{answer}");
    }
    // The table: means and intervals over the trials, and how many there are.
    for cell in view["cells"].as_array().unwrap() {
        let values = throughputs(cell);
        let (mean, error) = mean_and_error(&values);
        let found = &cell["throughput_per_s"];
        assert!(near(&found["mean"], mean) && found["n"] == 3 && cell["runs_completed"] == 3, "{found}");
        match mean - T * error {
            low if low >= 0.0 => assert!(near(&found["high"], mean + T * error), "{found}"),
            _ => assert!(found["low"].is_null() && found["high"].is_null(), "{found}"),
        }
        // One estimator for one name: the percentile of chart and table is that of all trials together.
        let p95 = [&cell["response_p95_ms"]["mean"], &cell["totals"]["response_p95_ms"]].map(number);
        assert_eq!(p95[0], p95[1], "{}", cell["id"]);
    }
}
