//! Version numbers of servers.

/// Major, minor and patch number.
pub type Version = (u32, u32, u32);

/// The number at the beginning of a server's version string; zeros if there is none.
pub fn version(text: &str) -> Version {
    let mut parts = text.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().unwrap_or(0));
    let mut next = || parts.next().unwrap_or(0);
    (next(), next(), next())
}

/// A version as a page writes it: `8.0.30`, or `8.4` for `8.4.0`.
pub(crate) fn written(text: &str) -> Result<Version, String> {
    let parts: Option<Vec<u32>> = text.split('.').map(|part| part.parse().ok()).collect();
    match parts.as_deref() {
        Some([major, minor]) => Ok((*major, *minor, 0)),
        Some([major, minor, patch]) => Ok((*major, *minor, *patch)),
        _ => Err(format!("\"{text}\" is not a version such as 8.4 or 8.0.30")),
    }
}
