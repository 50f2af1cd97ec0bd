//! What the runs of cells did over time, a line for each cell of which there is something to say.

use analysis::over_time::Question;

use crate::View;
use crate::format::thousands;
use crate::view::Cell;
use crate::words::Lang;

/// Cells that fit beside the figures; the page has all.
const CELLS_MAX: usize = 8;

/// `mysql, 16 clients: throughput dips every 60 s, by 60 %`, for each cell of a sweep that has findings.
pub fn sweep(view: &View, cells: &[&Cell]) -> Vec<String> {
    let lang = view.lang;
    let line = |cell: &&Cell| {
        let said = clauses(cell, lang);
        let (target, n) = (&view.targets[cell.target].label, thousands(u64::from(cell.threads)));
        let place = match lang {
            Lang::En => format!("{target}, {n} {}: ", if cell.threads == 1 { "client" } else { "clients" }),
            Lang::Zh => format!("{target}，{n} 个客户端："),
        };
        (!said.is_empty()).then(|| format!("{place}{}", said.join(lang.pick("; ", "；"))))
    };
    let mut lines: Vec<String> = cells.iter().filter_map(line).collect();
    let left_out = lines.len().saturating_sub(CELLS_MAX);
    if left_out > 0 {
        lines.truncate(CELLS_MAX);
        lines.push(match lang {
            Lang::En => format!("and {left_out} more cells that changed over time, on the page"),
            Lang::Zh => format!("另有 {left_out} 个单元随时间有变化，见报告页面"),
        });
    }
    lines
}

/// The findings of the only cell, a line each.
pub fn cell(cell: &Cell, lang: Lang) -> Vec<String> {
    clauses(cell, lang).into_iter().map(str::to_owned).collect()
}

/// What is not said already by the sentence about long runs.
fn clauses(cell: &Cell, lang: Lang) -> Vec<&str> {
    let told = cell.timelines.iter().any(|timeline| timeline.sustained.is_some());
    let is_told = |question| told && matches!(question, Question::Jitter | Question::Growth);
    let findings = cell.over_time.iter().flat_map(|over_time| &over_time.findings);
    findings.filter(|f| !is_told(f.question)).map(|f| lang.of(&f.text)).collect()
}
