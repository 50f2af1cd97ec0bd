//! The options that concern a specification as a whole. Their keys are at the top of a file, before the first section.

use super::{Kind, OptionGroup, OptionRow};

const RESULTS: &str = "Results";

/// The page.
pub static GENERAL: OptionGroup = &[
    OptionRow::new(
        "prepare",
        "Data",
        Kind::Switch,
        "Load missing tables first; otherwise they are an error. Always on for sandboxes",
    )
    .is("off"),
    OptionRow::new("observe", RESULTS, Kind::Choice(&[
        ("off", "Nothing"),
        ("light", "Counters of server and machine once a second, statements and waits, plans before and after"),
        ("full", "Also switch on the server's instruments for waits and stages, which costs throughput"),
    ]), "Server metrics to collect during the load. light: counters of server and machine once a second. full: also switch on \
         performance_schema instruments, which costs throughput")
    .value("LEVEL")
    .is("light"),
    OptionRow::new(
        "perf",
        RESULTS,
        Kind::Switch,
        "Add a trial of each target and workload, at its greatest number of clients, in which perf samples the CPUs of the \
         server: flame graphs, hottest functions. The trial counts in no other figure. Servers of this machine only",
    )
    .is("off"),
    OptionRow::new(
        "name",
        RESULTS,
        Kind::Name,
        "Name the recording; mydyno history NAME tracks all of that name",
    )
    .note("name of the workload"),
];
