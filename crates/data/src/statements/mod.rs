//! The tables of a workload in a file: `definition` makes and recognises them, `rows` draws their rows, `load` sends these.

mod check;
mod cleanup;
mod definition;
mod load;
mod prepare;
mod rows;
mod tables;
