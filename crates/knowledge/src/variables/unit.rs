//! Units of variables, and the display of their values.

use messages::number::{self, thousands};
use serde::{Deserialize, Serialize};

/// Unit of a variable's values.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// A number without unit, a word, a switch.
    Plain,
    /// Bytes.
    Bytes,
    /// MiB.
    Mebibytes,
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
    /// Microseconds.
    Microseconds,
    /// Percent.
    Percent,
    /// Pages of InnoDB.
    Pages,
    /// Threads.
    Threads,
    /// Events per second.
    PerSecond,
    /// `a=on,b=off`.
    Switches,
    /// Words in any order.
    List,
}

impl Unit {
    /// The unit behind a number; empty where it has none, or is chosen by size.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Plain | Self::Bytes | Self::Switches | Self::List => "",
            Self::Mebibytes => "MiB",
            Self::Seconds => "s",
            Self::Milliseconds => "ms",
            Self::Microseconds => "µs",
            Self::Percent => "%",
            Self::Pages => "pages",
            Self::Threads => "threads",
            Self::PerSecond => "/s",
        }
    }

    /// The value with its unit: `24 GiB`, `50 s`, `4,000`, `no limit`.
    pub fn show(self, value: &str) -> String {
        let Ok(number) = value.parse::<f64>() else {
            return if value.is_empty() { "(empty)".to_owned() } else { value.to_owned() };
        };
        // Servers say the largest number that fits for no limit, some of them rounded to a block.
        const NO_LIMIT: f64 = 9e18;
        if number >= NO_LIMIT {
            return "no limit".to_owned();
        }
        let whole = number.fract() == 0.0 && number >= 0.0;
        let plain = if whole { thousands(number as u64) } else { number.to_string() };
        match (self, self.symbol()) {
            (Self::Bytes, _) if whole => number::bytes(number as u64),
            (Self::Seconds, _) if whole => seconds(number as u64),
            (Self::Threads, _) if number == 1.0 => "1 thread".to_owned(),
            (Self::Pages, _) if number == 1.0 => "1 page".to_owned(),
            (Self::PerSecond, _) => format!("{plain}/s"),
            (_, "") => plain,
            (_, symbol) => format!("{plain} {symbol}"),
        }
    }
}

/// `50 s`; a whole number of longer units in those: `8 h`, `365 days`.
fn seconds(seconds: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(86_400, "day"), (3600, "h"), (60, "min")];
    match UNITS.into_iter().find(|(size, _)| seconds >= *size && seconds.is_multiple_of(*size)) {
        Some((size, "day")) if seconds > size => format!("{} days", thousands(seconds / size)),
        Some((size, unit)) => format!("{} {unit}", seconds / size),
        None => format!("{} s", thousands(seconds)),
    }
}
