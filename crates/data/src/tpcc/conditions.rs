//! The twelve consistency conditions of clause 3.3.2 and one additional check, as statements that give one row per violation.
//!
//! Each combines the compared values under the same keys with UNION ALL, sums them by key, and keeps the keys where the
//! sums differ. That leaves the optimizer no room for bad plans: every table is read once, in the order of its primary key
//! where that matters, no row looks for another, and rows that lack their counterpart are found from both sides.

use std::ops::RangeInclusive;

/// A condition.
pub(crate) struct Rule {
    /// Its number in clause 3.3.2; beyond [`CONDITIONS`] it is not one of them.
    pub number: u32,
    pub says: &'static str,
    /// Names of the keys.
    pub keys: &'static [&'static str],
    /// Names of the compared values.
    pub values: &'static [&'static str],
    /// The queries to compare, with the keys and values in that order.
    sources: fn(&str) -> Vec<String>,
    /// The condition on `v1`, `v2`, ... of a key under which the rule is violated.
    broken: &'static str,
    /// The aggregation of the values.
    totals: &'static [&'static str],
    pub cost: Cost,
}

/// The cost of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cost {
    /// One statement for all warehouses.
    Light,
    /// A statement for every warehouse.
    Heavy,
    /// A statement for a few warehouses: each reads the whole of `history`, which has no index.
    History,
}

const SUM1: &str = "SUM(v1)";
const SUM2: &str = "SUM(v2)";
const SUM3: &str = "SUM(v3)";
const W: &[&str] = &["w_id"];
const WD: &[&str] = &["w_id", "d_id"];
const WDO: &[&str] = &["w_id", "d_id", "o_id"];
const WDC: &[&str] = &["w_id", "d_id", "c_id"];

impl Rule {
    /// The statement for these warehouses: the number of violations in all, the keys, the values; at most `examples` rows.
    /// `age` is that of the data.
    pub fn statement(&self, warehouses: &RangeInclusive<u32>, age: u32, examples: usize) -> String {
        let range = format!("BETWEEN {} AND {}", warehouses.start(), warehouses.end());
        let sources = (self.sources)(&range).join(" UNION ALL ");
        let keys: Vec<String> = (1..=self.keys.len()).map(|n| format!("k{n}")).collect();
        let keys = keys.join(", ");
        let totals: Vec<String> = self.totals.iter().zip(1..).map(|(t, n)| format!("{t} AS t{n}")).collect();
        let broken = self.broken.replace("{delivered_least}", &(2_100 + 3_000 * u64::from(age)).to_string());
        format!(
            "SELECT COUNT(*) OVER () AS violations, s.* FROM (SELECT {keys}, {} FROM ({sources}) u GROUP BY {keys} \
             HAVING {broken}) s LIMIT {examples}",
            totals.join(", ")
        )
    }
}

/// Lines summed up by order, in the order of the primary key.
fn lines(range: &str, sums: &str) -> String {
    format!("FROM (SELECT ol_w_id, ol_d_id, ol_o_id, {sums} FROM order_line WHERE ol_w_id {range} ")
}

/// Amounts delivered to customers, by customer: orders are found by their primary key.
fn delivered_by_customer(range: &str, columns: &str) -> String {
    format!(
        "SELECT o_w_id, o_d_id, o_c_id, {columns} {}AND ol_delivery_d IS NOT NULL GROUP BY ol_w_id, ol_d_id, ol_o_id) l \
         STRAIGHT_JOIN orders ON o_w_id = ol_w_id AND o_d_id = ol_d_id AND o_id = ol_o_id",
        lines(range, "SUM(ol_amount) AS amount")
    )
}

/// Number of conditions in clause 3.3.2.
pub(crate) const CONDITIONS: usize = 12;

