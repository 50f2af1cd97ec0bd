//! Everything that tests this crate from outside, as one program: it links once.

mod cycles;
mod floors;
mod glossary;
mod literals;
mod names;
mod option_names;
mod parity;
mod wire;
