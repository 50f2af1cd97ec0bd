//! A history for the console and for a pull request: the levels of each cell, and the last recording against the level before.

use analysis::contest::Standing;
use analysis::history::{CircumstanceChange, Shift};
use analysis::{Verdict, contest};
use messages::number::{change, change_interval};
use messages::{Words, message};

use crate::format::figure;
use crate::history::{Changed, History, HistoryEntry, HistoryLine, Near};
use crate::render::grid::{Align, grid};
use crate::words::Lang;

/// The standing of a gate over the series of its metric.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct GateLine {
    /// The gate as written.
    pub gate: String,
    /// Place of the series.
    pub series: usize,
    /// Its standing.
    pub standing: Standing,
}

/// A block per cell: sparkline, levels, the last recording; then the recordings that are left out, then the gates.
pub fn text(history: &History, gates: &[GateLine]) -> String {
    let lang = history.lang;
    let answer = lang.of(&history.answer);
    let mut out = format!("{}\n{answer}\n{}\n", heading(history), rule(history));
    for line in &history.series {
        out.push_str(&format!("\n{}, {}\n", lang.of(&line.series.cell()), lang.of(&line.label)));
        if line.series.points.is_empty() {
            out.push_str(&format!("  {}\n", lang.said(message!("no-figures"))));
        } else {
            let (bars, low, high) =
                sparkline(&line.series.points.iter().map(|p| p.measure.mean).collect::<Vec<_>>());
            let range = format!("▁ {} █ {}", figure(low), figure(high));
            out.push_str(&format!("  {bars}   {range}\n"));
            let rows: Vec<Vec<String>> =
                std::iter::once(head(lang)).chain(levels(history, line)).map(|row| indent(&row)).collect();
            let align = [Align::Left, Align::Right, Align::Right, Align::Right, Align::Left];
            out.push_str(&grid(&rows, &align));
        }
        for (shift, changed) in line.series.shifts.iter().zip(&line.changed) {
            out.push_str(&format!("  {}\n", at_shift(history, shift, changed)));
        }
        for sentence in remarks(history, line) {
            out.push_str(&format!("  {sentence}\n"));
        }
    }
    out.push_str(&left_out(history, "! ", str::to_owned));
    if !gates.is_empty() {
        out.push('\n');
    }
    for gate in gate_lines(history, gates) {
        out.push_str(&format!("{gate}\n"));
    }
    out
}

/// The history as GitHub-flavoured Markdown.
pub fn markdown(history: &History, gates: &[GateLine]) -> String {
    let lang = history.lang;
    let (answer, rule) = (escape(lang.of(&history.answer)), escape(&rule(history)));
    let mut out = format!("**{}**\n\n{answer}\n\n{rule}\n", escape(&heading(history)));
    for line in &history.series {
        out.push_str(&format!(
            "\n### {}\n\n",
            escape(&format!("{}, {}", lang.of(&line.series.cell()), lang.of(&line.label)))
        ));
        out.push_str(&format!("| {} |\n|---|--:|--:|--:|---|\n", head(lang).join(" | ")));
        for row in levels(history, line) {
            let cells: Vec<String> = row.iter().map(|cell| escape(cell)).collect();
            out.push_str(&format!("| {} |\n", cells.join(" | ")));
        }
        out.push('\n');
        for (shift, changed) in line.series.shifts.iter().zip(&line.changed) {
            out.push_str(&format!("- {}\n", escape(&at_shift(history, shift, changed))));
        }
        for sentence in remarks(history, line) {
            out.push_str(&format!("- {}\n", escape(&sentence)));
        }
    }
    out.push_str(&left_out(history, "- ", escape));
    if !gates.is_empty() {
        out.push('\n');
    }
    for gate in gate_lines(history, gates) {
        out.push_str(&format!("- {}\n", escape(&gate)));
    }
    out
}

fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace(['\n', '\r'], " ")
}

fn heading(history: &History) -> String {
    let counted: Vec<&HistoryEntry> =
        history.recordings.iter().filter(|entry| entry.left_out.is_none()).collect();
    let between = match (counted.first(), counted.last()) {
        (Some(first), Some(last)) => format!("{} .. {} UTC", moment(first), moment(last)),
        _ => "-".to_owned(),
    };
    format!("{}, {between}", history.title)
}

/// The error rates of the change points and the verdict.
fn rule(history: &History) -> String {
    history.lang.said(message!(
        "history-rule",
        alarms = Percent(history.false_alarms),
        least = Count(history.recordings_min as u64),
        margin = Figure(history.margin * 100.0),
        series = Count(history.series.len() as u64),
    ))
}

/// `2026-11-20 19:42`, as far as known.
fn moment(entry: &HistoryEntry) -> String {
    entry.started_at.get(..16).map_or_else(|| entry.id.clone(), |at| at.replace('T', " "))
}

fn head(lang: Lang) -> Vec<String> {
    let mut head = ["level-since", "recordings", "mean", "change"].map(|name| lang.column(name)).to_vec();
    head.push(String::new());
    head
}

fn indent(row: &[String]) -> Vec<String> {
    let mut row = row.to_vec();
    row[0] = format!("  {}", row[0]);
    row
}

