//! The tasks of a server's threads.
//!
//! The page is `knowledge/threads.toml`.

use std::sync::OnceLock;

use serde::Deserialize;

use crate::page::{Source, Text, source};

/// The part of the system that a thread works for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Serves {
    /// Clients: as many as there are clients, or threads in the pool.
    Clients,
    /// Replicas, or the other members of a group.
    Replication,
    /// The storage engine.
    Storage,
    /// Events of the event scheduler.
    Events,
}

/// A kind of thread.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerThread {
    /// Its name, without the number at its end.
    pub name: String,
    /// The part of the system that it works for.
    pub serves: Serves,
    /// Its task: a clause without its subject.
    pub does: Text,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    thread: Vec<ServerThread>,
}

const PAGE: Source = source!("threads.toml");

/// The entry for the threads of this name.
pub fn named(name: &str) -> Option<&'static ServerThread> {
    static PARSED: OnceLock<Page> = OnceLock::new();
    PARSED.get_or_init(|| PAGE.parsed()).thread.iter().find(|thread| thread.name == name)
}

/// Names of threads that the server did not name: its program, or the loader that started it.
const UNNAMED: [&str; 3] = ["mysqld", "mariadbd", "ld-linux"];

/// Whether a thread of that name works for clients, or may do so. If such a thread is always busy, the server is not the
/// bottleneck.
pub fn may_serve_clients(name: &str) -> bool {
    named(name).is_some_and(|thread| thread.serves == Serves::Clients)
        || UNNAMED.iter().any(|unnamed| name.starts_with(unnamed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_can_be_read() {
        let page = match PAGE.parse::<Page>() {
            Ok(page) => page,
            Err(mistake) => panic!("{mistake}"),
        };
        for thread in &page.thread {
            // The kernel keeps 15 bytes (TASK_COMM_LEN).
            assert!(thread.name.len() <= 15, "{} is longer than the kernel's names", thread.name);
            assert_eq!(page.thread.iter().filter(|other| other.name == thread.name).count(), 1);
        }
        let clients = ["connection", "tp_worker", "mariadbd", "ld-linux-x86-64"];
        assert!(clients.iter().all(|name| may_serve_clients(name)));
        assert!(!may_serve_clients("rpl_rca_sql") && !may_serve_clients("nobody_knows"));
    }
}
