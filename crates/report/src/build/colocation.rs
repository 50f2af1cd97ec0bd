//! Adds instances side by side to a view.

use analysis::open_question::OpenQuestionKind;
use analysis::{Colocation, OpenQuestion, Words};
use messages::message;
use model::About;

/// S and the verdicts of its controls, in an experiment about them: elsewhere the targets are compared like any others.
pub(super) fn answer(found: &[Colocation], about: Option<&About>) -> Option<Words> {
    about?;
    let clauses: Vec<Words> = found.iter().flat_map(|one| [one.says.clone(), one.verdicts.clone()]).collect();
    (!found.is_empty()).then(|| message!("answer", clauses = Sentences(clauses)))
}

/// The open questions without those about inconclusive pairs of targets, which do not affect S.
pub(super) fn doubts(found: &[Colocation], doubts: Vec<OpenQuestion>) -> Vec<OpenQuestion> {
    let is_of_pairs =
        |one: &OpenQuestion| matches!(one.kind, OpenQuestionKind::Inconclusive | OpenQuestionKind::Margin);
    doubts.into_iter().filter(|one| found.is_empty() || !is_of_pairs(one)).collect()
}
