//! Starts a topology: its servers, their links, and the wait until it is what it promises.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use model::{Flavour, SandboxSpec, Topology};
use network::{Link, Links, SimulatedNetwork};
use sandbox::{Home, Life, Membership, Server, StartOptions};
use wire::{Client, ConnectOptions, QueryError, Secret};

use crate::asked::TopologyStart;
use crate::error::TopologyError;
use crate::failover::Ties;
use crate::health::faults;
use crate::seat::{Common, NETWORK, Seat, free_ports};
use crate::{equal, lines, link, position};

/// Interval between two checks of members that are not ready yet.
const PAUSE: Duration = Duration::from_millis(50);
/// Timeout for administrative statements.
const PATIENCE: Duration = Duration::from_secs(60);
/// Lines of a log that an error shows.
const LOG_LINES: usize = 12;
/// Paths of Galera's library on Debian, on Red Hat, and in a build.
const PROVIDERS: [&str; 3] = [
    "/usr/lib/galera/libgalera_smm.so",
    "/usr/lib64/galera-4/libgalera_smm.so",
    "/usr/lib64/galera/libgalera_smm.so",
];

/// Servers that form a topology, in the order in which they were named, and the network between them.
#[derive(Debug)]
pub struct Started {
    /// The servers, the primary first.
    pub servers: Vec<Server>,
    /// The network between them, if it is simulated. It is to outlive them.
    pub network: Option<SimulatedNetwork>,
    /// The shared parameters of its members.
    pub ties: Ties,
}

/// Starts the members and waits until they are what the topology promises.
///
/// # Errors
/// A member does not start, refuses to join, or the topology does not become ready. Started servers are stopped.
pub fn start(home: &Home, asked: &TopologyStart<'_>) -> Result<Started, TopologyError> {
    let topology = asked.topology;
    for member in asked.members {
        lines::check_settings(member.spec.flavour, topology, &member.spec.settings)?;
    }
    let network = simulated(asked)?;
    let mut common = lay_out(asked)?;
    common.addresses =
        asked.members.iter().filter_map(|member| network.as_ref()?.address(member.name)).collect();
    if topology == Topology::Galera {
        position::find(home, asked, &mut common)?;
    }
    let mut servers = Vec::new();
    match bring_up(home, asked, &mut common, network.as_ref(), &mut servers) {
        Ok(()) => Ok(Started { servers, network, ties: Ties::new(common) }),
        Err(error) => {
            // The last one first. Those of a run end with their values.
            while let Some(server) = servers.pop() {
                if asked.life == Life::Lasting {
                    let _ = server.stop();
                }
            }
            Err(error)
        }
    }
}

fn bring_up(
    home: &Home,
    asked: &TopologyStart<'_>,
    common: &mut Common,
    network: Option<&SimulatedNetwork>,
    servers: &mut Vec<Server>,
) -> Result<(), TopologyError> {
    // The nodes of a Galera cluster look for one that is there.
    let (first, others): (Vec<usize>, Vec<usize>) =
        (0..asked.members.len()).partition(|at| asked.topology != Topology::Galera || *at == common.first);
    for some in [first, others] {
        let started = start_some(home, asked, common, network, &some, servers);
        servers
            .sort_by_key(|server| asked.members.iter().position(|member| member.directory == server.name()));
        started?;
    }
    if asked.topology == Topology::Group && asked.from_copy.is_none() {
        common.first = most_advanced(asked, servers)?;
    }
    join(asked, common, servers)?;
    wait_until_ready(asked, servers)?;
    if asked.topology == Topology::Group && common.first != 0 && !asked.arrangement.multi_primary {
        ask_to_join(asked, servers, 0, link::become_primary)?;
    }
    Ok(())
}

/// The member of a group that has all transactions of the others: one that took writes after the first was gone.
fn most_advanced(asked: &TopologyStart<'_>, servers: &[Server]) -> Result<usize, TopologyError> {
    let mut first = (0, String::new());
    for at in 0..servers.len() {
        ask_to_join(asked, servers, at, |client| {
            let has_more = link::executed_beyond(client, &first.1)?;
            first = has_more.map_or(first.clone(), |executed| (at, executed));
            Ok(())
        })?;
    }
    Ok(first.0)
}

