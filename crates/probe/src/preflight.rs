//! Failures that would occur once the clients connect, found before the first one does.

use messages::number::thousands;
use model::{Advice, OptionId};

use crate::{Limits, OwnLimits};

/// The needs of a run or sweep at its largest number of clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needs<'a> {
    /// Its name in a sentence: `run`, `sweep`.
    pub what: &'a str,
    /// Clients at once.
    pub clients: u64,
    /// Prepared statements per client; 0 without server-side preparation.
    pub statements_per_client: u64,
    /// Tables that a client may have open at once.
    pub tables: u64,
}

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitSeverity {
    /// Clients will be refused.
    Fails,
    /// It will work, but not as fast as it could.
    Slows,
}

/// A predicted failure, with advice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreflightFinding {
    /// Its severity.
    pub severity: LimitSeverity,
    /// The finding, as a sentence.
    pub sentence: String,
    /// Ways out, any one of them.
    pub advice: Vec<Advice>,
}

/// Connections that mydyno itself needs beside the clients: one that asks, one that watches.
const OWN_CONNECTIONS: u64 = 2;

/// Files of this process beside the sockets of clients: recording, epoll, timers, standard streams, libraries.
const OWN_FILES: u64 = 64;

/// Compares the needs with the limits. `host` is the user's name of the server.
pub fn preflight(host: &str, limits: &Limits, own: &OwnLimits, needs: &Needs<'_>) -> Vec<PreflightFinding> {
    let checks = [
        connections(host, limits, needs),
        user_connections(host, limits, needs),
        prepared_statements(host, limits, needs),
        own_files(own, needs),
        table_cache(host, limits, needs),
        server_files(host, limits, needs),
    ];
    checks.into_iter().flatten().collect()
}

fn connections(host: &str, limits: &Limits, needs: &Needs<'_>) -> Option<PreflightFinding> {
    let wanted = needs.clients + OWN_CONNECTIONS;
    let free = limits.max_connections.saturating_sub(limits.connected);
    let taken = match limits.connected {
        0 => String::new(),
        n => format!(", of which {} are taken", thousands(n)),
    };
    (wanted > free).then(|| PreflightFinding {
        severity: LimitSeverity::Fails,
        sentence: format!(
            "{host} allows {} connections (max_connections){taken}, the {} needs {}",
            thousands(limits.max_connections),
            needs.what,
            thousands(wanted)
        ),
        advice: ways_out(
            format!("SET GLOBAL max_connections = {};", generous(wanted + limits.connected)),
            free,
        ),
    })
}

fn user_connections(host: &str, limits: &Limits, needs: &Needs<'_>) -> Option<PreflightFinding> {
    let (wanted, allowed) = (needs.clients + OWN_CONNECTIONS, limits.max_user_connections);
    (allowed > 0 && wanted > allowed).then(|| PreflightFinding {
        severity: LimitSeverity::Fails,
        sentence: format!(
            "{host} allows {} connections per account (max_user_connections), the {} needs {}",
            thousands(allowed),
            needs.what,
            thousands(wanted)
        ),
        advice: ways_out(format!("SET GLOBAL max_user_connections = {};", generous(wanted)), allowed),
    })
}

/// Raise the limit, stay under it, or see it fail.
fn ways_out(raise: String, connections: u64) -> Vec<Advice> {
    let mut advice = vec![Advice::sql("raise it", raise)];
    let clients = connections.saturating_sub(OWN_CONNECTIONS);
    if clients >= 1 {
        let power = 1_u64 << clients.ilog2();
        advice.push(Advice::value(format!("go up to {power}"), OptionId::Threads, format!("1..{power}")));
    }
    advice.push(record_the_failure());
    advice
}

fn record_the_failure() -> Advice {
    Advice::option("record the failure", OptionId::AllowFailingCells)
}

fn prepared_statements(host: &str, limits: &Limits, needs: &Needs<'_>) -> Option<PreflightFinding> {
    let wanted = needs.clients * needs.statements_per_client;
    let free = limits.max_prepared_statements.saturating_sub(limits.prepared_statements);
    (wanted > free).then(|| PreflightFinding {
        severity: LimitSeverity::Fails,
        sentence: format!(
            "{host} allows {} prepared statements (max_prepared_stmt_count), the {} needs {} ({} per client)",
            thousands(limits.max_prepared_statements),
            needs.what,
            thousands(wanted),
            thousands(needs.statements_per_client)
        ),
        advice: vec![
            Advice::sql(
                "raise it",
                format!(
                    "SET GLOBAL max_prepared_stmt_count = {};",
                    generous(wanted + limits.prepared_statements)
                ),
            ),
            Advice::value("send text", OptionId::PreparedStatements, "disable"),
            record_the_failure(),
        ],
    })
}

