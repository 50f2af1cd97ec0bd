//! Everything that tests this crate from outside, as one program: it links once.

mod catalogue;
mod cli;
mod common;
mod compare;
mod crash;
mod diff;
mod doctor;
mod experiment;
mod hdr;
mod help;
mod history;
mod import;
mod kept;
mod live;
mod planted;
mod reads;
mod real;
mod router;
mod sabotage;
mod sysbench_form;
mod topologies;
mod topology;
mod tpcc;
mod validity;
mod versions;
mod words;
