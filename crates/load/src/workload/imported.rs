//! A workload run by another tool is known by name only, and cannot be run.

use std::io;
use std::sync::Arc;

use model::ImportedWorkload;

use super::execution::{Execution, Started};
use super::sample::Sample;
use crate::recorder::Operations;

impl Execution for ImportedWorkload {
    fn operations(&self) -> Operations {
        Arc::new([])
    }

    fn prepared_statements(&self) -> u64 {
        0
    }

    fn samples(&self) -> Vec<Sample> {
        Vec::new()
    }

    fn start(&self, _seed: u64) -> io::Result<Box<dyn Started + '_>> {
        Err(io::Error::other("an imported workload cannot be run"))
    }
}
