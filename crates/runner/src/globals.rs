//! Global variables of servers that somebody else runs: set before each trial of a target that asks for it, put back after it.
//!
//! What the server had is on disk before anything is changed, so that a resumed run can put it back after a kill.

use std::collections::BTreeMap;

use model::{EventKind, Failure, FailureCode, Plan, Target, TargetKind};
use wire::Client;

use crate::conduct::RunError;
use crate::dispatch::Dispatcher;
use crate::targets::{Bench, Site, connect_options};
use crate::trial::failure;

type Values = BTreeMap<String, String>;

/// What has to be put back after a trial.
#[must_use]
pub(crate) struct Changed {
    originals: Values,
}

impl Changed {
    /// Puts back what the server had before.
    pub fn put_back(self, bench: &Bench, to: &mut Dispatcher<'_>) -> Result<(), RunError> {
        if self.originals.is_empty() {
            return Ok(());
        }
        let left = |why: String| not_put_back(&bench.label, &self.originals, &why);
        let mut client = bench.ask().map_err(|error| left(error.to_string()))?;
        set(&mut client, &self.originals).map_err(|(_, error)| left(error))?;
        Ok(to.writer.globals(&store::Globals::new())?)
    }
}

fn not_put_back(label: &str, originals: &Values, why: &str) -> RunError {
    let statements: Vec<String> = originals.iter().map(|(name, value)| statement(name, value)).collect();
    RunError::Globals {
        label: label.to_owned(),
        sentence: format!(
            "variables that were changed could not be put back ({why}); put them back by hand, or by resuming the run: {}",
            statements.join("; ")
        ),
    }
}

/// Sets what a target asks for. What the server refuses makes the trial fail, and nothing stays changed.
pub(crate) fn apply(
    plan: &Plan,
    bench: &Bench,
    to: &mut Dispatcher<'_>,
) -> Result<Result<Changed, Failure>, RunError> {
    let target = plan.targets.iter().find(|one| one.target.label == bench.label);
    let Some(wanted) = target.and_then(|one| wanted(&one.target)) else {
        return Ok(Ok(Changed { originals: Values::new() }));
    };
    let refused = |message: String| Ok(Err(failure(FailureCode::Connect, message)));
    let mut client = match bench.ask() {
        Ok(client) => client,
        Err(error) => return refused(error.to_string()),
    };
    let mut originals = Values::new();
    for name in wanted.keys() {
        match client.query(&format!("SELECT @@GLOBAL.{name}")) {
            Ok(rows) => {
                let value = rows.first().and_then(|row| row.text(0)).unwrap_or_default();
                originals.insert(name.clone(), value.to_owned());
            }
            Err(error) => return refused(format!("the variable {name} cannot be read: {error}")),
        }
    }
    to.writer.globals(&store::Globals::from([(bench.label.clone(), originals.clone())]))?;
    match set(&mut client, wanted) {
        Ok(()) => Ok(Ok(Changed { originals })),
        Err((name, error)) => {
            // What comes behind it was not touched.
            originals.retain(|touched, _| *touched < name);
            match originals.is_empty() {
                true => to.writer.globals(&store::Globals::new())?,
                false => Changed { originals }.put_back(bench, to)?,
            }
            refused(format!("{} was refused: {error}", statement(&name, &wanted[&name])))
        }
    }
}

/// Sets and puts back once, so that what the server refuses is known before the first trial, and what it is meanwhile.
pub(crate) fn try_out(
    target: &Target,
    bench: &mut Bench,
    to: &mut Dispatcher<'_>,
    plan: &Plan,
) -> Result<(), RunError> {
    let Some(wanted) = wanted(target) else { return Ok(()) };
    match apply(plan, bench, to)? {
        Ok(changed) => {
            let facts = bench.ask().ok().and_then(|mut client| probe::server_facts(&mut client).ok());
            changed.put_back(bench, to)?;
            if let Some(facts) = facts {
                bench.facts = facts.clone();
                let (target, address) = (target.label.clone(), bench.connect.address.to_string());
                to.emit(EventKind::ServerReady { target, facts, address })?;
            }
        }
        Err(failure) => {
            let hint = "it takes the privilege SYSTEM_VARIABLES_ADMIN (or SUPER) and a variable that can be changed while the \
                        server runs; others are set in its option file, or in a sandbox";
            return Err(RunError::Globals {
                label: target.label.clone(),
                sentence: format!("{}\n  {hint}", failure.message),
            });
        }
    }
    let statements: Vec<String> = wanted.iter().map(|(name, value)| statement(name, value)).collect();
    let durability = bench.facts.durability.describe();
    let text =
        format!("{durability} in its trials: before each {}; put back after it", statements.join("; "));
    Ok(to.emit(EventKind::Caution { target: Some(target.label.clone()), text })?)
}

/// Puts back what a killed attempt left changed.
pub(crate) fn put_back_left_over(
    plan: &Plan,
    site: &Site<'_>,
    to: &mut Dispatcher<'_>,
) -> Result<(), RunError> {
    let left = to.writer.globals_left();
    for (label, originals) in &left {
        let target = plan.targets.iter().map(|one| &one.target).find(|target| target.label == *label);
        let Some(TargetKind::Server(endpoint)) = target.map(|target| &target.kind) else { continue };
        let failed = |why: String| not_put_back(label, originals, &why);
        let connect = connect_options(endpoint, site.passwords.get(label));
        let mut client = Client::connect(&connect).map_err(|error| failed(error.to_string()))?;
        set(&mut client, originals).map_err(|(_, error)| failed(error))?;
        let text = "what an earlier attempt had changed was put back".to_owned();
        to.emit(EventKind::Caution { target: Some(label.clone()), text })?;
    }
    Ok(to.writer.globals(&store::Globals::new())?)
}

fn wanted(target: &Target) -> Option<&Values> {
    match &target.kind {
        TargetKind::Server(endpoint) if !endpoint.globals.is_empty() => Some(&endpoint.globals),
        _ => None,
    }
}

/// All of them, or the one that was refused and why.
fn set(client: &mut Client, values: &Values) -> Result<(), (String, String)> {
    for (name, value) in values {
        client.execute(&statement(name, value)).map_err(|error| (name.clone(), error.to_string()))?;
    }
    Ok(())
}

fn statement(name: &str, value: &str) -> String {
    format!("SET GLOBAL {name} = {}", literal(value))
}

/// A number as it is, `16M` in bytes as option files have it, and anything else in quotes.
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
