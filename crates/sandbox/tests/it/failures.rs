//! What goes wrong with real servers: every failure is told with its cause, and nobody else's process is harmed.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests fail by panicking and say what they skip"
)]

use crate::common;

use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::{
    FLAVOURS, Removed, groups, half_a_cpu, home_at, home_path, home_with, lives, may_make_groups, spec,
};
use model::Flavour;
use sandbox::{Home, Life, SandboxError, ServerPhase, StartError, StartOptions};

#[test]
fn a_taken_port_is_named() {
    let home = home_with(Flavour::Mariadb);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let spec = spec(Flavour::Mariadb, &[]);
    let options = StartOptions { port: Some(port), ..StartOptions::new("t-port", &spec) };
    let error = home.start(&options).unwrap_err();
    assert!(matches!(error, StartError::PortTaken { .. }), "{error}");
    assert!(error.to_string().starts_with(&format!("port {port} of 127.0.0.1 is taken")), "{error}");
}

#[test]
fn a_setting_that_the_server_does_not_know_ends_with_its_own_words() {
    for flavour in FLAVOURS {
        let home = home_with(flavour);
        let name = format!("t-unknown-{}", flavour.name());
        let error = home.start(&StartOptions::new(&name, &spec(flavour, &[("inodb_x", "1")]))).unwrap_err();
        let text = error.to_string();
        assert!(matches!(error, StartError::Died { .. }), "{text}");
        assert!(text.contains("unknown variable 'inodb_x=1'"), "{text}");
        assert!(text.contains("it does not know inodb_x\n"), "{text}");
        assert!(matches!(home.status(&name), Err(SandboxError::Unknown { .. })));
        assert!(!home.root().join(format!("locks/server-{name}")).exists());
    }
}

#[test]
fn an_old_lock_without_a_server_goes_and_a_new_one_stays() {
    let dir = tempfile::tempdir().unwrap();
    let locks = Home::open(dir.path()).unwrap().root().join("locks");
    let old = std::fs::File::create(locks.join("server-t-old")).unwrap();
    old.set_modified(std::time::SystemTime::now() - Duration::from_secs(3600)).unwrap();
    std::fs::File::create(locks.join("server-t-new")).unwrap();
    Home::open(dir.path()).unwrap();
    assert!(!locks.join("server-t-old").exists());
    assert!(locks.join("server-t-new").exists());
}

#[test]
fn a_structural_setting_that_the_server_refuses_fails_while_initialising() {
    for flavour in FLAVOURS {
        let home = home_with(flavour);
        let name = format!("t-structure-{}", flavour.name());
        let error = home.start(&StartOptions::new(&name, &spec(flavour, &[("innodb_page_size", "5000")])));
        let text = error.unwrap_err().to_string();
        assert!(text.contains("could not initialise a data directory"), "{text}");
        assert!(text.to_lowercase().contains("innodb"), "{text}");
    }
}

#[test]
fn a_server_that_is_killed_is_found_crashed() {
    for flavour in FLAVOURS {
        let home = home_with(flavour);
        let name = format!("t-crash-{}", flavour.name());
        let mut server = home.start(&StartOptions::new(&name, &spec(flavour, &[]))).unwrap();
        kill_own(server.pid(), server.dir());
        let crashed = loop {
            if let Err(crashed) = server.alive() {
                break crashed;
            }
        };
        assert_eq!(crashed.status, "killed by signal 9");
        assert!(crashed.log_tail.contains("ready for connections"), "{crashed}");
        assert!(matches!(server.stop(), Err(SandboxError::Crashed(_))));
        assert!(matches!(home.status(&name), Err(SandboxError::Unknown { .. })));
    }
}

#[test]
fn a_lasting_server_that_crashed_is_listed_with_its_log_and_starts_again() {
    let home = home_with(Flavour::Mysql);
    let name = "t-crash-lasting";
    let _removed = Removed(&home, name);
    let spec = spec(Flavour::Mysql, &[]);
    let options = StartOptions { life: Life::Lasting, ..StartOptions::new(name, &spec) };
    let server = home.start(&options).unwrap();
    kill_own(server.pid(), server.dir());
    wait_until(|| !lives(server.pid()));
    drop(server);
    let status = home.status(name).unwrap();
    assert_eq!((status.phase, status.pid), (ServerPhase::Crashed, None));
    assert!(status.log_tail.unwrap().contains("ready for connections"));
    home.start(&options).unwrap();
}

