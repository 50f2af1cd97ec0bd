//! Flags in, `model::Spec` out: the only place that knows both. Passwords go a separate way and are never stored.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    Address, Design, Endpoint, Flavour, Instance, SandboxSpec, Spec, SpecTarget, Target, TargetKind, TlsMode,
};
use wire::Secret;

use crate::cli::{RunArgs, SweepArgs, TrialArgs};
use crate::commandline::Typed;
use crate::error::{Outcome, UserError, nearest};
use crate::options::connection::{ConnectionArgs, Environment, Precedence, Protocol};
use crate::options::load::{Defaults, RUN, SWEEP};
use crate::options::target::{self, Assignment, Sandbox, TargetArgs, Value};
use crate::options::workload::Choice;

/// Passwords by label of the target.
pub type Passwords = BTreeMap<String, Secret>;

/// Where the command line stands: what is around it.
pub struct Context<'a> {
    /// The environment.
    pub environment: &'a Environment,
    /// Which options were typed.
    pub typed: &'a Typed,
    /// Flavours of which a server is installed, the preferred one first.
    pub installed: &'a dyn Fn() -> Outcome<Vec<Flavour>>,
    /// Version of the server that a sandbox would start, if it is installed.
    pub version: &'a dyn Fn(&SandboxSpec) -> Option<String>,
    /// Asks for a password.
    pub ask: &'a mut dyn FnMut() -> Outcome<Secret>,
    /// A seed nobody has used.
    pub fresh_seed: u64,
}

/// Targets as the user named them, with what is not stored about them.
#[derive(Debug)]
pub struct Targets {
    /// In the order in which they were named.
    pub list: Vec<SpecTarget>,
    /// Passwords by label.
    pub passwords: Passwords,
}

/// The spec of `run`: one workload, one server, one number of clients, once.
pub fn of_run(args: &RunArgs, context: &mut Context) -> Outcome<(Spec, Passwords)> {
    let (spec, passwords) = build(&[args.workload], &args.trial, RUN, Vec::new(), context)?;
    if spec.threads.len() > 1 {
        return Err(several("numbers of clients", spec.threads.len(), args.workload));
    }
    if spec.target.len() > 1 {
        return Err(several("servers", spec.target.len(), args.workload));
    }
    Ok((spec, passwords))
}

fn several(what: &str, count: usize, workload: Choice) -> UserError {
    UserError::usage(format!("run is one cell once, and {count} {what} are given"))
        .hint(format!("for several: mydyno sweep {} ...", workload.name()))
}

/// The spec of `sweep`.
pub fn of_sweep(args: &SweepArgs, context: &mut Context) -> Outcome<(Spec, Passwords)> {
    of_labelled_sweep(args, Vec::new(), context)
}

/// The same with labels for its targets, which may hold what a label on the command line may not.
pub fn of_labelled_sweep(
    args: &SweepArgs,
    labels: Vec<Option<String>>,
    context: &mut Context,
) -> Outcome<(Spec, Passwords)> {
    let mut seen = BTreeSet::new();
    let workloads: Vec<_> =
        args.workloads.iter().copied().filter(|workload| seen.insert(*workload)).collect();
    let (mut spec, passwords) = build(&workloads, &args.trial, SWEEP, labels, context)?;
    spec.repeats = args.design.repeats();
    spec.design = args.design.design()?;
    spec.allow_failing_cells = args.allow_failing_cells;
    Ok((spec, passwords))
}

/// Every cell once.
fn build(
    workloads: &[Choice],
    args: &TrialArgs,
    defaults: Defaults,
    labels: Vec<Option<String>>,
    context: &mut Context,
) -> Outcome<(Spec, Passwords)> {
    let load = args.load.shape(defaults)?;
    let workload = workloads
        .iter()
        .map(|workload| args.workload.spec(*workload, &args.tpcc))
        .collect::<Outcome<Vec<_>>>()?;
    let database = workloads.first().map_or("", |workload| workload.database());
    let targets = labelled_targets(&args.targets, &args.connection, labels, database, context)?;
    let spec = Spec {
        format: model::FORMAT,
        about: None,
        name: args.naming.name.clone().unwrap_or_else(|| {
            workloads.iter().map(|workload| workload.name()).collect::<Vec<_>>().join("+")
        }),
        threads: args.load.clients(defaults),
        repeats: 1,
        seed: args.load.seed_or(context.fresh_seed),
        load,
        prepare: args.prepare.prepare,
        observe: args.output.observe.model(),
        allow_failing_cells: false,
        design: Design::default(),
        target: targets.list,
        workload,
    };
    Ok((spec, targets.passwords))
}

