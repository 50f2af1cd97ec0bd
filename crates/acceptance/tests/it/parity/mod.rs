//! mydyno does to a server what sysbench 1.0 does: the server's own general log is the witness.
//!
//! For every workload, in both protocols, real sysbench and mydyno run the same number of transactions on the same
//! tables, one after the other, with one client. Both logs must show the same statements in the same order, transaction
//! by transaction; only the values differ, and these must be drawn from the same ranges. One server per flavour serves
//! all cases of a test, each in a database of its own.

mod cases;
mod laboratory;
mod log;
mod statement;
mod values;

use std::collections::BTreeMap;
use std::time::Duration;

use cases::Case;
use laboratory::Laboratory;
use load::{Limit, Stopped};
use log::Logged;
use model::{Flavour, PsMode, SysbenchOptions, SysbenchWorkload, WorkloadSpec};
use statement::Statement;

fn every_case_sends_the_same(name: &str, flavour: Flavour, cases: Vec<Case>) {
    let mut laboratory = Laboratory::start(name, flavour);
    for case in cases {
        sends_the_same(&mut laboratory, &case);
    }
    laboratory.stop();
}

#[test]
fn on_mysql_every_workload_sends_what_sysbench_sends() {
    every_case_sends_the_same("t-parity-mysql", Flavour::Mysql, cases::every_workload());
}

#[test]
fn on_mysql_every_option_sends_what_sysbench_sends() {
    every_case_sends_the_same("t-parity-mysql-options", Flavour::Mysql, cases::options());
}

#[test]
fn on_mariadb_it_sends_what_sysbench_sends_there() {
    every_case_sends_the_same("t-parity-mariadb", Flavour::Mariadb, cases::on_mariadb());
}

fn sysbench_runs_on_our_tables(flavour: Flavour) {
    let mut laboratory = Laboratory::start(&format!("t-parity-ours-{}", flavour.name()), flavour);
    for workload in SysbenchWorkload::ALL {
        let case = Case::of(workload, PsMode::Auto);
        laboratory.prepare(&case);
        laboratory.sysbench(&case, "run").ran(case.events);
        laboratory.drop_database(&case);
    }
    laboratory.stop();
}

#[test]
fn sysbench_runs_on_mysql_tables_that_mydyno_prepared() {
    sysbench_runs_on_our_tables(Flavour::Mysql);
}

#[test]
fn sysbench_runs_on_mariadb_tables_that_mydyno_prepared() {
    sysbench_runs_on_our_tables(Flavour::Mariadb);
}

fn mydyno_runs_on_their_tables(flavour: Flavour) {
    let mut laboratory = Laboratory::start(&format!("t-parity-theirs-{}", flavour.name()), flavour);
    for workload in SysbenchWorkload::ALL {
        let case = Case::of(workload, PsMode::Auto);
        laboratory.create_database(&case);
        laboratory.sysbench(&case, "prepare").succeeded();
        let checked = data::check(&laboratory.connect(&case), &case.data(), data::Depth::Present);
        checked.unwrap_or_else(|error| panic!("{case}: {error}"));
        laboratory.mydyno(&case);
        laboratory.drop_database(&case);
    }
    laboratory.stop();
}

#[test]
fn mydyno_runs_on_mysql_tables_that_sysbench_prepared() {
    mydyno_runs_on_their_tables(Flavour::Mysql);
}

#[test]
fn mydyno_runs_on_mariadb_tables_that_sysbench_prepared() {
    mydyno_runs_on_their_tables(Flavour::Mariadb);
}

#[test]
fn without_transactions_duplicate_keys_are_counted_and_forgiven() {
    const DUPLICATE_KEY: u16 = 1062;
    for flavour in [Flavour::Mysql, Flavour::Mariadb] {
        let laboratory = Laboratory::start(&format!("t-parity-collide-{}", flavour.name()), flavour);
        let of = SysbenchWorkload::OltpReadWrite;
        let case = Case::new(SysbenchOptions { skip_trx: true, table_size: 100, ..cases::options_of(of) });
        laboratory.prepare(&case);
        let limit = Limit { warmup: Duration::ZERO, time: Some(Duration::from_secs(4)), events: None };
        let offered = laboratory.offer(&case, 64, limit);
        assert_eq!(offered.stopped, Stopped::AtLimit, "{flavour:?}");
        let measured = offered.measured;
        assert!(measured.transactions > 0, "{flavour:?}");
        assert!(measured.errors.iter().all(|error| error.forgiven), "{flavour:?}: {:?}", measured.errors);
        let collisions = measured.errors.iter().find(|error| error.code == DUPLICATE_KEY);
        assert!(collisions.is_some_and(|error| error.count > 0), "{flavour:?}: {:?}", measured.errors);
        laboratory.stop();
    }
}

/// oltp_read_write in a file, on one table of 1,000 rows.
const READ_WRITE: &str = include_str!("read_write.toml");

#[test]
fn a_file_that_says_the_same_sends_the_same() {
    let mut laboratory = Laboratory::start("t-parity-file", Flavour::Mysql);
    for mode in [PsMode::Auto, PsMode::Disable] {
        let of = cases::options_of(SysbenchWorkload::OltpReadWrite);
        let options = SysbenchOptions { tables: 1, table_size: 1_000, db_ps_mode: mode, ..of };
        let case = Case::new(options);
        let text = match mode {
            PsMode::Auto => READ_WRITE.to_owned(),
            PsMode::Disable => format!("prepared = false\n{READ_WRITE}"),
        };
        let named = spec::NamedWorkload::of_file("read_write.toml", &text, &|_| None).expect("valid");
        let in_file = spec::options(&named, &spec::Values::default()).expect("valid");
        let built_in = laboratory.witness(&case, |server| server.mydyno(&case));
        let in_file = laboratory.witness(&case, |server| server.mydyno_as(&case, &in_file));
        let (theirs, ours) = (built_in.transactions(&case), in_file.transactions(&case));
        assert_eq!(ours.len(), theirs.len(), "{case}");
        for (number, (our, their)) in ours.iter().zip(&theirs).enumerate() {
            assert_eq!(shapes(our), shapes(their), "{case}: transaction {number}, file left, built in right");
        }
    }
    laboratory.stop();
}

