//! Connection options, in the words of the mysql client.
//!
//! The command line wins over option files, and they win over the environment. `address` describes where mydyno
//! deliberately differs from the mysql client (`-P` together with `localhost`).

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::{Args, ValueEnum};
use model::{Address, Endpoint, TlsMode};
use wire::Secret;

use super::tls::TlsArgs;
use crate::error::{Outcome, UserError};

const DEFAULT_PORT: u16 = 3306;
const DEFAULT_CONNECT_TIMEOUT_S: u32 = 10;
/// Sockets of the MySQL and MariaDB packages, and of MySQL's own builds.
const SOCKETS: [&str; 2] = ["/var/run/mysqld/mysqld.sock", "/tmp/mysql.sock"];

/// Options that say how to reach a server. A URL is read into the same fields.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Connection")]
pub struct ConnectionArgs {
    /// Host name; localhost without a port means the Unix socket
    #[arg(short = 'h', long, alias = "mysql-host")]
    pub host: Option<String>,
    /// TCP port [default: 3306]
    #[arg(short = 'P', long, alias = "mysql-port")]
    pub port: Option<u16>,
    /// Account [default: your login name]
    #[arg(short = 'u', long, alias = "mysql-user")]
    pub user: Option<String>,
    /// Password, attached (-pSECRET); without a value: ask for it. Prefer an option file or MYSQL_PWD
    #[arg(short = 'p', long, alias = "mysql-password", value_name = "PASSWORD", num_args = 0..=1, require_equals = true)]
    pub password: Option<Option<String>>,
    /// Unix socket file
    #[arg(short = 'S', long, alias = "mysql-socket", value_name = "FILE")]
    pub socket: Option<PathBuf>,
    /// Database of the tables [default: sbtest; TPC-C: tpcc]
    #[arg(short = 'D', long, alias = "mysql-db")]
    pub database: Option<String>,
    /// Transport, whatever the host is; sandboxes use the socket by default
    #[arg(long, ignore_case = true)]
    pub protocol: Option<Protocol>,
    /// Encryption.
    #[command(flatten)]
    pub tls: TlsArgs,
    /// Time limit for opening one connection [default: 10]
    #[arg(long, value_name = "SECONDS")]
    pub connect_timeout: Option<u32>,
    /// Request the server's RSA key (caching_sha2_password without TLS)
    #[arg(long, value_name = "on|off", num_args = 0..=1, require_equals = true, default_missing_value = "on",
        value_parser = spec::switch)]
    pub get_server_public_key: Option<bool>,
    /// Execute this statement on every new connection
    #[arg(long, value_name = "SQL")]
    pub init_command: Option<String>,
}

/// `--protocol`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Protocol {
    /// TCP.
    Tcp,
    /// Unix socket.
    Socket,
}

/// The contribution of the environment and of the account that runs the program.
#[derive(Default)]
pub struct Environment {
    /// `MYSQL_HOST`.
    pub host: Option<String>,
    /// `MYSQL_TCP_PORT`.
    pub port: Option<u16>,
    /// `MYSQL_PWD`.
    pub password: Option<Secret>,
    /// Login name.
    pub login: Option<String>,
    /// Home directory.
    pub home: Option<PathBuf>,
}

impl Environment {
    /// Reads the process's environment.
    pub fn read() -> Outcome<Self> {
        let var = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let port = match var("MYSQL_TCP_PORT") {
            None => None,
            Some(text) => Some(text.parse().map_err(|_| {
                UserError::usage(format!("MYSQL_TCP_PORT is '{text}', which is not a port"))
                    .hint("unset it, or set it to a number between 1 and 65535")
            })?),
        };
        // The superuser is root whatever the environment says, as in MySQL's clients.
        let login = if rustix::process::geteuid().is_root() {
            Some("root".to_owned())
        } else {
            var("USER").or_else(|| var("LOGNAME"))
        };
        Ok(Self {
            host: var("MYSQL_HOST"),
            port,
            password: var("MYSQL_PWD").map(Secret::new),
            login,
            home: var("HOME").map(PathBuf::from),
        })
    }
}

/// The setting that wins if both a port and a socket are set for the local host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precedence {
    /// Port and socket come from equally strong places: the socket, as in the mysql client.
    Equal,
    /// The port was typed, the socket comes from an option file.
    PortTyped,
}

