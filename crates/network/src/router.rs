//! The thread that reads packets from the devices of all nodes and writes each to its destination's when it is time.

use std::fs;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::event::{EventfdFlags, Timespec, eventfd};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::thread::{Pid, gettid};
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, timerfd_create, timerfd_settime,
};

use crate::counts::RouterFigures;
use crate::device::Device;
use crate::link::Link;
use crate::priority::prefer;
use crate::switch::{Switch, Verdict};
use crate::wake::{Until, Wake};

/// Maximum number of packets read from one device before the others have their turn.
const TURN: usize = 32;

/// Longest IPv4 packet.
const LONGEST: usize = 65_535;

const NOW: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

/// Events that are no device's.
const TIMER: u64 = u64::MAX;
const CALL: u64 = u64::MAX - 1;

/// A router that runs until it is dropped.
#[derive(Debug)]
pub(crate) struct Router {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    id: Pid,
    is_real_time: bool,
}

#[derive(Debug)]
struct Shared {
    switch: Mutex<Switch>,
    /// Wakes the router: to stop, or since packets leave earlier than it knows.
    call: OwnedFd,
    is_stopped: AtomicBool,
    start: Instant,
}

impl Shared {
    fn switch(&self) -> MutexGuard<'_, Switch> {
        // A thread that panicked has left a packet uncounted at worst.
        self.switch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nanoseconds since the start.
    fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    fn call(&self) {
        // It fails if 2^64 calls were not answered.
        let _ = rustix::io::write(&self.call, &1_u64.to_ne_bytes());
    }
}

impl Router {
    /// Routes between these devices, in the order of the nodes.
    pub fn start(devices: Vec<Device>, switch: Switch) -> io::Result<Self> {
        let call = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        let (switch, is_stopped, start) = (Mutex::new(switch), AtomicBool::new(false), Instant::now());
        let shared = Arc::new(Shared { switch, call, is_stopped, start });
        let mut routing = Routing::new(devices, Arc::clone(&shared))?;
        let (tell, told) = sync_channel(1);
        let body = move || {
            let _ = tell.send(gettid());
            routing.run();
        };
        let thread = thread::Builder::new().name("network-router".to_owned()).spawn(body)?;
        let id = told.recv().map_err(io::Error::other)?;
        let is_real_time = prefer(id);
        Ok(Self { shared, thread: Some(thread), id, is_real_time })
    }

    /// Its lines and counts. It waits meanwhile.
    pub fn switch(&self) -> MutexGuard<'_, Switch> {
        self.shared.switch()
    }

    /// Changes the link from one node to another.
    pub fn set_link(&self, from: usize, to: usize, link: Link) {
        let now = self.shared.now();
        self.switch().set_link(now, from, to, link);
        self.shared.call();
    }

    /// The figures so far.
    pub fn figures(&self) -> RouterFigures {
        // run, wait, time slices: the first two in nanoseconds (Documentation/scheduler/sched-stats.rst).
        let path = format!("/proc/self/task/{}/schedstat", self.id);
        let text = fs::read_to_string(path).unwrap_or_default();
        let mut words = text.split_whitespace().map(str::parse);
        let cpu_ns = words.next().and_then(Result::ok).zip(words.next().and_then(Result::ok));
        RouterFigures::of(&self.switch().counts, cpu_ns, self.is_real_time)
    }
}

impl Drop for Router {
    fn drop(&mut self) {
        self.shared.is_stopped.store(true, Ordering::Release);
        self.shared.call();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// State that only the thread has.
struct Routing {
    devices: Vec<Device>,
    shared: Arc<Shared>,
    epoll: OwnedFd,
    timer: OwnedFd,
    /// Time of the timer, nanoseconds since the start; none: it has fired.
    timer_at: Option<u64>,
    wake: Wake,
    /// Since when there was nothing to do, if it did not sleep.
    polled_at: Option<u64>,
    buffer: Vec<u8>,
}

impl Routing {
    fn new(devices: Vec<Device>, shared: Arc<Shared>) -> io::Result<Self> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        for (node, device) in (0_u64..).zip(&devices) {
            epoll::add(&epoll, device, EventData::new_u64(node), EventFlags::IN)?;
        }
        epoll::add(&epoll, &shared.call, EventData::new_u64(CALL), EventFlags::IN)?;
        // A timer, since the time-out of epoll has the precision of milliseconds, or the slack of the thread. It is never read:
        // each ringing is an edge.
        let timer =
            timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK)?;
        epoll::add(&epoll, &timer, EventData::new_u64(TIMER), EventFlags::IN | EventFlags::ET)?;
        let (wake, buffer) = (Wake::new(), vec![0; LONGEST]);
        Ok(Self { devices, shared, epoll, timer, timer_at: None, wake, polled_at: None, buffer })
    }

