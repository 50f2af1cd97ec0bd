//! From Spec to Plan: every trial resolved, ordered, seeded and hashed. Nothing here is random or looks at the world.

use std::collections::BTreeSet;

use model::{
    CellKey, DataSet, FORMAT, Plan, PlannedTrial, Spec, SysbenchData, SysbenchOptions, SysbenchWorkload,
    TargetKind, WorkloadSpec,
};
use sha2::{Digest, Sha256};

/// Why a Spec cannot be planned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// Something is missing.
    #[error("the run needs at least one {what}")]
    Nothing {
        /// What is missing.
        what: &'static str,
    },
    /// Two targets with the same label.
    #[error("two targets are called '{label}'; give them names: --target one=... --target two=...")]
    SameLabel {
        /// The label.
        label: String,
    },
    /// A workload twice.
    #[error("the workload '{label}' is given twice")]
    SameWorkload {
        /// Its label.
        label: String,
    },
    /// Workloads whose tables have the same names and different shapes.
    #[error(
        "{first} and {second} need tables of the same names and different shapes; run them one after the other"
    )]
    DifferentTables {
        /// One workload.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// select_random_* read one table.
    #[error("{name} reads one table: use --tables=1")]
    OneTable {
        /// The workload.
        name: &'static str,
    },
    /// Neither a time nor a number of transactions ends a trial.
    #[error("a trial needs an end: give --time or --events")]
    Endless,
    /// What another tool measured.
    #[error("'{label}' was imported: it can be shown and compared, not run")]
    Imported {
        /// Label of the target or workload.
        label: String,
    },
    /// Too many trials for a mistake to be cheap.
    #[error("that makes {trials} trials; the limit is {limit}")]
    TooMany {
        /// Trials asked for.
        trials: usize,
        /// The limit.
        limit: usize,
    },
}

/// More trials than this are a typing mistake.
const TRIALS_MAX: usize = 100_000;

/// Makes the plan of a Spec.
///
/// Order: repeats outermost, so that each is a complete block; within it workloads, then numbers of clients, then
/// targets, so that the targets that will be compared are measured close together in time.
///
/// # Errors
/// The Spec asks for nothing, for something twice, or for workloads that exclude each other.
pub fn plan(spec: &Spec) -> Result<Plan, PlanError> {
    check(spec)?;
    let mut trials = Vec::new();
    for repeat in 1..=spec.repeats {
        for (workload_index, workload) in spec.workload.iter().enumerate() {
            for &threads in &spec.threads {
                for target in rotated(&spec.target, repeat) {
                    let cell = CellKey {
                        target: target.target.label.clone(),
                        workload: workload.label().to_owned(),
                        threads,
                        repeat,
                    };
                    let seed = trial_seed(spec.seed, &cell);
                    let index = trials.len() as u32;
                    trials.push(PlannedTrial { index, cell, workload: workload_index as u32, seed });
                }
            }
        }
    }
    let mut plan = Plan {
        format: FORMAT,
        name: spec.name.clone(),
        hash: String::new(),
        about: spec.about.clone(),
        seed: spec.seed,
        load: spec.load.clone(),
        prepare: spec.prepare,
        observe: spec.observe,
        allow_failing_cells: spec.allow_failing_cells,
        imported: None,
        targets: spec.target.clone(),
        workloads: spec.workload.clone(),
        trials,
    };
    plan.hash = hash(&plan);
    Ok(plan)
}

/// The Spec as it is stored in a recording.
pub fn spec_toml(spec: &Spec) -> String {
    toml::to_string(spec).expect("a Spec has only string keys, and no table before a plain value")
}

/// Which target goes first changes from block to block, so that none always runs on the other's heels.
fn rotated<T>(targets: &[T], repeat: u32) -> impl Iterator<Item = &T> {
    let first = (repeat as usize - 1) % targets.len().max(1);
    targets[first..].iter().chain(&targets[..first])
}

