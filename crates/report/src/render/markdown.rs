//! Markdown: what belongs into a pull request or an article.

use messages::message;
use messages::number::{ratio, ratio_interval};

use crate::View;
use crate::format::{ends, figure, thousands};
use crate::view::{Cell, TargetView};
use crate::words::{self, Lang};

/// The report as GitHub-flavoured Markdown, in the language of the view.
pub fn markdown(view: &View) -> String {
    let lang = view.lang;
    let mut text = String::new();
    if let Some(about) = &view.about {
        text.push_str(&format!("> {}\n\n", escape(words::question(about, view.lang))));
    }
    let (validity, answer) = (escape(lang.of(&view.trust.summary)), escape(lang.of(&view.answer)));
    text.push_str(&match view.trust.withdrawn {
        true => {
            let withdrawn = lang.said(message!("withdrawn", answer = Text(answer)));
            format!("**{validity}**\n\n{withdrawn}\n")
        }
        false => format!("{validity}\n\n**{answer}**\n"),
    });
    for line in super::explained::sentences(view) {
        text.push_str(&format!("\n{}\n", escape(&line)));
    }
    text.extend(view.candidates.iter().map(|line| format!("\n{}\n", escape(lang.of(line)))));
    let further = super::further_reasons(view);
    if !further.is_empty() {
        text.push('\n');
    }
    text.extend(further.iter().map(|line| format!("- {}\n", escape(line))));
    for found in &view.bisections {
        let (head, rows) = super::bisect::rows(found, lang);
        text.push_str(&format!("\n### {}\n\n", escape(&super::bisect::title(found, lang))));
        let rows = rows.into_iter().map(|row| row.iter().map(|one| escape(one)).collect());
        let head: Vec<String> = head.iter().map(|one| escape(one)).collect();
        text.push_str(&table(&head, rows));
        text.push_str(&format!("\n{}\n", escape(lang.of(&found.evidence))));
    }
    text.extend(super::versions::tables(view).into_iter().map(titled));
    text.extend(super::proof::tables(view).into_iter().map(titled));
    for capacity in &view.capacities {
        let (head, rows) = super::capacity::rows(capacity, lang);
        text.push_str(&format!("\n### {}\n\n", escape(&super::capacity::title(capacity, lang))));
        let rows = rows.into_iter().map(|row| row.iter().map(|one| escape(one)).collect());
        let head: Vec<String> = head.iter().map(|one| escape(one)).collect();
        text.push_str(&table(&head, rows));
        let evidence = message!("as-sentence", clause = Message(capacity.evidence.clone()));
        text.push_str(&format!("\n{}\n", escape(&lang.said(evidence))));
    }
    for one in &view.colocations {
        text.push_str(&format!("\n### {}\n", escape(&super::colocation::title(one, lang))));
        for (head, rows) in [super::colocation::rows(one, lang), super::colocation::hypotheses(one, lang)] {
            let rows = rows.into_iter().map(|row| row.iter().map(|one| escape(one)).collect());
            let head: Vec<String> = head.iter().map(|one| escape(one)).collect();
            text.push_str(&format!("\n{}", table(&head, rows)));
        }
    }
    text.extend(super::serial::tables(view).into_iter().map(titled));
    text.extend(super::on_purpose(view).into_iter().map(titled));
    let workloads = if view.capacities.is_empty() { view.workloads.as_slice() } else { &[] };
    for (index, workload) in workloads.iter().enumerate() {
        text.push_str(&format!("\n### {}\n\n", escape(&workload.label)));
        text.push_str(&curves(view, index));
        text.push_str(&over_time(view, index));
        for (position, target) in view.targets.iter().enumerate() {
            let cells: Vec<&Cell> =
                view.cells.iter().filter(|c| c.workload == index && c.target == position).collect();
            text.push_str(&articles_table(target, &cells, lang));
        }
        let of_workload: Vec<&Cell> = view.cells.iter().filter(|c| c.workload == index).collect();
        let routers = super::router::lines(view, &of_workload);
        text.push_str(if routers.is_empty() { "" } else { "\n" });
        text.extend(routers.iter().map(|line| format!("- {}\n", escape(line))));
        text.extend(reported(view, &of_workload));
    }
    text.extend(super::explained::tables(view).into_iter().map(titled));
    text.extend(super::profile::parts(view).into_iter().map(profile));
    text.push_str(&experiment(view));
    text.push_str(&differences(view));
    text.push_str(&failures(view));
    text.push_str(&origin(view));
    text
}

