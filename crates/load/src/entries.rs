//! The servers of a target that clients connect to.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use model::{OperationKind, Reads};
use wire::ConnectOptions;

use crate::recorder::{Operation, OperationIndex, Operations, QueryKind};

/// The servers of a target that clients connect to.
#[derive(Debug, Clone)]
pub struct Entries<'a> {
    /// Every server of the target, in its order.
    pub servers: &'a [ConnectOptions],
    /// Positions of the servers that each client connects to, in turns.
    pub main: Range<usize>,
    /// Positions of the servers to which each client opens a second connection, in turns, for read-only requests; empty: one
    /// connection for everything. They follow those of `main`.
    pub readers: Range<usize>,
    /// The server that takes writes, if that may change during the load; none: it does not.
    pub primary: Option<&'a CurrentPrimary>,
    /// Servers may be lost during the load: clients try again until one lets them in, the next one of theirs each time.
    pub retry: bool,
}

/// The server of a topology that currently takes writes: clients follow it.
#[derive(Debug, Default)]
pub struct CurrentPrimary {
    at: AtomicUsize,
    /// Number of changes.
    changes: AtomicU32,
}

impl CurrentPrimary {
    /// Makes another server the primary: clients leave their connections to the previous one.
    pub fn turn_to(&self, at: usize) {
        self.at.store(at, Ordering::SeqCst);
        self.changes.fetch_add(1, Ordering::SeqCst);
    }

    /// Its position among the servers.
    pub fn at(&self) -> usize {
        self.at.load(Ordering::SeqCst)
    }

    /// Number of changes so far.
    pub fn changes(&self) -> u32 {
        self.changes.load(Ordering::SeqCst)
    }
}

impl<'a> Entries<'a> {
    /// A single server.
    pub fn one(server: &'a ConnectOptions) -> Self {
        Self { servers: std::slice::from_ref(server), main: 0..1, readers: 0..0, primary: None, retry: false }
    }

    /// Whether a client that loses its server reconnects, however long that takes.
    pub(crate) fn outlasts_loss(&self) -> bool {
        self.retry || self.primary.is_some()
    }

    /// Number of clients, out of `clients`, that connect to the server at a position.
    pub fn clients_of(&self, at: usize, clients: u32) -> u32 {
        let of = |among: &Range<usize>| match among.contains(&at) {
            true => clients.div_ceil(among.len() as u32),
            false => 0,
        };
        of(&self.main) + of(&self.readers)
    }

    /// Position of the server that a client connects to; `tries` counts its failed attempts.
    pub(crate) fn of_client(&self, (client, tries): (u32, u32), purpose: Purpose) -> Option<usize> {
        if let (Some(primary), Purpose::Main) = (self.primary, purpose) {
            return Some(primary.at());
        }
        let among = match purpose {
            Purpose::Main => &self.main,
            Purpose::Reads => &self.readers,
        };
        let further = if self.retry { tries as usize } else { 0 };
        let turn = (client as usize + further).checked_rem(among.len())?;
        Some(among.start + turn)
    }
}

/// The purpose of a client's connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// All requests, unless there is another connection for read-only ones.
    Main,
    /// Read-only requests.
    Reads,
}

/// The operations under which each server's requests are counted, in addition to those of the workload.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ByServer {
    /// Index of the first server's; none: there is one server only.
    first: Option<OperationIndex>,
    /// Position of that server.
    start: usize,
    /// Statements are counted, since those of one transaction go to different servers; otherwise transactions.
    pub statements: bool,
}

impl ByServer {
    /// Adds these operations to those of a workload.
    pub fn add_to(operations: &Operations, entries: &Entries<'_>, reads: Reads) -> (Operations, Self) {
        let statements = reads == Reads::Statements && !entries.readers.is_empty();
        let unit = if statements { "statement" } else { "transaction" };
        let used = entries.main.clone().chain(entries.readers.clone());
        let of_server = |at: usize| Operation {
            name: Cow::Owned(format!("{unit}@{}", at + 1)),
            kind: OperationKind::Server,
            query: QueryKind::Other,
            template: Cow::Borrowed(""),
        };
        let several = used.clone().count() > 1;
        let more = used.filter(|_| several).map(of_server);
        let first = several.then_some(operations.len());
        let by_server = Self { first, start: entries.main.start, statements };
        (operations.iter().cloned().chain(more).collect(), by_server)
    }

    /// The operation under which the server at that position is counted.
    pub fn operation(&self, at: usize) -> Option<OperationIndex> {
        self.first.map(|first| first + at - self.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorder::transactions;

    #[test]
    fn clients_take_servers_in_turns_and_each_server_is_counted() {
        let entries = Entries { servers: &[], main: 0..1, readers: 1..3, primary: None, retry: false };
        let of =
            |client| [Purpose::Main, Purpose::Reads].map(|purpose| entries.of_client((client, 1), purpose));
        assert_eq!([0, 1, 2, 3].map(|at| entries.clients_of(at, 7)), [7, 4, 4, 0]);
        assert_eq!([of(0), of(1), of(2)], [[Some(0), Some(1)], [Some(0), Some(2)], [Some(0), Some(1)]]);
        let operations: Operations = [transactions("transaction")].into();
        let names = |entries: &Entries<'_>, reads| {
            let (operations, by_server) = ByServer::add_to(&operations, entries, reads);
            let names: Vec<String> = operations.iter().skip(1).map(|one| one.name.to_string()).collect();
            (names.join(" "), by_server.operation(entries.main.start))
        };
        let seen = |names: &str, first| (names.to_owned(), first);
        assert_eq!(names(&entries, Reads::Types), seen("transaction@1 transaction@2 transaction@3", Some(1)));
        assert_eq!(names(&entries, Reads::Statements), seen("statement@1 statement@2 statement@3", Some(1)));
        let replicas = Entries { main: 1..3, readers: 0..0, ..entries.clone() };
        assert_eq!(names(&replicas, Reads::All), seen("transaction@2 transaction@3", Some(1)));
        let one = Entries { main: 0..1, readers: 0..0, ..entries.clone() };
        assert_eq!(names(&one, Reads::Statements), seen("", None));
        assert_eq!(one.of_client((7, 0), Purpose::Reads), None);
        let stubborn = Entries { retry: true, ..entries };
        assert_eq!(
            [0, 1, 2].map(|tries| stubborn.of_client((0, tries), Purpose::Reads)),
            [Some(1), Some(2), Some(1)]
        );
    }
}
