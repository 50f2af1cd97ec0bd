//! `mydyno server start`: one server, or a topology of several, that stay until they are stopped.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use model::{Flavour, Member, SandboxSpec, ServerKind, Target, Topology, Via};
use sandbox::{Home, Life, StartError, StartOptions};
use signal_hook::consts::{SIGINT, SIGTERM};
use topology::{KeptStart, KeptTopology, TopologyError};

use super::{look, show};
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::options::target::{self, Sandbox, Value};
use crate::output;

/// Arguments of `server start`.
#[derive(Args)]
pub struct StartArgs {
    /// Name of the server or topology; mysql and mariadb imply the target
    name: String,
    /// Server to start: sandbox:mysql, sandbox:mariadb@11.8, sandbox:mariadb@/opt/build?sync_binlog=0; or servers that replicate:
    /// sandbox:mysql?topology=group&members=3 [default: as before, else an installed one]
    #[arg(long, value_name = "sandbox:...")]
    target: Option<String>,
    /// Set a server variable (repeatable); of a topology on all members, or on one: ha:2:VARIABLE=VALUE
    #[arg(long, value_name = "VARIABLE=VALUE")]
    set: Vec<String>,
    /// TCP port on 127.0.0.1; further members of a topology get the following ones [default: free ones]
    #[arg(long)]
    port: Option<u16>,
    /// Start on a dataset snapshot; see mydyno server list
    #[arg(long, value_name = "KEY")]
    copy: Option<String>,
    /// Time to wait for its first answer, and until a topology is ready
    #[arg(long, value_name = "SECONDS", default_value = "120")]
    limit: u64,
}

/// Does it.
pub fn start(home: &Home, args: &StartArgs) -> Outcome<Exit> {
    let target = wanted(home, args)?;
    match target.topology {
        Topology::Single => start_server(home, args, target),
        _ => start_topology(home, args, &target),
    }
}

fn start_server(home: &Home, args: &StartArgs, target: Target) -> Outcome<Exit> {
    let Some(ServerKind::Sandbox(spec)) = target.members.into_iter().next().map(|member| member.kind) else {
        return Err(no_sandbox());
    };
    let cancel = interruption()?;
    let options = StartOptions {
        from_copy: args.copy.as_deref(),
        life: Life::Lasting,
        port: args.port,
        limit: Duration::from_secs(args.limit),
        cancel: &cancel,
        ..StartOptions::new(&args.name, &spec)
    };
    let started = Instant::now();
    let server = home.start(&options).map_err(|error| told(&error))?;
    let seconds = started.elapsed().as_secs_f64();
    let what = show::version(server.flavour(), server.version());
    output::note(&format!(
        "server '{}' ({what}) runs since {seconds:.1} s after it was asked for",
        args.name
    ));
    let status = home.status(&args.name).map_err(|error| UserError::told(&error))?;
    output::print(&show::server(&status))?;
    Ok(Exit::Ok)
}

fn start_topology(home: &Home, args: &StartArgs, target: &Target) -> Outcome<Exit> {
    let cancel = interruption()?;
    let asked = KeptStart {
        target,
        from_copy: args.copy.as_deref(),
        port: args.port,
        limit: Duration::from_secs(args.limit),
        cancel: &cancel,
    };
    let started = Instant::now();
    let kept = KeptTopology::start(home, &asked).map_err(|error| match &error {
        _ if cancel.load(Ordering::Relaxed) => {
            UserError { exit: Exit::Interrupted, ..UserError::told(&error) }
        }
        // The server's own words begin with its name.
        TopologyError::Start { source, .. } => told(source),
        TopologyError::Setting { .. } => UserError { exit: Exit::Usage, ..UserError::told(&error) },
        _ => UserError::told(&error),
    })?;
    let seconds = started.elapsed().as_secs_f64();
    let (name, topology, count) = (&args.name, target.topology.name(), target.members.len());
    output::note(&format!("topology '{name}' ({topology}, {count} members) is ready after {seconds:.1} s"));
    let text = show::topology(&kept, &look::look(home, &kept)?);
    output::print(&text)?;
    Ok(Exit::Ok)
}

