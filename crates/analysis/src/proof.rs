//! Which recommendations help: each was tried on a sandbox against the current settings.

use messages::message;
use model::{Plan, RecommendationTrials, TriedRecommendation, UntriedReason};
use serde::{Deserialize, Serialize};

use crate::Words;
use crate::compare::{Comparison, Verdict, compare};
use crate::metric::THROUGHPUT;
use crate::summary::CellSummary;

/// Which recommendations help with a workload.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecommendationProof {
    /// Label of the target with the current settings.
    pub base: String,
    /// Label of the workload.
    pub workload: String,
    /// Clients.
    pub threads: u32,
    /// Recommendations that were tried, in the order in which they were made.
    pub tried: Vec<RecommendationEffect>,
    /// All of them together; none where only one was tried.
    pub together: Option<RecommendationEffect>,
    /// Recommendations that were not tried.
    pub not_tried: Vec<NotTried>,
    /// The answer in sentences.
    pub says: Words,
}

/// What the settings of a recommendation do.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecommendationEffect {
    /// Id of the recommendation; empty: all of them.
    pub id: String,
    /// Its settings, as `name = value`.
    pub set: Vec<String>,
    /// What they do to throughput.
    pub effect: Effect,
    /// Throughput with them over throughput without; none where it was not measured.
    pub ratio: Option<f64>,
    /// Lower end of its 95 % interval.
    pub low: Option<f64>,
    /// Upper end of it.
    pub high: Option<f64>,
    /// A crash loses less with them.
    pub raises_durability: bool,
    /// What stands behind the effect, or against a verdict; empty if nothing.
    pub why: Words,
}

/// What settings do to throughput.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Throughput is higher.
    Helps,
    /// Throughput is the same within the margin.
    None,
    /// Throughput is lower.
    Harms,
    /// The trials do not decide it.
    Undecided,
    /// The trials are not valid.
    NotValid,
    /// The server did not start with them, or every trial failed.
    CannotBeTried,
    /// No trial has been made so far, of them or of the current settings.
    NotMeasured,
}

impl Effect {
    /// Lower-case word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Helps => "helps",
            Self::None => "none",
            Self::Harms => "harms",
            Self::Undecided => "undecided",
            Self::NotValid => "not_valid",
            Self::CannotBeTried => "cannot_be_tried",
            Self::NotMeasured => "not_measured",
        }
    }
}

/// A recommendation that was not tried.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotTried {
    /// Its id.
    pub id: String,
    /// Why.
    pub why: UntriedReason,
}

/// What recommendations do, by the cells of a plan that tries them; none of another plan.
pub fn proof(plan: &Plan, cells: &[CellSummary]) -> Option<RecommendationProof> {
    let trials: &RecommendationTrials = plan.spec.design.proof.as_ref()?;
    let base = &plan.spec.targets.first()?.target.label;
    let first = &plan.trials.first()?.cell;
    let judge = Judge { plan, cells, base };
    let tried: Vec<RecommendationEffect> = trials.tried.iter().map(|one| judge.effect(one)).collect();
    let together = trials.together.as_ref().map(|target| {
        let set = trials.tried.iter().flat_map(|one| one.set.clone()).collect();
        let raises_durability = trials.tried.iter().any(|one| one.raises_durability);
        judge.effect(&TriedRecommendation {
            id: String::new(),
            target: target.clone(),
            set,
            raises_durability,
        })
    });
    let not_tried = trials.not_tried.iter().map(|one| NotTried { id: one.id.clone(), why: one.why });
    let says = says(&tried, together.as_ref(), first.threads, judge.margin());
    Some(RecommendationProof {
        base: base.clone(),
        workload: first.workload.clone(),
        threads: first.threads,
        not_tried: not_tried.collect(),
        tried,
        together,
        says,
    })
}

struct Judge<'a> {
    plan: &'a Plan,
    cells: &'a [CellSummary],
    /// Label of the target with the current settings.
    base: &'a str,
}

impl Judge<'_> {
    fn margin(&self) -> f64 {
        self.plan.spec.design.until_sure.map_or(crate::compare::MARGIN, |until| until.margin)
    }

    fn effect(&self, one: &TriedRecommendation) -> RecommendationEffect {
        let compared = compare(self.cells, &THROUGHPUT, self.base, &one.target).into_iter().next();
        // A run that was interrupted has tried some of them only.
        let unmeasured = match self.failure(&one.target) {
            Some(_) => Effect::CannotBeTried,
            None => Effect::NotMeasured,
        };
        let effect = compared.as_ref().map_or(unmeasured, of_verdict);
        RecommendationEffect {
            id: one.id.clone(),
            set: one.set.iter().map(|(name, value)| format!("{name} = {value}")).collect(),
            why: self.why(one, effect, compared.as_ref()),
            effect,
            ratio: compared.as_ref().map(|found| found.ratio),
            low: compared.as_ref().and_then(|found| found.low),
            high: compared.as_ref().and_then(|found| found.high),
            raises_durability: one.raises_durability,
        }
    }

    fn why(&self, one: &TriedRecommendation, effect: Effect, compared: Option<&Comparison>) -> Words {
        let nothing = || Words::new("", "");
        match effect {
            Effect::Harms if one.raises_durability => message!("prove-price-of-durability"),
            Effect::NotValid => compared.and_then(|found| found.withheld.clone()).unwrap_or_else(nothing),
            Effect::CannotBeTried => self.failure(&one.target).unwrap_or_else(nothing),
            _ => nothing(),
        }
    }

    /// Why no trial of a target completed; what the server said below the first line is in the recording.
    fn failure(&self, target: &str) -> Option<Words> {
        let cell = self.cells.iter().find(|cell| cell.target == target)?;
        let failure = &cell.failures.first()?.failure;
        let line = failure.message.lines().next().unwrap_or_default();
        Some(Words::from(line.trim_end_matches('.')))
    }
}

