//! The metrics as OpenMetrics text: one list of families, with the function that reads each from the state.

use std::fmt;

use model::{HostUse, ProcessUse};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, MetricEncoder, NoLabelSet, text};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::{Registry, Unit};

use super::snapshot::{BUCKETS_S, Snapshot, Trial};

/// OpenMetrics 1.0.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// All metrics in the text format.
///
/// # Errors
/// None in practice: writing into memory does not fail.
pub fn exposition(snapshot: Snapshot) -> Result<String, fmt::Error> {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(snapshot));
    let mut text = String::new();
    text::encode(&mut text, &registry)?;
    Ok(text)
}

type Labels = Vec<(&'static str, String)>;
type Samples = Vec<(Labels, f64)>;

struct Family {
    name: &'static str,
    unit: Option<Unit>,
    kind: MetricType,
    help: &'static str,
    samples: fn(&Snapshot) -> Samples,
}

use MetricType::{Counter, Gauge, Unknown};
use Unit::{Bytes, Seconds};

#[rustfmt::skip] // a table
const FAMILIES: [Family; 34] = [
    Family { name: "mydyno_cells", unit: None, kind: Gauge, samples: |s| one(Vec::new(), s.cells as f64),
        help: "Cells of the plan." },
    Family { name: "mydyno_cells_done", unit: None, kind: Gauge, samples: |s| one(Vec::new(), s.cells_done as f64),
        help: "Cells that have ended, completed or not." },
    Family { name: "mydyno_trial_running", unit: None, kind: Gauge, samples: |s| trial(s, |t| f64::from(u8::from(t.running))),
        help: "1 while a trial runs; 0 between trials." },
    Family { name: "mydyno_trial_warmup", unit: None, kind: Gauge, samples: |s| trial(s, |t| f64::from(u8::from(t.warmup))),
        help: "1 during warm-up, 0 in the measured window." },
    Family { name: "mydyno_trial_elapsed", unit: Some(Seconds), kind: Gauge, samples: |s| trial(s, |t| t.elapsed_s),
        help: "Time since the clients of the trial started, warm-up included." },
    Family { name: "mydyno_clients", unit: None, kind: Gauge, samples: |s| trial(s, |t| f64::from(t.clients)),
        help: "Active clients." },
    Family { name: "mydyno_transactions", unit: None, kind: Counter, samples: |s| trial(s, |t| t.transactions as f64),
        help: "Transactions completed in the trial, warm-up included." },
    Family { name: "mydyno_queries", unit: None, kind: Counter, samples: |s| each(s, queries),
        help: "Statements answered by the server, by kind: read, write, other." },
    Family { name: "mydyno_errors", unit: None, kind: Counter, samples: |s| each(s, errors),
        help: "Errors by MySQL error code; 2000 to 2999 are client errors." },
    Family { name: "mydyno_reconnects", unit: None, kind: Counter, samples: |s| trial(s, |t| t.reconnects as f64),
        help: "Connections lost and reopened." },
    Family { name: "mydyno_sent", unit: Some(Bytes), kind: Counter, samples: |s| trial(s, |t| t.traffic.sent_bytes as f64),
        help: "Bytes sent to the server by all clients." },
    Family { name: "mydyno_received", unit: Some(Bytes), kind: Counter, samples: |s| trial(s, |t| t.traffic.received_bytes as f64),
        help: "Bytes received from the server by all clients." },
    Family { name: "mydyno_offered_transactions_per_second", unit: None, kind: Gauge, samples: |s| some(s, |t| t.offered_per_s),
        help: "Arrival rate of an open loop." },
    Family { name: "mydyno_backlog_transactions", unit: None, kind: Gauge, samples: |s| some(s, |t| t.backlog.map(|n| n as f64)),
        help: "Transactions due but not yet started (open loop)." },
    Family { name: "mydyno_generator_cpu", unit: Some(Seconds), kind: Counter, samples: |s| trial(s, |t| t.generator_cpu_s),
        help: "CPU time of the load generator." },
    Family { name: "mydyno_server_round_trip", unit: Some(Seconds), kind: Gauge, samples: |s| some(s, |t| t.round_trip_s),
        help: "Round trip of the latest COM_PING." },
    Family { name: "mydyno_server_process_cpu", unit: Some(Seconds), kind: Counter, samples: |s| process(s, |p| Some(p.cpu_s)),
        help: "CPU time of the server process since it started." },
    Family { name: "mydyno_server_process_context_switches", unit: None, kind: Gauge, samples: |s| process(s, |p| p.context_switches.map(|n| n as f64)),
        help: "Context switches of the server's live threads; decreases when a thread ends." },
    Family { name: "mydyno_server_process_throttled", unit: Some(Seconds), kind: Counter, samples: |s| process(s, |p| p.throttled_s),
        help: "Time for which the server's cgroup was throttled." },
    Family { name: "mydyno_server_process_read", unit: Some(Bytes), kind: Counter, samples: |s| process(s, |p| Some(p.read_bytes as f64)),
        help: "Bytes read from disk by the server process since it started." },
    Family { name: "mydyno_server_process_written", unit: Some(Bytes), kind: Counter, samples: |s| process(s, |p| Some(p.written_bytes as f64)),
        help: "Bytes written to disk by the server process since it started." },
    Family { name: "mydyno_server_status", unit: None, kind: Unknown, samples: |s| each(s, status),
        help: "Status variables of the server, by lower-case name; most are counters since server start." },
    Family { name: "mydyno_host_cpu", unit: Some(Seconds), kind: Counter, samples: cpu,
        help: "CPU time of this machine by mode, summed over CPUs." },
    Family { name: "mydyno_host_context_switches", unit: None, kind: Counter, samples: |s| host(s, |h| Some(h.context_switches as f64)),
        help: "Context switches of this machine." },
    Family { name: "mydyno_host_run_queue_threads", unit: None, kind: Gauge, samples: |s| host(s, |h| Some(f64::from(h.run_queue))),
        help: "Runnable threads." },
    Family { name: "mydyno_host_blocked_threads", unit: None, kind: Gauge, samples: |s| host(s, |h| Some(f64::from(h.blocked))),
        help: "Threads waiting for disk I/O." },
    Family { name: "mydyno_host_memory_available", unit: Some(Bytes), kind: Gauge, samples: |s| host(s, |h| Some(h.memory_available_bytes as f64)),
        help: "Available memory." },
    Family { name: "mydyno_host_disk_operations", unit: None, kind: Counter, samples: |s| disk(s, |h| [h.disk.reads as f64, h.disk.writes as f64]),
        help: "Completed reads and writes of this machine's disks." },
    Family { name: "mydyno_host_disk_transferred", unit: Some(Bytes), kind: Counter, samples: |s| disk(s, |h| [h.disk.read_bytes as f64, h.disk.written_bytes as f64]),
        help: "Bytes read from and written to this machine's disks." },
    Family { name: "mydyno_host_disk_operation", unit: Some(Seconds), kind: Counter, samples: |s| disk(s, |h| [h.disk.read_s, h.disk.write_s]),
        help: "Time spent in reads and writes, queueing included." },
    Family { name: "mydyno_host_disk_busy", unit: Some(Seconds), kind: Counter, samples: |s| host(s, |h| Some(h.disk.busy_s)),
        help: "Disk busy time, summed over disks." },
    Family { name: "mydyno_host_network_received", unit: Some(Bytes), kind: Counter, samples: |s| host(s, |h| Some(h.network_received_bytes as f64)),
        help: "Bytes received on all interfaces except loopback." },
    Family { name: "mydyno_host_network_sent", unit: Some(Bytes), kind: Counter, samples: |s| host(s, |h| Some(h.network_sent_bytes as f64)),
        help: "Bytes sent on all interfaces except loopback." },
    Family { name: "mydyno_host_pressure", unit: Some(Seconds), kind: Counter, samples: pressure,
        help: "Time in which at least one thread waited for the resource (PSI \"some\")." },
];

/// Name as Prometheus shows it, type and help of every metric, for the reference page.
#[cfg(test)]
pub fn listed() -> Vec<(String, &'static str, &'static str)> {
    let one = |family: &Family| {
        let unit = family.unit.as_ref().map_or_else(String::new, |unit| format!("_{}", unit.as_str()));
        let (total, kind) = match family.kind {
            Counter => ("_total", "counter"),
            Gauge => ("", "gauge"),
            _ => ("", "unknown"),
        };
        (format!("{}{unit}{total}", family.name), kind, family.help)
    };
    let own = [
        ("mydyno_build_info".to_owned(), "info", BUILD_HELP),
        ("mydyno_response_time_seconds".to_owned(), "histogram", RESPONSE_HELP),
    ];
    own.into_iter().chain(FAMILIES.iter().map(one)).collect()
}

const BUILD_HELP: &str = "Version of mydyno.";
const RESPONSE_HELP: &str =
    "Response time of transactions, from when they were due to their end; whole trial, warm-up included.";

impl Collector for Snapshot {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let build = [("version", env!("CARGO_PKG_VERSION"))];
        encoder.encode_descriptor("mydyno_build", BUILD_HELP, None, MetricType::Info)?.encode_info(&build)?;
        for family in &FAMILIES {
            encode_family(&mut encoder, family, &(family.samples)(self))?;
        }
        self.trial.as_ref().map_or(Ok(()), |trial| encode_response(&mut encoder, trial))
    }
}