/// The targets that the options name, with unique labels, to be looked at or loaded: nothing is set on other servers.
/// `database` is that of servers for which none is named.
pub fn targets(
    args: &TargetArgs,
    client: &ConnectionArgs,
    database: &str,
    context: &mut Context,
) -> Outcome<Targets> {
    let targets = labelled_targets(args, client, Vec::new(), database, context)?;
    for one in &targets.list {
        if let TargetKind::Server(Endpoint { globals, .. }) = &one.target.kind
            && let Some(name) = globals.keys().next()
        {
            let label = &one.target.label;
            return Err(UserError::usage(format!(
                "{label}: {name} would be set on a server that somebody else runs, which only trials do"
            ))
            .hint("run, sweep and experiments set variables before each trial and restore them after it"));
        }
    }
    Ok(targets)
}

fn labelled_targets(
    args: &TargetArgs,
    client: &ConnectionArgs,
    labels: Vec<Option<String>>,
    database: &str,
    context: &mut Context,
) -> Outcome<Targets> {
    let mut named = if args.target.is_empty() {
        vec![implied(client, context)?]
    } else {
        refuse_two_names(context.typed)?;
        let mut named = Vec::new();
        for text in &args.target {
            named.push(explicit(text, client, context)?);
        }
        named
    };
    for (one, label) in named.iter_mut().zip(labels) {
        if let Some(label) = label {
            one.label = target::checked_label(&label)?;
        }
    }
    label(&mut named, context.version)?;
    for text in &args.set {
        apply_setting(&mut named, target::parse_set(text)?)?;
    }
    for text in &args.instance {
        apply_instance(&mut named, target::parse_instance(text)?)?;
    }
    fill_in_passwords(&mut named, client, context)?;
    let mut targets = Targets { list: Vec::new(), passwords: Passwords::new() };
    for one in named {
        if let Some(password) = one.password {
            targets.passwords.insert(one.label.clone(), password);
        }
        let mut target = Target { label: one.label, kind: one.kind };
        if let TargetKind::Server(endpoint) = &mut target.kind
            && endpoint.database.is_empty()
        {
            database.clone_into(&mut endpoint.database);
        }
        targets.list.push(SpecTarget { target, instance: one.instance, levels: model::Levels::new() });
    }
    Ok(targets)
}

/// Passwords for servers that were named before. A target typed again gives only its password.
pub fn passwords_for(
    targets: &[SpecTarget],
    args: &TargetArgs,
    client: &ConnectionArgs,
    context: &mut Context,
) -> Outcome<Passwords> {
    let mut named: Vec<Named> = targets
        .iter()
        .map(|one| Named::new(Some(one.target.label.clone()), one.target.kind.clone(), None))
        .collect();
    for text in &args.target {
        let again = explicit(text, client, context)?;
        check_label(&named, "--target", Some(&again.label))?;
        for one in named.iter_mut().filter(|one| one.label == again.label) {
            one.password.clone_from(&again.password);
        }
    }
    fill_in_passwords(&mut named, client, context)?;
    Ok(named.into_iter().filter_map(|one| Some((one.label, one.password?))).collect())
}

/// A target on its way to a spec. The label is empty until `label` has run, unless the user gave one.
struct Named {
    label: String,
    kind: TargetKind,
    password: Option<Secret>,
    instance: Instance,
}

impl Named {
    fn new(label: Option<String>, kind: TargetKind, password: Option<Secret>) -> Self {
        Self { label: label.unwrap_or_default(), kind, password, instance: Instance::new() }
    }
}

fn refuse_two_names(typed: &Typed) -> Outcome<()> {
    match ["host", "port", "socket"].into_iter().find(|id| typed.has(id)) {
        Some(id) => Err(UserError::usage(format!("--{id} and --target both name a server"))
            .hint("put host, port and socket into the target: mysql://user@host:port/database")),
        None => Ok(()),
    }
}

