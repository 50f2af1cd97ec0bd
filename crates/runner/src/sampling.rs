//! Samples the CPUs of a server in the measured window of a trial that was made for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use model::{EventKind, LoadShape, NotSampled, SampledStacks, Sampling, Wait, Why};
use probe::StackSampler;
use store::StoreError;

use crate::dispatch::Dispatcher;
use crate::targets::LiveTarget;

/// Between two looks at whether the window is over.
const PAUSE: Duration = Duration::from_millis(20);

/// What samples the server that clients connect to; none where the trial is not made for it.
pub(crate) fn sampler(
    why: Why,
    live: &LiveTarget,
    writer: &store::TrialWriter,
) -> Result<Option<StackSampler>, NotSampled> {
    match why {
        Why::Profiled => StackSampler::new(live.entry().place(), &writer.path().join("perf.data")).map(Some),
        _ => Ok(None),
    }
}

/// Sampling that goes on until the measured window is over, or a minute of it.
pub(crate) struct StackSampling {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Result<(SampledStacks, String), NotSampled>>,
}

impl StackSampling {
    /// Waits for the measured window of a load that begins now.
    pub fn start(sampler: StackSampler, shape: &LoadShape) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let stopping = Arc::clone(&stop);
        let begun = Instant::now();
        let from = Duration::from_secs_f64(shape.warmup_s);
        let to = (shape.time_s > 0.0).then(|| from + Duration::from_secs_f64(shape.time_s));
        let thread = thread::spawn(move || {
            let is_stopped = || stopping.load(Ordering::Relaxed);
            while begun.elapsed() < from && !is_stopped() {
                thread::park_timeout(PAUSE.min(from.saturating_sub(begun.elapsed())));
            }
            sampler.sample(|| is_stopped() || to.is_some_and(|to| begun.elapsed() >= to))
        });
        Self { stop, thread }
    }

    fn stop(self) -> Result<(SampledStacks, String), NotSampled> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.thread().unpark();
        let ended = self.thread.join();
        ended.unwrap_or_else(|_| Err(NotSampled::Failed { message: "its output is unreadable".to_owned() }))
    }
}

/// Keeps the stacks beside the trial; none if the trial was not made for it.
pub(crate) fn keep(
    sampling: Option<StackSampling>,
    live: &LiveTarget,
    to: &mut Dispatcher<'_>,
    writer: &store::TrialWriter,
) -> Result<Option<Sampling>, StoreError> {
    let Some(sampling) = sampling else { return Ok(None) };
    to.emit(EventKind::Waiting { target: live.label.clone(), wait: Wait::Profile })?;
    match sampling.stop() {
        Ok((stacks, text)) => {
            writer.stacks(&text)?;
            Ok(Some(Sampling::Sampled(stacks)))
        }
        Err(why) => Ok(Some(Sampling::NotSampled(why))),
    }
}
