//! What is to be started.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use model::{Arrangement, SandboxSpec, Topology};
use sandbox::{DataDirectory, Life};
use wire::Secret;

/// What to start.
#[derive(Clone, Copy)]
pub struct TopologyStart<'a> {
    /// How the members belong together.
    pub topology: Topology,
    /// What else is said of that.
    pub arrangement: Arrangement,
    /// The members, the primary first; all of one flavour.
    pub members: &'a [MemberStart<'a>],
    /// Key of kept data on which every member starts; none: the data that each of them has.
    pub from_copy: Option<&'a str>,
    /// How long the members live.
    pub life: Life,
    /// Of the group or the cluster; none: a new one.
    pub uuid: Option<&'a str>,
    /// Password of mydyno's account on all members; none: each has its own.
    pub password: Option<&'a Secret>,
    /// Port of the first member on 127.0.0.1, followed by those of the others; none: free ones.
    pub port: Option<u16>,
    /// How long to wait for each of them, and for all of them together.
    pub limit: Duration,
    /// Set by somebody else when the start is no longer wanted.
    pub cancel: &'a AtomicBool,
}

/// A member to start.
#[derive(Clone, Copy)]
pub struct MemberStart<'a> {
    /// What people call it.
    pub name: &'a str,
    /// Name of its directory.
    pub directory: &'a str,
    /// Which server, with which settings.
    pub spec: &'a SandboxSpec,
    /// What is done with its data directory before it starts; none: nothing.
    pub on_data: Option<&'a dyn DataDirectory>,
}
