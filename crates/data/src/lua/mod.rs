//! The tables of a script: it makes and removes them itself, by its commands, over blocking connections.

mod blocking;
mod command;
mod tables;

pub use command::{LuaCommand, lua_commands, run_lua_command};
