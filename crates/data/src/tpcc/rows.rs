//! Makes the rows of a chunk from a seed (clause 4.3.3.1): the same rows for the same seed, however the work is divided.
//!
//! Rows are made as the text that LOAD DATA reads. No value holds a comma, a quote or a line end, so that the same text
//! is easily turned into INSERT statements.

use std::{io::Write, iter::Peekable, slice::Split};

use random::{
    Rng,
    tpcc::{CUSTOMERS, DISTRICTS, ITEMS, NuRand, last_name},
};

use super::{
    chunks::{Chunk, ORDERS, Part, QUARTER_ROWS, UNDELIVERED, of_warehouse},
    schema::{Definition, definition},
};

/// The time of loading in all columns that need it. A constant, so that the same seed gives the same rows; reports list it
/// among the deviations from the standard.
const LOADED_AT: &str = "2020-01-01 00:00:00";

/// The LOAD DATA format of a block: NULL is recognised only where values may be enclosed, and the escape character would
/// depend on the sql_mode.
pub(crate) const FORMAT: &str = "FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '\"' ESCAPED BY ''";

/// Offset that separates the streams from those of sysbench's tables with the same seed.
const STREAMS: u64 = 0x7470_6363_0000_0000;

/// Rows of one table.
#[derive(Debug)]
pub(crate) struct Block {
    pub table: &'static Definition,
    pub rows: u64,
    /// One line per row, values separated by commas.
    pub text: Vec<u8>,
}

/// The rows of a chunk, by table, in the order of the tables' keys, for a data set aged `age` times.
pub(crate) fn blocks(seed: u64, age: u32, chunk: &Chunk) -> Vec<Block> {
    let mut rng = stream_of(seed, chunk);
    let warehouse = u64::from(chunk.warehouse);
    match chunk.part {
        Part::Items(quarter) => vec![items(&mut rng, quarter)],
        Part::Warehouse => warehouse_and_districts(&mut rng, warehouse, age),
        Part::Stock(quarter) => {
            vec![stock(&mut rng, warehouse, quarter, &ordered(seed, age, chunk.warehouse))]
        }
        Part::Customers(district) => customers(&mut rng, warehouse, district),
        Part::Orders { district, batch, is_last } => {
            let first = u64::from(batch) * ORDERS + 1;
            let delivered = if is_last { ORDERS - UNDELIVERED } else { ORDERS };
            orders(&mut rng, Orders { warehouse, district, first, delivered })
        }
    }
}

fn stream_of(seed: u64, chunk: &Chunk) -> Rng {
    let stream = u64::from(chunk.warehouse) << 32 | u64::from(chunk.number());
    Rng::stream(seed ^ STREAMS, stream)
}

/// Lines that ordered each item from this warehouse since the data were new, by item from 1; empty of new data. The
/// orders that a warehouse begins with leave the counters of its stock at 0 (clause 4.3.3.1), those placed later do not.
fn ordered(seed: u64, age: u32, warehouse: u32) -> Vec<u64> {
    let mut lines = vec![0; if age == 0 { 0 } else { ITEMS as usize + 1 }];
    for chunk in of_warehouse(warehouse, age) {
        let Part::Orders { batch: 1.., .. } = chunk.part else { continue };
        for block in blocks(seed, age, &chunk).iter().filter(|block| block.table.name == "order_line") {
            for line in block.text.split(|byte| *byte == b'\n') {
                let item = line.split(|byte| *byte == b',').nth(ITEM_OF_A_LINE);
                let item = item.and_then(|text| std::str::from_utf8(text).ok()?.parse::<usize>().ok());
                if let Some(count) = item.and_then(|item| lines.get_mut(item)) {
                    *count += 1;
                }
            }
        }
    }
    lines
}

/// Position of `ol_i_id` among the columns.
const ITEM_OF_A_LINE: usize = 4;

/// `ol_quantity` of every line that is loaded (clause 4.3.3.1).
const QUANTITY: u64 = 5;

