//! The rows of a server that has recovered from a crash, held against the journal.

use std::collections::{BTreeMap, BTreeSet};

use model::{BinaryLog, JournalEntry, RecoveredRows};
use wire::ConnectOptions;

use crate::binary_log::{LogStart, logged_since};
use crate::journal::{BALANCE, client_of, content};

/// A transaction that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Present {
    content: String,
    from: u32,
    to: u32,
    amount: u32,
}

/// The content of the journal's tables.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Rows {
    /// Transfers by client and number.
    transfers: BTreeMap<(u32, u64), Present>,
    /// Balances by client and account.
    balances: BTreeMap<(u32, u32), i64>,
}

/// The state at the crash.
pub(crate) struct Expected<'a> {
    pub entries: &'a [JournalEntry],
    pub seed: u64,
    /// Time of the crash: later acknowledgements do not count.
    pub crashed_us: u64,
    /// The end of the binary log before the first entry; none: there is no log; an error: the reason it is unknown.
    pub log: &'a Result<Option<LogStart>, String>,
}

/// Reads a server that has recovered, and compares.
pub(crate) fn recovered_rows(
    connect: &ConnectOptions,
    expected: &Expected<'_>,
) -> Result<RecoveredRows, String> {
    let Expected { entries, seed, crashed_us, log } = *expected;
    let rows = read(connect)?;
    let mut found = compare(&rows, entries, seed, crashed_us);
    found.binary_log = log.as_ref().map(Option::as_ref).transpose().map(|start| {
        let logged = start.map_err(Clone::clone).and_then(|start| logged_since(connect, start));
        let in_tables = rows.transfers.keys().copied().collect();
        logged.map_or_else(BinaryLog::Unreadable, |logged| {
            BinaryLog::Compared(logged.compare(entries, &in_tables, crashed_us))
        })
    });
    found.damaged = check_tables(connect)?;
    Ok(found)
}

fn read(connect: &ConnectOptions) -> Result<Rows, String> {
    let mut client = client_of(connect)?;
    let mut ask = |sql: &str| client.query(sql).map_err(|error| error.to_string());
    let strange = || "the tables of the journal hold something else than numbers".to_owned();
    let mut rows = Rows::default();
    for row in ask("SELECT client, n, content, charged, credited, amount FROM mydyno.transfers")?.rows {
        let number = |at: usize| row.parse::<u32>(at).ok_or_else(strange);
        let n = row.parse::<u64>(1).ok_or_else(strange)?;
        let content = row.text(2).unwrap_or_default().to_owned();
        let present = Present { content, from: number(3)?, to: number(4)?, amount: number(5)? };
        rows.transfers.insert((number(0)?, n), present);
    }
    for row in ask("SELECT client, account, balance FROM mydyno.accounts")?.rows {
        let number = |at: usize| row.parse::<u32>(at).ok_or_else(strange);
        rows.balances.insert((number(0)?, number(1)?), row.parse(2).ok_or_else(strange)?);
    }
    Ok(rows)
}

/// Client and number of each transaction of the journal that is there.
pub(crate) fn transfers_in(connect: &ConnectOptions) -> Result<BTreeSet<(u32, u64)>, String> {
    let found = client_of(connect)?.query("SELECT client, n FROM mydyno.transfers");
    let found = found.map_err(|error| error.to_string())?;
    let key = |row: &wire::Row| Some((row.parse(0)?, row.parse(1)?));
    let keys = found.rows.iter().map(key).collect::<Option<_>>();
    keys.ok_or_else(|| "the tables of the journal hold something else than numbers".to_owned())
}

/// The result of CHECK TABLE for each damaged table.
fn check_tables(connect: &ConnectOptions) -> Result<Vec<String>, String> {
    const NAMES: &str = "SELECT CONCAT('`', table_schema, '`.`', table_name, '`') FROM information_schema.tables \
        WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema')";
    let mut client = client_of(connect)?;
    let mut ask = |sql: &str| client.query(sql).map_err(|error| error.to_string());
    let names: Vec<String> =
        ask(NAMES)?.rows.iter().filter_map(|row| Some(row.text(0)?.to_owned())).collect();
    let mut damaged = Vec::new();
    for name in names {
        // The last line of its answer is the verdict.
        let answer = ask(&format!("CHECK TABLE {name}"))?;
        let verdict = answer.rows.last().and_then(|row| row.text(3)).unwrap_or_default();
        if verdict != "OK" {
            damaged.push(format!("{name}: {verdict}"));
        }
    }
    Ok(damaged)
}