fn implied(client: &ConnectionArgs, context: &Context) -> Outcome<Named> {
    if client.names_a_server(context.environment) {
        let port_typed = context.typed.has("port") && !context.typed.has("socket");
        let precedence = if port_typed { Precedence::PortTyped } else { Precedence::Equal };
        let endpoint = client.endpoint(context.environment, precedence)?;
        if let (true, Address::Tcp { host, port }) = (context.typed.has("socket"), &endpoint.address) {
            crate::output::note(&format!(
                "! the socket is not used: the host {host} means TCP, port {port}; for the socket add -h localhost"
            ));
        }
        return Ok(Named::new(None, TargetKind::Server(endpoint), None));
    }
    Ok(Named::new(None, sandbox(Sandbox::default(), client, context)?, None))
}

fn explicit(text: &str, client: &ConnectionArgs, context: &Context) -> Outcome<Named> {
    let written = target::parse(text)?;
    Ok(match written.value {
        Value::Sandbox(one) => Named::new(written.label, sandbox(*one, client, context)?, None),
        Value::Server(url, globals) => {
            let password = url.password.clone().flatten().map(Secret::new);
            let account = url.or_account_of(client);
            // A URL says where it is by itself: MYSQL_HOST and MYSQL_TCP_PORT have no part in it.
            let environment =
                Environment { login: context.environment.login.clone(), ..Environment::default() };
            let endpoint = Endpoint { globals, ..account.endpoint(&environment, Precedence::Equal)? };
            Named::new(written.label, TargetKind::Server(endpoint), password)
        }
    })
}

/// Of the connection options only those that were typed concern a sandbox: option files describe other servers.
fn sandbox(one: Sandbox, client: &ConnectionArgs, context: &Context) -> Outcome<TargetKind> {
    let flavour = match one.flavour {
        Some(flavour) => flavour,
        None => (context.installed)()?.first().copied().ok_or_else(|| {
            UserError::usage("no server is named, and none is installed").hint(
                "install one:  mydyno server install mysql (or mariadb)\nor name one:  -h HOST -u USER -p, or --target mysql://user@host",
            )
        })?,
    };
    let protocol = one.protocol.or(client.protocol.filter(|_| context.typed.has("protocol")));
    let tls = one.tls.or(&client.tls.typed(context.typed));
    Ok(TargetKind::Sandbox(SandboxSpec {
        flavour,
        basedir: one.basedir,
        settings: one.settings,
        tcp: protocol == Some(Protocol::Tcp),
        tls: tls.spec(TlsMode::Disabled)?,
        place: one.place,
    }))
}

/// Gives every target without a label one that says what it is, and sees that no two are the same.
fn label(named: &mut [Named], version: &dyn Fn(&SandboxSpec) -> Option<String>) -> Outcome<()> {
    label_by_version(named, version);
    let mut taken = BTreeSet::new();
    for one in named.iter().filter(|one| !one.label.is_empty()) {
        if !taken.insert(one.label.clone()) {
            return Err(UserError::usage(format!("two targets are labelled '{}'", one.label))
                .hint("give each a label of its own: --target NAME=..."));
        }
    }
    let ports: Vec<(String, u16)> = named.iter().filter_map(|one| tcp_address(&one.kind)).collect();
    for one in named.iter_mut().filter(|one| one.label.is_empty()) {
        let plain = match &one.kind {
            TargetKind::Sandbox(sandbox) => sandbox.flavour.name().to_owned(),
            TargetKind::Server(Endpoint { address: Address::Tcp { host, port }, .. }) => {
                let other_port = |(other, p): &(String, u16)| other == host && p != port;
                if ports.iter().any(other_port) { format!("{host}:{port}") } else { host.clone() }
            }
            TargetKind::Server(Endpoint { address: Address::Socket(_), .. }) => "localhost".to_owned(),
            TargetKind::Imported { .. } => "imported".to_owned(),
        };
        let numbered = (2..).map(|number| format!("{plain}-{number}"));
        let label =
            std::iter::once(plain.to_owned()).chain(numbered).find(|label| taken.insert(label.clone()));
        one.label = label.expect("there are more numbers than targets");
    }
    Ok(())
}