fn items(rng: &mut Rng, quarter: u32) -> Block {
    let mut out = Out::new("item", QUARTER_ROWS);
    let mut original = Chosen::tenth(QUARTER_ROWS);
    let first = u64::from(quarter) * QUARTER_ROWS + 1;
    for id in first..first + QUARTER_ROWS {
        out.number(id);
        out.number(1 + rng.below(10_000));
        out.letters(rng, 14, 24);
        out.fixed(100 + rng.below(9_901), 2);
        let is_original = original.next(rng);
        out.data(rng, is_original);
        out.end();
    }
    out.block
}

fn warehouse_and_districts(rng: &mut Rng, warehouse: u64, age: u32) -> Vec<Block> {
    let mut w = Out::new("warehouse", 1);
    w.number(warehouse);
    w.letters(rng, 6, 10);
    w.address(rng);
    w.fixed(rng.below(2_001), 4);
    w.word("300000.00");
    w.end();
    let mut d = Out::new("district", DISTRICTS);
    for district in 1..=DISTRICTS {
        d.number(district);
        d.number(warehouse);
        d.letters(rng, 6, 10);
        d.address(rng);
        d.fixed(rng.below(2_001), 4);
        d.word("30000.00");
        d.number(ORDERS * (u64::from(age) + 1) + 1);
        d.end();
    }
    vec![w.block, d.block]
}

fn stock(rng: &mut Rng, warehouse: u64, quarter: u32, ordered: &[u64]) -> Block {
    let mut out = Out::new("stock", QUARTER_ROWS);
    let mut original = Chosen::tenth(QUARTER_ROWS);
    let first = u64::from(quarter) * QUARTER_ROWS + 1;
    for item in first..first + QUARTER_ROWS {
        out.number(item);
        out.number(warehouse);
        out.number(10 + rng.below(91));
        for _district in 0..DISTRICTS {
            out.letters(rng, 24, 24);
        }
        let lines = ordered.get(item as usize).copied().unwrap_or(0);
        for counter in [lines * QUANTITY, lines, 0] {
            out.number(counter);
        }
        let is_original = original.next(rng);
        out.data(rng, is_original);
        out.end();
    }
    out.block
}

fn customers(rng: &mut Rng, warehouse: u64, district: u64) -> Vec<Block> {
    let nurand = NuRand::of_load();
    let mut c = Out::new("customer", CUSTOMERS);
    let mut h = Out::new("history", CUSTOMERS);
    let mut bad_credit = Chosen::tenth(CUSTOMERS);
    for id in 1..=CUSTOMERS {
        // The first thousand have all the names there are.
        let name = if id <= 1_000 { id - 1 } else { nurand.last_name(rng) };
        c.number(id);
        c.number(district);
        c.number(warehouse);
        c.letters(rng, 8, 16);
        c.word("OE");
        c.word(&last_name(name));
        c.address(rng);
        c.digits(rng, 16);
        c.word(LOADED_AT);
        c.word(if bad_credit.next(rng) { "BC" } else { "GC" });
        c.word("50000.00");
        c.fixed(rng.below(5_001), 4);
        c.word("-10.00");
        c.word("10.00");
        c.number(1);
        c.number(0);
        c.letters(rng, 300, 500);
        c.end();

        h.number(id);
        h.number(district);
        h.number(warehouse);
        h.number(district);
        h.number(warehouse);
        h.word(LOADED_AT);
        h.word("10.00");
        h.letters(rng, 12, 24);
        h.end();
    }
    vec![c.block, h.block]
}

/// Orders of a district: one of each customer, in an order of its own.
struct Orders {
    warehouse: u64,
    district: u64,
    /// Id of the first.
    first: u64,
    /// Number of delivered orders; the others are new orders.
    delivered: u64,
}

