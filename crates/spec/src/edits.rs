//! Options as text again.

use crate::table;
use crate::values::Edit;

/// Edits of a section, by key.
pub(crate) fn edits(section: &str, list: impl IntoIterator<Item = (&'static str, String)>) -> Vec<Edit> {
    let edit = |(key, text): (&str, String)| {
        let path = format!("{section}.{key}");
        let row = table::row(&path).unwrap_or_else(|| panic!("the table has no option {path}"));
        Edit::read(row, &text).unwrap_or_else(|wrong| panic!("what a plan holds is no option: {wrong}"))
    };
    list.into_iter().map(edit).collect()
}

/// A switch.
pub(crate) fn on_off(on: bool) -> String {
    if on { "on" } else { "off" }.to_owned()
}
