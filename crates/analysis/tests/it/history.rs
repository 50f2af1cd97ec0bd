//! Recordings of one question over time.

use crate::common;

use crate::common::{plan, recorded, server};
use analysis::contest::{Gate, Standing};
use analysis::history::{Circumstances, HistorySeries, Identity, RECORDINGS_MIN, Seen, changes, series};
use analysis::{Caveat, CellSummary, Severity, Verdict, Words, metric};
use model::{Flavour, HostFacts, Plan, Why};

/// Numbers that scatter as a normal variable does, the same each time.
struct Noise(u64);

impl Noise {
    fn unit(&mut self) -> f64 {
        // SplitMix64 (Steele, Lea and Flood, 2014).
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * (1.0 - self.unit()).ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }
}

fn asked() -> Plan {
    plan(&["mysql"], &[8], 3)
}

/// A recording of three runs around a level; what differs from recording to recording is all of its scatter.
fn recording(template: &[CellSummary], level: f64) -> Vec<CellSummary> {
    let mut cells = template.to_vec();
    for (at, run) in cells[0].runs.iter_mut().enumerate() {
        run.values.insert("throughput".to_owned(), level * (1.0 + 0.002 * (at as f64 - 1.0)));
    }
    cells
}

fn template() -> Vec<CellSummary> {
    common::cells(&asked(), |planned| Some(recorded(planned, 1_000.0)))
}

fn history(levels: &[f64]) -> HistorySeries {
    let template = template();
    let cells: Vec<Vec<CellSummary>> = levels.iter().map(|level| recording(&template, *level)).collect();
    let recordings: Vec<Option<&[CellSummary]>> = cells.iter().map(|c| Some(c.as_slice())).collect();
    one(&recordings)
}

fn one(recordings: &[Option<&[CellSummary]>]) -> HistorySeries {
    let newest = recordings.len().checked_sub(1);
    let mut all = series(&Identity::of(&asked()), recordings, newest, &[&metric::THROUGHPUT], 0.02);
    assert_eq!(all.len(), 1);
    all.remove(0)
}

/// Means are geometric, as the changes between them are, and the latest recording is held against the level, not in it.
#[test]
fn means_of_levels_are_geometric_without_the_latest() {
    let mut levels = vec![1_000.0; 7];
    levels.extend([2_000.0, 1_900.0, 2_100.0, 2_000.0, 1_950.0, 2_050.0, 4_000.0]);
    let found = history(&levels);
    let [shift] = &found.shifts[..] else { panic!("{:?}", found.shifts) };
    assert_eq!(shift.point, 7, "{shift:?}");
    let product: f64 = levels[7..13].iter().map(|v| v.ln()).sum::<f64>() / 6.0;
    assert!((shift.mean_after / product.exp() - 1.0).abs() < 1e-5, "{shift:?}");
    let latest = found.latest.expect("a level before it");
    assert!((latest.point.base_value / shift.mean_after - 1.0).abs() < 1e-9, "{latest:?}");
    let change = latest.point.other_value / latest.point.base_value;
    assert!((latest.point.comparison.ratio / change - 1.0).abs() < 1e-9, "{latest:?}");
}

fn standing(series: &HistorySeries, gate: &str) -> Option<Standing> {
    series.standing(&Gate::parse(gate).expect("a gate"))
}

/// 400 histories of 20: the standard error of a share of 5 % is 1.1 %.
#[test]
fn plain_noise_has_a_change_point_and_fails_a_gate_as_often_as_is_stated() {
    let template = template();
    let (mut shifts, mut alarms) = (0, 0);
    for seed in 0..400 {
        let mut noise = Noise(seed * 7_919);
        let cells: Vec<_> =
            (0..20).map(|_| recording(&template, 1_000.0 * (1.0 + 0.02 * noise.normal()))).collect();
        let recordings: Vec<Option<&[CellSummary]>> = cells.iter().map(|c| Some(c.as_slice())).collect();
        let found = one(&recordings);
        shifts += usize::from(!found.shifts.is_empty());
        alarms += usize::from(standing(&found, "throughput<-1%") == Some(Standing::Failed));
    }
    println!("change-points in {shifts}, gates failed in {alarms} of 400");
    assert!(shifts <= 34, "{shifts}");
    // One side of 5 %, and some more where a level was cut short.
    assert!(alarms <= 24, "{alarms}");
}

