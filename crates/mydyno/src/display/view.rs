//! Draws the state of a trial as lines of a terminal: pure, given the width.
//!
//! A line is a list of parts, the most important first. Parts that do not fit are left out whole: half a number is a
//! wrong number.

use console::{measure_text_width, truncate_str};

use super::live::{Live, SPARKS, Stage, Trial};
use messages::number::{clients, counted};

use super::phrase::{bytes, duration, thousands};

/// Minimum number of seconds for a sparkline.
const SPARKS_MIN: usize = 8;
/// Minimum share of the machine's CPUs that is shown.
const WORTH_SAYING: f64 = 0.02;

/// Minimum seconds of waiting that are shown.
const WORTH_WAITING_S: u64 = 3;

/// The abilities of a terminal.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Columns.
    pub width: usize,
    /// Characters.
    pub glyphs: Glyphs,
}

/// The characters of the sparkline, from nothing to all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Glyphs {
    /// Block elements.
    Blocks,
    /// Characters that every terminal has.
    Ascii,
}

impl Glyphs {
    /// The characters for the locale of the environment.
    pub fn of_locale(variable: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name: &&str| variable(name).filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(set).unwrap_or_default().to_lowercase();
        if locale.contains("utf-8") || locale.contains("utf8") { Self::Blocks } else { Self::Ascii }
    }

    fn levels(self) -> &'static [char] {
        match self {
            Self::Blocks => &['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
            Self::Ascii => &['_', '.', ':', '-', '=', '+', '*', '#'],
        }
    }
}

/// The lines. While trials run, their number does not change.
pub fn lines(live: &Live, look: Look) -> Vec<String> {
    let mut lines = vec![head(live, look)];
    match &live.stage {
        Stage::Words(words) => lines.push(fit(&[waited(live, words)], look.width)),
        Stage::Trial(trial) => {
            lines.push(fit(&what(live, trial), look.width));
            lines.push(figures(trial, look));
            if trial.load.rate.is_some() {
                lines.push(fit(&open_loop(trial), look.width));
            }
            lines.push(fit(&machine(trial), look.width));
        }
    }
    lines
}

/// Adds the time waited, once it is long enough to mention.
fn waited(live: &Live, words: &str) -> String {
    let waited_s = live.now_ms.saturating_sub(live.since_ms) / 1000;
    if words.is_empty() || waited_s < WORTH_WAITING_S {
        words.to_owned()
    } else {
        format!("{words}, {waited_s} s")
    }
}

/// The leading parts that fit. The first one is cut to the width.
fn fit(parts: &[String], width: usize) -> String {
    let mut line = String::new();
    for (nth, part) in parts.iter().enumerate() {
        let gap = if nth == 0 { "" } else { "  " };
        if measure_text_width(&line) + gap.len() + measure_text_width(part) <= width {
            line.push_str(gap);
            line.push_str(part);
        } else if nth == 0 {
            return truncate_str(part, width, "").into_owned();
        } else {
            break;
        }
    }
    line
}

fn head(live: &Live, look: Look) -> String {
    let trials = live.plan.trials.len();
    let steps = if look.width < 60 { 10 } else { 20 };
    let filled = (live.share() * steps as f64).round() as usize;
    let mut parts = vec![format!("[{}{}]", "#".repeat(filled), ".".repeat(steps - filled))];
    if trials > 1 {
        let number = (live.remaining.ended() + 1).min(trials as u32);
        parts.push(match &live.stage {
            Stage::Trial(trial) if !trial.over => format!("trial {number} of {trials}"),
            _ => format!("{} of {trials} trials", live.remaining.ended()),
        });
    }
    parts.extend(live.remaining.seconds(live.now_ms).map(|left| format!("about {} left", roughly(left))));
    fit(&parts, look.width)
}

/// The cell, and its position in the plan.
fn what(live: &Live, trial: &Trial) -> Vec<String> {
    let cell = &trial.cell;
    let mut parts = vec![cell.target.clone(), clients(cell.threads), stand(trial), cell.workload.clone()];
    let repeats = live.plan.trials.iter().map(|trial| trial.cell.repeat).max().unwrap_or(1);
    if repeats > 1 {
        parts.push(format!("repeat {} of {repeats}", cell.repeat));
    }
    parts
}

