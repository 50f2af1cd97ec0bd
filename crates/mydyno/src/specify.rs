//! From what was asked for, on the command line or in a file, to a `model::Spec` and to the specification that the recording
//! keeps.

use std::collections::BTreeSet;

use messages::message;
use model::{DataSet, Design, LuaData, RecommendationTrials, Spec, SpecTarget, Variant, WorkloadSpec};
use spec::{
    Arm, BISECT_DEFAULTS, CAPACITY_DEFAULTS, CRASHES, Defaults, Document, Edit, FAILOVERS, Fixed, Layout,
    NamedWorkload, PROOF_DEFAULTS, RUN, SWEEP, Values, WorkloadEntry,
};

use crate::cli::{BisectArgs, CapacityArgs, ExperimentRunArgs, RunArgs, SweepArgs, TrialArgs};
use crate::error::{Outcome, UserError};
use crate::options::connection::ConnectionArgs;
use crate::options::flags;
use crate::options::target::{self, TargetArgs};
use crate::options::workload::WorkloadName;
use crate::output;
use crate::resolve::{self, Context, Passwords};

/// What was asked for.
#[derive(Debug)]
pub struct Specified {
    /// Resolved.
    pub spec: Spec,
    /// Passwords by label of the target.
    pub passwords: Passwords,
    /// As the recording keeps it: what makes the same spec again.
    pub document: Document,
}

/// The spec of `run`: one workload, one server, one number of clients, once.
pub fn of_run(args: &RunArgs, context: &mut Context) -> Outcome<Specified> {
    let mut document = plain(std::slice::from_ref(&args.workload), &args.trial, context)?;
    // A single trial has nothing to restore.
    for (path, text) in [("design.repeats", "1"), ("design.restore", "changed")] {
        document.values.set(edit(path, text)?);
    }
    let made = build(document, &Fixed::default(), &ServerArgs::of(&args.trial), RUN, context)?;
    if made.spec.threads.len() > 1 {
        return Err(several("numbers of clients", made.spec.threads.len(), &args.workload));
    }
    if made.spec.targets.len() > 1 {
        return Err(several("servers", made.spec.targets.len(), &args.workload));
    }
    Ok(made)
}

fn several(what: &str, count: usize, workload: &NamedWorkload) -> UserError {
    UserError::usage(format!("run measures one configuration, and {count} {what} are given"))
        .hint(format!("for several: mydyno sweep {} ...", workload.name()))
}

/// The spec of `sweep`.
pub fn of_sweep(args: &SweepArgs, context: &mut Context) -> Outcome<Specified> {
    let mut document = plain(&each_once(&args.workloads), &args.trial, context)?;
    document.values = document.values.with(args.design.as_ref().iter().cloned());
    build(document, &Fixed::default(), &ServerArgs::of(&args.trial), SWEEP, context)
}

/// The spec of `capacity`.
pub fn of_capacity(args: &CapacityArgs, context: &mut Context) -> Outcome<Specified> {
    let mut document = plain(&each_once(&args.workloads), &args.trial, context)?;
    // What makes it a search, whatever else is set.
    let row = spec::row("capacity.precision").expect("the table has it");
    let spec::Default::Is(precision) = row.default else { unreachable!("a search has a precision") };
    document.values.set(Edit::read(row, precision)?);
    let set = args.capacity.as_ref().iter().chain(args.design.as_ref());
    document.values = document.values.with(set.cloned());
    build(document, &Fixed::default(), &ServerArgs::of(&args.trial), CAPACITY_DEFAULTS, context)
}

