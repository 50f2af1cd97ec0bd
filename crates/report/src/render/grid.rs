//! Columns of text that stay aligned when some letters are twice as wide as others.

use unicode_width::UnicodeWidthStr;

/// The alignment of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Figures.
    Right,
}

/// Rows of equal length as lines, two spaces between columns, no space at the ends of lines.
pub fn grid(rows: &[Vec<String>], align: &[Align]) -> String {
    let columns = align.len();
    let cell = |row: &Vec<String>, i: usize| row.get(i).map_or(0, |text| width(text));
    let widths: Vec<usize> =
        (0..columns).map(|i| rows.iter().map(|row| cell(row, i)).max().unwrap_or(0)).collect();
    let mut lines = String::new();
    for row in rows {
        let padded =
            row.iter().zip(align).zip(&widths).map(|((text, align), width)| pad(text, *width, *align));
        lines.push_str(padded.collect::<Vec<_>>().join("  ").trim_end());
        lines.push('\n');
    }
    lines
}

/// A text padded to a width in columns of a terminal.
pub fn pad(text: &str, columns: usize, align: Align) -> String {
    let space = " ".repeat(columns.saturating_sub(width(text)));
    match align {
        Align::Left => format!("{text}{space}"),
        Align::Right => format!("{space}{text}"),
    }
}

/// Columns that a text takes in a terminal: East Asian wide letters take two (Unicode Standard Annex 11).
pub fn width(text: &str) -> usize {
    text.width()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stay_aligned_under_wide_letters_and_combining_marks() {
        let rows = [["目标", "1"], ["cafe\u{301}", "1,000"], ["mysql", "12"]]
            .map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(
            grid(&rows, &[Align::Left, Align::Right]),
            "目标       1\ncafe\u{301}   1,000\nmysql     12\n"
        );
    }
}
