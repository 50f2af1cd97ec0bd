//! Reading answers: what a server encodes is what a client decodes, however the bytes are cut, and no bytes whatsoever
//! make the reader panic, run on, or hold more than its limits.

use proptest::{collection::vec, option, prelude::*};
use wire::{
    Capabilities, ColumnDef, ColumnType, ProtocolError, ServerError,
    capability::status,
    frame,
    limits::CONTROL_BYTES_MAX,
    response::{
        CommandKind, Completion, Discard, OkInfo, PreparedStatement, ReplyLimits, ResponseReader, RowSink,
        State,
    },
    server,
    value::{binary_row, text_row},
};

/// Small enough for short packets to be split, large enough for every OK packet.
const CHUNK: usize = 96;

type Cells = Vec<Option<Vec<u8>>>;

#[derive(Debug, Clone)]
enum Part {
    Ok { affected_rows: u64, info: String },
    Rows { columns: usize, rows: Vec<Cells> },
}

#[derive(Debug, Clone)]
struct Script {
    parts: Vec<Part>,
    error: Option<ServerError>,
    capabilities: Capabilities,
    kind: CommandKind,
}

fn part() -> impl Strategy<Value = Part> {
    let rows = (1usize..12).prop_flat_map(|columns| {
        let cells = vec(option::of(vec(any::<u8>(), 0..60)), columns);
        vec(cells, 0..5).prop_map(move |rows| Part::Rows { columns, rows })
    });
    prop_oneof![
        (any::<u64>(), "[ -~]{0,40}").prop_map(|(affected_rows, info)| Part::Ok { affected_rows, info }),
        rows
    ]
}

fn script() -> impl Strategy<Value = Script> {
    let error = (1000u16..5000, "[0-9A-Z]{5}", "[ -~]{0,60}")
        .prop_map(|(code, state, message)| ServerError { code, state, message });
    let modern = prop_oneof![Just(Capabilities::DEPRECATE_EOF), Just(Capabilities::default())];
    let kind = prop_oneof![Just(CommandKind::Text), Just(CommandKind::Binary)];
    (vec(part(), 1..4), option::of(error), modern, kind)
        .prop_map(|(parts, error, capabilities, kind)| Script { parts, error, capabilities, kind })
}

/// Packets of one answer, beginning with sequence id 1.
struct Writer {
    bytes: Vec<u8>,
    sequence: u8,
}

impl Writer {
    fn new() -> Self {
        Self { bytes: Vec::new(), sequence: 1 }
    }

    fn put(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let start = frame::begin(&mut self.bytes);
        write(&mut self.bytes);
        self.sequence = frame::finish_split(&mut self.bytes, start, self.sequence, CHUNK);
    }
}

fn column(index: usize) -> ColumnDef {
    ColumnDef {
        name: format!("c{index}"),
        kind: ColumnType::VAR_STRING,
        collation: 45,
        flags: 0,
        decimals: 0,
    }
}

fn encode(script: &Script) -> Vec<u8> {
    let mut writer = Writer::new();
    for (index, part) in script.parts.iter().enumerate() {
        let more = index + 1 < script.parts.len() || script.error.is_some();
        let ok =
            OkInfo { status: if more { status::MORE_RESULTS } else { 0 }, warnings: 1, ..OkInfo::default() };
        match part {
            Part::Ok { affected_rows, info } => {
                let ok = OkInfo { affected_rows: *affected_rows, ..ok };
                writer.put(|out| server::ok(out, &ok, info));
            }
            Part::Rows { columns, rows } => {
                writer.put(|out| server::column_count(out, *columns, None));
                for index in 0..*columns {
                    writer.put(|out| server::column(out, &column(index)));
                }
                if !script.capabilities.has(Capabilities::DEPRECATE_EOF) {
                    writer.put(|out| server::eof(out, &ok));
                }
                for row in rows {
                    let cells: Vec<Option<&[u8]>> = row.iter().map(Option::as_deref).collect();
                    writer.put(|out| match script.kind {
                        CommandKind::Binary => server::binary_row(out, &cells),
                        _ => server::text_row(out, &cells),
                    });
                }
                writer.put(|out| server::end_of_rows(out, script.capabilities, &ok));
            }
        }
    }
    if let Some(error) = &script.error {
        writer.put(|out| server::error(out, error));
    }
    writer.bytes
}

