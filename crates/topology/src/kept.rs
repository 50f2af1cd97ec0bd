//! Topologies that outlive the command that started them.
//!
//! A document of the home says what a topology is; its members are the servers of its name: `ha`, `ha:2`. The document is
//! written before the first member starts and removed after the last one, so that a later mydyno finds the remains of a
//! killed one. Until all of it was ready once, there is nothing in it that anybody could miss: it is made anew.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use model::{SandboxSpec, ServerKind, Target};
use sandbox::{FileError, Home, Life, Lock, SandboxError, ServerPhase, Status, StopOutcome};
use serde::{Deserialize, Serialize};

use crate::asked::{MemberStart, TopologyStart};
use crate::error::TopologyError;
use crate::galera::fitting_copy;
use crate::start::{at_once, start, uuid};

/// The state of a topology between two commands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptTopology {
    format: u32,
    /// The target, as it was last ready. Its label is its name.
    pub target: Target,
    /// Whether it was ever ready.
    pub is_made: bool,
    /// UUID of the group or the cluster.
    uuid: String,
}

/// A topology to start.
#[derive(Clone, Copy)]
pub struct KeptStart<'a> {
    /// The target. Its label is its name.
    pub target: &'a Target,
    /// Key of kept data on which every member starts; none: the data that they have, else empty servers.
    pub from_copy: Option<&'a str>,
    /// Port of the first member on 127.0.0.1, followed by those of the others; none: free ones.
    pub port: Option<u16>,
    /// Time to wait for each of them, and for all of them together.
    pub limit: Duration,
    /// Set by another thread when the start is no longer wanted.
    pub cancel: &'a AtomicBool,
}

impl KeptTopology {
    const FORMAT: u32 = 1;

    /// The topology of that name; none if there is none.
    ///
    /// # Errors
    /// What is kept of it cannot be read.
    pub fn find(home: &Home, name: &str) -> Result<Option<Self>, FileError> {
        home.document(name)
    }