fn encode_family(encoder: &mut DescriptorEncoder<'_>, family: &Family, samples: &Samples) -> fmt::Result {
    if samples.is_empty() {
        return Ok(());
    }
    let unit = family.unit.as_ref();
    let mut metric = encoder.encode_descriptor(family.name, family.help, unit, family.kind)?;
    for (labels, value) in samples {
        if labels.is_empty() {
            encode_value(&mut metric, family.kind, *value)?;
        } else {
            encode_value(&mut metric.encode_family(labels)?, family.kind, *value)?;
        }
    }
    Ok(())
}

fn encode_value(sample: &mut MetricEncoder<'_>, kind: MetricType, value: f64) -> fmt::Result {
    match (kind, integer(value)) {
        (MetricType::Counter, Some(value)) => sample.encode_counter::<NoLabelSet, _, f64>(&value, None),
        (MetricType::Counter, None) => sample.encode_counter::<NoLabelSet, _, f64>(&value, None),
        (_, Some(value)) => sample.encode_gauge(&value),
        (_, None) => sample.encode_gauge(&value),
    }
}

/// Whole numbers as integers, as far as they are exact.
fn integer(value: f64) -> Option<u64> {
    (value.fract() == 0.0 && (0.0..9.0e15).contains(&value)).then_some(value as u64)
}

