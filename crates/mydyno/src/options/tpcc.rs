//! Options of TPC-C.

use clap::{Args, ValueEnum};
use model::{
    ErrorPolicy, Isolation, StatementStyle, StockLevelForm, TpccData, TpccDeck, TpccHome, TpccOptions,
};

use super::size::{count_u32, switch};
use crate::error::{Outcome, UserError};

/// One warehouse takes about 100 MB; nobody has so many.
const MOST_WAREHOUSES: u32 = 1_000_000;
/// MySQL's limit.
const MOST_PARTITIONS: u32 = 8_192;

/// Data and transactions of TPC-C.
#[derive(Args, Clone)]
#[command(next_help_heading = "TPC-C")]
pub struct TpccArgs {
    /// Number of warehouses, about 100 MB each [default: 10]
    #[arg(long, value_name = "N", value_parser = count_u32)]
    pub warehouses: Option<u32>,
    /// Run as another kit does: deck, home warehouses, form of Stock-Level; explicit options override it
    #[arg(long, value_name = "NAME", default_value = "standard")]
    pub preset: Preset,
    /// Cards of New-Order, Payment, Order-Status, Delivery, Stock-Level, or percentages (45%,...) [default: 10,10,1,1,1]
    #[arg(long, value_name = "N,N,N,N,N", value_parser = deck)]
    pub deck: Option<TpccDeck>,
    /// Home warehouse: fixed per terminal, drawn at random per transaction, or mostly from the first fifth [default: fixed]
    #[arg(long, value_name = "RULE")]
    pub home: Option<Home>,
    /// Factor for keying and think times; 1: as in the standard, 0: none
    #[arg(long, value_name = "FACTOR", default_value = "0")]
    pub think: f64,
    /// Percentage of order lines from another warehouse
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub remote_lines: u32,
    /// Percentage of payments by a customer of another warehouse
    #[arg(long, value_name = "PERCENT", default_value = "15", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub remote_payments: u32,
    /// Percentage of New-Orders rolled back for an unused item
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub rollbacks: u32,
    /// Run Stock-Level as two statements or as one join [default: two-statements]
    #[arg(long, value_name = "FORM")]
    pub stock_level: Option<Form>,
    /// Send statements prepared, as text, or batched into few round trips
    #[arg(long, value_name = "STYLE", default_value = "prepared")]
    pub style: Style,
    /// Isolation level that clients set; server: leave it as it is
    #[arg(long, value_name = "LEVEL", default_value = "server")]
    pub isolation: Level,
    /// Create foreign keys
    #[arg(long, value_name = "on|off", default_value = "off", default_missing_value = "on",
        num_args = 0..=1, require_equals = true, action = clap::ArgAction::Set, value_parser = switch)]
    pub foreign_keys: bool,
    /// Create the index on orders (o_w_id, o_d_id, o_c_id, o_id) that Order-Status needs
    #[arg(long, value_name = "on|off", default_value = "on", default_missing_value = "on",
        num_args = 0..=1, require_equals = true, action = clap::ArgAction::Set, value_parser = switch)]
    pub order_index: bool,
    /// Number of partitions by warehouse; 0: none
    #[arg(long, value_name = "N", default_value = "0", value_parser = count_u32)]
    pub partitions: u32,
    /// Add N times the initial orders, as if the database had been in use
    #[arg(long, value_name = "N", default_value = "0", value_parser = count_u32)]
    pub age: u32,
    /// Check the twelve consistency conditions after each run
    #[arg(long, value_name = "on|off", default_value = "on", default_missing_value = "on",
        num_args = 0..=1, require_equals = true, action = clap::ArgAction::Set, value_parser = switch)]
    pub check: bool,
}

/// `--preset`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// As the standard has it, without keying and think times.
    Standard,
    /// BenchmarkSQL: weights 45, 43, 4, 4, 4; Stock-Level as a join.
    Benchmarksql,
    /// tpcc-mysql: home warehouse drawn for each transaction.
    TpccMysql,
}

/// `--home`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)] // see model::TpccHome
pub enum Home {
    Fixed,
    Random,
    Skewed,
}

/// `--stock-level`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)] // see model::StockLevelForm
pub enum Form {
    TwoStatements,
    Join,
}

