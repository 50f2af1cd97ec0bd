//! A comparison for a terminal: warnings, the servers side by side, then the variables by group.

use analysis::unequal::Warning;
use messages::{Words, message};
use report::Lang;
use report::render::grid::{Align, pad, width};

use super::super::table::printable;
use super::super::wrap::{columns, folded, wrapped};
use super::comparison::{Comparison, Difference};
use super::texts;

/// The narrowest column in which values are put side by side.
const NARROWEST: usize = 16;
/// The most lines that a value takes.
const LINES_MAX: usize = 6;
/// Longest name of a variable for which values are on the same line.
const LONGEST_NAME: usize = 34;

/// The screen.
pub fn text(comparison: &Comparison, lang: Lang, all: bool) -> String {
    let columns = columns();
    let mut lines: Vec<String> =
        comparison.warnings.iter().flat_map(|warning| warned(warning, lang, columns)).collect();
    if !lines.is_empty() {
        lines.push(String::new());
    }
    let groups = comparison.groups(all);
    let facts = texts::facts(comparison, lang);
    let names = groups.iter().flat_map(|(_, list)| list).map(|one| 2 + width(&one.setting.name));
    let first = names.filter(|name| *name <= LONGEST_NAME).max().unwrap_or(0).max(14);
    let count = comparison.columns.len();
    let each = columns.saturating_sub(first + 2) / count;
    let side_by_side = each >= NARROWEST;
    let layout = Layout { columns, first, each: each.saturating_sub(2).min(40), side_by_side };
    let labels: Vec<String> = comparison.columns.iter().map(|column| column.label.clone()).collect();
    if side_by_side {
        lines.extend(layout.row("", &labels));
    }
    for fact in &facts {
        lines.extend(layout.entry(&fact.name, &labels, &fact.values));
    }
    if let Some(sentence) = texts::judged_for(comparison, lang) {
        lines.extend([String::new(), sentence]);
    }
    for (group, list) in &groups {
        lines.extend([String::new(), lang.said(group.label())]);
        for one in list {
            lines.extend(variable(one, comparison, lang, &layout, &labels));
        }
    }
    if groups.is_empty() {
        lines.extend([String::new(), texts::nothing(comparison, lang)]);
    }
    if let Some(sentence) = texts::folded(comparison, lang).filter(|_| !all) {
        lines.extend([String::new(), sentence]);
    }
    lines.iter().map(|line| printable(line.trim_end()) + "\n").collect()
}

fn warned(warning: &Warning, lang: Lang, columns: usize) -> Vec<String> {
    let mut lines = wrapped("! ", "  ", lang.of(&warning.text), columns);
    let lead = format!("  {} ", lang.said(message!("how-to-make-equal")));
    let indent = " ".repeat(width(&lead));
    for (at, remedy) in warning.remedies.iter().enumerate() {
        lines.extend(wrapped(if at == 0 { &lead } else { &indent }, &indent, lang.of(remedy), columns));
    }
    lines
}

fn variable(
    one: &Difference,
    comparison: &Comparison,
    lang: Lang,
    layout: &Layout,
    labels: &[String],
) -> Vec<String> {
    let columns = &comparison.columns;
    let values: Vec<String> =
        one.setting.values.iter().map(|value| texts::value(value.as_ref(), lang)).collect();
    let mut lines = layout.entry(&format!("  {}", one.setting.name), labels, &values);
    let about = [
        one.setting.meaning.as_ref().map(|words| lang.of(words).to_owned()),
        texts::defaults(one, columns, lang).map(|it| lang.said(message!("has-default", value = Text(it)))),
        texts::other_names(one, columns, lang),
    ];
    let about: Vec<Words> = about.into_iter().flatten().map(Words::from).collect();
    if !about.is_empty() {
        lines.extend(wrapped("      ", "      ", &lang.said(Words::clauses(about)), layout.columns));
    }
    if let Some(effect) = texts::effect(one, lang) {
        lines.extend(wrapped("      -> ", "         ", &effect, layout.columns));
    }
    lines
}

/// The layout of columns.
struct Layout {
    /// Columns of a line.
    columns: usize,
    /// Width of the names.
    first: usize,
    /// Width of a value.
    each: usize,
    /// Whether values are side by side; with too many servers each value has a line of its own.
    side_by_side: bool,
}

impl Layout {
    /// A name with a value per server.
    fn entry(&self, name: &str, labels: &[String], values: &[String]) -> Vec<String> {
        if self.side_by_side {
            return self.row(name, values);
        }
        if let Some(first) = values.first().filter(|first| values.iter().all(|value| value == *first)) {
            return vec![format!("{}  {first}", pad(name, self.first, Align::Left))];
        }
        let widest = labels.iter().map(|label| width(label)).max().unwrap_or(0);
        let mut lines = vec![name.to_owned()];
        for (label, value) in labels.iter().zip(values) {
            let lead = format!("    {}  ", pad(label, widest, Align::Left));
            let room = self.columns - width(&lead).min(self.columns / 2);
            lines.push(format!("{lead}{}", cut(value, room)));
        }
        lines
    }

    /// Values side by side. A value too long for its column continues below, and is cut after some lines.
    fn row(&self, name: &str, values: &[String]) -> Vec<String> {
        let cells: Vec<Vec<String>> = values
            .iter()
            .map(|value| {
                let mut lines = folded(value, self.each, &[' ', ',', '-', '_']);
                if lines.len() > LINES_MAX {
                    lines.truncate(LINES_MAX);
                    if let Some(last) = lines.last_mut() {
                        *last = cut(&format!("{last}...."), self.each);
                    }
                }
                lines
            })
            .collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        let mut lines = Vec::new();
        let mut lead = pad(name, self.first, Align::Left);
        if width(name) > self.first {
            lines.push(name.to_owned());
            lead = " ".repeat(self.first);
        }
        for line in 0..height {
            let beside = cells
                .iter()
                .map(|cell| pad(cell.get(line).map_or("", String::as_str), self.each, Align::Left));
            lines.push(format!("{lead}  {}", beside.collect::<Vec<_>>().join("  ")));
            lead = " ".repeat(self.first);
        }
        lines
    }
}

/// The text, cut to this many columns.
fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut short = String::new();
    for letter in text.chars() {
        if width(&short) + width(&letter.to_string()) + 3 > columns {
            break;
        }
        short.push(letter);
    }
    short + "..."
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn long_values_are_cut_with_dots() {
        assert_eq!(cut("abcdefgh", 6), "abc...");
        assert_eq!(cut("默认值是这个", 9), "默认值...");
    }
}
