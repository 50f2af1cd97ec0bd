//! Instances side by side, in words.

use messages::message;

use super::found::{ColocationPoint, ColocationStanding, Hypothesis, HypothesisStanding, SuspectedCause};
use super::pairs::{Arms, InstancePair};
use crate::Words;
use crate::input::Measure;

/// The subject of the sentences.
pub(super) struct Of<'a> {
    pub pair: &'a InstancePair<'a>,
    /// The workload, where there are several.
    pub workload: Option<&'a str>,
    pub point: &'a ColocationPoint,
}

/// `S = 0.62 [0.58, 0.66] with 8 clients per instance: ...`.
pub(super) fn answer(of: &Of<'_>) -> Words {
    message!(
        "colocation-answer",
        workload = Text?(of.workload),
        s = Message(ratio(&of.point.s)),
        clients = Count(of.point.threads),
        instances = Count(of.pair.instances),
        standing = Word(of.point.standing.word()),
    )
}

/// The hypotheses that are supported, excluded, and undecided.
pub(super) fn verdicts(of: &Of<'_>, hypotheses: &[Hypothesis]) -> Words {
    if !of.point.standing.differs() {
        let why = if of.point.standing == ColocationStanding::SingleTrial { "single" } else { "equal" };
        return message!("colocation-nothing-to-explain", why = Word(why));
    }
    let with = |standing: HypothesisStanding| {
        let own = hypotheses.iter().filter(|one| one.standing == standing);
        let names: Vec<Words> = own.map(|one| one.name.clone()).collect();
        let word = standing.word();
        (!names.is_empty())
            .then(|| message!("colocation-verdict", standing = Word(word), names = Enumeration(names)))
    };
    let all = [HypothesisStanding::Supported, HypothesisStanding::Excluded, HypothesisStanding::NotDecided];
    message!(
        "colocation-verdicts",
        verdicts = Opening(Words::clauses(all.into_iter().filter_map(with).collect()))
    )
}

/// A pair of targets without the suspected cause.
pub(super) fn control(target: &str, s: &Measure, against: &Measure) -> Words {
    message!(
        "colocation-control",
        target = Text(target),
        s = Message(ratio(s)),
        ratio = Message(ratio(against)),
    )
}

/// Throughput of one instance with the clients of all.
pub(super) fn shared_limit(all: u32, against: &Measure, each: u32, grows: &Measure) -> Words {
    message!(
        "colocation-shared-limit",
        all = Count(all),
        ratio = Message(ratio(against)),
        each = Count(each),
        grows = Message(ratio(grows)),
    )
}

/// Utilisation of the generator.
pub(super) fn busiest(share: f64) -> Words {
    message!("colocation-generator", share = Percent(share))
}

/// The reason a hypothesis has no figure.
pub(super) fn without_control(arms: &Arms<'_>, cause: SuspectedCause) -> Words {
    let planned = match cause {
        SuspectedCause::Memory => arms.less_memory.is_some(),
        SuspectedCause::SharedLimit => true,
        other => arms.control(other).is_some(),
    };
    message!("colocation-no-control", planned = Word(if planned { "yes" } else { "no" }))
}

fn ratio(of: &Measure) -> Words {
    message!("colocation-figure", ratio = Ratio(of.mean), interval = RatioInterval?(of.low.zip(of.high)))
}
