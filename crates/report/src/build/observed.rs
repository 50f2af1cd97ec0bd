//! Observations of server and machine over time, as lines on the time axis of the load.

use messages::message;
use model::{HostUse, Observation};

use super::latency::significant;
use crate::view::{Observed, ObservedSeries, Panel};

/// The value of a line at a reading, given the previous one.
type Value = fn(&Observation, &Observation, f64) -> Option<f64>;

struct Kind {
    id: &'static str,
    panel: Panel,
    unit: &'static str,
    value: Value,
}

const MIB: f64 = 1_048_576.0;

/// Minimum time between two readings, seconds: CPU is counted in hundredths of a second, so that a share over less time
/// means nothing. The reading at the end of a load often follows immediately upon the previous one.
const SECONDS_MIN: f64 = 0.25;

const fn kind(id: &'static str, panel: Panel, unit: &'static str, value: Value) -> Kind {
    Kind { id, panel, unit, value }
}

/// Every line, by panel. One that is zero throughout is left out.
const KINDS: [Kind; 34] = [
    kind("server_cpu", Panel::Cpu, "%", |a, b, s| {
        let used = b.process?.cpu_s - a.process?.cpu_s;
        Some(100.0 * used / s / cpus(a, b, s)?)
    }),
    kind("cpu_user", Panel::Cpu, "%", |a, b, _| mode(a, b, |h| h.cpu_user_s)),
    kind("cpu_system", Panel::Cpu, "%", |a, b, _| mode(a, b, |h| h.cpu_system_s)),
    kind("cpu_iowait", Panel::Cpu, "%", |a, b, _| mode(a, b, |h| h.cpu_iowait_s)),
    kind("cpu_steal", Panel::Cpu, "%", |a, b, _| mode(a, b, |h| h.cpu_steal_s)),
    kind("throttled", Panel::Cpu, "%", |a, b, s| {
        Some(100.0 * (b.process?.throttled_s? - a.process?.throttled_s?) / s)
    }),
    kind("disk_written", Panel::Disk, "MiB/s", |a, b, s| {
        host(a, b, s, |h| h.disk.written_bytes as f64 / MIB)
    }),
    kind("disk_read", Panel::Disk, "MiB/s", |a, b, s| host(a, b, s, |h| h.disk.read_bytes as f64 / MIB)),
    kind("redo", Panel::Disk, "MiB/s", |a, b, s| status(a, b, s, "innodb_os_log_written").map(|v| v / MIB)),
    kind("network", Panel::Disk, "MiB/s", |a, b, s| {
        host(a, b, s, |h| (h.network_received_bytes + h.network_sent_bytes) as f64 / MIB)
    }),
    kind("fsyncs", Panel::Server, "/s", |a, b, s| status(a, b, s, "innodb_data_fsyncs")),
    kind("pool_misses", Panel::Server, "/s", |a, b, s| status(a, b, s, "innodb_buffer_pool_reads")),
    kind("row_lock_waits", Panel::Server, "/s", |a, b, s| status(a, b, s, "innodb_row_lock_waits")),
    kind("conflicts", Panel::Server, "/s", |a, b, s| {
        let aborted = |one: &Observation| {
            let galera =
                || Some(gauge(one, "wsrep_local_cert_failures")? + gauge(one, "wsrep_local_bf_aborts")?);
            one.group.map(|group| group.conflicts as f64).or_else(galera)
        };
        Some((aborted(b)? - aborted(a)?) / s)
    }),
    kind("opened_tables", Panel::Server, "/s", |a, b, s| status(a, b, s, "opened_tables")),
    kind("tmp_disk_tables", Panel::Server, "/s", |a, b, s| status(a, b, s, "created_tmp_disk_tables")),
    kind("threads_running", Panel::State, "", |_, b, _| gauge(b, "threads_running")),
    kind("appliers_busy", Panel::State, "", |_, b, _| Some(b.applier?.workers_busy? as f64)),
    kind("run_queue", Panel::State, "", |_, b, _| Some(b.host?.run_queue.into())),
    kind("dirty_pages", Panel::Pages, "MiB", |_, b, _| {
        /// Size of InnoDB's default page, bytes; other sizes are rare.
        const PAGE: f64 = 16_384.0;
        Some(gauge(b, "innodb_buffer_pool_pages_dirty")? * PAGE / MIB)
    }),
    kind("checkpoint_age", Panel::Pages, "MiB", |_, b, _| {
        let (now, done) =
            (gauge(b, "innodb_redo_log_current_lsn"), gauge(b, "innodb_redo_log_checkpoint_lsn"));
        let own = now.zip(done).map(|(now, done)| now - done);
        Some(own.or_else(|| gauge(b, "innodb_checkpoint_age"))? / MIB)
    }),
    kind("history_list", Panel::Pages, "", |_, b, _| gauge(b, "innodb_history_list_length")),
    kind("lag", Panel::Replication, "s", |_, b, _| b.lag_s),
    kind("to_apply", Panel::Queues, "", |_, b, _| b.waiting().map(|n| n as f64)),
    kind("to_certify", Panel::Queues, "", |_, b, _| Some(b.group?.certifying as f64)),
    kind("to_send", Panel::Queues, "", |_, b, _| gauge(b, "wsrep_local_send_queue")),
    kind("to_acknowledge", Panel::Queues, "", |_, b, _| {
        gauge(b, "rpl_semi_sync_source_wait_sessions")
            .or_else(|| gauge(b, "rpl_semi_sync_master_wait_sessions"))
    }),
    kind("relay_log", Panel::Queues, "MiB", |_, b, _| Some(b.applier?.relay_log_bytes? as f64 / MIB)),
    kind("certification_rows", Panel::Queues, "rows", |_, b, _| Some(b.group?.rows_validating as f64)),
    kind("received", Panel::Applied, "/s", |a, b, s| Some((received(b)? - received(a)?) / s)),
    kind("applied", Panel::Applied, "/s", |a, b, s| Some((applied(b)? - applied(a)?) / s)),
    kind("acknowledgement", Panel::Applied, "ms", |a, b, _| {
        let ((waits_then, us_then), (waits, us)) = (a.acknowledged()?, b.acknowledged()?);
        Some(us.checked_sub(us_then)? as f64 / waits.checked_sub(waits_then)? as f64 / 1e3)
    }),
    kind("flow_control", Panel::Applied, "%", |a, b, s| {
        let throttled = b.group.map(|group| if group.throttles { 100.0 } else { 0.0 });
        throttled.or_else(|| status(a, b, s, "wsrep_flow_control_paused_ns").map(|ns| ns / 1e7))
    }),
    kind("round_trip", Panel::RoundTrip, "ms", |_, b, _| Some(b.round_trip_s? * 1e3)),
];

