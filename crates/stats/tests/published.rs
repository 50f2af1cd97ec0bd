//! What the functions say of published data, where it is known what there is to find.
//!
//! The book is "The Art of Problem-Solving in Software Engineering: How to Make MySQL Better" (2026), its curves read off its
//! charts to 1 to 2 %, in thousands of tpmC over concurrency; a number of a section is that of the book.

use stats::{
    Ahead, CrossoverLevel, Pairing, Permutations, Resampling, Windows, cliff, crossovers, e_divisive,
    e_divisive_t, growth, interaction, jitter, joint_ratio, usl, usl_intervals,
};

const HOW: Resampling = Resampling { resamples: 500, confidence: 0.95, seed: 1 };
/// Scatter of a point: the only repeated curve of the book differs by 1.5 % on average.
const NOISE: f64 = 0.02;

const CLIENTS: [f64; 10] = [50.0, 100.0, 150.0, 200.0, 250.0, 300.0, 400.0, 500.0, 1000.0, 2000.0];
/// Figure 2-6, without a thread pool.
const HEALTHY: [f64; 10] = [394.0, 628.0, 782.0, 856.0, 888.0, 848.0, 850.0, 850.0, 825.0, 792.0];
/// Figure 2-6, with a thread pool of 128.
const POOL: [f64; 10] = [380.0, 598.0, 737.0, 785.0, 820.0, 798.0, 791.0, 765.0, 745.0, 655.0];
/// Figure 4-64, before the fix of the read view, spin delay 6.
const COLLAPSE: [f64; 9] = [390.0, 618.0, 742.0, 435.0, 471.0, 491.0, 525.0, 553.0, 458.0];
/// Figure 2-5, stock and with profile-guided optimisation (PGO).
const STOCK: [f64; 6] = [280.0, 404.0, 494.0, 571.0, 584.0, 581.0];
const PGO: [f64; 6] = [347.0, 491.0, 545.0, 420.0, 452.0, 465.0];
/// Section 2.8, TPC-C before and after sharding.
const SHARDING: [[f64; 6]; 2] =
    [[340.0, 542.0, 208.0, 214.0, 230.0, 245.0], [340.0, 542.0, 327.0, 327.0, 342.0, 364.0]];
/// Section 2.5, SERIALIZABLE, thousands of queries a second: uniform keys, Pareto keys; sysbench of section 2.8 before sharding.
const CLIENTS_DOUBLED: [f64; 5] = [50.0, 100.0, 200.0, 400.0, 800.0];
const SERIALIZABLE: [[f64; 5]; 2] = [[295.0, 420.0, 500.0, 477.0, 266.0], [63.6, 61.8, 49.4, 31.7, 12.7]];
const FALLS_AND_RISES: [f64; 5] = [312.0, 190.0, 145.0, 200.0, 213.0];
/// Section 2.6: semisynchronous, Group Replication.
const REPLICATED: [[f64; 6]; 2] =
    [[306.0, 404.0, 381.0, 352.0, 338.0, 338.0], [264.0, 359.0, 381.0, 383.0, 387.0, 381.0]];
/// Figure 3-5, two runs of the same.
const TWICE: [[f64; 10]; 2] = [
    [336.0, 540.0, 674.0, 751.0, 784.0, 776.0, 772.0, 757.0, 760.0, 768.0],
    [343.0, 543.0, 691.0, 763.0, 788.0, 784.0, 784.0, 777.0, 760.0, 746.0],
];

/// Thousands of transactions a minute, hour by hour (section 2.4): 8.0.27, and with its plan fixed.
const DECAY: [f64; 8] = [1140.0, 998.0, 892.0, 808.0, 741.0, 689.0, 646.0, 609.0];
const PLAN_FIXED: [f64; 8] = [1203.0, 1166.0, 1150.0, 1136.0, 1124.0, 1124.0, 1119.0, 1113.0];

