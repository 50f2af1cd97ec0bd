//! Rules about causes of lost time: each is told by its trace in the measured window of a cell.

use messages::{Words, message};
use model::Flavour;

use super::Examined;
use super::finding::{Check, Found, RecommendationSeverity};
use super::load::pooled;
use super::measured::shortened;
use super::window::{LongRunning, MeasuredWindow, TimePart};

/// From this share of a transaction's time on a cause is worth a finding.
const MUCH: f64 = 0.1;
/// The same of round trips, which no transaction can do without.
const MANY_ROUND_TRIPS: f64 = 0.2;

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("network_round_trips", network_round_trips),
    ("commit_delay", commit_delay),
    ("other_statements", |p| {
        let m = p.measured?;
        let others = m.others.as_ref().filter(|others| others.share >= MUCH)?;
        let evidence = message!(
            "doctor-other-statements",
            share = Percent(others.share),
            sessions = Figure(others.sessions),
            at = Message(m.at()),
            ms = Figure(others.mean_ms),
            sql = Text(shortened(&others.text))
        );
        Found::new(RecommendationSeverity::Medium, evidence)
    }),
    ("long_statements", long_statements),
    ("metadata_locks", metadata_locks),
    ("tmp_disk_tables", tmp_disk_tables),
    ("thread_pool_groups", thread_pool_groups),
    ("disk_shared", disk_shared),
];

/// The event of the performance schema in which a statement waits for a metadata lock.
const METADATA_LOCK: &str = "wait/lock/metadata/sql/mdl";

/// Statements of other sessions, where the server keeps no digests: the load's own are over sooner.
fn long_statements(p: &Examined<'_>) -> Option<Found> {
    const OWN_MS_MAX: f64 = 1_000.0;
    const SESSIONS: f64 = 0.5;
    /// They take nothing.
    const ASLEEP: [&str; 2] = ["User sleep", "User lock"];
    let m = p.measured?;
    m.p999_ms.filter(|ms| *ms < OWN_MS_MAX)?;
    let works = |one: &&LongRunning| !one.waits_for_table() && !ASLEEP.contains(&one.state.as_str());
    let running: Vec<&LongRunning> = m.long.iter().filter(works).collect();
    let sessions: f64 = running.iter().map(|one| one.on_average).sum();
    let most = running.iter().max_by(|a, b| a.on_average.total_cmp(&b.on_average))?;
    let evidence = message!(
        "doctor-long-statements",
        sessions = Figure(sessions),
        at = Message(m.at()),
        verb = Text(&most.verb),
        state = Text(&most.state),
        seconds = Seconds(most.longest_s)
    );
    (sessions >= SESSIONS).then(|| Found::new(RecommendationSeverity::Medium, evidence)).flatten()
}

fn metadata_locks(p: &Examined<'_>) -> Option<Found> {
    let m = p.measured?;
    // By the time that the server counts, or else by what its sessions were seen to do.
    let evidence = timed_metadata_locks(m).or_else(|| seen_metadata_locks(m))?;
    Found::new(RecommendationSeverity::Medium, evidence)
}

fn timed_metadata_locks(m: &MeasuredWindow) -> Option<Words> {
    let whole = m.service_ms?;
    // Waits of other sessions count too, so that they can add up to more than the whole.
    let ms = m.wait_ms(METADATA_LOCK)?.min(whole);
    let share = ms / whole;
    let evidence = message!(
        "doctor-metadata-locks",
        ms = Figure(ms),
        whole = Figure(whole),
        share = Percent(share),
        at = Message(m.at()),
        beside = Message?(beside(m))
    );
    (share >= MUCH).then_some(evidence)
}

fn seen_metadata_locks(m: &MeasuredWindow) -> Option<Words> {
    let waiting = || m.long.iter().filter(|one| one.waits_for_table());
    let sessions: f64 = waiting().map(|one| one.on_average).sum();
    let most = waiting().max_by(|a, b| a.on_average.total_cmp(&b.on_average))?;
    let evidence = message!(
        "doctor-metadata-lock-waits",
        sessions = Figure(sessions),
        clients = Count(m.clients),
        state = Text(&most.state),
        seconds = Seconds(most.longest_s),
        beside = Message?(beside(m))
    );
    (sessions >= MUCH * f64::from(m.clients)).then_some(evidence)
}

