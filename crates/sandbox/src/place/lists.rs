//! Lists of CPUs and nodes, as the kernel has them.

use std::fs;
use std::path::Path;

use model::IdList;

use crate::file_error::FileError;

/// The list of that name in a `/proc/.../status`; none if it is missing or empty.
pub fn status_list(status: &Path, name: &str) -> Result<Option<IdList>, FileError> {
    let text = fs::read_to_string(status).map_err(FileError::at("read", status))?;
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    Ok(value.and_then(|value| value.trim().parse().ok()))
}

/// The list that a file of `/sys` consists of; none if it is missing or empty.
pub fn system_list(path: &Path) -> Option<IdList> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// A list for people.
pub fn shown(list: Option<&IdList>) -> String {
    list.map_or_else(|| "none".to_owned(), IdList::to_string)
}
