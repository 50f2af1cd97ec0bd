//! The blocking client against a fake server: every plugin, every kind of answer, and every way a server can misbehave.

use std::time::Duration;

use testkit::{Answer, Delivery, FakeServer, Listen, Options, Password, Sha2Cache};
use wire::{Capabilities, Client, ConnectError, QueryError, SqlValue, TlsPolicy, auth::Plugin};

fn with_password() -> Options {
    Options { password: Password::Required("pw".into()), ..Options::default() }
}

fn start(options: Options) -> FakeServer {
    FakeServer::start(options, |request| match request.sql {
        "SELECT 1" => Answer::rows(&["1"], &[&[Some("1")]]),
        "SELECT ?" => match request.values {
            [SqlValue::Int(value)] => Answer::rows(&["?"], &[&[Some(&value.to_string())]]),
            _ => Answer::rows(&["?"], &[&[None]]),
        },
        "CALL p" => Answer::Several(vec![
            Answer::rows(&["a", "b"], &[&[Some("x"), None], &[Some(""), Some("y")]]),
            Answer::rows(&["other"], &[]),
            Answer::ok(3),
        ]),
        "LOAD" => Answer::LocalFile(Box::new(Answer::ok(2))),
        "CLOSE" => Answer::Close,
        "STALL" => Answer::Stall(Duration::from_secs(30), Box::new(Answer::ok(0))),
        "NONSENSE" => Answer::Bytes(b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec()),
        "EMPTY" => Answer::Packet(Vec::new()),
        "COLUMNS" => Answer::Packet(vec![0xfd, 0xff, 0xff, 0xff]),
        sql if sql.starts_with("SET") || sql.starts_with("BIG") => Answer::ok(1),
        sql => Answer::error(1064, "42000", &format!("syntax error near {sql}")),
    })
}

fn connect(server: &FakeServer) -> Client {
    Client::connect(&server.connect_options()).expect("the fake server lets everyone in")
}

#[test]
fn every_plugin_logs_in_and_refuses_a_wrong_password() {
    for plugin in [Plugin::CachingSha2, Plugin::Native] {
        for switch_to in [None, Some(Plugin::Native), Some(Plugin::CachingSha2), Some(Plugin::Ed25519)] {
            let server = start(Options { plugin, switch_to, ..with_password() });
            assert_eq!(connect(&server).query("SELECT 1").unwrap().rows.len(), 1);
            let mut wrong = server.connect_options();
            wrong.password = Some("wrong".into());
            let error = Client::connect(&wrong).unwrap_err();
            assert!(matches!(error, ConnectError::AccessDenied { using_password: true, .. }), "{error}");
            assert_eq!(error.server_error().map(|error| error.code), Some(1045));
        }
    }
}

#[test]
fn full_authentication_works_over_a_socket_and_is_explained_over_tcp() {
    let directory = tempfile::tempdir().unwrap();
    let listen = Listen::Unix(directory.path().join("sock"));
    let server = start(Options { listen, sha2_cache: Sha2Cache::Cold, ..with_password() });
    connect(&server).ping().unwrap();
    let server = start(Options { sha2_cache: Sha2Cache::Cold, ..with_password() });
    let error = Client::connect(&server.connect_options()).unwrap_err();
    assert!(matches!(error, ConnectError::NeedsPublicKey { .. }), "{error}");
}

#[test]
fn a_clear_text_password_is_not_sent() {
    let server = start(Options { switch_to: Some(Plugin::Clear), ..with_password() });
    let error = Client::connect(&server.connect_options()).unwrap_err();
    assert!(matches!(error, ConnectError::ClearPassword { .. }), "{error}");
}

#[test]
fn tls_that_is_required_and_not_offered_is_an_error_and_preferred_does_without() {
    let server = start(Options::default());
    for mode in [TlsPolicy::Required, TlsPolicy::VerifyCa, TlsPolicy::VerifyIdentity] {
        let mut options = server.connect_options();
        options.tls.mode = mode;
        let error = Client::connect(&options).unwrap_err();
        assert!(matches!(error, ConnectError::TlsNotOffered { .. }), "{error}");
    }
    assert_eq!(connect(&server).session().tls, None);
}

