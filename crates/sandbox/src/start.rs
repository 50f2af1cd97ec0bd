//! Starting a server: data, my.cnf, process, and the wait until it answers.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::ErrorKind;
use std::net::TcpListener;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use model::{Flavour, SandboxSpec};
use rustix::process::Signal;
use wire::Secret;

use crate::config::{Context, Purpose, my_cnf, redo_bytes};
use crate::copy::{Sync, copy_tree, disk_bytes, remove_tree};
use crate::error::{FileError, StartError};
use crate::home::{Home, is_server_name};
use crate::install::Installation;
use crate::lock::Lock;
use crate::machine::{Machine, require_space};
use crate::place::{PlaceError, Placement, group};
use crate::process::{Child, Fate, describe};
use crate::server::Server;
use crate::settings::Settings;
use crate::socket::Socket;
use crate::state::{Life, State, made_by, new_password, write_private};
use crate::{certificate, client, copies, log, redo, template};

/// Attempts for starts that fail by bad luck: another process took the free port first, or Galera lost a race with itself.
const ATTEMPTS: u32 = 5;

/// Never set: for starts that cannot be cancelled.
static NEVER: AtomicBool = AtomicBool::new(false);

/// The parameters of a member of a topology. They are not stored: they apply to this start.
#[derive(Debug, Clone, Copy, Default)]
pub struct Membership<'a> {
    /// Lines of my.cnf, behind the user's.
    pub lines: &'a [(String, String)],
    /// Statements before all others that it executes before it answers anybody, one on each line.
    pub before: &'a str,
    /// Statements behind them.
    pub statements: &'a str,
    /// Programs that it starts by their names.
    pub programs: &'a [(&'static str, String)],
    /// Password of mydyno's account, where members share one; none: as before, else a new one.
    pub password: Option<&'a Secret>,
    /// The host from which that account may connect, beside this machine, in the syntax of `CREATE USER`.
    pub clients: Option<&'a str>,
}

/// Work on the data directory of a server that is not running.
pub trait DataDirectory: std::fmt::Debug + std::marker::Sync {
    /// Its data are there, and the server is about to be started.
    ///
    /// # Errors
    /// Why it cannot be, in a sentence.
    fn prepare(&self, data: &Path) -> Result<(), String>;

    /// The start failed, and the directory is about to be removed.
    fn abandon(&self);
}

/// The options for starting a server.
#[derive(Debug, Clone, Copy)]
pub struct StartOptions<'a> {
    /// Name; also the name of its directory.
    pub name: &'a str,
    /// The server with its settings.
    pub spec: &'a SandboxSpec,
    /// Key of kept data to start on; none: data it has already, else an empty server.
    pub from_copy: Option<&'a str>,
    /// The purpose of the start.
    pub purpose: Purpose,
    /// Its lifetime.
    pub life: Life,
    /// Port on 127.0.0.1; none: a free one.
    pub port: Option<u16>,
    /// Time to wait for its first answer.
    pub limit: Duration,
    /// Set by another thread when the start is no longer wanted.
    pub cancel: &'a AtomicBool,
    /// Membership of a server in a topology.
    pub membership: Membership<'a>,
    /// Work on its data directory before the start.
    pub on_data: Option<&'a dyn DataDirectory>,
}

impl<'a> StartOptions<'a> {
    /// A server for the length of a run, empty, on a free port, with two minutes to start.
    pub fn new(name: &'a str, spec: &'a SandboxSpec) -> Self {
        Self {
            name,
            spec,
            from_copy: None,
            purpose: Purpose::Measure,
            life: Life::Scoped,
            port: None,
            limit: Duration::from_secs(120),
            cancel: &NEVER,
            membership: Membership::default(),
            on_data: None,
        }
    }
}

