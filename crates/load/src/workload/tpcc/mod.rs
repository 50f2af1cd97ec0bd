//! TPC-C: a client is a terminal. It draws a card, keys in the input, runs the transaction, and thinks.
//!
//! The five transactions are in files of their own, written as clauses 2.4 to 2.8 tell them. What a terminal would only
//! display is fetched from the server and not looked at.

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
