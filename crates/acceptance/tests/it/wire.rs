//! The wire crate against real servers: every way to log in over every transport, and statements in both protocols.
//!
//! What a fake server cannot answer: whether the cryptography is the servers' own, whether rustls and their TLS agree,
//! and whether the two servers' answers mean what the client takes them to mean.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use model::{Flavour, SandboxSpec};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use sandbox::{DATABASE, Home, Server, StartOptions};
use wire::{
    Client, ConnectError, ConnectOptions, Connector, QueryError, ServerAddress, SqlValue, TlsFault, TlsFile,
    TlsOptions, TlsPolicy, TlsProtocol,
};

const PASSWORD: &str = "correct horse";

/// A certificate authority, and what it certifies: the server as "localhost", and a client.
struct Certificates {
    directory: tempfile::TempDir,
}

impl Certificates {
    fn new() -> Self {
        let made = Self { directory: tempfile::tempdir().expect("a temporary directory") };
        for authority in ["ca", "other-ca"] {
            let mut params = CertificateParams::new([]).expect("no names, no error");
            // Each its own name: OpenSSL takes a certificate that names itself as its issuer for self-signed.
            params.distinguished_name.push(DnType::CommonName, authority);
            params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
            let key = KeyPair::generate().expect("a key");
            let issuer = CertifiedIssuer::self_signed(params, key).expect("a certificate");
            made.write(&format!("{authority}.pem"), &issuer.pem());
            if authority == "ca" {
                for (file, name) in [("server", "localhost"), ("client", "client")] {
                    let key = KeyPair::generate().expect("a key");
                    let mut params = CertificateParams::new([name.to_owned()]).expect("a valid name");
                    params.distinguished_name.push(DnType::CommonName, name);
                    let certificate = params.signed_by(&key, &issuer).expect("a certificate");
                    made.write(&format!("{file}.pem"), &certificate.pem());
                    made.write(&format!("{file}-key.pem"), &key.serialize_pem());
                }
            }
        }
        made
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("the temporary directory is writable");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The server settings that use them.
    fn settings(&self) -> Vec<(&'static str, String)> {
        let path = |name| self.path(name).display().to_string();
        vec![
            ("ssl_ca", path("ca.pem")),
            ("ssl_cert", path("server.pem")),
            ("ssl_key", path("server-key.pem")),
        ]
    }
}

fn start(name: &str, flavour: Flavour, settings: &[(&str, String)]) -> Server {
    let home = std::env::var_os("MYDYNO_TEST_HOME")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/test-home"), PathBuf::from);
    let home = Home::open(&home).expect("the home of the tests can be made");
    home.install(flavour, &mut |_| ()).expect("a server can be installed");
    let small =
        [("innodb_buffer_pool_size", "64M"), ("max_connections", "20"), ("max_allowed_packet", "128M")];
    let settings: BTreeMap<String, String> = small
        .iter()
        .map(|&(name, value)| (name.to_owned(), value.to_owned()))
        .chain(settings.iter().map(|(name, value)| ((*name).to_owned(), value.clone())))
        .collect();
    let spec = SandboxSpec::new(flavour, settings);
    home.start(&StartOptions::new(name, &spec)).expect("it starts")
}

fn administrator(server: &Server) -> Client {
    Client::connect(&server.connect_options(Some(DATABASE))).expect("the sandbox's own account")
}

fn tell(server: &Server, statements: &[&str]) {
    let mut client = administrator(server);
    for statement in statements {
        client.execute(statement).expect("the statement is right");
    }
}

/// How a server is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Via {
    /// 127.0.0.1, which is not in the certificate.
    Ip,
    /// localhost, which is.
    Name,
    Socket,
}

fn options(
    server: &Server,
    via: Via,
    user: &str,
    mode: TlsPolicy,
    certificates: &Certificates,
) -> ConnectOptions {
    let tcp = |host: &str| ServerAddress::Tcp { host: host.to_owned(), port: server.port() };
    let address = match via {
        Via::Ip => tcp("127.0.0.1"),
        Via::Name => tcp("localhost"),
        Via::Socket => ServerAddress::Unix(server.socket()),
    };
    let mut options = ConnectOptions::new(address, user);
    options.password = Some(PASSWORD.into());
    options.tls = TlsOptions { mode, ca: Some(certificates.path("ca.pem")), ..TlsOptions::default() };
    options
}

