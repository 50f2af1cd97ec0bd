//! Whole experiments with the program itself, on real sandboxes: equal arms whose difference must not be significant, and a
//! slow-down that must be found.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::error::BenchError;
use crate::laboratory::Laboratory;
use crate::rounds::Figure;
use crate::rounds::Figures;

/// Small experiments with equal arms.
const EXPERIMENTS: u32 = 20;
/// Share of the throughput that remains under the planted quota.
const PLANTED: f64 = 0.95;

/// Equal arms, `EXPERIMENTS` times: at how many of them some point was called better or worse.
pub fn equal(laboratory: &mut Laboratory) -> Result<Figures, BenchError> {
    let mut told_apart = 0;
    for experiment in 1..=EXPERIMENTS {
        eprintln!("equal arms, experiment {experiment} of {EXPERIMENTS}");
        let sweep = "--threads 4 --time 1 --warmup-time 1 --repeats 4 --drift-check";
        let said = sweep_of(
            laboratory,
            ["a=sandbox:mysql", "b=sandbox:mysql"],
            &format!("{sweep} --seed {experiment}"),
        )?;
        told_apart +=
            u32::from(verdicts(&said)?.iter().any(|verdict| matches!(*verdict, "better" | "worse")));
    }
    let figure = Figure::of("significant", "experiments", vec![f64::from(told_apart)]);
    Ok(Figures::from([("experiment_equal_arms".to_owned(), figure)]))
}

/// A quota that takes 5 % of what the server would use: the upper end of the interval of the ratio, which is below 1 if
/// it is called worse.
pub fn slow_down(laboratory: &mut Laboratory) -> Result<Figures, BenchError> {
    let alone = sweep_of(
        laboratory,
        ["a=sandbox:mysql", "b=sandbox:mysql"],
        "--threads 1 --time 5 --warmup-time 2 --repeats 2",
    )?;
    let wrong = |what| BenchError::Output { program: "mydyno".to_owned(), what, said: alone.to_string() };
    let uses = |cell: &Value| -> Option<f64> {
        let costs = cell["costs"].as_array()?;
        let cpu = costs.iter().find(|cost| cost["id"] == "server_cpu")?;
        // Microseconds for each transaction.
        Some(cpu["per_transaction"].as_f64()? * cell["throughput_per_s"]["mean"].as_f64()? / 1e6)
    };
    let cpus = uses(&alone["cells"][0]).ok_or_else(|| wrong("what CPU the server used"))?;
    let quota = format!("b=sandbox:mysql?cpu-quota={:.3}", cpus * PLANTED);
    eprintln!("the server uses {cpus:.3} CPUs, the planted quota leaves {PLANTED} of it");
    let sweep = "--threads 1 --time 3 --warmup-time 1 --repeats 5 --until-sure=10m --max-repeats 60";
    let said = sweep_of(laboratory, ["a=sandbox:mysql", &quota], sweep)?;
    let found = &said["comparisons"][0];
    eprintln!("{}", found);
    let number = |key: &str| found[key].as_f64();
    let high = number("high").ok_or_else(|| wrong("an interval"))?;
    let mut figure = Figure::of("upper end", "ratio", vec![high]);
    let ends = [number("low"), number("throughput_ratio"), Some(high)].into_iter().flatten().collect();
    figure = figure.beside([Figure::of("low, ratio, high", "ratio", ends)]);
    Ok(Figures::from([("experiment_slow_down".to_owned(), figure)]))
}

/// Conducts a sweep of point selects over two targets, and gives its report.
fn sweep_of(laboratory: &Laboratory, targets: [&str; 2], more: &str) -> Result<Value, BenchError> {
    let results = std::env::temp_dir().join(format!("mydyno-bench-{}", std::process::id()));
    let mut command = Command::new(program()?);
    command.args([
        "sweep",
        "oltp_point_select",
        "--tables",
        "1",
        "--table-size",
        "100000",
        "--format",
        "json",
    ]);
    command.args(["--no-defaults", "--results"]).arg(&results);
    targets.iter().for_each(|target| _ = command.args(["--target", target]));
    command.args(more.split(' ')).env("MYDYNO_HOME", laboratory.home.root());
    let spawn = |source| BenchError::Spawn { program: "mydyno".to_owned(), source };
    let out = command.output().map_err(spawn)?;
    let _ = std::fs::remove_dir_all(&results);
    if !out.status.success() {
        let said = String::from_utf8_lossy(&out.stderr).lines().rev().take(5).collect::<Vec<_>>().join("; ");
        return Err(BenchError::Failed {
            program: "mydyno".to_owned(),
            status: out.status.to_string(),
            said,
        });
    }
    serde_json::from_slice(&out.stdout).map_err(|_| BenchError::Output {
        program: "mydyno".to_owned(),
        what: "a report",
        said: String::from_utf8_lossy(&out.stdout).into_owned(),
    })
}

/// The mydyno built beside this program.
fn program() -> Result<PathBuf, BenchError> {
    let me = std::env::current_exe()
        .map_err(|source| BenchError::Spawn { program: "mydyno".to_owned(), source })?;
    Ok(me.with_file_name("mydyno"))
}

fn verdicts(report: &Value) -> Result<Vec<&str>, BenchError> {
    let all = report["comparisons"].as_array();
    let found: Vec<&str> = all.into_iter().flatten().filter_map(|one| one["verdict"].as_str()).collect();
    if found.is_empty() {
        let said = report.to_string();
        return Err(BenchError::Output { program: "mydyno".to_owned(), what: "a verdict", said });
    }
    Ok(found)
}
