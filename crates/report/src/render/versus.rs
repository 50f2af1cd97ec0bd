//! A comparison of two sides, for the console and for a pull request.

use analysis::contest::Point;
use analysis::metric;
use analysis::{Family, Verdict, contest};
use messages::number::{change, change_interval, percent};

use crate::format::{figure, thousands};
use crate::render::grid::{Align, grid};
use crate::versus::{Pair, Versus};
use crate::worth::{Worth, WorthPoint};

/// What makes the sides hard to compare, and how valid they are; then a line per point: clients, both values, the change with
/// its interval, the verdict.
pub fn text(versus: &Versus) -> String {
    let mut text: String = versus.warnings.iter().map(|warning| format!("! {warning}\n")).collect();
    for pair in &versus.pairs {
        text.push_str(&format!("{} against {}\n", pair.other, pair.base));
        text.extend(pair.validity.iter().map(|words| format!("{}\n", words.en)));
        text.push_str(&format!("{}\n", rule(versus, pair)));
        for (workload, metric, points) in groups(pair) {
            let named = metric::by_id(metric).map_or_else(|| metric.to_owned(), |m| m.label().en);
            text.push_str(&format!("\n{workload}, {named}{}\n", family(&points)));
            let head = ["clients", "base", "other", "change, %", "", "verdict"].map(str::to_owned).to_vec();
            let mut rows = vec![head];
            rows.extend(points.iter().map(|point| row(point)));
            let align = [Align::Right, Align::Right, Align::Right, Align::Right, Align::Left, Align::Left];
            text.push_str(&grid(&rows, &align));
        }
        if let Some(worth) = &pair.worth {
            text.push_str(&format!("\n{}\n", money(worth)));
            let mut rows =
                vec![["", "clients", "base", "other", "change, %", ""].map(str::to_owned).to_vec()];
            rows.extend(worth.points.iter().map(money_row));
            let align = [Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Left];
            text.push_str(&grid(&rows, &align));
        }
        if pair.points.is_empty() {
            text.push_str("no cell was measured on both sides\n");
        }
        text.push('\n');
    }
    for note in &versus.notes {
        text.push_str(&format!("! {note}\n"));
    }
    text
}

/// How the verdicts come about.
fn rule(versus: &Versus, pair: &Pair) -> String {
    let margin = percent(versus.margin);
    let size = |family: Family| {
        let own = pair.points.iter().map(|p| &p.comparison).filter(|c| c.family == family);
        own.map(|c| c.family_size).max().unwrap_or(0)
    };
    let counted = |n: u32| if n == 1 { "1 comparison".to_owned() } else { format!("{n} comparisons") };
    let corrected = match (size(Family::Primary), size(Family::Secondary)) {
        // A single one needs no correction.
        (0 | 1, 0) | (0, 1) => String::new(),
        (n, 0) | (0, n) => format!("; corrected for {} (Holm)", counted(n)),
        (n, more) => format!(
            "; corrected (Holm) for {} of the primary metric, and apart for {more} of the other metrics",
            counted(n)
        ),
    };
    format!("changes with their 95 % interval; equivalent within {margin}{corrected}")
}

/// ` (primary)`, where there are other metrics too.
fn family(points: &[&Point]) -> &'static str {
    match points.iter().all(|point| point.comparison.family == Family::Primary) {
        true => " (primary metric)",
        false => "",
    }
}

