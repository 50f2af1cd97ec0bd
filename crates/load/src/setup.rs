//! Sets up the clients of a worker from its options.

use std::future::Future;
use std::io;
use std::rc::Rc;

use crate::client;
use crate::clock::Monotonic;
use crate::reactor::{Epoll, Reactor, Slot};
use crate::turn::ClientOptions;
use crate::worker::{self, Ctx, WorkerOptions};
use crate::workload::{ClientNumber, ClientWorkload};

/// A worker that has everything but what its clients do.
pub(crate) struct WorkerSetup<'a> {
    /// Number of workers.
    pub workers: u32,
    /// Number of clients of all workers.
    pub clients: u32,
    /// Seed of the trial.
    pub seed: u64,
    pub clock: Monotonic,
    pub client: ClientOptions<'a>,
    pub worker: WorkerOptions<'a>,
}

impl<'a> WorkerSetup<'a> {
    /// Runs the clients made by `make` to their end.
    pub fn run<W: ClientWorkload + 'a>(self, mut make: impl FnMut(ClientNumber) -> W) -> io::Result<()> {
        self.run_each(|ctx, options, slot, client| client::run(ctx, options, slot, client, make(client)))
    }

    /// Runs the lives that `live` makes to their end.
    pub fn run_each<T: Future<Output = ()> + 'a>(
        self,
        mut live: impl FnMut(Rc<Ctx<'a>>, ClientOptions<'a>, Slot, ClientNumber) -> T,
    ) -> io::Result<()> {
        let index = self.worker.number as u32;
        let reactor = Reactor::new(Rc::new(self.clock), Box::new(Epoll::new()?), self.worker.clients);
        worker::run(self.worker, Rc::new(reactor), |ctx, slot| {
            let number = index + slot * self.workers;
            let client = ClientNumber { number, of: self.clients, seed: self.seed };
            live(ctx, self.client, slot, client)
        })
    }
}
