//! How much load, how long, how often: the general options, with sysbench's names.

use clap::{Args, ValueEnum};
use model::LoadShape;

use super::rate::{Phases, phases};
use super::size::{count, seconds, seed};
use super::threads::{ThreadList, thread_list};
use crate::error::{Outcome, UserError};

/// Load of a trial and number of trials.
#[derive(Args, Clone)]
#[command(next_help_heading = "Load")]
pub struct LoadArgs {
    /// Client counts: 16, or 1,4,16, or 1..64 (doubling) [default: run 1; sweep 1,4,16,64; with --rate 64]
    #[arg(long, visible_alias = "terminals", value_name = "LIST", value_parser = thread_list)]
    pub threads: Option<ThreadList>,
    /// Length of the measured window; 0: until --events [default: run 10, sweep 30]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time: Option<f64>,
    /// Warm-up before the measured window [default: run 0, sweep 5]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub warmup_time: Option<f64>,
    /// Measure eight hours after ten minutes of warm-up, unless --time and --warmup-time are given
    #[arg(long)]
    pub endurance: bool,
    /// Stop after N transactions; 0: no limit
    #[arg(long, value_name = "N", default_value = "0", value_parser = count)]
    pub events: u64,
    /// Offer an arrival rate in transactions per second (open loop): 500, or phases with a ramp, 500:30,500..2000:60,2000:10.
    /// --threads then limits concurrency. Without a rate, or with 0, the loop is closed: each client sends its next
    /// transaction when the last one is answered
    #[arg(long, value_name = "LIST", value_parser = phases)]
    pub rate: Option<Phases>,
    /// Distribution of the arrivals of --rate
    #[arg(long, value_name = "KIND", default_value = "poisson")]
    pub arrivals: Arrivals,
    /// Limit the number of concurrent transactions over all clients; further ones queue, and queueing counts as response
    /// time [default: number of clients]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub in_flight: Option<u32>,
    /// Mean think time between two transactions of a client (exponentially distributed)
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = seconds)]
    pub think_time: f64,
    /// Seed of all random numbers, including the rows; 0: choose a new one and record it
    #[arg(long, alias = "rand-seed", value_name = "N", default_value = "1", value_parser = seed)]
    pub seed: u64,
    /// Number of worker threads of the generator [default: from CPUs and clients]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub workers: Option<u32>,
    /// sysbench's limit for starting its threads: here --connect-timeout bounds each connection
    #[arg(long, value_name = "SECONDS", hide = true)]
    pub thread_init_timeout: Option<f64>,
    /// sysbench's limit for ending: here open transactions are given up five seconds after the end
    #[arg(long, value_name = "SECONDS|off", hide = true)]
    pub forced_shutdown: Option<String>,
    /// sysbench's level of messages
    #[arg(long, value_name = "N", hide = true, value_parser = clap::value_parser!(u8).range(0..=5))]
    pub verbosity: Option<u8>,
    /// sysbench's checks, of which its OLTP workloads have none
    #[arg(long, value_name = "on|off", hide = true, default_value = "off", default_missing_value = "on", num_args = 0..=1,
        require_equals = true, action = clap::ArgAction::Set, value_parser = super::size::switch)]
    pub validate: bool,
    /// sysbench's choice of driver: mysql is the only one here
    #[arg(long, hide = true, value_parser = ["mysql"])]
    pub db_driver: Option<String>,
}

/// What a verb takes where nothing is said.
#[derive(Debug, Clone, Copy)]
pub struct Defaults {
    /// Numbers of clients.
    pub threads: &'static [u32],
    /// Measured seconds.
    pub time_s: f64,
    /// Seconds of warm-up.
    pub warmup_s: f64,
}

/// `run` is sysbench's run.
pub const RUN: Defaults = Defaults { threads: &[1], time_s: 10.0, warmup_s: 0.0 };
/// `sweep` is for comparing: a warm-up, and long enough for a p99.
pub const SWEEP: Defaults = Defaults { threads: &[1, 4, 16, 64], time_s: 30.0, warmup_s: 5.0 };

/// Clients that take what is due: more than are in flight at the same time as long as the server keeps up.
const CLIENTS_OF_A_RATE: u32 = 64;
/// `--endurance`: TPC-C asks for eight hours (clause 5.5).
const ENDURANCE: Defaults = Defaults { threads: &[], time_s: 8.0 * 3600.0, warmup_s: 600.0 };

/// `--arrivals`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Arrivals {
    /// At random, independently of each other.
    Poisson,
    /// At equal distances.
    Constant,
}

impl Arrivals {
    fn model(self) -> model::Arrivals {
        match self {
            Self::Poisson => model::Arrivals::Poisson,
            Self::Constant => model::Arrivals::Constant,
        }
    }
}