/// A row per level, and one for the last recording.
fn levels(history: &History, line: &HistoryLine) -> Vec<Vec<String>> {
    let (series, lang) = (&line.series, history.lang);
    let mut edges = vec![0];
    edges.extend(series.shifts.iter().map(|shift| shift.point));
    edges.push(series.points.len());
    let mut before = None;
    let mut rows: Vec<Vec<String>> = Vec::new();
    for part in edges.windows(2).filter(|part| part[0] < part[1]) {
        // The latest recording is held against the level, and is no part of it.
        let latest = series.latest.is_some() && part[1] == series.points.len() && part[1] - part[0] > 1;
        let points = &series.points[part[0]..part[1] - usize::from(latest)];
        let mean = analysis::history::level(&points.iter().map(|p| p.measure.mean).collect::<Vec<_>>());
        rows.push(vec![
            moment(&history.recordings[points[0].recording]),
            points.len().to_string(),
            figure(mean),
            before.map_or_else(String::new, |before: f64| percent(mean / before)),
            String::new(),
        ]);
        before = Some(mean);
    }
    if let Some(latest) = &series.latest {
        let c = &latest.point.comparison;
        let interval = match (c.low, c.high) {
            (Some(low), Some(high)) => format!("{} ", lang.of(&change_interval(low, high))),
            _ => String::new(),
        };
        rows.push(vec![
            lang.said(message!("latest-at", at = Text(moment(&history.recordings[latest.recording])))),
            "1".to_owned(),
            figure(latest.point.other_value),
            percent(c.ratio),
            format!("{interval}{}", verdict(c.verdict, c.p_adjusted, lang)),
        ]);
    }
    rows
}

fn verdict(verdict: Verdict, p: Option<f64>, lang: Lang) -> String {
    let verdict = match verdict {
        Verdict::Better => "better",
        Verdict::Worse => "worse",
        Verdict::Same => "equivalent",
        Verdict::SingleRun | Verdict::Withheld => "unknown",
        Verdict::Inconclusive => "inconclusive",
    };
    lang.said(message!("level-verdict", verdict = Word(verdict), p = Hundredths(p.unwrap_or(1.0))))
}

fn percent(ratio: f64) -> String {
    format!("{} %", change(ratio))
}

fn at_shift(history: &History, shift: &Shift, changed: &Changed) -> String {
    let lang = history.lang;
    let entry = &history.recordings[shift.recording];
    let there: Vec<Words> = changed.there.iter().map(CircumstanceChange::says).collect();
    let near = |near: &Near| {
        let at = moment(&history.recordings[near.recording]);
        message!("changed-near", change = Message(near.change.says()), at = Text(at))
    };
    let near: Vec<Words> = changed.near.iter().map(near).collect();
    lang.said(message!(
        "change-point-at",
        at = Text(moment(entry)),
        change = Text(percent(shift.mean_after / shift.mean_before)),
        p = Text(format!("{:.3}", shift.p_value)),
        recording = Text(&entry.id),
        there = Clauses?((!there.is_empty()).then_some(there)),
        near = Clauses?((!near.is_empty()).then_some(near)),
    ))
}

/// The gaps in a series.
fn remarks(history: &History, line: &HistoryLine) -> Vec<String> {
    let lang = history.lang;
    let mut said: Vec<String> = line
        .series
        .too_short
        .iter()
        .chain(&line.series.untold)
        .map(|words| lang.of(words).to_owned())
        .collect();
    said.extend(line.series.left_out.iter().map(|left| {
        let id = &history.recordings[left.recording].id;
        lang.said(message!("without-recording", recording = Text(id), why = Message(left.why.clone())))
    }));
    said
}

fn left_out(history: &History, bullet: &str, escape: impl Fn(&str) -> String) -> String {
    let lang = history.lang;
    let mut out = String::new();
    for entry in &history.recordings {
        if let Some(why) = &entry.left_out {
            let line =
                message!("recording-left-out", recording = Text(&entry.id), why = Message(why.clone()));
            let line = lang.said(line);
            out.push_str(&format!("{}{bullet}{}\n", if out.is_empty() { "\n" } else { "" }, escape(&line)));
        }
    }
    out
}

/// A line per gate that holds everywhere, and one per series where it does not.
fn gate_lines(history: &History, gates: &[GateLine]) -> Vec<String> {
    let lang = history.lang;
    let mut names: Vec<&str> = Vec::new();
    for gate in gates {
        if !names.contains(&gate.gate.as_str()) {
            names.push(&gate.gate);
        }
    }
    let mut lines = Vec::new();
    for name in names {
        let own: Vec<&GateLine> =
            gates.iter().filter(|g| g.gate == name && g.standing != Standing::Holds).collect();
        if own.is_empty() {
            let holds = lang.said(message!("gate-holds", gate = Text(name)));
            let points = history.series.iter().filter_map(|line| Some(&line.series.latest.as_ref()?.point));
            let power = contest::Gate::parse(name).ok().and_then(|gate| gate.power(points));
            lines.push(power.map_or(holds.clone(), |power| format!("{holds}{}", lang.of(&power))));
        }
        for gate in own {
            let line = &history.series[gate.series];
            let word = match gate.standing {
                Standing::Failed => "failed",
                _ => "unknown",
            };
            let detail = match (&line.series.latest, &line.series.untold) {
                (Some(latest), _) => {
                    let c = &latest.point.comparison;
                    let ends = c.low.zip(c.high);
                    let interval = ends.map_or_else(String::new, |(low, high)| {
                        format!(" {}", lang.of(&change_interval(low, high)))
                    });
                    format!("{}{interval}", percent(c.ratio))
                }
                (None, Some(why)) => lang.of(why).to_owned(),
                (None, None) => String::new(),
            };
            let cell = line.series.cell();
            lines.push(lang.said(message!(
                "gate-in-cell",
                gate = Text(name),
                standing = Word(word),
                cell = Message(cell),
                detail = Text(detail),
            )));
        }
    }
    lines
}

/// One bar per value between the minimum and the maximum, and those two.
fn sparkline(values: &[f64]) -> (String, f64, f64) {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let bar = |value: &f64| match high > low {
        true => BARS[(((value - low) / (high - low)) * 7.0).round() as usize],
        false => BARS[3],
    };
    (values.iter().map(bar).collect(), low, high)
}
