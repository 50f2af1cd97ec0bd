//! One worker by itself, against a server that answers from memory, so that only the generator is measured.

use std::io;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use load::Schedule;
use model::Measured;
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create, timerfd_settime,
};

use crate::child::constant;
use crate::error::BenchError;
use crate::laboratory::Laboratory;
use crate::rounds::Figures;
use crate::rounds::{Arm, interleave};

/// Transactions per second that are offered, and the clients that take them.
const OFFERED_PER_S: f64 = 100_000.0;
const CLIENTS: u32 = 64;
/// Starts per second that timers are tried with, and clients that wait for them.
const TIMER_PER_S: f64 = 1_000.0;
const TIMER_CLIENTS: u32 = 16;

/// Events per second of CPU of one worker, in either loop. How many there are per second of time depends on what the
/// server beside it leaves to it.
pub fn events(laboratory: &mut Laboratory) -> Result<Figures, BenchError> {
    let arms = vec![
        Arm::new("closed", || one_worker(CLIENTS, Schedule::Closed)),
        Arm::new("open", || one_worker(CLIENTS, constant(OFFERED_PER_S))),
    ];
    let measured = interleave("one worker, a server that answers from memory", laboratory.rounds, arms)?;
    let figure = |arm| {
        let reached = measured.value(arm, "events/s", |m| m.queries.total() as f64 / m.measured_s);
        measured.value(arm, "events/CPU-s", events_per_cpu_s).beside([reached])
    };
    Ok(Figures::from([
        ("worker_events_closed".to_owned(), figure(0)),
        ("worker_events_open".to_owned(), figure(1)),
    ]))
}

fn events_per_cpu_s(measured: &Measured) -> f64 {
    measured.queries.total() as f64 / (measured.generator.user_s + measured.generator.system_s)
}

/// Start delay of transactions that a client was waiting for; beside it, the delay of a thread that only waits for the
/// kernel's timer, equally often.
pub fn timer(laboratory: &mut Laboratory) -> Result<Figures, BenchError> {
    let arms = vec![
        Arm::new("mydyno", || {
            let never = AtomicBool::new(false);
            let open = calibrate::offer(TIMER_CLIENTS, constant(TIMER_PER_S), None, &never)?;
            Ok(open.open_loop.map_or(f64::NAN, |open| open.timer.p99_ns as f64 / 1e3))
        }),
        Arm::new("bare timer", || bare_timer_p99_us().map_err(BenchError::Timer)),
    ];
    let measured = interleave("timers", laboratory.rounds, arms)?;
    let [mydyno, bare] = [0, 1].map(|arm| measured.value(arm, "us", |us| *us));
    Ok(Figures::from([("timer_p99".to_owned(), mydyno.beside([bare]))]))
}

/// A thousand times a second, for three seconds.
fn bare_timer_p99_us() -> io::Result<f64> {
    const WAITS: usize = 3_000;
    let distance = Duration::from_secs_f64(1.0 / TIMER_PER_S);
    let timer = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC)?;
    let mut due = Instant::now();
    let mut late_us = Vec::with_capacity(WAITS);
    for _ in 0..WAITS {
        due += distance;
        // One that is due already goes off at once; none at all would disarm the timer.
        let left = due.saturating_duration_since(Instant::now()).max(Duration::from_nanos(1));
        let once = Itimerspec { it_interval: timespec(Duration::ZERO), it_value: timespec(left) };
        timerfd_settime(&timer, TimerfdTimerFlags::empty(), &once)?;
        rustix::io::read(&timer, &mut [0; 8])?;
        late_us.push(due.elapsed().as_secs_f64() * 1e6);
    }
    late_us.sort_by(f64::total_cmp);
    Ok(late_us[WAITS * 99 / 100])
}

fn timespec(duration: Duration) -> Timespec {
    Timespec { tv_sec: duration.as_secs() as i64, tv_nsec: duration.subsec_nanos().into() }
}

fn one_worker(clients: u32, schedule: Schedule) -> Result<Measured, BenchError> {
    Ok(calibrate::offer(clients, schedule, Some(1), &AtomicBool::new(false))?)
}