const MODES: [TlsPolicy; 5] = [
    TlsPolicy::Disabled,
    TlsPolicy::Preferred,
    TlsPolicy::Required,
    TlsPolicy::VerifyCa,
    TlsPolicy::VerifyIdentity,
];
const VIAS: [Via; 3] = [Via::Ip, Via::Name, Via::Socket];

/// Whether a connection over `via` with `mode` is encrypted, or refused for the name in the certificate.
fn expected_tls(via: Via, mode: TlsPolicy) -> Option<bool> {
    match (via, mode) {
        (_, TlsPolicy::Disabled) | (Via::Socket, TlsPolicy::Preferred) => Some(false),
        (Via::Ip, TlsPolicy::VerifyIdentity) => None,
        _ => Some(true),
    }
}

/// Logs `user` in over every transport with every mode; the account must work wherever TLS does.
fn logs_in_everywhere(server: &Server, user: &str, certificates: &Certificates, before_each: impl Fn()) {
    for via in VIAS {
        for mode in MODES {
            before_each();
            let mut options = options(server, via, user, mode, certificates);
            options.get_server_public_key = true;
            let connected = Client::connect(&options);
            match (expected_tls(via, mode), connected) {
                (Some(encrypted), Ok(mut client)) => {
                    assert_eq!(client.session().tls.is_some(), encrypted, "{user} {via:?} {mode:?}");
                    let who = client.query("SELECT CURRENT_USER()").expect("it is connected");
                    assert_eq!(who.rows[0].text(0), Some(format!("{user}@%").as_str()));
                }
                (None, Err(ConnectError::Tls { fault, .. })) => assert_eq!(fault, TlsFault::CertificateName),
                (expected, connected) => {
                    panic!("{user} {via:?} {mode:?}: {expected:?} {:?}", connected.err())
                }
            }
            options.password = Some("wrong".into());
            if expected_tls(via, mode).is_some() {
                let refused = Client::connect(&options).expect_err("the password is wrong");
                assert!(
                    matches!(refused, ConnectError::AccessDenied { using_password: true, .. }),
                    "{refused}"
                );
            }
        }
    }
}

/// What is the same on both servers, for an account that logs in everywhere.
fn refuses_what_it_should(server: &Server, user: &str, certificates: &Certificates) {
    for mode in [TlsPolicy::VerifyCa, TlsPolicy::VerifyIdentity] {
        let mut strange = options(server, Via::Name, user, mode, certificates);
        strange.tls.ca = Some(certificates.path("other-ca.pem"));
        let error = Client::connect(&strange).expect_err("another authority");
        let untrusted =
            |error: &_| matches!(error, ConnectError::Tls { fault: TlsFault::CertificateUntrusted, .. });
        assert!(untrusted(&error), "{error}");
        strange.tls.ca = Some(certificates.path("server-key.pem"));
        let error = Client::connect(&strange).expect_err("no certificate");
        assert!(matches!(error, ConnectError::TlsFile { file: TlsFile::Ca, .. }), "{error}");
    }
    let mut nowhere = options(server, Via::Socket, user, TlsPolicy::Required, certificates);
    nowhere.database = Some("no_such_database".into());
    let error = Client::connect(&nowhere).expect_err("no such database, no right to know");
    assert!(matches!(error, ConnectError::DatabaseDenied { .. }), "{error}");
    let error =
        Client::connect(&server.connect_options(Some("no_such_database"))).expect_err("no such database");
    assert!(matches!(error, ConnectError::UnknownDatabase { .. }), "{error}");
    let mut nobody = options(server, Via::Ip, "nobody", TlsPolicy::Required, certificates);
    nobody.password = None;
    let error = Client::connect(&nobody).expect_err("no such user");
    assert!(matches!(error, ConnectError::AccessDenied { using_password: false, .. }), "{error}");
}

/// An account that must show a certificate.
fn knows_clients_by_certificate(server: &Server, user: &str, certificates: &Certificates) {
    let mut options = options(server, Via::Name, user, TlsPolicy::VerifyIdentity, certificates);
    assert!(Client::connect(&options).is_err());
    options.tls.cert = Some(certificates.path("client.pem"));
    assert!(matches!(Client::connect(&options), Err(ConnectError::TlsFile { file: TlsFile::Cert, .. })));
    options.tls.key = Some(certificates.path("client-key.pem"));
    Client::connect(&options).expect("the client shows its certificate");
}

