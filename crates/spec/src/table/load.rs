//! The load and its length.

use super::{Kind, OptionGroup, OptionRow};

const H: &str = "Load";

/// The page.
pub static LOAD: OptionGroup = &[
    OptionRow {
        aliases: &["clients", "terminals"],
        ..OptionRow::new("load.clients", H, Kind::Clients, "Client counts: 16, or 1,4,16, or 1..64 (doubling)")
            .flag_is("threads")
            .note("run 1; sweep 1,4,16,64; crash, failover and bisect 8; capacity and with a rate 64")
    },
    OptionRow::new("load.time", H, Kind::Seconds, "Length of the measured window; 0: until the number of events is reached")
        .note("run 10, sweep 30, capacity 20, crash and bisect 5, failover 45"),
    OptionRow::new("load.warmup", H, Kind::Seconds, "Warm-up before the measured window")
        .flag_is("warmup-time")
        .note("run 0, sweep, capacity and failover 5, crash and bisect 2"),
    OptionRow::new("load.endurance", H, Kind::Switch, "Measure eight hours after ten minutes of warm-up, unless times are given")
        .is("off"),
    OptionRow::new("load.events", H, Kind::count64(), "Stop after N transactions; 0: no limit").is("0"),
    OptionRow::new(
        "load.rate",
        H,
        Kind::Phases,
        "Offer an arrival rate in transactions per second (open loop): 500, or phases with a ramp, \
         500:30,500..2000:60,2000:10. The number of clients then limits concurrency. Without a rate, or with 0, the \
         loop is closed: each client sends its next transaction when the last one is answered",
    ),
    OptionRow::new("load.arrivals", H, Kind::Choice(&[
        ("poisson", "At random, independently of each other"),
        ("constant", "At equal distances"),
    ]), "Distribution of the arrivals of an open loop")
    .value("KIND")
    .is("poisson"),
    OptionRow::new(
        "load.in_flight",
        H,
        Kind::count32(1),
        "Limit the number of concurrent transactions over all clients; further ones queue, and queueing counts as response time",
    )
    .note("number of clients"),
    OptionRow::new("load.think_time", H, Kind::Seconds, "Mean think time between two transactions of a client (exponentially distributed)")
        .is("0"),
    OptionRow {
        aliases: &["kind"],
        ..OptionRow::new("load.crash", H, Kind::Choice(&[
        ("off", "No crash"),
        ("kill", "The process is killed: what it had written survives in the page cache"),
        ("os", "What was not flushed is lost, but for direct writes: a crash of the operating system"),
        ("power", "What was not flushed is lost: a power failure under a volatile write cache"),
        ("lying", "What was not flushed is lost, and flushes do nothing: the positive control"),
    ]), "Crash the server under the same load after the measured window, restart it, and look for every acknowledged commit. \
         Sandboxes only [mydyno crash: power]")
    .value("KIND")
    .is("off")
    },
    OptionRow::new("load.failover", H, Kind::Choice(&[
        ("off", "No failover"),
        ("kill", "The process of the primary is killed"),
        ("stop", "The primary is shut down"),
        ("freeze", "The primary stands still: it keeps its connections and answers nobody"),
        ("cut", "The primary is cut off from the other servers; clients still reach it"),
    ]), "Lose the primary of a topology during the load, replace it by another server, and look for every acknowledged commit. \
         Sandboxes only [mydyno failover: kill]")
    .value("LOSS")
    .is("off"),
    OptionRow::new(
        "load.event",
        H,
        Kind::Events,
        "Trigger an event WHEN seconds into the measured window (repeatable): 'WHEN kill SERVER', 'WHEN stop SERVER', \
         'WHEN freeze SERVER for 5s', 'WHEN cut SERVER-SERVER for 10s', 'WHEN set VARIABLE=VALUE', 'WHEN sql STATEMENT'. SERVER is \
         primary, or a number (1 is the primary). External servers allow only set and sql",
    ),
    OptionRow::new("load.failover_at", H, Kind::Seconds, "Lose the primary this many seconds into the measured window").is("10"),
    OptionRow {
        hidden_aliases: &["rand-seed"],
        ..OptionRow::new("seed", H, Kind::Seed, "Seed of all random numbers, including the rows; 0: choose a new one and record it").is("1")
    },
    OptionRow::new(
        "load.workers",
        H,
        Kind::Count { least: 1, most: 1024, why: "" },
        "Number of worker threads of the generator",
    )
    .note("from CPUs and clients"),
];
