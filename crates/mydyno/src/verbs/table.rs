//! Plain tables for the terminal.

use report::render::grid::grid;

pub use report::render::grid::Align;

/// Rows under a heading, in columns as wide as they need to be.
pub fn table(columns: &[(&str, Align)], rows: &[Vec<String>]) -> String {
    let heading = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
    let printed = rows.iter().map(|row| row.iter().map(|cell| printable(cell)).collect());
    let align: Vec<Align> = columns.iter().map(|(_, align)| *align).collect();
    grid(&std::iter::once(heading).chain(printed).collect::<Vec<_>>(), &align)
}

/// Text from elsewhere must not steer the terminal.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [vec!["a".to_owned(), "1".to_owned()], vec!["bcd".to_owned(), "1,000".to_owned()]];
        let text = table(&[("NAME", Align::Left), ("N", Align::Right)], &rows);
        assert_eq!(text, "NAME      N\na         1\nbcd   1,000\n");
    }

    #[test]
    fn a_label_in_wide_letters_moves_no_column() {
        let rows = [vec!["主库".to_owned(), "1".to_owned()], vec!["copy".to_owned(), "22".to_owned()]];
        let text = table(&[("NAME", Align::Left), ("N", Align::Right)], &rows);
        assert_eq!(text, "NAME   N\n主库   1\ncopy  22\n");
    }

    #[test]
    fn escape_sequences_do_not_reach_the_terminal() {
        assert_eq!(printable("a\u{1b}[2Jb"), "a?[2Jb");
    }
}
