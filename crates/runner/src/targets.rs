//! Targets brought up: servers started or reached, data put on them, facts read.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use model::{
    Address, Advice, Advise, Arrangement, Condition, Consistency, DataSet, Endpoint, EventKind, Member,
    NetworkUse, Restore, Role, SandboxSpec, ServerFacts, ServerKind, Target, Topology, Wait,
};
use sandbox::{Home, StartOptions};
use sha2::{Digest, Sha256};
use topology::{MemberStart, TopologyStart};
use wire::{ConnectOptions, Secret};

use crate::member::LiveMember;

/// Why a target cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// A sandboxed target, and no place for sandboxes.
    #[error("there is no directory for sandboxed servers")]
    NoHome,
    /// A sandboxed server could not be started.
    #[error(transparent)]
    Start(#[from] sandbox::StartError),
    /// A sandboxed server could not be stopped.
    #[error(transparent)]
    Stop(#[from] sandbox::SandboxError),
    /// Data could not be kept or used.
    #[error(transparent)]
    Copy(#[from] sandbox::CopyError),
    /// The server cannot be reached.
    #[error(transparent)]
    Connect(#[from] wire::ConnectError),
    /// The tables are missing or differ, or could not be loaded.
    #[error(transparent)]
    Data(#[from] data::DataError),
    /// The server cannot be asked what it is.
    #[error(transparent)]
    Probe(#[from] probe::ProbeError),
    /// The recording cannot be written.
    #[error(transparent)]
    Store(#[from] store::StoreError),
    /// Data of TPC-C that are not what they should be although they were just loaded.
    #[error("the data that were just loaded are inconsistent and are not kept: {}", violations(found))]
    Inconsistent {
        /// What the check found.
        found: Consistency,
    },
    /// Another server than the entry point cannot be used.
    #[error("{name}: {source}")]
    Member {
        /// Its name.
        name: String,
        /// Why.
        source: Box<TargetError>,
    },
    /// Sandboxes that belong together could not be started.
    #[error(transparent)]
    Topology(#[from] topology::TopologyError),
    /// What another tool measured.
    #[error("'{label}' was imported: it can be shown and compared, not run")]
    Imported {
        /// Label of the target.
        label: String,
    },
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

impl Advise for TargetError {
    fn advice(&self) -> Vec<Advice> {
        match self {
            Self::Member { source, .. } => source.advice(),
            Self::NoHome => vec![Advice::words("set HOME, or MYDYNO_HOME")],
            Self::Start(error) => error.advice(),
            Self::Stop(error) => error.advice(),
            Self::Copy(error) => error.advice(),
            Self::Data(error) => error.advice(),
            Self::Probe(error) => error.advice(),
            Self::Store(error) => error.advice(),
            Self::Topology(error) => error.advice(),
            Self::Connect(_) | Self::Inconsistent { .. } | Self::Imported { .. } | Self::Interrupted => {
                Vec::new()
            }
        }
    }
}

fn violations(found: &Consistency) -> String {
    let one = |c: &Condition| format!("{} ({}) does not hold", c.name(), c.says);
    found.violated().map(one).collect::<Vec<_>>().join("; ")
}

/// What bringing up targets needs from outside.
#[derive(Clone, Copy)]
pub struct TargetEnvironment<'a> {
    /// Where sandboxes live.
    pub home: Option<&'a Home>,
    /// Passwords of endpoints by name of the server.
    pub passwords: &'a BTreeMap<String, Secret>,
    /// Set from outside to stop.
    pub cancel: &'a AtomicBool,
    /// Load missing data.
    pub prepare: bool,
    /// Seed of the data.
    pub seed: u64,
    /// Whether data of a sandbox are proven before they are kept.
    pub proof: Proof,
}

/// What is asked of data before they are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// Nothing more than that they are complete: a run checks afterwards.
    Counted,
    /// The consistency conditions of TPC-C too, which takes a while.
    Consistent,
}

/// Where events go while targets are brought up.
pub type Emit<'a> = dyn FnMut(EventKind) -> Result<(), store::StoreError> + 'a;

/// How long the servers of a topology may take to start, and then to become one.
const LIMIT: Duration = Duration::from_secs(120);

/// Rows are loaded over this many connections.
const LOAD_CONNECTIONS: u32 = 4;

/// How data are made: copies that were made in another way are not used. 2: with statistics.
const MADE: u32 = 2;

/// A target that answers and has its data.
pub struct Bench {
    /// The target's label.
    pub label: String,
    /// How its servers belong together.
    pub topology: Topology,
    /// Its servers. Clients connect to the first one; there is always one.
    pub members: Vec<LiveMember>,
    /// The simulated network between its servers. It is dropped after them.
    pub(crate) network: Option<Network>,
    /// Rows are no longer what the plan says: some workload has added or removed some.
    pub(crate) dirty: bool,
    /// Some trial has written since the data were put there.
    pub(crate) used: bool,
    /// What the check of data that were just loaded found, if one was asked for.
    pub consistency: Option<Consistency>,
    ours: Option<Ours>,
    /// Kept copies, one for each data set; empty where there are none.
    copies: Vec<String>,
    /// The data set that it holds.
    holds: usize,
    /// The tables were loaded for this run.
    reloaded: bool,
}

/// How to connect to a server that somebody else runs.
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

/// Starts or reaches a target and sees to its data.
///
/// The data of a sandbox are loaded once, kept, and copied from then on, so that every run starts on the same bytes; it is
/// started on the first of `datas`. The data of a server that somebody else runs are only looked at, unless
/// `site.prepare` allows to load them; such a server holds one data set.
///
/// # Errors
/// The server cannot be started or reached, or the data are not what they should be.
pub fn bring_up(
    site: &TargetEnvironment<'_>,
    target: &Target,
    datas: &[DataSet],
    emit: &mut Emit<'_>,
) -> Result<Bench, TargetError> {
    let label = target.label.as_str();
    match target.entry() {
        ServerKind::External(endpoint) => reach(site, target, endpoint, &datas[0], emit),
        ServerKind::Sandbox(_) => start(site, Ours::of(target), datas, emit),
        ServerKind::Imported { .. } => Err(TargetError::Imported { label: label.to_owned() }),
    }
}

fn reach(
    site: &TargetEnvironment<'_>,
    target: &Target,
    entry: &Endpoint,
    data: &DataSet,
    emit: &mut Emit<'_>,
) -> Result<Bench, TargetError> {
    let label = target.label.as_str();
    let mut members = Vec::new();
    for (name, member) in target.named() {
        if let ServerKind::External(endpoint) = &member.kind {
            members.push(reach_member(site, name, member.role, endpoint, emit)?);
        }
    }
    let connect = connect_options(entry, site.passwords.get(label));
    let begun = Instant::now();
    let reused = match site.prepare {
        true => load(site, label, &connect, data, emit)? == data::PrepareOutcome::AlreadyThere,
        false => {
            for text in data::check(&connect, data, data::Depth::Present)?.cautions {
                emit(EventKind::Caution { target: Some(label.to_owned()), text })?;
            }
            true
        }
    };
    let seconds = begun.elapsed().as_secs_f64();
    emit(EventKind::DataReady { target: label.to_owned(), seconds, reused })?;
    Ok(Bench {
        label: label.to_owned(),
        topology: target.topology,
        members,
        network: None,
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
    site: &TargetEnvironment<'_>,
    name: String,
    role: Role,
    endpoint: &Endpoint,
    emit: &mut Emit<'_>,
) -> Result<LiveMember, TargetError> {
    let connect = connect_options(endpoint, site.passwords.get(&name));
    let database = connect.database.clone().filter(|_| !site.prepare);
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
    Ok(LiveMember { name, role, connect, facts, server: None, pid })
}

/// What tells data that are kept from others.
pub fn description(data: &DataSet, seed: u64) -> String {
    serde_json::to_string(&(data, seed, MADE)).expect("a data set has only plain values")
}

/// A simulated network, and what was asked of it.
pub(crate) struct Network {
    delay_us: u64,
    simulated: network::SimulatedNetwork,
}

impl Network {
    /// What it did so far.
    pub fn used(&self) -> NetworkUse {
        let figures = self.simulated.figures();
        NetworkUse {
            delay_us: self.delay_us,
            packets: figures.packets,
            bytes: figures.bytes,
            late_p50_ns: figures.late_p50_ns,
            late_p99_ns: figures.late_p99_ns,
            late_max_ns: figures.late_max_ns,
            cpu_s: figures.cpu_s,
        }
    }
}

/// The sandboxes of a target.
struct Ours {
    label: String,
    topology: Topology,
    arrangement: Arrangement,
    /// The primary first.
    members: Vec<(String, Role, SandboxSpec)>,
}

impl Ours {
    fn of(target: &Target) -> Self {
        let sandbox = |(name, member): (String, &Member)| match &member.kind {
            ServerKind::Sandbox(spec) => Some((name, member.role, spec.clone())),
            ServerKind::External(_) | ServerKind::Imported { .. } => None,
        };
        Self {
            label: target.label.clone(),
            topology: target.topology,
            arrangement: target.arrangement,
            members: target.named().filter_map(sandbox).collect(),
        }
    }

    /// The server on which its data are loaded: the primary, alone.
    fn loader(&self) -> SandboxSpec {
        let mut spec = self.members[0].2.clone();
        let settings = topology::load_settings(self.topology).iter();
        spec.settings.extend(settings.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        spec
    }

    /// Under which key a data set of it is kept.
    fn copy_key(
        &self,
        site: &TargetEnvironment<'_>,
        home: &Home,
        data: &DataSet,
    ) -> Result<String, TargetError> {
        let mut description = description(data, site.seed);
        for (name, value) in topology::load_settings(self.topology) {
            description.push_str(&format!(" {name}={value}"));
        }
        Ok(home.copy_key(&self.members[0].2, &description)?)
    }

    /// Starts its servers on kept data.
    fn start(
        &self,
        site: &TargetEnvironment<'_>,
        home: &Home,
        key: &str,
    ) -> Result<(Vec<sandbox::Server>, Option<Network>), TargetError> {
        if let [(name, _, spec)] = self.members.as_slice() {
            let options = StartOptions { from_copy: Some(key), ..StartOptions::new("", spec) };
            return Ok((vec![start_server(site, home, name, &options)?], None));
        }
        let directories: Vec<String> = self.members.iter().map(|(name, ..)| server_name(name)).collect();
        let members = self.members.iter().zip(&directories);
        let members: Vec<MemberStart<'_>> =
            members.map(|((name, _, spec), directory)| MemberStart { name, directory, spec }).collect();
        let asked = TopologyStart {
            topology: self.topology,
            arrangement: self.arrangement,
            members: &members,
            from_copy: Some(key),
            life: sandbox::Life::Scoped,
            limit: LIMIT,
            cancel: site.cancel,
        };
        let started = topology::fitting_copy(home, &asked)
            .and_then(|key| topology::start(home, &TopologyStart { from_copy: key.as_deref(), ..asked }));
        if site.cancel.load(Ordering::Relaxed) {
            return Err(TargetError::Interrupted);
        }
        let started = started?;
        let delay_us = self.arrangement.link_delay_us.unwrap_or_default();
        Ok((started.servers, started.network.map(|simulated| Network { delay_us, simulated })))
    }

    /// Its servers as members that answer, with what each says of itself.
    fn members(
        &self,
        servers: Vec<sandbox::Server>,
        facts: &mut dyn FnMut(usize, &sandbox::Server) -> Result<ServerFacts, TargetError>,
    ) -> Result<Vec<LiveMember>, TargetError> {
        let each = self.members.iter().zip(servers).enumerate();
        let member =
            |(at, ((name, role, _), server)): (usize, (&(String, Role, SandboxSpec), sandbox::Server))| {
                let facts = facts(at, &server)?;
                Ok(LiveMember::sandbox(name, *role, server, facts))
            };
        each.map(member).collect()
    }
}

fn start(
    site: &TargetEnvironment<'_>,
    ours: Ours,
    datas: &[DataSet],
    emit: &mut Emit<'_>,
) -> Result<Bench, TargetError> {
    let home = site.home.ok_or(TargetError::NoHome)?;
    let label = ours.label.clone();
    let begun = Instant::now();
    let (mut copies, mut consistency, mut reused) = (Vec::new(), None, true);
    for data in datas {
        let key = ours.copy_key(site, home, data)?;
        if !home.has_copy(&key) {
            reused = false;
            emit(EventKind::ServerStarting { target: label.clone() })?;
            let purpose = sandbox::Purpose::Load;
            let spec = ours.loader();
            let server =
                start_server(site, home, &label, &StartOptions { purpose, ..StartOptions::new("", &spec) })?;
            let connect = server.connect_options(Some(sandbox::DATABASE));
            load(site, &label, &connect, data, emit)?;
            consistency = prove(site, &connect, data)?.or(consistency);
            emit(EventKind::Waiting { target: label.clone(), wait: Wait::Snapshot })?;
            server.keep_copy(home, &key)?;
        }
        copies.push(key);
    }
    let seconds = begun.elapsed().as_secs_f64();
    emit(EventKind::ServerStarting { target: label.clone() })?;
    let (servers, network) = ours.start(site, home, &copies[0])?;
    let members = ours.members(servers, &mut |at, server| {
        let facts = facts(&server.connect_options(Some(sandbox::DATABASE)))?;
        let (name, _, spec) = &ours.members[at];
        let address = if spec.tcp { format!("127.0.0.1:{}", server.port()) } else { "socket".to_owned() };
        ready(name, &facts, address, emit)?;
        Ok(facts)
    })?;
    emit(EventKind::DataReady { target: label.clone(), seconds, reused })?;
    Ok(Bench {
        label,
        topology: ours.topology,
        members,
        network,
        dirty: false,
        used: false,
        consistency,
        ours: Some(ours),
        copies,
        holds: 0,
        reloaded: false,
    })
}

/// The consistency conditions of data that were just loaded, if that is asked for; a violation is an error.
fn prove(
    site: &TargetEnvironment<'_>,
    connect: &ConnectOptions,
    data: &DataSet,
) -> Result<Option<Consistency>, TargetError> {
    if site.proof != Proof::Consistent {
        return Ok(None);
    }
    match data::consistency(connect, data, LOAD_CONNECTIONS, site.cancel)? {
        Some(found) if !found.holds() => Err(TargetError::Inconsistent { found }),
        found => Ok(found),
    }
}

fn start_server(
    site: &TargetEnvironment<'_>,
    home: &Home,
    label: &str,
    options: &StartOptions<'_>,
) -> Result<sandbox::Server, TargetError> {
    let name = server_name(label);
    let started = home.start(&StartOptions { name: &name, cancel: site.cancel, ..*options });
    if site.cancel.load(Ordering::Relaxed) {
        return Err(TargetError::Interrupted);
    }
    Ok(started?)
}

/// A directory name for a run's server: what the label has of plain characters, what tells it apart, and this process's number.
fn server_name(label: &str) -> String {
    let plain: String =
        label.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(24).collect();
    // Labels may begin alike.
    let tell_apart = Sha256::digest(label)[..2].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    format!("run-{plain}-{tell_apart}-{}", std::process::id())
}

fn facts(options: &ConnectOptions) -> Result<ServerFacts, TargetError> {
    let mut client = wire::Client::connect(options)?;
    Ok(probe::server_facts(&mut client)?)
}

fn ready(label: &str, facts: &ServerFacts, address: String, emit: &mut Emit<'_>) -> Result<(), TargetError> {
    Ok(emit(EventKind::ServerReady { target: label.to_owned(), facts: facts.clone(), address })?)
}

/// Loads data on a thread of its own, and tells of its progress meanwhile.
fn load(
    site: &TargetEnvironment<'_>,
    label: &str,
    connect: &ConnectOptions,
    data: &DataSet,
    emit: &mut Emit<'_>,
) -> Result<data::PrepareOutcome, TargetError> {
    let job = data::Job { connect, data, seed: site.seed, threads: LOAD_CONNECTIONS, cancel: site.cancel };
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

impl Bench {
    /// Where clients connect.
    pub fn entry(&self) -> &LiveMember {
        &self.members[0]
    }

    /// How clients connect.
    pub fn connect(&self) -> &ConnectOptions {
        &self.entry().connect
    }

    /// Sees to it that the server runs on the data set that a trial needs, put back where that is due.
    pub(crate) fn make_ready(
        &mut self,
        site: &TargetEnvironment<'_>,
        datas: &[DataSet],
        data: usize,
        rule: Restore,
        emit: &mut Emit<'_>,
    ) -> Result<(), TargetError> {
        let waiting = |wait| EventKind::Waiting { target: self.label.clone(), wait };
        let due = match rule {
            Restore::Changed => self.dirty,
            Restore::Written | Restore::Reload => self.used,
        };
        match &self.ours {
            Some(_) if due || self.holds != data || self.entry().server.is_none() => {
                emit(waiting(Wait::Restore))?;
                self.restore(site, data)
            }
            None if due && rule == Restore::Reload => {
                emit(waiting(Wait::Reload))?;
                self.reload(site, &datas[data])
            }
            _ => Ok(()),
        }
    }

    /// The copy of the data that a sandbox was started from is put back by starting it anew.
    fn restore(&mut self, site: &TargetEnvironment<'_>, data: usize) -> Result<(), TargetError> {
        let (Some(home), Some(ours), Some(key)) = (site.home, &self.ours, self.copies.get(data)) else {
            return Ok(());
        };
        // Nobody wants what the old ones still have to write: dropping them ends them at once and clears away their files.
        self.members.iter_mut().for_each(|member| drop(member.server.take()));
        self.network = None;
        let (servers, network) = ours.start(site, home, key)?;
        self.network = network;
        let known: Vec<ServerFacts> = self.members.iter().map(|member| member.facts.clone()).collect();
        self.members = ours.members(servers, &mut |at, _| Ok(known[at].clone()))?;
        (self.dirty, self.used, self.holds) = (false, false, data);
        Ok(())
    }

    /// Drops the tables and loads them again.
    fn reload(&mut self, site: &TargetEnvironment<'_>, data: &DataSet) -> Result<(), TargetError> {
        data::cleanup(self.connect(), data, Some(data::tables(data)))?;
        load(site, &self.label, self.connect(), data, &mut |_| Ok(()))?;
        (self.dirty, self.used) = (false, false);
        self.reloaded = true;
        Ok(())
    }

    /// What has happened to its rows: changed in number, written to, loaded for this run.
    pub(crate) fn state(&self) -> (bool, bool, bool) {
        (self.dirty, self.used, self.reloaded)
    }

    /// See [`Bench::state`].
    pub(crate) fn set_state(&mut self, (dirty, used, reloaded): (bool, bool, bool)) {
        (self.dirty, self.used, self.reloaded) = (dirty, used, reloaded);
    }

    /// True of a sandbox, whether it runs at the moment or not.
    pub(crate) fn is_ours(&self) -> bool {
        self.ours.is_some()
    }

    /// Ends a sandbox until its next trial: its data are not wanted any more.
    pub(crate) fn park(&mut self) {
        if self.ours.is_some() {
            self.members.iter_mut().for_each(|member| drop(member.server.take()));
            self.network = None;
        }
    }

    /// True if a trial starts on the data as they were loaded.
    pub(crate) fn is_fresh(&self) -> bool {
        (!self.copies.is_empty() || self.reloaded) && !self.used
    }

    /// Stops servers of ours. Those of a topology end at once: one that waits for others may take its time.
    pub fn shut_down(self) -> Result<(), TargetError> {
        let is_single = self.topology == Topology::Single;
        for mut server in self.members.into_iter().filter_map(|member| member.server).filter(|_| is_single) {
            if server.alive().is_ok() {
                server.stop()?;
            }
        }
        Ok(())
    }
}
