//! Finds the intended name for a misspelt one.

/// The name in `known` nearest to `typed`, if one is near enough to be meant.
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Jaro-Winkler similarity below which two names have nothing to do with each other.
    const LEAST: f64 = 0.75;
    known
        .into_iter()
        .map(|name| (strsim::jaro_winkler(typed, name), name))
        .filter(|(likeness, _)| *likeness > LEAST)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}
