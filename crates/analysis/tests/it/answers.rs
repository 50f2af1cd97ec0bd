//! The sentences a director reads, as golden text in both languages.

use crate::common::*;
use analysis::{Severity, ValidityLevel, Verdict, answer, cautions, compare, metric, validity};
use model::{Address, Durability, Flavour, SysbenchWorkload};

const THREADS: [u32; 4] = [1, 4, 16, 64];

fn both(words: analysis::Words) -> String {
    format!("{}\n{}\n", words.en, words.zh)
}

#[test]
fn two_targets() {
    let mysql = [332.0, 610.0, 868.0, 904.0];
    let crossing = curves(&[("mysql", &mysql), ("mariadb", &[401.0, 655.0, 812.0, 640.0])], &THREADS, 3);
    let above = curves(&[("mysql", &mysql), ("mariadb", &[300.0, 500.0, 700.0, 640.0])], &THREADS, 3);
    let alike = curves(&[("mysql", &mysql), ("mariadb", &[332.5, 611.0, 868.0, 903.0])], &THREADS, 8);
    let close = curves(&[("mysql", &mysql), ("mariadb", &[401.0, 655.0, 880.0, 640.0])], &THREADS, 3);
    let single = curves(&[("mysql", &mysql), ("mariadb", &[401.0, 612.0, 812.0, 640.0])], &THREADS, 1);
    let failing = curves(&[("mysql", &mysql), ("mariadb", &[401.0, 655.0, 0.0, 0.0])], &THREADS, 3);
    let one_cell = curves(&[("mysql", &[332.0]), ("mariadb", &[401.0])], &[1], 3);
    let all = [crossing, above, alike, close, single, failing, one_cell];
    insta::assert_snapshot!(all.map(|cells| both(answer(&cells))).join("\n"));
}

#[test]
fn a_curve_that_changes_sides_often_is_told_by_target() {
    let threads = [1, 2, 4, 8, 16, 32];
    let a = [100.0, 200.0, 400.0, 800.0, 900.0, 900.0];
    let b = [120.0, 150.0, 480.0, 700.0, 990.0, 800.0];
    insta::assert_snapshot!(both(answer(&curves(&[("a", &a), ("b", &b)], &threads, 3))));
}

#[test]
fn one_target() {
    let sweep = curves(&[("mysql", &[332.0, 610.0, 868.0, 904.0, 500.0])], &[1, 4, 16, 64, 1024], 3);
    let run = curves(&[("mysql", &[868.0])], &[16], 3);
    let single = curves(&[("mysql", &[868.0])], &[16], 1);
    let nothing = curves(&[("mysql", &[0.0])], &[1024], 1);
    insta::assert_snapshot!([sweep, run, single, nothing].map(|cells| both(answer(&cells))).join("\n"));
}

#[test]
fn three_targets() {
    let (a, b, c) = ([100.0, 400.0], [150.0, 300.0], [90.0, 399.0]);
    insta::assert_snapshot!(both(answer(&curves(&[("a", &a), ("b", &b), ("c", &c)], &[1, 16], 3))));
}

#[test]
fn two_workloads() {
    let mut cells = curves(&[("a", &[100.0, 200.0]), ("b", &[150.0, 300.0])], &[1, 16], 3);
    let mut more = curves(&[("a", &[100.0, 200.0]), ("b", &[50.0, 100.0])], &[1, 16], 3);
    more.iter_mut().for_each(|c| c.workload = "oltp_insert".to_owned());
    cells.append(&mut more);
    insta::assert_snapshot!(both(answer(&cells)));
}

/// Of an experiment the largest difference that is no chance comes first.
#[test]
fn an_experiment_leads_with_its_largest_difference() {
    let base: (&str, &[f64]) = ("1/1", &[100.0, 400.0]);
    let two = curves(&[base, ("0/0", &[320.0, 402.0])], &[2, 16], 3);
    let three = curves(&[base, ("2/1000", &[150.0, 400.0]), ("0/0", &[320.0, 401.0])], &[2, 16], 3);
    let alike = curves(&[base, ("2/1000", &[100.0, 400.0]), ("0/0", &[100.0, 400.0])], &[2, 16], 8);
    let single = curves(&[base, ("2/1000", &[150.0, 400.0]), ("0/0", &[320.0, 401.0])], &[2, 16], 1);
    let all = [two, three, alike, single];
    insta::assert_snapshot!(all.map(|cells| both(analysis::answer_against(&cells, Some("1/1")))).join("\n"));
}