/// Each version of TLS, as it was asked for and as the server says that it is; and an earlier session again.
fn speaks_the_version_that_is_asked_for(server: &Server, user: &str, certificates: &Certificates) {
    let says = |client: &mut Client, name: &str| {
        let answer = client.query(&format!("SHOW SESSION STATUS LIKE '{name}'")).expect("it is connected");
        answer.rows[0].text(1).map(str::to_owned).expect("a status has a value")
    };
    for (version, name) in [(TlsProtocol::V12, "TLSv1.2"), (TlsProtocol::V13, "TLSv1.3")] {
        let mut options = options(server, Via::Ip, user, TlsPolicy::Required, certificates);
        options.tls.versions = vec![version];
        for resumption in [false, true] {
            options.tls.resumption = resumption;
            let connector = Connector::new(&options);
            for resumed in [false, resumption, resumption] {
                let mut client = Client::connect_by(&connector).expect("both versions are spoken");
                let tls = client.session().tls.clone().expect("it is encrypted");
                assert_eq!((tls.version.as_str(), tls.resumed), (name, resumed), "{user}: {tls:?}");
                assert_eq!(says(&mut client, "Ssl_version"), name);
                // OpenSSL has names of its own for the suites of 1.2.
                let cipher = says(&mut client, "Ssl_cipher");
                let letters = |name: &str| name.replace("WITH_", "").replace(['_', '-'], "");
                let (ours, theirs) = (letters(&tls.cipher), letters(&cipher));
                assert_eq!(ours.trim_start_matches("TLS"), theirs.trim_start_matches("TLS"));
            }
        }
    }
}

/// Fills the server up; the last clients are told why they cannot come in.
fn says_when_it_is_full(server: &Server, user: &str, certificates: &Certificates) {
    let options = options(server, Via::Socket, user, TlsPolicy::Required, certificates);
    let mut clients = Vec::new();
    let error = loop {
        assert!(clients.len() <= 20, "max_connections is 20");
        match Client::connect(&options) {
            Ok(client) => clients.push(client),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, ConnectError::TooManyConnections { .. }), "{error}");
}

#[test]
fn mysql_lets_in_whom_it_should() {
    let certificates = Certificates::new();
    let server = start("t-wire-mysql", Flavour::Mysql, &certificates.settings());
    tell(
        &server,
        &[
            &format!("CREATE USER sha IDENTIFIED WITH caching_sha2_password BY '{PASSWORD}'"),
            &format!("CREATE USER old IDENTIFIED WITH sha256_password BY '{PASSWORD}'"),
            "CREATE USER blank IDENTIFIED WITH caching_sha2_password BY ''",
            &format!("CREATE USER certified IDENTIFIED BY '{PASSWORD}' REQUIRE X509"),
        ],
    );
    // FLUSH PRIVILEGES empties the server's cache of password hashes: full authentication every time.
    let forget = || tell(&server, &["FLUSH PRIVILEGES"]);
    logs_in_everywhere(&server, "sha", &certificates, forget);
    logs_in_everywhere(&server, "sha", &certificates, || ());
    logs_in_everywhere(&server, "old", &certificates, || ());

    forget();
    let mut plain = options(&server, Via::Ip, "sha", TlsPolicy::Disabled, &certificates);
    let error = Client::connect(&plain).expect_err("the server does not know the hash");
    assert!(matches!(error, ConnectError::NeedsPublicKey { .. }), "{error}");
    plain.get_server_public_key = true;
    Client::connect(&plain).expect("the password is sent under the server's key");
    plain.get_server_public_key = false;
    Client::connect(&plain).expect("the server knows the hash now");

    let mut empty = options(&server, Via::Ip, "blank", TlsPolicy::Disabled, &certificates);
    empty.password = None;
    Client::connect(&empty).expect("no password, no cryptography");

    speaks_the_version_that_is_asked_for(&server, "sha", &certificates);
    refuses_what_it_should(&server, "sha", &certificates);
    knows_clients_by_certificate(&server, "certified", &certificates);
    says_when_it_is_full(&server, "sha", &certificates);
    server.stop().expect("it stops");
}

