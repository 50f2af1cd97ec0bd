//! Rows that a transaction uses: the few of one answer, kept until the next one, in both protocols.
//!
//! sysbench's workloads skip rows by their length. TPC-C's transactions read a value here and write it there, so they keep
//! small answers, in buffers that are used again and again.

use wire::SqlValue;
use wire::response::RowSink;
use wire::value::{ColumnDef, ColumnType, UNSIGNED_FLAG, binary_row, text_row};

use crate::recorder::OperationIndex;
use crate::statement_error::StatementError;

/// An amount of money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cents(pub i64);

impl Cents {
    /// The SQL notation, `-12.05`.
    pub fn digits(self) -> Digits {
        let mut digits = Digits { bytes: [0; 24], begin: 24 };
        let mut left = self.0.unsigned_abs();
        let mut place = 0;
        while left > 0 || place < 3 {
            if place == 2 {
                digits.push(b'.');
            }
            digits.push(b'0' + (left % 10) as u8);
            left /= 10;
            place += 1;
        }
        if self.0 < 0 {
            digits.push(b'-');
        }
        digits
    }
}

impl std::fmt::Display for Cents {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&String::from_utf8_lossy(self.digits().as_bytes()))
    }
}

/// A number in decimal, written from its end, without a place on the heap.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Digits {
    bytes: [u8; 24],
    begin: usize,
}

impl Digits {
    /// 64 bits have 20 digits, so that there is room.
    fn push(&mut self, byte: u8) {
        self.begin -= 1;
        self.bytes[self.begin] = byte;
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[self.begin..]
    }
}

/// The properties of a column that decide how its cells are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ColumnShape {
    kind: ColumnType,
    unsigned: bool,
}

impl ColumnShape {
    fn of(column: &ColumnDef) -> Self {
        Self { kind: column.kind, unsigned: column.flags & UNSIGNED_FLAG != 0 }
    }

    /// The column definition, without a name, so that nothing is allocated.
    fn definition(self) -> ColumnDef {
        let flags = if self.unsigned { UNSIGNED_FLAG } else { 0 };
        ColumnDef { name: String::new(), kind: self.kind, collation: 0, flags, decimals: 0 }
    }
}

#[derive(Debug, Clone, Copy)]
enum Cell {
    Null,
    Int(i64),
    /// Position of its bytes.
    Text {
        begin: u32,
        end: u32,
    },
}

/// The rows of one answer.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    operation: OperationIndex,
    columns: Vec<ColumnDef>,
    cells: Vec<Cell>,
    bytes: Vec<u8>,
    rows: usize,
    broken: Option<String>,
}

impl Rows {
    /// Forgets the rows, and expects those of another statement.
    pub fn begin(&mut self, operation: OperationIndex) {
        self.operation = operation;
        self.columns.clear();
        self.cells.clear();
        self.bytes.clear();
        self.rows = 0;
        self.broken = None;
    }

    /// An error if a row could not be read.
    pub fn check(&mut self) -> Result<(), StatementError> {
        self.broken.take().map_or(Ok(()), |reason| Err(StatementError::Protocol { reason }))
    }

    pub fn len(&self) -> usize {
        self.rows
    }

