//! What a good DBA says after a look at a server: what it is, what a crash can lose, and what to change, worst first.
//!
//! Every rule is one entry of a table ([`rules`]); what is known about release series is one table ([`release`]). Pure:
//! the examination comes in, the note goes out, so that it can be written again from a recording.

pub mod durability;
mod facts;
mod io;
mod load;
mod measured;
mod memory;
pub mod release;
mod replication;
mod safety;
mod surroundings;
mod waits;

#[cfg(test)]
mod measured_tests;
#[cfg(test)]
mod tests;

pub use facts::{Facts, facts};
pub use measured::Measured;

use knowledge::{Version, version};
use model::{Examination, Flavour, HostFacts};
use serde::{Deserialize, Serialize};

use crate::Words;

/// A load that somebody plans to offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Planned {
    /// Clients at once.
    pub clients: u64,
    /// Tables that every client uses.
    pub tables: u64,
    /// True if it changes rows.
    pub writes: bool,
}

/// What the rules look at.
#[derive(Debug, Clone, Copy)]
pub struct Patient<'a> {
    /// The server.
    pub seen: &'a Examination,
    /// The machine it runs on, if that is known.
    pub host: Option<&'a HostFacts>,
    /// A load that is planned, if one is.
    pub planned: Option<Planned>,
    /// What was measured on it, if something was: then its status is that of the measured window.
    pub measured: Option<Measured<'a>>,
    /// Today, as `2026-05-01`; none: rules about dates say nothing.
    pub today: Option<&'a str>,
    /// Who runs it.
    pub runs: Runs,
}

/// Who runs a server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub enum Runs {
    /// Its user.
    #[default]
    User,
    /// mydyno: what it sets itself is no finding.
    Sandbox,
}

/// How bad it is. `High` is only what can lose data or makes a measured figure meaningless.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "AdviceSeverity"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Loses data, or makes a measured figure meaningless.
    High,
    /// Costs throughput, latency or safety.
    Medium,
    /// Worth knowing.
    Low,
}

impl Severity {
    /// Lower-case word.
    pub fn word(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }
}

/// One piece of advice.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Advice {
    /// Which rule: stable, for files and filters.
    pub id: String,
    /// How bad it is.
    pub severity: Severity,
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
    /// The texts in Simplified Chinese. Empty in what older versions wrote.
    #[serde(flatten)]
    pub zh: InChinese,
}

/// The texts of an [`Advice`] in Simplified Chinese.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InChinese {
    /// As [`Advice::evidence`].
    #[serde(default, rename = "evidence_zh")]
    pub evidence: String,
    /// As [`Advice::why`].
    #[serde(default, rename = "why_zh")]
    pub why: String,
    /// As [`Advice::action`].
    #[serde(default, rename = "action_zh")]
    pub action: String,
    /// As [`Advice::cost`].
    #[serde(default, rename = "cost_zh")]
    pub cost: String,
}

impl Advice {
    /// From its texts in both languages.
    pub fn new(
        id: &str,
        severity: Severity,
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
            zh: InChinese { evidence: evidence.zh, why: why.zh, action: action.zh, cost: cost.zh },
        }
    }
}

/// Which servers a rule is about.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Only {
    /// All of them.
    Both,
    /// MySQL from the first version on, before the second.
    Mysql(Version, Version),
    /// MariaDB likewise.
    Mariadb(Version, Version),
}

pub(crate) const FIRST: Version = (0, 0, 0);
pub(crate) const LAST: Version = (u32::MAX, 0, 0);

