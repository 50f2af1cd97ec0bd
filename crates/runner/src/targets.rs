//! Targets brought up: servers started or reached, data put on them, facts read.

mod environment;
mod error;
mod ours;

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use disk::Disk;
use load::Entries;
use model::{
    Address, Consistency, DataSet, DiskKind, Endpoint, EventKind, Reads, Restore, Role, ServerFacts,
    ServerKind, Target, Topology, Wait,
};
use sandbox::StartOptions;
use topology::Ties;
use wire::{ConnectOptions, Secret};

pub use environment::{Proof, TargetEnvironment};
pub use error::TargetError;
pub(crate) use ours::Network;
pub use ours::description;
use ours::{Ours, Running, start_server};

use crate::cut::Cut;
use crate::member::LiveMember;

/// The receiver of events while targets are brought up.
pub type Emit<'a> = dyn FnMut(EventKind) -> Result<(), store::StoreError> + 'a;

/// Rows are loaded over this many connections.
const LOAD_CONNECTIONS: u32 = 4;

/// A target that answers and has its data.
pub struct LiveTarget {
    /// The target's label.
    pub label: String,
    /// The topology of its servers.
    pub topology: Topology,
    /// MySQL Router, if clients go through it. It is dropped before its servers.
    pub(crate) router: Option<sandbox::MysqlRouter>,
    /// Its servers; there is always one. Clients connect to the first one, unless they are spread over all.
    pub members: Vec<LiveMember>,
    /// Whether clients are spread over all of its servers.
    pub(crate) spread: bool,
    /// Transactions that only read go to the replicas.
    pub(crate) reads_on_replicas: bool,
    /// The simulated network between its servers. It is dropped after them.
    pub(crate) network: Option<Network>,
    /// Administration of the topology's members, if they are sandboxes.
    pub(crate) ties: Option<Arc<Ties>>,
    /// The simulated disk under its first server, which is killed before it is unmounted.
    pub(crate) disk: Option<Disk>,
    /// Whether rows differ from the plan, because a workload has added or removed some.
    pub(crate) dirty: bool,
    /// Some trial has written since the data were put there.
    pub(crate) used: bool,
    /// Result of the check of freshly loaded data, if one was requested.
    pub consistency: Option<Consistency>,
    ours: Option<Ours>,
    /// Kept copies, one for each data set; empty where there are none.
    copies: Vec<String>,
    /// The data set that it holds.
    holds: usize,
    /// The tables were loaded for this run.
    reloaded: bool,
}

/// The connection options of an external server.
pub fn connect_options(endpoint: &Endpoint, password: Option<&Secret>) -> ConnectOptions {
    let address = match &endpoint.address {
        Address::Tcp { host, port } => wire::ServerAddress::Tcp { host: host.clone(), port: *port },
        Address::Socket(path) => wire::ServerAddress::Unix(path.clone()),
    };
    let mut options = ConnectOptions::new(address, endpoint.user.clone());
    options.password = password.cloned();
    options.database = Some(endpoint.database.clone());
    options.tls = sandbox::tls_options(&endpoint.tls);
    options.connect_timeout = Duration::from_secs(u64::from(endpoint.connect_timeout_s));
    options.get_server_public_key = endpoint.get_server_public_key;
    options.init_commands = endpoint.init_commands.clone();
    options.local_infile = true;
    options
}

/// Starts or connects to a target and prepares its data.
///
/// The data of a sandbox are loaded once, kept, and copied from then on, so that every run starts on the same bytes; it is
/// started on the first of `datas`. The data of an external server are only checked, unless `environment.prepare` allows
/// loading them; such a server holds one data set.
///
/// # Errors
/// The server cannot be started or reached, or the data are not what they should be.
pub fn bring_up(
    environment: &TargetEnvironment<'_>,
    target: &Target,
    datas: &[DataSet],
    emit: &mut Emit<'_>,
) -> Result<LiveTarget, TargetError> {
    let label = target.label.as_str();
    match target.entry() {
        ServerKind::External(endpoint) => reach(environment, target, endpoint, &datas[0], emit),
        ServerKind::Sandbox(_) => start(environment, Ours::of(target), datas, emit),
        ServerKind::Imported { .. } => Err(TargetError::Imported { label: label.to_owned() }),
    }
}

