//! What probably makes one of two targets faster, before any of it was tried.

use messages::message;
use model::Plan;

use crate::Words;
use crate::bisect::differences;
use crate::compare::{Verdict, compare};
use crate::metric::THROUGHPUT;
use crate::summary::CellSummary;

/// So many candidates are named.
const NAMED_MAX: usize = 3;

/// The likeliest causes of a difference between two sandboxes of one flavour, by what is known of each setting, with the command that
/// tests them. None where no target is faster, where nothing can be exchanged, or where the difference is what was asked about.
pub fn candidates(plan: &Plan, cells: &[CellSummary], command: &str) -> Option<Words> {
    let [base, other] = plan.spec.targets.as_slice() else { return None };
    let design = &plan.spec.design;
    if plan.spec.about.is_some()
        || design.is_search()
        || design.has_many_targets()
        || plan.spec.workloads.len() != 1
    {
        return None;
    }
    let differ = compare(cells, &THROUGHPUT, &base.target.label, &other.target.label)
        .iter()
        .any(|found| matches!(found.verdict, Verdict::Better | Verdict::Worse));
    let writes = plan.spec.workloads.iter().any(|workload| workload.writes());
    let found = differences(&base.target, &other.target, writes).ok().filter(|_| differ)?;
    let names: Vec<String> = found.iter().take(NAMED_MAX).map(|one| one.name.clone()).collect();
    Some(message!(
        "candidates",
        count = Count(found.len() as u64),
        names = List(names),
        more = Count(found.len().saturating_sub(NAMED_MAX) as u64),
        command = Text(command)
    ))
}