/// tpcc-mysql on MySQL 5.7.21, mean tpmC of three runs (facts/cloud-comparisons.md, F: sync_binlog and
/// innodb_flush_log_at_trx_commit): both 1, both 0.
const THREADS: [f64; 11] = [4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 1536.0, 2048.0];
const DURABLE: [f64; 11] = [
    864.433, 1411.367, 2020.667, 2465.867, 2666.533, 2666.633, 2614.333, 2431.267, 2011.233, 1507.733, 1266.1,
];
const RELAXED: [f64; 11] = [
    2761.383, 3160.05, 2835.817, 2510.683, 2366.017, 2303.25, 2367.517, 2251.817, 1834.583, 1439.684, 1166.3,
];

fn points(n: &[f64], x: &[f64]) -> Vec<(f64, f64)> {
    n.iter().copied().zip(x.iter().copied()).collect()
}

fn single_runs<'a>(n: &[f64], a: &'a [f64], b: &'a [f64]) -> Vec<CrossoverLevel<'a>> {
    (0..n.len()).map(|i| CrossoverLevel { n: n[i], a: &a[i..=i], b: &b[i..=i] }).collect()
}

/// Lambda 13.1 per client, alpha 0.011, beta 3e-6, 6 %: the fit of facts/phenomena.md, section G.
#[test]
fn a_healthy_curve_follows_the_law() {
    let curve = points(&CLIENTS, &HEALTHY);
    let law = usl(&curve).expect("determined");
    assert!(law.fits() && (law.rms - 0.058).abs() < 0.001, "{law:?}");
    assert!((law.lambda - 13.0).abs() < 0.15 && (law.alpha - 0.011).abs() < 2e-4, "{law:?}");
    assert!((law.beta - 3e-6).abs() < 1e-7, "{law:?}");
    let intervals = usl_intervals(&curve, &HOW).expect("determined");
    assert!(intervals.alpha.low > 0.0 && intervals.alpha.high < 0.05, "{intervals:?}");
    assert_eq!(cliff(&curve, NOISE), None);
}

#[test]
fn a_collapse_is_no_law_but_a_cliff() {
    let curve = points(&CLIENTS, &COLLAPSE);
    let law = usl(&curve).expect("determined");
    assert!(!law.fits() && (law.rms - 0.163).abs() < 0.001, "{law:?}");
    let found = cliff(&curve, NOISE).expect("a cliff");
    assert_eq!((found.below, found.above), (150.0, 200.0));
    assert!((found.drop - (1.0 - 435.0 / 742.0)).abs() < 1e-9, "{found:?}");
    assert_eq!(found.refine, [163.0, 175.0, 188.0]);
}

#[test]
fn cliffs_are_where_the_book_has_them_and_nowhere_else() {
    let place = |x: &[f64]| cliff(&points(&CLIENTS, x), NOISE).map(|c| (c.below, c.above));
    assert_eq!(place(&PGO), Some((150.0, 200.0)));
    assert_eq!(place(&SHARDING[0]), Some((100.0, 150.0)));
    assert_eq!(place(&SHARDING[1]), Some((100.0, 150.0)));
    for curve in &SERIALIZABLE {
        let found = cliff(&points(&CLIENTS_DOUBLED, curve), NOISE).expect("\"notable decline\" beyond 400");
        assert_eq!((found.below, found.above), (400.0, 800.0));
    }
    for without in [&HEALTHY[..], &POOL, &STOCK, &REPLICATED[0], &REPLICATED[1], &TWICE[0], &TWICE[1]] {
        assert_eq!(place(without), None, "{without:?}");
        assert!(usl(&points(&CLIENTS, without)).is_some_and(|law| law.fits()));
    }
    for durability in [DURABLE, RELAXED] {
        assert_eq!(cliff(&points(&THREADS, &durability), NOISE), None);
    }
}

/// What follows no law on either side of a fall is no cliff either: the law is rejected, and that is all that is said.
#[test]
fn a_curve_that_falls_and_rises_follows_no_law() {
    let curve = points(&CLIENTS_DOUBLED, &FALLS_AND_RISES);
    assert!(usl(&curve).is_some_and(|law| !law.fits() && law.rms > 0.5));
    assert_eq!(cliff(&curve, NOISE), None);
}

