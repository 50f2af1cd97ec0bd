//! The context of a verb besides its arguments.

use crate::options::connection::Environment;
use crate::options::typed::Typed;

/// The way the arguments of a verb were given.
pub struct Given {
    /// The arguments that were typed.
    pub typed: Typed,
    /// The environment.
    pub environment: Environment,
}