/// The spec of `bisect`: of two targets that are named, or of a recording that has both.
pub fn of_bisect(args: &BisectArgs, context: &mut Context) -> Outcome<Specified> {
    let set = args.bisect.as_ref().iter().chain(args.design.as_ref());
    let mut document = match args.words.as_slice() {
        [target, workload] if !args.versions.is_empty() => of_versions(target, workload, args, context)?,
        [base, other, workload] if args.versions.is_empty() => {
            let kind = WorkloadName.named(workload)?;
            flags::refuse_foreign(std::slice::from_ref(&kind), &|id| context.typed.has(id))?;
            let targets = [base, other].map(|text| spec::target(text).map_err(UserError::from));
            let targets = targets.into_iter().collect::<Outcome<Vec<_>>>()?;
            Document { targets, ..plain(&[kind], &args.trial, context)? }
        }
        [recording] if args.versions.is_empty() => of_recording(recording, args, context)?,
        _ => {
            let takes = "bisect takes two sandboxes and a workload, or a recording; with --versions a sandbox and a workload";
            return Err(UserError::usage(takes).hint(
                "mydyno bisect sandbox:mysql 'sandbox:mysql?sync_binlog=0' oltp_write_only\nmydyno bisect latest\nmydyno bisect sandbox:mysql oltp_read_only --versions /opt/a,/opt/b,/opt/c",
            ));
        }
    };
    // What makes it a search, whatever else is set.
    let row = spec::row("bisect.max_trials").expect("the table has it");
    let spec::Default::Is(trials) = row.default else { unreachable!("a search has a limit") };
    document.values.set(Edit::read(row, if args.versions.is_empty() { trials } else { TRIALS_OF_A_BUILD })?);
    document.values = document.values.with(set.cloned());
    build(document, &Fixed::default(), &ServerArgs::of(&args.trial), BISECT_DEFAULTS, context)
}

/// Trials of a build at most, unless the user says how many: all decisions of a search among builds rest on single ones.
const TRIALS_OF_A_BUILD: &str = "24";

/// A sandbox in several builds, in their order.
fn of_versions(target: &str, workload: &str, args: &BisectArgs, context: &Context) -> Outcome<Document> {
    let kind = WorkloadName.named(workload)?;
    flags::refuse_foreign(std::slice::from_ref(&kind), &|id| context.typed.has(id))?;
    let base = spec::target(target)?;
    if base.servers.iter().any(|server| server.sandbox.as_deref().is_none_or(|name| name.contains('@'))) {
        return Err(UserError::usage(
            "--versions names the builds of a sandbox, and the target names none of its own",
        )
        .hint("for example mydyno bisect sandbox:mysql oltp_read_only --versions /opt/a,/opt/b,/opt/c"));
    }
    let targets = args.versions.iter().map(|build| {
        let label = build.trim_end_matches('/').rsplit('/').next().unwrap_or(build).to_owned();
        spec::TargetSpec { label: Some(label), ..base.clone().with_build(build) }
    });
    let mut document = Document { targets: targets.collect(), ..plain(&[kind], &args.trial, context)? };
    document.values.set(edit("bisect.in_order", "on")?);
    Ok(document)
}

/// What a recording measured, with what was typed in its place.
fn of_recording(query: &str, args: &BisectArgs, context: &Context) -> Outcome<Document> {
    let path = store::Results::open(&args.trial.results.results).find(query)?;
    let plan = store::Recording::read(&path)?.plan;
    let several = |count: usize, what: &str, hint: &str| {
        UserError::usage(format!("{query} has {count} {what}, and bisect takes one")).hint(hint.to_owned())
    };
    if plan.spec.workloads.len() != 1 {
        return Err(several(
            plan.spec.workloads.len(),
            "workloads",
            "name both targets and the workload: mydyno bisect A B WORKLOAD",
        ));
    }
    let mut spec = Spec { design: Design::default(), repeats: 1, ..plan.spec };
    let clients = spec.threads.len();
    if clients != 1 && !context.typed.has("threads") {
        let most = clients_of_largest_difference(&path)?
            .ok_or_else(|| several(clients, "numbers of clients", "choose one: --threads N"))?;
        output::note(&format!(
            "at {}, where the targets of the recording differ most; for another number: --threads N",
            messages::number::clients(most)
        ));
        spec.threads = vec![most];
    }
    let mut document = Document::of(&spec)?;
    let all = args.trial.values();
    let typed = all.edits().filter(|edit| context.typed.has(&flags::id(edit.row))).cloned();
    document.values = document.values.with(typed);
    Ok(document)
}

