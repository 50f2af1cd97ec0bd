//! The load shape.

use model::{Arrivals, CrashKind, LoadShape, Phase, PlannedFailover, PrimaryLoss, Rate};

use crate::kind::Value;
use crate::values::{Values, Wrong};

/// The defaults of a verb.
#[derive(Debug, Clone, Copy)]
pub struct Defaults {
    /// Numbers of clients.
    pub clients: &'static [u32],
    /// Measured seconds.
    pub time_s: f64,
    /// Seconds of warm-up.
    pub warmup_s: f64,
}

/// `run` is sysbench's run.
pub const RUN: Defaults = Defaults { clients: &[1], time_s: 10.0, warmup_s: 0.0 };
/// `sweep` is for comparing: a warm-up, and long enough for a p99.
pub const SWEEP: Defaults = Defaults { clients: &[1, 4, 16, 64], time_s: 30.0, warmup_s: 5.0 };

/// Defaults of a capacity search: long enough for a growing queue to show.
pub const CAPACITY_DEFAULTS: Defaults =
    Defaults { clients: &[CLIENTS_OF_A_RATE], time_s: 20.0, warmup_s: 5.0 };

/// Defaults of a search for differences: one number of clients, and short trials, since there are many.
pub const BISECT_DEFAULTS: Defaults = Defaults { clients: &[8], time_s: 5.0, warmup_s: 2.0 };

/// Of recommendations that are tried: the same.
pub const PROOF_DEFAULTS: Defaults = BISECT_DEFAULTS;

/// Defaults of a series of crashes: long enough for a throughput to compare the losses with.
pub const CRASHES: Defaults = Defaults { clients: &[8], time_s: 5.0, warmup_s: 2.0 };

/// Defaults of a failover: long enough to see the throughput before and after it. A group takes 20 seconds to expel a member.
pub const FAILOVERS: Defaults = Defaults { clients: &[8], time_s: 45.0, warmup_s: 5.0 };

/// Default number of clients of an open loop: more than are in flight as long as the server keeps up.
const CLIENTS_OF_A_RATE: u32 = 64;
/// TPC-C asks for eight hours (clause 5.5).
const ENDURANCE: Defaults = Defaults { clients: &[], time_s: 8.0 * 3600.0, warmup_s: 600.0 };

/// The numbers of clients.
pub fn clients(values: &Values, defaults: Defaults) -> Vec<u32> {
    match values.get("load.clients") {
        Some(Value::Clients(list)) => list,
        _ if phases(values).is_empty() => defaults.clients.to_vec(),
        _ => vec![CLIENTS_OF_A_RATE],
    }
}

/// The seed, or `fresh` if the user wants a new one. The default is constant: trials are repeatable, and data can be reused.
pub fn seed_of(values: &Values, fresh: u64) -> u64 {
    match values.count("seed") {
        0 => fresh,
        seed => seed,
    }
}

/// The length of a trial, and its arrival rate.
///
/// # Errors
/// It would never end, or the phases of the rate do not fit the time.
pub fn shape(values: &Values, defaults: Defaults) -> Result<LoadShape, Wrong> {
    let defaults = if values.switch("load.endurance") { ENDURANCE } else { defaults };
    let number = |path: &str| match values.get(path) {
        Some(Value::Number(n)) => Some(n),
        _ => None,
    };
    let whole = |path: &str| match values.get(path) {
        Some(Value::Count(n)) => u32::try_from(n).ok(),
        _ => None,
    };
    let phases = phases(values);
    let time_s = window(&phases, number("load.time"), defaults.time_s)?;
    let events = values.count("load.events");
    if time_s == 0.0 && events == 0 {
        return Err(Wrong::of("a time of 0 without a number of events would never end")
            .hint("give a number of seconds, or a number of transactions"));
    }
    let arrivals =
        if values.text("load.arrivals") == "constant" { Arrivals::Constant } else { Arrivals::Poisson };
    Ok(LoadShape {
        warmup_s: number("load.warmup").unwrap_or(defaults.warmup_s),
        time_s,
        events,
        rate: (!phases.is_empty()).then_some(Rate { arrivals, phases }),
        in_flight: whole("load.in_flight"),
        think_s: values.number("load.think_time"),
        workers: whole("load.workers"),
        failover: PrimaryLoss::ALL
            .into_iter()
            .find(|loss| values.text("load.failover") == loss.name())
            .map(|loss| PlannedFailover { loss, at_s: values.number("load.failover_at") }),
        planned_events: match values.get("load.event") {
            Some(Value::Events(events)) => events,
            _ => Vec::new(),
        },
        crash: CrashKind::ALL.into_iter().find(|kind| values.text("load.crash") == kind.name()),
    })
}