fn compare(rows: &Rows, entries: &[JournalEntry], seed: u64, crashed_us: u64) -> RecoveredRows {
    let mut found = RecoveredRows::default();
    let mut newest: BTreeMap<u32, u64> = BTreeMap::new();
    rows.transfers.keys().for_each(|(client, n)| {
        let newest = newest.entry(*client).or_default();
        *newest = (*newest).max(*n);
    });
    let mut oldest_lost_us: Option<u64> = None;
    for entry in entries {
        let present = rows.transfers.get(&(entry.client, entry.n));
        let acknowledged_us = entry.acknowledged_us.filter(|at| *at <= crashed_us);
        match (present, acknowledged_us) {
            (None, Some(at)) => {
                found.lost += 1;
                found.out_of_order +=
                    u64::from(newest.get(&entry.client).is_some_and(|newest| *newest > entry.n));
                oldest_lost_us = Some(oldest_lost_us.map_or(at, |oldest| oldest.min(at)));
            }
            (Some(present), _) => {
                let is_whole = present.content == content(entry, seed)
                    && (present.from, present.to, present.amount) == (entry.from, entry.to, entry.amount);
                found.partial += u64::from(!is_whole || entry.refused);
                found.unacknowledged += u64::from(acknowledged_us.is_none());
            }
            (None, None) => {}
        }
    }
    let sent: BTreeSet<(u32, u64)> = entries.iter().map(|entry| (entry.client, entry.n)).collect();
    found.never_sent = rows.transfers.keys().filter(|key| !sent.contains(key)).count() as u64;
    let mut due: BTreeMap<(u32, u32), i64> = BTreeMap::new();
    for ((client, _), one) in &rows.transfers {
        *due.entry((*client, one.from)).or_default() -= i64::from(one.amount);
        *due.entry((*client, one.to)).or_default() += i64::from(one.amount);
    }
    let wrong = rows
        .balances
        .iter()
        .filter(|(account, balance)| **balance != BALANCE + due.get(account).copied().unwrap_or_default());
    found.partial += wrong.count() as u64;
    found.lost_ms = oldest_lost_us.map(|at| (crashed_us - at) as f64 / 1e3);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: u64 = 7;

    fn entry(client: u32, n: u64, acknowledged_us: Option<u64>) -> JournalEntry {
        let (from, to) = ((n % 2) as u32, ((n + 1) % 2) as u32);
        JournalEntry {
            client,
            n,
            from,
            to,
            amount: 10,
            sent_us: n,
            acknowledged_us,
            refused: false,
            server: 0,
        }
    }

    /// The rows that these transactions leave.
    fn rows(of: &[JournalEntry]) -> Rows {
        let mut rows = Rows::default();
        for client in 0..2 {
            (0..2).for_each(|account| _ = rows.balances.insert((client, account), BALANCE));
        }
        for one in of {
            let present =
                Present { content: content(one, SEED), from: one.from, to: one.to, amount: one.amount };
            rows.transfers.insert((one.client, one.n), present);
            *rows.balances.get_mut(&(one.client, one.from)).expect("an account") -= i64::from(one.amount);
            *rows.balances.get_mut(&(one.client, one.to)).expect("an account") += i64::from(one.amount);
        }
        rows
    }

    #[test]
    fn nothing_is_lost_where_all_that_was_acknowledged_is_there() {
        let entries = [entry(0, 1, Some(100)), entry(0, 2, Some(200)), entry(1, 1, None), entry(1, 2, None)];
        let found = compare(&rows(&entries[..3]), &entries, SEED, 1000);
        assert_eq!(found, RecoveredRows { unacknowledged: 1, ..RecoveredRows::default() });
    }

    #[test]
    fn a_commit_that_is_missing_has_its_age_and_a_hole_is_named() {
        let entries = [
            entry(0, 1, Some(1000)),
            entry(0, 2, Some(2000)),
            entry(1, 1, Some(3000)),
            entry(1, 2, Some(9500)),
        ];
        let found = compare(&rows(&[entries[1]]), &entries, SEED, 9000);
        // The last one was acknowledged after the crash, by a server that did not know of it yet.
        assert_eq!((found.lost, found.out_of_order, found.lost_ms), (2, 1, Some(8.0)));
    }

    #[test]
    fn a_commit_that_only_the_journal_claims_is_lost() {
        let entries = [entry(0, 1, Some(10))];
        let invented = entry(0, 2, Some(20));
        let found = compare(&rows(&entries), &[entries[0], invented], SEED, 1000);
        assert_eq!((found.lost, found.lost_ms), (1, Some(0.98)));
    }

    #[test]
    fn a_transaction_is_whole_or_not_at_all_and_sent_by_somebody() {
        let entries = [entry(0, 1, Some(10)), entry(0, 2, Some(20))];
        let mut half = rows(&entries);
        *half.balances.get_mut(&(0, 0)).expect("an account") += 10;
        assert_eq!(compare(&half, &entries, SEED, 1000).partial, 1);
        let mut other = rows(&entries);
        other.transfers.get_mut(&(0, 2)).expect("it is there").content.clear();
        assert_eq!(compare(&other, &entries, SEED, 1000).partial, 1);
        assert_eq!(compare(&rows(&entries), &entries[..1], SEED, 1000).never_sent, 1);
        let refused = JournalEntry { refused: true, acknowledged_us: None, ..entries[1] };
        assert_eq!(compare(&rows(&entries), &[entries[0], refused], SEED, 1000).partial, 1);
    }
}
