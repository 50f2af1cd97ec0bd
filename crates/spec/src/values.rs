//! The options that were set: an edit for each, by the path of its row.

use std::collections::BTreeMap;
use std::fmt;

use crate::kind::Value;
use crate::table::{self, Default, OptionRow};

/// One option that was set.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit {
    /// The option.
    pub row: &'static OptionRow,
    /// The text as written.
    pub text: String,
    /// The parsed value.
    pub value: Value,
}

impl Edit {
    /// Reads the value of an option.
    ///
    /// # Errors
    /// It is none.
    pub fn read(row: &'static OptionRow, text: &str) -> Result<Self, Wrong> {
        let value = row.kind.parse(text).map_err(|why| Wrong::at(row.path, format!("'{text}': {why}")))?;
        Ok(Self { row, text: text.to_owned(), value })
    }
}

/// An error in a specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// Path of the option that is meant; none: several together.
    pub path: Option<&'static str>,
    /// The reason, in a sentence without the option's name if there is a path.
    pub why: String,
    /// Advice.
    pub hint: Option<String>,
}

impl Wrong {
    /// About one option.
    pub fn at(path: &'static str, why: impl Into<String>) -> Self {
        Self { path: Some(path), why: why.into(), hint: None }
    }

    /// About several.
    pub fn of(why: impl Into<String>) -> Self {
        Self { path: None, why: why.into(), hint: None }
    }

    /// Says what to do.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path {
            Some(path) => write!(f, "{path}: {}", self.why),
            None => f.write_str(&self.why),
        }
    }
}

impl std::error::Error for Wrong {}

/// Options by path. An option that is not set has the default of its row.
#[derive(Debug, Clone, std::default::Default, PartialEq)]
pub struct Values(BTreeMap<&'static str, Edit>);

impl Values {
    /// Sets an option. The last edit of a path wins.
    pub fn set(&mut self, edit: Edit) {
        self.0.insert(edit.row.path, edit);
    }

    /// The values with more edits, which win.
    #[must_use]
    pub fn with(&self, edits: impl IntoIterator<Item = Edit>) -> Self {
        let mut new = self.clone();
        edits.into_iter().for_each(|edit| new.set(edit));
        new
    }

    /// The options that were set, in the order of the paths.
    pub fn edits(&self) -> impl Iterator<Item = &Edit> {
        self.0.values()
    }

    /// Whether it was set.
    pub fn is_set(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    /// The value, or the default of its row; none if it has none.
    ///
    /// # Panics
    /// There is no such option: the code that asks is wrong.
    pub fn get(&self, path: &str) -> Option<Value> {
        if let Some(edit) = self.0.get(path) {
            return Some(edit.value.clone());
        }
        let row = table::row(path).unwrap_or_else(|| panic!("the table has no option {path}"));
        match row.default {
            Default::None(_) => None,
            Default::Is(text) | Default::Hidden(text) => {
                Some(row.kind.parse(text).unwrap_or_else(|why| panic!("default of {path}: {why}")))
            }
        }
    }

    fn must<T>(&self, path: &str, read: impl Fn(Value) -> Option<T>) -> T {
        let value = self.get(path).unwrap_or_else(|| panic!("{path} has no default"));
        read(value).unwrap_or_else(|| panic!("{path} is of another kind"))
    }

    /// A switch.
    pub(crate) fn switch(&self, path: &str) -> bool {
        self.must(path, |value| if let Value::Switch(on) = value { Some(on) } else { None })
    }

    /// A whole number.
    pub(crate) fn count(&self, path: &str) -> u64 {
        self.must(path, |value| if let Value::Count(n) = value { Some(n) } else { None })
    }

    /// A whole number whose row keeps it within 32 bits.
    pub(crate) fn count_u32(&self, path: &str) -> u32 {
        u32::try_from(self.count(path))
            .unwrap_or_else(|_| panic!("the row of {path} allows more than 32 bits"))
    }

    /// A number.
    pub(crate) fn number(&self, path: &str) -> f64 {
        self.must(path, |value| if let Value::Number(n) = value { Some(n) } else { None })
    }

    /// A text, or the name of a choice.
    pub(crate) fn text(&self, path: &str) -> String {
        self.must(path, |value| if let Value::Text(text) = value { Some(text) } else { None })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Values by path and text.
    pub(crate) fn values(edits: &[(&str, &str)]) -> Values {
        let edit = |(path, text): &(&str, &str)| {
            Edit::read(table::row(path).expect("the table has it"), text).expect("a valid value")
        };
        Values::default().with(edits.iter().map(edit))
    }

    #[test]
    fn the_last_edit_wins_and_the_table_has_the_defaults() {
        let made = values(&[("workload.tables", "4"), ("workload.tables", "8")]);
        assert_eq!((made.count("workload.tables"), made.count("workload.table_size")), (8, 10_000));
        assert!(made.is_set("workload.tables") && !made.is_set("workload.table_size"));
        assert_eq!(made.get("load.rate"), None);
    }

    #[test]
    fn what_is_wrong_names_the_option() {
        let row = table::row("workload.tables").expect("the table has it");
        let wrong = Edit::read(row, "0").expect_err("out of bounds");
        assert_eq!(wrong.to_string(), "workload.tables: '0': it must be between 1 and 100000");
    }
}
