//! A search for the differences that matter as a table.

use analysis::bisect::{FoundDifference, RatioEstimate};
use analysis::{Bisection, Words};
use messages::message;
use messages::number::{ratio, ratio_interval};

use super::grid::{Align, grid};
use crate::words::Lang;

/// The head of the table, and a row for each difference that was found.
pub fn rows(found: &Bisection, lang: Lang) -> (Vec<String>, Vec<Vec<String>>) {
    let mut head = vec![column(found, "difference", lang), found.base.clone(), found.other.clone()];
    head.extend(["share", "alone", "last"].map(|name| column(found, name, lang)));
    (head, found.found.iter().map(|one| row(one, lang)).collect())
}

fn row(one: &FoundDifference, lang: Lang) -> Vec<String> {
    let share = one.share.map(|share| {
        let percent = |value: f64| format!("{:.0}", value * 100.0);
        format!("{} % [{}, {}]", percent(share.value), percent(share.low), percent(share.high))
    });
    let factor = |estimate: Option<RatioEstimate>| {
        estimate.map_or_else(String::new, |found| {
            format!("{}x {}", ratio(found.value), lang.of(&ratio_interval(found.low, found.high)))
        })
    };
    vec![
        one.name.clone(),
        lang.of(&one.base).to_owned(),
        lang.of(&one.other).to_owned(),
        share.unwrap_or_default(),
        factor(one.alone),
        factor(one.last),
    ]
}

/// A heading, the table, and the evidence in sentences.
pub fn text(found: &Bisection, lang: Lang) -> String {
    let (head, rows) = rows(found, lang);
    let evidence = lang.of(&found.evidence);
    if rows.is_empty() {
        return format!("{}\n{evidence}\n", title(found, lang));
    }
    let all: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
    let lines: String = grid(&all, &[Align::Left; 6]).lines().map(|line| format!("  {line}\n")).collect();
    format!("{}\n{lines}{evidence}\n", title(found, lang))
}

/// What the table is about.
pub fn title(found: &Bisection, lang: Lang) -> String {
    lang.said(message!(
        "bisect-title",
        base = Text(&found.base),
        other = Text(&found.other),
        workload = Text(&found.workload),
        clients = Count(found.threads)
    ))
}

fn column(found: &Bisection, name: &str, lang: Lang) -> String {
    let column: Words =
        message!("bisect-column", column = Word(name), base = Text(&found.base), other = Text(&found.other));
    lang.said(column)
}
