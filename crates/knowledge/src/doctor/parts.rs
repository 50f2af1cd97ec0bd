//! Rules about the parts of a transaction's time: one that is most of it, or that carries the difference from another target, is a
//! finding even where its cause is not known.

use messages::message;

use super::Examined;
use super::causes::excess;
use super::finding::{Check, Found, RecommendationSeverity};
use super::window::{MeasuredWindow, TimePart};

use RecommendationSeverity::{Low, Medium};

/// From this share of the response time on a part is worth a finding by itself.
const MOST: f64 = 0.5;
/// The same of parts that a server set up well has little of.
const TOO_MUCH: f64 = 0.3;
/// While the logs are in use for less of the time, it is not the disk that commits wait for.
const LOGS_IN_USE: f64 = 0.5;

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("commit_wait_time", |p| {
        let m = p.measured?;
        let logs = m.logs_in_use();
        let severity = if logs.is_some_and(|logs| logs < LOGS_IN_USE) { Medium } else { Low };
        let (part, severity) = weighs(m, "commit_wait", MOST, severity)?;
        let evidence = message!(
            "doctor-commit-wait-time",
            ms = Figure(part.ms),
            whole = Figure(m.response_ms?),
            share = Percent(m.part_share(part)?.min(1.0)),
            at = Message(m.at()),
            logs = Percent?(logs),
            excess = Message?(excess(part))
        );
        Found::new(severity, evidence)
    }),
    ("data_io_time", |p| of_part(p, "data_io", TOO_MUCH, Medium)),
    ("replication_time", |p| of_part(p, "replication", TOO_MUCH, Medium)),
    ("cpu_wait_time", |p| of_part(p, "cpu_wait", MOST, Low)),
    ("cpu_time", |p| of_part(p, "cpu", MOST, Low)),
    ("unattributed_time", unattributed_time),
    ("generator_time", |p| of_part(p, "client", MOST, Low)),
];

/// Rules of the other pages that tell why a part takes long.
const CAUSES: [(&str, &str); 9] = [
    ("network_round_trips", "network"),
    ("commit_delay", "commit_wait"),
    ("commits_wait", "commit_wait"),
    ("binlog_rotations", "commit_wait"),
    ("row_lock_contention", "row_locks"),
    ("buffer_pool_misses", "data_io"),
    ("cpu_throttled", "cpu_wait"),
    ("metadata_locks", "unattributed"),
    ("thread_pool_groups", "unattributed"),
];
/// Rules of this page, each about a part.
const OF_PARTS: [(&str, &str); 7] = [
    ("commit_wait_time", "commit_wait"),
    ("data_io_time", "data_io"),
    ("replication_time", "replication"),
    ("cpu_wait_time", "cpu_wait"),
    ("cpu_time", "cpu"),
    ("unattributed_time", "unattributed"),
    ("generator_time", "client"),
];

/// The part of the response time that a rule speaks of; none of rules about something else.
pub fn part_of(rule: &str) -> Option<&'static str> {
    CAUSES.iter().chain(&OF_PARTS).find(|(id, _)| *id == rule).map(|(_, part)| *part)
}

/// Every rule that speaks of a part.
#[cfg(test)]
pub(super) fn rules_about_parts() -> impl Iterator<Item = &'static str> {
    CAUSES.iter().chain(&OF_PARTS).map(|(id, _)| *id)
}

/// The part of that id with the severity of a finding about it: medium where it carries the difference from another target, the
/// given one from that share of the response time on.
fn weighs<'a>(
    m: &'a MeasuredWindow,
    id: &str,
    from: f64,
    severity: RecommendationSeverity,
) -> Option<(&'a TimePart, RecommendationSeverity)> {
    let part = m.part(id)?;
    let share = m.part_share(part)?;
    match part.excess {
        Some(_) => Some((part, Medium)),
        None => (share >= from).then_some((part, severity)),
    }
}

fn of_part(p: &Examined<'_>, id: &str, from: f64, severity: RecommendationSeverity) -> Option<Found> {
    let m = p.measured?;
    let (part, severity) = weighs(m, id, from, severity)?;
    let evidence = message!(
        "doctor-part-time",
        part = Message(part.label.clone()),
        ms = Figure(part.ms),
        whole = Figure(m.response_ms?),
        share = Percent(m.part_share(part)?.min(1.0)),
        at = Message(m.at()),
        excess = Message?(excess(part))
    );
    Found::new(severity, evidence)
}

/// What neither clients nor server nor kernel account for, with what the server's threads waited for most and whether CPUs were left.
fn unattributed_time(p: &Examined<'_>) -> Option<Found> {
    /// Waits that are a part of their own, or hold all others.
    const OTHER_PARTS: [&str; 3] = ["wait/io/file/", "wait/io/table/", "wait/io/socket/"];
    let m = p.measured?;
    // Of a server of another machine its CPU time is in this part.
    let is_unexplained = m.part("cpu").is_some();
    let severity = if is_unexplained { Medium } else { Low };
    let (part, severity) = weighs(m, "unattributed", MOST, severity)?;
    let own = m.waits.iter().filter(|wait| !OTHER_PARTS.iter().any(|other| wait.event.starts_with(other)));
    let most = own.max_by(|a, b| a.ms_per_transaction.total_cmp(&b.ms_per_transaction));
    let most = most.filter(|wait| wait.ms_per_transaction >= 0.1 * part.ms);
    let evidence = message!(
        "doctor-unattributed-time",
        ms = Figure(part.ms),
        whole = Figure(m.response_ms?),
        share = Percent(m.part_share(part)?.min(1.0)),
        at = Message(m.at()),
        event = Text?(most.map(|wait| wait.event.as_str())),
        waited = Figure?(most.map(|wait| wait.ms_per_transaction)),
        idle = Percent?(m.servers_machine().map(|machine| machine.cpu_idle)),
        excess = Message?(excess(part))
    );
    Found::new(severity, evidence)
}
