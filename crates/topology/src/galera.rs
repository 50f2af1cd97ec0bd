//! Data on which the nodes of a Galera cluster can start.
//!
//! A node takes part in a cluster only if its storage engine says at which position of the cluster's history its data stand.
//! Data that were loaded by a plain server say nothing of the kind, so a cluster of one node is made of them once and kept.

use model::Topology;
use sandbox::Home;

use crate::error::TopologyError;
use crate::start::{TopologyStart, lay_out, start_some, wait_until_ready};

/// The key of data on which the topology can start: of those that it names, or of what was made of them for Galera.
///
/// # Errors
/// The cluster of one node does not start, or its data cannot be kept.
pub fn fitting_copy(home: &Home, asked: &TopologyStart<'_>) -> Result<Option<String>, TopologyError> {
    let Some(key) = asked.from_copy else { return Ok(None) };
    if asked.topology != Topology::Galera {
        return Ok(Some(key.to_owned()));
    }
    let made = format!("{key}-galera");
    if !home.has_copy(&made) {
        let alone = TopologyStart { members: &asked.members[..1], life: sandbox::Life::Scoped, ..*asked };
        let common = lay_out(alone.topology, alone.arrangement, alone.members, None)?;
        let mut servers = start_some(home, &alone, &common, None, 0..1)?;
        wait_until_ready(&alone, &servers)?;
        if let Some(server) = servers.pop() {
            let fail = |source| TopologyError::Keep { source: Box::new(source) };
            server.keep_copy(home, &made).map_err(fail)?;
        }
    }
    Ok(Some(made))
}
