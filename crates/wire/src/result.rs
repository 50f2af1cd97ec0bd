//! The results of the blocking client, and the sinks that gather them.

use crate::{
    codec::text,
    error::ProtocolError,
    limits::RESULT_BYTES_MAX,
    response::{OkInfo, RowSink},
    value::{ColumnDef, binary_row, text_row},
};

/// A sink that can refuse its input.
pub(crate) trait Bounded: RowSink {
    /// An error if a row was malformed or the rows are too many to keep.
    fn check(&mut self) -> Result<(), ProtocolError>;
}

/// The outcome of a statement whose rows were not kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Done {
    /// Rows changed.
    pub affected_rows: u64,
    /// The first value generated for an AUTO_INCREMENT column.
    pub last_insert_id: u64,
    /// Warnings.
    pub warnings: u64,
    /// Rows that were sent and not kept.
    pub rows: u64,
    /// The server's remark, e.g. "Records: 3  Duplicates: 0  Warnings: 0".
    pub info: String,
}

/// The outcome of a statement with its rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResultSet {
    /// The columns; empty if the statement has no result.
    pub columns: Vec<ColumnDef>,
    /// The rows.
    pub rows: Vec<Row>,
    /// Rows changed.
    pub affected_rows: u64,
    /// The first value generated for an AUTO_INCREMENT column.
    pub last_insert_id: u64,
    /// Warnings.
    pub warnings: u64,
    /// The server's remark.
    pub info: String,
}

impl ResultSet {
    /// The first row, of statements that give one.
    pub fn first(&self) -> Option<&Row> {
        self.rows.first()
    }

    /// The position of the column of that name, whatever its case.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name.eq_ignore_ascii_case(name))
    }
}

/// One row, every value in its text form.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    data: Vec<u8>,
    /// End of each cell in `data`; `None` is NULL.
    ends: Vec<Option<usize>>,
}

impl Row {
    /// A cell's bytes; `None` if it is NULL or there is no such column.
    pub fn get(&self, index: usize) -> Option<&[u8]> {
        let end = (*self.ends.get(index)?)?;
        let start = self.ends[..index].iter().rev().find_map(|&end| end).unwrap_or(0);
        Some(&self.data[start..end])
    }

    /// A cell as text; `None` also if it is not UTF-8.
    pub fn text(&self, index: usize) -> Option<&str> {
        std::str::from_utf8(self.get(index)?).ok()
    }

    /// A cell as a number or whatever else can be read from text; `None` also if it cannot.
    pub fn parse<T: std::str::FromStr>(&self, index: usize) -> Option<T> {
        self.text(index)?.parse().ok()
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether it has no cells.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn bytes(&self) -> usize {
        self.data.len() + size_of_val(&self.ends[..]) + size_of::<Self>()
    }
}

/// A prepared statement of one connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    pub(crate) id: u32,
    pub(crate) params: u16,
    pub(crate) columns: Vec<ColumnDef>,
    pub(crate) sql: String,
}

impl Statement {
    /// The server's number for it, unique on its connection.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Number of parameters.
    pub fn params(&self) -> u16 {
        self.params
    }

    /// The columns of its result; none if it has no result.
    pub fn columns(&self) -> &[ColumnDef] {
        &self.columns
    }
}

/// Keeps the server's last remark only.
#[derive(Debug, Default)]
pub(crate) struct Remark(Vec<u8>);

impl Remark {
    pub(crate) fn info(&self) -> String {
        text(&self.0)
    }
}

impl RowSink for Remark {
    const WANTS_ROWS: bool = false;

    fn end(&mut self, info: &[u8]) {
        self.0.clear();
        self.0.extend_from_slice(info);
    }
}

impl Bounded for Remark {
    fn check(&mut self) -> Result<(), ProtocolError> {
        Ok(())
    }
}

/// Keeps the first result that has columns.
#[derive(Debug, Default)]
pub(crate) struct Collect {
    pub(crate) columns: Vec<ColumnDef>,
    /// The columns of the preparation, for rows in the binary protocol whose own were left out.
    prepared: Option<Vec<ColumnDef>>,
    rows: Vec<Row>,
    remark: Remark,
    bytes: usize,
    results: usize,
    error: Option<ProtocolError>,
}

impl Collect {
    /// A sink for the text protocol.
    pub(crate) fn text() -> Self {
        Self::default()
    }

    /// A sink for the binary protocol.
    pub(crate) fn binary(columns: &[ColumnDef]) -> Self {
        Self { prepared: Some(columns.to_vec()), ..Self::default() }
    }

    pub(crate) fn into_result(self, ok: OkInfo) -> ResultSet {
        ResultSet {
            columns: self.columns,
            rows: self.rows,
            affected_rows: ok.affected_rows,
            last_insert_id: ok.last_insert_id,
            warnings: ok.warnings,
            info: self.remark.info(),
        }
    }

    fn decode(&self, payload: &[u8]) -> Result<Row, ProtocolError> {
        let mut row = Row::default();
        if self.prepared.is_some() {
            for (value, column) in binary_row(payload, &self.columns)?.zip(&self.columns) {
                let value = value?;
                value.write_text(column.decimals, &mut row.data);
                row.ends.push((value != crate::SqlValue::Null).then_some(row.data.len()));
            }
        } else {
            for cell in text_row(payload) {
                let cell = cell?;
                row.data.extend_from_slice(cell.unwrap_or_default());
                row.ends.push(cell.map(|_| row.data.len()));
            }
        }
        if row.ends.len() != self.columns.len() {
            return Err(ProtocolError::Malformed { packet: "row", detail: "not as many values as columns" });
        }
        Ok(row)
    }
}

impl RowSink for Collect {
    const WANTS_ROWS: bool = true;

    fn columns(&mut self, columns: &[ColumnDef]) {
        self.results += 1;
        if self.results == 1 {
            self.columns = match &self.prepared {
                Some(prepared) if columns.is_empty() => prepared.clone(),
                _ => columns.to_vec(),
            };
        }
    }

    fn row(&mut self, payload: &[u8]) {
        if self.results > 1 || self.error.is_some() {
            return;
        }
        match self.decode(payload) {
            Ok(row) => {
                self.bytes += row.bytes();
                if self.bytes > RESULT_BYTES_MAX {
                    let (length, limit) = (self.bytes, RESULT_BYTES_MAX);
                    self.error = Some(ProtocolError::TooLong { packet: "result", length, limit });
                }
                self.rows.push(row);
            }
            Err(error) => self.error = Some(error),
        }
    }

    fn end(&mut self, info: &[u8]) {
        self.remark.end(info);
    }
}

impl Bounded for Collect {
    fn check(&mut self) -> Result<(), ProtocolError> {
        self.error.take().map_or(Ok(()), Err)
    }
}
