//! Observations of servers and machines, in a few lines for the console.

use analysis::{MachineUse, Tops, Words};
use knowledge::doctor::{Recommendation, RecommendationSeverity};
use messages::message;

use crate::View;
use crate::format::figure;
use crate::render::grid::{Align, pad, width};
use crate::view::{Cell, TargetAdvice};
use crate::words::Lang;

/// Maximum number shown beside the figures; the page shows all.
const MOST: usize = 3;

/// The machine, the statements and waits that took most of the server's time.
pub fn cell(cell: &Cell, lang: Lang) -> String {
    let mut text = String::new();
    if let Some(machine) = &cell.machine {
        text.push_str(&format!("  {}\n", self::machine(machine, lang)));
    }
    if let Some(tops) = &cell.tops {
        text.push_str(&self::tops(tops, lang));
    }
    text
}

/// `machine  user 61 %, kernel 20 %, ...; disk 12.1 MiB/s written at 1.20 ms; the server used 1.31 CPUs`.
fn machine(machine: &MachineUse, lang: Lang) -> String {
    const MIB: f64 = 1_048_576.0;
    const WORTH_SAYING: f64 = 0.005;
    let modes = [
        (machine.cpu_user, "programs"),
        (machine.cpu_system, "kernel"),
        (machine.cpu_iowait, "disk"),
        (machine.cpu_steal, "stolen"),
    ];
    let modes = modes.iter().filter(|(share, _)| *share >= WORTH_SAYING);
    let modes: Vec<Words> = modes
        .map(|(share, mode)| message!("cpu-mode", mode = Word(*mode), percent = Whole(share * 100.0)))
        .collect();
    let mut parts = vec![message!("cpu-modes", modes = Parts(modes))];
    parts.extend(machine.server_cpus.map(|cpus| message!("server-cpus", cpus = Figure(cpus))));
    if machine.disk_written_bytes_per_s >= 0.01 * MIB {
        parts.push(message!(
            "disk-writes",
            rate = Figure(machine.disk_written_bytes_per_s / MIB),
            each = Figure?(machine.disk_write_ms),
        ));
    }
    parts.extend(machine.round_trip_ms.map(|ms| message!("round-trip", ms = Figure(ms))));
    let whose = if machine.server_is_here { "servers" } else { "generators" };
    lang.said(message!("machine-line", whose = Word(whose), parts = Clauses(parts)))
}

fn tops(tops: &Tops, lang: Lang) -> String {
    let mut text = String::new();
    let head = |line: &str| lang.said(message!("server-line", line = Word(line)));
    let widest = ["statements", "by-client", "waits", "unseen"].map(|line| width(&head(line)));
    let widest = widest.into_iter().max().unwrap_or(0);
    let mut line = |name: &str, first: bool, rest: String| {
        let head = pad(&if first { head(name) } else { String::new() }, widest, Align::Left);
        text.push_str(&format!("  {head}  {rest}\n"));
    };
    for (at, one) in tops.statements.iter().take(MOST).enumerate() {
        let rest =
            format!("{:>3.0} %  {:>8} ms  {}", one.share * 100.0, figure(one.mean_ms), shortened(&one.text));
        line("statements", at == 0, rest);
    }
    if let Some(hidden) = &tops.undigested {
        line("statements", tops.statements.is_empty(), lang.of(&hidden.says).to_owned());
        for (at, one) in hidden.by_client.iter().take(MOST).enumerate() {
            let share = one.share * 100.0;
            let rest = format!("{share:>3.0} %  {:>8} ms  {}", figure(one.mean_ms), one.operation);
            line("by-client", at == 0, rest);
        }
    }
    for (at, one) in tops.waits.iter().filter(|wait| wait.threads >= 0.005).take(MOST).enumerate() {
        let ms = figure(one.ms_per_transaction);
        let each = lang.said(message!("ms-per-transaction"));
        line("waits", at == 0, format!("{ms:>6} {each}  {}", one.event));
    }
    if let [first, rest @ ..] = tops.unseen.as_slice() {
        let mut whats: Vec<&str> = vec![&first.what];
        whats.extend(rest.iter().map(|one| one.what.as_str()));
        whats.dedup();
        let why = if rest.is_empty() { format!(": {}", first.why) } else { String::new() };
        line("unseen", true, format!("{}{why}", whats.join(", ")));
    }
    text
}

