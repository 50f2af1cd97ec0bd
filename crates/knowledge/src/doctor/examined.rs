//! What the rules look at.

use messages::{Words, message};
use model::{Examination, HostFacts};
use serde::Serialize;

use super::MeasuredWindow;
use crate::version::{Version, version};

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
pub struct Examined<'a> {
    /// The server.
    pub seen: &'a Examination,
    /// The machine it runs on, if that is known.
    pub host: Option<&'a HostFacts>,
    /// A load that is planned, if one is.
    pub planned: Option<Planned>,
    /// What was measured on it, if something was: then its status is that of the measured window.
    pub measured: Option<&'a MeasuredWindow>,
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

/// Counters of a server that is younger say little about its work.
const YOUNG_S: u64 = 60;
/// Those of a measured window hold its work alone, and say enough sooner.
const SHORT_WINDOW_S: u64 = 10;

impl Examined<'_> {
    /// Version number; zeros where it has none.
    pub fn version(&self) -> Version {
        version(self.text("version").unwrap_or_default())
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.seen.variables.get(name).map(String::as_str)
    }

    pub(super) fn number(&self, name: &str) -> Option<u64> {
        whole(self.text(name)?)
    }

    pub(super) fn is_on(&self, name: &str) -> bool {
        self.text(name).is_some_and(|value| value == "1" || value.eq_ignore_ascii_case("on"))
    }

    /// Off, and known to be.
    pub(super) fn is_off(&self, name: &str) -> bool {
        self.text(name).is_some_and(|value| value == "0" || value.eq_ignore_ascii_case("off"))
    }

    /// A counter or gauge of SHOW GLOBAL STATUS.
    pub(super) fn status(&self, name: &str) -> Option<u64> {
        whole(self.seen.status.get(name)?)
    }

    /// Seconds since the server started.
    pub fn uptime_s(&self) -> u64 {
        self.status("uptime").unwrap_or_default()
    }

    /// A counter per second since the start or of the measured window; none where that is too short for it to mean anything.
    pub(super) fn rate(&self, name: &str) -> Option<f64> {
        let uptime = self.uptime_s();
        let least = if self.measured.is_some() { SHORT_WINDOW_S } else { YOUNG_S };
        (uptime >= least).then(|| Some(self.status(name)? as f64 / uptime as f64)).flatten()
    }

    /// What its counters count.
    pub(super) fn over_what(&self) -> Words {
        match self.measured {
            Some(_) => message!("doctor-in-window"),
            None => message!("doctor-since-start"),
        }
    }

    /// True if it replicates from another.
    pub(super) fn is_replica(&self) -> bool {
        self.seen.channels.as_ref().is_some_and(|channels| !channels.is_empty())
    }

    /// Memory that the server may use, bytes.
    pub(super) fn memory(&self) -> Option<u64> {
        let host = self.host?;
        let all = host.cgroup_memory_bytes.map_or(host.memory_bytes, |limit| limit.min(host.memory_bytes));
        (all > 0).then_some(all)
    }

    /// `name = value`, as evidence.
    pub(super) fn say(&self, name: &str) -> String {
        format!("{name} = {}", self.text(name).unwrap_or("unknown"))
    }
}

/// Whole part of a number, which MariaDB may write with a fraction.
fn whole(text: &str) -> Option<u64> {
    text.split('.').next()?.parse().ok()
}
