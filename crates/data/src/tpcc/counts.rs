//! Counts rows, warehouse by warehouse, and compares them with the cardinalities of clause 4.3.3.1.

use messages::number::thousands;
use model::TpccData;
use random::tpcc::{CUSTOMERS, DISTRICTS, ITEMS};

use super::chunks::{ORDERS, UNDELIVERED};
use crate::{account::Session, error::DataError};

/// Rows of a warehouse, or (warehouse 0) those that belong to none: items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Counts {
    warehouse: u32,
    /// Counts in the order of [`COUNTED`], then the number of lines according to the orders.
    found: Vec<u64>,
}

/// Tables that are counted by warehouse. `history` has no index that would make that cheap.
const COUNTED: [(&str, &str); 6] = [
    ("stock", "s_w_id"),
    ("district", "d_w_id"),
    ("customer", "c_w_id"),
    ("orders", "o_w_id"),
    ("new_order", "no_w_id"),
    ("order_line", "ol_w_id"),
];

impl Counts {
    /// Counts.
    pub fn of(session: &mut Session<'_>, warehouse: u32) -> Result<Self, DataError> {
        if warehouse == 0 {
            let items = numbers(session, "counting items", "SELECT COUNT(*) FROM item", 1)?;
            return Ok(Self { warehouse, found: items });
        }
        let mut columns: Vec<String> = COUNTED
            .iter()
            .map(|(table, home)| format!("(SELECT COUNT(*) FROM {table} WHERE {home} = {warehouse})"))
            .collect();
        columns.push(format!("(SELECT SUM(o_ol_cnt) FROM orders WHERE o_w_id = {warehouse})"));
        let what = format!("counting the rows of warehouse {warehouse}");
        let found = numbers(session, &what, &format!("SELECT {}", columns.join(", ")), columns.len())?;
        Ok(Self { warehouse, found })
    }

    /// Rows in all; the warehouse's own row is one of them.
    pub fn sum(&self) -> u64 {
        match self.warehouse {
            0 => self.found.iter().sum(),
            _ => 1 + self.found[..COUNTED.len()].iter().sum::<u64>(),
        }
    }

    /// Differences from freshly loaded tables.
    pub fn initial(&self, age: u32) -> Vec<String> {
        let Self { warehouse, ref found } = *self;
        if warehouse == 0 {
            return self.lasting(age);
        }
        let mut wrong = self.lasting(age);
        for (at, asked) in [(3, initial_orders(age)), (4, UNDELIVERED * DISTRICTS)] {
            if found[at] != asked {
                wrong.push(differs(COUNTED[at].0, warehouse, found[at], asked));
            }
        }
        wrong
    }

    /// Differences in the tables that no run changes, or that runs only enlarge.
    pub fn lasting(&self, age: u32) -> Vec<String> {
        let Self { warehouse, ref found } = *self;
        if warehouse == 0 {
            let wrong = found[0] != ITEMS;
            let words = || {
                format!("table item has {} rows, TPC-C asks for {}", thousands(found[0]), thousands(ITEMS))
            };
            return wrong.then(words).into_iter().collect();
        }
        let mut wrong = Vec::new();
        for (at, asked) in [(0, ITEMS), (1, DISTRICTS), (2, DISTRICTS * CUSTOMERS)] {
            if found[at] != asked {
                wrong.push(differs(COUNTED[at].0, warehouse, found[at], asked));
            }
        }
        if found[3] < initial_orders(age) {
            wrong.push(differs("orders", warehouse, found[3], initial_orders(age)));
        }
        if found[5] != found[6] {
            wrong.push(differs("order_line", warehouse, found[5], found[6]));
        }
        wrong
    }
}

fn differs(table: &str, warehouse: u32, found: u64, asked: u64) -> String {
    format!(
        "table {table} has {} rows of warehouse {warehouse} where there should be {}",
        thousands(found),
        thousands(asked)
    )
}

fn initial_orders(age: u32) -> u64 {
    DISTRICTS * ORDERS * (u64::from(age) + 1)
}

