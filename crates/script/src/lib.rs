//! Runs scripts for sysbench: a client is a coroutine that says what it wants and waits for the answer. What is done about its
//! wishes is decided by whoever resumes it: the load engine, or a blocking connection for commands such as `prepare`.
//!
//! sysbench's own modules in Lua are not here, and none of its code is: `prelude/` offers the same interface. What a script finds
//! is described in `docs/how-to/sysbench-scripts.md`; why it is built so in `docs/design/lua.md`.

mod error;
mod natives;
mod request;
mod settings;
mod task;
mod vm;

pub use error::ScriptError;
pub use request::{Datum, Reply, ScriptCounts, ScriptRequest, ScriptText};
pub use settings::{Draws, Said, Settings};
pub use task::Task;
pub use vm::Vm;
