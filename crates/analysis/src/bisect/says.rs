//! What a search found, in words.

use messages::message;

use super::found::{BisectStanding, Bisection, FoundDifference, RatioEstimate};

use crate::Words;

/// The answer in sentences. `oppose`: the differences work against each other. `in_vain` are the reasons why trials of the targets
/// do not count.
pub(super) fn answer(found: &Bisection, oppose: bool, mut in_vain: Vec<Words>) -> Words {
    let ratio = |ratio: RatioEstimate| {
        message!(
            "bisect-ratio",
            base = Text(&found.base),
            other = Text(&found.other),
            ratio = Ratio(ratio.value),
            interval = RatioInterval((ratio.low, ratio.high)),
            clients = Count(found.threads),
        )
    };
    let mut sentences: Vec<Words> = Vec::new();
    match found.standing {
        BisectStanding::Equivalent => sentences.push(message!(
            "bisect-equivalent",
            base = Text(&found.base),
            other = Text(&found.other),
            ratio = Ratio(found.ratio.map_or(1.0, |ratio| ratio.value)),
            interval = RatioInterval(found.ratio.map_or((1.0, 1.0), |ratio| (ratio.low, ratio.high))),
            clients = Count(found.threads),
        )),
        BisectStanding::Undecided => sentences.push(message!(
            "bisect-undecided",
            base = Text(&found.base),
            other = Text(&found.other),
            trials = Count(found.trials),
        )),
        BisectStanding::Failed => {
            in_vain.dedup();
            sentences.push(message!(
                "bisect-failed",
                base = Text(&found.base),
                other = Text(&found.other),
                why = Clauses(in_vain),
            ));
        }
        BisectStanding::Unexplained | BisectStanding::Explained | BisectStanding::Unfinished => {
            sentences.extend(found.ratio.map(ratio));
            sentences.extend(explained(found, oppose));
        }
    }
    message!("answer", clauses = Sentences(sentences))
}

fn explained(found: &Bisection, oppose: bool) -> Vec<Words> {
    let mut sentences = Vec::new();
    let named: Vec<&FoundDifference> = found.found.iter().filter(|one| one.named).collect();
    let parts: Vec<Words> = named.iter().map(|one| explains(one)).collect();
    if !parts.is_empty() {
        sentences.push(Words::clauses(parts));
    }
    if oppose {
        sentences.push(message!("bisect-oppose"));
    }
    sentences.extend(named.iter().flat_map(|one| one.depends.clone()));
    if let Some(left) = found.unexplained.filter(|_| !named.is_empty() && !oppose) {
        sentences.push(message!(
            "bisect-rest",
            share = Percent(left.value),
            interval = PercentInterval((left.low, left.high)),
        ));
    }
    let others = found.differences.saturating_sub(named.len() as u32);
    match (found.standing, found.others_max) {
        (BisectStanding::Unfinished, _) => sentences.push(message!("bisect-unfinished")),
        (BisectStanding::Unexplained, _) => {
            sentences.push(message!("bisect-unexplained", differences = Count(found.differences)));
        }
        (_, Some(most)) if others > 0 && !oppose => {
            sentences.push(message!("bisect-others", others = Count(others), most = Percent(most)));
        }
        _ => {}
    }
    sentences
}

fn explains(one: &FoundDifference) -> Words {
    match one.share {
        Some(share) => message!(
            "bisect-explains",
            name = Text(&one.name),
            base = Message(one.base.clone()),
            other = Message(one.other.clone()),
            share = Percent(share.value),
            interval = PercentInterval((share.low, share.high)),
        ),
        None => {
            let effect = one.alone.or(one.last);
            message!(
                "bisect-changes",
                name = Text(&one.name),
                base = Message(one.base.clone()),
                other = Message(one.other.clone()),
                ratio = Ratio(effect.map_or(1.0, |ratio| ratio.value)),
                interval = RatioInterval?(effect.map(|ratio| (ratio.low, ratio.high))),
            )
        }
    }
}

/// A value, or that none is set.
pub(super) fn value(value: Option<&str>) -> Words {
    match value {
        Some(value) => Words::new(value, value),
        None => message!("bisect-default"),
    }
}

/// It does nothing without others.
pub(super) fn only_with(name: &str, others: Vec<String>) -> Words {
    message!("bisect-only-with", name = Text(name), others = List(others))
}

/// Beside another one it does more or less than alone.
pub(super) fn interacts(name: &str, other: &str, ratio: f64) -> Words {
    let direction = if ratio > 1.0 { "more" } else { "less" };
    message!(
        "bisect-interacts",
        name = Text(name),
        other = Text(other),
        ratio = Ratio(ratio),
        direction = Word(direction)
    )
}

/// Without the end of a server's log, which may follow.
fn first_line(why: &Words) -> Words {
    let line = |text: &str| text.lines().next().unwrap_or_default().trim_end_matches(['.', ':']).to_owned();
    if why.en.contains('\n') { Words::new(line(&why.en), line(&why.zh)) } else { why.clone() }
}

/// How it was proved, and what it took.
pub(super) fn evidence(
    found: &Bisection,
    proof: (Option<bool>, Option<bool>),
    dropped: Vec<String>,
) -> Words {
    let word = |holds: Option<bool>| match holds {
        Some(true) => "yes",
        Some(false) => "no",
        None => "unknown",
    };
    let mut sentences = Vec::new();
    if found.found.iter().any(|one| one.named) {
        let what = |one: &str, other: &str, holds, way: &'static str| {
            message!(
                "bisect-proof",
                base = Text(one),
                other = Text(other),
                holds = Word(word(holds)),
                way = Word(way)
            )
        };
        sentences.push(what(&found.base, &found.other, proof.0, "with"));
        sentences.push(what(&found.base, &found.other, proof.1, "without"));
    }
    if !dropped.is_empty() {
        sentences.push(message!("bisect-dropped", names = List(dropped)));
    }
    for one in &found.not_started {
        let (names, why) = (one.taken.clone(), first_line(&one.why));
        sentences.push(message!("bisect-not-started", names = List(names), why = Message(why)));
    }
    sentences.push(message!(
        "bisect-effort",
        trials = Count(found.trials),
        combinations = Count(found.combinations),
        differences = Count(found.differences),
    ));
    if found.not_valid > 0 {
        sentences.push(message!("bisect-not-valid", trials = Count(found.not_valid)));
    }
    message!("answer", clauses = Sentences(sentences))
}