fn of_verdict(found: &Comparison) -> Effect {
    match found.verdict {
        Verdict::Better => Effect::Helps,
        Verdict::Worse => Effect::Harms,
        Verdict::Same => Effect::None,
        Verdict::Inconclusive | Verdict::SingleRun => Effect::Undecided,
        Verdict::Withheld => Effect::NotValid,
    }
}

/// The answer: how many help and which, and what all of them do together.
fn says(
    tried: &[RecommendationEffect],
    together: Option<&RecommendationEffect>,
    clients: u32,
    margin: f64,
) -> Words {
    const ORDER: [Effect; 7] = [
        Effect::Helps,
        Effect::Harms,
        Effect::None,
        Effect::Undecided,
        Effect::NotValid,
        Effect::CannotBeTried,
        Effect::NotMeasured,
    ];
    let part = |effect: Effect| {
        let mut own: Vec<_> = tried.iter().filter(|one| one.effect == effect).collect();
        // What changes most comes first.
        let change = |one: &RecommendationEffect| one.ratio.map_or(0.0, |ratio| ratio.ln().abs());
        if matches!(effect, Effect::Helps | Effect::Harms) {
            own.sort_by(|one, other| change(other).total_cmp(&change(one)));
        }
        let items: Vec<Words> = own.into_iter().map(item).collect();
        let count = items.len() as u64;
        (count > 0).then(|| {
            message!(
                "prove-part",
                effect = Word(effect.word()),
                count = Count(count),
                items = Parts(items),
                margin = Percent(margin)
            )
        })
    };
    let parts: Vec<Words> = ORDER.into_iter().filter_map(part).collect();
    if parts.is_empty() {
        return message!("prove-nothing");
    }
    let lead = message!(
        "prove-lead",
        tried = Count(tried.iter().filter(|one| one.effect != Effect::NotMeasured).count() as u64),
        clients = Count(clients),
        parts = Clauses(parts)
    );
    let all = together.map(|all| {
        let known = match all.effect {
            Effect::CannotBeTried => "no_start",
            Effect::NotValid => "not_valid",
            Effect::NotMeasured => "not_measured",
            _ => "yes",
        };
        message!("prove-together", known = Word(known), what = Message(figures(all)))
    });
    message!("answer", clauses = Sentences(std::iter::once(lead).chain(all).collect::<Vec<_>>()))
}

/// A recommendation with what it does.
fn item(one: &RecommendationEffect) -> Words {
    match one.effect {
        Effect::Helps | Effect::Harms => {
            let durable = one.effect == Effect::Harms && one.raises_durability;
            message!(
                "prove-item",
                name = Text(&one.id),
                what = Message(figures(one)),
                durable = Word(if durable { "yes" } else { "no" })
            )
        }
        _ => one.id.as_str().into(),
    }
}

/// `1.21x [1.15, 1.27]`.
fn figures(one: &RecommendationEffect) -> Words {
    match one.ratio {
        Some(value) => {
            message!("prove-figures", ratio = Ratio(value), interval = RatioInterval?(one.low.zip(one.high)))
        }
        None => one.why.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effect(id: &str, effect: Effect, ratio: f64, raises_durability: bool) -> RecommendationEffect {
        RecommendationEffect {
            id: id.to_owned(),
            set: vec![format!("{id} = 1")],
            effect,
            ratio: Some(ratio),
            low: Some(ratio * 0.95),
            high: Some(ratio * 1.05),
            raises_durability,
            why: Words::new("", ""),
        }
    }

    #[test]
    fn what_helps_comes_first_and_the_price_of_durability_is_called_that() {
        let tried = [
            effect("sync_binlog", Effect::Harms, 0.6, true),
            effect("general_log", Effect::Helps, 1.2, false),
            effect("io_capacity", Effect::None, 1.0, false),
        ];
        let all = effect("", Effect::Harms, 0.7, true);
        let said = says(&tried, Some(&all), 8, 0.02);
        insta::assert_snapshot!(format!("{}\n{}", said.en, said.zh));
    }

    #[test]
    fn one_that_does_not_start_is_a_finding() {
        let mut one = effect("numa", Effect::CannotBeTried, 1.0, false);
        (one.ratio, one.why) = (None, Words::from("the server does not know innodb_numa_interleave"));
        let said = says(&[one], None, 1, 0.02);
        insta::assert_snapshot!(format!("{}\n{}", said.en, said.zh));
    }
}
