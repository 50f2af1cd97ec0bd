//! The table of options: every option of a specification once.
//!
//! An option is added by a row on a page of `table/`, and used in `workload.rs`, `load.rs` or `design.rs`. Flags, help,
//! TOML keys, factor paths, checks and the reference page follow from its row.

mod bisect;
mod capacity;
mod design;
mod general;
mod load;
mod tpcc;
mod workload;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::kind::Kind;

pub use bisect::BISECT;
pub use capacity::CAPACITY;
pub use design::DESIGN;
pub use general::GENERAL;
pub use load::LOAD;
pub use tpcc::TPCC;
pub use workload::WORKLOAD;

/// Options that belong together.
pub type OptionGroup = &'static [OptionRow];

/// One option.
#[derive(Debug, PartialEq)]
pub struct OptionRow {
    /// Its name in a specification, by section: `workload.table_size`.
    pub path: &'static str,
    /// Its flag, if that is not the last part of the path with `-`.
    flag: &'static str,
    /// Aliases of the flag, which help shows.
    pub aliases: &'static [&'static str],
    /// Aliases of the flag, which help hides.
    pub hidden_aliases: &'static [&'static str],
    /// Heading in the help.
    pub heading: &'static str,
    /// The kind of its value.
    pub kind: Kind,
    /// Its default.
    pub default: Default,
    /// The name of the value in help, if it does not follow from the kind.
    value_name: &'static str,
    /// The value of the option without one; empty: it needs a value.
    bare: &'static str,
    /// The workloads that have it.
    pub applies: Applies,
    /// Its help text, in a line or two.
    pub help: &'static str,
}

/// The default of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Default {
    /// This value, as written.
    Is(&'static str),
    /// This value, which help does not show.
    Hidden(&'static str),
    /// No fixed default; help shows the text in brackets.
    None(&'static str),
}

/// The workloads that an option is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applies {
    /// All of them.
    All,
    /// The workloads of a family: `sysbench`, `tpcc`.
    Family(&'static str),
}

impl OptionRow {
    const fn new(path: &'static str, heading: &'static str, kind: Kind, help: &'static str) -> Self {
        let bare = if matches!(kind, Kind::Switch) { "on" } else { "" };
        let default = Default::None("");
        let (aliases, hidden_aliases) = (&[] as &[_], &[] as &[_]);
        let applies = Applies::All;
        Self {
            path,
            flag: "",
            aliases,
            hidden_aliases,
            heading,
            kind,
            default,
            value_name: "",
            bare,
            applies,
            help,
        }
    }

    const fn is(self, text: &'static str) -> Self {
        Self { default: Default::Is(text), ..self }
    }

    const fn hidden(self, text: &'static str) -> Self {
        Self { default: Default::Hidden(text), ..self }
    }

    const fn note(self, text: &'static str) -> Self {
        Self { default: Default::None(text), ..self }
    }

    const fn value(self, value_name: &'static str) -> Self {
        Self { value_name, ..self }
    }

    const fn flag_is(self, flag: &'static str) -> Self {
        Self { flag, ..self }
    }

    const fn of(self, applies: Applies) -> Self {
        Self { applies, ..self }
    }

    /// Its last part: the key in a section of a specification.
    pub fn key(&self) -> &'static str {
        self.path.rsplit('.').next().unwrap_or(self.path)
    }

    /// Its flag, without `--`.
    pub fn flag(&self) -> String {
        if self.flag.is_empty() { self.key().replace('_', "-") } else { self.flag.to_owned() }
    }

    /// The name of its value in help.
    pub fn value_name(&self) -> &'static str {
        match self.kind {
            _ if !self.value_name.is_empty() => self.value_name,
            Kind::Switch => "on|off",
            Kind::Count { most: 100, .. } | Kind::Margin => "PERCENT",
            Kind::Count { .. } | Kind::Seed => "N",
            Kind::Number { .. } => "X",
            Kind::Seconds => "SECONDS",
            Kind::Choice(_) | Kind::Engine | Kind::Name => "NAME",
            Kind::Text => "TEXT",
            Kind::Clients | Kind::Phases | Kind::ErrorCodes => "LIST",
            Kind::Conditions => "METRIC<VALUE",
            Kind::Range => "LOW..HIGH",
            Kind::Events => "WHEN WHAT",
            Kind::Assignments => "NAME=VALUE",
            Kind::Deck => "N,N,N,N,N",
        }
    }

    /// Its value where it is written without one.
    pub fn bare(&self) -> Option<&'static str> {
        (!self.bare.is_empty()).then_some(self.bare)
    }

    /// The help text, with the default if it is not a single value.
    pub fn help(&self) -> String {
        match self.default {
            Default::None(note) if !note.is_empty() => format!("{} [default: {note}]", self.help),
            _ => self.help.to_owned(),
        }
    }
}

/// Every option.
pub fn rows() -> impl Iterator<Item = &'static OptionRow> {
    [GENERAL, LOAD, WORKLOAD, TPCC, DESIGN, CAPACITY, BISECT].into_iter().flatten()
}

/// The options at the top of a file, outside of all sections.
pub fn top() -> impl Iterator<Item = &'static OptionRow> {
    rows().filter(|row| !row.path.contains('.'))
}

/// The option of that path.
pub fn row(path: &str) -> Option<&'static OptionRow> {
    static BY_PATH: LazyLock<BTreeMap<&str, &OptionRow>> =
        LazyLock::new(|| rows().map(|row| (row.path, row)).collect());
    BY_PATH.get(path).copied()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_path_and_flag_is_there_once() {
        let mut seen = BTreeSet::new();
        // No verb has the options of both searches.
        for row in rows().filter(|row| !row.path.starts_with("bisect.")) {
            assert!(seen.insert(row.path.to_owned()), "{}", row.path);
            let flags = row.aliases.iter().chain(row.hidden_aliases).map(|alias| (*alias).to_owned());
            for flag in flags.chain([row.flag()]) {
                assert!(seen.insert(format!("--{flag}")), "{flag}");
            }
        }
    }

    #[test]
    fn every_default_and_bare_value_can_be_read() {
        for row in rows() {
            if let Default::Is(text) | Default::Hidden(text) = row.default {
                assert!(row.kind.parse(text).is_ok(), "{}", row.path);
            }
            assert!(row.bare().is_none_or(|text| row.kind.parse(text).is_ok()), "{}", row.path);
        }
    }

    #[test]
    fn help_begins_with_a_capital_and_names_no_flag() {
        for row in rows() {
            assert!(row.help.starts_with(|c: char| c.is_uppercase()), "{}", row.path);
            assert!(!row.help.contains("--") && !row.help.ends_with('.'), "{}: {}", row.path, row.help);
        }
    }
}
