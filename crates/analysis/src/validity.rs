//! Validity of a measurement: valid, valid with caveats, or not valid. The first is earned, not the default.

use messages::message;
use serde::{Deserialize, Serialize};

use crate::Words;
use crate::caution::ComparabilityWarning;
use crate::caveat::{self, Caveat, Severity};
use crate::summary::CellSummary;

/// The validity of a measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValidityLevel {
    /// Three trials or more of every cell, all completed, and nothing to warn of.
    Fit,
    /// Valid for those who know the caveats. Cells that are not valid are named, and get no verdict.
    Caveats,
    /// No cell is valid, or with several targets no two at the same workload and number of clients: no answer is supported.
    Invalid,
}

/// A level and what led to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Validity {
    /// The level.
    pub level: ValidityLevel,
    /// Reasons against it, worst first; for a valid one, the reasons for it.
    pub reasons: Vec<Reason>,
}

/// A reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reason {
    /// Id of the rule.
    pub id: String,
    /// Severity of the reason.
    pub severity: Severity,
    /// The reason alone, as a line on validity names it.
    pub brief: Words,
    /// The sentence, with what to do about it.
    pub text: Words,
    /// Cells concerned; 0: not about cells.
    pub cells: u32,
}

/// Judges all cells of a report together, with what differs between the targets. Notes do not cost anything and
/// are not among the reasons.
pub fn validity(cells: &[CellSummary], cautions: &[ComparabilityWarning]) -> Validity {
    let measured = cells.iter().filter(|c| c.completed() > 0).count();
    if measured == 0 {
        let text = message!("no-cell-completed");
        let cells = cells.len() as u32;
        let none = reason("nothing_completed", Severity::Invalid, text, cells);
        return Validity { level: ValidityLevel::Invalid, reasons: vec![none] };
    }
    let mut reasons = grouped_caveats(cells);
    if measured < cells.len() {
        let missing = cells.len() - measured;
        let text =
            message!("cells-missing", missing = Count(missing as u64), cells = Count(cells.len() as u64));
        reasons.push(reason("cells_missing", Severity::Warn, text, missing as u32));
    }
    reasons.extend(cautions.iter().filter(|c| c.severity > Severity::Note).map(|c| Reason {
        id: c.id.to_owned(),
        severity: c.severity,
        brief: c.fact.clone(),
        text: c.text.clone(),
        cells: 0,
    }));
    reasons.sort_by_key(|r| std::cmp::Reverse(r.severity));
    let level = match reasons.first() {
        Some(_) if !is_supported(cells) => ValidityLevel::Invalid,
        Some(_) => ValidityLevel::Caveats,
        None => ValidityLevel::Fit,
    };
    if level == ValidityLevel::Fit {
        reasons.push(merit(cells));
    }
    Validity { level, reasons }
}

/// A reason without advice.
fn reason(id: &str, severity: Severity, text: Words, cells: u32) -> Reason {
    Reason { id: id.to_owned(), severity, brief: text.clone(), text, cells }
}

/// Whether there is a valid cell; with several targets, two of them at the same workload and number of clients.
fn is_supported(cells: &[CellSummary]) -> bool {
    let completed = || cells.iter().filter(|cell| cell.completed() > 0);
    let valid = || completed().filter(|cell| cell.is_valid());
    let several = completed().any(|one| completed().any(|other| other.target != one.target));
    let beside = |one: &CellSummary| {
        valid().any(|o| (&o.workload, o.threads) == (&one.workload, one.threads) && o.target != one.target)
    };
    valid().any(|cell| !several || beside(cell))
}

/// One reason per rule: the sentence and place of the worst cell, and the number of cells it concerns.
fn grouped_caveats(cells: &[CellSummary]) -> Vec<Reason> {
    let mut found: Vec<Vec<(&CellSummary, &Caveat)>> = Vec::new();
    for cell in cells {
        for caveat in cell.caveats.iter().filter(|c| c.severity > Severity::Note) {
            match found.iter_mut().find(|own| own[0].1.id == caveat.id) {
                Some(own) => own.push((cell, caveat)),
                None => found.push(vec![(cell, caveat)]),
            }
        }
    }
    let grouped = |own: Vec<(&CellSummary, &Caveat)>| {
        let first = own[0];
        let worst = own
            .iter()
            .skip(1)
            .fold(first, |worst, one| if caveat::is_worse(one.1, worst.1) { *one } else { worst });
        reason(&worst.1.id, worst.1.severity, placed(&own, worst, cells), own.len() as u32)
    };
    found.into_iter().map(grouped).collect()
}

/// The sentence with its place, which is left out for a single cell, or where all cells have the reason.
fn placed(own: &[(&CellSummary, &Caveat)], worst: (&CellSummary, &Caveat), cells: &[CellSummary]) -> Words {
    let (cell, caveat) = worst;
    if cells.len() == 1 {
        return caveat.text.clone();
    }
    let alike = own.iter().all(|(_, other)| other.text == caveat.text);
    let place_of = match own.len() {
        1 => "only",
        n if alike && n == cells.len() => "all",
        _ if alike => "some",
        _ => "worst",
    };
    caveat.in_cells(message!(
        "in-cells",
        where = Word(place_of),
        place = Message(place(cell, cells)),
        having = Count(own.len() as u64),
        cells = Count(cells.len() as u64),
    ))
}

/// `mysql at 16 clients`, with the workload where there are several.
fn place(cell: &CellSummary, cells: &[CellSummary]) -> Words {
    let several = cells.iter().any(|other| other.workload != cell.workload);
    message!(
        "cell",
        target = Text(&cell.target),
        workload = Text?(several.then_some(&cell.workload)),
        clients = Count(cell.threads),
    )
}

fn merit(cells: &[CellSummary]) -> Reason {
    let runs = cells.iter().map(CellSummary::completed).min().unwrap_or_default();
    reason("earned", Severity::Note, message!("earned", trials = Count(runs)), cells.len() as u32)
}
