//! What is known of server variables: unit, meaning, effect on a load, and the default of each release series.
//!
//! One table in pages, a page for each [`Group`]. The first entries of a page weigh most. A default that is not certain
//! is left out: a value is called the default only where it is. What goes under another name elsewhere stands in
//! [`same`].

mod concurrency;
mod durability;
mod instrumentation;
mod io;
mod memory;
mod optimizer;
mod replication;
pub mod same;

use model::Flavour;
use serde::{Deserialize, Serialize};

use crate::Words;
use crate::doctor::Version;
use crate::text;

/// What a variable decides.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// What a crash can lose.
    Durability,
    /// How much is kept in memory.
    Memory,
    /// How and how much is read and written.
    Io,
    /// How many clients at once, and how they wait for each other.
    Concurrency,
    /// Binary log, replication.
    Replication,
    /// What the server measures about itself, and logs.
    Instrumentation,
    /// How statements are planned, and what they mean.
    Optimizer,
    /// Which server it is.
    Version,
    /// Everything else.
    Other,
}

impl Group {
    /// Heading in English and in Simplified Chinese.
    pub fn label(self) -> (&'static str, &'static str) {
        match self {
            Self::Durability => ("durability", "持久性"),
            Self::Memory => ("memory", "内存"),
            Self::Io => ("I/O", "输入输出"),
            Self::Concurrency => ("concurrency", "并发"),
            Self::Replication => ("replication", "复制"),
            Self::Instrumentation => ("instrumentation", "监测"),
            Self::Optimizer => ("optimizer", "优化器"),
            Self::Version => ("version", "版本"),
            Self::Other => ("other", "其他"),
        }
    }
}

/// What is known of a variable.
#[derive(Debug)]
pub struct Entry {
    /// Its name; where it has several, that of the newest MySQL.
    pub name: &'static str,
    /// Unit of its values.
    pub unit: Unit,
    /// Which part of a load it touches.
    pub touches: Touches,
    defaults: &'static [Since],
    meaning: (&'static str, &'static str),
    effect: (&'static str, &'static str),
}

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

/// Which part of a load a variable touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Touches {
    /// Statements that read.
    Reads,
    /// Statements that change rows, and their commits.
    Writes,
    /// Many clients at once.
    Clients,
    /// Every load.
    All,
    /// Servers that replicate from another.
    Replicas,
    /// Starts and stops.
    Restart,
    /// No load.
    Nothing,
}

/// A default, for one family from a version on, or for both.
#[derive(Debug, Clone, Copy)]
enum Since {
    Both(&'static str),
    Mysql(Version, &'static str),
    Mariadb(Version, &'static str),
}

const FIRST: Version = (0, 0, 0);
/// In place of a default: the server computes it from the machine and its other variables.
const SIZED: &str = "*";
/// In place of a default: nobody vouches for one.
const UNSURE: &str = "?";

/// The default of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Default {
    /// This one.
    Is(&'static str),
    /// The server computes it from the machine and its other variables.
    Sized,
}

/// The table.
const PAGES: [(Group, &[Entry]); 7] = [
    (Group::Durability, durability::ENTRIES),
    (Group::Memory, memory::ENTRIES),
    (Group::Io, io::ENTRIES),
    (Group::Concurrency, concurrency::ENTRIES),
    (Group::Replication, replication::ENTRIES),
    (Group::Instrumentation, instrumentation::ENTRIES),
    (Group::Optimizer, optimizer::ENTRIES),
];

/// Every entry with its group, the weightiest of a group first.
pub fn entries() -> impl Iterator<Item = (Group, &'static Entry)> {
    PAGES.into_iter().flat_map(|(group, page)| page.iter().map(move |entry| (group, entry)))
}

impl Entry {
    /// Its default in that server; none: not known.
    pub fn default(&self, flavour: Flavour, version: Version) -> Option<Default> {
        let applies = |since: &&Since| match since {
            Since::Both(_) => true,
            Since::Mysql(from, _) => flavour == Flavour::Mysql && *from <= version,
            Since::Mariadb(from, _) => flavour == Flavour::Mariadb && *from <= version,
        };
        // They are in the order of versions, and the last that applies is the one.
        match self.defaults.iter().rfind(applies)? {
            Since::Both(value) | Since::Mysql(_, value) | Since::Mariadb(_, value) => match *value {
                UNSURE => None,
                SIZED => Some(Default::Sized),
                value => Some(Default::Is(value)),
            },
        }
    }

    /// What it is.
    pub fn meaning(&self) -> Words {
        Words::new(self.meaning.0, self.meaning.1)
    }

    /// What a difference is likely to do.
    pub fn effect(&self) -> Words {
        Words::new(self.effect.0, self.effect.1)
    }
}

impl Touches {
    /// In English and in Simplified Chinese.
    pub fn label(self) -> Words {
        let (en, zh) = match self {
            Self::Reads => ("reads", "读取"),
            Self::Writes => ("writes", "写入"),
            Self::Clients => ("many clients", "大量客户端"),
            Self::All => ("every load", "所有负载"),
            Self::Replicas => ("replicas", "副本"),
            Self::Restart => ("start and stop", "启动和关闭"),
            Self::Nothing => ("no load", "不影响负载"),
        };
        Words::new(en, zh)
    }
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

    /// A value as people say it: `24 GiB`, `50 s`, `4,000`, `no limit`.
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
        let plain = if whole { text::count(number as u64) } else { number.to_string() };
        match (self, self.symbol()) {
            (Self::Bytes, _) if whole => text::bytes(number as u64),
            (Self::Seconds, _) if whole => seconds(number as u64),
            (Self::Threads, _) if number == 1.0 => "1 thread".to_owned(),
            (Self::Pages, _) if number == 1.0 => "1 page".to_owned(),
            (Self::PerSecond, _) => format!("{plain}/s"),
            (_, "") => plain,
            (_, symbol) => format!("{plain} {symbol}"),
        }
    }
}

/// `50 s`; what is a whole number of longer units, in those: `8 h`, `365 days`.
fn seconds(seconds: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(86_400, "day"), (3600, "h"), (60, "min")];
    match UNITS.into_iter().find(|(size, _)| seconds >= *size && seconds.is_multiple_of(*size)) {
        Some((size, "day")) if seconds > size => format!("{} days", text::count(seconds / size)),
        Some((size, unit)) => format!("{} {unit}", seconds / size),
        None => format!("{} s", text::count(seconds)),
    }
}

#[cfg(test)]
mod tests;