#[test]
fn relaxed_durability_is_overtaken_near_32_threads() {
    let levels = single_runs(&THREADS, &DURABLE, &RELAXED);
    let found = crossovers(&levels, 0.0, &HOW).expect("every level has a run");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].below, found[0].above, found[0].ahead), (32.0, 64.0, Ahead::A));
    assert_eq!(found[0].at, None);
    // The 1.8 % at 32 threads are no lead where 2 % count as equal.
    let found = crossovers(&levels, 0.02, &HOW).expect("every level has a run");
    assert_eq!((found.len(), found[0].below, found[0].above), (1, 16.0, 64.0));
}

#[test]
fn pgo_is_overtaken_after_150_clients() {
    let levels = single_runs(&CLIENTS[..6], &PGO, &STOCK);
    let found = crossovers(&levels, 0.02, &HOW).expect("every level has a run");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].below, found[0].above, found[0].ahead), (150.0, 200.0, Ahead::B));
    // Had each point been run three times with a scatter of 1.5 %, the place would have an interval.
    let thrice = |x: &[f64]| x.iter().map(|x| [x * 0.985, *x, x * 1.015]).collect::<Vec<_>>();
    let (pgo, mut stock) = (thrice(&PGO), thrice(&STOCK));
    stock.iter_mut().for_each(|runs| runs.rotate_left(1));
    let levels: Vec<CrossoverLevel<'_>> =
        (0..6).map(|i| CrossoverLevel { n: CLIENTS[i], a: &pgo[i], b: &stock[i] }).collect();
    let found = crossovers(&levels, 0.02, &HOW).expect("every level has runs");
    let at = found[0].at.expect("it is certain");
    assert!((at.value - 160.8).abs() < 0.1 && at.low > 150.0 && at.high < 170.0, "{at:?}");
}

/// 1164 to 614 where 1140 to 609 were measured: facts/phenomena.md, section 2.4.
#[test]
fn throughput_that_halves_in_eight_hours_is_a_line_in_the_transactions_done() {
    let found = growth(&DECAY, 60.0, 0.95).expect("determined");
    assert!((found.residual_max - 0.0213).abs() < 1e-4, "{found:?}");
    assert!(found.line.slope.low > 0.0 && (found.decline - 0.473).abs() < 0.001, "{found:?}");
    assert!((1.0 / found.line.at(1140.0 * 30.0) - 1164.0).abs() < 0.5);
    let fixed = growth(&PLAN_FIXED, 60.0, 0.95).expect("determined");
    assert!(fixed.decline < 0.08, "{fixed:?}");
}

/// Less than 2 % in two hours: broken by either, as hourly values show it.
#[test]
fn jitter_by_the_rule_of_two_hours() {
    let decay = jitter(&DECAY, 3).expect("long enough");
    assert!(!decay.is_within() && decay.from == 0 && (decay.variation - 0.246).abs() < 0.001, "{decay:?}");
    let settled = jitter(&PLAN_FIXED[3..], 3).expect("long enough");
    assert!(settled.is_within(), "{settled:?}");
}

/// 172,781 and 155,387 queries per second alone, 271,232 and 275,197 together (section 2.1); after the fixes of section 8.2.5
/// 524,381 and 553,008 alone, 289,702 and 285,026 together.
#[test]
fn two_instances_do_more_than_the_sum_of_each() {
    let before = joint_ratio(&[271_232.0, 275_197.0], &[172_781.0, 155_387.0]).expect("sums");
    let after = joint_ratio(&[289_702.0, 285_026.0], &[524_381.0, 553_008.0]).expect("sums");
    assert!((before - 1.665).abs() < 5e-4 && (after - 0.533).abs() < 5e-4, "{before} {after}");
}

/// Section 2.2 and figure 3-2: what PGO gains beyond its crossover depends on whether all nodes are used. First factor PGO,
/// second pinned to one node; 200 and 250 clients stand for two blocks.
#[test]
fn pgo_and_the_number_of_nodes_interact() {
    let cells = stats::Factorial {
        neither: &[571.0, 584.0],
        first: &[420.0, 452.0],
        second: &[217.0, 219.0],
        both: &[283.0, 283.0],
    };
    let found = interaction(&cells, Pairing::Paired, 0.95).expect("determined");
    assert!(found.first.value < 0.8 && found.first_with_second.value > 1.25);
    assert!((found.interaction.value - 1.726).abs() < 0.01 && found.interaction.low > 1.0, "{found:?}");
}

