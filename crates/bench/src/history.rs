//! `bench/history.jsonl`: every measured row in a line of its own, kept in the repository, for `mydyno history`.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use model::{BenchmarkLine, HostFacts};

use crate::error::BenchError;
use crate::laboratory::Laboratory;
use crate::rounds::Spread;
use crate::table::Line;

/// The file, below the directory that the program is run in. `BENCH_HISTORY` names another one.
const FILE: &str = "bench/history.jsonl";

/// The common fields of the lines of one `make bench`.
pub struct Conditions {
    at: String,
    commit: String,
    host: HostFacts,
    seconds: f64,
    rounds: usize,
}

impl Conditions {
    /// The current conditions.
    pub fn now(laboratory: &Laboratory) -> Self {
        Self {
            at: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            commit: commit(),
            host: probe::host_facts(),
            seconds: laboratory.seconds,
            rounds: laboratory.rounds,
        }
    }

    /// The line for the history; none for a row that could not be measured.
    fn line(&self, line: &Line) -> Option<BenchmarkLine> {
        let figure = line.result.as_ref().ok().filter(|figure| figure.value.is_finite())?;
        let spread = (!figure.rounds.is_empty()).then(|| Spread::of(&figure.rounds));
        Some(BenchmarkLine {
            at: self.at.clone(),
            commit: self.commit.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            cpu_model: self.host.cpu_model.clone(),
            cpus: self.host.cpus,
            row: line.row.name.to_owned(),
            unit: line.row.unit.to_owned(),
            better: line.row.target.better(),
            value: figure.value,
            min: spread.map(|spread| spread.min),
            max: spread.map(|spread| spread.max),
            rounds: if figure.rounds.is_empty() { self.rounds } else { figure.rounds.len() } as u32,
            seconds: self.seconds,
        })
    }

    /// Appends the lines to the file.
    pub fn append(&self, lines: &[Line]) -> Result<(), BenchError> {
        let path = std::env::var_os("BENCH_HISTORY").map_or_else(|| PathBuf::from(FILE), PathBuf::from);
        self.append_to(&path, lines)?;
        println!("{}", path.display());
        Ok(())
    }

    fn append_to(&self, path: &Path, lines: &[Line]) -> Result<(), BenchError> {
        let text: String = lines
            .iter()
            .filter_map(|line| self.line(line))
            .map(|line| serde_json::to_string(&line).expect("it has only plain values") + "\n")
            .collect();
        let fail = |source| BenchError::File { path: path.display().to_string(), source };
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(fail)?;
        file.write_all(text.as_bytes()).map_err(fail)
    }
}

/// The commit that is checked out, with `-dirty` where other files than the history itself differ from it; empty without git.
fn commit() -> String {
    let git = |words: &[&str]| {
        let output = Command::new("git").args(words).stdin(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else { return String::new() };
    let exclude = format!(":!{FILE}");
    let changed = git(&["status", "--porcelain", "--untracked-files=no", "--", ".", &exclude]);
    if changed.is_some_and(|changed| changed.is_empty()) { commit } else { commit + "-dirty" }
}

#[cfg(test)]
mod tests {
    use model::Better;

    use super::*;
    use crate::catalog::{Row, Target};
    use crate::rounds::Figure;

    #[test]
    fn every_measured_row_is_appended_as_a_line() {
        let conditions = Conditions {
            at: "2026-11-22T12:00:00Z".to_owned(),
            commit: "0123456789ab".to_owned(),
            host: HostFacts { cpu_model: "a CPU".to_owned(), cpus: 2, ..HostFacts::default() },
            seconds: 8.0,
            rounds: 3,
        };
        let line = |name, target, result| Line { row: Row { name, unit: "ratio", target }, result };
        let lines = [
            line("cpu", Target::AtMost(0.8), Ok(Figure::of("mydyno", "us", vec![0.7, 0.6, 0.9]))),
            line("broken", Target::AtLeast(1.0), Err("no server".to_owned())),
            line("throughput", Target::AtLeast(1.0), Ok(Figure::of("mydyno", "1/s", vec![1.5]))),
        ];
        let path = std::env::temp_dir().join(format!("bench-history-{}", std::process::id()));
        for _ in 0..2 {
            conditions.append_to(&path, &lines).expect("the directory can be written to");
        }
        let text = std::fs::read_to_string(&path).expect("it was written");
        std::fs::remove_file(&path).expect("it is ours");
        let read: Vec<BenchmarkLine> =
            text.lines().map(|line| serde_json::from_str(line).expect("it is a line")).collect();
        assert_eq!(read.len(), 4, "two rows, twice");
        assert_eq!((read[0].value, read[0].min, read[0].max), (0.7, Some(0.6), Some(0.9)));
        assert_eq!((read[0].better, read[1].better), (Better::Lower, Better::Higher));
        assert_eq!((read[0].rounds, read[1].row.as_str()), (3, "throughput"));
    }
}