#[test]
fn mariadb_lets_in_whom_it_should() {
    let certificates = Certificates::new();
    let server = start("t-wire-mariadb", Flavour::Mariadb, &certificates.settings());
    tell(
        &server,
        &[
            "INSTALL SONAME 'auth_ed25519'",
            &format!("CREATE USER native IDENTIFIED VIA mysql_native_password USING PASSWORD('{PASSWORD}')"),
            &format!("CREATE USER ed IDENTIFIED VIA ed25519 USING PASSWORD('{PASSWORD}')"),
            &format!("CREATE USER certified IDENTIFIED BY '{PASSWORD}' REQUIRE X509"),
            "CREATE USER system IDENTIFIED VIA unix_socket",
        ],
    );
    logs_in_everywhere(&server, "native", &certificates, || ());
    logs_in_everywhere(&server, "ed", &certificates, || ());
    speaks_the_version_that_is_asked_for(&server, "ed", &certificates);
    refuses_what_it_should(&server, "ed", &certificates);
    knows_clients_by_certificate(&server, "certified", &certificates);
    says_when_it_is_full(&server, "native", &certificates);
    server.stop().expect("it stops");
}

#[test]
fn a_mariadb_without_certificates_is_plain_where_that_is_allowed() {
    let certificates = Certificates::new();
    let server = start("t-wire-plain", Flavour::Mariadb, &[]);
    tell(&server, &[&format!("CREATE USER native IDENTIFIED BY '{PASSWORD}'")]);
    for mode in MODES {
        let connected = Client::connect(&options(&server, Via::Ip, "native", mode, &certificates));
        match mode {
            TlsPolicy::Disabled | TlsPolicy::Preferred => {
                assert_eq!(connected.expect("no TLS is asked for").session().tls, None);
            }
            _ => assert!(matches!(connected, Err(ConnectError::TlsNotOffered { .. })), "{mode:?}"),
        }
    }
    server.stop().expect("it stops");
}

/// Every type of column, with a value that is its own in the text protocol.
const TYPES: [(&str, &str); 16] = [
    ("TINYINT", "-5"),
    ("SMALLINT UNSIGNED", "65535"),
    ("MEDIUMINT", "-8388608"),
    ("INT", "-2147483648"),
    ("BIGINT UNSIGNED", "18446744073709551615"),
    ("YEAR", "2026"),
    ("FLOAT", "1.5"),
    ("DOUBLE", "-2.25"),
    ("DECIMAL(10,2)", "-12.30"),
    ("DATE", "2026-01-02"),
    ("DATETIME(3)", "2026-01-02 03:04:05.060"),
    ("DATETIME", "2026-01-02 00:00:00"),
    ("TIME", "-49:00:09"),
    ("VARCHAR(20)", "h\u{e9}llo \u{1f600}"),
    ("BLOB", "bytes"),
    ("BIT(8)", "A"),
];

fn speaks_both_protocols(server: &Server) {
    let mut client = administrator(server);
    let columns: Vec<String> = TYPES
        .iter()
        .enumerate()
        .map(|(index, (kind, _))| format!("c{index} {kind}, n{index} {kind}"))
        .collect();
    client
        .execute(&format!("CREATE TABLE types ({}) CHARSET utf8mb4", columns.join(", ")))
        .expect("it is right");
    let names: Vec<String> = (0..TYPES.len()).map(|index| format!("c{index}")).collect();
    let marks = vec!["?"; TYPES.len()].join(", ");
    let insert = client.prepare(&format!("INSERT INTO types ({}) VALUES ({marks})", names.join(", ")));
    let insert = insert.expect("it is right");
    let values: Vec<SqlValue<'_>> =
        TYPES.iter().map(|(_, value)| SqlValue::Bytes(value.as_bytes())).collect();
    assert_eq!(client.execute_prepared(&insert, &values).expect("it fits").affected_rows, 1);

    let text = client.query("SELECT * FROM types").expect("it is right");
    let select = client.prepare("SELECT * FROM types WHERE c0 = ?").expect("it is right");
    // More than once: MariaDB sends the columns' definitions only the first time.
    for _ in 0..3 {
        let binary = client.execute_prepared(&select, &[SqlValue::Int(-5)]).expect("it is right");
        assert_eq!((&binary.columns, &binary.rows), (&text.columns, &text.rows));
    }
    for (index, (kind, value)) in TYPES.iter().enumerate() {
        assert_eq!(text.rows[0].text(2 * index), Some(*value), "{kind}");
        assert_eq!(text.rows[0].get(2 * index + 1), None, "{kind}");
    }
    let none = client.execute_prepared(&select, &[SqlValue::Null]).expect("it is right");
    assert!(none.rows.is_empty() && none.columns == text.columns);

    client
        .execute("CREATE PROCEDURE three() BEGIN SELECT 1; SELECT 2, 3; UPDATE types SET c0 = 7; END")
        .expect("it is right");
    assert_eq!(client.query("CALL three()").expect("it exists").rows[0].text(0), Some("1"));
    assert_eq!(client.execute("CALL three()").expect("it exists").rows, 2);
    let call = client.prepare("CALL three()").expect("it exists");
    for _ in 0..2 {
        assert_eq!(client.execute_prepared(&call, &[]).expect("it exists").rows.len(), 1);
    }
    let update = client.execute("UPDATE types SET c0 = 8").expect("it is right");
    assert_eq!((update.affected_rows, update.info.as_str()), (1, "Rows matched: 1  Changed: 1  Warnings: 0"));

    client.reset().expect("it can");
    let error = client.execute_prepared(&select, &[SqlValue::Int(1)]).expect_err("the statement is gone");
    assert_eq!(error.server_error().map(|error| error.code), Some(1243));
    client.ping().expect("it is there");
}