#[test]
fn a_stale_record_does_no_harm_to_the_process_that_has_the_id_now() {
    let home = home_with(Flavour::Mariadb);
    let name = "t-stale";
    let _removed = Removed(&home, name);
    let spec = spec(Flavour::Mariadb, &[]);
    let options = StartOptions { life: Life::Lasting, ..StartOptions::new(name, &spec) };
    let server = home.start(&options).unwrap();
    let state_path = server.dir().join("state.json");
    let recorded = std::fs::read_to_string(&state_path).unwrap();
    let pid = server.pid();
    server.stop().unwrap();

    let mut stranger = Command::new("sleep").arg("600").spawn().unwrap();
    let stale = recorded.replace(&format!("\"pid\": {pid}"), &format!("\"pid\": {}", stranger.id()));
    assert_ne!(stale, recorded);
    std::fs::write(&state_path, &stale).unwrap();
    assert_eq!(home.status(name).unwrap().phase, ServerPhase::Crashed);
    assert!(matches!(home.stop(name), Err(SandboxError::NotRunning { .. })));
    // As if it had belonged to a run that is dead: reaping must not touch it either.
    std::fs::write(&state_path, stale.replace("\"lasting\"", "\"scoped\"")).unwrap();
    Home::open(&home_path()).unwrap();
    assert!(matches!(home.status(name), Err(SandboxError::Unknown { .. })));
    let is_alive = lives(stranger.id());
    stranger.kill().unwrap();
    stranger.wait().unwrap();
    assert!(is_alive);
}

#[test]
fn a_server_whose_run_is_dead_is_reaped() {
    let home = home_with(Flavour::Mariadb);
    let name = "t-orphan";
    let _removed = Removed(&home, name);
    let spec = spec(Flavour::Mariadb, &[]);
    let options = StartOptions { life: Life::Lasting, ..StartOptions::new(name, &spec) };
    let server = home.start(&options).unwrap();
    let (pid, state_path) = (server.pid(), server.dir().join("state.json"));
    drop(server);
    // As it is left by a run whose mydyno was killed where the kernel could not be asked to take the server along.
    let state = std::fs::read_to_string(&state_path).unwrap();
    std::fs::write(&state_path, state.replace("\"lasting\"", "\"scoped\"")).unwrap();
    assert!(!home.list().unwrap().iter().any(|status| status.name == name));
    assert!(!lives(pid));
}

/// Not a test by itself: the program that is killed in the next one.
#[test]
#[ignore = "run by the test below"]
fn holds_a_server_until_it_is_killed() {
    let home = home_with(Flavour::Mariadb);
    let mut spec = spec(Flavour::Mariadb, &[]);
    if may_make_groups(&home) {
        spec.place = half_a_cpu();
    }
    let server = home.start(&StartOptions::new("t-killed", &spec)).unwrap();
    println!("holding {}", server.pid());
    std::thread::sleep(Duration::from_secs(600));
}

#[test]
fn a_server_does_not_outlive_a_killed_mydyno() {
    if Command::new("setpriv").arg("--version").output().is_err() {
        println!("skipped: no setpriv on this machine, servers are reaped instead");
        return;
    }
    let home = home_with(Flavour::Mariadb);
    let mut holder = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "failures::holds_a_server_until_it_is_killed", "--ignored", "--nocapture"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let lines = std::io::BufRead::lines(std::io::BufReader::new(holder.stdout.take().unwrap()));
    let pid: u32 = lines
        .map_while(Result::ok)
        .find_map(|line| line.split_once("holding ").and_then(|(_, pid)| pid.parse().ok()))
        .unwrap();
    assert!(lives(pid));
    assert!(!may_make_groups(&home) || groups("t-killed").len() == 1);
    holder.kill().unwrap();
    holder.wait().unwrap();
    wait_until(|| !lives(pid));
    assert!(!home.list().unwrap().iter().any(|status| status.name == "t-killed"));
    assert!(groups("t-killed").is_empty(), "the next one clears its control group away");
}

#[test]
fn a_full_disk_is_told_before_and_after_the_server_notices() {
    let top = tempfile::tempdir().unwrap();
    let Some(_small) = Tmpfs::mount(top.path(), "600m") else {
        println!("skipped: no tmpfs can be mounted here");
        return;
    };
    let home = home_at(&top.path().join("home"), Flavour::Mariadb);
    let spec = spec(Flavour::Mariadb, &[]);
    let text = home.start(&StartOptions::new("full", &spec)).unwrap_err().to_string();
    assert!(text.contains("data directory of server 'full' needs 1.05 GiB, only "), "{text}");

    let greedy = [("innodb_log_file_size", "16M"), ("innodb_temp_data_file_path", "ibtmp1:900M")];
    let spec = common::spec(Flavour::Mariadb, &greedy);
    let error = home.start(&StartOptions::new("full", &spec)).unwrap_err();
    assert!(matches!(error, StartError::Died { .. }), "{error}");
    assert!(error.to_string().contains("the disk is full"), "{error}");
}

/// A small file system in memory, unmounted at the end.
struct Tmpfs<'a>(&'a Path);

impl<'a> Tmpfs<'a> {
    fn mount(at: &'a Path, size: &str) -> Option<Self> {
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
            .arg(at)
            .output()
            .is_ok_and(|output| output.status.success());
        mounted.then_some(Self(at))
    }
}

impl Drop for Tmpfs<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).output();
    }
}

/// Kills a server that the test started, after a look that it is that one.
fn kill_own(pid: u32, dir: &Path) {
    let line = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap();
    assert!(line.contains(dir.to_str().unwrap()), "{line}");
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}

fn wait_until(is_so: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < Duration::from_secs(30), "it did not happen within 30 s");
        std::thread::sleep(Duration::from_millis(10));
    }
}
