//! Text in lines of a terminal's width: broken at words, wide characters counted as two columns.

use std::io::IsTerminal;

use report::render::grid::width;

/// Columns of a line where the output is no terminal.
const PIPED: usize = 100;
/// Fewer columns than this would leave no room beside a lead.
const NARROWEST: usize = 40;

/// Columns of the terminal that standard output is, or those of a piped text.
pub fn columns() -> usize {
    let terminal = std::io::stdout().is_terminal().then(console::Term::stdout);
    let columns = terminal.and_then(|terminal| terminal.size_checked());
    columns.map_or(PIPED, |(_, columns)| usize::from(columns).max(NARROWEST))
}

/// A text in lines of bounded width, broken behind some letters and between wide ones, and where there are none of them,
/// anywhere.
pub fn folded(text: &str, columns: usize, breaks: &[char]) -> Vec<String> {
    let mut lines = vec![String::new()];
    for piece in pieces(text, breaks) {
        let mut rest = piece;
        loop {
            let line = lines.last_mut().expect("there is always a line");
            if width(line) + width(rest.trim_end()) <= columns {
                line.push_str(rest);
                break;
            }
            if !line.is_empty() {
                lines.push(String::new());
                continue;
            }
            let mut room = 0;
            let end = rest.char_indices().find(|(_, letter)| {
                room += width(&letter.to_string());
                room > columns
            });
            let end = end.map_or(rest.len(), |(at, _)| at);
            line.push_str(&rest[..end]);
            rest = &rest[end..];
            lines.push(String::new());
        }
    }
    lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

/// The parts between which a line may end. No line begins with a stop or a closing bracket.
fn pieces<'a>(text: &'a str, breaks: &[char]) -> Vec<&'a str> {
    const NEVER_FIRST: &str = "，。；：、）】”！？";
    let is_wide = |letter: char| width(&letter.to_string()) > 1;
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let end = at + letter.len_utf8();
        let next = letters.peek().map(|(_, next)| *next);
        let may_end = breaks.contains(&letter) || is_wide(letter) || next.is_some_and(is_wide);
        if may_end && next.is_none_or(|next| !NEVER_FIRST.contains(next)) {
            pieces.push(&text[start..end]);
            start = end;
        }
    }
    if start < text.len() {
        pieces.push(&text[start..]);
    }
    pieces
}

/// A sentence behind a lead, its later lines indented.
pub fn wrapped(lead: &str, indent: &str, text: &str, columns: usize) -> Vec<String> {
    let room = columns.saturating_sub(width(lead).max(width(indent))).max(1);
    let lines = folded(text, room, &[' ']);
    let led = |(at, line): (usize, String)| format!("{}{line}", if at == 0 { lead } else { indent });
    lines.into_iter().enumerate().map(led).collect()
}

#[cfg(test)]
mod tests {
    use super::{folded, width, wrapped};

    #[test]
    fn long_values_are_broken_at_commas_or_anywhere() {
        assert_eq!(folded("one,two,three", 8, &[',']), ["one,two,", "three"]);
        assert_eq!(folded("abcdefgh", 3, &[' ']), ["abc", "def", "gh"]);
        assert_eq!(folded("", 3, &[' ']), [""]);
    }

    #[test]
    fn long_sentences_go_on_below_their_beginning_and_no_word_is_broken() {
        let text = ["word"; 30].join(" ");
        let lines = wrapped(" 1. ", "    ", &text, 80);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with(" 1. word") && lines[1].starts_with("    word"));
        assert!(lines.iter().all(|line| line.len() <= 80 && line.ends_with("word")), "{lines:?}");
    }

    #[test]
    fn wide_characters_take_two_columns_and_no_line_begins_with_a_stop() {
        let text = "提交在落盘之前就已返回，崩溃时丢失 innodb_flush_log_at_trx_commit 之前的提交。";
        let lines = wrapped("-> ", "   ", text, 40);
        assert!(lines.iter().all(|line| width(line) <= 42), "{lines:?}");
        assert!(lines.iter().all(|line| !line.trim_start().starts_with(['，', '。'])), "{lines:?}");
        let together: String = lines.iter().map(|line| line.trim_start().replace("-> ", "")).collect();
        assert_eq!(together.replace(' ', ""), text.replace(' ', ""));
    }
}
