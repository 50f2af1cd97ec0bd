//! A search for a capacity as a table: the rates that were tried, and what held at each.

use analysis::capacity::{RateStanding, RateTried};
use analysis::{Capacity, Words};
use messages::message;

use super::grid::{Align, grid};
use crate::format::figure;
use crate::words::Lang;

/// The head of the table, and a row for each rate.
pub fn rows(capacity: &Capacity, lang: Lang) -> (Vec<String>, Vec<Vec<String>>) {
    let column = |name: &str| lang.said(message!("capacity-column", column = Word(name)));
    let mut head = vec![column("rate"), column("held"), column("standing")];
    head.extend(capacity.conditions.iter().map(|one| format!("{} [{}]", one.text, one.unit)));
    head.push(column("missed"));
    (head, capacity.rates.iter().map(|rate| row(rate, lang)).collect())
}

fn row(rate: &RateTried, lang: Lang) -> Vec<String> {
    let standing = match rate.standing {
        RateStanding::Met => "met",
        RateStanding::Missed => "missed",
        RateStanding::Undecided => "undecided",
    };
    let held = message!(
        "rate-held",
        held = Count(rate.held),
        trials = Count(rate.trials),
        aside = Count(rate.set_aside)
    );
    let mut row = vec![
        figure(rate.per_s),
        lang.said(held),
        lang.said(message!("rate-standing", standing = Word(standing))),
    ];
    row.extend(rate.values.iter().map(|value| value.map(figure).unwrap_or_default()));
    row.push(lang.said(Words::parts(rate.missed.clone())));
    row
}

/// A heading, the table, and the evidence in a sentence.
pub fn text(capacity: &Capacity, lang: Lang) -> String {
    let (head, rows) = rows(capacity, lang);
    let mut align = vec![Align::Right, Align::Left, Align::Left];
    align.extend(capacity.conditions.iter().map(|_| Align::Right));
    align.push(Align::Left);
    let all: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
    let lines: String = grid(&all, &align).lines().map(|line| format!("  {line}\n")).collect();
    format!(
        "{}\n{lines}{}\n",
        title(capacity, lang),
        lang.said(message!("as-sentence", clause = Message(capacity.evidence.clone())))
    )
}

/// Title of the table.
pub fn title(capacity: &Capacity, lang: Lang) -> String {
    lang.said(message!(
        "capacity-of",
        target = Text(&capacity.target),
        workload = Text(&capacity.workload),
        clients = Count(capacity.threads)
    ))
}
