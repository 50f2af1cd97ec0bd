//! Assembles packets from arbitrary pieces of input, without copying whole packets and without touching skipped ones.
//!
//! The other half of [`crate::response`]: this half knows headers and chunks, that half knows what packets mean and says
//! by a callback how each is to be treated.

use crate::{
    error::ProtocolError,
    frame::{HEADER_BYTES, Header},
    limits::BUFFER_BYTES_KEPT,
};

/// The treatment of a packet, decided by its header and first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Treatment {
    /// Pass over it by length.
    Skip,
    /// Give it out whole, unless it is longer than `limit`; `packet` is what that error calls it.
    Whole { packet: &'static str, limit: usize },
}

/// A packet, or why there is none.
pub(crate) enum Taken<'i> {
    /// It was whole in the input.
    Whole(&'i [u8]),
    /// It was split, and was assembled in the buffer: see [`Intake::lend`].
    Collected,
    /// The input is used up.
    NeedMore,
}

/// The position within a packet at which the input ended.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// Between packets, or within a header (then `head` holds its bytes).
    Border,
    /// Within a payload that is skipped. `last`: no further chunk follows.
    Skip { left: usize, last: bool },
    /// Before a further chunk of a packet that is skipped.
    SkipNext,
    /// Within a payload that is collected.
    Collect { left: usize, last: bool, packet: &'static str, limit: usize },
    /// Before a further chunk of a packet that is collected.
    CollectNext { packet: &'static str, limit: usize },
}

/// The state between two pieces of input.
#[derive(Debug)]
pub(crate) struct Intake {
    /// Payload bytes at which a packet continues in another one.
    chunk_bytes: usize,
    place: Place,
    sequence: u8,
    head: [u8; HEADER_BYTES],
    head_bytes: usize,
    collected: Vec<u8>,
}

impl Intake {
    pub(crate) fn new(chunk_bytes: usize) -> Self {
        Self {
            chunk_bytes,
            place: Place::Border,
            sequence: 0,
            head: [0; HEADER_BYTES],
            head_bytes: 0,
            collected: Vec::new(),
        }
    }

    /// Starts over; the next packet has this sequence id.
    pub(crate) fn restart(&mut self, sequence: u8) {
        self.place = Place::Border;
        self.head_bytes = 0;
        self.sequence = sequence;
        if self.collected.capacity() > BUFFER_BYTES_KEPT {
            self.collected = Vec::new();
        }
    }

    /// The sequence id that the next packet must have.
    pub(crate) fn sequence(&self) -> u8 {
        self.sequence
    }

    /// Continues at another sequence id, after the client has sent packets within the answer.
    pub(crate) fn set_sequence(&mut self, sequence: u8) {
        self.sequence = sequence;
    }

    /// Capacity of the buffer for torn packets.
    pub(crate) fn buffered_bytes(&self) -> usize {
        self.collected.capacity()
    }

    /// The buffer with the packet that was [`Taken::Collected`], to be put back with [`Intake::give_back`]: so it is
    /// allocated once per connection.
    pub(crate) fn lend(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.collected)
    }

    pub(crate) fn give_back(&mut self, collected: Vec<u8>) {
        self.collected = collected;
    }

    /// The next packet that is not skipped. `treat` is called once per packet.
    #[inline]
    pub(crate) fn take<'i>(
        &mut self,
        input: &'i [u8],
        used: &mut usize,
        mut treat: impl FnMut(Header, Option<u8>) -> Result<Treatment, ProtocolError>,
    ) -> Result<Taken<'i>, ProtocolError> {
        loop {
            let Place::Border = self.place else {
                match self.go_on(input, used)? {
                    Some(taken) => return Ok(taken),
                    None => continue,
                }
            };
            let Some((header, first)) = self.header(input, used) else { return Ok(Taken::NeedMore) };
            self.check_sequence(header, first)?;
            let last = header.length < self.chunk_bytes;
            let whole = last && input.len() - *used >= header.length;
            match treat(header, first)? {
                Treatment::Skip if whole => *used += header.length,
                Treatment::Skip => self.place = Place::Skip { left: header.length, last },
                Treatment::Whole { packet, limit } => {
                    check_length(packet, header.length, limit)?;
                    if whole {
                        let payload = &input[*used..*used + header.length];
                        *used += header.length;
                        return Ok(Taken::Whole(payload));
                    }
                    self.collected.clear();
                    self.place = Place::Collect { left: header.length, last, packet, limit };
                }
            }
        }
    }

    /// Continues within a split packet.
    fn go_on<'i>(&mut self, input: &'i [u8], used: &mut usize) -> Result<Option<Taken<'i>>, ProtocolError> {
        match self.place {
            Place::Border => {}
            Place::Skip { left, last } => {
                let count = left.min(input.len() - *used);
                *used += count;
                if count < left {
                    self.place = Place::Skip { left: left - count, last };
                    return Ok(Some(Taken::NeedMore));
                }
                self.place = if last { Place::Border } else { Place::SkipNext };
            }
            Place::Collect { left, last, packet, limit } => {
                let count = left.min(input.len() - *used);
                self.collected.extend_from_slice(&input[*used..*used + count]);
                *used += count;
                if count < left {
                    self.place = Place::Collect { left: left - count, last, packet, limit };
                    return Ok(Some(Taken::NeedMore));
                }
                if last {
                    self.place = Place::Border;
                    return Ok(Some(Taken::Collected));
                }
                self.place = Place::CollectNext { packet, limit };
            }
            Place::SkipNext | Place::CollectNext { .. } => {
                if !self.gather_head(input, used) {
                    return Ok(Some(Taken::NeedMore));
                }
                self.head_bytes = 0;
                let header = Header::decode(self.head);
                self.check_sequence(header, None)?;
                let (left, last) = (header.length, header.length < self.chunk_bytes);
                self.place = if let Place::CollectNext { packet, limit } = self.place {
                    check_length(packet, self.collected.len() + left, limit)?;
                    Place::Collect { left, last, packet, limit }
                } else {
                    Place::Skip { left, last }
                };
            }
        }
        Ok(None)
    }

    /// A header and a look at the byte after it, which distinguishes rows from ends; `None` until both are there.
    #[inline]
    fn header(&mut self, input: &[u8], used: &mut usize) -> Option<(Header, Option<u8>)> {
        if self.head_bytes == 0
            && let Some((&head, [first, ..])) = input[*used..].split_first_chunk::<HEADER_BYTES>()
        {
            *used += HEADER_BYTES;
            let header = Header::decode(head);
            return Some((header, (header.length > 0).then_some(*first)));
        }
        if !self.gather_head(input, used) {
            return None;
        }
        let header = Header::decode(self.head);
        let first = input.get(*used).copied();
        if header.length > 0 && first.is_none() {
            return None;
        }
        self.head_bytes = 0;
        Some((header, first.filter(|_| header.length > 0)))
    }

    /// Gathers the head; returns whether it is complete.
    fn gather_head(&mut self, input: &[u8], used: &mut usize) -> bool {
        let count = (HEADER_BYTES - self.head_bytes).min(input.len() - *used);
        self.head[self.head_bytes..self.head_bytes + count].copy_from_slice(&input[*used..*used + count]);
        self.head_bytes += count;
        *used += count;
        self.head_bytes == HEADER_BYTES
    }

    #[inline]
    fn check_sequence(&mut self, header: Header, first: Option<u8>) -> Result<(), ProtocolError> {
        // An error the server sends of its own accord (shutdown, idle timeout) has whatever id it has.
        if header.sequence != self.sequence && first != Some(0xff) {
            return Err(ProtocolError::OutOfOrder { expected: self.sequence, got: header.sequence });
        }
        self.sequence = header.sequence.wrapping_add(1);
        Ok(())
    }
}

fn check_length(packet: &'static str, length: usize, limit: usize) -> Result<(), ProtocolError> {
    if length > limit {
        return Err(ProtocolError::TooLong { packet, length, limit });
    }
    Ok(())
}
