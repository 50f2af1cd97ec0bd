//! Everything that tests this crate from outside, as one program: it links once. The tests make real networks, and say so where
//! this machine allows none.

mod common;
mod links;
mod measure;
mod nodes;
mod remains;
