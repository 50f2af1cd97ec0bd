//! Everything that tests this crate from outside, as one program: it links once.

mod golden;
mod laboratory;
mod page;
mod profiles;
mod sysbench;