impl ConnectionArgs {
    /// Whether the options or the environment name a server.
    pub fn names_a_server(&self, environment: &Environment) -> bool {
        self.host.is_some()
            || self.port.is_some()
            || self.user.is_some()
            || self.password.is_some()
            || self.socket.is_some()
            || self.database.is_some()
            || environment.host.is_some()
            || environment.port.is_some()
    }

    /// Fills in what a URL leaves out. Host, port, socket and protocol are the URL's own.
    pub fn or_account_of(self, client: &ConnectionArgs) -> Self {
        Self {
            user: self.user.or_else(|| client.user.clone()),
            password: self.password.or_else(|| client.password.clone()),
            database: self.database.or_else(|| client.database.clone()),
            tls: self.tls.or(&client.tls),
            connect_timeout: self.connect_timeout.or(client.connect_timeout),
            get_server_public_key: self.get_server_public_key.or(client.get_server_public_key),
            init_command: self.init_command.or_else(|| client.init_command.clone()),
            ..self
        }
    }

    /// The endpoint that these options name, without a database if they name none.
    pub fn endpoint(&self, environment: &Environment, precedence: Precedence) -> Outcome<Endpoint> {
        let user = self.user.clone().or_else(|| environment.login.clone()).ok_or_else(|| {
            UserError::usage("no account is named").hint("give one with -u, or in ~/.my.cnf under [client]")
        })?;
        if self.database.as_deref() == Some("") {
            return Err(UserError::usage("the name of the database is empty")
                .hint("leave out --database for sbtest (of TPC-C: tpcc), or name one"));
        }
        Ok(Endpoint {
            address: self.address(environment, precedence)?,
            user,
            database: self.database.clone().unwrap_or_default(),
            tls: self.tls.spec(TlsMode::Preferred)?,
            connect_timeout_s: self.connect_timeout.unwrap_or(DEFAULT_CONNECT_TIMEOUT_S).max(1),
            get_server_public_key: self.get_server_public_key.unwrap_or(false),
            init_commands: self.init_command.iter().cloned().collect(),
            globals: Default::default(),
        })
    }

    /// The address to connect to. A remote host means TCP. The local host means the socket, unless `--protocol=tcp`, or a port
    /// is set and no socket is: the mysql client would silently ignore the port there.
    fn address(&self, environment: &Environment, precedence: Precedence) -> Outcome<Address> {
        let host = self.host.clone().or_else(|| environment.host.clone());
        if let Some(host) = host.as_deref().filter(|host| host.contains(',')) {
            return Err(UserError::usage(format!("'{host}' is a list of hosts"))
                .hint("name each as a target of its own: --target mysql://one --target mysql://two"));
        }
        let port = self.port.or(environment.port);
        if port == Some(0) {
            return Err(UserError::usage("port 0 cannot be connected to").hint("MySQL's port is 3306"));
        }
        let local = host.as_deref().is_none_or(|host| host.eq_ignore_ascii_case("localhost"));
        let socket = match self.protocol {
            Some(Protocol::Tcp) => false,
            Some(Protocol::Socket) => true,
            None if !local => false,
            None => port.is_none() || (self.socket.is_some() && precedence == Precedence::Equal),
        };
        if socket {
            return Ok(Address::Socket(self.socket.clone().unwrap_or_else(default_socket)));
        }
        let host = host.unwrap_or_else(|| "127.0.0.1".to_owned());
        Ok(Address::Tcp { host, port: port.unwrap_or(DEFAULT_PORT) })
    }

    /// The password: from the option, the prompt, or the environment.
    pub fn password(
        &self,
        environment: &Environment,
        ask: &mut dyn FnMut() -> Outcome<Secret>,
    ) -> Outcome<Option<Secret>> {
        match &self.password {
            Some(Some(written)) => Ok(Some(Secret::new(written.clone()))),
            Some(None) => ask().map(Some),
            None => Ok(environment.password.clone()),
        }
    }
}

/// Asks on the terminal, with the mysql client's words.
pub fn ask_password() -> Outcome<Secret> {
    // An experiment reads its options once for each workload.
    static ANSWER: OnceLock<Secret> = OnceLock::new();
    if let Some(known) = ANSWER.get() {
        return Ok(known.clone());
    }
    let answer = prompt()?;
    Ok(ANSWER.get_or_init(|| answer).clone())
}

