//! What was seen of servers and machines, in a few lines for the console.

use analysis::doctor::{Advice, Severity};
use analysis::{MachineUse, Tops};

use crate::View;
use crate::format::figure;
use crate::view::Cell;
use crate::words::Lang;

/// What fits beside the figures; the page has all.
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
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    let modes = [
        (machine.cpu_user, ("programs", "程序")),
        (machine.cpu_system, ("kernel", "内核")),
        (machine.cpu_iowait, ("waiting for disk", "等待磁盘")),
        (machine.cpu_steal, ("stolen", "被占用")),
    ];
    let modes = modes.iter().filter(|(share, _)| *share >= WORTH_SAYING);
    let modes: Vec<String> =
        modes.map(|(share, (en, zh))| format!("{} {}", lang.pick(en, zh), percent(*share))).collect();
    let mut parts = vec![format!("CPU {}", modes.join(lang.pick(", ", "，")))];
    if let Some(cpus) = machine.server_cpus {
        parts.push(format!(
            "{} {} {}",
            lang.pick("server", "服务器"),
            figure(cpus),
            lang.pick("CPUs", "个 CPU")
        ));
    }
    if machine.disk_written_bytes_per_s >= 0.01 * MIB {
        let written = figure(machine.disk_written_bytes_per_s / MIB);
        let each = machine.disk_write_ms.map(|ms| format!(", {} ms", figure(ms))).unwrap_or_default();
        parts.push(format!("{} {written} MiB/s{each}", lang.pick("disk writes", "磁盘写入")));
    }
    if let Some(ms) = machine.round_trip_ms {
        parts.push(format!("{} {} ms", lang.pick("round trip", "往返"), figure(ms)));
    }
    let whose = if machine.server_is_here {
        lang.pick("machine", "主机")
    } else {
        lang.pick("this machine, not the server's", "本机（非服务器主机）")
    };
    format!("{whose}  {}", parts.join(lang.pick("; ", "；")))
}

fn tops(tops: &Tops, lang: Lang) -> String {
    let mut text = String::new();
    let mut line = |head: &str, first: bool, rest: String| {
        let head = if first { head.to_owned() } else { " ".repeat(crate::render::grid::width(head)) };
        text.push_str(&format!("  {head}  {rest}\n"));
    };
    for (at, one) in tops.statements.iter().take(MOST).enumerate() {
        let rest =
            format!("{:>3.0} %  {:>8} ms  {}", one.share * 100.0, figure(one.mean_ms), shortened(&one.text));
        line(lang.pick("statements", "语句"), at == 0, rest);
    }
    for (at, one) in tops.waits.iter().filter(|wait| wait.threads >= 0.005).take(MOST).enumerate() {
        let ms = figure(one.ms_per_transaction);
        let each = lang.pick("ms per transaction", "毫秒/事务");
        line(lang.pick("waits     ", "等待"), at == 0, format!("{ms:>6} {each}  {}", one.event));
    }
    if let [first, rest @ ..] = tops.unseen.as_slice() {
        let mut whats: Vec<&str> = vec![&first.what];
        whats.extend(rest.iter().map(|one| one.what.as_str()));
        whats.dedup();
        let why = if rest.is_empty() { format!(": {}", first.why) } else { String::new() };
        line(lang.pick("not seen  ", "不可见"), true, format!("{}{why}", whats.join(", ")));
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

/// The worst findings that are more than worth knowing, each once with the targets that it is about.
pub fn advice(view: &View) -> Option<String> {
    /// Lines of a screen.
    const FINDINGS: usize = 5;
    let lang = view.lang;
    let mut findings: Vec<(&Advice, Vec<(&str, &str)>)> = Vec::new();
    for of in &view.advice {
        let label = view.targets[of.target].label.as_str();
        let grave = of.items.iter().map(|item| &item.advice).filter(|one| one.severity != Severity::Low);
        for one in grave.take(MOST) {
            match findings.iter_mut().find(|(known, _)| known.id == one.id) {
                Some((_, found)) => found.push((label, &one.evidence)),
                None => findings.push((one, vec![(label, &one.evidence)])),
            }
        }
    }
    findings.sort_by_key(|(one, _)| one.severity);
    let left_out = findings.len().saturating_sub(FINDINGS);
    let mut text = String::new();
    for (one, found) in findings.iter().take(FINDINGS) {
        // Of a single target it need not be said whose it is.
        let evidence = if view.targets.len() == 1 { one.evidence.clone() } else { said_of(found, lang) };
        text.push_str(&format!("- {evidence}\n  -> {}\n", one.action));
    }
    if left_out > 0 {
        text.push_str(&match lang {
            Lang::En => format!("- and {left_out} more\n"),
            Lang::Zh => format!("- 另有 {left_out} 条\n"),
        });
    }
    let head = lang.pick(
        "what stood out at the servers (all of it: the page, or mydyno doctor)",
        "服务器的突出问题（全部见网页或 mydyno doctor）",
    );
    (!text.is_empty()).then(|| format!("{head}\n{text}"))
}

/// `2/1000: sync_binlog = 1000; 0/0: sync_binlog = 0`, or of longer ones the first, and for whom it is much the same.
fn said_of(found: &[(&str, &str)], lang: Lang) -> String {
    const SHORT: usize = 60;
    let labels = |of: &[(&str, &str)]| of.iter().map(|(label, _)| *label).collect::<Vec<_>>().join(", ");
    let (label, evidence) = found[0];
    let rest = &found[1..];
    if rest.iter().all(|(_, other)| *other == evidence) {
        return format!("{}: {evidence}", labels(found));
    }
    if found.iter().all(|(_, evidence)| evidence.chars().count() <= SHORT) {
        let each = found.iter().map(|(label, evidence)| format!("{label}: {evidence}"));
        return each.collect::<Vec<_>>().join("; ");
    }
    format!("{label}: {evidence} ({} {})", lang.pick("much the same:", "类似："), labels(rest))
}