/// What a sink was told, rows decoded.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    kind: Option<CommandKind>,
    columns: Vec<ColumnDef>,
    events: Vec<Event>,
}

#[derive(Debug, PartialEq)]
enum Event {
    Columns(usize),
    Row(Cells),
    End(String),
}

impl RowSink for Seen {
    const WANTS_ROWS: bool = true;

    fn columns(&mut self, columns: &[ColumnDef]) {
        self.columns = columns.to_vec();
        self.events.push(Event::Columns(columns.len()));
    }

    fn row(&mut self, payload: &[u8]) {
        let cells: Result<Cells, ProtocolError> = match self.kind {
            Some(CommandKind::Binary) => binary_row(payload, &self.columns).and_then(|cells| {
                let text = |value: wire::SqlValue<'_>| {
                    let mut out = Vec::new();
                    value.write_text(0, &mut out);
                    (value != wire::SqlValue::Null).then_some(out)
                };
                cells.map(|cell| cell.map(text)).collect()
            }),
            _ => text_row(payload).map(|cell| cell.map(|bytes| bytes.map(<[u8]>::to_vec))).collect(),
        };
        self.events.push(Event::Row(cells.unwrap_or_default()));
    }

    fn end(&mut self, info: &[u8]) {
        self.events.push(Event::End(String::from_utf8_lossy(info).into_owned()));
    }
}

fn reader(capabilities: Capabilities, kind: CommandKind) -> ResponseReader {
    let mut reader =
        ResponseReader::with_limits(capabilities, ReplyLimits { chunk_bytes: CHUNK, row_bytes: 1 << 20 });
    reader.expect(kind);
    reader
}

/// Feeds pieces of the given sizes, over and over, until the answer is complete, refused, or used up.
fn feed_in_pieces<S: RowSink>(
    reader: &mut ResponseReader,
    bytes: &[u8],
    pieces: &[usize],
    sink: &mut S,
) -> Result<State, ProtocolError> {
    let mut rest = bytes;
    let mut sizes = pieces.iter().cycle();
    let mut last = State::NeedMore;
    while !rest.is_empty() {
        let size = sizes.next().map_or(rest.len(), |&size| size.min(rest.len()));
        let fed = reader.feed(&rest[..size], sink)?;
        assert!(fed.used <= size);
        rest = &rest[fed.used..];
        match fed.state {
            State::NeedMore => assert_eq!(fed.used, size, "all input is used before more is asked for"),
            State::LocalInfile => reader.local_data_sent(reader.next_sequence()),
            State::Done(_) => return Ok(fed.state),
        }
        last = fed.state;
    }
    Ok(last)
}

fn expected(script: &Script) -> (Vec<Event>, Completion) {
    let mut events = Vec::new();
    let mut total = OkInfo { warnings: script.parts.len() as u64, ..OkInfo::default() };
    for part in &script.parts {
        match part {
            Part::Ok { affected_rows, info } => {
                total.affected_rows = total.affected_rows.saturating_add(*affected_rows);
                events.push(Event::End(info.clone()));
            }
            Part::Rows { columns, rows } => {
                events.push(Event::Columns(*columns));
                events.extend(rows.iter().cloned().map(Event::Row));
                events.push(Event::End(String::new()));
                total.rows += rows.len() as u64;
            }
        }
    }
    let completion = match &script.error {
        Some(error) => Completion::Err(Box::new(error.clone())),
        None => Completion::Ok(total),
    };
    (events, completion)
}

