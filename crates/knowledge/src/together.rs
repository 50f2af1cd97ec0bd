//! Server variables whose values must agree.
//!
//! The page is `knowledge/together.toml`.

use std::sync::OnceLock;

use serde::Deserialize;

use crate::page::{Source, Text, source};

/// Variables that are exchanged together.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgreeingVariables {
    /// Their names, of all flavours and releases.
    pub variables: Vec<String>,
    /// The reason they must agree.
    pub why: Text,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    group: Vec<AgreeingVariables>,
}

const PAGE: Source = source!("together.toml");

/// The group that a variable belongs to, if it is in any.
pub fn group_of(variable: &str) -> Option<&'static AgreeingVariables> {
    static PARSED: OnceLock<Page> = OnceLock::new();
    let page = PARSED.get_or_init(|| PAGE.parsed());
    page.group.iter().find(|group| group.variables.iter().any(|name| name == variable))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_can_be_read_and_no_variable_is_in_two_groups() {
        let page = match PAGE.parse::<Page>() {
            Ok(page) => page,
            Err(mistake) => panic!("{mistake}"),
        };
        let mut all: Vec<&String> = page.group.iter().flat_map(|group| &group.variables).collect();
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
        assert!(page.group.iter().all(|group| group.variables.len() > 1));
        assert_eq!(group_of("gtid_mode"), group_of("enforce_gtid_consistency"));
        assert_eq!(group_of("sync_binlog"), None);
    }
}
