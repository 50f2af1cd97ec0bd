//! Logs of sysbench 0.5, 1.0 and 1.1: the interval lines and the report at the end. A file may hold several, one behind the
//! other.

use std::collections::BTreeMap;

use model::{Fairness, Interval, LatencySummary, QueryCounts, Stated, Traffic};

use crate::UserFacts;
use crate::measured::{Measurement, Parsed, Problem, ns, rate, say_how_many};

/// Whether the text looks like a sysbench log.
pub fn is_sysbench(text: &str) -> bool {
    text.lines().any(|line| begins(line) || line.trim_start().starts_with("Threads fairness:"))
}

/// `sysbench 1.0.20 (using ...)`, `sysbench 0.5:  multi-threaded ...`: the first line of every log.
fn begins(line: &str) -> bool {
    version(line).is_some()
}

fn version(line: &str) -> Option<&str> {
    let word = line.strip_prefix("sysbench ")?.split_whitespace().next()?.trim_end_matches(':');
    word.starts_with(|c: char| c.is_ascii_digit()).then_some(word)
}

/// Reads a file of logs.
pub fn parse(text: &str, known: &UserFacts) -> Result<Parsed, Problem> {
    let mut logs: Vec<Log<'_>> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if begins(line) || logs.is_empty() {
            logs.push(Log { first: at + 1, lines: Vec::new() });
        }
        logs.last_mut().expect("one was just pushed").lines.push(line);
    }
    // Neither what stands before the first log, such as the command, nor the output of `prepare` or `cleanup` measures.
    logs.retain(|log| logs_something(log));
    if logs.is_empty() {
        return Err(Problem::of_file("there is no output of sysbench's `run` in it, or it was cut"));
    }
    let mut versions: Vec<&str> =
        logs.iter().filter_map(|log| log.lines.iter().find_map(|line| version(line))).collect();
    versions.dedup();
    // mydyno's own `--format sysbench` says so in its first line.
    let is_ours =
        logs.iter().any(|log| log.lines.iter().any(|line| begins(line) && line.contains("(using mydyno ")));
    Ok(Parsed {
        tool: if is_ours { "mydyno, in sysbench's form" } else { "sysbench" }.to_owned(),
        version: (!versions.is_empty() && !is_ours).then(|| versions.join(", ")),
        notes: Vec::new(),
        is_table: false,
        measured: logs.iter().map(|log| log.measured(known)).collect::<Result<_, _>>()?,
    })
}

fn logs_something(log: &Log<'_>) -> bool {
    let says = |line: &&str| {
        line.starts_with("FATAL:")
            || line.starts_with("Threads started")
            || line.starts_with("Running the test")
            || line.contains("total time:")
    };
    log.lines.iter().any(says)
}

struct Log<'a> {
    /// Its first line in the file, from 1.
    first: usize,
    lines: Vec<&'a str>,
}

impl Log<'_> {
    fn measured(&self, known: &UserFacts) -> Result<Measurement, Problem> {
        let mut found = Report::default();
        let mut intervals = Vec::new();
        for (at, line) in self.lines.iter().enumerate() {
            let number = self.first + at;
            if line.trim_start().starts_with('[') && line.contains("tps:") {
                let wrong = || Problem::at(number, "this interval line cannot be read");
                intervals.push(interval(line, &intervals).ok_or_else(wrong)?);
            } else if line.starts_with("FATAL:") {
                let why = line.trim_start_matches("FATAL:").trim();
                found.fatal.get_or_insert_with(|| why.to_owned());
            } else {
                found
                    .line(line)
                    .ok_or_else(|| Problem::at(number, "this line of the report cannot be read"))?;
            }
        }
        let threads = found.threads.or(known.threads).ok_or_else(|| {
            Problem::at(self.first, "this log does not say how many threads it ran").with(say_how_many())
        })?;
        let end = self.first + self.lines.len() - 1;
        let measured = Measurement { threads, intervals, ..Measurement::default() };
        match (found.time_s, &found.fatal) {
            (Some(_), None) => match found.missing() {
                Some(what) => Err(Problem::at(
                    end,
                    format!("the log ends within sysbench's report, before {what}: it was cut"),
                )),
                None => Ok(found.into_measured(measured)),
            },
            (_, Some(why)) => Ok(Measurement { failure: Some(why.clone()), ..measured }),
            (None, None) => Err(Problem::at(end, "the log ends without sysbench's report: it was cut")),
        }
    }
}

