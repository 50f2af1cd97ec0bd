//! Tables: fields with commas between them, quotes around those that need them (RFC 4180, one row a line).

use crate::measured::Problem;

/// A table with its header.
pub struct Table<'a> {
    header: Vec<&'a str>,
    /// (line from 1, fields).
    rows: Vec<(usize, Vec<&'a str>)>,
}

/// A row and where it stands.
pub struct Row<'t, 'a> {
    table: &'t Table<'a>,
    /// Line of the file, from 1.
    pub line: usize,
    fields: &'t [&'a str],
}

impl<'a> Table<'a> {
    /// Reads a table. Empty lines and lines that begin with `#` are left out; the first of the others is the header.
    pub fn read(text: &'a str) -> Result<Self, Problem> {
        let mut lines = text
            .trim_start_matches('\u{feff}')
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let (at, first) = lines.next().ok_or_else(|| Problem::of_file("it is empty"))?;
        let header = fields(at + 1, first)?;
        let mut rows = Vec::new();
        for (at, line) in lines {
            let fields = fields(at + 1, line)?;
            if fields.len() != header.len() {
                let what = format!("{} fields, the header has {}", fields.len(), header.len());
                return Err(Problem::at(at + 1, what));
            }
            rows.push((at + 1, fields));
        }
        Ok(Self { header, rows })
    }

    /// Names of the columns.
    pub fn header(&self) -> &[&'a str] {
        &self.header
    }

    /// Its rows.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_, 'a>> {
        self.rows.iter().map(|(line, fields)| Row { table: self, line: *line, fields })
    }

    /// Nothing if there is such a column.
    pub fn has(&self, column: &str) -> Result<(), Problem> {
        if self.header.contains(&column) {
            return Ok(());
        }
        Err(Problem::of_file(format!("there is no column '{column}'; it has {}", self.header.join(", "))))
    }
}

impl<'a> Row<'_, 'a> {
    /// The field of a column that is known to be there; empty if it is not.
    pub fn text(&self, column: &str) -> &'a str {
        let at = self.table.header.iter().position(|name| *name == column);
        at.map_or("", |at| self.fields[at])
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
            .ok_or_else(|| Problem::at(self.line, format!("'{text}' in column {column} is no number")))
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

fn fields(line: usize, mut rest: &str) -> Result<Vec<&str>, Problem> {
    let mut fields = Vec::new();
    loop {
        let end = if let Some(quoted) = rest.strip_prefix('"') {
            let end = quoted.find('"').ok_or_else(|| Problem::at(line, "a quote is not closed"))?;
            fields.push(quoted[..end].trim());
            rest = &quoted[end + 1..];
            if !rest.is_empty() && !rest.starts_with(',') {
                return Err(Problem::at(line, "there is more behind a closing quote"));
            }
            (!rest.is_empty()).then_some(0)
        } else {
            let end = rest.find(',');
            fields.push(rest[..end.unwrap_or(rest.len())].trim());
            end
        };
        match end {
            Some(end) => rest = &rest[end + 1..],
            None => return Ok(fields),
        }
    }
}
