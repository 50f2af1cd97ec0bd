//! Errors of scripts.

/// A script cannot be run.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ScriptError(pub String);

impl From<luajit::mlua::Error> for ScriptError {
    fn from(error: luajit::mlua::Error) -> Self {
        // The traceback behind the first line is of the prelude, not of the script.
        let text = error.to_string();
        let text = text.lines().next().unwrap_or_default();
        Self(text.strip_prefix("runtime error: ").unwrap_or(text).to_owned())
    }
}