/// History of TigerBeetle, from tests/tigerbeetle_test.py of Apache Otava (2025). Where a change-point is taken out, Otava judges the
/// one after it anew, but not the one before, so that its own lists also hold 26 at 0.01 and 260 at 0.001 with changes of 0 %
/// (p 0.0123 and 0.0027 between their neighbours), 363 at 0.1 and 5 %, and 265 at 0.1 and 1 %. The lists here are those of Otava
/// 0.8.0 run with all judged anew; where none is named they are also those of its test.
#[test]
fn the_history_of_tigerbeetle_has_otavas_change_points() {
    let indices = |p_value_max, change_min| -> Vec<usize> {
        let how = Windows { p_value_max, change_min, window: 30 };
        e_divisive_t(&TIGERBEETLE, &how).iter().map(|c| c.index).collect()
    };
    assert_eq!(indices(0.01, 0.05), [15, 71]);
    assert_eq!(indices(0.05, 0.05), [15, 71]);
    assert_eq!(indices(0.1, 0.05), [10, 11, 15, 71]);
    assert_eq!(indices(0.2, 0.05), [10, 11, 15, 71]);
    assert_eq!(
        indices(0.1, 0.01),
        [
            10, 11, 15, 28, 29, 35, 37, 48, 49, 61, 71, 95, 117, 131, 142, 148, 165, 169, 192, 206, 212, 260,
            268, 278, 282, 363
        ]
    );
    assert_eq!(indices(0.01, 0.0), [15, 61, 71, 95, 117, 131, 142, 148, 165, 169, 192, 212, 260]);
    assert_eq!(indices(0.001, 0.0), [15, 61, 71, 95, 117, 131, 142, 148, 192, 212]);
    assert_eq!(indices(0.0001, 0.0), [71, 95, 117, 131, 142, 148, 192, 212]);
    assert_eq!(indices(0.00001, 0.0), [71, 95, 131, 192, 212]);
}

/// The first 150 values of the same by permutation: those that Otava finds at 0.00001 are among them.
#[test]
fn permutation_finds_the_large_changes_too() {
    let how = Permutations { significance: 0.05, count: 99, part_min: 4, seed: 1 };
    let found: Vec<usize> = e_divisive(&TIGERBEETLE[..150], &how).iter().map(|c| c.index).collect();
    for index in [15, 71, 95, 131] {
        assert!(found.iter().any(|f| f.abs_diff(index) <= 1), "{index} in {found:?}");
    }
}

