//! Figures that other tools measured, and tools that read mydyno's.

use std::path::{Path, PathBuf};

use crate::common::output;
use crate::sabotage::row::{Expect::*, Seen};

fn data(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../import/tests/data").join(file)
}

/// An import with these words, and what `report` and `show` say of it.
fn imported(words: &[&str]) -> Seen {
    let results = tempfile::tempdir().unwrap();
    import_into(&results, words)
}

fn import_into(results: &tempfile::TempDir, words: &[&str]) -> Seen {
    let mut seen = Seen::of(results, output(results, &[&["import"], words].concat()));
    for verb in [
        &["report", "latest", "--format", "text"][..],
        &["report", "latest", "--format", "markdown"],
        &["show", "latest"],
    ] {
        if seen.code == 0 {
            let (_, stdout, stderr) = output(results, verb);
            seen.text.push_str(&format!("\n{stdout}{stderr}"));
        }
    }
    seen
}

const LOG: &str = "sysbench-1.0.20-oltp_read_write.log";

fn one_log() -> Seen {
    imported(&[data(LOG).to_str().unwrap(), "--target", "db1"])
}

fn one_log_twice() -> Seen {
    let results = tempfile::tempdir().unwrap();
    let copy = results.path().join("again-oltp_read_write.log");
    std::fs::copy(data(LOG), &copy).unwrap();
    let seen =
        import_into(&results, &[data(LOG).to_str().unwrap(), copy.to_str().unwrap(), "--target", "db1"]);
    assert_eq!(seen.view["cells"][0]["trials"].as_array().unwrap().len(), 1, "{}", seen.view);
    seen
}

/// An open loop and a closed one, of the same server and workload.
fn a_rate_beside_none() -> Seen {
    let results = tempfile::tempdir().unwrap();
    let log = std::fs::read_to_string(data(LOG)).unwrap();
    let rated =
        log.replace("Number of threads: 2\n", "Number of threads: 2\nTarget transaction rate: 700/sec\n");
    let write = |name: &str, text: &str| {
        std::fs::write(results.path().join(name), text).unwrap();
        let (code, stdout, stderr) = output(&results, &["import", name, "--target", "db1"]);
        assert_eq!(code, 0, "{stderr}");
        stdout.trim().to_owned()
    };
    let (closed, open) = (write("a-oltp_read_write.log", &log), write("b-oltp_read_write.log", &rated));
    Seen::of(&results, output(&results, &["compare", &closed, &open]))
}

fn a_run_of_mydyno_beside_an_import() -> Seen {
    let results = tempfile::tempdir().unwrap();
    let run = [
        "run",
        "oltp_read_write",
        "--target",
        "sandbox:mariadb",
        "--table-size",
        "100",
        "--events",
        "5",
        "--threads",
        "2",
    ];
    let (code, _, stderr) = output(&results, &run);
    assert_eq!(code, 0, "{stderr}");
    let (_, list, _) = output(&results, &["list"]);
    let own = list.split_whitespace().find(|word| word.ends_with("-oltp_read_write")).unwrap().to_owned();
    let (_, theirs, _) = output(&results, &["import", data(LOG).to_str().unwrap()]);
    Seen::of(&results, output(&results, &["compare", theirs.trim(), &own]))
}

fn types_of_gotpc() -> Seen {
    imported(&[data("go-tpc-table.log").to_str().unwrap(), "--threads", "2"])
}

fn a_log_cut_after_its_time() -> Seen {
    let results = tempfile::tempdir().unwrap();
    let log = std::fs::read_to_string(data(LOG)).unwrap();
    let end = log.find("total number of events").unwrap();
    std::fs::write(results.path().join("cut.log"), &log[..end]).unwrap();
    import_into(&results, &["cut.log"])
}

fn a_device_that_never_ends() -> Seen {
    imported(&["/dev/zero"])
}

rows! {
    an_import_is_never_valid: "the log of another tool is a checked measurement", one_log =>
        [Code(0), Caveat("imported", "warn"), Validity("amber"), Says("no check of validity was possible"),
         Says("2.79"), Says("17.57"), Says("715.")];
    a_file_given_twice_is_no_repeat: "a log and its copy are two runs that agree to the last digit", one_log_twice =>
        [Code(0), Caveat("few_runs", "warn"), Says("given twice and counted once")];
    an_open_loop_is_not_compared_with_a_closed_one: "an offered rate is what the server can do", a_rate_beside_none =>
        [Says("700/s offered")];
    nothing_differs_from_the_unknown: "the machine differs from no machine", a_run_of_mydyno_beside_an_import =>
        [Code(0), NeverSays("differs:  and"), NeverSays(" and \n"), Says("an unknown warm-up")];
    gotpc_by_type: "tpmC and its latencies were not measured", types_of_gotpc =>
        [Code(0), Says("12,640"), Says("New-Order"), Says("10.50"), Says("reported by the tool")];
    a_log_that_is_cut: "a log that ends in the middle is a result without latencies", a_log_cut_after_its_time =>
        [Code(2), Says("it was cut")];
    a_device: "an import that never ends is one that takes long", a_device_that_never_ends =>
        [Code(2), Says("larger than 64 MiB")];
}
