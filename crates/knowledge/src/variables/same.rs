//! Equivalent names and values: between the families, and between old and new releases of one.
//!
//! Only exact equivalents are here. MAX_STATEMENT_TIME of MariaDB and MAX_EXECUTION_TIME of MySQL, for example, are not:
//! one stops every statement, the other only reads.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use model::Variables;
use serde::Deserialize;

use crate::page::{Source, source};

/// `knowledge/names.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Names {
    renamed: BTreeMap<String, String>,
    spelled: BTreeMap<String, BTreeMap<String, String>>,
}

pub(super) const PAGE: Source = source!("names.toml");

fn names() -> &'static Names {
    static NAMES: OnceLock<Names> = OnceLock::new();
    NAMES.get_or_init(|| PAGE.parsed())
}

const REDO: &str = "innodb_redo_log_capacity";
const EXPIRY: &str = "binlog_expire_logs_seconds";

/// A value, and the name under which the server has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The server's own name for it, or the variables it is derived from.
    pub name: String,
    /// The value.
    pub value: String,
}

/// The name that is used here.
pub fn name(raw: &str) -> &str {
    names().renamed.get(raw).map_or(raw, String::as_str)
}

/// The variables of a server under the names that are used here.
pub fn canonical(variables: &Variables) -> BTreeMap<&str, Known> {
    let mut all: BTreeMap<&str, Known> = BTreeMap::new();
    for (raw, value) in variables {
        let plain = name(raw);
        let known = Known { name: raw.clone(), value: value.clone() };
        if plain == raw || !all.contains_key(plain) {
            all.insert(plain, known);
        }
    }
    redo_capacity(&mut all);
    log_expiry(&mut all);
    temporary_engine(&mut all);
    all
}

/// The redo log in all: files times their size, until MySQL 8.0.30 gave it one variable. There the old ones still count
/// where they are set and the new one is not (MySQL manual, "Configuring Redo Log Capacity"). MariaDB has one file since 10.6.
fn redo_capacity(all: &mut BTreeMap<&str, Known>) {
    const UNSET: (&str, u64) = ("104857600", 100_663_296);
    let number = |all: &BTreeMap<&str, Known>, name| all.get(name).and_then(|k| k.value.parse::<u64>().ok());
    let Some(size) = number(all, "innodb_log_file_size") else { return };
    let files = number(all, "innodb_log_files_in_group");
    let product = size.saturating_mul(files.unwrap_or(1));
    let is_said = all.get(REDO).is_some_and(|k| k.value != UNSET.0 || product == UNSET.1);
    all.remove("innodb_log_file_size");
    all.remove("innodb_log_files_in_group");
    if !is_said {
        let files = if files.is_some() { " x innodb_log_files_in_group" } else { "" };
        let name = format!("innodb_log_file_size{files}");
        all.insert(REDO, Known { name, value: product.to_string() });
    }
}

/// Expiry of binary logs: in days on older servers, and in both units on those between.
fn log_expiry(all: &mut BTreeMap<&str, Known>) {
    let Some(days) = all.remove("expire_logs_days") else { return };
    let seconds = days.value.parse::<f64>().unwrap_or_default() * 86_400.0;
    if all.get(EXPIRY).is_none_or(|known| known.value == "0") {
        all.insert(EXPIRY, Known { name: days.name, value: seconds.round().to_string() });
    }
}

/// MariaDB leaves the engine of temporary tables empty where it is that of all others.
fn temporary_engine(all: &mut BTreeMap<&str, Known>) {
    let engine = all.get("default_storage_engine").map(|known| known.value.clone());
    if let (Some(known), Some(engine)) = (all.get_mut("default_tmp_storage_engine"), engine)
        && known.value.is_empty()
    {
        known.value = engine;
    }
}

/// One spelling for equivalent values: `ON` and `1`, `1.000000` and `1`, `utf8` and `utf8mb3`.
pub fn value(name: &str, value: &str) -> String {
    let upper = value.trim().to_ascii_uppercase();
    if let Some(same) = names().spelled.get(name).and_then(|values| values.get(&upper)) {
        return same.clone();
    }
    match upper.as_str() {
        "ON" | "TRUE" | "YES" => return "1".to_owned(),
        "OFF" | "FALSE" | "NO" => return "0".to_owned(),
        _ => {}
    }
    if let Ok(number) = value.parse::<f64>()
        && number.is_finite()
    {
        // Whole numbers beyond the precision of a float stay as they are.
        return value.parse::<u64>().map_or_else(|_| number.to_string(), |whole| whole.to_string());
    }
    if name == "transaction_isolation" {
        return upper.replace([' ', '_'], "-");
    }
    if name.starts_with("character_set_") && upper == "UTF8" {
        return "UTF8MB3".to_owned();
    }
    if name.starts_with("collation_")
        && let Some(rest) = upper.strip_prefix("UTF8_")
    {
        return format!("UTF8MB3_{rest}");
    }
    upper
}
