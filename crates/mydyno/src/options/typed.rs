//! The options that were typed, as opposed to set in a file.

use std::collections::BTreeSet;

/// The ids of the options that were typed: long names with `_`.
#[derive(Debug, Clone, Default)]
pub struct Typed(BTreeSet<String>);

impl Typed {
    /// True if the option with that id was typed.
    pub fn has(&self, id: &str) -> bool {
        self.0.contains(id)
    }
}

impl FromIterator<String> for Typed {
    fn from_iter<I: IntoIterator<Item = String>>(ids: I) -> Self {
        Self(ids.into_iter().collect())
    }
}
