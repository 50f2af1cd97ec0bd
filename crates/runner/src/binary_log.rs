//! The binary log across a crash: where it ended before the journal began, and which transactions of the journal it holds afterwards.

use std::collections::BTreeSet;

use model::{ComparedLog, JournalEntry};
use wire::{Client, ConnectOptions, Row};

use crate::journal::{INSERT, client_of};

/// Events that are read at once.
const PAGE: u64 = 10_000;
/// Position of the first event in a file.
const FIRST: u64 = 4;
/// Error of a statement that this server does not have.
const ER_PARSE_ERROR: u16 = 1064;
/// Error of a position or an event that cannot be read.
const ER_WHEN_EXECUTING: u16 = 1220;

/// A transaction of the journal: client and number.
pub(crate) type Key = (u32, u64);

/// The end of the binary log at some time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LogStart {
    file: String,
    position: u64,
    /// Statement that adds the text of a session's statements to the log, beside the rows that they change.
    pub with_statements: &'static str,
}

/// The current end of the binary log; none: the server writes none.
pub(crate) fn log_start(connect: &ConnectOptions) -> Result<Option<LogStart>, String> {
    let mut client = client_of(connect)?;
    let with_statements = if client.session().is_mariadb {
        "SET SESSION binlog_annotate_row_events = ON"
    } else {
        "SET SESSION binlog_rows_query_log_events = ON"
    };
    let status = match client.query("SHOW BINARY LOG STATUS") {
        // MySQL before 8.2, and MariaDB.
        Err(error) if error.server_error().is_some_and(|error| error.code == ER_PARSE_ERROR) => {
            client.query("SHOW MASTER STATUS")
        }
        other => other,
    };
    let status = status.map_err(|error| error.to_string())?;
    let Some(row) = status.first() else { return Ok(None) };
    let (Some(file), Some(position)) = (row.text(0), row.parse(1)) else {
        return Err("the server does not say where its binary log ends".to_owned());
    };
    if [2, 3].iter().any(|filter| row.text(*filter).is_some_and(|names| !names.is_empty())) {
        return Err("the binary log is filtered by database (binlog_do_db, binlog_ignore_db)".to_owned());
    }
    client.execute(with_statements).map_err(|error| error.to_string())?;
    Ok(Some(LogStart { file: file.to_owned(), position, with_statements }))
}

/// The transactions of the journal in the binary log.
#[derive(Debug, Default)]
pub(crate) struct Logged {
    committed: BTreeSet<Key>,
    /// The transaction whose commit has not been read yet.
    pending: Option<Key>,
    damaged_end: Option<String>,
}

/// Reads the transactions written since `start`.
pub(crate) fn logged_since(connect: &ConnectOptions, start: &LogStart) -> Result<Logged, String> {
    let mut client = client_of(connect)?;
    let answer = client.query("SHOW BINARY LOGS").map_err(|error| error.to_string())?;
    let files: Vec<(String, u64)> =
        answer.rows.iter().filter_map(|row| Some((row.text(0)?.to_owned(), row.parse(1)?))).collect();
    let mut logged = Logged::default();
    for (file, from) in parts_since(&files, start) {
        logged.read_file(&mut client, &file, from)?;
    }
    Ok(logged)
}

/// The files written since, and the position from which to read: names and sizes are those after the crash. A file that was
/// truncated before the position contributes nothing, nor does one that is gone.
fn parts_since(files: &[(String, u64)], start: &LogStart) -> Vec<(String, u64)> {
    let number = |file: &str| file.rsplit('.').next().and_then(|number| number.parse::<u64>().ok());
    let first = number(&start.file);
    let since = files.iter().filter(|(file, _)| number(file) >= first);
    let parts =
        since.map(|(file, size)| (file, *size, if *file == start.file { start.position } else { FIRST }));
    parts.filter(|(_, size, from)| from < size).map(|(file, _, from)| (file.clone(), from)).collect()
}

