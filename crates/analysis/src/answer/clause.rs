//! A clause of an answer: the comparison of two targets at one number of clients or over a stretch of them.

use messages::message;

use super::open;
use super::stretch::{Standing, Stretch};
use crate::Words;

/// One clause: which target is faster and where, or why that is unknown. `before` won in the previous clause.
pub(super) fn clause(stretch: &Stretch, place: &Words, targets: usize, before: Option<&str>) -> Words {
    let place = || place.clone();
    let (metric, margin) = (metric(stretch), stretch.margin());
    match &stretch.standing {
        Standing::Faster(winner) | Standing::Measured(winner) => {
            let measured = matches!(stretch.standing, Standing::Measured(_));
            let comparison = match (measured, stretch.by_response(), targets > 2) {
                (false, false, false) => "faster",
                (false, false, true) => "fastest",
                (false, true, false) => "sooner",
                (false, true, true) => "soonest",
                (true, false, false) => "measured-faster",
                (true, false, true) => "measured-fastest",
                (true, true, false) => "measured-sooner",
                (true, true, true) => "measured-soonest",
            };
            let again = match before {
                Some(_) if stretch.by_response() => "first",
                Some(before) if before == winner => "same",
                Some(_) => "again",
                None => "first",
            };
            message!(
                "faster",
                winner = Text(winner),
                again = Word(again),
                comparison = Word(comparison),
                place = Message(place()),
                by = Message(how_much(stretch, targets)),
            )
        }
        Standing::MeasuredEqual => {
            message!(
                "measured-equal",
                metric = Word(metric),
                margin = Percent(margin),
                place = Message(place())
            )
        }
        Standing::Same => {
            message!("equivalent", metric = Word(metric), margin = Percent(margin), place = Message(place()))
        }
        Standing::Inconclusive => {
            message!("inconclusive", place = Message(place()), by = Message?(undecided(stretch)))
        }
        Standing::KeepsUp { kept, behind, rate } => open::keeps_up_clause(kept, behind, *rate, &place()),
        Standing::Withheld => {
            // The reasons stand in the line on validity and beside the cells.
            let targets = stretch.comparisons.iter().flat_map(|c| &c.not_valid);
            let mut names: Vec<String> = Vec::new();
            for target in targets {
                if !names.contains(target) {
                    names.push(target.clone());
                }
            }
            let count = names.len() as u64;
            message!("no-verdict", place = Message(place()), targets = List(names), count = Count(count))
        }
    }
}

/// The catalogue's name of the compared metric.
fn metric(stretch: &Stretch) -> &'static str {
    if stretch.by_response() { "p95" } else { "throughput" }
}

/// `b/a 1.04x [0.97, 1.12], about 12 repeats might settle it`: the direction and the number of repeats that would settle
/// it. For several numbers of clients with one pair of targets, only the range: the table has intervals and repeats.
fn undecided(stretch: &Stretch) -> Option<Words> {
    let all = &stretch.comparisons;
    let first = all.first().filter(|c| all.iter().all(|o| (&o.base, &o.other) == (&c.base, &c.other)))?;
    let form = if format!("{}{}", first.other, first.base).contains('/') { "over" } else { "slash" };
    let pair = message!(
        "pair",
        metric = Word(metric(stretch)),
        other = Text(&first.other),
        base = Text(&first.base),
        form = Word(form),
    );
    if all.len() > 1 {
        let least = all.iter().map(|c| c.ratio).fold(f64::INFINITY, f64::min);
        let most = all.iter().map(|c| c.ratio).fold(0.0, f64::max);
        return Some(message!(
            "undecided-range",
            pair = Message(pair),
            least = Ratio(least),
            most = Ratio(most),
        ));
    }
    // Significant before correction: the number of repeats is that without one.
    let is_corrected = first.excludes_one();
    Some(message!(
        "undecided",
        pair = Message(pair),
        ratio = Ratio(first.ratio),
        interval = RatioInterval?(first.low.zip(first.high)),
        else = Word(if is_corrected { "corrected" } else { "hopeless" }),
        comparisons = Count(first.family_size),
        repeats = Count?(first.runs_needed.filter(|_| !is_corrected)),
    ))
}

/// `1.07x to 1.41x [1.33, 1.50] at 64`: the range, and the interval of the largest.
fn how_much(stretch: &Stretch, targets: usize) -> Words {
    let mut sorted = stretch.comparisons.clone();
    let response = stretch.by_response();
    if response {
        // The slower over the faster: how much longer it takes to answer.
        for c in &mut sorted {
            (c.ratio, c.low, c.high) = (1.0 / c.ratio, c.high.map(f64::recip), c.low.map(f64::recip));
        }
    }
    sorted.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
    let (Some(least), Some(most)) = (sorted.first(), sorted.last()) else { return Words::new("", "") };
    let shown = messages::number::ratio;
    let form = match sorted.len() {
        1 => "one",
        _ if shown(least.ratio) == shown(most.ratio) => "level",
        _ => "range",
    };
    let factor = message!(
        "factor",
        form = Word(form),
        low = Ratio(least.ratio),
        high = Ratio(most.ratio),
        interval = RatioInterval?(most.low.zip(most.high)),
        at = Count(most.threads),
    );
    let is_one = sorted.len() == 1;
    if response {
        let base = (targets <= 2 || is_one).then_some(&most.base);
        return message!("response-factor", base = Text?(base), factor = Message(factor));
    }
    if targets > 2 {
        let next = is_one.then_some(&most.base);
        return message!("factor-over-next", factor = Message(factor), next = Text?(next));
    }
    factor
}
