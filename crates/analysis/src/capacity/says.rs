//! The result of a capacity search, in words.

use messages::message;

use super::found::{Capacity, CapacityStanding, RateTried};
use super::search::CapacityArm;
use super::trial::Missed;

use crate::Words;

/// Names the failed condition.
pub(super) fn missed(arm: &CapacityArm, missed: Missed) -> Words {
    let kind = match missed {
        Missed::Condition(at) => {
            return message!("condition-missed", condition = Text(&arm.conditions[at].text));
        }
        Missed::Queue => "queue",
        Missed::Lag => "lag",
        Missed::Topology => "topology",
        Missed::Failed => "failed",
    };
    message!("capacity-missed", kind = Word(kind))
}

/// The rate, and what fails first beyond it.
pub(super) fn answer(capacity: &Capacity, fails_first: Vec<Words>) -> Words {
    let conditions: Vec<String> = capacity.conditions.iter().map(|one| one.text.clone()).collect();
    let count = conditions.len() as u64;
    let unknown = || message!("capacity-unknown", target = Text(&capacity.target));
    let (Some(lowest), Some(highest)) = (capacity.rates.first(), capacity.rates.last()) else {
        return unknown();
    };
    let interval = capacity.low_per_s.zip(capacity.high_per_s);
    match (capacity.standing, capacity.per_s.zip(interval)) {
        (CapacityStanding::Below, _) => message!(
            "capacity-below",
            target = Text(&capacity.target),
            rate = Figure(lowest.per_s),
            missed = Enumeration(lowest.missed.clone()),
        ),
        (CapacityStanding::Above, _) => {
            message!("capacity-above", target = Text(&capacity.target), rate = Figure(highest.per_s),)
        }
        (CapacityStanding::Unknown, _) | (_, None) => unknown(),
        (standing, Some((rate, interval))) => message!(
            "capacity-found",
            target = Text(&capacity.target),
            rate = Figure(rate),
            interval = Interval(interval),
            conditions = List(conditions),
            count = Count(count),
            clients = Count(capacity.threads),
            first = Enumeration?((!fails_first.is_empty()).then_some(fails_first)),
            confirmed = Word(if standing == CapacityStanding::Confirmed { "yes" } else { "no" }),
        ),
    }
}

/// The trials at the highest rate that held and at the lowest that did not, and the closed loop.
pub(super) fn evidence(capacity: &Capacity, why_unknown: Option<Words>) -> Words {
    if capacity.standing == CapacityStanding::Unknown {
        return match why_unknown {
            Some(why) => message!("capacity-why-unknown", why = Message(why)),
            None => message!("capacity-no-trial"),
        };
    }
    let side = |one: &RateTried| {
        message!(
            "capacity-side",
            rate = Figure(one.per_s),
            held = Count(one.held),
            trials = Count(one.trials),
        )
    };
    let sides: Vec<Words> = capacity.rates.iter().filter(|one| one.confirms).map(side).collect();
    let trials = capacity.rates.iter().map(|one| u64::from(one.trials)).sum::<u64>();
    message!(
        "capacity-evidence",
        sides = Enumeration?((!sides.is_empty()).then_some(sides)),
        trials = Count(trials),
        rates = Count(capacity.rates.len() as u64),
        closed = Figure?(capacity.closed_loop_per_s),
        share = Percent?(capacity.per_s.zip(capacity.closed_loop_per_s).map(|(rate, closed)| rate / closed)),
    )
}
