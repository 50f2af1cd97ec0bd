//! A comparison of two sides, for the console and for a pull request.

use analysis::contest::Point;
use analysis::metric;
use analysis::{Verdict, contest};

use crate::format::{figure, thousands};
use crate::price::{Worth, WorthPoint};
use crate::render::grid::{Align, grid};
use crate::versus::{Pair, Versus};

/// A line per point: clients, both values, the change with its interval, the verdict.
pub fn text(versus: &Versus) -> String {
    let mut text = String::new();
    for pair in &versus.pairs {
        text.push_str(&format!("{} against {}\n", pair.other, pair.base));
        text.push_str(&format!(
            "changes with their 95 % interval; within ±{} % is the same; corrected for {} points (Holm)\n",
            figure(versus.margin * 100.0),
            pair.points.len()
        ));
        for (workload, metric, points) in groups(pair) {
            let named = metric::by_id(metric).map_or(metric, |m| m.label_en);
            text.push_str(&format!("\n{workload}, {named}\n"));
            let head = ["threads", "base", "other", "change", "", "verdict"].map(str::to_owned).to_vec();
            let mut rows = vec![head];
            rows.extend(points.iter().map(|point| row(point)));
            let align = [Align::Right, Align::Right, Align::Right, Align::Right, Align::Left, Align::Left];
            text.push_str(&grid(&rows, &align));
        }
        if let Some(worth) = &pair.worth {
            text.push_str(&format!("\n{}\n", money(worth)));
            let mut rows = vec![["", "threads", "base", "other", "change", ""].map(str::to_owned).to_vec()];
            rows.extend(worth.points.iter().map(money_row));
            let align = [Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Left];
            text.push_str(&grid(&rows, &align));
        }
        if pair.points.is_empty() {
            text.push_str("there is no point that both measured\n");
        }
        text.push('\n');
    }
    for note in &versus.notes {
        text.push_str(&format!("! {note}\n"));
    }
    text
}

/// The same as GitHub-flavoured Markdown.
pub fn markdown(versus: &Versus) -> String {
    let mut text = String::new();
    let escape = |text: &str| text.replace('|', "\\|");
    for pair in &versus.pairs {
        text.push_str(&format!("**{} against {}**\n\n", escape(&pair.other), escape(&pair.base)));
        text.push_str("| workload | metric | threads | base | other | change | 95 % interval | verdict |\n");
        text.push_str("|---|---|--:|--:|--:|--:|---|---|\n");
        for point in &pair.points {
            let cells = row(point);
            let named = metric::by_id(&point.comparison.metric).map_or("", |m| m.label_en);
            text.push_str(&format!(
                "| {} | {named} | {} |\n",
                escape(&point.comparison.workload),
                cells.join(" | ")
            ));
        }
        if let Some(worth) = &pair.worth {
            text.push_str(&format!("\n{}\n\n", escape(&money(worth))));
            text.push_str(
                "| workload | threads | base | other | change | 95 % interval |\n|---|--:|--:|--:|--:|---|\n",
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
        (Some(low), Some(high)) => format!("[{}, {}]", change(low), change(high)),
        _ => "single run: no interval".to_owned(),
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
        (Some(low), Some(high)) => format!("[{}, {}]", change(low), change(high)),
        _ => "single run: no interval".to_owned(),
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

fn excludes_one(point: &Point) -> bool {
    let c = &point.comparison;
    c.low.is_some_and(|low| low > 1.0) || c.high.is_some_and(|high| high < 1.0)
}

/// `-1.1`, `+14.0`: percent of the base.
fn change(ratio: f64) -> String {
    format!("{:+.1}", (ratio - 1.0) * 100.0)
}

fn verdict(point: &Point) -> String {
    match point.comparison.verdict {
        Verdict::Better => "better".to_owned(),
        Verdict::Worse => "worse".to_owned(),
        Verdict::Same => "the same".to_owned(),
        Verdict::SingleRun => "cannot tell".to_owned(),
        Verdict::Withheld => "withheld: the generator was the bottleneck".to_owned(),
        // One of so many points may leave 1 out by accident.
        Verdict::Inconclusive if excludes_one(point) => {
            format!("inconclusive, corrected p {:.2}", point.p_adjusted.unwrap_or(1.0))
        }
        Verdict::Inconclusive => match point.comparison.runs_needed {
            Some(runs) => format!("inconclusive; about {runs} runs might decide"),
            None => "inconclusive; more than 100 runs".to_owned(),
        },
    }
}