/// Sandboxes of one flavour and several versions are called after them: `mariadb-10.11` and `mariadb-11.8`. So is one whose
/// version was asked for.
fn label_by_version(named: &mut [Named], version: &dyn Fn(&SandboxSpec) -> Option<String>) {
    let number = |sandbox: &SandboxSpec| {
        let full = version(sandbox).or_else(|| sandbox.version().map(str::to_owned))?;
        let end = full.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(full.len());
        Some(full[..end].to_owned())
    };
    let series = |number: &str| number.split('.').take(2).collect::<Vec<_>>().join(".");
    let mut found: Vec<(usize, Flavour, bool, String)> = Vec::new();
    for (at, one) in named.iter().enumerate() {
        let TargetKind::Sandbox(sandbox) = &one.kind else { continue };
        let number = number(sandbox).filter(|_| one.label.is_empty());
        found.extend(number.map(|number| (at, sandbox.flavour, sandbox.version().is_some(), number)));
    }
    for (at, flavour, is_asked, number) in &found {
        let others = || found.iter().filter(|other| other.1 == *flavour && other.3 != *number);
        if !is_asked && others().next().is_none() {
            continue;
        }
        let is_unclear = others().any(|other| series(&other.3) == series(number));
        let shown = if is_unclear { number.clone() } else { series(number) };
        let label = format!("{}-{shown}", flavour.name());
        // Two of the same version are numbered like all others.
        if named.iter().all(|one| one.label != label) {
            named[*at].label = label;
        }
    }
}

fn tcp_address(kind: &TargetKind) -> Option<(String, u16)> {
    match kind {
        TargetKind::Server(Endpoint { address: Address::Tcp { host, port }, .. }) => {
            Some((host.clone(), *port))
        }
        _ => None,
    }
}

fn apply_setting(named: &mut [Named], setting: Assignment) -> Outcome<()> {
    check_label(named, "--set", setting.label.as_deref())?;
    for one in named.iter_mut().filter(|one| setting.label.as_ref().is_none_or(|label| *label == one.label)) {
        let (key, value) = (setting.key.clone(), setting.value.clone());
        match &mut one.kind {
            TargetKind::Sandbox(sandbox) => _ = sandbox.settings.insert(key, value),
            TargetKind::Server(endpoint) => _ = endpoint.globals.insert(key, value),
            TargetKind::Imported { .. } => {}
        }
    }
    Ok(())
}

fn apply_instance(named: &mut [Named], entry: Assignment) -> Outcome<()> {
    check_label(named, "--instance", entry.label.as_deref())?;
    if entry.label.is_none() && named.len() > 1 {
        return Err(UserError::usage(format!(
            "--instance {}=... does not say which target it describes",
            entry.key
        ))
        .hint(format!("for example --instance {}:{}={}", named[0].label, entry.key, entry.value)));
    }
    for one in named.iter_mut().filter(|one| entry.label.as_ref().is_none_or(|label| *label == one.label)) {
        one.instance.insert(entry.key.clone(), entry.value.clone());
    }
    Ok(())
}

fn check_label(named: &[Named], option: &str, label: Option<&str>) -> Outcome<()> {
    let labels = || named.iter().map(|one| one.label.as_str());
    match label {
        Some(label) if !labels().any(|known| known == label) => {
            let near =
                nearest(label, labels()).map(|near| format!("did you mean {near}? ")).unwrap_or_default();
            let all = labels().collect::<Vec<_>>().join(", ");
            Err(UserError::usage(format!("{option} names a target '{label}', and there is none"))
                .hint(format!("{near}the targets are: {all}")))
        }
        _ => Ok(()),
    }
}

/// The client's password goes to every server that has none of its own. It is asked for once at most.
fn fill_in_passwords(named: &mut [Named], client: &ConnectionArgs, context: &mut Context) -> Outcome<()> {
    let lacks = |one: &&mut Named| one.password.is_none() && matches!(one.kind, TargetKind::Server(_));
    let mut lacking = named.iter_mut().filter(lacks).peekable();
    if lacking.peek().is_none() {
        return Ok(());
    }
    let password = client.password(context.environment, context.ask)?;
    for one in lacking {
        one.password.clone_from(&password);
    }
    Ok(())
}

#[cfg(test)]
#[path = "spec_tests.rs"]
mod tests;
