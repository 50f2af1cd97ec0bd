//! `--metrics-listen`: what a run measures, for Prometheus, while it goes on.
//!
//! One more consumer of the event stream. An event costs a short moment under a lock; a scrape copies what is known out
//! of it and is encoded and sent by a thread of its own. That thread ends with the process: whoever scrapes in the last
//! moment gets what there is.

mod listen;
mod snapshot;
mod text;

use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use model::{Event, Plan};
use tiny_http::{Header, Method, Request, Response, Server};

use crate::error::{Outcome, UserError};
pub use listen::Listen;
use snapshot::Snapshot;

/// The only path.
const PATH: &str = "/metrics";
/// After an error of accepting, such as too many open files.
const PAUSE: Duration = Duration::from_secs(1);

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
            .spawn(move || serve(&listener, &seen))
            .map_err(|error| failed(&error))?;
        Ok(Self { state, address })
    }

    /// Where it is to be found.
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
        std::io::ErrorKind::AddrNotAvailable => "it is no address of this machine".to_owned(),
        std::io::ErrorKind::PermissionDenied => "no permission for that port".to_owned(),
        _ => error.to_string(),
    }
}

/// The HTTP server ends its thread at the first connection that cannot be accepted, which a load with many connections
/// can bring about: it is begun anew on the same socket.
fn serve(listener: &TcpListener, state: &Mutex<Snapshot>) {
    loop {
        let server = listener.try_clone().ok().and_then(|own| Server::from_listener(own, None).ok());
        for request in server.iter().flat_map(Server::incoming_requests) {
            answer(request, state);
        }
        drop(server);
        thread::sleep(PAUSE);
    }
}

fn answer(request: Request, state: &Mutex<Snapshot>) {
    let path = request.url().split('?').next().unwrap_or_default();
    let wanted = path == PATH && matches!(request.method(), Method::Get | Method::Head);
    let snapshot = wanted.then(|| state.lock().unwrap_or_else(PoisonError::into_inner).clone());
    let (status, kind, body) = match snapshot.map(text::exposition) {
        Some(Ok(body)) => (200, text::CONTENT_TYPE, body),
        Some(Err(_)) => (500, PLAIN, "the metrics could not be written\n".to_owned()),
        None => (404, PLAIN, format!("metrics of a run of mydyno: GET {PATH}\n")),
    };
    let header = Header::from_bytes("Content-Type", kind).expect("the header is plain ASCII");
    // Whoever asked and has gone needs no answer.
    let _ = request.respond(Response::from_string(body).with_status_code(status).with_header(header));
}

const PLAIN: &str = "text/plain; charset=utf-8";

#[cfg(test)]
mod tests;
