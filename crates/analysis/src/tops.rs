//! The largest consumers of the server's time in the measured window: statements, waits, threads.

use std::collections::{BTreeMap, BTreeSet};

use messages::message;
use model::{EventUse, OperationKind, Snapshot, StatementUse, Unseen};
use serde::{Deserialize, Serialize};

use crate::Words;
use crate::input::TrialInput;
use crate::machine::snapshots;
use crate::threads::{self, NamedThreads};

/// Maximum number of entries kept of each.
const KEPT: usize = 12;

/// The most expensive of each kind over all completed runs of a cell and all servers that clients connect to, most expensive first.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tops {
    /// Statements by their time.
    pub statements: Vec<TopStatement>,
    /// Statements that the server keeps no digest of, if they are a part worth naming.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undigested: Option<Undigested>,
    /// Waits by their time.
    pub waits: Vec<TopWait>,
    /// Stages of statements by their time.
    pub stages: Vec<TopWait>,
    /// Threads of the server by their CPU.
    pub threads: Vec<TopThreads>,
    /// What could not be seen, and why.
    pub unseen: Vec<Unseen>,
}

/// A form of statement.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TopStatement {
    /// Without its values; tables that differ by a number at their end stand together.
    pub text: String,
    /// Share of the time of all statements, those without a digest among them.
    pub share: f64,
    /// Executions per transaction.
    pub per_transaction: f64,
    /// Mean time of an execution in the server.
    pub mean_ms: f64,
    /// Rows that an execution looks at.
    pub rows_examined: f64,
    /// Rows that it sends or changes.
    pub rows_returned: f64,
    /// Share of the executions that went through a whole table.
    pub full_scans: f64,
    /// Executions that ended with an error.
    pub errors: u64,
}

/// Statements that the server counts without a digest: MySQL before 9.0 keeps none of what a client executes by the
/// prepared-statement protocol.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Undigested {
    /// Share of the time of all statements.
    pub share: f64,
    /// Executions per transaction; none: not counted apart.
    pub per_transaction: Option<f64>,
    /// What they are, and where to look instead.
    pub says: Words,
    /// The statements as the clients timed them, which is complete: by their share of that time.
    pub by_client: Vec<ClientStatement>,
}

/// One kind of statement, as the clients timed it from sending to the end of its result.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ClientStatement {
    /// Name of the operation.
    pub operation: String,
    /// Share of the service time of all statements.
    pub share: f64,
    /// Executions per transaction.
    pub per_transaction: f64,
    /// Mean service time.
    pub mean_ms: f64,
}

/// A wait, or a stage.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TopWait {
    /// The event's name in the performance schema.
    pub event: String,
    /// Times per transaction.
    pub per_transaction: f64,
    /// Time per transaction.
    pub ms_per_transaction: f64,
    /// Threads that were in it at any time, in the mean.
    pub threads: f64,
}

/// The threads of one name.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TopThreads {
    /// The server that they belong to; none of a target with one server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The name that the server gave them.
    pub name: String,
    /// How many.
    pub threads: u64,
    /// CPUs that they used together.
    pub cpus: f64,
    /// CPUs that the busiest of them used: near 1 it can do no more.
    pub busiest: f64,
}

/// Counts over all trials.
#[derive(Default)]
struct Sums {
    seconds: f64,
    transactions: f64,
    statements: BTreeMap<String, StatementUse>,
    /// Seconds in digests, those of the watch among them.
    digested_s: f64,
    /// Seconds in all statements, with a digest or without.
    all_s: f64,
    /// Executions by the prepared-statement protocol.
    executed: EventUse,
    /// Service time of the clients' statements.
    by_client: BTreeMap<String, EventUse>,
    /// Transactions that `by_client` is about.
    client_transactions: f64,
    waits: BTreeMap<String, EventUse>,
    stages: BTreeMap<String, EventUse>,
    /// Threads by server and name.
    threads: BTreeMap<(String, String), NamedThreads>,
}

