//! The thresholds of `--fail-on`, judged after a run: a table of what held and what did not.

use std::path::Path;

use analysis::contest::Standing;
use analysis::threshold::{Judged, Threshold};
use store::Recording;

use super::table::{Align, table};
use crate::error::Outcome;
use crate::exit::Exit;
use crate::output;

/// Judges every cell, prints the table on standard error, and gives the exit code: 3 if any cell is beyond a threshold, 4 if
/// one cannot be judged.
pub fn judge(run: &Path, thresholds: &[Threshold]) -> Outcome<Exit> {
    if thresholds.is_empty() {
        return Ok(Exit::Ok);
    }
    let judged = report::thresholds::thresholds(&Recording::read(run)?, thresholds)?;
    let columns = [
        ("FAIL ON", Align::Left),
        ("TARGET", Align::Left),
        ("WORKLOAD", Align::Left),
        ("CLIENTS", Align::Right),
        ("MEASURED", Align::Left),
        ("OUTCOME", Align::Left),
    ];
    let rows: Vec<Vec<String>> = judged.iter().map(|one| row(one, thresholds)).collect();
    output::note(table(&columns, &rows).trim_end());
    let any = |standing| judged.iter().any(|one| one.standing == standing);
    Ok(if any(Standing::Failed) {
        Exit::Gate
    } else if judged.is_empty() || any(Standing::CannotTell) {
        Exit::Invalid
    } else {
        Exit::Ok
    })
}

fn row(one: &Judged, thresholds: &[Threshold]) -> Vec<String> {
    let unit = thresholds.iter().find(|threshold| threshold.text == one.threshold).map(|t| t.metric.unit);
    let outcome = match one.standing {
        Standing::Holds => "held".to_owned(),
        Standing::Failed => "FAILED".to_owned(),
        Standing::CannotTell => format!("undetermined: {}", one.why.as_deref().unwrap_or_default()),
    };
    vec![
        one.threshold.clone(),
        one.target.clone(),
        one.workload.clone(),
        one.threads.to_string(),
        unit.and_then(|unit| one.figure(unit)).unwrap_or_else(|| "-".to_owned()),
        outcome,
    ]
}
