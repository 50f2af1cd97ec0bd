//! The rules as their pages write them.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use model::Flavour;
use serde::Deserialize;

use super::manual::Manual;
use crate::page::{Source, Text, source};
use crate::version::{Version, written};

/// The pages, by theme. Their order is that of findings of one severity.
pub(super) const PAGES: [(&str, Source); 11] = [
    ("durability", source!("rules/durability.toml")),
    ("causes", source!("rules/causes.toml")),
    ("measured", source!("rules/measured.toml")),
    ("parts", source!("rules/parts.toml")),
    ("load", source!("rules/load.toml")),
    ("memory", source!("rules/memory.toml")),
    ("io", source!("rules/io.toml")),
    ("waits", source!("rules/waits.toml")),
    ("replication", source!("rules/replication.toml")),
    ("safety", source!("rules/safety.toml")),
    ("surroundings", source!("rules/surroundings.toml")),
];

/// A page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Page {
    pub rule: Vec<Rule>,
}

/// A rule. What finds is a function of the same id.
#[derive(Debug, Deserialize)]
#[serde(try_from = "WrittenRule")]
pub(super) struct Rule {
    pub id: String,
    /// Rules that say less about the same: they are silent beside this one.
    pub supersedes: Vec<String>,
    /// The recommendation as lines of my.cnf, by variable; empty if it is no setting, or depends on the server.
    pub set: BTreeMap<String, String>,
    /// What it says of which servers; no two are about the same server.
    pub cases: Vec<Case>,
}

/// What a rule says of some servers.
#[derive(Debug)]
pub(super) struct Case {
    pub servers: Servers,
    pub manual: Manual,
    pub why: Text,
    pub action: Text,
    pub cost: Text,
}

/// Every rule with its theme, in the order of findings of one severity.
pub(super) fn rules() -> impl Iterator<Item = (&'static str, &'static Rule)> {
    static RULES: OnceLock<Vec<(&str, Rule)>> = OnceLock::new();
    let all = RULES.get_or_init(|| {
        let page = |(theme, source): (&'static str, Source)| {
            source.parsed::<Page>().rule.into_iter().map(move |rule| (theme, rule))
        };
        PAGES.into_iter().flat_map(page).collect()
    });
    all.iter().map(|(theme, rule)| (*theme, rule))
}

impl Rule {
    /// What it says of that server; none: it is not about it.
    pub fn case(&self, flavour: Flavour, version: Version) -> Option<&Case> {
        self.cases.iter().find(|case| case.servers.include(flavour, version))
    }
}

/// A rule as its page writes it. `for` has what differs between servers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRule {
    id: String,
    #[serde(default)]
    supersedes: Vec<String>,
    servers: Option<Servers>,
    manual: Option<Manual>,
    why: Option<Text>,
    action: Option<Text>,
    cost: Option<Text>,
    #[serde(default)]
    set: BTreeMap<String, String>,
    #[serde(default, rename = "for")]
    cases: Vec<WrittenCase>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCase {
    servers: Servers,
    manual: Manual,
    why: Option<Text>,
    action: Option<Text>,
    cost: Option<Text>,
}

impl TryFrom<WrittenRule> for Rule {
    type Error = String;

    fn try_from(said: WrittenRule) -> Result<Self, String> {
        let WrittenRule { id, supersedes, servers, manual, why, action, cost, set, cases } = said;
        let missing = |what: &str| format!("rule {id} says no {what}");
        let cases = match (servers, manual, cases) {
            (Some(servers), Some(manual), none) if none.is_empty() => {
                vec![WrittenCase { servers, manual, why: None, action: None, cost: None }]
            }
            (None, None, cases) if !cases.is_empty() => cases,
            _ => return Err(format!("rule {id} has either servers and manual, or [[rule.for]] with both")),
        };
        let case = |own: WrittenCase| {
            let text = |own: Option<Text>, common: &Option<Text>, what: &str| {
                own.or_else(|| common.clone()).ok_or_else(|| missing(what))
            };
            Ok(Case {
                servers: own.servers,
                manual: own.manual,
                why: text(own.why, &why, "why")?,
                action: text(own.action, &action, "action")?,
                cost: text(own.cost, &cost, "cost")?,
            })
        };
        let cases = cases.into_iter().map(case).collect::<Result<_, String>>()?;
        Ok(Self { id, supersedes, set, cases })
    }
}

/// Servers, as a page writes them: `both`, `MySQL`, `MySQL from 8.0.30`, `MySQL from 5.7.9 before 8.0.0`, `MariaDB`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Servers {
    text: String,
    /// None: both.
    flavour: Option<Flavour>,
    from: Option<Version>,
    before: Option<Version>,
}

impl TryFrom<String> for Servers {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let mut words = text.split(' ');
        let flavour = match words.next() {
            Some("both") => None,
            Some("MySQL") => Some(Flavour::Mysql),
            Some("MariaDB") => Some(Flavour::Mariadb),
            _ => return Err(format!("\"{text}\" is not both, MySQL or MariaDB")),
        };
        let (mut from, mut before) = (None, None);
        while let Some(word) = words.next() {
            let version = Some(written(words.next().unwrap_or_default())?);
            match word {
                "from" => from = version,
                "before" => before = version,
                _ => return Err(format!("\"{word}\" in \"{text}\" is not from or before")),
            }
        }
        Ok(Self { text, flavour, from, before })
    }
}

impl Servers {
    fn include(&self, flavour: Flavour, version: Version) -> bool {
        self.flavour.is_none_or(|only| only == flavour)
            && self.from.is_none_or(|from| from <= version)
            && self.before.is_none_or(|before| version < before)
    }

    /// As the page writes them.
    pub fn text(&self) -> &str {
        &self.text
    }
}
