//! `--metrics-listen`: what a run measures, for Prometheus, while it goes on.
//!
//! One more consumer of the event stream. An event costs a short moment under a lock; a scrape copies the state and is
//! encoded and sent by a thread of its own. Such a thread ends with the process: whoever scrapes in the last moment gets
//! what there is.

mod http;
mod listen;
mod snapshot;
mod text;

use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use model::{Event, Plan};

use crate::error::{Outcome, UserError};
use http::Answer;
pub use listen::Listen;
use snapshot::Snapshot;
#[cfg(test)]
pub use text::listed;

/// The only path.
const PATH: &str = "/metrics";

/// The endpoint of one command.
pub struct Endpoint {
    state: Arc<Mutex<Snapshot>>,
    address: SocketAddr,
}

impl Endpoint {
    /// Binds and begins to answer.
    ///
    /// # Errors
    /// The address cannot be had.
    pub fn open(listen: &Listen, plan: &Plan) -> Outcome<Self> {
        let failed = |error: &dyn std::fmt::Display| {
            UserError::failed(format!("--metrics-listen {listen}: {error}"))
                .hint("give another address or port, such as 127.0.0.1:0 for any that is free")
        };
        let listener =
            TcpListener::bind((listen.host(), listen.port())).map_err(|error| failed(&words(&error)))?;
        let address = listener.local_addr().map_err(|error| failed(&error))?;
        let state = Arc::new(Mutex::new(Snapshot::new(plan)));
        let seen = Arc::clone(&state);
        thread::Builder::new()
            .name("metrics".to_owned())
            .spawn(move || http::serve(&listener, PATH, move || page(&seen)))
            .map_err(|error| failed(&error))?;
        Ok(Self { state, address })
    }

    /// The URL of the endpoint.
    pub fn url(&self) -> String {
        format!("http://{}{PATH}", self.address)
    }

    /// Takes note of an event.
    pub fn event(&self, event: &Event) {
        // A panic of another thread does not make the figures worse.
        self.state.lock().unwrap_or_else(PoisonError::into_inner).event(event);
    }
}

fn words(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::AddrInUse => "something listens there already".to_owned(),
        std::io::ErrorKind::AddrNotAvailable => "it is not an address of this machine".to_owned(),
        std::io::ErrorKind::PermissionDenied => "no permission for that port".to_owned(),
        _ => error.to_string(),
    }
}

fn page(state: &Mutex<Snapshot>) -> Answer {
    let snapshot = state.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match text::exposition(snapshot) {
        Ok(body) => Answer { status: 200, kind: text::CONTENT_TYPE, body },
        Err(_) => {
            let body = "the metrics could not be written\n".to_owned();
            Answer { status: 500, kind: http::PLAIN, body }
        }
    }
}

#[cfg(test)]
mod tests;
