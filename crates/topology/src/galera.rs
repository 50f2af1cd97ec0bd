//! Data on which the nodes of a Galera cluster can start.
//!
//! A node takes part in a cluster only if its storage engine holds the position of its data in the cluster's history. Data
//! loaded by a plain server have none, so a cluster of one node is made of them once and kept.

use model::Topology;
use sandbox::Home;

use crate::asked::TopologyStart;
use crate::error::TopologyError;
use crate::start::{lay_out, start_some, wait_until_ready};

/// The key of data on which the topology can start: the data that it names, or those made of them for Galera.
///
/// # Errors
/// The cluster of one node does not start, or its data cannot be kept.
pub fn fitting_copy(home: &Home, asked: &TopologyStart<'_>) -> Result<Option<String>, TopologyError> {
    if asked.topology != Topology::Galera {
        return Ok(asked.from_copy.map(str::to_owned));
    }
    let first = &asked.members[0];
    let key = match asked.from_copy {
        Some(key) => key.to_owned(),
        // An empty server.
        None => home.copy_key(first.spec, "empty").map_err(|source| TopologyError::Start {
            member: first.name.to_owned(),
            source: Box::new(source),
        })?,
    };
    let made = format!("{key}-galera");
    if !home.has_copy(&made) {
        let alone = TopologyStart {
            members: &asked.members[..1],
            life: sandbox::Life::Scoped,
            uuid: None,
            password: None,
            port: None,
            ..*asked
        };
        let common = lay_out(&alone)?;
        let mut servers = Vec::new();
        start_some(home, &alone, &common, None, &[0], &mut servers)?;
        wait_until_ready(&alone, &servers)?;
        if let Some(server) = servers.pop() {
            let fail = |source| TopologyError::Keep { source: Box::new(source) };
            server.keep_copy(home, &made).map_err(fail)?;
        }
    }
    Ok(Some(made))
}
