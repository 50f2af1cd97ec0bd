//! The chunks of rows: parts of a warehouse, each with a random stream of its own.

use std::collections::BTreeSet;

use model::TpccData;
use random::tpcc::{CUSTOMERS, DISTRICTS, ITEMS};

use crate::queue::Piece;

/// Chunks of `item`, and of a warehouse's `stock`.
const QUARTERS: u32 = 4;

/// Rows of `item` or `stock` in a chunk.
pub(crate) const QUARTER_ROWS: u64 = ITEMS / QUARTERS as u64;

/// Initial orders of a district, and additional ones for each `age`: one for each customer.
pub(crate) const ORDERS: u64 = CUSTOMERS;

/// Orders of them that are not delivered (clause 4.3.3.1).
pub(crate) const UNDELIVERED: u64 = 900;

/// Lines of an order, on average.
const LINES_MEAN: u64 = 10;

const PER_WAREHOUSE: u32 = DISTRICTS as u32;

/// The content of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// A quarter of the items, from 0.
    Items(u32),
    /// A warehouse and its districts.
    Warehouse,
    /// A quarter of a warehouse's stock, from 0.
    Stock(u32),
    /// The customers of a district and their history.
    Customers(u64),
    /// 3,000 orders of a district with their lines; the last batch (number `age`) has undelivered ones.
    Orders { district: u64, batch: u32, is_last: bool },
}

/// A unit of loading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Chunk {
    /// Its warehouse; 0 for items.
    pub warehouse: u32,
    pub part: Part,
}

impl Chunk {
    /// Its number within the warehouse, from 0; names its entry in the ledger and its random stream.
    pub fn number(&self) -> u32 {
        match self.part {
            Part::Items(quarter) => quarter,
            Part::Warehouse => 0,
            Part::Stock(quarter) => 1 + quarter,
            Part::Customers(district) => 4 + district as u32,
            Part::Orders { district, batch, .. } => 14 + batch * PER_WAREHOUSE + district as u32,
        }
    }

    /// The description in errors: `orders of warehouse 1, district 3`.
    pub fn describe(&self) -> String {
        let w = self.warehouse;
        match self.part {
            Part::Items(_) => "items".to_owned(),
            Part::Warehouse => format!("warehouse {w} and its districts"),
            Part::Stock(_) => format!("stock of warehouse {w}"),
            Part::Customers(d) => format!("customers of warehouse {w}, district {d}"),
            Part::Orders { district, .. } => format!("orders of warehouse {w}, district {district}"),
        }
    }
}

impl Piece for Chunk {
    fn group(&self) -> u32 {
        self.warehouse
    }

    fn rows(&self) -> u64 {
        match self.part {
            Part::Items(_) | Part::Stock(_) => QUARTER_ROWS,
            Part::Warehouse => 1 + DISTRICTS,
            Part::Customers(_) => 2 * CUSTOMERS,
            Part::Orders { is_last, .. } => ORDERS * (1 + LINES_MEAN) + if is_last { UNDELIVERED } else { 0 },
        }
    }
}

/// The chunks of `item`.
pub(crate) fn items() -> impl Iterator<Item = Chunk> {
    (0..QUARTERS).map(|quarter| Chunk { warehouse: 0, part: Part::Items(quarter) })
}

/// The chunks of a warehouse.
pub(crate) fn of_warehouse(warehouse: u32, age: u32) -> impl Iterator<Item = Chunk> {
    let orders = (0..=age).flat_map(move |batch| {
        (1..=DISTRICTS).map(move |district| Part::Orders { district, batch, is_last: batch == age })
    });
    std::iter::once(Part::Warehouse)
        .chain((0..QUARTERS).map(Part::Stock))
        .chain((1..=DISTRICTS).map(Part::Customers))
        .chain(orders)
        .map(move |part| Chunk { warehouse, part })
}

/// The chunks that are not loaded yet.
pub(crate) fn missing(
    chunks: impl Iterator<Item = Chunk>,
    loaded: &BTreeSet<(u32, u32)>,
) -> impl Iterator<Item = Chunk> {
    chunks.filter(|chunk| !loaded.contains(&(chunk.warehouse, chunk.number())))
}

/// Rows of all tables, an order taken to have ten lines.
pub(crate) fn rows_of(data: &TpccData) -> u64 {
    let warehouse: u64 = of_warehouse(1, data.age).map(|chunk| chunk.rows()).sum();
    ITEMS + u64::from(data.warehouses) * warehouse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_of_a_warehouse_have_numbers_of_their_own() {
        for age in [0, 3] {
            let numbers: Vec<u32> = of_warehouse(1, age).map(|chunk| chunk.number()).collect();
            assert_eq!(numbers, (0..25 + 10 * age).collect::<Vec<_>>());
        }
    }

    #[test]
    fn rows_are_those_of_clause_4_3_3_1() {
        // 1 + 10 + 100,000 + 30,000 + 30,000 + 30,000 + 300,000 + 9,000 in a warehouse
        assert_eq!(rows_of(&TpccData { warehouses: 2, ..TpccData::default() }), 100_000 + 2 * 499_011);
    }
}
