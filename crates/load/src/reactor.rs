//! One epoll reactor per worker: readiness, timers, and the buffer that all its connections read into.
//!
//! A client waits for one thing at a time, so there are no wakers: the worker polls a client's future when an event occurs
//! on its slot. Timers are in nanoseconds.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::future::poll_fn;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::rc::Rc;
use std::task::Poll;

use rustix::event::{Timespec, epoll};
use rustix::time;

use crate::clock::Clock;

/// Index of a client on its worker.
pub(crate) type Slot = u32;

/// Events found by the poller.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ready {
    pub token: u64,
    pub readable: bool,
    pub writable: bool,
}

/// The socket event that a client waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interest {
    Read,
    ReadWrite,
}

/// Waits for sockets. The seam at which virtual time comes in.
pub(crate) trait Poller {
    fn add(&self, fd: BorrowedFd<'_>, token: u64) -> io::Result<()>;
    fn set(&self, fd: BorrowedFd<'_>, token: u64, interest: Interest) -> io::Result<()>;
    /// Waits until something is ready or the time is up, and replaces the contents of `ready`.
    fn wait(&mut self, timeout_ns: Option<u64>, ready: &mut Vec<Ready>) -> io::Result<()>;
}

/// The kernel's epoll, edge-triggered: an event is delivered once, and not looked at again by the next wait. So the reader
/// continues until the socket is drained.
///
/// Its timeouts are whole milliseconds, rounded up (nanoseconds came with Linux 5.11), so the last stretch of a wait is
/// left to a timer that is one of the watched descriptors.
pub(crate) struct Epoll {
    fd: OwnedFd,
    timer: OwnedFd,
    events: [MaybeUninit<epoll::Event>; 256],
}

/// The token of the timer; those of slots are smaller.
const TIMER: u64 = u64::MAX - 1;
/// Waits that are longer are ended that much before their time, and gone on with by the timer.
const LAST_STRETCH_NS: u64 = 5_000_000;

const READ: epoll::EventFlags = epoll::EventFlags::IN.union(epoll::EventFlags::ET);

impl Epoll {
    pub fn new() -> io::Result<Self> {
        let fd = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let timer = time::timerfd_create(
            time::TimerfdClockId::Monotonic,
            time::TimerfdFlags::CLOEXEC | time::TimerfdFlags::NONBLOCK,
        )?;
        // Edge-triggered, so that nobody has to read it.
        epoll::add(&fd, &timer, epoll::EventData::new_u64(TIMER), READ)?;
        Ok(Self { fd, timer, events: [MaybeUninit::uninit(); 256] })
    }

    /// Sets the timer if the wait is short; the timeout that is left to epoll.
    fn timeout(&self, ns: u64) -> io::Result<Option<Timespec>> {
        if ns == 0 {
            return Ok(Some(timespec(0)));
        }
        if ns > 2 * LAST_STRETCH_NS {
            return Ok(Some(timespec(ns - LAST_STRETCH_NS)));
        }
        let once = time::Itimerspec { it_interval: timespec(0), it_value: timespec(ns) };
        time::timerfd_settime(&self.timer, time::TimerfdTimerFlags::empty(), &once)?;
        Ok(None)
    }
}

impl Poller for Epoll {
    fn add(&self, fd: BorrowedFd<'_>, token: u64) -> io::Result<()> {
        Ok(epoll::add(&self.fd, fd, epoll::EventData::new_u64(token), READ)?)
    }

    fn set(&self, fd: BorrowedFd<'_>, token: u64, interest: Interest) -> io::Result<()> {
        let flags = match interest {
            Interest::Read => READ,
            Interest::ReadWrite => READ | epoll::EventFlags::OUT,
        };
        Ok(epoll::modify(&self.fd, fd, epoll::EventData::new_u64(token), flags)?)
    }

    fn wait(&mut self, timeout_ns: Option<u64>, ready: &mut Vec<Ready>) -> io::Result<()> {
        ready.clear();
        let timeout = match timeout_ns {
            Some(ns) => self.timeout(ns)?,
            None => None,
        };
        let found = match epoll::wait(&self.fd, &mut self.events, timeout.as_ref()) {
            Ok((found, _)) => found,
            Err(rustix::io::Errno::INTR) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        ready.extend(found.iter().filter(|event| event.data.u64() != TIMER).map(|event| {
            let flags = event.flags;
            // An error or a hang-up makes the next read or write say what happened.
            let broken = flags.intersects(epoll::EventFlags::ERR | epoll::EventFlags::HUP);
            Ready {
                token: event.data.u64(),
                readable: broken || flags.contains(epoll::EventFlags::IN),
                writable: broken || flags.contains(epoll::EventFlags::OUT),
            }
        }));
        Ok(())
    }
}

fn timespec(ns: u64) -> Timespec {
    Timespec { tv_sec: (ns / 1_000_000_000) as i64, tv_nsec: (ns % 1_000_000_000) as _ }
}

/// Events on a slot that have not been handled yet.
#[derive(Default)]
struct Flags {
    readable: Cell<bool>,
    writable: Cell<bool>,
    fired: Cell<bool>,
    notified: Cell<bool>,
}

/// The reactor of one worker.
pub(crate) struct Reactor {
    clock: Rc<dyn Clock>,
    /// The last instant, as [`Reactor::now`] told it.
    seen_ns: Cell<u64>,
    /// Total backward movement of the clock.
    set_back_ns: Cell<u64>,
    poller: RefCell<Box<dyn Poller>>,
    slots: Vec<Flags>,
    timers: RefCell<BinaryHeap<Reverse<(u64, Slot)>>>,
    /// Number of changes of the primary, if that may happen.
    pub primary_changes: Cell<u32>,
    /// All connections of a worker read into this one buffer, so it stays in the cache.
    pub scratch: RefCell<Vec<u8>>,
}

const SCRATCH_BYTES: usize = 64 * 1024;
/// An instant so far away is waited for with the clock's last reading, which is some microseconds old.
const FAR_NS: u64 = 10_000_000;

impl Reactor {
    pub fn new(clock: Rc<dyn Clock>, poller: Box<dyn Poller>, slots: usize) -> Self {
        Self {
            seen_ns: Cell::new(clock.now()),
            set_back_ns: Cell::new(0),
            clock,
            poller: RefCell::new(poller),
            slots: (0..slots).map(|_| Flags::default()).collect(),
            timers: RefCell::default(),
            primary_changes: Cell::new(0),
            scratch: RefCell::new(vec![0; SCRATCH_BYTES]),
        }
    }

    /// The current instant, which never decreases: if the clock goes back, time continues from the last instant returned.
    pub fn now(&self) -> u64 {
        let (now, seen) = (self.clock.now() + self.set_back_ns.get(), self.seen_ns.get());
        if now < seen {
            self.set_back_ns.set(self.set_back_ns.get() + (seen - now));
            return seen;
        }
        self.seen_ns.set(now);
        now
    }

    /// Total backward movement of the clock. A monotonic clock never goes back, unless the machine is broken.
    pub fn set_back_ns(&self) -> u64 {
        self.set_back_ns.get()
    }

    pub fn add(&self, fd: BorrowedFd<'_>, token: u64) -> io::Result<()> {
        self.poller.borrow().add(fd, token)
    }

    pub fn set(&self, fd: BorrowedFd<'_>, token: u64, interest: Interest) -> io::Result<()> {
        self.poller.borrow().set(fd, token, interest)
    }

    /// Waits for sockets until the next timer or `until_ns`.
    pub fn wait(&self, until_ns: u64, ready: &mut Vec<Ready>) -> io::Result<()> {
        let next_timer = self.timers.borrow().peek().map_or(u64::MAX, |Reverse((at, _))| *at);
        let until = until_ns.min(next_timer);
        let timeout = (until < u64::MAX).then(|| match until.saturating_sub(self.seen_ns.get()) {
            far if far > FAR_NS => far,
            _ => until.saturating_sub(self.now()),
        });
        self.poller.borrow_mut().wait(timeout, ready)
    }

    /// Marks what the poller found on a slot.
    pub fn mark(&self, slot: Slot, ready: Ready) {
        let flags = &self.slots[slot as usize];
        flags.readable.set(flags.readable.get() | ready.readable);
        flags.writable.set(flags.writable.get() | ready.writable);
    }

    /// Marks that something other than its socket concerns a slot.
    pub fn notify(&self, slot: Slot) {
        self.slots[slot as usize].notified.set(true);
    }

    /// The next slot whose timer is due, if one is.
    pub fn pop_timer(&self, now: u64) -> Option<Slot> {
        let mut timers = self.timers.borrow_mut();
        let Reverse((at, slot)) = *timers.peek()?;
        if at > now {
            return None;
        }
        timers.pop();
        self.slots[slot as usize].fired.set(true);
        Some(slot)
    }

    pub async fn readable(&self, slot: Slot) {
        wait_for(&self.slots[slot as usize].readable).await;
    }

    pub async fn writable(&self, slot: Slot) {
        wait_for(&self.slots[slot as usize].writable).await;
    }

    pub async fn notified(&self, slot: Slot) {
        wait_for(&self.slots[slot as usize].notified).await;
    }

    /// Waits until an instant, or until something other than its socket concerns the slot.
    pub async fn sleep_until(&self, slot: Slot, at_ns: u64) {
        if at_ns <= self.seen_ns.get() || at_ns <= self.now() {
            return;
        }
        self.timers.borrow_mut().push(Reverse((at_ns, slot)));
        self.park(slot).await;
    }

    /// Schedules a slot for polling in the worker's next turn, as a timer would.
    pub fn wake(&self, slot: Slot) {
        self.timers.borrow_mut().push(Reverse((0, slot)));
    }

    /// Waits for [`Reactor::wake`], or until something other than its socket concerns the slot.
    pub async fn park(&self, slot: Slot) {
        let flags = &self.slots[slot as usize];
        poll_fn(|_| match flags.notified.replace(false) | flags.fired.replace(false) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        })
        .await;
    }
}

async fn wait_for(flag: &Cell<bool>) {
    poll_fn(|_| if flag.replace(false) { Poll::Ready(()) } else { Poll::Pending }).await;
}