/// The requested network. Without a link of their own clients connect through Unix sockets.
fn simulated(asked: &TopologyStart<'_>) -> Result<Option<SimulatedNetwork>, TopologyError> {
    let wanted = asked.arrangement;
    if !wanted.has_network() {
        return Ok(None);
    }
    let nodes: Vec<&str> = asked.members.iter().map(|member| member.name).collect();
    let micros = |us: Option<u64>| Duration::from_micros(us.unwrap_or_default());
    let link = Link {
        delay: micros(wanted.link_delay_us),
        jitter: micros(wanted.link_jitter_us),
        bandwidth_bytes_per_s: wanted.link_bandwidth_bytes_per_s.map(|bytes| bytes as f64),
        loss: f64::from(wanted.link_loss_ppm.unwrap_or_default()) / 1e6,
    };
    let to_clients =
        Link { jitter: micros(wanted.client_jitter_us), ..Link::delayed(micros(wanted.client_delay_us)) };
    let links = Links::all(link);
    let links = nodes.iter().fold(links, |links, node| links.both_ways(network::HOST, node, to_clients));
    let made = SimulatedNetwork::start(&nodes, &links);
    made.map(Some).map_err(|source| TopologyError::Network { source: Box::new(source) })
}

pub(crate) fn lay_out(asked: &TopologyStart<'_>) -> Result<Common, TopologyError> {
    let TopologyStart { topology, arrangement, members, .. } = *asked;
    let fail = |source| TopologyError::Layout { topology: topology.name(), source };
    let provider = PROVIDERS.iter().find(|path| Path::new(path).exists()).map(|path| (*path).to_owned());
    if topology == Topology::Galera && provider.is_none() {
        return Err(TopologyError::NoGalera { places: PROVIDERS.map(str::to_owned).into() });
    }
    Ok(Common {
        topology,
        arrangement,
        flavour: members.first().map_or(Flavour::Mysql, |member| member.spec.flavour),
        uuid: asked.uuid.map_or_else(uuid, |known| Ok(known.to_owned())).map_err(fail)?,
        // Without dashes: a replication password has at most 32 characters.
        password: Secret::from(uuid().map_err(fail)?.replace('-', "")),
        ports: free_ports(members.len()).map_err(fail)?,
        first: 0,
        positions: Vec::new(),
        is_recovered: false,
        addresses: Vec::new(),
        provider,
    })
}

/// A random UUID, from the kernel.
pub(crate) fn uuid() -> std::io::Result<String> {
    Ok(std::fs::read_to_string("/proc/sys/kernel/random/uuid")?.trim().to_owned())
}