proptest! {
    #[test]
    fn what_a_server_encodes_is_decoded_however_it_is_cut(script in script(), pieces in vec(1usize..150, 1..20)) {
        let bytes = encode(&script);
        let (events, completion) = expected(&script);
        for pieces in [&[usize::MAX][..], &[1], &pieces] {
            let mut seen = Seen { kind: Some(script.kind), ..Seen::default() };
            let state = feed_in_pieces(&mut reader(script.capabilities, script.kind), &bytes, pieces, &mut seen);
            prop_assert_eq!(state, Ok(State::Done(completion.clone())));
            prop_assert_eq!(&seen.events, &events);
            let mut discarding = reader(script.capabilities, script.kind);
            let state = feed_in_pieces(&mut discarding, &bytes, pieces, &mut Discard);
            prop_assert_eq!(state, Ok(State::Done(completion.clone())));
            if pieces == [usize::MAX] && bytes.len() < CHUNK {
                prop_assert_eq!(discarding.buffered_bytes(), 0);
            }
        }
    }

    #[test]
    fn an_answer_cut_short_is_never_complete(script in script(), cut: prop::sample::Index) {
        let bytes = encode(&script);
        let cut = cut.index(bytes.len());
        let mut seen = Seen { kind: Some(script.kind), ..Seen::default() };
        let mut reader = reader(script.capabilities, script.kind);
        let fed = reader.feed(&bytes[..cut], &mut seen).unwrap();
        prop_assert_eq!(fed.state, State::NeedMore);
        prop_assert_eq!(fed.used, cut);
    }

    #[test]
    fn any_bytes_end_in_an_answer_an_error_or_a_wait(
        bytes in vec(any::<u8>(), 0..2000),
        pieces in vec(1usize..150, 1..5),
        kind in prop_oneof![Just(CommandKind::Text), Just(CommandKind::Binary), Just(CommandKind::Prepare), Just(CommandKind::Simple)],
        capabilities: u64,
    ) {
        check_any(&bytes, &pieces, kind, Capabilities(capabilities))?;
    }

    /// Well-framed nonsense gets further than random bytes do.
    #[test]
    fn any_packets_end_in_an_answer_an_error_or_a_wait(
        packets in vec((prop_oneof![Just(0u8), Just(1), Just(3), Just(0xfb), Just(0xfe), Just(0xff), any::<u8>()],
            vec(prop_oneof![Just(0u8), any::<u8>()], 0..200)), 0..30),
        pieces in vec(1usize..150, 1..5),
        kind in prop_oneof![Just(CommandKind::Text), Just(CommandKind::Binary), Just(CommandKind::Prepare), Just(CommandKind::Simple)],
        capabilities: u64,
    ) {
        let mut writer = Writer::new();
        for (first, rest) in packets {
            writer.put(|out| {
                out.push(first);
                out.extend_from_slice(&rest);
            });
        }
        check_any(&writer.bytes, &pieces, kind, Capabilities(capabilities))?;
    }
}

/// Whatever comes: the same end whole and in pieces, and no more memory than bytes came, or than control packets may have.
fn check_any(
    bytes: &[u8],
    pieces: &[usize],
    kind: CommandKind,
    capabilities: Capabilities,
) -> Result<(), TestCaseError> {
    let mut whole = Seen { kind: Some(kind), ..Seen::default() };
    let end = feed_in_pieces(&mut reader(capabilities, kind), bytes, &[usize::MAX], &mut whole);
    let mut cut = Seen { kind: Some(kind), ..Seen::default() };
    let mut collecting = reader(capabilities, kind);
    prop_assert_eq!(&feed_in_pieces(&mut collecting, bytes, pieces, &mut cut), &end);
    prop_assert_eq!(whole, cut);
    prop_assert!(collecting.buffered_bytes() <= 2 * bytes.len() + 64);
    let mut discarding = reader(capabilities, kind);
    let _ = feed_in_pieces(&mut discarding, bytes, pieces, &mut Discard);
    prop_assert!(discarding.buffered_bytes() <= 2 * CONTROL_BYTES_MAX);
    Ok(())
}

#[test]
fn a_prepared_statement_is_complete_with_its_last_definition_or_eof() {
    for capabilities in [Capabilities::DEPRECATE_EOF, Capabilities::default()] {
        for (params, columns) in [(0, 0), (2, 0), (0, 3), (2, 3)] {
            let prepared = PreparedStatement { id: 9, params, columns };
            let mut writer = Writer::new();
            writer.put(|out| server::prepared(out, &prepared));
            for count in [params, columns] {
                for index in 0..count {
                    writer.put(|out| server::column(out, &column(index.into())));
                }
                if count > 0 && !capabilities.has(Capabilities::DEPRECATE_EOF) {
                    writer.put(|out| server::eof(out, &OkInfo::default()));
                }
            }
            for pieces in [&[usize::MAX][..], &[1]] {
                let mut seen = Seen::default();
                let mut reader = reader(capabilities, CommandKind::Prepare);
                let state = feed_in_pieces(&mut reader, &writer.bytes, pieces, &mut seen);
                assert_eq!(state, Ok(State::Done(Completion::Prepared(prepared))));
                assert_eq!(seen.columns.len(), usize::from(columns));
                reader.expect(CommandKind::Prepare);
                let state = feed_in_pieces(&mut reader, &writer.bytes, pieces, &mut Discard);
                assert_eq!(state, Ok(State::Done(Completion::Prepared(prepared))));
            }
        }
    }
}

