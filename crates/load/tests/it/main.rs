//! Everything that tests this crate from outside, as one program: it links once.

mod common;
mod odd_servers;
mod open_loop;
