//! The connection phase: what is sent to which server, what is refused, and that no server can make it panic or run on.

use std::time::Duration;

use proptest::{collection::vec, prelude::*};
use wire::{
    Capabilities, Secret, TlsSession,
    auth::{self, Plugin},
    error::{HandshakeError, ProtocolError},
    frame::Assembler,
    handshake::{Action, Handshake, HandshakeOptions, StartTls, Transport},
    limits::HANDSHAKE_PACKETS_MAX,
    response::OkInfo,
    server::{self, Greeting, Login},
};

const CHALLENGE: [u8; 20] = *b"abcdefghijklmnopqrst";
const ATTRIBUTES: &[(&str, &str)] = &[("program_name", "test")];

fn options(password: &Secret) -> HandshakeOptions<'_> {
    HandshakeOptions {
        user: "ada",
        password: Some(password),
        database: Some("sbtest"),
        transport: Transport::Network,
        tls: StartTls::Never,
        get_server_public_key: false,
        local_infile: false,
        attributes: ATTRIBUTES,
    }
}

fn offered() -> Capabilities {
    Capabilities::WANTED.without(Capabilities::MARIADB_CACHE_METADATA) | Capabilities::CONNECT_WITH_DB
}

fn greeting(plugin: &str, capabilities: Capabilities) -> Vec<u8> {
    let mut out = Vec::new();
    let version = "9.7.0";
    server::greeting(
        &mut out,
        &Greeting { version, connection_id: 5, capabilities, challenge: CHALLENGE, plugin },
    );
    out
}

fn payload(action: Action) -> Vec<u8> {
    let (Action::Send(bytes) | Action::StartTls(bytes)) = action else {
        panic!("nothing to send: {action:?}")
    };
    let mut packets = Assembler::new(1 << 20);
    packets.push(&bytes);
    let packet = packets.next_packet().expect("a well-formed packet");
    packet.expect("a whole packet").payload.to_vec()
}

fn login(action: Action) -> Login {
    let login = server::login(&payload(action)).expect("a well-formed response");
    login.expect("the whole response, not the request for TLS")
}

fn tls_session() -> TlsSession {
    let (version, cipher) = ("TLSv1.3".to_owned(), "TLS_AES_256_GCM_SHA384".to_owned());
    TlsSession { version, cipher, resumed: false, took: Duration::from_millis(1) }
}

#[test]
fn the_login_says_who_where_and_how() {
    let password = Secret::new("pw");
    let mut handshake = Handshake::new(options(&password));
    let login = login(handshake.packet(0, &greeting("caching_sha2_password", offered())).unwrap());
    assert_eq!(login.user, "ada");
    assert_eq!(login.database.as_deref(), Some("sbtest"));
    assert_eq!(login.plugin, "caching_sha2_password");
    assert_eq!(login.response, auth::caching_sha2(b"pw", &CHALLENGE));
    assert_eq!(login.attributes, [("program_name".to_owned(), "test".to_owned())]);
    assert!(!login.capabilities.has(Capabilities::LOCAL_FILES), "only when the caller will use it");
    let mut fast = Vec::new();
    server::auth_more(&mut fast, &[3]);
    assert_eq!(handshake.packet(2, &fast), Ok(Action::Read));
    let mut ok = Vec::new();
    server::ok(&mut ok, &OkInfo { status: 2, ..OkInfo::default() }, "");
    let Ok(Action::Done(session)) = handshake.packet(3, &ok) else { panic!("not done") };
    assert_eq!((session.connection_id, session.is_mariadb, session.status), (5, false, 2));
    assert_eq!(session.server_version, "9.7.0");
}

#[test]
fn a_mariadb_is_known_by_its_flags_and_gets_its_own() {
    let password = Secret::new("");
    let capabilities = Capabilities::WANTED.without(Capabilities::MYSQL);
    let mut handshake = Handshake::new(options(&password));
    let login = login(handshake.packet(0, &greeting("mysql_native_password", capabilities)).unwrap());
    assert!(login.capabilities.has(Capabilities::MARIADB_CACHE_METADATA));
    assert!(login.response.is_empty());
}

#[test]
fn every_plugin_can_be_switched_to_except_in_clear_text() {
    let password = Secret::new("pw");
    for plugin in [Plugin::Native, Plugin::CachingSha2, Plugin::Ed25519, Plugin::Sha256, Plugin::Clear] {
        let mut handshake = Handshake::new(options(&password));
        handshake.packet(0, &greeting("caching_sha2_password", offered())).unwrap();
        let challenge = [7; 20];
        let mut switch = Vec::new();
        server::auth_switch(&mut switch, plugin.name(), &challenge);
        let answer = handshake.packet(2, &switch);
        match plugin {
            Plugin::Native => assert_eq!(payload(answer.unwrap()), auth::native(b"pw", &challenge)),
            Plugin::CachingSha2 => {
                assert_eq!(payload(answer.unwrap()), auth::caching_sha2(b"pw", &challenge))
            }
            Plugin::Ed25519 => assert_eq!(payload(answer.unwrap()), auth::ed25519(b"pw", &challenge)),
            Plugin::Sha256 => assert_eq!(answer, Err(HandshakeError::NeedsPublicKey)),
            Plugin::Clear => assert_eq!(answer, Err(HandshakeError::ClearPassword)),
        }
    }
}