fn phases(values: &Values) -> Vec<Phase> {
    match values.get("load.rate") {
        Some(Value::Phases(phases)) => phases,
        _ => Vec::new(),
    }
}

/// Seconds of the measured window: the sum of the rate's phases, except for the last one, which may be open.
fn window(phases: &[Phase], time: Option<f64>, default_s: f64) -> Result<f64, Wrong> {
    let Some(last) = phases.last() else { return Ok(time.unwrap_or(default_s)) };
    let fixed_s: f64 = phases.iter().filter_map(|phase| phase.length_s).sum();
    let is_open = last.length_s.is_none();
    match time {
        None if is_open => Ok(fixed_s + default_s),
        None => Ok(fixed_s),
        Some(time) if is_open && (time > fixed_s || time == 0.0) => Ok(time),
        Some(time) if !is_open && (time - fixed_s).abs() < 1e-9 => Ok(time),
        Some(time) => {
            let is = if is_open { "leaves nothing for the last of" } else { "is not the sum of" };
            Err(Wrong::at("load.time", format!("{time} s {is} the phases of the rate, {fixed_s} s"))
                .hint("leave the time out: the phases say how long the window is"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::tests::values;

    #[test]
    fn each_verb_has_its_own_defaults() {
        let none = Values::default();
        assert_eq!((clients(&none, RUN), clients(&none, SWEEP)), (vec![1], vec![1, 4, 16, 64]));
        let shape = shape(&none, SWEEP).expect("the defaults are valid");
        assert_eq!((shape.warmup_s, shape.time_s, shape.events), (5.0, 30.0, 0));
    }

    #[test]
    fn an_endurance_run_is_long_unless_told_otherwise() {
        let times = |edits: &[(&str, &str)]| {
            let shape = shape(&values(edits), RUN).expect("valid");
            (shape.time_s, shape.warmup_s)
        };
        assert_eq!(times(&[("load.endurance", "on")]), (28_800.0, 600.0));
        let short = [("load.endurance", "on"), ("load.time", "10m"), ("load.warmup", "30s")];
        assert_eq!(times(&short), (600.0, 30.0));
    }

    #[test]
    fn a_trial_without_an_end_is_refused_and_one_that_counts_is_not() {
        assert!(shape(&values(&[("load.time", "0")]), RUN).is_err());
        assert!(shape(&values(&[("load.time", "0"), ("load.events", "1K")]), RUN).is_ok());
    }

    #[test]
    fn a_rate_makes_an_open_loop_of_as_long_as_its_phases() {
        let open = values(&[("load.rate", "100:5,200:5"), ("load.arrivals", "constant")]);
        let made = shape(&open, RUN).expect("valid");
        assert_eq!((made.time_s, made.rate.map(|rate| rate.arrivals)), (10.0, Some(Arrivals::Constant)));
        assert_eq!(clients(&open, RUN), [64]);
        assert_eq!(clients(&values(&[("load.rate", "100"), ("load.clients", "8")]), SWEEP), [8]);
        assert_eq!(shape(&values(&[("load.rate", "0")]), RUN).expect("valid").rate, None);
    }

    #[test]
    fn the_time_of_phases_is_their_sum() {
        let time = |rate: &str, time: Option<f64>| {
            window(&crate::kind::Kind::Phases.parse(rate).map(phases_of).expect("valid"), time, 10.0)
        };
        fn phases_of(value: Value) -> Vec<Phase> {
            if let Value::Phases(phases) = value { phases } else { Vec::new() }
        }
        assert_eq!(time("500:30,500..2000:1m,2000", None), Ok(100.0));
        assert_eq!((time("100", Some(60.0)), time("100", Some(0.0))), (Ok(60.0), Ok(0.0)));
        assert!(time("100:10,200:10", Some(30.0)).is_err() && time("100:10,200", Some(5.0)).is_err());
    }

    #[test]
    fn seed_zero_means_a_fresh_one() {
        assert_eq!((seed_of(&Values::default(), 7), seed_of(&values(&[("seed", "0")]), 7)), (1, 7));
        assert_eq!(seed_of(&values(&[("seed", "3")]), 7), 3);
    }
}
