//! From Spec to Plan: every trial resolved, ordered, seeded and hashed. Nothing here is random or looks at the world.

use std::collections::BTreeSet;

use model::{Advice, Advise, CellKey, Design, OptionId, Plan, PlannedTrial, Restore, ServerKind, Spec, Why};
use random::Rng;
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
    #[error("two targets are called '{label}'")]
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
    /// Workloads that need other tables, on a server that is not a sandbox.
    #[error(
        "{first} and {second} need other tables, and a server that is not a sandbox holds one set of them"
    )]
    DifferentTables {
        /// One workload.
        first: String,
        /// The other.
        second: String,
    },
    /// Neither a time nor a number of transactions ends a trial.
    #[error("a trial needs an end: a time, or a number of transactions")]
    Endless,
    /// Data that are loaded anew where nothing may be loaded.
    #[error(
        "loading the data anew before a trial drops the tables of '{label}', and nothing may be loaded there"
    )]
    ReloadUnasked {
        /// The server.
        label: String,
    },
    /// Repeats until targets differ, of a single one.
    #[error("repeating until every target differs significantly from the first takes two targets or more")]
    NothingToTellApart,
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

impl Advise for PlanError {
    fn advice(&self) -> Vec<Advice> {
        match self {
            Self::SameLabel { .. } => {
                vec![Advice::value("give each a name of its own", OptionId::Target, "NAME=...")]
            }
            Self::DifferentTables { .. } => vec![Advice::words("run them one after the other")],
            Self::Endless => vec![
                Advice::option("give a time in seconds", OptionId::Time),
                Advice::option("give a number of transactions", OptionId::Events),
            ],
            Self::ReloadUnasked { .. } => {
                vec![Advice::option("allow it, if that is meant", OptionId::Prepare)]
            }
            Self::NothingToTellApart => vec![Advice::option("name another one", OptionId::Target)],
            Self::Nothing { .. }
            | Self::SameWorkload { .. }
            | Self::Imported { .. }
            | Self::TooMany { .. } => Vec::new(),
        }
    }
}

/// More trials than this are a typing mistake.
const TRIALS_MAX: usize = 100_000;

/// Makes the plan of a Spec.
///
/// Order: repeats outermost, so that each is a complete block; within it, in an order drawn anew for every block, workloads
/// with numbers of clients, and within these the targets, so that what will be compared is measured close together in
/// time. A design with a bookend ends with its first cell once more.
///
/// # Errors
/// The Spec asks for nothing, for something twice, or for workloads that exclude each other.
pub fn plan(spec: &Spec) -> Result<Plan, PlanError> {
    check(spec)?;
    let mut plan = Plan { spec: spec.clone(), hash: String::new(), imported: None, trials: Vec::new() };
    for repeat in 1..=spec.repeats {
        let block = block(&plan, &spec.threads, repeat, Why::AskedFor);
        plan.trials.extend(block);
    }
    if plan.trials.is_empty() {
        return Err(PlanError::Nothing {
            what: "combination of a target, a workload and a number of clients",
        });
    }
    if !spec.design.grows() {
        let bookend = bookend(&plan);
        plan.trials.extend(bookend);
    }
    plan.hash = hash(&plan);
    Ok(plan)
}

/// A complete block: every cell once, at these numbers of clients, numbered on from what is in the plan.
pub(crate) fn block(plan: &Plan, threads: &[u32], repeat: u32, why: Why) -> Vec<PlannedTrial> {
    let mut groups: Vec<(u32, u32)> =
        (0..plan.spec.workloads.len() as u32).flat_map(|w| threads.iter().map(move |t| (w, *t))).collect();
    // The order is a matter of the seed and the block alone: what is run does not depend on what was run.
    let mut order = Rng::from_seed(seed_of(&format!("{}/order/{repeat}/{threads:?}", plan.spec.seed)));
    shuffle(&mut groups, &mut order);
    let mut trials: Vec<PlannedTrial> = Vec::new();
    for (workload, threads) in groups {
        let label = plan.spec.workloads[workload as usize].label();
        let mut targets: Vec<&str> = plan.spec.targets.iter().map(|one| one.target.label.as_str()).collect();
        targets.retain(|target| is_wanted(&plan.spec.design, target, label, threads));
        shuffle(&mut targets, &mut order);
        for target in targets {
            let cell = CellKey { target: target.to_owned(), workload: label.to_owned(), threads, repeat };
            let index = (plan.trials.len() + trials.len()) as u32;
            let seed = trial_seed(plan.spec.seed, &cell);
            trials.push(PlannedTrial { index, cell, workload, seed, why });
        }
    }
    trials
}

/// The first cell once more, behind everything else, if the design asks for it. Its keys are those of the first time. So few
/// trials that it would be one half of them, or all eight hours again, have none.
pub(crate) fn bookend(plan: &Plan) -> Option<PlannedTrial> {
    const TRIALS_MIN: usize = 3;
    let first =
        plan.trials.first().filter(|_| plan.spec.design.bookend && plan.trials.len() >= TRIALS_MIN)?;
    let repeat = plan.trials.iter().map(|trial| trial.cell.repeat).max().unwrap_or(0) + 1;
    Some(PlannedTrial {
        index: plan.trials.len() as u32,
        cell: CellKey { repeat, ..first.cell.clone() },
        why: Why::Bookend,
        ..first.clone()
    })
}