/// Recommendations that are to be tried.
pub struct ProofRequest<'a> {
    /// The server that was diagnosed: a sandbox.
    pub target: &'a SpecTarget,
    /// With what they are tried.
    pub workload: &'a NamedWorkload,
    /// Options of the workload, and of load and design.
    pub values: Values,
    /// The recommendations.
    pub trials: RecommendationTrials,
    /// How servers are reached.
    pub connection: &'a ConnectionArgs,
}

/// The spec of `doctor --prove`: an experiment whose first arm has the current settings, and each other one those of a
/// recommendation.
pub fn of_proof(request: ProofRequest<'_>, context: &mut Context) -> Outcome<Specified> {
    let ProofRequest { target, workload, values, trials, connection } = request;
    let arm = |label: &str, sets: &mut dyn Iterator<Item = (&String, &String)>| Arm {
        label: label.to_owned(),
        adds: sets.map(|(name, value)| (format!("settings.{name}"), value.clone())).collect(),
    };
    let mut arms = vec![arm(CURRENT, &mut std::iter::empty())];
    arms.extend(trials.tried.iter().map(|one| arm(&one.target, &mut one.set.iter())));
    arms.extend(trials.together.iter().map(|label| {
        // Of two recommendations about one variable the graver one counts.
        arm(label, &mut trials.tried.iter().rev().flat_map(|one| &one.set))
    }));
    let question =
        message!("prove-question", workload = Text(workload.name()), target = Text(&target.target.label));
    let (own, values): (Vec<&Edit>, Vec<&Edit>) =
        values.edits().partition(|edit| edit.row.path.starts_with("workload."));
    let name = edit("name", &spec::short_name(&format!("doctor-{}", workload.name())))?;
    let document = Document {
        experiment: Some("doctor --prove".to_owned()),
        question: Some(question.en),
        question_zh: Some(question.zh),
        values: Values::default().with([name]).with(values.into_iter().cloned()),
        targets: vec![spec::TargetSpec { label: None, ..spec::TargetSpec::of(target) }],
        arms,
        workloads: vec![WorkloadEntry {
            label: None,
            kind: Some(workload.clone()),
            values: Values::default().with(own.into_iter().cloned()),
            load: Values::default(),
        }],
        ..Document::default()
    };
    // What was set on the command line is a part of the target.
    let (targets, connection) = (&TargetArgs::default(), connection);
    let servers = ServerArgs { targets, connection };
    let mut made = build(document, &Fixed::default(), &servers, PROOF_DEFAULTS, context)?;
    made.spec.design.proof = Some(trials);
    Ok(made)
}

/// Label of the arm that has the current settings.
const CURRENT: &str = "current";

/// The number of clients at which a verdict says that the targets of a recording differ, and at which they differ most.
fn clients_of_largest_difference(recording: &std::path::Path) -> Outcome<Option<u32>> {
    let view = report::View::build(&[store::Recording::read(recording)?], &report::ReportOptions::default())?;
    let decided = view
        .comparisons
        .iter()
        .filter(|one| matches!(one.verdict, analysis::Verdict::Better | analysis::Verdict::Worse));
    let size = |one: &report::view::ComparisonView| one.throughput_ratio.ln().abs();
    Ok(decided.max_by(|a, b| size(a).total_cmp(&size(b))).map(|one| one.threads))
}

/// The spec of `crash`: a series of crashes, unless something else is said.
pub fn of_crash(args: &SweepArgs, context: &mut Context) -> Outcome<Specified> {
    const CRASH: [(&str, &str); 3] =
        [("load.crash", "power"), ("design.repeats", "20"), ("design.drift_check", "off")];
    let series = match args.journal_alone {
        true => [&CRASH[..], &[("load.clients", "1")]].concat(),
        false => CRASH.to_vec(),
    };
    of_series(args, &series, CRASHES, context)
}

/// The spec of `failover`: the same of failovers.
pub fn of_failover(args: &SweepArgs, context: &mut Context) -> Outcome<Specified> {
    let series = [("load.failover", "kill"), ("design.repeats", "3"), ("design.drift_check", "off")];
    of_series(args, &series, FAILOVERS, context)
}

