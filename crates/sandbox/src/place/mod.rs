//! Placement of a server: CPUs, memory policy and a control group, all of them from its first instruction.
//!
//! A server moved after its start would keep its allocated memory and threads where they were. So each part is applied to
//! the process before it becomes the server: the thread that starts it has the CPUs, which a child inherits; `numactl` sets
//! the memory policy and executes the server; a shell joins the control group and executes either. Setting the policy
//! directly would need unsafe code. Every one of them executes the next, so that the process id is the server's, and so is
//! the argument that tells whose process it is. Afterwards mydyno reads the effective placement back from the kernel.

mod affinity;
mod error;
pub(crate) mod group;
mod hierarchy;
mod lists;
mod policy;

use std::path::{Path, PathBuf};
use std::process::Command;

use model::Place;

pub use error::PlaceError;

use crate::home::Home;
use crate::process::{Cpus, wrapped};
use affinity::Affinity;
use group::Group;
use policy::Policy;

/// Shell script that joins the groups before `--`, and then executes the command after it.
const JOIN: &str = r#"while [ "$1" != -- ]; do echo $$ > "$1" || exit 1; shift; done; shift; exec "$@""#;

/// A place that this machine has, and that this process may give to a server.
#[derive(Debug, Default)]
pub(crate) struct Placement {
    affinity: Option<Affinity>,
    policy: Option<Policy>,
    groups: Vec<Group>,
}

impl Placement {
    /// Finds out what `place` means on this machine for the server `name`. Nothing is changed.
    ///
    /// # Errors
    /// The machine has no such CPU or node, or this process may not give it.
    pub fn new(home: &Home, name: &str, place: &Place) -> Result<Self, PlaceError> {
        if place.is_default() {
            return Ok(Self::default());
        }
        Ok(Self {
            affinity: Affinity::new(place)?,
            policy: Policy::new(place)?,
            groups: group::wanted(place, &group_name(home, name))?,
        })
    }

    /// CPUs to start the server on; none: any.
    pub fn cpus(&self) -> Option<Cpus> {
        self.affinity.as_ref().map(Affinity::cpus)
    }

    /// True if the server gets a memory policy.
    pub fn has_policy(&self) -> bool {
        self.policy.is_some()
    }

    /// Directories of its control groups.
    pub fn group_dirs(&self) -> Vec<PathBuf> {
        self.groups.iter().map(|group| group.dir.clone()).collect()
    }

    /// Makes the control groups, empty ones that were left behind notwithstanding.
    pub fn make_groups(&self) -> Result<(), PlaceError> {
        self.groups.iter().try_for_each(Group::make)
    }

    /// The command that starts the server in its place.
    pub fn wrap(&self, command: Command) -> Command {
        let command = match &self.policy {
            Some(policy) => wrapped(&policy.numactl, &policy.arguments(), command),
            None => command,
        };
        if self.groups.is_empty() {
            return command;
        }
        let mut words = vec!["-c".to_owned(), JOIN.to_owned(), "sh".to_owned()];
        words.extend(self.groups.iter().map(|group| group.dir.join("cgroup.procs").display().to_string()));
        words.push("--".to_owned());
        wrapped(Path::new("/bin/sh"), &words, command)
    }

    /// Checks with the kernel that the server has the requested placement.
    pub fn verify(&self, pid: u32) -> Result<(), PlaceError> {
        if let Some(affinity) = &self.affinity {
            affinity.verify(pid)?;
        }
        if let Some(policy) = &self.policy {
            policy.verify(pid)?;
        }
        self.groups.iter().try_for_each(|group| group.verify(pid))
    }
}

impl Home {
    /// Fails if a server could not be started there: an unusable placement of the last target must be found before the run
    /// begins.
    ///
    /// Control groups are made and removed again, since there is no other way to find out whether they can be.
    pub fn check_place(&self, place: &Place) -> Result<(), PlaceError> {
        let placement = Placement::new(self, &format!("check-{}", std::process::id()), place)?;
        let made = placement.make_groups();
        let removed = group::remove(&placement.group_dirs());
        made?;
        Ok(removed?)
    }
}

/// The name of a server's group. Another home may have a server of that name, so part of it identifies the home.
fn group_name(home: &Home, server: &str) -> String {
    use sha2::{Digest, Sha256};
    let digest = Sha256::digest(home.root().as_os_str().as_encoded_bytes());
    let of_home: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("mydyno-{of_home}-{server}")
}
