//! The transactions executed by a server, as GTIDs of MySQL or of MariaDB.

use std::collections::BTreeMap;

use wire::{Client, QueryError};

/// Time for a replica to apply what it has received, seconds.
const APPLY_S: u32 = 60;

/// The transactions executed by a server: a set of GTIDs, on MariaDB the last one of each domain.
pub(crate) fn executed(client: &mut Client) -> Result<String, QueryError> {
    let is_mariadb = client.session().is_mariadb;
    one(client, if is_mariadb { "SELECT @@GLOBAL.gtid_current_pos" } else { "SELECT @@GLOBAL.gtid_executed" })
}

/// Whether `executed` contains all of `known`.
pub(crate) fn has(client: &mut Client, executed: &str, known: &str) -> Result<bool, QueryError> {
    if client.session().is_mariadb {
        let (executed, known) = (newest(executed), newest(known));
        return Ok(known.iter().all(|(domain, number)| executed.get(domain) >= Some(number)));
    }
    Ok(one(client, &format!("SELECT GTID_SUBSET('{known}', '{executed}')"))? == "1")
}

/// Makes a replica apply all that it has received, and nothing more; returns its executed transactions.
pub(crate) fn applied(client: &mut Client) -> Result<String, String> {
    let said = |error: QueryError| error.to_string();
    let (stop, show, received) = match client.session().is_mariadb {
        true => ("STOP SLAVE IO_THREAD", "SHOW SLAVE STATUS", "Gtid_IO_Pos"),
        false => ("STOP REPLICA IO_THREAD", "SHOW REPLICA STATUS", "Retrieved_Gtid_Set"),
    };
    client.execute(stop).map_err(said)?;
    let found = client.query(show).map_err(said)?;
    let received = found
        .position(received)
        .and_then(|at| found.first()?.text(at).map(|text| text.replace(['\n', ' '], "")));
    if let Some(received) = received.filter(|received| !received.is_empty()) {
        let wait = match client.session().is_mariadb {
            true => format!("SELECT MASTER_GTID_WAIT('{received}', {APPLY_S})"),
            false => format!("SELECT WAIT_FOR_EXECUTED_GTID_SET('{received}', {APPLY_S})"),
        };
        if one(client, &wait).map_err(said)? != "0" {
            return Err(format!("a replica had not applied what it had received after {APPLY_S} s"));
        }
    }
    executed(client).map_err(said)
}

/// The number of transactions that a server has and another lacks.
///
/// # Errors
/// One of them does not answer.
pub fn transactions_beyond(server: &mut Client, other: &mut Client) -> Result<u64, QueryError> {
    if server.session().is_mariadb {
        const STATE: &str = "SELECT @@GLOBAL.gtid_binlog_state";
        return Ok(numbers_beyond(&one(server, STATE)?, &one(other, STATE)?));
    }
    let known = executed(other)?;
    Ok(transactions_in(&one(server, &format!("SELECT GTID_SUBTRACT(@@GLOBAL.gtid_executed, '{known}')"))?))
}

/// The first column of the first row, without line ends and spaces.
pub(crate) fn one(client: &mut Client, sql: &str) -> Result<String, QueryError> {
    let found = client.query(sql)?;
    Ok(found.first().and_then(|row| row.text(0)).unwrap_or_default().replace(['\n', ' '], ""))
}

/// The number of transactions in a set of GTIDs: `uuid:1-5:7,uuid:tag:9`.
fn transactions_in(set: &str) -> u64 {
    let count = |interval: &str| -> u64 {
        let (first, last) = interval.split_once('-').unwrap_or((interval, interval));
        match (first.parse::<u64>(), last.parse::<u64>()) {
            (Ok(first), Ok(last)) => (last + 1).saturating_sub(first),
            // A tag, not an interval.
            _ => 0,
        }
    };
    let sources = set.split(',').filter_map(|source| source.split_once(':'));
    sources.flat_map(|(_, intervals)| intervals.split(':')).map(count).sum()
}

/// MariaDB's GTIDs, `domain-server-number` with commas between them.
fn parts(position: &str) -> impl Iterator<Item = (u32, u32, u64)> {
    position.split(',').filter_map(|gtid| {
        let mut parts = gtid.trim().splitn(3, '-');
        let mut next = || parts.next();
        Some((next()?.parse().ok()?, next()?.parse().ok()?, next()?.parse().ok()?))
    })
}

/// The highest number of each domain.
fn newest(position: &str) -> BTreeMap<u32, u64> {
    let mut newest = BTreeMap::new();
    for (domain, _, number) in parts(position) {
        let known = newest.entry(domain).or_default();
        *known = number.max(*known);
    }
    newest
}

/// The number of transactions in one state of a binary log (the last one of each domain and server) that another lacks.
/// Within a domain the servers count on from each other, and a primary is the only one that counts.
fn numbers_beyond(state: &str, other: &str) -> u64 {
    let newest = newest(other);
    let of = |domain: u32, server: u32| {
        let known = parts(other).find(|(d, s, _)| (*d, *s) == (domain, server)).map(|(.., number)| number);
        known.or_else(|| newest.get(&domain).copied()).unwrap_or_default()
    };
    parts(state).map(|(domain, server, number)| number.saturating_sub(of(domain, server))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transactions_of_a_set_are_counted() {
        let uuid = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
        assert_eq!(transactions_in(""), 0);
        assert_eq!(transactions_in(&format!("{uuid}:7")), 1);
        assert_eq!(transactions_in(&format!("{uuid}:1-5:7:10-11,{uuid}:mine:1-3")), 11);
    }

    #[test]
    fn transactions_of_a_lost_primary_are_counted_by_domain_and_server() {
        assert_eq!(numbers_beyond("0-1-100", "0-1-100,0-2-160"), 0);
        // The new primary counted on from 97, which was the last one that it had received.
        assert_eq!(numbers_beyond("0-1-100", "0-1-97,0-2-160"), 3);
        assert_eq!(numbers_beyond("0-1-100,7-1-4", "0-1-100"), 4);
        assert_eq!(numbers_beyond("0-1-100", ""), 100);
    }

    #[test]
    fn the_highest_number_of_each_domain_is_the_newest() {
        assert_eq!(newest("0-1-7,0-2-9,3-1-2"), BTreeMap::from([(0, 9), (3, 2)]));
        assert!(newest("").is_empty() && newest("0-1").is_empty());
    }
}
