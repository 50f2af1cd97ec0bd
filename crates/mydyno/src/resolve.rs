//! Targets: what options, option files and environment fill in, labels, variables. Passwords go a separate way and are
//! never stored.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    Address, Arrangement, Endpoint, Flavour, Instance, Member, Role, SandboxSpec, ServerKind, SpecTarget,
    Target, TlsMode, Topology,
};
use wire::Secret;

use crate::error::{Outcome, UserError, nearest};
use crate::exit::Exit;
use crate::options::connection::{ConnectionArgs, Environment, Precedence, Protocol};
use crate::options::target::{self, Assignment, Sandbox, TargetArgs, Value};
use crate::options::typed::Typed;

/// Passwords by name of the server (`model::member_name`).
pub type Passwords = BTreeMap<String, Secret>;

/// The surroundings of the command line.
pub struct Context<'a> {
    /// The environment.
    pub environment: &'a Environment,
    /// The options that were typed.
    pub typed: &'a Typed,
    /// Flavours of which a server is installed, the preferred one first.
    pub installed: &'a dyn Fn() -> Outcome<Vec<Flavour>>,
    /// Version of the server that a sandbox would start, if it is installed.
    pub version: &'a dyn Fn(&SandboxSpec) -> Option<String>,
    /// Settings that make a sandbox like another server.
    pub like: &'a dyn Fn(&LikenessRequest<'_>) -> Outcome<BTreeMap<String, String>>,
    /// Asks for a password.
    pub ask: &'a mut dyn FnMut() -> Outcome<Secret>,
    /// An unused seed.
    pub fresh_seed: u64,
}

/// A sandbox that is to have the settings of another server.
pub struct LikenessRequest<'a> {
    /// The sandbox.
    pub sandbox: &'a SandboxSpec,
    /// The other server.
    pub endpoint: &'a Endpoint,
    /// Password of the account there.
    pub password: Option<&'a Secret>,
}

/// Targets as the user named them, with the parts that are not stored.
#[derive(Debug)]
pub struct Targets {
    /// The targets in the order in which they were named.
    pub list: Vec<SpecTarget>,
    /// Passwords by name of the server.
    pub passwords: Passwords,
}

/// The targets that the options name, with unique labels, for examination or loading: nothing is set on external servers.
/// `database` is that of servers for which none is named.
pub fn targets(
    args: &TargetArgs,
    client: &ConnectionArgs,
    database: &str,
    context: &mut Context,
) -> Outcome<Targets> {
    let written = written(args, client, context)?.unwrap_or_else(|| vec![any_sandbox()]);
    let written = written.into_iter().map(|target| (None, target)).collect();
    let targets = labelled(written, args, client, database, context)?;
    for one in &targets.list {
        let endpoints = one.target.members.iter().filter_map(|member| member.kind.endpoint());
        if let Some(name) = endpoints.flat_map(|endpoint| endpoint.globals.keys()).next() {
            let label = &one.target.label;
            return Err(UserError::usage(format!(
                "{label}: {name} would be set on an external server, which only trials do"
            ))
            .hint("run, sweep and experiments set variables before each trial and restore them after it"));
        }
        if one.target.is_sandbox() && one.target.members.len() > 1 {
            let (label, topology) = (&one.target.label, one.target.topology.name());
            return Err(UserError::usage(format!(
                "{label}: a {topology} topology of sandboxes lives only as long as a run"
            ))
            .hint(
                "keep one with mydyno server start NAME --target ..., which says how to reach it\nor look at the recording of a run: mydyno diff latest, mydyno report latest",
            ));
        }
    }
    Ok(targets)
}

/// The targets that the options name; none: no target was named.
pub fn written(
    args: &TargetArgs,
    client: &ConnectionArgs,
    context: &Context,
) -> Outcome<Option<Vec<spec::TargetSpec>>> {
    if args.target.is_empty() {
        return implied(client, context);
    }
    refuse_two_names(context.typed)?;
    let each = args.target.iter().map(|text| spec::target(text).map_err(UserError::from));
    each.collect::<Outcome<Vec<_>>>().map(Some)
}

