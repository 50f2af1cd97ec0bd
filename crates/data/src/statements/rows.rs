//! Draws rows from a seed: the same rows for the same seed, however the work is divided.

use std::io::Write;

use model::StatementsData;
use random::{DrawAt, Drawn, Rng, ValueSource};

use super::definition::{sql_name, table_of};
use crate::account::quoted_name;
use crate::sysbench::chunks::Chunk;

/// Rows that share a random stream, as those of sysbench's tables do.
const BLOCK_ROWS: u64 = 1000;

/// Rows as multi-row INSERT statements.
pub(super) struct RowStatements {
    head: String,
    sources: Vec<ValueSource>,
    seed: u64,
    table: u32,
    next: u64,
    last: u64,
    rng: Rng,
    value: Vec<u8>,
    row: Vec<u8>,
    statement: Vec<u8>,
    bytes_max: usize,
}

impl RowStatements {
    /// Statements of about `bytes_max` bytes for the rows of a chunk, which begins a block.
    pub fn new(data: &StatementsData, seed: u64, chunk: &Chunk, bytes_max: usize) -> Result<Self, String> {
        let table =
            table_of(data, chunk.table).ok_or_else(|| format!("there is no table {}", chunk.table))?;
        let sizes = data.sizes();
        let filled = table.columns.iter().filter_map(|column| Some((column, column.value.as_ref()?)));
        let columns: Vec<String> = filled.clone().map(|(column, _)| quoted_name(&column.name)).collect();
        let name = sql_name(data, chunk.table);
        Ok(Self {
            head: format!("INSERT INTO {name} ({}) VALUES ", columns.join(", ")),
            sources: filled.map(|(_, value)| value.source(&sizes)).collect::<Result<_, _>>()?,
            seed,
            table: chunk.table,
            next: chunk.first,
            last: chunk.last,
            rng: Rng::from_seed(0),
            value: Vec::new(),
            row: Vec::new(),
            statement: Vec::new(),
            bytes_max,
        })
    }

    /// The next statement; none if all rows have been given out.
    pub fn next(&mut self) -> Option<&str> {
        if self.row.is_empty() && !self.draw() {
            return None;
        }
        self.statement.clear();
        self.statement.extend_from_slice(self.head.as_bytes());
        let head = self.statement.len();
        // A row that does not fit begins the next statement.
        while !self.row.is_empty()
            && (self.statement.len() == head || self.statement.len() + self.row.len() < self.bytes_max)
        {
            self.statement.extend_from_slice(&self.row);
            self.statement.push(b',');
            if !self.draw() {
                self.row.clear();
            }
        }
        self.statement.pop();
        Some(
            std::str::from_utf8(&self.statement)
                .expect("names and texts are UTF-8, bytes are in hexadecimal"),
        )
    }

    /// Draws the next row; false if there is none.
    fn draw(&mut self) -> bool {
        if self.next > self.last {
            return false;
        }
        let number = self.next - 1;
        if number.is_multiple_of(BLOCK_ROWS) {
            self.rng = Rng::stream(self.seed, (u64::from(self.table) << 40) | (number / BLOCK_ROWS));
        }
        self.row.clear();
        for (at, source) in self.sources.iter().enumerate() {
            self.row.push(if at == 0 { b'(' } else { b',' });
            let drawn = source.draw(&mut self.rng, DrawAt { number, client: 0 }, &mut self.value);
            write_literal(drawn, &self.value, &mut self.row);
        }
        self.row.push(b')');
        self.next += 1;
        true
    }
}

fn write_literal(drawn: Drawn, value: &[u8], out: &mut Vec<u8>) {
    match drawn {
        Drawn::Null => out.extend_from_slice(b"NULL"),
        Drawn::Int(value) => write!(out, "{value}").expect("a vector takes every byte"),
        Drawn::Decimal => out.extend_from_slice(value),
        Drawn::Text => {
            out.push(b'\'');
            for &byte in value {
                if matches!(byte, b'\'' | b'\\') {
                    out.push(b'\\');
                }
                out.push(byte);
            }
            out.push(b'\'');
        }
        Drawn::Bytes => {
            out.extend_from_slice(b"X'");
            value.iter().for_each(|byte| write!(out, "{byte:02x}").expect("a vector takes every byte"));
            out.push(b'\'');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sysbench::chunks::cut;

    fn data() -> StatementsData {
        let text = r#"{"tables": [{"name": "t", "rows": 5000, "column": [
            {"name": "id", "type": "INT", "value": {"sequence": 1}},
            {"name": "made", "type": "INT"},
            {"name": "n", "type": "INT", "value": {"uniform": [1, 9], "null": 0.1}},
            {"name": "s", "type": "TEXT", "value": {"words": ["it's", "b\\c"]}},
            {"name": "b", "type": "BLOB", "value": {"bytes": [2, 2]}}]}],
            "engine": "innodb", "workload": "w.toml", "scale": 1.0}"#;
        serde_json::from_str(text).expect("valid")
    }

    fn rows(chunk_rows: u64, bytes_max: usize) -> (String, usize) {
        let (mut all, mut longest) = (String::new(), 0);
        for chunk in cut(1, 5000, chunk_rows) {
            let mut statements = RowStatements::new(&data(), 7, &chunk, bytes_max).expect("valid");
            while let Some(statement) = statements.next() {
                longest = longest.max(statement.len());
                let rows = statement
                    .strip_prefix("INSERT INTO `t` (`id`, `n`, `s`, `b`) VALUES ")
                    .expect("the head");
                all.push_str(rows);
                all.push(',');
            }
        }
        (all, longest)
    }

    #[test]
    fn the_division_of_the_work_does_not_change_a_row() {
        let (whole, _) = rows(5000, 1 << 20);
        let (cut, longest) = rows(2000, 3_000);
        assert_eq!(whole, cut);
        assert!(longest <= 3_000);
        assert_eq!(whole.matches("),(").count(), 4_999);
        assert!(
            whole.starts_with("(1,") && whole.contains(r"'it\'s'") && whole.contains(r"'b\\c'"),
            "{}",
            &whole[..200]
        );
        assert!(whole.contains(",NULL,") && whole.contains(",X'"));
    }
}
