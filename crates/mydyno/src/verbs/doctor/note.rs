//! The note about a server: a screen for people, everything for programs.

use analysis::doctor::durability::{self, Class};
use analysis::doctor::{Advice, Facts, Patient, Severity, facts};
use model::{FORMAT, Unseen};
use serde::Serialize;

use super::super::table::printable;
use crate::display::phrase::{duration, thousands};

/// Columns of the text.
const WIDTH: usize = 110;

/// What was found out about one server.
#[derive(Debug, Serialize)]
pub struct Note {
    target: String,
    server: Facts,
    durability: Class,
    planned: Option<String>,
    advice: Vec<Advice>,
    unseen: Vec<Unseen>,
}

#[derive(Serialize)]
struct Notes<'a> {
    format: u32,
    servers: &'a [Note],
}

/// All notes for programs.
pub fn json(notes: &[Note]) -> String {
    serde_json::to_string_pretty(&Notes { format: FORMAT, servers: notes })
        .expect("a note has only plain values")
}

impl Note {
    /// Puts it together.
    pub fn new(label: &str, patient: &Patient<'_>, advice: Vec<Advice>, planned: Option<String>) -> Self {
        Self {
            target: label.to_owned(),
            server: facts(patient),
            durability: durability::class(patient),
            planned,
            advice,
            unseen: patient.seen.unseen.clone(),
        }
    }

    /// The screen. What is of low severity takes one line each, unless `full`.
    pub fn text(&self, full: bool) -> String {
        let mut lines = self.head();
        let mut last = None;
        for (number, advice) in self.advice.iter().enumerate() {
            if last != Some(advice.severity) {
                lines.push(String::new());
                lines.push(heading(advice.severity).to_owned());
                last = Some(advice.severity);
            }
            lines.extend(entry(number + 1, advice, full));
        }
        if self.advice.is_empty() {
            lines.push(String::new());
            lines.push("Nothing to advise.".to_owned());
        }
        if !self.unseen.is_empty() {
            lines.push(String::new());
            lines.push("Could not be seen".to_owned());
            lines.extend(
                self.unseen.iter().flat_map(|one| wrapped("   ", &format!("{}: {}", one.what, one.why))),
            );
        }
        let folded = !full && self.advice.iter().any(|advice| advice.severity == Severity::Low);
        if folded {
            lines.push(String::new());
            lines.push("Reasons, costs and manual pages of all: --full".to_owned());
        }
        lines.into_iter().map(|line| printable(&line) + "\n").collect()
    }

    fn head(&self) -> Vec<String> {
        let server = &self.server;
        let number = |count: Option<u64>| count.map_or("?".to_owned(), thousands);
        let plugins = match &server.plugins {
            None => "cannot be seen".to_owned(),
            Some(list) if list.is_empty() => "none but its own".to_owned(),
            Some(list) => list.join(", "),
        };
        let young = if server.uptime_s < 600 { "; its counters say little yet" } else { "" };
        let mut lines =
            vec![format!("{}: {} {}, {}", self.target, server.flavour, server.version, server.series)];
        let mut fact = |name: &str, what: String| lines.extend(wrapped(&format!("   {name:<12}"), &what));
        fact("build", server.build.clone());
        fact("plugins", plugins);
        fact("threads", server.threads.clone());
        fact("role", server.role.clone());
        fact("up", format!("{}{young}", duration(server.uptime_s as f64)));
        fact(
            "connections",
            format!(
                "{} now, {} at most, {} allowed",
                number(server.connections),
                number(server.connections_most),
                number(server.connections_max)
            ),
        );
        if let Some(planned) = &self.planned {
            fact("judged for", planned.clone());
        }
        fact(
            "durability",
            format!("{} ({})", self.durability.class.describe(), self.durability.because.join(", ")),
        );
        lines
    }
}

fn heading(severity: Severity) -> &'static str {
    match severity {
        Severity::High => "HIGH: can lose data, or makes what is measured meaningless",
        Severity::Medium => "MEDIUM: costs throughput, latency or safety",
        Severity::Low => "LOW: worth knowing",
    }
}

fn entry(number: usize, advice: &Advice, full: bool) -> Vec<String> {
    let lead = format!("{number:>2}. ");
    if advice.severity == Severity::Low && !full {
        return wrapped(&lead, &format!("{}  -> {}", advice.evidence, advice.action));
    }
    let mut lines = wrapped(&lead, &advice.evidence);
    lines.extend(wrapped("    ", &advice.why));
    lines.extend(wrapped("    -> ", &advice.action));
    lines.extend(wrapped("    cost: ", &advice.cost));
    lines.push(format!("    see:  {}", advice.manual));
    lines
}

/// Words in lines of bounded width, the later ones below the first one's text.
fn wrapped(lead: &str, text: &str) -> Vec<String> {
    let indent = " ".repeat(lead.chars().count());
    let mut lines = Vec::new();
    let mut line = lead.to_owned();
    let mut empty = true;
    for word in text.split(' ') {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(std::mem::replace(&mut line, indent.clone()));
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn long_sentences_go_on_below_their_beginning() {
        let text = ["word"; 30].join(" ");
        let lines = wrapped(" 1. ", &text);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with(" 1. word") && lines[1].starts_with("    word"));
        assert!(lines.iter().all(|line| line.len() <= super::WIDTH));
    }
}