/// `--style`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)] // see model::StatementStyle
pub enum Style {
    Prepared,
    Text,
    Batched,
}

/// `--isolation`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)] // the names are SQL's
pub enum Level {
    Server,
    ReadUncommitted,
    ReadCommitted,
    RepeatableRead,
    Serializable,
}

/// Numbers of cards, or percentages that add up to 100.
fn deck(text: &str) -> Result<TpccDeck, String> {
    let wrong = || {
        "five numbers of cards, such as 10,10,1,1,1, or five percentages, such as 45%,43%,4%,4%,4%".to_owned()
    };
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let are_percentages = parts.iter().all(|part| part.ends_with('%'));
    let numbers = parts.iter().map(|part| part.strip_suffix('%').filter(|_| are_percentages).unwrap_or(part));
    let cards = if are_percentages {
        percentages(&numbers.collect::<Vec<_>>(), wrong)?
    } else {
        numbers.map(|n| n.parse::<u32>()).collect::<Result<Vec<_>, _>>().map_err(|_| wrong())?
    };
    let [new_order, payment, order_status, delivery, stock_level] = cards[..] else { return Err(wrong()) };
    if cards.iter().any(|cards| *cards > 10_000) {
        return Err("a deck has at most 10000 cards of a kind".to_owned());
    }
    if new_order == 0 {
        return Err("without New-Order there is no tpmC: its number must be above 0".to_owned());
    }
    Ok(TpccDeck { new_order, payment, order_status, delivery, stock_level })
}

/// A deck of a hundred cards, or of a thousand where the percentages have a decimal.
fn percentages(numbers: &[&str], wrong: impl Fn() -> String) -> Result<Vec<u32>, String> {
    let values =
        numbers.iter().map(|n| n.parse::<f64>()).collect::<Result<Vec<_>, _>>().map_err(|_| wrong())?;
    if values.iter().any(|value| !(0.0..=100.0).contains(value)) {
        return Err(wrong());
    }
    let sum: f64 = values.iter().sum();
    if (sum - 100.0).abs() > 1e-6 {
        return Err(format!("the percentages add up to {}, not to 100", (sum * 1e3).round() / 1e3));
    }
    let cards_of = |all: f64| values.iter().map(|value| value * all / 100.0).collect::<Vec<_>>();
    let is_whole = |cards: &[f64]| cards.iter().all(|cards| (cards - cards.round()).abs() < 1e-6);
    let found = [100.0, 1_000.0].into_iter().map(cards_of).find(|cards| is_whole(cards));
    let cards = found.ok_or("percentages may have one decimal")?;
    Ok(cards.iter().map(|cards| cards.round() as u32).collect())
}

impl TpccArgs {
    /// The options, checked. The engine, reconnection and the policy for errors are options of all workloads.
    pub fn options(&self, engine: &str, reconnect: u64, errors: ErrorPolicy) -> Outcome<TpccOptions> {
        let warehouses = self.warehouses.unwrap_or(10);
        if !(1..=MOST_WAREHOUSES).contains(&warehouses) {
            return Err(UserError::usage(format!("--warehouses must be between 1 and {MOST_WAREHOUSES}")));
        }
        if self.partitions > MOST_PARTITIONS {
            return Err(UserError::usage(format!("--partitions must be at most {MOST_PARTITIONS}")));
        }
        if self.partitions > 0 && self.foreign_keys {
            return Err(UserError::usage("partitioned tables cannot have foreign keys")
                .hint("leave out --partitions or --foreign-keys"));
        }
        if !(self.think >= 0.0 && self.think <= 1_000.0) {
            return Err(UserError::usage("--think is a factor, 0 to 1,000"));
        }
        let kit = self.preset.options();
        let data = TpccData {
            warehouses,
            foreign_keys: self.foreign_keys,
            order_index: self.order_index,
            partitions: self.partitions,
            age: self.age,
            engine: if engine.eq_ignore_ascii_case("innodb") {
                "InnoDB".to_owned()
            } else {
                engine.to_owned()
            },
        };
        Ok(TpccOptions {
            label: None,
            data,
            deck: self.deck.unwrap_or(kit.deck),
            home: self.home.map_or(kit.home, Home::rule),
            think: self.think,
            remote_lines_pct: self.remote_lines,
            remote_payments_pct: self.remote_payments,
            rollback_pct: self.rollbacks,
            stock_level: self.stock_level.map_or(kit.stock_level, Form::form),
            style: match self.style {
                Style::Prepared => StatementStyle::Prepared,
                Style::Text => StatementStyle::Text,
                Style::Batched => StatementStyle::Batched,
            },
            isolation: self.isolation.isolation(),
            check: self.check,
            reconnect,
            errors,
        })
    }
}