/// The report at the end.
#[derive(Default)]
struct Report {
    threads: Option<u32>,
    /// Transactions per second that were offered.
    rate_per_s: Option<f64>,
    /// The last lines of a whole report.
    has_fairness: bool,
    fatal: Option<String>,
    time_s: Option<f64>,
    events: Option<u64>,
    transactions: Option<u64>,
    queries: QueryCounts,
    queries_total: Option<u64>,
    errors: Option<u64>,
    reconnects: u64,
    latency: BTreeMap<String, f64>,
    fairness: Fairness,
}

impl Report {
    /// Reads one line; none if a known line holds no number.
    fn line(&mut self, line: &str) -> Option<()> {
        let Some((name, value)) = line.trim().split_once(':') else { return Some(()) };
        let first = value.split_whitespace().next().unwrap_or_default();
        if first.is_empty() {
            return Some(());
        }
        let count = || first.parse::<u64>().ok();
        let number = || first.trim_end_matches("ms").trim_end_matches('s').parse::<f64>().ok();
        match name {
            "Target transaction rate" => {
                self.rate_per_s = Some(first.trim_end_matches("/sec").parse().ok()?);
            }
            "Number of threads" => self.threads = Some(first.parse().ok()?),
            "read" => self.queries.read = count()?,
            "write" => self.queries.write = count()?,
            "other" => self.queries.other = count()?,
            "total" => self.queries_total = Some(count()?),
            "transactions" => self.transactions = Some(count()?),
            "ignored errors" => self.errors = Some(count()?),
            "reconnects" => self.reconnects = count()?,
            // 1.1 calls it otherwise.
            "total time" | "time elapsed" => self.time_s = Some(number()?),
            "total number of events" => self.events = Some(count()?),
            "min" | "avg" | "max" => {
                self.latency.insert(name.to_owned(), number()?);
            }
            "events (avg/stddev)" => {
                (self.fairness.transactions_mean, self.fairness.transactions_stddev) = pair(first)?;
            }
            "execution time (avg/stddev)" => {
                (self.fairness.busy_s_mean, self.fairness.busy_s_stddev) = pair(first)?;
                self.has_fairness = true;
            }
            _ => {
                // `95th percentile`; 0.5: `approx.  95 percentile`.
                if let Some(rank) = name.strip_suffix("percentile") {
                    let rank = rank.trim_start_matches("approx.").trim().trim_end_matches("th").to_owned();
                    self.latency.insert(rank, number()?);
                }
            }
        }
        Some(())
    }

