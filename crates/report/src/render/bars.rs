//! The distribution of response times as a few bars: what a table of percentiles does not show at first sight.

use crate::View;
use crate::format::figure;

/// Rows at most.
const ROWS: usize = 8;
/// Columns of the longest bar.
const LONGEST: f64 = 32.0;

/// Characters of a bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bars {
    /// Block elements, to an eighth of a column.
    Blocks,
    /// ASCII bars, which every terminal can show.
    Plain,
}

/// Bars of the response times of the only cell of a view, by factors of equal size; none of several cells, where
/// no trial completed, or where the cell has fewer than two different values.
pub fn latency_bars(view: &View, bars: Bars) -> Option<String> {
    let [cell] = view.cells.as_slice() else { return None };
    cell.totals.as_ref()?;
    let buckets: Vec<(f64, u64)> = cell
        .trials
        .iter()
        .flat_map(|trial| trial.histogram.value_ms.iter().copied().zip(trial.histogram.count.iter().copied()))
        .filter(|(ms, count)| *ms > 0.0 && *count > 0)
        .collect();
    let low = buckets.iter().map(|(ms, _)| *ms).reduce(f64::min)?;
    let high = buckets.iter().map(|(ms, _)| *ms).reduce(f64::max).filter(|high| *high > low)?;
    let step = (high / low).ln() / ROWS as f64;
    let mut counts = [0_u64; ROWS];
    for (ms, count) in &buckets {
        let row = ((ms / low).ln() / step) as usize;
        counts[row.min(ROWS - 1)] += count;
    }
    let all: u64 = counts.iter().sum();
    let most = counts.iter().copied().max().unwrap_or(1).max(1);
    let mut text = format!("  {}\n", view.lang.column("response-time"));
    for (row, count) in counts.iter().enumerate() {
        let edge = |place: usize| figure(low * (step * place as f64).exp());
        let share = *count as f64 / all as f64 * 100.0;
        let bar = bar(*count as f64 / most as f64 * LONGEST, bars);
        let range = format!("{} - {}", edge(row), edge(row + 1));
        let percent = if *count == 0 { "-".to_owned() } else { percent(share) };
        text.push_str(format!("  {range:>17}  {percent:>8}  {bar}").trim_end());
        text.push('\n');
    }
    Some(text)
}

/// A share in percent; a tiny one is not shown as zero.
fn percent(share: f64) -> String {
    match share {
        share if share < 0.01 => "<0.01 %".to_owned(),
        share if share < 9.95 => format!("{share:.2} %"),
        share => format!("{share:.1} %"),
    }
}

fn bar(columns: f64, bars: Bars) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if bars == Bars::Plain {
        return "#".repeat(columns.round() as usize);
    }
    let eighths = (columns * 8.0).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_share() {
        assert_eq!(bar(2.5, Bars::Blocks), "██▌");
        assert_eq!(bar(2.4, Bars::Plain), "##");
        assert_eq!(
            (percent(0.001), percent(3.0), percent(62.04)),
            ("<0.01 %".into(), "3.00 %".into(), "62.0 %".into())
        );
    }
}