/// Starts members in parallel. Those that run are added to `servers`, even if others fail.
pub(crate) fn start_some(
    home: &Home,
    asked: &TopologyStart<'_>,
    common: &Common,
    network: Option<&SimulatedNetwork>,
    which: &[usize],
    servers: &mut Vec<Server>,
) -> Result<(), TopologyError> {
    let start = |&at: &usize| {
        let member = &asked.members[at];
        let seat = Seat { common, at };
        let spec = SandboxSpec { place: member.spec.place.of_member(at), ..member.spec.clone() };
        let membership = Membership {
            lines: &lines::of(&seat, &spec.settings),
            before: lines::before(&seat),
            statements: &lines::statements(&seat),
            programs: &lines::programs(&seat),
            password: asked.password,
            clients: network.map(|_| NETWORK),
        };
        let options = StartOptions {
            from_copy: asked.from_copy,
            life: asked.life,
            port: asked.port.map(|first| first.saturating_add(at as u16)),
            limit: asked.limit,
            cancel: asked.cancel,
            membership,
            on_data: member.on_data,
            ..StartOptions::new(member.directory, &spec)
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
    let mut failed = None;
    for started in at_once(which, &start) {
        match started {
            Ok(server) => servers.push(server),
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    match failed {
        _ if asked.cancel.load(Ordering::Relaxed) => {
            Err(TopologyError::Cancelled { topology: asked.topology.name() })
        }
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Connection options for administration: a hanging server must not block it for ever.
fn options(server: &Server) -> ConnectOptions {
    ConnectOptions { read_timeout: Some(PATIENCE), ..server.connect_options(None) }
}

fn ask(name: &str, options: &ConnectOptions) -> Result<Client, TopologyError> {
    Client::connect(options)
        .map_err(|source| TopologyError::Connect { member: name.to_owned(), source: Box::new(source) })
}

/// Connects the members with each other.
fn join(asked: &TopologyStart<'_>, common: &Common, servers: &[Server]) -> Result<(), TopologyError> {
    if !asked.topology.replicates() || asked.topology == Topology::Galera {
        return Ok(());
    }
    let (primary, first) = (servers[0].port(), common.first);
    let ways: Vec<(ConnectOptions, PathBuf)> =
        servers.iter().map(|server| (options(server), server.log_path())).collect();
    let one = |&at: &usize| -> Result<(), TopologyError> {
        let (way, log) = &ways[at];
        told(asked, at, way, log, |client| match link::is_by_source(asked.topology) {
            true if at == first => Ok(()),
            true => link::replica(client, common, primary),
            false => link::member(client, common, at == first),
        })
    };
    // The first begins the group that the others join.
    one(&first)?;
    let others: Vec<usize> = (0..servers.len()).filter(|at| *at != first).collect();
    at_once(&others, &one).into_iter().collect()
}

/// A statement that a member executes for its topology.
fn ask_to_join(
    asked: &TopologyStart<'_>,
    servers: &[Server],
    at: usize,
    what: impl FnOnce(&mut Client) -> Result<(), QueryError>,
) -> Result<(), TopologyError> {
    told(asked, at, &options(&servers[at]), &servers[at].log_path(), what)
}

fn told(
    asked: &TopologyStart<'_>,
    at: usize,
    way: &ConnectOptions,
    log: &Path,
    what: impl FnOnce(&mut Client) -> Result<(), QueryError>,
) -> Result<(), TopologyError> {
    let name = asked.members[at].name;
    what(&mut ask(name, way)?).map_err(|source| TopologyError::Join {
        member: name.to_owned(),
        source: Box::new(source),
        log: log_tail(log),
    })
}

/// Runs a function for several members in parallel.
pub(crate) fn at_once<M: Sync, T: Send>(which: &[M], one: &(impl Fn(&M) -> T + Sync)) -> Vec<T> {
    thread::scope(|scope| {
        let threads: Vec<_> = which.iter().map(|member| scope.spawn(move || one(member))).collect();
        let ended = threads.into_iter().map(thread::ScopedJoinHandle::join);
        ended.map(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}

pub(crate) fn wait_until_ready(asked: &TopologyStart<'_>, servers: &[Server]) -> Result<(), TopologyError> {
    let name = |at: usize| asked.members[at].name.to_owned();
    let clients = servers.iter().enumerate().map(|(at, server)| ask(&name(at), &options(server)));
    let mut clients = clients.collect::<Result<Vec<_>, _>>()?;
    let begun = Instant::now();
    let mut wanted = None;
    loop {
        let mut found: Vec<(usize, String)> =
            faults(asked.topology, &mut clients).iter().map(|fault| (fault.at, fault.to_string())).collect();
        if found.is_empty() {
            found.extend(behind(asked.topology, &mut clients, &mut wanted));
        }
        let Some(first) = found.first().map(|(at, _)| *at) else { return Ok(()) };
        if asked.cancel.load(Ordering::Relaxed) {
            return Err(TopologyError::Cancelled { topology: asked.topology.name() });
        }
        if begun.elapsed() > asked.limit {
            let each = found.iter().map(|(at, what)| format!("{}: {what}", name(*at)));
            return Err(TopologyError::NotReady {
                topology: asked.topology.name(),
                seconds: asked.limit.as_secs(),
                faults: each.collect::<Vec<_>>().join("; "),
                member: name(first),
                log: log_tail(&servers[first].log_path()),
            });
        }
        thread::sleep(PAUSE);
    }
}

/// The first member that has not applied the position to reach. That position is read once: clients may already write.
fn behind(
    topology: Topology,
    clients: &mut [Client],
    wanted: &mut Option<Option<String>>,
) -> Option<(usize, String)> {
    if !topology.replicates() {
        return None;
    }
    let known = match wanted {
        Some(known) => Ok(known),
        None => equal::position(topology, clients).map(|position| wanted.insert(position)),
    };
    let lacking = known.and_then(|known| match known {
        Some(position) => equal::first_without(topology, clients, position),
        None => Ok(None),
    });
    match lacking {
        Ok(at) => at.map(|at| (at, "it has not applied all transactions of the others".to_owned())),
        Err(error) => Some((0, error.to_string())),
    }
}

fn log_tail(path: &Path) -> String {
    let log = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&log);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LOG_LINES)..].join("\n")
}
