//! TPC-C as data: what a run does and what its tables hold. Clause numbers are of the TPC-C standard, revision 5.11.

use serde::{Deserialize, Serialize};

use crate::ErrorPolicy;

/// The five transactions of TPC-C (clauses 2.4 to 2.8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // the names are the standard's
pub enum TpccTransaction {
    NewOrder,
    Payment,
    OrderStatus,
    Delivery,
    StockLevel,
}

impl TpccTransaction {
    /// All five, in the order of the standard.
    pub const ALL: [Self; 5] =
        [Self::NewOrder, Self::Payment, Self::OrderStatus, Self::Delivery, Self::StockLevel];

    /// Name of the operation in results, `new_order`.
    pub fn name(self) -> &'static str {
        match self {
            Self::NewOrder => "new_order",
            Self::Payment => "payment",
            Self::OrderStatus => "order_status",
            Self::Delivery => "delivery",
            Self::StockLevel => "stock_level",
        }
    }

    /// As the standard writes it, `New-Order`.
    pub fn title(self) -> &'static str {
        match self {
            Self::NewOrder => "New-Order",
            Self::Payment => "Payment",
            Self::OrderStatus => "Order-Status",
            Self::Delivery => "Delivery",
            Self::StockLevel => "Stock-Level",
        }
    }

    /// Smallest share of the mix, percent (clause 5.2.3); New-Order has none.
    pub fn least_percent(self) -> f64 {
        match self {
            Self::NewOrder => 0.0,
            Self::Payment => 43.0,
            Self::OrderStatus | Self::Delivery | Self::StockLevel => 4.0,
        }
    }

    /// Keying time, seconds (clause 5.2.5.7).
    pub fn keying_s(self) -> f64 {
        match self {
            Self::NewOrder => 18.0,
            Self::Payment => 3.0,
            Self::OrderStatus | Self::Delivery | Self::StockLevel => 2.0,
        }
    }

    /// Mean think time, seconds (clause 5.2.5.7).
    pub fn think_mean_s(self) -> f64 {
        match self {
            Self::NewOrder | Self::Payment => 12.0,
            Self::OrderStatus => 10.0,
            Self::Delivery | Self::StockLevel => 5.0,
        }
    }

    /// What 90 % of the response times must keep, seconds (clause 5.2.5.3). Delivery is run interactively here, so it is held
    /// to the limit of its interactive part.
    pub fn limit_s(self) -> f64 {
        match self {
            Self::StockLevel => 20.0,
            _ => 5.0,
        }
    }
}

/// Cards of each transaction in the deck (clause 5.2.4.2). A terminal draws all of them in random order, then
/// shuffles anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // the names are the standard's
pub struct TpccDeck {
    pub new_order: u32,
    pub payment: u32,
    pub order_status: u32,
    pub delivery: u32,
    pub stock_level: u32,
}

impl TpccDeck {
    /// The example of clause 5.2.4.2: 10, 10, 1, 1, 1 of 23.
    pub const STANDARD: Self =
        Self { new_order: 10, payment: 10, order_status: 1, delivery: 1, stock_level: 1 };

    /// Cards of one transaction.
    pub fn of(&self, transaction: TpccTransaction) -> u32 {
        match transaction {
            TpccTransaction::NewOrder => self.new_order,
            TpccTransaction::Payment => self.payment,
            TpccTransaction::OrderStatus => self.order_status,
            TpccTransaction::Delivery => self.delivery,
            TpccTransaction::StockLevel => self.stock_level,
        }
    }

    /// Cards in all.
    pub fn cards(&self) -> u32 {
        TpccTransaction::ALL.into_iter().map(|t| self.of(t)).sum()
    }
}

/// Which warehouse a terminal works for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TpccHome {
    /// Always its own (clause 2.4.1.1): terminal i has warehouse i modulo their number.
    Fixed,
    /// Any one, drawn for each transaction, all equally likely.
    Random,
    /// Drawn for each transaction, 80 % of them from the first fifth of the warehouses.
    Skewed,
}

/// How Stock-Level is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StockLevelForm {
    /// The next order number is read first, and put into the second statement.
    TwoStatements,
    /// One statement that joins `district`, as BenchmarkSQL has it.
    Join,
}

/// How statements are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StatementStyle {
    /// Prepared by the server; one statement per row.
    Prepared,
    /// As text; one statement per row.
    Text,
    /// As text, with IN lists and multi-row INSERT: few round trips.
    Batched,
}

impl StatementStyle {
    /// For reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prepared => "prepared",
            Self::Text => "text",
            Self::Batched => "batched",
        }
    }
}

/// Transaction isolation that clients set for their sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)] // the names are SQL's
pub enum Isolation {
    ReadUncommitted,
    ReadCommitted,
    RepeatableRead,
    Serializable,
}

impl Isolation {
    /// As in SET TRANSACTION ISOLATION LEVEL.
    pub fn sql(self) -> &'static str {
        match self {
            Self::ReadUncommitted => "READ UNCOMMITTED",
            Self::ReadCommitted => "READ COMMITTED",
            Self::RepeatableRead => "REPEATABLE READ",
            Self::Serializable => "SERIALIZABLE",
        }
    }
}

