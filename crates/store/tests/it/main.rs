//! Everything that tests this crate from outside, as one program: it links once.

mod checksums;
mod common;
mod list;
mod manage;
mod recording;