/// The step after a page of events.
#[derive(Debug, PartialEq, Eq)]
enum Next {
    /// None: it was the last page.
    End,
    /// Read another page from a position. This number of events of the current page is read again there.
    From(u64, usize),
}

impl Logged {
    /// Reads a file page by page. An unreadable event ends it, as it does for a replica: the server was writing it.
    fn read_file(&mut self, client: &mut Client, file: &str, mut from: u64) -> Result<(), String> {
        self.pending = None;
        loop {
            let (rows, damage) = page(client, file, from)?;
            let next = if damage.is_some() { Next::End } else { next_page(&rows)? };
            let again = if let Next::From(_, again) = next { again } else { 0 };
            rows[..rows.len() - again].iter().for_each(|row| {
                self.event(row.text(2).unwrap_or_default(), row.text(5).unwrap_or_default());
            });
            self.damaged_end = self.damaged_end.take().or(damage);
            match next {
                Next::End => return Ok(()),
                Next::From(position, _) => from = position,
            }
        }
    }

    fn event(&mut self, kind: &str, info: &str) {
        if let Some(key) = key_of(info) {
            self.pending = Some(key);
        } else if kind == "Xid" || (kind == "Query" && info.ends_with("COMMIT")) {
            self.committed.extend(self.pending.take());
        } else if info.starts_with("BEGIN") || info.ends_with("ROLLBACK") {
            self.pending = None;
        }
    }

    /// Holds them against the journal and the transactions in the tables.
    pub fn compare(
        self,
        entries: &[JournalEntry],
        in_tables: &BTreeSet<Key>,
        crashed_us: u64,
    ) -> ComparedLog {
        let acknowledged = entries.iter().filter_map(|entry| {
            let at = entry.acknowledged_us.filter(|at| *at <= crashed_us)?;
            Some(((entry.client, entry.n), at))
        });
        let lost: Vec<u64> =
            acknowledged.filter(|(key, _)| !self.committed.contains(key)).map(|(_, at)| at).collect();
        ComparedLog {
            lost: lost.len() as u64,
            lost_ms: lost.iter().min().map(|at| (crashed_us - at) as f64 / 1e3),
            only_in_tables: in_tables.difference(&self.committed).count() as u64,
            only_in_log: self.committed.difference(in_tables).count() as u64,
            damaged_end: self.damaged_end,
        }
    }
}

/// The transaction that an event belongs to, if its text is that of a statement of the journal.
fn key_of(info: &str) -> Option<Key> {
    let (_, values) = info.split_once(INSERT)?;
    let mut values = values.split(", ");
    Some((values.next()?.parse().ok()?, values.next()?.parse().ok()?))
}

/// A page of events from a position; if one cannot be read, those before it with the server's error.
fn page(client: &mut Client, file: &str, from: u64) -> Result<(Vec<Row>, Option<String>), String> {
    let mut ask = |events: u64| {
        client
            .query(&format!("SHOW BINLOG EVENTS IN '{file}' FROM {from} LIMIT {events}"))
            .map(|found| found.rows)
    };
    let error = match ask(PAGE) {
        Ok(rows) => return Ok((rows, None)),
        Err(error) => error,
    };
    let Some(damage) = error.server_error().filter(|error| error.code == ER_WHEN_EXECUTING) else {
        return Err(error.to_string());
    };
    let damage = format!("{file}: {}", damage.message);
    // The server sends all or nothing: how much can be read is found by halves.
    let (mut readable, mut too_many, mut rows) = (0, PAGE, Vec::new());
    while readable + 1 < too_many {
        let events = readable + (too_many - readable) / 2;
        match ask(events) {
            Ok(found) => (readable, rows) = (events, found),
            Err(error) if error.server_error().is_some() => too_many = events,
            Err(error) => return Err(error.to_string()),
        }
    }
    Ok((rows, Some(damage)))
}

