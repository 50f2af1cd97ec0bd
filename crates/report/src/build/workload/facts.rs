//! Facts of a workload in its card.

use analysis::Words;

use crate::view::Fact;

/// What a reader wants to know of a workload, implemented by its options.
pub(super) trait Facts {
    /// In the order in which they are shown.
    fn facts(&self) -> Vec<Fact>;
}

pub(super) fn fact(name: (&str, &str), value: Words) -> Fact {
    Fact { name: Words::new(name.0, name.1), value }
}
