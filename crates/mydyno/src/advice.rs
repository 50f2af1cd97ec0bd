//! Advice in the words of the command line: the only place that knows what options and verbs are called in it.

use model::{
    Advice, DataSet, How, LuaData, OptionId, StatementsData, SysbenchData, TpccData, Verb, for_data_set,
};
use wire::{ConnectError, TlsFault};

/// One piece of advice in a line: `raise it:  SET GLOBAL max_connections = 1100;`.
pub fn line(advice: &Advice) -> String {
    let how = match &advice.how {
        How::Words => return advice.what.clone(),
        How::Set(option, None) => {
            format!("--{} {}", name(*option), placeholder(*option)).trim_end().to_owned()
        }
        How::Set(option, Some(value)) => format!("--{}={value}", name(*option)),
        How::Run(verb) => command(verb),
        How::Sql(text) | How::Line(text) => text.clone(),
    };
    format!("{}:  {how}", advice.what)
}

/// All pieces of advice, a line each; none if there are none.
pub fn lines(advice: &[Advice]) -> Option<String> {
    let lines: Vec<String> = advice.iter().map(line).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Placeholder for the value of an option.
fn placeholder(option: OptionId) -> &'static str {
    match option {
        OptionId::Database | OptionId::StorageEngine => "NAME",
        OptionId::Results => "DIR",
        OptionId::Target => "TARGET",
        OptionId::Socket | OptionId::SslCa | OptionId::SslCert | OptionId::SslKey => "FILE",
        OptionId::Host => "HOST",
        OptionId::User => "USER",
        OptionId::Set => "VARIABLE=VALUE",
        OptionId::Time | OptionId::ConnectTimeout => "SECONDS",
        OptionId::Map | OptionId::Price => "...",
        OptionId::Prepare | OptionId::AllowFailingCells | OptionId::GetServerPublicKey | OptionId::Force => {
            ""
        }
        _ => "N",
    }
}

/// The long name of an option.
pub fn name(option: OptionId) -> &'static str {
    match option {
        OptionId::Host => "host",
        OptionId::Socket => "socket",
        OptionId::Port => "port",
        OptionId::User => "user",
        OptionId::Database => "database",
        OptionId::ConnectTimeout => "connect-timeout",
        OptionId::SslMode => "ssl-mode",
        OptionId::SslCa => "ssl-ca",
        OptionId::SslCert => "ssl-cert",
        OptionId::SslKey => "ssl-key",
        OptionId::TlsVersion => "tls-version",
        OptionId::GetServerPublicKey => "get-server-public-key",
        OptionId::Results => "results",
        OptionId::Target => "target",
        OptionId::Set => "set",
        OptionId::Threads => "threads",
        OptionId::Time => "time",
        OptionId::Events => "events",
        OptionId::Prepare => "prepare",
        OptionId::AllowFailingCells => "allow-failing-cells",
        OptionId::PreparedStatements => "db-ps-mode",
        OptionId::TableSize => "table-size",
        OptionId::Warehouses => "warehouses",
        OptionId::StorageEngine => "mysql-storage-engine",
        OptionId::Force => "force",
        OptionId::Map => "map",
        OptionId::Price => "price",
    }
}

fn command(verb: &Verb) -> String {
    match verb {
        Verb::Run => "mydyno run oltp_read_write".to_owned(),
        Verb::List => "mydyno list".to_owned(),
        Verb::Prepare(data) => format!("mydyno prepare {}", spoken(data).prepare()),
        Verb::PrepareAgain => "mydyno prepare WORKLOAD".to_owned(),
        Verb::Replace(data) => {
            let family = spoken(data).cleanup();
            format!("mydyno {family}, then mydyno prepare {}", spoken(data).prepare())
        }
        Verb::Cleanup => "mydyno cleanup WORKLOAD".to_owned(),
        Verb::ServerInstall(what) => format!("mydyno server install {what}"),
        Verb::ServerList => "mydyno server list".to_owned(),
        Verb::ServerStart(name) => format!("mydyno server start {name}"),
        Verb::ServerStop(name) => format!("mydyno server stop {name}"),
        Verb::ServerRemove(name) => format!("mydyno server remove {name}"),
    }
}

