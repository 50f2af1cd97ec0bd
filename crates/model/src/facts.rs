//! Facts about host and server, taken beside every trial.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Calibration, Flavour};

/// All global variables of a server by name. Values of variables that hold secrets are replaced by `***` before they
/// get here.
pub type Variables = BTreeMap<String, String>;

/// The machine that offers the load (and, for sandboxes, carries the server too).
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct HostFacts {
    /// Format version of the file.
    pub format: u32,
    /// Kernel host name.
    pub hostname: String,
    /// Pretty name from os-release.
    pub os: String,
    /// Kernel release.
    pub kernel: String,
    /// Machine architecture (`x86_64`, `aarch64`).
    pub architecture: String,
    /// CPU model as the kernel names it.
    pub cpu_model: String,
    /// CPUs this process may use.
    pub cpus: u32,
    /// Memory, bytes.
    pub memory_bytes: u64,
    /// NUMA nodes.
    pub numa_nodes: u32,
    /// Frequency governor, where the kernel shows one.
    pub governor: Option<String>,
    /// Hypervisor, where the CPU flags show one.
    pub virtualised: bool,
    /// CPU limit from a cgroup, in CPUs.
    pub cgroup_cpus: Option<f64>,
    /// Memory limit from a cgroup, bytes.
    pub cgroup_memory_bytes: Option<u64>,
    /// mydyno's own version.
    pub mydyno_version: String,
    /// The generator's calibration on this machine, if there is one of this version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
}

/// What a server says of itself.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ServerFacts {
    /// Whose server.
    pub flavour: Flavour,
    /// `VERSION()`.
    pub version: String,
    /// `@@version_comment`.
    pub version_comment: String,
    /// Cipher of the probing connection; none: not encrypted.
    pub tls_cipher: Option<String>,
    /// What a crash can lose.
    pub durability: Durability,
    /// The settings that make it less than durable, worst first, as `name = value`. Older recordings have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub durability_because: Vec<String>,
    /// True if the binary log is written.
    pub binlog: bool,
    /// `innodb_buffer_pool_size`, bytes.
    pub buffer_pool_bytes: u64,
    /// `max_connections`.
    pub max_connections: u64,
    /// Median round trip of a request that asks for nothing (COM_PING), while there is no load, ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_trip_ms: Option<f64>,
}

/// What a crash can lose: commits, and whole pages.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Durability {
    /// Redo flushed at each commit, the binary log (if on) synced before it, and pages protected against torn writes.
    Durable,
    /// Commits are durable, but a power failure or OS crash can leave a page half written, which recovery cannot repair:
    /// the doublewrite buffer is off.
    TearsPages,
    /// A power failure or OS crash loses commits (flush_log 2, sync_binlog not 1 with the binary log on, or files that are
    /// never synced).
    LosesOnOsCrash,
    /// The same, and pages may be torn.
    LosesOnOsCrashAndTearsPages,
    /// A crash of the server process alone loses up to a second of commits (flush_log 0), or everything (redo log off).
    LosesOnProcessCrash,
    /// The same, and a power failure or OS crash may tear pages.
    LosesOnProcessCrashAndTearsPages,
}

impl Durability {
    /// True if a crash loses more than with the other class: the process alone before the operating system, commits before pages.
    pub fn is_worse_than(self, other: Self) -> bool {
        // They are declared in this order.
        self as u8 > other as u8
    }

    /// The durability of a server, with the names of the variables that make it less than durable, worst first. Names in
    /// `status` are in lower case; variables that the server does not report are missing there.
    ///
    /// By the manuals' tables of `innodb_flush_log_at_trx_commit` and `sync_binlog`; a commit is as durable as the weakest of
    /// its steps. MariaDB's flush 3 flushes at each commit group, as 1 does. DETECT_ONLY of `innodb_doublewrite` keeps no page
    /// content, so recovery finds a torn page and cannot repair it. A server without these variables keeps the defaults of
    /// InnoDB, which are durable.
    pub fn of(variables: &Variables, status: &Variables) -> (Self, Vec<&'static str>) {
        const FLUSH: &str = "innodb_flush_log_at_trx_commit";
        let value = |name: &str| variables.get(name).map(|value| value.to_ascii_lowercase());
        let is = |name: &str, values: &[&str]| value(name).is_some_and(|v| values.contains(&v.as_str()));
        let redo_off = status.get(Self::REDO).is_some_and(|value| value.eq_ignore_ascii_case("off"));
        let loose_binlog = is("log_bin", &["1", "on"]) && value("sync_binlog").is_some_and(|v| v != "1");
        let process = [(Self::REDO, redo_off), (FLUSH, is(FLUSH, &["0"]))];
        let power = [
            (FLUSH, is(FLUSH, &["2"])),
            ("sync_binlog", loose_binlog),
            ("innodb_flush_method", is("innodb_flush_method", &["nosync", "littlesync"])),
        ];
        let torn = [(Self::DOUBLEWRITE, is(Self::DOUBLEWRITE, &["0", "off", "detect_only"]))];
        let any = |of: &[(&str, bool)]| of.iter().any(|(_, so)| *so);
        let class = match (any(&process), any(&power), any(&torn)) {
            (true, _, false) => Self::LosesOnProcessCrash,
            (true, _, true) => Self::LosesOnProcessCrashAndTearsPages,
            (false, true, false) => Self::LosesOnOsCrash,
            (false, true, true) => Self::LosesOnOsCrashAndTearsPages,
            (false, false, true) => Self::TearsPages,
            (false, false, false) => Self::Durable,
        };
        let because = process.into_iter().chain(power).chain(torn).filter(|(_, so)| *so);
        (class, because.map(|(name, _)| name).collect())
    }

