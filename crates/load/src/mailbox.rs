//! Messages to a worker, from the control thread and from the threads that connect for it.

use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use wire::{ConnectError, Parts};

use crate::reactor::Slot;

/// The token of the event that wakes a worker; slots are smaller.
pub(crate) const WAKE: u64 = u64::MAX;

/// An opened connection and how long the successful attempt took.
pub(crate) struct Connected {
    pub parts: Parts,
    pub took: Duration,
    /// Position of the server.
    pub at: usize,
    /// Number of changes of the primary before it, if that may happen.
    pub changes: u32,
}

/// A message to a worker.
pub(crate) enum Control {
    Connected(Slot, Result<Connected, ConnectError>),
    /// An attempt to connect failed and is made again.
    Refused(Slot, ConnectError),
    /// All clients of all workers are ready: the load begins at this instant of the shared clock.
    Start(u64),
    /// The primary has changed so often: connections to the one before are to be left.
    PrimaryChanged(u32),
    /// Stop now: interrupted, or another worker failed.
    Stop,
}

/// The mailbox of a worker.
#[derive(Clone)]
pub(crate) struct Mailbox {
    sender: Sender<Control>,
    /// Readable when there is something to be told.
    pub wake: Arc<OwnedFd>,
}

impl Mailbox {
    pub fn new() -> std::io::Result<(Self, Receiver<Control>)> {
        let wake = rustix::event::eventfd(0, rustix::event::EventfdFlags::NONBLOCK)?;
        let (sender, receiver) = mpsc::channel();
        Ok((Self { sender, wake: Arc::new(wake) }, receiver))
    }

    pub fn send(&self, control: Control) {
        // A worker that has ended needs to be told nothing, and a full counter wakes it all the same.
        let _ = self.sender.send(control);
        let _ = rustix::io::write(&*self.wake, &1u64.to_ne_bytes());
    }

    pub fn connected(&self, slot: Slot, result: Result<Connected, ConnectError>) {
        self.send(Control::Connected(slot, result));
    }

    pub fn refused(&self, slot: Slot, error: ConnectError) {
        self.send(Control::Refused(slot, error));
    }
}
