//! Every message as it reads, with sample arguments of the documented types: to review the prose in one place.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use messages::{Arg, ArgKind, Documented, Words, documented};

use crate::catalogues::messages;

fn rendered(pick: fn(&Words) -> &String) -> String {
    let all = messages("en");
    let mut text = String::new();
    for (id, arguments) in documented() {
        let _ = writeln!(text, "{id}");
        let mut said: Vec<String> = Vec::new();
        for choice in choices(arguments, &all[id].keys) {
            let sentence = pick(&Words::of(id, choice)).clone();
            if !said.contains(&sentence) {
                let _ = writeln!(text, "    {sentence}");
                said.push(sentence);
            }
        }
    }
    text
}

/// Sample arguments: the first of each, then the others of each argument in turn, and at last without the optional ones.
fn choices<'a>(
    arguments: &'a Documented,
    keys: &BTreeMap<String, BTreeSet<String>>,
) -> Vec<Vec<(&'a str, Arg)>> {
    let samples: Vec<(&str, Vec<Arg>)> =
        arguments.iter().map(|(name, kind)| (name.as_str(), samples(name, kind, keys.get(name)))).collect();
    let first: Vec<(&str, Arg)> = samples.iter().map(|(name, all)| (*name, all[0].clone())).collect();
    let mut choices = vec![first.clone()];
    for (position, (name, all)) in samples.iter().enumerate() {
        for other in &all[1..] {
            let mut choice = first.clone();
            choice[position] = (name, other.clone());
            choices.push(choice);
        }
    }
    let without =
        |(name, arg): (&'a str, Arg)| (name, if arguments[name].optional { Arg::Absent } else { arg });
    choices.push(first.into_iter().map(without).collect());
    choices
}

fn samples(name: &str, kind: &ArgKind, keys: Option<&BTreeSet<String>>) -> Vec<Arg> {
    let text = || format!("<{name}>");
    let words = || vec![Words::from(format!("<{name} 1>")), Words::from(format!("<{name} 2>"))];
    match kind.name.as_str() {
        "Count" if keys.is_some() => {
            let named = keys.into_iter().flatten().filter_map(|key| key.parse().ok());
            [3, 1].into_iter().chain(named).map(Arg::Count).collect()
        }
        "Count" => vec![Arg::Count(12_105)],
        "Figure" => vec![Arg::Figure(8.314)],
        "Whole" => vec![Arg::Whole(61.0)],
        "Tenths" => vec![Arg::Tenths(12.5)],
        "Hundredths" => vec![Arg::Hundredths(12.53)],
        "Ratio" => vec![Arg::Ratio(1.414)],
        "RatioInterval" => vec![Arg::RatioInterval((1.34, 1.49))],
        "PercentInterval" => vec![Arg::PercentInterval((0.62, 0.8))],
        "Interval" => vec![Arg::Interval((880.0, 928.0))],
        "Change" => vec![Arg::Change(1.14)],
        "ChangePercent" => vec![Arg::ChangePercent(1.14)],
        "Percent" => vec![Arg::Percent(0.114)],
        "Seconds" => vec![Arg::Seconds(12.0)],
        "Bytes" => vec![Arg::Bytes(3 << 29)],
        "Text" => vec![Arg::Text(text())],
        "List" => vec![Arg::List(["<a>", "<b>", "<c>"].map(str::to_owned).into())],
        "Word" => kind.words.iter().cloned().map(Arg::Word).collect(),
        "Message" => vec![Arg::Message(text().into())],
        "Opening" => vec![Arg::Opening(text().into())],
        "Parts" => vec![Arg::Parts(words())],
        "Clauses" => vec![Arg::Clauses(words())],
        "Sentences" => vec![Arg::Sentences(words())],
        "Enumeration" => vec![Arg::Enumeration(words())],
        "Steps" => vec![Arg::Steps(words())],
        unknown => panic!("{name} has the unknown type {unknown}"),
    }
}

#[test]
fn english_reads_well() {
    insta::assert_snapshot!(rendered(|words| &words.en));
}

#[test]
fn chinese_reads_well() {
    insta::assert_snapshot!(rendered(|words| &words.zh));
}