fn told(error: &StartError) -> UserError {
    let exit = match error {
        StartError::Cancelled { .. } => Exit::Interrupted,
        StartError::Setting(_) | StartError::Name { .. } => Exit::Usage,
        _ => Exit::Failed,
    };
    UserError { exit, ..UserError::told(error) }
}

/// The target to start: as requested, else as it was before, else by its name, else whatever is installed.
fn wanted(home: &Home, args: &StartArgs) -> Outcome<Target> {
    let name = &args.name;
    if let Some((topology, _)) = name.split_once(':') {
        return Err(UserError::usage(format!(
            "'{name}' names a member of a topology, which starts as a whole"
        ))
        .hint(format!("start all of it:  mydyno server start {topology}")));
    }
    let kept = KeptTopology::find(home, name).map_err(|error| UserError::told(&error))?;
    let mut target = match (&args.target, &kept) {
        (Some(target), _) => asked(home, name, target)?,
        (None, Some(kept)) => kept.target.clone(),
        (None, None) => {
            let earlier = home.status(name).ok().map(|status| status.spec);
            let spec = earlier.map_or_else(|| flavour(home, name, None).map(plain), Ok)?;
            Target::single(name, ServerKind::Sandbox(spec))
        }
    };
    if let (Some(kept), Topology::Single) = (&kept, target.topology) {
        let (topology, count) = (kept.target.topology.name(), kept.target.members.len());
        return Err(UserError::failed(format!("'{name}' is a topology of {count} servers ({topology})"))
            .hint(format!("remove it first:  mydyno server remove {name}\nor use another name")));
    }
    for text in &args.set {
        set(&mut target, text)?;
    }
    if target.topology != Topology::Single {
        check_topology(&mut target)?;
    }
    Ok(target)
}

/// The target that `--target` asks for.
fn asked(home: &Home, name: &str, text: &str) -> Outcome<Target> {
    let written = spec::target(text)?;
    if written.arrangement.has_network() {
        return Err(UserError::usage(
            "a topology that is to stay cannot have a simulated network, which ends with the mydyno that made it",
        )
        .hint("leave out the link_ and client_ keys, or give them to a run: mydyno run WORKLOAD --target 'sandbox:...?link_delay=1ms'"));
    }
    if written.arrangement.via == Via::Router {
        return Err(UserError::usage(
            "via=router is for a run: MySQL Router ends with the mydyno that started it",
        )
        .hint(
            "leave via out, or give it to a run: mydyno run WORKLOAD --target 'sandbox:mysql?via=router'",
        ));
    }
    let mut members = Vec::new();
    for server in &written.servers {
        let Value::Sandbox(sandbox) = Value::of(server)? else { return Err(no_sandbox()) };
        let Sandbox { flavour: said, basedir, settings, place, .. } = *sandbox;
        let flavour = flavour(home, name, said)?;
        written.check_flavour(flavour)?;
        let spec = SandboxSpec { basedir, settings, place, ..plain(flavour) };
        members.push(Member { role: server.role, kind: ServerKind::Sandbox(spec) });
    }
    let (topology, arrangement) = (written.topology, written.arrangement);
    Ok(Target { label: name.to_owned(), topology, arrangement, members })
}

/// `[NAME:]VARIABLE=VALUE`: on all servers, or on one member.
fn set(target: &mut Target, text: &str) -> Outcome<()> {
    let setting = target::parse_set(text)?;
    let name = target.label.clone();
    let is_meant = |at: usize| match &setting.label {
        Some(label) => *label == name || *label == format!("{name}:{}", at + 1),
        None => true,
    };
    let mut meant = target.members.iter_mut().enumerate().filter(|(at, _)| is_meant(*at)).peekable();
    if meant.peek().is_none() {
        return Err(UserError::usage(format!("--set {text} is not for server '{name}'"))
            .hint("write --set VARIABLE=VALUE"));
    }
    for (_, member) in meant {
        if let ServerKind::Sandbox(spec) = &mut member.kind {
            spec.settings.insert(setting.key.clone(), setting.value.clone());
        }
    }
    Ok(())
}

