//! Global variables of external servers: set before each trial of a target that asks for it, restored after it.
//!
//! What the server had is on disk before anything is changed, so that a resumed run can put it back after a kill.

use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

use model::{EventKind, Failure, FailureCode, Plan, ServerKind, Target};
use wire::{Client, QueryError};

use crate::dispatch::Dispatcher;
use crate::error::RunError;
use crate::gone::failure;
use crate::member::LiveMember;
use crate::targets::{LiveTarget, TargetEnvironment, connect_options};

type Values = BTreeMap<String, String>;

/// The variables to restore after a trial, by name of the server.
#[must_use]
#[derive(Default)]
pub(crate) struct Changed {
    originals: store::Globals,
}

/// Time for which restoring is retried while a server is away, or busy with an earlier change.
const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(500);

impl Changed {
    /// Restores the previous values of the servers, and verifies them.
    pub fn put_back(self, live: &LiveTarget, to: &mut Dispatcher<'_>) -> Result<(), RunError> {
        if self.originals.is_empty() {
            return Ok(());
        }
        let mut all = Ok(());
        for member in &live.members {
            let Some(originals) = self.originals.get(&member.name) else { continue };
            let restored = restore(&mut || member.ask(), originals);
            // One that is gone does not keep the others from being restored.
            all = all.and(restored.map_err(|why| not_put_back(&member.name, originals, &why)));
        }
        all?;
        Ok(to.writer.globals(&store::Globals::new())?)
    }
}

/// Sets values until the server has them: one may bound another, so that the order matters, and a pool is resized in the
/// background, where a second change is refused.
fn restore(
    ask: &mut dyn FnMut() -> Result<Client, wire::ConnectError>,
    originals: &Values,
) -> Result<(), String> {
    let until = Instant::now() + PATIENCE;
    loop {
        let why = match ask() {
            Err(error) => error.to_string(),
            Ok(mut client) => {
                let said = set(&mut client, originals).err().map(|refused| refused.why);
                match read(&mut client, originals.keys()) {
                    Ok(now) if now == *originals => return Ok(()),
                    Ok(now) => said.unwrap_or_else(|| differs(originals, &now)),
                    Err(error) => error,
                }
            }
        };
        if Instant::now() >= until {
            return Err(why);
        }
        thread::sleep(PAUSE);
    }
}

fn differs(wanted: &Values, now: &Values) -> String {
    let other = wanted.iter().find(|(name, value)| now.get(*name) != Some(value));
    other.map_or_else(String::new, |(name, value)| {
        format!("{name} is {} and not {value}", now.get(name).map_or("unknown", String::as_str))
    })
}

fn not_put_back(label: &str, originals: &Values, why: &str) -> RunError {
    let statements: Vec<String> = originals.iter().map(|(name, value)| statement(name, value)).collect();
    RunError::Globals {
        label: label.to_owned(),
        sentence: format!(
            "changed variables could not be restored ({why}); restore them by hand, or by resuming the run: {}",
            statements.join("; ")
        ),
    }
}

/// Sets a target's variables on each of its servers. A refusal fails the trial, and no change remains.
pub(crate) fn apply(
    plan: &Plan,
    live: &LiveTarget,
    to: &mut Dispatcher<'_>,
) -> Result<Result<Changed, Failure>, RunError> {
    let mut changed = Changed::default();
    for (member, to_set) in to_be_set(plan, live) {
        if let Err(why) = set_on(member, &to_set, &mut changed, to)? {
            let failure = failure(FailureCode::Connect, why);
            match changed.originals.is_empty() {
                true => to.writer.globals(&store::Globals::new())?,
                false => changed.put_back(live, to)?,
            }
            return Ok(Err(failure));
        }
    }
    Ok(Ok(changed))
}

/// The variables to set on a server.
struct ToSet<'a> {
    /// Values set before each trial.
    before: Values,
    /// During the load, in the order of time.
    during: Vec<(&'a str, &'a str)>,
}

impl ToSet<'_> {
    fn names(&self) -> Vec<String> {
        let during = self.during.iter().map(|(name, _)| (*name).to_owned());
        self.before.keys().cloned().chain(during).collect()
    }
}

/// The servers on which something is set.
fn to_be_set<'a>(plan: &'a Plan, live: &'a LiveTarget) -> impl Iterator<Item = (&'a LiveMember, ToSet<'a>)> {
    let target = plan.spec.targets.iter().find(|one| one.target.label == live.label);
    let kinds = target.into_iter().flat_map(|one| &one.target.members).map(|member| &member.kind);
    let loads = plan.spec.loads();
    live.members.iter().zip(kinds).zip(1..).filter_map(move |((member, kind), number)| {
        let before = kind.endpoint()?.globals.clone();
        let during: Vec<_> = loads.iter().flat_map(|load| load.set_later(number)).collect();
        (!before.is_empty() || !during.is_empty()).then_some((member, ToSet { before, during }))
    })
}

