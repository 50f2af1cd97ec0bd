//! Which comparisons are corrected together, and what is said where nothing is decided.

use crate::common;

use crate::common::*;
use analysis::contest::{Gate, Standing, contest};
use analysis::{CellSummary, Judgement, Verdict, answer, answer_against, compare, metric};
use messages::number;

/// Cells of `a` and `b`, three trials each: throughputs by number of clients.
fn pair(a: &[[f64; 3]], b: &[[f64; 3]]) -> Vec<CellSummary> {
    let threads: Vec<u32> = (0..a.len() as u32).map(|i| 1 << i).collect();
    let plan = plan(&["a", "b"], &threads, 3);
    cells(&plan, |planned| {
        let at = threads.iter().position(|n| *n == planned.cell.threads)?;
        let values = if planned.cell.target == "a" { a[at] } else { b[at] };
        Some(recorded(planned, values[planned.cell.repeat as usize - 1]))
    })
}

fn side(cells: &[CellSummary], target: &str) -> Vec<CellSummary> {
    cells.iter().filter(|cell| cell.target == target).cloned().collect()
}

const LEVEL: [f64; 3] = [1_000.0, 1_020.0, 980.0];

/// By itself the first point leaves 1 out; among four it is not significant, for the sweep as for a comparison.
#[test]
fn a_sweep_and_a_comparison_of_its_targets_agree() {
    let shifted = [1_060.0, 1_140.0, 1_070.0];
    let cells = pair(&[LEVEL; 4], &[shifted, LEVEL, [990.0, 1_030.0, 1_000.0], [1_005.0, 990.0, 1_010.0]]);
    let alone = pair(&[LEVEL], &[shifted]);
    assert_eq!(compare(&alone, &metric::THROUGHPUT, "a", "b")[0].verdict, Verdict::Better);
    let swept = compare(&cells, &metric::THROUGHPUT, "a", "b");
    let p95 = metric::by_id("response_p95").expect("listed");
    for metrics in [&[&metric::THROUGHPUT][..], &[&metric::THROUGHPUT, p95]] {
        let points = contest(&side(&cells, "a"), &side(&cells, "b"), metrics, Judgement::default());
        let own: Vec<_> =
            points.into_iter().map(|p| p.comparison).filter(|c| c.metric == "throughput").collect();
        assert_eq!(own, swept, "other metrics are a family of their own");
    }
    assert_eq!((swept[0].verdict, swept[0].family_size), (Verdict::Inconclusive, 4));
    assert!(swept[0].excludes_one());
    let said = answer(&cells).en;
    assert!(!said.contains("faster"), "{said}");
    let first = answer(&pair(&[LEVEL, LEVEL], &[shifted, [500.0, 510.0, 490.0]])).en;
    assert!(
        first.contains("significant after correction for 2 comparisons") || first.contains("b is faster"),
        "{first}"
    );
}

/// Other over base, whichever was ahead; of several points neither an interval nor a number of repeats.
#[test]
fn an_inconclusive_stretch_shows_other_over_base() {
    let wild = [[1_000.0, 1_300.0, 800.0]; 3];
    let cells =
        pair(&wild, &[[1_200.0, 1_000.0, 1_050.0], [850.0, 1_000.0, 900.0], [1_100.0, 950.0, 1_150.0]]);
    let ratios: Vec<f64> = compare(&cells, &metric::THROUGHPUT, "a", "b").iter().map(|c| c.ratio).collect();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ratios.iter().copied().fold(0.0, f64::max);
    assert!(least < 1.0 && most > 1.0, "{ratios:?}");
    assert_eq!(
        answer(&cells).en,
        format!("Inconclusive from 1 to 4 clients (b/a from {least:.2}x to {most:.2}x).")
    );
    let one = answer(&pair(&wild[..1], &[[850.0, 1_000.0, 900.0]])).en;
    assert!(one.starts_with("Inconclusive at 1 client (b/a 0.9") && one.contains("x ["), "{one}");
}