fn check(spec: &Spec) -> Result<(), PlanError> {
    let missing = [
        (spec.target.is_empty(), "target"),
        (spec.workload.is_empty(), "workload"),
        (spec.threads.iter().all(|&n| n == 0), "client"),
        (spec.repeats == 0, "repeat"),
    ];
    if let Some((_, what)) = missing.into_iter().find(|(absent, _)| *absent) {
        return Err(PlanError::Nothing { what });
    }
    let imported = spec
        .target
        .iter()
        .filter(|one| matches!(one.target.kind, TargetKind::Imported { .. }))
        .map(|one| one.target.label.as_str())
        .chain(spec.workload.iter().filter(|w| matches!(w, WorkloadSpec::Imported(_))).map(|w| w.label()))
        .next();
    if let Some(label) = imported {
        return Err(PlanError::Imported { label: label.to_owned() });
    }
    if spec.load.time_s <= 0.0 && spec.load.events == 0 {
        return Err(PlanError::Endless);
    }
    let mut labels = BTreeSet::new();
    for target in &spec.target {
        if !labels.insert(&target.target.label) {
            return Err(PlanError::SameLabel { label: target.target.label.clone() });
        }
    }
    check_workloads(&spec.workload)?;
    let trials = spec.target.len() * spec.workload.len() * spec.threads.len() * spec.repeats as usize;
    if trials > TRIALS_MAX {
        return Err(PlanError::TooMany { trials, limit: TRIALS_MAX });
    }
    Ok(())
}

fn check_workloads(workloads: &[WorkloadSpec]) -> Result<(), PlanError> {
    for (index, workload) in workloads.iter().enumerate() {
        if let WorkloadSpec::Sysbench(options) = workload {
            let one_table = matches!(
                options.workload,
                SysbenchWorkload::SelectRandomPoints | SysbenchWorkload::SelectRandomRanges
            );
            if one_table && options.tables != 1 {
                return Err(PlanError::OneTable { name: workload.name() });
            }
        }
        for earlier in &workloads[..index] {
            if earlier.label() == workload.label() {
                return Err(PlanError::SameWorkload { label: workload.label().to_owned() });
            }
            if data_set(earlier, 1) != data_set(workload, 1) {
                return Err(PlanError::DifferentTables { first: earlier.name(), second: workload.name() });
            }
        }
    }
    Ok(())
}

/// The data that a workload needs when it is run by up to `clients` clients.
pub fn data_set(workload: &WorkloadSpec, clients: u32) -> DataSet {
    let options = match workload {
        WorkloadSpec::Sysbench(options) => options,
        WorkloadSpec::Tpcc(options) => return DataSet::Tpcc(options.data.clone()),
        // It is never run, see `check`; no tables.
        WorkloadSpec::Imported(_) => &SysbenchOptions { tables: 0, ..SysbenchOptions::default() },
    };
    let SysbenchOptions { workload, tables, table_size, auto_inc, secondary, create_secondary, .. } =
        *options;
    let bulk = workload == SysbenchWorkload::BulkInsert;
    // Ids of oltp_insert without AUTO_INCREMENT would collide with loaded rows; sysbench leaves its tables empty too.
    let empty = bulk || (workload == SysbenchWorkload::OltpInsert && !auto_inc);
    DataSet::Sysbench(SysbenchData {
        tables: if bulk { clients } else { tables },
        table_size: if empty { 0 } else { table_size },
        auto_inc,
        secondary,
        create_secondary,
        engine: options.mysql_storage_engine.clone(),
        table_options: options.create_table_options.clone(),
        bulk,
    })
}

