//! Observations of servers and machines, in a few lines for the console.

use analysis::{MachineUse, Tops, Words};
use knowledge::doctor::{self, Recommendation, RecommendationSeverity};
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

/// Lines of a screen.
const FINDINGS: usize = 5;

/// The label of a target, and what is said of it that is more than worth knowing, worst first.
type Grave<'a> = (&'a str, Vec<&'a Recommendation>);

/// The worst findings beyond mere information, each once, with the figures of every target that it concerns.
pub fn advice(view: &View) -> Option<String> {
    let lang = view.lang;
    let all: Vec<Grave<'_>> = view.advice.iter().map(|of| grave(view, of)).collect();
    let mut rules = in_order(view, &all);
    let left_out = rules.len().saturating_sub(FINDINGS);
    rules.truncate(FINDINGS);
    rules.sort_by_key(|one| one.severity);
    // Of a single target it need not be said whose it is.
    let is_single = view.targets.len() == 1;
    let mut text: String = rules.iter().map(|rule| finding(&all, &rule.id, is_single, lang)).collect();
    if left_out > 0 {
        let more = lang.said(message!("more-advice", more = Count(left_out as u64)));
        text.push_str(&format!("- {more}\n"));
    }
    let head = lang.said(message!("advice-for-servers"));
    (!text.is_empty()).then(|| format!("{head}\n{text}"))
}

fn grave<'a>(view: &'a View, of: &'a TargetAdvice) -> Grave<'a> {
    let all = of.items.iter().map(|item| &item.advice);
    let grave = all.filter(|one| one.severity != RecommendationSeverity::Low).collect();
    (view.targets[of.target].label.as_str(), grave)
}

/// The first findings of every target. Those in which the targets differ come before those that all of them share, so that what is
/// shared hides none of them.
fn in_order<'a>(view: &View, all: &[Grave<'a>]) -> Vec<&'a Recommendation> {
    let differs = |rule: &Recommendation| {
        let is_shared = all.iter().all(|(_, advice)| advice.iter().any(|one| one.id == rule.id));
        all.len() > 1 && (!is_shared || carries_difference(view, &rule.id))
    };
    let mut rules: Vec<&Recommendation> = Vec::new();
    for (_, advice) in all {
        let differing = advice.iter().filter(|one| differs(one)).take(MOST);
        for &one in advice.iter().take(MOST).chain(differing) {
            if !rules.iter().any(|known| known.id == one.id) {
                rules.push(one);
            }
        }
    }
    rules.sort_by_key(|one| one.severity);
    let (mut differing, mut shared): (Vec<_>, Vec<_>) = rules.into_iter().partition(|rule| differs(rule));
    let further = differing.split_off(differing.len().min(MOST));
    differing.append(&mut shared);
    differing.extend(further);
    differing
}

/// Whether a rule is about a part of the response time that carries a difference between two targets.
fn carries_difference(view: &View, rule: &str) -> bool {
    let parts = view.explanations.iter().flat_map(|one| &one.resources).filter(|part| part.named);
    let of_rule = doctor::part_of(rule);
    of_rule.is_some_and(|of_rule| parts.into_iter().any(|part| part.id == of_rule))
}

/// What a rule found of the targets that it is about, and what to do.
fn finding(all: &[Grave<'_>], rule: &str, is_single: bool, lang: Lang) -> String {
    let found: Vec<(&str, &Recommendation)> = all
        .iter()
        .filter_map(|(label, advice)| Some((*label, *advice.iter().find(|one| one.id == rule)?)))
        .collect();
    let says = |pick: fn(&Recommendation) -> (&str, &str)| -> Vec<(&str, &str)> {
        found.iter().map(|(label, one)| (*label, said(pick(one), lang))).collect()
    };
    let evidence = said_of(&says(|one| (&one.evidence, &one.zh.evidence)), is_single).join("\n  ");
    let mut text = format!("- {evidence}\n");
    let actions = says(|one| (&one.action, &one.zh.action));
    let are_alike = actions.iter().all(|(_, action)| *action == actions[0].1);
    for action in said_of(&actions, is_single || are_alike) {
        text.push_str(&format!("  -> {action}\n"));
    }
    text
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