/// A heading and a table.
fn titled(one: super::titled::TitledTable) -> String {
    let rows = one.rows.into_iter().map(|row| row.iter().map(|one| escape(one)).collect());
    let head: Vec<String> = one.head.iter().map(|one| escape(one)).collect();
    format!("\n### {}\n\n{}", escape(&one.title), table(&head, rows))
}

/// Where a server spends CPU, or how two differ in that.
fn profile(part: super::profile::ProfilePart) -> String {
    let says: String = part.says.iter().map(|line| format!("- {}\n", escape(line))).collect();
    let title = format!("\n### {}\n", escape(&part.table.title));
    let table = if part.table.rows.is_empty() { String::new() } else { titled(part.table) };
    let rows = table.split_once("\n\n").map_or("", |(_, rows)| rows);
    let says = if says.is_empty() { says } else { format!("\n{says}") };
    let rows = if rows.is_empty() { String::new() } else { format!("\n{rows}") };
    format!("{title}{says}{rows}")
}

/// The parts that only an experiment has: interactions, published results, open questions, the method.
fn experiment(view: &View) -> String {
    if view.about.is_none() {
        return String::new();
    }
    let lang = view.lang;
    let mut text = String::from("\n");
    for words in &view.interactions.says {
        text.push_str(&format!("- {}\n", escape(lang.of(words))));
    }
    for part in super::experiment::parts(view) {
        text.push_str(&format!("\n### {}\n\n", part.title));
        for line in &part.lines {
            text.push_str(&format!("- {}\n", escape(line)));
        }
    }
    text
}

/// Throughput of all targets, with the ratio to the first where there is one.
fn curves(view: &View, workload: usize) -> String {
    let lang = view.lang;
    let cells: Vec<&Cell> = view.cells.iter().filter(|c| c.workload == workload).collect();
    let mut threads: Vec<u32> = cells.iter().map(|c| c.threads).collect();
    threads.sort_unstable();
    threads.dedup();
    let ratios: Vec<usize> =
        (1..view.targets.len()).filter(|t| view.comparisons.iter().any(|c| c.other == *t)).collect();
    let mut head = vec![lang.column("clients")];
    for target in &view.targets {
        head.push(format!("{} {}", escape(&target.label), lang.column("tps")));
        head.push("p95 ms".to_owned());
    }
    head.extend(
        ratios
            .iter()
            .map(|t| format!("{} / {}", escape(&view.targets[*t].label), escape(&view.targets[0].label))),
    );
    let rows = threads.iter().map(|n| {
        let mut row = vec![thousands(u64::from(*n))];
        for target in 0..view.targets.len() {
            let cell = cells.iter().find(|c| c.target == target && c.threads == *n);
            row.extend(cell.map_or([String::new(), String::new()], |c| figures(c, lang)));
        }
        row.extend(ratios.iter().map(|t| {
            let compared =
                |c: &&crate::view::ComparisonView| c.workload == workload && c.other == *t && c.threads == *n;
            view.comparisons.iter().find(compared).map_or(String::new(), |c| match (c.low, c.high) {
                (Some(low), Some(high)) => {
                    format!("{} {}", ratio(c.throughput_ratio), lang.of(&ratio_interval(low, high)))
                }
                _ => ratio(c.throughput_ratio),
            })
        }));
        row
    });
    table(&head, rows)
}

/// Behaviour of the cells over time, where there are findings.
fn over_time(view: &View, workload: usize) -> String {
    let cells: Vec<&Cell> = view.cells.iter().filter(|c| c.workload == workload).collect();
    let lines = super::over_time::sweep(view, &cells);
    let list: String = lines.iter().map(|line| format!("- {}\n", escape(line))).collect();
    if list.is_empty() { list } else { format!("\n{list}") }
}

fn figures(cell: &Cell, lang: Lang) -> [String; 2] {
    match cell.throughput_per_s {
        Some(estimate) => {
            let rate = format!("{} {}", figure(estimate.mean), ends(&estimate, lang));
            let p95 = cell.p95_ms().map_or_else(String::new, figure);
            [rate.trim_end().to_owned(), p95]
        }
        None if cell.failure.is_some() => [lang.said(message!("entry-failed-silently")), String::new()],
        None => [lang.said(message!("entry-not-run")), String::new()],
    }
}

