//! The list of workloads that users can name.

use std::cmp::Ordering;
use std::sync::Arc;

use model::{LuaScript, WorkloadFile, WorkloadSpec, for_workload};

use super::kind::{AsEdits, WorkloadKind};
use super::lua::LuaKind;
use super::statements::StatementsKind;
use super::{statements, sysbench, tpcc};
use crate::table::{Applies, OptionRow};
use crate::values::{Edit, Values, Wrong};

/// Stands between a script and a module of it, where both are kept in one table.
pub const MODULE: &str = " loads ";

/// A workload that users can name.
#[derive(Debug, Clone)]
pub struct NamedWorkload(Arc<dyn WorkloadKind>);

impl NamedWorkload {
    /// Every workload.
    pub fn all() -> impl Iterator<Item = Self> {
        sysbench::kinds().chain(tpcc::kinds()).chain(statements::kinds()).map(Self)
    }

    /// The name that users type.
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// The workload of that name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|workload| workload.name() == name)
    }

    /// The workload of that name, also with `-` for `_`.
    ///
    /// # Errors
    /// There is none; the nearest is named.
    pub fn named(name: &str) -> Result<Self, Wrong> {
        Self::from_name(&name.replace('-', "_")).ok_or_else(|| {
            let all: Vec<Self> = Self::all().collect();
            let names = || all.iter().map(Self::name);
            let near = crate::nearest(name, names());
            let near = near.map(|near| format!("did you mean {near}? ")).unwrap_or_default();
            let all = names().collect::<Vec<_>>().join(", ");
            Wrong::of(format!("there is no workload '{name}'")).hint(format!("{near}there are: {all}"))
        })
    }

    /// The workload that a file describes. `path` is the word by which users name it; `module` gives the text of a file that a script
    /// loads.
    ///
    /// # Errors
    /// The text is no workload, or breaks a rule; the first mistake is named with its line.
    pub fn of_file(path: &str, text: &str, module: &dyn Fn(&str) -> Option<String>) -> Result<Self, Wrong> {
        if path.ends_with(".lua") {
            return Ok(Self::of_script(LuaScript::read(path, text, module)));
        }
        let read = Self(Arc::new(StatementsKind::read(path, text)?));
        match Self::from_name(read.name()) {
            Some(known) if known.file() != read.file() => Err(Wrong::of(format!(
                "{path}: {} is the name of a workload of mydyno: choose another",
                read.name()
            ))),
            _ => Ok(read),
        }
    }

    /// The workload of the name that a script of sysbench's has: `/usr/share/sysbench/oltp_read_write.lua`.
    pub fn of_file_name(path: &str) -> Option<Self> {
        let file = path.rsplit('/').next().unwrap_or(path);
        Self::from_name(&file.strip_suffix(".lua")?.replace('-', "_"))
    }

    /// What a specification keeps of its files, by name; none if it comes from none.
    pub fn definitions(&self) -> Vec<(String, String)> {
        if let Some(file) = self.file() {
            let text = toml::to_string(file).expect("what was read from TOML is written as TOML");
            return vec![(String::new(), text)];
        }
        let Some(script) = self.script() else { return Vec::new() };
        let modules = script.modules.iter().map(|(name, text)| {
            let file = LuaScript::file_of_module(name);
            (format!("{MODULE}{file}"), text.clone())
        });
        std::iter::once((String::new(), script.text.clone())).chain(modules).collect()
    }

    /// The workload of a script for sysbench.
    pub fn of_script(script: LuaScript) -> Self {
        Self(Arc::new(LuaKind(script)))
    }

    /// The text of the file that one of mydyno's own workloads comes from.
    pub fn text_of(name: &str) -> Option<&'static str> {
        statements::text_of(name)
    }

    /// The workload of a plan; none if another tool ran it.
    pub fn of(workload: &WorkloadSpec) -> Option<Self> {
        match workload {
            WorkloadSpec::Statements(options) => Some(Self(Arc::new(StatementsKind::of(options)))),
            WorkloadSpec::Lua(options) => Some(Self::of_script(options.script.clone())),
            other => Self::from_name(other.name()),
        }
    }

    /// What its file says, if it comes from one.
    pub fn file(&self) -> Option<&WorkloadFile> {
        self.0.file()
    }

    /// Its script, if it is one.
    pub fn script(&self) -> Option<&LuaScript> {
        self.0.script()
    }

    /// The database whose tables are meant where none is named.
    pub fn database(&self) -> &str {
        self.0.database()
    }

    /// True if it changes rows.
    pub fn writes(&self) -> bool {
        self.0.writes()
    }

    /// A one-line summary.
    pub fn summary(&self) -> &str {
        self.0.summary()
    }

    /// True if it uses its first table alone, however many there are.
    pub fn reads_one_table(&self) -> bool {
        self.0.reads_one_table()
    }

    /// True if it has that option.
    pub fn has(&self, row: &OptionRow) -> bool {
        match row.applies {
            Applies::All => true,
            Applies::Family(family) => self.0.has_options_of(family),
        }
    }
}