/// The words of the command line that ask for a data set, implemented by what the model keeps of it.
trait Spoken {
    /// The arguments of `mydyno prepare`.
    fn prepare(&self) -> String;

    /// The verb that removes it.
    fn cleanup(&self) -> String {
        "cleanup".to_owned()
    }
}

fn spoken(data: &DataSet) -> &dyn Spoken {
    for_data_set!(data, data => data)
}

impl Spoken for SysbenchData {
    fn prepare(&self) -> String {
        if self.bulk {
            return format!("bulk_insert --threads={}", self.tables);
        }
        let unusual = [
            (!self.auto_inc, "--auto-inc=off".to_owned()),
            (self.secondary, "--secondary=on".to_owned()),
            (!self.create_secondary, "--create-secondary=off".to_owned()),
            (is_unusual(&self.engine), format!("--mysql-storage-engine={}", self.engine)),
        ];
        joined(format!("--tables={} --table-size={}", self.tables, self.table_size), unusual)
    }
}

impl Spoken for TpccData {
    fn prepare(&self) -> String {
        let unusual = [
            (self.age > 0, format!("--age={}", self.age)),
            (self.partitions > 0, format!("--partitions={}", self.partitions)),
            (self.foreign_keys, "--foreign-keys=on".to_owned()),
            (!self.order_index, "--order-index=off".to_owned()),
            (is_unusual(&self.engine), format!("--mysql-storage-engine={}", self.engine)),
        ];
        joined(format!("tpcc --warehouses={}", self.warehouses), unusual)
    }

    fn cleanup(&self) -> String {
        "cleanup tpcc".to_owned()
    }
}

impl Spoken for StatementsData {
    fn prepare(&self) -> String {
        let unusual = [
            (self.scale != 1.0, format!("--scale={}", self.scale)),
            (is_unusual(&self.engine), format!("--mysql-storage-engine={}", self.engine)),
        ];
        joined(self.workload.clone(), unusual)
    }

    fn cleanup(&self) -> String {
        format!("cleanup {}", self.workload)
    }
}

impl Spoken for LuaData {
    fn prepare(&self) -> String {
        let options = self.options.iter().map(|(name, text)| format!("--{name}={text}"));
        std::iter::once(self.script.path.clone()).chain(options).collect::<Vec<_>>().join(" ")
    }

    fn cleanup(&self) -> String {
        format!("cleanup {}", self.prepare())
    }
}

fn is_unusual(engine: &str) -> bool {
    !engine.eq_ignore_ascii_case("innodb")
}

fn joined<const N: usize>(first: String, unusual: [(bool, String); N]) -> String {
    let rest = unusual.into_iter().filter_map(|(is, word)| is.then_some(word));
    std::iter::once(first).chain(rest).collect::<Vec<_>>().join(" ")
}

