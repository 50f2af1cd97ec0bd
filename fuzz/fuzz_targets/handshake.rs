//! A hostile server in the connection phase. The first byte chooses the client's options, the rest is what the server
//! sends, framed by itself; the client must end in a session or an error within its limit of packets.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::{
    Secret,
    frame::Assembler,
    handshake::{Action, Handshake, HandshakeOptions, StartTls, Transport},
    limits::{HANDSHAKE_BYTES_MAX, HANDSHAKE_PACKETS_MAX},
};

fuzz_target!(|input: &[u8]| {
    let Some((&choice, bytes)) = input.split_first() else { return };
    let password = Secret::new("secret");
    let mut handshake = Handshake::new(HandshakeOptions {
        user: "user",
        password: Some(&password),
        database: Some("db"),
        transport: if choice & 1 == 0 { Transport::Network } else { Transport::UnixSocket },
        tls: if choice & 2 == 0 { StartTls::Never } else { StartTls::IfOffered },
        get_server_public_key: choice & 4 != 0,
        local_infile: choice & 8 != 0,
        attributes: &[("program_name", "fuzz")],
    });
    let mut packets = Assembler::new(HANDSHAKE_BYTES_MAX);
    packets.push(bytes);
    let mut taken = 0;
    while let Ok(Some(packet)) = packets.next_packet() {
        taken += 1;
        assert!(taken <= HANDSHAKE_PACKETS_MAX + 1);
        match handshake.packet(packet.sequence, packet.payload) {
            Ok(Action::StartTls(_)) => {
                let _ = handshake.tls_started("TLS".to_owned());
            }
            Ok(Action::Send(bytes)) => assert!(bytes.len() < 4096),
            Ok(Action::Read) => {}
            Ok(Action::Done(_)) | Err(_) => break,
        }
    }
});
