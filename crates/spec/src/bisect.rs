//! The search for the differences that make one of two targets faster.

use model::BisectSearch;

use crate::edits::{edits, on_off};
use crate::kind::Value;
use crate::values::{Edit, Values, Wrong};

/// The search; none if nothing of it is set. In what the targets differ is found when the plan is made.
///
/// # Errors
/// A rate is set, too, or a search for a capacity.
pub(crate) fn bisect(values: &Values) -> Result<Option<BisectSearch>, Wrong> {
    let is_set = |section: &str| values.edits().any(|edit| edit.row.path.starts_with(section));
    if !is_set("bisect.") {
        return Ok(None);
    }
    if is_set("capacity.") {
        return Err(Wrong::of("one search at a time: for a capacity, or for differences")
            .hint("leave [capacity] or [bisect] out"));
    }
    if matches!(values.get("load.rate"), Some(Value::Phases(phases)) if !phases.is_empty()) {
        return Err(Wrong::at(
            "load.rate",
            "a search for differences compares throughput, which a fixed arrival rate decides",
        )
        .hint("leave the rate out"));
    }
    let in_order = values.switch("bisect.in_order");
    if !in_order && values.text("bisect.metric") != "throughput" {
        return Err(Wrong::at(
            "bisect.metric",
            "only targets in order are compared by another metric than throughput",
        ));
    }
    let budget_s = match values.get("bisect.budget") {
        Some(Value::Number(seconds)) => (seconds > 0.0).then_some(seconds),
        _ => None,
    };
    Ok(Some(BisectSearch {
        margin: values.number("design.margin"),
        trials_max: values.count_u32("bisect.max_trials"),
        both_ways: values.switch("bisect.both_ways"),
        in_order,
        metric: Some(values.text("bisect.metric")).filter(|name| name != "throughput"),
        budget_s,
        ..BisectSearch::default()
    }))
}

/// The options that make a search.
pub(crate) fn bisect_of(search: &BisectSearch) -> Vec<Edit> {
    let mut list = vec![
        ("max_trials", search.trials_max.to_string()),
        ("both_ways", on_off(search.both_ways)),
        ("in_order", on_off(search.in_order)),
    ];
    list.extend(search.metric.as_ref().map(|metric| ("metric", metric.clone())));
    list.extend(search.budget_s.map(|seconds| ("budget", seconds.to_string())));
    let mut all = edits("bisect", list);
    all.extend(edits("design", [("margin", (search.margin * 100.0).to_string())]));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::tests::values;

    #[test]
    fn a_search_is_made_again_from_what_it_holds() {
        let set = values(&[("bisect.budget", "20m"), ("bisect.both_ways", "on"), ("design.margin", "3")]);
        let search = bisect(&set).expect("valid").expect("a search");
        assert_eq!((search.budget_s, search.both_ways, search.margin), (Some(1200.0), true, 0.03));
        let again = Values::default().with(bisect_of(&search));
        assert_eq!(bisect(&again), Ok(Some(search)));
        assert_eq!(bisect(&Values::default()), Ok(None));
    }

    #[test]
    fn what_cannot_be_searched_is_refused() {
        let set = values(&[("bisect.budget", "20m"), ("load.rate", "500")]);
        assert_eq!(bisect(&set).expect_err("refused").path, Some("load.rate"));
        assert!(bisect(&values(&[("bisect.budget", "20m"), ("capacity.slo", "p99<20ms")])).is_err());
    }
}
