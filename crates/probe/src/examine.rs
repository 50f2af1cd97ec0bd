//! One examination of a server from outside: its settings, its work, its tables and its replication.
//!
//! Any account may read variables and status. The rest needs privileges that an account for measuring need not have, so
//! refused facts are noted as unseen and the examination continues.

use model::{AccountFacts, Examination, Flavour, TableFacts};
use wire::{Client, ResultSet, Row};

use crate::ask::ask;
use crate::error::ProbeError;
use crate::replication::channels;
use crate::server::{pairs, variables};

/// Schemas that are the server's own.
const OWN_SCHEMAS: &str = "('mysql', 'sys', 'information_schema', 'performance_schema')";

/// Maximum number of tables and accounts that are named.
const NAMED: usize = 5;

/// Counters of InnoDB that only a view shows, with the names that the status of other versions has for them.
const METRICS: [(&str, &str); 2] =
    [("trx_rseg_history_len", "innodb_history_list_length"), ("lock_deadlocks", "innodb_deadlocks")];

/// Looks at the server that `client` is connected to.
///
/// # Errors
/// The connection is lost, or the server shows neither variables nor status.
pub fn examine(client: &mut Client) -> Result<Examination, ProbeError> {
    let flavour = if client.session().is_mariadb { Flavour::Mariadb } else { Flavour::Mysql };
    let status = pairs(client, "SHOW GLOBAL STATUS")?.into_iter().collect();
    let mut seen = Examination::of(flavour, variables(client)?, status);
    let plugins = ask(
        client,
        &mut seen.unseen,
        "plugins",
        "SELECT plugin_name FROM information_schema.plugins WHERE plugin_status = 'ACTIVE' \
         AND plugin_library IS NOT NULL ORDER BY plugin_name",
    )?;
    seen.plugins =
        plugins.map(|found| found.rows.iter().filter_map(|row| Some(row.text(0)?.to_owned())).collect());
    seen.channels = channels(client, &mut seen.unseen)?;
    seen.tables = tables(client, &mut seen)?;
    seen.accounts = accounts(client, &mut seen)?;
    let oldest = ask(
        client,
        &mut seen.unseen,
        "open transactions",
        "SELECT COALESCE(MAX(TIMESTAMPDIFF(SECOND, trx_started, NOW())), 0) FROM information_schema.innodb_trx",
    )?;
    seen.oldest_transaction_s = oldest.as_ref().and_then(number);
    let events = "SELECT COUNT(*) FROM information_schema.events WHERE status = 'ENABLED'";
    seen.events = ask(client, &mut seen.unseen, "events", events)?.as_ref().and_then(number);
    metrics(client, &mut seen)?;
    Ok(seen)
}

fn number(found: &ResultSet) -> Option<u64> {
    found.first()?.parse(0)
}

fn first_text(row: &Row) -> Option<String> {
    Some(row.text(0)?.to_owned())
}

/// MySQL's plugins that let an account in without a password if its authentication string is empty. Roles are locked.
const MYSQL_ACCOUNTS: &str = "SELECT user, host FROM mysql.user WHERE account_locked = 'N' AND authentication_string = '' \
     AND plugin IN ('caching_sha2_password', 'mysql_native_password', 'sha256_password')";
/// MariaDB's accounts are JSON; an account that was never given a method has no plugin there.
const MARIADB_ACCOUNTS: &str = "SELECT user, host FROM mysql.global_priv \
     WHERE COALESCE(JSON_VALUE(priv, '$.is_role'), 'false') NOT IN ('true', '1') \
     AND COALESCE(JSON_VALUE(priv, '$.account_locked'), 'false') NOT IN ('true', '1') \
     AND COALESCE(JSON_VALUE(priv, '$.authentication_string'), '') = '' \
     AND COALESCE(JSON_VALUE(priv, '$.plugin'), '') IN ('', 'mysql_native_password', 'mysql_old_password')";