fn of_series(
    args: &SweepArgs,
    series: &[(&str, &str)],
    defaults: Defaults,
    context: &mut Context,
) -> Outcome<Specified> {
    let mut document = plain(&each_once(&args.workloads), &args.trial, context)?;
    for (path, text) in series {
        if !document.values.is_set(path) {
            document.values.set(edit(path, text)?);
        }
    }
    document.values = document.values.with(args.design.as_ref().iter().cloned());
    build(document, &Fixed::default(), &ServerArgs::of(&args.trial), defaults, context)
}

fn each_once(workloads: &[NamedWorkload]) -> Vec<NamedWorkload> {
    let mut seen = BTreeSet::new();
    workloads.iter().filter(|workload| seen.insert((*workload).clone())).cloned().collect()
}

/// The spec of a file, or of an experiment of the catalogue. What was typed wins over it; what an option file says does not.
pub fn of_document(
    document: Document,
    args: &ExperimentRunArgs,
    context: &mut Context,
) -> Outcome<Specified> {
    let name = document.experiment.clone().unwrap_or_else(|| args.name.clone());
    let in_it = |error: UserError| UserError { message: format!("{name}: {}", error.message), ..error };
    let set = args.design.as_ref().iter().chain(args.capacity.as_ref());
    let all = args.trial.values().with(set.cloned());
    let is_typed = |edit: &&Edit| context.typed.has(&flags::id(edit.row));
    let typed: Vec<Edit> = all.edits().filter(is_typed).cloned().collect();
    let from_files = all.edits().filter(|edit| !is_typed(edit)).cloned();
    let named = written_targets(args, context)?;
    let mut document = if args.quick { document.quick(named.is_some()) } else { document };
    let variables = variables(&document, &name, &args.trial.targets.set)?;
    let variables: Vec<&str> = variables.iter().map(String::as_str).collect();
    document.values = Values::default().with(from_files).with(document.values.edits().cloned());
    if document.question.is_some() && !document.values.is_set("design.drift_check") {
        document.values.set(edit("design.drift_check", "on")?);
    }
    if !document.values.is_set("name") {
        document.values.set(edit("name", &spec::short_name(&stem(&name)))?);
    }
    document.experiment = document.question.is_some().then(|| name.clone());
    let fixed = Fixed { edits: &typed, variables, targets: named.is_some() };
    document.targets = named.unwrap_or(document.targets);
    refuse_foreign(&document, &typed)?;
    let is_search = document.values.edits().chain(&typed).any(|edit| edit.row.path.starts_with("capacity."));
    let is_bisect = document.values.edits().any(|edit| edit.row.path.starts_with("bisect."));
    let defaults = match (is_search, is_bisect) {
        (true, _) => CAPACITY_DEFAULTS,
        (_, true) => BISECT_DEFAULTS,
        _ => SWEEP,
    };
    build(document, &fixed, &ServerArgs::of(&args.trial), defaults, context).map_err(in_it)
}

/// The targets that were named. An option file that names a server does not mean this file's.
fn written_targets(args: &ExperimentRunArgs, context: &Context) -> Outcome<Option<Vec<spec::TargetSpec>>> {
    let (targets, connection) = (&args.trial.targets, &args.trial.connection);
    let is_named = ["host", "port", "socket"].iter().any(|id| context.typed.has(id));
    if targets.target.is_empty() && !is_named {
        return Ok(None);
    }
    resolve::written(targets, connection, context)
}

/// Options that none of its workloads has would be ignored silently.
fn refuse_foreign(document: &Document, typed: &[Edit]) -> Outcome<()> {
    let kinds: Option<Vec<NamedWorkload>> = document.workloads.iter().map(|one| one.kind.clone()).collect();
    // A factor may name any workload.
    let Some(kinds) = kinds.filter(|kinds| !kinds.is_empty()) else { return Ok(()) };
    flags::refuse_foreign(&kinds, &|id| typed.iter().any(|edit| flags::id(edit.row) == id))
}

/// The server variables that are set for all targets.
fn variables(document: &Document, name: &str, set: &[String]) -> Outcome<Vec<String>> {
    let mut variables = Vec::new();
    for text in set {
        let assignment = target::parse_set(text)?;
        if assignment.label.is_some() {
            continue;
        }
        if let Some(arm) = document.arm_that_sets(&assignment.key) {
            return Err(UserError::usage(format!(
                "{} is what the arms of {name} differ in ({arm} sets it)",
                assignment.key
            ))
            .hint("for one value of it: mydyno sweep, or --set LABEL:VARIABLE=VALUE for one arm"));
        }
        variables.push(assignment.key);
    }
    Ok(variables)
}

