//! What a verb is told besides its arguments.

use crate::options::connection::Environment;
use crate::options::typed::Typed;

/// How the arguments of a verb were given.
pub struct Given {
    /// Which of them were typed.
    pub typed: Typed,
    /// The environment.
    pub environment: Environment,
}
