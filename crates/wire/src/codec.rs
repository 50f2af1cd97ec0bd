//! The protocol's integers and strings: a reader that cannot leave its slice, and writers that append.

use crate::error::ProtocolError;

/// Reads one packet's payload from front to back. Every read is checked; a short payload names the packet.
#[derive(Debug, Clone)]
pub struct Cursor<'a> {
    rest: &'a [u8],
    packet: &'static str,
}

impl<'a> Cursor<'a> {
    /// A reader of `payload`; `packet` is what errors call it.
    pub fn new(payload: &'a [u8], packet: &'static str) -> Self {
        Self { rest: payload, packet }
    }

    /// The unread rest.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Whether everything was read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    fn short(&self) -> ProtocolError {
        ProtocolError::Truncated { packet: self.packet }
    }

    /// An error that describes the fault of this packet.
    pub fn malformed(&self, detail: &'static str) -> ProtocolError {
        ProtocolError::Malformed { packet: self.packet, detail }
    }

    /// The next `count` bytes.
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], ProtocolError> {
        let (head, tail) = self.rest.split_at_checked(count).ok_or_else(|| self.short())?;
        self.rest = tail;
        Ok(head)
    }

    /// The next `N` bytes by value.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], ProtocolError> {
        let (head, tail) = self.rest.split_first_chunk::<N>().ok_or_else(|| self.short())?;
        self.rest = tail;
        Ok(*head)
    }

    /// One byte.
    pub fn u8(&mut self) -> Result<u8, ProtocolError> {
        self.array::<1>().map(|[byte]| byte)
    }

    /// Two bytes, little-endian like all the protocol's integers.
    pub fn u16(&mut self) -> Result<u16, ProtocolError> {
        self.array().map(u16::from_le_bytes)
    }

    /// Four bytes.
    pub fn u32(&mut self) -> Result<u32, ProtocolError> {
        self.array().map(u32::from_le_bytes)
    }

    /// Eight bytes.
    pub fn u64(&mut self) -> Result<u64, ProtocolError> {
        self.array().map(u64::from_le_bytes)
    }

    /// A length-encoded integer.
    pub fn lenenc(&mut self) -> Result<u64, ProtocolError> {
        match self.u8()? {
            small @ 0..=0xfa => Ok(u64::from(small)),
            0xfc => self.u16().map(u64::from),
            0xfd => {
                let [a, b, c] = self.array()?;
                Ok(u64::from(u32::from_le_bytes([a, b, c, 0])))
            }
            0xfe => self.u64(),
            _ => Err(self.malformed("a length begins with 0xfb or 0xff")),
        }
    }

    /// A length-encoded string.
    pub fn lenenc_bytes(&mut self) -> Result<&'a [u8], ProtocolError> {
        let length = self.lenenc()?;
        let length = usize::try_from(length).map_err(|_| self.short())?;
        self.bytes(length)
    }

    /// A string up to a zero byte, which is consumed.
    pub fn nul_bytes(&mut self) -> Result<&'a [u8], ProtocolError> {
        let end = self.rest.iter().position(|&byte| byte == 0).ok_or_else(|| self.short())?;
        let text = self.bytes(end)?;
        self.bytes(1)?;
        Ok(text)
    }

    /// Takes the rest.
    pub fn take_rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }
}

/// Appends a length-encoded integer.
pub fn put_lenenc(out: &mut Vec<u8>, value: u64) {
    let bytes = value.to_le_bytes();
    match value {
        0..=0xfa => out.push(bytes[0]),
        0xfb..=0xffff => {
            out.push(0xfc);
            out.extend_from_slice(&bytes[..2]);
        }
        0x1_0000..=0xff_ffff => {
            out.push(0xfd);
            out.extend_from_slice(&bytes[..3]);
        }
        _ => {
            out.push(0xfe);
            out.extend_from_slice(&bytes);
        }
    }
}

/// Appends a length-encoded string.
pub fn put_lenenc_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_lenenc(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Appends a string and a zero byte.
pub fn put_nul_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(bytes);
    out.push(0);
}

/// Text from a peer, made valid UTF-8 and cut to [`crate::limits::TEXT_BYTES_MAX`].
pub fn text(bytes: &[u8]) -> String {
    let cut = bytes.len().min(crate::limits::TEXT_BYTES_MAX);
    String::from_utf8_lossy(&bytes[..cut]).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn length_encoding_takes_the_widths_of_the_manual() {
        for (value, width) in
            [(0, 1), (250, 1), (251, 3), (65_535, 3), (65_536, 4), (16_777_215, 4), (16_777_216, 9)]
        {
            let mut out = Vec::new();
            put_lenenc(&mut out, value);
            assert_eq!(out.len(), width, "{value}");
        }
    }

    #[test]
    fn a_short_payload_is_an_error_that_names_the_packet() {
        let error = Cursor::new(&[5, b'a'], "greeting").lenenc_bytes().unwrap_err();
        assert_eq!(error, ProtocolError::Truncated { packet: "greeting" });
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(value: u64, bytes: Vec<u8>, word in "[a-z]{0,9}") {
            let mut out = Vec::new();
            put_lenenc(&mut out, value);
            put_lenenc_bytes(&mut out, &bytes);
            put_nul_bytes(&mut out, word.as_bytes());
            let mut cursor = Cursor::new(&out, "test");
            prop_assert_eq!(cursor.lenenc().unwrap(), value);
            prop_assert_eq!(cursor.lenenc_bytes().unwrap(), &bytes[..]);
            prop_assert_eq!(cursor.nul_bytes().unwrap(), word.as_bytes());
            prop_assert!(cursor.is_empty());
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
            let mut cursor = Cursor::new(&bytes, "test");
            while cursor.lenenc_bytes().is_ok() && !cursor.is_empty() {}
            let _ = cursor.nul_bytes();
            prop_assert!(cursor.rest().len() <= bytes.len());
        }
    }
}