impl Home {
    /// Starts a server and waits until it answers.
    ///
    /// A stopped lasting server continues with its data, if they fit. The files of a failed start are removed.
    pub fn start(&self, options: &StartOptions<'_>) -> Result<Server, StartError> {
        let name = options.name;
        if !is_server_name(name) {
            return Err(StartError::Name { name: name.to_owned() });
        }
        let settings = Settings::new(&options.spec.settings)?;
        let installation = self.resolve(options.spec.flavour, options.spec.basedir.as_deref())?;
        let placement = Placement::new(self, name, &options.spec.place)?;
        // What is loaded does not depend on where: it is kept for servers in every place, and half a CPU would take hours.
        let placement = if options.purpose == Purpose::Load { Placement::default() } else { placement };
        let lock = Lock::try_take(&self.server_lock_path(name))?;
        let Some(lock) = lock else { return Err(StartError::InUse { name: name.to_owned() }) };
        let earlier = State::read(&self.server_dir(name))?;
        Start { home: self, options, settings, installation, placement, earlier }.start(lock)
    }

    /// Restarts a server that has ended, on the current content of its data directory. If it does not start, it is removed as
    /// if it had been dropped.
    pub fn start_again(
        &self,
        mut server: Server,
        membership: Membership<'_>,
        limit: Duration,
        cancel: &AtomicBool,
    ) -> Result<Server, StartError> {
        if server.alive().is_ok() {
            return Err(StartError::Running { name: server.name().to_owned(), pid: server.pid() });
        }
        let (name, spec, life, lock) = server.into_remains();
        let options = StartOptions { life, limit, cancel, membership, ..StartOptions::new(&name, &spec) };
        let settings = Settings::new(&spec.settings)?;
        let installation = self.resolve(spec.flavour, spec.basedir.as_deref())?;
        let placement = Placement::new(self, &name, &spec.place)?;
        let earlier = State::read(&self.server_dir(&name))?;
        Start { home: self, options: &options, settings, installation, placement, earlier }.start(lock)
    }

    /// Runs a server that has ended once more on what its data directory holds now, with lines that make it end by itself; the end of
    /// its log. Its directory stays whatever comes.
    ///
    /// # Errors
    /// It runs already, cannot be run, or does not end.
    pub fn run_once(
        &self,
        server: &mut Server,
        membership: Membership<'_>,
        limit: Duration,
        cancel: &AtomicBool,
    ) -> Result<String, StartError> {
        let name = server.name().to_owned();
        if server.alive().is_ok() {
            return Err(StartError::Running { name, pid: server.pid() });
        }
        let (spec, life) = (server.spec().clone(), server.state().life);
        let options = StartOptions { life, limit, cancel, membership, ..StartOptions::new(&name, &spec) };
        let settings = Settings::new(&spec.settings)?;
        let installation = self.resolve(spec.flavour, spec.basedir.as_deref())?;
        let placement = Placement::new(self, &name, &spec.place)?;
        let earlier = State::read(&self.server_dir(&name))?;
        let once = Start { home: self, options: &options, settings, installation, placement, earlier };
        let ended = match once.run() {
            Err(StartError::Died { log_tail, .. }) => Ok(log_tail),
            Err(error) => Err(error),
            Ok((_, mut child, _)) => {
                child.signal_group(Signal::KILL);
                child.ended_within(Duration::from_secs(20));
                Err(StartError::Running { pid: child.identity.pid, name: name.clone() })
            }
        };
        group::remove(&once.placement.group_dirs())?;
        ended
    }
}

/// One start in progress.
struct Start<'a> {
    home: &'a Home,
    options: &'a StartOptions<'a>,
    settings: Settings,
    installation: Installation,
    placement: Placement,
    /// State of an earlier server of that name.
    earlier: Option<State>,
}

