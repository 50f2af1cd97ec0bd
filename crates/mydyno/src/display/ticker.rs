//! The clock of the display: redraws while no event comes.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::live::Live;
use super::out::Canvas;
use super::view;

/// Interval between two frames without an event.
const PAUSE: Duration = Duration::from_secs(1);

/// The state of the run, and the time of the last event.
pub struct Scene {
    /// The state of the run.
    pub live: Live,
    /// Time of the last event.
    pub at: Instant,
}

/// A thread that draws once a second. It ends with this value.
pub struct Ticker(Option<(Sender<()>, JoinHandle<()>)>);

impl Ticker {
    /// Draws this scene on that canvas.
    pub fn start(scene: &Arc<Mutex<Scene>>, canvas: &Canvas) -> Self {
        let (stop, stopped) = mpsc::channel();
        let (scene, canvas) = (Arc::clone(scene), canvas.clone());
        let tick = move || {
            while stopped.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                let mut scene = scene.lock().unwrap_or_else(PoisonError::into_inner);
                let waited = scene.at.elapsed();
                if waited < PAUSE {
                    continue;
                }
                let now_ms = scene.live.event_ms + waited.as_millis() as u64;
                scene.live.tick(now_ms);
                canvas.draw(view::lines(&scene.live, canvas.look()));
            }
        };
        // Without it the display only stands still between events.
        Self(thread::Builder::new().name("display".to_owned()).spawn(tick).ok().map(|thread| (stop, thread)))
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.0.take() {
            drop(stop);
            let _ = thread.join();
        }
    }
}
