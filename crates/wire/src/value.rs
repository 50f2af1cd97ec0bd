//! Columns and the values of rows, in the text protocol and in the binary protocol of prepared statements.

use std::io::Write as _;

use crate::{
    codec::{Cursor, text},
    error::ProtocolError,
};

/// A column's type as the protocol numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnType(pub u8);

#[expect(missing_docs, reason = "the names are the documentation: MYSQL_TYPE_... of the protocol manual")]
impl ColumnType {
    pub const DECIMAL: Self = Self(0x00);
    pub const TINY: Self = Self(0x01);
    pub const SHORT: Self = Self(0x02);
    pub const LONG: Self = Self(0x03);
    pub const FLOAT: Self = Self(0x04);
    pub const DOUBLE: Self = Self(0x05);
    pub const NULL: Self = Self(0x06);
    pub const TIMESTAMP: Self = Self(0x07);
    pub const LONGLONG: Self = Self(0x08);
    pub const INT24: Self = Self(0x09);
    pub const DATE: Self = Self(0x0a);
    pub const TIME: Self = Self(0x0b);
    pub const DATETIME: Self = Self(0x0c);
    pub const YEAR: Self = Self(0x0d);
    pub const VAR_STRING: Self = Self(0xfd);
    pub const BLOB: Self = Self(0xfc);
}

/// The column's integers are unsigned.
pub const UNSIGNED_FLAG: u16 = 1 << 5;

/// The server's description of one column of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnDef {
    /// Its name or alias.
    pub name: String,
    /// Its type.
    pub kind: ColumnType,
    /// Its collation's number.
    pub collation: u16,
    /// NOT NULL, UNSIGNED and so on.
    pub flags: u16,
    /// Digits after the decimal point; 31 means a variable number.
    pub decimals: u8,
}

impl ColumnDef {
    /// Reads a column definition packet, with the name or without.
    pub fn decode(payload: &[u8], with_name: bool) -> Result<Self, ProtocolError> {
        let mut cursor = Cursor::new(payload, "column definition");
        for _catalog_schema_table_original_table in 0..4 {
            cursor.lenenc_bytes()?;
        }
        let name = cursor.lenenc_bytes()?;
        let name = if with_name { text(name) } else { String::new() };
        let _original_name = cursor.lenenc_bytes()?;
        cursor.lenenc()?;
        let collation = cursor.u16()?;
        let _display_width = cursor.u32()?;
        let kind = ColumnType(cursor.u8()?);
        Ok(Self { name, kind, collation, flags: cursor.u16()?, decimals: cursor.u8()? })
    }
}

/// One value, sent as a parameter or read from a row.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "the fields are what they are called")]
pub enum SqlValue<'a> {
    /// SQL NULL.
    Null,
    /// A signed integer of any width.
    Int(i64),
    /// An unsigned integer of any width.
    UInt(u64),
    /// FLOAT.
    Float(f32),
    /// DOUBLE.
    Double(f64),
    /// Strings, blobs, decimals, JSON, and every value of the text protocol.
    Bytes(&'a [u8]),
    /// DATE.
    Date { year: u16, month: u8, day: u8 },
    /// DATETIME and TIMESTAMP.
    DateTime { year: u16, month: u8, day: u8, hour: u8, minute: u8, second: u8, micros: u32 },
    /// TIME.
    Time { negative: bool, days: u32, hours: u8, minutes: u8, seconds: u8, micros: u32 },
}

impl SqlValue<'_> {
    /// Appends the value as the text protocol would show it, times with `decimals` digits of a second; NULL is nothing.
    pub fn write_text(&self, decimals: u8, out: &mut Vec<u8>) {
        let digits = if decimals > 6 { 0 } else { decimals };
        // Writing to a Vec cannot fail, hence the results are of no interest.
        let _ = match *self {
            Self::Null => Ok(()),
            Self::Int(value) => write!(out, "{value}"),
            Self::UInt(value) => write!(out, "{value}"),
            Self::Float(value) => write!(out, "{value}"),
            Self::Double(value) => write!(out, "{value}"),
            Self::Bytes(bytes) => out.write_all(bytes),
            Self::Date { year, month, day } => write!(out, "{year:04}-{month:02}-{day:02}"),
            Self::DateTime { year, month, day, hour, minute, second, micros } => {
                let _ = write!(out, "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}");
                write_fraction(out, micros, digits)
            }
            Self::Time { negative, days, hours, minutes, seconds, micros } => {
                let sign = if negative { "-" } else { "" };
                let hours = u64::from(days) * 24 + u64::from(hours);
                let _ = write!(out, "{sign}{hours:02}:{minutes:02}:{seconds:02}");
                write_fraction(out, micros, digits)
            }
        };
    }
}

fn write_fraction(out: &mut Vec<u8>, micros: u32, digits: u8) -> std::io::Result<()> {
    if digits == 0 {
        return Ok(());
    }
    let scaled = micros / 10u32.pow(6 - u32::from(digits));
    write!(out, ".{scaled:0width$}", width = usize::from(digits))
}

/// The cells of a text row, in order; `None` is NULL. Ends after the first error.
pub fn text_row(payload: &[u8]) -> impl Iterator<Item = Result<Option<&[u8]>, ProtocolError>> {
    let mut cursor = Cursor::new(payload, "text row");
    std::iter::from_fn(move || {
        let first = *cursor.rest().first()?;
        let cell = if first == 0xfb { cursor.u8().map(|_| None) } else { cursor.lenenc_bytes().map(Some) };
        if cell.is_err() {
            cursor.take_rest();
        }
        Some(cell)
    })
}

