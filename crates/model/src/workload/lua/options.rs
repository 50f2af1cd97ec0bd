//! A script with every option resolved.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::data::LuaData;
use super::script::{LuaDialect, LuaScript};
use crate::workload::describe::{Reads, Workload};
use crate::workload::{DataSet, ErrorPolicy, KeyDistribution, PsMode};

/// A script for sysbench, with its options.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LuaOptions {
    /// Label in charts, if it is not the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The script.
    pub script: LuaScript,
    /// The interface that it finds.
    pub dialect: LuaDialect,
    /// Options that were typed, as text, by name with `_`: of its own, and of sysbench.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// What `sysbench.rand.default` draws.
    pub rand: KeyDistribution,
    /// Whether statements are prepared.
    pub db_ps_mode: PsMode,
    /// Server errors and what follows them.
    pub errors: ErrorPolicy,
}

impl LuaOptions {
    /// Whether the script, or a module of it, has one of these words.
    fn has_word(&self, words: &[&str]) -> bool {
        let texts = std::iter::once(&self.script.text).chain(self.script.modules.values());
        let mut all = texts.flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_'));
        all.any(|word| words.iter().any(|one| word.eq_ignore_ascii_case(one)))
    }
}

impl Workload for LuaOptions {
    fn name(&self) -> &str {
        self.script.name()
    }

    fn label(&self) -> &str {
        self.label.as_deref().unwrap_or(self.script.name())
    }

    fn set_label(&mut self, label: &str) {
        self.label = Some(label.to_owned());
    }

    fn summary(&self) -> &str {
        "script for sysbench, in Lua"
    }

    fn summary_zh(&self) -> &str {
        "sysbench 的 Lua 脚本"
    }

    fn data_set(&self, _clients: u32) -> Option<DataSet> {
        let (script, options) = (self.script.clone(), self.options.clone());
        Some(DataSet::Lua(LuaData { script, options, dialect: self.dialect, rand: self.rand }))
    }

    fn tables(&self) -> u64 {
        0
    }

    /// What a script does is known only when it does it: one that has none of these words writes nothing.
    fn writes(&self) -> bool {
        self.has_word(&["insert", "update", "delete", "replace", "truncate", "alter", "drop", "call", "load"])
    }

    fn reads(&self) -> Reads {
        Reads::None
    }

    fn changes_row_count(&self) -> bool {
        self.has_word(&["insert", "delete", "replace", "truncate", "drop", "call", "load"])
    }

    fn errors(&self) -> &ErrorPolicy {
        &self.errors
    }

    fn reconnect(&self) -> u64 {
        0
    }
}
