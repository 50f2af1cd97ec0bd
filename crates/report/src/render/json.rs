//! JSON: the view itself. Numbers are numbers, units are in the key names, the schema version is in the file.

use crate::View;

/// The view as indented JSON with a newline at its end.
pub fn json(view: &View) -> String {
    let mut text =
        serde_json::to_string_pretty(view).expect("a view has only string keys and finite numbers");
    text.push('\n');
    text
}
