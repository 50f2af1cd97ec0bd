//! The user's own lines of my.cnf: one spelling for each name, and the ones that a sandbox must decide itself.
//!
//! The servers accept `-` for `_`, any case, and prefixes such as `loose_`. Names are normalised first, to detect whether a
//! line of the user's replaces one of ours, or would point the server outside its sandbox.

use std::collections::BTreeMap;

use crate::error::SettingError;

/// The user's settings by canonical name. An empty value is a bare switch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Settings(BTreeMap<String, String>);

/// Settings that cannot be the user's, and why.
const REFUSED: &[(&str, &str)] = &[
    ("basedir", "it comes from the installation; name another one with sandbox:FLAVOUR@BASEDIR"),
    ("bootstrap", "the server would not serve"),
    ("chroot", "the server must see its own directory"),
    ("daemonize", "mydyno watches the server's process"),
    ("datadir", "a sandbox has its own data directory"),
    ("defaults_extra_file", "a sandbox reads its generated my.cnf only"),
    ("defaults_file", "a sandbox reads its generated my.cnf only"),
    ("help", "the server would not serve"),
    ("init_file", "mydyno makes its account with it"),
    ("initialize", "mydyno initialises the data directory itself"),
    ("initialize_insecure", "mydyno initialises the data directory itself"),
    ("lc_messages_dir", "it comes from the installation"),
    ("log_error", "a sandbox's log is server.log in its directory"),
    ("pid_file", "mydyno keeps track of the process itself"),
    ("plugin_dir", "it comes from the installation"),
    ("port", "mydyno chooses it; mydyno server start takes one as an option"),
    ("secure_file_priv", "a sandbox's server reads and writes no files outside its directory"),
    ("skip_grant_tables", "mydyno's account would not exist"),
    ("skip_networking", "mydyno must be able to reach the server over TCP"),
    ("socket", "a sandbox has its own socket"),
    ("tmpdir", "it is inside the sandbox"),
    ("user", "the server runs as whoever runs mydyno"),
    ("validate_config", "the server would not serve"),
    // Directories of the engines: all of them belong inside the data directory, where copies are made of it.
    ("aria_log_dir_path", "it is inside the sandbox"),
    ("innodb_data_home_dir", "it is inside the sandbox"),
    ("innodb_directories", "it is inside the sandbox"),
    ("innodb_doublewrite_dir", "it is inside the sandbox"),
    ("innodb_log_group_home_dir", "it is inside the sandbox"),
    ("innodb_temp_tablespaces_dir", "it is inside the sandbox"),
    ("innodb_tmpdir", "it is inside the sandbox"),
    ("innodb_undo_directory", "it is inside the sandbox"),
    ("replica_load_tmpdir", "it is inside the sandbox"),
    ("slave_load_tmpdir", "it is inside the sandbox"),
];

/// Settings of their own whose names are beginnings of refused ones.
const WHOLE: &[&str] = &["innodb_doublewrite"];

/// Settings whose values are file names. Without a directory they land in the data directory.
const FILES: &[&str] = &[
    "general_log_file",
    "innodb_data_file_path",
    "innodb_temp_data_file_path",
    "log_basename",
    "log_bin",
    "log_bin_index",
    "log_tc",
    "relay_log",
    "relay_log_index",
    "relay_log_info_file",
    "slow_query_log_file",
];

/// Prefixes that the servers' option parser accepts before any name.
const PREFIXES: &[&str] = &["loose_", "enable_", "disable_", "skip_", "maximum_"];

/// Settings that decide the content of a new data directory. Data made with other values of these do not fit.
const STRUCTURAL: &[&str] = &[
    "character_set_server",
    "collation_server",
    "default_table_encryption",
    "innodb_checksum_algorithm",
    "innodb_data_file_path",
    "innodb_page_size",
    "innodb_undo_tablespaces",
    "lower_case_table_names",
];

/// Checks whether a sandbox can be started with these settings, as far as that is possible without its server.
///
/// # Errors
/// An invalid or refused name, a value that an option file cannot hold, or one setting with two values.
pub fn check_settings(given: &BTreeMap<String, String>) -> Result<(), SettingError> {
    Settings::new(given).map(drop)
}

impl Settings {
    /// Takes the user's settings: canonical names, checked values.
    pub fn new(given: &BTreeMap<String, String>) -> Result<Self, SettingError> {
        let mut settings: BTreeMap<String, String> = BTreeMap::new();
        for (name, value) in given {
            let (name, value) = binary_log_switch(canonical(name)?, value.trim());
            refuse(&name)?;
            check_value(&name, &value)?;
            if let Some(first) = settings.get(&name)
                && *first != value
            {
                return Err(SettingError::Twice { name, first: first.clone(), second: value });
            }
            settings.insert(name, value);
        }
        Ok(Self(settings))
    }

    /// The value of `name`, if the user set it.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The settings that decide the content of a new data directory.
    pub fn structural(&self) -> impl Iterator<Item = (&str, &str)> {
        self.iter().filter(|(name, _)| STRUCTURAL.contains(name))
    }
}

/// The one form of a setting's name: lower case, `_`, no leading dashes.
fn canonical(given: &str) -> Result<String, SettingError> {
    let name = given.trim().trim_start_matches('-').replace('-', "_").to_ascii_lowercase();
    let is_fine = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    if name.is_empty() || !name.chars().all(is_fine) {
        return Err(SettingError::Name { name: given.to_owned() });
    }
    Ok(name)
}

