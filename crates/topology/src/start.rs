//! Starting a topology: its servers, their links, and the wait until it is what it promises.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use model::{Arrangement, Flavour, SandboxSpec, Topology};
use network::{Link, Links, SimulatedNetwork};
use sandbox::{Home, Life, Membership, Server, StartOptions};
use wire::{Client, ConnectOptions, Secret};

use crate::error::TopologyError;
use crate::health::faults;
use crate::seat::{Common, Seat, free_ports, position};
use crate::{lines, link};

/// Between two looks at members that are not ready yet.
const PAUSE: Duration = Duration::from_millis(50);
/// For an answer to a question of administration.
const PATIENCE: Duration = Duration::from_secs(60);
/// Lines of a log that an error shows.
const LOG_LINES: usize = 12;
/// Where Debian, Red Hat and a build put Galera's library.
const PROVIDERS: [&str; 3] = [
    "/usr/lib/galera/libgalera_smm.so",
    "/usr/lib64/galera-4/libgalera_smm.so",
    "/usr/lib64/galera/libgalera_smm.so",
];

/// What to start.
#[derive(Clone, Copy)]
pub struct TopologyStart<'a> {
    /// How the members belong together.
    pub topology: Topology,
    /// What else is said of that.
    pub arrangement: Arrangement,
    /// The members, the primary first; all of one flavour.
    pub members: &'a [MemberStart<'a>],
    /// Key of kept data on which every member starts.
    pub from_copy: Option<&'a str>,
    /// How long the members live.
    pub life: Life,
    /// How long to wait for each of them, and for all of them together.
    pub limit: Duration,
    /// Set by somebody else when the start is no longer wanted.
    pub cancel: &'a AtomicBool,
}

/// A member to start.
#[derive(Clone, Copy)]
pub struct MemberStart<'a> {
    /// What people call it.
    pub name: &'a str,
    /// Name of its directory.
    pub directory: &'a str,
    /// Which server, with which settings.
    pub spec: &'a SandboxSpec,
}

/// Servers that form a topology, in the order in which they were named, and what is between them.
#[derive(Debug)]
pub struct Started {
    /// The servers, the primary first.
    pub servers: Vec<Server>,
    /// The network between them, if it is simulated. It is to outlive them.
    pub network: Option<SimulatedNetwork>,
}

/// Starts the members and waits until they are what the topology promises.
///
/// # Errors
/// A member does not start, refuses to join, or the topology does not become ready. What was started is stopped.
pub fn start(home: &Home, asked: &TopologyStart<'_>) -> Result<Started, TopologyError> {
    let topology = asked.topology;
    for member in asked.members {
        lines::check_settings(member.spec.flavour, topology, &member.spec.settings)?;
    }
    let position = asked.from_copy.and_then(|key| position(home, key));
    let network = simulated(asked)?;
    let mut common = lay_out(topology, asked.arrangement, asked.members, position)?;
    common.addresses =
        asked.members.iter().filter_map(|member| network.as_ref()?.address(member.name)).collect();
    let first = if topology == Topology::Galera { 1 } else { asked.members.len() };
    // The nodes of a Galera cluster look for one that is there.
    let mut servers = start_some(home, asked, &common, network.as_ref(), 0..first)?;
    servers.extend(start_some(home, asked, &common, network.as_ref(), first..asked.members.len())?);
    join(asked, &common, &servers)?;
    wait_until_ready(asked, &servers)?;
    Ok(Started { servers, network })
}

/// The network that is asked for. Clients are not delayed: they connect through sockets of the file system.
fn simulated(asked: &TopologyStart<'_>) -> Result<Option<SimulatedNetwork>, TopologyError> {
    let wanted = asked.arrangement;
    if !wanted.has_network() {
        return Ok(None);
    }
    let nodes: Vec<&str> = asked.members.iter().map(|member| member.name).collect();
    let link = Link {
        delay: Duration::from_micros(wanted.link_delay_us.unwrap_or_default()),
        jitter: Duration::from_micros(wanted.link_jitter_us.unwrap_or_default()),
        bandwidth_bytes_per_s: wanted.link_bandwidth_bytes_per_s.map(|bytes| bytes as f64),
        loss: f64::from(wanted.link_loss_ppm.unwrap_or_default()) / 1e6,
    };
    let links = Links::all(link);
    let links = nodes.iter().fold(links, |links, node| links.both_ways(network::HOST, node, Link::DIRECT));
    let made = SimulatedNetwork::start(&nodes, &links);
    made.map(Some).map_err(|source| TopologyError::Network { source: Box::new(source) })
}