fn stand(trial: &Trial) -> String {
    let Some(last) = &trial.last else {
        return if trial.connected { "connected".to_owned() } else { "connecting".to_owned() };
    };
    let load = &trial.load;
    let (word, at_s, of_s) = if last.warmup {
        ("warm-up", last.end_s, load.warmup_s)
    } else {
        ("measured", last.end_s - load.warmup_s, load.time_s)
    };
    let of = if of_s > 0.0 { format!(" of {of_s:.0}") } else { String::new() };
    let over = if trial.over { ", done" } else { "" };
    format!("{word} {:.0}{of} s{over}", at_s.max(0.0))
}

fn figures(trial: &Trial, look: Look) -> String {
    let Some(last) = &trial.last else { return String::new() };
    let mut parts = vec![format!("{} tps", figure(last.per_s))];
    let mut percentile = |name: &str, ns: Option<u64>| {
        parts.extend(ns.map(|ns| format!("{name} {}", latency(ns))));
    };
    let counts = trial.recent_counts();
    percentile("p95", counts.percentile_ns(95.0));
    percentile("p99", counts.percentile_ns(99.0));
    parts.push(counted(trial.errors, "error"));
    if trial.reconnects > 0 {
        parts.push(counted(trial.reconnects, "reconnect"));
    }
    let line = fit(&parts, look.width);
    let room = look.width.saturating_sub(measure_text_width(&line) + 2).min(SPARKS);
    if room < SPARKS_MIN {
        return line;
    }
    format!("{line}  {}", sparkline(trial.per_s.iter().copied(), room, look.glyphs))
}

fn open_loop(trial: &Trial) -> Vec<String> {
    let load = &trial.load;
    let (Some(rate), Some(last)) = (&load.rate, &trial.last) else { return Vec::new() };
    let offered = rate.at_per_s(last.end_s - load.warmup_s);
    let mut parts = vec![format!("offered {} tps", figure(offered))];
    parts.extend(last.backlog.map(|backlog| format!("backlog {}", thousands(backlog))));
    parts
}

fn machine(trial: &Trial) -> Vec<String> {
    let Some(last) = &trial.last else { return Vec::new() };
    let usage = trial.usage;
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    let mut cpu = Vec::new();
    cpu.extend(usage.server_cpus.map(|cpus| format!("server {cpus:.2}")));
    cpu.push(format!("generator {:.2}", last.generator_cpus));
    let mut parts = vec![format!("CPUs: {}", cpu.join(", "))];
    if let Some(host) = usage.host {
        let mut said = vec![format!("host {}", percent(host.busy))];
        for (name, share) in [("iowait", host.iowait), ("steal", host.steal)] {
            said.extend((share >= WORTH_SAYING).then(|| format!("{name} {}", percent(share))));
        }
        parts.push(said.join(", "));
    }
    parts.extend(usage.written_per_s.map(|written| format!("writes {}/s", bytes(written as u64))));
    parts
}

/// The last values, the highest of them all the way up.
fn sparkline(values: impl DoubleEndedIterator<Item = f64>, room: usize, glyphs: Glyphs) -> String {
    let mut last: Vec<f64> = values.rev().take(room).collect();
    last.reverse();
    let top = last.iter().copied().fold(0.0, f64::max);
    let levels = glyphs.levels();
    let steps = (levels.len() - 1) as f64;
    let level = |value: f64| if top > 0.0 { (value / top * steps).round() as usize } else { 0 };
    last.into_iter().map(|value| levels[level(value).min(levels.len() - 1)]).collect()
}

/// Whole seconds: it is an estimate.
fn roughly(left_s: f64) -> String {
    if left_s < 9.95 { format!("{:.0} s", left_s.max(1.0)) } else { duration(left_s) }
}

/// Three digits at least, thousands with commas.
fn figure(value: f64) -> String {
    if value < 99.95 { format!("{value:.1}") } else { thousands(value.round() as u64) }
}

fn latency(ns: u64) -> String {
    match ns as f64 / 1e6 {
        ms if ms < 9.995 => format!("{ms:.2} ms"),
        ms if ms < 99.95 => format!("{ms:.1} ms"),
        ms if ms < 9_999.5 => format!("{} ms", thousands(ms.round() as u64)),
        ms => format!("{:.1} s", ms / 1e3),
    }
}
