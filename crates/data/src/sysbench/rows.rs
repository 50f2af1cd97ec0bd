//! Makes sysbench's rows from a seed: the same rows for the same seed, however the work is divided.
//!
//! Every block of a thousand ids of a table has a random stream of its own, so that neither the size of a chunk nor the
//! number of connections nor a resumed load changes a row. Rows are written straight into the text that the server
//! gets.

use std::io::{self, Read, Write};

use random::{C_TEMPLATE, Keys, PAD_TEMPLATE, Rng, fill_digits};

/// Ids that share a random stream.
pub(crate) const BLOCK_ROWS: u64 = 1000;

/// More than a row can take in either form.
const ROW_BYTES_MAX: usize = 256;

/// The rows of a range of ids, one after the other.
#[derive(Debug, Clone)]
pub(crate) struct Rows {
    seed: u64,
    table: u32,
    table_size: u64,
    next: u64,
    last: u64,
    keys: Keys,
    rng: Rng,
}

impl Rows {
    /// The rows with ids `first..=last` of a table of `table_size` rows. `first` begins a block.
    pub fn new(seed: u64, table: u32, table_size: u64, first: u64, last: u64) -> Self {
        debug_assert!(first % BLOCK_ROWS == 1, "a range begins with a block");
        Self {
            seed,
            table,
            table_size,
            next: first,
            last,
            // sysbench draws k as it draws the ids of its queries, by default so:
            keys: Keys::special(12, 1, 75),
            rng: Rng::from_seed(0),
        }
    }

    /// Writes the next row; false if there is none.
    fn write(&mut self, out: &mut Vec<u8>, form: &Form) -> bool {
        if self.next > self.last {
            return false;
        }
        let id = self.next;
        if id % BLOCK_ROWS == 1 {
            let block = (id - 1) / BLOCK_ROWS;
            self.rng = Rng::stream(self.seed, u64::from(self.table) << 32 | block);
        }
        let k = self.keys.draw(&mut self.rng, 1, self.table_size);
        out.extend_from_slice(form.before);
        decimal(out, id);
        out.push(b',');
        decimal(out, k);
        out.extend_from_slice(form.before_c);
        self.digits(out, C_TEMPLATE);
        out.extend_from_slice(form.before_pad);
        self.digits(out, PAD_TEMPLATE);
        out.extend_from_slice(form.after);
        self.next += 1;
        true
    }

    fn digits(&mut self, out: &mut Vec<u8>, template: &[u8]) {
        let start = out.len();
        out.resize(start + template.len(), 0);
        fill_digits(template, &mut out[start..], &mut self.rng);
    }
}

fn decimal(out: &mut Vec<u8>, n: u64) {
    write!(out, "{n}").expect("a vector takes every byte");
}

/// The separators between the values of a row.
struct Form {
    before: &'static [u8],
    before_c: &'static [u8],
    before_pad: &'static [u8],
    after: &'static [u8],
}

const LINES: Form = Form { before: b"", before_c: b",", before_pad: b",", after: b"\n" };
const TUPLES: Form = Form { before: b"(", before_c: b",'", before_pad: b"','", after: b"')," };

/// The LOAD DATA format of [`Lines`]. The comma needs no escape, whatever the sql_mode.
pub(crate) const LINES_FORMAT: &str = "FIELDS TERMINATED BY ',' ESCAPED BY '' (id, k, c, pad)";

/// Rows as the text that LOAD DATA reads.
#[derive(Debug)]
pub(crate) struct Lines {
    rows: Rows,
    buffer: Vec<u8>,
    used: usize,
    /// Bytes given out so far.
    pub bytes: u64,
}

impl Lines {
    pub fn new(rows: Rows) -> Self {
        Self { rows, buffer: Vec::with_capacity(BUFFER_BYTES), used: 0, bytes: 0 }
    }
}

const BUFFER_BYTES: usize = 64 << 10;