/// Lines about the machine that mydyno runs on.
const OF_MACHINE: [&str; 8] = [
    "cpu_user",
    "cpu_system",
    "cpu_iowait",
    "cpu_steal",
    "disk_written",
    "disk_read",
    "network",
    "run_queue",
];

/// Lines of another server of a topology: without those of the machine, which are beside the first one's.
pub fn observed_member(readings: &[Observation]) -> Observed {
    let mut all = observed(readings);
    all.series.retain(|line| !OF_MACHINE.contains(&line.id.as_str()));
    if all.series.is_empty() { Observed::default() } else { all }
}

/// Lines of a run; nothing if it was not watched.
pub fn observed(readings: &[Observation]) -> Observed {
    let Some((first, rest)) = readings.split_first() else { return Observed::default() };
    let pairs = std::iter::once(first).chain(rest).zip(rest);
    let pairs: Vec<(&Observation, &Observation)> =
        pairs.filter(|(a, b)| b.at_s - a.at_s >= SECONDS_MIN).collect();
    let line = |kind: &Kind| {
        let value = |(a, b): &(&Observation, &Observation)| {
            let seconds = b.at_s - a.at_s;
            // A counter that falls was begun anew.
            let value = (kind.value)(a, b, seconds).filter(|v| v.is_finite() && *v >= 0.0);
            value.map(|value| significant(value, 4))
        };
        let values: Vec<Option<f64>> = pairs.iter().map(value).collect();
        values.iter().flatten().any(|v| *v > 0.0).then(|| ObservedSeries {
            id: kind.id.to_owned(),
            panel: kind.panel,
            label: message!("observed-line", line = Word(kind.id)),
            unit: kind.unit.to_owned(),
            values,
        })
    };
    let series: Vec<ObservedSeries> = KINDS.iter().filter_map(line).collect();
    let at_s = pairs.iter().map(|(_, b)| significant(b.at_s, 6)).collect();
    if series.is_empty() { Observed::default() } else { Observed { at_s, series } }
}

