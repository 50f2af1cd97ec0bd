//! Everything that tests this crate from outside, as one program: it links once.

mod answers;
mod breakdown;
mod calibration;
mod caveats;
mod colocation;
mod common;
mod contest;
mod costs;
mod family;
mod history;
mod interaction;
mod interruptions;
mod judgement;
mod open_loop;
mod open_question;
mod over_time;
mod proof;
mod replication;
mod router;
mod serial;
mod timeline;
mod tpcc;