/// All twelve conditions in order, and the additional checks.
pub(crate) const RULES: [Rule; CONDITIONS + 1] = [
    Rule {
        number: 1,
        says: "w_ytd is the sum of d_ytd of the warehouse's districts",
        keys: W,
        values: &["w_ytd", "sum(d_ytd)"],
        sources: |range| {
            vec![
                format!("SELECT w_id AS k1, w_ytd AS v1, 0 AS v2 FROM warehouse WHERE w_id {range}"),
                format!("SELECT d_w_id, 0, d_ytd FROM district WHERE d_w_id {range}"),
            ]
        },
        totals: &[SUM1, SUM2],
        broken: "NOT (SUM(v1) <=> SUM(v2))",
        cost: Cost::Light,
    },
    Rule {
        number: 2,
        says: "d_next_o_id - 1 is the largest o_id, and the largest no_o_id if there are new orders",
        keys: WD,
        values: &["d_next_o_id - 1", "max(o_id)", "max(no_o_id)"],
        sources: |range| {
            vec![
                format!(
                    "SELECT d_w_id AS k1, d_id AS k2, d_next_o_id - 1 AS v1, NULL AS v2, NULL AS v3 FROM district \
                     WHERE d_w_id {range}"
                ),
                format!(
                    "SELECT o_w_id, o_d_id, NULL, MAX(o_id), NULL FROM orders WHERE o_w_id {range} \
                     GROUP BY o_w_id, o_d_id"
                ),
                format!(
                    "SELECT no_w_id, no_d_id, NULL, NULL, MAX(no_o_id) FROM new_order WHERE no_w_id {range} \
                     GROUP BY no_w_id, no_d_id"
                ),
            ]
        },
        totals: &["MAX(v1)", "MAX(v2)", "MAX(v3)"],
        broken: "NOT (MAX(v1) <=> MAX(v2)) OR MAX(v3) <> MAX(v1)",
        cost: Cost::Light,
    },
    Rule {
        number: 3,
        says: "max(no_o_id) - min(no_o_id) + 1 is the number of new orders of the district",
        keys: WD,
        values: &["max(no_o_id) - min(no_o_id) + 1", "rows in new_order"],
        sources: |range| {
            vec![format!(
                "SELECT no_w_id AS k1, no_d_id AS k2, no_o_id AS v1 FROM new_order WHERE no_w_id {range}"
            )]
        },
        totals: &["MAX(v1) - MIN(v1) + 1", "COUNT(*)"],
        broken: "MAX(v1) - MIN(v1) + 1 <> COUNT(*)",
        cost: Cost::Light,
    },
    Rule {
        number: 4,
        says: "the sum of o_ol_cnt is the number of order lines of the district",
        keys: WD,
        values: &["sum(o_ol_cnt)", "rows in order_line"],
        sources: |range| {
            vec![
                format!(
                    "SELECT o_w_id AS k1, o_d_id AS k2, SUM(o_ol_cnt) AS v1, 0 AS v2 FROM orders \
                     WHERE o_w_id {range} GROUP BY o_w_id, o_d_id"
                ),
                format!(
                    "SELECT ol_w_id, ol_d_id, 0, COUNT(*) FROM order_line WHERE ol_w_id {range} \
                     GROUP BY ol_w_id, ol_d_id"
                ),
            ]
        },
        totals: &[SUM1, SUM2],
        broken: "NOT (SUM(v1) <=> SUM(v2))",
        cost: Cost::Heavy,
    },
    Rule {
        number: 5,
        says: "o_carrier_id is NULL if and only if the order is in new_order",
        keys: WDO,
        values: &["orders without o_carrier_id", "rows in new_order"],
        sources: |range| {
            vec![
                format!(
                    "SELECT o_w_id AS k1, o_d_id AS k2, o_id AS k3, 1 AS v1, 0 AS v2 FROM orders \
                     WHERE o_w_id {range} AND o_carrier_id IS NULL"
                ),
                format!("SELECT no_w_id, no_d_id, no_o_id, 0, 1 FROM new_order WHERE no_w_id {range}"),
            ]
        },
        totals: &[SUM1, SUM2],
        broken: "SUM(v1) <> SUM(v2)",
        cost: Cost::Heavy,
    },
    Rule {
        number: 6,
        says: "o_ol_cnt is the number of the order's lines",
        keys: WDO,
        values: &["o_ol_cnt", "rows in order_line"],
        sources: |range| {
            vec![
                format!(
                    "SELECT o_w_id AS k1, o_d_id AS k2, o_id AS k3, o_ol_cnt AS v1, 0 AS v2 FROM orders \
                     WHERE o_w_id {range}"
                ),
                format!(
                    "SELECT ol_w_id, ol_d_id, ol_o_id, 0, COUNT(*) FROM order_line WHERE ol_w_id {range} \
                     GROUP BY ol_w_id, ol_d_id, ol_o_id"
                ),
            ]
        },
        totals: &[SUM1, SUM2],
        broken: "NOT (SUM(v1) <=> SUM(v2))",
        cost: Cost::Heavy,
    },
    Rule {
        number: 7,
        says: "ol_delivery_d is NULL if and only if the order's o_carrier_id is",
        keys: WDO,
        values: &["orders without o_carrier_id", "lines without ol_delivery_d", "lines"],
        sources: |range| {
            vec![
                format!(
                    "SELECT o_w_id AS k1, o_d_id AS k2, o_id AS k3, o_carrier_id IS NULL AS v1, 0 AS v2, 0 AS v3 \
                     FROM orders WHERE o_w_id {range}"
                ),
                format!(
                    "SELECT ol_w_id, ol_d_id, ol_o_id, 0, SUM(ol_delivery_d IS NULL), COUNT(*) FROM order_line \
                     WHERE ol_w_id {range} GROUP BY ol_w_id, ol_d_id, ol_o_id"
                ),
            ]
        },
        totals: &[SUM1, SUM2, SUM3],
        broken: "SUM(v2) <> SUM(v1) * SUM(v3)",
        cost: Cost::Heavy,
    },
    Rule {
        number: 8,
        says: "w_ytd is the sum of h_amount of the warehouse's history",
        keys: W,
        values: &["w_ytd", "sum(h_amount)"],
        sources: |range| {
            vec![
                format!("SELECT w_id AS k1, w_ytd AS v1, 0 AS v2 FROM warehouse WHERE w_id {range}"),
                format!("SELECT h_w_id, 0, SUM(h_amount) FROM history WHERE h_w_id {range} GROUP BY h_w_id"),
            ]
        },
        totals: &[SUM1, SUM2],
        broken: "NOT (SUM(v1) <=> SUM(v2))",
        cost: Cost::Light,
    },
    Rule {
        number: 9,
        says: "d_ytd is the sum of h_amount of the district's history",
        keys: WD,
        values: &["d_ytd", "sum(h_amount)"],
        sources: |range| {
            vec![
                format!(
                    "SELECT d_w_id AS k1, d_id AS k2, d_ytd AS v1, 0 AS v2 FROM district WHERE d_w_id {range}"
                ),
                format!(
                    "SELECT h_w_id, h_d_id, 0, SUM(h_amount) FROM history WHERE h_w_id {range} \
                     GROUP BY h_w_id, h_d_id"
                ),
            ]
        },
        totals: &[SUM1, SUM2],
        broken: "NOT (SUM(v1) <=> SUM(v2))",
        cost: Cost::Light,
    },
    Rule {
        number: 10,
        says: "c_balance is the sum of ol_amount of what was delivered, less the sum of h_amount",
        keys: WDC,
        values: &["c_balance", "sum(ol_amount) delivered", "sum(h_amount)"],
        sources: |range| {
            vec![
                format!(
                    "SELECT c_w_id AS k1, c_d_id AS k2, c_id AS k3, c_balance AS v1, 0 AS v2, 0 AS v3 FROM customer \
                     WHERE c_w_id {range}"
                ),
                delivered_by_customer(range, "0, amount, 0"),
                format!(
                    "SELECT h_c_w_id, h_c_d_id, h_c_id, 0, 0, h_amount FROM history WHERE h_c_w_id {range}"
                ),
            ]
        },
        totals: &[SUM1, SUM2, SUM3],
        broken: "NOT (SUM(v1) <=> SUM(v2) - SUM(v3))",
        cost: Cost::History,
    },
    Rule {
        number: 11,
        // The standard's difference of 2,100 is that of a fresh load; from then on it is what has been delivered.
        says: "orders less new orders of a district are the orders with a carrier, and at least those delivered at first",
        keys: WD,
        values: &["rows in orders", "rows in new_order", "orders with o_carrier_id"],
        sources: |range| {
            vec![
                format!(
                    "SELECT o_w_id AS k1, o_d_id AS k2, COUNT(*) AS v1, 0 AS v2, COUNT(o_carrier_id) AS v3 \
                     FROM orders WHERE o_w_id {range} GROUP BY o_w_id, o_d_id"
                ),
                format!(
                    "SELECT no_w_id, no_d_id, 0, COUNT(*), 0 FROM new_order WHERE no_w_id {range} \
                     GROUP BY no_w_id, no_d_id"
                ),
            ]
        },
        totals: &[SUM1, SUM2, SUM3],
        broken: "SUM(v1) - SUM(v2) <> SUM(v3) OR SUM(v1) - SUM(v2) < {delivered_least}",
        cost: Cost::Heavy,
    },
    Rule {
        number: 12,
        says: "c_balance + c_ytd_payment is the sum of ol_amount of what was delivered",
        keys: WDC,
        values: &["c_balance + c_ytd_payment", "sum(ol_amount) delivered"],
        sources: |range| {
            vec![
                format!(
                    "SELECT c_w_id AS k1, c_d_id AS k2, c_id AS k3, c_balance + c_ytd_payment AS v1, 0 AS v2 \
                     FROM customer WHERE c_w_id {range}"
                ),
                delivered_by_customer(range, "0, amount"),
            ]
        },
        totals: &[SUM1, SUM2],
        broken: "NOT (SUM(v1) <=> SUM(v2))",
        cost: Cost::Heavy,
    },
    // An order that is lost with all its lines leaves every condition true once runs have added others.
    Rule {
        number: 13,
        says: "the orders of a district are d_next_o_id - 1",
        keys: WD,
        values: &["d_next_o_id - 1", "rows in orders"],
        sources: |range| {
            vec![
                format!(
                    "SELECT d_w_id AS k1, d_id AS k2, d_next_o_id - 1 AS v1, 0 AS v2 FROM district \
                     WHERE d_w_id {range}"
                ),
                format!(
                    "SELECT o_w_id, o_d_id, 0, COUNT(*) FROM orders WHERE o_w_id {range} GROUP BY o_w_id, o_d_id"
                ),
            ]
        },
        totals: &[SUM1, SUM2],
        broken: "NOT (SUM(v1) <=> SUM(v2))",
        cost: Cost::Heavy,
    },
];
