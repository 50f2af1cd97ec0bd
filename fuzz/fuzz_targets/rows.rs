//! Single packets taken apart: rows in both protocols, column definitions, and what the fake server of the tests reads.
//! The first byte is the number of columns, then come their types, then the payload.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::{
    ColumnDef, ColumnType, server,
    value::{binary_row, text_row},
};

fuzz_target!(|input: &[u8]| {
    let Some((&count, rest)) = input.split_first() else { return };
    let Some((types, payload)) = rest.split_at_checked(2 * usize::from(count)) else { return };
    let column = |pair: &[u8]| ColumnDef {
        name: String::new(),
        kind: ColumnType(pair[0]),
        collation: 45,
        flags: u16::from(pair[1]),
        decimals: pair[1],
    };
    let columns: Vec<ColumnDef> = types.chunks_exact(2).map(column).collect();
    let mut text = Vec::new();
    if let Ok(cells) = binary_row(payload, &columns) {
        for (cell, column) in cells.zip(&columns) {
            let Ok(value) = cell else { break };
            value.write_text(column.decimals, &mut text);
        }
    }
    assert!(text_row(payload).count() <= payload.len());
    let _ = ColumnDef::decode(payload, true);
    let _ = server::login(payload);
    let _ = server::command(payload);
    let mut kinds = columns.iter().map(|column| (column.kind, column.flags & 1 != 0)).collect();
    let _ = server::parameters(payload, columns.len(), &mut kinds);
});