/// The longest statement that did not wait for a lock of a table: the holder may be it.
fn beside(m: &MeasuredWindow) -> Option<Words> {
    let running = m.long.iter().filter(|one| !one.waits_for_table() && !one.verb.is_empty());
    let longest = running.max_by(|a, b| a.longest_s.total_cmp(&b.longest_s))?;
    Some(message!(
        "doctor-beside-statement",
        verb = Text(&longest.verb),
        state = Text(&longest.state),
        seconds = Seconds(longest.longest_s)
    ))
}

fn network_round_trips(p: &Examined<'_>) -> Option<Found> {
    let m = p.measured?;
    let part = m.part("network").filter(|part| part.ms > 0.0)?;
    let share = m.part_share(part)?;
    if share < MANY_ROUND_TRIPS && part.excess.is_none() {
        return None;
    }
    let statements = m.statements_per_transaction.filter(|statements| *statements > 0.0);
    let evidence = message!(
        "doctor-round-trips",
        ms = Figure(part.ms),
        whole = Figure(m.response_ms?),
        share = Percent(share),
        at = Message(m.at()),
        statements = Whole?(statements),
        each = Figure?(statements.map(|statements| part.ms / statements)),
        excess = Message?(excess(part))
    );
    Found::new(RecommendationSeverity::Medium, evidence)
}

/// `20 ms more than on plain`, where that carries the difference from it.
pub(super) fn excess(part: &TimePart) -> Option<Words> {
    let excess = part.excess.as_ref()?;
    Some(message!("doctor-excess", ms = Figure(excess.ms), target = Text(&excess.than)))
}

/// MySQL's TempTable engine counts the tables that exceed their memory, and not all of them as tables on disk.
fn tmp_disk_tables(p: &Examined<'_>) -> Option<Found> {
    const PER_TRANSACTION: f64 = 0.05;
    /// A reading of the server's own tables may need one.
    const PER_S: f64 = 2.0;
    let m = p.measured?;
    let per_s = m.throughput_per_s?;
    let is_much = |tables: &f64| *tables >= PER_TRANSACTION && tables * per_s >= PER_S;
    let on_disk = m.cost("tmp_disk_tables").filter(is_much);
    let counted = p.status("count_hit_tmp_table_size");
    let exceeding = counted.map(|tables| tables as f64 / p.uptime_s().max(1) as f64 / per_s).filter(is_much);
    let size = p.number("tmp_table_size");
    let evidence = match (on_disk, exceeding) {
        (Some(tables), _) => message!(
            "doctor-tmp-disk-tables",
            tables = Figure(tables),
            at = Message(m.at()),
            size = Bytes?(size)
        ),
        (None, Some(tables)) => message!(
            "doctor-tmp-tables-exceed",
            tables = Figure(tables),
            at = Message(m.at()),
            size = Bytes(size?)
        ),
        (None, None) => return None,
    };
    Found::new(RecommendationSeverity::Medium, evidence)
}

/// The setting by which commits wait for others, and for how many milliseconds at most.
fn delay_of_commits(p: &Examined<'_>) -> Option<(&'static str, f64)> {
    let name = match p.seen.flavour {
        Flavour::Mysql => "binlog_group_commit_sync_delay",
        // MariaDB waits only where it is told for how many.
        Flavour::Mariadb => {
            p.number("binlog_commit_wait_count").filter(|count| *count > 0)?;
            "binlog_commit_wait_usec"
        }
    };
    let microseconds = p.number(name).filter(|_| p.is_on("log_bin"))?;
    (microseconds > 0).then_some((name, microseconds as f64 / 1e3))
}