impl Start<'_> {
    fn start(self, lock: Lock) -> Result<Server, StartError> {
        let name = self.options.name;
        match self.run() {
            Ok((state, child, socket)) => {
                Ok(Server::new(name, self.home.server_dir(name), state, Some(child), socket, lock))
            }
            Err(error) => {
                self.options.on_data.iter().for_each(|directory| directory.abandon());
                self.clear_up(&error)?;
                if !self.home.server_dir(name).exists() {
                    lock.remove();
                }
                Err(error)
            }
        }
    }

    fn run(&self) -> Result<(State, Child, Socket), StartError> {
        let dir = self.home.server_dir(self.options.name);
        if let Some(port) = self.options.port {
            check_port(port)?;
        }
        let mut state = self.take_over(&dir)?;
        for part in ["", "tmp"] {
            let path = dir.join(part);
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(&path)
                .map_err(FileError::at("create", &path))?;
        }
        state.write(&dir)?;
        self.put_data(&dir)?;
        if let Some(directory) = self.options.on_data {
            directory.prepare(&dir.join("data")).map_err(|why| StartError::OnData { why })?;
        }
        let socket = Socket::in_dir(&dir)?;
        let mut attempt = 1;
        loop {
            state.port = match self.options.port {
                Some(port) => port,
                None => free_port(&dir)?,
            };
            match self.launch(&dir, &mut state, &socket) {
                Ok(child) => return Ok((state, child, socket)),
                Err(StartError::Died { log_tail, .. }) if log::is_port_taken(&log_tail) => {
                    if self.options.port.is_some() || attempt == ATTEMPTS {
                        return Err(StartError::PortTaken { port: state.port });
                    }
                }
                Err(StartError::Died { log_tail, .. })
                    if log::is_galera_race(&log_tail) && attempt < ATTEMPTS => {}
                Err(error) => return Err(error),
            }
            attempt += 1;
        }
    }

    /// The state of the new server: the kept parts of an earlier one of the same name, and the new parts.
    fn take_over(&self, dir: &Path) -> Result<State, StartError> {
        let name = self.options.name;
        let structure = template::structure(&self.settings);
        let version = self.installation.version.clone();
        if let Some(earlier) = &self.earlier {
            if let (Some(_), Some(identity)) = (earlier.process(dir), earlier.process) {
                return Err(StartError::Running { name: name.to_owned(), pid: identity.pid });
            }
            if earlier.life == Life::Lasting && self.options.life == Life::Scoped {
                return Err(StartError::Kept { name: name.to_owned() });
            }
            // It ended without having been stopped.
            group::remove(&earlier.groups)?;
            let now = made_by(self.options.spec.flavour, &version, &structure);
            let replaces_data = self.options.from_copy.is_some() || !dir.join("data").is_dir();
            if earlier.made_by() != now && !replaces_data {
                return Err(StartError::OtherData { name: name.to_owned(), was: earlier.made_by(), now });
            }
        }
        let password = match (self.options.membership.password, &self.earlier) {
            (Some(shared), _) => shared.clone(),
            (None, Some(earlier)) => earlier.password.clone(),
            (None, None) => new_password()?,
        };
        Ok(State {
            format: State::FORMAT,
            spec: self.options.spec.clone(),
            version,
            structure,
            life: self.options.life,
            owner_pid: std::process::id(),
            process: None,
            groups: self.placement.group_dirs(),
            port: 0,
            password,
        })
    }

    /// Sees to it that there is a data directory: kept data, data it has already, or a fresh template.
    fn put_data(&self, dir: &Path) -> Result<(), StartError> {
        let data = dir.join("data");
        if self.options.from_copy.is_none() && data.is_dir() {
            return Ok(());
        }
        let (source, _being_read) = match self.options.from_copy {
            Some(key) => {
                let (source, lock) = copies::data_for(self.home, key, &self.installation, &self.settings)?;
                (source, Some(lock))
            }
            None => {
                let cancel = self.options.cancel;
                (template::prepare(self.home, &self.installation, &self.settings, cancel)?, None)
            }
        };
        remove_tree(&data)?;
        let needs_bytes = disk_bytes(&source) + redo_bytes(&self.settings);
        let purpose = format!("the data directory of server '{}'", self.options.name);
        require_space::<StartError>(dir, needs_bytes, &purpose)?;
        let new = dir.join("data.new");
        remove_tree(&new)?;
        copy_tree(&source, &new, Sync::Later)?;
        fs::rename(&new, &data).map_err(FileError::at("create", &data))?;
        Ok(())
    }

    /// Writes what the server reads, runs it, and waits until it answers.
    fn launch(&self, dir: &Path, state: &mut State, socket: &Socket) -> Result<Child, StartError> {
        for left_over in ["mysql.sock", "mysql.sock.lock", "pid"] {
            remove_file(&dir.join(left_over))?;
        }
        let mode = self.options.spec.tls.mode;
        let certificate = certificate::provide(dir, &self.installation, &self.settings, mode)?;
        let context = Context {
            installation: &self.installation,
            dir,
            socket: socket.server_side(),
            port: state.port,
            machine: self.machine(),
            has_memory_policy: self.placement.has_policy(),
            certificate: certificate.as_ref(),
        };
        let my_cnf_path = dir.join("my.cnf");
        let text = my_cnf(&context, &self.settings, self.options.purpose, self.options.membership.lines);
        write_private(&my_cnf_path, text.as_bytes())?;
        let accounts_path = dir.join("accounts.sql");
        client::write_option_file(dir, state)?;
        write_private(&accounts_path, self.first_statements(&state.password).as_bytes())?;
        let log_path = dir.join("server.log");
        let log_file = open_log(&log_path)?;

        let mut command = self.installation.command();
        command
            .arg(format!("--defaults-file={}", my_cnf_path.display()))
            .arg(format!("--init-file={}", accounts_path.display()))
            .current_dir(dir)
            // Else a server under a service manager would report to it in mydyno's name.
            .env_remove("NOTIFY_SOCKET");
        if let Some(path) = self.put_programs(dir)? {
            command.env("PATH", path);
        }
        template::as_ourselves(&mut command);
        self.placement.make_groups()?;
        let command = self.placement.wrap(command);
        let fate = if state.life == Life::Scoped { Fate::DiesWithUs } else { Fate::Survives };
        let mut child = Child::start_on(self.placement.cpus(), command, fate, &log_file)
            .map_err(|source| StartError::Spawn { program: self.installation.program.clone(), source })?;
        state.process = Some(child.identity);
        state.write(dir)?;
        let ready = self.wait_until_ready(&mut child, socket, &state.password);
        let ready = ready.and_then(|()| Ok(self.placement.verify(child.identity.pid)?));
        remove_file(&accounts_path)?;
        if ready.is_err() {
            if child.ended_within(Duration::ZERO).is_none() {
                child.signal_group(Signal::KILL);
                child.ended_within(Duration::from_secs(20));
            }
            state.process = None;
            state.write(dir)?;
        }
        ready.map(|()| child)
    }

    /// Writes the programs that come with its membership; the path on which they and the system's are found.
    fn put_programs(&self, dir: &Path) -> Result<Option<OsString>, FileError> {
        let programs = self.options.membership.programs;
        if programs.is_empty() {
            return Ok(None);
        }
        let bin = dir.join("bin");
        DirBuilder::new().recursive(true).mode(0o700).create(&bin).map_err(FileError::at("create", &bin))?;
        for (name, text) in programs {
            let path = bin.join(name);
            write_private(&path, text.as_bytes())?;
            let owner = Permissions::from_mode(0o700);
            fs::set_permissions(&path, owner).map_err(FileError::at("make executable", &path))?;
        }
        let others = std::env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(bin.clone()).chain(std::env::split_paths(&others));
        let joined = std::env::join_paths(all).map_err(std::io::Error::other);
        joined.map(Some).map_err(FileError::at("put on the path", &bin))
    }

    /// The limits that size my.cnf: no more memory than the server may have.
    fn machine(&self) -> Machine {
        let machine = Machine::read();
        let most = self.options.spec.place.memory_max_bytes;
        let most = most.filter(|_| self.options.purpose == Purpose::Measure).unwrap_or(u64::MAX);
        Machine { memory_bytes: machine.memory_bytes.min(most), ..machine }
    }

    /// The statements that the server executes before it answers.
    fn first_statements(&self, password: &Secret) -> String {
        let membership = &self.options.membership;
        let mut text = membership.before.to_owned();
        let clients = self.options.membership.clients;
        text.push_str(&accounts(self.installation.flavour, password.expose(), clients));
        text.push_str(membership.statements);
        if self.options.purpose == Purpose::Load && redo::can_be_off(&self.installation) {
            text.push_str(redo::OFF);
        }
        text
    }

    fn wait_until_ready(
        &self,
        child: &mut Child,
        socket: &Socket,
        password: &Secret,
    ) -> Result<(), StartError> {
        let log_path = self.home.server_dir(self.options.name).join("server.log");
        let log_tail = || log::tail(&log_path);
        let name = self.options.name.to_owned();
        let started = Instant::now();
        loop {
            match client::try_login(socket, password) {
                Ok(()) => return Ok(()),
                // It answers, but not as it should: waiting does not help.
                Err(source) if source.server_error().is_some() => {
                    return Err(StartError::Login { name, source: Box::new(source) });
                }
                Err(_) => {}
            }
            if let Some(status) = child.ended_within(Duration::from_millis(20)) {
                let log_tail = log_tail();
                let reading =
                    log::reading(&log_tail).or_else(|| group::reading(&self.placement.group_dirs()));
                return Err(StartError::Died { name, status: describe(status), reading, log_tail });
            }
            if self.options.cancel.load(Ordering::Relaxed) {
                return Err(StartError::Cancelled { name });
            }
            if started.elapsed() > self.options.limit || log::is_stuck(&log_path) {
                let (seconds, log_tail) = (started.elapsed().as_secs(), log_tail());
                let reading = log::reading(&log_tail);
                return Err(StartError::NotReady { name, seconds, reading, log_tail });
            }
        }
    }

    /// Cleans up after a failed start: new files are removed, earlier ones stay as they were.
    fn clear_up(&self, error: &StartError) -> Result<(), StartError> {
        if matches!(error, StartError::Running { .. } | StartError::Kept { .. }) {
            return Ok(());
        }
        let dir = self.home.server_dir(self.options.name);
        if !matches!(error, StartError::Place(PlaceError::GroupInUse { .. })) {
            group::remove(&self.placement.group_dirs())?;
        }
        match (&self.earlier, State::read(&dir)?) {
            (Some(earlier), Some(now)) if earlier.life == Life::Lasting => {
                // The settings that failed are not the ones to start with next time.
                State { spec: earlier.spec.clone(), process: None, groups: Vec::new(), ..now }.write(&dir)?;
            }
            _ => remove_tree(&dir)?,
        }
        Ok(())
    }
}

