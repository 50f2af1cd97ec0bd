//! A connection's bytes: plain or through TLS, never blocking.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::net::{RecvFlags, SendFlags};
use wire::Socket;

/// A connected, authenticated, non-blocking connection.
pub(crate) struct Transport {
    socket: Socket,
    tls: Option<Box<rustls::ClientConnection>>,
}

impl Transport {
    pub fn new(socket: Socket, tls: Option<Box<rustls::ClientConnection>>) -> io::Result<Self> {
        match &socket {
            Socket::Tcp(stream) => stream.set_nonblocking(true)?,
            Socket::Unix(stream) => stream.set_nonblocking(true)?,
        }
        Ok(Self { socket, tls })
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
        Ok(rustix::net::send(self.fd(), bytes, SendFlags::NOSIGNAL)?)
    }

    /// Sends what TLS still holds back. True if all is out.
    pub fn flush(&mut self) -> io::Result<bool> {
        let Some(tls) = &mut self.tls else { return Ok(true) };
        while tls.wants_write() {
            match tls.write_tls(&mut Raw(&self.socket)) {
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
        Ok(rustix::net::recv(self.fd(), into, RecvFlags::empty())?.0)
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
        loop {
            match tls.reader().read(into) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                other => return other,
            }
            if tls.read_tls(&mut Raw(&self.socket))? == 0 {
                return Ok(0);
            }
            tls.process_new_packets().map_err(io::Error::other)?;
        }
    }
}

/// The socket under TLS.
struct Raw<'a>(&'a Socket);

impl Read for Raw<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.0 {
            Socket::Tcp(stream) => (&*stream).read(into),
            Socket::Unix(stream) => (&*stream).read(into),
        }
    }
}

impl Write for Raw<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0 {
            Socket::Tcp(stream) => (&*stream).write(bytes),
            Socket::Unix(stream) => (&*stream).write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
