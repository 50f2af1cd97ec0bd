//! How much load, how long.

use super::{Group, Kind, Row};

const H: &str = "Load";

/// The page.
pub static LOAD: Group = &[
    Row {
        aliases: &["terminals"],
        ..Row::new("load.clients", H, Kind::Clients, "Numbers of clients: 16, or 1,4,16, or 1..64 (doubling)")
            .flag_is("threads")
            .note("run: 1, sweep: 1,4,16,64")
    },
    Row::new("load.time", H, Kind::Seconds, "Measured time of each trial; 0: until the number of events is reached")
        .note("run: 10, sweep: 30"),
    Row::new("load.warmup", H, Kind::Seconds, "Warm-up before the measured window")
        .flag_is("warmup-time")
        .note("run: 0, sweep: 5"),
    Row::new("load.endurance", H, Kind::Switch, "Run for eight hours after ten minutes of warm-up, unless times are given")
        .is("off"),
    Row::new("load.events", H, Kind::count64(), "Stop after N transactions; 0: no limit").is("0"),
    Row::new(
        "load.rate",
        H,
        Kind::Phases,
        "Arrival rate, transactions per second (open loop): 500, or phases 500:30,500..2000:60 (a ramp),2000:10. \
         Clients then bound the concurrency. 0, as in sysbench: closed loop, each client starts its next transaction \
         when the last one ends",
    )
    .note("closed loop; with a rate: 64 clients"),
    Row::new("load.arrivals", H, Kind::Choice(&[
        ("poisson", "At random, independently of each other"),
        ("constant", "At equal distances"),
    ]), "Distribution of the arrivals of an open loop")
    .value("KIND")
    .is("poisson"),
    Row::new(
        "load.in_flight",
        H,
        Kind::count32(1),
        "Limit the number of concurrent transactions over all clients; further ones queue, and queueing counts as response time",
    )
    .note("as many as clients"),
    Row::new("load.think_time", H, Kind::Seconds, "Mean think time of a client between two transactions (negative exponential)")
        .is("0"),
    Row {
        hidden_aliases: &["rand-seed"],
        ..Row::new("seed", H, Kind::Seed, "Seed of everything random, rows included; 0: a new one, which is recorded").is("1")
    },
    Row::new(
        "load.workers",
        H,
        Kind::Count { least: 1, most: 1024, why: "" },
        "Worker threads of the generator",
    )
    .note("chosen from CPUs and clients"),
];
