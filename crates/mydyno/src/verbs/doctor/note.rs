//! The note about a server: a screen for people, everything for programs.

use knowledge::doctor::durability::{self, Class};
use knowledge::doctor::{Examined, Facts, Recommendation, RecommendationSeverity, facts};
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

    /// The screen. What is of low severity takes one line each, unless `full`.
    pub fn text(&self, full: bool, lang: Lang) -> String {
        let page = Page { columns: wrap::columns(), lang };
        let mut lines = self.head(page);
        let mut last = None;
        for (number, advice) in self.advice.iter().enumerate() {
            if last != Some(advice.severity) {
                lines.push(String::new());
                lines.push(heading(advice.severity, lang).to_owned());
                last = Some(advice.severity);
            }
            lines.extend(entry(number + 1, advice, full, page));
        }
        if self.advice.is_empty() {
            lines.push(String::new());
            lines.push(lang.pick("Nothing to recommend.", "没有建议。").to_owned());
        }
        if !self.unseen.is_empty() {
            lines.push(String::new());
            lines.push(lang.pick("Not visible", "不可见").to_owned());
            let unseen = self.unseen.iter().map(|one| format!("{}: {}", one.what, one.why));
            lines.extend(unseen.flat_map(|one| page.wrapped("   ", &one)));
        }
        let folded = !full && self.advice.iter().any(|advice| advice.severity == RecommendationSeverity::Low);
        if folded {
            lines.push(String::new());
            let more = "Reasons, costs and manual pages of all: --full";
            lines.push(lang.pick(more, "全部原因、代价与手册链接：--full").to_owned());
        }
        lines.into_iter().map(|line| printable(&line) + "\n").collect()
    }

    fn head(&self, page: Page) -> Vec<String> {
        let lang = page.lang;
        let server = &self.server;
        let number = |count: Option<u64>| count.map_or("?".to_owned(), thousands);
        let plugins = match &server.plugins {
            None => lang.pick("not visible", "不可见").to_owned(),
            Some(list) if list.is_empty() => lang.pick("built-in only", "仅内置").to_owned(),
            Some(list) => list.join(", "),
        };
        let young = lang.pick("; its counters say little yet", "；计数器还说明不了什么");
        let young = if server.uptime_s < 600 { young } else { "" };
        let series = lang.pick(&server.series, &server.zh.series);
        let comma = lang.pick(", ", "，");
        let (flavour, version) = (server.flavour, &server.version);
        let head = format!("{}: {flavour} {version}{comma}{series}", self.target);
        let mut lines = wrap::wrapped("", "   ", &head, page.columns);
        let mut fact = |(en, zh): (&str, &str), what: &str| {
            let name = pad(lang.pick(en, zh), 12, Align::Left);
            lines.extend(page.wrapped(&format!("   {name}"), what));
        };
        fact(("build", "构建"), &server.build);
        fact(("plugins", "插件"), &plugins);
        fact(("threads", "线程"), lang.pick(&server.threads, &server.zh.threads));
        fact(("role", "角色"), lang.pick(&server.role, &server.zh.role));
        fact(("up", "运行时间"), &format!("{}{young}", duration(server.uptime_s as f64)));
        let [now, most, allowed] =
            [server.connections, server.connections_most, server.connections_max].map(number);
        let connections = match lang {
            Lang::En => format!("{now} now, {most} at most, {allowed} allowed"),
            Lang::Zh => format!("目前 {now}，最多 {most}，上限 {allowed}"),
        };
        fact(("connections", "连接"), &connections);
        if let Some(planned) = &self.planned {
            fact(("judged for", "针对"), planned);
        }
        let class = self.durability.class;
        let class = analysis::unequal::durability_class(class);
        let said = lang.of(&class);
        let because = self.durability.because.join(", ");
        let durability = match lang {
            Lang::En => format!("{said} ({because})"),
            Lang::Zh => format!("{said}（{because}）"),
        };
        fact(("durability", "持久性"), &durability);
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

fn heading(severity: RecommendationSeverity, lang: Lang) -> &'static str {
    match severity {
        RecommendationSeverity::High => lang.pick(
            "HIGH: can lose data, or makes what is measured meaningless",
            "高：可能丢数据，或使测量失去意义",
        ),
        RecommendationSeverity::Medium => {
            lang.pick("MEDIUM: costs throughput, latency or safety", "中：影响吞吐、延迟或安全")
        }
        RecommendationSeverity::Low => lang.pick("LOW: worth knowing", "低：值得了解"),
    }
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
    let cost = lang.pick("    cost: ", "    代价：");
    lines.extend(page.wrapped(cost, lang.pick(&advice.cost, &advice.zh.cost)));
    lines.push(format!("    {}{}", lang.pick("see:  ", "参见："), advice.manual));
    lines
}
