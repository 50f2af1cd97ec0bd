//! Everything that tests this crate from outside, as one program: it links once. The tests mount real disks, and say so where
//! this machine allows none.

mod common;
mod cut;
mod files;
mod measure;
mod namespace;
mod remains;