/// Accounts that need no password, where the account that asks may see them.
fn accounts(client: &mut Client, seen: &mut Examination) -> Result<Option<AccountFacts>, ProbeError> {
    let sql = if seen.flavour == Flavour::Mariadb { MARIADB_ACCOUNTS } else { MYSQL_ACCOUNTS };
    let found = ask(client, &mut seen.unseen, "accounts without a password", sql)?;
    let Some(found) = found else { return Ok(None) };
    let text = |row: &Row, at| row.text(at).unwrap_or_default().to_owned();
    let mut all: Vec<(bool, String)> = found
        .rows
        .iter()
        .map(|row| {
            let (user, host) = (text(row, 0), text(row, 1));
            (is_local(&host), format!("'{user}'@'{host}'"))
        })
        .collect();
    all.sort();
    Ok(Some(AccountFacts {
        without_password: all.len() as u64,
        from_elsewhere: all.iter().filter(|(local, _)| !local).count() as u64,
        names: all.into_iter().map(|(_, name)| name).take(NAMED).collect(),
    }))
}

fn is_local(host: &str) -> bool {
    host == "localhost" || host == "::1" || host.starts_with("127.")
}

fn tables(client: &mut Client, seen: &mut Examination) -> Result<Option<TableFacts>, ProbeError> {
    let sizes = ask(
        client,
        &mut seen.unseen,
        "sizes of tables",
        &format!(
            "SELECT COUNT(*), COALESCE(SUM(IF(engine = 'InnoDB', data_length + index_length, 0)), 0), \
             COALESCE(SUM(engine IN ('MyISAM', 'MRG_MyISAM', 'CSV', 'ARCHIVE')), 0) \
             FROM information_schema.tables WHERE table_type = 'BASE TABLE' AND table_schema NOT IN {OWN_SCHEMAS}"
        ),
    )?;
    let Some(row) = sizes.as_ref().and_then(ResultSet::first) else { return Ok(None) };
    let keyless = ask(
        client,
        &mut seen.unseen,
        "tables without a key",
        &format!(
            "SELECT CONCAT(t.table_schema, '.', t.table_name) FROM information_schema.tables t LEFT JOIN (SELECT DISTINCT table_schema AS s, \
             table_name AS n FROM information_schema.statistics WHERE non_unique = 0 AND nullable <> 'YES') k \
             ON k.s = t.table_schema AND k.n = t.table_name WHERE k.n IS NULL AND t.table_type = 'BASE TABLE' \
             AND t.engine = 'InnoDB' AND t.table_schema NOT IN {OWN_SCHEMAS} ORDER BY 1"
        ),
    )?;
    let keyless: Vec<String> = keyless.iter().flat_map(|found| &found.rows).filter_map(first_text).collect();
    // Sums are decimals: MariaDB may write them with a fraction.
    let figure = |at| row.parse::<f64>(at).unwrap_or_default() as u64;
    Ok(Some(TableFacts {
        tables: figure(0),
        innodb_bytes: figure(1),
        not_crash_safe: figure(2),
        without_key: keyless.len() as u64,
        without_key_names: keyless.into_iter().take(NAMED).collect(),
    }))
}

/// Adds the counters that only a view shows to the status, unless it has them.
fn metrics(client: &mut Client, seen: &mut Examination) -> Result<(), ProbeError> {
    if METRICS.iter().all(|(_, name)| seen.status.contains_key(*name)) {
        return Ok(());
    }
    let names: Vec<String> = METRICS.iter().map(|(name, _)| format!("'{name}'")).collect();
    let sql = format!(
        "SELECT name, `count` FROM information_schema.innodb_metrics WHERE name IN ({})",
        names.join(", ")
    );
    let Some(found) = ask(client, &mut seen.unseen, "history list length, deadlocks", &sql)? else {
        return Ok(());
    };
    for row in &found.rows {
        let (Some(name), Some(count)) = (row.text(0), row.text(1)) else { continue };
        if let Some((_, plain)) = METRICS.iter().find(|(metric, _)| *metric == name) {
            seen.status.entry((*plain).to_owned()).or_insert_with(|| count.to_owned());
        }
    }
    Ok(())
}
