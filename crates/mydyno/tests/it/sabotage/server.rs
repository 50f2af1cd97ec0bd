//! The server goes away, stands still, or is left changed: one that the user runs, so that nobody but the clients sees it.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{home, mydyno, output};
use crate::sabotage::row::{Expect::*, Seen};

/// A server that outlives its command, with two small tables.
pub struct External {
    pub results: TempDir,
    name: String,
}

impl External {
    pub fn start(name: &str) -> Self {
        let name = format!("sabotage-{name}-{}", std::process::id());
        let server = Self { results: tempfile::tempdir().unwrap(), name };
        let words = ["server", "start", &server.name, "--target", "sandbox:mariadb"];
        let (code, _, said) = output(&server.results, &words);
        assert_eq!(code, 0, "{said}");
        let prepared = server.command("prepare", &["oltp_write_only"]).output().unwrap();
        assert!(prepared.status.success(), "{prepared:?}");
        server
    }

    fn words<'a>(&self, verb: &'a str, words: &[&'a str], file: &'a str) -> Vec<&'a str> {
        let (workload, more) = words.split_first().unwrap();
        let tables = ["--tables", "2", "--table-size", "1000"];
        [&[verb, *workload, file], &tables[..], more].concat()
    }

    fn option_file(&self) -> String {
        format!("--defaults-file={}", home().0.join("servers").join(&self.name).join("client.cnf").display())
    }

    /// A command on the server, its output kept.
    pub fn command(&self, verb: &str, words: &[&str]) -> Command {
        let file = self.option_file();
        let mut command = mydyno(&self.results, &self.words(verb, words, &file));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Waits until the load of the trial with that index has gone on for a second.
    pub fn loaded(&self, child: &mut Child, index: usize) {
        loaded(&self.results, child, index);
    }

    fn state(&self) -> Value {
        let path = home().0.join("servers").join(&self.name).join("state.json");
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    fn kill(&self) {
        signal("-KILL", pid_in(&self.state()).unwrap());
    }

    pub fn client(&self) -> wire::Client {
        let cnf = home().0.join("servers").join(&self.name).join("client.cnf");
        let cnf = std::fs::read_to_string(cnf).unwrap();
        let value = |name: &str| {
            let line =
                cnf.lines().find_map(|line| line.split_once('=').filter(|(key, _)| key.trim() == name));
            line.map(|(_, value)| value.trim().trim_matches('"').to_owned()).unwrap()
        };
        let address = wire::ServerAddress::Unix(value("socket").into());
        let mut options = wire::ConnectOptions::new(address, value("user"));
        options.password = Some(value("password").into());
        wire::Client::connect(&options).unwrap()
    }

    pub fn seen(&self, child: Child) -> Seen {
        seen(&self.results, child)
    }
}

impl Drop for External {
    fn drop(&mut self) {
        let _ = output(&self.results, &["server", "remove", "--force", &self.name]);
    }
}

/// The server's process id, wherever the state keeps it.
fn pid_in(state: &Value) -> Option<u64> {
    let fields = state.as_object()?;
    let own = |(name, value): (&String, &Value)| {
        if name == "pid" { value.as_u64() } else { pid_in(value) }
    };
    fields.iter().find_map(own)
}

pub fn signal(signal: &str, pid: u64) {
    assert!(Command::new("kill").args([signal, &pid.to_string()]).status().unwrap().success());
}

/// What a command left behind when it had ended.
pub fn seen(results: &TempDir, child: Child) -> Seen {
    let out = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Seen::of(results, (out.status.code().unwrap_or(-1), text(&out.stdout), text(&out.stderr)))
}

/// Waits until the load of the trial with that index has gone on for a second.
pub fn loaded(results: &TempDir, child: &mut Child, index: usize) {
    let begun = Instant::now();
    let seconds = || {
        let runs = std::fs::read_dir(results.path().join("results")).into_iter().flatten().flatten();
        let trials = runs.flat_map(|run| std::fs::read_dir(run.path().join("trials")).into_iter().flatten());
        let mut paths: Vec<_> = trials.flatten().map(|trial| trial.path().join("intervals.jsonl")).collect();
        paths.sort();
        let text = paths.get(index).and_then(|path| std::fs::read_to_string(path).ok());
        text.map_or(0, |text| text.lines().count())
    };
    // The first line is a heading.
    while seconds() < 2 {
        assert_eq!(child.try_wait().unwrap(), None, "it ended before it was disturbed");
        assert!(begun.elapsed() < Duration::from_secs(120), "no load after two minutes");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn killed_in_a_run(more: &[&str]) -> Seen {
    let server = External::start("killed");
    let words = [&["oltp_write_only", "--threads", "2", "--warmup-time", "0", "--time", "5"], more].concat();
    let mut child = server.command("run", &words).spawn().unwrap();
    server.loaded(&mut child, 0);
    server.kill();
    server.seen(child)
}

fn killed() -> Seen {
    killed_in_a_run(&[])
}

fn killed_and_strict() -> Seen {
    killed_in_a_run(&["--strict"])
}

/// Nothing is due when it dies, nor afterwards: no client notices.
fn killed_while_idle() -> Seen {
    let server = External::start("idle");
    let words = ["oltp_write_only", "--rate", "0.01", "--threads", "1", "--warmup-time", "0", "--time", "3"];
    let mut child = server.command("run", &words).spawn().unwrap();
    server.loaded(&mut child, 0);
    server.kill();
    server.seen(child)
}

/// In the second trial of two.
fn killed_in_a_sweep() -> Seen {
    let server = External::start("sweep");
    let words =
        ["oltp_write_only", "--threads", "1,2", "--repeats", "1", "--warmup-time", "0", "--time", "3"];
    let mut child = server.command("sweep", &words).spawn().unwrap();
    server.loaded(&mut child, 1);
    server.kill();
    let mut seen = server.seen(child);
    let completed = of_status(&seen.view, "completed");
    seen.text += &format!("\n{completed} cell completed");
    seen
}

/// Read-only for most of the window. Who may do everything may write all the same, so an account is made that may not.
fn read_only() -> Seen {
    let server = External::start("read-only");
    let mut admin = server.client();
    for sql in ["CREATE USER w@localhost IDENTIFIED BY 'w'", "GRANT ALL ON sbtest.* TO w@localhost"] {
        admin.execute(sql).unwrap();
    }
    let words = ["oltp_write_only", "-uw", "-pw", "--threads", "2", "--warmup-time", "0", "--time", "6"];
    let mut child = server.command("run", &words).spawn().unwrap();
    server.loaded(&mut child, 0);
    admin.execute("SET GLOBAL read_only = ON").unwrap();
    std::thread::sleep(Duration::from_secs(3));
    admin.execute("SET GLOBAL read_only = OFF").unwrap();
    server.seen(child)
}

/// The terminal is closed: the shell sends SIGHUP, and so does the kernel.
fn hung_up() -> Seen {
    let server = External::start("hung-up");
    let variable = || {
        let rows = server.client().query("SELECT @@GLOBAL.innodb_flush_log_at_trx_commit").unwrap();
        rows.first().unwrap().text(0).unwrap().to_owned()
    };
    let before = variable();
    let words = [
        "oltp_write_only",
        "--set",
        "innodb_flush_log_at_trx_commit=0",
        "--warmup-time",
        "0",
        "--time",
        "60",
    ];
    let mut child = server.command("run", &words).spawn().unwrap();
    server.loaded(&mut child, 0);
    assert_ne!(variable(), before, "it is changed while the load goes on");
    signal("-HUP", child.id().into());
    signal("-HUP", child.id().into());
    let mut seen = server.seen(child);
    seen.text +=
        if variable() == before { "\nthe variable is restored" } else { "\nthe variable is left changed" };
    seen
}

/// nohup has it ignore that.
fn hung_up_with_nohup() -> Seen {
    let server = External::start("nohup");
    let file = server.option_file();
    let command = mydyno(
        &server.results,
        &server.words("run", &["oltp_write_only", "--warmup-time", "0", "--time", "2"], &file),
    );
    let mut nohup = Command::new("nohup");
    nohup.arg(command.get_program()).args(command.get_args()).env_clear();
    nohup.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    nohup.current_dir(server.results.path()).stdin(Stdio::null());
    let mut child = nohup.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    server.loaded(&mut child, 0);
    signal("-HUP", child.id().into());
    server.seen(child)
}

/// Somebody trades durability for speed in the middle of a trial.
fn reconfigured() -> Seen {
    let server = External::start("reconfigured");
    let words = ["oltp_write_only", "--threads", "2", "--warmup-time", "0", "--time", "3"];
    let mut child = server.command("run", &words).spawn().unwrap();
    server.loaded(&mut child, 0);
    server.client().execute("SET GLOBAL innodb_flush_log_at_trx_commit = 0").unwrap();
    server.seen(child)
}

/// A second generator loads the same server with four times as many clients.
fn shared() -> Seen {
    let server = External::start("shared");
    let select = |more: &[&'static str]| [&["oltp_point_select", "--warmup-time", "2"], more].concat();
    let others = select(&["--threads", "4", "--time", "60", "--results", "elsewhere"]);
    let mut others =
        server.command("run", &others).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let own = server.command("run", &select(&["--threads", "1", "--time", "4"])).spawn().unwrap();
    let seen = server.seen(own);
    others.kill().unwrap();
    others.wait().unwrap();
    seen
}

/// A database that holds tables of somebody else under the names that a workload needs: what is said, whether they are
/// still there, and whether the way out that is named is one.
fn foreign_tables() -> Seen {
    let server = External::start("foreign");
    let mut admin = server.client();
    for sql in [
        "CREATE DATABASE shop",
        "CREATE TABLE shop.sbtest1 (title VARCHAR(99))",
        "INSERT INTO shop.sbtest1 VALUES ('Moby-Dick')",
        "CREATE TABLE shop.orders (title VARCHAR(99))",
        "CREATE DATABASE free",
    ] {
        admin.execute(sql).unwrap();
    }
    let mut seen = Seen::default();
    let mut said = |verb: &str, words: &[&str]| {
        let file = server.option_file();
        let words = [&[verb], &words[..1], &[&file], &words[1..]].concat();
        let (code, stdout, stderr) = output(&server.results, &words);
        seen.text.push_str(&format!(
            "{} exit code {code}\n{stdout}{stderr}\n",
            [verb, words[1], words[3]].join(" ")
        ));
    };
    let small = ["--tables", "1", "--table-size", "200"];
    for verb in ["prepare", "run", "cleanup"] {
        said(verb, &[&["oltp_read_only", "-Dshop"], &small[..]].concat());
    }
    said("prepare", &[&["oltp_read_only", "-Dfree"], &small[..]].concat());
    said("check", &[&["oltp_read_only", "--mysql-db=free"], &small[..]].concat());
    said("prepare", &["tpcc", "-Dshop", "--warehouses=1"]);
    let kept = admin.query("SELECT title FROM shop.sbtest1").unwrap();
    seen.text.push_str(&format!("kept: {}", kept.first().unwrap().text(0).unwrap()));
    seen
}

/// The disk that is recorded to fills up while a sweep goes on: a limit on the size of files, which any user may set. The first
/// trial is complete before it. What is said then; what reports say; and the run once there is room.
fn disk_full(then: &[&str]) -> Seen {
    let server = External::start("full");
    let load = ["oltp_write_only", "--threads", "1,2", "--repeats", "1", "--warmup-time", "0", "--time", "6"];
    let mut child = server.command("sweep", &load).spawn().unwrap();
    server.loaded(&mut child, 1);
    signal("-INT", child.id().into());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let file = server.option_file();
    let resume = mydyno(&server.results, &["resume", "latest", &file]);
    let mut limited = Command::new("sh");
    // Some blocks of 512 bytes; some shells have larger ones. Without the trap the signal would end it.
    limited.args(["-c", "trap '' XFSZ; ulimit -f 32; exec \"$0\" \"$@\""]);
    limited.arg(resume.get_program()).args(resume.get_args()).env_clear();
    limited.envs(resume.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let out = limited.current_dir(server.results.path()).stdin(Stdio::null()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let full = format!("full: exit code {:?}\n{}{}", out.status.code(), text(&out.stdout), text(&out.stderr));
    let after = output(&server.results, &[then, &[&file]].concat());
    let (_, listed, _) = output(&server.results, &["list"]);
    let mut seen = Seen::of(&server.results, after);
    let completed = of_status(&seen.view, "completed");
    seen.text = format!("{full}\nafterwards:\n{}\n{listed}\n{completed} of 2 cells completed", seen.text);
    seen
}

/// How many cells of a report have that status.
fn of_status(view: &Value, status: &str) -> usize {
    view["cells"].as_array().into_iter().flatten().filter(|cell| cell["status"] == status).count()
}

rows! {
    foreign_tables_are_left_alone_and_a_way_out_is_named: "a benchmark writes to the tables of an application",
        foreign_tables => [
        Says("prepare oltp_read_only -Dshop exit code 1"), Says("run oltp_read_only -Dshop exit code 1"),
        Says("use another database:  --database NAME"), Says("prepare oltp_read_only -Dfree exit code 0"),
        Says("check oltp_read_only --mysql-db=free exit code 0"), Says("prepare tpcc -Dshop exit code 1"),
        Says("use another database:  --database NAME"), Says("kept: Moby-Dick"),
    ];
    a_full_disk_loses_nothing_that_was_measured: "half a trial is a trial, or the first one is gone",
        || disk_full(&["report", "latest", "--format", "text"]) => [
        Says("full: exit code Some(1)"), Says("no space left for "), Says("finish it: mydyno resume "),
        Says("1 of 2 cells completed"), Says("failed"), NoCaveat("damaged_file"),
    ];
    a_full_disk_is_made_good_by_a_resume: "what was recorded to a full disk is lost", || disk_full(&["resume"]) => [
        Code(0), Says("full: exit code Some(1)"), Says("2 of 2 cells completed"), NoCaveat("damaged_file"),
    ];
    a_server_that_was_reconfigured_is_not_its_label: "the throughput of a durable server", reconfigured =>
        [Code(0), Caveat("variables_changed", "invalid"), Validity("red")];
    a_server_that_others_use_is_not_measured_alone: "the capacity of the server", shared =>
        [Code(0), Caveat("other_clients", "invalid"), Validity("red")];
    a_dead_server_is_no_result: "110 transactions/s, usable with caveats", killed =>
        [Code(1), Says("a new one was refused"), NeverSays("Usable"), NeverSays("opened again")];
    a_dead_server_is_no_result_of_a_strict_run: "a strict run passed", killed_and_strict =>
        [Code(1), Says("a new one was refused"), NeverSays("Usable")];
    a_server_that_died_unnoticed_is_no_result: "nothing was due, and all is well", killed_while_idle =>
        [Code(1), Says("the server was gone when the load had ended")];
    a_trial_of_a_dead_server_does_not_count: "the mean of a cell holds half a trial", killed_in_a_sweep =>
        [Code(1), Failed("a new one was refused"), Says("1 cell completed")];
    a_server_that_stood_still_is_not_its_mean: "the throughput of a read-only server", read_only =>
        [Code(0), Caveat("stall", "invalid"), Validity("red"), NoCaveat("littles_law")];
    a_closed_terminal_leaves_nothing_changed: "innodb_flush_log_at_trx_commit is 1", hung_up =>
        [Code(130), Says("the variable is restored")];
    nohup_keeps_a_run_going: "the run was interrupted", hung_up_with_nohup => [Code(0), NeverSays("stopping")];
}
