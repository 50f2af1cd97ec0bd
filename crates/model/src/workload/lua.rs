//! Scripts for sysbench, in Lua.

mod data;
mod options;
mod script;

pub use data::LuaData;
pub use options::LuaOptions;
pub use script::{LuaDialect, LuaScript};