/// Rows of `history`, and how they are too few.
pub(crate) fn history(
    session: &mut Session<'_>,
    warehouses: u32,
) -> Result<(u64, Option<String>), DataError> {
    let found = numbers(session, "counting the rows of history", "SELECT COUNT(*) FROM history", 1)?[0];
    let asked = u64::from(warehouses) * DISTRICTS * CUSTOMERS;
    let wrong = (found < asked).then(|| {
        format!("table history has {} rows where there should be {}", thousands(found), thousands(asked))
    });
    Ok((found, wrong))
}

/// The warehouses that are there: their number, and the largest id.
pub(crate) fn warehouses(session: &mut Session<'_>) -> Result<(u32, u32), DataError> {
    let sql = "SELECT COUNT(*), MAX(w_id) FROM warehouse";
    let found = numbers(session, "counting the warehouses", sql, 2)?;
    Ok((clamp(found[0]), clamp(found[1])))
}

fn clamp(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Finds missing rows by a look at the first and last rows of everything: as good as a count for interrupted loads, and
/// done in milliseconds.
pub(crate) fn glance(
    session: &mut Session<'_>,
    data: &TpccData,
    warehouses: u32,
) -> Result<Vec<String>, DataError> {
    let last_order = ORDERS * (u64::from(data.age) + 1);
    let districts = u64::from(warehouses) * DISTRICTS;
    let within = format!("d_w_id BETWEEN 1 AND {warehouses}");
    let looks = [
        ("item", "SELECT COUNT(*) FROM item WHERE i_id IN (1, 50000, 100000)".to_owned(), 3),
        ("district", format!("SELECT COUNT(*) FROM district WHERE {within}"), districts),
        (
            "district (with d_next_o_id as it should be)",
            format!("SELECT COUNT(*) FROM district WHERE {within} AND d_next_o_id > {last_order}"),
            districts,
        ),
        (
            "stock",
            format!(
                "SELECT COUNT(*) FROM warehouse STRAIGHT_JOIN stock ON s_w_id = w_id \
                 AND s_i_id IN (1, 50000, 100000) WHERE w_id BETWEEN 1 AND {warehouses}"
            ),
            u64::from(warehouses) * 3,
        ),
        (
            "customer",
            format!(
                "SELECT COUNT(*) FROM district STRAIGHT_JOIN customer ON c_w_id = d_w_id AND c_d_id = d_id \
                 AND c_id IN (1, 3000) WHERE {within}"
            ),
            districts * 2,
        ),
        (
            "orders",
            format!(
                "SELECT COUNT(*) FROM district STRAIGHT_JOIN orders ON o_w_id = d_w_id AND o_d_id = d_id \
                 AND o_id IN (1, {last_order}) WHERE {within}"
            ),
            districts * 2,
        ),
        (
            "order_line",
            format!(
                "SELECT COUNT(*) FROM district STRAIGHT_JOIN order_line ON ol_w_id = d_w_id AND ol_d_id = d_id \
                 AND ol_o_id IN (1, {last_order}) AND ol_number = 1 WHERE {within}"
            ),
            districts * 2,
        ),
    ];
    let mut wrong = Vec::new();
    for (table, sql, asked) in looks {
        let found = numbers(session, "looking at TPC-C's tables", &sql, 1)?[0];
        if found != asked {
            wrong.push(format!(
                "table {table} holds {} of the {} rows looked at, as if its load had not been finished",
                thousands(found),
                thousands(asked)
            ));
        }
    }
    Ok(wrong)
}

/// True if a table has a row.
pub(crate) fn has_rows(session: &mut Session<'_>, table: &str) -> Result<bool, DataError> {
    let result = session.query(&format!("reading {table}"), &format!("SELECT 1 FROM {table} LIMIT 1"))?;
    Ok(result.first().is_some())
}

/// The first row of an answer, NULL as 0.
fn numbers(session: &mut Session<'_>, what: &str, sql: &str, count: usize) -> Result<Vec<u64>, DataError> {
    let result = session.query(what, sql)?;
    let row = result.first().filter(|row| row.len() == count);
    let row = row.ok_or(DataError::Answer { what: what.to_owned(), expected: "numbers" })?;
    Ok((0..count).map(|at| row.parse(at).unwrap_or(0)).collect())
}
