//! The traffic light: fit to decide on, usable with caveats, or not valid. Green is earned, not the default.

use serde::{Deserialize, Serialize};

use crate::Words;
use crate::caution::Caution;
use crate::caveat::Severity;
use crate::summary::CellSummary;
use crate::text::count;

/// Whether figures can be decided on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Fit to decide on: three runs or more of every cell, all completed, and nothing to warn of.
    Fit,
    /// Usable by those who know the caveats.
    Caveats,
    /// Not a measurement of the servers.
    Invalid,
}

/// A level and what led to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Validity {
    /// The level.
    pub level: Level,
    /// What speaks against it, worst first; for a green light, what earned it.
    pub reasons: Vec<Reason>,
}

/// One reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reason {
    /// Which rule.
    pub id: String,
    /// How much it matters.
    pub severity: Severity,
    /// The sentence.
    pub text: Words,
    /// Cells concerned; 0: not about cells.
    pub cells: u32,
}

/// Judges all cells of a report together, with what differs between the targets. Notes do not cost the green light and
/// are not among the reasons.
pub fn validity(cells: &[CellSummary], cautions: &[Caution]) -> Validity {
    let measured = cells.iter().filter(|c| c.completed() > 0).count();
    if measured == 0 {
        let text = Words::new("no cell completed", "没有任何单元完成");
        let cells = cells.len() as u32;
        let none = Reason { id: "nothing_completed".to_owned(), severity: Severity::Invalid, text, cells };
        return Validity { level: Level::Invalid, reasons: vec![none] };
    }
    let mut reasons = grouped_caveats(cells);
    if measured < cells.len() {
        let missing = cells.len() - measured;
        let (missing_text, all) = (count(missing as u64), count(cells.len() as u64));
        let text = Words::new(
            format!("cells without a completed run: {missing_text} of {all}"),
            format!("{all} 个单元中有 {missing_text} 个没有完成的运行"),
        );
        let id = "cells_missing".to_owned();
        reasons.push(Reason { id, severity: Severity::Warn, text, cells: missing as u32 });
    }
    reasons.extend(cautions.iter().filter(|c| c.severity > Severity::Note).map(|c| Reason {
        id: c.id.to_owned(),
        severity: c.severity,
        text: c.text.clone(),
        cells: 0,
    }));
    reasons.sort_by_key(|r| std::cmp::Reverse(r.severity));
    let level = match reasons.first().map(|r| r.severity) {
        Some(Severity::Invalid) => Level::Invalid,
        Some(_) => Level::Caveats,
        None => Level::Fit,
    };
    if level == Level::Fit {
        reasons.push(merit(cells));
    }
    Validity { level, reasons }
}

/// One reason per rule, with the sentence of the first cell it concerns and how many there are.
fn grouped_caveats(cells: &[CellSummary]) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = Vec::new();
    for cell in cells {
        for caveat in cell.caveats.iter().filter(|c| c.severity > Severity::Note) {
            match reasons.iter_mut().find(|r| r.id == caveat.id) {
                Some(same) => {
                    same.cells += 1;
                    same.severity = same.severity.max(caveat.severity);
                }
                None => reasons.push(Reason {
                    id: caveat.id.clone(),
                    severity: caveat.severity,
                    text: caveat.text.clone(),
                    cells: 1,
                }),
            }
        }
    }
    let all = cells.len();
    for reason in reasons.iter_mut().filter(|r| r.cells > 1 || all > 1) {
        let (some, all) = (count(reason.cells.into()), count(all as u64));
        reason.text = Words::new(
            format!("{} ({some} of {all} cells)", reason.text.en),
            format!("{}（{all} 个单元中的 {some} 个）", reason.text.zh),
        );
    }
    reasons
}

fn merit(cells: &[CellSummary]) -> Reason {
    let runs = cells.iter().map(CellSummary::completed).min().unwrap_or_default();
    Reason {
        id: "earned".to_owned(),
        severity: Severity::Note,
        text: Words::new(
            format!("{runs} runs or more of every cell, all completed, nothing to warn of"),
            format!("每个单元至少完成 {runs} 次运行，没有需要警告的问题"),
        ),
        cells: cells.len() as u32,
    }
}