    fn run(&mut self) {
        let mut events = Vec::with_capacity(self.devices.len() + 2);
        while !self.shared.is_stopped.load(Ordering::Acquire) {
            let due = self.shared.switch().next_due();
            self.wait(due, &mut events);
            for event in events.drain(..) {
                match event.data.u64() {
                    CALL => {
                        let _ = rustix::io::read(&self.shared.call, &mut [0; 8]);
                    }
                    TIMER => self.rang(),
                    node => {
                        let node = usize::try_from(node).expect("a node's number is that of its device");
                        self.read_or_leave(node, event.flags);
                    }
                }
            }
            self.deliver();
        }
    }

    fn now(&self) -> u64 {
        self.shared.now()
    }

    /// Waits for packets, and until shortly before the next one leaves; then it polls.
    fn wait(&mut self, due: Option<u64>, events: &mut Vec<Event>) {
        let now = self.now();
        if let Some(before) = self.polled_at.take() {
            self.wake.polled(now - before);
        }
        let until = due.map(|due| self.wake.until(now, due));
        if let Some(Until::Sleep(wake)) = until {
            self.set_timer(now, wake);
        }
        let is_polling = until == Some(Until::Poll);
        let limit = is_polling.then_some(&NOW);
        match epoll::wait(&self.epoll, spare_capacity(events), limit) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => panic!("epoll of open descriptors cannot fail: {errno}"),
        }
        self.polled_at = (is_polling && events.is_empty()).then_some(now);
    }

    fn set_timer(&mut self, now: u64, wake: u64) {
        // An earlier ringing is no harm: it comes back here.
        if self.timer_at.is_some_and(|at| (now..=wake).contains(&at)) {
            return;
        }
        let left = wake - now;
        let it_value = Timespec {
            tv_sec: i64::try_from(left / 1_000_000_000).unwrap_or(i64::MAX),
            tv_nsec: i64::try_from(left % 1_000_000_000).expect("below a second"),
        };
        let once = Itimerspec { it_interval: NOW, it_value };
        timerfd_settime(&self.timer, TimerfdTimerFlags::empty(), &once).expect("the time is in range");
        self.timer_at = Some(wake);
    }

    fn rang(&mut self) {
        if let Some(at) = self.timer_at.take() {
            self.wake.learn(self.now().saturating_sub(at));
        }
    }

    /// Reads a node, or leaves it out once its device was removed: that is ready for ever, with nothing to read.
    fn read_or_leave(&mut self, node: usize, flags: EventFlags) {
        if flags.intersects(EventFlags::ERR | EventFlags::HUP) {
            let _ = epoll::delete(&self.epoll, &self.devices[node]);
        } else {
            self.read(node);
        }
    }

    /// Reads the packets of a node. Those without delay are forwarded at once, and those that became due meanwhile are not kept
    /// waiting.
    fn read(&mut self, node: usize) {
        for _ in 0..TURN {
            let Some(length) = self.devices[node].read(&mut self.buffer) else { return };
            let now = self.now();
            let packet = &self.buffer[..length];
            let mut switch = self.shared.switch();
            let is_due = switch.next_due().is_some_and(|due| due <= now);
            let verdict = switch.accept(now, node, packet);
            drop(switch);
            if let Verdict::Forward(to) = verdict {
                self.write(to, packet, now);
            }
            if is_due {
                self.deliver();
            }
        }
    }

    /// Writes all packets whose time has come.
    fn deliver(&self) {
        loop {
            let leaving = self.shared.switch().leaving(self.now());
            let Some(leaving) = leaving else { return };
            self.write(leaving.to, &leaving.bytes, leaving.due);
        }
    }

    fn write(&self, to: usize, packet: &[u8], due: u64) {
        let is_taken = self.devices[to].write(packet);
        let late = self.now().saturating_sub(due);
        let mut switch = self.shared.switch();
        if is_taken {
            switch.counts.delivered(packet.len(), late);
        } else {
            switch.counts.refused += 1;
        }
    }
}