const TIGERBEETLE: [f64; 365] = [
    26705.0, 26475.0, 26641.0, 26806.0, 26835.0, 26911.0, 26564.0, 26812.0, 26874.0, 26682.0, 15672.0,
    26745.0, 26460.0, 26977.0, 26851.0, 23412.0, 23547.0, 23674.0, 23519.0, 23670.0, 23662.0, 23462.0,
    23750.0, 23717.0, 23524.0, 23588.0, 23687.0, 23793.0, 23937.0, 23715.0, 23570.0, 23730.0, 23690.0,
    23699.0, 23670.0, 23860.0, 23988.0, 23652.0, 23681.0, 23798.0, 23728.0, 23604.0, 23523.0, 23412.0,
    23685.0, 23773.0, 23771.0, 23718.0, 23409.0, 23739.0, 23674.0, 23597.0, 23682.0, 23680.0, 23711.0,
    23660.0, 23990.0, 23938.0, 23742.0, 23703.0, 23536.0, 24363.0, 24414.0, 24483.0, 24509.0, 24944.0,
    24235.0, 24560.0, 24236.0, 24667.0, 24730.0, 28346.0, 28437.0, 28436.0, 28057.0, 28217.0, 28456.0,
    28427.0, 28398.0, 28250.0, 28331.0, 28222.0, 28726.0, 28578.0, 28345.0, 28274.0, 28514.0, 28590.0,
    28449.0, 28305.0, 28411.0, 28788.0, 28404.0, 28821.0, 28580.0, 27483.0, 26805.0, 27487.0, 27124.0,
    26898.0, 27295.0, 26951.0, 27312.0, 27660.0, 27154.0, 27050.0, 26989.0, 27193.0, 27503.0, 27326.0,
    27375.0, 27513.0, 27057.0, 27421.0, 27574.0, 27609.0, 27123.0, 27824.0, 27644.0, 27394.0, 27836.0,
    27949.0, 27702.0, 27457.0, 27272.0, 28207.0, 27802.0, 27516.0, 27586.0, 28005.0, 27768.0, 28543.0,
    28237.0, 27915.0, 28437.0, 28342.0, 27733.0, 28296.0, 28524.0, 28687.0, 28258.0, 28611.0, 29360.0,
    28590.0, 29641.0, 28965.0, 29474.0, 29256.0, 28611.0, 28205.0, 28539.0, 27962.0, 28398.0, 28509.0,
    28240.0, 28592.0, 28102.0, 28461.0, 28578.0, 28669.0, 28507.0, 28535.0, 28226.0, 28536.0, 28561.0,
    28087.0, 27953.0, 28398.0, 28007.0, 28518.0, 28337.0, 28242.0, 28607.0, 28545.0, 28514.0, 28377.0,
    28010.0, 28412.0, 28633.0, 28576.0, 28195.0, 28637.0, 28724.0, 28466.0, 28287.0, 28719.0, 28425.0,
    28860.0, 28842.0, 28604.0, 28327.0, 28216.0, 28946.0, 28918.0, 29287.0, 28725.0, 29148.0, 29541.0,
    29137.0, 29628.0, 29087.0, 28612.0, 29154.0, 29108.0, 28884.0, 29234.0, 28695.0, 28969.0, 28809.0,
    28695.0, 28634.0, 28916.0, 29852.0, 29389.0, 29757.0, 29531.0, 29363.0, 29251.0, 29552.0, 29561.0,
    29046.0, 29795.0, 29022.0, 29395.0, 28921.0, 29739.0, 29257.0, 29455.0, 29376.0, 29528.0, 28909.0,
    29492.0, 28984.0, 29621.0, 29026.0, 29457.0, 29102.0, 29114.0, 28924.0, 29162.0, 29259.0, 29554.0,
    29616.0, 29211.0, 29367.0, 29460.0, 28836.0, 29645.0, 29586.0, 28848.0, 29324.0, 28969.0, 29150.0,
    29243.0, 29081.0, 29312.0, 28923.0, 29272.0, 29117.0, 29072.0, 29529.0, 29737.0, 29652.0, 29612.0,
    29856.0, 29012.0, 30402.0, 29969.0, 29309.0, 29439.0, 29285.0, 29421.0, 29023.0, 28772.0, 29692.0,
    29416.0, 29267.0, 29542.0, 29904.0, 30045.0, 29739.0, 29945.0, 29141.0, 29163.0, 29765.0, 29197.0,
    29441.0, 28910.0, 29504.0, 29614.0, 29643.0, 29506.0, 29420.0, 29672.0, 29432.0, 29784.0, 29888.0,
    29309.0, 29247.0, 29816.0, 29254.0, 29813.0, 29451.0, 29382.0, 29618.0, 28558.0, 29845.0, 29499.0,
    29283.0, 29184.0, 29246.0, 28790.0, 29952.0, 29145.0, 29415.0, 30437.0, 29227.0, 29605.0, 29859.0,
    29156.0, 29807.0, 29406.0, 29734.0, 29861.0, 29140.0, 29983.0, 29832.0, 29919.0, 29896.0, 29991.0,
    29266.0, 29001.0, 29459.0, 29548.0, 29310.0, 29042.0, 29303.0, 29894.0, 29091.0, 29018.0, 29537.0,
    29614.0, 29180.0, 29736.0, 29500.0, 29218.0, 29581.0, 28906.0, 28542.0, 29306.0, 28987.0, 29878.0,
    28865.0, 30272.0, 29707.0, 29662.0, 29815.0, 30492.0, 29347.0, 30096.0, 29054.0, 30238.0, 28813.0,
    31895.0, 28915.0,
];
