//! Of what another tool ran only the name is known.

use model::ImportedWorkload;

use super::facts::Facts;
use crate::view::Fact;

impl Facts for ImportedWorkload {
    fn facts(&self) -> Vec<Fact> {
        Vec::new()
    }
}
