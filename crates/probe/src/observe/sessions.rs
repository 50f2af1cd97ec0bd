//! Statements that have run for long, whoever sent them: what they wait for, or what they do beside the load.

use std::collections::BTreeMap;

use model::{LongStatements, Observation};
use wire::ResultSet;

use crate::ask::ask;
use crate::context::ReadingContext;
use crate::error::ProbeError;

const WHAT: &str = "long statements";
/// So many kinds of them are kept.
const KEPT: usize = 4;
/// In the process list of MariaDB the server writes a line for each session: with more of them it is not read.
const SESSIONS_MAX: u64 = 256;

/// Takes no lock that a session needs.
const MYSQL: &str = "SELECT processlist_command AS command, processlist_time AS time, processlist_state AS state, \
     LEFT(processlist_info, 40) AS info FROM performance_schema.threads WHERE type = 'FOREGROUND' AND processlist_time >= 1 \
     AND processlist_command IN ('Query', 'Execute') LIMIT 1000";
const MARIADB: &str = "SHOW PROCESSLIST";

pub(super) fn read(context: &mut ReadingContext<'_>, seen: &mut Observation) -> Result<(), ProbeError> {
    let is_mariadb = context.client.session().is_mariadb;
    let sessions = seen.status.get("threads_connected").copied().unwrap_or_default();
    if context.silent.contains(WHAT) || (is_mariadb && sessions > SESSIONS_MAX) {
        return Ok(());
    }
    let sql = if is_mariadb { MARIADB } else { MYSQL };
    match ask(context.client, &mut Vec::new(), WHAT, sql)? {
        Some(found) => seen.long_statements = long(&found),
        None => _ = context.silent.insert(WHAT),
    }
    Ok(())
}

/// Those of a process list.
fn long(found: &ResultSet) -> Vec<LongStatements> {
    let [command, time, state, text] = ["command", "time", "state", "info"].map(|name| found.position(name));
    let mut kinds: BTreeMap<(String, String), (u64, u64)> = BTreeMap::new();
    for row in &found.rows {
        let of = |at: Option<usize>| at.and_then(|at| row.text(at)).unwrap_or_default();
        let seconds: u64 = of(time).parse().unwrap_or_default();
        if seconds == 0 || !["Query", "Execute"].contains(&of(command)) {
            continue;
        }
        let kind = kinds.entry((verb(of(text)), of(state).to_owned())).or_default();
        *kind = (kind.0 + 1, kind.1.max(seconds));
    }
    let one =
        |((verb, state), (statements, longest_s))| LongStatements { verb, state, statements, longest_s };
    let mut all: Vec<LongStatements> = kinds.into_iter().map(one).collect();
    all.sort_by_key(|one| std::cmp::Reverse(one.statements));
    all.truncate(KEPT);
    all
}

/// What a statement begins with: nothing of its values.
fn verb(text: &str) -> String {
    text.trim_start().chars().take_while(char::is_ascii_alphabetic).collect::<String>().to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::verb;

    #[test]
    fn a_verb_has_nothing_of_the_values() {
        assert_eq!(verb(" alter table t add c int"), "ALTER");
        assert_eq!(verb("SELECT'secret'"), "SELECT");
        assert_eq!(verb(""), "");
    }
}