/// Advice for a failed connection.
pub fn to_connect(error: &ConnectError) -> Vec<Advice> {
    let mode = |what: &str, mode: &str| Advice::value(what, OptionId::SslMode, mode);
    let encrypted = || mode("use TLS", "REQUIRED");
    match error {
        ConnectError::Refused { .. } => {
            vec![Advice::words("is the server running, and are host and port right?")]
        }
        ConnectError::UnknownHost { .. } => vec![Advice::option("check the spelling of", OptionId::Host)],
        ConnectError::TimedOut { .. } => vec![
            Advice::words("is a firewall in between?"),
            Advice::option("raise the limit in seconds", OptionId::ConnectTimeout),
        ],
        ConnectError::Socket { .. } => {
            vec![Advice::option("is the server running? Else name its socket", OptionId::Socket)]
        }
        ConnectError::AccessDenied { using_password: true, .. } => vec![
            Advice::words("check user and password"),
            Advice::words("an account that requires a certificate needs --ssl-cert and --ssl-key"),
        ],
        ConnectError::AccessDenied { using_password: false, .. } => {
            vec![Advice::words(
                "give a password with -p, in ~/.my.cnf under [client], with --defaults-file, or in MYSQL_PWD",
            )]
        }
        ConnectError::UnknownDatabase { .. } => vec![
            Advice::run("create it and load the data", Verb::PrepareAgain),
            Advice::option("name another one", OptionId::Database),
        ],
        ConnectError::DatabaseDenied { user, database, .. } => {
            let database = database.replace('`', "``");
            let sql = format!("CREATE DATABASE `{database}`; GRANT ALL ON `{database}`.* TO '{user}';");
            vec![Advice::sql("create it as another account", sql)]
        }
        ConnectError::TooManyConnections { .. } => {
            vec![Advice::words("raise max_connections there, or use fewer clients")]
        }
        ConnectError::TlsNotOffered { .. } => vec![
            Advice::words("enable TLS on the server: ssl_cert, ssl_key"),
            mode("do without where there is none", "PREFERRED"),
        ],
        ConnectError::Tls { fault, .. } => to_agree_on_tls(*fault),
        ConnectError::TlsFile { file, .. } => vec![Advice::option(
            "name a readable file in PEM format",
            match file {
                wire::TlsFile::Ca => OptionId::SslCa,
                wire::TlsFile::Cert => OptionId::SslCert,
                wire::TlsFile::Key => OptionId::SslKey,
            },
        )],
        ConnectError::PluginUnsupported { .. } => {
            vec![Advice::words("use an account with caching_sha2_password, mysql_native_password or ed25519")]
        }
        ConnectError::NeedsPublicKey { .. } => vec![
            encrypted(),
            Advice::option("or a Unix socket", OptionId::Socket),
            Advice::option("or ask the server for its public key", OptionId::GetServerPublicKey),
        ],
        ConnectError::PublicKey { .. } | ConnectError::ClearPassword { .. } => vec![encrypted()],
        ConnectError::Protocol { .. } => {
            vec![Advice::words("is this the port of a MySQL or MariaDB server?")]
        }
        ConnectError::Lost { .. } | ConnectError::Server { .. } | ConnectError::InitCommand { .. } => {
            Vec::new()
        }
    }
}

/// Advice for a failed TLS handshake.
fn to_agree_on_tls(fault: TlsFault) -> Vec<Advice> {
    let mode = |what: &str, mode: &str| Advice::value(what, OptionId::SslMode, mode);
    match fault {
        TlsFault::CertificateVersion => vec![
            Advice::words("make the certificate again, with a subjectAltName"),
            mode("encrypt without checking it", "REQUIRED"),
        ],
        TlsFault::CertificateName => vec![
            Advice::words("connect by the name that is in the certificate"),
            mode("do not check the name", "VERIFY_CA"),
        ],
        TlsFault::CertificateUntrusted => vec![
            Advice::option("name the file of its authority", OptionId::SslCa),
            mode("encrypt without checking it", "REQUIRED"),
        ],
        TlsFault::Version => {
            let what = "compare the server's tls_version with what is asked for";
            vec![Advice::option(what, OptionId::TlsVersion)]
        }
        TlsFault::Refused => vec![
            Advice::option("check the client's certificate", OptionId::SslCert),
            Advice::option("and its key", OptionId::SslKey),
        ],
        TlsFault::Other => {
            vec![Advice::words("check the server's TLS settings"), mode("connect without TLS", "DISABLED")]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_that_advice_names_exists() {
        for option in OptionId::ALL {
            assert!(!crate::cli::verbs_with(name(option)).is_empty(), "no verb has --{}", name(option));
        }
    }

    #[test]
    fn a_command_that_loads_data_is_understood_and_asks_for_these_data() {
        let data = TpccData {
            warehouses: 3,
            age: 5,
            foreign_keys: true,
            order_index: false,
            engine: "MyISAM".to_owned(),
            ..TpccData::default()
        };
        let advice = Advice::run("load the rest", Verb::Prepare(Box::new(DataSet::Tpcc(data))));
        let said = line(&advice);
        assert_eq!(
            said,
            "load the rest:  mydyno prepare tpcc --warehouses=3 --age=5 --foreign-keys=on --order-index=off \
             --mysql-storage-engine=MyISAM"
        );
        let words = said.split_once("mydyno ").map(|(_, words)| words).expect("a command");
        crate::commandline::read(words.split(' ').map(Into::into).collect()).expect("it is a command");
    }
}
