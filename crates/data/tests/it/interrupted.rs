//! On real servers: a load that is interrupted, killed or cut off goes on where it stopped, and no row is doubled.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::common::{FLAVOURS, Lab, check, cleanup, prepare, set, tables};
use data::{DataError, Depth, Job, PrepareOutcome, Prepared};
use model::SysbenchData;
use wire::{ConnectOptions, Secret, ServerAddress};

const ROWS: u64 = 100_000;

fn assert_same_as_uninterrupted(lab: &Lab, data: &SysbenchData) {
    prepare(&lab.connect("whole"), data, 3).unwrap();
    assert_eq!(lab.checksum("sb", data.tables), lab.checksum("whole", data.tables));
    assert!(!lab.exists("sb", "mydyno_prepare"));
    let checked = check(&lab.connect("sb"), data, Depth::Exact { connections: 2 }).unwrap();
    assert_eq!((checked.rows, checked.cautions), (Some(data.table_size * u64::from(data.tables)), vec![]));
}

/// Prepares, and presses Ctrl-C as soon as a chunk is loaded.
fn interrupted_prepare(lab: &Lab, data: &SysbenchData, seed: u64) -> Result<Prepared, DataError> {
    let cancel = AtomicBool::new(false);
    let job = Job { connect: &lab.connect("sb"), data: &set(data), seed, threads: 2, cancel: &cancel };
    std::thread::scope(|scope| {
        let load = scope.spawn(|| data::prepare(&job, &|_| {}));
        while !load.is_finished() && loaded_chunks(lab) < 1 {
            std::thread::sleep(Duration::from_millis(5));
        }
        cancel.store(true, Ordering::Relaxed);
        load.join().unwrap()
    })
}

/// Chunks that are in the ledger; 0 if there is none.
fn loaded_chunks(lab: &Lab) -> u64 {
    let answer = lab.client().query("SELECT COUNT(*) FROM sb.mydyno_prepare WHERE chunk >= 0");
    answer.ok().and_then(|rows| rows.first()?.parse(0)).unwrap_or(0)
}

#[test]
fn an_interrupted_load_goes_on_where_it_stopped() {
    for flavour in FLAVOURS {
        let lab = Lab::new("cancelled", flavour, &[]);
        let data = tables(2, ROWS);
        let error = interrupted_prepare(&lab, &data, 1).unwrap_err();
        let DataError::Interrupted { rows_done, rows } = error else { panic!("{error}") };
        assert!(rows_done > 0 && rows_done < rows && rows == 2 * ROWS, "{rows_done} of {rows}");

        let error = check(&lab.connect("sb"), &data, Depth::Present).unwrap_err();
        assert!(matches!(error, DataError::Incomplete { .. }), "{error}");
        let error = prepare(&lab.connect("sb"), &tables(2, ROWS + 1), 1).unwrap_err();
        assert!(matches!(error, DataError::Unfinished { .. }), "{error}");

        // The seed of the resumed load is that of the first attempt.
        let cancel = AtomicBool::new(false);
        let connect = lab.connect("sb");
        let job = Job { connect: &connect, data: &set(&data), seed: 99, threads: 4, cancel: &cancel };
        let prepared = data::prepare(&job, &|_| {}).unwrap();
        // A chunk may have been committed just when the interruption was reported, so there can be less left to do.
        assert_eq!(prepared.outcome, PrepareOutcome::Loaded);
        assert!(
            prepared.rows_loaded > 0 && prepared.rows_loaded <= 2 * ROWS - rows_done,
            "{}",
            prepared.rows_loaded
        );
        assert_same_as_uninterrupted(&lab, &data);
    }
}

#[test]
fn an_engine_without_transactions_is_resumed_exactly_too() {
    for flavour in FLAVOURS {
        let lab = Lab::new("myisam", flavour, &[]);
        let data = SysbenchData { engine: "myisam".to_owned(), ..tables(1, ROWS) };
        let error = interrupted_prepare(&lab, &data, 1).unwrap_err();
        assert!(matches!(error, DataError::Interrupted { .. }), "{error}");
        // As if the load had been killed in the midst of a chunk.
        lab.tell(&["INSERT INTO sb.sbtest1 VALUES (99999, 1, 'half', 'done')"]);
        prepare(&lab.connect("sb"), &data, 2).unwrap();
        assert_same_as_uninterrupted(&lab, &data);
    }
}

