//! Reading a server's log: its end, and what the usual last words mean.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::time::Duration;

use model::{Advice, OptionId};

/// Lines of a log that an error shows.
const TAIL_LINES: usize = 20;
/// No line of interest is further from the end than this: of a damaged page InnoDB prints all bytes, several times.
const TAIL_BYTES: u64 = 4 * 1024 * 1024;
/// Maximum number of characters kept of a line.
const LINE_CHARS: usize = 400;

/// Lines of errors before them.
const ERROR_LINES: usize = 6;
/// Markers of error lines, and of the line before a server aborts itself.
const ERRORS: [&str; 2] = ["[ERROR]", "Assertion failure"];
/// Markers of the first line of a start.
const START: [&str; 2] = ["starting as process", "Starting MariaDB"];

/// Line after which MariaDB's initialisation prints a page of advice on causes other than the one it just reported.
const ADVICE: &str = "Installation of system tables failed!  Examine the logs in";

/// The last lines of the log at `path`, and before them the errors of the last start, which a long stack trace would hide; a sentence
/// if there is none.
pub(crate) fn tail(path: &Path) -> String {
    let text = end_of(path).unwrap_or_default();
    let is_said = |line: &&str| !line.trim().is_empty();
    let lines = text.lines().take_while(|line| *line != ADVICE).filter(is_said);
    let lines: Vec<&str> = lines
        .map(|line| &line[..line.char_indices().nth(LINE_CHARS).map_or(line.len(), |(end, _)| end)])
        .collect();
    if lines.is_empty() {
        return "(the log is empty)".to_owned();
    }
    let (before, tail) = lines.split_at(lines.len().saturating_sub(TAIL_LINES));
    let start = before.iter().rposition(|line| START.iter().any(|mark| line.contains(mark))).unwrap_or(0);
    let is_error = |line: &&&str| ERRORS.iter().any(|mark| line.contains(mark));
    let errors: Vec<&str> = before[start..].iter().filter(is_error).copied().collect();
    let errors = &errors[errors.len().saturating_sub(ERROR_LINES)..];
    let gap: &[&str] = if errors.is_empty() { &[] } else { &["..."] };
    [errors, gap, tail].concat().join("\n")
}

fn end_of(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL_BYTES)))?;
    let mut bytes = Vec::new();
    file.take(TAIL_BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// InnoDB's message about a page with a wrong checksum, after which it may wait for ever.
const DAMAGED_PAGE: &str = "page corruption on disk";
/// Time without output after which a start that has found such a page is given up.
const STUCK_AFTER: Duration = Duration::from_secs(15);

/// Whether a start hangs on a damaged page.
pub(crate) fn is_stuck(path: &Path) -> bool {
    let quiet = || path.metadata().ok()?.modified().ok()?.elapsed().ok();
    quiet().is_some_and(|quiet| quiet >= STUCK_AFTER) && tail(path).contains(DAMAGED_PAGE)
}

/// The meaning of a log, with advice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The cause.
    pub says: String,
    /// The way out, if there is one.
    pub advice: Option<Advice>,
}

const DISK_FULL: (&str, Cure) = (
    "the disk is full",
    Cure::Words("free some space, or set MYDYNO_HOME to a directory on a larger file system"),
);
const NO_MEMORY: (&str, Cure) =
    ("there is not enough memory", Cure::Set("give it less, such as", "innodb_buffer_pool_size=256M"));
const UNKNOWN: (&str, Cure) =
    ("it does not know a setting that was given", Cure::Check("check the names of its settings"));

