//! The vocabulary of mydyno: the types that are written to or read from disk, and their units.
//!
//! Every other crate speaks in these words, so that a recording made today can be read next year. Nothing here does
//! I/O, reads a clock or starts a thread. No password has a place in any of these types.

mod advice;
mod arrangement;
mod benchmark;
mod bisect;
mod calibration;
mod crash;
mod design;
mod disk;
mod event;
mod examination;
mod facts;
mod failover;
mod imported;
mod journal;
mod load_shape;
mod observation;
mod place;
mod plan;
mod planned_event;
mod proof;
mod router;
mod sampling;
mod snapshot;
mod target;
mod together;
mod trial;
mod workload;

pub use advice::{Advice, Advise, How, OptionId, Verb};
pub use arrangement::{Arrangement, LinkCut, Via};
pub use benchmark::{BenchmarkLine, Better};
pub use bisect::{BisectSearch, DifferencePart, TargetCombination, TargetDifference, combined, sandbox};
pub use calibration::{Calibration, CalibrationPoint};
pub use crash::{
    BesidePrimary, BinaryLog, ComparedLog, ComparedReplica, Crash, CrashKind, CrashReplica, DiskLoss,
    Journal, RecoveredRows, Recovery, ReplicaState,
};
pub use design::{CapacitySearch, Design, Factor, Levels, OnlyCell, Restore, UntilSure, Variant, Why};
pub use disk::DiskKind;
pub use event::{Event, EventKind, Wait};
pub use examination::{AccountFacts, Channel, Examination, TableFacts, Unseen};
pub use facts::{Durability, HostFacts, Instance, ServerFacts, Variables};
pub use failover::{Failover, PlannedFailover, PrimaryLoss, PromotedBy, Promotion, Rejoin};
pub use imported::{Imported, ReportedLatency, Stated, StatedType};
pub use journal::JournalEntry;
pub use load_shape::{Arrivals, LoadShape, Phase, Rate};
pub use observation::{
    ApplierUse, DiskUse, GroupUse, HostUse, LongStatements, Observation, Observe, ProcessUse,
};
pub use place::{CpuQuota, CpuShare, IdList, Nodes, Place};
pub use plan::{About, CellKey, Plan, PlannedTrial, Spec, SpecTarget};
pub use planned_event::{EventAction, EventOutcome, PlannedEvent};
pub use proof::{RecommendationTrials, TriedRecommendation, UntriedReason, UntriedRecommendation};
pub use router::{RouterCpu, RouterRoundTrip, RouterUse};
pub use sampling::{NotSampled, SampledStacks, Sampling};
pub use snapshot::{
    BinlogUse, ChangedVariable, EventUse, PlanStep, Plans, Snapshot, StatementPlan, StatementUse, ThreadUse,
    Watched,
};
pub use target::{
    Address, Endpoint, Flavour, Member, Role, SandboxSpec, ServerKind, Target, TlsMode, TlsSpec, TlsVersion,
    Topology, member_name,
};
pub use together::{DifferingTable, FaultKind, LagGrowth, NetworkUse, StaleReads, Together, TopologyFault};
pub use trial::{
    ErrorCount, Failure, FailureCode, Fairness, GeneratorUse, Interval, LatencySummary, Measured,
    MemberFacts, OpenLoop, OperationKind, OperationSummary, Outcome, QueryCounts, Stalls, Straddling,
    Stretch, Surroundings, TlsUse, Traffic, TrialResult,
};
pub use workload::{
    ColumnDefinition, Condition, Consistency, DataSet, ErrorPolicy, ImportedWorkload, Isolation,
    KeyDistribution, LuaData, LuaDialect, LuaOptions, LuaScript, Mix, PsMode, Reads, Repeat, Scalar,
    SpecialShape, StatementDefinition, StatementKind, StatementStyle, StatementText, StatementsData,
    StatementsOptions, StockLevelForm, SysbenchData, SysbenchOptions, SysbenchWorkload, TableDefinition,
    TableSizes, TpccData, TpccDeck, TpccHome, TpccOptions, TpccResult, TpccTransaction,
    TransactionDefinition, Unchecked, ValueDefinition, ValueGenerator, WeightsOf, Workload, WorkloadFile,
    WorkloadSpec, draw_named,
};

/// The version of every file format in a recording. Readers accept this one and older ones.
pub const FORMAT: u32 = 1;
