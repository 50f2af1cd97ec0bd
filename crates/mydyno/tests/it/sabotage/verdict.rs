//! Figures that are disturbed, and what may still be concluded from them: validity, verdicts, gates.

use std::path::Path;

use serde_json::{Value, json};

use crate::common;
use crate::common::comparisons::{near, number, recompute};
use crate::sabotage::recording::{TARGETS, commanded, copied, edit, of_cell, reported, trials};
use crate::sabotage::row::{Expect::*, Seen};

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
        Says("verdict at 1 client (safe is not valid)"), Says("most of all python with 60 %"),
        NeverSays("Withdrawn"),
    ];
    nothing_valid_withdraws_the_answer: "a claim in bold above its withdrawal", every_cell_crowded => [
        Code(0), Validity("red"), Says("Not valid: other processes used 85 %"), Says("Withdrawn: "),
        Says("all 4 cells"),
    ];
    a_part_never_exceeds_its_whole: "25 %, most of all python with 37 %", a_part_larger_than_its_whole => [
        Caveat("other_processes", "warn"), Says("other processes used 37 %"), NeverSays("used 25 %"),
    ];
    the_worst_cell_is_told_and_where: "the first cell's 15 % for the worst cell's 45 %", the_worst_cell_is_not_the_first => [
        Says("other processes used 45 % of this machine's CPUs, most of all python with 40 %"),
        Says("worst loose at 2 clients, 2 of 4 cells"),
    ];
    a_gate_over_an_invalid_cell_cannot_be_told: "FAILED or holds, from figures that are not valid",
        gate_over_a_cell_that_is_not_valid => [
        Code(4), Says("gate throughput<-3%: undetermined at 1 client"), Says("not valid: loose: other processes"),
        Says("no verdict: loose: other processes used this machine's CPUs"),
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

/// One recording, one verdict: the page's comparisons, `compare`, and the sentence agree with what the trials say.
#[test]
fn every_sentence_of_comparison_follows_from_the_trials() {
    let results = copied();
    let view = common::json(&results);
    let points = recompute(&view, 0, 1);
    let (_, stdout, stderr) =
        common::output(&results, &["compare", "latest:safe", "latest:loose", "--format", "json"]);
    let compared: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stdout}{stderr}"));
    let compared = compared["pairs"][0]["points"].as_array().unwrap();
    let answer = view["answer"]["en"].as_str().unwrap();
    assert_eq!(points.len(), 2);
    for point in &points {
        let own = |c: &&Value| c["metric"] == "throughput" && c["threads"] == point.clients;
        let found = compared.iter().find(own).unwrap_or_else(|| panic!("{point:?} is not in {compared:?}"));
        let interval = point.interval.unwrap();
        assert!(near(&found["ratio"], point.ratio), "{found}");
        assert!(near(&found["low"], interval.low) && near(&found["high"], interval.high), "{found}");
        assert!((number(&found["p_adjusted"]) - interval.corrected).abs() < 1e-3, "{point:?}: {found}");
        assert_eq!(found["verdict"], point.verdict(), "{found}");
        assert_eq!(found["family_size"], 2, "{found}");
        let names = |winner: &str| answer.to_lowercase().contains(&format!("{winner} is faster"));
        assert!(point.verdict() != "better" || names(TARGETS[1]), "{answer}");
        assert!(point.verdict() != "worse" || names(TARGETS[0]), "{answer}");
    }
}