/// Refuses what the topology decides, and sets what tables need to be loaded into it.
fn check_topology(target: &mut Target) -> Outcome<()> {
    let (topology, label) = (target.topology, target.label.clone());
    for (at, member) in target.members.iter_mut().enumerate() {
        let ServerKind::Sandbox(spec) = &mut member.kind else { continue };
        let usage =
            |told: UserError| UserError { exit: Exit::Usage, ..told }.about(&model::member_name(&label, at));
        sandbox::check_settings(&spec.settings).map_err(|error| usage(UserError::told(&error)))?;
        topology::check_settings(spec.flavour, topology, &spec.settings)
            .map_err(|error| usage(UserError::told(&error)))?;
        for (name, value) in topology::load_settings(topology) {
            spec.settings.entry((*name).to_owned()).or_insert_with(|| (*value).to_owned());
        }
    }
    Ok(())
}

fn no_sandbox() -> UserError {
    UserError::usage("only a sandbox can be started")
        .hint("for example --target sandbox:mysql or --target sandbox:mariadb@/opt/mariadb-11.8")
}

fn plain(flavour: Flavour) -> SandboxSpec {
    SandboxSpec::new(flavour, BTreeMap::new())
}

/// The requested flavour, else the one in the name, else the installed one.
fn flavour(home: &Home, name: &str, said: Option<Flavour>) -> Outcome<Flavour> {
    let of_name = [Flavour::Mysql, Flavour::Mariadb].into_iter().find(|flavour| flavour.name() == name);
    let installed = || home.installations().first().map(|one| one.flavour);
    said.or(of_name).or_else(installed).ok_or_else(|| {
        UserError::failed("no server is installed").hint("get one:  mydyno server install mysql (or mariadb)")
    })
}

/// Set by the first Ctrl-C; the second one ends the process at once.
fn interruption() -> Outcome<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let failed = |error: std::io::Error| UserError::failed(format!("cannot listen for Ctrl-C: {error}"));
    for signal in [SIGINT, SIGTERM] {
        let exit = i32::from(Exit::Interrupted.code());
        signal_hook::flag::register_conditional_shutdown(signal, exit, Arc::clone(&flag)).map_err(failed)?;
        signal_hook::flag::register(signal, Arc::clone(&flag)).map_err(failed)?;
    }
    Ok(flag)
}

#[cfg(test)]
mod tests {
    use model::{Arrangement, Role};

    use super::*;

    fn pair() -> Target {
        let member = |role| Member { role, kind: ServerKind::Sandbox(plain(Flavour::Mysql)) };
        Target {
            label: "ha".to_owned(),
            topology: Topology::Group,
            arrangement: Arrangement::default(),
            members: vec![member(Role::Primary), member(Role::Replica)],
        }
    }

    /// Names of the settings of each member.
    fn settings(target: &Target) -> Vec<String> {
        let names = |member: &Member| match &member.kind {
            ServerKind::Sandbox(spec) => spec.settings.keys().cloned().collect::<Vec<_>>().join(" "),
            _ => String::new(),
        };
        target.members.iter().map(names).collect()
    }

    #[test]
    fn a_variable_is_set_on_all_members_or_on_one() {
        let mut target = pair();
        for text in ["a=1", "ha:b=1", "ha:1:c=1", "ha:2:d=1"] {
            set(&mut target, text).expect(text);
        }
        assert_eq!(settings(&target), ["a b c", "a b d"]);
        for text in ["ha:3:a=1", "other:a=1"] {
            let error = set(&mut target, text).expect_err(text);
            assert_eq!(error.exit, Exit::Usage, "{text}");
        }
    }

    #[test]
    fn a_group_makes_primary_keys_unless_it_is_told_not_to() {
        let mut target = pair();
        set(&mut target, "ha:2:sql_generate_invisible_primary_key=OFF").expect("a setting");
        check_topology(&mut target).expect("valid");
        assert_eq!(settings(&target), ["sql_generate_invisible_primary_key"; 2]);
        set(&mut target, "gtid_mode=OFF").expect("a setting");
        let error = check_topology(&mut target).expect_err("the topology decides it");
        assert_eq!(error.exit, Exit::Usage);
        assert!(error.message.starts_with("ha: gtid_mode cannot be set"), "{}", error.message);
    }
}
