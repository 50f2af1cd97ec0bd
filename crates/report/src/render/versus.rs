//! A comparison of two sides, for the console and for a pull request.

use analysis::contest::Point;
use analysis::metric;
use analysis::{Family, Verdict, Words, contest};
use messages::message;
use messages::number::{change, change_interval};

use crate::format::{figure, thousands};
use crate::render::grid::{Align, grid};
use crate::versus::{Pair, Versus};
use crate::words::Lang;
use crate::worth::{Worth, WorthPoint};

/// Comparability warnings and validity of the sides; then a line per point: clients, both values, the change with its
/// interval, the verdict.
pub fn text(versus: &Versus, lang: Lang) -> String {
    let mut text: String =
        versus.warnings.iter().map(|warning| format!("! {}\n", lang.of(warning))).collect();
    for pair in &versus.pairs {
        text.push_str(&format!("{}\n", lang.said(sides(&pair.base, &pair.other))));
        text.extend(pair.validity.iter().map(|words| format!("{}\n", lang.of(words))));
        text.push_str(&format!("{}\n", lang.said(rule(versus, pair))));
        for (workload, metric, points) in groups(pair) {
            let family = if points.iter().all(|point| point.comparison.family == Family::Primary) {
                "primary"
            } else {
                "secondary"
            };
            let table = message!(
                "compare-table",
                workload = Text(workload),
                metric = Message(label(metric)),
                family = Word(family)
            );
            text.push_str(&format!("\n{}\n", lang.said(table)));
            let mut rows = vec![head(&["clients", "base", "other", "change-percent", "", "verdict"], lang)];
            rows.extend(points.iter().map(|point| row(point, lang)));
            let align = [Align::Right, Align::Right, Align::Right, Align::Right, Align::Left, Align::Left];
            text.push_str(&grid(&rows, &align));
        }
        if let Some(worth) = &pair.worth {
            text.push_str(&format!("\n{}\n", lang.said(money(worth))));
            let mut rows = vec![head(&["", "clients", "base", "other", "change-percent", ""], lang)];
            rows.extend(worth.points.iter().map(|point| money_row(point, lang)));
            let align = [Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Left];
            text.push_str(&grid(&rows, &align));
        }
        if pair.points.is_empty() {
            text.push_str(&format!("{}\n", lang.said(message!("nothing-on-both-sides"))));
        }
        text.push('\n');
    }
    for note in &versus.notes {
        text.push_str(&format!("! {}\n", lang.of(note)));
    }
    text
}

fn sides(base: &str, other: &str) -> Words {
    message!("compare-pair", other = Text(other), base = Text(base))
}

/// The name of a metric by its id.
fn label(id: &str) -> Words {
    metric::by_id(id).map_or_else(|| id.into(), metric::Metric::label)
}

/// The headings of columns; an empty one stays empty.
fn head(columns: &[&str], lang: Lang) -> Vec<String> {
    let heading = |column: &&str| match *column {
        "" => String::new(),
        column => lang.said(message!("compare-column", column = Word(column))),
    };
    columns.iter().map(heading).collect()
}

/// The rule behind the verdicts.
fn rule(versus: &Versus, pair: &Pair) -> Words {
    let size = |family: Family| {
        let own = pair.points.iter().map(|p| &p.comparison).filter(|c| c.family == family);
        own.map(|c| c.family_size).max().unwrap_or(0)
    };
    let (primary, other, corrected) = match (size(Family::Primary), size(Family::Secondary)) {
        // A single one needs no correction.
        (0 | 1, 0) | (0, 1) => (0, 0, "no"),
        (n, 0) | (0, n) => (n, 0, "one-family"),
        (primary, other) => (primary, other, "two-families"),
    };
    message!(
        "compare-rule",
        margin = Percent(versus.margin),
        primary = Count(primary),
        other = Count(other),
        corrected = Word(corrected),
    )
}

