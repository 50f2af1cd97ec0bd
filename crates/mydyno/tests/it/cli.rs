//! The program as a user meets it, without any server: mistakes, help, option files, passwords.

use std::io::Write;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::CommandCargoExt;
use tempfile::TempDir;

/// A place of its own: no option file of the machine's user, no server, no results.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary directory"))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.path().join(name);
        std::fs::write(&path, text).expect("a writable temporary directory");
        path.display().to_string()
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::cargo_bin("mydyno").expect("the program is built for its tests");
        command.args(words).current_dir(self.path()).env_clear();
        command.env("HOME", self.path()).env("PATH", "/usr/bin:/bin").stdin(Stdio::null());
        command
    }

    fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("the program starts")
    }
}

fn run(words: &[&str]) -> Output {
    Place::new().run(words)
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A usage error: exit code 2, nothing on standard output, one sentence with the program's name.
fn usage_error(words: &[&str]) -> String {
    let output = run(words);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
    assert_eq!(stdout(&output), "", "{words:?}");
    assert!(said.starts_with("mydyno: "), "{said}");
    assert!(!said.contains("panicked") && !said.contains("backtrace"), "{said}");
    said
}

/// The last line of what is said on standard error.
fn usage_error_after_warnings(words: &[&str]) -> String {
    let output = run(words);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {}", stderr(&output));
    let text = stderr(&output);
    text.lines().rfind(|line| line.starts_with("mydyno: ")).unwrap_or_default().to_owned()
}

#[test]
fn unknown_names_are_answered_with_the_nearest() {
    for (words, near) in [
        (&["swep", "oltp_read_write"][..], "did you mean sweep?"),
        (&["run", "oltp_readwrite"], "did you mean oltp_read_write?"),
        (&["sweep", "oltp_read_only,oltp_point"], "did you mean oltp_point_select?"),
        (&["run", "oltp_read_write", "--tabels=4"], "did you mean --tables?"),
        (&["run", "oltp_read_write", "--target", "mysql://h/?ssl_mod=x"], "did you mean ssl-mode?"),
        (&["run", "oltp_read_write", "--ssl-mode=perhaps"], "VERIFY_IDENTITY"),
    ] {
        let said = usage_error(words);
        assert!(said.contains(near), "{words:?}: {said}");
    }
}

#[test]
fn what_cannot_be_meant_is_a_usage_error() {
    for (words, part) in [
        (&[][..], "say what to do"),
        (&["run"], "WORKLOAD is missing"),
        (&["run", "oltp_read_write", "--threads=0"], "0 clients"),
        (&["run", "oltp_read_write", "--threads=8..2"], "backwards"),
        (&["run", "oltp_read_write", "--percentile=101"], "--percentile"),
        (&["run", "oltp_read_write", "-h", "h", "--rate=100..200"], "a ramp needs a length"),
        (&["run", "oltp_read_write", "-h", "h", "--rate=2e6"], "between 0 and 1000000"),
        (&["run", "oltp_read_write", "-h", "h", "--rate=100:5", "--time=9"], "not the sum of the phases"),
        (&["run", "oltp_read_write", "-h", "h", "--time=0"], "never end"),
        (
            &["run", "oltp_read_write", "-h", "h", "--tables=0"],
            "--tables cannot be '0': it must be between 1 and",
        ),
        (
            &["run", "oltp_read_write", "-h", "h", "--rand-type=pareto", "--rand-pareto-h=2"],
            "between 0 and 1",
        ),
        (&["run", "oltp_read_write", "-h", "h", "--threads=1,2"], "mydyno sweep oltp_read_write"),
        (&["run", "oltp_read_write", "-P", "abc"], "it is not a whole number"),
        (&["run", "oltp_read_write", "--target", "db1"], "neither a server nor a sandbox"),
        (&["run", "oltp_read_write", "--target", "sandbox:oracle"], "no sandbox of 'oracle'"),
        (&["-h"], "help is --help"),
        (&["list", "-h"], "help is --help"),
    ] {
        let said = usage_error(words);
        assert!(said.contains(part), "{words:?}: {said}");
    }
}

#[test]
fn the_words_of_old_sysbench_are_explained() {
    for (words, part) in [
        (&["run", "oltp_read_write", "--oltp-table-size=100"][..], "--table-size"),
        (&["run", "oltp_read_write", "--num-threads=4"], "--threads"),
        (&["run", "oltp_read_write", "--max-time=60"], "--time"),
        (&["run", "oltp_read_write", "--max-requests=0"], "--events"),
        (&["--test=oltp.lua", "run"], "mydyno run oltp_read_write"),
        (&["oltp_read_write", "run"], "mydyno run oltp_read_write"),
        (&["--threads=4", "oltp_point_select", "prepare"], "mydyno prepare oltp_point_select"),
    ] {
        let said = usage_error(words);
        assert!(said.contains(part), "{words:?}: {said}");
    }
}

#[test]
fn a_mistake_in_an_option_file_names_file_and_line() {
    let place = Place::new();
    for (text, part) in [
        ("[mydyno]\n\ntabels = 4\n", "my.cnf:3: unknown option 'tabels'"),
        ("[client]\nport = abc\n", "my.cnf:2: --port cannot be 'abc'"),
        ("[client\npassword = hunter2\n", "my.cnf:1: a group ends with ']'"),
        ("!include missing.cnf\n", "missing.cnf cannot be read"),
    ] {
        let file = place.file("my.cnf", text);
        let output = place.run(&["run", "oltp_read_write", &format!("--defaults-file={file}")]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(part), "{said}");
        assert!(!said.contains("hunter2"), "{said}");
    }
}

#[test]
fn the_users_own_option_file_is_read_and_can_be_left_out() {
    let place = Place::new();
    place.file(".my.cnf", "[mydyno]\nquux=1\n");
    assert_eq!(place.run(&["list"]).status.code(), Some(2));
    assert_eq!(place.run(&["list", "--no-defaults"]).status.code(), Some(0));
    assert_eq!(place.run(&["--no-defaults", "list"]).status.code(), Some(0));
}

#[test]
fn a_bad_port_in_the_environment_is_named() {
    let place = Place::new();
    let output =
        place.command(&["run", "oltp_read_write"]).env("MYSQL_TCP_PORT", "x").output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("MYSQL_TCP_PORT"));
}

