//! The arguments: a server, or a recording of one.

use model::{ServerKind, SpecTarget};
use store::{Recording, Results};

use super::super::pick::{labels, pick};
use super::column::Column;
use crate::error::{Outcome, UserError};
use crate::options::output::ResultsArgs;

/// The meaning of one argument.
pub enum Named {
    /// A server, as written.
    Server(String),
    /// A run.
    Run {
        /// Its targets, or the one that was picked.
        columns: Vec<Column>,
        /// The workloads it measured.
        workloads: Vec<model::WorkloadSpec>,
    },
}

impl Named {
    /// Determines the meaning. Recordings are read at once, so that a mistyped one is reported before a server is started.
    pub fn read(text: &str, results: &ResultsArgs) -> Outcome<Self> {
        if is_server(text) {
            return Ok(Self::Server(text.to_owned()));
        }
        let (label, query) = match text.split_once('=') {
            Some((label, query)) if !label.contains(['/', ':']) => (Some(label.trim()), query),
            _ => (None, text),
        };
        let (run, picked) = pick(query, &Results::open(&results.results))?;
        let mut columns = columns(&run, picked)?;
        if let Some(label) = label {
            match columns.as_mut_slice() {
                [one] => label.clone_into(&mut one.label),
                _ => {
                    return Err(UserError::usage(format!("'{label}' cannot name all targets of {}", run.id))
                        .hint(format!(
                            "pick one: {}",
                            labels(&run).map(|l| format!("{}:{l}", run.id)).collect::<Vec<_>>().join(", ")
                        )));
                }
            }
        }
        Ok(Self::Run { columns, workloads: run.plan.spec.workloads })
    }

    /// The server, if it is one.
    pub fn server(&self) -> Option<String> {
        match self {
            Self::Server(text) => Some(text.clone()),
            Self::Run { .. } => None,
        }
    }

    /// The columns of a run.
    pub fn columns(&self) -> &[Column] {
        match self {
            Self::Server(_) => &[],
            Self::Run { columns, .. } => columns,
        }
    }
}

fn is_server(text: &str) -> bool {
    let schemes = ["mysql://", "mariadb://", "sandbox:"];
    let after =
        text.split_once('=').filter(|(label, _)| !label.contains([':', '/', '?', '@'])).map(|(_, rest)| rest);
    let begins = |text: &str| {
        let text = text.to_ascii_lowercase();
        schemes.iter().any(|scheme| text.starts_with(scheme))
    };
    begins(text) || after.is_some_and(begins)
}

/// The servers of a run, or of the target that was picked: of a topology each that answered.
fn columns(run: &Recording, picked: Option<&str>) -> Outcome<Vec<Column>> {
    let wanted =
        run.plan.spec.targets.iter().filter(|one| picked.is_none_or(|label| label == one.target.label));
    let mut columns = Vec::new();
    for target in wanted {
        let label = &target.target.label;
        let entry = column(run, target, 0).ok_or_else(|| {
            let why = match run.plan.imported {
                Some(_) => "it was imported, and nothing is known of its server",
                None => "its server never answered",
            };
            UserError::failed(format!("recording {} holds no variables of '{label}': {why}", run.id))
                .hint("leave it out: RECORDING:TARGET selects another of its targets")
        })?;
        columns.push(entry);
        columns.extend((1..target.target.members.len()).filter_map(|at| column(run, target, at)));
    }
    Ok(columns)
}

/// A server of a target, by position; none if it never answered.
fn column(run: &Recording, target: &SpecTarget, at: usize) -> Option<Column> {
    let mut trials = run.trials.iter().filter(|trial| trial.planned.cell.target == target.target.label);
    let (trial, variables) = trials.find_map(|trial| {
        let seen = if at == 0 { &trial.entry } else { trial.others.get(at - 1)? };
        Some((trial, seen.variables_before.as_deref().or(seen.variables_after.as_deref())?))
    })?;
    let began = run.events.first().map(|event| event.at.as_str()).unwrap_or_default();
    let when = trial.result.as_ref().map_or(began, |result| result.started_at.as_str());
    let member = target.target.split().nth(at)?;
    let is_on_its_host = match member.entry() {
        ServerKind::Sandbox(_) => true,
        ServerKind::Imported { .. } => false,
        ServerKind::External(endpoint) => {
            runner::connect_options(endpoint, None).address.is_local()
                && variables.get("hostname").is_some_and(|name| *name == run.host.hostname)
        }
    };
    let host = is_on_its_host.then(|| run.host.clone());
    let member = SpecTarget { target: member, ..target.clone() };
    Some(Column::recorded(&member, &run.id, when, variables.clone(), host))
}