fn is_wanted(design: &Design, target: &str, workload: &str, threads: u32) -> bool {
    let same = |one: &model::OnlyCell| {
        one.target == target && one.workload == workload && one.threads.is_none_or(|own| own == threads)
    };
    design.only.is_empty() || design.only.iter().any(same)
}

/// Fisher and Yates.
fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for at in (1..items.len()).rev() {
        items.swap(at, rng.below(at as u64 + 1) as usize);
    }
}

fn check(spec: &Spec) -> Result<(), PlanError> {
    let missing = [
        (spec.targets.is_empty(), "target"),
        (spec.workloads.is_empty(), "workload"),
        (spec.threads.iter().all(|&n| n == 0), "client"),
        (spec.repeats == 0, "repeat"),
    ];
    if let Some((_, what)) = missing.into_iter().find(|(absent, _)| *absent) {
        return Err(PlanError::Nothing { what });
    }
    let imported = spec
        .targets
        .iter()
        .filter(|one| matches!(one.target.entry(), ServerKind::Imported { .. }))
        .map(|one| one.target.label.as_str())
        .chain(spec.workloads.iter().filter(|workload| !workload.can_run()).map(|workload| workload.label()))
        .next();
    if let Some(label) = imported {
        return Err(PlanError::Imported { label: label.to_owned() });
    }
    if spec.load.time_s <= 0.0 && spec.load.events == 0 {
        return Err(PlanError::Endless);
    }
    let mut labels = BTreeSet::new();
    for target in &spec.targets {
        if !labels.insert(&target.target.label) {
            return Err(PlanError::SameLabel { label: target.target.label.clone() });
        }
    }
    check_workloads(spec)?;
    if spec.design.until_sure.is_some() && spec.targets.len() < 2 {
        return Err(PlanError::NothingToTellApart);
    }
    let server = spec.targets.iter().find(|one| matches!(one.target.entry(), ServerKind::External(_)));
    if let (Restore::Reload, false, Some(one)) = (spec.design.restore, spec.prepare, server) {
        return Err(PlanError::ReloadUnasked { label: one.target.label.clone() });
    }
    let trials = spec.targets.len() * spec.workloads.len() * spec.threads.len() * spec.repeats as usize;
    if trials > TRIALS_MAX {
        return Err(PlanError::TooMany { trials, limit: TRIALS_MAX });
    }
    Ok(())
}

fn check_workloads(spec: &Spec) -> Result<(), PlanError> {
    let workloads = &spec.workloads;
    let all_sandboxes = spec.targets.iter().all(|one| one.target.is_sandbox());
    for (index, workload) in workloads.iter().enumerate() {
        for earlier in &workloads[..index] {
            if earlier.label() == workload.label() {
                return Err(PlanError::SameWorkload { label: workload.label().to_owned() });
            }
            // A sandbox is started on a copy of the data that a trial needs.
            if !all_sandboxes && earlier.data_set(1) != workload.data_set(1) {
                return Err(PlanError::DifferentTables {
                    first: earlier.name().to_owned(),
                    second: workload.name().to_owned(),
                });
            }
        }
    }
    Ok(())
}

/// A trial's seed depends on what it is, not on where in the plan it stands: adding a cell changes no other.
fn trial_seed(seed: u64, cell: &CellKey) -> u64 {
    let CellKey { target: _, workload, threads, repeat } = cell;
    // All targets get the same keys in the same cell, so that they are asked the same questions.
    seed_of(&format!("{seed}/{workload}/{threads}/{repeat}"))
}

fn seed_of(text: &str) -> u64 {
    let digest = Sha256::digest(text);
    u64::from_be_bytes(digest[..8].try_into().expect("a SHA-256 digest has 32 bytes"))
}

