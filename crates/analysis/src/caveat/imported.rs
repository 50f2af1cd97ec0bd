//! Figures that another tool measured.

use messages::message;

use super::kind::Severity;
use super::rule::{Context, Found};

/// The caveat of imported trials: the rules about observations of mydyno's own trials do not apply to them.
pub(super) fn imported(c: &Context<'_>) -> Option<Found> {
    let from = c.plan.imported.as_ref()?;
    let notes = (!from.notes.is_empty()).then(|| from.notes.join("; "));
    Some(Found {
        // Nothing that mydyno checks of its own trials could be checked here.
        severity: Severity::Warn,
        text: message!("imported-figures", tool = Text(from.tool_and_version()), notes = Text?(notes)),
        evidence: Vec::new(),
    })
}
