//! Phrases for a waiting run and for its numbers.

use model::Wait;

pub use messages::number::{bytes, duration, thousands};

/// That data are being loaded; of a script nobody knows how many rows it makes.
pub fn loading(rows: u64, target: &str) -> String {
    match rows {
        0 => format!("preparing the data of {target}"),
        rows => format!("loading {} rows into {target}", thousands(rows)),
    }
}

/// The reason a run waits, in a few words.
pub fn waiting(wait: Wait, target: &str) -> String {
    match wait {
        Wait::Snapshot => format!("keeping a snapshot of the data of {target}"),
        Wait::Restore => format!("restoring the data of {target}"),
        Wait::Reload => format!("loading the data of {target} again"),
        Wait::CoolDown => "resting before the next trial".to_owned(),
        Wait::Failover => {
            format!("letting the old primary of {target} rejoin, and looking for what was acknowledged")
        }
        Wait::Crash => format!("letting {target} crash under load, and looking for what it had acknowledged"),
        Wait::CatchUp => format!("waiting for the replicas of {target}, and comparing them"),
        Wait::Profile => format!("summing up the sampled stacks of {target}"),
        Wait::Check => format!("checking the consistency of {target}"),
        Wait::Stop => format!("stopping {target}"),
    }
}
