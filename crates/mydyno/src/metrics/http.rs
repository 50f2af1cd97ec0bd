//! HTTP for one path: a thread for each connection, which is closed after its answer.
//!
//! A stranger's input must neither end nor delay a benchmark: the header is bounded in size and time, a body is never
//! waited for, and there are only so many connections at once.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Maximum size of a request line and its headers.
const HEADER_MOST: usize = 8 << 10;
/// Connections at once; those beyond are closed without an answer.
const CONNECTIONS_MOST: usize = 16;
/// Timeout for a whole header, and for sending an answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// Time for which remaining input is read once the answer is sent.
const DRAIN: Duration = Duration::from_millis(200);
/// Pause after an error of accept, such as too many open files, which a load with many connections can cause.
const PAUSE: Duration = Duration::from_secs(1);

pub const PLAIN: &str = "text/plain; charset=utf-8";

/// The response.
pub struct Answer {
    pub status: u16,
    pub kind: &'static str,
    pub body: String,
}

/// Answers for as long as the process lives. `page` gives the content of `path`.
pub fn serve(listener: &TcpListener, path: &'static str, page: impl Fn() -> Answer + Send + Sync + 'static) {
    let page = Arc::new(page);
    // Each connection holds one.
    let open = Arc::new(());
    loop {
        let Ok((stream, _)) = listener.accept() else {
            thread::sleep(PAUSE);
            continue;
        };
        if Arc::strong_count(&open) > CONNECTIONS_MOST {
            continue;
        }
        let (page, held) = (Arc::clone(&page), Arc::clone(&open));
        // Where no thread can be had, the connection is closed.
        let _ = thread::Builder::new().name("metrics".to_owned()).spawn(move || {
            // Whoever asked and has gone needs no answer.
            let _ = converse(stream, path, &*page);
            drop(held);
        });
    }
}

fn converse(mut stream: TcpStream, path: &str, page: &dyn Fn() -> Answer) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let Some(header) = header(&mut stream)? else { return Ok(()) };
    let (answer, with_body) = answer(&header, path, page);
    stream.write_all(&encoded(&answer, with_body))?;
    // A socket closed over unread bytes is reset, and the answer may be lost with it.
    stream.shutdown(Shutdown::Write)?;
    let until = Instant::now() + DRAIN;
    let mut rest = [0; 4096];
    while within(&stream, until)? && stream.read(&mut rest)? > 0 {}
    Ok(())
}

/// Bounds the next read; returns false if the time is over.
fn within(stream: &TcpStream, until: Instant) -> io::Result<bool> {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Ok(false);
    }
    stream.set_read_timeout(Some(left))?;
    Ok(true)
}

/// Up to the empty line, or as much as there may be; none if the other side ends or takes too long.
fn header(stream: &mut TcpStream) -> io::Result<Option<Vec<u8>>> {
    let until = Instant::now() + PATIENCE;
    let (mut header, mut piece) = (Vec::new(), [0; 1024]);
    while !is_whole(&header) && header.len() < HEADER_MOST {
        if !within(stream, until)? {
            return Ok(None);
        }
        let read = stream.read(&mut piece)?;
        if read == 0 {
            return Ok(None);
        }
        header.extend_from_slice(&piece[..read]);
    }
    Ok(Some(header))
}

fn is_whole(header: &[u8]) -> bool {
    header.windows(4).any(|end| end == b"\r\n\r\n")
}

/// The response, and whether its body is wanted.
fn answer(header: &[u8], path: &str, page: &dyn Fn() -> Answer) -> (Answer, bool) {
    let plain = |status, words: String| Answer { status, kind: PLAIN, body: words };
    let Some((method, target)) = request(header) else {
        return (plain(400, "this is not an HTTP/1 request\n".to_owned()), true);
    };
    let answer = match (target.split('?').next() == Some(path), method) {
        (true, "GET" | "HEAD") => page(),
        (true, _) => plain(405, format!("only GET {path}\n")),
        (false, _) => plain(404, format!("metrics of a run of mydyno: GET {path}\n")),
    };
    (answer, method != "HEAD")
}

/// Method and target of a request whose header is whole.
fn request(header: &[u8]) -> Option<(&str, &str)> {
    let line = header.split(|byte| *byte == b'\n').next().filter(|_| is_whole(header))?;
    let mut words = std::str::from_utf8(line).ok()?.trim_end().split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    let is_method = !method.is_empty() && method.bytes().all(|byte| byte.is_ascii_uppercase());
    (is_method && version.starts_with("HTTP/1.") && words.next().is_none()).then_some((method, target))
}

fn encoded(answer: &Answer, with_body: bool) -> Vec<u8> {
    let Answer { status, kind, body } = answer;
    let says = match status {
        200 => "OK",
        400 => "Bad Request",
        404 => "Not Found",
        405 => "Method Not Allowed",
        _ => "Internal Server Error",
    };
    let allow = if *status == 405 { "Allow: GET, HEAD\r\n" } else { "" };
    let mut text = format!(
        "HTTP/1.1 {status} {says}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n{allow}Connection: close\r\n\r\n",
        body.len()
    );
    if with_body {
        text.push_str(body);
    }
    text.into_bytes()
}
