//! The sandboxes of a target: started together on a dataset snapshot, with the network between them.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use disk::{Disk, NamespaceSync};
use model::{
    Arrangement, DataSet, DiskKind, LinkCut, Member, NetworkUse, Role, SandboxSpec, ServerFacts, ServerKind,
    Target, Topology, Via,
};
use sandbox::{DataDirectory, Home, MysqlRouter, RouterStart, StartOptions};
use sha2::{Digest, Sha256};
use topology::{MemberStart, Ties, TopologyStart};
use wire::{ConnectOptions, ServerAddress};

use super::environment::TargetEnvironment;
use super::error::TargetError;
use crate::cut::Cut;
use crate::member::LiveMember;

/// Time limit for the servers of a topology to start, and then to form it.
const LIMIT: Duration = Duration::from_secs(120);

/// Version of the way data are made: snapshots of other versions are not used. 2: with statistics.
const MADE: u32 = 2;

/// The identity of a dataset snapshot.
pub fn description(data: &DataSet, seed: u64) -> String {
    serde_json::to_string(&(data, seed, MADE)).expect("a data set has only plain values")
}

/// A simulated network, with its specification.
pub(crate) struct Network {
    asked: Arrangement,
    simulated: Arc<network::SimulatedNetwork>,
}

impl Network {
    /// The address of a server for clients in the network; none: they use its socket.
    fn way(&self, name: &str, server: &sandbox::Server) -> Option<ConnectOptions> {
        let address = self.simulated.address(name).filter(|_| self.asked.has_distant_clients())?;
        let address = ServerAddress::Tcp { host: address.to_string(), port: server.port() };
        Some(ConnectOptions { address, ..server.connect_options(Some(sandbox::DATABASE)) })
    }

    /// The network itself.
    pub fn simulated(&self) -> Arc<network::SimulatedNetwork> {
        Arc::clone(&self.simulated)
    }

    /// Starts the timer of the planned cut.
    pub fn cut(&self, names: &[String]) -> Option<Cut> {
        self.asked.link_cut.map(|asked| Cut::start(Arc::clone(&self.simulated), names, asked))
    }

    /// Its figures so far; `cut` is the cut of the load that is over.
    pub fn used(&self, cut: Option<LinkCut>) -> NetworkUse {
        let figures = self.simulated.figures();
        NetworkUse {
            delay_us: self.asked.link_delay_us,
            client_delay_us: self.asked.client_delay_us,
            cut,
            packets: figures.packets,
            bytes: figures.bytes,
            late_p50_ns: figures.late_p50_ns,
            late_p99_ns: figures.late_p99_ns,
            late_max_ns: figures.late_max_ns,
            cpu_s: figures.cpu_s,
        }
    }
}

/// The sandboxes of a target that run, and what belongs to them.
pub(super) struct Running {
    pub servers: Vec<sandbox::Server>,
    pub network: Option<Network>,
    /// Administration of the topology's members.
    pub ties: Option<Arc<Ties>>,
    /// MySQL Router, if clients go through it.
    pub router: Option<MysqlRouter>,
    /// The simulated disk of the first one.
    pub disk: Option<Disk>,
}

/// Mounts a simulated disk under a data directory.
#[derive(Debug)]
struct Mounting {
    kind: DiskKind,
    mounted: Mutex<Option<Disk>>,
}

impl Mounting {
    fn disk(&self) -> MutexGuard<'_, Option<Disk>> {
        self.mounted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl DataDirectory for Mounting {
    fn prepare(&self, data: &Path) -> Result<(), String> {
        let disk = Disk::mount(data, self.kind, NamespaceSync::Journaled);
        *self.disk() = Some(disk.map_err(|error| error.to_string())?);
        Ok(())
    }

    fn abandon(&self) {
        drop(self.disk().take());
    }
}

/// The sandboxes of a target.
pub(super) struct Ours {
    pub label: String,
    pub topology: Topology,
    /// Whether clients are spread over all of them.
    pub spread: bool,
    pub arrangement: Arrangement,
    /// Name, role and settings of each, the primary first.
    pub servers: Vec<(String, Role, SandboxSpec)>,
}

impl Ours {
    pub fn of(target: &Target) -> Self {
        let sandbox = |(name, member): (String, &Member)| match &member.kind {
            ServerKind::Sandbox(spec) => Some((name, member.role, spec.clone())),
            ServerKind::External(_) | ServerKind::Imported { .. } => None,
        };
        Self {
            label: target.label.clone(),
            topology: target.topology,
            spread: target.is_spread(),
            arrangement: target.arrangement,
            servers: target.named().filter_map(sandbox).collect(),
        }
    }