    /// A row, from 0; none if there are fewer.
    pub fn get(&self, row: usize) -> Option<Row<'_>> {
        if row >= self.rows {
            return None;
        }
        let width = self.cells.len() / self.rows;
        Some(Row { rows: self, cells: &self.cells[row * width..(row + 1) * width] })
    }

    pub fn iter(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.rows).filter_map(|row| self.get(row))
    }

    /// A row that must be there.
    pub fn row(&self, row: usize) -> Result<Row<'_>, StatementError> {
        self.get(row).ok_or_else(|| self.fault(format!("{} rows were found where more should be", self.rows)))
    }

    fn fault(&self, reason: String) -> StatementError {
        StatementError::Data { operation: self.operation, reason }
    }

    fn add_text(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let begin = self.bytes.len() as u32;
        write(&mut self.bytes);
        self.cells.push(Cell::Text { begin, end: self.bytes.len() as u32 });
    }

    fn add(&mut self, value: SqlValue<'_>) {
        match value {
            SqlValue::Null => self.cells.push(Cell::Null),
            SqlValue::Int(value) => self.cells.push(Cell::Int(value)),
            SqlValue::UInt(value) if value <= i64::MAX as u64 => self.cells.push(Cell::Int(value as i64)),
            other => self.add_text(|out| other.write_text(0, out)),
        }
    }

    fn add_text_row(&mut self, payload: &[u8]) -> Result<(), wire::ProtocolError> {
        for cell in text_row(payload) {
            match cell? {
                None => self.cells.push(Cell::Null),
                Some(bytes) => self.add_text(|out| out.extend_from_slice(bytes)),
            }
        }
        Ok(())
    }

    fn add_binary_row(&mut self, payload: &[u8]) -> Result<(), wire::ProtocolError> {
        let columns = std::mem::take(&mut self.columns);
        let added = binary_row(payload, &columns).and_then(|mut cells| {
            cells.try_for_each(|cell| {
                self.add(cell?);
                Ok(())
            })
        });
        self.columns = columns;
        added
    }
}

/// One row. Columns are counted from 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'a> {
    rows: &'a Rows,
    cells: &'a [Cell],
}

/// The value of a cell, whatever it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CellValue<'a> {
    Null,
    Int(i64),
    Text(&'a [u8]),
}

impl<'a> Row<'a> {
    /// A value of any kind; NULL if there is no such column.
    pub fn value(&self, column: usize) -> CellValue<'a> {
        match self.cells.get(column) {
            Some(Cell::Int(value)) => CellValue::Int(*value),
            Some(&Cell::Text { begin, end }) => {
                CellValue::Text(&self.rows.bytes[begin as usize..end as usize])
            }
            Some(Cell::Null) | None => CellValue::Null,
        }
    }

    /// A whole number.
    pub fn int(&self, column: usize) -> Result<i64, StatementError> {
        self.fixed(column, 0)
    }

    /// A DECIMAL with two digits after its point.
    pub fn cents(&self, column: usize) -> Result<Cents, StatementError> {
        self.fixed(column, 2).map(Cents)
    }

    /// A string; NULL is an error.
    pub fn text(&self, column: usize) -> Result<&'a [u8], StatementError> {
        match self.cells.get(column) {
            Some(&Cell::Text { begin, end }) => Ok(&self.rows.bytes[begin as usize..end as usize]),
            other => Err(self.rows.fault(format!("column {} is not text: {other:?}", column + 1))),
        }
    }

    /// A number in units of its last digit, `digits` after the point.
    fn fixed(&self, column: usize, digits: u32) -> Result<i64, StatementError> {
        let value = match self.cells.get(column) {
            Some(Cell::Int(value)) => value.checked_mul(10i64.pow(digits)),
            Some(Cell::Text { .. }) => parse_fixed(self.text(column)?, digits),
            _ => None,
        };
        value.ok_or_else(|| self.rows.fault(format!("column {} is not a number", column + 1)))
    }
}

/// Reads a decimal number; digits beyond those wanted must be zeros.
fn parse_fixed(text: &[u8], digits: u32) -> Option<i64> {
    let (negative, text) = match text.strip_prefix(b"-") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let mut value: i64 = 0;
    let mut fraction: Option<u32> = None;
    for &byte in text {
        match (byte, fraction) {
            (b'.', None) => fraction = Some(0),
            (b'0', Some(seen)) if seen >= digits => {}
            (b'0'..=b'9', _) if fraction.is_none_or(|seen| seen < digits) => {
                value = value.checked_mul(10)?.checked_add(i64::from(byte - b'0'))?;
                fraction = fraction.map(|seen| seen + 1);
            }
            _ => return None,
        }
    }
    value = value.checked_mul(10i64.pow(digits - fraction.unwrap_or(0)))?;
    (!text.is_empty()).then_some(if negative { -value } else { value })
}

