//! The search for a capacity: what must hold, where to look, when to stop.

use super::{Kind, OptionGroup, OptionRow};

const H: &str = "Capacity";

/// The page.
pub static CAPACITY: OptionGroup = &[
    OptionRow::new(
        "capacity.slo",
        H,
        Kind::Conditions,
        "Require a condition, such as p99<20ms, lag<1s or errors<1 (repeatable). In any case neither the backlog nor the lag of a \
         replica may grow",
    )
    .note("only that no queue grows"),
    OptionRow::new(
        "capacity.between",
        H,
        Kind::Range,
        "Lowest and highest rate to try, transactions per second: 100..5000",
    )
    .note("from the throughput of a closed loop, which is measured first"),
    OptionRow::new("capacity.precision", H, Kind::Margin, "Width of the 95 % interval at which the search ends, in percent of the rate").is("10"),
    OptionRow::new(
        "capacity.max_trials",
        H,
        Kind::Count { least: 4, most: 1000, why: "" },
        "Maximum number of trials per target and workload",
    )
    .is("40"),
    OptionRow::new("capacity.budget", H, Kind::Seconds, "Time after which no trial is started: 20m, 1h").note("no limit"),
];
