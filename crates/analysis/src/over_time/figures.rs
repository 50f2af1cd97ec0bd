//! Questions about a trial over time, and the findings.

use serde::{Deserialize, Serialize};

use crate::Words;
use crate::timeline::CostGrowth;

/// The questions about a trial, each with the minimum length it needs, seconds.
///
/// Steady state: MSER needs eight values. Change-points: ten seconds on either side, and enough others to know how much
/// neighbours resemble each other. Periods: three of them, so that in a minute only those of up to 20 s are found; of
/// several hours only the last is examined. Jitter and growth: slots long enough that chance does not decide between them.
pub const NEEDS: [(Question, f64); 7] = [
    (Question::Silence, 2.0),
    (Question::SteadyState, 8.0),
    (Question::Trend, 60.0),
    (Question::ChangePoints, 60.0),
    (Question::Period, 60.0),
    (Question::Jitter, 120.0),
    (Question::Growth, 120.0),
];

/// A question about a run over time.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// Seconds without a completed transaction.
    Silence,
    /// Whether the beginning of the window is like the rest.
    SteadyState,
    /// A straight line through the throughput.
    Trend,
    /// When the level changed.
    ChangePoints,
    /// Something that comes back.
    Period,
    /// The largest spread within a sliding window.
    Jitter,
    /// 1/throughput against the transactions done.
    Growth,
}

/// The runs of a cell over time.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OverTime {
    /// The completed runs that have their seconds.
    pub runs: Vec<RunOverTime>,
    /// What there is to say of the cell; empty where nothing stands out.
    pub findings: Vec<Finding>,
    /// What the runs are too short for, in a sentence; none if for nothing.
    pub too_short: Option<Words>,
}

/// Something that stands out.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Which question found it.
    pub question: Question,
    /// In words.
    pub text: Words,
}

/// One run over time. Seconds are counted from when the clients started, as the charts have them.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunOverTime {
    /// Which repeat, from 1.
    pub repeat: u32,
    /// Start of the measured window.
    pub from_s: f64,
    /// Its length, seconds.
    pub measured_s: f64,
    /// Transactions of the measured window.
    pub transactions: f64,
    /// What the run is too short for.
    pub too_short_for: Vec<Question>,
    /// Where it settled.
    pub steady: Option<Steady>,
    /// The largest spread within a sliding window.
    pub jitter: Option<Jitter>,
    /// A straight line through the throughput, once it has settled.
    pub trend: Option<Trend>,
    /// 1/throughput against the transactions done.
    pub growth: Option<CostGrowth>,
    /// What comes back, if chance gives that in at most one of a hundred runs.
    pub period: Option<Period>,
    /// Seconds without a completed transaction, if there is one.
    pub silence: Option<Stall>,
    /// Where the level changed, if chance gives that in at most one of a hundred runs; in order of time.
    pub changes: Vec<LevelChange>,
}

/// Where MSER cuts the beginning off.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Steady {
    /// Length of the beginning that is not like the rest, seconds of the measured window; 0: it is.
    pub cut_s: f64,
    /// Throughput of the beginning over that of the rest, less 1.
    pub change: f64,
    /// What chance gives.
    pub chance: f64,
    /// Whether the beginning differs by more than chance and 5 %, and the rest is most of the run.
    pub found: bool,
}

/// The largest spread within a window of a quarter of the run, of 32 slots.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Jitter {
    /// Largest difference between two slots of one window, as a share of the window's mean.
    pub variation: f64,
    /// Start of that window, seconds since the clients started.
    pub from_s: f64,
    /// Its length.
    pub window_s: f64,
    /// What slots that scatter independently of each other as much as neighbours do show in one run of a thousand.
    pub chance: f64,
    /// Whether clause 5.5 of TPC-C would be kept: less than 2 %; none where so few transactions vary as much by chance.
    pub kept: Option<bool>,
}

/// A straight line through the throughput.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Trend {
    /// Change from the first second of the line to the last, as a share of the first.
    pub change: f64,
    /// Lower end of its 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Whether it is more than 2 % and no chance (99 %).
    pub found: bool,
}

/// Something that comes back at equal distances.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Period {
    /// Its length, seconds.
    pub period_s: f64,
    /// How far its lowest second is below the median, as a share; all periods laid over each other.
    pub dip: f64,
    /// How far its highest is above.
    pub peak: f64,
    /// Autocorrelation at the period.
    pub strength: f64,
    /// How likely chance gives as strong a one.
    pub p_value: f64,
}

/// Seconds without a completed transaction.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stall {
    /// All of them, seconds.
    pub silent_s: f64,
    /// Stretches of them: from and to, seconds since the clients started; the hundred longest, in order of time.
    pub stretches: Vec<(f64, f64)>,
    /// How many stretches there are.
    pub count: u32,
    /// Length of the longest, seconds.
    pub longest_s: f64,
    /// Where it begins.
    pub longest_from_s: f64,
    /// Seconds from there until nine tenths of the median before it are reached again; none if they never are.
    pub recovery_s: Option<f64>,
    /// Whether it is more than chance gives where few transactions are completed.
    pub found: bool,
}

/// A change of the level.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LevelChange {
    /// When, seconds since the clients started.
    pub at_s: f64,
    /// Transactions per second before it, since the change before or the beginning.
    pub before_per_s: f64,
    /// After it, until the next or the end.
    pub after_per_s: f64,
    /// The second over the first.
    pub ratio: f64,
    /// Lower end of its 95 % interval; none where there is none.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// How likely chance gives as strong a one.
    pub p_value: f64,
}

impl LevelChange {
    /// Size of the change as a share of the level before, up or down.
    pub fn size(&self) -> f64 {
        (self.ratio - 1.0).abs()
    }
}