/// `log_bin=1` would name the files `1.000001`: the intended meaning, in either direction, is the bare switch.
fn binary_log_switch(name: String, value: &str) -> (String, String) {
    let on = match value.to_ascii_lowercase().as_str() {
        "" | "1" | "on" | "true" => true,
        "0" | "off" | "false" => false,
        _ => return (name, value.to_owned()),
    };
    let wanted = match name.as_str() {
        "log_bin" => on,
        "skip_log_bin" | "disable_log_bin" => !on,
        _ => return (name, value.to_owned()),
    };
    (if wanted { "log_bin" } else { "skip_log_bin" }.to_owned(), String::new())
}

fn refuse(name: &str) -> Result<(), SettingError> {
    let is_listed = |candidate: &str| {
        // The option parsers complete unambiguous beginnings: `datad` is `datadir`.
        REFUSED.iter().find(|(refused, _)| {
            let completes =
                candidate.len() >= 4 && !WHOLE.contains(&candidate) && refused.starts_with(candidate);
            *refused == candidate || completes
        })
    };
    let mut bare = name;
    while let Some(rest) = PREFIXES.iter().find_map(|prefix| bare.strip_prefix(prefix)) {
        if is_listed(bare).is_some() {
            break;
        }
        bare = rest;
    }
    match is_listed(bare) {
        Some((_, reason)) => Err(SettingError::Refused { name: name.to_owned(), reason }),
        None => Ok(()),
    }
}

fn check_value(name: &str, value: &str) -> Result<(), SettingError> {
    let fail = |what| Err(SettingError::Value { name: name.to_owned(), what });
    if value.chars().any(char::is_control) {
        return fail("a line break or another control character");
    }
    if value.contains('"') && value.contains('\'') {
        return fail("both kinds of quotes");
    }
    if FILES.contains(&name) && (value.contains('/') || value.contains("..")) {
        return Err(SettingError::Outside { name: name.to_owned(), value: value.to_owned() });
    }
    Ok(())
}

/// Bytes that a size such as `512M` means; none if it is not one.
pub(crate) fn size_bytes(value: &str) -> Option<u64> {
    let value = value.trim();
    let shift = match value.chars().last()?.to_ascii_uppercase() {
        'K' => 10,
        'M' => 20,
        'G' => 30,
        'T' => 40,
        _ => return value.parse().ok(),
    };
    let number: u64 = value[..value.len() - 1].parse().ok()?;
    number.checked_shl(shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(pairs: &[(&str, &str)]) -> Result<Settings, SettingError> {
        Settings::new(&pairs.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect())
    }

    #[test]
    fn names_have_one_spelling() {
        let made = settings(&[("--Innodb-Flush-Log-At-Trx-Commit", " 2 ")]).unwrap();
        assert_eq!(made.get("innodb_flush_log_at_trx_commit"), Some("2"));
    }

    #[test]
    fn a_name_that_is_none_is_refused() {
        for name in ["", "--", "a b", "x=y", "[client]", "naïve"] {
            assert!(matches!(settings(&[(name, "1")]), Err(SettingError::Name { .. })), "{name}");
        }
    }

    #[test]
    fn settings_of_the_sandbox_are_refused_in_every_spelling() {
        for name in
            ["datadir", "DATADIR", "loose-datadir", "datad", "pid-file", "tmpdir", "innodb_undo_directory"]
        {
            assert!(matches!(settings(&[(name, "/x")]), Err(SettingError::Refused { .. })), "{name}");
        }
        assert!(matches!(settings(&[("skip-networking", "")]), Err(SettingError::Refused { .. })));
        assert!(settings(&[("skip-name-resolve", "")]).is_ok());
        assert!(
            settings(&[("innodb_doublewrite", "OFF")]).is_ok()
                && settings(&[("skip-innodb-doublewrite", "")]).is_ok()
        );
        assert!(settings(&[("log_bin_trust_function_creators", "1")]).is_ok());
    }

    #[test]
    fn values_stay_on_their_line_and_in_the_sandbox() {
        assert!(matches!(settings(&[("sql_mode", "A\nuser=x")]), Err(SettingError::Value { .. })));
        assert!(matches!(settings(&[("sql_mode", "'\"")]), Err(SettingError::Value { .. })));
        assert!(matches!(settings(&[("log_bin", "/var/log/x")]), Err(SettingError::Outside { .. })));
        assert!(settings(&[("log_bin", "x")]).is_ok());
    }

    #[test]
    fn the_binary_log_is_a_switch() {
        for (name, value, wanted) in [
            ("log_bin", "1", "log_bin"),
            ("log-bin", "OFF", "skip_log_bin"),
            ("skip_log_bin", "1", "skip_log_bin"),
            ("skip_log_bin", "0", "log_bin"),
            ("disable_log_bin", "", "skip_log_bin"),
        ] {
            let made = settings(&[(name, value)]).unwrap();
            assert_eq!(made.iter().collect::<Vec<_>>(), [(wanted, "")], "{name}={value}");
        }
    }

    #[test]
    fn one_setting_has_one_value() {
        assert!(settings(&[("sync-binlog", "1"), ("sync_binlog", "1")]).is_ok());
        let twice = settings(&[("sync-binlog", "0"), ("sync_binlog", "1")]);
        assert!(matches!(twice, Err(SettingError::Twice { .. })));
    }

    #[test]
    fn sizes_have_suffixes() {
        assert_eq!(size_bytes("512M"), Some(512 << 20));
        assert_eq!(size_bytes("1g"), Some(1 << 30));
        assert_eq!(size_bytes("4096"), Some(4096));
        assert_eq!(size_bytes("lots"), None);
        assert_eq!(size_bytes(""), None);
    }
}
