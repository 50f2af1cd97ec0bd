//! Names with values: `x=1;y=2`.

use std::collections::BTreeMap;

/// Separates two of them.
pub const BETWEEN: char = ';';

/// Reads them.
pub fn list(text: &str) -> Result<Vec<(String, String)>, String> {
    let parts = text.split(BETWEEN).map(str::trim).filter(|part| !part.is_empty());
    let each = parts.map(|part| match part.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.to_owned())),
        _ => Err(format!("'{part}' is not NAME=VALUE; several have {BETWEEN} between them")),
    });
    each.collect()
}

/// Writes them.
pub fn text(all: &BTreeMap<String, String>) -> String {
    let each: Vec<String> = all.iter().map(|(name, value)| format!("{name}={value}")).collect();
    each.join(&BETWEEN.to_string())
}
