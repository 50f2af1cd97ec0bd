//! A workload run by another tool is known by name only.

use model::ImportedWorkload;

use super::facts::Facts;
use crate::view::Fact;

impl Facts for ImportedWorkload {
    fn facts(&self) -> Vec<Fact> {
        Vec::new()
    }
}
