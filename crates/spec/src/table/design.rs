//! The arrangement of trials: repeats, the stopping rule, refinement, restoring data.

use super::{Kind, OptionGroup, OptionRow};

const H: &str = "Repeats and order";

/// The page.
pub static DESIGN: OptionGroup = &[
    OptionRow {
        aliases: &["cuts"],
        ..OptionRow::new(
            "design.repeats",
            H,
            Kind::Count { least: 1, most: 1000, why: "" },
            "Repeat every cell N times; in a sequential test this is the minimum [mydyno crash: 20]",
        )
        .is("3")
    },
    OptionRow {
        bare: "0",
        ..OptionRow::new(
            "design.until_sure",
            H,
            Kind::Seconds,
            "Add repeats until every target differs significantly from the first or is equivalent to it (within the \
             margin). Optional time budget: 20m, 1h. Sequential test, overall false-positive rate 5 %",
        )
    },
    // A difference of 3 % is found among trials that scatter by 4 %.
    OptionRow::new(
        "design.max_repeats",
        H,
        Kind::Count { least: 3, most: 1000, why: "" },
        "Maximum number of repeats of a sequential test",
    )
    .is("40"),
    OptionRow::new("design.margin", H, Kind::Margin, "Equivalence margin of a sequential test, in percent").is("2"),
    OptionRow::new(
        "design.refine",
        H,
        Kind::Switch,
        "Add client counts around a collapse of a curve or a crossover of two",
    )
    .is("off"),
    OptionRow {
        hidden_aliases: &["bookend"],
        ..OptionRow::new("design.drift_check", H, Kind::Switch, "Repeat the first cell at the end to detect drift of the machine")
            .note("experiments on")
    },
    OptionRow::new(
        "design.cool_down",
        H,
        Kind::Seconds,
        "Idle time before each trial except the first, to let disks and kernel settle",
    )
    .flag_is("cool-down-time")
    .is("0"),
    OptionRow::new(
        "design.restore",
        H,
        Kind::Choice(&[
            ("written", "After a trial that wrote; sandboxes only"),
            ("changed", "After rows were added or removed"),
            ("reload", "As written; external servers drop and load their tables again"),
        ]),
        "When to restore the data before a trial. written: after a trial that wrote (sandboxes, which then run one at \
         a time). changed: only after rows were added or removed. reload: as written, and on external servers drop \
         and load the tables again",
    )
    .value("RULE")
    .is("written"),
    OptionRow::new(
        "allow_failing_cells",
        "Load",
        Kind::Switch,
        "Record cells that cannot work (more clients than max_connections) as failed instead of refusing; exit 0 despite \
         failed cells",
    )
    .is("off"),
];
