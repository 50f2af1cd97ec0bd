//! What a good DBA says after a look at a server: what it is, what a crash can lose, and what to change, worst first.
//!
//! A rule is an entry of a page in `knowledge/rules/` and a check of the same id here, which decides from what was seen of the
//! server whether the rule speaks, and with which evidence. Pure: the examination comes in, the note goes out, so that it can
//! be written again from a recording.

mod causes;
pub mod durability;
mod examined;
mod facts;
mod finding;
mod io;
mod load;
mod manual;
mod measured;
mod memory;
mod parts;
mod replication;
mod rule;
mod safety;
mod surroundings;
mod waits;
mod window;

#[cfg(test)]
mod measured_tests;
#[cfg(test)]
mod tests;

pub use self::examined::{Examined, Planned, Runs};
pub use self::facts::{Facts, facts};
use self::finding::Check;
pub use self::finding::RecommendationSeverity;
pub use self::parts::part_of;
pub use self::window::{
    ExecutionPlan, LongRunning, Machine, MeasuredWindow, OtherStatements, PartExcess, StatementDigest,
    Thread, TimePart, WaitEvent, far_apart,
};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use self::manual::Manual;
use self::rule::rules;
use messages::Words;

/// One piece of advice.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recommendation {
    /// Which rule: stable, for files and filters.
    pub id: String,
    /// How bad it is.
    pub severity: RecommendationSeverity,
    /// Variables with their values, and figures.
    pub evidence: String,
    /// Why it matters.
    pub why: String,
    /// What to do.
    pub action: String,
    /// What that may cost.
    pub cost: String,
    /// Address of the manual's page.
    pub manual: String,
    /// The recommendation as lines of my.cnf, by variable. Empty where it is no setting.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, String>,
    /// The texts in Simplified Chinese. Empty in what older versions wrote.
    #[serde(flatten)]
    pub zh: InChinese,
}

/// The texts of an [`Recommendation`] in Simplified Chinese.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InChinese {
    /// As [`Recommendation::evidence`].
    #[serde(default, rename = "evidence_zh")]
    pub evidence: String,
    /// As [`Recommendation::why`].
    #[serde(default, rename = "why_zh")]
    pub why: String,
    /// As [`Recommendation::action`].
    #[serde(default, rename = "action_zh")]
    pub action: String,
    /// As [`Recommendation::cost`].
    #[serde(default, rename = "cost_zh")]
    pub cost: String,
}

impl Recommendation {
    /// From its texts in both languages.
    pub fn new(
        id: &str,
        severity: RecommendationSeverity,
        [evidence, why, action, cost]: [Words; 4],
        manual: String,
    ) -> Self {
        Self {
            id: id.to_owned(),
            severity,
            evidence: evidence.en,
            why: why.en,
            action: action.en,
            cost: cost.en,
            manual,
            set: BTreeMap::new(),
            zh: InChinese { evidence: evidence.zh, why: why.zh, action: action.zh, cost: cost.zh },
        }
    }
}

/// The checks by theme, each under the id of its rule.
const CHECKS: [(&str, &[(&str, Check)]); 11] = [
    ("durability", durability::CHECKS),
    ("causes", causes::CHECKS),
    ("measured", measured::CHECKS),
    ("parts", parts::CHECKS),
    ("load", load::CHECKS),
    ("memory", memory::CHECKS),
    ("io", io::CHECKS),
    ("waits", waits::CHECKS),
    ("replication", replication::CHECKS),
    ("safety", safety::CHECKS),
    ("surroundings", surroundings::CHECKS),
];

fn check(id: &str) -> Option<Check> {
    CHECKS.iter().flat_map(|(_, checks)| *checks).find(|(known, _)| *known == id).map(|(_, check)| *check)
}

/// A rule as the reference lists it.
pub struct Listed {
    /// Its theme.
    pub theme: &'static str,
    /// Its id, as in JSON.
    pub id: &'static str,
    /// Which servers it is about.
    pub servers: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// What to do.
    pub action: &'static str,
    /// What that may cost.
    pub cost: &'static str,
}

/// Every rule, in the order of findings of one severity; once for each kind of server that it has something else to say of.
pub fn listed() -> impl Iterator<Item = Listed> {
    rules().flat_map(|(theme, rule)| {
        rule.cases.iter().map(move |case| Listed {
            theme,
            id: &rule.id,
            servers: case.servers.text(),
            why: &case.why.en,
            action: &case.action.en,
            cost: &case.cost.en,
        })
    })
}

/// True if a rule has its evidence in what was measured, not in a setting alone.
pub fn is_measured(id: &str) -> bool {
    [causes::CHECKS, measured::CHECKS, parts::CHECKS].into_iter().flatten().any(|(known, _)| *known == id)
}

/// Everything there is to say, worst first.
pub fn examine(examined: &Examined<'_>) -> Vec<Recommendation> {
    let (flavour, version) = (examined.seen.flavour, examined.version());
    let mut silent: Vec<&str> = Vec::new();
    let mut all: Vec<Recommendation> = rules()
        .filter_map(|(_, rule)| {
            let case = rule.case(flavour, version)?;
            let found = check(&rule.id)?(examined)?;
            silent.extend(rule.supersedes.iter().map(String::as_str));
            let action = found.action.unwrap_or_else(|| (&case.action).into());
            let texts = [found.evidence, (&case.why).into(), action, (&case.cost).into()];
            let set = settings(examined, rule, found.set);
            let manual = case.manual.address(flavour, version);
            Some(Recommendation { set, ..Recommendation::new(&rule.id, found.severity, texts, manual) })
        })
        .collect();
    all.retain(|advice| !silent.contains(&advice.id.as_str()));
    all.sort_by_key(|advice| advice.severity);
    all
}

/// A recommendation as lines of my.cnf: those that depend on the server, or else those of the page that the server knows and that
/// change something.
fn settings(
    examined: &Examined<'_>,
    rule: &rule::Rule,
    own: Vec<(&'static str, String)>,
) -> BTreeMap<String, String> {
    if !own.is_empty() {
        return own.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    }
    let changes = |(name, value): &(&String, &String)| {
        examined.text(name).is_some_and(|now| !now.eq_ignore_ascii_case(value))
    };
    let page = rule.set.iter().filter(changes);
    page.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// The page about the limits that many clients run into.
pub fn limits_manual(examined: &Examined<'_>) -> String {
    let page = Manual::Server("max_connections".to_owned());
    page.address(examined.seen.flavour, examined.version())
}
