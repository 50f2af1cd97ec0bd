//! What clauses are about: neighbouring numbers of clients at which the same may be said, and where they lie.

use messages::message;
use messages::number::thousands;

use crate::Words;
use crate::compare::{self, Comparison, MARGIN, Verdict};
use crate::input::Measure;
use crate::metric::{Metric, RESPONSE_P95};
use crate::summary::CellSummary;

/// What every clause judges by: verdicts of two targets are those of all cells of the report, as in its tables.
pub(super) struct Judge<'a> {
    pub cells: &'a [CellSummary],
}

impl Judge<'_> {
    /// Two targets in one cell. What is decided stands as winner over loser, single trials as the better over the other,
    /// everything else as the later target over the earlier one.
    pub fn between(&self, next: &CellSummary, best: &CellSummary, metric: &Metric) -> Option<Comparison> {
        let place = |label: &str| self.cells.iter().position(|cell| cell.target == label);
        let in_order = place(&next.target) <= place(&best.target);
        let (base, other) = if in_order { (next, best) } else { (best, next) };
        let all = compare::compare(self.cells, metric, &base.target, &other.target);
        let own = |c: &Comparison| c.workload == best.workload && c.threads == best.threads;
        let found = all.into_iter().find(own)?;
        let flip = match found.verdict {
            Verdict::Worse => true,
            Verdict::SingleRun => found.other != best.target,
            Verdict::Better | Verdict::Same | Verdict::Inconclusive | Verdict::Withheld => false,
        };
        Some(if flip { found.flipped() } else { found })
    }
}

/// `[880, 928]`, or why there is no interval.
pub(super) fn spread(measure: &Measure) -> Words {
    let interval = measure.low.zip(measure.high);
    let shown = interval.filter(|(low, _)| *low >= 0.0);
    match shown {
        Some(interval) => message!("spread", interval = Interval(interval)),
        None => {
            message!("no-spread", trials = Word(if interval.is_some() { "few" } else { "single" }))
        }
    }
}

/// What may be said at one number of clients about the fastest target and the next.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Standing {
    Faster(String),
    Measured(String),
    MeasuredEqual,
    Same,
    Inconclusive,
    Withheld,
    /// Of an open loop: who kept up with what was offered, and who did not.
    KeepsUp {
        kept: Vec<String>,
        behind: Vec<String>,
        rate: f64,
    },
}

/// Neighbouring numbers of clients with the same standing.
pub(super) struct Stretch {
    pub standing: Standing,
    pub threads: Vec<u32>,
    /// As [`Judge::between`] gives them.
    pub comparisons: Vec<Comparison>,
}

impl Stretch {
    /// What counted as the same.
    pub fn margin(&self) -> f64 {
        self.comparisons.first().map_or(MARGIN, |c| c.margin)
    }

    /// Of a single number of clients.
    pub fn of(comparison: Comparison) -> Self {
        let standing = match comparison.verdict {
            Verdict::Better => Standing::Faster(comparison.other.clone()),
            Verdict::Worse => Standing::Faster(comparison.base.clone()),
            Verdict::Inconclusive => Standing::Inconclusive,
            Verdict::Same => Standing::Same,
            Verdict::Withheld => Standing::Withheld,
            Verdict::SingleRun if comparison.ratio.max(1.0 / comparison.ratio) <= 1.0 + MARGIN => {
                Standing::MeasuredEqual
            }
            Verdict::SingleRun => Standing::Measured(comparison.other.clone()),
        };
        Self { standing, threads: vec![comparison.threads], comparisons: vec![comparison] }
    }

    /// Whether two stretches say the same, by the same metric and for the same reason.
    pub fn is_like(&self, other: &Self) -> bool {
        let said =
            |stretch: &Self| stretch.comparisons.first().map(|c| (c.metric.clone(), c.withheld.clone()));
        self.standing == other.standing && said(self) == said(other)
    }

    pub fn append(&mut self, more: Self) {
        self.threads.extend(more.threads);
        self.comparisons.extend(more.comparisons);
    }

    /// Response times are compared, not throughput.
    pub fn by_response(&self) -> bool {
        self.comparisons.first().is_some_and(|c| c.metric == RESPONSE_P95.id)
    }
}

/// Where on the axis of clients a stretch lies.
pub(crate) enum Place {
    Whole,
    Point,
    First,
    Middle,
    Last,
    Scattered,
}

impl Place {
    /// These numbers of clients, named one by one.
    pub(crate) fn of(threads: &[u32]) -> Words {
        if threads.len() == 1 { Self::Point.words(threads) } else { Self::Scattered.words(threads) }
    }

    pub(super) fn words(&self, threads: &[u32]) -> Words {
        let (low, high) = (threads.first().copied(), threads.last().copied());
        let (low, high) = (low.unwrap_or_default(), high.unwrap_or_default());
        match self {
            Self::Whole | Self::Middle => message!("from-to-clients", low = Count(low), high = Count(high)),
            Self::Point => message!("at-clients", clients = Count(low)),
            Self::First => message!("up-to-clients", high = Count(high)),
            Self::Last => message!("from-clients-on", low = Count(low)),
            Self::Scattered => {
                let all: Vec<String> = threads.iter().map(|&n| thousands(n.into())).collect();
                message!("at-several", all = List(all))
            }
        }
    }
}
