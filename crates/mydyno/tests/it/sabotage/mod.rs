//! Every known way to make a figure wrong or a sentence false, planted on a real server, in a recording or in a file,
//! with what mydyno must say about it. A new way is a new row: see CONTRIBUTING.md.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

#[macro_use]
mod row;

mod files;
mod generator;
mod peers;
mod recording;
mod safety;
mod server;
mod statements;
mod verdict;
