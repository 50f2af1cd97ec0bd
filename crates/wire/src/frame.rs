//! Packets on the wire: a three-byte length, a sequence id, a payload; payloads of 16 MiB and more are split.

use crate::{
    error::ProtocolError,
    limits::{BUFFER_BYTES_KEPT, CHUNK_BYTES_MAX},
};

/// Bytes of a packet's header.
pub const HEADER_BYTES: usize = 4;

/// A packet's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Bytes of the payload that follow.
    pub length: usize,
    /// Position of the packet within its command.
    pub sequence: u8,
}

impl Header {
    /// Reads a header.
    pub fn decode([a, b, c, sequence]: [u8; HEADER_BYTES]) -> Self {
        Self { length: u32::from_le_bytes([a, b, c, 0]) as usize, sequence }
    }

    fn encode(self) -> [u8; HEADER_BYTES] {
        let [a, b, c, _] = (self.length as u32).to_le_bytes();
        [a, b, c, self.sequence]
    }
}

/// Leaves room for a header at the end of `out` and returns where; the payload is appended after it.
pub fn begin(out: &mut Vec<u8>) -> usize {
    let start = out.len();
    out.extend_from_slice(&[0; HEADER_BYTES]);
    start
}

/// Writes the header of the packet begun at `start`, splitting a long payload; returns the next sequence id.
pub fn finish(out: &mut Vec<u8>, start: usize, sequence: u8) -> u8 {
    let length = out.len() - start - HEADER_BYTES;
    if length < CHUNK_BYTES_MAX {
        out[start..start + HEADER_BYTES].copy_from_slice(&Header { length, sequence }.encode());
        return sequence.wrapping_add(1);
    }
    finish_split(out, start, sequence, CHUNK_BYTES_MAX)
}

/// [`finish`] with another largest chunk, so that tests can split small packets.
pub fn finish_split(out: &mut Vec<u8>, start: usize, sequence: u8, chunk: usize) -> u8 {
    let length = out.len() - start - HEADER_BYTES;
    // A payload that is an exact multiple ends with an empty chunk, hence the "+ 1" of one header more.
    let extra = length / chunk;
    out.resize(out.len() + extra * HEADER_BYTES, 0);
    let first = start + HEADER_BYTES;
    for index in (0..=extra).rev() {
        let from = first + index * chunk;
        let size = chunk.min(length - index * chunk);
        let to = from + index * HEADER_BYTES;
        out.copy_within(from..from + size, to);
        let header = Header { length: size, sequence: sequence.wrapping_add(index as u8) };
        out[to - HEADER_BYTES..to].copy_from_slice(&header.encode());
    }
    sequence.wrapping_add(extra as u8).wrapping_add(1)
}

/// Appends `payload` as one packet; returns the next sequence id.
pub fn put(out: &mut Vec<u8>, sequence: u8, payload: &[u8]) -> u8 {
    let start = begin(out);
    out.extend_from_slice(payload);
    finish(out, start, sequence)
}

/// The sequence id of the last packet in `command`, which is one whole command: what
/// [`crate::response::ResponseReader::expect_after`] wants to know of commands that may be longer than 16 MiB.
pub fn last_sequence(command: &[u8]) -> u8 {
    (command.len() / (CHUNK_BYTES_MAX + HEADER_BYTES)) as u8
}

/// A whole packet, its chunks joined.
#[derive(Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// Sequence id of its last chunk.
    pub sequence: u8,
    /// The payload.
    pub payload: &'a [u8],
}

/// Collects bytes and gives whole packets: for the connection phase and for the server's side, where speed is no matter.
#[derive(Debug)]
pub struct Assembler {
    buffer: Vec<u8>,
    used: usize,
    joined: Vec<u8>,
    joining: bool,
    packet_bytes_max: usize,
}

impl Assembler {
    /// An empty assembler that refuses packets longer than `packet_bytes_max`.
    pub fn new(packet_bytes_max: usize) -> Self {
        Self { buffer: Vec::new(), used: 0, joined: Vec::new(), joining: false, packet_bytes_max }
    }

    /// Adds what arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.drain(..self.used);
        self.used = 0;
        self.buffer.extend_from_slice(bytes);
    }

    /// Whether no byte is held beyond the packets given out.
    pub fn is_empty(&self) -> bool {
        self.used == self.buffer.len() && !self.joining
    }

    /// The next whole packet, if there is one.
    pub fn next_packet(&mut self) -> Result<Option<Packet<'_>>, ProtocolError> {
        if !self.joining {
            self.joined.clear();
            self.joined.shrink_to(BUFFER_BYTES_KEPT);
        }
        loop {
            let rest = &self.buffer[self.used..];
            let Some((head, body)) = rest.split_first_chunk::<HEADER_BYTES>() else { return Ok(None) };
            let header = Header::decode(*head);
            let total = self.joined.len() + header.length;
            if total > self.packet_bytes_max {
                return Err(ProtocolError::TooLong {
                    packet: "packet",
                    length: total,
                    limit: self.packet_bytes_max,
                });
            }
            if body.len() < header.length {
                return Ok(None);
            }
            let from = self.used + HEADER_BYTES;
            self.used = from + header.length;
            let last = header.length < CHUNK_BYTES_MAX;
            if last && !self.joining {
                return Ok(Some(Packet {
                    sequence: header.sequence,
                    payload: &self.buffer[from..self.used],
                }));
            }
            self.joined.extend_from_slice(&self.buffer[from..self.used]);
            self.joining = !last;
            if last {
                return Ok(Some(Packet { sequence: header.sequence, payload: &self.joined }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_payload_of_exactly_the_largest_chunk_ends_with_an_empty_one() {
        let mut out = vec![9];
        let start = begin(&mut out);
        out.extend_from_slice(b"abcd");
        assert_eq!(finish_split(&mut out, start, 0, 4), 2);
        assert_eq!(out, [9, 4, 0, 0, 0, b'a', b'b', b'c', b'd', 0, 0, 0, 1]);
    }

    #[test]
    fn sixteen_mebibytes_survive_the_split() {
        let payload: Vec<u8> = (0..CHUNK_BYTES_MAX + 5).map(|i| i as u8).collect();
        let mut out = Vec::new();
        assert_eq!(put(&mut out, 0, &payload), 2);
        let mut packets = Assembler::new(1 << 30);
        packets.push(&out);
        let packet = packets.next_packet().unwrap().unwrap();
        assert_eq!(packet.sequence, 1);
        assert!(packet.payload == payload);
    }

    #[test]
    fn a_packet_beyond_the_limit_is_refused_by_its_header() {
        let mut packets = Assembler::new(10);
        packets.push(&[11, 0, 0, 0]);
        assert!(matches!(packets.next_packet(), Err(ProtocolError::TooLong { .. })));
    }

    proptest! {
        #[test]
        fn packets_come_out_as_they_went_in(payloads: Vec<Vec<u8>>, piece in 1usize..9) {
            let mut bytes = Vec::new();
            for payload in &payloads {
                put(&mut bytes, 7, payload);
            }
            let mut packets = Assembler::new(1 << 20);
            let mut seen = Vec::new();
            for part in bytes.chunks(piece) {
                packets.push(part);
                while let Some(packet) = packets.next_packet().unwrap() {
                    seen.push(packet.payload.to_vec());
                }
            }
            prop_assert_eq!(seen, payloads);
            prop_assert!(packets.is_empty());
        }
    }
}
