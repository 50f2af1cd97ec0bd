//! A short visit to a target: a server is connected to, a sandbox is started empty and stopped again.

use model::{Examination, HostFacts, SandboxSpec, ServerKind, Target};
use sandbox::{Home, StartOptions};
use wire::ConnectOptions;

use crate::error::{Outcome, UserError};
use crate::resolve::Passwords;

/// The possible places of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// On this machine.
    Here,
    /// On this machine, unless its address leads elsewhere (a tunnel, a container).
    Perhaps,
    /// Elsewhere.
    Elsewhere,
}

impl Place {
    /// This machine, if the examined server runs on it: the part of it that a sandbox of that target may use.
    pub fn machine(self, target: &Target, seen: &Examination) -> Option<HostFacts> {
        let mut host = probe::host_facts();
        let is_here = match self {
            Self::Here => true,
            Self::Perhaps => seen.variables.get("hostname").is_some_and(|name| *name == host.hostname),
            Self::Elsewhere => false,
        };
        if let ServerKind::Sandbox(SandboxSpec { place, .. }) = target.entry() {
            let cpus = place.cpus.as_ref().map(|cpus| cpus.count() as u32);
            host.cpus = cpus.unwrap_or(host.cpus);
            let quota = place.cpu_quota.map(model::CpuQuota::cpus);
            host.cgroup_cpus = [quota, host.cgroup_cpus].into_iter().flatten().reduce(f64::min);
            let limits = [place.memory_max_bytes, host.cgroup_memory_bytes];
            host.cgroup_memory_bytes = limits.into_iter().flatten().min();
        }
        is_here.then_some(host)
    }

    /// The place that these connection options lead to.
    pub fn of(connect: &ConnectOptions) -> Self {
        if connect.address.is_local() { Self::Perhaps } else { Self::Elsewhere }
    }
}

/// Runs a function with the server of a target. `home` is there if it is a sandbox; `verb` becomes part of a sandbox's name.
pub fn visit<T>(
    home: Option<&Home>,
    verb: &str,
    target: &Target,
    passwords: &Passwords,
    act: impl FnOnce(&ConnectOptions, Place) -> Outcome<T>,
) -> Outcome<T> {
    let label = &target.label;
    let found = match target.entry() {
        ServerKind::External(endpoint) => {
            let connect = runner::connect_options(endpoint, passwords.get(label));
            let connect = ConnectOptions { database: None, init_commands: Vec::new(), ..connect };
            act(&connect, Place::of(&connect))
        }
        ServerKind::Imported { .. } => {
            Err(UserError::usage(format!("'{label}' was imported: there is no server to visit")))
        }
        ServerKind::Sandbox(sandbox) => {
            let home = home.expect("a home is opened for sandboxes");
            in_sandbox(home, verb, label, sandbox, |connect| act(connect, Place::Here))
        }
    };
    found.map_err(|error| error.about(label))
}

fn in_sandbox<T>(
    home: &Home,
    verb: &str,
    label: &str,
    spec: &SandboxSpec,
    act: impl FnOnce(&ConnectOptions) -> Outcome<T>,
) -> Outcome<T> {
    let plain = label.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(24);
    let name = format!("{verb}-{}-{}", plain.collect::<String>(), std::process::id());
    let server = home.start(&StartOptions::new(&name, spec)).map_err(|error| UserError::told(&error))?;
    let found = act(&server.connect_options(None));
    let stopped = server.stop().map_err(|error| UserError::told(&error));
    found.and_then(|found| stopped.map(|_| found))
}