/// A name for the directory of the recording.
fn stem(name: &str) -> String {
    let stem = std::path::Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if stem.is_empty() { "experiment".to_owned() } else { stem }
}

fn on_off(on: bool) -> String {
    if on { "on" } else { "off" }.to_owned()
}

fn edit(path: &str, text: &str) -> Outcome<Edit> {
    Ok(Edit::read(spec::row(path).expect("the table has it"), text)?)
}

/// What flags alone make.
fn plain(workloads: &[NamedWorkload], args: &TrialArgs, context: &Context) -> Outcome<Document> {
    let all = args.values();
    let (options, values): (Vec<&Edit>, Vec<&Edit>) =
        all.edits().partition(|edit| edit.row.path.starts_with("workload."));
    let entry = |kind: &NamedWorkload| {
        let own = options.iter().filter(|edit| kind.has(edit.row)).map(|edit| (*edit).clone());
        WorkloadEntry {
            label: None,
            kind: Some(kind.clone()),
            values: Values::default().with(own),
            load: Values::default(),
        }
    };
    let names = || workloads.iter().map(|workload| workload.name()).collect::<Vec<_>>().join("+");
    let targets = resolve::written(&args.targets, &args.connection, context)?;
    let name = edit("name", &spec::short_name(&names()))?;
    Ok(Document {
        values: Values::default().with([name]).with(values.into_iter().cloned()),
        targets: targets.unwrap_or_else(|| vec![resolve::any_sandbox()]),
        workloads: workloads.iter().map(entry).collect(),
        ..Document::default()
    })
}

/// What is said of servers beside the targets themselves.
struct ServerArgs<'a> {
    targets: &'a TargetArgs,
    connection: &'a ConnectionArgs,
}

impl<'a> ServerArgs<'a> {
    fn of(args: &'a TrialArgs) -> Self {
        Self { targets: &args.targets, connection: &args.connection }
    }
}

fn build(
    document: Document,
    fixed: &Fixed,
    args: &ServerArgs<'_>,
    defaults: Defaults,
    context: &mut Context,
) -> Outcome<Specified> {
    let layout = document.layout(fixed)?;
    if !layout.factors.is_empty() {
        check_labels(&layout)?;
    }
    let load = spec::shape(&layout.values, defaults)?;
    let mut workloads = Vec::new();
    let mut variants = Vec::new();
    for one in &layout.workloads {
        let mut options = spec::options(&one.kind, &one.values)?;
        if let Some(label) = &one.label {
            options.set_label(label);
        }
        if let Some(DataSet::Lua(data)) = options.data_set(1) {
            check_script(&data)?;
        }
        workloads.push(options);
        let own = layout.values.with(one.load.edits().cloned());
        let own = Some(spec::shape(&own, defaults)?).filter(|own| *own != load);
        variants.push(Variant { levels: one.levels.clone(), load: own, rate_of: None });
    }
    if variants.iter().all(|variant| *variant == Variant::default()) {
        variants.clear();
    }
    let database = layout.workloads.first().map_or("", |one| one.kind.database());
    let written = layout.targets.iter().map(|one| (one.label.clone(), one.target.clone())).collect();
    let mut targets = resolve::labelled(written, args.targets, args.connection, database, context)?;
    for (target, at) in targets.list.iter_mut().zip(&layout.targets) {
        target.levels.clone_from(&at.levels);
    }
    let general = spec::general(&layout.values);
    let spec = Spec {
        format: model::FORMAT,
        about: document.experiment.as_ref().and_then(|name| document.about(name)),
        name: general.name.unwrap_or_else(|| "experiment".to_owned()),
        threads: spec::clients(&layout.values, defaults),
        repeats: spec::repeats(&layout.values),
        seed: spec::seed_of(&layout.values, context.fresh_seed),
        load,
        prepare: general.prepare,
        observe: general.observe,
        allow_failing_cells: general.allow_failing_cells,
        design: design(&layout, &targets.list, &workloads, variants)?,
        targets: targets.list,
        workloads,
    };
    let document = recorded(document, &spec, &layout, fixed, args, context)?;
    Ok(Specified { spec, passwords: targets.passwords, document })
}

