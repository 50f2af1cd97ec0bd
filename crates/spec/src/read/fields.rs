//! Tables, lists and scalars of TOML, with their positions.

use std::cell::RefCell;
use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use crate::nearest;
use crate::values::Wrong;
use crate::workload::NamedWorkload;

pub(super) type Value<'t> = Spanned<DeValue<'t>>;
pub(super) type Fields<'t> = BTreeMap<String, &'t Value<'t>>;

/// Reads a text, and reports errors with its lines and columns.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    /// The workloads in files that it names, by the word that names them.
    pub(super) files: RefCell<BTreeMap<String, NamedWorkload>>,
    /// Gives the text of a file.
    pub(super) open: &'t dyn Fn(&str) -> Result<String, Wrong>,
}

impl Reader<'_> {
    /// A sentence with its line and column.
    pub(super) fn wrong<T>(&self, at: &Spanned<T>, why: &str) -> Wrong {
        let before = &self.text[..at.span().start.min(self.text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        Wrong::of(format!("line {line}, column {column}: {why}"))
    }

    /// An existing error with its position and hint.
    pub(super) fn placed<T>(&self, at: &Spanned<T>, wrong: Wrong) -> Wrong {
        Wrong { hint: wrong.hint, ..self.wrong(at, &wrong.why) }
    }

    /// The entries of a table, all of which must be known.
    pub(super) fn fields<'t>(&self, table: &'t DeTable<'t>, known: &[&str]) -> Result<Fields<'t>, Wrong> {
        let mut fields = Fields::new();
        for (key, value) in table.iter() {
            let name = key.get_ref().as_ref();
            if !known.contains(&name) {
                let near = nearest(name, known.iter().copied());
                let near = near.map(|near| format!("did you mean {near}? ")).unwrap_or_default();
                let all = known.join(", ");
                return Err(self
                    .wrong(key, &format!("there is no '{name}' here"))
                    .hint(format!("{near}there are: {all}")));
            }
            fields.insert(name.to_owned(), value);
        }
        Ok(fields)
    }

    pub(super) fn table<'t>(&self, value: &'t Value<'t>) -> Result<&'t DeTable<'t>, Wrong> {
        match value.get_ref() {
            DeValue::Table(table) => Ok(table),
            _ => Err(self.wrong(value, "this is a table: keys and values")),
        }
    }

    pub(super) fn array<'t>(&self, value: &'t Value<'t>) -> Result<&'t DeArray<'t>, Wrong> {
        match value.get_ref() {
            DeValue::Array(array) => Ok(array),
            _ => Err(self.wrong(value, "this is a list")),
        }
    }

    /// Each table of a list.
    pub(super) fn each<'t, T>(
        &self,
        value: Option<&&'t Value<'t>>,
        read: impl Fn(&'t DeTable<'t>) -> Result<T, Wrong>,
    ) -> Result<Vec<T>, Wrong> {
        let Some(value) = value else { return Ok(Vec::new()) };
        self.array(value)?.iter().map(|one| read(self.table(one)?)).collect()
    }

    /// A value in the words of the command line.
    pub(super) fn scalar(&self, value: &Value) -> Result<String, Wrong> {
        Ok(match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) if number.radix() == 10 => number.as_str().to_owned(),
            DeValue::Float(number) => number.as_str().to_owned(),
            DeValue::Boolean(on) => if *on { "on" } else { "off" }.to_owned(),
            DeValue::Array(list) => {
                let each = list.iter().map(|one| self.scalar(one)).collect::<Result<Vec<_>, _>>()?;
                each.join(",")
            }
            _ => {
                return Err(self.wrong(value, "this is a string, a number, true or false, or a list of them"));
            }
        })
    }

    pub(super) fn switch(&self, value: &Value) -> Result<bool, Wrong> {
        crate::kind::switch(&self.scalar(value)?).map_err(|why| self.wrong(value, &why))
    }

    pub(super) fn number(&self, value: &Value) -> Result<u32, Wrong> {
        crate::kind::count_u32(&self.scalar(value)?).map_err(|why| self.wrong(value, &why))
    }
}