    /// The status variable that shows whether InnoDB keeps a redo log at all.
    pub const REDO: &str = "innodb_redo_log_enabled";
    /// The variable that shows whether a torn page can be repaired.
    pub const DOUBLEWRITE: &str = "innodb_doublewrite";

    /// The wording of reports.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Durable => "durable",
            Self::TearsPages => "commits durable, but torn pages after a power or OS crash",
            Self::LosesOnOsCrash => "loses on power or OS crash",
            Self::LosesOnOsCrashAndTearsPages => "loses on power or OS crash, and pages may be torn",
            Self::LosesOnProcessCrash => "loses on process crash",
            Self::LosesOnProcessCrashAndTearsPages => {
                "loses on process crash, and a power or OS crash may tear pages"
            }
        }
    }
}

/// Facts about an instance that the user knows and mydyno cannot see: class, region, storage, price. Free-form keys, shown
/// above tables.
pub type Instance = BTreeMap<String, String>;

impl Calibration {
    /// Whether it applies to this machine and this version.
    pub fn fits(&self, host: &HostFacts) -> bool {
        self.mydyno_version == host.mydyno_version
            && self.cpu_model == host.cpu_model
            && self.cpus == host.cpus
            && self.kernel == host.kernel
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)], status: &[(&str, &str)]) -> (Durability, Vec<&'static str>) {
        let all = |pairs: &[(&str, &str)]| -> Variables {
            pairs.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect()
        };
        Durability::of(&all(variables), &all(status))
    }

    fn class(flush: &str, log_bin: &str, sync: &str) -> Durability {
        of(&[("innodb_flush_log_at_trx_commit", flush), ("log_bin", log_bin), ("sync_binlog", sync)], &[]).0
    }

    #[test]
    fn durability_follows_from_two_settings_and_whether_there_is_a_binary_log() {
        assert_eq!(class("1", "ON", "1"), Durability::Durable);
        assert_eq!(class("3", "ON", "1"), Durability::Durable);
        assert_eq!(class("1", "ON", "0"), Durability::LosesOnOsCrash);
        assert_eq!(class("1", "ON", "1000"), Durability::LosesOnOsCrash);
        assert_eq!(class("1", "OFF", "0"), Durability::Durable);
        assert_eq!(class("2", "OFF", "0"), Durability::LosesOnOsCrash);
        assert_eq!(class("0", "ON", "1"), Durability::LosesOnProcessCrash);
    }

    #[test]
    fn without_doublewrite_a_crash_can_tear_pages() {
        for off in ["OFF", "0", "DETECT_ONLY"] {
            let found = of(&[("innodb_doublewrite", off)], &[]);
            assert_eq!(found, (Durability::TearsPages, vec!["innodb_doublewrite"]), "{off}");
        }
        for on in ["ON", "1", "DETECT_AND_RECOVER", "fast"] {
            assert_eq!(of(&[("innodb_doublewrite", on)], &[]).0, Durability::Durable, "{on}");
        }
        let both = of(&[("innodb_doublewrite", "OFF"), ("innodb_flush_log_at_trx_commit", "2")], &[]);
        assert_eq!(both.0, Durability::LosesOnOsCrashAndTearsPages);
    }

    #[test]
    fn what_is_never_synced_or_not_logged_is_not_durable() {
        let method = ("innodb_flush_method", "littlesync");
        assert_eq!(of(&[method], &[]), (Durability::LosesOnOsCrash, vec!["innodb_flush_method"]));
        let redo = of(&[method], &[(Durability::REDO, "OFF")]);
        assert_eq!(redo, (Durability::LosesOnProcessCrash, vec![Durability::REDO, "innodb_flush_method"]));
        assert_eq!(
            of(&[("innodb_flush_method", "O_DIRECT")], &[(Durability::REDO, "ON")]).0,
            Durability::Durable
        );
    }
}