/// Refuses a script that cannot run, or has not the options that were typed, before a server is started for it.
fn check_script(data: &LuaData) -> Outcome<()> {
    let script = data.script.name();
    let commands = data::lua_commands(data).map_err(|error| {
        let why = error.to_string();
        let why = why.strip_prefix("the script failed: ").unwrap_or(&why);
        UserError::usage(format!("{script}: {why}"))
            .hint(format!("its options: mydyno workload check {}", data.script.path))
    })?;
    match commands.is_none_or(|all| all.iter().any(|one| one.name == "run")) {
        true => Ok(()),
        false => Err(UserError::usage(format!("{script} has no function event()"))
            .hint("a module is loaded by the script that uses it, and is not run itself")),
    }
}

fn design(
    layout: &Layout,
    targets: &[SpecTarget],
    workloads: &[WorkloadSpec],
    variants: Vec<Variant>,
) -> Outcome<Design> {
    let targets: Vec<&str> = targets.iter().map(|one| one.target.label.as_str()).collect();
    let workloads: Vec<&str> = workloads.iter().map(|workload| workload.label()).collect();
    Ok(Design {
        variants,
        only: layout.only(&targets, &workloads),
        factors: layout.factors.clone(),
        ..spec::design(&layout.values)?
    })
}

/// Labels that come from levels are mended where the levels are.
fn check_labels(layout: &Layout) -> Outcome<()> {
    let all: Vec<&str> = layout.targets.iter().filter_map(|one| one.label.as_deref()).collect();
    let mut taken = BTreeSet::new();
    for label in &all {
        resolve::take_label(&mut taken, label).map_err(|error| {
            error.hint(format!(
                "give levels other names, with labels = [...] beside them; now there are: {}",
                all.join("; ")
            ))
        })?;
    }
    Ok(())
}

/// What makes the same spec again, on its own.
fn recorded(
    document: Document,
    spec: &Spec,
    layout: &Layout,
    fixed: &Fixed,
    args: &ServerArgs<'_>,
    context: &mut Context,
) -> Outcome<Document> {
    let explicit = [
        ("seed", spec.seed.to_string()),
        ("load.clients", spec.threads.iter().map(u32::to_string).collect::<Vec<_>>().join(",")),
        ("load.time", spec.load.time_s.to_string()),
        ("load.warmup", spec.load.warmup_s.to_string()),
        ("design.repeats", spec.repeats.to_string()),
        ("name", spec.name.clone()),
        ("prepare", on_off(spec.prepare)),
        ("observe", spec.observe.name().to_owned()),
        ("allow_failing_cells", on_off(spec.allow_failing_cells)),
    ];
    let mut values = layout.values.clone();
    for (path, text) in explicit {
        values.set(edit(path, &text)?);
    }
    let mut new = Document { values, quick: spec::Quick::default(), ..document };
    new.fix(fixed);
    let makes_targets = !new.arms.is_empty() || new.paths().any(spec::Path::is_of_target);
    if !makes_targets {
        new.targets = spec.targets.iter().map(spec::TargetSpec::of).collect();
        return Ok(new);
    }
    let sets = args.targets.set.iter().map(|text| target::parse_set(text)).collect::<Outcome<Vec<_>>>()?;
    let is_known = |set: &target::Assignment| set.label.as_deref().is_none_or(|label| new.has_label(label));
    if !args.targets.instance.is_empty() || !sets.iter().all(is_known) {
        // What is said of one level of a factor has no place beside the factor.
        return Document::of(spec)
            .map_err(|wrong| UserError::from(wrong).hint("leave out what is set or said of single targets"));
    }
    for base in &mut new.targets {
        *base = resolve::completed(base, args.connection, context)?;
    }
    for set in sets {
        new.set_variable(set.label.as_deref(), &set.key, &set.value);
    }
    Ok(new)
}
