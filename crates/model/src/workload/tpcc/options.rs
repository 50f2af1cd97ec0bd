//! The options of TPC-C. Clause numbers are of the TPC-C standard, revision 5.11.

use serde::{Deserialize, Serialize};

use super::{TpccData, TpccTransaction};
use crate::workload::describe::{Reads, Workload};
use crate::workload::isolation::Isolation;
use crate::workload::{DataSet, ErrorPolicy};

/// Cards of each transaction in the deck (clause 5.2.4.2). A terminal draws all of them in random order, then reshuffles.
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

/// The warehouse that a terminal works for.
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

/// The form of the Stock-Level query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StockLevelForm {
    /// The next order number is read first, and put into the second statement.
    TwoStatements,
    /// One statement that joins `district`, like BenchmarkSQL.
    Join,
}

/// The form in which statements are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StatementStyle {
    /// Prepared by the server; one statement per row.
    Prepared,
    /// As text, one statement per row.
    Text,
    /// As text, with IN lists and multi-row INSERT: few round trips.
    Batched,
}

impl StatementStyle {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prepared => "prepared",
            Self::Text => "text",
            Self::Batched => "batched",
        }
    }
}

/// Options of TPC-C. The defaults follow the standard, but for keying and think times, which are off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TpccOptions {
    /// Label in charts; none: tpcc.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The contents of the tables.
    pub data: TpccData,
    /// The mix.
    pub deck: TpccDeck,
    /// The warehouse that a terminal works for.
    pub home: TpccHome,
    /// Factor on keying and think times; 0: none of either.
    pub think: f64,
    /// Percentage of order lines supplied by another warehouse (clause 2.4.1.5: 1).
    pub remote_lines_pct: u32,
    /// Percentage of payments by a customer of another warehouse (clause 2.5.1.2: 15).
    pub remote_payments_pct: u32,
    /// Percentage of New-Orders with an unused item, which are rolled back (clause 2.4.1.4: 1).
    pub rollback_pct: u32,
    /// The form of the Stock-Level query.
    pub stock_level: StockLevelForm,
    /// The form in which statements are sent.
    pub style: StatementStyle,
    /// Isolation that clients ask for; none: the server's.
    pub isolation: Option<Isolation>,
    /// Check the consistency conditions (clause 3.3.2) after each trial.
    pub check: bool,
    /// Reconnect after this many transactions; 0: never.
    pub reconnect: u64,
    /// The policy for server errors.
    pub errors: ErrorPolicy,
}

impl TpccOptions {
    /// The workload's name.
    pub const NAME: &str = "tpcc";
    /// A one-line summary.
    pub const SUMMARY: &str = "the five transactions of TPC-C";
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

impl Workload for TpccOptions {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn label(&self) -> &str {
        self.label.as_deref().unwrap_or(Self::NAME)
    }

    fn set_label(&mut self, label: &str) {
        self.label = Some(label.to_owned());
    }

    fn summary(&self) -> &str {
        Self::SUMMARY
    }

    fn summary_zh(&self) -> &str {
        "TPC-C 的五种事务"
    }

    fn data_set(&self, _clients: u32) -> Option<DataSet> {
        Some(DataSet::Tpcc(self.data.clone()))
    }

    fn tables(&self) -> u64 {
        // warehouse, district, customer, history, new_order, orders, order_line, item, stock
        9
    }

    fn writes(&self) -> bool {
        true
    }

    fn reads(&self) -> Reads {
        let has = |only_reads: bool| {
            TpccTransaction::ALL.into_iter().any(|of| self.deck.of(of) > 0 && of.only_reads() == only_reads)
        };
        match (has(true), has(false)) {
            (true, true) => Reads::Types,
            (true, false) => Reads::All,
            (false, _) => Reads::None,
        }
    }

    fn changes_row_count(&self) -> bool {
        true
    }

    fn errors(&self) -> &ErrorPolicy {
        &self.errors
    }

    fn reconnect(&self) -> u64 {
        self.reconnect
    }

    fn has_transaction_types(&self) -> bool {
        true
    }

    fn checks_data(&self) -> bool {
        self.check
    }
}
