//! TPC-C: a client is a terminal. It draws a card, keys in the input, runs the transaction, and thinks.
//!
//! The five transactions are in files of their own, written after clauses 2.4 to 2.8. Values that a terminal would only
//! display are fetched from the server and ignored.

mod database;
mod delivery;
#[cfg(test)]
mod effects;
mod execution;
mod input;
mod new_order;
mod order_status;
mod outcome;
mod payment;
mod statements;
mod stock_level;
mod terminal;
mod touched;
