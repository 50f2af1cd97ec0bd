//! Defaults of variables, by family and release series.

use std::collections::BTreeMap;

use model::Flavour;
use serde::Deserialize;

use crate::version::{Version, written};

/// The default of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariableDefault<'a> {
    /// This one.
    Is(&'a str),
    /// The server computes it from the machine and its other variables.
    Sized,
}

/// Placeholder for a value that the server computes.
const COMPUTED: &str = "(computed)";
const UNCERTAIN: &str = "(uncertain)";
/// Placeholder for the versions before all others.
const EARLIER: &str = "earlier";

/// The defaults of a variable. A family without any lacks the variable, or its default is uncertain.
#[derive(Debug)]
pub(super) enum Defaults {
    /// The same default everywhere.
    Same(String),
    /// A default per family.
    Differ(Families),
}

/// `defaults.mysql` and `defaults.mariadb` of a page.
#[derive(Debug, std::default::Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Families {
    mysql: Option<Series>,
    mariadb: Option<Series>,
}

/// Defaults of one family, each with the version from which on it holds.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Written")]
struct Series(BTreeMap<Version, String>);

#[derive(Deserialize)]
#[serde(untagged, expecting = "a default, or a table of versions with their defaults")]
enum Written {
    Always(String),
    Since(BTreeMap<String, String>),
}

impl TryFrom<Written> for Series {
    type Error = String;

    fn try_from(said: Written) -> Result<Self, String> {
        let since = |from: &str| if from == EARLIER { Ok((0, 0, 0)) } else { written(from) };
        Ok(Self(match said {
            Written::Always(value) => [((0, 0, 0), value)].into(),
            Written::Since(list) => list
                .into_iter()
                .map(|(from, value)| Ok((since(&from)?, value)))
                .collect::<Result<_, String>>()?,
        }))
    }
}

impl Defaults {
    /// The default in that server; none: not known.
    pub fn of(&self, flavour: Flavour, version: Version) -> Option<VariableDefault<'_>> {
        let value = match (self, flavour) {
            (Self::Same(value), _) => value,
            (Self::Differ(families), Flavour::Mysql) => families.mysql.as_ref()?.of(version)?,
            (Self::Differ(families), Flavour::Mariadb) => families.mariadb.as_ref()?.of(version)?,
        };
        match value.as_str() {
            UNCERTAIN => None,
            COMPUTED => Some(VariableDefault::Sized),
            value => Some(VariableDefault::Is(value)),
        }
    }
}

impl Series {
    fn of(&self, version: Version) -> Option<&String> {
        self.0.range(..=version).next_back().map(|(_, value)| value)
    }
}
