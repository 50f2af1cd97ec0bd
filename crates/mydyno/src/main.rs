//! The command line of mydyno.
fn main() {}
