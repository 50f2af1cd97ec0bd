//! sysbench's workloads: `oltp_*` are lists of steps, `select_random_*` and `bulk_insert` are of their own.

mod bulk;
mod execution;
mod oltp;
mod secondary;
mod statements;
