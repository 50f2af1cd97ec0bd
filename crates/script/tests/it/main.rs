//! Scripts against a server that is made up: what they ask for, and what they find.

mod api;
mod errors;
mod fake;