fn orders(rng: &mut Rng, of: Orders) -> Vec<Block> {
    let Orders { warehouse, district, first, delivered } = of;
    let mut o = Out::new("orders", ORDERS);
    let mut l = Out::new("order_line", ORDERS * 10);
    let mut n = Out::new("new_order", ORDERS - delivered);
    for (customer, at) in permutation(rng).into_iter().zip(0..) {
        let (id, is_delivered) = (first + at, at < delivered);
        let lines = 5 + rng.below(11);
        o.number(id);
        o.number(district);
        o.number(warehouse);
        o.number(customer);
        o.word(LOADED_AT);
        let carrier = 1 + rng.below(10);
        if is_delivered {
            o.number(carrier)
        } else {
            o.word("NULL")
        }
        o.number(lines);
        o.number(1);
        o.end();
        for line in 1..=lines {
            l.number(id);
            l.number(district);
            l.number(warehouse);
            l.number(line);
            l.number(1 + rng.below(ITEMS));
            l.number(warehouse);
            l.word(if is_delivered { LOADED_AT } else { "NULL" });
            l.number(QUANTITY);
            // What is delivered has cost nothing, so that customers owe nothing for it.
            if is_delivered {
                l.word("0.00")
            } else {
                l.fixed(1 + rng.below(999_999), 2)
            }
            l.letters(rng, 24, 24);
            l.end();
        }
        if !is_delivered {
            n.number(id);
            n.number(district);
            n.number(warehouse);
            n.end();
        }
    }
    [o, l, n].into_iter().map(|out| out.block).filter(|block| block.rows > 0).collect()
}

/// The customers of a district, shuffled (Fisher and Yates).
fn permutation(rng: &mut Rng) -> Vec<u64> {
    let mut customers: Vec<u64> = (1..=CUSTOMERS).collect();
    for last in (1..customers.len()).rev() {
        customers.swap(last, rng.below(last as u64 + 1) as usize);
    }
    customers
}

/// Chooses a given number of rows out of a larger number, each subset equally likely (Knuth, The Art of Computer
/// Programming, volume 2, algorithm S).
struct Chosen {
    wanted: u64,
    left: u64,
}

impl Chosen {
    fn tenth(rows: u64) -> Self {
        Self { wanted: rows / 10, left: rows }
    }

    fn next(&mut self, rng: &mut Rng) -> bool {
        let chosen = rng.below(self.left) < self.wanted;
        self.left -= 1;
        self.wanted -= u64::from(chosen);
        chosen
    }
}

/// Writes rows.
struct Out {
    block: Block,
}

impl Out {
    fn new(table: &str, rows: u64) -> Self {
        const BYTES_PER_COLUMN: usize = 20;
        let table = definition(table);
        let capacity = rows as usize * table.columns.len() * BYTES_PER_COLUMN;
        Self { block: Block { table, rows: 0, text: Vec::with_capacity(capacity) } }
    }

    fn number(&mut self, n: u64) {
        write!(self.block.text, "{n},").expect(VECTOR);
    }

    /// A number with this many decimals, given without its point.
    fn fixed(&mut self, n: u64, decimals: u32) {
        let (unit, width) = (10_u64.pow(decimals), decimals as usize);
        write!(self.block.text, "{}.{:0width$},", n / unit, n % unit).expect(VECTOR);
    }

    fn word(&mut self, word: &str) {
        self.block.text.extend_from_slice(word.as_bytes());
        self.block.text.push(b',');
    }

    /// A random a-string of a length from `least` to `most`.
    fn letters(&mut self, rng: &mut Rng, least: u64, most: u64) {
        let length = least + rng.below(most - least + 1);
        self.alphanumeric(rng, length);
        self.block.text.push(b',');
    }

    /// Two streets and a city, a state, a zip code (clauses 4.3.2.7 and 4.3.3.1).
    fn address(&mut self, rng: &mut Rng) {
        for _line in ["street_1", "street_2", "city"] {
            self.letters(rng, 10, 20);
        }
        const LETTERS: &[u8; 26] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        let state = rng.below(26 * 26) as usize;
        self.block.text.extend([LETTERS[state / 26], LETTERS[state % 26], b',']);
        write!(self.block.text, "{:04}11111,", rng.below(10_000)).expect(VECTOR);
    }

