//! Workloads in files: `program` makes steps of what a file says, `user` is a client that runs them.

mod execution;
mod program;
mod user;