/// The same as GitHub-flavoured Markdown.
pub fn markdown(versus: &Versus) -> String {
    let escape = |text: &str| text.replace('|', "\\|");
    let mut text: String = versus.warnings.iter().map(|warning| format!("- {}\n", escape(warning))).collect();
    if !versus.warnings.is_empty() {
        text.push('\n');
    }
    for pair in &versus.pairs {
        text.push_str(&format!("**{} against {}**\n\n", escape(&pair.other), escape(&pair.base)));
        text.extend(pair.validity.iter().map(|words| format!("{}\n\n", escape(&words.en))));
        text.push_str(&format!("{}\n\n", rule(versus, pair)));
        text.push_str("| workload | metric | clients | base | other | change | 95 % interval | verdict |\n");
        text.push_str("|---|---|--:|--:|--:|--:|---|---|\n");
        for point in &pair.points {
            let cells = row(point);
            let named = metric::by_id(&point.comparison.metric).map(|m| m.label().en).unwrap_or_default();
            text.push_str(&format!(
                "| {} | {named} | {} |\n",
                escape(&point.comparison.workload),
                cells.join(" | ")
            ));
        }
        if let Some(worth) = &pair.worth {
            text.push_str(&format!("\n{}\n\n", escape(&money(worth))));
            text.push_str(
                "| workload | clients | base | other | change | 95 % interval |\n|---|--:|--:|--:|--:|---|\n",
            );
            for row in worth.points.iter().map(money_row) {
                let cells: Vec<String> = row.iter().map(|cell| escape(cell)).collect();
                text.push_str(&format!("| {} |\n", cells.join(" | ")));
            }
        }
        text.push('\n');
    }
    for note in &versus.notes {
        text.push_str(&format!("- {}\n", escape(note)));
    }
    text
}

/// What the table of money is about.
fn money(worth: &Worth) -> String {
    let (currency, base, other) = (worth.currency.to_uppercase(), worth.base_per_hour, worth.other_per_hour);
    format!(
        "transactions per {currency}: base at {base} {currency}/h, other at {other} {currency}/h; the interval is that of the \
         throughput, a price has none"
    )
}

fn money_row(point: &WorthPoint) -> Vec<String> {
    let interval = match (point.low, point.high) {
        (Some(low), Some(high)) => change_interval(low, high).en,
        _ => "single trial: no interval".to_owned(),
    };
    vec![
        point.workload.clone(),
        thousands(point.threads.into()),
        figure(point.base_per_unit),
        figure(point.other_per_unit),
        format!("{} %", change(point.ratio)),
        interval,
    ]
}

/// Points of one workload and one metric, in their order.
fn groups(pair: &Pair) -> Vec<(&str, &str, Vec<&Point>)> {
    let mut groups: Vec<(&str, &str, Vec<&Point>)> = Vec::new();
    for point in &pair.points {
        let (workload, metric) = (point.comparison.workload.as_str(), point.comparison.metric.as_str());
        match groups.iter_mut().find(|(w, m, _)| (*w, *m) == (workload, metric)) {
            Some((_, _, points)) => points.push(point),
            None => groups.push((workload, metric, vec![point])),
        }
    }
    groups
}

fn row(point: &Point) -> Vec<String> {
    let c = &point.comparison;
    let shown = |value: f64| {
        let metric = metric::by_id(&c.metric);
        figure(metric.map_or(value, |metric| contest::shown(metric, value)))
    };
    let interval = match (c.low, c.high) {
        (Some(low), Some(high)) => change_interval(low, high).en,
        _ => "single trial: no interval".to_owned(),
    };
    vec![
        thousands(c.threads.into()),
        shown(point.base_value),
        shown(point.other_value),
        format!("{} %", change(c.ratio)),
        interval,
        verdict(point),
    ]
}

fn verdict(point: &Point) -> String {
    match point.comparison.verdict {
        Verdict::Better => "better".to_owned(),
        Verdict::Worse => "worse".to_owned(),
        Verdict::Same => "equivalent".to_owned(),
        Verdict::SingleRun => "cannot tell".to_owned(),
        Verdict::Withheld => {
            let why =
                point.comparison.withheld.as_ref().map_or("a cell is not valid", |words| words.en.as_str());
            format!("no verdict: {why}")
        }
        Verdict::Inconclusive if point.comparison.excludes_one() => {
            let c = &point.comparison;
            format!("inconclusive: corrected p {:.2}", c.p_adjusted.unwrap_or(1.0))
        }
        Verdict::Inconclusive if point.comparison.metric == metric::CAPACITY.id => {
            "inconclusive: searches with a narrower interval might settle it".to_owned()
        }
        Verdict::Inconclusive => match point.comparison.runs_needed {
            Some(runs) => format!("inconclusive: about {runs} repeats might settle it"),
            None => "inconclusive: 100 repeats would not settle it".to_owned(),
        },
    }
}