/// The top consumers over the completed trials that were observed; none if none was observed and no reason is known.
pub(crate) fn tops(completed: &[&TrialInput<'_>]) -> Option<Tops> {
    let mut sums = Sums::default();
    let mut unseen: Vec<Unseen> = Vec::new();
    for trial in completed {
        for one in trial.used().filter_map(|watched| watched.after.as_ref()).flat_map(|after| &after.unseen) {
            if !unseen.contains(one) {
                unseen.push(one.clone());
            }
        }
        let seen: Vec<_> = trial.used().filter_map(|watched| snapshots(trial, watched)).collect();
        let Some((_, _, seconds)) = seen.first() else { continue };
        let per_s = trial.result.measured.transactions as f64 / trial.result.measured.measured_s;
        sums.seconds += seconds;
        sums.transactions += per_s * seconds;
        seen.iter().for_each(|(before, after, _)| sums.add(before, after));
        sums.add_client(trial);
        sums.add_threads(trial);
    }
    let seen = sums.seconds > 0.0 && sums.transactions > 0.0;
    (seen || !unseen.is_empty()).then(|| if seen { sums } else { Sums::default() }.tops(unseen))
}

impl Sums {
    fn add(&mut self, before: &Snapshot, after: &Snapshot) {
        for now in &after.statements {
            let then =
                before.statements.iter().find(|then| then.schema == now.schema && then.text == now.text);
            if !is_of_the_watch(&now.text) {
                add_statement(self.statements.entry(form(&now.text)).or_default(), now, then);
            }
        }
        if let (Some(then), Some(now)) = (before.digested_s, after.digested_s) {
            self.digested_s += (now - then).max(0.0);
        }
        let mut events = BTreeMap::new();
        add_events(&mut events, &before.statement_events, &after.statement_events);
        self.all_s += events.values().map(|event| event.time_s).sum::<f64>();
        if let Some(executed) = events.get(EXECUTED) {
            self.executed.count += executed.count;
            self.executed.time_s += executed.time_s;
        }
        add_events(&mut self.waits, &before.waits, &after.waits);
        add_events(&mut self.stages, &before.stages, &after.stages);
    }

    fn add_client(&mut self, trial: &TrialInput<'_>) {
        self.client_transactions += trial.result.measured.transactions as f64;
        let statements =
            trial.result.measured.operations.iter().filter(|one| one.kind == OperationKind::Statement);
        for one in statements {
            let sum = self.by_client.entry(one.name.clone()).or_default();
            sum.count += one.service.count;
            sum.time_s += one.service.count as f64 * one.service.mean_ns / 1e9;
        }
    }

    /// Statements that are in no digest. Where digests hold everything, as in MySQL from 9.0 on, the two sums differ only by
    /// the moment between the two readings.
    fn undigested(&self) -> Option<(f64, EventUse)> {
        const WORTH_NAMING: f64 = 0.05;
        let seconds = (self.all_s - self.digested_s).clamp(0.0, self.executed.time_s);
        (seconds > WORTH_NAMING * self.all_s).then_some((seconds, self.executed))
    }

    fn client_statements(&self) -> Vec<ClientStatement> {
        let all_s: f64 = self.by_client.values().map(|one| one.time_s).sum();
        let timed = self.by_client.iter().filter(|(_, one)| one.count > 0 && one.time_s > 0.0);
        let one = |(name, one): (&String, &EventUse)| ClientStatement {
            operation: name.clone(),
            share: one.time_s / all_s,
            per_transaction: one.count as f64 / self.client_transactions.max(1.0),
            mean_ms: one.time_s / one.count as f64 * 1e3,
        };
        most(timed.map(one), |one| one.share)
    }

    /// Adds the threads of every server.
    fn add_threads(&mut self, trial: &TrialInput<'_>) {
        for (server, watched) in trial.servers() {
            let Some((seconds, named)) = threads::named(trial, watched) else { continue };
            for (name, now) in named {
                let sum = self.threads.entry((server.clone(), name.to_owned())).or_default();
                sum.threads = sum.threads.max(now.threads);
                sum.cpus += now.cpus * seconds;
                sum.busiest = sum.busiest.max(now.busiest);
            }
        }
    }

    fn tops(self, unseen: Vec<Unseen>) -> Tops {
        let (seconds, transactions) = (self.seconds, self.transactions);
        let hidden = self.undigested();
        let hidden_s = hidden.map_or(0.0, |(seconds, _)| seconds);
        let all_s = hidden_s + self.statements.values().map(|one| one.all.time_s).sum::<f64>();
        let undigested = hidden.map(|(seconds, executed)| {
            // Where some of the executions have a digest, how many have none is not known.
            let alone = seconds > 0.95 * executed.time_s;
            Undigested {
                share: seconds / all_s,
                per_transaction: alone.then(|| executed.count as f64 / transactions),
                says: no_digest(seconds / all_s),
                by_client: self.client_statements(),
            }
        });
        let statement = |(text, sum): (String, StatementUse)| {
            let each = |count: f64| count / sum.all.count as f64;
            TopStatement {
                text,
                share: sum.all.time_s / all_s,
                per_transaction: sum.all.count as f64 / transactions,
                mean_ms: each(sum.all.time_s) * 1e3,
                rows_examined: each(sum.rows_examined as f64),
                rows_returned: each(sum.rows_returned as f64),
                full_scans: each(sum.full_scans as f64),
                errors: sum.errors,
            }
        };
        let wait = |(event, sum): (String, EventUse)| TopWait {
            event,
            per_transaction: sum.count as f64 / transactions,
            ms_per_transaction: sum.time_s / transactions * 1e3,
            threads: sum.time_s / seconds,
        };
        let servers: BTreeSet<String> = self.threads.keys().map(|(server, _)| server.clone()).collect();
        let threads = |((server, name), sum): ((String, String), NamedThreads)| TopThreads {
            server: (servers.len() > 1).then_some(server),
            name,
            threads: sum.threads,
            cpus: sum.cpus / seconds,
            busiest: sum.busiest,
        };
        let did_something = |sum: &StatementUse| sum.all.count > 0 && sum.all.time_s > 0.0;
        let waited = |sum: &EventUse| sum.count > 0 && sum.time_s > 0.0;
        Tops {
            statements: most(
                self.statements.into_iter().filter(|(_, sum)| did_something(sum)).map(statement),
                |one| one.share,
            ),
            undigested,
            waits: most(self.waits.into_iter().filter(|(_, sum)| waited(sum)).map(wait), |one| one.threads),
            stages: most(self.stages.into_iter().filter(|(_, sum)| waited(sum)).map(wait), |one| one.threads),
            threads: most(
                self.threads.into_iter().map(threads).filter(|one| one.cpus >= SHOWN_FROM_CPUS),
                |one| one.cpus,
            ),
            unseen,
        }
    }
}

/// The event that the server counts when a client executes a prepared statement.
const EXECUTED: &str = "statement/com/Execute";

fn no_digest(share: f64) -> Words {
    message!("no-digest", share = Percent(share))
}

/// Minimum CPU use of the threads shown, CPUs.
const SHOWN_FROM_CPUS: f64 = 0.005;

fn most<T>(all: impl Iterator<Item = T>, by: fn(&T) -> f64) -> Vec<T> {
    let mut all: Vec<T> = all.collect();
    all.sort_by(|a, b| by(b).total_cmp(&by(a)));
    all.truncate(KEPT);
    all
}

fn add_events(
    sums: &mut BTreeMap<String, EventUse>,
    before: &BTreeMap<String, EventUse>,
    after: &BTreeMap<String, EventUse>,
) {
    for (event, now) in after {
        let then = before.get(event).copied().unwrap_or_default();
        let sum = sums.entry(event.clone()).or_default();
        sum.count += now.count.saturating_sub(then.count);
        sum.time_s += (now.time_s - then.time_s).max(0.0);
    }
}

fn add_statement(sum: &mut StatementUse, now: &StatementUse, then: Option<&StatementUse>) {
    let none = StatementUse::default();
    let then = then.unwrap_or(&none);
    sum.all.count += now.all.count.saturating_sub(then.all.count);
    sum.all.time_s += (now.all.time_s - then.all.time_s).max(0.0);
    sum.rows_examined += now.rows_examined.saturating_sub(then.rows_examined);
    sum.rows_returned += now.rows_returned.saturating_sub(then.rows_returned);
    sum.full_scans += now.full_scans.saturating_sub(then.full_scans);
    sum.errors += now.errors.saturating_sub(then.errors);
}

/// Whether a statement comes from the observation itself.
pub(crate) fn is_of_the_watch(text: &str) -> bool {
    const OWN: [&str; 6] = [
        "performance_schema",
        "PERFORMANCE_SCHEMA",
        "@@",
        "`innodb_metrics`",
        "`processlist`",
        "`mydyno` . `heartbeat`",
    ];
    text.starts_with("SHOW ") || text.starts_with("EXPLAIN ") || OWN.iter().any(|part| text.contains(part))
}

/// The normalised form of a statement: the same for prepared statements and text, and for tables that differ by a number.
fn form(text: &str) -> String {
    let text = text.strip_prefix("EXECUTE ").unwrap_or(text);
    let mut form = String::with_capacity(text.len());
    for (at, part) in text.split('`').enumerate() {
        let names_table = ["FROM ", "JOIN ", "UPDATE ", "INTO "].iter().any(|word| form.ends_with(word));
        if at > 0 {
            form.push('`');
        }
        let plain = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let numbered = at % 2 == 1 && names_table && plain.len() < part.len() && !plain.is_empty();
        form.push_str(if numbered { plain } else { part });
        if numbered {
            form.push('#');
        }
    }
    form
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_of_numbered_tables_stand_together() {
        assert_eq!(
            form("EXECUTE SELECT `c` FROM `sbtest12` WHERE `id` = ?"),
            form("SELECT `c` FROM `sbtest3` WHERE `id` = ?")
        );
        assert_eq!(form("SELECT `c1` FROM `t1`"), "SELECT `c1` FROM `t#`");
    }
}
