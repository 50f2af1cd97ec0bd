//! Tables with a header: fields with commas, semicolons, tabs or bars between them.

use csv::{ReaderBuilder, StringRecord, Trim};

use crate::measured::Problem;

/// Possible field separators; of equally frequent ones the first wins.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// A table with its header.
pub struct Table {
    header: Vec<String>,
    /// (line from 1, fields).
    rows: Vec<(usize, StringRecord)>,
}

/// A row with its line number.
pub struct Row<'t> {
    table: &'t Table,
    /// Line of the file, from 1.
    pub line: usize,
    fields: &'t StringRecord,
}

/// The field separator of this header; none if there is none.
pub fn delimiter(header: &str) -> Option<u8> {
    let mut is_quoted = false;
    let mut counts = [0_usize; DELIMITERS.len()];
    for byte in header.bytes() {
        is_quoted ^= byte == b'"';
        if let Some(at) = DELIMITERS.iter().position(|delimiter| *delimiter == byte && !is_quoted) {
            counts[at] += 1;
        }
    }
    let most = *counts.iter().max()?;
    let at = counts.iter().position(|count| *count == most)?;
    (most > 0).then(|| DELIMITERS[at])
}

fn is_content(line: &str) -> bool {
    !line.trim().is_empty() && !line.starts_with('#')
}

impl Table {
    /// Reads a table. Empty lines and lines that begin with `#` are left out; the first of the others is the header.
    pub fn read(text: &str) -> Result<Self, Problem> {
        let text = text.trim_start_matches('\u{feff}');
        let empty = || Problem::of_file("it is empty");
        let first = text.lines().find(|line| is_content(line)).ok_or_else(empty)?;
        let delimiter = delimiter(first).unwrap_or(b',');
        // Markdown and the mysql client have bars at both ends too.
        let framed = (delimiter == b'|' && first.trim_start().starts_with('|')).then(|| unframed(text));
        let text = framed.as_deref().unwrap_or(text);
        let mut reader = ReaderBuilder::new()
            .delimiter(delimiter)
            .trim(Trim::All)
            .flexible(true)
            .comment(Some(b'#'))
            .has_headers(false)
            .from_reader(text.as_bytes());
        let mut header: Option<Vec<String>> = None;
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| Problem::of_file(error.to_string()))?;
            let line = record.position().map_or(0, |position| position.line() as usize);
            if record.iter().all(str::is_empty) {
                continue;
            }
            match &header {
                None => header = Some(record.iter().map(str::to_owned).collect()),
                Some(header) if header.len() != record.len() => {
                    let is_open = text.matches('"').count() % 2 == 1;
                    let why = if is_open { ": a quote is not closed" } else { "" };
                    let what = format!("{} fields, the header has {}{why}", record.len(), header.len());
                    return Err(Problem::at(line, what));
                }
                Some(_) => rows.push((line, record)),
            }
        }
        Ok(Self { header: header.ok_or_else(empty)?, rows })
    }

    /// Names of the columns.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// Its rows.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|(line, fields)| Row { table: self, line: *line, fields })
    }

    /// Fails unless there is such a column.
    pub fn has(&self, column: &str) -> Result<(), Problem> {
        if self.header.iter().any(|name| name == column) {
            return Ok(());
        }
        Err(Problem::of_file(format!("there is no column '{column}'; it has {}", self.header.join(", "))))
    }
}

/// The lines without the bars at both ends; lines that only frame become empty.
fn unframed(text: &str) -> String {
    let line = |line: &str| {
        let inner = line.trim().trim_start_matches('|').trim_end_matches('|');
        let frames = inner.chars().all(|c| matches!(c, '|' | '-' | '+' | ':' | ' '));
        if frames { "\n".to_owned() } else { format!("{inner}\n") }
    };
    text.lines().map(line).collect()
}

impl<'t> Row<'t> {
    /// The field of a column that must exist; empty if it does not.
    pub fn text(&self, column: &str) -> &'t str {
        let at = self.table.header.iter().position(|name| name == column);
        at.and_then(|at| self.fields.get(at)).unwrap_or_default()
    }

    /// A number that is not negative; none where the field is empty.
    pub fn number(&self, column: &str) -> Result<Option<f64>, Problem> {
        let text = self.text(column);
        if text.is_empty() {
            return Ok(None);
        }
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
        number
            .map(Some)
            .ok_or_else(|| Problem::at(self.line, format!("'{text}' in column {column} is not a number")))
    }

    /// A whole number.
    pub fn count(&self, column: &str) -> Result<Option<u64>, Problem> {
        let Some(number) = self.number(column)? else { return Ok(None) };
        if number.fract() != 0.0 {
            return Err(Problem::at(self.line, format!("{number} in column {column} is not a whole number")));
        }
        Ok(Some(number as u64))
    }

    /// Clients.
    pub fn threads(&self, column: &str) -> Result<u32, Problem> {
        let count =
            self.count(column)?.and_then(|count| u32::try_from(count).ok()).filter(|count| *count > 0);
        count.ok_or_else(|| Problem::at(self.line, format!("column {column} has no number of clients")))
    }
}
