//! `--format sysbench` beside sysbench itself, on one server: what a script that parses the one reads of the other.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{home, mydyno, output};
use model::{Flavour, SandboxSpec};
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
            tcp: true,
            ..SandboxSpec::new(
                Flavour::Mariadb,
                [("innodb_buffer_pool_size".to_owned(), "128M".to_owned())].into(),
            )
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

/// The interval lines of each report in a text, report by report.
fn interval_lines(text: &str) -> Vec<Vec<&str>> {
    let reports = text.split("sysbench 1.0.20 (").skip(1);
    reports.map(|report| report.lines().filter(|line| line.contains("thds:")).collect()).collect()
}

const TWO_CELLS: [&str; 13] = [
    "sweep",
    "oltp_point_select",
    "--target",
    "sandbox:mariadb",
    "--table-size=500",
    "--threads=1,2",
    "--repeats=1",
    "--time=3",
    "--warmup-time=1",
    "--format",
    "sysbench",
    "--report-interval",
    "1",
];

/// What a run prints line by line is what a report of it says afterwards, latencies and warm-up included.
#[test]
fn a_report_has_the_lines_that_the_run_printed() {
    let results = tempfile::tempdir().unwrap();
    let words = ["run", "oltp_read_write", "--target", "sandbox:mariadb", "--table-size=500", "--threads=2"];
    let form = ["--format=sysbench", "--report-interval=2", "--percentile=99"];
    let load = ["--rate=40", "--time=5", "--warmup-time=1", "--rand-seed=7"];
    let (code, printed, said) = output(&results, &[&words[..], &form, &load].concat());
    assert_eq!(code, 0, "{said}");
    assert!(!said.contains("thds:"), "{said}");
    assert_eq!(interval_lines(&printed)[0].len(), 2, "{printed}");
    let (code, reported, said) = output(&results, &[&["report"][..], &form].concat());
    assert_eq!(code, 0, "{said}");
    assert_eq!(reported, printed);
    // Only if they are asked for, and only in sysbench's form.
    let (_, without, _) = output(&results, &["report", "--format=sysbench"]);
    assert!(!without.contains("thds:"), "{without}");
    let (code, _, said) = output(&results, &["report", "--format=text", "--report-interval=1"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("add --format sysbench"), "{said}");
}

/// The lines of each cell stand above its report, in the results and nowhere else.
#[test]
fn a_sweep_has_the_lines_of_each_cell_above_its_report() {
    let results = tempfile::tempdir().unwrap();
    let (code, printed, said) = output(&results, &TWO_CELLS);
    assert_eq!(code, 0, "{said}");
    assert!(!said.contains("thds:"), "{said}");
    let lines = interval_lines(&printed);
    assert_eq!(lines.len(), 2, "{printed}");
    for (of_cell, clients) in lines.iter().zip(1..) {
        assert!((2..=4).contains(&of_cell.len()), "{printed}");
        // Seconds count from the end of the warm-up.
        assert!(of_cell[0].starts_with(&format!("[ 1s ] thds: {clients} tps: ")), "{printed}");
    }
    let place = |part: &str| printed.find(part).unwrap_or_else(|| panic!("no {part} in {printed}"));
    assert!(place("Threads started!") < place("thds: 1") && place("thds: 1") < place("SQL statistics"));
    let (_, reported, _) =
        output(&results, &["report", "--format", "sysbench", "--report-interval", "1", "--output", "r.txt"]);
    assert_eq!(reported.trim(), "r.txt");
    assert_eq!(std::fs::read_to_string(results.path().join("r.txt")).unwrap(), printed);
}

/// What was measured before a run was taken up again has its lines too.
#[test]
fn a_resumed_sweep_has_the_lines_of_all_cells() {
    let results = tempfile::tempdir().unwrap();
    let mut child = mydyno(&results, &TWO_CELLS);
    let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let second_begun = || {
        let runs = std::fs::read_dir(results.path().join("results")).into_iter().flatten().flatten();
        let mut trials =
            runs.flat_map(|run| std::fs::read_dir(run.path().join("trials")).into_iter().flatten()).flatten();
        trials.any(|trial| trial.file_name().to_string_lossy().starts_with("01-"))
    };
    let begun = Instant::now();
    while !second_begun() {
        assert_eq!(child.try_wait().unwrap(), None, "it ended before it was interrupted");
        assert!(begun.elapsed() < Duration::from_secs(120), "no second trial after two minutes");
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let words = ["resume", "--format", "sysbench", "--report-interval", "1"];
    let (code, printed, said) = output(&results, &words);
    assert_eq!(code, 0, "{said}");
    assert!(!said.contains("thds:"), "{said}");
    let lines = interval_lines(&printed);
    assert!(lines.len() == 2 && lines.iter().all(|of_cell| of_cell.len() >= 2), "{printed}");
}