    /// The server on which its data are loaded: the primary, alone, which does not know what only members do.
    pub fn loader(&self) -> SandboxSpec {
        let mut spec = self.servers[0].2.clone();
        if self.topology.replicates() {
            spec.settings.retain(|name, _| !topology::is_of_members(name));
        }
        let settings = topology::load_settings(self.topology).iter();
        spec.settings.extend(settings.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        spec
    }

    /// The key of the snapshot of a data set.
    pub fn copy_key(
        &self,
        environment: &TargetEnvironment<'_>,
        home: &Home,
        data: &DataSet,
    ) -> Result<String, TargetError> {
        let mut description = description(data, environment.seed);
        for (name, value) in topology::load_settings(self.topology) {
            description.push_str(&format!(" {name}={value}"));
        }
        Ok(home.copy_key(&self.servers[0].2, &description)?)
    }

    /// Checks that everything it needs besides its servers is there, before data are loaded in vain.
    pub fn check(&self, home: &Home) -> Result<(), TargetError> {
        if self.arrangement.via == Via::Router {
            let spec = &self.servers[0].2;
            let server = home.resolve(spec.flavour, spec.basedir.as_deref());
            server.and_then(|server| home.router_for(&server)).map_err(sandbox::RouterError::from)?;
        }
        Ok(())
    }

    /// Starts its servers on a dataset snapshot, and MySQL Router in front of them; the first one on a simulated disk, if
    /// requested.
    pub fn start(
        &self,
        environment: &TargetEnvironment<'_>,
        home: &Home,
        key: &str,
        disk: Option<DiskKind>,
    ) -> Result<Running, TargetError> {
        let mounting = disk.map(|kind| Mounting { kind, mounted: Mutex::default() });
        let on_data = mounting.as_ref().map(|one| one as &dyn DataDirectory);
        let running = self.start_servers(environment, home, key, on_data)?;
        let servers = &running.servers;
        let disk = mounting.and_then(|one| one.disk().take());
        let router = match self.arrangement.via {
            Via::Direct => None,
            Via::Router => {
                let others: Vec<&sandbox::Server> = servers.iter().skip(1).filter(|_| self.spread).collect();
                let start = RouterStart {
                    server: &servers[0],
                    others: &others,
                    limit: LIMIT,
                    cancel: environment.cancel,
                };
                let started = home.start_router(&start);
                if environment.cancel.load(Ordering::Relaxed) {
                    return Err(TargetError::Interrupted);
                }
                Some(started?)
            }
        };
        Ok(Running { router, disk, ..running })
    }

    /// Starts its servers and the network between them.
    fn start_servers(
        &self,
        environment: &TargetEnvironment<'_>,
        home: &Home,
        key: &str,
        on_data: Option<&dyn DataDirectory>,
    ) -> Result<Running, TargetError> {
        if let ([(name, _, spec)], false) = (self.servers.as_slice(), self.arrangement.has_network()) {
            let options = StartOptions { from_copy: Some(key), on_data, ..StartOptions::new("", spec) };
            let servers = vec![start_server(environment, home, name, &options)?];
            return Ok(Running { servers, network: None, ties: None, router: None, disk: None });
        }
        let directories: Vec<String> = self.servers.iter().map(|(name, ..)| server_name(name)).collect();
        let members = self.servers.iter().zip(&directories);
        // It is the primary that crashes.
        let on_data = |at: usize| on_data.filter(|_| at == 0);
        let members: Vec<MemberStart<'_>> = members
            .enumerate()
            .map(|(at, ((name, _, spec), directory))| MemberStart {
                name,
                directory,
                spec,
                on_data: on_data(at),
            })
            .collect();
        // Behind a router a client does not know which of them it reaches.
        let password = match self.arrangement.via {
            Via::Router => Some(sandbox::new_password().map_err(sandbox::RouterError::from)?),
            Via::Direct => None,
        };
        let asked = TopologyStart {
            topology: self.topology,
            arrangement: self.arrangement,
            members: &members,
            from_copy: Some(key),
            life: sandbox::Life::Scoped,
            uuid: None,
            password: password.as_ref(),
            port: None,
            limit: LIMIT,
            cancel: environment.cancel,
        };
        let started = topology::fitting_copy(home, &asked)
            .and_then(|key| topology::start(home, &TopologyStart { from_copy: key.as_deref(), ..asked }));
        if environment.cancel.load(Ordering::Relaxed) {
            return Err(TargetError::Interrupted);
        }
        let started = started?;
        let asked = self.arrangement;
        let network = started.network.map(|simulated| Network { asked, simulated: Arc::new(simulated) });
        let (servers, ties) = (started.servers, Some(Arc::new(started.ties)));
        Ok(Running { servers, network, ties, router: None, disk: None })
    }

    /// Its servers as answering members, with the facts that each reports.
    pub fn members(
        &self,
        servers: Vec<sandbox::Server>,
        network: Option<&Network>,
        facts: &mut dyn FnMut(usize, &sandbox::Server) -> Result<ServerFacts, TargetError>,
    ) -> Result<Vec<LiveMember>, TargetError> {
        let each = self.servers.iter().zip(servers).enumerate();
        let member =
            |(at, ((name, role, _), server)): (usize, (&(String, Role, SandboxSpec), sandbox::Server))| {
                let facts = facts(at, &server)?;
                let way = network.and_then(|network| network.way(name, &server));
                Ok(LiveMember::sandbox(name, *role, server, facts, way))
            };
        each.map(member).collect()
    }
}

pub(super) fn start_server(
    environment: &TargetEnvironment<'_>,
    home: &Home,
    label: &str,
    options: &StartOptions<'_>,
) -> Result<sandbox::Server, TargetError> {
    let name = server_name(label);
    let started = home.start(&StartOptions { name: &name, cancel: environment.cancel, ..*options });
    if environment.cancel.load(Ordering::Relaxed) {
        return Err(TargetError::Interrupted);
    }
    Ok(started?)
}

/// A directory name for a run's server: the plain characters of its label, a distinguishing part, and this process's number.
fn server_name(label: &str) -> String {
    let plain: String =
        label.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(24).collect();
    // Labels may begin alike.
    let tell_apart = Sha256::digest(label)[..2].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    format!("run-{plain}-{tell_apart}-{}", std::process::id())
}
