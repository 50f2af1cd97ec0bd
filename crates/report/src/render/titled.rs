//! A table with a title, for terminals and for Markdown.

use super::grid::{Align, grid};

/// A table with a title.
pub struct TitledTable {
    /// Title of the table.
    pub title: String,
    /// Words above its columns.
    pub head: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
    /// Alignment of the columns.
    pub align: Vec<Align>,
}

impl TitledTable {
    /// A heading, and the table.
    pub fn text(self) -> String {
        let all: Vec<Vec<String>> = std::iter::once(self.head).chain(self.rows).collect();
        let lines: String = grid(&all, &self.align).lines().map(|line| format!("  {line}\n")).collect();
        format!("{}\n{lines}", self.title)
    }
}