/// Commits wait for others although the disk could write them.
fn commit_delay(p: &Examined<'_>) -> Option<Found> {
    let m = p.measured?;
    let (name, delay_ms) = delay_of_commits(p)?;
    let whole = m.response_ms.or(m.service_ms)?;
    let waited = m.part("commit_wait").map(|part| part.ms);
    // Without COMMIT the delay is in the statements that write; a transaction cannot wait for longer than it takes.
    let writes = p.planned.is_none_or(|planned| planned.writes);
    let lost = match waited {
        Some(waited) => waited.min(delay_ms),
        None if writes && whole >= 0.5 * delay_ms => delay_ms.min(whole),
        None => return None,
    };
    let evidence = message!(
        "doctor-commit-delay",
        setting = Text(p.say(name)),
        waited = Figure?(waited),
        delay = Figure(delay_ms),
        whole = Figure(whole),
        at = Message(m.at()),
        logs = Percent?(m.logs_in_use()),
        excess = Message?(m.part("commit_wait").and_then(excess))
    );
    (lost >= MUCH * whole).then(|| Found::new(RecommendationSeverity::Medium, evidence)).flatten()
}

/// Statements queue for a group of the pool although CPUs are left.
fn thread_pool_groups(p: &Examined<'_>) -> Option<Found> {
    /// Where threads of clients use so much of the time, or wait for a CPU, more groups would not help.
    const ON_CPU: f64 = 0.7;
    /// Nor where no CPU is left, whoever uses them.
    const IDLE: f64 = 0.05;
    let m = p.measured?;
    let groups = p.number("thread_pool_size").filter(|groups| pooled(p) && *groups > 0)?;
    let cpus = p.host.map(|host| u64::from(host.cpus));
    let few = cpus.map_or(groups == 1, |cpus| groups < cpus) && u64::from(m.clients) >= 2 * groups;
    let on_cpu: f64 = ["cpu", "cpu_wait"].iter().filter_map(|id| m.part_share(m.part(id)?)).sum();
    let idle = m.servers_machine().map(|machine| machine.cpu_idle);
    let evidence = message!(
        "doctor-thread-pool-groups",
        setting = Text(p.say("thread_pool_size")),
        cpus = Count?(cpus),
        at = Message(m.at()),
        idle = Percent?(idle)
    );
    let are_left = idle.is_none_or(|idle| idle >= IDLE);
    let severity = if are_left { RecommendationSeverity::Medium } else { RecommendationSeverity::Low };
    (few && on_cpu < ON_CPU).then(|| Found::new(severity, evidence)).flatten()
}

/// Other processes write more to the server's disks than the server does.
fn disk_shared(p: &Examined<'_>) -> Option<Found> {
    const WORTH_NAMING: f64 = 4.0 * (1 << 20) as f64;
    /// A flush writes whole pages of the file system, and its journal, besides what the server counts.
    const OF_A_FLUSH: f64 = 32.0 * 1024.0;
    const BUSY: f64 = 0.3;
    let m = p.measured?;
    let machine = m.servers_machine()?;
    let servers = m.per_s("disk_written")?;
    let flushed = m.per_s("fsyncs").unwrap_or_default() * OF_A_FLUSH;
    let others = machine.disk_written_bytes_per_s - servers - flushed;
    let is_much = others >= WORTH_NAMING && others >= 0.5 * machine.disk_written_bytes_per_s;
    if !is_much || machine.disk_busy.is_some_and(|busy| busy < BUSY) {
        return None;
    }
    let waiting: f64 = ["commit_wait", "data_io"].iter().filter_map(|id| m.part_share(m.part(id)?)).sum();
    let matters =
        m.parts.is_empty() || waiting >= MUCH || is_why(m, &["commit_wait", "data_io", "unattributed"]);
    let evidence = message!(
        "doctor-disk-shared",
        others = Bytes(others as u64),
        server = Bytes(servers as u64),
        at = Message(m.at()),
        busy = Percent?(machine.disk_busy.map(|busy| busy.min(1.0))),
        ms = Figure?(machine.disk_write_ms)
    );
    let severity = if matters { RecommendationSeverity::Medium } else { RecommendationSeverity::Low };
    Found::new(severity, evidence)
}

/// True if one of these parts carries a difference from another target.
fn is_why(m: &MeasuredWindow, parts: &[&str]) -> bool {
    parts.iter().any(|id| m.part(id).is_some_and(|part| part.excess.is_some()))
}
