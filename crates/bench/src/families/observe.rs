//! What the watch over a server costs (`--observe light`).

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use model::SysbenchWorkload;
use wire::{Client, ConnectOptions};

use crate::catalog::Figures;
use crate::error::BenchError;
use crate::generators::{self, Load, Sample};
use crate::laboratory::Laboratory;
use crate::rounds::{Arm, Figure, interleave};

const CLIENTS: u32 = 8;
/// From one reading to the next.
const EVERY: Duration = Duration::from_secs(1);
/// Readings whose CPU is counted; the kernel counts it in hundredths of a second.
const READINGS: u32 = 400;

/// CPU of one reading, of the server and of ourselves, in percent of what all CPUs have in the second that it is taken in; and
/// throughput with the watch to that without, in the same round, which finds the same only where runs vary by less.
pub fn light(laboratory: &mut Laboratory) -> Result<Figures, BenchError> {
    let (seconds, rounds) = (laboratory.seconds, laboratory.rounds);
    let server = laboratory.server()?;
    let connect = server.connect_options(Some(sandbox::DATABASE));
    let pid = server.pid();
    let load = Load::sysbench(server, SysbenchWorkload::OltpPointSelect, CLIENTS, seconds);
    let arms = vec![
        Arm::new("off", || generators::mydyno(&load)),
        Arm::new("light", || watched(&connect, pid, || generators::mydyno(&load))),
    ];
    let measured = interleave("watch, 8 clients", rounds, arms)?;
    let throughput = measured.ratio([1, 0], "queries/s", |sample: &Sample| sample.queries_per_s);
    let share = Figure::of("a reading", "% of the CPUs", vec![cpu_percent(&connect, pid)?]);
    Ok(Figures::from([
        ("observe_light_throughput".to_owned(), throughput),
        ("observe_light_cpu".to_owned(), share),
    ]))
}

/// Does something while a thread takes a reading each second.
fn watched<T>(
    connect: &ConnectOptions,
    pid: u32,
    act: impl FnOnce() -> Result<T, BenchError>,
) -> Result<T, BenchError> {
    let mut client = Client::connect(connect)?;
    let (stop, begun) = (AtomicBool::new(false), Instant::now());
    thread::scope(|scope| {
        let watch = scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let mut site = probe::Site { client: &mut client, pid: Some(pid) };
                probe::observe(&mut site, begun)?;
                thread::park_timeout(EVERY);
            }
            Ok::<(), BenchError>(())
        });
        let done = act();
        stop.store(true, Ordering::Relaxed);
        watch.thread().unpark();
        watch.join().expect("it does not panic")?;
        done
    })
}

/// The server is otherwise idle.
fn cpu_percent(connect: &ConnectOptions, pid: u32) -> Result<f64, BenchError> {
    let mut client = Client::connect(connect)?;
    let mut used = |of: u32| -> Result<f64, BenchError> {
        let seen = probe::observe(&mut probe::Site { client: &mut client, pid: Some(of) }, Instant::now())?;
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