/// Debian's scripts, unchanged, in sysbench and in mydyno.
fn scripts_send_the_same(name: &str, flavour: Flavour, modes: &[PsMode]) {
    let mut laboratory = Laboratory::start(name, flavour);
    for workload in SysbenchWorkload::ALL {
        for mode in modes {
            let case = Case::of(workload, *mode);
            let script = script(&case);
            compare(&mut laboratory, &case, |server| server.mydyno_as(&case, &script));
        }
    }
    laboratory.stop();
}

#[test]
fn on_mysql_scripts_send_what_they_send_in_sysbench() {
    scripts_send_the_same("t-parity-lua-mysql", Flavour::Mysql, &[PsMode::Auto, PsMode::Disable]);
}

#[test]
fn on_mariadb_scripts_send_what_they_send_in_sysbench() {
    scripts_send_the_same("t-parity-lua-mariadb", Flavour::Mariadb, &[PsMode::Auto]);
}

/// The script of a workload, with the options of the case.
fn script(case: &Case) -> WorkloadSpec {
    let path = format!("/usr/share/sysbench/{}.lua", case.options.workload.name());
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let named = spec::NamedWorkload::of_file(&path, &text, &|module| std::fs::read_to_string(module).ok());
    let row = |path: &str| spec::row(path).expect("the table has it");
    let options = case.sysbench_options();
    let (modes, own): (Vec<&String>, Vec<&String>) =
        options.iter().partition(|one| one.starts_with("--db-ps-mode"));
    let own: Vec<&str> = own.iter().map(|one| one.trim_start_matches("--")).collect();
    let mode = modes[0].trim_start_matches("--db-ps-mode=");
    let edits = [
        ("workload.script_options", own.join(";")),
        ("workload.db_ps_mode", mode.to_owned()),
        ("workload.rand_type", case.options.rand.name().to_owned()),
    ];
    let edits = edits.map(|(path, text)| spec::Edit::read(row(path), &text).expect("valid"));
    spec::options(&named.expect("valid"), &spec::Values::default().with(edits)).expect("valid")
}

/// Runs sysbench and mydyno on equal tables and compares what the server saw.
fn sends_the_same(laboratory: &mut Laboratory, case: &Case) {
    compare(laboratory, case, |server| server.mydyno(case));
}

fn compare(laboratory: &mut Laboratory, case: &Case, run: impl FnOnce(&Laboratory)) {
    let theirs = laboratory.witness(case, |server| server.sysbench(case, "run").ran(case.events));
    let ours = laboratory.witness(case, run);
    assert_eq!(ours.prepared(), theirs.prepared(), "{case}: statements prepared");
    speaks_the_protocol(case, &ours);
    if case.options.workload == SysbenchWorkload::BulkInsert {
        return inserts_are_equal(case, &ours, &theirs);
    }
    let ours = ours.transactions(case);
    let theirs = theirs.transactions(case);
    for (number, (our, their)) in ours.iter().zip(&theirs).enumerate() {
        assert_eq!(shapes(our), shapes(their), "{case}: transaction {number}, mydyno left, sysbench right");
    }
    assert_eq!(frequencies(&ours), frequencies(&theirs), "{case}: frequencies of statements");
    for (whose, transactions) in [("mydyno", &ours), ("sysbench", &theirs)] {
        values::check(&case.options, transactions).unwrap_or_else(|wrong| panic!("{case}: {whose}: {wrong}"));
    }
}

/// Nothing is left to chance in bulk_insert: the statements are equal to the byte.
fn inserts_are_equal(case: &Case, ours: &Logged, theirs: &Logged) {
    let (ours, theirs) = (ours.texts(), theirs.texts());
    let lengths = |texts: &[&str]| texts.iter().map(|text| text.len()).collect::<Vec<_>>();
    assert_eq!(lengths(&ours), lengths(&theirs), "{case}: lengths of the INSERTs");
    assert!(ours.len() > 1, "{case}: too few rows to fill more than one INSERT");
    assert!(ours == theirs, "{case}: the INSERTs differ");
}

/// `--db-ps-mode=disable` means that nothing is prepared or executed; otherwise something is, unless the workload sends
/// text whatever the mode.
fn speaks_the_protocol(case: &Case, ours: &Logged) {
    let always_text =
        matches!(case.options.workload, SysbenchWorkload::OltpInsert | SysbenchWorkload::BulkInsert);
    let is_text = always_text || case.options.db_ps_mode == PsMode::Disable;
    assert_eq!(
        ours.executed() == 0,
        is_text,
        "{case}: {} statements in the binary protocol",
        ours.executed()
    );
    assert_eq!(ours.prepared().is_empty(), is_text, "{case}: {:?}", ours.prepared());
}

fn shapes(transaction: &[Statement]) -> Vec<(log::Kind, &str)> {
    transaction.iter().map(|statement| (statement.kind, statement.shape.as_str())).collect()
}

fn frequencies(transactions: &[Vec<Statement>]) -> BTreeMap<(log::Kind, &str), usize> {
    let mut counts = BTreeMap::new();
    for transaction in transactions {
        for shape in shapes(transaction) {
            *counts.entry(shape).or_default() += 1;
        }
    }
    counts
}
