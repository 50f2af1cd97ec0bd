//! Baseline of the machine itself: one byte there and back over loopback TCP, between two blocking threads.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::Instant;

const WARM_UP: usize = 2_000;
const ROUND_TRIPS: usize = 20_000;

/// The median, nanoseconds.
pub(crate) fn round_trip_ns() -> io::Result<u64> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    // Before anybody waits for it: whoever waits for a connection that cannot be made waits for ever.
    let socket = TcpStream::connect(listener.local_addr()?)?;
    socket.set_nodelay(true)?;
    std::thread::scope(move |scope| {
        scope.spawn(move || -> io::Result<()> {
            let (mut socket, _) = listener.accept()?;
            socket.set_nodelay(true)?;
            let mut byte = [0];
            while socket.read(&mut byte)? > 0 {
                socket.write_all(&byte)?;
            }
            Ok(())
        });
        // Closed at the end, whatever happens, which is what ends the other side.
        let mut socket = socket;
        let mut byte = [0];
        let mut took_ns = Vec::with_capacity(ROUND_TRIPS);
        for _ in 0..WARM_UP + ROUND_TRIPS {
            let begun = Instant::now();
            socket.write_all(&byte)?;
            socket.read_exact(&mut byte)?;
            took_ns.push(begun.elapsed().as_nanos() as f64);
        }
        Ok(stats::quantile(&took_ns[WARM_UP..], 0.5).unwrap_or_default() as u64)
    })
}
