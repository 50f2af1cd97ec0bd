//! A hostile server answering a command. The first two bytes choose command, capabilities and how the input is cut, the
//! rest is the answer. Whole or cut, the outcome must be the same, and memory must stay below what arrived or the limits.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::{
    Capabilities, ColumnDef, ProtocolError,
    limits::CONTROL_BYTES_MAX,
    response::{Discard, CommandKind, ReplyLimits, ResponseReader, RowSink, State},
    value::{binary_row, text_row},
};

const KINDS: [CommandKind; 4] = [CommandKind::Text, CommandKind::Binary, CommandKind::Prepare, CommandKind::Simple];

/// Decodes every row, and sums up what it saw so that two ways of feeding can be compared.
#[derive(Default, PartialEq, Debug)]
struct Seen {
    columns: Vec<ColumnDef>,
    rows: usize,
    cells: usize,
    ends: usize,
}

impl RowSink for Seen {
    const WANTS_ROWS: bool = true;

    fn columns(&mut self, columns: &[ColumnDef]) {
        self.columns = columns.to_vec();
    }

    fn row(&mut self, payload: &[u8]) {
        self.rows += 1;
        self.cells += text_row(payload).count();
        if let Ok(cells) = binary_row(payload, &self.columns) {
            self.cells += cells.count();
        }
    }

    fn end(&mut self, info: &[u8]) {
        self.ends += 1 + info.len();
    }
}

fn feed<S: RowSink>(
    reader: &mut ResponseReader,
    bytes: &[u8],
    piece: usize,
    sink: &mut S,
) -> Result<State, ProtocolError> {
    let mut rest = bytes;
    let mut last = State::NeedMore;
    while !rest.is_empty() {
        let size = piece.min(rest.len());
        let fed = reader.feed(&rest[..size], sink)?;
        rest = &rest[fed.used..];
        match fed.state {
            State::NeedMore => assert_eq!(fed.used, size),
            State::LocalInfile => reader.local_data_sent(reader.next_sequence()),
            State::Done(_) => return Ok(fed.state),
        }
        last = fed.state;
    }
    Ok(last)
}

fuzz_target!(|input: &[u8]| {
    let [choice, piece, bytes @ ..] = input else { return };
    let kind = KINDS[usize::from(choice & 3)];
    let mut capabilities = Capabilities::default();
    if choice & 4 != 0 {
        capabilities = capabilities | Capabilities::DEPRECATE_EOF;
    }
    if choice & 8 != 0 {
        capabilities = capabilities | Capabilities::MARIADB_CACHE_METADATA;
    }
    // Low limits, so that short inputs reach the code for long packets.
    let limits =
        if choice & 16 != 0 { ReplyLimits { chunk_bytes: 64, row_bytes: 4096 } } else { ReplyLimits::default() };
    let reader = || {
        let mut reader = ResponseReader::with_limits(capabilities, limits);
        reader.expect(kind);
        reader
    };
    let mut whole = Seen::default();
    let end = feed(&mut reader(), bytes, usize::MAX, &mut whole);
    let mut cut = Seen::default();
    let mut collecting = reader();
    assert_eq!(feed(&mut collecting, bytes, usize::from(*piece).max(1), &mut cut), end);
    assert_eq!(whole, cut);
    assert!(collecting.buffered_bytes() <= 4 * bytes.len() + 64);
    let mut discarding = reader();
    let _ = feed(&mut discarding, bytes, usize::from(*piece).max(1), &mut Discard);
    assert!(discarding.buffered_bytes() <= 2 * CONTROL_BYTES_MAX);
});
