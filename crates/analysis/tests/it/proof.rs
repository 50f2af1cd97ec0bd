//! Recommendations that were tried, from the trials to the effect of each.

use analysis::{Effect, proof};
use model::{RecommendationTrials, TriedRecommendation, UntriedReason, UntriedRecommendation};

use crate::common::{cells, failed, plan, recorded};

fn tried(id: &str, raises_durability: bool) -> TriedRecommendation {
    let set = [(format!("{id}_variable"), "1".to_owned())].into();
    TriedRecommendation { id: id.to_owned(), target: id.to_owned(), set, raises_durability }
}

#[test]
fn each_recommendation_is_compared_with_the_current_settings() {
    let mut plan = plan(&["current", "faster", "durable", "equal", "broken", "all"], &[8], 5);
    plan.spec.design.proof = Some(RecommendationTrials {
        tried: vec![
            tried("faster", false),
            tried("durable", true),
            tried("equal", false),
            tried("broken", false),
        ],
        together: Some("all".to_owned()),
        not_tried: vec![UntriedRecommendation { id: "full_scan".to_owned(), why: UntriedReason::NoSetting }],
    });
    let cells = cells(&plan, |planned| {
        let wobble = 1.0 + 0.002 * f64::from(planned.cell.repeat);
        let own = 1.0 + 0.0005 * f64::from((planned.index * 7) % 5);
        let per_s = match planned.cell.target.as_str() {
            "faster" | "all" => 1_300.0,
            "durable" => 600.0,
            "broken" => return Some(failed(planned, "unknown variable 'broken_variable'")),
            _ => 1_000.0,
        };
        Some(recorded(planned, per_s * wobble * own))
    });
    let found = proof(&plan, &cells).expect("a plan that tries recommendations");
    let effects: Vec<Effect> = found.tried.iter().map(|one| one.effect).collect();
    assert_eq!(effects, [Effect::Helps, Effect::Harms, Effect::None, Effect::CannotBeTried]);
    let faster = &found.tried[0];
    assert!(
        faster.low.is_some_and(|low| low > 1.25) && faster.high.is_some_and(|high| high < 1.35),
        "{faster:?}"
    );
    assert!(!found.tried[1].why.en.is_empty(), "lower throughput for more durability is no defect");
    assert_eq!(found.tried[3].why.en, "unknown variable 'broken_variable'");
    assert_eq!(found.together.map(|all| (all.effect, all.set.len())), Some((Effect::Helps, 4)));
    assert_eq!(found.not_tried.len(), 1);
}

#[test]
fn what_an_interrupted_run_did_not_reach_is_not_said_to_fail() {
    let mut plan = plan(&["current", "reached", "missed", "all"], &[8], 3);
    plan.spec.design.proof = Some(RecommendationTrials {
        tried: vec![tried("reached", false), tried("missed", false)],
        together: Some("all".to_owned()),
        not_tried: Vec::new(),
    });
    let cells = cells(&plan, |planned| {
        let is_reached = ["current", "reached"].contains(&planned.cell.target.as_str());
        is_reached.then(|| recorded(planned, 1_000.0))
    });
    let found = proof(&plan, &cells).expect("a plan that tries recommendations");
    assert_eq!(found.tried[1].effect, Effect::NotMeasured);
    assert_eq!(found.together.map(|all| all.effect), Some(Effect::NotMeasured));
    assert!(found.says.en.starts_with("1 recommendation was tried at 8 clients"), "{}", found.says.en);
    assert!(found.says.en.contains("1 has not been tried yet (missed)"), "{}", found.says.en);
    assert!(found.says.en.ends_with("All of them together have not been tried yet."), "{}", found.says.en);
}

#[test]
fn other_plans_try_nothing() {
    assert_eq!(proof(&plan(&["a", "b"], &[8], 2), &[]), None);
}