pub(crate) fn lay_out(
    topology: Topology,
    arrangement: Arrangement,
    members: &[MemberStart<'_>],
    position: Option<String>,
) -> Result<Common, TopologyError> {
    let fail = |source| TopologyError::Layout { topology: topology.name(), source };
    let provider = PROVIDERS.iter().find(|path| Path::new(path).exists()).map(|path| (*path).to_owned());
    if topology == Topology::Galera && provider.is_none() {
        return Err(TopologyError::NoGalera { places: PROVIDERS.map(str::to_owned).into() });
    }
    Ok(Common {
        topology,
        arrangement,
        flavour: members.first().map_or(Flavour::Mysql, |member| member.spec.flavour),
        uuid: uuid().map_err(fail)?,
        // Without dashes: a replication password has at most 32 characters.
        password: Secret::from(uuid().map_err(fail)?.replace('-', "")),
        ports: free_ports(members.len()).map_err(fail)?,
        position,
        addresses: Vec::new(),
        provider,
    })
}

/// A random UUID, from the kernel.
fn uuid() -> std::io::Result<String> {
    Ok(std::fs::read_to_string("/proc/sys/kernel/random/uuid")?.trim().to_owned())
}

/// Starts members at the same time.
pub(crate) fn start_some(
    home: &Home,
    asked: &TopologyStart<'_>,
    common: &Common,
    network: Option<&SimulatedNetwork>,
    which: Range<usize>,
) -> Result<Vec<Server>, TopologyError> {
    let start = |at: usize| {
        let member = &asked.members[at];
        let seat = Seat { common, at };
        let membership = Membership {
            lines: &lines::of(&seat, &member.spec.settings),
            before: lines::before(&seat),
            statements: &lines::statements(&seat),
            programs: &lines::programs(&seat),
        };
        let options = StartOptions {
            from_copy: asked.from_copy,
            life: asked.life,
            limit: asked.limit,
            cancel: asked.cancel,
            membership,
            ..StartOptions::new(member.directory, member.spec)
        };
        let fail = |source| TopologyError::Start { member: member.name.to_owned(), source: Box::new(source) };
        let started = match network.and_then(|network| network.namespace(member.name)) {
            Some(namespace) => namespace
                .enter_and(|| home.start(&options))
                .map_err(|source| TopologyError::Network { source: Box::new(source) })?,
            None => home.start(&options),
        };
        started.map_err(fail)
    };
    let started: Vec<Result<Server, TopologyError>> = at_once(which, &start);
    if asked.cancel.load(Ordering::Relaxed) {
        return Err(TopologyError::Cancelled { topology: asked.topology.name() });
    }
    started.into_iter().collect()
}

/// For administration: a server that hangs must not keep anybody waiting for ever.
fn options(server: &Server) -> ConnectOptions {
    ConnectOptions { read_timeout: Some(PATIENCE), ..server.connect_options(None) }
}

fn ask(name: &str, options: &ConnectOptions) -> Result<Client, TopologyError> {
    Client::connect(options)
        .map_err(|source| TopologyError::Connect { member: name.to_owned(), source: Box::new(source) })
}

/// Tells the members of each other.
fn join(asked: &TopologyStart<'_>, common: &Common, servers: &[Server]) -> Result<(), TopologyError> {
    if matches!(asked.topology, Topology::Galera | Topology::Independent) {
        return Ok(());
    }
    let ways: Vec<ConnectOptions> = servers.iter().map(options).collect();
    let primary = servers[0].port();
    let one = |at: usize| -> Result<(), TopologyError> {
        let name = asked.members[at].name;
        let mut client = ask(name, &ways[at])?;
        let joined = match link::is_by_source(asked.topology) {
            true if at == 0 => Ok(()),
            true => link::replica(&mut client, common, primary),
            false => link::member(&mut client, common, at == 0),
        };
        let fail = |source| TopologyError::Join { member: name.to_owned(), source, log: String::new() };
        joined.map_err(|source| fail(Box::new(source)))
    };
    // The first begins the group that the others join.
    let joined = one(0).and_then(|()| {
        let each = at_once(1..servers.len(), &one);
        each.into_iter().collect()
    });
    joined.map_err(|error| match error {
        TopologyError::Join { member, source, .. } => {
            let at = asked.members.iter().position(|one| one.name == member).unwrap_or(0);
            TopologyError::Join { member, source, log: log_tail(&servers[at]) }
        }
        other => other,
    })
}

/// Does something for some members at the same time.
fn at_once<T: Send>(which: Range<usize>, one: &(impl Fn(usize) -> T + Sync)) -> Vec<T> {
    thread::scope(|scope| {
        let threads: Vec<_> = which.map(|at| scope.spawn(move || one(at))).collect();
        let ended = threads.into_iter().map(thread::ScopedJoinHandle::join);
        ended.map(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}

pub(crate) fn wait_until_ready(asked: &TopologyStart<'_>, servers: &[Server]) -> Result<(), TopologyError> {
    let name = |at: usize| asked.members[at].name.to_owned();
    let clients = servers.iter().enumerate().map(|(at, server)| ask(&name(at), &options(server)));
    let mut clients = clients.collect::<Result<Vec<_>, _>>()?;
    let begun = Instant::now();
    loop {
        let found = faults(asked.topology, &mut clients);
        let Some(first) = found.first().map(|fault| fault.at) else { return Ok(()) };
        if asked.cancel.load(Ordering::Relaxed) {
            return Err(TopologyError::Cancelled { topology: asked.topology.name() });
        }
        if begun.elapsed() > asked.limit {
            let each = found.iter().map(|fault| format!("{}: {fault}", name(fault.at)));
            return Err(TopologyError::NotReady {
                topology: asked.topology.name(),
                seconds: asked.limit.as_secs(),
                faults: each.collect::<Vec<_>>().join("; "),
                member: name(first),
                log: log_tail(&servers[first]),
            });
        }
        thread::sleep(PAUSE);
    }
}

fn log_tail(server: &Server) -> String {
    let log = server.log().unwrap_or_default();
    let text = String::from_utf8_lossy(&log);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LOG_LINES)..].join("\n")
}
