//! The search for the differences that make one of two targets faster.

use super::{Kind, OptionGroup, OptionRow};

const H: &str = "Search for differences";

/// The page.
pub static BISECT: OptionGroup = &[
    OptionRow::new(
        "bisect.max_trials",
        H,
        Kind::Count { least: 3, most: 1000, why: "" },
        "Maximum number of trials per combination, after which a group of differences is decided by its estimate",
    )
    .is("8"),
    OptionRow::new(
        "bisect.both_ways",
        H,
        Kind::Switch,
        "Search groups of differences without an effect too: the effects of two differences may cancel out. Takes three times as long",
    )
    .is("off"),
    OptionRow::new(
        "bisect.in_order",
        H,
        Kind::Switch,
        "The targets are in order, as builds are: find the first one on which throughput changed",
    )
    .is("off"),
    OptionRow::new(
        "bisect.metric",
        H,
        Kind::Choice(&[("throughput", "transactions per second"), ("p99", "99th percentile of the response time")]),
        "By what targets in order are compared",
    )
    .is("throughput"),
    OptionRow::new("bisect.budget", H, Kind::Seconds, "Time after which no trial is started: 20m, 1h")
        .note("no limit"),
];