/// The statements that make mydyno's account and database, one on each line as MariaDB wants it.
fn accounts(flavour: Flavour, password: &str, clients: Option<&str>) -> String {
    let mut text = String::from("SET SESSION sql_log_bin = 0;\n");
    for host in ["localhost", "127.0.0.1"].into_iter().chain(clients) {
        let account = format!("'{}'@'{host}'", crate::USER);
        text.push_str(&format!("CREATE USER IF NOT EXISTS {account} IDENTIFIED BY '{password}';\n"));
        text.push_str(&format!("ALTER USER {account} IDENTIFIED BY '{password}';\n"));
        text.push_str(&format!("GRANT ALL PRIVILEGES ON *.* TO {account} WITH GRANT OPTION;\n"));
    }
    if flavour == Flavour::Mysql {
        // Initialised without a password; MariaDB's is bound to the owner of the process.
        text.push_str(&format!("ALTER USER IF EXISTS 'root'@'localhost' IDENTIFIED BY '{password}';\n"));
    }
    text.push_str(&format!("CREATE DATABASE IF NOT EXISTS {};\n", crate::DATABASE));
    text
}

fn open_log(path: &Path) -> Result<File, FileError> {
    OpenOptions::new().create(true).append(true).mode(0o600).open(path).map_err(FileError::at("open", path))
}

fn remove_file(path: &Path) -> Result<(), FileError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(FileError::at("remove", path)(error)),
        _ => Ok(()),
    }
}

fn check_port(port: u16) -> Result<(), StartError> {
    TcpListener::bind(("127.0.0.1", port)).map(drop).map_err(|_| StartError::PortTaken { port })
}

/// A port that is free now. Another process may take it before the server does; then the start is retried.
fn free_port(dir: &Path) -> Result<u16, FileError> {
    TcpListener::bind(("127.0.0.1", 0))
        .and_then(|listener| listener.local_addr())
        .map(|address| address.port())
        .map_err(FileError::at("find a free port for", dir))
}