#[test]
fn too_many_connections_are_a_case_of_their_own() {
    let server = start(Options { connections_max: 1, ..Options::default() });
    let _first = connect(&server);
    let error = Client::connect(&server.connect_options()).unwrap_err();
    assert!(matches!(error, ConnectError::TooManyConnections { .. }));
}

#[test]
fn nobody_listening_unknown_host_and_no_socket_are_told_apart() {
    let gone = start(Options::default()).connect_options();
    assert!(matches!(Client::connect(&gone).unwrap_err(), ConnectError::Refused { .. }));
    let mut options = gone.clone();
    options.address = wire::ServerAddress::Tcp { host: "no such host".into(), port: 3306 };
    assert!(matches!(Client::connect(&options).unwrap_err(), ConnectError::UnknownHost { .. }));
    options.address = wire::ServerAddress::Unix("/nonexistent/mysql.sock".into());
    assert!(matches!(Client::connect(&options).unwrap_err(), ConnectError::Socket { .. }));
}

#[test]
fn results_come_whole_in_both_protocols_both_styles_and_byte_by_byte() {
    let modern = Options::default().capabilities;
    for capabilities in [modern, modern.without(Capabilities::DEPRECATE_EOF)] {
        for delivery in [Delivery::Whole, Delivery::ByteByByte] {
            let server = start(Options { capabilities, delivery, ..Options::default() });
            let mut client = connect(&server);
            let result = client.query("CALL p").unwrap();
            assert_eq!(
                result.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>(),
                ["a", "b"]
            );
            assert_eq!(result.rows.len(), 2);
            assert_eq!((result.rows[0].text(0), result.rows[0].get(1)), (Some("x"), None));
            assert_eq!((result.rows[1].text(0), result.rows[1].text(1)), (Some(""), Some("y")));
            assert_eq!(result.affected_rows, 3);
            assert_eq!(client.execute("CALL p").unwrap().rows, 2);
            let statement = client.prepare("SELECT ?").unwrap();
            assert_eq!(statement.params(), 1);
            let result = client.execute_prepared(&statement, &[SqlValue::Int(-7)]).unwrap();
            assert_eq!(result.rows[0].parse(0), Some(-7));
            let result = client.execute_prepared(&statement, &[SqlValue::Null]).unwrap();
            assert_eq!(result.rows[0].get(0), None);
            let error = client.execute_prepared(&statement, &[]).unwrap_err();
            assert!(matches!(error, QueryError::Parameters { expected: 1, got: 0, .. }));
            client.close_statement(statement).unwrap();
            client.reset().unwrap();
            client.ping().unwrap();
        }
    }
}

#[test]
fn an_error_shows_the_statement_and_the_connection_goes_on() {
    let server = start(Options::default());
    let mut client = connect(&server);
    let error = client.query("SELEC 1").unwrap_err();
    assert_eq!(error.to_string(), "error 1064 (42000): syntax error near SELEC 1; statement: SELEC 1");
    assert!(!error.is_lost());
    client.query("SELECT 1").unwrap();
}

#[test]
fn local_data_is_sent_for_load_data_and_refused_otherwise() {
    let server = start(Options::default());
    let mut options = server.connect_options();
    options.local_infile = true;
    let mut client = Client::connect(&options).unwrap();
    let data = vec![b'x'; 300_000];
    assert_eq!(client.load_data_local("LOAD", &mut data.as_slice()).unwrap().affected_rows, 2);
    assert_eq!(server.local_data(), data);
    let error = client.execute("LOAD").unwrap_err();
    assert!(matches!(error, QueryError::LocalFileRefused { .. }));
    assert_eq!(server.local_data(), data);
    client.ping().unwrap();
}

