//! Scripts for sysbench: each client is a coroutine, which a worker resumes with the answer to what it asked for.

mod connection;
mod execution;
mod life;
mod verbs;
