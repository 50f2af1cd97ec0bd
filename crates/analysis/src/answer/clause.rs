//! A clause of an answer: what may be said of two targets at one number of clients or over a stretch of them.

use super::{Standing, Stretch, open};
use crate::Words;
use crate::compare::Comparison;
use crate::text::{count, percent, ratio, ratio_interval};

/// One clause: who is faster where, or why that is not known.
pub(super) fn clause(stretch: &Stretch, place: &Words, targets: usize, said_faster: bool) -> Words {
    let (en, zh) = (&place.en, &place.zh);
    match &stretch.standing {
        Standing::Faster(winner) | Standing::Measured(winner) => {
            let measured = matches!(stretch.standing, Standing::Measured(_));
            let response = stretch.by_response();
            let verb = match (said_faster && !response, measured, targets > 2) {
                (true, ..) => "",
                (false, false, false) if response => "answers sooner ",
                (false, false, true) if response => "answers soonest ",
                (false, false, false) => "is faster ",
                (false, false, true) => "is fastest ",
                (false, true, false) if response => "was measured to answer sooner ",
                (false, true, true) if response => "was measured to answer soonest ",
                (false, true, false) => "measured faster ",
                (false, true, true) => "measured fastest ",
            };
            let verb_zh = match (measured, targets > 2) {
                (false, false) if response => "响应更快",
                (false, true) if response => "响应最快",
                (true, false) if response => "测得响应更快",
                (true, true) if response => "测得响应最快",
                (false, false) => "更快",
                (false, true) => "最快",
                (true, false) => "测得更快",
                (true, true) => "测得最快",
            };
            let by = how_much(stretch, targets);
            Words::new(
                format!("{winner} {verb}{en} ({})", by.en),
                format!("{zh} {winner} {verb_zh}（{}）", by.zh),
            )
        }
        Standing::MeasuredEqual => {
            let (margin, what) = (percent(stretch.margin()), what_is_compared(stretch));
            Words::new(
                format!("{}within {margin} of each other {en}", what.en.trim_start()),
                format!("{zh}{}相差不超过 {margin}", what.zh),
            )
        }
        Standing::Same => {
            let (margin, zh_what) = (percent(stretch.margin()), what_is_compared(stretch).zh);
            let what = if stretch.by_response() { " by p95" } else { "" };
            Words::new(
                format!("equivalent within {margin}{what} {en}"),
                format!("{zh}{zh_what}相当（{margin} 以内）"),
            )
        }
        Standing::Inconclusive => {
            let by = undecided(stretch);
            let (by, by_zh) = match by.en.is_empty() {
                true => Default::default(),
                false => (format!(" ({})", by.en), format!("（{}）", by.zh)),
            };
            Words::new(format!("inconclusive {en}{by}"), format!("{zh}无法定论{by_zh}"))
        }
        Standing::KeepsUp { kept, behind, rate } => open::keeps_up_clause(kept, behind, rate, place),
        Standing::Withheld => {
            // The reasons stand in the line on validity and beside the cells.
            let targets = stretch.comparisons.iter().flat_map(|c| &c.not_valid);
            let mut names: Vec<&str> = Vec::new();
            for target in targets {
                if !names.contains(&target.as_str()) {
                    names.push(target);
                }
            }
            let (and, comma) = (names.join(" and "), names.join("、"));
            let verb = if names.len() == 1 { "is" } else { "are" };
            Words::new(
                format!("no verdict {en} ({and} {verb} not valid)"),
                format!("{zh}不作判断（{comma} 无效）"),
            )
        }
    }
}

/// `b/a 1.04x [0.97, 1.12], about 12 repeats might settle it`: which way it goes, and what it would take. Of several numbers
/// of clients only the range, where it is one pair of targets: intervals and repeats stand in the table.
fn undecided(stretch: &Stretch) -> Words {
    let all = &stretch.comparisons;
    let Some(first) = all.first().filter(|c| all.iter().all(|o| (&o.base, &o.other) == (&c.base, &c.other)))
    else {
        return Words::new("", "");
    };
    let what = if stretch.by_response() { "p95 " } else { "" };
    let slash = if format!("{}{}", first.other, first.base).contains('/') { " over " } else { "/" };
    let name = format!("{what}{}{slash}{}", first.other, first.base);
    let least = all.iter().map(|c| c.ratio).fold(f64::INFINITY, f64::min);
    let most = all.iter().map(|c| c.ratio).fold(0.0, f64::max);
    if all.len() > 1 {
        let (least, most) = (ratio(least), ratio(most));
        return Words::new(
            format!("{name} from {least}x to {most}x"),
            format!("{name} 为 {least} 到 {most} 倍"),
        );
    }
    let interval = interval_of(first);
    let more = match first.runs_needed {
        _ if first.excludes_one() => {
            let n = first.family_size;
            Words::new(
                format!(", not significant after correction for {n} comparisons"),
                format!("，对 {n} 项比较校正后不显著"),
            )
        }
        Some(n) => Words::new(format!(", about {n} repeats might settle it"), format!("，约需 {n} 次重复")),
        None => Words::new(", 100 repeats would not settle it", "，100 次重复也无法定论"),
    };
    let value = ratio(first.ratio);
    Words::new(
        format!("{name} {value}x{}{}", interval.en, more.en),
        format!("{name} 为 {value} 倍{}{}", interval.zh, more.zh),
    )
}

/// ` [0.97, 1.12]`, nothing for single trials.
pub(super) fn interval_of(c: &Comparison) -> Words {
    let Some((low, high)) = c.low.zip(c.high) else { return Words::new("", "") };
    let interval = ratio_interval(low, high);
    Words::new(format!(" {}", interval.en), format!(" {}", interval.zh))
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
    let (interval, zh) = (interval_of(most).en, interval_of(most).zh);
    let (low, high, at) = (ratio(least.ratio), ratio(most.ratio), count(most.threads.into()));
    let range = if sorted.len() == 1 {
        Words::new(format!("{high}x{interval}"), format!("{high} 倍{zh}"))
    } else if low == high {
        Words::new(format!("{high}x{interval} at {at}"), format!("{high} 倍{zh}，{at} 个客户端"))
    } else {
        Words::new(
            format!("{low}x to {high}x{interval} at {at}"),
            format!("{low} 到 {high} 倍{zh}，后者为 {at} 个客户端"),
        )
    };
    if response {
        let who = if targets > 2 && sorted.len() > 1 {
            Words::new("the next", "其次者")
        } else {
            Words::new(most.base.clone(), format!("{} ", most.base))
        };
        return Words::new(
            format!("p95 of {} {}", who.en, range.en),
            format!("{}的 p95 为其 {}", who.zh, range.zh),
        );
    }
    if targets > 2 && sorted.len() == 1 {
        let next = &most.base;
        return Words::new(format!("{} the next, {next}", range.en), format!("{}，其次为 {next}", range.zh));
    }
    if targets > 2 {
        return Words::new(format!("{} over the next", range.en), format!("{}，与其次者相比", range.zh));
    }
    range
}

/// Nothing for throughput, which is what is meant where nothing is said.
fn what_is_compared(stretch: &Stretch) -> Words {
    if stretch.by_response() { Words::new(" p95 ", " p95 ") } else { Words::new(" ", "") }
}
