//! Instances side by side: S as a table, and the verdict of the controls on each hypothesis.

use analysis::Colocation;
use analysis::colocation::Hypothesis;
use messages::message;
use messages::number::{ratio, ratio_interval};

use super::grid::{Align, grid};
use crate::format::{figure, thousands};
use crate::words::Lang;

/// The head of the table of S, and a row for each number of clients.
pub fn rows(of: &Colocation, lang: Lang) -> (Vec<String>, Vec<Vec<String>>) {
    let names = ["each", "all", "alone", "together", "s", "verdict"];
    let row = |point: &analysis::colocation::ColocationPoint| {
        let interval = point.s.low.zip(point.s.high);
        let interval = interval.map(|(low, high)| format!(" {}", lang.of(&ratio_interval(low, high))));
        vec![
            thousands(u64::from(point.threads)),
            thousands(u64::from(point.threads * of.instances)),
            figure(point.alone_per_s),
            figure(point.together_per_s),
            format!("{}{}", ratio(point.s.mean), interval.unwrap_or_default()),
            lang.said(message!("colocation-s-is", standing = Word(point.standing.word()))),
        ]
    };
    (names.map(|name| column(of, name, lang)).into(), of.points.iter().map(row).collect())
}

/// The head of the table of hypotheses, and a row for each.
pub fn hypotheses(of: &Colocation, lang: Lang) -> (Vec<String>, Vec<Vec<String>>) {
    let row = |one: &Hypothesis| {
        let (name, claim) = (lang.of(&one.name), lang.of(&one.claim));
        let hypothesis = message!("colocation-hypothesis", name = Text(name), claim = Text(claim));
        vec![lang.said(hypothesis), verdict(one, lang), lang.of(&one.evidence).to_owned()]
    };
    let names = ["hypothesis", "verdict", "evidence"];
    (names.map(|name| column(of, name, lang)).into(), of.hypotheses.iter().map(row).collect())
}

/// A heading, the table of S, and a line for each hypothesis.
pub fn text(of: &Colocation, lang: Lang) -> String {
    let (head, rows) = rows(of, lang);
    let align = [Align::Right, Align::Right, Align::Right, Align::Right, Align::Left, Align::Left];
    let all: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
    let table: String = grid(&all, &align).lines().map(|line| format!("  {line}\n")).collect();
    let line = |one: &Hypothesis| {
        let line = message!(
            "colocation-line",
            verdict = Text(verdict(one, lang)),
            name = Text(lang.of(&one.name)),
            claim = Text(lang.of(&one.claim)),
            evidence = Text(lang.of(&one.evidence)),
        );
        format!("- {}\n", lang.said(line))
    };
    let lines: String = of.hypotheses.iter().map(line).collect();
    format!("{}\n{table}{lines}", title(of, lang))
}

/// Title of the tables.
pub fn title(of: &Colocation, lang: Lang) -> String {
    lang.said(message!("colocation-title", workload = Text(&of.workload)))
}

fn verdict(one: &Hypothesis, lang: Lang) -> String {
    lang.said(message!("colocation-standing", standing = Word(one.standing.word())))
}

fn column(of: &Colocation, name: &str, lang: Lang) -> String {
    lang.said(message!("colocation-column", column = Word(name), instances = Count(of.instances)))
}