/// The advice, in a table of constants.
#[derive(Debug, Clone, Copy)]
enum Cure {
    None,
    Words(&'static str),
    /// Check the settings of the server.
    Check(&'static str),
    /// A setting with its value.
    Set(&'static str, &'static str),
}

impl Cure {
    fn advice(self) -> Option<Advice> {
        match self {
            Self::None => None,
            Self::Words(words) => Some(Advice::words(words)),
            Self::Check(what) => Some(Advice::words(format!("{what}, in the target and beside it"))),
            Self::Set(what, setting) => Some(Advice::value(what, OptionId::Set, setting)),
        }
    }
}

/// The common causes of a server's death, by words of its log, and what to do. The first that occurs counts.
const READINGS: &[(&str, (&str, Cure))] = &[
    ("unknown variable", UNKNOWN),
    ("unknown option", UNKNOWN),
    (
        "ambiguous option",
        ("it cannot tell which setting is meant", Cure::Check("write the names of its settings in full")),
    ),
    (
        "Error while setting value",
        ("it refuses the value of a setting", Cure::Check("check the values of its settings")),
    ),
    (
        "Unknown suffix",
        ("it cannot read the value of a setting", Cure::Check("check the values of its settings")),
    ),
    ("Unknown storage engine", ("it has no such storage engine", Cure::None)),
    ("Address already in use", ("another program has the port", Cure::None)),
    ("out of disk space", DISK_FULL),
    ("No space left on device", DISK_FULL),
    ("Disk is full", DISK_FULL),
    ("Cannot allocate memory", NO_MEMORY),
    ("Can't allocate", NO_MEMORY),
    ("Too many open files", ("the limit of open files is too low", Cure::Words("raise it with ulimit -n"))),
    (
        "Permission denied",
        (
            "it may not read or write a file of the sandbox",
            Cure::Words("check who owns the directory of MYDYNO_HOME"),
        ),
    ),
    (DAMAGED_PAGE, ("a page of its data is damaged", Cure::None)),
    ("Can't open shared library", ("a plugin it was told to load is not there", Cure::None)),
    (
        "error while loading shared libraries",
        ("a library it needs is missing", Cure::Words("install the server anew")),
    ),
    (
        "Different lower_case_table_names",
        ("its data were made with another lower_case_table_names", Cure::Words("remove the server first")),
    ),
];

/// The meaning of a log's end, if it is one of the usual causes.
pub(crate) fn reading(tail: &str) -> Option<Reading> {
    let lower = tail.to_lowercase();
    let (_, (says, cure)) = *READINGS.iter().find(|(needle, _)| lower.contains(&needle.to_lowercase()))?;
    let named = || Some(format!("it does not know {}", unknown_name(tail)?));
    let named = (says == UNKNOWN.0).then(named).flatten();
    Some(Reading { says: named.unwrap_or_else(|| says.to_owned()), advice: cure.advice() })
}

/// The name in `unknown variable 'name=value'`.
fn unknown_name(tail: &str) -> Option<&str> {
    let after = ["unknown variable '", "unknown option '"].iter().find_map(|mark| tail.split_once(mark))?.1;
    let name = after.split('\'').next()?.split('=').next()?.trim_start_matches('-');
    (!name.is_empty()).then_some(name)
}

/// Whether the server ended because another process listens on its port.
pub(crate) fn is_port_taken(tail: &str) -> bool {
    tail.contains("Address already in use")
        || tail.contains("Do you already have another mysqld server running on port")
}

/// Whether Galera gave up because its new thread could not be given a priority yet. It sets one even if none is requested,
/// and a start that fails in this way succeeds when it is repeated.
pub(crate) fn is_galera_race(tail: &str) -> bool {
    tail.contains("Failed to set thread schedparams") && tail.contains("No such process")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_is_the_last_twenty_lines_that_say_something() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let text: String = (0..50).map(|i| format!("line {i}\n\n")).collect();
        std::fs::write(&path, text).unwrap();
        let tail = tail(&path);
        assert_eq!(tail.lines().count(), 20);
        assert!(tail.starts_with("line 30\n") && tail.ends_with("line 49"), "{tail}");
    }

    #[test]
    fn errors_before_a_stack_trace_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let trace: String = (0..30).map(|i| format!(" #{i} 0x7f <unknown>\n")).collect();
        let text = format!(
            "[ERROR] of the start before\nmysqld starting as process 7\n[Note] fine\n[ERROR] a page is corrupt\n{trace}"
        );
        std::fs::write(&path, text).unwrap();
        let tail = tail(&path);
        assert!(tail.starts_with("[ERROR] a page is corrupt\n...\n #10 "), "{tail}");
        assert_eq!(tail.lines().count(), 22);
        std::fs::write(&path, "é0".repeat(9000)).unwrap();
        assert_eq!(super::tail(&path).chars().count(), LINE_CHARS);
    }

    #[test]
    fn the_advice_of_mariadbs_initialisation_does_not_hide_the_cause() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        std::fs::write(&path, format!("[ERROR] Aborting\n\n{ADVICE}\n/x for more information.\n")).unwrap();
        assert_eq!(tail(&path), "[ERROR] Aborting");
    }

    #[test]
    fn a_start_that_hangs_on_a_damaged_page_is_recognised() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let text = "[ERROR] [MY-011906] [InnoDB] Database page corruption on disk or a failed file read of page 3.\n";
        std::fs::write(&path, text).unwrap();
        // It may still go on.
        assert!(!is_stuck(&path));
        let long_ago = std::time::SystemTime::now() - STUCK_AFTER;
        File::options().write(true).open(&path).unwrap().set_modified(long_ago).unwrap();
        assert!(is_stuck(&path));
        assert!(reading(&tail(&path)).is_some_and(|reading| reading.says.contains("damaged")));
        std::fs::write(&path, "all is well").unwrap();
        File::options().write(true).open(&path).unwrap().set_modified(long_ago).unwrap();
        assert!(!is_stuck(&path));
    }

    #[test]
    fn only_galeras_race_is_bad_luck() {
        let race = "[ERROR] WSREP: failed to open gcomm backend connection: 3: Failed to set thread schedparams other:0: System error: 3 (No such process)";
        assert!(is_galera_race(race));
        let forbidden = "[ERROR] WSREP: Failed to set thread schedparams fifo:99: System error: 1 (Operation not permitted)";
        assert!(!is_galera_race(forbidden));
    }

    #[test]
    fn a_missing_log_is_said_to_be_empty() {
        assert_eq!(tail(Path::new("/nonexistent/log")), "(the log is empty)");
    }

    #[test]
    fn the_usual_causes_are_recognised_in_both_flavours() {
        let cases = [
            (
                "[ERROR] [MY-000067] [Server] unknown variable 'inodb=1'.",
                "it does not know inodb",
                "check the names",
            ),
            ("[ERROR] mariadbd: unknown variable 'inodb=1'", "it does not know inodb", "check the names"),
            ("[ERROR] Can't start server: Bind on TCP/IP port: Address already in use", "has the port", ""),
            ("[ERROR] InnoDB: Error number 28 means 'No space left on device'", "disk is full", "free some"),
            (
                "[ERROR] InnoDB: Cannot allocate memory for the buffer pool",
                "not enough memory",
                "give it less",
            ),
            ("Can't create test file (Errcode: 13 \"Permission denied\")", "may not read", "who owns"),
        ];
        for (log, cause, cure) in cases {
            let Reading { says, advice } = reading(log).expect(log);
            assert!(says.contains(cause), "{log}: {says}");
            assert!(advice.map_or(cure.is_empty(), |advice| advice.what.contains(cure)), "{log}: {cure}");
        }
        assert_eq!(reading("all is well"), None);
    }
}
