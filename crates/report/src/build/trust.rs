//! The line above the answer: how far the figures can be relied on, from `analysis::validity`.

use analysis::validity::Reason;
use analysis::{Severity, Validity, Words};
use messages::message;

use crate::view::{Level, ReasonView, Trust};

/// Reasons that the line names; the others are counted.
pub const NAMED: usize = 2;

/// The validity of a view. `is_of_figures`: its answer depends on valid figures.
pub fn trust(validity: Validity, is_of_figures: bool) -> Trust {
    let level = match validity.level {
        analysis::ValidityLevel::Fit => Level::Green,
        analysis::ValidityLevel::Caveats => Level::Amber,
        analysis::ValidityLevel::Invalid => Level::Red,
    };
    let summary = summary(level, &validity.reasons);
    let reasons: Vec<ReasonView> = validity
        .reasons
        .into_iter()
        .map(|r| ReasonView { level: severity(r.severity), id: r.id, text: r.text, cells: r.cells })
        .collect();
    Trust { level, summary, withdrawn: level == Level::Red && is_of_figures, reasons }
}

/// Colour of a severity.
fn severity(severity: Severity) -> Level {
    match severity {
        Severity::Note => Level::Green,
        Severity::Warn => Level::Amber,
        Severity::Invalid => Level::Red,
    }
}

fn summary(level: Level, reasons: &[Reason]) -> Words {
    let level = match level {
        Level::Green => "green",
        Level::Amber => "amber",
        Level::Red => "red",
    };
    let named = reasons.iter().take(NAMED).map(|reason| reason.brief.clone()).collect::<Vec<_>>();
    let more = reasons.len().saturating_sub(NAMED);
    message!("validity-line", level = Word(level), reasons = Clauses(named), more = Count(more as u64))
}
