//! Figures that another tool measured.

use super::{Context, Found, Severity};
use crate::Words;

/// Rules about what mydyno sees of its own trials only are silent where nothing was seen; this one says so.
pub(super) fn imported(c: &Context<'_>) -> Option<Found> {
    let from = c.plan.imported.as_ref()?;
    let tool = from.tool_and_version();
    let notes: String = from.notes.iter().map(|note| format!("; {note}")).collect();
    Some(Found {
        // Nothing that mydyno checks of its own trials could be checked here.
        severity: Severity::Warn,
        text: Words::new(
            format!(
                "imported from {tool}: nothing is known of its warm-up, its generator and the server, so no check of \
                 validity was possible{notes}"
            ),
            format!("数据从 {tool} 导入：其预热、发压端和服务器情况均未知，无法检查其有效性{notes}"),
        ),
        evidence: Vec::new(),
    })
}
