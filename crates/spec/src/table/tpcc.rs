//! Data and transactions of TPC-C.

use super::{Applies, Kind, OptionGroup, OptionRow};

const fn option(path: &'static str, kind: Kind, default: &'static str, help: &'static str) -> OptionRow {
    note(path, kind, "", help).is(default)
}

const fn note(path: &'static str, kind: Kind, note: &'static str, help: &'static str) -> OptionRow {
    OptionRow::new(path, "TPC-C", kind, help).note(note).of(Applies::Family("tpcc"))
}

/// The page.
pub static TPCC: OptionGroup = &[
    // One warehouse takes about 100 MB; nobody has so many.
    option(
        "workload.warehouses",
        Kind::Count { least: 1, most: 1_000_000, why: "" },
        "10",
        "Number of warehouses, about 100 MB each",
    ),
    option(
        "workload.preset",
        Kind::Choice(&[
            ("standard", "As the standard has it, without keying and think times"),
            ("benchmarksql", "BenchmarkSQL: weights 45, 43, 4, 4, 4; Stock-Level as a join"),
            ("tpcc-mysql", "tpcc-mysql: home warehouse drawn for each transaction"),
        ]),
        "standard",
        "Run as another kit does: deck, home warehouses, form of Stock-Level; explicit options override it",
    ),
    note(
        "workload.deck",
        Kind::Deck,
        "10,10,1,1,1",
        "Cards of New-Order, Payment, Order-Status, Delivery, Stock-Level, or percentages (45%,...)",
    ),
    note(
        "workload.home",
        Kind::Choice(&[
            ("fixed", "Each terminal its own (clause 2.4.1.1)"),
            ("random", "Drawn for each transaction"),
            ("skewed", "80 % from the first fifth"),
        ]),
        "fixed",
        "Home warehouse: fixed per terminal, drawn at random per transaction, or mostly from the first fifth",
    )
    .value("RULE"),
    option(
        "workload.think",
        Kind::Number { least: 0.0, most: 1_000.0, open: false },
        "0",
        "Factor for keying and think times; 1: as in the standard, 0: none",
    )
    .value("FACTOR"),
    option("workload.remote_lines", Kind::percent(), "1", "Percentage of order lines from another warehouse"),
    option(
        "workload.remote_payments",
        Kind::percent(),
        "15",
        "Percentage of payments by a customer of another warehouse",
    ),
    option(
        "workload.rollbacks",
        Kind::percent(),
        "1",
        "Percentage of New-Orders rolled back for an unused item",
    ),
    note(
        "workload.stock_level",
        Kind::Choice(&[
            ("two-statements", "The next order number first"),
            ("join", "One statement, as BenchmarkSQL has it"),
        ]),
        "two-statements",
        "Run Stock-Level as two statements or as one join",
    )
    .value("FORM"),
    option(
        "workload.style",
        Kind::Choice(&[
            ("prepared", "Prepared by the server, one statement per row"),
            ("text", "As text, one statement per row"),
            ("batched", "As text, with IN lists and multi-row INSERT"),
        ]),
        "prepared",
        "Send statements prepared, as text, or batched into few round trips",
    )
    .value("STYLE"),
    option(
        "workload.isolation",
        Kind::Choice(&[
            ("server", "The server's default"),
            ("read-uncommitted", ""),
            ("read-committed", ""),
            ("repeatable-read", ""),
            ("serializable", ""),
        ]),
        "server",
        "Isolation level that clients set; server: leave it as it is",
    )
    .value("LEVEL"),
    option("workload.foreign_keys", Kind::Switch, "off", "Create foreign keys"),
    option(
        "workload.order_index",
        Kind::Switch,
        "on",
        "Create the index on orders (o_w_id, o_d_id, o_c_id, o_id) that Order-Status needs",
    ),
    // MySQL's limit.
    option(
        "workload.partitions",
        Kind::Count { least: 0, most: 8_192, why: "" },
        "0",
        "Number of partitions by warehouse; 0: none",
    ),
    option(
        "workload.age",
        Kind::count32(0),
        "0",
        "Add N times the initial orders, as if the database had been in use",
    ),
    option("workload.check", Kind::Switch, "on", "Check the twelve consistency conditions after each trial"),
];
