//! Factors: what is varied, by its dotted path, and how a level of it is put into the words of the command line.
//!
//! | path | a level is |
//! |---|---|
//! | `target` | a target, as `--target` takes it |
//! | `target.KEY` | what stands behind the `?` of a target: a server variable, `ssl-mode`, `protocol`, `cpus`, ... |
//! | `target.basedir`, `target.version` | what stands behind its `@` |
//! | `workload` | a workload |
//! | `workload.OPTION`, `load.OPTION` | an option of `mydyno sweep` |

use std::collections::BTreeSet;
use std::fmt;

use model::Levels;
use serde::Deserialize;
use serde::de::{self, Visitor};

use crate::error::nearest;
use crate::options::target::{is_target_key, query_escaped};

/// Something that is varied.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Factor {
    /// What.
    pub path: toml::Spanned<Path>,
    /// Its levels, the first one being what the others are compared with.
    pub levels: Vec<Level>,
    /// What charts call the levels.
    #[serde(default)]
    pub labels: Vec<String>,
}

/// A level, in the words of the command line: numbers and switches may be written without quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level(pub String);

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = Level;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string, a number or a boolean")
            }
            fn visit_str<E>(self, text: &str) -> Result<Level, E> {
                Ok(Level(text.to_owned()))
            }
            fn visit_i64<E>(self, number: i64) -> Result<Level, E> {
                Ok(Level(number.to_string()))
            }
            fn visit_f64<E>(self, number: f64) -> Result<Level, E> {
                Ok(Level(number.to_string()))
            }
            fn visit_bool<E>(self, on: bool) -> Result<Level, E> {
                Ok(Level(if on { "on" } else { "off" }.to_owned()))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

/// What varies.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Path {
    /// The whole target.
    Target,
    /// What stands behind its `@`.
    Build,
    /// A variable or key of it.
    TargetKey(String),
    /// The whole workload.
    Workload,
    /// An option of the workload.
    WorkloadOption(String),
    /// Numbers of clients.
    Threads,
    /// Another option of the load.
    LoadOption(String),
}

impl<'de> Deserialize<'de> for Path {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(de::Error::custom)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Target => f.write_str("target"),
            Self::Build => f.write_str("target.basedir"),
            Self::TargetKey(key) => write!(f, "target.{key}"),
            Self::Workload => f.write_str("workload"),
            Self::WorkloadOption(option) => write!(f, "workload.{option}"),
            Self::Threads => f.write_str("load.threads"),
            Self::LoadOption(option) => write!(f, "load.{option}"),
        }
    }
}

/// Headings of the options that may vary; the others name servers, or say how results are shown.
const LOAD: &str = "Load";
const WORKLOAD: [&str; 4] = ["Workload", "Random numbers", "Data", "TPC-C"];

impl Path {
    /// Reads a dotted path.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (root, rest) = text.split_once('.').map_or((text, None), |(root, rest)| (root, Some(rest)));
        match (root, rest) {
            ("target", None) => Ok(Self::Target),
            ("target", Some("basedir" | "version")) => Ok(Self::Build),
            ("target", Some(key)) if !key.is_empty() => {
                Ok(Self::TargetKey(key.strip_prefix("set.").unwrap_or(key).to_owned()))
            }
            ("workload", None) => Ok(Self::Workload),
            ("workload", Some(option)) => option_of(option, &WORKLOAD).map(Self::WorkloadOption),
            ("load", Some("threads" | "terminals")) => Ok(Self::Threads),
            ("load", Some(option)) => option_of(option, &[LOAD]).map(Self::LoadOption),
            _ => {
                let roots = ["target", "workload", "load"];
                let near =
                    nearest(root, roots).map(|near| format!("did you mean {near}? ")).unwrap_or_default();
                Err(format!(
                    "there is no '{text}' to vary; {near}it begins with target, workload or load, such as \
                     target.sync_binlog, workload.rand-type, load.threads"
                ))
            }
        }
    }

    /// The last part, which charts show.
    fn name(&self) -> String {
        self.to_string().rsplit('.').next().unwrap_or_default().to_owned()
    }

    /// Whether typing `--set NAME=...` settles it.
    pub fn is_variable(&self, name: &str) -> bool {
        let plain = |text: &str| text.trim().replace('-', "_").to_ascii_lowercase();
        matches!(self, Self::TargetKey(key) if plain(key) == plain(name))
    }

    /// The id under which clap knows the option.
    pub fn option_id(&self) -> Option<String> {
        match self {
            Self::WorkloadOption(option) | Self::LoadOption(option) => Some(option.replace('-', "_")),
            Self::Threads => Some("threads".to_owned()),
            _ => None,
        }
    }
}

fn option_of(option: &str, headings: &[&str]) -> Result<String, String> {
    let option = option.replace('_', "-");
    let known: BTreeSet<String> =
        spec::rows().filter(|row| headings.contains(&row.heading)).map(spec::Row::flag).collect();
    if known.contains(&option) {
        return Ok(option);
    }
    let near = nearest(&option, known.iter().map(String::as_str));
    let near = near.map(|near| format!("did you mean {near}? ")).unwrap_or_default();
    let all = known.into_iter().collect::<Vec<_>>().join(", ");
    Err(format!("there is no option '{option}' here; {near}there are: {all}"))
}

