//! Examines a topology for `mydyno server status`: its members, and what each of them reports.

use std::time::Duration;

use sandbox::{Home, ServerPhase, Status};
use serde_json::{Value, json};
use topology::{Behind, KeptTopology, MemberProgress};

use crate::error::{Outcome, UserError};

/// Timeout for an answer of a member: a frozen one is not waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// The current state of a member.
pub struct Seen {
    pub name: String,
    pub role: &'static str,
    pub status: Option<Status>,
    pub progress: Option<MemberProgress>,
    /// Its fault; none if it is healthy.
    pub fault: Option<String>,
}

/// The current state of a topology.
pub struct SeenTopology {
    pub seen: Vec<Seen>,
    pub state: TopologyState,
}

/// The state of a topology.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TopologyState {
    /// All members are as they should be.
    Ready,
    /// No member runs.
    Stopped,
    /// Its first start did not end.
    Incomplete,
    /// A member has a fault.
    Degraded,
}

impl TopologyState {
    /// The name of the state.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Stopped => "stopped",
            Self::Incomplete => "incomplete",
            Self::Degraded => "degraded",
        }
    }
}

/// Looks at a topology and all of its members.
pub fn look(home: &Home, kept: &KeptTopology) -> Outcome<SeenTopology> {
    let statuses = kept.statuses(home).map_err(|error| UserError::told(&error))?;
    let count = statuses.len();
    let seen = statuses.into_iter().enumerate().map(|(at, one)| see(home, kept, (at, count), one));
    let seen: Vec<Seen> = seen.collect();
    let state = match seen.iter().filter(|one| one.is_running()).count() {
        _ if !kept.is_made => TopologyState::Incomplete,
        _ if seen.iter().all(|one| one.fault.is_none()) => TopologyState::Ready,
        0 => TopologyState::Stopped,
        _ => TopologyState::Degraded,
    };
    Ok(SeenTopology { seen, state })
}

/// The state as JSON.
pub fn json(kept: &KeptTopology, found: &SeenTopology) -> Value {
    let member = |one: &Seen| {
        let progress = one.progress.as_ref();
        let behind = progress.and_then(|progress| progress.behind);
        let (seconds, queued) = match behind {
            Some(Behind::Seconds(seconds)) => (Some(seconds), None),
            Some(Behind::Queued(count)) => (None, Some(count)),
            None => (None, None),
        };
        json!({
            "name": one.name, "role": one.role, "fault": one.fault, "server": one.status,
            "executed": progress.map(|progress| &progress.executed), "behind_s": seconds, "queued": queued,
        })
    };
    json!({
        "name": kept.target.label, "topology": kept.target.topology, "state": found.state.name(),
        "members": found.seen.iter().map(member).collect::<Vec<_>>(),
    })
}

impl Seen {
    /// Whether its process exists.
    pub fn is_running(&self) -> bool {
        self.status.as_ref().is_some_and(|status| status.phase == ServerPhase::Running)
    }
}

/// Looks at a member, and asks it if it runs.
fn see(
    home: &Home,
    kept: &KeptTopology,
    (at, count): (usize, usize),
    (name, status): (String, Option<Status>),
) -> Seen {
    let topology = kept.target.topology;
    let role = kept.target.members[at].role;
    let seen = Seen { name, role: role.name(), status, progress: None, fault: None };
    if !seen.is_running() {
        return Seen { fault: Some("it does not run".to_owned()), ..seen };
    }
    let no_answer = |why: String| Some(format!("it does not answer: {why}"));
    let client = match home.connect_options(&seen.name) {
        Ok(options) => {
            let options =
                wire::ConnectOptions { connect_timeout: PATIENCE, read_timeout: Some(PATIENCE), ..options };
            wire::Client::connect(&options).map_err(|error| error.to_string())
        }
        Err(error) => Err(error.to_string()),
    };
    let mut client = match client {
        Ok(client) => client,
        Err(why) => return Seen { fault: no_answer(why), ..seen },
    };
    let fault = topology::fault(topology, at, count, &mut client).map(|fault| fault.to_string());
    match topology::progress(topology, role, &mut client) {
        Ok(progress) => Seen { role: progress.role.name(), progress: Some(progress), fault, ..seen },
        Err(error) => Seen { fault: fault.or_else(|| no_answer(error.to_string())), ..seen },
    }
}