    fn digits(&mut self, rng: &mut Rng, count: u32) {
        let width = count as usize;
        write!(self.block.text, "{:0width$},", rng.below(10_u64.pow(count))).expect(VECTOR);
    }

    /// `i_data` or `s_data`: 26 to 50 characters, some with ORIGINAL anywhere among them.
    fn data(&mut self, rng: &mut Rng, is_original: bool) {
        const ORIGINAL: &[u8] = b"ORIGINAL";
        let start = self.block.text.len();
        let length = 26 + rng.below(25);
        self.alphanumeric(rng, length);
        if is_original {
            let at = start + rng.below(length - ORIGINAL.len() as u64 + 1) as usize;
            self.block.text[at..at + ORIGINAL.len()].copy_from_slice(ORIGINAL);
        }
        self.block.text.push(b',');
    }

    fn alphanumeric(&mut self, rng: &mut Rng, length: u64) {
        const ALPHABET: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        // 62^8 outcomes from 64 bits: their odds differ by less than one in ten thousand.
        const PER_DRAW: u64 = 8;
        let mut left = length;
        while left > 0 {
            let mut bits = rng.next_u64();
            let run = left.min(PER_DRAW);
            for _ in 0..run {
                let product = u128::from(bits) * ALPHABET.len() as u128;
                self.block.text.push(ALPHABET[(product >> 64) as usize]);
                bits = product as u64;
            }
            left -= run;
        }
    }

    /// Ends a row.
    fn end(&mut self) {
        if let Some(last) = self.block.text.last_mut() {
            *last = b'\n';
        }
        self.block.rows += 1;
    }
}

const VECTOR: &str = "a vector takes every byte";

type IsEnd = fn(&u8) -> bool;

/// A block's rows as INSERT statements.
pub(crate) struct Inserts<'a> {
    lines: Peekable<Split<'a, u8, IsEnd>>,
    header: String,
    bytes_max: usize,
    statement: Vec<u8>,
}

impl<'a> Inserts<'a> {
    /// Statements of at most `bytes_max` bytes, if that is enough for one row.
    pub fn new(block: &'a Block, bytes_max: usize) -> Self {
        let is_end: IsEnd = |byte| *byte == b'\n';
        let text = block.text.strip_suffix(b"\n").unwrap_or(&block.text);
        Self {
            lines: text.split(is_end).peekable(),
            header: format!("INSERT INTO {} ({}) VALUES ", block.table.name, block.table.column_list()),
            bytes_max,
            statement: Vec::new(),
        }
    }

    /// The next statement; none if all rows have been given out.
    pub fn next(&mut self) -> Option<&str> {
        self.statement.clear();
        self.statement.extend_from_slice(self.header.as_bytes());
        let empty = self.statement.len();
        // Quotes take two bytes per value, and none has more than 21.
        while let Some(line) = self.lines.next_if(|line| {
            self.statement.len() == empty || self.statement.len() + line.len() + 64 <= self.bytes_max
        }) {
            write_tuple(&mut self.statement, line);
        }
        if self.statement.len() == empty {
            return None;
        }
        self.statement.pop(); // the last comma
        Some(std::str::from_utf8(&self.statement).expect("letters, digits and punctuation"))
    }
}

fn write_tuple(out: &mut Vec<u8>, line: &[u8]) {
    out.push(b'(');
    for value in line.split(|byte| *byte == b',') {
        let quote: &[u8] = if value == b"NULL" { b"" } else { b"'" };
        for part in [quote, value, quote, b","] {
            out.extend_from_slice(part);
        }
    }
    out.pop();
    out.extend_from_slice(b"),");
}

#[cfg(test)]
mod tests;
