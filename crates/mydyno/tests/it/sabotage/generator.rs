//! The generator itself is disturbed.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::busy::Busy;
use crate::common::{mydyno, output};
use crate::sabotage::row::{Expect::*, Seen};
use crate::sabotage::server::{External, loaded, seen, signal};

const POINT_SELECT: [&str; 6] =
    ["run", "oltp_point_select", "--target", "sandbox:mariadb", "--table-size", "1000"];

/// Three transactions: too few for any percentile.
fn hardly_a_transaction() -> Seen {
    let results = tempfile::tempdir().unwrap();
    Seen::of(&results, output(&results, &[&POINT_SELECT[..], &["--events", "3"]].concat()))
}

/// Less than one transaction is due in the window.
fn nothing_is_due() -> Seen {
    let results = tempfile::tempdir().unwrap();
    Seen::of(&results, output(&results, &[&POINT_SELECT[..], &["--rate", "0.001", "--time", "1"]].concat()))
}

/// A limit on concurrent transactions, for two clients.
fn limited(in_flight: &str) -> Seen {
    let results = tempfile::tempdir().unwrap();
    let words = ["--threads", "2", "--in-flight", in_flight, "--warmup-time", "0", "--time", "1"];
    Seen::of(&results, output(&results, &[&POINT_SELECT[..], &words].concat()))
}

/// Ctrl-Z and `fg`, or a virtual machine that was paused.
fn stopped_for_two_seconds() -> Seen {
    let results = tempfile::tempdir().unwrap();
    let mut command = mydyno(
        &results,
        &[&POINT_SELECT[..], &["--threads", "4", "--warmup-time", "0", "--time", "7"]].concat(),
    );
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    loaded(&results, &mut child, 0);
    signal("-STOP", child.id().into());
    std::thread::sleep(Duration::from_secs(2));
    signal("-CONT", child.id().into());
    seen(&results, child)
}

/// The generator gets what others leave over, which is next to nothing. A machine that stood still itself meanwhile left it more: then
/// it is planted once more.
fn starved() -> Seen {
    let is_planted =
        |seen: &Seen| seen.caveats().contains(&("cpu_contention".to_owned(), "invalid".to_owned()));
    Some(starved_once()).filter(is_planted).unwrap_or_else(starved_once)
}

fn starved_once() -> Seen {
    let server = External::start("starved");
    let words =
        ["oltp_point_select", "--rate", "2000", "--threads", "4", "--warmup-time", "3", "--time", "5"];
    let mut child = server.command("run", &words).spawn().unwrap();
    server.loaded(&mut child, 0);
    let pid = child.id().to_string();
    assert!(Command::new("chrt").args(["-a", "-i", "-p", "0", &pid]).status().unwrap().success());
    let busy = Busy::start(3);
    // From within the warm-up until after the window.
    std::thread::sleep(Duration::from_millis(8_500));
    drop(busy);
    assert!(Command::new("chrt").args(["-a", "-o", "-p", "0", &pid]).status().unwrap().success());
    server.seen(child)
}

/// Confined to one CPU, beside a loop that has the other ones: it takes nothing that could have been had.
fn confined_to_a_cpu() -> Seen {
    let results = tempfile::tempdir().unwrap();
    let plain = mydyno(&results, &[&POINT_SELECT[..], &["--time", "2"]].concat());
    let mut command = Command::new("taskset");
    command.args(["-c", "0"]).arg(plain.get_program()).args(plain.get_args()).env_clear();
    command.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.current_dir(results.path()).stdin(Stdio::null());
    let elsewhere = Command::new("taskset")
        .args(["-c", "1", "timeout", "60", "sh", "-c", "while :; do :; done"])
        .stderr(Stdio::null())
        .spawn();
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let seen = seen(&results, child);
    if let Ok(mut elsewhere) = elsewhere {
        signal("-TERM", elsewhere.id().into());
        elsewhere.wait().unwrap();
    }
    seen
}

rows! {
    a_limit_above_the_clients_is_remarked_on: "four transactions at a time are the limit", || limited("4") =>
        [Code(0), Says("! --in-flight=4 limits nothing: a trial has at most 2 clients")];
    a_limit_below_the_clients_is_none: "a limit that works is called useless", || limited("1") =>
        [Code(0), NeverSays("limits nothing")];
    three_transactions_have_no_percentiles: "p99 of three transactions is a p99", hardly_a_transaction =>
        [Code(0), Caveat("few_transactions", "warn")];
    no_transaction_has_no_percentile: "p95 of transactions that were not measured", nothing_is_due =>
        [Code(0), Caveat("no_transactions", "invalid"), Validity("red"), NeverSays("! p95 of")];
    a_stopped_generator_is_not_a_slow_server: "throughput fell by half", stopped_for_two_seconds =>
        [Code(0), Caveat("generator_paused", "invalid"), Validity("red"), Says("the generator was suspended for"),
         NoCaveat("trend"), NoCaveat("warmup_not_over"), NoCaveat("change_point"), NoCaveat("stall"),
         NoCaveat("littles_law")];
    a_starved_generator_is_not_a_rate_too_high: "the offered rate exceeded the capacity", starved =>
        [Code(0), Caveat("cpu_contention", "invalid"), Validity("red"), NoCaveat("overload"),
         NoCaveat("generator_paused"), NeverSays("the offered rate exceeded the capacity")];
    // The shares themselves are checked in every recording.
    cpus_of_others_are_not_taken_from_us: "other processes used 191 % of the CPUs", confined_to_a_cpu => [Code(0)];
}
