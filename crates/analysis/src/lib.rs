//! Judgement: summaries, comparisons, caveats.
//!
//! Pure: results go in, sentences and numbers with intervals come out. Nothing here reads a file, a clock or a server, so
//! that a judgement can be made again from a recording at any time, and tested without one. [`metric`] defines the metrics
//! and [`caveat`] the threats to a figure: one table each. Knowledge of MySQL that does not depend on a measurement is in
//! the crate `knowledge`.

pub mod advice;
pub mod answer;
pub mod bisect;
mod bound;
mod breakdown;
mod candidates;
pub mod capacity;
pub mod caution;
pub mod caveat;
mod cell;
pub mod colocation;
pub mod compare;
pub mod condition;
pub mod contest;
pub mod costs;
mod crash;
pub mod curve;
pub mod differences;
pub mod drift;
mod events;
mod explanation;
mod failover;
pub mod history;
mod hot;
pub mod input;
pub mod interaction;
pub mod machine;
pub mod metric;
pub mod open_loop;
pub mod open_question;
mod others;
pub mod over_time;
pub mod plans;
mod proof;
mod queues;
mod router;
pub mod sequence;
mod serial;
pub mod signs;
pub mod summary;
mod threads;
pub mod threshold;
pub mod timeline;
mod together;
pub mod tops;
pub mod tpcc;
pub mod unequal;
pub mod validity;
mod verdict;
pub mod versions;

pub use advice::{CellAdvice, SeenCell, Setup, advise};
pub use answer::{answer, answer_against};
pub use bisect::{Bisection, bisection};
pub use breakdown::{Breakdown, BreakdownPart, UNATTRIBUTED};
pub use candidates::candidates;
pub use capacity::{Capacity, capacities};
pub use caution::{ComparabilityWarning, cautions};
pub use caveat::{Caveat, InTrials, Severity, WorstTrial};
pub use colocation::{Colocation, colocations};
pub use compare::{Comparison, Family, Judgement, Verdict, compare};
pub use costs::Cost;
pub use crash::{
    CrashConditionsSummary, CrashReplicasSummary, CrashStanding, CrashSummary, LogSummary, TornAt,
    crash_answer,
};
pub use curve::{Curve, CurveCrossover, curves, overtakings};
pub use differences::{Setting, side_by_side};
pub use events::EventSummary;
pub use explanation::{Explanation, PartChange, explanations};
pub use failover::{FailoverErrors, FailoverSummary, failover_answer};
pub use hot::{HotChange, HotFunction, HotStacks, HotThread, hot_changes, hot_stacks};
pub use input::{Measure, OperationHistograms, Span, TrialInput};
pub use interaction::{Interactions, interactions};
pub use machine::MachineUse;
pub use messages::Words;
pub use metric::Metric;
pub use open_loop::OpenSummary;
pub use open_question::{OpenQuestion, doubts};
pub use over_time::OverTime;
pub use plans::PlanSummary;
pub use proof::{Effect, NotTried, RecommendationEffect, RecommendationProof, proof};
pub use router::{RouterAdds, RouterSummary};
pub use serial::{GROWTH_MIN, SerialStage, SerialStanding, serial_stages};
pub use summary::{CellSummary, Network, RunFigures, SetAside, summarise};
pub use timeline::Timeline;
pub use together::TogetherSummary;
pub use tops::{TopStatement, TopThreads, TopWait, Tops};
pub use tpcc::{TpccSummary, TypeSummary};
pub use validity::{Validity, ValidityLevel, validity};
pub use versions::{VersionSearch, version_search};

/// Confidence of every interval here.
pub const CONFIDENCE: f64 = 0.95;