fn encode_response(encoder: &mut DescriptorEncoder<'_>, trial: &Trial) -> fmt::Result {
    let bounds = BUCKETS_S.into_iter().chain([f64::MAX]);
    let buckets: Vec<(f64, u64)> = bounds.zip(trial.response).collect();
    let count = trial.response.iter().sum();
    let mut metric = encoder.encode_descriptor(
        "mydyno_response_time",
        RESPONSE_HELP,
        Some(&Seconds),
        MetricType::Histogram,
    )?;
    metric.encode_family(&labels(trial))?.encode_histogram::<NoLabelSet>(
        trial.response_sum_s,
        count,
        &buckets,
        None,
    )
}

/// The labels that identify a trial.
fn labels(trial: &Trial) -> Labels {
    let cell = &trial.cell;
    vec![
        ("target", escaped(&cell.target)),
        ("workload", escaped(&cell.workload)),
        ("threads", cell.threads.to_string()),
        ("repeat", cell.repeat.to_string()),
    ]
}

/// Escapes a label's value, since the library does not.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

fn one(labels: Labels, value: f64) -> Samples {
    vec![(labels, value)]
}

fn trial(snapshot: &Snapshot, value: fn(&Trial) -> f64) -> Samples {
    snapshot.trial.iter().map(|trial| (labels(trial), value(trial))).collect()
}

fn some(snapshot: &Snapshot, value: fn(&Trial) -> Option<f64>) -> Samples {
    snapshot.trial.iter().filter_map(|trial| Some((labels(trial), value(trial)?))).collect()
}

fn process(snapshot: &Snapshot, value: fn(&ProcessUse) -> Option<f64>) -> Samples {
    let values = |trial: &Trial| Some((labels(trial), value(trial.process.as_ref()?)?));
    snapshot.trial.iter().filter_map(values).collect()
}

fn host(snapshot: &Snapshot, value: fn(&HostUse) -> Option<f64>) -> Samples {
    snapshot.host.as_ref().and_then(value).map_or_else(Vec::new, |value| one(Vec::new(), value))
}

/// Several samples of a trial, distinguished by one more label.
fn each(snapshot: &Snapshot, values: fn(&Trial) -> Vec<(&'static str, String, u64)>) -> Samples {
    let of_trial = |trial: &Trial| {
        let own = labels(trial);
        let sample = move |(label, name, count): (&'static str, String, u64)| {
            ([own.as_slice(), &[(label, name)]].concat(), count as f64)
        };
        values(trial).into_iter().map(sample).collect::<Samples>()
    };
    snapshot.trial.iter().flat_map(of_trial).collect()
}

fn queries(trial: &Trial) -> Vec<(&'static str, String, u64)> {
    let counts = trial.queries;
    [("read", counts.read), ("write", counts.write), ("other", counts.other)]
        .map(|(kind, count)| ("kind", kind.to_owned(), count))
        .to_vec()
}

fn errors(trial: &Trial) -> Vec<(&'static str, String, u64)> {
    trial.errors.iter().map(|(code, count)| ("code", code.to_string(), *count)).collect()
}

fn status(trial: &Trial) -> Vec<(&'static str, String, u64)> {
    trial.status.iter().map(|(name, value)| ("name", escaped(name), *value)).collect()
}

fn cpu(snapshot: &Snapshot) -> Samples {
    let modes = |host: &HostUse| {
        [
            ("user", host.cpu_user_s),
            ("system", host.cpu_system_s),
            ("iowait", host.cpu_iowait_s),
            ("steal", host.cpu_steal_s),
            ("idle", host.cpu_idle_s),
        ]
    };
    named("mode", snapshot.host.iter().flat_map(modes))
}

fn disk(snapshot: &Snapshot, values: fn(&HostUse) -> [f64; 2]) -> Samples {
    let directions = |host: &HostUse| ["read", "write"].into_iter().zip(values(host));
    named("direction", snapshot.host.iter().flat_map(directions))
}

fn pressure(snapshot: &Snapshot) -> Samples {
    let resources = |host: &HostUse| {
        [("cpu", host.pressure_cpu_s), ("io", host.pressure_io_s), ("memory", host.pressure_memory_s)]
    };
    let known = |(name, value): (&'static str, Option<f64>)| Some((name, value?));
    named("resource", snapshot.host.iter().flat_map(resources).filter_map(known))
}

fn named(label: &'static str, values: impl Iterator<Item = (&'static str, f64)>) -> Samples {
    values.map(|(name, value)| (vec![(label, name.to_owned())], value)).collect()
}
