//! Where the mean response time of a transaction goes, told in two ways that each add up to it: by statement, and by what the
//! time was spent on. What the server does not tell is a part of its own.

mod of_trial;

use messages::message;
use serde::{Deserialize, Serialize};

use self::of_trial::{CLIENT, QUEUE};
pub(crate) use self::of_trial::{TrialParts, of};

use crate::Words;
use crate::input::{Measure, TrialInput};

/// A part of the response time.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BreakdownPart {
    /// Which: the name of a statement, or one of those below.
    pub id: String,
    /// What it is called.
    pub label: Words,
    /// Milliseconds of a transaction: mean over the trials.
    pub ms: Measure,
}

/// The mean response time of a transaction, in parts.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Breakdown {
    /// The whole, milliseconds: mean over the trials.
    pub response_ms: Measure,
    /// By statement, as clients timed them, with what comes before, between and after them.
    pub statements: Vec<BreakdownPart>,
    /// By what the time was spent on; empty where neither server nor kernel told anything.
    pub resources: Vec<BreakdownPart>,
    /// The trials that it is the mean of.
    #[serde(skip)]
    pub(crate) trials: Vec<TrialParts>,
}

/// What is left: the id of its part.
pub const UNATTRIBUTED: &str = "unattributed";

/// Of the completed trials of a cell; none where statements were not timed.
pub(crate) fn breakdown(completed: &[&TrialInput<'_>]) -> Option<Breakdown> {
    let trials: Vec<TrialParts> = completed.iter().filter_map(|trial| of_trial::parts(trial)).collect();
    let first = trials.first().filter(|_| trials.len() == completed.len())?;
    let measure = |of: &dyn Fn(&TrialParts) -> f64| Measure::of(&trials.iter().map(of).collect::<Vec<_>>());
    let names = |of: fn(&TrialParts) -> &[(String, f64)]| {
        let mut names: Vec<String> = Vec::new();
        // A statement that is asked for rarely may be missing in some trials.
        for (name, _) in trials.iter().flat_map(of) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    };
    let part = |id: String, ms: Measure| BreakdownPart { label: label(&id), id, ms };
    let statements = names(|one| &one.statements).into_iter();
    let statements =
        statements.filter_map(|id| Some(part(id.clone(), measure(&|one| of(&one.statements, &id))?)));
    // What is not known of every trial is left to the remainder.
    let everywhere = |id: &String| trials.iter().all(|one| one.resources.iter().any(|(name, _)| name == id));
    let known: Vec<String> = first.resources.iter().map(|(id, _)| id.clone()).filter(everywhere).collect();
    let remainder =
        |one: &TrialParts| one.response_ms - known.iter().map(|id| of(&one.resources, id)).sum::<f64>();
    let mut resources: Vec<BreakdownPart> = known
        .iter()
        .filter_map(|id| Some(part(id.clone(), measure(&|one| of(&one.resources, id))?)))
        .collect();
    if !resources.iter().any(tells) {
        resources.clear();
    } else {
        resources.push(part(UNATTRIBUTED.to_owned(), measure(&remainder)?));
    }
    Some(Breakdown {
        response_ms: measure(&|one| one.response_ms)?,
        statements: statements.collect(),
        resources,
        trials,
    })
}

/// Clients know by themselves how long a COMMIT takes, and that a server of this machine is near.
fn tells(part: &BreakdownPart) -> bool {
    match part.id.as_str() {
        "cpu" | "row_locks" | "data_io" => true,
        "network" => part.ms.mean > 0.0,
        _ => false,
    }
}

/// A statement bears its own name.
fn label(id: &str) -> Words {
    let own = [QUEUE, CLIENT, UNATTRIBUTED].contains(&id) || of_trial::RESOURCES.contains(&id);
    if own { message!("part-of-response", part = Word(id)) } else { Words::new(id, id) }
}
