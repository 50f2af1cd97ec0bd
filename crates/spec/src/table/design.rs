//! How the trials are arranged: repeats, when to stop repeating, where to look closer, when data are restored.

use super::{Group, Kind, Row};

const H: &str = "Repeats and order";

/// The page.
pub static DESIGN: Group = &[
    Row::new(
        "design.repeats",
        H,
        Kind::Count { least: 1, most: 1000, why: "" },
        "Trials of each cell; in a sequential test the fewest",
    )
    .is("3"),
    Row {
        bare: "0",
        ..Row::new(
            "design.until_sure",
            H,
            Kind::Seconds,
            "Add repeats until every target differs significantly from the first or is equivalent to it (within the \
             margin). Optional time budget: 20m, 1h. Sequential test, overall false-positive rate 5 %",
        )
    },
    // A difference of 3 % is found among trials that scatter by 4 %.
    Row::new(
        "design.max_repeats",
        H,
        Kind::Count { least: 3, most: 1000, why: "" },
        "Sequential test: the most trials of each cell",
    )
    .is("40"),
    Row::new("design.margin", H, Kind::Margin, "Sequential test: equivalence margin").is("2"),
    Row::new(
        "design.refine",
        H,
        Kind::Switch,
        "Measure more numbers of clients where a curve collapses or two curves cross",
    )
    .is("off"),
    Row {
        hidden_aliases: &["bookend"],
        ..Row::new("design.drift_check", H, Kind::Switch, "Repeat the first cell at the end to detect drift")
            .note("experiments: on")
    },
    Row::new(
        "design.cool_down",
        H,
        Kind::Seconds,
        "Time without load before each trial but the first, for disks and kernel to come to rest",
    )
    .flag_is("cool-down-time")
    .is("0"),
    Row::new(
        "design.restore",
        H,
        Kind::Choice(&[
            ("written", "After a trial that wrote; sandboxes only"),
            ("changed", "After rows were added or removed"),
            ("reload", "As written; external servers drop and load their tables again"),
        ]),
        "When to restore data before a trial. written: after a trial that wrote (sandboxes only, which then run one at \
         a time). changed: only after rows were added or removed. reload: as written, and tables on external servers \
         are dropped and loaded again",
    )
    .value("RULE")
    .is("written"),
];
