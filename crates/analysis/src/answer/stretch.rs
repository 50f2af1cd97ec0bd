//! The ranges that clauses are about: neighbouring numbers of clients with the same standing, and their position on the axis.

use messages::message;
use messages::number::thousands;

use crate::Words;
use crate::compare::{self, Comparison, MARGIN, Verdict};
use crate::input::Measure;
use crate::metric::{Metric, RESPONSE_P95};
use crate::summary::CellSummary;

/// The basis of every clause: verdicts on two targets are computed over all cells of the report, as in its tables.
pub(super) struct Judge<'a> {
    pub cells: &'a [CellSummary],
}

impl Judge<'_> {
    /// Compares two targets in one cell. A decided comparison is winner over loser, single trials are the better over the
    /// other, and everything else is the later target over the earlier one.
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

/// The standing of the fastest target and the next at one number of clients.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Standing {
    Faster(String),
    Measured(String),
    MeasuredEqual,
    Same,
    Inconclusive,
    Withheld,
    /// Open loop: the targets that kept up with the offered rate, and those that did not.
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
    /// The comparisons as returned by [`Judge::between`].
    pub comparisons: Vec<Comparison>,
}

impl Stretch {
    /// The equivalence margin.
    pub fn margin(&self) -> f64 {
        self.comparisons.first().map_or(MARGIN, |c| c.margin)
    }

    /// A stretch of a single number of clients.
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

    /// Whether two stretches have the same standing, by the same metric and for the same reason.
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

/// The position of a stretch on the axis of clients.
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
