//! The kinds of option values, with their notation on a command line, in an option file and in TOML.

pub mod assignments;
mod clients;
mod deck;
pub mod event;
mod rate;
mod size;

use model::{Phase, PlannedEvent, TpccDeck};

pub use size::{bytes, count, count_u32, seconds, seed, switch};

/// The kind of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// on or off.
    Switch,
    /// A whole number within bounds, with K, M, G or T for thousands, millions, ...
    Count {
        /// The smallest.
        least: u64,
        /// The largest.
        most: u64,
        /// The reason for the upper bound, appended to the bounds; empty: it is obvious.
        why: &'static str,
    },
    /// A number within bounds, both included.
    Number {
        /// The smallest.
        least: f64,
        /// The largest.
        most: f64,
        /// Whether the bounds themselves are excluded.
        open: bool,
    },
    /// Seconds, or minutes, hours, days: `90`, `10m`, `8h`.
    Seconds,
    /// A seed.
    Seed,
    /// A percentage above 0, up to 50, with or without `%`; its value is a fraction.
    Margin,
    /// One of these names, each with its meaning.
    Choice(&'static [(&'static str, &'static str)]),
    /// Any text.
    Text,
    /// The name of a recording, which is part of the name of a directory.
    Name,
    /// The name of a storage engine.
    Engine,
    /// Numbers of clients: `16`, `1,4,16`, `1..64`.
    Clients,
    /// A rate in phases: `500`, `100..2000:60`.
    Phases,
    /// Conditions such as `p99<20ms`, with commas between them.
    Conditions,
    /// Two rates with `..` between them.
    Range,
    /// Cards of the five transactions of TPC-C.
    Deck,
    /// Codes of server errors, or `all`.
    ErrorCodes,
    /// Events during a load, separated by `;`: `30s kill primary`.
    Events,
    /// Names with values, separated by `;`: `x=1;y=2`.
    Assignments,
}

/// The value of an option.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // as the kinds
pub enum Value {
    Switch(bool),
    Count(u64),
    Number(f64),
    Text(String),
    Clients(Vec<u32>),
    Phases(Vec<Phase>),
    Conditions(Vec<String>),
    Range(f64, f64),
    Deck(TpccDeck),
    /// None: all of them.
    ErrorCodes(Option<Vec<u16>>),
    Events(Vec<PlannedEvent>),
    Assignments(Vec<(String, String)>),
}

impl Kind {
    /// A whole number of 32 bits.
    pub const fn count32(least: u64) -> Self {
        Self::Count { least, most: u32::MAX as u64, why: "" }
    }

    /// A whole number of any size.
    pub const fn count64() -> Self {
        Self::Count { least: 0, most: u64::MAX, why: "" }
    }

    /// A whole number of percent.
    pub const fn percent() -> Self {
        Self::Count { least: 0, most: 100, why: "" }
    }

    /// Reads a value.
    ///
    /// # Errors
    /// Why it is none, as a sentence about "it".
    pub fn parse(&self, text: &str) -> Result<Value, String> {
        match *self {
            Self::Switch => switch(text).map(Value::Switch),
            Self::Count { least, most, why } => within(count(text)?, least, most, why).map(Value::Count),
            Self::Number { least, most, open } => number(text, least, most, open).map(Value::Number),
            Self::Seconds => seconds(text).map(Value::Number),
            Self::Seed => seed(text).map(Value::Count),
            Self::Margin => margin(text).map(Value::Number),
            Self::Choice(names) => match names.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)) {
                Some((name, _)) => Ok(Value::Text((*name).to_owned())),
                None => {
                    let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
                    Err(format!("it is one of {}", names.join(", ")))
                }
            },
            Self::Text => Ok(Value::Text(text.to_owned())),
            Self::Name => name(text).map(Value::Text),
            Self::Engine if is_word(text) => Ok(Value::Text(text.to_owned())),
            Self::Engine => Err("it is not the name of a storage engine".to_owned()),
            Self::Clients => clients::list(text).map(Value::Clients),
            Self::Phases => rate::phases(text).map(Value::Phases),
            Self::Conditions => conditions(text).map(Value::Conditions),
            Self::Range => rate::range(text).map(|(low, high)| Value::Range(low, high)),
            Self::Deck => deck::deck(text).map(Value::Deck),
            Self::ErrorCodes => error_codes(text).map(Value::ErrorCodes),
            Self::Events => event::events(text).map(Value::Events),
            Self::Assignments => assignments::list(text).map(Value::Assignments),
        }
    }

    /// The separator of an option that may be given several times, or of a list of texts; none: it is given once.
    pub fn between(&self) -> Option<char> {
        match self {
            Self::Conditions => Some(','),
            Self::Events => Some(event::BETWEEN),
            Self::Assignments => Some(assignments::BETWEEN),
            _ => None,
        }
    }
}

