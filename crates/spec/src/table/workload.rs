//! sysbench's data and statements, with its names and defaults.

use super::Applies::All;
use super::{Applies, Kind, OptionGroup, OptionRow};

const SYSBENCH: Applies = Applies::Family("sysbench");
const DATA: &str = "Data";
const STATEMENTS: &str = "Workload";
const RANDOM: &str = "Random numbers";

const fn data(path: &'static str, kind: Kind, default: &'static str, help: &'static str) -> OptionRow {
    OptionRow::new(path, DATA, kind, help).is(default).of(SYSBENCH)
}

const fn statements(path: &'static str, default: &'static str, help: &'static str) -> OptionRow {
    OptionRow::new(path, STATEMENTS, Kind::count32(0), help).is(default).of(SYSBENCH)
}

const fn random(path: &'static str, kind: Kind, default: &'static str, help: &'static str) -> OptionRow {
    OptionRow::new(path, RANDOM, kind, help).is(default).of(SYSBENCH)
}

/// The page.
pub static WORKLOAD: OptionGroup = &[
    // More tables than a server opens with pleasure.
    data(
        "workload.tables",
        Kind::Count { least: 1, most: 100_000, why: "" },
        "1",
        "Number of tables, sbtest1..N",
    ),
    data(
        "workload.table_size",
        Kind::Count { least: 1, most: i32::MAX as u64, why: "ids are INTEGER columns" },
        "10000",
        "Rows in each table",
    ),
    data(
        "workload.auto_inc",
        Kind::Switch,
        "on",
        "Use an AUTO_INCREMENT primary key; off: the client chooses the ids",
    ),
    data("workload.secondary", Kind::Switch, "off", "Use a secondary index instead of the primary key"),
    data("workload.create_secondary", Kind::Switch, "on", "Create the index k_N on column k"),
    data("workload.mysql_storage_engine", Kind::Engine, "innodb", "Storage engine").of(All),
    data("workload.create_table_options", Kind::Text, "", "Text to append to CREATE TABLE").hidden(""),
    statements("workload.point_selects", "10", "Point selects per transaction"),
    OptionRow::new(
        "workload.range_selects",
        STATEMENTS,
        Kind::Switch,
        "Run range selects; off: none of the four kinds",
    )
    .is("on")
    .of(SYSBENCH),
    OptionRow::new("workload.range_size", STATEMENTS, Kind::count32(1), "Rows read by a range select")
        .is("100")
        .of(SYSBENCH),
    statements("workload.simple_ranges", "1", "Simple range selects per transaction"),
    statements("workload.sum_ranges", "1", "SELECT SUM() per transaction"),
    statements("workload.order_ranges", "1", "SELECT ... ORDER BY per transaction"),
    statements("workload.distinct_ranges", "1", "SELECT DISTINCT ... ORDER BY per transaction"),
    statements("workload.index_updates", "1", "Updates of the indexed column per transaction"),
    statements("workload.non_index_updates", "1", "Updates of the column without index per transaction"),
    statements("workload.delete_inserts", "1", "Pairs of DELETE and INSERT per transaction"),
    OptionRow::new(
        "workload.skip_trx",
        STATEMENTS,
        Kind::Switch,
        "Run every statement in autocommit mode, without BEGIN and COMMIT",
    )
    .is("off")
    .of(SYSBENCH),
    OptionRow::new(
        "workload.random_points",
        STATEMENTS,
        Kind::count32(1),
        "Points in the IN list of select_random_points",
    )
    .is("10")
    .of(SYSBENCH),
    OptionRow::new(
        "workload.number_of_ranges",
        STATEMENTS,
        Kind::count32(1),
        "Ranges in select_random_ranges",
    )
    .is("10")
    .of(SYSBENCH),
    statements("workload.delta", "5", "Width of each range of select_random_ranges"),
    OptionRow::new(
        "workload.db_ps_mode",
        STATEMENTS,
        Kind::Choice(&[("auto", "Prepared"), ("disable", "As text")]),
        "Use server-side prepared statements (auto) or the text protocol (disable)",
    )
    .value("MODE")
    .is("auto")
    .of(SYSBENCH),
    OptionRow::new(
        "workload.scale",
        DATA,
        Kind::Number { least: 0.0, most: 1e9, open: true },
        "Factor for the number of rows in each table of a workload file",
    )
    .value("FACTOR")
    .is("1")
    .of(Applies::Family("statements")),
    OptionRow::new(
        "workload.script_options",
        STATEMENTS,
        Kind::Assignments,
        "Options of a Lua script that mydyno itself does not have",
    )
    .value("NAME=VALUE")
    .of(Applies::Family("lua")),
    OptionRow::new(
        "workload.script_dialect",
        STATEMENTS,
        Kind::Choice(&[
            ("auto", "1.1 if the script uses what only that has"),
            ("1.0", "That of sysbench 1.0, with the functions of 0.5"),
            ("1.1", "That of sysbench's main branch"),
        ]),
        "Lua interface that a script finds",
    )
    .value("VERSION")
    .is("auto")
    .of(Applies::Family("lua")),
    OptionRow::new(
        "workload.reconnect",
        STATEMENTS,
        Kind::count64(),
        "Reconnect after N transactions; 0: never",
    )
    .is("0"),
    OptionRow::new(
        "workload.mysql_ignore_errors",
        STATEMENTS,
        Kind::ErrorCodes,
        "Server errors after which a transaction is retried: codes, or all",
    )
    .note("1213,1205,1020,3101,1047,1180"),
    random(
        "workload.rand_type",
        Kind::Choice(&[
            ("uniform", "Every row id equally likely"),
            ("gaussian", "The mean of several uniform draws"),
            ("special", "A hot centre on top of a gaussian"),
            ("pareto", "Few ids get most of the draws"),
            ("zipfian", "Zipf's law"),
        ]),
        "special",
        "Distribution of row ids",
    ),
    random(
        "workload.rand_spec_iter",
        Kind::count32(1),
        "12",
        "Number of draws to average (gaussian, special)",
    ),
    random("workload.rand_spec_pct", Kind::percent(), "1", "Percentage of ids that are special").value("N"),
    random("workload.rand_spec_res", Kind::percent(), "75", "Percentage of draws that hit special ids")
        .value("N"),
    random(
        "workload.rand_pareto_h",
        Kind::Number { least: 0.0, most: 1.0, open: true },
        "0.2",
        "Parameter h of pareto",
    )
    .value("H"),
    // Above 10 nearly every draw hits one id.
    random(
        "workload.rand_zipfian_exp",
        Kind::Number { least: 1e-9, most: 10.0, open: false },
        "0.8",
        "Exponent of zipfian",
    ),
];
