//! Everything that tests this crate from outside, as one program: it links once.

mod common;
mod copies;
mod failures;
mod places;
mod router;
mod servers;