#[test]
fn mariadb_may_leave_known_definitions_out() {
    let capabilities = Capabilities::DEPRECATE_EOF | Capabilities::MARIADB_CACHE_METADATA;
    for (follow, columns) in [(0, 0), (1, 1)] {
        let mut writer = Writer::new();
        writer.put(|out| server::column_count(out, 1, Some(follow)));
        for index in 0..columns {
            writer.put(|out| server::column(out, &column(index)));
        }
        writer.put(|out| server::binary_row(out, &[Some(b"x")]));
        writer.put(|out| server::end_of_rows(out, capabilities, &OkInfo::default()));
        let mut seen = Seen { kind: Some(CommandKind::Binary), ..Seen::default() };
        let state =
            feed_in_pieces(&mut reader(capabilities, CommandKind::Binary), &writer.bytes, &[3], &mut seen);
        assert!(matches!(state, Ok(State::Done(Completion::Ok(OkInfo { rows: 1, .. })))));
        assert_eq!(seen.events[0], Event::Columns(columns));
    }
}

#[test]
fn what_follows_an_answer_is_left_in_the_input() {
    let mut writer = Writer::new();
    writer.put(|out| server::ok(out, &OkInfo::default(), ""));
    let length = writer.bytes.len();
    writer.bytes.extend_from_slice(b"more");
    let fed = reader(Capabilities::default(), CommandKind::Simple).feed(&writer.bytes, &mut Discard).unwrap();
    assert_eq!(fed.used, length);
    assert!(matches!(fed.state, State::Done(_)));
}

#[test]
fn limits_are_enforced_by_the_header_alone() {
    let announce = |payload: &[u8]| [&[payload.len() as u8, 0, 0, 1], payload].concat();
    let too_many = announce(&[0xfc, 0x01, 0x10]);
    let mut fresh = ResponseReader::new(Capabilities::default());
    fresh.expect(CommandKind::Text);
    assert_eq!(fresh.feed(&too_many, &mut Discard), Err(ProtocolError::TooManyColumns { count: 4097 }));
    fresh.expect(CommandKind::Text);
    let long_ok = [0xff, 0xff, 0x01, 1, 0];
    assert!(matches!(fresh.feed(&long_ok, &mut Discard), Err(ProtocolError::TooLong { .. })));
    assert_eq!(fresh.buffered_bytes(), 0);
    let mut small = ResponseReader::with_limits(
        Capabilities::default(),
        ReplyLimits { row_bytes: 10, ..ReplyLimits::default() },
    );
    small.expect(CommandKind::Text);
    let mut writer = Writer::new();
    writer.put(|out| server::column_count(out, 1, None));
    writer.put(|out| server::column(out, &column(0)));
    writer.put(|out| server::eof(out, &OkInfo::default()));
    writer.put(|out| server::text_row(out, &[Some(b"longer than ten")]));
    let mut seen = Seen::default();
    assert!(matches!(
        small.feed(&writer.bytes, &mut seen),
        Err(ProtocolError::TooLong { packet: "row", .. })
    ));
}

#[test]
fn an_error_of_the_servers_own_accord_is_an_error_of_the_next_command() {
    let mut bytes = Vec::new();
    let error =
        ServerError { code: 4031, state: "HY000".into(), message: "disconnected for inactivity".into() };
    let start = frame::begin(&mut bytes);
    server::error(&mut bytes, &error);
    frame::finish(&mut bytes, start, 0);
    let fed = reader(Capabilities::default(), CommandKind::Text).feed(&bytes, &mut Discard).unwrap();
    assert_eq!(fed.state, State::Done(Completion::Err(Box::new(error))));
}
