//! A sandbox with the settings of another server.
//!
//! Only variables that are known to affect a load are taken over, and only where the sandbox's own value differs: paths, accounts,
//! replication and encryption are the server's own.

use std::collections::BTreeMap;

use model::Variables;

use crate::variables::{Touches, entries, same};

/// Variables that touch a load and still stay the sandbox's own: who may connect and write, replication, keys, what belongs to a
/// machine, and what no option file takes.
const OWN: &[&str] = &[
    "binlog_encryption",
    "encrypt_binlog",
    "foreign_key_checks",
    "innodb_dedicated_server",
    "innodb_encrypt_log",
    "innodb_force_recovery",
    "innodb_redo_log_encrypt",
    "innodb_temp_data_file_path",
    "large_pages",
    "profiling",
    "read_only",
    "require_secure_transport",
    "rpl_semi_sync_source_enabled",
    "rpl_semi_sync_source_wait_point",
    "skip_name_resolve",
    "super_read_only",
    "tls_version",
    "transaction_read_only",
    "wsrep_on",
];

/// The variable that is bounded by the memory of the machine.
const BUFFER_POOL: &str = "innodb_buffer_pool_size";

/// Settings of a server, as a sandbox gets them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Likeness {
    /// Lines of my.cnf, by variable.
    pub set: BTreeMap<String, String>,
    /// The size of the buffer pool there, bytes, if the sandbox gets less: half of the memory of this machine.
    pub buffer_pool_was: Option<u64>,
    /// Variables that affect a load, have another value there, and are not taken over.
    pub left_out: Vec<String>,
}

/// What makes a sandbox whose variables are `own` like a server whose variables are `theirs`. `memory` is that of this machine, bytes;
/// none: not known.
pub fn likeness(theirs: &Variables, own: &Variables, memory: Option<u64>) -> Likeness {
    let mut found = Likeness::default();
    let affects = |name: &str| {
        // The capacity of the redo log goes under the sizes of its files in older versions.
        let newest =
            if name == "innodb_log_file_size" { "innodb_redo_log_capacity" } else { same::name(name) };
        entries().any(|(_, entry)| {
            entry.name == newest
                && matches!(entry.touches, Touches::Reads | Touches::Writes | Touches::Clients | Touches::All)
        })
    };
    for (name, value) in theirs.iter().filter(|(name, _)| affects(name)) {
        if own.get(name).is_some_and(|own| own == value) {
            continue;
        }
        // A variable that the sandbox does not have cannot be set on it.
        let is_own = OWN.contains(&name.as_str()) || !own.contains_key(name) || value.contains('/');
        match is_own {
            true => found.left_out.push(name.clone()),
            false => _ = found.set.insert(name.clone(), value.clone()),
        }
    }
    let pool = found.set.get(BUFFER_POOL).and_then(|size| size.parse::<u64>().ok());
    if let (Some(pool), Some(half)) = (pool, memory.map(|memory| memory / 2))
        && pool > half
    {
        found.buffer_pool_was = Some(pool);
        found.set.insert(BUFFER_POOL.to_owned(), half.to_string());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(list: &[(&str, &str)]) -> Variables {
        list.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn what_affects_a_load_is_taken_over_and_the_rest_is_named() {
        let theirs = variables(&[
            ("sync_binlog", "0"),
            ("innodb_buffer_pool_size", "68719476736"),
            ("innodb_io_capacity", "200"),
            ("datadir", "/var/lib/mysql/"),
            ("server_id", "17"),
            ("read_only", "ON"),
            ("innodb_log_file_size", "1073741824"),
        ]);
        let own = variables(&[
            ("sync_binlog", "1"),
            ("innodb_buffer_pool_size", "134217728"),
            ("innodb_io_capacity", "200"),
            ("datadir", "/home/sandbox/"),
            ("server_id", "1"),
            ("read_only", "OFF"),
        ]);
        let found = likeness(&theirs, &own, Some(16 << 30));
        let set: Vec<_> = found.set.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(set, [("innodb_buffer_pool_size", "8589934592"), ("sync_binlog", "0")]);
        assert_eq!(found.buffer_pool_was, Some(64 << 30));
        assert_eq!(found.left_out, ["innodb_log_file_size", "read_only"]);
    }

    #[test]
    fn memory_that_suffices_changes_nothing() {
        let theirs = variables(&[("innodb_buffer_pool_size", "1073741824")]);
        let own = variables(&[("innodb_buffer_pool_size", "134217728")]);
        let found = likeness(&theirs, &own, Some(16 << 30));
        assert_eq!(found.set.get("innodb_buffer_pool_size").map(String::as_str), Some("1073741824"));
        assert_eq!(found.buffer_pool_was, None);
    }
}
