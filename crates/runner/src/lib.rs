//! Plans and conducts experiments: from a Spec to a Plan, from a Plan to a Recording.
//!
//! [`plan`] is pure: the same Spec gives the same Plan. [`conduct`] brings the servers up, puts the data on them, runs
//! trial after trial, and sends one linear stream of events to the recording and to whoever else listens.

mod conduct;
mod dispatch;
mod globals;
mod grow;
mod house;
mod plan;
mod targets;
mod trial;
mod watch;

pub use conduct::{Conduct, Conducted, RunError, conduct, needs};
pub use grow::{Growth, grow};
pub use plan::{PlanError, plan, spec_toml};
pub use targets::{Bench, Emit, Proof, Site, TargetError, bring_up, connect_options, description};
