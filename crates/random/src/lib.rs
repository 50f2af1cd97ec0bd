//! Random numbers that stay the same for ever: a seeded generator, the key distributions of
//! sysbench and TPC-C, random digits, and values of the columns and parameters that users describe.
//!
//! Loading and load both need them, and a seed written down today must give the same keys next year, whatever a
//! library of others decides; so the generator is our own, with its values fixed by tests. The distributions follow
//! sysbench's formulas (1.0.20; `zipfian` 1.1), not its random stream.

mod keys;
mod rng;
mod text;
pub mod tpcc;
mod unique;
mod values;
mod xoshiro;

pub use keys::Keys;
pub use rng::Rng;
pub use text::{C_TEMPLATE, PAD_TEMPLATE, fill_digits};
pub use unique::{unique, unique_start};
pub use values::{DrawAt, Drawn, ValueSource};
pub use xoshiro::Xoshiro256;
