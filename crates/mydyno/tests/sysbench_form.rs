//! `--format sysbench` beside sysbench itself, on one server: what a script that parses the one reads of the other.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

#[allow(dead_code)] // it is shared with tests that need more of it
mod common;

use std::process::Command;

use common::{home, mydyno, output};
use model::{Flavour, SandboxSpec, TlsMode};
use sandbox::{Server, StartOptions};
use tempfile::TempDir;

/// A server that both run on, with sysbench's own tables.
struct Both {
    results: TempDir,
    server: Server,
}

impl Both {
    fn new(name: &str) -> Self {
        let (_, home) = home();
        let spec = SandboxSpec {
            flavour: Flavour::Mariadb,
            basedir: None,
            settings: [("innodb_buffer_pool_size".to_owned(), "128M".to_owned())].into(),
            tcp: true,
            tls: TlsMode::Disabled.into(),
            place: Default::default(),
        };
        let server =
            home.start(&StartOptions::new(&format!("{name}-{}", std::process::id()), &spec)).unwrap();
        let both = Self { results: tempfile::tempdir().unwrap(), server };
        both.sysbench("oltp_read_write", &["--tables=3"], "prepare");
        both
    }

    /// What sysbench prints.
    fn sysbench(&self, workload: &str, words: &[&str], verb: &str) -> String {
        let mut command = Command::new("sysbench");
        command.arg(workload).args(["--mysql-host=127.0.0.1", "--table-size=500"]);
        command.arg(format!("--mysql-user={}", sandbox::USER));
        command.arg(format!("--mysql-port={}", self.server.port()));
        command.arg(format!("--mysql-password={}", self.server.password().expose()));
        let out = command.args(words).arg(verb).output().unwrap();
        assert!(out.status.success(), "{out:?}");
        String::from_utf8(out.stdout).unwrap()
    }

    /// What mydyno prints on standard output, and on standard error.
    fn mydyno(&self, workload: &str, words: &[&str]) -> (String, String) {
        let port = format!("--mysql-port={}", self.server.port());
        let user = format!("--mysql-user={}", sandbox::USER);
        let fixed = [
            "run",
            workload,
            "--mysql-host=127.0.0.1",
            &port,
            &user,
            "--table-size=500",
            "--format=sysbench",
        ];
        let mut command = mydyno(&self.results, &[&fixed[..], words].concat());
        let out = command.env("MYSQL_PWD", self.server.password().expose()).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        assert!(out.status.success(), "{out:?}");
        (text(out.stdout), text(out.stderr))
    }
}

/// Lines without their figures, and lines of one kind that follow each other as one.
fn shape(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = match line.split_once('(') {
            Some((program, _)) if at == 0 => format!("{program}(...)"),
            _ => line.to_owned(),
        };
        let mut shape = String::new();
        for c in line.chars() {
            let c = if c.is_ascii_digit() && at > 0 { '9' } else { c };
            // A longer number takes some of the spaces before it.
            if !(shape.ends_with(c) && (c == '9' || c == ' ')) {
                shape.push(c);
            }
        }
        // How many interval lines there are is a matter of when the last second ends.
        let is_again = shape.starts_with('[') && lines.contains(&shape);
        if lines.last() != Some(&shape) && !is_again {
            lines.push(shape);
        }
    }
    lines
}

/// Line by line, from the first to the last.
#[test]
fn a_script_that_parses_sysbench_reads_this() {
    let both = Both::new("form");
    for words in [
        &["--tables=3", "--threads=2", "--time=2", "--report-interval=1", "--rand-seed=7"][..],
        &["--tables=3", "--threads=2", "--events=40", "--time=0", "--rand-seed=7"],
        &["--tables=3", "--threads=2", "--time=2", "--rate=40", "--report-interval=1", "--rand-seed=7"],
        &["--tables=3", "--threads=2", "--time=1", "--percentile=0", "--rand-seed=7"],
    ] {
        let theirs = both.sysbench("oltp_read_write", words, "run");
        let (ours, stderr) = both.mydyno("oltp_read_write", words);
        assert_eq!(shape(&ours), shape(&theirs), "{words:?}\n{ours}\n{theirs}\n{stderr}");
        assert!(ours.starts_with("sysbench 1.0.20 ("), "{ours}");
        let lines = ours.lines().filter(|line| line.contains("thds:")).count();
        assert_eq!(lines > 0, words.contains(&"--report-interval=1"), "{ours}");
        assert!(!stderr.contains("thds:"), "{stderr}");
    }
    both.server.stop().unwrap();
}

/// Options of sysbench's scripts that mean little here.
#[test]
fn options_of_sysbenchs_scripts_are_accepted() {
    let both = Both::new("scripts");
    let (_, said) = both.mydyno(
        "oltp_read_only",
        &["--events=5", "--verbosity=5", "--validate=on", "--forced-shutdown=10", "--tables=3"],
    );
    for option in
        ["--verbosity changes nothing", "--validate checks nothing", "--forced-shutdown changes nothing"]
    {
        assert!(said.contains(option), "{said}");
    }
    let (_, said) = both.mydyno(
        "oltp_read_only",
        &["--events=5", "--verbosity=3", "--validate=off", "--forced-shutdown=off"],
    );
    assert!(!said.contains("nothing"), "{said}");
    for workload in ["select_random_points", "select_random_ranges"] {
        both.sysbench(workload, &["--tables=3", "--events=5"], "run");
        let (text, said) = both.mydyno(workload, &["--tables=3", "--events=5"]);
        assert!(text.contains("total number of events:              5"), "{text}");
        assert!(said.contains(&format!("{workload} reads sbtest1 alone")), "{said}");
    }
    both.server.stop().unwrap();
}

/// Sandboxes load what is asked for, and mixed workloads share it.
#[test]
fn workloads_of_one_table_go_with_others() {
    let results = tempfile::tempdir().unwrap();
    let words =
        ["sweep", "oltp_read_only,select_random_points", "--target", "sandbox:mariadb", "--tables", "2"];
    let small =
        ["--table-size", "200", "--threads", "1", "--time", "1", "--warmup-time", "0", "--repeats", "1"];
    let (code, stdout, stderr) = output(&results, &[&words[..], &small].concat());
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stderr.contains("select_random_points reads sbtest1 alone"), "{stderr}");
}
