//! One set of cells against another, and gates over what comes out.

use crate::common;

use crate::common::{cells, recorded};
use analysis::contest::{Gate, Point, Standing, contest, contest_of_capacities};
use analysis::{CellSummary, Judgement, Verdict, metric};

/// Cells of one target at several numbers of clients, with these transactions per second in five runs each.
fn side(curves: &[(u32, [f64; 5])]) -> Vec<CellSummary> {
    let threads: Vec<u32> = curves.iter().map(|(threads, _)| *threads).collect();
    let plan = common::plan(&["mysql"], &threads, 5);
    cells(&plan, |planned| {
        let (_, runs) = curves.iter().find(|(threads, _)| *threads == planned.cell.threads)?;
        Some(recorded(planned, runs[planned.cell.repeat as usize - 1]))
    })
}

fn points(base: &[(u32, [f64; 5])], other: &[(u32, [f64; 5])]) -> Vec<Point> {
    contest(&side(base), &side(other), &[&metric::THROUGHPUT], Judgement::default())
}

const FLAT: [f64; 5] = [1_000.0, 1_010.0, 990.0, 1_005.0, 995.0];

#[test]
fn a_clear_fall_is_worse_and_fails_its_gate() {
    let slower = FLAT.map(|v| v * 0.9);
    let found = points(&[(8, FLAT)], &[(8, slower)]);
    let point = &found[0];
    assert_eq!(point.comparison.verdict, Verdict::Worse);
    assert!((point.comparison.ratio - 0.9).abs() < 1e-9, "{point:?}");
    let standing = |gate: &str| Gate::parse(gate).expect("a gate").standing(point);
    assert_eq!(standing("throughput<-3%"), Some(Standing::Failed));
    assert_eq!(standing("throughput < -15 %"), Some(Standing::Holds));
    assert_eq!(standing("throughput>+5%"), Some(Standing::Holds));
    assert_eq!(standing("p99>+10%"), None, "that is another metric");
}

#[test]
fn what_noise_hides_cannot_be_told() {
    let wild = [700.0, 1_200.0, 850.0, 1_150.0, 800.0];
    let found = points(&[(8, FLAT)], &[(8, wild)]);
    assert_eq!(found[0].comparison.verdict, Verdict::Inconclusive);
    let gate = Gate::parse("throughput<-3%").expect("a gate");
    assert_eq!(gate.standing(&found[0]), Some(Standing::CannotTell));
}

#[test]
fn one_of_many_points_that_differs_by_accident_is_not_called_a_difference() {
    // By itself the first point leaves 1 out at 5 %, but not at a twentieth of that.
    let shifted = [1_036.0, 1_040.0, 1_003.0, 1_056.0, 1_010.0];
    let alone = points(&[(1, FLAT)], &[(1, shifted)]);
    assert_eq!(alone[0].comparison.verdict, Verdict::Better, "{alone:?}");
    let threads: Vec<u32> = (1..=20).collect();
    let base: Vec<(u32, [f64; 5])> = threads.iter().map(|n| (*n, FLAT)).collect();
    let noise = [1_010.0, 1_000.0, 995.0, 990.0, 1_005.0];
    let other: Vec<(u32, [f64; 5])> =
        threads.iter().map(|n| (*n, if *n == 1 { shifted } else { noise })).collect();
    let found = points(&base, &other);
    assert_eq!(found[0].comparison.verdict, Verdict::Inconclusive);
    assert!(found[0].comparison.p_adjusted > alone[0].comparison.p_adjusted, "{:?}", found[0]);
}

#[test]
fn gates_that_cannot_be_read_say_why() {
    for (text, part) in [
        ("throughput", "neither < nor >"),
        ("througput<-3%", "there is no metric 'througput'"),
        ("p99>10", "in percent"),
        ("p99>ten%", "not a number"),
        ("p99<-100%", "cannot be"),
    ] {
        let error = Gate::parse(text).expect_err(text);
        assert!(error.contains(part), "{text}: {error}");
    }
}

/// A capacity with its interval.
fn capacity(target: &str, (low, value, high): (f64, f64, f64)) -> analysis::Capacity {
    analysis::Capacity {
        target: target.to_owned(),
        workload: "w".to_owned(),
        threads: 64,
        standing: analysis::capacity::CapacityStanding::Confirmed,
        per_s: Some(value),
        low_per_s: Some(low),
        high_per_s: Some(high),
        closed_loop_per_s: None,
        conditions: Vec::new(),
        rates: Vec::new(),
        says: analysis::Words::new("", ""),
        evidence: analysis::Words::new("", ""),
    }
}

/// Intervals of independent searches: distances on logarithms add up as squares.
#[test]
fn capacities_are_compared_by_their_intervals() {
    let base = capacity("a", (950.0, 1_000.0, 1_050.0));
    let judged = |other: (f64, f64, f64)| {
        let point = contest_of_capacities(&base, &capacity("b", other), 0.02).expect("both are known");
        let gate = Gate::parse("capacity<-5%").expect("it is a gate");
        (point.comparison.verdict, gate.standing(&point).expect("of that metric"), point)
    };
    let (verdict, standing, point) = judged((760.0, 800.0, 840.0));
    assert_eq!((verdict, standing), (Verdict::Worse, Standing::Failed));
    let (low, high) = (point.comparison.low.expect("known"), point.comparison.high.expect("known"));
    assert!((low - 0.744).abs() < 0.002 && (high - 0.858).abs() < 0.002, "[{low}, {high}]");
    let (verdict, standing, _) = judged((890.0, 940.0, 990.0));
    assert_eq!((verdict, standing), (Verdict::Inconclusive, Standing::CannotTell));
    assert_eq!(judged((930.0, 980.0, 1_030.0)).1, Standing::Holds);
    let unknown = analysis::Capacity { per_s: None, ..base.clone() };
    assert!(contest_of_capacities(&base, &unknown, 0.02).is_none());
}