fn reach(
    environment: &TargetEnvironment<'_>,
    target: &Target,
    entry: &Endpoint,
    data: &DataSet,
    emit: &mut Emit<'_>,
) -> Result<LiveTarget, TargetError> {
    let label = target.label.as_str();
    let mut members = Vec::new();
    for (name, member) in target.named() {
        if let ServerKind::External(endpoint) = &member.kind {
            members.push(reach_member(environment, name, member.role, endpoint, emit)?);
        }
    }
    let connect = connect_options(entry, environment.passwords.get(label));
    let begun = Instant::now();
    let reused = match environment.prepare {
        true => load(environment, label, &connect, data, emit)? == data::PrepareOutcome::AlreadyThere,
        false => {
            for text in data::check(&connect, data, data::Depth::Present)?.cautions {
                emit(EventKind::Caution { target: Some(label.to_owned()), text })?;
            }
            true
        }
    };
    let seconds = begun.elapsed().as_secs_f64();
    emit(EventKind::DataReady { target: label.to_owned(), seconds, reused })?;
    Ok(LiveTarget {
        label: label.to_owned(),
        topology: target.topology,
        members,
        spread: target.is_spread(),
        reads_on_replicas: target.arrangement.reads_on_replicas,
        router: None,
        network: None,
        ties: None,
        disk: None,
        dirty: false,
        used: false,
        consistency: None,
        ours: None,
        copies: Vec::new(),
        holds: 0,
        reloaded: false,
    })
}

fn reach_member(
    environment: &TargetEnvironment<'_>,
    name: String,
    role: Role,
    endpoint: &Endpoint,
    emit: &mut Emit<'_>,
) -> Result<LiveMember, TargetError> {
    let connect = connect_options(endpoint, environment.passwords.get(&name));
    let database = connect.database.clone().filter(|_| !environment.prepare);
    let administration = ConnectOptions { database, ..connect.clone() };
    let in_it = |error: TargetError| match role {
        Role::Primary => error,
        Role::Replica => TargetError::Member { name: name.clone(), source: Box::new(error) },
    };
    let mut client = wire::Client::connect(&administration).map_err(|error| in_it(error.into()))?;
    let facts = probe::server_facts(&mut client).map_err(|error| in_it(error.into()))?;
    let pid = connect.address.is_local().then(|| probe::server_pid(&mut client)).flatten();
    drop(client);
    ready(&name, &facts, endpoint.address.to_string(), emit)?;
    let clients = connect.clone();
    Ok(LiveMember { name, role, connect, clients, facts, server: None, pid })
}

fn start(
    environment: &TargetEnvironment<'_>,
    ours: Ours,
    datas: &[DataSet],
    emit: &mut Emit<'_>,
) -> Result<LiveTarget, TargetError> {
    let home = environment.home.ok_or(TargetError::NoHome)?;
    ours.check(home)?;
    let label = ours.label.clone();
    let begun = Instant::now();
    let (mut copies, mut consistency, mut reused) = (Vec::new(), None, true);
    for data in datas {
        let key = ours.copy_key(environment, home, data)?;
        if !home.has_copy(&key) {
            reused = false;
            emit(EventKind::ServerStarting { target: label.clone() })?;
            let purpose = sandbox::Purpose::Load;
            let spec = ours.loader();
            let server = start_server(
                environment,
                home,
                &label,
                &StartOptions { purpose, ..StartOptions::new("", &spec) },
            )?;
            let connect = server.connect_options(Some(sandbox::DATABASE));
            load(environment, &label, &connect, data, emit)?;
            consistency = prove(environment, &connect, data)?.or(consistency);
            emit(EventKind::Waiting { target: label.clone(), wait: Wait::Snapshot })?;
            server.keep_copy(home, &key)?;
        }
        copies.push(key);
    }
    let seconds = begun.elapsed().as_secs_f64();
    emit(EventKind::ServerStarting { target: label.clone() })?;
    let Running { servers, network, ties, router, disk } = ours.start(environment, home, &copies[0], None)?;
    let mut members = ours.members(servers, network.as_ref(), &mut |at, server| {
        let facts = facts(&server.connect_options(Some(sandbox::DATABASE)))?;
        let (name, _, spec) = &ours.servers[at];
        let address = if spec.tcp { format!("127.0.0.1:{}", server.port()) } else { "socket".to_owned() };
        ready(name, &facts, address, emit)?;
        Ok(facts)
    })?;
    for member in members.iter_mut().filter(|member| member.clients.address != member.connect.address) {
        member.facts.round_trip_ms = facts(&member.clients)?.round_trip_ms;
    }
    emit(EventKind::DataReady { target: label.clone(), seconds, reused })?;
    Ok(LiveTarget {
        label,
        topology: ours.topology,
        members,
        spread: ours.spread,
        reads_on_replicas: ours.arrangement.reads_on_replicas,
        router,
        network,
        ties,
        disk,
        dirty: false,
        used: false,
        consistency,
        ours: Some(ours),
        copies,
        holds: 0,
        reloaded: false,
    })
}

