//! A comparison as tables for a page.

use messages::Words;
use report::Lang;

use super::comparison::Comparison;
use super::texts;

/// The document.
pub fn markdown(comparison: &Comparison, lang: Lang, all: bool) -> String {
    let mut text = String::new();
    for warning in &comparison.warnings {
        text.push_str(&format!("> **!** {}\n", escaped(lang.of(&warning.text))));
        for remedy in &warning.remedies {
            text.push_str(&format!("> - {}\n", escaped(lang.of(remedy))));
        }
        text.push('\n');
    }
    let labels: Vec<String> = comparison.columns.iter().map(|column| column.label.clone()).collect();
    let mut head = vec![String::new()];
    head.extend(labels.iter().cloned());
    let rows = texts::facts(comparison, lang)
        .into_iter()
        .map(|fact| std::iter::once(fact.name).chain(fact.values).collect());
    text.push_str(&table(&head, rows));
    if let Some(sentence) = texts::judged_for(comparison, lang) {
        text.push_str(&format!("\n{}\n", escaped(&sentence)));
    }
    let groups = comparison.groups(all);
    let mut head = vec![lang.column("variable")];
    head.extend(labels);
    head.extend(["default", "meaning", "effect"].map(|name| lang.column(name)));
    for (group, list) in &groups {
        text.push_str(&format!("\n## {}\n\n", lang.said(group.label())));
        let rows = list.iter().map(|one| {
            let mut row = vec![format!("`{}`", one.setting.name)];
            row.extend(one.setting.values.iter().map(|value| texts::value(value.as_ref(), lang)));
            row.push(texts::defaults(one, &comparison.columns, lang).unwrap_or_default());
            let meaning = one.setting.meaning.as_ref().map(|words| lang.of(words).to_owned());
            let about = [meaning, texts::other_names(one, &comparison.columns, lang)];
            let about: Vec<Words> = about.into_iter().flatten().map(Words::from).collect();
            row.push(if about.is_empty() { String::new() } else { lang.said(Words::clauses(about)) });
            row.push(texts::effect(one, lang).unwrap_or_default());
            row
        });
        text.push_str(&table(&head, rows));
    }
    if groups.is_empty() {
        text.push_str(&format!("\n{}\n", texts::nothing(comparison, lang)));
    }
    if let Some(sentence) = texts::folded(comparison, lang).filter(|_| !all) {
        text.push_str(&format!("\n{sentence}\n"));
    }
    text
}

fn table(head: &[String], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = format!("|{}\n", "---|".repeat(head.len()));
    line(head) + &rule + &rows.map(|row| line(&row)).collect::<String>()
}

/// Text from elsewhere must not end a cell, nor become markup.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '|' | '*' | '_' | '<' | '[' | '\\' if !text.starts_with('`') => safe.extend(['\\', letter]),
            '|' => safe.push_str("\\|"),
            letter if letter.is_control() => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe
}
