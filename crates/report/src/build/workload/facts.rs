//! Facts of a workload in its card.

use analysis::Words;
use messages::message;

use crate::view::Fact;

/// Facts about a workload for the reader, implemented by its options.
pub(super) trait Facts {
    /// The facts, in display order.
    fn facts(&self) -> Vec<Fact>;
}

/// A fact of this name, one of those in the catalogue.
pub(super) fn fact(name: &str, value: Words) -> Fact {
    Fact { name: message!("workload-fact", fact = Word(name)), value }
}