/// The comparison as GitHub-flavoured Markdown.
pub fn markdown(versus: &Versus, lang: Lang) -> String {
    let escape = |text: &str| text.replace('|', "\\|");
    let mut text: String =
        versus.warnings.iter().map(|warning| format!("- {}\n", escape(lang.of(warning)))).collect();
    if !versus.warnings.is_empty() {
        text.push('\n');
    }
    let titles = |columns: &[&str]| format!("| {} |\n", head(columns, lang).join(" | "));
    for pair in &versus.pairs {
        text.push_str(&format!("**{}**\n\n", escape(&lang.said(sides(&pair.base, &pair.other)))));
        text.extend(pair.validity.iter().map(|words| format!("{}\n\n", escape(lang.of(words)))));
        text.push_str(&format!("{}\n\n", lang.said(rule(versus, pair))));
        let columns = ["workload", "metric", "clients", "base", "other", "change", "interval", "verdict"];
        text.push_str(&titles(&columns));
        text.push_str("|---|---|--:|--:|--:|--:|---|---|\n");
        for point in &pair.points {
            let cells = row(point, lang);
            text.push_str(&format!(
                "| {} | {} | {} |\n",
                escape(&point.comparison.workload),
                lang.said(label(&point.comparison.metric)),
                cells.join(" | ")
            ));
        }
        if let Some(worth) = &pair.worth {
            text.push_str(&format!("\n{}\n\n", escape(&lang.said(money(worth)))));
            text.push_str(&titles(&["workload", "clients", "base", "other", "change", "interval"]));
            text.push_str("|---|--:|--:|--:|--:|---|\n");
            for row in worth.points.iter().map(|point| money_row(point, lang)) {
                let cells: Vec<String> = row.iter().map(|cell| escape(cell)).collect();
                text.push_str(&format!("| {} |\n", cells.join(" | ")));
            }
        }
        text.push('\n');
    }
    for note in &versus.notes {
        text.push_str(&format!("- {}\n", escape(lang.of(note))));
    }
    text
}

/// Title of the table of cost efficiency.
fn money(worth: &Worth) -> Words {
    message!(
        "compare-money",
        currency = Text(worth.currency.to_uppercase()),
        base = Text(worth.base_per_hour.to_string()),
        other = Text(worth.other_per_hour.to_string()),
    )
}

fn money_row(point: &WorthPoint, lang: Lang) -> Vec<String> {
    vec![
        point.workload.clone(),
        thousands(point.threads.into()),
        figure(point.base_per_unit),
        figure(point.other_per_unit),
        format!("{} %", change(point.ratio)),
        interval(point.low, point.high, lang),
    ]
}

fn interval(low: Option<f64>, high: Option<f64>, lang: Lang) -> String {
    lang.said(match (low, high) {
        (Some(low), Some(high)) => change_interval(low, high),
        _ => message!("interval-of-single-trial"),
    })
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

fn row(point: &Point, lang: Lang) -> Vec<String> {
    let c = &point.comparison;
    let shown = |value: f64| {
        let metric = metric::by_id(&c.metric);
        figure(metric.map_or(value, |metric| contest::shown(metric, value)))
    };
    vec![
        thousands(c.threads.into()),
        shown(point.base_value),
        shown(point.other_value),
        format!("{} %", change(c.ratio)),
        interval(c.low, c.high, lang),
        lang.said(verdict(point)),
    ]
}

fn verdict(point: &Point) -> Words {
    let c = &point.comparison;
    let word = match c.verdict {
        Verdict::Better => "better",
        Verdict::Worse => "worse",
        Verdict::Same => "equivalent",
        Verdict::SingleRun => "unknown",
        Verdict::Withheld => "withheld",
        Verdict::Inconclusive if c.excludes_one() => "corrected",
        Verdict::Inconclusive if c.metric == metric::CAPACITY.id => "capacity",
        Verdict::Inconclusive if c.runs_needed.is_some() => "repeats",
        Verdict::Inconclusive => "hopeless",
    };
    message!(
        "compare-verdict",
        verdict = Word(word),
        why = Message?(c.withheld.clone()),
        p = Hundredths(c.p_adjusted.unwrap_or(1.0)),
        repeats = Count(c.runs_needed.unwrap_or_default()),
    )
}
