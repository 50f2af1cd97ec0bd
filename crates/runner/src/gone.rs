//! Detects servers, and routers in front of them, that are gone at the end of a load.

use std::collections::BTreeSet;

use model::{Advise, Failure, FailureCode};
use wire::ConnectError;

use crate::member::LiveMember;
use crate::targets::LiveTarget;

pub(crate) fn failure(code: FailureCode, message: String) -> Failure {
    Failure { code, message, hint: None, server_error: None }
}

/// A sandboxed server that has died, or the router in front of them, in words. `ended` are those that were ended on purpose.
pub(crate) fn crash_of(live: &mut LiveTarget, ended: &BTreeSet<usize>) -> Option<Failure> {
    server_crash(live, ended).or_else(|| {
        let crashed = live.router.as_mut()?.alive().err()?;
        // It is started anew with its servers.
        (live.dirty, live.used) = (true, true);
        Some(Failure {
            hint: Some(format!("the end of its log:\n{}", crashed.log_tail)),
            ..failure(FailureCode::ServerGone, format!("MySQL Router died: {}", crashed.status))
        })
    })
}

fn server_crash(live: &mut LiveTarget, ended: &BTreeSet<usize>) -> Option<Failure> {
    let dead = |member: &mut LiveMember| member.server.as_mut()?.alive().err();
    let left = live.members.iter_mut().enumerate().filter(|(at, _)| !ended.contains(at));
    let (at, crashed) = { left }.find_map(|(at, one)| Some((at, dead(one)?)))?;
    // Whatever the workload does: its server has to be started anew.
    (live.dirty, live.used) = (true, true);
    let ways_out =
        crashed.advice().iter().map(|advice| format!("{}\n", advice.in_words())).collect::<String>();
    let reading = crashed.reading.as_ref().map(|reading| format!(" ({})", reading.says)).unwrap_or_default();
    Some(Failure {
        code: FailureCode::ServerGone,
        message: about(live, &live.members[at], &format!("the server died: {}{reading}", crashed.status)),
        hint: Some(format!("{ways_out}the end of its log:\n{}", crashed.log_tail)),
        server_error: None,
    })
}

/// The failure if an external server can no longer be reached. Clients that were waiting for something to be due have not
/// noticed.
pub(crate) fn gone(live: &LiveTarget, member: &LiveMember) -> Option<Failure> {
    let error = member.ask().err()?;
    let is_gone = matches!(
        error,
        ConnectError::Refused { .. }
            | ConnectError::Socket { .. }
            | ConnectError::TimedOut { .. }
            | ConnectError::Lost { .. }
    );
    is_gone.then(|| {
        let message = format!("the server was gone when the load had ended: {error}");
        failure(FailureCode::ServerGone, about(live, member, &message))
    })
}

/// Names the server where the target has several.
pub(crate) fn about(live: &LiveTarget, member: &LiveMember, message: &str) -> String {
    if live.members.len() > 1 { format!("{}: {message}", member.name) } else { message.to_owned() }
}