#[test]
fn what_is_not_known_is_not_called_no_difference() {
    let plan = plan(&["1/1", "2/1", "0/0"], &[8], 3);
    let cells = cells(&plan, |planned| {
        let per_s = [[900.0, 2_000.0, 500.0], [700.0, 1_500.0, 2_500.0], [1_100.0, 600.0, 1_900.0]];
        let arm = ["1/1", "2/1", "0/0"].iter().position(|label| *label == planned.cell.target)?;
        Some(recorded(planned, per_s[arm][planned.cell.repeat as usize - 1]))
    });
    let said = answer_against(&cells, Some("1/1")).en;
    assert!(
        said.starts_with("Inconclusive whether any arm differs from 1/1: the intervals span ["),
        "{said}"
    );
}

#[test]
fn intervals_say_when_the_trials_are_too_few() {
    assert_eq!(number::ratio_interval(0.84, 1.56).en, "[0.84, 1.56]");
    assert_eq!(number::ratio_interval(0.000_1, 10_821.1).en, "[more than 100x either way]");
    assert_eq!(number::ratio_interval(0.9, 5_555.0).en, "[0.90, >100]");
    assert_eq!(number::change_interval(0.001, 1.2).en, "[<-99, +20.0]");
    assert_eq!(number::change_interval(1.0, 10_821.1).zh, "[+0.0, 超过 100 倍]");
    let plan = plan(&["a"], &[8], 2);
    let wide = cells(&plan, |p| Some(recorded(p, [100.0, 600.0][p.cell.repeat as usize - 1])));
    let said = answer(&wide).en;
    assert!(said.contains("350 transactions/s (too few trials for an interval)"), "{said}");
}

#[test]
fn a_gate_says_what_it_would_have_detected() {
    let wild = [700.0, 1_300.0, 900.0];
    let cells = pair(&[LEVEL, LEVEL], &[LEVEL, wild]);
    let points =
        contest(&side(&cells, "a"), &side(&cells, "b"), &[&metric::THROUGHPUT], Judgement::default());
    let gate = Gate::parse("throughput>+90%").expect("a gate");
    assert!(points.iter().all(|point| gate.standing(point) == Some(Standing::Holds)));
    let strictest = points.iter().filter_map(|p| gate.detectable(p)).fold(0.0, f64::max);
    assert!(strictest > 0.9, "the second point scatters too much: {strictest}");
    let said = gate.power(points.iter()).expect("there are intervals").en;
    assert!(
        said.starts_with("; it would have detected a rise of ") && said.ends_with(" % or more"),
        "{said}"
    );
    let certain = Gate::parse("throughput>+500%").expect("a gate").power(points[..1].iter());
    assert_eq!(certain.expect("an interval").en, "; it would have detected a rise of 500 % or more");
}

/// A cell that is not valid gets no verdict from anybody, and a gate over it cannot be told.
#[test]
fn cells_that_are_not_valid_get_no_verdict() {
    let mut cells = pair(&[LEVEL, LEVEL], &[[2_000.0, 2_040.0, 1_960.0]; 2]);
    let plan = plan(&["a", "b"], &[1, 2], 3);
    let crowded = common::cells(&plan, |planned| {
        let mut trial = recorded(planned, 1_000.0);
        trial.result.measured.generator.clock_set_back_s = 5.0;
        Some(trial)
    });
    cells[0].caveats = crowded[0].caveats.clone();
    let found = compare(&cells, &metric::THROUGHPUT, "a", "b");
    assert_eq!((found[0].verdict, found[1].verdict), (Verdict::Withheld, Verdict::Better));
    assert_eq!(found[1].family_size, 1, "what gets no verdict costs the others nothing");
    let why = found[0].withheld.as_ref().expect("a reason");
    assert!(why.en.starts_with("a: the monotonic clock went back"), "{why:?}");
    let points =
        contest(&side(&cells, "a"), &side(&cells, "b"), &[&metric::THROUGHPUT], Judgement::default());
    let gate = Gate::parse("throughput<-3%").expect("a gate");
    assert_eq!(gate.standing(&points[0]), Some(Standing::CannotTell));
    let said = answer(&cells).en;
    assert!(
        said.starts_with("b is faster at 2 clients")
            && said.contains("no verdict at 1 client (a is not valid)"),
        "{said}"
    );
    let validity = analysis::validity(&cells, &[]);
    assert_eq!(validity.level, analysis::ValidityLevel::Caveats);
    cells[1].caveats = crowded[0].caveats.clone();
    assert_eq!(analysis::validity(&cells, &[]).level, analysis::ValidityLevel::Invalid);
}