/// Collects an answer in [`Rows`]. The columns of a prepared statement are remembered where MariaDB leaves them out.
pub(crate) struct Collect<'a> {
    rows: &'a mut Rows,
    shapes: &'a mut Vec<ColumnShape>,
    binary: bool,
}

impl<'a> Collect<'a> {
    pub fn text(rows: &'a mut Rows, shapes: &'a mut Vec<ColumnShape>) -> Self {
        Self { rows, shapes, binary: false }
    }

    pub fn binary(rows: &'a mut Rows, shapes: &'a mut Vec<ColumnShape>) -> Self {
        Self { rows, shapes, binary: true }
    }
}

impl RowSink for Collect<'_> {
    const WANTS_ROWS: bool = true;
    const WANTS_NAMES: bool = false;

    fn columns(&mut self, columns: &[ColumnDef]) {
        if !columns.is_empty() {
            self.shapes.clear();
            self.shapes.extend(columns.iter().map(ColumnShape::of));
        }
        self.rows.columns.clear();
        self.rows.columns.extend(self.shapes.iter().map(|shape| shape.definition()));
    }

    fn row(&mut self, payload: &[u8]) {
        let added = match self.binary {
            true => self.rows.add_binary_row(payload),
            false => self.rows.add_text_row(payload),
        };
        match added {
            Ok(()) => self.rows.rows += 1,
            Err(error) => self.rows.broken = Some(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_written_with_two_digits_after_the_point() {
        let cases = [(0, "0.00"), (5, "0.05"), (-5, "-0.05"), (1_234, "12.34"), (-500_000, "-5000.00")];
        for (cents, text) in cases {
            assert_eq!(Cents(cents).to_string(), text);
            assert_eq!(parse_fixed(text.as_bytes(), 2), Some(cents));
        }
        assert_eq!(Cents(i64::MIN).to_string(), "-92233720368547758.08");
    }

    #[test]
    fn decimals_are_read_exactly_or_not_at_all() {
        assert_eq!(parse_fixed(b"0.1234", 4), Some(1_234));
        assert_eq!(parse_fixed(b"7", 2), Some(700));
        assert_eq!(parse_fixed(b"7.5000", 2), Some(750));
        for not in [&b""[..], b"-", b"7.505", b"7x", b"1.2.3", b"99999999999999999999"] {
            assert_eq!(parse_fixed(not, 2), None, "{}", String::from_utf8_lossy(not));
        }
    }

    #[test]
    fn cells_of_both_protocols_are_read_alike() {
        let mut rows = Rows::default();
        let mut shapes = Vec::new();
        let column = |kind| ColumnShape { kind, unsigned: false }.definition();
        let columns = [column(ColumnType::LONG), column(ColumnType(0xf6)), column(ColumnType::VAR_STRING)];
        rows.begin(0);
        let mut text = Collect::text(&mut rows, &mut shapes);
        text.columns(&columns);
        text.row(b"\x0242\x04-1.5\xfb");
        let row = rows.row(0).unwrap();
        assert_eq!((row.int(0).unwrap(), row.cents(1).unwrap()), (42, Cents(-150)));
        assert!(row.text(2).is_err() && row.int(2).is_err() && rows.row(1).is_err());

        rows.begin(0);
        let mut binary = Collect::binary(&mut rows, &mut shapes);
        // As MariaDB answers a repeated execution.
        binary.columns(&[]);
        binary.row(b"\x00\x00\x2a\x00\x00\x00\x04-1.5\x02ab");
        let row = rows.row(0).unwrap();
        assert_eq!((row.int(0).unwrap(), row.cents(1).unwrap()), (42, Cents(-150)));
        assert_eq!(row.text(2).unwrap(), b"ab");
    }
}