#[test]
fn help_and_version_go_to_standard_output() {
    for words in [&["--help"][..], &["-?"], &["run", "--help"], &["run", "-?"], &["--version"], &["-V"]] {
        let output = run(words);
        assert_eq!(output.status.code(), Some(0), "{words:?}");
        assert_eq!(stderr(&output), "");
        assert!(!stdout(&output).is_empty());
    }
}

#[test]
fn completions_and_the_manual_come_from_the_same_definitions() {
    for shell in ["bash", "zsh", "fish"] {
        let output = run(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0));
        let text = stdout(&output);
        for word in ["sweep", "rand-type", "zipfian"] {
            assert!(text.contains(word), "{shell}: {word}");
        }
    }
    let output = run(&["man"]);
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    for part in
        [".TH mydyno", "RANDOM NUMBERS", "EXIT STATUS", "130", "MYSQL_PWD", "\\-\\-rand\\-zipfian\\-exp"]
    {
        assert!(text.contains(part), "{part}");
    }
}

#[test]
fn completions_are_valid_shell() {
    let script = run(&["completions", "bash"]).stdout;
    let mut bash = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn().expect("bash is there");
    bash.stdin.take().expect("it is piped").write_all(&script).expect("bash reads");
    assert!(bash.wait().expect("bash ends").success());
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let place = Place::new();
    let mut child = place.command(&["completions", "zsh"]).stdout(Stdio::piped()).spawn().expect("it starts");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn without_runs_there_is_nothing_to_list_show_or_report() {
    let output = run(&["list"]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), ""));
    assert!(stderr(&output).contains("no recordings in results"));
    for verb in ["show", "report"] {
        assert!(usage_error(&[verb]).contains("no recordings in results"), "{verb}");
    }
}

#[test]
fn a_run_is_resumed_as_it_was_started() {
    for typed in ["set=a=1", "instance=a=b", "host=db2", "ssl-mode=REQUIRED"] {
        let name = typed.split('=').next().expect("a name");
        let said = usage_error(&["resume", "latest", &format!("--{typed}")]);
        assert!(said.contains(&format!("leave out --{name}")), "{said}");
    }
    assert!(usage_error(&["resume", "latest", "--threads=2"]).contains("--threads"));
    for typed in
        ["--results=elsewhere", "--format=json", "--no-defaults", "--password=x", "--report-interval=1"]
    {
        assert!(
            usage_error_after_warnings(&["resume", "latest", typed]).contains("no recordings in"),
            "{typed}"
        );
    }
    assert!(usage_error(&["resume"]).contains("no recordings in results"));
}