fn carries_large_packets(server: &Server) {
    let mut client = administrator(server);
    const CHUNK: usize = 0xff_ffff;
    let prefix = "SELECT /**/ 1".len() + 1;
    for length in [CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK] {
        let sql = format!("SELECT /*{}*/ 1", "x".repeat(length - prefix));
        assert_eq!(sql.len() + 1, length, "with the command's byte");
        assert_eq!(client.query(&sql).expect("it is right").rows[0].text(0), Some("1"));
    }
    for length in [CHUNK - 4, CHUNK, 40_000_000] {
        let result = client.query(&format!("SELECT REPEAT('y', {length}), 'end'")).expect("it is right");
        assert_eq!(result.rows[0].get(0).map(<[u8]>::len), Some(length));
        assert_eq!(result.rows[0].text(1), Some("end"));
        assert_eq!(client.execute(&format!("SELECT REPEAT('y', {length})")).expect("it is right").rows, 1);
    }
    let big = vec![b'z'; 17 << 20];
    let echo = client.prepare("SELECT ?, LENGTH(?)").expect("it is right");
    let result =
        client.execute_prepared(&echo, &[SqlValue::Bytes(&big), SqlValue::Bytes(&big)]).expect("it is right");
    assert!(result.rows[0].get(0) == Some(&big[..]));
    assert_eq!(result.rows[0].parse(1), Some(big.len()));
    let wide: Vec<String> = (0..4096).map(|index| index.to_string()).collect();
    assert_eq!(
        client.query(&format!("SELECT {}", wide.join(","))).expect("it is allowed").rows[0].len(),
        4096
    );
}

fn loads_only_what_is_offered(server: &Server) {
    let mut client = administrator(server);
    client.execute("CREATE TABLE loaded (id INT PRIMARY KEY, word VARCHAR(20))").expect("it is right");
    let load = "LOAD DATA LOCAL INFILE 'x' INTO TABLE loaded";
    let lines: String = (0..20_000).map(|id| format!("{id}\tword {id}\n")).collect();
    let done = client.load_data_local(load, &mut lines.as_bytes()).expect("it is right");
    assert_eq!(done.affected_rows, 20_000);
    let error =
        client.execute("LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE loaded").expect_err("not offered");
    assert!(matches!(error, QueryError::LocalFileRefused { .. }), "{error}");
    let count = client.query("SELECT COUNT(*) FROM loaded").expect("the connection goes on");
    assert_eq!(count.rows[0].parse(0), Some(20_000));
}

fn speaks(name: &str, flavour: Flavour) {
    let server = start(name, flavour, &[]);
    speaks_both_protocols(&server);
    carries_large_packets(&server);
    loads_only_what_is_offered(&server);
    server.stop().expect("it stops");
}

#[test]
fn mysql_speaks() {
    speaks("t-wire-speaks-mysql", Flavour::Mysql);
}

#[test]
fn mariadb_speaks() {
    speaks("t-wire-speaks-mariadb", Flavour::Mariadb);
}