impl Preset {
    fn options(self) -> TpccOptions {
        let standard = TpccOptions::default();
        match self {
            Self::Standard => standard,
            Self::Benchmarksql => TpccOptions {
                deck: TpccDeck { new_order: 45, payment: 43, order_status: 4, delivery: 4, stock_level: 4 },
                stock_level: StockLevelForm::Join,
                ..standard
            },
            Self::TpccMysql => TpccOptions { home: TpccHome::Random, ..standard },
        }
    }
}

impl Home {
    fn rule(self) -> TpccHome {
        match self {
            Self::Fixed => TpccHome::Fixed,
            Self::Random => TpccHome::Random,
            Self::Skewed => TpccHome::Skewed,
        }
    }
}

impl Form {
    fn form(self) -> StockLevelForm {
        match self {
            Self::TwoStatements => StockLevelForm::TwoStatements,
            Self::Join => StockLevelForm::Join,
        }
    }
}

impl Level {
    fn isolation(self) -> Option<Isolation> {
        match self {
            Self::Server => None,
            Self::ReadUncommitted => Some(Isolation::ReadUncommitted),
            Self::ReadCommitted => Some(Isolation::ReadCommitted),
            Self::RepeatableRead => Some(Isolation::RepeatableRead),
            Self::Serializable => Some(Isolation::Serializable),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: TpccArgs,
    }

    fn options(words: &[&str]) -> Outcome<TpccOptions> {
        let line = Line::try_parse_from(["test"].iter().chain(words)).expect("words that clap accepts");
        line.args.options("innodb", 0, ErrorPolicy::default())
    }

    #[test]
    fn without_options_they_follow_the_standard_on_ten_warehouses() {
        let expected = TpccOptions {
            data: TpccData { warehouses: 10, ..TpccData::default() },
            ..TpccOptions::default()
        };
        assert_eq!(options(&[]), Ok(expected));
    }

    #[test]
    fn options_win_over_their_preset() {
        let made =
            options(&["--preset=benchmarksql", "--stock-level=two-statements"]).expect("valid options");
        assert_eq!((made.deck.new_order, made.stock_level), (45, StockLevelForm::TwoStatements));
        assert_eq!(options(&["--preset=tpcc-mysql"]).map(|made| made.home), Ok(TpccHome::Random));
    }

    #[test]
    fn impossible_values_are_refused() {
        for words in [
            &["--warehouses=0"][..],
            &["--think=-1"],
            &["--think=nan"],
            &["--partitions=4", "--foreign-keys"],
            &["--partitions=9000"],
        ] {
            assert!(options(words).is_err(), "{words:?}");
        }
        for (deck, why) in [
            ("1,2,3", "five numbers"),
            ("0,1,1,1,1", "above 0"),
            ("a,b,c,d,e", "five numbers"),
            ("10,10,1,1,1,1", "five numbers"),
            ("45%,43%,4%,4%,5%", "add up to 101, not to 100"),
            ("45%,43%,4%,4%,4", "five numbers"),
            ("44.95%,43.05%,4%,4%,4%", "one decimal"),
        ] {
            let error =
                Line::try_parse_from(["test", "--deck", deck]).map(|_| ()).expect_err("refused").to_string();
            assert!(error.contains(why), "{deck}: {error}");
        }
    }

    #[test]
    fn percentages_are_a_deck_of_a_hundred_or_a_thousand_cards() {
        let cards =
            |text| deck(text).map(|d| [d.new_order, d.payment, d.order_status, d.delivery, d.stock_level]);
        assert_eq!(cards("45%,43%,4%,4%,4%"), Ok([45, 43, 4, 4, 4]));
        assert_eq!(cards("44.9%, 43.1%, 4%, 4%, 4%"), Ok([449, 431, 40, 40, 40]));
        assert_eq!(cards("10,10,1,1,1"), Ok([10, 10, 1, 1, 1]));
    }
}
