//! The note about a server: a screen for people, everything for programs.

use knowledge::doctor::durability::{self, Class};
use knowledge::doctor::{Examined, Facts, Recommendation, RecommendationSeverity, facts};
use messages::message;
use model::{FORMAT, Unseen};
use report::Lang;
use report::render::grid::{Align, pad, width};
use serde::Serialize;

use super::super::table::printable;
use super::super::wrap;
use crate::display::phrase::{duration, thousands};

/// What was found out about one server.
#[derive(Debug, Serialize)]
pub struct Note {
    target: String,
    server: Facts,
    durability: Class,
    planned: Option<String>,
    advice: Vec<Recommendation>,
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
    pub fn new(
        label: &str,
        examined: &Examined<'_>,
        advice: Vec<Recommendation>,
        planned: Option<String>,
    ) -> Self {
        Self {
            target: label.to_owned(),
            server: facts(examined),
            durability: durability::class(examined),
            planned,
            advice,
            unseen: examined.seen.unseen.clone(),
        }
    }

    /// What is recommended, worst first.
    pub fn advice(&self) -> &[Recommendation] {
        &self.advice
    }

    /// The screen. What is of low severity takes one line each, unless `full`.
    pub fn text(&self, full: bool, lang: Lang) -> String {
        let page = Page { columns: wrap::columns(), lang };
        let mut lines = self.head(page);
        let mut last = None;
        for (number, advice) in self.advice.iter().enumerate() {
            if last != Some(advice.severity) {
                lines.push(String::new());
                lines.push(heading(advice.severity, lang));
                last = Some(advice.severity);
            }
            lines.extend(entry(number + 1, advice, full, page));
        }
        if self.advice.is_empty() {
            lines.push(String::new());
            lines.push(lang.said(message!("nothing-to-recommend")));
        }
        if !self.unseen.is_empty() {
            lines.push(String::new());
            lines.push(lang.said(message!("not-visible")));
            let unseen = self.unseen.iter().map(|one| format!("{}: {}", one.what, one.why));
            lines.extend(unseen.flat_map(|one| page.wrapped("   ", &one)));
        }
        let folded = !full && self.advice.iter().any(|advice| advice.severity == RecommendationSeverity::Low);
        if folded {
            lines.push(String::new());
            lines.push(lang.said(message!("full-advice", option = Text("--full"))));
        }
        lines.into_iter().map(|line| printable(&line) + "\n").collect()
    }

    fn head(&self, page: Page) -> Vec<String> {
        let lang = page.lang;
        let server = &self.server;
        let number = |count: Option<u64>| count.map_or("?".to_owned(), thousands);
        let listed = server.plugins.as_ref().map(|list| list.join(", "));
        let known = match server.plugins.as_deref() {
            None => "hidden",
            Some([]) => "built-in",
            Some(_) => "listed",
        };
        let plugins = lang.said(message!("plugins", known = Word(known), listed = Text?(listed)));
        let series = lang.pick(&server.series, &server.zh.series);
        let head = lang.said(message!(
            "server-of-target",
            target = Text(&self.target),
            server = Text(format!("{} {}", server.flavour, server.version)),
            series = Text(series),
        ));
        let mut lines = wrap::wrapped("", "   ", &head, page.columns);
        let mut fact = |name: &str, what: &str| {
            let name = pad(&lang.said(message!("server-fact", fact = Word(name))), 12, Align::Left);
            lines.extend(page.wrapped(&format!("   {name}"), what));
        };
        fact("build", &server.build);
        fact("plugins", &plugins);
        fact("threads", lang.pick(&server.threads, &server.zh.threads));
        fact("role", lang.pick(&server.role, &server.zh.role));
        let counters = if server.uptime_s < 600 { "young" } else { "old" };
        let uptime = lang.said(message!(
            "uptime",
            time = Text(duration(server.uptime_s as f64)),
            counters = Word(counters),
        ));
        fact("up", &uptime);
        let [now, most, allowed] =
            [server.connections, server.connections_most, server.connections_max].map(number);
        let connections =
            lang.said(message!("connections", now = Text(now), most = Text(most), allowed = Text(allowed),));
        fact("connections", &connections);
        if let Some(planned) = &self.planned {
            fact("judged-for", planned);
        }
        let durability = lang.said(message!(
            "durability-because",
            class = Message(analysis::unequal::durability_class(self.durability.class)),
            because = Text(self.durability.because.join(", ")),
        ));
        fact("durability", &durability);
        lines
    }
}

/// How wide a screen is, and in which language.
#[derive(Clone, Copy)]
struct Page {
    columns: usize,
    lang: Lang,
}

impl Page {
    /// A sentence behind a lead, the later lines below the first one's text.
    fn wrapped(self, lead: &str, text: &str) -> Vec<String> {
        wrap::wrapped(lead, &" ".repeat(width(lead)), text, self.columns)
    }
}

fn heading(severity: RecommendationSeverity, lang: Lang) -> String {
    let severity = match severity {
        RecommendationSeverity::High => "high",
        RecommendationSeverity::Medium => "medium",
        RecommendationSeverity::Low => "low",
    };
    lang.said(message!("advice-of-severity", severity = Word(severity)))
}

fn entry(number: usize, advice: &Recommendation, full: bool, page: Page) -> Vec<String> {
    let lang = page.lang;
    let lead = format!("{number:>2}. ");
    let evidence = lang.pick(&advice.evidence, &advice.zh.evidence);
    let action = lang.pick(&advice.action, &advice.zh.action);
    if advice.severity == RecommendationSeverity::Low && !full {
        return page.wrapped(&lead, &format!("{evidence}  -> {action}"));
    }
    let mut lines = page.wrapped(&lead, evidence);
    lines.extend(page.wrapped("    ", lang.pick(&advice.why, &advice.zh.why)));
    lines.extend(page.wrapped("    -> ", action));
    let said = |line: &str| lang.said(message!("advice-line", line = Word(line)));
    let cost = format!("    {} ", said("cost"));
    lines.extend(page.wrapped(&cost, lang.pick(&advice.cost, &advice.zh.cost)));
    lines.push(format!("    {} {}", pad(&said("see"), width(cost.trim()), Align::Left), advice.manual));
    lines
}