#[test]
fn connections_that_are_lost_are_made_again() {
    for flavour in FLAVOURS {
        let lab = Lab::new("cut-off", flavour, &[]);
        let data = tables(1, ROWS);
        let connect = lab.connect("sb");
        let prepared = std::thread::scope(|scope| {
            let load = scope.spawn(|| prepare(&connect, &data, 2));
            let mut killed = 0;
            while killed < 4 && !load.is_finished() {
                killed += kill_loading(&lab);
                std::thread::sleep(Duration::from_millis(20));
            }
            assert!(killed > 0, "the load was over before a connection could be killed");
            load.join().unwrap()
        })
        .unwrap();
        assert!(prepared.retries > 0);
        assert_same_as_uninterrupted(&lab, &data);
    }
}

/// Kills the connections that are loading rows; how many there were.
fn kill_loading(lab: &Lab) -> u32 {
    let mut client = lab.client();
    let found =
        client.query("SELECT ID FROM information_schema.PROCESSLIST WHERE INFO LIKE 'LOAD DATA%'").unwrap();
    let kills =
        found.rows.iter().filter(|row| client.execute(&format!("KILL {}", row.text(0).unwrap())).is_ok());
    kills.count() as u32
}

const CHILD_SOCKET: &str = "MYDYNO_TEST_CHILD_SOCKET";
const CHILD_USER: &str = "MYDYNO_TEST_CHILD_USER";
const CHILD_PASSWORD: &str = "MYDYNO_TEST_CHILD_PASSWORD";

/// Not a test of its own: the process that the next test kills.
#[test]
#[ignore = "is started by killed_processes_leave_nothing_doubled"]
fn child_that_loads() {
    let Some(socket) = std::env::var_os(CHILD_SOCKET) else { return };
    let mut connect =
        ConnectOptions::new(ServerAddress::Unix(PathBuf::from(socket)), std::env::var(CHILD_USER).unwrap());
    connect.password = Some(Secret::new(std::env::var(CHILD_PASSWORD).unwrap()));
    connect.database = Some("sb".to_owned());
    prepare(&connect, &tables(2, ROWS), 2).unwrap();
}

#[test]
fn killed_processes_leave_nothing_doubled() {
    for flavour in FLAVOURS {
        let lab = Lab::new("killed", flavour, &[]);
        let connect = lab.connect("sb");
        let ServerAddress::Unix(socket) = &connect.address else { panic!("the sandbox has a socket") };
        let mut cut_short = 0;
        for pause_ms in [30, 150, 300, 450, 600, 750] {
            let mut child = Command::new(std::env::current_exe().unwrap())
                .args(["--ignored", "--exact", "interrupted::child_that_loads"])
                .env(CHILD_SOCKET, socket)
                .env(CHILD_USER, &connect.user)
                .env(CHILD_PASSWORD, lab.server.password().expose())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_millis(pause_ms));
            child.kill().unwrap();
            child.wait().unwrap();
            cut_short += u32::from(lab.exists("sb", "mydyno_prepare"));
        }
        assert!(cut_short > 0, "no process was killed in the midst of its load");
        let data = tables(2, ROWS);
        prepare(&connect, &data, 3).unwrap();
        assert_same_as_uninterrupted(&lab, &data);
    }
}

#[test]
fn what_an_interrupted_load_left_can_be_cleaned_up() {
    let lab = Lab::new("cleaned", FLAVOURS[1], &[]);
    let data = tables(2, ROWS);
    interrupted_prepare(&lab, &data, 1).unwrap_err();
    let cleaned = cleanup(&lab.connect("sb"), None).unwrap();
    assert_eq!(cleaned.dropped, ["mydyno_prepare", "sbtest1", "sbtest2"]);
    assert_eq!(lab.tables("sb"), Vec::<String>::new());
    // A user who drops a table by hand gets no half data set.
    interrupted_prepare(&lab, &data, 1).unwrap_err();
    lab.tell(&["DROP TABLE sb.sbtest1"]);
    let error = prepare(&lab.connect("sb"), &data, 2).unwrap_err();
    assert!(error.to_string().contains("sbtest1 has been dropped"), "{error}");
}