fn own_files(own: &OwnLimits, needs: &Needs<'_>) -> Option<PreflightFinding> {
    let who = format!("the {} needs", needs.what);
    files(own, &who, needs.clients + OWN_FILES)
}

/// Checks the open files of MySQL Router, which has two connections for each client.
pub fn router_files(own: &OwnLimits, needs: &Needs<'_>) -> Option<PreflightFinding> {
    files(own, "MySQL Router needs", 2 * needs.clients + OWN_FILES)
}

fn files(own: &OwnLimits, who: &str, wanted: u64) -> Option<PreflightFinding> {
    (wanted > own.open_files_max).then(|| PreflightFinding {
        severity: LimitSeverity::Fails,
        sentence: format!(
            "this machine allows {} open files per process (ulimit -Hn), {who} {}",
            thousands(own.open_files_max),
            thousands(wanted)
        ),
        advice: vec![
            Advice::line(
                "raise it as root",
                format!("ulimit -n {} (or LimitNOFILE= of the service)", generous(wanted)),
            ),
            record_the_failure(),
        ],
    })
}

fn table_cache(host: &str, limits: &Limits, needs: &Needs<'_>) -> Option<PreflightFinding> {
    let wanted = needs.clients * needs.tables;
    (wanted > limits.table_open_cache).then(|| PreflightFinding {
        severity: LimitSeverity::Slows,
        sentence: format!(
            "{host} keeps {} tables open (table_open_cache), {} clients on {} tables may want {}: tables will be \
             closed and opened again under load",
            thousands(limits.table_open_cache),
            thousands(needs.clients),
            thousands(needs.tables),
            thousands(wanted)
        ),
        advice: vec![Advice::sql(
            "raise it",
            format!("SET GLOBAL table_open_cache = {};", generous(wanted)),
        )],
    })
}

fn server_files(host: &str, limits: &Limits, needs: &Needs<'_>) -> Option<PreflightFinding> {
    let wanted = needs.clients + needs.tables + OWN_FILES;
    (limits.open_files > 0 && wanted > limits.open_files).then(|| PreflightFinding {
        severity: LimitSeverity::Fails,
        sentence: format!(
            "{host} may open {} files (open_files_limit), {} clients on {} tables need about {}",
            thousands(limits.open_files),
            thousands(needs.clients),
            thousands(needs.tables),
            thousands(wanted)
        ),
        advice: vec![Advice::line(
            "raise it in its my.cnf and restart it",
            format!("open_files_limit = {}", generous(wanted)),
        )],
    })
}

/// Some room, and a round number: 1,026 becomes 1,100.
fn generous(wanted: u64) -> u64 {
    (wanted + wanted / 20).next_multiple_of(100)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOMY: Limits = Limits {
        max_connections: 151,
        connected: 0,
        max_user_connections: 0,
        max_prepared_statements: 16_382,
        prepared_statements: 0,
        table_open_cache: 2_000,
        open_files: 20_000,
    };
    const OWN: OwnLimits = OwnLimits { open_files: 1_024, open_files_max: 20_000 };
    const SWEEP: Needs<'_> = Needs { what: "sweep", clients: 64, statements_per_client: 36, tables: 4 };

    fn findings(limits: &Limits, needs: &Needs<'_>) -> String {
        let way_out = |advice: &Advice| format!("      {}: {:?}\n", advice.what, advice.how);
        let lines = |f: PreflightFinding| {
            let ways_out: String = f.advice.iter().map(way_out).collect();
            format!("{:?}: {}\n{ways_out}", f.severity, f.sentence)
        };
        preflight("db1", limits, &OWN, needs).into_iter().map(lines).collect()
    }

    #[test]
    fn a_sweep_that_fits_finds_nothing() {
        assert_eq!(findings(&ROOMY, &SWEEP), "");
    }

    #[test]
    fn a_router_needs_two_files_for_each_client() {
        let most = |clients| Needs { clients, ..SWEEP };
        let own = OwnLimits { open_files: 1_024, open_files_max: 20_000 };
        assert_eq!(router_files(&own, &most(9_000)), None);
        let found = router_files(&own, &most(10_000)).expect("20,064 files");
        let said =
            "this machine allows 20,000 open files per process (ulimit -Hn), MySQL Router needs 20,064";
        assert_eq!(found.sentence, said);
    }

    #[test]
    fn every_limit_has_its_sentence() {
        let many = Needs { clients: 1_024, ..SWEEP };
        let huge = Needs { clients: 30_000, tables: 10, statements_per_client: 0, ..SWEEP };
        let busy = Limits { connected: 120, max_user_connections: 10, ..ROOMY };
        let texts = [findings(&ROOMY, &many), findings(&busy, &SWEEP), findings(&ROOMY, &huge)];
        insta::assert_snapshot!(texts.join("\n"));
    }
}
