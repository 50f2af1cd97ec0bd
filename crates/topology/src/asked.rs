//! The specification of a topology to start.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use model::{Arrangement, SandboxSpec, Topology};
use sandbox::{DataDirectory, Life};
use wire::Secret;

/// The topology to start.
#[derive(Clone, Copy)]
pub struct TopologyStart<'a> {
    /// The topology of the members.
    pub topology: Topology,
    /// The other properties of the topology.
    pub arrangement: Arrangement,
    /// The members, the primary first; all of one flavour.
    pub members: &'a [MemberStart<'a>],
    /// Key of kept data on which every member starts; none: the data that each of them has.
    pub from_copy: Option<&'a str>,
    /// Lifetime of the members.
    pub life: Life,
    /// UUID of the group or the cluster; none: a new one.
    pub uuid: Option<&'a str>,
    /// Password of mydyno's account on all members; none: each has its own.
    pub password: Option<&'a Secret>,
    /// Port of the first member on 127.0.0.1, followed by those of the others; none: free ones.
    pub port: Option<u16>,
    /// Time to wait for each of them, and for all of them together.
    pub limit: Duration,
    /// Set by another thread when the start is no longer wanted.
    pub cancel: &'a AtomicBool,
}

/// A member to start.
#[derive(Clone, Copy)]
pub struct MemberStart<'a> {
    /// Its name for the user.
    pub name: &'a str,
    /// Name of its directory.
    pub directory: &'a str,
    /// The server with its settings.
    pub spec: &'a SandboxSpec,
    /// Work on its data directory before it starts; none: nothing.
    pub on_data: Option<&'a dyn DataDirectory>,
}
