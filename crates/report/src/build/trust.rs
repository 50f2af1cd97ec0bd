//! The line above the answer: how far the figures can be relied on, from `analysis::validity`.

use analysis::{Severity, Validity, Words};

use crate::view::{Level, ReasonView, Trust};

/// Reasons that the line names; the others are counted.
pub const NAMED: usize = 2;

/// The validity of a view.
pub fn trust(validity: Validity) -> Trust {
    let level = match validity.level {
        analysis::ValidityLevel::Fit => Level::Green,
        analysis::ValidityLevel::Caveats => Level::Amber,
        analysis::ValidityLevel::Invalid => Level::Red,
    };
    let reasons: Vec<ReasonView> = validity
        .reasons
        .into_iter()
        .map(|r| ReasonView { level: severity(r.severity), id: r.id, text: r.text, cells: r.cells })
        .collect();
    Trust { level, summary: summary(level, &reasons), withdrawn: level == Level::Red, reasons }
}

/// Colour of a severity.
fn severity(severity: Severity) -> Level {
    match severity {
        Severity::Note => Level::Green,
        Severity::Warn => Level::Amber,
        Severity::Invalid => Level::Red,
    }
}

fn summary(level: Level, reasons: &[ReasonView]) -> Words {
    // The first sentence of a reason names it; what to do about it stands with the others further down.
    let named = || reasons.iter().take(NAMED).map(|r| &r.text);
    let first = |text: &str, stop: &str| text.split(stop).next().unwrap_or(text).to_owned();

    let more = reasons.len().saturating_sub(NAMED);
    let (more_en, more_zh) = match more {
        0 => (String::new(), String::new()),
        n => (format!("; and {n} more"), format!("；另有 {n} 项")),
    };
    let en = named().map(|w| first(&w.en, ". ")).collect::<Vec<_>>().join("; ");
    let zh = named().map(|w| first(&w.zh, "。")).collect::<Vec<_>>().join("；");
    let (head_en, head_zh) = match level {
        Level::Green => ("Valid", "有效"),
        Level::Amber => ("Valid with caveats", "有效，但有保留"),
        Level::Red => ("Not valid", "无效"),
    };
    Words::new(format!("{head_en}: {en}{more_en}."), format!("{head_zh}：{zh}{more_zh}。"))
}