/// A trial's seed depends on what it is, not on where in the plan it stands: adding a cell changes no other.
fn trial_seed(seed: u64, cell: &CellKey) -> u64 {
    let CellKey { target: _, workload, threads, repeat } = cell;
    // All targets get the same keys in the same cell, so that they are asked the same questions.
    let digest = Sha256::digest(format!("{seed}/{workload}/{threads}/{repeat}"));
    u64::from_be_bytes(digest[..8].try_into().expect("a SHA-256 digest has 32 bytes"))
}

fn hash(plan: &Plan) -> String {
    let json = serde_json::to_vec(plan).expect("a plan has only string keys");
    Sha256::digest(json).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Flavour, LoadShape, SandboxSpec, SpecTarget, Target, TlsMode};

    fn target(label: &str) -> SpecTarget {
        let sandbox = SandboxSpec {
            flavour: Flavour::Mysql,
            basedir: None,
            settings: Default::default(),
            tcp: false,
            tls: TlsMode::Disabled.into(),
        };
        let target = Target { label: label.to_owned(), kind: TargetKind::Sandbox(sandbox) };
        SpecTarget { target, instance: Default::default() }
    }

    fn workload(workload: SysbenchWorkload) -> WorkloadSpec {
        WorkloadSpec::Sysbench(SysbenchOptions { workload, ..SysbenchOptions::default() })
    }

    fn spec() -> Spec {
        Spec {
            about: None,
            format: FORMAT,
            name: "test".to_owned(),
            threads: vec![1, 4],
            repeats: 2,
            seed: 42,
            load: LoadShape { warmup_s: 1.0, time_s: 5.0, ..LoadShape::default() },
            prepare: true,
            observe: model::Observe::Off,
            allow_failing_cells: false,
            target: vec![target("a"), target("b")],
            workload: vec![workload(SysbenchWorkload::OltpReadWrite)],
        }
    }

    #[test]
    fn repeats_are_blocks_and_targets_take_turns() {
        let plan = plan(&spec()).expect("the spec is good");
        let order: Vec<_> =
            plan.trials.iter().map(|t| (t.cell.repeat, t.cell.threads, t.cell.target.as_str())).collect();
        assert_eq!(
            order,
            [
                (1, 1, "a"),
                (1, 1, "b"),
                (1, 4, "a"),
                (1, 4, "b"),
                (2, 1, "b"),
                (2, 1, "a"),
                (2, 4, "b"),
                (2, 4, "a")
            ]
        );
    }

    #[test]
    fn targets_share_the_seed_of_a_cell_and_repeats_do_not() {
        let plan = plan(&spec()).expect("the spec is good");
        assert_eq!(plan.trials[0].seed, plan.trials[1].seed);
        assert_ne!(plan.trials[0].seed, plan.trials[4].seed);
        assert_ne!(plan.trials[0].seed, plan.trials[2].seed);
    }

    #[test]
    fn the_same_spec_gives_the_same_plan_and_any_change_another_hash() {
        let one = plan(&spec()).expect("the spec is good");
        assert_eq!(one, plan(&spec()).expect("the spec is good"));
        let other = plan(&Spec { seed: 43, ..spec() }).expect("the spec is good");
        assert_ne!(one.hash, other.hash);
    }

    #[test]
    fn a_spec_survives_being_stored() {
        let text = spec_toml(&spec());
        assert_eq!(toml::from_str::<Spec>(&text).expect("it is what was written"), spec());
    }

    #[test]
    fn workloads_with_other_tables_are_refused() {
        let mixed = Spec {
            workload: vec![workload(SysbenchWorkload::OltpReadWrite), workload(SysbenchWorkload::BulkInsert)],
            ..spec()
        };
        assert_eq!(
            plan(&mixed),
            Err(PlanError::DifferentTables { first: "oltp_read_write", second: "bulk_insert" })
        );
    }

    #[test]
    fn a_label_given_twice_is_refused() {
        let twice = Spec { target: vec![target("a"), target("a")], ..spec() };
        assert_eq!(plan(&twice), Err(PlanError::SameLabel { label: "a".to_owned() }));
    }
}