fn shortened(text: &str) -> String {
    const LENGTH: usize = 70;
    if text.chars().count() <= LENGTH {
        return text.to_owned();
    }
    format!("{} ...", text.chars().take(LENGTH).collect::<String>())
}

/// The worst findings beyond mere information, each once, with the figures of every target that it concerns.
pub fn advice(view: &View) -> Option<String> {
    /// Lines of a screen.
    const FINDINGS: usize = 5;
    let lang = view.lang;
    let grave = |of: &'_ TargetAdvice| -> Vec<Recommendation> {
        let all = of.items.iter().map(|item| &item.advice);
        all.filter(|one| one.severity != RecommendationSeverity::Low).cloned().collect()
    };
    let all: Vec<(&str, Vec<Recommendation>)> =
        view.advice.iter().map(|of| (view.targets[of.target].label.as_str(), grave(of))).collect();
    let mut rules: Vec<&Recommendation> = Vec::new();
    for one in all.iter().flat_map(|(_, advice)| advice.iter().take(MOST)) {
        if !rules.iter().any(|known| known.id == one.id) {
            rules.push(one);
        }
    }
    rules.sort_by_key(|one| one.severity);
    let left_out = rules.len().saturating_sub(FINDINGS);
    let mut text = String::new();
    for rule in rules.iter().take(FINDINGS) {
        let of_rule = |(label, advice): &(&str, Vec<Recommendation>)| {
            let one = advice.iter().find(|one| one.id == rule.id)?;
            Some(((*label).to_owned(), one.clone()))
        };
        let found: Vec<(String, Recommendation)> = all.iter().filter_map(of_rule).collect();
        let says = |pick: fn(&Recommendation) -> (&str, &str)| -> Vec<(&str, &str)> {
            found.iter().map(|(label, one)| (label.as_str(), said(pick(one), lang))).collect()
        };
        // Of a single target it need not be said whose it is.
        let is_single = view.targets.len() == 1;
        let evidence = said_of(&says(|one| (&one.evidence, &one.zh.evidence)), is_single).join("\n  ");
        text.push_str(&format!("- {evidence}\n"));
        let actions = says(|one| (&one.action, &one.zh.action));
        let are_alike = actions.iter().all(|(_, action)| *action == actions[0].1);
        for action in said_of(&actions, is_single || are_alike) {
            text.push_str(&format!("  -> {action}\n"));
        }
    }
    if left_out > 0 {
        let more = lang.said(message!("more-advice", more = Count(left_out as u64)));
        text.push_str(&format!("- {more}\n"));
    }
    let head = lang.said(message!("advice-for-servers"));
    (!text.is_empty()).then(|| format!("{head}\n{text}"))
}

/// The text in the language of the view; in English where there is no other.
fn said<'a>((en, zh): (&'a str, &'a str), lang: Lang) -> &'a str {
    if zh.is_empty() { en } else { lang.pick(en, zh) }
}

/// `2/1000: sync_binlog = 1000; 0/0: sync_binlog = 0` in one line, or longer ones in a line each. A text common to all is
/// shown once. `bare`: only the first text, without labels.
fn said_of(found: &[(&str, &str)], bare: bool) -> Vec<String> {
    const SHORT: usize = 60;
    let (_, first) = found[0];
    if bare {
        return vec![first.to_owned()];
    }
    if found.iter().all(|(_, said)| *said == first) {
        let labels: Vec<&str> = found.iter().map(|(label, _)| *label).collect();
        return vec![format!("{}: {first}", labels.join(", "))];
    }
    let each: Vec<String> = found.iter().map(|(label, said)| format!("{label}: {said}")).collect();
    match found.iter().all(|(_, said)| said.chars().count() <= SHORT) {
        true => vec![each.join("; ")],
        false => each,
    }
}

#[cfg(test)]
mod tests {
    use super::said_of;

    #[test]
    fn every_target_has_its_own_figures() {
        let long =
            "0.54 deadlocks and lock timeouts per 100 transactions, transaction_isolation = READ-COMMITTED";
        let other =
            "325 deadlocks and lock timeouts per 100 transactions, transaction_isolation = SERIALIZABLE";
        let lines = said_of(&[("rc", long), ("ser", other)], false);
        assert_eq!(lines, [format!("rc: {long}"), format!("ser: {other}")]);
        assert_eq!(said_of(&[("a", "x = 1"), ("b", "x = 2")], false), ["a: x = 1; b: x = 2"]);
        assert_eq!(said_of(&[("a", long), ("b", long)], false), [format!("a, b: {long}")]);
    }
}
