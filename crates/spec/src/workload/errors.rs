//! The server errors that are forgiven.

use model::ErrorPolicy;

use crate::kind::Value;
use crate::values::Values;

/// The policy for `workload.mysql_ignore_errors`.
pub(super) fn error_policy(values: &Values) -> ErrorPolicy {
    let default = ErrorPolicy::default();
    match values.get("workload.mysql_ignore_errors") {
        Some(Value::ErrorCodes(Some(retry))) => ErrorPolicy { retry, ..default },
        Some(Value::ErrorCodes(None)) => ErrorPolicy { retry_all: true, ..default },
        _ => default,
    }
}

/// The text of that option.
pub(super) fn ignored(errors: &ErrorPolicy) -> String {
    let retry: Vec<String> = errors.retry.iter().map(u16::to_string).collect();
    if errors.retry_all { "all".to_owned() } else { retry.join(",") }
}