/// clients | transactions | queries | time | avg | p95, with the instance above.
fn articles_table(target: &TargetView, cells: &[&Cell], lang: Lang) -> String {
    if cells.is_empty() {
        return String::new();
    }
    let instance: Vec<String> = target.instance.iter().map(|(key, value)| format!("{key} {value}")).collect();
    let mut known: Vec<String> = match target.members.as_slice() {
        [] => vec![lang.of(&target.summary).to_owned()],
        members => {
            members.iter().map(|member| format!("{} {}", member.name, lang.of(&member.summary))).collect()
        }
    };
    known.extend(instance);
    let head =
        ["clients", "transactions", "queries", "time", "avg-ms", "p95-ms"].map(|name| lang.column(name));
    let rows = cells.iter().map(|cell| {
        let mut row = vec![thousands(u64::from(cell.threads))];
        match cell.totals {
            Some(t) => row.extend([
                thousands(t.transactions),
                t.queries.map(thousands).unwrap_or_default(),
                format!("{:.2}", t.time_s),
                t.response_avg_ms.map(|ms| format!("{ms:.2}")).unwrap_or_default(),
                t.response_p95_ms.map(|ms| format!("{ms:.2}")).unwrap_or_default(),
            ]),
            None => row
                .extend(std::iter::once(figures(cell, lang)[0].clone()).chain([const { String::new() }; 4])),
        }
        row
    });
    let summary = escape(&known.join(", "));
    format!("\n{}: {summary}\n\n{}", escape(&target.label), table(&head, rows))
}

/// Figures by type of transaction reported by another tool, with its tpmC.
fn reported(view: &View, cells: &[&Cell]) -> Option<String> {
    let rows = super::stated::markdown(view, cells)?;
    let safe = |row: &Vec<String>| row.iter().map(|field| escape(field)).collect::<Vec<_>>();
    let (head, rest) = rows.split_first()?;
    Some(format!("\n{}", table(&safe(head), rest.iter().map(safe))))
}

/// Every column to the right: they hold figures.
fn table(head: &[String], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut text = format!("| {} |\n|{}\n", head.join(" | "), " ---: |".repeat(head.len()));
    for row in rows {
        text.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    text
}

fn differences(view: &View) -> String {
    if view.targets.len() < 2 {
        return String::new();
    }
    let lang = view.lang;
    let mut text = format!("\n### {}\n\n", lang.heading("differences"));
    for difference in &view.differences {
        text.push_str(&format!("- {}\n", escape(lang.of(&difference.words()))));
    }
    let differing: Vec<_> = view.variables.iter().filter(|v| v.differs).collect();
    if !differing.is_empty() {
        let mut head = vec![lang.column("variable")];
        head.extend(view.targets.iter().map(|t| escape(&t.label)));
        text.push_str(&format!("\n| {} |\n|{}\n", head.join(" | "), " --- |".repeat(head.len())));
        for variable in differing {
            let values = variable.values.iter().map(|v| v.as_ref().map_or("-".to_owned(), |v| escape(v)));
            text.push_str(&format!("| `{}` | {} |\n", variable.name, values.collect::<Vec<_>>().join(" | ")));
        }
    }
    text
}

fn failures(view: &View) -> String {
    let lang = view.lang;
    let mut text = String::new();
    let heading = format!("\n### {}\n\n", lang.heading("failures"));
    for failure in view.runs.iter().filter_map(|run| run.failure.as_ref()) {
        if text.is_empty() {
            text.push_str(&heading);
        }
        let why = failure.message.lines().next().unwrap_or_default();
        let ended = lang.said(message!("run-failure", why = Text(why)));
        text.push_str(&format!("- {}\n", escape(&ended)));
    }
    for cell in &view.cells {
        let Some(failure) = &cell.failure else { continue };
        if text.is_empty() {
            text.push_str(&heading);
        }
        text.push_str(&format!("- {}\n", escape(&super::cell_failure(view, cell, &failure.message))));
    }
    let aside = super::set_aside(view);
    if !aside.is_empty() {
        text.push_str(&format!("\n### {}\n\n", lang.heading("set-aside")));
        text.extend(aside.iter().map(|line| format!("- {}\n", escape(line))));
    }
    text
}

fn origin(view: &View) -> String {
    let lang = view.lang;
    let mut text = format!("\n### {}\n\n", lang.heading("origin"));
    for run in &view.runs {
        let started = run.started_at.as_deref().unwrap_or("-");
        let line = lang.said(message!(
            "run-origin",
            recording = Text(format!("`{}`", run.id)),
            started = Text(started),
            seed = Text(run.seed.to_string()),
            plan = Text(&run.plan_hash),
        ));
        let note = run.note.as_ref().map(|note| format!("> {}\n\n", escape(note))).unwrap_or_default();
        text.push_str(&format!("{line}\n\n{note}    {}\n\n", run.command));
    }
    text
}

/// Labels and messages that come from users and servers must not become markup.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '`' | '*' | '_' | '\\' | '~' => safe.extend(['\\', c]),
            '<' => safe.push_str("&lt;"),
            '\n' | '\r' => safe.push(' '),
            _ => safe.push(c),
        }
    }
    safe
}