/// Transactions that a server had received from others.
fn received(one: &Observation) -> Option<f64> {
    let replica = one.applier.map(|applier| applier.received);
    let group = one.group.map(|group| group.applied + group.waiting);
    replica.or(group).map(|n| n as f64).or_else(|| gauge(one, "wsrep_received"))
}

/// Received transactions that it had applied.
fn applied(one: &Observation) -> Option<f64> {
    Some(received(one)? - one.waiting()? as f64)
}

fn host(a: &Observation, b: &Observation, seconds: f64, of: fn(&HostUse) -> f64) -> Option<f64> {
    Some((of(b.host.as_ref()?) - of(a.host.as_ref()?)) / seconds)
}

fn all_modes(host: &HostUse) -> f64 {
    host.cpu_user_s + host.cpu_system_s + host.cpu_iowait_s + host.cpu_steal_s + host.cpu_idle_s
}

/// A mode's share of the time of all CPUs, percent.
fn mode(a: &Observation, b: &Observation, of: fn(&HostUse) -> f64) -> Option<f64> {
    let (a, b) = (a.host.as_ref()?, b.host.as_ref()?);
    Some(100.0 * (of(b) - of(a)) / (all_modes(b) - all_modes(a)))
}

/// CPUs of the machine, by the time that all of them had.
fn cpus(a: &Observation, b: &Observation, seconds: f64) -> Option<f64> {
    host(a, b, seconds, all_modes)
}

fn status(a: &Observation, b: &Observation, seconds: f64, name: &str) -> Option<f64> {
    Some((gauge(b, name)? - gauge(a, name)?) / seconds)
}

fn gauge(reading: &Observation, name: &str) -> Option<f64> {
    reading.status.get(name).map(|value| *value as f64)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use model::{ApplierUse, ProcessUse};

    use super::*;

    fn reading(at_s: f64, fsyncs: u64, cpu_s: f64) -> Observation {
        let host = HostUse { cpu_user_s: cpu_s, cpu_idle_s: 2.0 * at_s - cpu_s, ..HostUse::default() };
        Observation {
            at_s,
            status: BTreeMap::from([("innodb_data_fsyncs".to_owned(), fsyncs)]),
            process: Some(ProcessUse { cpu_s, ..ProcessUse::default() }),
            host: Some(host),
            ..Observation::default()
        }
    }

    #[test]
    fn queues_of_a_replica_are_lines_and_what_it_applies_is_a_rate() {
        let reading = |at_s: f64, received, waiting| Observation {
            at_s,
            lag_s: Some(waiting as f64 / 100.0),
            applier: Some(ApplierUse {
                received,
                waiting,
                workers_busy: Some(4),
                relay_log_bytes: Some(3 << 20),
            }),
            ..Observation::default()
        };
        let seen =
            observed_member(&[reading(1.0, 1_000, 0), reading(2.0, 1_400, 100), reading(3.0, 1_600, 20)]);
        let line = |id: &str| &seen.series.iter().find(|s| s.id == id).expect(id).values;
        assert_eq!(line("to_apply"), &[Some(100.0), Some(20.0)]);
        assert_eq!(line("received"), &[Some(400.0), Some(200.0)]);
        assert_eq!(line("applied"), &[Some(300.0), Some(280.0)]);
        assert_eq!(line("appliers_busy"), &[Some(4.0), Some(4.0)]);
        assert_eq!(line("relay_log"), &[Some(3.0), Some(3.0)]);
        assert_eq!(line("lag"), &[Some(1.0), Some(0.2)]);
    }

    #[test]
    fn lines_are_rates_between_readings() {
        let readings = [reading(1.0, 10, 1.0), reading(2.0, 60, 2.0), reading(4.0, 5, 3.0)];
        let seen = observed(&readings);
        assert_eq!(seen.at_s, [2.0, 4.0]);
        let line = |id: &str| &seen.series.iter().find(|s| s.id == id).expect(id).values;
        // One of two CPUs, then half of one; the counter of fsyncs was begun anew.
        assert_eq!(line("server_cpu"), &[Some(50.0), Some(25.0)]);
        assert_eq!(line("fsyncs"), &[Some(50.0), None]);
        assert!(!seen.series.iter().any(|s| s.id == "disk_read"), "never anything to see");
        assert_eq!(observed(&readings[..1]), Observed::default());
        let at_once = [reading(1.0, 10, 1.0), reading(2.0, 60, 2.0), reading(2.01, 61, 2.01)];
        assert_eq!(observed(&at_once).at_s, [2.0], "a hundredth of a second says nothing");
    }
}
