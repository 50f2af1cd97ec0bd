//! Caveats of trials: one that is not valid leaves the figures, the others say in how many trials they were found.

use crate::common::*;
use analysis::{CellSummary, InTrials, Severity};
use model::{ChangedVariable, Observation, Surroundings};

/// Five trials of one cell; `change` disturbs some of them.
fn cell_with(change: impl Fn(u32, &mut Recorded)) -> CellSummary {
    let plan = plan(&["mysql"], &[16], 5);
    cells(&plan, |planned| {
        let mut trial = recorded(planned, 800.0);
        change(planned.cell.repeat, &mut trial);
        Some(trial)
    })
    .remove(0)
}

fn others(trial: &mut Recorded, share: f64, busiest: f64) {
    trial.result.surroundings = Some(Surroundings {
        time_s: 30.0,
        cpus: 2,
        others_cpu_s: Some(share * 60.0),
        busiest_other: Some("python".to_owned()),
        busiest_other_cpu_s: busiest * 60.0,
        ..Surroundings::default()
    });
}

fn text(cell: &CellSummary, id: &str) -> (Severity, String, Option<InTrials>) {
    let found = cell.caveats.iter().find(|c| c.id == id).unwrap_or_else(|| panic!("{:?}", cell.caveats));
    (found.severity, found.text.en.clone(), found.trials)
}

#[test]
fn a_trial_that_is_not_valid_leaves_the_figures() {
    let cell = cell_with(|repeat, trial| match repeat {
        2 => {
            *trial = Recorded { intervals: trial.intervals.clone(), ..trial.clone() };
            trial.result.measured.transactions /= 2;
            others(trial, 0.85, 0.6);
        }
        4 => others(trial, 0.2, 0.1),
        _ => {}
    });
    assert_eq!(cell.runs.iter().map(|run| run.repeat).collect::<Vec<_>>(), [1, 3, 4, 5]);
    assert_eq!(cell.set_aside.iter().map(|one| one.repeat).collect::<Vec<_>>(), [2]);
    assert_eq!(cell.set_aside[0].reasons[0].id, "other_processes");
    assert_eq!(cell.throughput_per_s.expect("four trials count").mean, 800.0);
    assert_eq!(cell.transaction().expect("merged").response.count, 4 * 24_000);
    let (severity, said, _) = text(&cell, "set_aside");
    assert_eq!(severity, Severity::Warn);
    assert_eq!(
        said,
        "1 of 5 trials was not valid and does not count: other processes used 85 % of this machine's CPUs, most of all \
         python with 60 %: use an idle machine (repeat 2)"
    );
    let (severity, said, trials) = text(&cell, "other_processes");
    assert_eq!((severity, trials), (Severity::Warn, Some(InTrials { having: 1, of: 4 })));
    assert!(said.contains("20 %") && said.ends_with("(1 of 4 trials: repeat 4)"), "{said}");
}

#[test]
fn the_worst_trial_is_told_and_how_many_are_like_it() {
    let cell = cell_with(|repeat, trial| match repeat {
        1 => others(trial, 0.15, 0.1),
        5 => others(trial, 0.3, 0.2),
        _ => {}
    });
    let (_, said, trials) = text(&cell, "other_processes");
    assert_eq!(trials, Some(InTrials { having: 2, of: 5 }));
    assert!(said.contains("30 %") && said.ends_with("(2 of 5 trials, worst in repeat 5)"), "{said}");
    assert!(cell.set_aside.is_empty());
}

#[test]
fn a_cell_without_a_valid_trial_is_not_valid_and_keeps_its_figures() {
    let cell = cell_with(|_, trial| others(trial, 0.85, 0.6));
    assert_eq!((cell.completed(), cell.set_aside.len()), (5, 0));
    assert_eq!(text(&cell, "other_processes").0, Severity::Invalid);
}

/// The kernel's sum over all CPUs leaves out stolen time and interrupts, which the time of a process holds.
#[test]
fn a_part_never_exceeds_its_whole() {
    let cell = cell_with(|_, trial| others(trial, 0.25, 0.37));
    let (_, said, _) = text(&cell, "other_processes");
    assert!(said.contains("used 37 % of this machine's CPUs, most of all python with 37 %"), "{said}");
}

/// The fastest trials reach the generator's ceiling first: without them a mean of slower ones would be left.
#[test]
fn a_generator_that_was_the_bottleneck_once_was_that_of_the_cell() {
    let cell = cell_with(|repeat, trial| {
        if repeat == 3 {
            trial.result.measured.generator.busiest_worker = 0.95;
        }
    });
    assert_eq!(cell.completed(), 5);
    assert_eq!(text(&cell, "generator_bottleneck").0, Severity::Invalid);
}

/// Readings of the server's counter of statements, one a second.
fn questions(trial: &mut Recorded, per_s: u64) {
    let reading = |second: u64| Observation {
        at_s: second as f64,
        status: [("questions".to_owned(), 1_000_000 + per_s * second)].into(),
        ..Observation::default()
    };
    trial.watched.readings = (0..=30).map(reading).collect();
}

#[test]
fn statements_of_other_clients_are_told_from_those_of_the_trial() {
    const OWN_PER_S: f64 = 16_000.0;
    let answered = |factor: f64| {
        cell_with(|_, trial| {
            trial.intervals.iter_mut().for_each(|interval| interval.queries.read = OWN_PER_S as u64);
            questions(trial, (OWN_PER_S * factor) as u64);
        })
    };
    assert!(answered(1.0).caveats.iter().all(|caveat| caveat.id != "other_clients"));
    assert!(answered(1.05).caveats.iter().all(|caveat| caveat.id != "other_clients"));
    let (severity, said, _) = text(&answered(1.5), "other_clients");
    assert_eq!(severity, Severity::Warn);
    assert!(said.starts_with("other clients sent 33 % of the statements that the server executed"), "{said}");
    let (severity, said, _) = text(&answered(3.0), "other_clients");
    assert_eq!(severity, Severity::Invalid, "{said}");
}

#[test]
fn a_variable_that_changed_during_a_trial_takes_it_out_of_the_figures() {
    let change =
        |name: &str| ChangedVariable { name: name.to_owned(), before: "1".to_owned(), after: "0".to_owned() };
    let cell = cell_with(|repeat, trial| {
        // What a server counts there by itself is no setting.
        trial.watched.changed_variables.push(change("gtid_executed"));
        if repeat == 3 {
            trial.watched.changed_variables.push(change("innodb_flush_log_at_trx_commit"));
        }
    });
    assert_eq!(cell.set_aside.iter().map(|one| one.repeat).collect::<Vec<_>>(), [3]);
    let (_, said, _) = text(&cell, "set_aside");
    assert!(said.contains("innodb_flush_log_at_trx_commit from 1 to 0"), "{said}");
}