/// Sets them on one server. The previous values are on disk first.
fn set_on(
    member: &LiveMember,
    to_set: &ToSet<'_>,
    changed: &mut Changed,
    to: &mut Dispatcher<'_>,
) -> Result<Result<(), String>, RunError> {
    let wanted = &to_set.before;
    let mut client = match member.ask() {
        Ok(client) => client,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let originals = match read(&mut client, to_set.names().iter()) {
        Ok(originals) => originals,
        Err(error) => return Ok(Err(error)),
    };
    changed.originals.insert(member.name.clone(), originals);
    to.writer.globals(&changed.originals)?;
    let Err(Refused { name, why, untouched }) = set(&mut client, wanted) else { return Ok(Ok(())) };
    // What comes behind it was not touched.
    if let Some(originals) = changed.originals.get_mut(&member.name) {
        originals.retain(|touched, _| *touched < name || (*touched == name && !untouched));
    }
    changed.originals.retain(|_, originals| !originals.is_empty());
    Ok(Err(format!("{} was refused: {why}", statement(&name, &wanted[&name]))))
}

/// Reads the server's values.
fn read<'a>(client: &mut Client, names: impl Iterator<Item = &'a String>) -> Result<Values, String> {
    let mut values = Values::new();
    for name in names {
        let rows = client
            .query(&format!("SELECT @@GLOBAL.{name}"))
            .map_err(|error| format!("the variable {name} cannot be read: {error}"))?;
        let value = rows.first().and_then(|row| row.text(0));
        let value =
            value.ok_or_else(|| format!("the variable {name} has no value that could be restored"))?;
        values.insert(name.clone(), value.to_owned());
    }
    Ok(values)
}

/// Sets and restores the variables once, so that refusals, and the values in between, are known before the first trial.
pub(crate) fn try_out(
    target: &Target,
    live: &mut LiveTarget,
    to: &mut Dispatcher<'_>,
    plan: &Plan,
) -> Result<(), RunError> {
    if to_be_set(plan, live).next().is_none() {
        return Ok(());
    }
    let tried = match apply(plan, live, to)? {
        Ok(changed) => {
            let facts = |member: &LiveMember| probe::server_facts(&mut member.ask().ok()?).ok();
            let meanwhile: Vec<_> = live.members.iter().map(facts).collect();
            let refused =
                to_be_set(plan, live).find_map(|(member, to_set)| try_during(member, &to_set).err());
            changed.put_back(live, to)?;
            for (member, facts) in live.members.iter_mut().zip(meanwhile) {
                let Some(facts) = facts else { continue };
                member.facts = facts.clone();
                let (target, address) = (member.name.clone(), member.connect.address.to_string());
                to.emit(EventKind::ServerReady { target, facts, address })?;
            }
            refused
        }
        Err(failure) => Some(failure.message),
    };
    if let Some(why) = tried {
        let hint = "it takes the privilege SYSTEM_VARIABLES_ADMIN (or SUPER) and a variable that can be changed while the \
                        server runs; others are set in its option file, or in a sandbox";
        return Err(RunError::Globals { label: target.label.clone(), sentence: format!("{why}\n  {hint}") });
    }
    let said: Vec<_> = to_be_set(plan, live)
        .map(|(member, to_set)| {
            let before = to_set.before.iter().map(|(name, value)| statement(name, value));
            let during = to_set.during.iter().map(|(name, value)| statement(name, value));
            let list = |statements: Vec<String>, when: &str| {
                (!statements.is_empty()).then(|| format!("{when} {}", statements.join("; ")))
            };
            let all: Vec<String> =
                [list(before.collect(), "before each"), list(during.collect(), "during each load")]
                    .into_iter()
                    .flatten()
                    .collect();
            let durability = member.facts.durability.describe();
            let text = format!("{durability} in its trials: {}; restored after it", all.join("; "));
            EventKind::Caution { target: Some(member.name.clone()), text }
        })
        .collect();
    Ok(said.into_iter().try_for_each(|caution| to.emit(caution))?)
}

/// Tries variables that are set only during a load as well.
fn try_during(member: &LiveMember, to_set: &ToSet<'_>) -> Result<(), String> {
    if to_set.during.is_empty() {
        return Ok(());
    }
    let mut client = member.ask().map_err(|error| error.to_string())?;
    to_set.during.iter().try_for_each(|(name, value)| set_one(&mut client, name, value))
}

/// Sets a global variable.
pub(crate) fn set_one(client: &mut Client, name: &str, value: &str) -> Result<(), String> {
    let one = Values::from([(name.to_owned(), value.to_owned())]);
    set(client, &one).map_err(|refused| format!("{} was refused: {}", statement(name, value), refused.why))
}