#[test]
fn a_fall_of_a_tenth_is_found_where_it_is() {
    let mut noise = Noise(3);
    let levels: Vec<f64> =
        (0..20).map(|at| if at < 12 { 1_000.0 } else { 900.0 } * (1.0 + 0.01 * noise.normal())).collect();
    let found = history(&levels);
    assert_eq!(found.shifts.len(), 1, "{found:?}");
    let shift = &found.shifts[0];
    assert_eq!((shift.recording, shift.point), (12, 12));
    assert!((shift.mean_after / shift.mean_before - 0.9).abs() < 0.01, "{shift:?}");
    // The last one is like those since the fall: the level is known, and the gate is about what is new.
    let latest = found.latest.as_ref().expect("there is a level before it");
    assert_eq!((latest.since, latest.recordings), (12, 7));
    assert_eq!(standing(&found, "throughput<-3%"), Some(Standing::Holds));

    // On the night itself it is the last one that fell.
    let that_night = history(&levels[..13]);
    assert_eq!(that_night.latest.as_ref().map(|l| l.point.comparison.verdict), Some(Verdict::Worse));
    assert_eq!(standing(&that_night, "throughput<-3%"), Some(Standing::Failed));
    assert_eq!(standing(&that_night, "throughput>+3%"), Some(Standing::Holds));
    assert_eq!(standing(&that_night, "p99>+3%"), None, "that is another metric");
}

#[test]
fn too_few_recordings_have_no_change_point_and_say_so() {
    // A step without any noise: what can be found is found from this many on.
    let step = |n: usize| -> Vec<f64> {
        (0..n).map(|at| if at < n / 2 { 1_000.0 } else { 500.0 } + at as f64).collect()
    };
    let short = history(&step(RECORDINGS_MIN - 1));
    assert!(short.shifts.is_empty() && short.too_short.is_some(), "{short:?}");
    let enough = history(&step(RECORDINGS_MIN));
    assert_eq!((enough.shifts.len(), &enough.too_short), (1, &None), "{enough:?}");

    for levels in [&[][..], &[1_000.0], &[1_000.0, 990.0]] {
        let found = history(levels);
        assert!(found.latest.is_none() && found.untold.is_some(), "{found:?}");
        assert_eq!(standing(&found, "throughput<-3%"), Some(Standing::CannotTell));
    }
    let three = history(&[1_000.0, 1_001.0, 1_000.5]);
    assert_eq!(three.latest.map(|l| l.recordings), Some(2));
}

#[test]
fn what_does_not_count_is_named_and_leaves_the_last_one_untold() {
    let template = template();
    let good = recording(&template, 1_000.0);
    let mut invalid = good.clone();
    invalid[0].caveats = vec![Caveat {
        id: "generator_bottleneck".to_owned(),
        severity: Severity::Invalid,
        text: Words::new("the generator was the bottleneck", "发压端是瓶颈"),
        evidence: Vec::new(),
        trials: None,
        worst: None,
    }];
    let failed = common::cells(&asked(), |planned| Some(common::failed(planned, "Too many connections")));
    let found = one(&[Some(&good), Some(&failed), None, Some(&good), Some(&good), Some(&invalid)]);
    assert_eq!(found.points.iter().map(|p| p.recording).collect::<Vec<_>>(), [0, 3, 4]);
    let left: Vec<(usize, &str)> = found.left_out.iter().map(|l| (l.recording, l.why.en.as_str())).collect();
    assert_eq!(
        left,
        [(1, "failed: Too many connections"), (5, "not valid: the generator was the bottleneck")]
    );
    assert_eq!(standing(&found, "throughput<-3%"), Some(Standing::CannotTell));
}