#[test]
fn a_plan_is_printed_and_nothing_is_run() {
    let planned = run(&["plan", "durability", "--quick", "--set", "load.threads=2,8", "--repeats=2"]);
    let stdout = stdout(&planned);
    assert_eq!((planned.status.code(), stderr(&planned).as_str()), (Some(0), ""), "{stdout}");
    let lines: Vec<&str> = stdout.lines().collect();
    // A head, three arms at two numbers of clients twice, the first once more, and a sentence.
    assert_eq!(lines.len(), 1 + 12 + 1 + 1, "{stdout}");
    assert!(lines[13].ends_with("drift check"), "{stdout}");
    assert!(
        lines[14].starts_with("Plan: 6 cells x 2 blocks = 12 trials and a drift check, about "),
        "{stdout}"
    );
    let json = run(&[
        "plan",
        "sweep",
        "oltp_read_only",
        "--target",
        "sandbox:mysql",
        "--threads",
        "1..4",
        "--format",
        "json",
    ]);
    let plan: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(plan["trials"].as_array().map(Vec::len), Some(9));
    assert!(usage_error(&["plan", "durabilty"]).contains("did you mean durability?"));
    assert!(usage_error(&["plan", "report"]).contains("there is no experiment 'report'"));
}

#[test]
fn an_unreachable_server_is_one_sentence_and_no_run() {
    let place = Place::new();
    // A port that was free a moment ago.
    let port = TcpListener::bind("127.0.0.1:0")
        .and_then(|it| it.local_addr())
        .expect("a free port")
        .port()
        .to_string();
    for words in [
        &["run", "oltp_read_write", "-h", "127.0.0.1", "-P", &port, "-u", "root"][..],
        &["prepare", "-h", "127.0.0.1", "-P", &port, "-u", "root"],
        &["check", "-S", "/nowhere/mysql.sock", "-u", "root"],
        &["cleanup", "-h", "no-such-host.invalid", "-u", "root"],
    ] {
        let output = place.run(words);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{words:?}: {said}");
        assert_eq!(stdout(&output), "", "{words:?}");
        assert!(said.starts_with("mydyno: ") && !said.contains("panicked"), "{said}");
    }
}

/// A server that accepts and says nothing, so that the program can be looked at while it waits.
fn silent_server() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port().to_string();
    (listener, port)
}

