//! TPC-C's transactions, and what the standard asks of each. Clause numbers are of revision 5.11.

use serde::{Deserialize, Serialize};

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

    /// The standard's spelling, `New-Order`.
    pub fn title(self) -> &'static str {
        match self {
            Self::NewOrder => "New-Order",
            Self::Payment => "Payment",
            Self::OrderStatus => "Order-Status",
            Self::Delivery => "Delivery",
            Self::StockLevel => "Stock-Level",
        }
    }

    /// Whether it only reads (clauses 2.6 and 2.8).
    pub fn only_reads(self) -> bool {
        matches!(self, Self::OrderStatus | Self::StockLevel)
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

    /// Limit on the 90th percentile of the response time, seconds (clause 5.2.5.3). Delivery runs interactively here, so the
    /// limit of its interactive part applies.
    pub fn limit_s(self) -> f64 {
        match self {
            Self::StockLevel => 20.0,
            _ => 5.0,
        }
    }
}
