//! What a user names: a server, or a recording of one.

use model::ServerKind;
use store::{Recording, Results};

use super::super::pick::{labels, pick};
use super::column::Column;
use crate::error::{Outcome, UserError};
use crate::options::output::ResultsArgs;

/// What one argument names.
pub enum Named {
    /// A server, as it was written.
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
    /// Finds out what is meant. Recordings are read at once, so that a mistyped one is told before a server is started.
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

fn columns(run: &Recording, picked: Option<&str>) -> Outcome<Vec<Column>> {
    let wanted =
        run.plan.spec.targets.iter().filter(|one| picked.is_none_or(|label| label == one.target.label));
    wanted
        .map(|one| {
            let trials = || run.trials.iter().filter(|trial| trial.planned.cell.target == one.target.label);
            let variables = trials().find_map(|t| {
                Some((t, t.entry.variables_before.as_deref().or(t.entry.variables_after.as_deref())?))
            });
            let Some((trial, variables)) = variables else {
                let why = match run.plan.imported {
                    Some(_) => "it was imported, and nothing is known of its server",
                    None => "its server never answered",
                };
                return Err(UserError::failed(format!(
                    "run {} holds no variables of '{}': {why}",
                    run.id, one.target.label
                ))
                .hint("leave it out: RUN:TARGET picks another target of the run"));
            };
            let began = run.events.first().map(|event| event.at.as_str()).unwrap_or_default();
            let at = trial.result.as_ref().map_or(began, |result| result.started_at.as_str());
            let is_on_its_host = match one.target.entry() {
                ServerKind::Sandbox(_) => true,
                ServerKind::Imported { .. } => false,
                ServerKind::External(endpoint) => {
                    runner::connect_options(endpoint, None).address.is_local()
                        && variables.get("hostname").is_some_and(|name| *name == run.host.hostname)
                }
            };
            let host = is_on_its_host.then(|| run.host.clone());
            Ok(Column::recorded(one, &run.id, at, variables.clone(), host))
        })
        .collect()
}
