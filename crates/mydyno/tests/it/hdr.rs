//! `load.hlog` as HdrHistogram's own tools for Java read it (package libhdrhistogram-java): the same counts, the same
//! percentiles.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::Path;
use std::process::Command;

use crate::common::{json, output};

const JAR: &str = "/usr/share/java/hdrhistogram.jar";

fn processor(log: &Path, more: &[&str]) -> String {
    let mut command = Command::new("java");
    command.args(["-cp", JAR, "org.HdrHistogram.HistogramLogProcessor", "-i"]).arg(log).args(more);
    let output = command.output().expect("java is installed: scripts/setup test");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The number behind a word, as in `#[Max     =        7.582, Total count    =       162753]`.
fn figure(text: &str, word: &str) -> f64 {
    let after = text.split(word).nth(1).unwrap_or_else(|| panic!("no {word} in {text}"));
    after.trim_start_matches([' ', '=']).split([',', ']']).next().unwrap().trim().parse().unwrap()
}

#[test]
fn javas_histogram_log_processor_reads_the_same_figures() {
    let results = tempfile::tempdir().unwrap();
    let words = [
        "run",
        "oltp_read_write",
        "--target",
        "sandbox:mysql",
        "--tables",
        "1",
        "--table-size",
        "2000",
        "--threads",
        "4",
        "--time",
        "3",
        "--warmup-time",
        "1",
        "--set",
        "innodb_buffer_pool_size=64M",
    ];
    let (code, stdout, stderr) = output(&results, &words);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let view = json(&results);
    let run = results.path().join("results").join(view["runs"][0]["id"].as_str().unwrap());
    let trial = std::fs::read_dir(run.join("trials")).unwrap().next().unwrap().unwrap();
    let log = trial.path().join("load.hlog");

    let tags = processor(&log, &["-listtags"]);
    for tag in ["response:transaction", "service:transaction", "service:point_select", "service:connect"] {
        assert!(tags.lines().any(|line| line == tag), "{tag} is not in {tags}");
    }
    assert!(tags.contains("warmup:response:transaction"), "{tags}");

    for (operation, origin) in
        [("transaction", "response"), ("transaction", "service"), ("commit", "service")]
    {
        let text = processor(&log, &["-tag", &format!("{origin}:{operation}")]);
        let operations = view["cells"][0]["operations"].as_array().unwrap();
        let ours = operations.iter().find(|one| one["name"] == operation).unwrap();
        let ms = |key: &str| ours[origin][key].as_f64().unwrap();
        assert_eq!(figure(&text, "Total count"), ours["count"].as_f64().unwrap(), "{text}");
        // Theirs is the mean of the middles of the buckets, ours that of the latencies; both print three decimals.
        assert!((figure(&text, "#[Mean") - ms("avg_ms")).abs() < 0.002 + 0.001 * ms("avg_ms"), "{ours}");
        assert!((figure(&text, "#[Max") - ms("max_ms")).abs() < 0.001 + 0.001 * ms("max_ms"), "{ours}");
        // Value and percentile, row by row: ours lies between the rows on both sides of it.
        let rows: Vec<Vec<f64>> = text
            .lines()
            .map(|line| line.split_whitespace().map_while(|word| word.parse().ok()).collect::<Vec<f64>>())
            .filter(|row| row.len() >= 3)
            .collect();
        for (percentile, key) in [(0.5, "p50_ms"), (0.9, "p90_ms"), (0.95, "p95_ms"), (0.99, "p99_ms")] {
            let below = rows.iter().rfind(|row| row[1] < percentile).map_or(0.0, |row| row[0]);
            let above = rows.iter().find(|row| row[1] >= percentile).unwrap()[0];
            let ours = ms(key);
            assert!(
                (below - 0.001..=above + 0.001).contains(&ours),
                "{key}: {ours} is not in {below}..{above}"
            );
        }
    }
}
