//! Every bound that this crate puts on what a peer may send, in one place, so that "bounded memory" can be checked.

/// The largest payload of one packet; a longer one is split into several (protocol manual, "Sending more than 16Mb").
pub const CHUNK_BYTES_MAX: usize = 0xff_ffff;
/// Columns of one result set: the server's own MAX_FIELDS.
pub const COLUMNS_MAX: usize = 4096;
/// Bytes of one column definition (six names of at most 256 characters, and numbers).
pub const COLUMN_DEF_BYTES_MAX: usize = 16 << 10;
/// Bytes of an OK, EOF, ERR or LOCAL INFILE packet; an error message has at most 512 characters.
pub const CONTROL_BYTES_MAX: usize = 64 << 10;
/// Bytes of one row, when rows are wanted at all: the server's largest max_allowed_packet. Memory grows only as bytes arrive.
pub const ROW_BYTES_MAX: usize = 1 << 30;
/// Bytes of a packet of the connection phase.
pub const HANDSHAKE_BYTES_MAX: usize = 16 << 10;
/// Packets of one connection phase; the longest honest exchange (switch, full authentication with a key) has six.
pub const HANDSHAKE_PACKETS_MAX: u32 = 16;
/// Bytes kept of an error message, of an OK packet's information, and of names taken from a peer.
pub const TEXT_BYTES_MAX: usize = 1024;
/// Capacity that a reader keeps between commands; a larger buffer left by one huge row is given back.
pub const BUFFER_BYTES_KEPT: usize = 64 << 10;
/// Bytes of a result that the blocking client keeps: administration never needs more.
pub const RESULT_BYTES_MAX: usize = 256 << 20;
