//! The tables that a script makes.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use super::script::{LuaDialect, LuaScript};
use crate::workload::KeyDistribution;

/// The tables that the `prepare` command of a script makes: which these are only the script knows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LuaData {
    /// The script.
    pub script: LuaScript,
    /// Options that were typed, by name with `_`.
    pub options: BTreeMap<String, String>,
    /// The interface that it finds.
    pub dialect: LuaDialect,
    /// What `sysbench.rand.default` draws.
    pub rand: KeyDistribution,
}

// The parameters of a distribution are numbers, never NaN.
impl Eq for LuaData {}

impl Hash for LuaData {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.script, &self.options, self.dialect, self.rand.name()).hash(state);
    }
}