/// Checks the consistency conditions of freshly loaded data, if requested; a violation is an error.
fn prove(
    environment: &TargetEnvironment<'_>,
    connect: &ConnectOptions,
    data: &DataSet,
) -> Result<Option<Consistency>, TargetError> {
    if environment.proof != Proof::Consistent {
        return Ok(None);
    }
    match data::consistency(connect, data, LOAD_CONNECTIONS, environment.cancel)? {
        Some(found) if !found.holds() => Err(TargetError::Inconsistent { found }),
        found => Ok(found),
    }
}

fn facts(options: &ConnectOptions) -> Result<ServerFacts, TargetError> {
    let mut client = wire::Client::connect(options)?;
    Ok(probe::server_facts(&mut client)?)
}

fn ready(label: &str, facts: &ServerFacts, address: String, emit: &mut Emit<'_>) -> Result<(), TargetError> {
    Ok(emit(EventKind::ServerReady { target: label.to_owned(), facts: facts.clone(), address })?)
}

/// Loads data on a thread of its own, and reports its progress meanwhile.
fn load(
    environment: &TargetEnvironment<'_>,
    label: &str,
    connect: &ConnectOptions,
    data: &DataSet,
    emit: &mut Emit<'_>,
) -> Result<data::PrepareOutcome, TargetError> {
    let job = data::Job {
        connect,
        data,
        seed: environment.seed,
        threads: LOAD_CONNECTIONS,
        cancel: environment.cancel,
    };
    let target = || label.to_owned();
    let rows = data::rows(data);
    emit(EventKind::DataStarted { target: target(), rows })?;
    thread::scope(|scope| {
        let (progress, heard) = mpsc::channel();
        let loading = scope.spawn(move || {
            data::prepare(&job, &|step| {
                let _ = progress.send(step);
            })
        });
        loop {
            match heard.recv_timeout(Duration::from_millis(200)) {
                Ok(step) => {
                    emit(EventKind::DataProgress {
                        target: target(),
                        rows_done: step.rows_done,
                        rows: step.rows,
                    })?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        match loading.join() {
            Ok(result) => Ok(result?.outcome),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

impl LiveTarget {
    /// The server that clients connect to.
    pub fn entry(&self) -> &LiveMember {
        &self.members[0]
    }

    /// The connection options of mydyno itself.
    pub fn connect(&self) -> &ConnectOptions {
        &self.entry().connect
    }

    /// A cut of its network, if one is planned.
    pub(crate) fn cut(&self) -> Option<Cut> {
        let names: Vec<String> = self.members.iter().map(|member| member.name.clone()).collect();
        self.network.as_ref()?.cut(&names)
    }

    /// The connection options of clients to each of its servers, or to the router in front of them.
    pub(crate) fn servers(&self) -> Vec<ConnectOptions> {
        if let Some(router) = &self.router {
            return vec![router.connect_options().clone()];
        }
        self.members.iter().map(|member| member.clients.clone()).collect()
    }

    /// The servers that the clients of a workload connect to; `reads` tells which of its transactions only read.
    pub(crate) fn entries<'a>(&self, servers: &'a [ConnectOptions], reads: Reads) -> Entries<'a> {
        let all = servers.len();
        let replica = self.members.iter().position(|member| member.role == Role::Replica).unwrap_or(all);
        let (main, readers) = match reads {
            _ if self.spread => (0..all, 0..0),
            Reads::All if self.reads_on_replicas && replica < all => (replica..all, 0..0),
            Reads::Types | Reads::Statements if self.reads_on_replicas => (0..1, replica..all),
            _ => (0..1, 0..0),
        };
        Entries { servers, main, readers, primary: None, retry: false }
    }

    /// Sees to it that the server runs on the data set that a trial needs, restored where that is due.
    pub(crate) fn make_ready(
        &mut self,
        environment: &TargetEnvironment<'_>,
        datas: &[DataSet],
        data: usize,
        disk: Option<DiskKind>,
        rule: Restore,
        emit: &mut Emit<'_>,
    ) -> Result<(), TargetError> {
        let waiting = |wait| EventKind::Waiting { target: self.label.clone(), wait };
        let due = match rule {
            Restore::Changed => self.dirty,
            Restore::Written | Restore::Reload => self.used,
        };
        match &self.ours {
            Some(_) if due || self.holds != data || self.lacks(disk) || self.entry().server.is_none() => {
                emit(waiting(Wait::Restore))?;
                self.restore(environment, data, disk)
            }
            None if due && rule == Restore::Reload => {
                emit(waiting(Wait::Reload))?;
                self.reload(environment, &datas[data])
            }
            _ => Ok(()),
        }
    }

    /// Restores a sandbox's dataset snapshot, by restarting the sandbox on a new copy.
    fn restore(
        &mut self,
        environment: &TargetEnvironment<'_>,
        data: usize,
        disk: Option<DiskKind>,
    ) -> Result<(), TargetError> {
        self.end_disk();
        let (Some(home), Some(ours), Some(key)) = (environment.home, &self.ours, self.copies.get(data))
        else {
            return Ok(());
        };
        // Nobody wants what the old ones still have to write: dropping them ends them at once and clears away their files.
        self.router = None;
        self.members.iter_mut().for_each(|member| drop(member.server.take()));
        self.network = None;
        let Running { servers, network, ties, router, disk } = ours.start(environment, home, key, disk)?;
        (self.network, self.ties, self.router, self.disk) = (network, ties, router, disk);
        let known: Vec<ServerFacts> = self.members.iter().map(|member| member.facts.clone()).collect();
        self.members = ours.members(servers, self.network.as_ref(), &mut |at, _| Ok(known[at].clone()))?;
        (self.dirty, self.used, self.holds) = (false, false, data);
        Ok(())
    }

    /// Drops the tables and loads them again.
    fn reload(&mut self, environment: &TargetEnvironment<'_>, data: &DataSet) -> Result<(), TargetError> {
        data::cleanup(self.connect(), data, Some(data::tables(data)))?;
        load(environment, &self.label, self.connect(), data, &mut |_| Ok(()))?;
        (self.dirty, self.used) = (false, false);
        self.reloaded = true;
        Ok(())
    }

    /// The state of its rows: changed in number, written to, loaded for this run.
    pub(crate) fn state(&self) -> (bool, bool, bool) {
        (self.dirty, self.used, self.reloaded)
    }

    /// See [`LiveTarget::state`].
    pub(crate) fn set_state(&mut self, (dirty, used, reloaded): (bool, bool, bool)) {
        (self.dirty, self.used, self.reloaded) = (dirty, used, reloaded);
    }

    /// True of a sandbox, whether it runs at the moment or not.
    pub(crate) fn is_ours(&self) -> bool {
        self.ours.is_some()
    }

    /// Whether its server is on a disk other than this.
    fn lacks(&self, disk: Option<DiskKind>) -> bool {
        self.disk.as_ref().map(Disk::kind) != disk
    }

    /// Removes the simulated disk from under its server, which is killed first: its unwritten data are not needed.
    pub(crate) fn end_disk(&mut self) {
        if let Some(disk) = self.disk.take() {
            // One that cannot be killed gets errors from now on.
            let _ = self.members[0].server.as_mut().map(sandbox::Server::kill);
            disk.cut_power();
        }
    }

    /// Ends a sandbox until its next trial: its data are not wanted any more.
    pub(crate) fn park(&mut self) {
        self.end_disk();
        if self.ours.is_some() {
            self.router = None;
            self.members.iter_mut().for_each(|member| drop(member.server.take()));
            self.network = None;
        }
    }

    /// Whether a trial starts on freshly loaded data.
    pub(crate) fn is_fresh(&self) -> bool {
        (!self.copies.is_empty() || self.reloaded) && !self.used
    }

    /// Stops a sandbox. Those of a topology end at once: one that waits for others may take its time.
    pub fn shut_down(mut self) -> Result<(), TargetError> {
        self.router = None;
        self.end_disk();
        if self.topology != Topology::Single {
            return Ok(());
        }
        for mut server in std::mem::take(&mut self.members).into_iter().filter_map(|member| member.server) {
            if server.alive().is_ok() {
                server.stop()?;
            }
        }
        Ok(())
    }
}

impl Drop for LiveTarget {
    fn drop(&mut self) {
        self.end_disk();
    }
}