impl PartialEq for NamedWorkload {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.file() == other.file() && self.script() == other.script()
    }
}

impl Eq for NamedWorkload {}

impl PartialOrd for NamedWorkload {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for NamedWorkload {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name().cmp(other.name())
    }
}

/// The workloads that have an option, in words; of sysbench's an example.
pub fn owner_of(row: &OptionRow) -> String {
    let owners: Vec<NamedWorkload> = NamedWorkload::all().filter(|workload| workload.has(row)).collect();
    match owners.as_slice() {
        [only] => only.name().to_owned(),
        [first, ..] => format!("{}'s workloads, such as {}", first.0.family(), first.name()),
        [] => "scripts for sysbench and workloads in files".to_owned(),
    }
}

/// A workload with all of its options.
///
/// # Errors
/// Options that exclude each other.
pub fn options(workload: &NamedWorkload, values: &Values) -> Result<WorkloadSpec, Wrong> {
    workload.0.options(values)
}

/// Every option of a workload.
pub fn options_of(workload: &WorkloadSpec) -> Vec<Edit> {
    let options: &dyn AsEdits = for_workload!(workload, options => options);
    options.edits()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::tests::values;

    #[test]
    fn an_option_belongs_to_its_workloads() {
        let named = |name| NamedWorkload::from_name(name).expect("there is one");
        let has =
            |name, path| NamedWorkload::has(&named(name), crate::table::row(path).expect("there is one"));
        assert!(has("oltp_read_write", "workload.tables") && !has("tpcc", "workload.tables"));
        assert!(!has("oltp_read_write", "workload.warehouses") && has("tpcc", "workload.warehouses"));
        assert!(has("oltp_read_write", "workload.reconnect") && has("tpcc", "workload.reconnect"));
    }

    #[test]
    fn options_make_the_same_workload_again() {
        let read_write = NamedWorkload::from_name("oltp_read_write").expect("one of sysbench's");
        let sysbench = [
            &[][..],
            &[
                ("workload.rand_type", "zipfian"),
                ("workload.rand_zipfian_exp", "1.25"),
                ("workload.tables", "3"),
            ],
            &[
                ("workload.rand_type", "gaussian"),
                ("workload.rand_spec_iter", "4"),
                ("workload.skip_trx", "on"),
            ],
            &[("workload.mysql_ignore_errors", "all"), ("workload.db_ps_mode", "disable")],
        ];
        let tpcc = [
            &[][..],
            &[("workload.preset", "benchmarksql"), ("workload.think", "0.5"), ("workload.home", "skewed")],
            &[
                ("workload.isolation", "read-committed"),
                ("workload.partitions", "4"),
                ("workload.style", "batched"),
            ],
        ];
        let tpcc_kind = NamedWorkload::from_name("tpcc").expect("TPC-C");
        let cases = sysbench.map(|edits| (&read_write, edits)).into_iter();
        for (kind, edits) in cases.chain(tpcc.map(|edits| (&tpcc_kind, edits))) {
            let made = crate::options(kind, &values(edits)).expect("valid");
            let again = crate::options(kind, &Values::default().with(options_of(&made))).expect("valid");
            assert_eq!(again, made);
        }
    }
}