/// The cells of a binary row, in order. Ends after the first error.
pub fn binary_row<'a>(
    payload: &'a [u8],
    columns: &'a [ColumnDef],
) -> Result<impl Iterator<Item = Result<SqlValue<'a>, ProtocolError>>, ProtocolError> {
    let mut cursor = Cursor::new(payload, "binary row");
    if cursor.u8()? != 0 {
        return Err(cursor.malformed("it does not begin with a zero"));
    }
    // The bitmap of a row is shifted by two bits, that of parameters is not.
    let nulls = cursor.bytes((columns.len() + 9) / 8)?;
    let mut failed = false;
    Ok(columns.iter().enumerate().map_while(move |(index, column)| {
        if failed {
            return None;
        }
        let bit = index + 2;
        let cell = if nulls[bit / 8] & (1 << (bit % 8)) != 0 {
            Ok(SqlValue::Null)
        } else {
            binary_value(&mut cursor, column.kind, column.flags & UNSIGNED_FLAG != 0)
        };
        failed = cell.is_err();
        Some(cell)
    }))
}

/// Reads one value of the binary protocol.
pub(crate) fn binary_value<'a>(
    cursor: &mut Cursor<'a>,
    kind: ColumnType,
    unsigned: bool,
) -> Result<SqlValue<'a>, ProtocolError> {
    let signed = |value: i64| SqlValue::Int(value);
    Ok(match (kind, unsigned) {
        (ColumnType::NULL, _) => SqlValue::Null,
        (ColumnType::TINY, true) => SqlValue::UInt(cursor.u8()?.into()),
        (ColumnType::TINY, false) => signed((cursor.u8()? as i8).into()),
        (ColumnType::SHORT | ColumnType::YEAR, true) => SqlValue::UInt(cursor.u16()?.into()),
        (ColumnType::SHORT | ColumnType::YEAR, false) => signed((cursor.u16()? as i16).into()),
        (ColumnType::LONG | ColumnType::INT24, true) => SqlValue::UInt(cursor.u32()?.into()),
        (ColumnType::LONG | ColumnType::INT24, false) => signed((cursor.u32()? as i32).into()),
        (ColumnType::LONGLONG, true) => SqlValue::UInt(cursor.u64()?),
        (ColumnType::LONGLONG, false) => signed(cursor.u64()? as i64),
        (ColumnType::FLOAT, _) => SqlValue::Float(f32::from_bits(cursor.u32()?)),
        (ColumnType::DOUBLE, _) => SqlValue::Double(f64::from_bits(cursor.u64()?)),
        (ColumnType::DATE, _) => {
            let fields = cursor.lenenc_bytes()?;
            let mut part = Padded(fields);
            SqlValue::Date { year: part.u16(), month: part.u8(), day: part.u8() }
        }
        (ColumnType::DATETIME | ColumnType::TIMESTAMP, _) => {
            let mut part = Padded(cursor.lenenc_bytes()?);
            SqlValue::DateTime {
                year: part.u16(),
                month: part.u8(),
                day: part.u8(),
                hour: part.u8(),
                minute: part.u8(),
                second: part.u8(),
                micros: part.u32(),
            }
        }
        (ColumnType::TIME, _) => {
            let mut part = Padded(cursor.lenenc_bytes()?);
            SqlValue::Time {
                negative: part.u8() != 0,
                days: part.u32(),
                hours: part.u8(),
                minutes: part.u8(),
                seconds: part.u8(),
                micros: part.u32(),
            }
        }
        _ => SqlValue::Bytes(cursor.lenenc_bytes()?),
    })
}

/// A date or time sent without its trailing zeros: missing parts read as zero.
struct Padded<'a>(&'a [u8]);

impl Padded<'_> {
    fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        let count = N.min(self.0.len());
        bytes[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        bytes
    }

    fn u8(&mut self) -> u8 {
        self.array::<1>()[0]
    }

    fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.array())
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.array())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: SqlValue<'_>, decimals: u8) -> String {
        let mut out = Vec::new();
        value.write_text(decimals, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn times_are_written_as_the_server_writes_them() {
        let at = SqlValue::DateTime {
            year: 2026,
            month: 1,
            day: 2,
            hour: 3,
            minute: 4,
            second: 5,
            micros: 60_000,
        };
        assert_eq!(shown(at, 0), "2026-01-02 03:04:05");
        assert_eq!(shown(at, 3), "2026-01-02 03:04:05.060");
        let long = SqlValue::Time { negative: true, days: 2, hours: 1, minutes: 0, seconds: 9, micros: 0 };
        assert_eq!(shown(long, 0), "-49:00:09");
        assert_eq!(shown(SqlValue::Date { year: 1, month: 2, day: 3 }, 0), "0001-02-03");
    }

    #[test]
    fn a_short_date_is_filled_with_zeros() {
        let column =
            ColumnDef { name: "d".into(), kind: ColumnType::DATETIME, collation: 63, flags: 0, decimals: 0 };
        let row = [0, 0, 4, 0xea, 0x07, 6, 7];
        let columns = [column];
        let cells: Vec<_> = binary_row(&row, &columns).unwrap().collect();
        assert_eq!(shown(cells[0].clone().unwrap(), 0), "2026-06-07 00:00:00");
    }
}
