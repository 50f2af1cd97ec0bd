//! Everything that tests this crate from outside, as one program: it links once.

mod client;
mod handshake;
mod response;
