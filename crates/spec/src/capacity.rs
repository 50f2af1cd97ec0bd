//! The search for a capacity.

use model::{Arrivals, CapacitySearch};

use crate::edits::edits;
use crate::kind::Value;
use crate::values::{Edit, Values, Wrong};

/// The search; none if nothing of it is set.
///
/// # Errors
/// A rate is set, too.
pub(crate) fn capacity(values: &Values) -> Result<Option<CapacitySearch>, Wrong> {
    if !values.edits().any(|edit| edit.row.path.starts_with("capacity.")) {
        return Ok(None);
    }
    if matches!(values.get("load.rate"), Some(Value::Phases(phases)) if !phases.is_empty()) {
        return Err(Wrong::at("load.rate", "a search for the capacity chooses the rates itself")
            .hint("leave the rate out, or give the bounds of the search: 100..5000"));
    }
    let slo = match values.get("capacity.slo") {
        Some(Value::Conditions(list)) => list,
        _ => Vec::new(),
    };
    let between = match values.get("capacity.between") {
        Some(Value::Range(low, high)) => Some((low, high)),
        _ => None,
    };
    let budget_s = match values.get("capacity.budget") {
        Some(Value::Number(seconds)) => (seconds > 0.0).then_some(seconds),
        _ => None,
    };
    let is_constant = values.text("load.arrivals") == "constant";
    Ok(Some(CapacitySearch {
        slo,
        between,
        precision: values.number("capacity.precision"),
        trials_max: values.count_u32("capacity.max_trials"),
        budget_s,
        arrivals: if is_constant { Arrivals::Constant } else { Arrivals::Poisson },
    }))
}

/// The options that make a search, and those of the load that belong to it.
pub(crate) fn capacity_of(search: &CapacitySearch) -> Vec<Edit> {
    let mut list = vec![
        ("precision", (search.precision * 100.0).to_string()),
        ("max_trials", search.trials_max.to_string()),
    ];
    if !search.slo.is_empty() {
        list.push(("slo", search.slo.join(",")));
    }
    list.extend(search.between.map(|(low, high)| ("between", format!("{low}..{high}"))));
    list.extend(search.budget_s.map(|seconds| ("budget", seconds.to_string())));
    let arrivals = if search.arrivals == Arrivals::Constant { "constant" } else { "poisson" };
    let mut all = edits("capacity", list);
    all.extend(edits("load", [("arrivals", arrivals.to_owned())]));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::tests::values;

    #[test]
    fn a_search_is_made_again_from_what_it_holds() {
        let set = values(&[
            ("capacity.slo", "p99<20ms, lag<1s"),
            ("capacity.between", "100..5K"),
            ("capacity.budget", "20m"),
            ("load.arrivals", "constant"),
        ]);
        let search = capacity(&set).expect("valid").expect("a search");
        assert_eq!((search.slo.len(), search.between, search.precision), (2, Some((100.0, 5000.0)), 0.1));
        let again = Values::default().with(capacity_of(&search));
        assert_eq!(capacity(&again), Ok(Some(search)));
        assert_eq!(capacity(&Values::default()), Ok(None));
    }

    #[test]
    fn a_search_with_a_rate_is_refused() {
        let set = values(&[("capacity.slo", "p99<20ms"), ("load.rate", "500")]);
        assert_eq!(capacity(&set).expect_err("refused").path, Some("load.rate"));
    }
}
