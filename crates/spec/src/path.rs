//! The dotted paths that may vary.
//!
//! | path | a level is |
//! |---|---|
//! | `target` | a target, as `--target` takes it |
//! | `target.settings.VARIABLE`, `target.connection.KEY`, `target.placement.KEY`, or shorter `target.KEY` | its value |
//! | `target.primary.KEY`, `target.replica.KEY` | the same, on the primaries or the replicas of a topology |
//! | `target.version`, `target.basedir` | a version or build of a sandbox |
//! | `target.topology`, `target.members`, `target.acks` | how sandboxes belong together, how many there are, how many
//! replicas a commit waits for |
//! | `target.multi_primary`, `target.instances` | whether all members take writes, how many servers stand side by side |
//! | `target.reads` | whether transactions that only read go to the replicas |
//! | `target.via` | whether clients go through MySQL Router |
//! | `target.link_delay`, `target.link_jitter`, `target.link_bandwidth`, `target.link_loss`, `target.link_cut` | the
//! simulated network between them |
//! | `target.client_delay`, `target.client_jitter` | the simulated network between clients and servers |
//! | `workload` | the name of a workload |
//! | `workload.OPTION`, `load.OPTION` | the value of an option |

use std::fmt;

use crate::arrange::TOPOLOGY_KEYS;
use crate::nearest;
use crate::table::{self, LOAD, OptionRow, TPCC, WORKLOAD};
use crate::target::role_of;
use crate::values::Wrong;

/// The root of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Root {
    Target,
    Build,
    Topology,
    Key,
    Workload,
    Option,
}

/// A path that may vary.
#[derive(Debug, Clone, PartialEq)]
pub enum Path {
    /// The whole target.
    Target,
    /// The version or build of a sandbox.
    Build,
    /// The topology of sandboxes: one of [`TOPOLOGY_KEYS`].
    Topology(&'static str),
    /// A variable, or a key of connection or placement.
    TargetKey(String),
    /// The whole workload.
    Workload,
    /// An option of workload or load.
    Option(&'static OptionRow),
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Target => f.write_str("target"),
            Self::Build => f.write_str("target.basedir"),
            Self::Topology(key) => write!(f, "target.{key}"),
            Self::TargetKey(key) => write!(f, "target.{key}"),
            Self::Workload => f.write_str("workload"),
            Self::Option(row) => f.write_str(row.path),
        }
    }
}

/// The key of [`TOPOLOGY_KEYS`], in any spelling.
fn topology_key(key: &str) -> Option<&'static str> {
    let plain = key.replace('-', "_");
    TOPOLOGY_KEYS.into_iter().find(|known| *known == plain)
}

impl Path {
    /// Reads a dotted path.
    ///
    /// # Errors
    /// There is no such thing, and what may be meant.
    pub fn parse(text: &str) -> Result<Self, Wrong> {
        let (root, rest) = text.split_once('.').map_or((text, None), |(root, rest)| (root, Some(rest)));
        if let ("target", Some(key)) = (root, rest.and_then(topology_key)) {
            return Ok(Self::Topology(key));
        }
        match (root, rest) {
            ("target", None) => Ok(Self::Target),
            ("target", Some("basedir" | "version")) => Ok(Self::Build),
            ("target", Some(key)) if !key.is_empty() => {
                let (role, key) = role_of(key);
                let plain = ["settings.", "connection.", "placement.", "set."];
                let key = plain.iter().find_map(|section| key.strip_prefix(section)).unwrap_or(key);
                let role = role.map(|role| format!("{}.", role.name())).unwrap_or_default();
                Ok(Self::TargetKey(format!("{role}{key}")))
            }
            ("workload", None) => Ok(Self::Workload),
            ("workload" | "load", Some(key)) => option(root, key).map(Self::Option),
            _ => {
                let near = nearest(root, ["target", "workload", "load"]);
                let near = near.map(|near| format!("did you mean {near}? ")).unwrap_or_default();
                Err(Wrong::of(format!("there is no '{text}' to vary")).hint(format!(
                    "{near}it begins with target, workload or load, such as target.sync_binlog, workload.rand_type, \
                     load.clients"
                )))
            }
        }
    }

