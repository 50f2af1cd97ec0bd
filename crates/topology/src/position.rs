//! The positions of Galera nodes' data in the history of their cluster, and the choice of the node that begins.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sandbox::{Home, Membership, Server, StartError, StartOptions};

use crate::asked::TopologyStart;
use crate::error::TopologyError;
use crate::lines;
use crate::seat::{Common, Seat};

/// File in a node's data directory that holds its position.
const STATE: &str = "grastate.dat";
/// Text before the recovered position, in the log.
const RECOVERED: &str = "Recovered position: ";

/// Determines the positions of the nodes' data, and the node with the newest: it begins the cluster.
pub(crate) fn find(home: &Home, asked: &TopologyStart<'_>, common: &mut Common) -> Result<(), TopologyError> {
    if let Some(key) = asked.from_copy {
        let position = home.file_of_copy(key, STATE).and_then(|state| Some(Position::read(&state)?.text()));
        common.positions = position.map(|one| vec![one; asked.members.len()]).unwrap_or_default();
        return Ok(());
    }
    let mut all = Vec::new();
    for at in 0..asked.members.len() {
        let fail = |source| TopologyError::State { member: asked.members[at].name.to_owned(), source };
        let path = state_file(home, asked, at)?;
        let state = fs::read_to_string(&path).map_err(fail)?;
        let mut position = Position::read(&state).unwrap_or_default();
        if position.number < 0 {
            common.is_recovered = true;
            position = recovered(home, asked, common, at)?;
        }
        all.push(position);
    }
    let most = |at: &usize| (all[*at].number, all[*at].may_begin, std::cmp::Reverse(*at));
    common.first = (0..all.len()).max_by_key(most).unwrap_or(0);
    common.positions = all.iter().map(Position::text).collect();
    if !all[common.first].may_begin {
        // Only the node that left last allows it by itself; here, all of them are known.
        let path = state_file(home, asked, common.first)?;
        let fail =
            |source| TopologyError::State { member: asked.members[common.first].name.to_owned(), source };
        let state = fs::read_to_string(&path).map_err(fail)?;
        fs::write(&path, state.replace("safe_to_bootstrap: 0", "safe_to_bootstrap: 1")).map_err(fail)?;
    }
    Ok(())
}

fn state_file(home: &Home, asked: &TopologyStart<'_>, at: usize) -> Result<PathBuf, TopologyError> {
    let member = asked.members[at];
    let status = home.status(member.directory);
    Ok(status
        .map_err(|source| TopologyError::Server { source: Box::new(source) })?
        .dir
        .join("data")
        .join(STATE))
}

/// The position of a node that ended without being stopped. Its server recovers, says so in its log, and ends.
fn recovered(
    home: &Home,
    asked: &TopologyStart<'_>,
    common: &Common,
    at: usize,
) -> Result<Position, TopologyError> {
    let (member, seat) = (asked.members[at], Seat { common, at });
    let mut lines = lines::of(&seat, &member.spec.settings);
    lines.push(("wsrep_recover".to_owned(), "ON".to_owned()));
    let options = StartOptions {
        life: asked.life,
        limit: asked.limit,
        cancel: asked.cancel,
        membership: Membership { lines: &lines, ..Membership::default() },
        ..StartOptions::new(member.directory, member.spec)
    };
    let source = match home.start(&options) {
        Err(StartError::Died { log_tail, .. }) if log_tail.contains(RECOVERED) => {
            return Ok(Position::in_log(&log_tail).unwrap_or_default());
        }
        Err(source) => source,
        Ok(server) => {
            let stopped = server.stop();
            stopped.map_err(|source| TopologyError::Server { source: Box::new(source) })?;
            return Ok(Position::default());
        }
    };
    Err(TopologyError::Start { member: member.name.to_owned(), source: Box::new(source) })
}

/// The common parameters for a node that has ended and rejoins the others: they continue, and its data are at the position
/// where it ended.
///
/// # Errors
/// The reason the position cannot be determined.
pub(crate) fn of_ended(
    home: &Home,
    common: &Common,
    (at, server): (usize, &mut Server),
    limit: Duration,
    cancel: &AtomicBool,
) -> Result<Common, String> {
    let first = usize::from(at == 0);
    let mut joining = Common { first, positions: Vec::new(), is_recovered: false, ..common.clone() };
    let path = server.dir().join("data").join(STATE);
    let state = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut position = Position::read(&state).filter(|one| one.number >= 0);
    if position.is_none() {
        let mut lines = lines::of(&Seat { common: &joining, at }, &server.spec().settings);
        lines.push(("wsrep_recover".to_owned(), "ON".to_owned()));
        let membership = Membership { lines: &lines, ..Membership::default() };
        let log = home.run_once(server, membership, limit, cancel).map_err(|error| error.to_string())?;
        position = Position::in_log(&log).filter(|one| one.number >= 0);
        joining.is_recovered = true;
    }
    let position = position.ok_or("its position in the history of the cluster could not be recovered")?;
    joining.positions = vec![position.text(); common.ports.len()];
    Ok(joining)
}

/// The position of data in the history of their cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Position {
    cluster: String,
    /// Number of the last write set; -1: the server did not end by itself.
    number: i64,
    /// Whether the node may begin the cluster: it was the last one in it.
    may_begin: bool,
}

impl Default for Position {
    fn default() -> Self {
        Self { cluster: "00000000-0000-0000-0000-000000000000".to_owned(), number: -1, may_begin: false }
    }
}

impl Position {
    /// Reads the file in which a node keeps it.
    fn read(state: &str) -> Option<Self> {
        let value = |name: &str| state.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        Some(Self {
            cluster: value("uuid:")?.to_owned(),
            number: value("seqno:")?.parse().ok()?,
            may_begin: value("safe_to_bootstrap:") == Some("1"),
        })
    }

    /// Reads a log entry: `UUID:NUMBER`, in newer versions followed by a GTID.
    fn parse(text: &str) -> Option<Self> {
        let (cluster, number) = text.trim().split(',').next()?.split_once(':')?;
        Some(Self { cluster: cluster.to_owned(), number: number.parse().ok()?, may_begin: false })
    }

    /// The last one that a recovery has found.
    fn in_log(log: &str) -> Option<Self> {
        let (_, text) = log.lines().rev().find_map(|line| line.split_once(RECOVERED))?;
        Self::parse(text)
    }

    fn text(&self) -> String {
        format!("{}:{}", self.cluster, self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_read_from_a_state_and_from_a_log() {
        let state = "# GALERA saved state\nversion: 2.1\nuuid:    c0f-e\nseqno:   12\nsafe_to_bootstrap: 1\n";
        let read = Position::read(state).expect("a state");
        assert_eq!((read.text().as_str(), read.may_begin), ("c0f-e:12", true));
        assert_eq!(Position::parse("c0f-e:12,0-1-9\n").expect("newer").text(), "c0f-e:12");
        assert_eq!(Position::read("uuid: x\n"), None);
    }
}
