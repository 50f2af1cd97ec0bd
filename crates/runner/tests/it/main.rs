//! Everything that tests this crate from outside, as one program: it links once.

mod capacity;
mod resume;
mod simulated;