#[test]
fn an_unknown_plugin_is_named() {
    let password = Secret::new("pw");
    let mut handshake = Handshake::new(options(&password));
    handshake.packet(0, &greeting("caching_sha2_password", offered())).unwrap();
    let mut switch = Vec::new();
    server::auth_switch(&mut switch, "auth_gssapi_client", b"x");
    let plugin = "auth_gssapi_client".to_owned();
    assert_eq!(handshake.packet(2, &switch), Err(HandshakeError::PluginUnsupported { plugin }));
}

#[test]
fn a_server_whose_default_is_clear_text_gets_no_password() {
    let password = Secret::new("pw");
    let mut handshake = Handshake::new(options(&password));
    let login = login(handshake.packet(0, &greeting("mysql_clear_password", offered())).unwrap());
    assert_eq!(login.plugin, "caching_sha2_password");
    assert_eq!(login.response, auth::caching_sha2(b"pw", &CHALLENGE));
}

/// Up to the server's wish for the password itself.
fn full_authentication(options: HandshakeOptions<'_>) -> Result<Action, HandshakeError> {
    let mut handshake = Handshake::new(options);
    handshake.packet(0, &greeting("caching_sha2_password", offered()))?;
    handshake.packet(2, &[1, 4])
}

#[test]
fn the_password_itself_goes_only_where_nobody_listens() {
    let password = Secret::new("pw");
    assert_eq!(full_authentication(options(&password)), Err(HandshakeError::NeedsPublicKey));
    let by_key = HandshakeOptions { get_server_public_key: true, ..options(&password) };
    assert_eq!(payload(full_authentication(by_key).unwrap()), [2]);
    let by_socket = HandshakeOptions { transport: Transport::UnixSocket, ..options(&password) };
    assert_eq!(payload(full_authentication(by_socket).unwrap()), b"pw\0");
}

#[test]
fn tls_comes_before_the_name_of_the_user() {
    let password = Secret::new("pw");
    let wants = |tls| HandshakeOptions { tls, ..options(&password) };
    let plain = greeting("caching_sha2_password", offered());
    let with_tls = greeting("caching_sha2_password", offered() | Capabilities::SSL);
    assert_eq!(Handshake::new(wants(StartTls::Always)).packet(0, &plain), Err(HandshakeError::TlsNotOffered));
    assert!(matches!(Handshake::new(wants(StartTls::IfOffered)).packet(0, &plain), Ok(Action::Send(_))));
    assert!(matches!(Handshake::new(wants(StartTls::Never)).packet(0, &with_tls), Ok(Action::Send(_))));
    let mut handshake = Handshake::new(wants(StartTls::Always));
    let request = handshake.packet(0, &with_tls).unwrap();
    assert!(matches!(request, Action::StartTls(_)));
    assert_eq!(server::login(&payload(request)).unwrap(), None);
    assert_eq!(login(handshake.tls_started(tls_session()).unwrap()).user, "ada");
    assert_eq!(payload(handshake.packet(3, &[1, 4]).unwrap()), b"pw\0");
}

#[test]
fn errors_of_the_server_come_through_at_once() {
    let password = Secret::new("pw");
    let error = [&[0xff, 0x10, 0x04][..], b"Too many connections"].concat();
    let refused = Handshake::new(options(&password)).packet(0, &error);
    let Err(HandshakeError::Server(error)) = refused else { panic!("{refused:?}") };
    assert_eq!(
        (error.code, error.state.as_str(), error.message.as_str()),
        (1040, "HY000", "Too many connections")
    );
}

#[test]
fn other_protocols_are_refused() {
    let password = Secret::new("pw");
    let ssh = Handshake::new(options(&password)).packet(0, b"SSH-2.0-OpenSSH_9.2");
    assert_eq!(ssh, Err(HandshakeError::Protocol(ProtocolError::Version { version: b'S' })));
}

proptest! {
    #[test]
    fn any_packets_end_the_handshake(
        greet: bool,
        capabilities: u64,
        packets in vec((prop_oneof![Just(0u8), Just(1), Just(0xfe), Just(0xff), any::<u8>()], vec(any::<u8>(), 0..80)), 0..40),
        encrypted: bool,
    ) {
        let password = Secret::new("pw");
        let tls = if encrypted { StartTls::IfOffered } else { StartTls::Never };
        let mut handshake = Handshake::new(HandshakeOptions { tls, get_server_public_key: true, ..options(&password) });
        let mut sequence = 0;
        let mut taken = 0;
        let greeting = greet.then(|| greeting("caching_sha2_password", Capabilities(capabilities | offered().0)));
        let random = packets.into_iter().map(|(first, rest)| [&[first][..], &rest].concat());
        for packet in greeting.into_iter().chain(random) {
            taken += 1;
            match handshake.packet(sequence, &packet) {
                Ok(Action::StartTls(_)) => {
                    prop_assert!(handshake.tls_started(tls_session()).is_ok());
                    sequence += 3;
                }
                Ok(Action::Send(_)) => sequence += 2,
                Ok(Action::Read) => sequence += 1,
                Ok(Action::Done(_)) | Err(_) => break,
            }
        }
        prop_assert!(taken <= HANDSHAKE_PACKETS_MAX + 1);
    }
}
