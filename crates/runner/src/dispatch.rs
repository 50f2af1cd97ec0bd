//! One linear stream of events: each event is stamped here, recorded, and then sent to the listener.

use std::time::Instant;

use model::{Event, EventKind};
use store::{RunWriter, StoreError};

/// Stamps events, records them, passes them on.
pub(crate) struct Dispatcher<'a> {
    pub writer: RunWriter,
    listener: &'a mut dyn FnMut(&Event),
    begun: Instant,
}

impl<'a> Dispatcher<'a> {
    pub fn new(writer: RunWriter, listener: &'a mut dyn FnMut(&Event)) -> Self {
        Self { writer, listener, begun: Instant::now() }
    }

    /// Records first, shows second: a shown event is on disk. A failing store stops the run.
    pub fn emit(&mut self, kind: EventKind) -> Result<(), StoreError> {
        let event = Event { at: now_rfc3339(), elapsed_ms: self.begun.elapsed().as_millis() as u64, kind };
        let recorded = self.writer.event(&event);
        (self.listener)(&event);
        recorded
    }
}

/// The wall clock, RFC 3339 in UTC with milliseconds.
pub(crate) fn now_rfc3339() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}