fn prompt() -> Outcome<Secret> {
    rpassword::prompt_password("Enter password: ").map(Secret::new).map_err(|error| {
        UserError::usage(format!("-p asks for a password, and there is no terminal to ask on: {error}"))
            .hint("put it in ~/.my.cnf under [client], or in MYSQL_PWD")
    })
}

fn default_socket() -> PathBuf {
    let present = SOCKETS.iter().find(|path| Path::new(path).exists());
    PathBuf::from(present.copied().unwrap_or(SOCKETS[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(args: ConnectionArgs) -> String {
        let environment = Environment { login: Some("me".to_owned()), ..Environment::default() };
        let endpoint = args.endpoint(&environment, Precedence::Equal).expect("a server is named");
        endpoint.address.to_string()
    }

    fn host(name: &str) -> ConnectionArgs {
        ConnectionArgs { host: Some(name.to_owned()), ..ConnectionArgs::default() }
    }

    #[test]
    fn localhost_means_the_socket_unless_a_port_or_tcp_is_named() {
        let socket = || Some(PathBuf::from("/x.sock"));
        assert_eq!(address(ConnectionArgs { socket: socket(), ..host("localhost") }), "/x.sock");
        assert_eq!(address(ConnectionArgs { socket: socket(), ..ConnectionArgs::default() }), "/x.sock");
        assert_eq!(address(ConnectionArgs { port: Some(3307), ..host("localhost") }), "localhost:3307");
        assert_eq!(
            address(ConnectionArgs { port: Some(3307), ..ConnectionArgs::default() }),
            "127.0.0.1:3307"
        );
        let tcp = ConnectionArgs { protocol: Some(Protocol::Tcp), socket: socket(), ..host("localhost") };
        assert_eq!(address(tcp), "localhost:3306");
    }

    #[test]
    fn another_host_means_tcp_even_if_an_option_file_names_a_socket() {
        assert_eq!(address(ConnectionArgs { socket: Some("/x.sock".into()), ..host("db1") }), "db1:3306");
        assert_eq!(address(host("::1")), "[::1]:3306");
    }

    #[test]
    fn a_typed_port_beats_the_socket_of_an_option_file() {
        let args =
            ConnectionArgs { port: Some(3307), socket: Some("/x.sock".into()), ..ConnectionArgs::default() };
        assert_eq!(address(args.clone()), "/x.sock");
        let environment = Environment { login: Some("me".to_owned()), ..Environment::default() };
        let endpoint = args.endpoint(&environment, Precedence::PortTyped).expect("a server is named");
        assert_eq!(endpoint.address.to_string(), "127.0.0.1:3307");
    }

    #[test]
    fn the_environment_fills_in() {
        let environment = Environment {
            host: Some("db9".to_owned()),
            port: Some(3310),
            password: Some(Secret::new("from-env".to_owned())),
            login: Some("me".to_owned()),
            home: None,
        };
        let args = ConnectionArgs::default();
        assert!(args.names_a_server(&environment));
        let endpoint = args.endpoint(&environment, Precedence::Equal).expect("a server is named");
        assert_eq!(endpoint.address.to_string(), "db9:3310");
        assert_eq!(endpoint.user, "me");
        assert_eq!(endpoint.database, "");
        let mut ask = || Err(UserError::usage("not asked"));
        let password = args.password(&environment, &mut ask).expect("nothing is asked");
        assert_eq!(password.expect("from the environment").expose(), "from-env");
        let empty = ConnectionArgs { password: Some(Some(String::new())), ..ConnectionArgs::default() };
        let password = empty.password(&environment, &mut ask).expect("nothing is asked");
        assert_eq!(password.expect("an empty one").expose(), "");
    }

    #[test]
    fn what_cannot_work_is_refused_in_a_sentence() {
        let environment = Environment { login: Some("me".to_owned()), ..Environment::default() };
        for args in [host("a,b"), ConnectionArgs { port: Some(0), ..host("a") }] {
            assert_eq!(
                args.endpoint(&environment, Precedence::Equal).map_err(|e| e.exit),
                Err(crate::exit::Exit::Usage)
            );
        }
    }
}
