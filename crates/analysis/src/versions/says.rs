//! What a search found, in words.

use messages::message;

use super::found::{ERROR, VersionSearch, VersionStanding};
use crate::Words;
use crate::bisect::RatioEstimate;

/// The answer in sentences.
pub(super) fn answer(found: &VersionSearch) -> Words {
    let (Some(first), Some(last)) = (found.builds.first(), found.builds.last()) else {
        return Words::new("", "");
    };
    let between = |one: RatioEstimate, from: &str, to: &str| {
        message!(
            "versions-ratio",
            metric = Word(found.metric.as_str()),
            from = Text(from),
            to = Text(to),
            ratio = Ratio(one.value),
            interval = RatioInterval((one.low, one.high))
        )
    };
    let mut sentences = Vec::new();
    if let (Some(before), Some(after)) = (&found.before, &found.after) {
        sentences.push(message!(
            "versions-found",
            metric = Word(found.metric.as_str()),
            before = Text(before),
            after = Text(after),
            clients = Count(found.threads)
        ));
        sentences.extend(found.step.map(|step| between(step, before, after)));
        let skipped: Vec<String> = skipped(found, before, after);
        if !skipped.is_empty() {
            sentences.push(message!("versions-skipped", builds = List(skipped)));
        }
        sentences.push(match found.is_estimated {
            true => message!("versions-estimated"),
            false => message!("versions-error", error = Percent(ERROR)),
        });
    } else {
        sentences.push(message!(
            "versions-not-found",
            standing = Word(found.standing.word()),
            first = Text(&first.target),
            last = Text(&last.target),
            clients = Count(found.threads)
        ));
    }
    if found.standing != VersionStanding::Failed {
        sentences.extend(found.ratio.map(|ratio| between(ratio, &first.target, &last.target)));
    }
    sentences.dedup();
    message!("answer", clauses = Sentences(sentences))
}

/// Builds between the two that could not be measured.
fn skipped(found: &VersionSearch, before: &str, after: &str) -> Vec<String> {
    let position = |label: &str| found.builds.iter().position(|build| build.target == label);
    let (Some(from), Some(to)) = (position(before), position(after)) else { return Vec::new() };
    found.builds[from + 1..to].iter().map(|build| build.target.clone()).collect()
}
