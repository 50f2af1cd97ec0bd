//! The arrangement of trials.

use model::{Design, Restore, UntilSure};

use crate::bisect::bisect;
use crate::capacity::capacity;
use crate::kind::Value;
use crate::values::{Values, Wrong};

/// Trials of each cell to begin with.
pub fn repeats(values: &Values) -> u32 {
    values.count_u32("design.repeats")
}

/// The arrangement, without factors.
///
/// # Errors
/// Fewer repeats at most than to begin with; or a capacity is searched at a fixed rate.
pub fn design(values: &Values) -> Result<Design, Wrong> {
    let budget = match values.get("design.until_sure") {
        Some(Value::Number(seconds)) => Some(seconds),
        _ => None,
    };
    let (first, most) = (repeats(values), values.count_u32("design.max_repeats"));
    if budget.is_some() && most < first {
        return Err(Wrong::of(format!("at most {most} repeats are fewer than the {first} to begin with"))
            .hint("raise the most repeats, or lower the repeats"));
    }
    let until_sure = budget.map(|budget_s| UntilSure {
        margin: values.number("design.margin"),
        blocks_max: most,
        budget_s: (budget_s > 0.0).then_some(budget_s),
    });
    let restore = match values.text("design.restore").as_str() {
        "changed" => Restore::Changed,
        "reload" => Restore::Reload,
        _ => Restore::Written,
    };
    Ok(Design {
        restore,
        drift_check: matches!(values.get("design.drift_check"), Some(Value::Switch(true))),
        perf: values.switch("perf"),
        cool_down_s: values.number("design.cool_down"),
        refine: values.switch("design.refine"),
        until_sure,
        capacity: capacity(values)?,
        bisect: bisect(values)?,
        ..Design::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::tests::values;

    #[test]
    fn a_sequential_test_has_a_margin_and_perhaps_a_budget() {
        let test = |text| design(&values(&[("design.until_sure", text)])).expect("valid").until_sure;
        assert_eq!(test("0"), Some(UntilSure { margin: 0.02, blocks_max: 40, budget_s: None }));
        assert_eq!(test("20m").and_then(|test| test.budget_s), Some(1200.0));
        assert_eq!(design(&Values::default()).expect("valid").until_sure, None);
    }

    #[test]
    fn fewer_repeats_at_most_than_at_first_are_refused() {
        let few = [("design.until_sure", "0"), ("design.repeats", "5"), ("design.max_repeats", "4")];
        assert!(design(&values(&few)).is_err());
        assert!(design(&values(&few[1..])).is_ok());
    }
}