/// The step after a page.
fn next_page(rows: &[Row]) -> Result<Next, String> {
    let places: Option<Vec<(u64, u64)>> =
        rows.iter().map(|row| Some((row.parse(1)?, row.parse(4)?))).collect();
    places
        .ok_or_else(|| "the server does not say where an event begins or ends".to_owned())
        .and_then(|places| next_after(&places, PAGE as usize))
}

/// The step by the positions at which the page's events begin and end: the last one is read again. The events of a
/// compressed transaction begin and end where all of it ends, so that with one of them the whole transaction is. MariaDB
/// may report no end (0).
fn next_after(places: &[(u64, u64)], page: usize) -> Result<Next, String> {
    if places.len() < page {
        return Ok(Next::End);
    }
    match places.iter().rposition(|(position, end)| *end == 0 || end > position) {
        Some(last) if last > 0 => Ok(Next::From(places[last].0, places.len() - last)),
        _ => Err(format!("a transaction in the binary log has more than {page} events")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(file: &str, position: u64) -> LogStart {
        LogStart { file: file.to_owned(), position, with_statements: "" }
    }

    fn entry(client: u32, n: u64, acknowledged_us: Option<u64>) -> JournalEntry {
        JournalEntry {
            client,
            n,
            from: 0,
            to: 1,
            amount: 10,
            sent_us: n,
            acknowledged_us,
            refused: false,
            server: 0,
        }
    }

    /// The log after these events, each with its type and text.
    fn logged(events: &[(&str, &str)]) -> Logged {
        let mut logged = Logged::default();
        events.iter().for_each(|(kind, info)| logged.event(kind, info));
        logged
    }

    fn insert(client: u32, n: u64) -> String {
        format!("# {INSERT}{client}, {n}, 'f00', 1, 2, 30)")
    }

    /// The log that holds these transactions.
    fn log_of(keys: &[Key]) -> Logged {
        Logged { committed: keys.iter().copied().collect(), ..Logged::default() }
    }

    const ROWS: [(&str, &str); 3] = [
        ("Table_map", "table_id: 109 (mydyno.transfers)"),
        ("Write_rows", "table_id: 109 flags: STMT_END_F"),
        ("Rows_query", "# UPDATE mydyno.accounts SET balance = balance - 3 WHERE client = 0 AND account = 1"),
    ];

    #[test]
    fn transactions_are_found_in_each_format_of_either_server() {
        let (first, second) = (insert(0, 1), insert(3, 20_000_000_000));
        let commit = ("Xid", "COMMIT /* xid=20 */");
        let mysql = [
            &[("Gtid", "SET @@SESSION.GTID_NEXT= 'a:4'"), ("Query", "BEGIN"), ("Rows_query", &first)][..],
            &ROWS,
            &[commit],
        ];
        assert_eq!(logged(&mysql.concat()).committed, BTreeSet::from([(0, 1)]));
        let mariadb =
            [&[("Gtid", "BEGIN GTID 0-1-4"), ("Annotate_rows", &second[2..])][..], &ROWS, &[commit]];
        assert_eq!(logged(&mariadb.concat()).committed, BTreeSet::from([(3, 20_000_000_000)]));
        let text = format!("use `sbtest`; {}", &first[2..]);
        let statements = [("Query", "BEGIN"), ("Query", &text), ("Query", "COMMIT")];
        assert_eq!(logged(&statements).committed, BTreeSet::from([(0, 1)]));
    }

    #[test]
    fn a_transaction_whose_commit_is_missing_is_not_there() {
        let (first, second) = (insert(0, 1), insert(0, 2));
        let commit = ("Xid", "COMMIT /* xid=20 */");
        let cut_off =
            [&[("Rows_query", first.as_str()), commit, ("Rows_query", &second)][..], &ROWS].concat();
        assert_eq!(logged(&cut_off).committed, BTreeSet::from([(0, 1)]));
        // A commit that is not its own does not count.
        let other = [("Rows_query", first.as_str()), ("Gtid", "BEGIN GTID 0-1-5"), commit];
        assert_eq!(logged(&other).committed, BTreeSet::new());
        let taken_back = [("Rows_query", first.as_str()), ("Query", "ROLLBACK"), commit];
        assert_eq!(logged(&taken_back).committed, BTreeSet::new());
    }

    #[test]
    fn a_log_that_agrees_has_nothing_to_report() {
        let entries = [entry(0, 1, Some(100)), entry(0, 2, None), entry(1, 1, Some(9_999))];
        let keys = [(0, 1), (0, 2)];
        let found = log_of(&keys).compare(&entries, &BTreeSet::from(keys), 1_000);
        assert_eq!(found, ComparedLog::default());
    }

    #[test]
    fn a_transaction_that_the_log_lacks_is_found_with_its_age() {
        let entries = [entry(0, 1, Some(1_000)), entry(0, 2, Some(2_000)), entry(0, 3, Some(3_000))];
        let found = log_of(&[(0, 1)]).compare(&entries, &BTreeSet::from([(0, 1), (0, 2)]), 10_000);
        let expected =
            ComparedLog { lost: 2, lost_ms: Some(8.0), only_in_tables: 1, ..ComparedLog::default() };
        assert_eq!(found, expected);
    }

    #[test]
    fn a_transaction_that_the_tables_lack_is_found() {
        let entries = [entry(0, 1, Some(1_000)), entry(0, 2, Some(2_000))];
        let found = log_of(&[(0, 1), (0, 2)]).compare(&entries, &BTreeSet::from([(0, 1)]), 10_000);
        assert_eq!(found, ComparedLog { only_in_log: 1, ..ComparedLog::default() });
    }

    #[test]
    fn files_are_read_from_where_the_log_ended_and_not_beyond_their_size() {
        let files = |sizes: &[(u32, u64)]| -> Vec<(String, u64)> {
            sizes.iter().map(|(number, size)| (format!("binlog.{number:06}"), *size)).collect()
        };
        let since = start("binlog.000010", 500);
        assert_eq!(
            parts_since(&files(&[(9, 900), (10, 900), (11, 158)]), &since),
            files(&[(10, 500), (11, FIRST)])
        );
        // Cut off before the position, right there, and gone.
        assert_eq!(parts_since(&files(&[(10, 400), (11, 158)]), &since), files(&[(11, FIRST)]));
        assert_eq!(parts_since(&files(&[(10, 500)]), &since), []);
        assert_eq!(parts_since(&files(&[(9, 900)]), &since), []);
        assert_eq!(
            parts_since(&files(&[(999_999, 900), (1_000_000, 900)]), &start("binlog.1000000", 1)).len(),
            1
        );
    }

    #[test]
    fn the_last_event_of_a_page_is_read_again_and_a_compressed_transaction_as_a_whole() {
        let plain = [(4, 100), (100, 200), (200, 300)];
        assert_eq!(next_after(&plain, 4), Ok(Next::End));
        assert_eq!(next_after(&[], 3), Ok(Next::End));
        assert_eq!(next_after(&plain, 3), Ok(Next::From(200, 1)));
        // Three pages that stop after the event that holds the others, within these, and after the next one.
        let compressed = [(4, 100), (100, 300), (300, 300), (300, 300), (300, 400)];
        assert_eq!(next_after(&compressed[..2], 2), Ok(Next::From(100, 1)));
        assert_eq!(next_after(&compressed[..4], 4), Ok(Next::From(100, 3)));
        assert_eq!(next_after(&compressed, 5), Ok(Next::From(300, 1)));
        assert!(next_after(&compressed[1..4], 3).is_err());
        // As MariaDB 11.8 says it.
        assert_eq!(next_after(&[(4, 100), (100, 0), (200, 0)], 3), Ok(Next::From(200, 1)));
    }
}