#[test]
fn a_generator_that_was_the_bottleneck_gets_no_verdict() {
    let plan = plan(&["mysql", "mariadb"], &[1], 3);
    let cells = cells(&plan, |planned| {
        let mut trial = recorded(planned, if planned.cell.target == "mysql" { 900.0 } else { 600.0 });
        trial.result.measured.generator.busiest_worker = 0.97;
        Some(trial)
    });
    let comparison = compare(&cells, &metric::THROUGHPUT, "mysql", "mariadb").remove(0);
    assert_eq!(comparison.verdict, Verdict::Withheld);
    assert_eq!(validity(&cells, &[]).level, ValidityLevel::Invalid);
    insta::assert_snapshot!(both(answer(&cells)));
}

#[test]
fn what_makes_the_work_unequal() {
    let mut plan = plan(&["mysql", "mariadb"], &[1], 3);
    plan.spec.workloads = vec![workload(SysbenchWorkload::OltpReadWrite)];
    plan.spec.targets.push(remote("rds", Address::Tcp { host: "db1".to_owned(), port: 3306 }));
    let mut mysql = server(Flavour::Mysql);
    mysql.binlog = true;
    let mut mariadb = server(Flavour::Mariadb);
    mariadb.durability = Durability::LosesOnProcessCrash;
    let mut rds = server(Flavour::Mysql);
    (rds.binlog, rds.durability) = (true, Durability::LosesOnOsCrash);
    (rds.tls_cipher, rds.buffer_pool_bytes) = (Some("TLS_AES_256_GCM_SHA384".to_owned()), 24 << 30);
    let list = |found: Vec<analysis::ComparabilityWarning>| {
        found.into_iter().map(|c| format!("{} {:?}\n{}", c.id, c.severity, both(c.text))).collect::<String>()
    };
    let three = list(cautions(&plan, &[("mysql", &mysql), ("mariadb", &mariadb), ("rds", &rds)]));
    mariadb.durability = Durability::Durable;
    let two = cautions(&plan, &[("mysql", &mysql), ("mariadb", &mariadb)]);
    insta::assert_snapshot!(format!("{three}\n{}", list(two.clone())));

    let cells = curves(&[("mysql", &[900.0]), ("mariadb", &[600.0])], &[1], 3);
    assert_eq!(validity(&cells, &[]).level, ValidityLevel::Fit);
    assert_eq!(validity(&cells, &two).level, ValidityLevel::Caveats);

    plan.spec.workloads = vec![workload(SysbenchWorkload::OltpReadOnly)];
    let reading = cautions(&plan, &[("mysql", &mysql), ("mariadb", &mariadb)]);
    assert_eq!(reading[0].severity, Severity::Note, "what a commit costs does not matter to readers");
    assert!(cautions(&plan, &[("mysql", &mysql)]).is_empty());

    // What an experiment asks about is to differ: it is noted, and nobody is told to make it equal.
    plan.spec.about = Some(model::About {
        experiment: "durability".to_owned(),
        question: "What does it cost?".to_owned(),
        published: None,
        shows: None,
        quick: true,
        arms: true,
        question_zh: None,
        published_zh: None,
        shows_zh: None,
    });
    let arms = cautions(&plan, &[("mysql", &mysql), ("mariadb", &mariadb)]);
    assert_eq!(arms.len(), two.len());
    let is_note =
        |c: &analysis::ComparabilityWarning| c.severity == Severity::Note && !c.text.en.contains("set ");
    assert!(arms.iter().all(is_note), "{arms:?}");
}

#[test]
fn servers_that_may_use_different_parts_of_the_machine_are_told_apart() {
    let mut plan = plan(&["pinned", "free"], &[1], 3);
    let facts = server(Flavour::Mysql);
    let servers = [("pinned", &facts), ("free", &facts)];
    assert!(cautions(&plan, &servers).is_empty());
    if let model::ServerKind::Sandbox(sandbox) = plan.spec.targets[0].target.entry_mut() {
        sandbox.place.cpus = "0-3".parse().ok();
    }
    let found = cautions(&plan, &servers).remove(0);
    assert_eq!((found.id.as_str(), found.severity), ("placement", Severity::Warn));
    let said = "placements differ (pinned cpus=0-3, free all of it). Make them equal: ";
    assert!(found.text.en.starts_with(said), "{}", found.text.en);
}

#[test]
fn green_is_earned() {
    let curve: &[f64] = &[868.0, 904.0];
    let fit = validity(&curves(&[("mysql", curve)], &[16, 64], 3), &[]);
    let few = validity(&curves(&[("mysql", curve)], &[16, 64], 2), &[]);
    let failing = validity(&curves(&[("mysql", &[868.0, 0.0])], &[16, 64], 3), &[]);
    let nothing = validity(&curves(&[("mysql", &[0.0])], &[16], 3), &[]);
    let text = [fit, few, failing, nothing].map(|v| {
        let reasons = v.reasons.into_iter().map(|r| both(r.text)).collect::<String>();
        format!("{:?}\n{reasons}", v.level)
    });
    insta::assert_snapshot!(text.join("\n"));
}
