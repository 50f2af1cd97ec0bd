//! Plans and conducts experiments: makes a Plan from a Spec, and a Recording from a Plan.
//!
//! [`plan`] is pure: the same Spec gives the same Plan. [`conduct`] brings the servers up, puts the data on them, runs
//! trial after trial, and sends one linear stream of events to the recording and to other listeners.

mod ahead;
mod binary_log;
mod bisect;
mod block;
mod conduct;
mod conductor;
mod crash;
mod cut;
mod dispatch;
mod error;
mod events;
mod failover;
mod freshness;
mod globals;
mod gone;
mod grow;
mod growth;
mod heartbeat;
mod journal;
mod lag;
mod member;
mod needs;
mod plan;
mod readings;
mod recovered;
mod sampling;
mod search;
mod targets;
mod through;
mod together;
mod trial;
mod watch;

pub use conduct::{Conduct, Conducted, conduct};
pub use error::RunError;
pub use grow::grow;
pub use growth::PlanGrowth;
pub use journal::journal_rate;
pub use member::LiveMember;
pub use needs::needs;
pub use plan::{PlanError, plan};
pub use targets::{
    Emit, LiveTarget, Proof, TargetEnvironment, TargetError, bring_up, connect_options, description,
};
pub use trial::explained;
