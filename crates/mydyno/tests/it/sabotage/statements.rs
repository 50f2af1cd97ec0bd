//! Sentences about servers and their settings that would be false, or that would hide what matters.

use model::{Flavour, SandboxSpec};
use sandbox::StartOptions;
use wire::Client;

use crate::common::{home, output};
use crate::sabotage::row::{Expect::*, Seen};

/// The outcome of one command in a results directory of its own.
fn seen(command: &[&str]) -> Seen {
    let results = tempfile::tempdir().unwrap();
    Seen::of(&results, output(&results, command))
}

/// A short sweep over two sandboxes that were given other settings on purpose.
fn swept(workload: &str, base: &str, other: &str) -> Seen {
    let ends =
        ["--threads", "4", "--time", "2", "--warmup-time", "0", "--tables", "1", "--table-size", "200"];
    let targets = [workload, "--target", base, "--target", other];
    seen(&[&["sweep"], &targets[..], &ends].concat())
}

fn doublewrite_off_on_one_side() -> Seen {
    seen(&["diff", "sandbox:mysql", "off=sandbox:mysql?innodb_doublewrite=OFF"])
}

fn torn_pages_in_a_sweep() -> Seen {
    swept("oltp_update_index", "sandbox:mariadb", "off=sandbox:mariadb?innodb_doublewrite=OFF")
}

fn flush_method_of_a_load_that_reads() -> Seen {
    let servers = ["sandbox:mariadb", "fsync=sandbox:mariadb?innodb_flush_method=fsync"];
    seen(&[&["diff"], &servers[..], &["--workload", "oltp_read_only"]].concat())
}

fn binary_log_on_one_side() -> Seen {
    seen(&["diff", "sandbox:mysql", "sandbox:mariadb"])
}

fn durability_as_the_question() -> Seen {
    swept(
        "oltp_update_index",
        "safe=sandbox:mysql?innodb_flush_log_at_trx_commit=1&sync_binlog=1",
        "fast=sandbox:mysql?innodb_flush_log_at_trx_commit=2&sync_binlog=0",
    )
}

fn contention_under_two_isolation_levels() -> Seen {
    swept(
        "oltp_read_write",
        "rc=sandbox:mariadb?transaction_isolation=READ-COMMITTED",
        "ser=sandbox:mariadb?transaction_isolation=SERIALIZABLE",
    )
}

/// A server of the user's own, with an account and a table that deserve a word.
fn open_account_and_keyless_table(flavour: Flavour) -> Seen {
    let (_, home) = home();
    let spec = SandboxSpec::new(flavour, Default::default());
    let name = format!("open-{}-{}", flavour.name(), std::process::id());
    let server = home.start(&StartOptions::new(&name, &spec)).unwrap();
    let mut client = Client::connect(&server.connect_options(None)).unwrap();
    for planted in [
        "CREATE DATABASE app",
        "CREATE TABLE app.keyless (a INT) ENGINE = InnoDB",
        "CREATE USER 'open'@'%' IDENTIFIED BY ''",
    ] {
        client.query(planted).unwrap();
    }
    let cnf = format!("--defaults-file={}", server.dir().join("client.cnf").display());
    let seen = seen(&["doctor", &cnf]);
    server.stop().unwrap();
    seen
}

fn healthy_sandboxes() -> Seen {
    seen(&["doctor", "sandbox:mysql", "sandbox:mariadb"])
}

fn doctor_in_chinese() -> Seen {
    seen(&["doctor", "sandbox:mariadb?innodb_flush_log_at_trx_commit=2", "--full", "--lang", "zh"])
}

rows! {
    doublewrite_counts_as_durability: "a server that may tear pages is as durable as one that cannot",
        doublewrite_off_on_one_side =>
        [Code(0), Says("torn pages after a power or OS crash"), Says("set innodb_doublewrite=ON for off")];
    torn_pages_are_never_the_same_durability: "durability is the same in all targets", torn_pages_in_a_sweep =>
        [Code(0), NeverSays("Durability is the same"), Says("durability differs"),
         NeverSays("innodb_doublewrite=ON for off"), NeverSays("innodb_doublewrite = ON in my.cnf")];
    flush_method_touches_reads: "O_DIRECT against fsync does nothing to a load that only reads",
        flush_method_of_a_load_that_reads =>
        [Code(0), Says("innodb_flush_method"), Says("2.0x in one"),
         NeverSays("no effect on this read-only workload")];
    a_binary_log_is_switched_on_with_its_sync: "log_bin=1 alone makes MariaDB equal to MySQL", binary_log_on_one_side =>
        [Code(0), Says("set log_bin=1 and sync_binlog=1 for mariadb")];
    what_differs_on_purpose_is_stated_and_kept: "a user should undo what he asked about", durability_as_the_question =>
        [Code(0), Says("durability differs"), NeverSays("=1 for fast"), NeverSays("SET GLOBAL sync_binlog"),
         NeverSays("SET GLOBAL innodb_flush_log_at_trx_commit"),
         // MySQL 9.7 keeps digests of what the binary protocol executes: nothing is missing.
         NeverSays("keeps no digests")];
    two_contended_servers_have_their_own_figures: "0.5 and 300 deadlocks per 100 transactions are much the same",
        contention_under_two_isolation_levels =>
        [Code(0), NeverSays("much the same"), NeverSays("ISOLATION LEVEL REPEATABLE READ")];
    accounts_and_tables_are_named: "a server with an open account is safe, and one table of many lacks a key",
        || open_account_and_keyless_table(Flavour::Mysql) =>
        [Code(0), Says("tables without a primary key: 1 (app.keyless)"),
         Says("accounts without a password: 1 ('open'@'%'); 1 may connect from other hosts"),
         Says("but the server")];
    accounts_of_mariadb_are_named: "a server with an open account is safe",
        || open_account_and_keyless_table(Flavour::Mariadb) =>
        [Code(0), Says("tables without a primary key: 1 (app.keyless)"), Says("'open'@'%'"),
         Says("1 may connect from other hosts, but the server")];
    what_a_sandbox_does_itself_is_no_finding: "a sandbox is badly set up", healthy_sandboxes =>
        [Code(0), NeverSays("local_infile"), NeverSays("without a password")];
    a_chinese_note_is_chinese: "a Chinese reader has to read English", doctor_in_chinese =>
        [Code(0), Says("提交在落盘之前就已返回"), Says("代价："), NeverSays("cost: "), NeverSays("commits are")];
}
