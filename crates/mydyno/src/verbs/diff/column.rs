//! One server of a comparison: live, or from a recording.

use knowledge::doctor::durability::{self, Class};
use knowledge::doctor::{Examined, Runs};
use model::{Examination, Flavour, HostFacts, Instance, ServerKind, SpecTarget, Target, Variables};
use serde::Serialize;

/// One server of a comparison.
#[derive(Debug, Serialize)]
pub struct Column {
    /// Its label, unique in the comparison.
    pub label: String,
    /// The label of the target.
    pub target: String,
    /// The recording it comes from; none: a live server.
    pub run: Option<String>,
    /// Time of the values compared here, RFC 3339 in UTC.
    pub taken_at: String,
    /// True if mydyno starts it.
    pub is_sandbox: bool,
    /// CPUs, memory nodes and limits that mydyno starts it with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Vendor of the server.
    pub flavour: Flavour,
    /// `VERSION()`.
    pub version: String,
    /// `@@version_comment`.
    pub version_comment: String,
    /// `@@hostname`.
    pub hostname: String,
    /// The machine it runs on, if that is known.
    pub host: Option<HostFacts>,
    /// The user's facts about it.
    pub instance: Instance,
    /// The loss that a crash can cause, with the reason.
    pub durability: Class,
    /// True if the binary log is on.
    pub binlog: bool,
    /// Its variables.
    #[serde(skip)]
    pub variables: Variables,
}

impl Column {
    /// The column of a live server.
    pub fn seen(target: &Target, seen: Examination, host: Option<HostFacts>) -> Self {
        let now = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        Self::new(target, None, &now, Instance::default(), seen, host)
    }

    /// A server that a run knows.
    pub fn recorded(
        target: &SpecTarget,
        run: &str,
        at: &str,
        variables: Variables,
        host: Option<HostFacts>,
    ) -> Self {
        let version =
            variables.get("version").map(|version| version.to_ascii_lowercase()).unwrap_or_default();
        let flavour = if version.contains("mariadb") { Flavour::Mariadb } else { Flavour::Mysql };
        let seen = Examination::of(flavour, variables, Variables::new());
        Self::new(&target.target, Some(run.to_owned()), at, target.instance.clone(), seen, host)
    }

    fn new(
        target: &Target,
        run: Option<String>,
        at: &str,
        instance: Instance,
        seen: Examination,
        host: Option<HostFacts>,
    ) -> Self {
        let examined = Examined {
            seen: &seen,
            host: host.as_ref(),
            planned: None,
            measured: None,
            today: None,
            runs: Runs::User,
        };
        let durability = durability::class(&examined);
        let text = |name: &str| seen.variables.get(name).cloned().unwrap_or_default();
        let log_bin = text("log_bin");
        Self {
            label: target.label.clone(),
            target: target.label.clone(),
            run,
            taken_at: at.to_owned(),
            is_sandbox: target.is_sandbox(),
            place: match target.entry() {
                ServerKind::Sandbox(sandbox) if !sandbox.place.is_default() => {
                    Some(sandbox.place.to_string())
                }
                _ => None,
            },
            flavour: seen.flavour,
            version: text("version"),
            version_comment: text("version_comment"),
            hostname: text("hostname"),
            host,
            instance,
            durability,
            binlog: log_bin == "1" || log_bin.eq_ignore_ascii_case("on"),
            variables: seen.variables,
        }
    }

    /// `MySQL 9.7.4`.
    pub fn server(&self) -> String {
        let family = match self.flavour {
            Flavour::Mysql => "MySQL",
            Flavour::Mariadb => "MariaDB",
        };
        format!("{family} {}", self.version.replace("-MariaDB", ""))
    }

    /// Time of the values, to the minute: `2026-05-01 10:02 UTC`.
    pub fn taken(&self) -> String {
        match self.taken_at.get(..16) {
            Some(minute) => format!("{} UTC", minute.replace('T', " ")),
            None => self.taken_at.clone(),
        }
    }
}

/// Makes the labels of columns unique: recordings get their time, and remaining duplicates a number.
pub fn make_labels_unique(columns: &mut [Column]) {
    let shared =
        |columns: &[Column], at: usize| columns.iter().filter(|c| c.label == columns[at].label).count() > 1;
    let timed: Vec<usize> =
        (0..columns.len()).filter(|at| shared(columns, *at) && columns[*at].run.is_some()).collect();
    for at in timed {
        let time = columns[at].taken();
        columns[at].label = format!("{} {}", columns[at].label, time.trim_end_matches(" UTC"));
    }
    for at in 1..columns.len() {
        let plain = columns[at].label.clone();
        let mut number = 2;
        while columns[..at].iter().any(|earlier| earlier.label == columns[at].label) {
            columns[at].label = format!("{plain} #{number}");
            number += 1;
        }
    }
}