impl LoadArgs {
    /// The numbers of clients.
    pub fn clients(&self, defaults: Defaults) -> Vec<u32> {
        let defaults = if self.rate.as_ref().is_some_and(Phases::is_open_loop) {
            &[CLIENTS_OF_A_RATE][..]
        } else {
            defaults.threads
        };
        self.threads.as_ref().map_or_else(|| defaults.to_vec(), |list| list.0.clone())
    }

    /// The seed, or `fresh` where the user wants a new one. Without a word it is always the same one: runs are
    /// repeatable, and kept data can be used again.
    pub fn seed_or(&self, fresh: u64) -> u64 {
        if self.seed == 0 { fresh } else { self.seed }
    }

    /// The three numbers that bound a trial, checked.
    pub fn shape(&self, defaults: Defaults) -> Outcome<LoadShape> {
        let defaults = if self.endurance { ENDURANCE } else { defaults };
        let phases = self.rate.clone().unwrap_or_default();
        let (rate, time_s) = phases.rate(self.arrivals.model(), self.time, defaults.time_s)?;
        if time_s == 0.0 && self.events == 0 {
            return Err(UserError::usage("--time=0 without --events would never end")
                .hint("give a number of seconds, or a number of transactions with --events"));
        }
        Ok(LoadShape {
            warmup_s: self.warmup_time.unwrap_or(defaults.warmup_s),
            time_s,
            events: self.events,
            rate,
            in_flight: self.in_flight,
            think_s: self.think_time,
            workers: self.workers,
        })
    }

    /// Options that are accepted for the sake of sysbench's scripts and change nothing here.
    pub fn remarks(&self) -> Vec<String> {
        let timeout = self.thread_init_timeout.map(|_| {
            "--thread-init-timeout changes nothing here: connections are opened a few at a time, each within \
             --connect-timeout"
                .to_owned()
        });
        let no_rate = self.rate.as_ref().filter(|rate| !rate.is_open_loop()).map(|_| {
            "--rate=0 is no rate, as in sysbench: the loop is closed, each client goes on as soon as it can".to_owned()
        });
        let shutdown = self.forced_shutdown.as_ref().filter(|limit| *limit != "off").map(|_| {
            "--forced-shutdown changes nothing here: transactions that are open at the end are given up after 5 s"
                .to_owned()
        });
        // 3 is what sysbench takes if nothing is said.
        let verbosity = self.verbosity.filter(|level| *level != 3).map(|_| {
            "--verbosity changes nothing here: results go to standard output, progress to standard error"
                .to_owned()
        });
        let validate = self.validate.then(|| {
            "--validate checks nothing in these workloads, as in sysbench; mydyno check looks at the tables".to_owned()
        });
        let remarks = [timeout, no_rate, shutdown, verbosity, validate];
        remarks.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: LoadArgs,
    }

    fn args(words: &[&str]) -> LoadArgs {
        Line::try_parse_from(["test"].iter().chain(words)).expect("words that clap accepts").args
    }

    #[test]
    fn each_verb_has_its_own_defaults() {
        let none = args(&[]);
        assert_eq!(none.clients(RUN), [1]);
        assert_eq!(none.clients(SWEEP), [1, 4, 16, 64]);
        let shape = none.shape(SWEEP).expect("the defaults are valid");
        assert_eq!((shape.warmup_s, shape.time_s, shape.events), (5.0, 30.0, 0));
    }

    #[test]
    fn an_endurance_run_is_long_unless_told_otherwise() {
        let shape = |words: &[&str]| args(words).shape(RUN).expect("valid");
        assert_eq!((shape(&["--endurance"]).time_s, shape(&["--endurance"]).warmup_s), (28_800.0, 600.0));
        let short = shape(&["--endurance", "--time=10m", "--warmup-time=30s"]);
        assert_eq!((short.time_s, short.warmup_s), (600.0, 30.0));
    }

    #[test]
    fn a_run_without_an_end_is_refused_and_one_that_counts_is_not() {
        assert!(args(&["--time=0"]).shape(RUN).is_err());
        assert!(args(&["--time=0", "--events=1K"]).shape(RUN).is_ok());
    }

    #[test]
    fn a_rate_makes_an_open_loop_of_as_long_as_its_phases() {
        let open = args(&["--rate=100:5,200:5", "--arrivals=constant"]);
        let shape = open.shape(RUN).expect("valid");
        assert_eq!(
            (shape.time_s, shape.rate.map(|rate| rate.arrivals)),
            (10.0, Some(model::Arrivals::Constant))
        );
        assert_eq!(open.clients(RUN), [64]);
        assert_eq!(args(&["--rate=100", "--threads=8"]).clients(SWEEP), [8]);
        assert_eq!(args(&["--rate=0"]).shape(RUN).expect("valid").rate, None);
    }

    #[test]
    fn seed_zero_means_a_fresh_one() {
        assert_eq!(args(&[]).seed_or(7), args(&[]).seed_or(8));
        assert_eq!(args(&["--rand-seed=0"]).seed_or(7), 7);
        assert_eq!(args(&["--seed=3"]).seed_or(7), 3);
    }
}
