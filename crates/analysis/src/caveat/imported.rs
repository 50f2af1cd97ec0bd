//! Figures that another tool measured.

use super::{Context, Found, Severity};
use crate::Words;

/// Rules about what mydyno sees of its own trials only are silent where nothing was seen; this one says so.
pub(super) fn imported(c: &Context<'_>) -> Option<Found> {
    let from = c.plan.imported.as_ref()?;
    let tool = from.tool_and_version();
    let notes: String = from.notes.iter().map(|note| format!("; {note}")).collect();
    Some(Found {
        severity: Severity::Note,
        text: Words::new(
            format!(
                "imported: measured with {tool}, nothing is known of its generator, errors and warm-up beyond what it \
                 printed{notes}"
            ),
            format!("导入的数据：由 {tool} 测得；除其输出外，其发压端、错误与预热情况均未知{notes}"),
        ),
        evidence: Vec::new(),
    })
}