/// Whatever server is installed.
pub fn any_sandbox() -> spec::TargetSpec {
    spec::ServerSpec { sandbox: Some(String::new()), ..spec::ServerSpec::default() }.into()
}

/// Targets with unique labels and all their options. A label given here may contain characters that the command line does
/// not allow.
pub fn labelled(
    written: Vec<(Option<String>, spec::TargetSpec)>,
    args: &TargetArgs,
    client: &ConnectionArgs,
    database: &str,
    context: &mut Context,
) -> Outcome<Targets> {
    let mut named = Vec::new();
    for (label, target) in &written {
        let mut one = complete(target, client, context)?;
        if let Some(label) = label {
            one.label = spec::label_of(label)?;
        }
        named.push(one);
    }
    label(&mut named, context.version)?;
    for text in &args.set {
        apply_setting(&mut named, target::parse_set(text)?)?;
    }
    for text in &args.instance {
        apply_instance(&mut named, target::parse_instance(text)?)?;
    }
    fill_in_likenesses(&mut named, client, context)?;
    check_settings(&named)?;
    fill_in_passwords(&mut named, client, context)?;
    let mut targets = Targets { list: Vec::new(), passwords: Passwords::new() };
    for one in named {
        targets.passwords.extend(one.passwords());
        let mut one = one.into_target();
        for member in &mut one.target.members {
            if let ServerKind::External(endpoint) = &mut member.kind
                && endpoint.database.is_empty()
            {
                database.clone_into(&mut endpoint.database);
            }
        }
        targets.list.push(one);
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
    let mut named: Vec<Named> = targets.iter().map(Named::of).collect();
    for text in &args.target {
        let again = complete(&spec::target(text)?, client, context)?;
        check_label(&named, "--target", Some(&again.label))?;
        for one in named.iter_mut().filter(|one| one.label == again.label) {
            for (member, again) in one.members.iter_mut().zip(&again.members) {
                member.password.clone_from(&again.password);
            }
        }
    }
    fill_in_passwords(&mut named, client, context)?;
    Ok(named.iter().flat_map(Named::passwords).collect())
}

/// A target on its way to a spec. The label is empty until `label` has run, unless the user gave one.
struct Named {
    label: String,
    topology: Topology,
    arrangement: Arrangement,
    /// The entry point first.
    members: Vec<NamedMember>,
    instance: Instance,
}

/// A server of it.
struct NamedMember {
    role: Role,
    kind: ServerKind,
    password: Option<Secret>,
    /// The server whose settings a sandbox gets.
    like: Option<Box<NamedMember>>,
}

impl Named {
    fn of(known: &SpecTarget) -> Self {
        let target = &known.target;
        let member = |member: &Member| NamedMember {
            role: member.role,
            kind: member.kind.clone(),
            password: None,
            like: None,
        };
        Self {
            label: target.label.clone(),
            topology: target.topology,
            arrangement: target.arrangement,
            members: target.members.iter().map(member).collect(),
            instance: known.instance.clone(),
        }
    }

    fn into_target(self) -> SpecTarget {
        let member = |member: NamedMember| Member { role: member.role, kind: member.kind };
        let target = Target {
            label: self.label,
            topology: self.topology,
            arrangement: self.arrangement,
            members: self.members.into_iter().map(member).collect(),
        };
        SpecTarget { target, instance: self.instance, levels: model::Levels::new() }
    }

    fn entry(&self) -> &ServerKind {
        &self.members[0].kind
    }

    fn sandbox_flavour(&self) -> Option<Flavour> {
        match self.entry() {
            ServerKind::Sandbox(sandbox) => Some(sandbox.flavour),
            _ => None,
        }
    }

    /// Names of its servers. One of several is `ha:1`, which is clearer than `ha`.
    fn names(&self) -> impl Iterator<Item = String> {
        (0..self.members.len()).map(|at| model::member_name(&self.label, at))
    }

    /// Its servers that such a label means: all of them, or one of several by its number.
    fn meant(&mut self, label: Option<&str>) -> impl Iterator<Item = &mut NamedMember> {
        let all = label.is_none_or(|label| label == self.label);
        let number = label.and_then(|label| label.strip_prefix(&self.label)?.strip_prefix(':'));
        let number = number.and_then(|number| number.parse::<usize>().ok());
        let several = self.members.len() > 1;
        let is_meant = move |at: usize| all || (several && number == Some(at + 1));
        self.members.iter_mut().enumerate().filter(move |(at, _)| is_meant(*at)).map(|(_, member)| member)
    }

    fn passwords(&self) -> impl Iterator<Item = (String, Secret)> {
        self.names().zip(&self.members).filter_map(|(name, member)| Some((name, member.password.clone()?)))
    }
}

fn refuse_two_names(typed: &Typed) -> Outcome<()> {
    match ["host", "port", "socket"].into_iter().find(|id| typed.has(id)) {
        Some(id) => Err(UserError::usage(format!("--{id} and --target both name a server"))
            .hint("put host, port and socket into the target: mysql://user@host:port/database")),
        None => Ok(()),
    }
}

/// The server that the connection options name, if they name one.
fn implied(client: &ConnectionArgs, context: &Context) -> Outcome<Option<Vec<spec::TargetSpec>>> {
    if !client.names_a_server(context.environment) {
        return Ok(None);
    }
    let port_typed = context.typed.has("port") && !context.typed.has("socket");
    let precedence = if port_typed { Precedence::PortTyped } else { Precedence::Equal };
    let endpoint = client.endpoint(context.environment, precedence)?;
    if let (true, Address::Tcp { host, port }) = (context.typed.has("socket"), &endpoint.address) {
        crate::output::note(&format!(
            "! the socket is not used: the host {host} means TCP, port {port}; for the socket add -h localhost"
        ));
    }
    let target = Target::single(String::new(), ServerKind::External(endpoint));
    let known = SpecTarget { target, instance: Instance::new(), levels: model::Levels::new() };
    Ok(Some(vec![spec::TargetSpec { label: None, ..spec::TargetSpec::of(&known) }]))
}

/// A target with what the options fill in.
fn complete(written: &spec::TargetSpec, client: &ConnectionArgs, context: &Context) -> Outcome<Named> {
    let members = written.servers.iter().map(|server| complete_member(server, client, context));
    let members: Vec<NamedMember> = members.collect::<Outcome<_>>()?;
    if let Some(ServerKind::Sandbox(sandbox)) = members.first().map(|member| &member.kind) {
        written.check_flavour(sandbox.flavour)?;
        if sandbox.tcp && written.arrangement.has_network() {
            return Err(UserError::usage(
                "--protocol=tcp does not go with a simulated network: the servers are in networks of their own",
            )
            .hint("leave --protocol out: clients connect through the socket, or with client_delay over the network"));
        }
    }
    Ok(Named {
        label: written.label.clone().unwrap_or_default(),
        topology: written.topology,
        arrangement: written.arrangement,
        members,
        instance: written.instance.clone(),
    })
}

fn complete_member(
    written: &spec::ServerSpec,
    client: &ConnectionArgs,
    context: &Context,
) -> Outcome<NamedMember> {
    let (kind, password) = match Value::of(written)? {
        Value::Sandbox(one) => (sandbox(*one, client, context)?, None),
        Value::Server(url, globals) => {
            let password = url.password.clone().flatten().map(Secret::new);
            let account = url.or_account_of(client);
            // A target says where it is by itself: MYSQL_HOST and MYSQL_TCP_PORT have no part in it.
            let environment =
                Environment { login: context.environment.login.clone(), ..Environment::default() };
            let endpoint = Endpoint { globals, ..account.endpoint(&environment, Precedence::Equal)? };
            (ServerKind::External(endpoint), password)
        }
    };
    let like = written.like.as_ref().map(|url| other_server(&url.0, client, context)).transpose()?;
    Ok(NamedMember { role: written.role, kind, password, like: like.map(Box::new) })
}

/// The server that a sandbox is to be like.
fn other_server(url: &str, client: &ConnectionArgs, context: &Context) -> Outcome<NamedMember> {
    let wrong = || {
        UserError::usage("like= names one server whose settings the sandbox gets")
            .hint("for example sandbox:mysql?like=mysql://user@host:3306")
    };
    let target = spec::target(url).map_err(|_| wrong())?;
    match target.servers.as_slice() {
        [one] if one.sandbox.is_none() => complete_member(one, client, context),
        _ => Err(wrong()),
    }
}

/// A target in recorded form: complete, but without the label that it would get anyway.
pub fn completed(
    written: &spec::TargetSpec,
    client: &ConnectionArgs,
    context: &mut Context,
) -> Outcome<spec::TargetSpec> {
    let mut named = [complete(written, client, context)?];
    fill_in_likenesses(&mut named, client, context)?;
    let [named] = named;
    Ok(spec::TargetSpec { label: written.label.clone(), ..spec::TargetSpec::of(&named.into_target()) })
}

/// Gives sandboxes the settings of the servers that they are to be like. What is said of a sandbox itself wins.
fn fill_in_likenesses(named: &mut [Named], client: &ConnectionArgs, context: &mut Context) -> Outcome<()> {
    for member in named.iter_mut().flat_map(|one| &mut one.members) {
        let (Some(other), ServerKind::Sandbox(sandbox)) = (member.like.take(), &mut member.kind) else {
            continue;
        };
        let ServerKind::External(endpoint) = &other.kind else { continue };
        let asked = match &other.password {
            Some(_) => None,
            None => client.password(context.environment, context.ask)?,
        };
        let password = other.password.as_ref().or(asked.as_ref());
        let settings = (context.like)(&LikenessRequest { sandbox, endpoint, password })?;
        for (name, value) in settings {
            sandbox.settings.entry(name).or_insert(value);
        }
    }
    Ok(())
}

/// Resolves a sandbox. Only connection options that were typed apply to it: option files describe other servers.
fn sandbox(one: Sandbox, client: &ConnectionArgs, context: &Context) -> Outcome<ServerKind> {
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
    Ok(ServerKind::Sandbox(SandboxSpec {
        flavour,
        basedir: one.basedir,
        settings: one.settings,
        tcp: protocol == Some(Protocol::Tcp),
        tls: tls.spec(TlsMode::Disabled)?,
        place: one.place,
    }))
}

/// Takes a label for one target.
///
/// # Errors
/// It is invalid, or another target has it.
pub fn take_label(taken: &mut BTreeSet<String>, label: &str) -> Outcome<()> {
    if taken.insert(spec::label_of(label)?) {
        return Ok(());
    }
    Err(UserError::usage(format!("two targets are labelled '{label}'"))
        .hint("give each a label of its own: --target NAME=..."))
}

/// Gives every target without a label one that describes it, and makes sure that labels are unique.
fn label(named: &mut [Named], version: &dyn Fn(&SandboxSpec) -> Option<String>) -> Outcome<()> {
    label_by_version(named, version);
    let mut taken = BTreeSet::new();
    for one in named.iter().filter(|one| !one.label.is_empty()) {
        take_label(&mut taken, &one.label)?;
    }
    let ports: Vec<(String, u16)> = named.iter().filter_map(|one| tcp_address(one.entry())).collect();
    let flavours: BTreeSet<_> = named.iter().filter_map(|one| one.sandbox_flavour()).collect();
    for one in named.iter_mut().filter(|one| one.label.is_empty()) {
        let topology = one.topology.name();
        let plain = match (one.entry(), one.sandbox_flavour()) {
            (_, Some(flavour)) if one.topology != Topology::Single && flavours.len() > 1 => {
                format!("{}-{topology}", flavour.name())
            }
            _ if one.topology != Topology::Single => topology.to_owned(),
            (entry, _) => plain_label(entry, &ports),
        };
        let numbered = (2..).map(|number| format!("{plain}-{number}"));
        let label =
            std::iter::once(plain.to_owned()).chain(numbered).find(|label| taken.insert(label.clone()));
        one.label = label.expect("there are more numbers than targets");
    }
    for one in named.iter().filter(|one| one.members.len() > 1) {
        one.names().skip(1).try_for_each(|name| take_label(&mut taken, &name))?;
    }
    Ok(())
}

/// The default label of a server: its flavour, or its host.
fn plain_label(server: &ServerKind, ports: &[(String, u16)]) -> String {
    match server {
        ServerKind::Sandbox(sandbox) => sandbox.flavour.name().to_owned(),
        ServerKind::External(Endpoint { address: Address::Tcp { host, port }, .. }) => {
            let other_port = |(other, p): &(String, u16)| other == host && p != port;
            if ports.iter().any(other_port) { format!("{host}:{port}") } else { host.clone() }
        }
        ServerKind::External(Endpoint { address: Address::Socket(_), .. }) => "localhost".to_owned(),
        ServerKind::Imported { .. } => "imported".to_owned(),
    }
}

/// Sandboxes of one flavour and several versions are named after their versions: `mariadb-10.11` and `mariadb-11.8`. So is
/// one whose version was requested.
fn label_by_version(named: &mut [Named], version: &dyn Fn(&SandboxSpec) -> Option<String>) {
    let number = |sandbox: &SandboxSpec| {
        let full = version(sandbox).or_else(|| sandbox.version().map(str::to_owned))?;
        let end = full.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(full.len());
        Some(full[..end].to_owned())
    };
    let series = |number: &str| number.split('.').take(2).collect::<Vec<_>>().join(".");
    let mut found: Vec<(usize, Flavour, bool, String)> = Vec::new();
    for (at, one) in named.iter().enumerate() {
        let (ServerKind::Sandbox(sandbox), Topology::Single) = (one.entry(), one.topology) else { continue };
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

fn tcp_address(kind: &ServerKind) -> Option<(String, u16)> {
    match kind {
        ServerKind::External(Endpoint { address: Address::Tcp { host, port }, .. }) => {
            Some((host.clone(), *port))
        }
        _ => None,
    }
}

/// Checks the settings of all sandboxes and topologies before a server starts.
fn check_settings(named: &[Named]) -> Outcome<()> {
    for one in named {
        for (name, member) in one.names().zip(&one.members) {
            let ServerKind::Sandbox(sandbox) = &member.kind else { continue };
            let usage = |told: UserError| UserError { exit: Exit::Usage, ..told }.about(&name);
            sandbox::check_settings(&sandbox.settings).map_err(|error| usage(UserError::told(&error)))?;
            topology::check_settings(sandbox.flavour, one.topology, &sandbox.settings)
                .map_err(|error| usage(UserError::told(&error)))?;
        }
    }
    Ok(())
}

fn apply_setting(named: &mut [Named], setting: Assignment) -> Outcome<()> {
    check_label(named, "--set", setting.label.as_deref())?;
    for one in named.iter_mut().flat_map(|one| one.meant(setting.label.as_deref())) {
        let (key, value) = (setting.key.clone(), setting.value.clone());
        match &mut one.kind {
            ServerKind::Sandbox(sandbox) => _ = sandbox.settings.insert(key, value),
            ServerKind::External(endpoint) => _ = endpoint.globals.insert(key, value),
            ServerKind::Imported { .. } => {}
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
    let members =
        |one: &Named| (1..=one.members.len()).map(|number| format!("{}:{number}", one.label)).collect();
    let of_one = |one: &Named| if one.members.len() > 1 { members(one) } else { Vec::new() };
    let members: Vec<String> = named.iter().flat_map(of_one).collect();
    let labels = || named.iter().map(|one| one.label.as_str()).chain(members.iter().map(String::as_str));
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

/// Gives the client's password to every server that has none of its own. It is prompted for at most once.
fn fill_in_passwords(named: &mut [Named], client: &ConnectionArgs, context: &mut Context) -> Outcome<()> {
    let lacks =
        |one: &&mut NamedMember| one.password.is_none() && matches!(one.kind, ServerKind::External(_));
    let mut lacking = named.iter_mut().flat_map(|one| &mut one.members).filter(lacks).peekable();
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
#[path = "resolve_tests.rs"]
mod tests;
