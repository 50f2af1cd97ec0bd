//! The options that concern a specification as a whole.

use model::{Observe, Spec};

use crate::edits::on_off;
use crate::kind::LONGEST_NAME;
use crate::table;
use crate::values::{Edit, Values, Wrong};

/// The options that concern a specification as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct General {
    /// Name of its recordings; none: after its workloads, or its file.
    pub name: Option<String>,
    /// Load missing tables first.
    pub prepare: bool,
    /// Extent of observation of the servers.
    pub observe: Observe,
    /// Record cells that cannot work as failed.
    pub allow_failing_cells: bool,
}

/// The options as given, or their defaults.
pub fn general(values: &Values) -> General {
    let level = values.text("observe");
    General {
        name: values.is_set("name").then(|| values.text("name")),
        prepare: values.switch("prepare"),
        observe: Observe::ALL.into_iter().find(|one| one.name() == level).unwrap_or_default(),
        allow_failing_cells: values.switch("allow_failing_cells"),
    }
}

/// The name, cut to the length that a recording may have.
pub fn short_name(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect()
}

/// The options that make it again.
pub(crate) fn general_of(spec: &Spec) -> Result<Vec<Edit>, Wrong> {
    let texts = [
        ("name", short_name(&spec.name)),
        ("seed", spec.seed.to_string()),
        ("prepare", on_off(spec.prepare)),
        ("observe", spec.observe.name().to_owned()),
        ("perf", on_off(spec.design.perf)),
        ("allow_failing_cells", on_off(spec.allow_failing_cells)),
    ];
    let edit = |(path, text): (&str, String)| Edit::read(table::row(path).expect("the table has it"), &text);
    texts.into_iter().map(edit).collect()
}
