//! What would change an answer, sentence by sentence.

use crate::common::*;
use analysis::open_question::{ExperimentConditions, OpenQuestion, OpenQuestionKind, doubts};
use analysis::{CellSummary, validity};
use model::About;

fn about(quick: bool, shows: Option<&str>) -> About {
    About {
        experiment: "durability".to_owned(),
        question: "What does it cost?".to_owned(),
        published: None,
        shows: shows.map(str::to_owned),
        quick,
        arms: true,
        question_zh: None,
        published_zh: None,
        shows_zh: None,
    }
}

fn of(cells: &[CellSummary], about: &About, cpus: Option<u32>) -> Vec<OpenQuestion> {
    let circumstances =
        ExperimentConditions { about, base: "1/1", only_machine_cpus: cpus, servers_are_here: true };
    doubts(cells, &validity(cells, &[]), &circumstances)
}

fn said(found: &[OpenQuestion], kind: OpenQuestionKind) -> Vec<&str> {
    found.iter().filter(|doubt| doubt.kind == kind).map(|doubt| doubt.text.en.as_str()).collect()
}

/// Throughput of each run, by target and number of clients.
fn runs(targets: &[(&str, &[&[f64]])], threads: &[u32]) -> Vec<CellSummary> {
    let names: Vec<&str> = targets.iter().map(|(name, _)| *name).collect();
    let repeats = targets[0].1[0].len() as u32;
    cells(&plan(&names, threads, repeats), |planned| {
        let (_, curve) = targets.iter().find(|(name, _)| *name == planned.cell.target)?;
        let at = threads.iter().position(|n| *n == planned.cell.threads)?;
        Some(recorded(planned, curve[at][planned.cell.repeat as usize - 1]))
    })
}

#[test]
fn open_points_say_how_many_repeats_they_would_take() {
    let base: &[&[f64]] =
        &[&[1_000.0, 1_010.0, 990.0], &[2_000.0, 2_020.0, 1_980.0], &[2_000.0, 2_800.0, 1_500.0]];
    let other: &[&[f64]] =
        &[&[1_020.0, 1_090.0, 1_040.0], &[4_000.0, 4_040.0, 3_960.0], &[2_100.0, 1_700.0, 2_500.0]];
    let found = of(&runs(&[("1/1", base), ("0/0", other)], &[2, 8, 32]), &about(false, None), None);
    let open = said(&found, OpenQuestionKind::Inconclusive);
    assert_eq!(open.len(), 1, "{found:?}");
    assert!(open[0].starts_with("0/0 against 1/1 is inconclusive at 2 and 32 clients: about "), "{open:?}");
    assert!(open[0].contains("100 would not settle the rest."), "{open:?}");
    assert!(found[0].text.zh.starts_with("0/0 对比 1/1，2 和 32 个客户端时无法定论"), "{found:?}");
}

#[test]
fn a_margin_that_is_just_missed_is_named() {
    // From 0.5 % to 3 % more: with 3.x % as margin it would be the same.
    let base: &[&[f64]] = &[&[1_000.0, 1_000.0, 1_000.0]];
    let near: &[&[f64]] = &[&[1_002.0, 1_012.0, 1_020.0]];
    let found = of(&runs(&[("1/1", base), ("0/0", near)], &[8]), &about(false, None), None);
    let margin = said(&found, OpenQuestionKind::Margin);
    assert_eq!(margin.len(), 1, "{found:?}");
    assert!(
        margin[0].starts_with("0/0 against 1/1 at 8 clients: with an equivalence margin of 3.")
            && margin[0].contains("instead of 2 %"),
        "{margin:?}"
    );
    let small: &[&[f64]] = &[&[1_020.0, 1_025.0, 1_030.0]];
    let found = of(&runs(&[("1/1", base), ("0/0", small)], &[8]), &about(false, None), None);
    let margin = said(&found, OpenQuestionKind::Margin);
    assert_eq!(
        margin,
        [
            "0/0 against 1/1 at 8 clients: the difference is significant, but may be smaller than the equivalence margin of 2 %."
        ]
    );
}

#[test]
fn size_limits_machine_and_caveats_are_said_and_what_is_sure_is_not() {
    let cells = curves(&[("1/1", &[900.0]), ("0/0", &[1_800.0])], &[8], 3);
    let sure = of(&cells, &about(false, None), None);
    assert_eq!(sure, []);
    let all = of(&cells, &about(true, Some("Two CPUs show little")), Some(2));
    assert_eq!(
        all.iter().map(|d| d.kind).collect::<Vec<_>>(),
        [OpenQuestionKind::Quick, OpenQuestionKind::Limits, OpenQuestionKind::OneMachine]
    );
    assert!(all[0].text.en.ends_with("mydyno experiment run durability."), "{all:?}");
    assert_eq!(all[1].text.en, "Two CPUs show little.");
    assert!(
        all[2].text.en.starts_with("All figures come from one machine (2 CPUs), shared by servers"),
        "{all:?}"
    );
    let single = of(&curves(&[("1/1", &[900.0]), ("0/0", &[1_800.0])], &[8], 1), &about(false, None), None);
    assert_eq!(
        single.iter().map(|d| d.kind).collect::<Vec<_>>(),
        [OpenQuestionKind::SingleRuns, OpenQuestionKind::Caveats]
    );
    assert_eq!(single[1].text.en, "1 caveat applies; to remove it: three repeats or more.");
}

/// With several workloads each sentence says which.
#[test]
fn the_workload_is_named_where_there_are_several() {
    let base: &[&[f64]] = &[&[1_000.0, 1_010.0, 990.0]];
    let other: &[&[f64]] = &[&[1_020.0, 1_090.0, 1_040.0]];
    let mut cells = runs(&[("1/1", base), ("0/0", other)], &[2]);
    let mut more = cells.clone();
    more.iter_mut().for_each(|cell| cell.workload = "oltp_insert".to_owned());
    cells.append(&mut more);
    let found = of(&cells, &about(false, None), None);
    let open = said(&found, OpenQuestionKind::Inconclusive);
    assert_eq!(open.len(), 2);
    assert!(
        open[1].starts_with("With oltp_insert, 0/0 against 1/1 is inconclusive at 2 clients"),
        "{open:?}"
    );
}
