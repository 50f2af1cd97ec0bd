//! Cost of a crash test's journal to the clients that keep it.

use std::fs::File;
use std::io::Write;
use std::time::Duration;

use crate::error::BenchError;
use crate::laboratory::Laboratory;
use crate::rounds::{Arm, Figures, interleave};

/// Ratio of the transactions per second of clients that keep a journal, written to a file entry by entry like in a
/// recording, to those of clients that run the same transactions without one.
pub fn cost(laboratory: &mut Laboratory) -> Result<Figures, BenchError> {
    let (rounds, length) = (laboratory.rounds, Duration::from_secs_f64(laboratory.seconds));
    let connect = laboratory.server()?.connect_options(None);
    let path = std::env::temp_dir().join(format!("bench-journal-{}.jsonl", std::process::id()));
    let measured = {
        let arms = vec![
            Arm::new("with the journal", || kept(&connect, length, &path)),
            Arm::new("without", || runner::journal_rate(&connect, 1, length, None).map_err(BenchError::Load)),
        ];
        interleave("transfers with and without a journal", rounds, arms)
    };
    let _ = std::fs::remove_file(&path);
    let ratio = measured?.ratio([0, 1], "transactions/s", |per_s| *per_s);
    Ok(Figures::from([("journal_cost".to_owned(), ratio)]))
}

fn kept(connect: &wire::ConnectOptions, length: Duration, path: &std::path::Path) -> Result<f64, BenchError> {
    let failed = |error: std::io::Error| BenchError::Load(format!("the journal cannot be kept: {error}"));
    let mut file = File::create(path).map_err(failed)?;
    let mut written = Ok(());
    let per_s = runner::journal_rate(
        connect,
        1,
        length,
        Some(&mut |entry| {
            let mut line = serde_json::to_vec(entry).expect("an entry has only plain values");
            line.push(b'\n');
            if written.is_ok() {
                written = file.write_all(&line);
            }
        }),
    );
    written.map_err(failed)?;
    per_s.map_err(BenchError::Load)
}