#[test]
fn data_that_cannot_be_read_is_an_error_although_the_server_is_content() {
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("disk on fire"))
        }
    }
    let server = start(Options::default());
    let mut client = connect(&server);
    let error = client.load_data_local("LOAD", &mut Broken).unwrap_err();
    assert!(error.to_string().contains("disk on fire"), "{error}");
    client.ping().unwrap();
}

#[test]
fn a_statement_beyond_sixteen_mebibytes_arrives() {
    let server = start(Options::default());
    let mut client = connect(&server);
    let sql = format!("BIG {}", "x".repeat(17 << 20));
    assert_eq!(client.execute(&sql).unwrap().affected_rows, 1);
    assert!(server.statements() == [sql]);
    client.ping().unwrap();
}

#[test]
fn init_commands_run_first_and_say_so_when_they_fail() {
    let server = start(Options::default());
    let mut options = server.connect_options();
    options.init_commands = vec!["SET a=1".into(), "SET b=2".into()];
    drop(Client::connect(&options).unwrap());
    assert_eq!(server.statements(), ["SET a=1", "SET b=2"]);
    options.init_commands = vec!["SOT a=1".into()];
    let error = Client::connect(&options).unwrap_err();
    assert!(error.to_string().contains("init command") && error.to_string().contains("SOT a=1"), "{error}");
    assert_eq!(error.server_error().map(|error| error.code), Some(1064));
}

#[test]
fn a_server_that_misbehaves_is_an_error_and_the_connection_is_lost() {
    let server = start(Options::default());
    for sql in ["CLOSE", "NONSENSE", "EMPTY", "COLUMNS"] {
        let error = connect(&server).query(sql).unwrap_err();
        assert!(error.is_lost(), "{error}");
        assert!(error.to_string().contains(sql), "{error}");
    }
}

#[test]
fn a_server_that_stalls_is_given_up() {
    let server = start(Options::default());
    let mut options = server.connect_options();
    options.read_timeout = Some(Duration::from_millis(50));
    let error = Client::connect(&options).unwrap().query("STALL").unwrap_err();
    assert!(matches!(error, QueryError::TimedOut { .. }), "{error}");
}

#[test]
fn a_socket_whose_server_hangs_is_given_up() {
    use rustix::net::{AddressFamily, SocketAddrUnix, SocketType, bind, listen, socket};
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("sock");
    let listener = socket(AddressFamily::UNIX, SocketType::STREAM, None).unwrap();
    bind(&listener, &SocketAddrUnix::new(&path).unwrap()).unwrap();
    listen(&listener, 0).unwrap();
    let mut options = wire::ConnectOptions::new(wire::ServerAddress::Unix(path), "test");
    options.connect_timeout = Duration::from_millis(50);
    // Nobody accepts: the first waits in the backlog for a greeting, the others for a place in the backlog.
    for _ in 0..3 {
        assert!(matches!(Client::connect(&options).unwrap_err(), ConnectError::TimedOut { .. }));
    }
}

#[test]
fn a_connection_closed_at_any_byte_is_an_error_never_a_hang() {
    for limit in 0..200 {
        let server = start(Options { close_after_bytes: Some(limit), ..Options::default() });
        let ended = match Client::connect(&server.connect_options()) {
            Err(_) => true,
            Ok(mut client) => client.query("CALL p").is_err(),
        };
        assert!(ended, "closed after {limit} bytes");
    }
}

#[test]
fn the_parts_of_a_connection_go_on_by_themselves() {
    use std::io::{Read, Write};
    let server = start(Options::default());
    let mut parts = connect(&server).into_parts();
    let mut out = Vec::new();
    wire::command::ping(&mut out);
    parts.write_all(&out).unwrap();
    let mut answer = [0; 11];
    parts.read_exact(&mut answer).unwrap();
    assert_eq!(answer[4], 0);
    assert_eq!(parts.session.server_version, "9.7.0-fake");
}