/// Options of TPC-C. The defaults follow the standard, but for keying and think times, which are off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TpccOptions {
    /// What charts call it; none: tpcc.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What the tables hold.
    pub data: TpccData,
    /// The mix.
    pub deck: TpccDeck,
    /// Which warehouse a terminal works for.
    pub home: TpccHome,
    /// Factor on keying and think times; 0: none of either.
    pub think: f64,
    /// Percentage of order lines supplied by another warehouse (clause 2.4.1.5: 1).
    pub remote_lines_pct: u32,
    /// Percentage of payments by a customer of another warehouse (clause 2.5.1.2: 15).
    pub remote_payments_pct: u32,
    /// Percentage of New-Orders with an unused item, which are rolled back (clause 2.4.1.4: 1).
    pub rollback_pct: u32,
    /// How Stock-Level is written.
    pub stock_level: StockLevelForm,
    /// How statements are sent.
    pub style: StatementStyle,
    /// Isolation that clients ask for; none: the server's.
    pub isolation: Option<Isolation>,
    /// Check the consistency conditions (clause 3.3.2) after each trial.
    pub check: bool,
    /// Reconnect after this many transactions; 0: never.
    pub reconnect: u64,
    /// What is done about errors of the server.
    pub errors: ErrorPolicy,
}

impl Default for TpccOptions {
    fn default() -> Self {
        Self {
            label: None,
            data: TpccData::default(),
            deck: TpccDeck::STANDARD,
            home: TpccHome::Fixed,
            think: 0.0,
            remote_lines_pct: 1,
            remote_payments_pct: 15,
            rollback_pct: 1,
            stock_level: StockLevelForm::TwoStatements,
            style: StatementStyle::Prepared,
            isolation: None,
            check: true,
            reconnect: 0,
            errors: ErrorPolicy::default(),
        }
    }
}

/// The data of TPC-C, as far as it decides whether existing data can be used.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TpccData {
    /// Number of warehouses.
    pub warehouses: u32,
    /// Foreign keys (clause 1.4).
    pub foreign_keys: bool,
    /// Index `orders(o_w_id, o_d_id, o_c_id, o_id)`, which Order-Status needs.
    pub order_index: bool,
    /// Partitions by warehouse of all tables but `item`; 0: none.
    pub partitions: u32,
    /// So many times the initial orders are there besides, all delivered, as if the database had been in use.
    pub age: u32,
    /// Storage engine.
    pub engine: String,
}

impl Default for TpccData {
    fn default() -> Self {
        Self {
            warehouses: 10,
            foreign_keys: false,
            order_index: true,
            partitions: 0,
            age: 0,
            engine: "InnoDB".to_owned(),
        }
    }
}

/// What a TPC-C trial is known by beside its latencies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TpccResult {
    /// Home warehouses that transactions really worked for.
    pub warehouses_touched: u32,
    /// New-Orders rolled back for an unused item, in the measured window. They are among the completed ones.
    pub rollbacks: u64,
    /// Transactions tried again, by type in the order of [`TpccTransaction::ALL`].
    pub retries: [u64; 5],
    /// What the check after the trial found; none if it was not made.
    #[serde(default)]
    pub consistency: Option<Consistency>,
    /// Why it was not made; none if it was, and in results older than this field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unchecked: Option<Unchecked>,
}

/// Why the consistency conditions were not checked after a trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Unchecked {
    /// The check is switched off.
    NotAskedFor,
    /// It was asked for, and could not be made.
    Impossible {
        /// What stood in its way.
        reason: String,
    },
}

/// The consistency conditions of clause 3.3.2, checked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Consistency {
    /// One entry per condition that was checked, in order.
    pub conditions: Vec<Condition>,
    /// What was checked beyond the twelve conditions. Older runs have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub additional: Vec<Condition>,
    /// Seconds it took.
    pub seconds: f64,
}

impl Consistency {
    /// True if everything that was checked holds.
    pub fn holds(&self) -> bool {
        self.violated().next().is_none()
    }

    /// What does not hold.
    pub fn violated(&self) -> impl Iterator<Item = &Condition> {
        self.conditions.iter().chain(&self.additional).filter(|condition| condition.violations > 0)
    }
}

/// One consistency condition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// Its number in clause 3.3.2, from 1; beyond its twelve: an additional check.
    pub number: u32,
    /// What it says, `d_ytd of a warehouse's districts adds up to w_ytd`.
    pub says: String,
    /// Keys for which it does not hold.
    pub violations: u64,
    /// The first of them, each with what was found.
    pub examples: Vec<String>,
}

impl Condition {
    /// `condition 3`, or what else it is.
    pub fn name(&self) -> String {
        match self.number {
            1..=12 => format!("condition {}", self.number),
            _ => "additional check".to_owned(),
        }
    }
}