#[test]
fn recordings_belong_together_if_they_asked_the_same() {
    let base = asked();
    let asked_first = Identity::of(&base);
    // How sure it is to be and in which order, by which build and on which host: the same question.
    let mut same = plan(&["mysql"], &[8], 7);
    (same.spec.seed, same.spec.name, same.hash) = (99, "nightly".to_owned(), "f".repeat(64));
    same.spec.targets[0].instance.insert("class".to_owned(), "large".to_owned());
    if let model::ServerKind::Sandbox(sandbox) = same.spec.targets[0].target.entry_mut() {
        sandbox.basedir = Some("/opt/mysql-9".into());
        sandbox.settings.insert("sync_binlog".to_owned(), "0".to_owned());
    }
    let mut drift_check = same.trials[0].clone();
    (drift_check.why, drift_check.cell.repeat) = (Why::DriftCheck, 8);
    let mut refined = same.trials[0].clone();
    (refined.why, refined.cell.threads) = (Why::Refined, 12);
    same.trials.extend([drift_check, refined]);
    same.trials.reverse();
    assert_eq!(Identity::of(&same), asked_first);
    assert!(Identity::of(&same).differs_in(&asked_first).is_empty());

    let said = |other: &Plan| -> Vec<String> {
        asked_first.differs_in(&Identity::of(other)).into_iter().map(|words| words.en).collect()
    };
    assert_eq!(said(&plan(&["mysql", "mariadb"], &[8], 3)), ["its targets"]);
    assert_eq!(said(&plan(&["mysql"], &[8, 16], 3)), ["its numbers of clients"]);
    let mut other = base.clone();
    if let model::ServerKind::Sandbox(sandbox) = other.spec.targets[0].target.entry_mut() {
        sandbox.flavour = Flavour::Mariadb;
    }
    assert_eq!(said(&other), ["its targets"], "another kind of server is no other version of the same");
    for change in [(|plan: &mut Plan| plan.spec.load.time_s = 60.0) as fn(&mut Plan), |plan| match &mut plan
        .spec
        .workloads[0]
    {
        model::WorkloadSpec::Sysbench(options) => options.table_size += 1,
        _ => unreachable!("it is one of sysbench's"),
    }] {
        let mut other = base.clone();
        change(&mut other);
        assert_eq!(said(&other), ["options of its workloads or load"]);
    }
}

#[test]
fn what_else_changed_is_told_servers_first_and_paths_are_no_change() {
    let seen = |version: &str, flush: &str| Circumstances {
        host: HostFacts {
            kernel: "6.8.0".to_owned(),
            cpus: 2,
            mydyno_version: "0.1.0".to_owned(),
            ..HostFacts::default()
        },
        targets: vec![Seen {
            label: "mysql".to_owned(),
            server: Some(model::ServerFacts { version: version.to_owned(), ..server(Flavour::Mysql) }),
            variables: Some(
                [
                    ("version", version),
                    ("innodb_flush_log_at_trx_commit", flush),
                    ("datadir", &format!("/srv/{version}")),
                ]
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            ),
            ..Seen::default()
        }],
    };
    let before = seen("9.7.3", "1");
    assert!(changes(&before, &before).is_empty());
    let mut after = seen("9.7.4", "2");
    after.host.cpus = 4;
    let said: Vec<String> = changes(&before, &after).iter().map(|change| change.says().en).collect();
    assert_eq!(said.len(), 3, "{said:?}");
    assert_eq!(said[0], "mysql version: 9.7.3 -> 9.7.4");
    assert!(said[1].starts_with("mysql innodb_flush_log_at_trx_commit: 1"), "{said:?}");
    assert_eq!(said[2], "its CPUs: 2 -> 4");
}
