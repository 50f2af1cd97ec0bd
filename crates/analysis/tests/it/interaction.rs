//! Whether what an arm does depends on the workload.

use crate::common::curves;
use analysis::{CellSummary, interactions};
use model::Levels;

/// Cells of one workload: throughput of each target over the numbers of clients, with 1 % from run to run.
fn workload_cells(name: &str, targets: &[(&str, &[f64])], threads: &[u32], repeats: u32) -> Vec<CellSummary> {
    let mut cells = curves(targets, threads, repeats);
    cells.iter_mut().for_each(|cell| cell.workload = name.to_owned());
    cells
}

#[test]
fn an_effect_that_only_one_workload_shows_is_told_with_its_ratio() {
    let threads = [4, 32];
    let rr: &[f64] = &[1_000.0, 2_000.0];
    let uniform: [(&str, &[f64]); 2] = [("RR", rr), ("RC", &[1_000.0, 2_000.0])];
    let pareto: [(&str, &[f64]); 2] = [("RR", &[800.0, 900.0]), ("RC", &[800.0, 1_350.0])];
    let mut cells = workload_cells("uniform keys", &uniform, &threads, 4);
    cells.extend(workload_cells("pareto keys", &pareto, &threads, 4));
    let found = interactions(&cells, "RR", &[]);
    assert_eq!(
        found.points.iter().map(|p| (p.threads, p.differs)).collect::<Vec<_>>(),
        [(4, false), (32, true)]
    );
    let point = &found.points[1];
    assert!((point.effect_first.mean - 1.0).abs() < 0.01 && (point.effect_second.mean - 1.5).abs() < 0.01);
    assert!((point.ratio.mean - 1.5).abs() < 0.01 && point.ratio.low < Some(1.5) && point.p_adjusted < 0.001);
    let [said] = &found.says[..] else { panic!("{found:?}") };
    assert!(
        said.en.starts_with("The effect of RC relative to RR depends on the workload: at 32 clients 1.00x [")
            && said.en.contains("with uniform keys and 1.50x [")
            && said.en.ends_with("; the effects differ at 1 of 2 numbers of clients"),
        "{}",
        said.en
    );
    assert!(said.zh.starts_with("RC 相对 RR 的效果取决于负载：32 个客户端时"), "{}", said.zh);
}

/// An arm that gains the same everywhere, one workload, single runs, an arm that is alone: nothing to say.
#[test]
fn where_it_cannot_be_told_nothing_is_said() {
    let same: [(&str, &[f64]); 3] = [("RR", &[1_000.0]), ("RC", &[1_200.0]), ("RU", &[1_210.0])];
    let mut cells = workload_cells("uniform keys", &same, &[8], 4);
    assert!(interactions(&cells, "RR", &[]).is_empty(), "one workload");
    cells.extend(workload_cells("pareto keys", &same, &[8], 4));
    let found = interactions(&cells, "RR", &[]);
    assert_eq!((found.points.len(), found.says.len()), (2, 0), "{found:?}");
    let mut single = workload_cells("uniform keys", &same, &[8], 1);
    single.extend(workload_cells("pareto keys", &[("RR", &[1_000.0]), ("RC", &[2_000.0])], &[8], 1));
    assert!(interactions(&single, "RR", &[]).is_empty(), "single runs have no interval");
    let alone = workload_cells("uniform keys", &[("RR", &[1_000.0])], &[8], 4);
    assert!(interactions(&alone, "RR", &[]).is_empty());
}

/// Two hundred experiments of three arms, two workloads and four numbers of clients in which nothing depends on anything:
/// corrected for looking at eight points, a sentence in 5 % of them.
#[test]
fn sentences_are_seldom_false() {
    let mut state = 7_u64;
    let mut unit = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1_u64 << 31) as f64
    };
    // A sum of uniform numbers is as good as normal here.
    let mut noise = move || (0..12).map(|_| unit()).sum::<f64>() - 6.0;
    let template = {
        let threads = [2, 4, 8, 16];
        let curve: &[f64] = &[500.0, 800.0, 1_200.0, 1_500.0];
        let arms: [(&str, &[f64]); 3] = [("RR", curve), ("RC", curve), ("RU", curve)];
        let mut cells = workload_cells("uniform keys", &arms, &threads, 4);
        cells.extend(workload_cells("pareto keys", &arms, &threads, 4));
        cells
    };
    let mut alarms = 0;
    for _ in 0..200 {
        let mut cells = template.clone();
        for run in cells.iter_mut().flat_map(|cell| &mut cell.runs) {
            let value = run.values.get_mut(analysis::metric::THROUGHPUT.id).expect("it was measured");
            *value *= 1.0 + 0.03 * noise();
        }
        alarms += usize::from(!interactions(&cells, "RR", &[]).says.is_empty());
    }
    println!("a sentence in {alarms} of 200 experiments without an interaction");
    assert!(alarms <= 18, "{alarms}");
}

/// Two variables of the server at two levels each: what one does depends on the other, with one workload.
#[test]
fn factors_of_the_servers_are_held_against_each_other() {
    let labels = ["1/1", "0/1", "1/0", "0/0"];
    let levels: Vec<Levels> = labels
        .iter()
        .map(|label| {
            let (sync, flush) = label.split_once('/').expect("two levels");
            let pair = |path: &str, level: &str| (path.to_owned(), level.to_owned());
            Levels::from([pair("target.sync_binlog", sync), pair("target.flush", flush)])
        })
        .collect();
    let by_label: Vec<(&str, &Levels)> = labels.iter().copied().zip(&levels).collect();
    // Either alone gains a fifth, both together twice as much as that would give.
    let curves: [(&str, &[f64]); 4] =
        [("1/1", &[1_000.0]), ("0/1", &[1_200.0]), ("1/0", &[1_200.0]), ("0/0", &[2_880.0])];
    let cells = workload_cells("writes", &curves, &[8], 4);
    let found = interactions(&cells, "1/1", &by_label);
    let [point] = &found.points[..] else { panic!("{found:?}") };
    assert!((point.ratio.mean - 2.0).abs() < 0.01 && point.differs);
    let said = &found.says[0].en;
    assert!(
        said.starts_with("The effect of flush 0 relative to 1 depends on sync_binlog: at 8 clients 1.20x ["),
        "{said}"
    );
    assert!(said.contains("with 1 and 2.40x [") && said.contains("with 0, a ratio of 2.00x"), "{said}");
}
