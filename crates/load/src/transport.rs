//! A connection's bytes: plain or through TLS, never blocking.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::net::{RecvFlags, SendFlags};
use wire::{ByteCounts, Counted, Parts, Socket};

/// A connected, authenticated, non-blocking connection.
pub(crate) struct Transport {
    socket: Socket,
    tls: Option<Box<rustls::ClientConnection>>,
    /// Bytes since they were last taken.
    traffic: ByteCounts,
}

impl Transport {
    pub fn new(parts: Parts) -> io::Result<Self> {
        match &parts.socket {
            Socket::Tcp(stream) => stream.set_nonblocking(true)?,
            Socket::Unix(stream) => stream.set_nonblocking(true)?,
        }
        Ok(Self { socket: parts.socket, tls: parts.tls, traffic: parts.traffic })
    }

    /// Bytes since the last call; at first those of connecting.
    pub fn take_traffic(&mut self) -> ByteCounts {
        std::mem::take(&mut self.traffic)
    }

    pub fn fd(&self) -> BorrowedFd<'_> {
        match &self.socket {
            Socket::Tcp(stream) => stream.as_fd(),
            Socket::Unix(stream) => stream.as_fd(),
        }
    }

    /// Sends a prefix of `bytes`; returns its length.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.tls.is_some() {
            return self.write_tls(bytes);
        }
        let sent = rustix::net::send(self.fd(), bytes, SendFlags::NOSIGNAL)?;
        self.traffic.sent += sent as u64;
        Ok(sent)
    }

    /// Sends what TLS still holds back. True if all is out.
    pub fn flush(&mut self) -> io::Result<bool> {
        let Some(tls) = &mut self.tls else { return Ok(true) };
        let mut counted = Counted { socket: &mut self.socket, traffic: &mut self.traffic };
        while tls.wants_write() {
            match tls.write_tls(&mut counted) {
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    /// Reads some bytes; 0 means that the server closed the connection.
    pub fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.tls.is_some() {
            return self.read_tls(into);
        }
        let (received, _) = rustix::net::recv(self.fd(), into, RecvFlags::empty())?;
        self.traffic.received += received as u64;
        Ok(received)
    }

    fn write_tls(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(tls) = &mut self.tls else { return Ok(0) };
        // rustls bounds its own buffer (64 KiB by default) and then takes nothing until some of it is flushed.
        let taken = tls.writer().write(bytes)?;
        self.flush()?;
        if taken == 0 { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(taken) }
    }

    fn read_tls(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let Some(tls) = &mut self.tls else { return Ok(0) };
        let mut counted = Counted { socket: &mut self.socket, traffic: &mut self.traffic };
        loop {
            match tls.reader().read(into) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                other => return other,
            }
            if tls.read_tls(&mut counted)? == 0 {
                return Ok(0);
            }
            tls.process_new_packets().map_err(io::Error::other)?;
        }
    }
}