#[test]
fn a_password_on_the_command_line_is_warned_about_and_hidden_from_ps() {
    let (_listener, port) = silent_server();
    let place = Place::new();
    let url = format!("mysql://root:hunter2@127.0.0.1:{port}/db");
    for words in [
        &["check", "-h", "127.0.0.1", "-P", &port, "-u", "root", "-phunter2", "--connect-timeout=30"][..],
        &["check", "-h", "127.0.0.1", "-P", &port, "--mysql_password=hunter2", "--connect-timeout=30"],
        &["check", "--target", &url, "--connect-timeout=30"],
    ] {
        let mut child = place.command(words).stderr(Stdio::piped()).spawn().expect("it starts");
        let deadline = Instant::now() + Duration::from_secs(20);
        let masked = loop {
            let shown = std::fs::read(format!("/proc/{}/cmdline", child.id())).unwrap_or_default();
            let shown = String::from_utf8_lossy(&shown).replace('\0', " ");
            if shown.contains("xxxxx") && !shown.contains("hunter2") {
                break true;
            }
            if Instant::now() > deadline {
                break false;
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        assert!(masked, "{words:?}");
        // The connection arrives although the arguments that are shown hold no password.
        child.kill().expect("it still runs");
        let output = child.wait_with_output().expect("it ends");
        assert!(!stderr(&output).contains("hunter2"));
    }
    let said = stderr(&place.run(&["check", "-S", "/nowhere", "-u", "root", "-phunter2"]));
    assert!(said.contains("Using a password on the command line interface can be insecure"), "{said}");
    assert!(!said.contains("hunter2"), "{said}");
}

#[test]
fn no_error_quotes_a_password() {
    for words in [
        &["run", "oltp_read_write", "--passwort=hunter2"][..],
        &["run", "oltp_read_write", "-phunter2", "--tabels=1"],
        &["run", "oltp_read_write", "-p", "hunter2"],
        &["run", "oltp_read_write", "--target", "mysql://u:hunter2@h:port/"],
        &["run", "oltp_read_write", "--target", "postgres://u:hunter2@h/"],
        &["run", "oltp_read_write", "--target=mysql://u:hunter2@h/", "-h", "h2"],
        &["rum", "mysql://u:hunter2@h/"],
        &["run", "mysql://u:hunter2@h/"],
    ] {
        let said = usage_error(words);
        assert!(!said.contains("hunter2"), "{words:?}: {said}");
    }
}

#[test]
fn experiments_are_found_by_name_and_their_mistakes_named() {
    let listed = run(&["experiments"]);
    assert!(listed.status.success() && stdout(&listed).contains("tls-overhead"), "{}", stderr(&listed));
    assert!(usage_error(&["experiment", "run", "tls-overhed"]).contains("did you mean tls-overhead?"));
    let unknown = usage_error(&["experiment", "run", "tls-overhead", "--bogus"]);
    assert!(unknown.contains("'--bogus'") && unknown.contains("mydyno experiment run --help"), "{unknown}");
    let two =
        ["experiment", "run", "tls-overhead", "--target", "sandbox:mysql", "--target", "sandbox:mariadb"];
    assert!(usage_error(&two).contains("runs on one target"));
    let place = Place::new();
    let file = place.file("mine.toml", "question = \"Is it?\"\ntarget = \"sandbox:mysql\"\n[[workload]]\nlabel = \"a\"\nrun = \"oltp_read_writ\"\n");
    let said = stderr(&place.run(&["experiment", "run", &file]));
    assert!(said.contains("did you mean oltp_read_write?"), "{said}");
}

#[test]
fn a_setting_that_the_second_sandbox_refuses_is_refused_before_the_first_starts() {
    let refused =
        "mydyno: second: datadir cannot be set for a sandbox: a sandbox has its own data directory\n";
    let targets = ["--target", "first=sandbox:mysql", "--target", "second=sandbox:mysql?datadir=/x"];
    let set =
        ["--target", "first=sandbox:mysql", "--target", "second=sandbox:mysql", "--set", "second:datadir=/x"];
    for words in [
        [&["run", "oltp_read_write"][..], &targets].concat(),
        [&["prepare", "oltp_read_write"][..], &targets].concat(),
        [&["sweep", "oltp_read_write"][..], &set].concat(),
    ] {
        let place = Place::new();
        let said = place.run(&words);
        assert_eq!(String::from_utf8_lossy(&said.stderr), refused, "{words:?}");
        assert_eq!(said.status.code(), Some(2), "{words:?}");
        // The home may be there, since it was asked which versions are installed; no server, no data, no results.
        let home = place.path().join(".local/share/mydyno");
        let started = ["servers", "templates", "copies"]
            .map(|name| std::fs::read_dir(home.join(name)).map_or(0, Iterator::count));
        assert_eq!(started, [0; 3], "{words:?}");
        assert!(!place.path().join("results").exists(), "{words:?}");
    }
}

#[test]
fn what_no_topology_of_sandboxes_can_be_is_refused_before_anything_starts() {
    let run = |target: &str| usage_error(&["run", "oltp_read_only", "--target", target, "--no-defaults"]);
    for (target, said) in [
        ("sandbox:mysql?topology=galera", "mysql cannot form a galera topology"),
        ("sandbox:mysql?topology=semisync&members=1", "a semisync topology has at least two servers"),
        (
            "sandbox:mysql?topology=async&gtid_mode=OFF",
            "gtid_mode cannot be set: the async topology decides it",
        ),
        (
            "sandbox:mysql?topology=group&skip_log_bin=1",
            "skip_log_bin cannot be set: the group topology decides it",
        ),
        ("sandbox:mysql?topology=async&link_delay=1", "link_delay is a time, and not '1'"),
        ("sandbox:mysql?topology=async&link_loss=2", "link_loss is a share of the packets, and not '2'"),
        ("sandbox:mysql?link_delay=1ms", "the link_ keys are for a network between servers that replicate"),
    ] {
        let error = run(target);
        assert!(error.contains(said), "{target}: {error}");
    }
    let far = "sandbox:mysql?topology=async&link_delay=1ms";
    let error = usage_error(&["run", "oltp_read_only", "--target", far, "--protocol=tcp", "--no-defaults"]);
    assert!(error.contains("--protocol=tcp does not go with a simulated network"), "{error}");
    let group = "sandbox:mysql?topology=group";
    let error = usage_error(&["server", "start", "ha", "--target", far]);
    assert!(error.contains("a topology that is to stay cannot have a simulated network"), "{error}");
    let error = usage_error(&["server", "start", "ha:2", "--target", "sandbox:mysql"]);
    assert!(error.contains("'ha:2' names a member of a topology"), "{error}");
    let decided = "sandbox:mysql?topology=async&gtid_mode=OFF";
    let error = usage_error(&["server", "start", "ha", "--target", decided]);
    assert!(error.contains("gtid_mode cannot be set: the async topology decides it"), "{error}");
    let error = usage_error(&["doctor", group, "--no-defaults"]);
    assert!(error.contains("lives only as long as a run"), "{error}");
}
