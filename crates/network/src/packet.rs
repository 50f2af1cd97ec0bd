//! The destination of a packet, as far as the router needs it.

use std::net::Ipv4Addr;

/// Bytes of an IPv4 header without options (RFC 791).
const HEADER: usize = 20;

/// Destination of an IPv4 packet; none for anything else, such as the IPv6 packets that a kernel sends on its own account.
pub(crate) fn destination(packet: &[u8]) -> Option<Ipv4Addr> {
    let header: &[u8; HEADER] = packet.first_chunk()?;
    let is_ipv4 = header[0] >> 4 == 4;
    is_ipv4.then(|| Ipv4Addr::new(header[16], header[17], header[18], header[19]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_destination_is_the_last_word_of_the_header() {
        let mut packet = vec![0x45, 0, 0, 20, 0, 0, 0, 0, 64, 17, 0, 0, 198, 18, 0, 1, 198, 18, 0, 2];
        assert_eq!(destination(&packet), Some(Ipv4Addr::new(198, 18, 0, 2)));
        packet[0] = 0x60;
        assert_eq!(destination(&packet), None);
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_odd(packet in proptest::collection::vec(any::<u8>(), 0..64)) {
            let found = destination(&packet);
            prop_assert_eq!(found.is_some(), packet.len() >= 20 && packet[0] >> 4 == 4);
        }
    }
}