fn hash(plan: &Plan) -> String {
    let json = serde_json::to_vec(plan).expect("a plan has only string keys");
    Sha256::digest(json).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{
        FORMAT, Flavour, LoadShape, SandboxSpec, SpecTarget, SysbenchOptions, SysbenchWorkload, Target,
        TlsMode, WorkloadSpec,
    };

    fn target(label: &str) -> SpecTarget {
        let sandbox = SandboxSpec {
            flavour: Flavour::Mysql,
            basedir: None,
            settings: Default::default(),
            tcp: false,
            tls: TlsMode::Disabled.into(),
            place: Default::default(),
        };
        let target = Target::single(label.to_owned(), ServerKind::Sandbox(sandbox));
        SpecTarget { target, instance: Default::default(), levels: Default::default() }
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
            design: Design::default(),
            targets: vec![target("a"), target("b")],
            workloads: vec![workload(SysbenchWorkload::OltpReadWrite)],
        }
    }

    #[test]
    fn repeats_are_complete_blocks_in_an_order_of_their_own() {
        let many = Spec { threads: (1..=6).collect(), repeats: 4, ..spec() };
        let plan = plan(&many).expect("the spec is good");
        let cells = |repeat: u32| -> Vec<(u32, &str)> {
            let own = plan.trials.iter().filter(|t| t.cell.repeat == repeat);
            own.map(|t| (t.cell.threads, t.cell.target.as_str())).collect()
        };
        let mut orders = BTreeSet::new();
        for repeat in 1..=4 {
            let block = cells(repeat);
            assert!(plan.trials[12 * (repeat as usize - 1)..][..12].iter().all(|t| t.cell.repeat == repeat));
            assert_eq!(block.iter().collect::<BTreeSet<_>>().len(), 12, "every cell once");
            assert!(
                block.chunks(2).all(|pair| pair[0].0 == pair[1].0),
                "what is compared stands together: {block:?}"
            );
            orders.insert(block);
        }
        assert_eq!(orders.len(), 4);
        let first: Vec<&str> = plan.trials.chunks(2).map(|pair| pair[0].cell.target.as_str()).collect();
        assert!(first.contains(&"a") && first.contains(&"b"), "either target comes first sometimes");
        assert!(plan.trials.iter().enumerate().all(|(at, t)| t.index as usize == at));
    }

    #[test]
    fn a_bookend_is_the_first_cell_once_more() {
        let design = Design { bookend: true, ..Design::default() };
        let plan = plan(&Spec { design, ..spec() }).expect("the spec is good");
        let (first, last) = (&plan.trials[0], plan.trials.last().expect("there are trials"));
        assert_eq!((plan.trials.len(), last.why, last.cell.repeat), (9, Why::Bookend, 3));
        assert_eq!(
            (&last.cell.target, last.cell.threads, last.seed),
            (&first.cell.target, first.cell.threads, first.seed)
        );
    }

    #[test]
    fn listed_cells_are_the_only_ones() {
        let cell = |target: &str, threads| model::OnlyCell {
            target: target.to_owned(),
            workload: "oltp_read_write".to_owned(),
            threads,
        };
        let only = vec![cell("a", None), cell("b", Some(4))];
        let plan = plan(&Spec { design: Design { only, ..Design::default() }, ..spec() }).expect("good");
        let mut cells: Vec<_> =
            plan.trials.iter().map(|t| (t.cell.target.as_str(), t.cell.threads)).collect();
        cells.sort_unstable();
        cells.dedup();
        assert_eq!((cells, plan.trials.len()), (vec![("a", 1), ("a", 4), ("b", 4)], 6));
    }

    #[test]
    fn one_target_is_never_told_apart() {
        let until_sure = Some(model::UntilSure { margin: 0.02, blocks_max: 10, budget_s: None });
        let alone =
            Spec { targets: vec![target("a")], design: Design { until_sure, ..Design::default() }, ..spec() };
        assert_eq!(plan(&alone), Err(PlanError::NothingToTellApart));
    }

    #[test]
    fn targets_share_the_seed_of_a_cell_and_repeats_do_not() {
        let plan = plan(&spec()).expect("the spec is good");
        let seed = |target: &str, threads: u32, repeat: u32| {
            let is = |t: &&PlannedTrial| {
                (t.cell.target.as_str(), t.cell.threads, t.cell.repeat) == (target, threads, repeat)
            };
            plan.trials.iter().find(is).expect("it is planned").seed
        };
        assert_eq!(seed("a", 1, 1), seed("b", 1, 1));
        assert_ne!(seed("a", 1, 1), seed("a", 1, 2));
        assert_ne!(seed("a", 1, 1), seed("a", 4, 1));
    }

    #[test]
    fn the_same_spec_gives_the_same_plan_and_any_change_another_hash() {
        let one = plan(&spec()).expect("the spec is good");
        assert_eq!(one, plan(&spec()).expect("the spec is good"));
        let other = plan(&Spec { seed: 43, ..spec() }).expect("the spec is good");
        assert_ne!(one.hash, other.hash);
    }

    #[test]
    fn workloads_with_other_tables_run_in_sandboxes_only() {
        let mixed = Spec {
            workloads: vec![
                workload(SysbenchWorkload::OltpReadWrite),
                workload(SysbenchWorkload::BulkInsert),
            ],
            ..spec()
        };
        assert!(plan(&mixed).is_ok());
        let mut remote = target("c");
        *remote.target.entry_mut() = ServerKind::External(model::Endpoint {
            address: model::Address::Tcp { host: "db1".to_owned(), port: 3306 },
            user: "bench".to_owned(),
            database: "sbtest".to_owned(),
            tls: TlsMode::Disabled.into(),
            connect_timeout_s: 10,
            get_server_public_key: false,
            init_commands: Vec::new(),
            globals: Default::default(),
        });
        assert_eq!(
            plan(&Spec { targets: vec![remote], ..mixed }),
            Err(PlanError::DifferentTables {
                first: "oltp_read_write".to_owned(),
                second: "bulk_insert".to_owned()
            })
        );
    }

    #[test]
    fn a_label_given_twice_is_refused() {
        let twice = Spec { targets: vec![target("a"), target("a")], ..spec() };
        assert_eq!(plan(&twice), Err(PlanError::SameLabel { label: "a".to_owned() }));
    }
}
