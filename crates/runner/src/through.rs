//! MySQL Router between the clients of a trial and its servers: its added latency and its resource use.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use model::{LoadShape, RouterCpu, RouterRoundTrip, RouterUse};
use probe::{ProcessReading, process_reading};
use sandbox::MysqlRouter;
use wire::{Client, ConnectOptions};

/// The two ways take turns so often.
const ROUNDS: usize = 20;
/// Timed requests in a row on one way, as a client sends them.
const IN_A_ROW: usize = 20;
/// Requests before them that are not timed.
const WARM_UP: usize = 3;
/// Timeout for an answer of the server.
const PATIENCE: Duration = Duration::from_secs(5);
/// Asks for nothing, and reaches the server in any case.
const REQUEST: &str = "DO 0";

/// Times small requests directly and through the router in turns; none where one of the two cannot be reached.
pub(crate) fn round_trip(direct: &ConnectOptions, through: &ConnectOptions) -> Option<RouterRoundTrip> {
    let connect = |way: &ConnectOptions| {
        let way = ConnectOptions { read_timeout: Some(PATIENCE), ..way.clone() };
        Client::connect(&way).ok()
    };
    let mut clients = [connect(direct)?, connect(through)?];
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (client, times) in clients.iter_mut().zip(&mut times) {
            // The first ones wake up who slept while the other connection was busy.
            for number in 0..WARM_UP + IN_A_ROW {
                let sent = Instant::now();
                client.execute(REQUEST).ok()?;
                if number >= WARM_UP {
                    times.push(sent.elapsed().as_nanos() as u64);
                }
            }
        }
    }
    times.iter_mut().for_each(|times| times.sort_unstable());
    let [direct, through] = times;
    let rank =
        |sorted: &[u64], share: f64| sorted[((sorted.len() as f64 * share).ceil() as usize).max(1) - 1];
    Some(RouterRoundTrip {
        requests: (ROUNDS * IN_A_ROW) as u32,
        direct_p50_ns: rank(&direct, 0.5),
        direct_p99_ns: rank(&direct, 0.99),
        through_p50_ns: rank(&through, 0.5),
        through_p99_ns: rank(&through, 0.99),
    })
}

/// Looks at the router when the measured window begins and when the load has ended, on a thread of its own.
pub(crate) struct RouterWatch {
    version: String,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Ends>,
}

/// Readings with their times.
#[derive(Default)]
struct Ends {
    first: Option<(Instant, ProcessReading)>,
    last: Option<(Instant, ProcessReading)>,
}

impl RouterWatch {
    /// Begins with the load.
    pub fn start(router: &MysqlRouter, shape: &LoadShape) -> Self {
        let from = Duration::from_secs_f64(shape.warmup_s);
        let length = (shape.time_s > 0.0).then(|| Duration::from_secs_f64(shape.time_s));
        let stop = Arc::new(AtomicBool::new(false));
        let (stopping, pid, begun) = (Arc::clone(&stop), router.pid(), Instant::now());
        let thread = thread::spawn(move || {
            let read = || Some((Instant::now(), process_reading(pid)?));
            if !wait(begun, from, &stopping) {
                return Ends { first: None, last: read() };
            }
            let first = read();
            wait(begun, length.map_or(Duration::MAX, |length| from.saturating_add(length)), &stopping);
            Ends { first, last: read() }
        });
        Self { version: router.version().to_owned(), stop, thread }
    }

    /// The router's resource use, once the load has ended.
    pub fn stop(self, round_trip: Option<RouterRoundTrip>) -> RouterUse {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.thread().unpark();
        let ends = self.thread.join().unwrap_or_default();
        RouterUse {
            version: self.version,
            round_trip,
            cpu: ends.first.as_ref().zip(ends.last.as_ref()).map(|(first, last)| between(first, last)),
            memory_bytes: ends.last.map(|(_, reading)| reading.memory_bytes),
        }
    }
}

/// Waits until a time after the beginning; returns false if it is stopped before.
fn wait(begun: Instant, until: Duration, stopping: &AtomicBool) -> bool {
    loop {
        let left = until.saturating_sub(begun.elapsed());
        if left.is_zero() {
            return true;
        }
        if stopping.load(Ordering::Relaxed) {
            return false;
        }
        thread::park_timeout(left);
    }
}

fn between(first: &(Instant, ProcessReading), last: &(Instant, ProcessReading)) -> RouterCpu {
    let each = last.1.threads_cpu_s.iter();
    let busiest = each.map(|(id, cpu_s)| cpu_s - first.1.threads_cpu_s.get(id).copied().unwrap_or_default());
    RouterCpu {
        window_s: (last.0 - first.0).as_secs_f64(),
        cpu_s: last.1.cpu_s - first.1.cpu_s,
        busiest_thread_s: busiest.fold(0.0, f64::max),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_busiest_thread_is_the_one_that_used_most_in_between() {
        let now = Instant::now();
        let reading = |cpu_s: f64, threads: [f64; 2]| ProcessReading {
            cpu_s,
            memory_bytes: 1,
            threads_cpu_s: BTreeMap::from([(1, threads[0]), (2, threads[1])]),
        };
        let first = (now, reading(10.0, [9.0, 1.0]));
        let last = (now + Duration::from_secs(4), reading(13.0, [9.5, 3.5]));
        let expected = RouterCpu { window_s: 4.0, cpu_s: 3.0, busiest_thread_s: 2.5 };
        assert_eq!(between(&first, &last), expected);
    }

    #[test]
    fn a_wait_ends_when_it_is_told() {
        let stopping = AtomicBool::new(true);
        assert!(!wait(Instant::now(), Duration::MAX, &stopping));
        assert!(wait(Instant::now(), Duration::ZERO, &stopping));
    }
}