/// A page of the manuals, with what is looked for on it: a variable, or nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Manual {
    Innodb(&'static str),
    Server(&'static str),
    Binlog(&'static str),
    Replica(&'static str),
    PerformanceSchema,
    Tls(&'static str),
    ThreadPool,
    Passwords,
    Status(&'static str),
    /// A page of MySQL's manual; MariaDB has no counterpart to each.
    Optimization(&'static str),
    /// A page of the kernel's documentation.
    Kernel(&'static str),
    Releases,
}

/// What a rule found.
pub(crate) struct Found {
    severity: Severity,
    evidence: Words,
    action: Option<Words>,
}

impl Found {
    pub(crate) fn new(severity: Severity, evidence: impl Into<Words>) -> Option<Self> {
        Some(Self { severity, evidence: evidence.into(), action: None })
    }

    /// The same, with advice made for this server in place of the table's.
    pub(crate) fn so(severity: Severity, evidence: impl Into<Words>, action: Words) -> Option<Self> {
        Some(Self { severity, evidence: evidence.into(), action: Some(action) })
    }
}

/// A text of the table in English and in Simplified Chinese.
pub(crate) type Both = (&'static str, &'static str);

/// A rule. The texts are those of every finding; the function finds.
pub(crate) struct Rule {
    pub id: &'static str,
    pub only: Only,
    pub manual: Manual,
    pub why: Both,
    pub action: Both,
    pub cost: Both,
    pub check: fn(&Patient<'_>) -> Option<Found>,
}

/// Every rule by theme. The order is that of findings of one severity.
const PAGES: &[(&str, &[Rule])] = &[
    ("durability", durability::RULES),
    ("measured", measured::RULES),
    ("load", load::RULES),
    ("memory", memory::RULES),
    ("io", io::RULES),
    ("waits", waits::RULES),
    ("replication", replication::RULES),
    ("safety", safety::RULES),
    ("surroundings", surroundings::RULES),
];

fn rules() -> impl Iterator<Item = &'static Rule> {
    PAGES.iter().flat_map(|(_, page)| page.iter())
}

/// A rule as the reference lists it.
pub struct Listed {
    /// Its theme.
    pub theme: &'static str,
    /// Its id, as in JSON.
    pub id: &'static str,
    /// Which servers it is about.
    pub servers: String,
    /// Why it matters.
    pub why: &'static str,
    /// What to do.
    pub action: &'static str,
    /// What that may cost.
    pub cost: &'static str,
}

/// Every rule, in the order of findings of one severity.
pub fn listed() -> impl Iterator<Item = Listed> {
    let one = |theme: &'static str, rule: &Rule| Listed {
        theme,
        id: rule.id,
        servers: rule.only.to_string(),
        why: rule.why.0,
        action: rule.action.0,
        cost: rule.cost.0,
    };
    PAGES.iter().flat_map(move |(theme, page)| page.iter().map(move |rule| one(theme, rule)))
}

/// True if a rule has its evidence in what was measured, not in a setting alone.
pub fn is_measured(id: &str) -> bool {
    measured::RULES.iter().any(|rule| rule.id == id)
}

/// Everything there is to say, worst first.
pub fn examine(patient: &Patient<'_>) -> Vec<Advice> {
    let version = patient.version();
    let mut all: Vec<Advice> = rules()
        .filter(|rule| rule.only.includes(patient.seen.flavour, version))
        .filter_map(|rule| {
            let found = (rule.check)(patient)?;
            let both = |text: Both| Words::new(text.0, text.1);
            let action = found.action.unwrap_or_else(|| both(rule.action));
            let texts = [found.evidence, both(rule.why), action, both(rule.cost)];
            let manual = rule.manual.address(patient.seen.flavour, version);
            Some(Advice::new(rule.id, found.severity, texts, manual))
        })
        .collect();
    let found: Vec<String> = all.iter().map(|advice| advice.id.clone()).collect();
    let is_said_better = |id: &str| {
        measured::SUPERSEDES.iter().any(|(by, plain)| *plain == id && found.iter().any(|f| f == by))
    };
    all.retain(|advice| !is_said_better(&advice.id));
    all.sort_by_key(|advice| advice.severity);
    all
}

impl Only {
    fn includes(self, flavour: Flavour, version: Version) -> bool {
        match self {
            Self::Both => true,
            Self::Mysql(from, before) => flavour == Flavour::Mysql && from <= version && version < before,
            Self::Mariadb(from, before) => flavour == Flavour::Mariadb && from <= version && version < before,
        }
    }
}

impl std::fmt::Display for Only {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (name, from, before) = match self {
            Self::Both => return f.write_str("both"),
            Self::Mysql(from, before) => ("MySQL", from, before),
            Self::Mariadb(from, before) => ("MariaDB", from, before),
        };
        f.write_str(name)?;
        if *from != FIRST {
            write!(f, " from {}.{}.{}", from.0, from.1, from.2)?;
        }
        if *before != LAST {
            write!(f, " before {}.{}.{}", before.0, before.1, before.2)?;
        }
        Ok(())
    }
}

const REPLICATION: &str =
    "ha-and-performance/standard-replication/replication-and-binary-log-system-variables";
const MARIADB: &str = "https://mariadb.com/docs/server";

impl Manual {
    /// The page for that server: MySQL has a manual for each series, MariaDB one for all.
    fn address(self, flavour: Flavour, version: Version) -> String {
        if let Self::Kernel(page) = self {
            return format!("https://docs.kernel.org/{page}");
        }
        match flavour {
            Flavour::Mysql => {
                let (page, mut anchor) = self.in_mysql();
                if version < (8, 0, 0) {
                    anchor = anchor.replace("replica", "slave");
                }
                // The page on releases is younger than the older manuals.
                let version = if matches!(self, Self::Releases) { (8, 4, 0) } else { version };
                format!("https://dev.mysql.com/doc/refman/{}.{}/en/{page}.html{anchor}", version.0, version.1)
            }
            Flavour::Mariadb => self.in_mariadb(),
        }
    }

    fn in_mysql(self) -> (&'static str, String) {
        let variable = |name: &str| format!("#sysvar_{name}");
        match self {
            Self::Innodb(name) => ("innodb-parameters", variable(name)),
            Self::Server(name) | Self::Tls(name) => ("server-system-variables", variable(name)),
            Self::Binlog(name) => ("replication-options-binary-log", variable(name)),
            Self::Replica(name) => ("replication-options-replica", variable(name)),
            Self::PerformanceSchema => {
                ("performance-schema-system-variables", variable("performance_schema"))
            }
            Self::ThreadPool => ("thread-pool", String::new()),
            Self::Passwords => ("assigning-passwords", String::new()),
            Self::Status(name) => ("server-status-variables", format!("#statvar_{name}")),
            Self::Releases => ("mysql-releases", String::new()),
            Self::Optimization(page) | Self::Kernel(page) => (page, String::new()),
        }
    }

    fn in_mariadb(self) -> String {
        let (page, name) = match self {
            Self::Innodb(name) => ("server-usage/storage-engines/innodb/innodb-system-variables", name),
            Self::Server(name) => ("server-management/variables-and-modes/server-system-variables", name),
            Self::Replica("replica_exec_mode") => (REPLICATION, "slave_exec_mode"),
            Self::Replica("replica_parallel_workers") => (REPLICATION, "slave_parallel_threads"),
            Self::Binlog(name) | Self::Replica(name) => (REPLICATION, name),
            Self::PerformanceSchema => (
                "reference/system-tables/performance-schema/performance-schema-system-variables",
                "performance_schema",
            ),
            Self::Tls(name) => {
                ("security/encryption/data-in-transit-encryption/ssltls-system-variables", name)
            }
            Self::ThreadPool => (
                "ha-and-performance/optimization-and-tuning/buffers-caches-and-threads/thread-pool/\
                 thread-pool-system-status-variables",
                "thread_handling",
            ),
            Self::Status(name) if name.starts_with("Innodb_") => {
                ("ha-and-performance/optimization-and-tuning/system-variables/innodb-status-variables", name)
            }
            Self::Status(name) => {
                ("ha-and-performance/optimization-and-tuning/system-variables/server-status-variables", name)
            }
            Self::Optimization(_) | Self::Kernel(_) => {
                return format!("{MARIADB}/ha-and-performance/optimization-and-tuning");
            }
            Self::Passwords => {
                return format!(
                    "{MARIADB}/reference/sql-statements/account-management-sql-statements/alter-user"
                );
            }
            Self::Releases => return "https://mariadb.org/about/#maintenance-policy".to_owned(),
        };
        format!("{MARIADB}/{page}#{}", name.to_ascii_lowercase())
    }
}

/// The page about the limits that many clients run into.
pub fn limits_manual(patient: &Patient<'_>) -> String {
    Manual::Server("max_connections").address(patient.seen.flavour, patient.version())
}

/// Counters of a server that is younger say little about its work.
const YOUNG_S: u64 = 60;

impl Patient<'_> {
    /// Version number; zeros where it has none.
    pub fn version(&self) -> Version {
        version(self.text("version").unwrap_or_default())
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.seen.variables.get(name).map(String::as_str)
    }

    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        whole(self.text(name)?)
    }

    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.text(name).is_some_and(|value| value == "1" || value.eq_ignore_ascii_case("on"))
    }

    /// Off, and known to be.
    pub(crate) fn is_off(&self, name: &str) -> bool {
        self.text(name).is_some_and(|value| value == "0" || value.eq_ignore_ascii_case("off"))
    }

    /// A counter or gauge of SHOW GLOBAL STATUS.
    pub(crate) fn status(&self, name: &str) -> Option<u64> {
        whole(self.seen.status.get(name)?)
    }

    /// Seconds since the server started.
    pub fn uptime_s(&self) -> u64 {
        self.status("uptime").unwrap_or_default()
    }

    /// A counter per second since the start; none while the server is too young for it to mean anything.
    pub(crate) fn rate(&self, name: &str) -> Option<f64> {
        let uptime = self.uptime_s();
        (uptime >= YOUNG_S).then(|| Some(self.status(name)? as f64 / uptime as f64)).flatten()
    }

    /// What its counters count.
    pub(crate) fn over_what(&self) -> Both {
        match self.measured {
            Some(_) => ("in the measured window", "测量窗口内"),
            None => ("since the server's start", "自服务器启动以来"),
        }
    }

    /// True if it replicates from another.
    pub(crate) fn is_replica(&self) -> bool {
        self.seen.channels.as_ref().is_some_and(|channels| !channels.is_empty())
    }

    /// Memory that the server may use, bytes.
    pub(crate) fn memory(&self) -> Option<u64> {
        let host = self.host?;
        let all = host.cgroup_memory_bytes.map_or(host.memory_bytes, |limit| limit.min(host.memory_bytes));
        (all > 0).then_some(all)
    }

    /// `name = value`, as evidence.
    pub(crate) fn say(&self, name: &str) -> String {
        format!("{name} = {}", self.text(name).unwrap_or("unknown"))
    }
}

/// Whole part of a number, which MariaDB may write with a fraction.
fn whole(text: &str) -> Option<u64> {
    text.split('.').next()?.parse().ok()
}
