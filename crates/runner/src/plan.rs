//! Makes a Plan from a Spec: every trial resolved, ordered, seeded and hashed. Deterministic, without any I/O.

mod check;
mod error;

use model::{EventAction, LoadShape, Plan, PrimaryLoss, Spec, Why};
use sha2::{Digest, Sha256};

use crate::block::{block, closing};
use crate::{bisect, search};
use check::check;
pub use error::PlanError;

/// Makes the plan of a Spec.
///
/// Order: repeats outermost, so that each is a complete block; within it, in an order drawn anew for every block, workloads
/// with numbers of clients, and within these the targets, so that what will be compared is measured close together in
/// time. A design with a drift check ends with its first cell once more; trials in which servers are sampled follow it.
///
/// # Errors
/// The Spec asks for nothing, for something twice, or for workloads that exclude each other.
pub fn plan(spec: &Spec) -> Result<Plan, PlanError> {
    check(spec)?;
    let mut plan = Plan { spec: spec.clone(), hash: String::new(), imported: None, trials: Vec::new() };
    if spec.loads().iter().any(|load| cuts(load)) {
        // Only a network of our own can be cut.
        let targets = plan.spec.targets.iter_mut().map(|one| &mut one.target.arrangement);
        targets.for_each(|arrangement| _ = arrangement.link_delay_us.get_or_insert(0));
    }
    if let Some(search) = &spec.design.capacity {
        search::first(&plan, search).add_to(&mut plan);
    }
    if spec.design.bisect.is_some() {
        bisect::first(&mut plan).map_err(PlanError::not_exchangeable)?;
    }
    let repeats = if spec.design.is_search() { 0 } else { spec.repeats };
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
        let closing = closing(&plan);
        plan.trials.extend(closing);
    }
    plan.hash = hash(&plan);
    Ok(plan)
}

/// Whether servers are cut off from each other during a load.
fn cuts(load: &LoadShape) -> bool {
    load.failover.is_some_and(|one| one.loss == PrimaryLoss::Cut)
        || load.planned_events.iter().any(|one| matches!(one.action, EventAction::Cut { .. }))
}

fn hash(plan: &Plan) -> String {
    let json = serde_json::to_vec(plan).expect("a plan has only string keys");
    Sha256::digest(json).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use model::{
        Design, FORMAT, Flavour, PlannedEvent, PlannedTrial, SandboxSpec, ServerKind, SpecTarget,
        SysbenchOptions, SysbenchWorkload, Target, TlsMode, Topology, WorkloadSpec,
    };

    fn target(label: &str) -> SpecTarget {
        let sandbox = SandboxSpec::new(Flavour::Mysql, Default::default());
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
    fn a_drift_check_is_the_first_cell_once_more() {
        let design = Design { drift_check: true, ..Design::default() };
        let plan = plan(&Spec { design, ..spec() }).expect("the spec is good");
        let (first, last) = (&plan.trials[0], plan.trials.last().expect("there are trials"));
        assert_eq!((plan.trials.len(), last.why, last.cell.repeat), (9, Why::DriftCheck, 3));
        assert_eq!(
            (&last.cell.target, last.cell.threads, last.seed),
            (&first.cell.target, first.cell.threads, first.seed)
        );
    }

    #[test]
    fn servers_are_sampled_behind_everything_else_at_the_greatest_number_of_clients() {
        let design = Design { drift_check: true, perf: true, ..Design::default() };
        let plan = plan(&Spec { design, ..spec() }).expect("the spec is good");
        assert_eq!((plan.trials.len(), plan.trials[8].why, plan.blocks()), (11, Why::DriftCheck, 2));
        let sampled: Vec<_> = plan.trials[9..]
            .iter()
            .map(|t| (t.why, t.index, t.cell.target.as_str(), t.cell.threads, t.cell.repeat))
            .collect();
        assert_eq!(sampled, [(Why::Profiled, 9, "a", 4, 4), (Why::Profiled, 10, "b", 4, 4)]);
    }

    #[test]
    fn a_search_and_a_load_with_a_crash_are_not_sampled() {
        let design = Design { perf: true, ..Design::default() };
        let load = LoadShape { crash: Some(model::CrashKind::Kill), ..spec().load };
        let refused = plan(&Spec { design, load, targets: vec![target("a")], ..spec() });
        assert!(matches!(refused, Err(PlanError::Profile { .. })), "{refused:?}");
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
    fn events_that_cannot_happen_are_refused() {
        let with = |at_s: f64, action: EventAction, target: SpecTarget| {
            let planned_events = vec![PlannedEvent { at_s, action }];
            let load = LoadShape { planned_events, ..spec().load };
            plan(&Spec { targets: vec![target], load, ..spec() })
                .map(|plan| plan.spec.targets[0].target.arrangement)
        };
        let of_two = || {
            let mut one = target("a");
            let mut replica = one.target.members[0].clone();
            replica.role = model::Role::Replica;
            one.target.members.push(replica);
            one.target.topology = Topology::Async;
            one
        };
        let kill = |server| EventAction::Kill { server };
        let cut = || EventAction::Cut { server: 1, from: None, for_s: 1.0 };
        let why = |refused: Result<_, PlanError>| match refused {
            Err(PlanError::Event { why, .. }) => why,
            other => panic!("{other:?}"),
        };
        assert!(with(4.9, kill(1), target("a")).is_ok() && with(1.0, kill(2), of_two()).is_ok());
        assert_eq!(why(with(5.0, kill(1), target("a"))), "the measured window ends after 5 s");
        assert_eq!(why(with(1.0, kill(2), target("a"))), "'a' has one server");
        assert_eq!(why(with(1.0, kill(3), of_two())), "'a' has 2 servers");
        assert_eq!(
            why(with(1.0, cut(), target("a"))),
            "'a' has no connection between servers that could be cut"
        );
        // Only a network of our own can be cut.
        assert_eq!(with(1.0, cut(), of_two()).expect("it can be cut").link_delay_us, Some(0));
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