impl Read for Lines {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.used == self.buffer.len() {
            self.buffer.clear();
            self.used = 0;
            while self.buffer.len() + ROW_BYTES_MAX <= BUFFER_BYTES
                && self.rows.write(&mut self.buffer, &LINES)
            {}
        }
        let rest = &self.buffer[self.used..];
        let count = rest.len().min(out.len());
        out[..count].copy_from_slice(&rest[..count]);
        self.used += count;
        self.bytes += count as u64;
        Ok(count)
    }
}

/// Rows as multi-row INSERT statements.
#[derive(Debug)]
pub(crate) struct Inserts {
    rows: Rows,
    table: String,
    bytes_max: usize,
    statement: Vec<u8>,
}

impl Inserts {
    /// Statements of at most `bytes_max` bytes, if that is enough for one row.
    pub fn new(rows: Rows, table: String, bytes_max: usize) -> Self {
        Self { rows, table, bytes_max, statement: Vec::new() }
    }

    /// The next statement; none if all rows have been given out.
    pub fn next(&mut self) -> Option<&str> {
        self.statement.clear();
        write!(self.statement, "INSERT INTO {} (id, k, c, pad) VALUES ", self.table)
            .expect("a vector takes every byte");
        let header = self.statement.len();
        while self.rows.write(&mut self.statement, &TUPLES)
            && self.statement.len() + ROW_BYTES_MAX <= self.bytes_max
        {}
        if self.statement.len() == header {
            return None;
        }
        self.statement.pop(); // the last comma
        Some(std::str::from_utf8(&self.statement).expect("digits and punctuation"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(first: u64, last: u64) -> String {
        let mut text = String::new();
        Lines::new(Rows::new(42, 1, 5000, first, last)).read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn rows_have_sysbenchs_shape() {
        let text = lines(1, 2500);
        assert_eq!(text.lines().count(), 2500);
        for (line, id) in text.lines().zip(1u64..) {
            let fields: Vec<&str> = line.split(',').collect();
            assert_eq!(fields[0], id.to_string());
            assert!((1..=5000).contains(&fields[1].parse::<u64>().unwrap()), "{line}");
            for (field, groups) in [(fields[2], 10), (fields[3], 5)] {
                let found: Vec<&str> = field.split('-').collect();
                assert_eq!(found.len(), groups, "{line}");
                assert!(
                    found.iter().all(|g| g.len() == 11 && g.bytes().all(|b| b.is_ascii_digit())),
                    "{line}"
                );
            }
        }
    }

    #[test]
    fn the_division_of_the_work_does_not_change_a_row() {
        assert_eq!(lines(1, 5000), lines(1, 2000) + &lines(2001, 3000) + &lines(3001, 5000));
    }

    #[test]
    fn a_seed_gives_the_same_rows_for_ever() {
        assert_eq!(
            lines(1, 1),
            "1,2507,39625609520-31280508989-94168605430-13171383562-59861677023-13405010342-71359979136-19107573979-\
             74286179325-04569282330,23195921679-40264888011-86061188612-57190534703-74056218946\n"
        );
    }

    #[test]
    fn inserts_carry_the_same_rows_in_statements_of_bounded_length() {
        let mut inserts = Inserts::new(Rows::new(42, 1, 5000, 1, 5000), "sbtest1".to_owned(), 20_000);
        let mut text = String::new();
        let mut statements = 0;
        while let Some(statement) = inserts.next() {
            assert!(statement.len() <= 20_000);
            let tuples = statement.strip_prefix("INSERT INTO sbtest1 (id, k, c, pad) VALUES (").unwrap();
            for tuple in tuples.strip_suffix(')').unwrap().split("),(") {
                text.push_str(&tuple.replace('\'', ""));
                text.push('\n');
            }
            statements += 1;
        }
        assert!(statements > 40);
        assert_eq!(text, lines(1, 5000));
    }
}
