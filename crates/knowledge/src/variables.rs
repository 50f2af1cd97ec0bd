//! Knowledge about server variables: unit, meaning, effect on a load, and the default of each release series.
//!
//! The pages are `knowledge/variables/*.toml`, one for each [`Group`]. The first entries of a page weigh most. A default
//! that is not certain is left out: a value is called the default only where it is. Variables that have another name
//! elsewhere are in [`same`].

mod default;
pub mod same;
mod unit;

use std::sync::OnceLock;

use messages::{Words, message};
use model::Flavour;
use serde::{Deserialize, Serialize};

pub use self::default::VariableDefault;
use self::default::{Defaults, Families};
pub use self::unit::Unit;
use crate::page::{Source, Text, source};
use crate::version::Version;
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
    /// A heading.
    pub fn label(self) -> Words {
        let group = match self {
            Self::Durability => "durability",
            Self::Memory => "memory",
            Self::Io => "io",
            Self::Concurrency => "concurrency",
            Self::Replication => "replication",
            Self::Instrumentation => "instrumentation",
            Self::Optimizer => "optimizer",
            Self::Version => "version",
            Self::Other => "other",
        };
        message!("variable-group", group = Word(group))
    }
}

/// The entry of a variable.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Written")]
pub struct Entry {
    /// Its name; where it has several, that of the newest MySQL.
    pub name: String,
    /// Unit of its values.
    pub unit: Unit,
    /// The part of a load that it affects.
    pub touches: Touches,
    defaults: Defaults,
    /// Its meaning.
    pub meaning: Text,
    /// The likely effect of a difference.
    pub effect: Text,
}

/// The part of a load that a variable affects.
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

/// A page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    variable: Vec<Entry>,
}

/// An entry as a page writes it: `default` where all servers agree, `defaults` by family where they do not.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    unit: Unit,
    touches: Touches,
    default: Option<String>,
    defaults: Option<Families>,
    meaning: Text,
    effect: Text,
}

impl TryFrom<Written> for Entry {
    type Error = String;

    fn try_from(said: Written) -> Result<Self, String> {
        let Written { name, unit, touches, meaning, effect, .. } = said;
        let newest = same::name(&name);
        if newest != name {
            return Err(format!("{name} is an old name of {newest}"));
        }
        let defaults = match (said.default, said.defaults) {
            (Some(_), Some(_)) => return Err(format!("{name} has both default and defaults")),
            (Some(value), None) => Defaults::Same(value),
            (None, families) => Defaults::Differ(families.unwrap_or_default()),
        };
        Ok(Self { name, unit, touches, defaults, meaning, effect })
    }
}

const PAGES: [(Group, Source); 7] = [
    (Group::Durability, source!("variables/durability.toml")),
    (Group::Memory, source!("variables/memory.toml")),
    (Group::Io, source!("variables/io.toml")),
    (Group::Concurrency, source!("variables/concurrency.toml")),
    (Group::Replication, source!("variables/replication.toml")),
    (Group::Instrumentation, source!("variables/instrumentation.toml")),
    (Group::Optimizer, source!("variables/optimizer.toml")),
];

/// Every entry with its group, the weightiest of a group first.
pub fn entries() -> impl Iterator<Item = (Group, &'static Entry)> {
    static ENTRIES: OnceLock<Vec<(Group, Entry)>> = OnceLock::new();
    let all = ENTRIES.get_or_init(|| {
        let page = |(group, source): (Group, Source)| {
            source.parsed::<Page>().variable.into_iter().map(move |entry| (group, entry))
        };
        PAGES.into_iter().flat_map(page).collect()
    });
    all.iter().map(|(group, entry)| (*group, entry))
}

impl Entry {
    /// Its default in that server; none: not known.
    pub fn default(&self, flavour: Flavour, version: Version) -> Option<VariableDefault<'_>> {
        self.defaults.of(flavour, version)
    }
}

impl Touches {
    /// The name shown to users.
    pub fn label(self) -> Words {
        let part = match self {
            Self::Reads => "reads",
            Self::Writes => "writes",
            Self::Clients => "clients",
            Self::All => "all",
            Self::Replicas => "replicas",
            Self::Restart => "restart",
            Self::Nothing => "nothing",
        };
        message!("part-of-load", part = Word(part))
    }
}

#[cfg(test)]
mod tests;
