//! From Spec to Plan: every trial resolved, ordered, seeded and hashed. Nothing here is random or looks at the world.

use std::collections::BTreeSet;

use analysis::condition::SloCondition;
use model::{
    Advice, Advise, Flavour, Member, OptionId, Plan, PrimaryLoss, Reads, Restore, ServerKind, Spec,
    SpecTarget, Target, Topology, Via, Why, WorkloadSpec,
};
use sha2::{Digest, Sha256};

use crate::block::{block, bookend};
use crate::search;

/// Why a Spec cannot be planned.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
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
    /// A condition that nobody can read, or that nothing will tell.
    #[error("the condition '{text}': {why}")]
    Condition {
        /// The condition.
        text: String,
        /// Why, in a sentence.
        why: String,
    },
    /// A search for a capacity together with another rule by which the plan grows.
    #[error("a search for the capacity chooses its trials itself: it cannot be combined with {with}")]
    SearchesAlone {
        /// The other rule.
        with: &'static str,
    },
    /// Reads that go to replicas, of a workload that has none.
    #[error(
        "reads = \"replicas\" sends transactions that only read to the replicas of '{target}', and {workload} has none"
    )]
    NothingToRead {
        /// Label of the target.
        target: String,
        /// The workload.
        workload: String,
    },
    /// A cut that a load would not see.
    #[error("link_cut of '{target}' begins {from_s} s after the clients start, when their load is over")]
    CutTooLate {
        /// Label of the target.
        target: String,
        /// When it begins, seconds.
        from_s: f64,
    },
    /// A crash of what is not a sandbox by itself.
    #[error("only a single sandbox can be made to crash, and '{target}' is {what}")]
    CannotCrash {
        /// Label of the target.
        target: String,
        /// What it is instead.
        what: &'static str,
    },
    /// A failover of what has no replicas that mydyno can promote.
    #[error("a failover needs sandboxes of MySQL with replicas, and '{target}' is {what}")]
    CannotFailOver {
        /// Label of the target.
        target: String,
        /// What it is instead.
        what: &'static str,
    },
    /// A failover that the load would not see.
    #[error(
        "the primary is lost {at_s} s into a measured window of {time_s} s, which leaves no time for the failover"
    )]
    FailoverTooLate {
        /// When, seconds into the window.
        at_s: f64,
        /// The window.
        time_s: f64,
    },
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
            Self::NothingToRead { .. } => vec![Advice::words(
                "choose oltp_read_only, another workload that only reads, or tpcc; or oltp_read_write with skip_trx, where \
                 every SELECT is a transaction of its own",
            )],
            Self::CutTooLate { .. } => vec![Advice::option("give the load more time", OptionId::Time)],
            Self::CannotCrash { .. } => {
                vec![Advice::words("choose a sandbox with the settings in question, such as sandbox:mysql")]
            }
            Self::CannotFailOver { .. } => {
                vec![Advice::words(
                    "choose a topology, such as sandbox:mysql?topology=group, semisync or async",
                )]
            }
            Self::FailoverTooLate { .. } => vec![Advice::option("give the load more time", OptionId::Time)],
            Self::SearchesAlone { .. } => vec![Advice::words("run it by itself")],
            Self::Nothing { .. }
            | Self::Condition { .. }
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
    if spec.loads().iter().any(|load| load.failover.is_some_and(|one| one.loss == PrimaryLoss::Cut)) {
        // Only a network of our own can be cut.
        let targets = plan.spec.targets.iter_mut().map(|one| &mut one.target.arrangement);
        targets.for_each(|arrangement| _ = arrangement.link_delay_us.get_or_insert(0));
    }
    if let Some(search) = &spec.design.capacity {
        search::first(&plan, search).add_to(&mut plan);
    }
    let repeats = if spec.design.capacity.is_none() { spec.repeats } else { 0 };
    for repeat in 1..=repeats {
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
    check_reads(spec)?;
    check_cuts(spec)?;
    check_crashes(spec)?;
    check_failovers(spec)?;
    check_search(spec)?;
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

/// What a search for a capacity cannot find out is refused before it begins.
fn check_search(spec: &Spec) -> Result<(), PlanError> {
    let Some(search) = &spec.design.capacity else { return Ok(()) };
    let others = [
        (spec.design.until_sure.is_some(), "a sequential test"),
        (spec.design.refine, "added client counts"),
    ];
    if let Some((_, with)) = others.into_iter().find(|(is_set, _)| *is_set) {
        return Err(PlanError::SearchesAlone { with });
    }
    for text in &search.slo {
        let refuse = |why: String| PlanError::Condition { text: text.clone(), why };
        let condition = SloCondition::parse(text).map_err(refuse)?;
        let without =
            spec.targets.iter().find(|one| !one.target.is_sandbox() || one.target.members.len() < 2);
        match (condition.metric.id, without) {
            ("lag", _) if spec.observe.is_off() => {
                return Err(refuse("the lag is not observed while observation is off".to_owned()));
            }
            ("lag", Some(target)) => {
                let label = &target.target.label;
                return Err(refuse(format!(
                    "'{label}' has no replica whose lag mydyno can measure; sandboxes of a topology have: \
                     sandbox:mysql?topology=async"
                )));
            }
            ("tpmc", _)
                if !spec.workloads.iter().all(|workload| matches!(workload, WorkloadSpec::Tpcc(_))) =>
            {
                return Err(refuse("only TPC-C has a tpmC".to_owned()));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Reads on replicas of a workload without any would be a comparison of nothing.
fn check_reads(spec: &Spec) -> Result<(), PlanError> {
    let target = spec.targets.iter().find(|one| one.target.arrangement.reads_on_replicas);
    let workload = spec.workloads.iter().find(|workload| workload.reads() == Reads::None);
    match (target, workload) {
        (Some(one), Some(workload)) => Err(PlanError::NothingToRead {
            target: one.target.label.clone(),
            workload: workload.label().to_owned(),
        }),
        _ => Ok(()),
    }
}

/// A cut after the load's end would be one in name only.
fn check_cuts(spec: &Spec) -> Result<(), PlanError> {
    // Without a time, a number of transactions ends the load.
    let loads = spec.loads().into_iter().filter(|load| load.time_s > 0.0);
    let ends_s = loads.map(|load| load.warmup_s + load.time_s).fold(f64::INFINITY, f64::min);
    let late = spec.targets.iter().find_map(|one| {
        let from_s = one.target.arrangement.link_cut?.from_ms as f64 / 1e3;
        (from_s >= ends_s).then(|| PlanError::CutTooLate { target: one.target.label.clone(), from_s })
    });
    late.map_or(Ok(()), Err)
}

/// An external server is never made to crash.
fn check_crashes(spec: &Spec) -> Result<(), PlanError> {
    if !spec.loads().iter().any(|load| load.crash.is_some()) {
        return Ok(());
    }
    let refuse = |one: &Target, what| PlanError::CannotCrash { target: one.label.clone(), what };
    for SpecTarget { target, .. } in &spec.targets {
        match (target.is_sandbox(), target.topology, target.arrangement.has_network(), target.arrangement.via)
        {
            (false, ..) => return Err(refuse(target, "an external server")),
            (true, Topology::Single, false, Via::Direct) => {}
            (true, Topology::Single, ..) => {
                return Err(refuse(target, "behind a router or a simulated network"));
            }
            (true, ..) => return Err(refuse(target, "a topology of several servers")),
        }
    }
    Ok(())
}

/// A failover needs servers of ours that can take over, and a load that sees it.
fn check_failovers(spec: &Spec) -> Result<(), PlanError> {
    for load in spec.loads() {
        let Some(failover) = load.failover else { continue };
        if load.time_s > 0.0 && failover.at_s >= load.time_s {
            return Err(PlanError::FailoverTooLate { at_s: failover.at_s, time_s: load.time_s });
        }
        for SpecTarget { target, .. } in &spec.targets {
            if let Some(what) = stands_against_failover(target) {
                return Err(PlanError::CannotFailOver { target: target.label.clone(), what });
            }
        }
    }
    Ok(())
}

fn stands_against_failover(target: &Target) -> Option<&'static str> {
    let is_mysql =
        |one: &Member| matches!(&one.kind, ServerKind::Sandbox(spec) if spec.flavour == Flavour::Mysql);
    let arrangement = target.arrangement;
    match target.topology {
        _ if !target.is_sandbox() => Some("an external server"),
        Topology::Single => Some("a single server"),
        Topology::Independent => Some("several servers of their own"),
        _ if !target.members.iter().all(is_mysql) => Some("of MariaDB"),
        _ if arrangement.multi_primary => Some("a group that takes writes on every member"),
        _ if arrangement.via == Via::Router => Some("behind a router, which fails over by itself"),
        _ if arrangement.reads_on_replicas => Some("read from on its replicas"),
        _ if arrangement.link_cut.is_some() => Some("cut off by link_cut as well"),
        _ => None,
    }
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

fn hash(plan: &Plan) -> String {
    let json = serde_json::to_vec(plan).expect("a plan has only string keys");
    Sha256::digest(json).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{
        Design, FORMAT, Flavour, LoadShape, PlannedTrial, SandboxSpec, SpecTarget, SysbenchOptions,
        SysbenchWorkload, Target, TlsMode,
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
    fn a_cut_that_no_load_would_see_is_refused() {
        let with = |from_ms| {
            let mut one = target("a");
            one.target.arrangement.link_cut = Some(model::LinkCut { server: 1, from_ms, length_ms: 1000 });
            plan(&Spec { targets: vec![one], ..spec() }).map(|_| ())
        };
        assert_eq!(with(5999), Ok(()));
        assert_eq!(with(6000), Err(PlanError::CutTooLate { target: "a".to_owned(), from_s: 6.0 }));
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
