//! Cost of observing a server (`--observe light`).

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use load::{Limit, Offer, Progress, Schedule, Stopped};
use model::{SysbenchOptions, SysbenchWorkload, WorkloadSpec};
use wire::{Client, ConnectOptions};

use crate::error::BenchError;
use crate::laboratory::{Laboratory, TABLE_SIZE};
use crate::rounds::Figure;
use crate::rounds::Figures;

const CLIENTS: u32 = 8;
/// Interval between two readings.
const EVERY: Duration = Duration::from_secs(1);
/// Warm-up before the first second that counts.
const WARMUP: Duration = Duration::from_secs(5);
/// Length of the load, in rounds of other benchmarks: many pairs of seconds resolve what whole loads cannot.
const LOADS_IN_ONE: f64 = 6.0;
/// Readings whose CPU is counted; the kernel counts it in hundredths of a second.
const READINGS: u32 = 400;

/// CPU of one reading, of the server and of ourselves, in percent of what all CPUs have in the second that it is taken in; and
/// throughput of seconds with a reading to that of seconds without, within one load.
pub fn light(laboratory: &mut Laboratory) -> Result<Figures, BenchError> {
    let length_s = laboratory.seconds * laboratory.rounds as f64 * LOADS_IN_ONE;
    let server = laboratory.server()?;
    let connect = server.connect_options(Some(sandbox::DATABASE));
    let pid = server.pid();
    let ratios = alternating(&connect, pid, length_s)?;
    let n = ratios.len() as f64;
    let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / n;
    let variance = ratios.iter().map(|ratio| (ratio.ln() - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let half_width = 2.0 * (variance / n).sqrt();
    let ends = [mean - half_width, mean, mean + half_width].map(f64::exp).to_vec();
    let mut throughput = Figure::of("low, ratio, high", "ratio", ends);
    throughput.value = mean.exp();
    let share = Figure::of("a reading", "% of the CPUs", vec![cpu_percent(&connect, pid)?]);
    Ok(Figures::from([
        ("observe_light_throughput".to_owned(), throughput),
        ("observe_light_cpu".to_owned(), share),
    ]))
}

/// One load, over whose seconds a reading is taken or not in the order on, off, off, on, so that neither a trend nor a
/// change between runs can separate them; the ratio on / off for each four seconds.
fn alternating(connect: &ConnectOptions, pid: u32, length_s: f64) -> Result<Vec<f64>, BenchError> {
    let workload = WorkloadSpec::Sysbench(SysbenchOptions {
        workload: SysbenchWorkload::OltpPointSelect,
        table_size: TABLE_SIZE,
        ..SysbenchOptions::default()
    });
    let offer = Offer {
        entries: load::Entries::one(connect),
        workload: &workload,
        clients: CLIENTS,
        schedule: Schedule::Closed,
        limit: Limit { warmup: WARMUP, time: Some(Duration::from_secs_f64(length_s)), events: None },
        in_flight: None,
        think: Duration::ZERO,
        seed: 1,
        workers: None,
        cancel: &AtomicBool::new(false),
    };
    let mut client = Client::connect(connect)?;
    let begun = Instant::now();
    let (readings, asked) = mpsc::channel::<()>();
    let mut seconds = Vec::new();
    thread::scope(|scope| {
        let watch = scope.spawn(move || {
            let mut silent = BTreeSet::new();
            for () in asked {
                let silent = &mut silent;
                let mut site =
                    probe::ReadingContext { client: &mut client, pid: Some(pid), heartbeat: None, silent };
                probe::observe(&mut site, begun)?;
            }
            Ok::<(), BenchError>(())
        });
        let mut second = 0_usize;
        let measured = load::offer(&offer, &mut |progress| {
            let Progress::Interval { interval, .. } = progress else { return };
            if !interval.warmup {
                seconds.push(interval.transactions as f64 / interval.length_s);
                second += 1;
            }
            // The second that begins now.
            if matches!(second % 4, 0 | 3) {
                let _ = readings.send(());
            }
        });
        drop(readings);
        watch.join().expect("it does not panic")?;
        match measured?.stopped {
            Stopped::Failed(failure) => Err(BenchError::Load(failure.message)),
            Stopped::AtLimit | Stopped::Cancelled => Ok(()),
        }
    })?;
    let whole = seconds.chunks_exact(4).filter(|four| four.iter().all(|per_s| *per_s > 0.0));
    Ok(whole.map(|four| (four[0] + four[3]) / (four[1] + four[2])).collect())
}

/// The server is otherwise idle.
fn cpu_percent(connect: &ConnectOptions, pid: u32) -> Result<f64, BenchError> {
    let mut client = Client::connect(connect)?;
    let mut silent = BTreeSet::new();
    let mut used = |of: u32| -> Result<f64, BenchError> {
        let silent = &mut silent;
        let mut site = probe::ReadingContext { client: &mut client, pid: Some(of), heartbeat: None, silent };
        let seen = probe::observe(&mut site, Instant::now())?;
        Ok(seen.process.map_or(f64::NAN, |process| process.cpu_s))
    };
    let own = std::process::id();
    let before = used(pid)? + used(own)?;
    for _ in 0..READINGS {
        used(pid)?;
    }
    let after = used(pid)? + used(own)?;
    let cpus = thread::available_parallelism().map_or(1, |n| n.get());
    Ok(100.0 * (after - before) / f64::from(READINGS) / EVERY.as_secs_f64() / cpus as f64)
}