    /// The first part of the report that is not there, once it has begun.
    fn missing(&self) -> Option<&'static str> {
        if self.transactions.or(self.events).is_none() {
            Some("the number of transactions")
        } else if ["min", "avg", "max"].iter().any(|name| !self.latency.contains_key(*name)) {
            Some("the latencies")
        } else if !self.has_fairness {
            Some("\"Threads fairness\"")
        } else {
            None
        }
    }

    fn into_measured(self, measured: Measurement) -> Measurement {
        let time_s = self.time_s.unwrap_or(0.0);
        let transactions = self.transactions.or(self.events);
        let mut stated = Stated {
            transactions,
            queries: self.queries_total,
            errors: self.errors,
            throughput_per_s: transactions.and_then(|count| rate(count, time_s)),
            queries_per_s: self.queries_total.and_then(|count| rate(count, time_s)),
            rate_per_s: self.rate_per_s,
            ..Stated::default()
        };
        let ms = |name: &str| self.latency.get(name).map(|ms| ns(*ms));
        // Without a transaction, or with --percentile=0, sysbench prints zeros.
        let above_zero = |value: Option<f64>| value.filter(|ns| *ns > 0.0);
        stated.response.mean_ns = above_zero(ms("avg"));
        stated.response.min_ns = above_zero(ms("min"));
        stated.response.max_ns = above_zero(ms("max"));
        stated.response.p50_ns = above_zero(ms("50"));
        stated.response.p90_ns = above_zero(ms("90"));
        stated.response.p95_ns = above_zero(ms("95"));
        stated.response.p99_ns = above_zero(ms("99"));
        stated.response.p999_ns = above_zero(ms("99.9").or_else(|| ms("999")));
        Measurement {
            measured_s: time_s,
            queries: self.queries,
            reconnects: self.reconnects,
            fairness: self.fairness,
            stated,
            ..measured
        }
    }
}

fn pair(text: &str) -> Option<(f64, f64)> {
    let (mean, deviation) = text.split_once('/')?;
    Some((mean.parse().ok()?, deviation.parse().ok()?))
}

/// `[ 10s ] thds: 16 tps: 845.68 qps: 15226.20 (r/w/o: ...) lat (ms,95%): 82.96 err/s: 0.00 reconn/s: 0.00`; of 0.5
/// `[  10s] threads: 16, tps: 845.10, reads: ..., writes: ..., response time: 28.44ms (95%), errors: ..., reconnects: ...`.
fn interval(line: &str, earlier: &[Interval]) -> Option<Interval> {
    let (end, figures) = line.trim_start().strip_prefix('[')?.split_once(']')?;
    let end_s: f64 = end.trim().trim_end_matches('s').parse().ok()?;
    let length_s = end_s - earlier.last().map_or(0.0, |before| before.end_s);
    if length_s <= 0.0 {
        return None;
    }
    let after = |name: &str| {
        let rest = figures.split_once(name)?.1.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        rest[..end].parse::<f64>().ok()
    };
    let counted = |per_s: f64| (per_s * length_s).round() as u64;
    let transactions = counted(after("tps:")?);
    // Only the 95th percentile has a place in an interval without a histogram.
    let p95_ms =
        after("lat (ms,95%):").or_else(|| after("response time:").filter(|_| figures.contains("(95%)")));
    let response = match p95_ms {
        Some(ms) => {
            LatencySummary { count: transactions, p95_ns: ns(ms) as u64, ..LatencySummary::default() }
        }
        None => LatencySummary::default(),
    };
    let errors = counted(after("err/s:").or_else(|| after("errors:")).unwrap_or(0.0));
    Some(Interval {
        end_s,
        length_s,
        warmup: false,
        threads: after("thds:").or_else(|| after("threads:"))? as u32,
        transactions,
        queries: queries(figures)
            .map(|per_s| per_s.map(counted))
            .map_or_else(QueryCounts::default, |[read, write, other]| QueryCounts { read, write, other }),
        response,
        response_counts: Vec::new(),
        // sysbench does not say which errors.
        errors: if errors > 0 { BTreeMap::from([(0, errors)]) } else { BTreeMap::new() },
        reconnects: counted(after("reconn/s:").or_else(|| after("reconnects:")).unwrap_or(0.0)),
        traffic: Traffic::default(),
        generator_cpu_s: 0.0,
        backlog: None,
    })
}

/// Statements per second by kind.
fn queries(figures: &str) -> Option<[f64; 3]> {
    let inside = figures.split_once("(r/w/o:")?.1.split_once(')')?.0;
    let mut rates = inside.split('/').map(|rate| rate.trim().parse::<f64>().ok());
    Some([rates.next()??, rates.next()??, rates.next()??])
}