/// Longest name of a recording: it is part of the name of a directory.
pub const LONGEST_NAME: usize = 60;

fn name(text: &str) -> Result<String, String> {
    let text = text.trim();
    let fits = !text.is_empty() && text.chars().count() <= LONGEST_NAME;
    if !fits || text.chars().any(char::is_control) {
        return Err(format!("a name has 1 to {LONGEST_NAME} printable characters"));
    }
    if text == "latest" {
        return Err("latest is the newest recording: choose another name".to_owned());
    }
    Ok(text.to_owned())
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn within(number: u64, least: u64, most: u64, why: &str) -> Result<u64, String> {
    let why = if why.is_empty() { String::new() } else { format!(": {why}") };
    match number {
        n if n < least && most >= u64::from(u32::MAX) => Err(format!("it must be at least {least}{why}")),
        n if n > most && least == 0 => Err(format!("it must be at most {most}{why}")),
        n if !(least..=most).contains(&n) => Err(format!("it must be between {least} and {most}{why}")),
        n => Ok(n),
    }
}

fn number(text: &str, least: f64, most: f64, open: bool) -> Result<f64, String> {
    let number: f64 = text.trim().parse().map_err(|_| "it is not a number".to_owned())?;
    let inside = if open { number > least && number < most } else { (least..=most).contains(&number) };
    let excluded = if open { ", neither of them included" } else { "" };
    if inside { Ok(number) } else { Err(format!("it must be between {least} and {most}{excluded}")) }
}

/// Conditions as texts; their metrics are checked where they are judged.
fn conditions(text: &str) -> Result<Vec<String>, String> {
    let all =
        text.split(',').map(str::trim).filter(|one| !one.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    match all.iter().find(|one| !one.contains(['<', '>'])) {
        Some(one) => Err(format!("'{one}' is not a condition, such as p99<20ms or lag<1s")),
        None => Ok(all),
    }
}

/// A percentage as a fraction.
fn margin(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim();
    match number.parse::<f64>() {
        Ok(percent) if percent > 0.0 && percent <= 50.0 => Ok(percent / 100.0),
        _ => Err("it is a percentage, above 0 and at most 50".to_owned()),
    }
}

fn error_codes(text: &str) -> Result<Option<Vec<u16>>, String> {
    let text = text.trim();
    if text == "all" {
        return Ok(None);
    }
    let codes = text.split(',').map(str::trim).filter(|code| !code.is_empty());
    let codes = codes.map(str::parse).collect::<Result<Vec<u16>, _>>();
    codes.map(Some).map_err(|_| "it is a list of error codes, such as 1213,1205,1020, or all".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_said_as_they_are() {
        let why = |kind: Kind, text: &str| kind.parse(text).expect_err("out of bounds");
        assert_eq!(why(Kind::count32(1), "0"), "it must be at least 1");
        assert_eq!(why(Kind::percent(), "101"), "it must be at most 100");
        let rows = Kind::Count { least: 1, most: 10, why: "ids are INTEGER columns" };
        assert_eq!(why(rows, "11"), "it must be between 1 and 10: ids are INTEGER columns");
        let h = Kind::Number { least: 0.0, most: 1.0, open: true };
        assert_eq!(why(h, "1"), "it must be between 0 and 1, neither of them included");
        assert_eq!(why(h, "nan"), why(h, "1"));
    }

    #[test]
    fn names_are_read_whatever_their_case() {
        let kind = Kind::Choice(&[("pareto", ""), ("zipfian", "")]);
        assert_eq!(kind.parse("Pareto"), Ok(Value::Text("pareto".to_owned())));
        assert_eq!(kind.parse("x"), Err("it is one of pareto, zipfian".to_owned()));
    }

    #[test]
    fn errors_are_codes_or_all() {
        assert_eq!(Kind::ErrorCodes.parse("1213, 1062"), Ok(Value::ErrorCodes(Some(vec![1213, 1062]))));
        assert_eq!(Kind::ErrorCodes.parse("all"), Ok(Value::ErrorCodes(None)));
        assert!(Kind::ErrorCodes.parse("deadlock").is_err());
    }

    #[test]
    fn a_margin_is_a_percentage() {
        assert_eq!(Kind::Margin.parse("2"), Ok(Value::Number(0.02)));
        assert_eq!(Kind::Margin.parse("2.5 %"), Ok(Value::Number(0.025)));
        assert!(Kind::Margin.parse("0").is_err() && Kind::Margin.parse("60").is_err());
    }
}