    /// All topologies, by name.
    ///
    /// # Errors
    /// What is kept of one cannot be read.
    pub fn all(home: &Home) -> Result<Vec<Self>, FileError> {
        let found = home.documents()?.into_iter().map(|name| home.document(&name));
        Ok(found.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    /// Starts a topology and waits until it is what it promises. A stopped topology continues with its data; members that run
    /// while others do not are stopped first.
    ///
    /// # Errors
    /// It is already running, its name is taken, its data belong to another topology, or it does not come up. Started servers are
    /// stopped, and new files are removed.
    pub fn start(home: &Home, asked: &KeptStart<'_>) -> Result<Self, TopologyError> {
        let name = &asked.target.label;
        let _lock = locked(home, name)?;
        let earlier = Self::find(home, name)?;
        match &earlier {
            Some(earlier) => earlier.check_again(home, asked)?,
            None if home.status(name).is_ok() => return Err(TopologyError::Taken { name: name.clone() }),
            None => {}
        }
        let is_again = earlier.as_ref().is_some_and(|one| one.is_made) && asked.from_copy.is_none();
        if let Some(earlier) = &earlier {
            earlier.stop_running(home)?;
            if !is_again {
                earlier.remove_members(home)?;
            }
        }
        let uuid = match earlier {
            Some(earlier) if is_again => earlier.uuid,
            _ => uuid()
                .map_err(|source| TopologyError::Layout { topology: asked.target.topology.name(), source })?,
        };
        let mut new = Self { format: Self::FORMAT, target: asked.target.clone(), is_made: false, uuid };
        if !is_again {
            home.put_document(name, &new)?;
        }
        if let Err(error) = new.bring_up(home, asked, is_again) {
            // What cannot be removed now is removed by the next start, or with the topology.
            if !is_again && new.remove_members(home).is_ok() {
                home.remove_document(name)?;
            }
            return Err(error);
        }
        new.is_made = true;
        home.put_document(name, &new)?;
        Ok(new)
    }

    fn bring_up(&self, home: &Home, asked: &KeptStart<'_>, is_again: bool) -> Result<(), TopologyError> {
        let specs: Vec<(String, &SandboxSpec)> = self.members().collect();
        let members: Vec<MemberStart<'_>> = specs
            .iter()
            .map(|(name, spec)| MemberStart { name, directory: name, spec, on_data: None })
            .collect();
        let password = if is_again { None } else { Some(sandbox::new_password()?) };
        let start_options = TopologyStart {
            topology: self.target.topology,
            arrangement: self.target.arrangement,
            members: &members,
            from_copy: asked.from_copy,
            life: Life::Lasting,
            uuid: Some(&self.uuid),
            password: password.as_ref(),
            port: asked.port,
            limit: asked.limit,
            cancel: asked.cancel,
        };
        let copy = if is_again { None } else { fitting_copy(home, &start_options)? };
        // The servers live on without the values that are dropped here.
        start(home, &TopologyStart { from_copy: copy.as_deref(), ..start_options }).map(drop)
    }

    /// Checks that it can be started again as requested.
    fn check_again(&self, home: &Home, asked: &KeptStart<'_>) -> Result<(), TopologyError> {
        let name = self.target.label.clone();
        let phases = self.statuses(home)?;
        let is_running = |status: &Option<Status>| is_running(status.as_ref());
        if self.is_made && phases.iter().all(|(_, status)| is_running(status)) {
            return Err(TopologyError::Running { name });
        }
        let is_again = self.is_made && asked.from_copy.is_none();
        if !is_again {
            return Ok(());
        }
        let (was, now) = (shape(&self.target), shape(asked.target));
        if was != now {
            return Err(TopologyError::OtherShape { name, was, now });
        }
        match phases.into_iter().find(|(_, status)| status.is_none()) {
            Some((member, _)) => Err(TopologyError::NoData { member, name }),
            None => Ok(()),
        }
    }

    /// Names and specifications of its members, the primary first.
    fn members(&self) -> impl DoubleEndedIterator<Item = (String, &SandboxSpec)> {
        let names = (0..self.target.members.len()).map(|at| model::member_name(&self.target.label, at));
        names.zip(&self.target.members).filter_map(|(name, member)| match &member.kind {
            ServerKind::Sandbox(spec) => Some((name, spec)),
            ServerKind::External(_) | ServerKind::Imported { .. } => None,
        })
    }

    /// Names of its members, the primary first, with the status of each; none where its server was never made.
    ///
    /// # Errors
    /// What is kept of a server cannot be read.
    pub fn statuses(&self, home: &Home) -> Result<Vec<(String, Option<Status>)>, TopologyError> {
        let status = |(name, _): (String, _)| match home.status(&name) {
            Ok(status) => Ok((name, Some(status))),
            Err(SandboxError::Unknown { .. }) => Ok((name, None)),
            Err(source) => Err(failed(source)),
        };
        self.members().map(status).collect()
    }

    /// Stops its members, the primary last.
    ///
    /// # Errors
    /// None of them runs, or one does not end.
    pub fn stop(&self, home: &Home) -> Result<Vec<(String, StopOutcome)>, TopologyError> {
        let _lock = locked(home, &self.target.label)?;
        let stopped = self.stop_running(home)?;
        match stopped.is_empty() {
            true => Err(failed(SandboxError::NotRunning { name: self.target.label.clone() })),
            false => Ok(stopped),
        }
    }

    fn stop_running(&self, home: &Home) -> Result<Vec<(String, StopOutcome)>, TopologyError> {
        let names: Vec<String> = self.members().map(|(name, _)| name).collect();
        let Some((primary, replicas)) = names.split_first() else { return Ok(Vec::new()) };
        let stop = |name: &String| match home.stop(name) {
            Ok(outcome) => Ok(Some((name.clone(), outcome))),
            Err(SandboxError::NotRunning { .. } | SandboxError::Unknown { .. }) => Ok(None),
            Err(source) => Err(failed(source)),
        };
        // The replicas end before the primary, and at the same time: a member of a group takes seconds to leave it.
        let mut outcomes = at_once(replicas, &stop);
        outcomes.push(stop(primary));
        Ok(outcomes.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    /// Removes it with the data of its members, which `force` stops first.
    ///
    /// # Errors
    /// A member runs, or cannot be removed.
    pub fn remove(&self, home: &Home, force: bool) -> Result<(), TopologyError> {
        let lock = locked(home, &self.target.label)?;
        if force {
            self.stop_running(home)?;
        }
        let running = self.statuses(home)?.into_iter().find(|(_, status)| is_running(status.as_ref()));
        if let Some((name, Some(Status { pid, .. }))) = running {
            return Err(failed(SandboxError::Running { name, pid: pid.unwrap_or_default() }));
        }
        self.remove_members(home)?;
        home.remove_document(&self.target.label)?;
        lock.remove();
        Ok(())
    }

    fn remove_members(&self, home: &Home) -> Result<(), TopologyError> {
        for (name, _) in self.members().rev() {
            match home.remove(&name) {
                Ok(()) | Err(SandboxError::Unknown { .. }) => {}
                Err(source) => return Err(failed(source)),
            }
        }
        Ok(())
    }
}

fn is_running(status: Option<&Status>) -> bool {
    status.is_some_and(|status| status.phase == ServerPhase::Running)
}

fn failed(source: SandboxError) -> TopologyError {
    TopologyError::Server { source: Box::new(source) }
}

fn locked(home: &Home, name: &str) -> Result<Lock, TopologyError> {
    home.lock_document(name)?.ok_or_else(|| TopologyError::InUse { name: name.to_owned() })
}

/// The properties that a topology's data depend on: `3 members (mysql, group)`.
fn shape(target: &Target) -> String {
    let flavour = match target.entry() {
        ServerKind::Sandbox(spec) => spec.flavour.name(),
        ServerKind::External(_) | ServerKind::Imported { .. } => "external",
    };
    let writers = if target.arrangement.multi_primary { ", multi_primary" } else { "" };
    format!("{} members ({flavour}, {}{writers})", target.members.len(), target.topology.name())
}
