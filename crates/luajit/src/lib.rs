//! Opens LuaJIT with all of its libraries, `ffi` and `debug` among them: scripts for sysbench expect these, and its `NULL`
//! results are values that only `ffi` can make.
//!
//! This is the only unsafe code of the workspace; what follows from it is in `docs/design/lua.md`.

pub use mlua;

use mlua::{Lua, LuaOptions, StdLib};

/// A LuaJIT with every library of its own.
///
/// What runs in it can read and write any memory of the process, as it can in sysbench. So a script is trusted as much as a
/// program that its user starts.
#[allow(unsafe_code)]
pub fn open() -> Lua {
    // SAFETY: `unsafe_new_with` has no precondition of its own. It is unsafe because the code that runs in the state may break the
    // rules of Rust by way of `ffi`, `debug` or modules in C. That code is the user's own script, which the user has chosen to run.
    unsafe { Lua::unsafe_new_with(StdLib::ALL, LuaOptions::new()) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_null_of_a_c_type_equals_nil_and_is_true_nevertheless() {
        let lua = super::open();
        let text = "local ffi = require('ffi') ffi.cdef('typedef struct { int a; } t') local null = ffi.cast('t *', 0)
            return null == nil, null and true or false, jit.version";
        let (equal, truth, version): (bool, bool, String) = lua.load(text).eval().expect("it runs");
        assert!(equal && truth && version.starts_with("LuaJIT 2.1"), "{equal} {truth} {version}");
    }
}
