//! The length of a trial, and its arrival rate.

use serde::{Deserialize, Serialize};

use crate::{CrashKind, EventAction, PlannedEvent, PlannedFailover, PrimaryLoss};

/// The three numbers that bound a trial, and how fast work comes due.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoadShape {
    /// Seconds before the measured window.
    pub warmup_s: f64,
    /// Seconds of the measured window.
    pub time_s: f64,
    /// Stop after this number of transactions; 0: no limit.
    pub events: u64,
    /// Arrival rate of an open loop; none: closed loop.
    #[serde(default, alias = "rate_per_s", skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// Concurrency limit, over all clients; none: the number of clients.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_flight: Option<u32>,
    /// Mean seconds that a client thinks between two transactions (negative exponential).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub think_s: f64,
    /// Worker threads of the generator; none: chosen from CPUs and clients.
    pub workers: Option<u32>,
    /// The kind of crash under the same load after the measured window, followed by a restart; none: no crash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crash: Option<CrashKind>,
    /// The primary of a topology is lost during the load, and another server takes its place; none: it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failover: Option<PlannedFailover>,
    /// Planned events on the servers during the load, in order of time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub planned_events: Vec<PlannedEvent>,
}

impl LoadShape {
    /// Whether a planned event takes a server away during the load, permanently or for a while, so that clients must reconnect.
    pub fn is_disturbed(&self) -> bool {
        self.failover.is_some() || self.planned_events.iter().any(|one| one.action.disturbs())
    }

    /// Whether a server is terminated during the load, which leaves its resource use until then unknown.
    pub fn ends_a_server(&self) -> bool {
        let loss = self.failover.map(|one| one.loss);
        matches!(loss, Some(PrimaryLoss::Kill | PrimaryLoss::Stop))
            || self.planned_events.iter().any(|one| one.action.ends_server())
    }

    /// Whether a planned event may change the throughput of the load.
    pub fn is_eventful(&self) -> bool {
        self.failover.is_some() || !self.planned_events.is_empty()
    }

    /// Variables that are set during the load on the server with that number, each with its values.
    pub fn set_later(&self, number: u32) -> impl Iterator<Item = (&str, &str)> {
        self.planned_events.iter().filter_map(move |one| match &one.action {
            EventAction::Set { server, variable, value } if *server == number => {
                Some((variable.as_str(), value.as_str()))
            }
            _ => None,
        })
    }
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

/// An open loop: transactions that are due by the clock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    /// The distribution of arrivals.
    pub arrivals: Arrivals,
    /// The rate over the measured window, in phases that follow each other. The warm-up has the rate of the beginning.
    pub phases: Vec<Phase>,
}

/// The distribution of arrivals in an open loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arrivals {
    /// Random and independent, with exponentially distributed intervals.
    Poisson,
    /// At equal intervals.
    Constant,
}

/// A stretch of time with a rate that is constant or changes in a straight line.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// Transactions per second at its beginning.
    pub from_per_s: f64,
    /// Transactions per second at its end.
    pub to_per_s: f64,
    /// Its length, seconds; none: until the end, which only the last phase may have.
    pub length_s: Option<f64>,
}

impl Rate {
    /// Mean rate over a window of this length, seconds.
    pub fn mean_per_s(&self, time_s: f64) -> f64 {
        let mut left_s = time_s;
        let mut sum = 0.0;
        for phase in &self.phases {
            let length_s = phase.length_s.unwrap_or(left_s).min(left_s);
            sum += length_s * (phase.from_per_s + phase.to_per_s) / 2.0;
            left_s -= length_s;
        }
        if time_s > 0.0 { sum / time_s } else { self.phases.first().map_or(0.0, |phase| phase.from_per_s) }
    }

    /// The rate this many seconds into the measured window; during the warm-up, the initial rate.
    pub fn at_per_s(&self, at_s: f64) -> f64 {
        let mut left_s = at_s.max(0.0);
        let mut last = 0.0;
        for phase in &self.phases {
            match phase.length_s {
                Some(length_s) if left_s >= length_s => left_s -= length_s,
                Some(length_s) => {
                    return phase.from_per_s + (phase.to_per_s - phase.from_per_s) * left_s / length_s;
                }
                None => return phase.from_per_s,
            }
            last = phase.to_per_s;
        }
        last
    }

    /// Whether the rate is constant.
    pub fn is_steady(&self) -> bool {
        let first = self.phases.first().map(|phase| phase.from_per_s);
        self.phases.iter().all(|phase| Some(phase.from_per_s) == first && Some(phase.to_per_s) == first)
    }

    /// The notation of `--rate`: `500`, `500..2000:60,2000:30`.
    pub fn describe(&self) -> String {
        let phase = |phase: &Phase| {
            let to = if phase.to_per_s == phase.from_per_s {
                String::new()
            } else {
                format!("..{}", phase.to_per_s)
            };
            let length = phase.length_s.map(|s| format!(":{s}")).unwrap_or_default();
            format!("{}{to}{length}", phase.from_per_s)
        };
        self.phases.iter().map(phase).collect::<Vec<_>>().join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_known_at_every_second() {
        let phase = |from_per_s, to_per_s, length_s| Phase { from_per_s, to_per_s, length_s };
        let phases =
            vec![phase(100.0, 100.0, Some(10.0)), phase(100.0, 300.0, Some(10.0)), phase(50.0, 50.0, None)];
        let rate = Rate { arrivals: Arrivals::Poisson, phases };
        assert_eq!(
            [-5.0, 5.0, 15.0, 20.0, 1e6].map(|at_s| rate.at_per_s(at_s)),
            [100.0, 100.0, 200.0, 50.0, 50.0]
        );
        let ends = Rate { arrivals: Arrivals::Poisson, phases: vec![phase(1.0, 9.0, Some(8.0))] };
        assert_eq!([4.0, 8.0, 9.0].map(|at_s| ends.at_per_s(at_s)), [5.0, 9.0, 9.0]);
    }
}