/// A target or workload on its way: its words, what it is called, and which levels made it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Variant {
    /// Parts of its label.
    pub labels: Vec<String>,
    /// A target, or a workload with its options.
    pub text: Vec<String>,
    /// Its levels by path.
    pub levels: Levels,
}

impl Variant {
    /// Its label; none if it is called after what it is.
    pub fn label(&self) -> Option<String> {
        (!self.labels.is_empty()).then(|| self.labels.join(", "))
    }

    /// The same at a level of a factor.
    pub fn at(&self, path: &Path, level: &str, label: Option<&str>) -> Self {
        let mut new = self.clone();
        new.levels.insert(path.to_string(), level.to_owned());
        match path {
            Path::Target => new.text = vec![level.to_owned()],
            Path::Build => new.text = vec![with_build(&self.text[0], level)],
            Path::TargetKey(key) => {
                let adds = format!("{key}={}", query_escaped(level));
                new.text = vec![with(&self.text[0], &adds)];
            }
            Path::Workload => new.text.insert(0, level.to_owned()),
            Path::WorkloadOption(option) | Path::LoadOption(option) => {
                new.text.push(format!("--{option}={level}"));
            }
            Path::Threads => {}
        }
        match (label, path) {
            (Some(label), _) => new.labels.push(label.to_owned()),
            (None, Path::Threads) => {}
            (None, Path::Target) => new.labels.push(short(level)),
            (None, Path::Workload | Path::Build) => new.labels.push(level.to_owned()),
            (None, _) => new.labels.push(format!("{} {level}", path.name())),
        }
        new
    }
}

/// A target with more behind its `?`. What is no key of a server's URL is a variable of that server.
pub fn with(base: &str, adds: &str) -> String {
    if adds.is_empty() {
        return base.to_owned();
    }
    let is_sandbox = is_sandbox(base);
    let part = |part: &str| {
        let key = part.split('=').next().unwrap_or_default();
        if is_sandbox || is_target_key(key) { part.to_owned() } else { format!("set.{part}") }
    };
    let adds = adds.split('&').map(part).collect::<Vec<_>>().join("&");
    let mark = if base.contains('?') { "&" } else { "?" };
    format!("{base}{mark}{adds}")
}

/// What a target is, without what stands behind it: `mysql` of `sandbox:mysql?sync_binlog=0`, the host of a URL.
fn short(target: &str) -> String {
    let place = target.split('?').next().unwrap_or(target);
    let place =
        place.rsplit_once("://").map_or_else(|| place.rsplit(':').next().unwrap_or(place), |(_, rest)| rest);
    let place = place.rsplit('@').next().unwrap_or(place);
    place.split('/').next().unwrap_or(place).to_owned()
}

/// True of a target that mydyno starts.
pub fn is_sandbox(target: &str) -> bool {
    target.split_once(':').is_some_and(|(scheme, _)| scheme.ends_with("sandbox"))
}

/// A sandbox of another build.
fn with_build(base: &str, build: &str) -> String {
    let (before, query) = base.split_once('?').map_or((base, None), |(before, query)| (before, Some(query)));
    let flavour = before.split('@').next().unwrap_or(before);
    query.map_or_else(|| format!("{flavour}@{build}"), |query| format!("{flavour}@{build}?{query}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_known_and_what_is_misspelt_is_said() {
        for path in
            ["target", "target.sync_binlog", "target.basedir", "workload", "workload.rand-type", "load.rate"]
        {
            assert_eq!(Path::parse(path).expect("it is one").to_string(), path);
        }
        assert_eq!(Path::parse("load.terminals"), Ok(Path::Threads));
        assert_eq!(Path::parse("target.set.sync_binlog"), Ok(Path::TargetKey("sync_binlog".to_owned())));
        let wrong = |text: &str| Path::parse(text).expect_err("it is none");
        assert!(wrong("workload.rand-typ").contains("did you mean rand-type?"));
        assert!(wrong("load.tim").contains("did you mean time?"));
        assert!(wrong("targets.x").contains("did you mean target?"));
    }

    #[test]
    fn a_level_is_put_where_the_command_line_has_it() {
        let sandbox = Variant { text: vec!["sandbox:mysql?port=1".to_owned()], ..Variant::default() };
        let text = |path: &str, level: &str| {
            sandbox.at(&Path::parse(path).expect("a path"), level, None).text.join(" ")
        };
        assert_eq!(text("target.sync_binlog", "0"), "sandbox:mysql?port=1&sync_binlog=0");
        assert_eq!(text("target.basedir", "8.4.6"), "sandbox:mysql@8.4.6?port=1");
        assert_eq!(text("target.version", "9.7"), "sandbox:mysql@9.7?port=1");
        assert_eq!(text("target", "sandbox:mariadb"), "sandbox:mariadb");
        let server = Variant { text: vec!["mysql://u@db1/x".to_owned()], ..Variant::default() };
        let set = server.at(&Path::parse("target.sync_binlog").expect("a path"), "0", None);
        assert_eq!(
            (set.text[0].as_str(), set.label().as_deref()),
            ("mysql://u@db1/x?set.sync_binlog=0", Some("sync_binlog 0"))
        );
        let tls = server.at(&Path::parse("target.ssl-mode").expect("a path"), "REQUIRED", Some("TLS"));
        assert_eq!(
            (tls.text[0].as_str(), tls.label().as_deref()),
            ("mysql://u@db1/x?ssl-mode=REQUIRED", Some("TLS"))
        );
    }
}