/// Restores the values that a killed attempt left changed.
pub(crate) fn put_back_left_over(
    plan: &Plan,
    environment: &TargetEnvironment<'_>,
    to: &mut Dispatcher<'_>,
) -> Result<(), RunError> {
    let left = to.writer.globals_left();
    let mut all = Ok(());
    for (label, originals) in &left {
        let mut named = plan.spec.targets.iter().flat_map(|one| one.target.named());
        let member = named.find_map(|(name, member)| (name == *label).then_some(member));
        let Some(endpoint) = member.and_then(|member| member.kind.endpoint()) else { continue };
        let failed = |why: String| not_put_back(label, originals, &why);
        let connect = connect_options(endpoint, environment.passwords.get(label));
        if let Err(error) = restore(&mut || Client::connect(&connect), originals).map_err(failed) {
            // One that is gone does not keep the others from being restored.
            all = all.and(Err(error));
            continue;
        }
        let text = "the variables that an earlier attempt had changed were restored".to_owned();
        to.emit(EventKind::Caution { target: Some(label.clone()), text })?;
    }
    all?;
    Ok(to.writer.globals(&store::Globals::new())?)
}

/// Limits with the values in effect during the trials of a target.
pub(crate) fn in_trials(plan: &Plan, label: &str, limits: &mut probe::Limits) {
    let target = plan.spec.targets.iter().find(|one| one.target.label == label);
    let Some(values) = target.and_then(|one| wanted(one.target.entry())) else { return };
    let number = |name: &str| values.get(name).and_then(|value| value.parse::<u64>().ok());
    for (limit, name) in [
        (&mut limits.max_connections, "max_connections"),
        (&mut limits.max_user_connections, "max_user_connections"),
        (&mut limits.max_prepared_statements, "max_prepared_stmt_count"),
        (&mut limits.table_open_cache, "table_open_cache"),
    ] {
        *limit = number(name).unwrap_or(*limit);
    }
}

fn wanted(kind: &ServerKind) -> Option<&Values> {
    kind.endpoint().map(|endpoint| &endpoint.globals).filter(|globals| !globals.is_empty())
}

/// A variable that a server refused.
struct Refused {
    name: String,
    why: String,
    /// The server itself reported the error, so this variable has its previous value.
    untouched: bool,
}

/// Sets all of them, in the order of their names.
fn set(client: &mut Client, values: &Values) -> Result<(), Refused> {
    for (name, value) in values {
        let refused = |why: String, untouched| Refused { name: name.clone(), why, untouched };
        match client.execute(&statement(name, value)) {
            Ok(done) if done.warnings == 0 => {}
            // A value that was clipped is another one.
            Ok(_) => {
                if let Some(why) = clipped(client) {
                    return Err(refused(why, false));
                }
            }
            Err(error @ QueryError::Server { .. }) => return Err(refused(error.to_string(), true)),
            Err(error) => return Err(refused(error.to_string(), false)),
        }
    }
    Ok(())
}

/// The warning that the last value was adjusted, if there is one.
fn clipped(client: &mut Client) -> Option<String> {
    /// ER_WRONG_ARGUMENTS and ER_TRUNCATED_WRONG_VALUE.
    const CODES: [u16; 2] = [1210, 1292];
    let rows = client.query("SHOW WARNINGS").ok()?;
    let is_about_it = |row: &&wire::Row| row.parse::<u16>(1).is_some_and(|code| CODES.contains(&code));
    rows.rows.iter().find(is_about_it).and_then(|row| row.text(2)).map(str::to_owned)
}

fn statement(name: &str, value: &str) -> String {
    format!("SET GLOBAL {name} = {}", literal(value))
}

/// A number unchanged, `16M` in bytes like in option files, and anything else in quotes.
fn literal(value: &str) -> String {
    if value.parse::<f64>().is_ok_and(f64::is_finite) {
        return value.to_owned();
    }
    let scaled = || {
        let scale = match value.chars().last()?.to_ascii_uppercase() {
            'K' => 1_u64 << 10,
            'M' => 1 << 20,
            'G' => 1 << 30,
            'T' => 1 << 40,
            _ => return None,
        };
        value[..value.len() - 1].parse::<u64>().ok()?.checked_mul(scale)
    };
    match scaled() {
        Some(bytes) => bytes.to_string(),
        None => format!("'{}'", value.replace('\\', "\\\\").replace('\'', "''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_the_server_takes_them() {
        assert_eq!(statement("sync_binlog", "0"), "SET GLOBAL sync_binlog = 0");
        assert_eq!(
            statement("innodb_log_buffer_size", "16M"),
            "SET GLOBAL innodb_log_buffer_size = 16777216"
        );
        assert_eq!(statement("slow_query_log", "ON"), "SET GLOBAL slow_query_log = 'ON'");
        assert_eq!(statement("x", "it's"), "SET GLOBAL x = 'it''s'");
    }
}