    /// The number of clients.
    pub fn is_clients(&self) -> bool {
        matches!(self, Self::Option(row) if row.path == "load.clients")
    }

    /// True of what makes another target.
    pub fn is_of_target(&self) -> bool {
        self.root() <= Root::Key
    }

    /// The rank in which levels are applied: the target itself comes before additions to it.
    pub(crate) fn rank(&self) -> usize {
        match self {
            Self::Target => 0,
            Self::Build => 1,
            Self::Topology(key) => 2 + TOPOLOGY_KEYS.iter().position(|known| known == key).unwrap_or(0),
            _ => 2 + TOPOLOGY_KEYS.len(),
        }
    }

    fn root(&self) -> Root {
        match self {
            Self::Target => Root::Target,
            Self::Build => Root::Build,
            Self::Topology(_) => Root::Topology,
            Self::TargetKey(_) => Root::Key,
            Self::Workload => Root::Workload,
            Self::Option(_) => Root::Option,
        }
    }

    /// The last part, which charts show.
    pub fn name(&self) -> String {
        match self {
            Self::Option(row) => row.flag(),
            other => other.to_string().rsplit('.').next().unwrap_or_default().to_owned(),
        }
    }

    /// Whether setting that variable fixes the path.
    pub fn is_variable(&self, name: &str) -> bool {
        let plain = |text: &str| text.trim().replace('-', "_").to_ascii_lowercase();
        matches!(self, Self::TargetKey(key) if plain(role_of(key).1) == plain(name))
    }
}

/// The option of a section by its key, its flag, or another name of it.
pub(crate) fn option(section: &str, key: &str) -> Result<&'static OptionRow, Wrong> {
    let word = key.replace('_', "-");
    let path = format!("{section}.{}", key.replace('-', "_"));
    let rows = || match section {
        "load" => LOAD.iter().chain(&[]),
        "workload" => WORKLOAD.iter().chain(TPCC),
        "capacity" => table::CAPACITY.iter().chain(&[]),
        "bisect" => table::BISECT.iter().chain(&[]),
        _ => table::DESIGN.iter().chain(&[]),
    };
    let inside = || rows().filter(|row| row.path.starts_with(section));
    let called = |row: &&OptionRow| {
        row.path == path
            || row.flag() == word
            || row.aliases.iter().chain(row.hidden_aliases).any(|alias| *alias == word)
    };
    if let Some(row) = inside().find(called) {
        return Ok(row);
    }
    let key = key.replace('-', "_");
    let near = nearest(&key, inside().map(OptionRow::key));
    let near = near.map(|near| format!("did you mean {near}? ")).unwrap_or_default();
    let all = inside().map(OptionRow::key).collect::<Vec<_>>().join(", ");
    Err(Wrong::of(format!("there is no option '{key}' in {section}")).hint(format!("{near}there are: {all}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_known_and_what_is_misspelt_is_said() {
        for (path, is) in [
            ("target", "target"),
            ("target.sync_binlog", "target.sync_binlog"),
            ("target.settings.sync_binlog", "target.sync_binlog"),
            ("target.set.sync_binlog", "target.sync_binlog"),
            ("target.replica.settings.sync_binlog", "target.replica.sync_binlog"),
            ("target.version", "target.basedir"),
            ("workload", "workload"),
            ("workload.rand-type", "workload.rand_type"),
            ("load.rate", "load.rate"),
            ("load.threads", "load.clients"),
            ("load.terminals", "load.clients"),
            ("load.warmup-time", "load.warmup"),
        ] {
            assert_eq!(Path::parse(path).map(|path| path.to_string()), Ok(is.to_owned()));
        }
        let wrong = |text: &str| Path::parse(text).expect_err("it is none");
        let hint = |text: &str| wrong(text).hint.unwrap_or_default();
        assert!(hint("workload.rand-typ").contains("did you mean rand_type?"));
        assert!(hint("load.tim").contains("did you mean time?"));
        assert!(wrong("load.repeats").why.contains("there is no option"));
        assert!(hint("targets.x").contains("did you mean target?"));
    }
}
